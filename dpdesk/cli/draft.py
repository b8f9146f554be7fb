"""`dpdesk draft`: a first plan for a survey."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.files import add_input, add_output, add_settings
from dpdesk.cli.options import add_reading, refuse_ignored
from dpdesk.cli.terminal import plain
from dpdesk.errors import ParameterError

if TYPE_CHECKING:
    from decimal import Decimal

    from dpdesk.plan import Plan

_WEIGHT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,30})?")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk draft`."""
    parser.description = (
        "Writes a plan with a suggestion for every column: kind, domain, and the mechanism of "
        "least error. Columns that look like identifiers are dropped. What is suggested from the "
        "data must be confirmed as public knowledge before a release."
    )
    add_input(parser, "data", metavar="DATA", help="the survey, CSV or TSV")
    add_output(parser, "-o", "--out", required=True, metavar="PLAN.json", help="the plan to write")
    parser.add_argument(
        "--epsilon",
        metavar="TOTAL",
        help="epsilon of all protected columns together, split evenly (default: 1 for each)",
    )
    add_settings(
        parser,
        "--set",
        metavar="COLUMN=MECHANISM:EPSILON[,NAME=VALUE...]",
        help="protect a column with this mechanism, epsilon and further parameters; @FILE for "
        "VALUE reads rows from a CSV file; may be repeated",
    )
    parser.add_argument(
        "--strategy",
        choices=("spl", "smp", "rsfd", "rsrfd"),
        default="spl",
        help="what a respondent reports: every attribute (spl, the default), one drawn at random "
        "(smp), one with fakes for the others (rsfd), or with realistic fakes (rsrfd)",
    )
    parser.add_argument(
        "--fakes",
        choices=("zeros", "random"),
        default="zeros",
        help="what the bits of a fake report encode under rsfd: no category, or a random one",
    )
    parser.add_argument(
        "--expected",
        action="append",
        default=[],
        metavar="COLUMN=W1,W2,...",
        help="expected weight of each category, in the order of the domain; may be repeated",
    )
    parser.add_argument(
        "--drop", action="append", default=[], metavar="COLUMN", help="leave a column out"
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="COLUMN",
        help="release a column as it is, WITHOUT protection",
    )
    parser.add_argument(
        "--confirm-domains",
        action="store_true",
        help="confirm that every suggested domain, and how the file is read, is public knowledge",
    )
    parser.add_argument(
        "--confirmed-by", default="", metavar="NAME", help="who confirms, for the report"
    )
    add_input(parser, "--codebook", metavar="CODEBOOK.json", help="kinds, labels and domains")
    add_reading(parser)


def run(options: argparse.Namespace) -> int:
    """Drafts a plan, writes it, and says what is left to decide."""
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.cli.setting import with_setting
    from dpdesk.data.codebook import load_codebook
    from dpdesk.plan import (
        BUDGET_MAX,
        choose_best,
        confirm_domains,
        draft_table,
        protect_unassigned,
        save_plan,
        total_epsilon,
    )

    if options.strategy != "rsfd":
        refuse_ignored(options, {"fakes"}, "without --strategy rsfd")
    if not options.confirm_domains:
        refuse_ignored(options, {"confirmed_by"}, "without --confirm-domains")
    total = None if options.epsilon is None else _total(options.epsilon)
    codebook = None if options.codebook is None else load_codebook(options.codebook)
    plan = draft_table(look_at_survey(options), codebook)
    plan = plan.with_fields(strategy=options.strategy, fakes=options.fakes)
    for name in options.drop:
        plan = _column(plan, name).with_column(name, role="drop")
    for name in options.keep:
        plan = _column(plan, name).with_column(name, role="keep", keep_confirmed=True)
    for setting in options.set:
        plan = with_setting(plan, setting)
    for weights in options.expected:
        plan = _with_expected(plan, weights)
    plan = protect_unassigned(plan, total)
    if total is None and plan.strategy != "spl":
        # What is best depends on how many attributes there are, which is known only now.
        plan = choose_best(plan)
    used = total_epsilon(plan)
    # More than a budget can be is no budget: thousands of columns at epsilon 1.
    plan = plan.with_fields(budget=total or (used if 0 < used <= BUDGET_MAX else None))
    if options.confirm_domains:
        plan = confirm_domains(plan, options.confirmed_by)
    save_plan(plan, options.out, overwrite=options.overwrite)
    _print_summary(plan, options.out)
    return ExitCode.OK


def _total(text: str) -> Decimal:
    """Reads a total, which may exceed what one attribute can have."""
    from decimal import Decimal

    from dpdesk.plan import BUDGET_MAX

    whole, _, digits = text.partition(".")
    if not (whole.isascii() and whole.isdigit() and len(whole) <= 4) or (
        "." in text and not (digits.isascii() and digits.isdigit() and len(digits) <= 12)
    ):
        raise ParameterError(
            "The total epsilon is not a number.", remedy="Type a number such as 8 or 2.5."
        )
    total = Decimal(text)
    if not 0 < total <= BUDGET_MAX:
        raise ParameterError(
            f"The total epsilon must be above 0 and at most {BUDGET_MAX:,}.",
            remedy="Type a number such as 8.",
        )
    return total


def _column(plan: Plan, name: str) -> Plan:
    if all(column.name != name for column in plan.columns):
        raise ParameterError(
            f"The survey has no column {name}.",
            remedy="Write the name exactly as in the file's first line.",
        )
    return plan


def _with_expected(plan: Plan, setting: str) -> Plan:
    from decimal import Decimal

    name, _, weights = setting.rpartition("=")
    texts = weights.split(",")
    if not name or not all(_WEIGHT.fullmatch(text) for text in texts):
        raise ParameterError(
            f"--expected {setting} is not of the form COLUMN=W1,W2,... with a weight for each "
            "category.",
            remedy="Write, for example, --expected smoker=0.2,0.8",
        )
    expected = tuple(Decimal(text) for text in texts)
    return _column(plan, name).with_column(name, expected=expected)


def _print_summary(plan: Plan, path: Path) -> None:
    from dpdesk.cost import format_epsilon
    from dpdesk.plan import (
        check,
        errors_of,
        hides_the_attribute,
        loss_of_one_attribute,
        nominal_epsilon,
        total_epsilon,
    )
    from dpdesk.report.number_text import epsilon_up

    for column in plan.columns:
        what = {"keep": "kept as it is", "drop": "dropped", "unassigned": "not assigned"}.get(
            column.role, ""
        )
        if column.mechanism is not None and column.role == "protect":
            epsilon = format_epsilon(column.mechanism.epsilon)
            what = f"{column.mechanism.short}, epsilon {epsilon}"
        print(f"{plain(column.name)}: {column.kind}, {what}")
    print(f"total epsilon {format_epsilon(total_epsilon(plan))}; plan written to {path}")
    if hides_the_attribute(plan):
        print(
            f"of a single attribute {epsilon_up(loss_of_one_attribute(plan))}; the papers on this "
            f"strategy call it epsilon {nominal_epsilon(plan):.4f}"
        )
    errors = errors_of(check(plan))
    if errors:
        print(f"{len(errors)} things to settle before a release:", file=sys.stderr)
        for problem in errors:
            print(f"  {plain(str(problem))}", file=sys.stderr)
