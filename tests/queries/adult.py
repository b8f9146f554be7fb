"""Queries to the Adult data, and how far their releases are off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

import numpy as np
from scipy.stats import binom

from dpdesk.data.read_file import load
from dpdesk.domains import Categorical, Integer
from dpdesk.queries import (
    BoundQuery,
    CodedRows,
    Domains,
    PrivacyUnit,
    Query,
)
from dpdesk.queries.most_common import BoundMostCommon
from dpdesk.queries.phrase import parse_query
from dpdesk.queries.quantile import BoundQuantile
from dpdesk.queries.selection import rank_scores

ADULT = Path(__file__).resolve().parents[3] / "shared" / "data" / "adult.csv"
ALPHA = 1e-9
CONFIDENCE = 0.95
COLUMNS = ("sex", "race", "education", "occupation", "salary")

PHRASES = (
    "count where sex is Female",
    "count by race",
    "count by education, salary",
    'share with salary is ">50K"',
    'share with salary is ">50K" by sex',
    "mean of age",
    "mean of age by sex",
    "mean of age where race is Black",
    "sum of age",
    "sum of age between 18 and 67 by sex",
    "variance of age",
    "standard deviation of age by sex",
    "median of age",
    "quantiles 0.25, 0.75 of age",
    "histogram of age at 17, 25, 35, 45, 55, 65, 90",
    "most frequent occupation",
    "3 most frequent of occupation",
)
COMPLETE = ('share with salary is ">50K"', "mean of age", "variance of age")
"""Asked again where the number of rows is public."""

CHOICES = ("quantile", "most_common")


@dataclass(frozen=True)
class Measured:
    """What was predicted of a query, and what came out.

    Attributes:
        asked, relation, noise, unit: Which query, how.
        predicted: Half-width before the release.
        error: 95th percentile of the errors.
        half_width: Median half-width of the intervals after the release; None for a choice.
        coverage: Share of releases whose interval holds the truth; of choices, share of those no
            farther off than predicted.
        releases: How many were made.
    """

    asked: str
    relation: str
    noise: str
    unit: str
    predicted: float
    error: float
    half_width: float | None
    coverage: float
    releases: int

    @property
    def holds(self) -> bool:
        """Whether the coverage is no proof of being below what was stated."""
        hits = round(self.coverage * self.releases)
        return bool(binom.cdf(hits, self.releases, CONFIDENCE) > ALPHA)


@cache
def adult_rows() -> CodedRows:
    """The whole file; its categories are taken as declared."""
    table = load(ADULT)
    domains: dict[str, Categorical | Integer] = {"age": Integer(lower=17, upper=90)}
    for name in COLUMNS:
        domains[name] = Categorical(values=tuple(sorted(table.column(name).distinct)))
    codes = {
        name: domain.encode(table.column(name).distinct)[table.column(name).codes]
        for name, domain in domains.items()
    }
    return CodedRows(table.rows, codes, domains)


def cases() -> Iterator[BoundQuery]:
    """Every query under both relations with two kinds of noise, choices once each."""
    domains: Domains = adult_rows().domains
    for relation in ("add_remove", "replace"):
        unit = PrivacyUnit.model_validate({"relation": relation})
        queries = [parse_query(phrase) for phrase in PHRASES]
        if unit.rows_are_public:
            queries += [parse_query(phrase).changed(complete=True) for phrase in COMPLETE]
        for query in queries:
            yield query.bind(domains, unit)
            if query.kind not in CHOICES:
                gaussian: dict[str, object] = {
                    "noise": "discrete_gaussian",
                    "delta": Decimal("1e-6"),
                }
                yield query.changed(**gaussian).bind(domains, unit)


def measured(bound: BoundQuery, rows: CodedRows, releases: int) -> Measured:
    """Releases a query again and again, and compares with the truth; of groups, the first."""
    query, unit = bound.query, bound.unit
    exact = bound.exact(rows)
    if isinstance(bound, BoundQuantile | BoundMostCommon):
        errors = [_shortfall(bound, rows) for _ in range(releases)]
        told = bound.expected_error(rows.rows, CONFIDENCE)
        covered = float(np.mean(np.asarray(errors) <= told.half_width + 1e-9))
        half = None
    else:
        drawn = [bound.release(rows, CONFIDENCE)[0] for _ in range(releases)]
        truth = exact[0].value
        assert truth is not None
        errors = [abs(s.value - truth) for s in drawn if s.value is not None]
        close = 1e-9 * abs(truth)
        covered = float(
            np.mean([s.lower - close <= truth <= s.upper + close for s in drawn])  # type: ignore[operator]
        )
        half = float(np.median([(s.upper - s.lower) / 2 for s in drawn]))  # type: ignore[operator]
        told = bound.expected_error(_group(query, rows), CONFIDENCE)
    public = " (all rows answer)" if getattr(query, "complete", False) else ""
    return Measured(
        query.description + public,
        unit.relation,
        "choice" if query.kind in CHOICES else query.noise,
        told.unit,
        told.half_width,
        float(np.quantile(errors, CONFIDENCE)),
        half,
        covered,
        releases,
    )


def _group(query: Query, rows: CodedRows) -> int:
    """Rows of the first group that meet the conditions."""
    counts = rows.count(getattr(query, "by", ()), query.where)
    return int(counts.reshape(-1)[0])


def _shortfall(bound: BoundQuantile | BoundMostCommon, rows: CodedRows) -> float:
    """How far one choice is from the best, in the unit of its expected error."""
    drawn = bound.release(rows)
    if isinstance(bound, BoundMostCommon):
        counts = rows.count(bound.query.columns)
        texts = rows.domains[bound.query.column].texts
        best = np.sort(counts)[::-1]
        return float(max(best[i] - counts[texts.index(s.chosen)] for i, s in enumerate(drawn)))
    texts = rows.domains[bound.query.column].texts
    worst = 0.0
    for choice, statistic in zip(bound.choices, drawn, strict=True):
        scores = rank_scores(rows.count((bound.query.column,)), choice.alpha)
        assert statistic.value is not None
        behind = scores.max() - scores[texts.index(f"{statistic.value:.0f}")]
        worst = max(worst, float(behind) / choice.alpha.denominator)
    return 100 * worst / rows.rows
