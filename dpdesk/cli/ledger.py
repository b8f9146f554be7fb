"""`dpdesk ledger`: what was released before, what is left, and what can be asked for it."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import (
    add_flag,
    add_input,
    add_ledger_place,
    add_place,
    add_reading,
    add_value,
)
from dpdesk.cli.terminal import plain, print_asked, print_json
from dpdesk.cli.texts import T
from dpdesk.cli.values import population_name
from dpdesk.errors import LedgerError, ParameterError
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from pathlib import Path

    from dpdesk.ledgers import Ledger
    from dpdesk.releases.charged_folders import ChargedFolder

DESCRIPTION = (
    "Shows what was released of each population, what that cost, and what remains. With DATA, "
    "which population a file belongs to and what it resembles."
)

_STATES = {
    "known": T.IN_LEDGER,
    "missing": T.MISSING_IN_LEDGER,
    "other": T.IN_OTHER_LEDGER,
    "unsigned": T.IN_NO_LEDGER,
}
"""Whether the ledger has the release of a folder."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk ledger`."""
    add_input(parser, "data", table=True, nargs="?", metavar="DATA", help="a survey")
    add_value(
        parser,
        "--population",
        "NAME",
        "this population alone",
        read=population_name,
        unused=[Unused(lambda options: options.same_people is not None, "beside --same-people")],
    )
    _add_changes(parser)
    again = parser.add_argument_group("what was released")
    plan = "print the plan of the release of this identifier"
    add_value(again, "--plan", "RELEASE", plan, alone=_LEDGER)
    answers = "print the answers of a release of statistics again, at no further cost"
    add_value(again, "--answers", "RELEASE", answers, alone=_LEDGER)
    folders = parser.add_argument_group("release folders against the ledger")
    verify = "check the release or releases in this folder against the ledger and the manifest"
    add_place(folders, "--verify", "FOLDER", verify, alone=_LEDGER)
    enter = "enter the release in this folder for --population, if the ledger misses it"
    add_place(folders, "--enter", "FOLDER", enter, alone={"population", *_LEDGER})
    add_ledger_place(parser)
    add_reading(parser)


_LEDGER = {"ledger"}
_NO_CAP = Unused(lambda options: options.cap is None, "without --cap")
_CAP_ENDS = Unused(lambda options: options.cap == "none", "where there is no cap")


def _add_changes(parser: argparse.ArgumentParser) -> None:
    change = parser.add_argument_group("changes; none of them can be taken back")
    cap = "the most that the releases of --population may lose together; 'none' for no limit"
    add_value(change, "--cap", "EPSILON", cap)
    delta = "delta of the cap (default 0)"
    add_value(change, "--cap-delta", "DELTA", delta, default="0", unused=[_NO_CAP, _CAP_ENDS])
    add_value(change, "--rename", "NEW", "a new name for --population")
    change.add_argument(
        "--same-people",
        nargs=2,
        metavar=("NAME", "INTO"),
        help="NAME are the same people as INTO: their releases add up from now on",
    )
    aside = "keep a damaged ledger under another name and begin an empty one"
    add_flag(change, "--set-aside", aside, alone=_LEDGER)
    older = "continue from an older copy of the ledger that was restored, and record the gap"
    add_flag(change, "--accept-older", older, alone=_LEDGER)


def run(options: argparse.Namespace) -> int:
    """Changes the ledger as the options say, then shows it."""
    from dpdesk.cli.charge_to import open_ledger
    from dpdesk.ledgers import accept_older, set_aside

    if options.set_aside:
        folder = str(set_aside(options.ledger))
        return _done(options, {"set_aside": folder}, T.SET_ASIDE(folder=folder))
    if options.accept_older:
        missing = accept_older(options.ledger)
        return _done(options, {"missing": missing}, T.OLDER_COPY_ACCEPTED(count=missing))
    kept = open_ledger(options.ledger)
    if options.plan is not None:
        print_asked(kept.plan_of(options.plan))
        return ExitCode.OK
    if options.answers is not None:
        return _answers(kept.answers_of(options.answers), options)
    if options.verify is not None:
        return _verify(kept, options.verify, as_json=options.json)
    if options.enter is not None:
        return _enter(kept, options)
    return _show(kept, options, _change(kept, options))


def _done(options: argparse.Namespace, content: dict[str, Any], sentence: str) -> int:
    if options.json:
        print_json(content)
    print(plain(sentence))
    return ExitCode.OK


def _show(kept: Ledger, options: argparse.Namespace, name: str) -> int:
    """Prints the population of a name, else that of a file, else all of them."""
    from dpdesk.cli.ledger_words import book_json, book_lines, population_json, resemblance_json
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.ledgers import default_path

    table = None if options.data is None else look_at_survey(options)
    data = None if table is None else kept.fingerprint(table)
    likenesses = () if table is None else kept.similar(table)
    book = kept.book()
    own = None if data is None else book.of_file(data.digest)
    shown = book.populations() if data is None else () if own is None else (own,)
    if name:
        shown = (kept.population(name),)
    if options.json:
        content: dict[str, Any] = {"ledger": str(options.ledger or default_path())}
        content |= book_json(book)
        content["populations"] = [population_json(population) for population in shown]
        if data is not None:
            content["data"] = {
                "population": None if own is None else own.name,
                "resembles": [resemblance_json(likeness) for likeness in likenesses],
            }
        print_json(content)
        return ExitCode.OK
    if data is not None and own is None:
        print("The ledger does not know this file.")
    for likeness in likenesses:
        print(plain(likeness.sentence))
        print(T.SAME_PEOPLE_THEN(population=plain(shlex.quote(likeness.population))))
    for line in book_lines(book, shown, of_file=data is not None and not name):
        print(plain(line))
    return ExitCode.OK


def _answers(text: str, options: argparse.Namespace) -> int:
    """Prints answers that the ledger stored, as they were printed at first."""
    from pydantic import ValidationError

    from dpdesk.cli.query import print_report
    from dpdesk.reports.statistics.public import StatisticsReport

    if options.json:
        print_asked(text)
        return ExitCode.OK
    try:
        report = StatisticsReport.model_validate_json(text)
    except ValidationError:
        raise LedgerError(T.STORED_BY_OTHER_VERSION()) from None
    print_report(report, asked=True)
    return ExitCode.OK


def _change(kept: Ledger, options: argparse.Namespace) -> str:
    """Makes the changes that the options ask for; returns the population to show, or ""."""
    from dpdesk.cli.charge_to import parse_cap, parse_delta
    from dpdesk.ledgers import Cap

    name: str = options.population or ""
    if options.same_people is not None:
        first, name = options.same_people
        kept.same_people(first, name)
    if (options.cap is not None or options.rename is not None) and not name:
        raise ParameterError(T.NEEDS_POPULATION())
    if options.cap is not None:
        cap = None
        if options.cap != "none":
            cap = Cap(parse_cap(options.cap), parse_delta(options.cap_delta))
        kept.set_cap(name, cap)
    if options.rename is not None:
        kept.rename(name, options.rename)
        name = options.rename
    return name


def _verify(kept: Ledger, folder: Path, *, as_json: bool) -> ExitCode:
    """Says of every release in a folder whether the ledger has it and its files are its own."""
    from dpdesk.releases.verify import verify_release

    found = _found(folder)
    states = [_state(kept, each) for each in found]
    faults = [tuple(verify_release(each.folder).faults.values()) for each in found]
    if as_json:
        keys = ("folder", "release", "ledger", "faults")
        rows = [
            (str(each.folder), each.release_id, state, list(wrong))
            for each, state, wrong in zip(found, states, faults, strict=True)
        ]
        print_json([dict(zip(keys, row, strict=True)) for row in rows])
    else:
        for each, state, wrong in zip(found, states, faults, strict=True):
            print(plain(f"{each.folder}: {_STATES[state](release=each.release_id)}"))
            for sentence in wrong:
                print(plain(f"  {sentence}"))
    if "missing" in states:
        return ExitCode.LEDGER
    return ExitCode.DATA if any(faults) else ExitCode.OK


def _enter(kept: Ledger, options: argparse.Namespace) -> int:
    """Enters a release that was charged to the ledger and is missing in it."""
    from dpdesk.plan import load_plan
    from dpdesk.plan.file import plan_to_json

    folder, population = options.enter, options.population
    found = next((each for each in _found(folder) if each.folder == folder), None)
    if found is None:
        raise ParameterError(T.NO_RELEASE_IN(folder=folder.name or str(folder)))
    if not population:
        raise ParameterError(T.NEEDS_POPULATION())
    plan = load_plan(folder / "plan.json")
    kept.enter(
        found.release_id,
        found.seal,
        population,
        (found.kind.cost(plan),),
        plan=plan_to_json(plan),
        title=found.title,
        kind=found.kind.name,
        where=folder.absolute(),
    )
    content = {"release": found.release_id, "population": population}
    return _done(options, content, T.ENTERED(folder=str(folder), population=population))


def _state(kept: Ledger, found: ChargedFolder) -> str:
    if kept.book().release(found.release_id) is not None:
        return "known"
    if not found.seal:
        return "unsigned"
    return "missing" if kept.is_own(found.release_id, found.seal) else "other"


def _found(folder: Path) -> list[ChargedFolder]:
    from dpdesk.releases.charged_folders import charged_folders

    found = list(charged_folders(folder))
    if not found:
        raise ParameterError(T.NO_RELEASE_IN(folder=folder.name or str(folder)))
    return found
