"""What an answer makes of the belief that a respondent is a carrier."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.designs.base import Design


@dataclass(frozen=True, slots=True)
class Belief:
    """What one answer makes of the belief that a respondent is a carrier.

    Attributes:
        answer: The answer.
        group: Name of the group of respondents; empty where there is one.
        chance: Chance of this answer, of a respondent drawn from all.
        belief: Chance that who gives it is a carrier; 0 or 1 where the answer is a proof.
    """

    answer: str
    group: str
    chance: float
    belief: float


def beliefs_after(design: Design, prevalence: float) -> tuple[Belief, ...]:
    """Returns what every answer that can occur makes of the belief, by Bayes' rule."""
    found = []
    for group in design.groups:
        for answer, a, b in zip(group.answers, group.law[0], group.law[1], strict=True):
            carriers = prevalence * float(a)
            chance = carriers + (1 - prevalence) * float(b)
            if chance > 0:
                found.append(Belief(answer, group.name, chance, carriers / chance))
    return tuple(found)
