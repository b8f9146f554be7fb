"""`dpdesk confirm`: lists the domains of a plan, and confirms that they are public knowledge."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any

from dpdesk.cli.analyses import add_analyses, with_analyses
from dpdesk.cli.column_settings import ASKED, WHO_WAS_ASKED
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
from dpdesk.errors import ParameterError
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.plan import ColumnPlan, Plan

DESCRIPTION = (
    "Lists what a release would publish of each column, whoever answered: bounds, step, "
    "categories, who was asked; with --data also what in it depends on a few respondents. With "
    "-o it writes the plan with these domains confirmed as public knowledge. Confirm only what "
    "everybody may know without having seen the data."
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
    add_repeated(
        parser,
        "--declare",
        "COLUMN=DOMAIN",
        f"declare another domain in place of the one that was suggested: {WHAT_IS_DECLARED}",
    )
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
    from dpdesk.plan.given_answers import counted_columns, is_confirmed_by_name

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
        told = "1 domain tells" if few == 1 else f"{few or 'no'} domains tell"
        from dpdesk.plan.given_answers import RARE

        print(f"{told} of fewer than {RARE} of {table.rows:,} respondents")
    if plan.reading is not None and reads:
        print(f"the file is read like this: {plain(plan.reading.words)}")
    if has_doubtful_names(plan) and not options.names:
        print("the names of the columns look like answers; --names confirms they are names")
    if options.out is None:
        if not _waiting(plan):
            print("every domain is confirmed already")
        else:
            print("nothing is confirmed yet; -o NEW.json writes the plan with this confirmed")
        return ExitCode.OK
    if not options.columns:
        given = counted_columns(plan, table)
        names = [n for n in names if not is_confirmed_by_name(plan.column(n), given.get(n))]
    confirmed = confirm_domains(plan, options.by, names, reading=reads)
    if options.names:
        confirmed = confirmed.with_fields(names_confirmed=True)
    save_plan(confirmed, options.out, overwrite=options.overwrite)
    waiting, left = (_waiting(one) for one in (plan, confirmed))
    done = waiting - left
    rest = f"; {left:,} left to confirm by name" if left else ""
    what = "1 domain" if done == 1 else f"{done:,} domains"
    added = ", ".join(text for text in plan.analyses if text not in before.analyses)
    named = f"; added to the analyses: {added}" if added else ""
    print(plain(f"{what} confirmed{rest}{named}; plan written to {options.out}"))
    return ExitCode.OK


def _waiting(plan: Plan) -> int:
    """Returns the number of domains that matter and are not confirmed."""
    return sum(column.waits for column in plan.columns)


def _named(plan: Plan, wanted: list[str]) -> list[str]:
    """Returns the columns of a release that have a domain, or those with one that are named.

    Raises:
        ParameterError: There is no such column, or it has no domain.
    """
    having = {column.name for column in plan.columns if column.domain is not None}
    for name in wanted:
        if name not in having:
            known = any(column.name == name for column in plan.columns)
            reason = "has no domain" if known else "is not in the plan"
            remedy = "Declare what it can hold, or leave it out." if known else "See the plan."
            raise ParameterError(f"{name} {reason}.", remedy=remedy)
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
    from dpdesk.i18n import first_names
    from dpdesk.numbers.calendar import date_unit
    from dpdesk.plan.column import SOURCES
    from dpdesk.plan.given_answers import RARE

    state = "confirmed already" if entry["confirmed"] else SOURCES[entry["provenance"]]
    if "categories" in entry:
        what = f"{entry['categories']:,} categories"
    else:
        unit = f" {entry['unit']}" if entry["unit"] else ""
        what = f"{entry['lower']} to {entry['upper']}{unit} in steps of {entry['step']}"
        if date_unit(entry["unit"]):
            what = f"{entry['lower']} to {entry['upper']} by {entry['step']}"
    print(plain(f"{entry['column']}: {entry['kind']}, {what}; {state}"))
    if "categories" in entry:
        print(plain(f"  {first_names(entry['values'], _SHOWN)}"))
    if entry.get("asked"):
        print(plain(f"  asked only where {entry['asked']}: the report publishes this"))
        if why := entry["of_asked_withheld"]:
            print(f"  the share answered among those asked will not be told: {why}")
    if entry.get("contradicted"):
        print(plain(f"  {entry['contradicted']}"))
    if entry.get("rare"):
        fewer = f"with fewer than {RARE} answers"
        print(plain(f"  {entry['rare']:,} {fewer}: {first_names(entry['rare_values'], _SHOWN)}"))
    if entry.get("sentences"):
        print(f"  {entry['sentences']:,} with blanks or digits beside letters, like free text")
    if entry.get("at_bounds"):
        bounds = "1 bound has" if entry["at_bounds"] == 1 else "both bounds have"
        declared = shlex.quote(f"{entry['column']}={entry['rounder']}")
        rounder = f"; rounder: --declare {declared}"
        print(plain(f"  {bounds} fewer than {RARE} answers{rounder if entry['rounder'] else ''}"))
    if entry.get("not_in_data"):
        print("  the data have no such column")
    for key, words in (("outside", "outside"), ("rounded", "between the steps")):
        if entry.get(key):
            print(f"  {_answers(entry[key])} {words}")


def _answers(count: int) -> str:
    return "1 answer" if count == 1 else f"{count:,} answers"
