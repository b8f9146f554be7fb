"""What the titles of demonstrations claim, checked at every choice by formulas written here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from math import comb, exp, log, sqrt
from statistics import NormalDist

import pytest

from dpdesk.demonstrations import Scene, Step, demonstrations
from dpdesk.demonstrations.scenes.surveys import DeviceRule

Numbers = Mapping[str, float]
Claim = Callable[[list[Numbers]], bool]
Z = NormalDist().inv_cdf(0.975)


def grr_is_best(answers: float, epsilon: float) -> bool:
    """Whether generalized randomized response has the least error (Wang et al. 2017).

    Of a share of 10 %, against symmetric and optimized unary encoding.
    """

    def error(p: float, q: float) -> float:
        supported = 0.1 * p + 0.9 * q
        return sqrt(supported * (1 - supported)) / (p - q)

    e, half = exp(epsilon), exp(epsilon / 2)
    direct = error(e / (e + answers - 1), 1 / (e + answers - 1))
    return direct < min(error(half / (half + 1), 1 / (half + 1)), error(0.5, 1 / (e + 1)))


def is_falling(values: list[float]) -> bool:
    return all(a > b for a, b in pairwise(values))


def falls_with_the_root(errors: list[float], sizes: list[float]) -> bool:
    first = errors[0] * sqrt(sizes[0])
    return all(abs(e * sqrt(n) / first - 1) < 0.02 for e, n in zip(errors, sizes, strict=True))


def within(one: Numbers, reach: str) -> float:
    """The exact chance that a survey with the coins is as near to the truth as is said."""
    people, truth = round(one["people"]), one["truth"] / 100
    said = 0.25 + truth / 2
    return sum(
        comb(people, yes) * said**yes * (1 - said) ** (people - yes)
        for yes in range(people + 1)
        if abs((yes / people - 0.25) / 0.5 - truth) * 100 <= one[reach]
    )


def swapped(epsilon: float) -> float:
    """The loss of the swapped coin: a lie at random with the larger chance."""
    lie = exp(epsilon) / (1 + exp(epsilon)) / 2
    return abs(log((1 - lie) / lie))


CLAIMS: dict[str, Claim] = {
    "Asked directly, people lie": lambda all_: all(n["expected"] < n["truth"] for n in all_),
    "What a yes shows": lambda all_: all(n["prior"] < n["after_yes"] < 99 for n in all_),
    "One answer says little. A thousand say a lot.": lambda all_: (
        all_[0]["margin"] > 20 and all_[-1]["people"] == 1000 and all_[-1]["margin"] < 7
    ),
    "Protection costs people, not truth": lambda all_: all(
        n["protected"] > n["direct"] for n in all_
    ),
    "More people: the curve grows narrow": lambda all_: is_falling([n["planned"] for n in all_]),
    "Four times the people, half the error": lambda all_: all(
        abs(n["margin_then"] / n["margin"] - 0.5) < 1e-9 and n["times"] == 4 for n in all_
    ),
    "A lie does not average out": lambda all_: all(
        abs(n["missed"] - n["truth"] * n["deny"] / 100) < 1e-6 for n in all_
    ),
    "Count in odds, not in per cent": lambda all_: (
        len({round(n["odds_after"] / n["odds_for"], 9) for n in all_}) == 1
        and len({round(n["raised"] - n["prior"], 3) for n in all_}) == len(all_)
    ),
    "Epsilon is the logarithm of the factor": lambda all_: all(
        abs(n["epsilon"] - log(n["odds"])) < 1e-9 for n in all_
    ),
    "A large epsilon hides little": lambda all_: all(n["raised"] > 80 for n in all_),
    "Epsilons of a person add up": lambda all_: all(
        abs(n["total"] - n["answers"] * n["epsilon"]) < 1e-9 for n in all_
    ),
    "The simple way wins while answers are few": lambda all_: (
        all((n["is_grr"] > 0) == grr_is_best(n["answers"], n["epsilon"]) for n in all_)
        and all_[0]["is_grr"] > 0
        and all_[-1]["is_grr"] == 0
    ),
    "Epsilon decides too": lambda all_: (
        all((n["is_grr"] > 0) == grr_is_best(n["answers"], n["epsilon"]) for n in all_)
        and len({n["is_grr"] for n in all_}) > 1
    ),
    "People help all of them alike": lambda all_: falls_with_the_root(
        [n["least"] for n in all_], [n["people"] for n in all_]
    ),
    "Split the budget, and answers drown": lambda all_: is_falling([-n["split"] for n in all_]),
    "Ask everybody only one question": lambda all_: (
        all(n["one"] < n["split"] for n in all_)
        and is_falling([n["one"] - n["split"] for n in all_])
    ),
    "What is stated is not what a record loses": lambda all_: all(
        n["record"] > n["stated"] for n in all_
    ),
    "More people do not disturb the count": lambda all_: (
        len({n["central_error"] for n in all_}) == 1
        and is_falling([-n["local_error"] for n in all_])
    ),
    "The root of n against one": lambda all_: (
        falls_with_the_root([1 / n["local"] for n in all_], [n["people"] for n in all_])
        and len({n["central"] for n in all_}) == 1
    ),
    "In shares, local answers catch up slowly": lambda all_: (
        all(n["local_share"] > n["central_share"] for n in all_)
        and is_falling([n["local_share"] for n in all_])
    ),
    "What trust is worth": lambda all_: all(n["needed"] > 100 * n["people"] for n in all_),
    "Noise hides the person if epsilon is small": lambda all_: (
        all_[0]["right"] < 60 and is_falling([-n["right"] for n in all_])
    ),
    "The noise goes, with the root": lambda all_: falls_with_the_root(
        [n["error"] for n in all_], [n["times"] for n in all_]
    ),
    "A ledger says no in time": lambda all_: (
        all(n["total"] <= n["cap"] for n in all_) and all_[-1]["allowed"] < all_[-1]["asked"]
    ),
    "Ask once, and ask well": lambda all_: all(n["error_all"] < n["error"] for n in all_),
    "Larger groups cost records": lambda all_: is_falling([-n["lost"] for n in all_]),
    "More people do not mend it": lambda all_: (
        len({round(n["missed_share"], 6) for n in all_}) == 1
        and is_falling([n["scatter_share"] for n in all_])
    ),
    "What is promised is not what is kept": lambda all_: all(
        abs(n["actual"] - swapped(n["epsilon"])) < 1e-6 and abs(n["actual"] - n["epsilon"]) > 0.1
        for n in all_
    ),
    "And it is too small for the next person": lambda all_: all(
        n["loss"] > n["epsilon"] for n in all_
    ),
    "Declare the bounds before the data": lambda all_: all(
        n["declared"] < n["promised"] < n["by_scale"] for n in all_
    ),
    "What do we expect?": lambda all_: all(abs(within(n, "planned") - 0.95) < 0.03 for n in all_),
    "How sure are we?": lambda all_: all(n["direct"] < n["margin"] for n in all_),
    "And if more rooms answered?": lambda all_: (
        is_falling([n["margin_more"] for n in all_])
        and all(n["margin_more"] < n["margin"] for n in all_)
    ),
    "Protect the answer, and no group gives it away": lambda all_: all(
        n["guess"] <= n["right"] <= n["guess"] * exp(n["epsilon"]) for n in all_
    ),
    "The measure to beat": lambda all_: all(n["guess"] < n["true"] for n in all_),
    "Take the noise out of what is learnt": lambda all_: all(
        n["naive"] < n["corrected"] for n in all_
    ),
    "Look by the stricter measure, too": lambda all_: all(
        n["naive"] < n["corrected"] < n["true"] for n in all_
    ),
    "The bill is for the record": lambda all_: all(
        abs(n["record"] - (n["columns"] + 1) * n["epsilon"]) < 1e-9 for n in all_
    ),
}
"""What a title says of the numbers of all choices of its step, in their order."""

STEPS = {step.title: step for demonstration in demonstrations() for step in demonstration.steps}


def numbers_of(scene: Scene) -> Numbers:
    is_grr = " GRR has the smallest" in scene.sentence or " GRR is the best" in scene.sentence
    return {**scene.numbers, "is_grr": float(is_grr)}


@pytest.mark.parametrize("title", CLAIMS)
def test_that_a_title_holds_at_every_choice(title: str) -> None:
    step: Step = STEPS[title]
    shown = [step.scene(choice=choice) for choice in range(max(len(step.choices), 1))]
    assert CLAIMS[title]([numbers_of(scene) for scene in shown])


def test_that_titles_that_compare_are_checked() -> None:
    compare = ("win", "beat", "too small", "more", "less", "larger", "not", "half", "best", "cost")
    unchecked = {
        title
        for title in STEPS
        if any(word in title.lower() for word in compare) and title not in CLAIMS
    }
    # These compare nothing of their numbers: they ask, or say what follows from a rule.
    assert unchecked == {
        "More truth or more people",
        "Privacy is not all or nothing",
        "Noise must not be scaled by the data",
        "The group tells what the person did not",
        "Everybody knows something more",
        "A model for people, not about a person",
    }


def test_that_the_rule_that_is_shown_is_that_of_the_device_that_is_named() -> None:
    named = {"coin": "coin", "die": "die", "card": "card"}
    seen = set()
    for demonstration in demonstrations():
        for step in demonstration.steps:
            if not isinstance(step.states[0], DeviceRule):
                continue
            for number, choice in enumerate(step.choices):
                rule = str(step.scene(choice=number).pictures[0])
                words = [shown for word, shown in named.items() if word in choice]
                assert all(f"the {word}" in rule for word in words), (step.title, choice, rule)
                seen |= set(words)
    assert seen == set(named)
