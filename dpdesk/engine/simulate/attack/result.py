"""Result of an attack."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.requests.simulations import AttackRequest


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
