"""The regression and the test of adherence in the memo, against likelihoods written out here."""

from __future__ import annotations

import re
from dataclasses import replace
from math import exp

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import chi2, norm
from scipy.stats import f as f_law
from scipy.stats import t as t_law

from dpdesk.designs import Design
from dpdesk.estimation.survey_answers import DeviceColumns
from dpdesk.reports.survey.collected_memo import collected_memo_html
from dpdesk.reports.survey.texts import T
from tests.designs.cases import made
from tests.reports.test_true_collected_memo import (
    CLUSTERS,
    KUK,
    PLACE,
    REGION,
    SAMPLES,
    SECOND,
    WARNER,
    Drawn,
    N,
    answered,
    answers_to,
    percents,
)
from tests.reports.test_true_survey_papers import rows_of, words

TWO_SAMPLES = made("unrelated_two_samples", {"p1": "3/4", "p2": "1/5", "q": "1/3"})
EXTENDED = made("extended_crosswise", {"p": "1/4"})
CHEATERS = made("cheating_detection", {"p1": "1/4", "p2": "3/4"})
LIARS = made("stochastic_lie_detector", {"s1": "1/4", "s2": "4/5"})
ANCHORED = made("anchored_crosswise", {"p": "1/4", "anchor": "1/5"})
BY_VERSION = DeviceColumns(group="v")
DIRECTLY = DeviceColumns(direct="asked", direct_text="open")
TERMS = np.column_stack(
    [np.ones(N), REGION == "north", REGION == "west", PLACE * 31 % 17]
).astype(float)  # fmt: skip
"""Intercept, two regions beside east, which is the first in the order of texts, and a number."""


def chances(design: Design, said: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """The chance of each answer from a carrier and from another."""
    if design is WARNER:
        return np.where(said, 0.75, 0.25), np.where(said, 0.25, 0.75)
    if design is KUK:  # three beads, red with 7/10 in the carriers' bag and 1/5 in the others'
        ways = np.array([1, 3, 3, 1])[said]
        return tuple(ways * p**said * (1 - p) ** (3 - said) for p in (0.7, 0.2))
    if design is EXTENDED:
        p = np.where(SECOND, 0.75, 0.25)
        return np.where(said, p, 1 - p), np.where(said, 1 - p, p)
    yes = np.where(SECOND, 0.2, 0.75)  # the sensitive question; else the innocent one
    high, low = yes + (1 - yes) * share, (1 - yes) * share
    return np.where(said, high, 1 - high), np.where(said, low, 1 - low)


def each_height(design: Design, said: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The logarithm of each respondent's likelihood; a fifth number is the innocent share."""
    high, low = chances(design, said, at[4] if at.size > 4 else 0.0)
    carrier = 1 / (1 + np.exp(-TERMS @ at[:4]))
    return np.log(np.maximum(low + (high - low) * carrier, 1e-300))


def slopes_of(design: Design, said: np.ndarray, at: np.ndarray) -> np.ndarray:
    steps = 1e-6 * np.eye(at.size)
    return np.column_stack([
        (each_height(design, said, at + s) - each_height(design, said, at - s)) / 2e-6
        for s in steps
    ])  # fmt: skip


def fitted(design: Design, drawn: Drawn) -> tuple[np.ndarray, np.ndarray, int | None]:
    """The highest likelihood, the covariance of its place, and degrees of freedom."""
    said = answers_to(design)
    open_share = design is TWO_SAMPLES
    w = drawn.weights / drawn.weights.mean()
    start = np.array([0.0] * 4 + [0.4] * open_share)
    found = minimize(lambda at: -w @ each_height(design, said, at), start, method="BFGS").x
    for _ in range(12):
        steps = 1e-5 * np.eye(found.size)
        hessian = np.array([
            w @ (slopes_of(design, said, found + s) - slopes_of(design, said, found - s)) / 2e-5
            for s in steps
        ])  # fmt: skip
        found = found - np.linalg.solve(hessian, w @ slopes_of(design, said, found))
    bread = np.linalg.inv(-(hessian + hessian.T) / 2)
    if not drawn.freedom:
        return found, bread, None
    moved = w[:, None] * slopes_of(design, said, found) @ bread
    strata = drawn.strata
    if open_share and not (drawn.columns.strata or drawn.columns.clusters):
        strata = SECOND
    total, freedom = np.zeros_like(bread), 0
    for stratum in np.unique(strata):
        names = np.unique(drawn.clusters[strata == stratum])
        sums = np.array([
            moved[(strata == stratum) & (drawn.clusters == name)].sum(axis=0) for name in names
        ])  # fmt: skip
        off = sums - sums.mean(axis=0)
        total += names.size / (names.size - 1) * off.T @ off
        freedom += names.size - 1
    return found, total, freedom


def near(stated: str, exact: float, digits: int) -> bool:
    """Whether a number is told with so many digits, or as what it is beyond 0.0001."""
    told = stated.replace("\N{MINUS SIGN}", "-").replace(",", "")
    return float(told) == pytest.approx(exact, rel=0.51 * 10.0 ** (1 - digits) + 1e-4, abs=1e-9)


@pytest.mark.parametrize(
    ("design", "drawn"),
    [
        pytest.param(design, drawn, id=f"{design.kind}, {name}")
        for design in (WARNER, KUK, TWO_SAMPLES, EXTENDED)
        for name, drawn in SAMPLES.items()
        # Sizes of a population are for designs of one group.
        if design.group_count == 1 or not drawn.population
    ],
)
def test_that_terms_and_their_tests_are_those_of_the_highest_likelihood(
    design: Design, drawn: Drawn
) -> None:
    devices = BY_VERSION if design in (TWO_SAMPLES, EXTENDED) else DeviceColumns()
    _, _, html = answered(design, drawn, formula="region + x", devices=devices)
    best, covariance, freedom = fitted(design, drawn)
    text, rows = words(html), [row for row in rows_of(html) if len(row) == 6]
    law = norm if freedom is None else t_law(freedom)
    reach = law.ppf(0.975)
    names = ["Intercept", "region[T.north]", "region[T.west]", "x"]
    assert [row[0] for row in rows[-4:]] == names
    for row, value, error in zip(rows[-4:], best, np.sqrt(np.diag(covariance)), strict=False):
        _, coefficient, spread, odds, interval, p = row
        assert near(coefficient, value, 4)
        assert near(spread, error, 3)
        assert near(odds, exp(value), 3)
        ends = interval.split(" to ")
        assert near(ends[0], exp(value - reach * error), 3)
        assert near(ends[1], exp(value + reach * error), 3)
        assert near(p, 2 * law.sf(abs(value / error)), 3)
    regions = slice(1, 3)
    wald = best[regions] @ np.linalg.solve(covariance[regions, regions], best[regions])
    if freedom is None:
        told = re.findall(r"region, all together: chi-square (\S+) with 2 degrees of .*?p = (\S+)",
                          text)  # fmt: skip
        expected = wald, chi2.sf(wald, 2)
        assert "Errors have" not in text
    else:
        told = re.findall(
            rf"region, all together: F (\S+) with 2 and {freedom - 1} degrees of .*?p = (\S+)", text
        )
        statistic = wald * (freedom - 1) / (2 * freedom)
        expected = statistic, f_law.sf(statistic, 2, freedom - 1)
        assert f"Errors have {freedom} degrees of freedom." in text
        # Everybody has all covariates, so that it is the sample's own number.
        assert f"Degrees of freedom {freedom} " in text
    ((statistic_told, p_told),) = told
    assert float(statistic_told) == pytest.approx(expected[0], rel=1e-3, abs=6e-4)
    assert near(p_told.rstrip("."), expected[1], 3)
    assert "x, all together" not in text
    assert f"Logistic regression, {N} complete respondents" in text
    assert (T.NOT_SHORTENED() in text) == (drawn.population is not None)
    assert ("Share of yes to the innocent question" in text) == (design is TWO_SAMPLES)
    if design is TWO_SAMPLES:
        ((share, error),) = re.findall(
            r"Share of yes to the innocent question: (\S+) %, standard error (\S+) pp", text
        )
        assert percents(share) == pytest.approx([best[4]], abs=6e-5)
        assert percents(error) == pytest.approx([covariance[4, 4] ** 0.5], abs=6e-5)


@pytest.mark.parametrize("drawn", [SAMPLES[s] for s in ("simple", "weights", "strata", "clusters",
                                                        "both")])  # fmt: skip
@pytest.mark.parametrize(
    ("design", "expected", "side"),
    [(EXTENDED, 0, 0), (CHEATERS, 0, 1), (LIARS, 1, -1)],
    ids=["extended", "cheaters", "liars"],
)
def test_that_adherence_is_what_the_two_groups_tell(
    design: Design, expected: float, side: int, drawn: Drawn
) -> None:
    _, _, html = answered(design, drawn, devices=BY_VERSION)
    said, w = answers_to(design), drawn.weights

    def found(shares: np.ndarray) -> float:
        first, second = shares
        if design is EXTENDED:
            return first - (1 - second)
        if design is CHEATERS:  # yes: pi + p (1 - pi - cheaters)
            honest_no = (second - first) / (0.75 - 0.25)
            return 1 - (first - 0.25 * honest_no) - honest_no
        carriers = 1 - (first - second) / (0.8 - 0.25)
        return (first - (1 - carriers) * 0.75) / carriers

    groups = [number == SECOND for number in (0, 1)]
    shares = np.array([w[g] @ said[g] / w[g].sum() for g in groups])
    slopes = [(found(shares + s) - found(shares - s)) / 2e-6 for s in 1e-6 * np.eye(2)]
    moved = sum(
        slope * np.where(g, w * (said - share), 0) / w[g].sum()
        for slope, g, share in zip(slopes, groups, shares, strict=True)
    )
    apart = not (drawn.columns.strata or drawn.columns.clusters)
    strata = SECOND if apart else drawn.strata
    variance, freedom = 0.0, 0
    for stratum in np.unique(strata):
        here = strata == stratum
        sums = np.array([moved[here & (drawn.clusters == c)].sum()
                         for c in np.unique(drawn.clusters[here])])  # fmt: skip
        variance += sums.size / (sums.size - 1) * ((sums - sums.mean()) ** 2).sum()
        freedom += sums.size - 1
    value = found(shares)
    statistic = (value - expected) / variance**0.5
    law = t_law(freedom) if drawn.freedom else norm
    p = 2 * law.sf(abs(statistic)) if side == 0 else law.sf(side * statistic)
    ((told, of, sentence),) = re.findall(
        r"Adherence: .*? (\S+) %, expected (\S+) %; (p .*?)\. ", words(html)
    )
    assert percents(told) == pytest.approx([value], abs=5.1e-5)
    assert float(of) == 100 * expected
    chance, _, rest = sentence.partition(", ")
    assert rest == (f"{freedom} degrees of freedom" if drawn.freedom else "")
    if p < 1e-4:
        assert chance == "p < 0.0001"
    else:
        assert near(chance.removeprefix("p = "), p, 3)


@pytest.mark.parametrize(
    ("design", "devices", "apart"),
    [
        (WARNER, DeviceColumns(), 1),
        (WARNER, DIRECTLY, 1),
        (EXTENDED, BY_VERSION, 1),
        (TWO_SAMPLES, BY_VERSION, 2),
        (TWO_SAMPLES, replace(DIRECTLY, group="v"), 3),
        (ANCHORED, DeviceColumns(anchor="v"), 1),
        (ANCHORED, replace(DIRECTLY, anchor="v"), 2),
    ],
)
@pytest.mark.parametrize("name", ["simple", "weights", "strata", "clusters", "both"])
def test_that_degrees_of_freedom_are_those_of_the_groups_asked_apart(
    design: Design, devices: DeviceColumns, apart: int, name: str
) -> None:
    drawn = SAMPLES[name]
    result, _, html = answered(design, drawn, devices=devices)
    text = words(html)
    assert (result.contrast is None) == (not devices.direct)
    if result.contrast is not None:
        direct, w, said = PLACE % 5 == 0, drawn.weights, answers_to(design)
        cells = [row for row in rows_of(html) if row[-1].isdigit() and len(row) == 5]
        rows = {row[0]: percents(row[1])[0] for row in cells}
        of_direct = w[direct] @ said[direct] / w[direct].sum()
        assert rows["directly"] == pytest.approx(of_direct, abs=6e-5)
        pooled = w[~direct].sum() * rows["with the device"] + w[direct].sum() * rows["directly"]
        assert rows["all"] == pytest.approx(pooled / w.sum(), abs=2e-4)
    if not drawn.freedom:
        assert "Degrees of freedom" not in text
        return
    by_sample = bool(drawn.columns.strata or drawn.columns.clusters)
    strata = np.unique(drawn.strata).size if by_sample else apart
    clusters = np.unique(CLUSTERS).size if drawn.columns.clusters else N
    assert result.sample.freedom == result.overall.freedom == clusters - strata
    assert f"Degrees of freedom {clusters - strata} " in text
    assert (T.LESS_GROUPS() in text) == (not by_sample and apart > 1)
    (between,) = re.findall(r"Difference of the groups: F \S+ with 2 and (\d+) degrees", text)
    assert int(between) == clusters - strata - 1
    if result.contrast is not None:
        assert result.contrast.difference.freedom == clusters - strata


def test_that_no_p_is_told_to_be_0() -> None:
    result, _, html = answered(WARNER, SAMPLES["weights"], devices=DIRECTLY)
    assert result.contrast is not None
    assert "p = 0 " not in words(html)
    for p, told in ((0.0, "p < 0.0001"), (1e-300, "p < 0.0001"), (0.000123456, "p = 0.0001235")):
        assert result.difference is not None
        found = replace(
            result,
            contrast=replace(result.contrast, p_value=p),
            difference=replace(result.difference, p_value=p),
        )
        text = words(collected_memo_html(found))
        assert text.count(told) == 2
        assert text.count("p = ") + text.count("p < ") == 2
