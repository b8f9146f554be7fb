"""What a preview is asked for: a frozen value, so that its answer can be cached."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from dpdesk.mechanisms import EVERY_ANSWER, Accuracy, AnyDomain, Forecast, Mechanism, Sampling
from dpdesk.mechanisms.choice import mean_accuracy
from dpdesk.mechanisms.estimates import Answers
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.plan import ColumnPlan
from dpdesk.plan.usefulness import RESPONDENTS_ASSUMED

CONFIDENCE = 0.95
CACHED_VIEWS = 256
"""How many results of each view are cached: enough for some seconds of dragging a slider."""

Z = normal_quantile(CONFIDENCE)


@dataclass(frozen=True, slots=True)
class PreviewRequest:
    """A mechanism on a domain, a number of respondents, and two true answers to compare.

    Attributes:
        domain: The domain that the mechanism sees.
        mechanism: A mechanism that fits it.
        respondents: Number of respondents, without those who are supposed to stay blank; with
            survey weights, so many without weights who tell as much.
        first, second: Codes of the two true answers that are compared; they differ.
        sampling: How the attribute shares a respondent's report with others.
        expected: Expected share of each category, shape (k,); uniform when empty.
        answers: How the answers are spread, where that was counted in a file; else as expected.
        blank: Supposed share of missing answers that stay blank, and were taken off the number of
            respondents.
    """

    domain: AnyDomain
    mechanism: Mechanism
    respondents: int
    first: int
    second: int
    sampling: Sampling = EVERY_ANSWER
    expected: tuple[float, ...] = ()
    blank: float = 0.0
    answers: Answers | None = None

    def __hash__(self) -> int:
        # A domain caches its hash, so that a step of a slider does not hash a thousand labels; the
        # expected shares are left out. Hashing its size alone would not do: thousands of columns of
        # one size would have to be compared with each other.
        answers = (self.first, self.second)
        return hash((self.mechanism, self.respondents, self.domain, answers, self.sampling))

    @property
    def forecast(self) -> Forecast:
        """The law of the attribute's released report, in floating point."""
        return self.sampling.forecast(self.mechanism, self.domain, self.expected)

    @property
    def epsilon(self) -> Decimal:
        """The privacy loss that is allowed."""
        return self.mechanism.epsilon

    @property
    def accuracy(self) -> Accuracy:
        """The error to expect of the mean or of a share, over the answers."""
        return mean_accuracy(self.forecast, self.judged, self.respondents)

    @property
    def judged(self) -> Answers | None:
        """How the answers are spread that errors are for; evenly when None."""
        return self.answers or (Answers(self.expected) if self.expected else None)

    @property
    def scale(self) -> float:
        """What errors are multiplied with: 100 for shares, whose errors are in pp; else 1."""
        return self.domain.scale

    @property
    def unit(self) -> str:
        """The unit of errors: "pp", or the attribute's own; may be empty."""
        return self.domain.error_unit


def request_for(
    column: ColumnPlan,
    respondents: int | None,
    answers: tuple[int, int] | None = None,
    sampling: Sampling = EVERY_ANSWER,
) -> PreviewRequest | None:
    """Returns what to ask for a column of a plan; None if it is not protected by a fitting law.

    Args:
        column: The column.
        respondents: Number of respondents that the plan states, or None.
        answers: The codes to compare; those of the domain when None.
        sampling: The plan's strategy, seen from the column (`Plan.sampling`).
    """
    domain, mechanism = column.judged_domain, column.mechanism
    if column.role != "protect" or domain is None or mechanism is None:
        return None
    if mechanism.objection(domain) is not None:
        return None
    first, second = answers or domain.two_answers
    count = column.reports(respondents or RESPONDENTS_ASSUMED)
    blank = column.judged_missing if column.missing.treatment.stays_blank else 0.0
    return PreviewRequest(
        *(domain, mechanism, count, first, second, sampling, column.expected_shares, blank),
        answers=column.judged_answers if column.is_counted else None,
    )
