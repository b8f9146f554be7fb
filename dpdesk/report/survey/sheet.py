"""The instruction sheet that respondents read, one page for each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, isfinite

from dpdesk.designs import Design, Group, loss_of
from dpdesk.designs.category_design import CategoryDesign
from dpdesk.designs.instructions import QUESTION, Procedure, procedures_of
from dpdesk.designs.instructions.procedure import Instruction
from dpdesk.designs.instructions.several import number, several_answers
from dpdesk.designs.item_count import ItemCount
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.probability import parameter_text
from dpdesk.designs.record import DesignRecord
from dpdesk.designs.unrelated_two_samples import UnrelatedTwoSamples
from dpdesk.report.number_text import epsilon_up, joined
from dpdesk.report.page import page
from dpdesk.report.survey.words import at_most_text, respondent_sentences

_SHORT_LIST = 4
_LARGEST = 20.0
"""Epsilon up to which the factor is written out."""
_ASSUMED = (ItemCount, UnrelatedTwoSamples)
"""Designs whose chances rest on shares of innocent answers that nobody knows."""


@dataclass(frozen=True, slots=True)
class SheetPart:
    """One page of the sheet.

    Attributes:
        heading: Which group or item it is for; empty where there is one.
        procedure: What respondents do.
        say: What they may say.
        shows: What their answer shows, as sentences.
    """

    heading: str
    procedure: Instruction
    say: str
    shows: tuple[str, ...]


def sheet_html(
    design: DesignRecord, question: str, others: Sequence[str] = (), *, paper: bool = False
) -> str:
    """Returns the instruction sheet as a page without script and network.

    Args:
        design: The design; the words are made from its chances.
        question: The sensitive question, answered with yes or no.
        others: The innocent questions that the design needs, see `instructions.blanks_of`; the
            words of the answers, where there are several.
        paper: Whether the page is for a printer that knows few style rules, as that of the
            window, instead of a browser.

    Raises:
        ParameterError: The design's parameters are impossible.
    """
    return page(
        "sheet.html.j2",
        base="paper.html.j2" if paper else "base.html.j2",
        parts=sheet_parts(design, question, others)
        if isinstance(design, Design)
        else (further_part(design, question, others),),
        title=question.strip() or design.title,
        imprint=_imprint(design),
    )


def sheet_parts(design: Design, question: str, others: Sequence[str] = ()) -> tuple[SheetPart, ...]:
    """Returns the pages of a sheet."""
    procedures = procedures_of(design, question, others)
    return tuple(
        SheetPart(
            _heading(design, number),
            procedure,
            _answers(design, procedure, group.answers),
            respondent_sentences(
                procedure, _betraying(design, number), bounded=not isinstance(design, _ASSUMED)
            ),
        )
        for number, (procedure, group) in enumerate(zip(procedures, design.asked, strict=True))
    )


def further_part(design: DesignRecord, question: str, others: Sequence[str]) -> SheetPart:
    """Returns the page of a design for several answers or for numbers."""
    asked = question.strip() or QUESTION
    if isinstance(design, CategoryDesign):
        loss = loss_of(design.groups)
        bound = "" if loss.ratio is None else at_most_text(loss.ratio)
        return SheetPart(
            "",
            several_answers(design, asked, others),
            "Say one of the answers, and nothing else.",
            _shows(bound, "answers"),
        )
    assert isinstance(design, NumberDesign)  # noqa: S101 - the one kind that is left
    epsilon = design.loss.epsilon
    bound = ""
    if isfinite(epsilon):
        large = epsilon > _LARGEST
        bound = f"e^{epsilon_up(epsilon)}" if large else f"{ceil(100 * exp(epsilon)) / 100:,.2f}"
    return SheetPart(
        "", number(design, asked), "Say one number, and nothing else.", _shows(bound, "numbers")
    )


def _shows(bound: str, things: str) -> tuple[str, ...]:
    if not bound:
        return ("Please know: what you say can rule out some true answers for certain.",)
    return (
        "No answer is a proof: somebody else may give the same one; its chances under any two true "
        f"{things} differ by a factor of {bound} at most.",
    )


def _betraying(design: Design, number: int) -> Group:
    """What is seen of a respondent, which may be more than what is counted of them."""
    groups = design.groups
    return groups[number] if number < len(groups) else design.asked[number]


def _heading(design: Design, number: int) -> str:
    """Which page it is; a respondent need not know what sets the groups apart."""
    if design.group_count == 1:
        return ""
    return f"{'Part' if design.same_respondents else 'Group'} {number + 1}"


def _answers(design: Design, procedure: Procedure, answers: tuple[str, ...]) -> str:
    if isinstance(design, MechanismShare):
        return "You say nothing: the program sends the report."
    spoken = [
        procedure.say(answer).split()[0] if answer[0].isdigit() else procedure.say(answer)
        for answer in answers
    ]
    if len(spoken) > _SHORT_LIST:
        return f"Say one number from {spoken[0]} to {spoken[-1]}, and nothing else."
    words = [f"“{word}”" for word in spoken]
    return f"Say {joined(words).replace(' and ', ' or ')}, and nothing else."


def _imprint(design: DesignRecord) -> str:
    values = ", ".join(
        f"{parameter.name} = {parameter_text(getattr(design, parameter.name))}"
        for parameter in design.parameters()
    )
    return f"{design.title}: {values}" if values else design.title
