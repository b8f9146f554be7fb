"""`dpdesk handout`: the handout of a demonstration for workshops, or the list of demonstrations."""

from __future__ import annotations

import argparse

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.offered_words import handouts, offer
from dpdesk.cli.options import add_input, add_output, add_paper, add_repeated, add_value
from dpdesk.cli.survey.options import no_pdf
from dpdesk.cli.terminal import plain, print_json
from dpdesk.cli.texts import T
from dpdesk.errors import ParameterError
from dpdesk.requests.unused import Unused

DESCRIPTION = (
    "Writes the handout of a demonstration as a page to print: its steps, numbers and an exercise. "
    "Without a name, lists the demonstrations."
)

_LISTED = Unused(lambda options: options.name is None, "without the name of a demonstration")
_NO_DATA = Unused(lambda options: options.data is None, "without --data")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk handout`."""
    name = parser.add_argument(
        "name", nargs="?", metavar="NAME", help="the demonstration, such as two-coins"
    )
    offer(name, handouts)
    add_value(parser, "--question", "TEXT", "an own question in place of its own", unused=[_LISTED])
    own = "own records in place of the sample's; counts and shares of them are shown, no cell"
    add_input(parser, "--data", table=True, metavar="FILE", unused=[_LISTED], help=own)
    columns = "a column of these, in the order that the list says; may be repeated"
    add_repeated(parser, "--column", "COLUMN", columns, unused=[_NO_DATA])
    page = "the page to write, .html or .pdf"
    add_output(parser, "-o", "--out", unused=[_LISTED], metavar="FILE", help=page)
    add_paper(parser, no_pdf("out", "-o"))


def run(options: argparse.Namespace) -> int:
    """Writes a handout, or lists the demonstrations."""
    if options.name is None:
        return _list(as_json=options.json)
    if options.out is None:
        raise ParameterError(T.NO_HANDOUT_FILE())
    from dpdesk.data.read_file import load
    from dpdesk.data.write_file import write_file
    from dpdesk.demonstrations import Inputs, demonstration
    from dpdesk.demonstrations.handout import handout_html
    from dpdesk.reports.pdf import content_for

    table = None if options.data is None else load(options.data)
    inputs = Inputs(options.question, table, tuple(options.column))
    found = demonstration(options.name, inputs)
    found.prepare()
    written = content_for(options.out, handout_html(found), options.paper)
    write_file(options.out, written, overwrite=options.overwrite)
    if options.json:
        print_json({"written": str(options.out), "steps": len(found.steps)})
    print(plain(f"Wrote {options.out}"))
    return ExitCode.OK


def _list(*, as_json: bool) -> int:
    from dpdesk.demonstrations import demonstrations

    found = demonstrations()
    if as_json:
        listed = [
            {
                "name": one.key,
                "title": one.title,
                "summary": one.summary,
                "minutes": one.minutes,
                "question": one.question,
                "takes_question": one.takes_question,
                "columns": list(one.asked_columns),
                "steps": [step.title for step in one.steps],
            }
            for one in found
        ]
        print_json(listed)
        return ExitCode.OK
    for one in found:
        print(f"{one.key}: {one.title}, {one.minutes} minutes, {len(one.steps)} steps")
        print(f"    {one.summary}")
        own = ["--question"] if one.takes_question else []
        own += ["--data", *one.asked_columns] if one.takes_table else []
        if own:
            print(f"    takes {', '.join(own)}")
    return ExitCode.OK
