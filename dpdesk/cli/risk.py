"""`dpdesk risk`: how recognisable the respondents of a file, or of what a plan keeps, are."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import (
    add_choice,
    add_input,
    add_reading,
    add_release,
    add_repeated,
    add_value,
)
from dpdesk.cli.simulation import words
from dpdesk.cli.terminal import plain, print_facts, print_json
from dpdesk.cli.texts import T
from dpdesk.cli.values import whole
from dpdesk.errors import ParameterError
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.disclosure.measure import Missing
    from dpdesk.plan import Plan
    from dpdesk.preview.recognisable import Measured, RiskWish

DESCRIPTION = (
    "Says how recognisable the respondents of a file are by what others may know of them: how "
    "many are the only one with their answers, which columns do it, what the groups tell about "
    "a sensitive answer, and what would help. Nothing is released or written."
)

_PRIVATE = "PRIVATE: computed from the survey's true answers, for the holder of the data only."
_PUBLIC = "Computed from released columns alone: whoever holds the release can do the same."


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk risk`."""
    data = "the survey, or the folder of a release, of which the kept columns are judged"
    add_release(parser, "data", table=True, metavar="DATA_OR_FOLDER", help=data)
    quasi = (
        "quasi-identifiers: columns that an outsider may know of a person (default: those that "
        "the plan keeps; without a plan a suggestion, which is shown)"
    )
    add_value(parser, "--quasi", "COLUMN,COLUMN,...", quasi, read=words)
    add_input(
        parser,
        "--plan",
        metavar="PLAN.json",
        help="judge the columns that this plan keeps, with its codes of missing answers",
    )
    sensitive = "column that an outsider wants to learn; may be repeated"
    add_repeated(parser, "--sensitive", "COLUMN", sensitive)
    weights = "column that says for how many people each respondent stands"
    add_value(parser, "--weights", "COLUMN", weights)
    groups = "count groups of fewer respondents than this (default: 5)"
    add_value(parser, "--k", "SIZE", groups, read=whole, default=5)
    missing = (
        "whether a missing cell is a value of its own, or matches any value (default: value); the "
        "latter has no groups, and nothing that needs them"
    )
    grouped = [
        Unused(lambda options: bool(options.sensitive), "beside --sensitive, which needs groups"),
        Unused(lambda options: options.weights is not None, "beside --weights, which need groups"),
    ]
    add_choice(parser, "--missing", ("value", "any"), missing, default="value", unused=grouped)
    records = "how many of the riskiest records are listed, by their number (default: 5)"
    any_value = Unused(lambda options: options.missing == "any", "beside --missing any")
    add_value(parser, "--records", "N", records, read=whole, default=5, unused=[any_value])
    add_reading(parser)


def run(options: argparse.Namespace) -> int:
    """Prints how recognisable the respondents are."""
    from dpdesk.disclosure.facts import change_facts, risk_facts, special_facts
    from dpdesk.facts import Facts

    answer, is_public, suggested = measured_risk(options)
    risk, special = answer.risk, answer.special
    found = Facts.of(
        *risk_facts(risk),
        *(() if special is None else special_facts(special, options.records)),
        *change_facts((one.change for one in answer.changes), risk.threshold),
    )
    if options.json:
        first = {"private": not is_public, "quasi_identifiers_suggested": suggested}
        print_json(first | found.entry())
        return ExitCode.OK
    print(_PUBLIC if is_public else _PRIVATE)
    if answer.keeps_none:
        print(T.OF_FILE())
    print_facts(found)
    return ExitCode.OK


def measured_risk(options: argparse.Namespace) -> tuple[Measured, bool, bool]:
    """Returns how recognisable the respondents are.

    Returns:
        The risk; whether it is that of a public file; whether its quasi-identifiers are suggested.
    """
    from dpdesk.cli.progress import progress_bar
    from dpdesk.plan import Plan
    from dpdesk.preview.recognisable import measured

    table, plan, is_public = _open(options)
    wish, suggested = _wish(options, table, plan, is_public=is_public)
    with progress_bar() as tracker:
        answer = measured(table, Plan() if plan is None else plan, wish, tracker)
    return answer, is_public, suggested


def _open(options: argparse.Namespace) -> tuple[SurveyTable, Plan | None, bool]:
    """Reads the survey or the records of a release, and the plan; says whether it is public."""
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.data.place import Place
    from dpdesk.data.read_records import is_release, read_records
    from dpdesk.plan import load_plan
    from dpdesk.plan.column_changes import keep_as_they_are

    plan = None if options.plan is None else load_plan(options.plan)
    if isinstance(options.data, Place) or not is_release(options.data):
        return look_at_survey(options, plan), plan, False
    from dpdesk.releases.opened import plan_of_records

    plan = load_plan(plan_of_records(options.data, options.plan)) if plan is None else plan
    # The records are on their levels already.
    plan = keep_as_they_are(plan, [column.name for column in plan.kept])
    return read_records(options.data), plan, True


def _wish(
    options: argparse.Namespace, table: SurveyTable, plan: Plan | None, *, is_public: bool
) -> tuple[RiskWish, bool]:
    """Returns what is asked, and whether its quasi-identifiers are a suggestion."""
    from dpdesk.plan.recognisable import kept_answers
    from dpdesk.preview.recognisable import RiskWish

    quasi, sensitive, is_suggested = options.quasi or (), tuple(options.sensitive), False
    if options.quasi is None:
        if plan is None:
            quasi, sensitive = _suggested(table, sensitive, options.missing)
            is_suggested = True
        elif not (quasi := kept_answers(plan)):
            raise ParameterError(T.NOTHING_UNPROTECTED())
    elif is_public:
        _refuse_protected(plan, (*quasi, *sensitive))
    wish = RiskWish(quasi, sensitive, options.weights, options.k, options.missing)
    return wish, is_suggested


def _refuse_protected(plan: Plan | None, names: tuple[str, ...]) -> None:
    """Refuses columns of a release that are not released as they are."""
    kept = () if plan is None else tuple(column.name for column in plan.kept)
    for name in names:
        if name not in kept:
            raise ParameterError(T.NOT_UNPROTECTED(name=name, kept=kept or T.NO_VARIABLE()))


def _suggested(
    table: SurveyTable, sensitive: tuple[str, ...], missing: Missing
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns suggested quasi-identifiers, and sensitive columns where none is named."""
    from dpdesk.preview.recognisable import RiskWish, chosen

    _, quasi, wanted = chosen(table, None, RiskWish(sensitive=sensitive or None))
    if missing == "any":
        # There are no groups to tell something of them.
        wanted = sensitive
    if quasi:
        print(T.SUGGESTED_QUASI(names=plain(shlex.quote(",".join(quasi)))), file=sys.stderr)
    if wanted and not sensitive:
        listed = " ".join(f"--sensitive {shlex.quote(name)}" for name in wanted)
        print(T.SUGGESTED_SENSITIVE(names=plain(listed)), file=sys.stderr)
    return quasi, wanted
