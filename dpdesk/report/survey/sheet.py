"""The instruction sheet that respondents read, one page for each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpdesk.designs import Design, Group
from dpdesk.designs.instructions import Procedure, procedures_of
from dpdesk.designs.item_count import ItemCount
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.unrelated_two_samples import UnrelatedTwoSamples
from dpdesk.report.number_text import joined
from dpdesk.report.page import page
from dpdesk.report.survey.words import parameter_text, respondent_sentences

_SHORT_LIST = 4
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
    procedure: Procedure
    say: str
    shows: tuple[str, ...]


def sheet_html(
    design: Design, question: str, others: Sequence[str] = (), *, paper: bool = False
) -> str:
    """Returns the instruction sheet as a page without script and network.

    Args:
        design: The design; the words are made from its chances.
        question: The sensitive question, answered with yes or no.
        others: The innocent questions that the design needs, see `instructions.blanks_of`.
        paper: Whether the page is for a printer that knows few style rules, as that of the
            window, instead of a browser.

    Raises:
        ParameterError: The design's parameters are impossible.
    """
    return page(
        "sheet.html.j2",
        base="paper.html.j2" if paper else "base.html.j2",
        parts=sheet_parts(design, question, others),
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


def _imprint(design: Design) -> str:
    values = ", ".join(
        f"{parameter.name} = {parameter_text(getattr(design, parameter.name))}"
        for parameter in design.parameters()
    )
    return f"{design.title}: {values}" if values else design.title
