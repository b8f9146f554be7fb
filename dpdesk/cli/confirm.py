"""`dpdesk confirm`: lists the domains of a plan, and confirms that they are public knowledge."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dpdesk.cli.column_settings import ASKED, WHO_WAS_ASKED, add_analyses, with_analyses
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import (
    WHAT_IS_DECLARED,
    add_flag,
    add_input,
    add_output,
    add_reading,
    add_repeated,
    add_text,
)
from dpdesk.cli.terminal import plain, print_json
from dpdesk.cli.texts import T
from dpdesk.errors import ParameterError
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.plan import ColumnPlan, Plan

DESCRIPTION = (
    "Lists what a release would publish of each variable: bounds, step, categories, who was asked. "
    "With -o it writes the plan with these confirmed as public knowledge. Confirm only what "
    "everybody may know without the data."
)

_SHOWN = 12
_UNWRITTEN = Unused(lambda options: options.out is None, "without -o: nothing is written")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk confirm`."""
    add_input(parser, "plan", metavar="PLAN.json")
    columns = "what to confirm (default: the reading, and every domain but texts that few wrote)"
    parser.add_argument("columns", nargs="*", metavar="COLUMN", help=columns)
    survey = "the survey: rare categories and extreme bounds are told, nothing of it is written"
    add_input(parser, "--data", table=True, metavar="DATA", help=survey)
    add_repeated(parser, "--declare", "COLUMN=DOMAIN", T.HELP_DECLARE(forms=WHAT_IS_DECLARED))
    add_repeated(parser, "--asked", ASKED.form, WHO_WAS_ASKED)
    add_output(parser, "-o", "--out", metavar="NEW.json", help="write the plan with this confirmed")
    add_analyses(parser, unused=[_UNWRITTEN])
    only = "confirm how the file is read, beside the columns that are named"
    everything = Unused(lambda options: not options.columns, "without columns: it is confirmed")
    add_flag(parser, "--reading", only, unused=[everything])
    names = "confirm that the first line holds the names of the columns, although it holds numbers"
    add_flag(parser, "--names", names, unused=[_UNWRITTEN])
    add_text(parser, "--by", "NAME", "who confirms, for the report", unused=[_UNWRITTEN])
    add_reading(parser)


def run(options: argparse.Namespace) -> int:
    """Lists what is confirmed, and writes the plan where asked to."""
    from dpdesk.cli.column_settings import DECLARATION, settings_once
    from dpdesk.cli.declaration import with_declared
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.plan import confirm_domains, load_plan, save_plan
    from dpdesk.plan.checks.reading import has_doubtful_names
    from dpdesk.plan.declared_routing import declare_asked
    from dpdesk.plan.given_answers import RARE, counted_columns, is_confirmed_by_name

    before = load_plan(options.plan)
    plan = with_analyses(before, options.analysis)
    for name, content in settings_once(plan, options.declare, DECLARATION).items():
        plan = with_declared(plan, name, content)
    for name, typed in settings_once(plan, options.asked, ASKED).items():
        plan = declare_asked(plan, name, typed)
    table = None if options.data is None else look_at_survey(options, plan)
    names = _named(plan, options.columns)
    entries = sorted((_entry(plan, name, table) for name in names), key=_urgency)
    reads = plan.reading is not None and (options.reading or not options.columns)
    if options.json:
        reading = plan.reading.words if plan.reading is not None and reads else None
        print_json({"columns": entries, "reading": reading, "written": options.out is not None})
    for entry in entries:
        _print(entry)
    if table is not None:
        few = sum(entry.get("rare", 0) + entry.get("at_bounds", 0) > 0 for entry in entries)
        print(T.FEW_DECIDE(count=few, few=RARE, rows=table.rows))
    if plan.reading is not None and reads:
        print(plain(T.READ_AS(reading=plan.reading.words)))
    if has_doubtful_names(plan) and not options.names:
        print("the names of the columns look like answers; --names confirms they are names")
    if options.out is None:
        if _waiting(plan):
            print("nothing is confirmed yet; -o NEW.json writes the plan with this confirmed")
        else:
            print("every domain is confirmed already")
        return ExitCode.OK
    if not options.columns:
        given = counted_columns(plan, table)
        names = [n for n in names if not is_confirmed_by_name(plan.column(n), given.get(n))]
    confirmed = confirm_domains(plan, options.by, names, reading=reads)
    if options.names:
        confirmed = confirmed.with_fields(names_confirmed=True)
    save_plan(confirmed, options.out, overwrite=options.overwrite)
    waiting, left = (_waiting(one) for one in (plan, confirmed))
    print(T.CONFIRMED(count=waiting - left))
    if left:
        print(T.LEFT_TO_CONFIRM(count=left))
    if added := [text for text in plan.analyses if text not in before.analyses]:
        print(plain(T.ANALYSES_ADDED(analyses=added)))
    print(plain(T.PLAN_WRITTEN(file=str(options.out))))
    return ExitCode.OK


def _waiting(plan: Plan) -> int:
    """Returns the number of domains that matter and are not confirmed."""
    return sum(column.waits for column in plan.columns)


def _named(plan: Plan, wanted: list[str]) -> list[str]:
    """Returns the columns of a release that have a domain, or those with one that are named."""
    having = {column.name for column in plan.columns if column.domain is not None}
    for name in wanted:
        if name not in having:
            raise ParameterError(T.NO_DOMAIN(name=name))
    if wanted:
        return list(dict.fromkeys(wanted))
    # Of a dropped column nothing is published.
    return [c.name for c in plan.columns if c.name in having and c.role != "drop"]


def _urgency(entry: dict[str, Any]) -> tuple[bool, int]:
    """Sorts what a few respondents may show in to the front, and what is confirmed to the end."""
    return entry["confirmed"], -entry.get("rare", 0) - entry.get("at_bounds", 0)


def _entry(plan: Plan, name: str, table: SurveyTable | None) -> dict[str, Any]:
    from dpdesk.estimation.of_asked import design_withholds
    from dpdesk.plan.checks.routing import check_asked_in

    column = plan.column(name)
    domain = column.domain
    entry: dict[str, Any] = {
        "column": name,
        "kind": column.kind,
        "provenance": column.provenance,
        "confirmed": column.confirmed,
    }
    if domain is not None and domain.bounds is not None:
        lower, upper, step = domain.bounds
        entry |= {"lower": lower, "upper": upper, "step": step, "unit": domain.unit}
    elif domain is not None:
        entry |= {"categories": domain.size, "values": list(domain.listed)}
    if column.missing.asked is not None:
        entry["asked"] = column.missing.asked.condition()
        entry["of_asked_withheld"] = design_withholds(plan, column.missing.asked)
    if table is not None:
        entry |= _seen(column, table) if name in table.names else {"not_in_data": True}
        for problem in check_asked_in(plan, column, table):
            entry["contradicted"] = problem.message
    return entry


def _seen(column: ColumnPlan, table: SurveyTable) -> dict[str, Any]:
    """What the answers say of a domain; for the holder of the data only."""
    from dpdesk.data.suggested_grid import rounder_bounds
    from dpdesk.domains import ListedDomain
    from dpdesk.plan import encode_column
    from dpdesk.plan.given_answers import given_answers

    domain, texts = column.domain, table.column(column.name)
    assert domain is not None  # noqa: S101 - only columns with a domain are listed
    given = given_answers(column, texts, table.reading)
    encoded = encode_column(column, texts, table.reading)
    if isinstance(domain, ListedDomain):
        values = [domain.values[code] for code in reversed(given.rare_codes)]
        told = {"rare": len(values), "rare_values": values, "outside": encoded.unfit}
        return told | {"sentences": column.sentences}
    rounder = rounder_bounds(domain) if given.at_ends else None
    return {
        "at_bounds": given.at_ends,
        "rounder": "" if rounder is None else rounder.declaration,
        "outside": encoded.unfit,
        "rounded": encoded.rounded,
    }


def _print(entry: dict[str, Any]) -> None:
    from dpdesk.numbers.calendar import date_unit
    from dpdesk.plan.column import SOURCES

    state = "confirmed already" if entry["confirmed"] else SOURCES[entry["provenance"]]
    if "categories" in entry:
        what: str = T.CATEGORIES(count=entry["categories"])
    elif date_unit(entry["unit"]):
        what = f"{entry['lower']}..{entry['upper']} by {entry['step']}"
    else:
        what = f"{entry['lower']}..{entry['upper']}/{entry['step']} {entry['unit']}".rstrip()
    print(plain(f"{entry['column']}: {entry['kind']}, {what}; {state}"))
    for line in _lines(entry):
        print(plain(f"  {line}"))


def _lines(entry: dict[str, Any]) -> Iterator[str]:
    from dpdesk.i18n import first_names
    from dpdesk.plan.given_answers import RARE

    if "categories" in entry:
        yield first_names(entry["values"], _SHOWN)
    if entry.get("asked"):
        yield T.ASKED_WHERE(condition=entry["asked"])
        if why := entry["of_asked_withheld"]:
            yield T.SHARE_WITHHELD(reason=why)
    if entry.get("contradicted"):
        yield entry["contradicted"]
    if entry.get("rare"):
        yield T.RARE(
            count=entry["rare"], few=RARE, values=first_names(entry["rare_values"], _SHOWN)
        )
    if entry.get("sentences"):
        yield T.LIKE_FREE_TEXT(count=entry["sentences"])
    if entry.get("at_bounds"):
        yield T.RARE_BOUNDS(count=entry["at_bounds"], few=RARE)
        if entry["rounder"]:
            declared = "=".join((entry["column"], entry["rounder"]))
            yield f"--declare {shlex.quote(declared)}"
    if entry.get("not_in_data"):
        yield "The data have no such column."
    for key, text in (("outside", T.OUTSIDE), ("rounded", T.BETWEEN_STEPS)):
        if entry.get(key):
            yield text(count=entry[key])
