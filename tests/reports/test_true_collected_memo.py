"""Sentences and numbers of the memo of collected answers, against the answers themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import erfc, log, sqrt

import numpy as np
import pytest
from scipy.stats import chi2, norm
from scipy.stats import f as f_law
from scipy.stats import t as t_law

from dpdesk.data.table import table_from_texts
from dpdesk.designs import Design
from dpdesk.engine import untracked
from dpdesk.engine.collected import CollectedRequest, CollectedResult, analyse_collected
from dpdesk.estimation.survey_answers import DeviceColumns, SampleColumns
from dpdesk.reports.survey.collected_memo import _odds, collected_memo_html
from dpdesk.reports.survey.texts import T
from tests.designs.cases import made
from tests.reports.test_true_survey_papers import rows_of, words
from tests.texts import only_said

N = 240
PLACE = np.arange(N)
REGION = np.array(["east", "north", "west"])[PLACE * PLACE % 7 % 3]
SECOND = PLACE * PLACE % 11 % 2
WEIGHTS, STRATA, CLUSTERS = 1.0 + PLACE % 4, PLACE // 120, PLACE // 12
SIZES = {0: 900, 1: 400}
WARNER, KUK = made("warner", {"p": "3/4"}), made("kuk", {"p1": "7/10", "p2": "1/5", "draws": 3})


@dataclass(frozen=True)
class Drawn:
    """How respondents were drawn, for the program and for the computation by hand."""

    columns: SampleColumns
    weights: np.ndarray
    strata: np.ndarray
    clusters: np.ndarray
    population: dict[int, int] | None
    freedom: bool


ONE, ZERO = np.ones(N), np.zeros(N, np.int64)
BY_SIZES = np.array([SIZES[s] for s in STRATA]) / 120
SAMPLES = {
    "simple": Drawn(SampleColumns(), ONE, ZERO, PLACE, None, False),
    "population": Drawn(SampleColumns(population=400), ONE, ZERO, PLACE, {0: 400}, False),
    "weights": Drawn(SampleColumns("w"), WEIGHTS, ZERO, PLACE, None, True),
    "strata": Drawn(SampleColumns("w", "s"), WEIGHTS, STRATA, PLACE, None, True),
    "clusters": Drawn(SampleColumns("", "", "c"), ONE, ZERO, CLUSTERS, None, True),
    "both": Drawn(SampleColumns("w", "s", "c"), WEIGHTS, STRATA, CLUSTERS, None, True),
    "sizes": Drawn(SampleColumns("", "s", sizes=(("0", 900), ("1", 400))), BY_SIZES, STRATA,
                   PLACE, SIZES, True),
}  # fmt: skip
every_sample = pytest.mark.parametrize("drawn", SAMPLES.values(), ids=SAMPLES)


def answers_to(design: Design) -> np.ndarray:
    """What everybody said, a bit more often yes in the first of two versions."""
    drawn, most = PLACE * 7919 % 31, design.largest_answer
    if most > 1:
        return drawn % (most + 1)
    return (drawn < (np.where(SECOND, 9, 14) if design.group_count > 1 else 12)).astype(int)


def answered(design: Design, drawn: Drawn, **more) -> tuple[CollectedResult, np.ndarray, str]:
    """The result of made-up answers, the score of each, and the memo."""
    said, most = answers_to(design), design.largest_answer
    table = table_from_texts(
        {name: [str(v) for v in values] for name, values in {
            "said": said, "region": REGION, "w": WEIGHTS.astype(int), "s": STRATA,
            "c": CLUSTERS, "half": PLACE % 2, "asked": np.where(PLACE % 5, "by device", "open"),
            "v": SECOND, "x": PLACE * 31 % 17, "a": ["0.8"] * N, "b": ["0.1"] * N,
        }.items()}
    )  # fmt: skip
    request = CollectedRequest("said", by="region", sample=drawn.columns, **more)
    result = analyse_collected(table, design, request, untracked())
    assert not result.refusals
    # Mean answer of a carrier and of another, by the law of one group.
    (law, *_) = design.groups
    worth = [1.0, 0.0] if most == 1 else [float(answer.split()[0]) for answer in law.answers]
    high, low = (sum(float(p) * x for p, x in zip(row, worth, strict=True)) for row in law.law[:2])
    return result, (said - low) / (high - low), collected_memo_html(result)


def by_hand(score, drawn: Drawn, group) -> tuple[float, float, int]:
    """Share of a group, its error by Taylor linearisation, and the degrees of freedom."""
    one_by_one = np.unique(drawn.clusters).size == N and not drawn.strata.any()
    w = np.where(group, drawn.weights, 0.0)
    mean = float(w @ score / w.sum())
    residual = w * (score - mean) / w.sum()
    variance, freedom = 0.0, 0
    for stratum in np.unique(drawn.strata):
        here = (drawn.strata == stratum) & (group if one_by_one else True)
        names = np.unique(drawn.clusters[here])
        sums = np.array([residual[here & (drawn.clusters == name)].sum() for name in names])
        count = names.size
        left = 1.0
        if drawn.population is not None:
            part = group.sum() / N if one_by_one else 1.0
            left = 1 - count / (drawn.population[stratum] * part)
            # The device's own part is not less because many of the population were drawn.
            variance += (1 - left) * ((w / w.sum()) ** 2 * score * (score - 1))[here].sum()
        variance += left * count / (count - 1) * ((sums - sums.mean()) ** 2).sum()
        of_members = np.unique(drawn.clusters[here & group]).size
        freedom += of_members - (of_members > 0)
    return mean, sqrt(variance), freedom


def wilson(share: float, n: int) -> tuple[float, float]:
    z = norm.ppf(0.975)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def percents(cell: str) -> list[float]:
    plain = cell.replace("\N{MINUS SIGN}", "-").replace("%", "").replace("pp", "")
    return [float(number) / 100 for number in plain.split(" to ")]


@every_sample
@pytest.mark.parametrize("design", [WARNER, KUK], ids=["warner", "kuk"])
def test_that_shares_errors_and_intervals_are_those_of_the_words(design, drawn: Drawn) -> None:
    result, score, html = answered(design, drawn)
    text, table = words(html), {row[0]: row for row in rows_of(html) if len(row) == 5}
    by_counts = drawn is SAMPLES["simple"]
    clusters, freedom = bool(drawn.columns.clusters), drawn.freedom
    holds = {
        T.BY_COUNTS: by_counts,
        T.FROM_POPULATION: not freedom and drawn.population is not None,
        T.RESPONDENTS_WITH: freedom and drawn.population is None and not clusters,
        T.RESPONDENTS_WITHOUT: freedom and drawn.population is not None and not clusters,
        T.CLUSTERS_WITH: freedom and drawn.population is None and clusters,
        T.CLUSTERS_WITHOUT: freedom and drawn.population is not None and clusters,
        T.LINEARISED: freedom,
        T.LESS_STRATA: drawn.strata.any(),
        T.LESS_ONE: drawn in (SAMPLES["clusters"], SAMPLES["weights"]),
        T.LESS_GROUPS: False,
        T.LOG_ODDS: False,
    }
    basis = text.split("rests on")[1]
    assert only_said(holds, basis) == [entry for entry, is_so in holds.items() if is_so]
    assert ("Korn & Graubard" in basis) == drawn.freedom
    for name in ("all", "east", "north", "west"):
        group = np.ones(N, bool) if name == "all" else name == REGION
        mean, error, freedom = by_hand(score, drawn, group)
        _, share, spread, interval, count = table[name]
        assert percents(share) == pytest.approx([mean], abs=5.1e-5)
        assert percents(spread) == pytest.approx([error], abs=5.1e-5)
        assert int(count) == group.sum()
        reach = t_law.ppf(0.975, freedom) if drawn.freedom else norm.ppf(0.975)
        ends = (mean - reach * error, mean + reach * error)
        if by_counts and design is WARNER:
            low, high = score.min(), score.max()
            at = wilson((mean - low) / (high - low), int(group.sum()))
            ends = tuple(low + (high - low) * end for end in at)
        assert percents(interval) == pytest.approx(ends, abs=5.1e-5)
        if name == "all" and drawn.freedom:
            assert f"Degrees of freedom {freedom} " in text
    assert ("Weights" in text) == bool(result.sample.weights)


@every_sample
def test_that_the_test_of_groups_is_that_of_their_shares(drawn: Drawn) -> None:
    _, score, html = answered(WARNER, drawn)
    groups = [name == REGION for name in ("east", "north", "west")]
    found = [by_hand(score, drawn, group) for group in groups]
    values = np.array([mean for mean, *_ in found])
    covariance = np.diag([error**2 for _, error, _ in found])
    if drawn.columns.strata or drawn.columns.clusters:
        # Of sums and differences: the same by-hand error of a group's residuals, put together.
        parts = []
        for (mean, *_), group in zip(found, groups, strict=True):
            w = np.where(group, drawn.weights, 0.0)
            parts.append(w * (score - mean) / w.sum())
        covariance = covariance_of(np.array(parts), drawn, groups, score)
    apart = np.array([[1, -1, 0], [1, 0, -1]])
    gap = apart @ values
    wald = gap @ np.linalg.solve(apart @ covariance @ apart.T, gap)
    sentence = words(html)
    if not drawn.freedom:
        ((stated, p),) = re.findall(
            r"chi-square ([\d.]+) with 2 degrees.*?p = ([\d.e-]+)", sentence
        )
        assert float(stated) == pytest.approx(wald, abs=6e-4)
        assert float(p.rstrip(".")) == pytest.approx(chi2.sf(wald, 2), rel=1e-3)
        return
    freedom = by_hand(score, drawn, np.ones(N, bool))[2]
    statistic = wald * (freedom - 1) / (2 * freedom)
    ((stated, of, p),) = re.findall(
        r"F ([\d.]+) with 2 and (\d+) degrees.*?p = ([\d.e-]+)", sentence
    )
    assert int(of) == freedom - 1
    assert float(stated) == pytest.approx(statistic, abs=6e-4)
    assert float(p.rstrip(".")) == pytest.approx(f_law.sf(statistic, 2, freedom - 1), rel=1e-3)


def covariance_of(parts, drawn: Drawn, groups, score):
    total = np.zeros((len(parts), len(parts)))
    for stratum in np.unique(drawn.strata):
        names = np.unique(drawn.clusters[drawn.strata == stratum])
        sums = np.array([parts[:, drawn.clusters == name].sum(axis=1) for name in names])
        left = 1.0
        if drawn.population is not None:
            left = 1 - names.size / drawn.population[stratum]
            for i, group in enumerate(groups):
                w = np.where(group, drawn.weights, 0.0) / drawn.weights[group].sum()
                here = drawn.strata == stratum
                total[i, i] += (1 - left) * (w**2 * score * (score - 1))[here].sum()
        off = sums - sums.mean(axis=0)
        total += left * names.size / (names.size - 1) * off.T @ off
    return total


@every_sample
def test_that_direct_answers_are_compared_and_not_said_to_be_hidden(drawn: Drawn) -> None:
    asked = DeviceColumns(direct="asked", direct_text="open")
    _, score, html = answered(WARNER, drawn, devices=asked)
    text, rows = words(html), {row[0]: row for row in rows_of(html)}
    direct = PLACE % 5 == 0
    # Warner's low is 1/4 and its gap 1/2: what was said directly is its own score.
    score = np.where(direct, score * 0.5 + 0.25, score)
    for name, group in (("with the device", ~direct), ("directly", direct)):
        mean, error, _ = by_hand(score, drawn, group)
        assert percents(rows[name][1]) == pytest.approx([mean], abs=5.1e-5)
        assert percents(rows[name][2]) == pytest.approx([error], abs=5.1e-5)
    gap = by_hand(score, drawn, ~direct)[0] - by_hand(score, drawn, direct)[0]
    ((less, low, high, p),) = re.findall(
        r"Device less direct: (\S+) pp, 95 % interval (\S+) pp to (\S+) pp, p = ([\d.e-]+)", text
    )
    assert percents(less) == pytest.approx([gap], abs=5.1e-5)
    ends = percents(low) + percents(high)
    freedom = by_hand(score, drawn, np.ones(N, bool))[2]
    reach = t_law.ppf(0.975, freedom) if drawn.freedom else norm.ppf(0.975)
    error = (ends[1] - ends[0]) / 2 / reach
    if drawn.columns.weights or drawn.columns.strata or drawn.columns.clusters:
        assert sum(ends) / 2 == pytest.approx(gap, abs=1.1e-4)
    else:
        # Wilson's intervals of both are uneven, and so is that of the difference.
        assert ends[0] < gap < ends[1]
        error = np.hypot(*(by_hand(score, drawn, group)[1] for group in (direct, ~direct)))
    ratio = abs(gap) / error
    chance = 2 * t_law.sf(ratio, freedom) if drawn.freedom else erfc(ratio / sqrt(2))
    assert float(p.rstrip(".")) == pytest.approx(chance, rel=0.02)
    assert f"Asked directly {direct.sum()} " in text
    assert f"ε = {np.ceil(1000 * log(3)) / 1000:.3f}" in text
    assert T.DIRECT_HIDES_NOTHING() in text


def test_that_chances_of_their_own_are_not_told_as_the_design() -> None:
    own = DeviceColumns(a="a", b="b")
    result, _, html = answered(WARNER, SAMPLES["simple"], devices=own)
    assert result.design is None
    assert "a device of their own" in words(html)
    assert "ε = 1.099" not in words(html)
    assert T.DIRECT_HIDES_NOTHING() not in words(html)


@every_sample
def test_that_predicted_shares_have_the_intervals_that_are_named(drawn: Drawn) -> None:
    result, _, html = answered(WARNER, drawn, formula="region")
    assert T.LOG_ODDS() in words(html)
    ((_, rows),) = [(p.column, p.shares) for p in result.predicted]
    for text, mean in rows:
        group = text == REGION
        share = mean.estimate
        reach = t_law.ppf(0.975, mean.freedom) if drawn.freedom else norm.ppf(0.975)
        half = reach * mean.standard_error / (share * (1 - share))
        odds = share / (1 - share)
        ends = [odds * np.exp(sign * half) / (1 + odds * np.exp(sign * half)) for sign in (-1, 1)]
        (row,) = [row for row in rows_of(html)[-8:] if row[0] == text and len(row) == 5]
        assert percents(row[1]) == pytest.approx([share], abs=5.1e-5)
        assert percents(row[3]) == pytest.approx(ends, abs=5.1e-5)
        assert int(row[4]) == group.sum()


def test_that_an_odds_ratio_beyond_all_numbers_is_called_that() -> None:
    assert _odds(701.0) == "beyond all numbers"
    assert _odds(0.0) == "1.00"


def test_that_groups_asked_apart_count_in_the_degrees_of_freedom() -> None:
    two = made("unrelated_two_samples", {"p1": "3/4", "p2": "1/5", "q": "1/3"})
    result, _, html = answered(two, SAMPLES["weights"], devices=DeviceColumns(group="half"))
    assert result.overall.freedom == N - 2
    assert T.LESS_GROUPS() in words(html)
