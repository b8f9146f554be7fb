"""What simulations from true answers are asked for: learning, errors of strategies, an attack."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Annotated, ClassVar, Literal

from dpdesk.requests.request import Declared, Request
from dpdesk.requests.unused import Unused

EPSILON_MOST = 36
"""Largest epsilon of a simulation: reports are true beyond doubt long before."""
_EPSILON_LEAST = 1e-6
_SEED_MOST = 2**32 - 1

Scale = Literal["attribute", "record"]
"""What an epsilon is of: each protected attribute, or the record, split as in the plan."""

Knowledge = Literal["none", "partial", "full"]
"""The attacker's knowledge beyond the law of the reports and the reports themselves.

"none" (the papers' NK): nothing; shares are estimated from the reports. "partial" (PK): which
attribute was real for some respondents. "full" (HM): both sources together.
"""

Classifier = Literal["bayes", "boosting", "xgboost"]
"""The attacker's classifier: the exact posterior, or boosted trees trained on profiles."""

_SEED = Declared("Seed", "Seed of the simulation", 0, _SEED_MOST)


@dataclass(frozen=True)
class LearningRequest(Request):
    """What is learnt from sanitized answers, how, and how often."""

    command: ClassVar[str] = "learn"

    label: Annotated[str, Declared("Predict", "The column of categories to predict")] = ""
    learner: Annotated[
        str,
        Declared(
            "Learner",
            "What learns from the records unchanged: naive_bayes, logistic, tree or boosting",
            kinds="dpdesk.learning.learners:LEARNERS",
        ),
    ] = "naive_bayes"
    epsilons: Annotated[
        tuple[float, ...],
        Declared("Epsilons", "Epsilons of the curve", _EPSILON_LEAST, EPSILON_MOST),
    ] = (0.1, 1.0, 2.0, 5.0, 10.0)
    scale: Annotated[
        Scale,
        Declared(
            "Epsilon of",
            "What an epsilon is of: each protected attribute, or the whole record",
            words=("attribute", "record"),
            option="--of",
        ),
    ] = "attribute"
    repetitions: Annotated[
        int,
        Declared("Repetitions", "How often the survey is sanitized at each epsilon", 2, 10_000),
    ] = 30
    seed: Annotated[int, _SEED] = 1
    split_seed: Annotated[
        int,
        Declared(
            "Seed of the split", "Seed of the split: four fifths train, one tests", 0, _SEED_MOST
        ),
    ] = 0


@dataclass(frozen=True)
class ExperimentRequest(Request):
    """Which strategies are compared, at which epsilons, and how often.

    Epsilons are the publications' nominal ones: SPL gives each of d attributes epsilon/d, SMP
    reports one of them at epsilon, and RS+FD one at ln(d(e^epsilon - 1) + 1) among fakes. Results
    of a strategy at an epsilon do not depend on the others.
    """

    command: ClassVar[str] = "experiment"

    strategies: Annotated[
        tuple[str, ...],
        Declared(
            "Strategies",
            "Strategies to compare: spl, smp, adp, or a variant of RS+FD",
            kinds="dpdesk.engine.simulate.variants:STRATEGIES",
        ),
    ] = ("spl", "smp", "grr", "sue-z", "sue-r", "oue-z", "oue-r", "adp")
    epsilons: Annotated[
        tuple[float, ...],
        Declared("Epsilons", "Nominal epsilons of the papers", _EPSILON_LEAST, EPSILON_MOST),
    ] = (log(2), log(3), log(4), log(5), log(6), log(7))
    repetitions: Annotated[
        int,
        Declared("Repetitions", "Surveys simulated for each strategy and epsilon", 2, 100_000),
    ] = 200
    seed: Annotated[int, _SEED] = 1


_IGNORANT = Unused(
    lambda request: request.knowledge == "none", "without --knowledge partial or full"
)
_UNTRAINED = Unused(
    lambda request: request.classifier == "bayes",
    "without trees that are trained (--classifier)",
)
_PLANNED = Unused(
    lambda request: getattr(request, "plan", None) is not None and not request.variants,
    "where a plan is attacked unchanged",
)


@dataclass(frozen=True)
class AttackRequest(Request):
    """An attack that guesses which attribute of a report was real, for each variant and epsilon."""

    command: ClassVar[str] = "attack sampled-attribute"

    variants: Annotated[
        tuple[str, ...],
        Declared(
            "Variants",
            "Variants to attack (grr,sue-z,oue-z,sue-r,oue-r, or those of the plan)",
            kinds="dpdesk.engine.simulate.variants:VARIANTS",
        ),
    ] = ()
    epsilons: Annotated[
        tuple[float, ...],
        Declared(
            "Epsilons",
            "Nominal epsilons of the papers for the variants",
            _EPSILON_LEAST,
            EPSILON_MOST,
            unused=(_PLANNED,),
        ),
    ] = (1.0, 4.0, 10.0)
    knowledge: Annotated[
        Knowledge,
        Declared(
            "Knowledge",
            "Respondents whose real attribute the attacker knows: none, some, some with estimates",
            words=("none", "partial", "full"),
        ),
    ] = "none"
    classifier: Annotated[
        Classifier,
        Declared(
            "Classifier",
            "Exact posterior (bayes), or boosted trees",
            words=("bayes", "boosting", "xgboost"),
        ),
    ] = "bayes"
    synthetic: Annotated[
        int,
        Declared(
            "Synthetic profiles",
            "Synthetic profiles per respondent to train trees on",
            1,
            100,
            unused=(_UNTRAINED,),
        ),
    ] = 5
    compromised: Annotated[
        float,
        Declared(
            "Known respondents",
            "Share of respondents that partial or full knowledge covers",
            0.000_001,
            0.999_999,
            unused=(_IGNORANT,),
        ),
    ] = 0.1
    seed: Annotated[int, _SEED] = 0
