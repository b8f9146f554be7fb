"""What a preview is asked for: a frozen value, so that its answer can be remembered."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.domains import Categorical
from dpdesk.mechanisms import AnyDomain, Forecast, Mechanism, normal_quantile
from dpdesk.plan import ColumnPlan

RESPONDENTS_ASSUMED = 1000
"""Where a plan does not state its respondents, errors are given for this many."""

CONFIDENCE = 0.95
REMEMBERED = 256
"""Answers kept of each view: some seconds of a slider's drag."""

Z = normal_quantile(CONFIDENCE)


@dataclass(frozen=True, slots=True)
class PreviewRequest:
    """A mechanism on a domain, for so many respondents, seen from two true answers.

    Attributes:
        domain: The domain that the mechanism sees.
        mechanism: A mechanism that fits it.
        respondents: Number of respondents.
        first, second: Codes of the two true answers that are compared; they differ.
    """

    domain: AnyDomain
    mechanism: Mechanism
    respondents: int
    first: int
    second: int

    def __hash__(self) -> int:
        # The domain's size stands for the domain: to hash a thousand labels at every step of a
        # slider would cost more than the step.
        answers = (self.first, self.second)
        return hash((self.mechanism, self.respondents, self.domain.size, answers))

    @property
    def forecast(self) -> Forecast:
        """The law of the mechanism on the domain, in floating point."""
        return self.mechanism.forecast(self.domain)

    @property
    def scale(self) -> float:
        """What errors are multiplied with: 100 for shares, whose errors are in pp; else 1."""
        return 100.0 if isinstance(self.domain, Categorical) else 1.0

    @property
    def unit(self) -> str:
        """The unit of errors: "pp", or the attribute's own; may be empty."""
        return "pp" if isinstance(self.domain, Categorical) else self.domain.unit


def request_for(
    column: ColumnPlan, respondents: int | None, answers: tuple[int, int] | None = None
) -> PreviewRequest | None:
    """Returns what to ask for a column of a plan; None if it is not protected by a fitting law.

    Args:
        column: The column.
        respondents: Number of respondents that the plan states, or None.
        answers: The codes to compare; `default_answers` when None.
    """
    domain, mechanism = column.effective_domain, column.mechanism
    if column.role != "protect" or domain is None or mechanism is None:
        return None
    if mechanism.objection(domain) is not None:
        return None
    first, second = answers or default_answers(domain)
    return PreviewRequest(domain, mechanism, respondents or RESPONDENTS_ASSUMED, first, second)


def default_answers(domain: AnyDomain) -> tuple[int, int]:
    """Returns two codes to compare: the first two categories, or the quarter points of a grid."""
    if isinstance(domain, Categorical) or domain.size < 4:
        return 0, 1
    return round((domain.size - 1) / 4), round(3 * (domain.size - 1) / 4)
