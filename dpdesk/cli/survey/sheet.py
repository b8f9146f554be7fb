"""`dpdesk survey sheet`: what respondents of each group have to do, on paper."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import add_output, add_paper, add_repeated, add_text
from dpdesk.cli.survey.options import add_design, add_device, no_pdf
from dpdesk.cli.survey.texts import T
from dpdesk.cli.terminal import plain, print_json
from dpdesk.cli.values import real
from dpdesk.errors import ParameterError

if TYPE_CHECKING:
    from dpdesk.designs import Design
    from dpdesk.designs.devices import DeviceChoice

DESCRIPTION = (
    "Writes what respondents of each group have to do, in words made from the design's own "
    "chances, as a page to print (HTML or PDF)."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk survey sheet`."""
    add_design(parser, required=False)
    add_device(parser)
    parser.add_argument(
        "--epsilon",
        type=real,
        metavar="E",
        help="finds the device's chances nearest to E and not above it, or says that it has none "
        "so small (Warner's without --design)",
    )
    add_text(parser, "--question", "TEXT", "the question, answered with yes or no")
    add_repeated(
        parser,
        "--innocent",
        "TEXT",
        "an innocent question that the design needs; may be repeated, in the sheet's order",
    )
    add_repeated(
        parser,
        "--answer",
        "TEXT",
        "the words of an answer, for designs of several; may be repeated, in their order",
    )
    add_output(
        parser,
        "-o",
        "--out",
        required=True,
        metavar="FILE",
        help="the page to write, .html or .pdf",
    )
    add_paper(parser, no_pdf("out", "-o"))


def run(options: argparse.Namespace) -> int:
    """Writes the instruction sheet of a design."""
    from dpdesk.cli.survey.design_choice import (
        device_choice,
        nearly_lines,
        next_notes,
        sheet_design,
    )
    from dpdesk.data.write_file import write_file
    from dpdesk.numbers.digits import epsilon_up
    from dpdesk.reports.pdf import content_for
    from dpdesk.reports.survey import question_notes, sheet_html, sheet_parts

    design = sheet_design(options)
    blanks = design.blanks
    _refuse_surplus("--innocent", options.innocent, len(blanks))
    names = design.names_taken
    _refuse_surplus("--answer", options.answer, names)
    texts = options.answer if names else options.innocent
    choice = device_choice(options, design, options.innocent)
    page = sheet_html(design, options.question, texts, choice=choice)
    written = content_for(options.out, page, options.paper)
    write_file(options.out, written, overwrite=options.overwrite)
    left = blanks[len(options.innocent) :]
    notes = question_notes(sheet_parts(design, options.question, texts, choice))
    if options.json:
        told = [{"meaning": blank.meaning, "proposal": blank.proposal or None} for blank in left]
        noted = {"notes": list(notes)} if notes else {}
        found = _found(options, design, choice)
        print_json({"written": str(options.out), "blanks": told} | noted | found)
    print(plain(T.WROTE(file=str(options.out))))
    lines: list[str] = []
    if options.epsilon is not None:
        epsilon = epsilon_up(design.loss.epsilon)
        lines.append(T.SETTING(design=design.title, setting=design.setting, epsilon=epsilon))
        lines += next_notes(options, design)
    if choice.device is not None:
        lines += [choice.device.title, *choice.device.cautions]
    lines += nearly_lines(design)
    for blank in left:
        proposed = T.PROPOSED(blank=blank.meaning, proposal=blank.proposal)
        lines.append(proposed if blank.proposal else T.TO_FILL_IN(blank=blank.meaning))
    for line in (*lines, *notes):
        print(f"  {plain(line)}")
    return ExitCode.OK


def _found(options: argparse.Namespace, design: Design, choice: DeviceChoice) -> dict[str, object]:
    """The design that an epsilon led to, and the rule of a screen; nothing of other sheets."""
    from dpdesk.cli.survey.design_choice import exceeds
    from dpdesk.designs.devices import SCREEN
    from dpdesk.reports.survey.sheet import screen_rules, sheet_parts

    found: dict[str, object] = {}
    if options.epsilon is not None:
        found |= {
            "design": design.model_dump(mode="json"),
            "epsilon": design.loss.epsilon,
            "keeps_epsilon": not exceeds(options, design),
        }
    if choice.device is SCREEN:
        found["screen"] = [
            {
                "draw": heading,
                "words": rule.words,
                "javascript": "\n".join(rule.script),
                "spreadsheet": dict(rule.cells),
                "platforms": dict(rule.platforms),
            }
            for heading, rule in screen_rules(sheet_parts(design, "", (), choice))
        ]
    return found


def _refuse_surplus(word: str, texts: list[str], most: int) -> None:
    if len(texts) > most:
        raise ParameterError(T.TOO_MANY_TEXTS(option=word, most=most, given=len(texts)))
