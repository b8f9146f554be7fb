"""Instructions of designs with an innocent question beside the sensitive one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpdesk.designs.anchored_crosswise import AnchoredCrosswise
from dpdesk.designs.crosswise import Crosswise
from dpdesk.designs.extended_crosswise import ExtendedCrosswise
from dpdesk.designs.instructions.devices import chance_words, draw_among
from dpdesk.designs.instructions.one_device import GROUPS
from dpdesk.designs.instructions.procedure import (
    NO,
    UNSEEN,
    YES,
    Procedure,
    Way,
    if_outcome,
)
from dpdesk.designs.triangular import Triangular
from dpdesk.designs.unrelated import Unrelated
from dpdesk.designs.unrelated_two_samples import UnrelatedTwoSamples

SAME = {YES: "the same", NO: "different"}
"""How crosswise answers are said; the law codes "the same" as yes."""

_BOTH = "Think of your answers to both questions, and say neither of them aloud."
_SAYS_YES, _SAYS_NO = "the answer to B is yes", "the answer to B is no"


def crosswise(design: Crosswise, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
    """Are both answers the same?"""
    return (_crosswise(question, others[0], design.p),)


def extended_crosswise(
    design: ExtendedCrosswise, question: str, others: Sequence[str]
) -> tuple[Procedure, ...]:
    """The same with an innocent trait of each group."""
    chances = (design.p, 1 - design.p)
    return tuple(
        _crosswise(question, innocent, p, group)
        for group, innocent, p in zip(GROUPS, others, chances, strict=True)
    )


def anchored_crosswise(
    design: AnchoredCrosswise, question: str, others: Sequence[str]
) -> tuple[Procedure, ...]:
    """The question, and one that nobody answers with yes."""
    innocent, anchor, beside = others
    item = _crosswise(anchor, beside, design.anchor, "anchor")
    # Nobody has what the anchor asks for: everybody answers it as a non-carrier.
    return (
        _crosswise(question, innocent, design.p),
        Procedure(
            item.group,
            item.tool,
            item.questions,
            item.steps,
            item.reason,
            item.other,
            item.other,
            item.spoken,
        ),
    )


def _crosswise(question: str, innocent: str, p: Fraction, group: str = "") -> Procedure:
    carrier = ((p, _SAYS_YES, YES), (1 - p, _SAYS_NO, NO))
    other = ((p, _SAYS_YES, NO), (1 - p, _SAYS_NO, YES))
    return Procedure(
        group,
        "",
        (("A", question), ("B", innocent)),
        (
            _BOTH,
            "If both answers are yes, or both are no: say “the same”.",
            "If one answer is yes and the other no: say “different”.",
        ),
        f"About {chance_words(p)} people answer B with yes, and nobody here knows yours: what you "
        "say does not show your answer to A. Keep your answer to B to yourself.",
        tuple(Way(*way) for way in carrier if way[0]),
        tuple(Way(*way) for way in other if way[0]),
        SAME,
    )


def triangular(design: Triangular, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
    """Does one of both apply?"""
    p = design.p
    other = ((p, _SAYS_YES, YES), (1 - p, _SAYS_NO, NO))
    carrier = ((p, _SAYS_YES, YES), (1 - p, _SAYS_NO, YES))
    return (
        Procedure(
            "",
            "",
            (("A", question), ("B", others[0])),
            (
                _BOTH,
                "If at least one of both answers is yes: say yes.",
                "If both answers are no: say no.",
            ),
            f"About {chance_words(p)} people answer B with yes, and nobody here knows yours: who "
            "says yes may do so because of B. Keep your answer to B to yourself.",
            tuple(Way(*way) for way in carrier if way[0]),
            tuple(Way(*way) for way in other if way[0]),
        ),
    )


def unrelated(design: Unrelated, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
    """The device chooses the question."""
    known = f"About {chance_words(design.q)} people answer B with yes."
    return (_unrelated(question, others[0], design.p, design.q, known),)


def unrelated_two_samples(
    design: UnrelatedTwoSamples, question: str, others: Sequence[str]
) -> tuple[Procedure, ...]:
    """The same with a device of each group; how many answer B with yes is unknown."""
    chances = (design.p1, design.p2)
    return tuple(
        _unrelated(question, others[0], p, design.q, "", group)
        for group, p in zip(GROUPS, chances, strict=True)
    )


def _unrelated(
    question: str, innocent: str, p: Fraction, q: Fraction, known: str, group: str = ""
) -> Procedure:
    tasks = {
        "A": "answer question A truthfully, with yes or no",
        "B": "answer question B truthfully, with yes or no",
    }
    kept = [(letter, chance) for letter, chance in (("A", p), ("B", 1 - p)) if chance]
    draw = draw_among([chance for _, chance in kept])
    steps = [f"{draw.use}, {UNSEEN}."] if draw.use else []
    ways: dict[str, list[Way]] = {YES: [], NO: []}
    for (letter, chance), outcome in zip(kept, draw.outcomes, strict=True):
        steps.append(if_outcome(outcome, chance, tasks[letter]))
        for state, found in ways.items():
            if letter == "A":
                found.append(Way(chance, outcome, state))
                continue
            found.append(Way(chance * q, f"{outcome}, and {_SAYS_YES}", YES))
            found.append(Way(chance * (1 - q), f"{outcome}, and {_SAYS_NO}", NO))
    reason = "Only you know which of both questions you answer. Keep your answer to B to yourself."
    return Procedure(
        group,
        draw.tool,
        (("A", question), ("B", innocent)),
        tuple(steps),
        f"{reason} {known}".strip(),
        tuple(way for way in ways[YES] if way.chance),
        tuple(way for way in ways[NO] if way.chance),
    )
