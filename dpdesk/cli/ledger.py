"""`dpdesk ledger`: what was released before, what is left, and what that still buys."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from pydantic import ValidationError

from dpdesk.cli.charge_to import parse_cap, parse_delta
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.given import READING, refuse_all_but, refuse_ignored
from dpdesk.cli.ledger_folders import enter, verify
from dpdesk.cli.ledger_words import book_lines, population_json, resemblance_line
from dpdesk.cli.plain import plain
from dpdesk.cli.query import print_report
from dpdesk.cli.reading import look_at_survey
from dpdesk.cli.terminal import print_json
from dpdesk.errors import LedgerError, ParameterError
from dpdesk.ledger import Cap, Ledger, accept_older, default_path, set_aside
from dpdesk.report.statistics.public import StatisticsReport

_MODES: dict[str, tuple[str, ...]] = {
    "set_aside": (),
    "accept_older": (),
    "plan": (),
    "answers": (),
    "verify": (),
    "enter": ("population",),
}
"""Options that decide what the command does, and which others they use, but for --ledger."""


def ledger(options: argparse.Namespace) -> int:
    """Changes the ledger as the options say, then shows it."""
    for mode, more in _MODES.items():
        if getattr(options, mode):
            used = {mode, "ledger", *more}
            refuse_all_but(options, used, f"beside --{mode.replace('_', '-')}")
    if options.set_aside:
        folder = set_aside(options.ledger)
        print(f"The ledger was set aside as {plain(str(folder))}. A new one was begun.")
        return ExitCode.OK
    if options.accept_older:
        missing = accept_older(options.ledger)
        rows = "1 entry is" if missing == 1 else f"{missing:,} entries are"
        print(f"The ledger continues from this copy. {rows} missing at its end, as it notes.")
        return ExitCode.OK
    kept = Ledger.open(options.ledger)
    if options.plan is not None:
        sys.stdout.write(kept.plan_of(options.plan))
        return ExitCode.OK
    if options.answers is not None:
        return _answers(kept.answers_of(options.answers), options)
    if options.verify is not None:
        return verify(kept, options.verify, as_json=options.json)
    if options.enter is not None:
        enter(kept, options.enter, options.population or "")
        return ExitCode.OK
    if options.cap is None:
        refuse_ignored(options, {"cap_delta", "model"}, "without --cap")
    if options.cap == "none":
        refuse_ignored(options, {"cap_delta"}, "where there is no cap")
    if options.same_people is not None:
        refuse_ignored(options, {"population"}, "beside --same-people")
    if options.data is None:
        refuse_ignored(options, READING, "without a survey to read")
    name = _change(kept, options)
    table = None if options.data is None else look_at_survey(options)
    data = None if table is None else kept.fingerprint(table)
    likenesses = () if table is None else kept.similar(table)
    book = kept.book()
    shown = book.populations()
    own = None if data is None else book.of_file(data.digest)
    if name:
        shown = (kept.population(name),)
    elif own is not None:
        shown = (own,)
    elif data is not None:
        shown = ()
    if options.json:
        content: dict[str, Any] = {
            "ledger": str(options.ledger or default_path()),
            "begun": book.begun.isoformat(),
            "set_aside": book.set_aside or None,
            "gaps": [
                {"time": time.isoformat(), "missing_entries": missing}
                for time, missing in book.gaps
            ],
            "populations": [population_json(population) for population in shown],
        }
        if data is not None:
            content["data"] = {
                "population": None if own is None else own.name,
                "resembles": [
                    {
                        "population": likeness.population,
                        "basis": likeness.likeness.basis,
                        "share": likeness.likeness.share,
                        "columns": likeness.likeness.columns or None,
                        "first_seen": likeness.file.time.isoformat(),
                    }
                    for likeness in likenesses
                ],
            }
        print_json(content)
        return ExitCode.OK
    if data is not None and own is None:
        print("The ledger does not know this file.")
    for likeness in likenesses:
        print(plain(resemblance_line(likeness)))
    for line in book_lines(book, shown, of_file=data is not None and not name):
        print(plain(line))
    return ExitCode.OK


def _answers(text: str, options: argparse.Namespace) -> int:
    """Prints answers that the ledger kept, as they were printed at first."""
    if options.json:
        sys.stdout.write(text)
        return ExitCode.OK
    try:
        report = StatisticsReport.model_validate_json(text)
    except ValidationError:
        raise LedgerError(
            "These answers were kept by another version of dpdesk.", remedy="Add --json."
        ) from None
    print_report(report)
    return ExitCode.OK


def _change(kept: Ledger, options: argparse.Namespace) -> str:
    """Makes the changes that are asked for; returns the population to show, or none."""
    name: str = options.population or ""
    if options.same_people is not None:
        first, name = options.same_people
        kept.same_people(first, name)
    if (options.cap is not None or options.rename is not None) and not name:
        raise ParameterError("This is a change of one population.", remedy="Name it: --population.")
    if options.cap is not None:
        if options.model is None:
            raise ParameterError(
                "Local and central losses have caps of their own.",
                remedy="Add --model local or --model central.",
            )
        cap = None
        if options.cap != "none":
            cap = Cap(parse_cap(options.cap), parse_delta(options.cap_delta))
        kept.set_cap(name, options.model, cap)
    if options.rename is not None:
        kept.rename(name, options.rename)
        name = options.rename
    return name
