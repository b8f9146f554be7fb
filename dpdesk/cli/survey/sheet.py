"""`dpdesk survey sheet`: what respondents of each group have to do, on paper."""

from __future__ import annotations

import argparse

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import add_output, add_paper, add_repeated, add_text
from dpdesk.cli.survey.options import add_design, add_device, no_pdf
from dpdesk.cli.terminal import plain, print_json
from dpdesk.errors import ParameterError

DESCRIPTION = (
    "Writes what respondents of each group have to do, in words made from the design's own "
    "chances, as a page to print (HTML or PDF)."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk survey sheet`."""
    add_design(parser)
    add_device(parser)
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
    from dpdesk.cli.survey.design_choice import any_design_of, device_choice, nearly_lines
    from dpdesk.data.write_file import write_file
    from dpdesk.report.pdf import content_for
    from dpdesk.report.survey import sheet_html

    design = any_design_of(options)
    blanks = design.blanks
    _refuse_surplus("--innocent", options.innocent, len(blanks))
    names = design.names_taken
    _refuse_surplus("--answer", options.answer, names)
    texts = options.answer if names else options.innocent
    choice = device_choice(options, design)
    page = sheet_html(design, options.question, texts, choice=choice)
    written = content_for(options.out, page, options.paper)
    write_file(options.out, written, overwrite=options.overwrite)
    left = blanks[len(options.innocent) :]
    if options.json:
        told = [{"meaning": blank.meaning, "proposal": blank.proposal or None} for blank in left]
        print_json({"written": str(options.out), "blanks": told})
    print(plain(f"Wrote {options.out}"))
    if choice.device is not None:
        print(f"  {choice.device.title}: {choice.device.fairness}")
    for line in nearly_lines(design):
        print(f"  {line}")
    for blank in left:
        shown = f"proposed: {blank.proposal}" if blank.proposal else "left to be filled in"
        print(f"  {blank.meaning}; {shown}")
    return ExitCode.OK


def _refuse_surplus(word: str, texts: list[str], most: int) -> None:
    if len(texts) > most:
        raise ParameterError(
            f"This design takes {most} of {word}; there are {len(texts)}.",
            remedy=f"Leave out some of {word}.",
        )
