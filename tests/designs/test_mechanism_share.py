"""The mechanisms for categories as designs of a survey: one category of several."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import comb, log
from typing import get_args

import pytest

from dpdesk.cli.main import main
from dpdesk.designs import loss_of
from dpdesk.designs.behaviour import Behaviour
from dpdesk.designs.estimator_law import HeldSurvey, estimator_theory
from dpdesk.designs.forced import Forced
from dpdesk.designs.mechanism_share import CategoryMechanism, MechanismShare
from dpdesk.designs.planning import Sample, Share, least_epsilon
from dpdesk.designs.warner import WarnerDesign
from dpdesk.domains import Categorical
from dpdesk.engine.simulate.surveys import simulate_surveys
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import mechanism_named

KINDS = get_args(CategoryMechanism)
CASES = [(kind, size) for kind in KINDS for size in (2, 5, 64)]
EPSILON = Decimal("1.5")


@pytest.mark.parametrize(("kind", "size"), CASES)
def test_that_errors_are_those_of_the_mechanism(kind: str, size: int) -> None:
    design = MechanismShare(mechanism=kind, categories=size, epsilon=EPSILON)
    domain = Categorical(values=tuple(map(str, range(size))))
    expected = mechanism_named(kind)(epsilon=EPSILON).forecast(domain).accuracy(1_000, 0.1)
    planned = design.planned_variance(0.1)
    assert (planned.total / 1_000) ** 0.5 == pytest.approx(expected.total, rel=1e-9)
    assert (planned.privacy / 1_000) ** 0.5 == pytest.approx(expected.noise, rel=1e-9)
    theory = estimator_theory(HeldSurvey(design, 0.1, 1_000))
    assert theory.mean == pytest.approx(0.1)
    assert theory.error == pytest.approx(expected.total, rel=1e-9)


@pytest.mark.parametrize(("kind", "size"), CASES)
def test_that_the_loss_is_the_epsilon_of_the_mechanism(kind: str, size: int) -> None:
    design = MechanismShare(mechanism=kind, categories=size, epsilon=EPSILON)
    assert loss_of(design.groups).epsilon == pytest.approx(1.5, abs=1e-8)
    for row in design.groups[0].law:
        assert float(sum(row)) == pytest.approx(1)


def test_that_two_answers_in_one_subset_have_the_chance_of_counting_subsets() -> None:
    size, members, odds = 8, 2, Fraction(3)
    # Sets with one's own answer are `odds` times likelier than the others.
    weights = {s: odds if 0 in s else Fraction(1) for s in combinations(range(size), members)}
    whole = sum(weights.values())
    chance = {
        "both": sum(w for s, w in weights.items() if {0, 1} <= set(s)) / whole,
        "own": sum(w for s, w in weights.items() if 0 in s and 1 not in s) / whole,
        "other": sum(w for s, w in weights.items() if 1 in s and 0 not in s) / whole,
    }
    assert whole == odds * comb(7, 1) + comb(7, 2)
    design = MechanismShare(
        mechanism="subset_selection", categories=size, epsilon=Decimal("1.098612288668")
    )
    assert float(design.chances[0]) == pytest.approx(float(chance["own"] + chance["both"]))
    own, other, both, _ = design.groups[0].law[0]
    assert float(own) == pytest.approx(float(chance["own"]))
    assert float(other) == pytest.approx(float(chance["other"]))
    assert float(both) == pytest.approx(float(chance["both"]))


@pytest.mark.parametrize(
    ("epsilon", "warner", "forced", "truth", "grr"),
    [
        (log(3), 0.75, 0.25, 0.5, 0.4286),
        (log(5), 0.8333, 0.1667, 0.6667, 0.5556),
        (2.0, 0.8808, 0.1192, 0.7616, 0.6488),
    ],
)
def test_that_one_epsilon_has_the_known_equivalents(epsilon, warner, forced, truth, grr) -> None:
    found = WarnerDesign().at_epsilon(epsilon)
    assert float(found.groups[0].law[0][0]) == pytest.approx(warner, abs=6e-5)
    assert float(2 * found.groups[0].law[0][0] - 1) == pytest.approx(truth, abs=6e-5)
    ordered = Forced().at_epsilon(epsilon)
    assert isinstance(ordered, Forced)
    assert float(ordered.forced_yes) == pytest.approx(forced, abs=6e-5)
    mechanism = MechanismShare(mechanism="grr", categories=5).at_epsilon(epsilon)
    assert float(mechanism.asked[0].law[0][0]) == pytest.approx(grr, abs=6e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_that_random_answers_pull_shares_to_one_in_k(kind: str) -> None:
    design = MechanismShare(mechanism=kind, categories=5, epsilon=EPSILON)
    mean = estimator_theory(HeldSurvey(design, 0.1, 1_000, Behaviour(careless=0.25))).mean
    assert mean == pytest.approx(0.75 * 0.1 + 0.25 / 5)


@pytest.mark.parametrize("kind", KINDS)
def test_that_deniers_are_counted_where_they_say_they_belong(kind: str) -> None:
    design = MechanismShare(mechanism=kind, categories=5, epsilon=EPSILON)
    assert estimator_theory(
        HeldSurvey(design, 0.1, 1_000, Behaviour(deny=0.3))
    ).mean == pytest.approx(0.07)


def test_that_surveys_with_a_mechanism_are_simulated_at_any_size() -> None:
    design = MechanismShare(mechanism="oue", categories=20, epsilon=EPSILON)
    found = simulate_surveys(HeldSurvey(design, 0.1, 10**9), 2_000, 3)
    assert found.spread == pytest.approx(found.theory.error, rel=0.1)


def test_that_the_command_line_knows_them(capsys) -> None:
    words = ["--design", "mechanism", "--set", "mechanism=oue", "--set", "categories=20"]
    supposed = ["--prevalence", "0.1", "--respondents", "1000"]
    assert main(["survey", "simulate", *words, *supposed, "--exact"]) == 0
    assert "standard deviation" in capsys.readouterr().out
    assert main(["survey", "plan", *words, "--prevalence", "0.1", "--margin", "0.03"]) == 0
    assert "  respondents  " in capsys.readouterr().out
    words = ["--design", "mechanism", "--epsilon", "1.25", "--prevalence", "0.1", "--margin", "0.1"]
    assert main(["survey", "plan", *words]) == 0
    assert "mechanism = grr, categories = 5, epsilon = 1.25\n" in capsys.readouterr().out


def test_that_an_epsilon_decides_a_mechanism_and_never_rounds_up() -> None:
    design = MechanismShare().at_epsilon(1.2345678)
    assert isinstance(design, MechanismShare)
    assert design.epsilon == Decimal("1.234567")
    least = least_epsilon(Sample(MechanismShare(mechanism="oue"), Share(0.1), 5_000), 0.03)
    reached = MechanismShare(mechanism="oue").at_epsilon(least + 1e-5)
    assert Sample(reached, Share(0.1), 5_000).margin == pytest.approx(0.03, rel=1e-3)
    for epsilon in (0.0, 1e-5, float("inf")):
        with pytest.raises(ParameterError):
            MechanismShare().at_epsilon(epsilon)


def test_that_a_number_of_answers_that_a_mechanism_cannot_have_is_refused() -> None:
    for categories in (1, 1_001):
        with pytest.raises(ValueError, match="categories"):
            MechanismShare(categories=categories)
    with pytest.raises(ParameterError):
        estimator_theory(HeldSurvey(MechanismShare(), 1.1, 1_000))
