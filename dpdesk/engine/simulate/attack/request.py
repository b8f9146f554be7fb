"""Request and result of an attack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from dpdesk.engine.simulate.variants import VARIANTS
from dpdesk.engine.texts import T
from dpdesk.errors import ParameterError

Knowledge = Literal["none", "partial", "full"]
"""The attacker's knowledge beyond the law of the reports and the reports themselves.

"none" (the papers' NK): nothing; shares are estimated from the reports. "partial" (PK): which
attribute was real for some respondents. "full" (HM): both sources together.
"""

Classifier = Literal["bayes", "boosting", "xgboost"]
"""The attacker's classifier: the exact posterior, or boosted trees trained on profiles."""

SYNTHETIC_MAX = 100


@dataclass(frozen=True, slots=True)
class AttackRequest:
    """One attack for each variant and epsilon.

    Attributes:
        variants: Short names out of `VARIANTS`; empty for the plan's own strategy, mechanisms and
            epsilons.
        epsilons: Nominal epsilons of the publications, for the variants; ignored for the plan's
            own.
        knowledge: The attacker's knowledge.
        classifier: The attacker's classifier.
        synthetic: Synthetic profiles per respondent to train a learner on, if the attacker
            estimates shares; Bayes needs none.
        compromised: Share of the respondents whose real attribute is part of a partial or full
            knowledge. The others are attacked.
        seed: Seed of the generator.

    Raises:
        ParameterError: A word is unknown, or a number is out of range.
    """

    variants: tuple[str, ...] = ()
    epsilons: tuple[float, ...] = (1.0, 4.0, 10.0)
    knowledge: Knowledge = "none"
    classifier: Classifier = "bayes"
    synthetic: int = 5
    compromised: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        words = [(name, list(VARIANTS)) for name in self.variants]
        words.append((self.knowledge, list(get_args(Knowledge))))
        words.append((self.classifier, list(get_args(Classifier))))
        for word, known in words:
            if word not in known:
                raise ParameterError(T.UNKNOWN_WORD(word=word, words=known))
        if self.variants and not (self.epsilons and all(0 < e <= 36 for e in self.epsilons)):
            raise ParameterError(T.BAD_EPSILON())
        if not 1 <= self.synthetic <= SYNTHETIC_MAX:
            raise ParameterError(T.BAD_PROFILES(most=SYNTHETIC_MAX))
        if not 0 < self.compromised < 1 or self.seed < 0:
            raise ParameterError(T.BAD_COMPROMISED())


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """The accuracy of one attack.

    Attributes:
        variant: Short name of the variant; "plan" for the plan's own.
        title: Its name in publications; for the plan's own, the plan's strategy.
        nominal_epsilon: Epsilon as the publications state it.
        record_epsilon: Loss of a respondent's whole record.
        attacked: Number of respondents whose real attribute was guessed.
        correct: Number of right guesses.
        accuracy: Share of right guesses.
        lower, upper: Wilson's 95 % interval of the accuracy.
    """

    variant: str
    title: str
    nominal_epsilon: float
    record_epsilon: float
    attacked: int
    correct: int
    accuracy: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class AttackResult:
    """The outcomes of all requested attacks; private to the holder of the data.

    Attributes:
        request: The request.
        attributes: Names of the attributes.
        sizes: Number of categories of each attribute.
        respondents: Number of respondents.
        baseline: Accuracy of a blind guess, 1/d.
        outcomes: One for each variant and epsilon, variants first.
    """

    request: AttackRequest
    attributes: tuple[str, ...]
    sizes: tuple[int, ...]
    respondents: int
    baseline: float
    outcomes: tuple[AttackOutcome, ...]

    def outcome(self, variant: str, nominal_epsilon: float | None = None) -> AttackOutcome:
        """Returns the outcome of a variant, at a nominal epsilon if there are several.

        Raises:
            KeyError: It was not requested.
        """
        for outcome in self.outcomes:
            if outcome.variant == variant and nominal_epsilon in (None, outcome.nominal_epsilon):
                return outcome
        raise KeyError(variant, nominal_epsilon)
