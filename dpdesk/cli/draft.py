"""`dpdesk draft`: a first plan for a survey."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import (
    Unused,
    add_choice,
    add_flag,
    add_input,
    add_output,
    add_reading,
    add_repeated,
    add_settings,
    add_text,
    add_value,
)
from dpdesk.cli.terminal import plain
from dpdesk.errors import ParameterError

if TYPE_CHECKING:
    from decimal import Decimal

    from pydantic import ValidationError

    from dpdesk.data.table import SurveyTable
    from dpdesk.mechanisms import Mechanism
    from dpdesk.plan import Plan

MISSING_FORM = "COLUMN=CODE,CODE,...[:POLICY[:VALUE]]"
FORM = "COLUMN=MECHANISM:EPSILON[,NAME=VALUE...]"

_CHOICE = re.compile(r"([a-z_]+)(?::([^,]*))?((?:,[a-z_]+=[^,]*)*)")
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
    total = "epsilon of all protected columns together, split evenly (default: 1 for each)"
    add_value(parser, "--epsilon", "TOTAL", total)
    add_settings(
        parser,
        "--set",
        metavar=FORM,
        help="protect a column with this mechanism, epsilon and further parameters; @FILE for "
        "VALUE reads rows from a CSV file; may be repeated",
    )
    strategy = (
        "what a respondent reports: every attribute (spl, the default), one drawn at random "
        "(smp), one with fakes for the others (rsfd), or with realistic fakes (rsrfd)"
    )
    add_choice(parser, "--strategy", ("spl", "smp", "rsfd", "rsrfd"), strategy, default="spl")
    no_bits = Unused(lambda options: options.strategy != "rsfd", "without --strategy rsfd")
    fakes = "what the bits of a fake report encode under rsfd: no category, or a random one"
    add_choice(parser, "--fakes", ("zeros", "random"), fakes, default="zeros", unused=[no_bits])
    weights = "expected weight of each category, in the order of the domain; may be repeated"
    add_repeated(parser, "--expected", "COLUMN=W1,W2,...", weights)
    missing = (
        "codes of a column that mean no answer, and what becomes of missing answers: protect, "
        "category, value, blank (UNPROTECTED: who answered is public) or none, with the category "
        "or value; may be repeated"
    )
    add_repeated(parser, "--missing", MISSING_FORM, missing)
    add_repeated(parser, "--drop", "COLUMN", "leave a column out")
    add_repeated(parser, "--keep", "COLUMN", "release a column as it is, WITHOUT protection")
    public = "confirm that every suggested domain, and how the file is read, is public knowledge"
    add_flag(parser, "--confirm-domains", public)
    nobody = Unused(lambda options: not options.confirm_domains, "without --confirm-domains")
    add_text(parser, "--confirmed-by", "NAME", "who confirms, for the report", unused=[nobody])
    add_input(parser, "--codebook", metavar="CODEBOOK.json", help="kinds, labels and domains")
    add_reading(parser)


def run(options: argparse.Namespace) -> int:
    """Drafts a plan, writes it, and says what is left to decide."""
    from dpdesk.cli.reading import look_at_survey
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

    total = None if options.epsilon is None else _total(options.epsilon)
    codebook = None if options.codebook is None else load_codebook(options.codebook)
    table = look_at_survey(options)
    plan = draft_table(table, codebook)
    for setting in options.missing:
        plan = _with_missing(plan, table, setting)
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
        raise _no_column(name)
    return plan


def _no_column(name: str) -> ParameterError:
    return ParameterError(
        f"The survey has no column {name}.",
        remedy="Write the name exactly as in the file's first line.",
    )


def with_setting(plan: Plan, setting: str) -> Plan:
    """Returns the plan with a column protected as a setting says, locked against later splits.

    Args:
        plan: The plan.
        setting: A column's name, a mechanism, its epsilon (left out where it follows from the
            other parameters) and other parameters, such as "age=duchi:1.5",
            "region=rappor:2,hashes=1" or "region=pram,matrix=@matrix.csv". A value that begins
            with @ names a CSV file of rows.

    Raises:
        ParameterError: The setting is not of this form, or names no column, mechanism or
            parameter, or a value is not possible.
        InputError: A file cannot be read.
    """
    name, choice = _parted(plan, setting)
    column = plan.column(name)
    mechanism = _mechanism(choice, setting)
    domain = column.effective_domain
    if domain is None:
        raise ParameterError(
            f"{name} is of kind {column.kind} and has no domain, so no mechanism can protect it.",
            remedy="Drop it, or give it a domain in the plan's file or in the window.",
        )
    mechanism.require_fit(domain)
    return plan.with_column(name, role="protect", mechanism=mechanism, locked=True)


def _parted(plan: Plan, setting: str, form: str = FORM) -> tuple[str, str]:
    """Returns the column's name, which may hold any character, and what follows it."""
    names = [c.name for c in plan.columns if setting.startswith(f"{c.name}=")]
    if names:
        name = max(names, key=len)
        return name, setting[len(name) + 1 :]
    name, equals, _ = setting.partition("=")
    if not name or not equals:
        raise _not_of_form(setting, form)
    raise _no_column(name)


def _mechanism(choice: str, setting: str) -> Mechanism:
    from pydantic import ValidationError

    from dpdesk.cost import parse_epsilon
    from dpdesk.data.matrix_file import read_matrix
    from dpdesk.mechanisms import mechanism_named

    parts = _CHOICE.fullmatch(choice)
    if parts is None:
        raise _not_of_form(setting)
    kind, epsilon, more = parts.groups()
    declared = mechanism_named(kind)
    if epsilon is None and declared.adjustable:
        raise _not_of_form(setting)
    fields: dict[str, object] = {"kind": kind}
    if epsilon is not None:
        fields["epsilon"] = parse_epsilon(epsilon)
    for assignment in more.split(",")[1:]:
        name, _, value = assignment.partition("=")
        if name in fields:
            raise ParameterError(
                f"The parameter {name} of {declared.short} is given twice.",
                remedy="Leave one of them out.",
            )
        if name not in declared.model_fields:
            others = [n for n in declared.model_fields if n not in {"kind", "epsilon"}]
            raise ParameterError(
                f"{declared.short} has no parameter {name}.",
                remedy=f"It has: {', '.join(others)}." if others else "It has only an epsilon.",
            )
        fields[name] = read_matrix(Path(value[1:])) if value.startswith("@") else value
    try:
        return declared.model_validate(fields)
    except ValidationError as error:
        raise _refusal(declared, error) from None


def _refusal(declared: type[Mechanism], error: ValidationError) -> ParameterError:
    """Says what pydantic refused, with the parameter's name and without what was typed."""
    found = error.errors(include_input=False, include_url=False)
    # An epsilon that follows from a parameter is missing only because the parameter is.
    first = min(found, key=lambda one: one["loc"] == ("epsilon",))
    place = f", parameter {first['loc'][0]}" if first["loc"] else ""
    reason = first["msg"].removeprefix("Value error, ")
    end = "" if reason.endswith(".") else "."
    return ParameterError(f"{declared.short}{place}: {reason}{end}")


def _not_of_form(setting: str, form: str = FORM) -> ParameterError:
    if form == MISSING_FORM:
        return ParameterError(
            f"--missing {setting} is not of the form {MISSING_FORM}.",
            remedy="Write, for example, --missing age=-9,999 or --missing income=-1:value:0",
        )
    return ParameterError(
        f"--set {setting} is not of the form {FORM}.",
        remedy="Write, for example, --set age=duchi:1.5 or --set region=rappor:2,hashes=1",
    )


def _with_missing(plan: Plan, table: SurveyTable, setting: str) -> Plan:
    from dpdesk.plan import declare_missing

    name, wanted = _parted(plan, setting, MISSING_FORM)
    codes, _, treated = wanted.partition(":")
    policy, _, value = treated.partition(":")
    named = tuple(code for code in codes.split(",") if code)
    return declare_missing(plan, table, name, named, policy, value)


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
            f"epsilon of a single attribute {epsilon_up(loss_of_one_attribute(plan))}; the papers "
            f"on this strategy state epsilon {nominal_epsilon(plan):.4f}"
        )
    errors = errors_of(check(plan))
    if errors:
        print(f"{len(errors)} problems to solve before a release:", file=sys.stderr)
        for problem in errors:
            print(f"  {plain(str(problem))}", file=sys.stderr)
