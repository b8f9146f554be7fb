"""What each answer discloses: its jeopardy, and the belief before and after it as 100 dots."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dpdesk.designs import Jeopardy, YesNoDesign
from dpdesk.designs.beliefs import Belief, beliefs_after
from dpdesk.designs.law import loss_of_trait
from dpdesk.preview.request import CACHED_VIEWS

DOTS = 100


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """One answer that can occur.

    Attributes:
        spoken: The answer as it is said.
        group: Name of the group of respondents; empty where there is one.
        chance: Chance of it, of a respondent drawn from all.
        belief: Chance that who gives it is a carrier; 0 or 1 where the answer is a proof.
        jeopardy: How much likelier it is of one kind of respondent than of another.
    """

    spoken: str
    group: str
    chance: float
    belief: float
    jeopardy: Jeopardy

    @property
    def dots(self) -> int:
        """How many of a hundred who give it are carriers."""
        return round(DOTS * self.belief)


@dataclass(frozen=True, slots=True)
class DisclosureView:
    """What the answers of a design disclose.

    Attributes:
        prior: The true share, between 0 and 1: the belief before any answer.
        epsilon: The privacy loss; infinite where an answer is a proof.
        answers: Every answer that can occur.
        raising: The one after which the belief is highest: Lanke's measure is its belief.
        lowering: The one after which it is lowest.
        caution: What the epsilon rests on besides the device; may be empty.
    """

    prior: float
    epsilon: float
    answers: tuple[AnswerShown, ...]
    raising: AnswerShown
    lowering: AnswerShown
    caution: str

    @property
    def dots(self) -> int:
        """How many of a hundred are carriers before any answer."""
        return round(DOTS * self.prior)

    @property
    def proofs(self) -> tuple[AnswerShown, ...]:
        """The answers that prove something."""
        return tuple(answer for answer in self.answers if answer.jeopardy.ratio is None)


@lru_cache(maxsize=CACHED_VIEWS)
def disclosure_view(design: YesNoDesign, prevalence: float) -> DisclosureView:
    """Returns what the answers of a design disclose at a true share.

    Raises:
        ParameterError: The design's parameters are impossible.
    """
    loss = loss_of_trait(design.groups)
    spoken = design.instructions()[0].say
    jeopardies = {(found.group, found.answer): found for found in loss.answers}
    answers = tuple(
        _shown(belief, spoken(belief.answer), jeopardies[belief.group, belief.answer])
        for belief in beliefs_after(design, prevalence)
    )
    return DisclosureView(
        prior=prevalence,
        epsilon=loss.epsilon,
        answers=answers,
        raising=max(answers, key=lambda answer: answer.belief),
        lowering=min(answers, key=lambda answer: answer.belief),
        caution=design.caution,
    )


def _shown(belief: Belief, spoken: str, jeopardy: Jeopardy) -> AnswerShown:
    return AnswerShown(spoken, belief.group, belief.chance, belief.belief, jeopardy)
