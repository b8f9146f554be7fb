"""All outcomes of small surveys against sums in fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest

from dpdesk.designs import Count, YesNoDesign, design_named
from dpdesk.designs.behaviour import Behaviour, answer_laws
from dpdesk.designs.estimator_law import (
    EXACT_MAX,
    HeldSurvey,
    estimator_theory,
    exact_outcomes,
    has_exact_law,
)
from dpdesk.errors import ParameterError
from tests.designs.cases import ALL
from tests.designs.test_exact import totals
from tests.refusals import refused

ONE_GROUP = [design for design in ALL if design.group_count == 1]
TWO_COINS = design_named("warner")()


@pytest.mark.parametrize("design", ONE_GROUP, ids=[d.kind for d in ONE_GROUP])
def test_that_outcomes_have_the_chances_of_all_answers(design: YesNoDesign) -> None:
    found = exact_outcomes(HeldSurvey(design, 0.3, 6))
    law = {
        design.estimate([Count(total, 6)]).estimate: float(chance)
        for total, chance in totals(design.groups[0], Fraction(3, 10), 6).items()
        if chance
    }
    assert found.exact
    assert found.estimates.tolist() == pytest.approx(sorted(law), abs=1e-12) or (
        found.estimates[::-1].tolist() == pytest.approx(sorted(law), abs=1e-12)
    )
    assert found.chances is not None
    by_value = sorted(zip(found.estimates.tolist(), found.chances.tolist(), strict=True))
    assert [chance for _, chance in by_value] == pytest.approx(
        [law[value] for value in sorted(law)], abs=1e-14
    )
    assert found.bias == pytest.approx(0, abs=1e-12)
    assert found.spread == pytest.approx(found.planned_error, rel=1e-9)


def test_that_an_estimate_below_zero_has_the_exact_chance_of_the_binomial_sum() -> None:
    # lambda = .02 * 3/4 + .98 / 4; below 0 when fewer than a quarter say yes.
    n, share = 1_000, Fraction(26, 100)
    exact = sum(comb(n, y) * share**y * (1 - share) ** (n - y) for y in range(n // 4))
    found = exact_outcomes(HeldSurvey(TWO_COINS, 0.02, n))
    assert found.beyond == pytest.approx(float(exact), abs=1e-13)
    assert round(found.beyond, 3) == 0.225


def test_that_coverage_counts_the_intervals_that_hold_the_share() -> None:
    n, share = 40, Fraction(3, 10)
    held = Fraction(0)
    for y in range(n + 1):
        estimate = TWO_COINS.estimate([Count(y, n)])
        if estimate.lower <= 0.1 <= estimate.upper:
            held += comb(n, y) * share**y * (1 - share) ** (n - y)
    assert exact_outcomes(HeldSurvey(TWO_COINS, 0.1, n)).coverage == pytest.approx(
        float(held), abs=1e-13
    )


@pytest.mark.parametrize("confidence", [0.8, 0.99])
def test_that_the_confidence_is_that_of_the_intervals(confidence: float) -> None:
    found = exact_outcomes(HeldSurvey(TWO_COINS, 0.1, EXACT_MAX, confidence=confidence))
    assert found.coverage == pytest.approx(confidence, abs=0.01)


def test_that_outcomes_of_the_largest_survey_have_the_bias_of_theory() -> None:
    behaviour = Behaviour(deny=0.2, careless=0.1)
    found = exact_outcomes(HeldSurvey(TWO_COINS, 0.1, EXACT_MAX, behaviour))
    assert found.mean == pytest.approx(found.theory.mean, abs=1e-12)
    assert found.spread == pytest.approx(found.theory.error, rel=1e-9)


def test_that_certain_outcomes_are_certain() -> None:
    found = exact_outcomes(HeldSurvey(design_named("direct")(), 0.0, 500))
    assert found.chances is not None
    assert (found.estimates.tolist(), found.chances.tolist()) == ([0.0], [1.0])
    assert (found.spread, found.beyond) == (0.0, 0.0)


def test_that_only_one_group_and_few_outcomes_are_gone_through() -> None:
    assert has_exact_law(TWO_COINS, EXACT_MAX)
    assert not has_exact_law(TWO_COINS, EXACT_MAX + 1)
    assert not has_exact_law(design_named("kuk")(p1="3/4", p2="1/4", draws=2), EXACT_MAX // 2 + 1)
    assert not has_exact_law(design_named("extended_crosswise")(p="1/4"), 100)


@pytest.mark.parametrize(
    ("share", "respondents"), [(-0.1, 100), (1.1, 100), (0.1, 1), (0.1, 10**16)]
)
def test_that_a_survey_that_cannot_be_held_is_refused(share: float, respondents: int) -> None:
    with pytest.raises(ParameterError):
        exact_outcomes(HeldSurvey(TWO_COINS, share, respondents))


def test_that_an_anchor_without_anybody_who_attends_is_refused() -> None:
    anchored = next(d for d in ALL if d.kind == "anchored_crosswise")
    with refused("designs.no-one-attends"):
        estimator_theory(HeldSurvey(anchored, 0.1, 1_000, Behaviour(careless=1.0)))


@pytest.mark.parametrize("careless", [0.0, 0.3])
@pytest.mark.parametrize("p", ["1/4", "3/4"])
def test_that_the_error_of_an_anchored_estimate_is_that_of_its_slopes(
    p: str, careless: float
) -> None:
    # Theory takes its slopes by differences, and the estimate by formula.
    design = design_named("anchored_crosswise")(p=p, anchor="1/5")
    n, behaviour = 10**6, Behaviour(careless=careless)
    laws = answer_laws(design, 0.1, behaviour)
    found = design.estimates(np.array([n * law.mean for law in laws]), (n, n))
    theory = estimator_theory(HeldSurvey(design, 0.1, n, behaviour))
    assert float(found.estimate) == pytest.approx(theory.mean, abs=1e-9)
    assert float(found.standard_error) == pytest.approx(theory.error, rel=1e-5)


def test_that_an_anchored_variance_is_that_of_one_respondent_less() -> None:
    # The same shares of the answers: n - 1 times the variance does not depend on n.
    design = design_named("anchored_crosswise")(p="1/4", anchor="1/5")
    errors = {
        n: design.estimate([Count(6 * n // 10, n), Count(7 * n // 10, n)]) for n in (10, 40, 1_000)
    }
    for n, found in errors.items():
        assert found.estimate == pytest.approx(errors[10].estimate)
        assert found.standard_error * sqrt(n - 1) == pytest.approx(errors[10].standard_error * 3)


@pytest.mark.parametrize(("anchor", "yes"), [("1/5", 70), ("4/5", 30)])
def test_that_the_share_who_attend_is_told_with_its_error(anchor: str, yes: int) -> None:
    design = design_named("anchored_crosswise")(p="1/4", anchor=anchor)
    ((value, error),) = design.estimate([Count(60, 100), Count(yes, 100)]).other_shares.values()
    # Who attends says yes with 4/5 or 1/5, others with 1/2: two thirds move 50 to 70 or 30.
    assert value == pytest.approx(2 / 3)
    assert error == pytest.approx(sqrt(0.7 * 0.3 / 99) / 0.3)
    with refused("designs.no-attention"):
        design.estimate([Count(60, 100), Count(50, 100)])
    for question, other in ((99, 100), (100, 99)):
        with refused("designs.anchor-respondents"):
            design.estimate([Count(60, question), Count(yes, other)])


def test_that_many_surveys_at_once_are_estimated_as_each_by_itself() -> None:
    generator = np.random.default_rng(5)
    for design in ALL:
        sizes = (60,) * design.group_count
        top = 61 if design.kind not in {"item_count"} else 120
        # Among these an anchor's item always shows somebody who attends.
        low = 60 if design.kind == "christofides" else 31
        drawn = generator.integers(low, max(top, low + 2), size=(20, design.group_count))
        found = design.estimates(drawn.astype(float), sizes, 0.9)
        for index, row in enumerate(drawn.tolist()):
            one = design.estimate([Count(y, 60) for y in row], 0.9)
            assert found.estimate[index] == pytest.approx(one.estimate, abs=1e-12)
            assert found.standard_error[index] == pytest.approx(one.standard_error, abs=1e-12)
            assert found.lower[index] == pytest.approx(one.lower, abs=1e-12)
            assert found.upper[index] == pytest.approx(one.upper, abs=1e-12)
