"""The instruction sheet that respondents read, one page for each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, isfinite

from dpdesk.designs import Design, Group, YesNoDesign
from dpdesk.designs.cases import Cases
from dpdesk.designs.devices import (
    ANY_DEVICE,
    BIRTHDAYS,
    SCREEN,
    Device,
    DeviceChoice,
    ScreenRule,
    screen_warnings,
)
from dpdesk.designs.instructions import Instruction, Practice, Procedure
from dpdesk.designs.planning import built
from dpdesk.designs.several_answers import SeveralDesign
from dpdesk.errors import ParameterError
from dpdesk.i18n import Text, any_of
from dpdesk.numbers.digits import epsilon_up
from dpdesk.reports.page import page
from dpdesk.reports.survey.texts import T
from dpdesk.reports.survey.words import (
    LARGEST_WRITTEN,
    at_most_text,
    is_hidden,
    respondent_sentences,
)

_SHORT_LIST = 4


@dataclass(frozen=True, slots=True)
class SheetPart:
    """One page of the sheet.

    Attributes:
        heading: Which group or item it is for; empty where there is one.
        procedure: What respondents do.
        say: What they may say.
        shows: What their answer shows, as sentences.
        practice: What they practise with before.
        notes: What must hold of innocent questions in own words, as sentences.
    """

    heading: str
    procedure: Instruction
    say: str
    shows: tuple[str, ...]
    practice: tuple[Practice, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def setup(self) -> tuple[str, ...]:
        """What whoever prepares the survey needs to know of the device, as sentences."""
        told = (sentence for device in _devices(self.procedure) for sentence in device.cautions)
        return tuple(dict.fromkeys(told))


def sheet_html(
    design: Design,
    question: str,
    others: Sequence[str] = (),
    *,
    paper: bool = False,
    choice: DeviceChoice = ANY_DEVICE,
) -> str:
    """Returns the instruction sheet as a page without script and network.

    Args:
        design: The design; the words are made from its chances.
        question: The sensitive question, answered with yes or no.
        others: The innocent questions that the design needs, see `Design.blanks`; the
            words of the answers, where there are several.
        paper: Whether the page is for a printer that knows few style rules, as that of the
            window, instead of a browser.
        choice: The device that respondents get; only if it is a screen may chances be such as no
            other device has.

    Raises:
        ParameterError: The design's parameters are impossible, or the device has not its chances.
    """
    parts = sheet_parts(design, question, others, choice)
    _refuse_unbuildable(design, [part.procedure for part in parts], choice)
    screens = choice.device is SCREEN
    return page(
        "sheet.html.j2",
        base="paper.html.j2" if paper else "base.html.j2",
        parts=parts,
        paper=paper,
        screens=screens,
        rules=screen_rules(parts) if screens else (),
        warnings=screen_warnings(),
        notes=tuple(
            dict.fromkeys(
                (
                    *(note for part in parts for note in part.setup),
                    *_asked_notes(design, parts),
                    *question_notes(parts),
                )
            )
        ),
        title=question.strip() or design.title,
        imprint=": ".join(filter(None, (design.title, design.setting))),
    )


def sheet_parts(
    design: Design,
    question: str,
    others: Sequence[str] = (),
    choice: DeviceChoice = ANY_DEVICE,
) -> tuple[SheetPart, ...]:
    """Returns the pages of a sheet; the arguments are those of `sheet_html`."""

    def said(say: Text, bound: str) -> tuple[SheetPart, ...]:
        return tuple(
            SheetPart("", instruction, say(), _shows(bound), instruction.practice)
            for instruction in design.instructions(question, others, choice)
        )

    def of_several(several: SeveralDesign) -> tuple[SheetPart, ...]:
        ratio = several.loss.ratio
        return said(T.SAY_ONE_ANSWER, "" if ratio is None else at_most_text(ratio))

    return Cases(
        lambda binary: _binary_parts(binary, binary.instructions(question, others, choice), others),
        of_several,
        lambda number: said(T.SAY_ONE_NUMBER, _factor(number.loss.epsilon)),
    ).of(design)


def screen_rules(parts: Sequence[SheetPart]) -> tuple[tuple[str, ScreenRule], ...]:
    """Returns what a screen draws for each page of a sheet, with the heading of the page.

    Raises:
        ParameterError: The chances need more numbers than programs draw from evenly.
    """
    return tuple(
        (" · ".join(filter(None, (part.heading, rule.title))), rule)
        for part in parts
        for rule in part.procedure.screen_rules
    )


def _asked_notes(design: Design, parts: Sequence[SheetPart]) -> tuple[str, ...]:
    """What to know of questions about birthdays, where the sheet asks them as they are proposed."""
    proposed = {blank.proposal for blank in design.blanks if blank.proposal}
    asked = {question for part in parts for _, question in part.procedure.questions}
    return (BIRTHDAYS, *design.once_each(None)) if proposed & asked else ()


def question_notes(parts: Sequence[SheetPart]) -> tuple[str, ...]:
    """Returns what must hold of innocent questions in own words, each sentence once."""
    return tuple(dict.fromkeys(note for part in parts for note in part.notes))


def _devices(instruction: Instruction) -> tuple[Device, ...]:
    """The devices that respondents get."""
    found = (picture.draw.device for picture in instruction.pictures)
    return tuple(device for device in found if device is not None)


def _binary_parts(
    design: YesNoDesign, procedures: Sequence[Procedure], others: Sequence[str]
) -> tuple[SheetPart, ...]:
    return tuple(
        SheetPart(
            _heading(design, number),
            # Where nothing is left to chance, nothing keeps an answer from telling.
            procedure if is_hidden(_disclosing(design, number)) else replace(procedure, reason=""),
            _answers(design, procedure, group.answers),
            respondent_sentences(
                procedure, _disclosing(design, number), bounded=not design.assumes_innocent
            ),
            # A program does all that there is to do.
            () if design.by_program else procedure.practice,
            design.question_notes(others, _devices(procedure)),
        )
        for number, (procedure, group) in enumerate(zip(procedures, design.asked, strict=True))
    )


def _refuse_unbuildable(
    design: Design, instructions: Sequence[Instruction], choice: DeviceChoice
) -> None:
    """Refuses a sheet that asks for a device which nobody can build, unless a screen is meant."""
    if choice.device is SCREEN:
        return
    pictures = (picture for instruction in instructions for picture in instruction.pictures)
    if not any(p.draw.device is not None and p.draw.device.for_screens for p in pictures):
        return
    near = built(design)
    if not near:
        raise ParameterError(T.NO_DEVICE(setting=design.setting))
    nearest = near[0]
    raise ParameterError(
        T.NO_DEVICE_BUT(
            setting=design.setting,
            kind=nearest.device.title.lower(),
            near=nearest.design.setting,
        )
    )


def _factor(epsilon: float) -> str:
    """The largest factor in words; empty where it is infinite."""
    if not isfinite(epsilon):
        return ""
    large = epsilon > LARGEST_WRITTEN
    return f"e^{epsilon_up(epsilon)}" if large else f"{ceil(100 * exp(epsilon)) / 100:,.2f}"


def _shows(bound: str) -> tuple[str, ...]:
    if not bound:
        return (T.CAN_RULE_OUT(),)
    return (T.REPORT_UNSURE(), T.AT_MOST_OF_SEVERAL(factor=bound))


def _disclosing(design: YesNoDesign, number: int) -> Group:
    """Returns all that is seen of a respondent, which may be more than what is counted."""
    groups = design.groups
    return groups[number] if number < len(groups) else design.asked[number]


def _heading(design: YesNoDesign, number: int) -> str:
    """Returns the heading of a page; respondents need not know how the groups differ."""
    if design.group_count == 1:
        return ""
    return f"{'Part' if design.same_respondents else 'Group'} {number + 1}"


def _answers(design: YesNoDesign, procedure: Procedure, answers: tuple[str, ...]) -> str:
    if design.by_program:
        return T.PROGRAM_SENDS()
    spoken = [
        procedure.say(answer).split()[0] if answer[0].isdigit() else procedure.say(answer)
        for answer in answers
    ]
    if len(spoken) > _SHORT_LIST:
        return T.SAY_NUMBER_FROM(least=spoken[0], most=spoken[-1])
    words = [f"“{word}”" for word in spoken]
    return T.SAY(answers=any_of(words))
