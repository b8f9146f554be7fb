"""`dpdesk draft`: a first plan for a survey."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from dpdesk.cli.column_settings import (
    ASKED,
    DECLARATION,
    EVERY_COLUMN,
    EXPECTED,
    KIND,
    MECHANISM,
    MISSING,
    WHO_WAS_ASKED,
    add_analyses,
    column_setting,
    no_column,
    settings_once,
    with_analyses,
)
from dpdesk.cli.draft_summary import print_rare_answers, print_summary
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.open_questions import print_open_questions
from dpdesk.cli.options import (
    WHAT_IS_DECLARED,
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
from dpdesk.cli.terminal import print_note
from dpdesk.cli.texts import T
from dpdesk.cli.typed_mechanism import read_mechanism
from dpdesk.cli.values import whole
from dpdesk.cli.whose_rows import add_whose_rows, with_whose_rows
from dpdesk.errors import ParameterError, invalid_fields
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from decimal import Decimal

    from dpdesk.data.joined_question import JoinedColumns
    from dpdesk.data.missing_codes import TypedCodes
    from dpdesk.data.table import SurveyTable
    from dpdesk.domains import ColumnKind
    from dpdesk.plan import Plan

DESCRIPTION = (
    "Writes a plan with a suggestion for every variable: kind, possible answers and mechanism. "
    "Suggestions from the data must be confirmed as public knowledge before a release ('dpdesk "
    "confirm'). A codebook, or a file with the names of its columns alone, is enough."
)

_WEIGHT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,30})?")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk draft`."""
    survey = "the survey; the names of its columns alone are enough (left out: the codebook's)"
    add_input(parser, "data", table=True, nargs="?", metavar="DATA", help=survey)
    add_output(parser, "-o", "--out", required=True, metavar="PLAN.json", help="the plan to write")
    total = "epsilon of a respondent's whole record, split evenly over the columns (default: 4)"
    add_value(parser, "--epsilon", "TOTAL", total)
    setting = "protect a column like this; @FILE for VALUE reads rows from CSV; may be repeated"
    add_settings(parser, "--set", files=_matrices, metavar=MECHANISM.form, help=setting)
    purpose = (
        "what people will do with the records: shares and means only, tables and models across "
        "questions, or a file that looks like the old one; sets mechanisms and strategy"
    )
    add_choice(parser, "--purpose", ("shares", "tables", "file"), purpose)
    add_analyses(parser)
    strategy = (
        "what a respondent reports: every attribute (spl), one drawn at random (smp), one with "
        "fakes for the others (rsfd), or with realistic fakes (rsrfd); default: by the purpose"
    )
    add_choice(parser, "--strategy", ("spl", "smp", "rsfd", "rsrfd"), strategy)
    no_bits = Unused(lambda options: options.strategy != "rsfd", "without --strategy rsfd")
    fakes = "what the bits of a fake report encode under rsfd: no category, or a random one"
    add_choice(parser, "--fakes", ("zeros", "random"), fakes, default="zeros", unused=[no_bits])
    weights = "expected weight of each category, in the order of the domain; may be repeated"
    add_repeated(parser, "--expected", EXPECTED.form, weights)
    add_repeated(parser, "--declare", "COLUMN=DOMAIN", T.HELP_DECLARE(forms=WHAT_IS_DECLARED))
    kinds = (
        "the kind of a column: nominal, ordinal, binary, several, integer, real, date, identifier "
        "or weight; may be repeated"
    )
    add_repeated(parser, "--kind", KIND.form, kinds)
    missing = (
        "codes of no answer, ranges (97..99) and labels; and what becomes of missing answers: "
        "protect (with the share expected, 20%%), category, value, blank (UNPROTECTED: who "
        "answered is public) or none; *=CODE,... for every column; may be repeated"
    )
    add_repeated(parser, "--missing", MISSING.form, missing)
    add_repeated(parser, "--asked", ASKED.form, WHO_WAS_ASKED)
    kept = (
        "what looks like a code of no answer in this column is an answer; *=CODE,... for every "
        "column; may be repeated"
    )
    add_repeated(parser, "--answers", "COLUMN", kept)
    add_repeated(parser, "--drop", "COLUMN", "leave a column out")
    add_repeated(parser, "--keep", "COLUMN", "release a column as it is, WITHOUT protection")
    weights = "the column of survey weights, which is released as it is, WITHOUT protection"
    add_text(parser, "--weights", "COLUMN", weights)
    add_whose_rows(parser)
    people = "respondents that are expected (default: the rows of the survey)"
    add_value(parser, "--respondents", "N", people, read=whole)
    add_text(parser, "--title", "TEXT", "title of the release, for the report")
    add_text(parser, "--curator", "NAME", "who releases, for the report")
    add_text(parser, "--use", "TEXT", "what the release is for, for the report")
    public = "confirm that every suggested domain, and how the file is read, is public knowledge"
    add_flag(parser, "--confirm-domains", public)
    nobody = Unused(lambda options: not options.confirm_domains, "without --confirm-domains")
    add_text(parser, "--confirmed-by", "NAME", "who confirms, for the report", unused=[nobody])
    book = (
        "kinds, labels, domains and codes of missing answers: a JSON list of entries, or a table "
        "like the codebook.csv of a release"
    )
    add_input(parser, "--codebook", metavar="CODEBOOK", help=book)
    add_reading(parser)


def run(options: argparse.Namespace) -> int:
    """Drafts a plan, writes it, and says what is left to decide."""
    from dpdesk.plan import save_plan
    from dpdesk.plan.checks.table import AnswerChecks

    plan, table = drafted(options)
    save_plan(plan, options.out, overwrite=options.overwrite)
    answers = AnswerChecks()
    print_summary(plan, options, table, answers)
    if table is not None:
        print_open_questions(plan, table, answers, options.drop)
    return ExitCode.OK


def drafted(options: argparse.Namespace) -> tuple[Plan, SurveyTable | None]:
    """Returns a plan for a survey, and the survey if there is one."""
    from dpdesk.cost import format_epsilon
    from dpdesk.plan import confirm_domains, protect_unassigned, total_epsilon
    from dpdesk.plan.budget import DEFAULT_BUDGET
    from dpdesk.plan.protection import serving_strategy

    total = DEFAULT_BUDGET if options.epsilon is None else _total(options.epsilon)
    plan, table = _described(options)
    # Without a default of the option, so that a strategy that was typed is told from none.
    plan = plan.with_fields(strategy=options.strategy or "spl", fakes=options.fakes)
    for name in options.drop:
        plan = _column(plan, name, "--drop").with_column(name, role="drop")
    plan = _with_unit(plan, table, options)
    for name in options.keep:
        plan = _column(plan, name, "--keep")
        plan = plan.with_column(name, role="keep", keep_confirmed=True)
    for setting in options.set:
        plan = with_setting(plan, setting)
    for weights in options.expected:
        plan = _with_expected(plan, weights)
    unassigned = (column for column in plan.columns if column.role == "unassigned")
    waiting = [column for column in unassigned if column.effective_domain is not None]
    plan = with_analyses(plan.with_fields(purpose=options.purpose), options.analysis)
    if options.strategy is None:
        plan = plan.with_fields(strategy=serving_strategy(plan))
    if options.epsilon is not None and not (waiting or plan.protected):
        raise ParameterError(T.NOTHING_TO_SPLIT())
    # What --set names is locked: the budget is not split where nothing else is protected.
    if waiting:
        plan = protect_unassigned(plan, total)
    used = total_epsilon(plan)
    if options.epsilon is not None and used > total:
        raise ParameterError(T.OVER_TOTAL(used=format_epsilon(used), total=format_epsilon(total)))
    if used <= total:
        plan = plan.with_fields(budget=total)
    if options.confirm_domains:
        written = frozenset[str]() if table is None else print_rare_answers(plan, table)
        names = {column.name for column in plan.columns} - written
        plan = confirm_domains(plan, options.confirmed_by, names)
    return plan, table


def _with_unit(plan: Plan, table: SurveyTable | None, options: argparse.Namespace) -> Plan:
    from dpdesk.plan.persons import set_unit

    unit = with_whose_rows(plan.statistics.unit, options)
    if options.respondent is not None:
        _column(plan, options.respondent, "--respondent")
    joined_rows = None if table is None else table.reading.joined_rows
    return set_unit(plan, unit, table, joined_rows)


def _suggest(question: JoinedColumns) -> None:
    """Says which columns look like one question; nothing is joined that nobody asked for."""
    import shlex

    words = shlex.join(["--together", question.written])
    print_note(T.ONE_QUESTION(count=len(question.in_file), name=question.name, words=words))


def _described(options: argparse.Namespace) -> tuple[Plan, SurveyTable | None]:
    """Returns the plan of what the survey is, before its protection, and the survey if any."""
    from dpdesk.cli.declaration import with_declared, with_kind
    from dpdesk.cli.reading import look_at_survey, with_names_declared
    from dpdesk.data.codebook import load_codebook
    from dpdesk.data.joined_columns import questions_in
    from dpdesk.data.missing_codes import read_codes
    from dpdesk.plan import declare_missing, draft_codebook, draft_table
    from dpdesk.plan.code_decisions import decide_codes
    from dpdesk.plan.declared_routing import declare_asked
    from dpdesk.plan.open_questions import SuspectedCodes, decide

    if options.data is None and options.codebook is None:
        raise ParameterError(T.NOTHING_TO_DRAFT())
    codebook = None if options.codebook is None else load_codebook(options.codebook)
    table = None if options.data is None else look_at_survey(options, names_alone=True)
    for question in () if table is None else questions_in(table):
        _suggest(question)
    if table is None:
        plan = draft_codebook(codebook or {})
    else:
        plan = with_names_declared(options, draft_table(table, codebook))
    declared = settings_once(plan, options.declare, DECLARATION)
    kinds = {name: _kind(k, name) for name, k in settings_once(plan, options.kind, KIND).items()}
    named = {column.name for column in plan.columns}
    coded = [_missing_of(plan, one) for one in options.missing if not _of_every(one, named)]
    codes = {name: tokens for name, tokens, _, _ in coded}
    for name, kind in kinds.items():
        if name in codes:
            # Read off the answers without these codes.
            missing = plan.column(name).missing.with_codes(codes[name])
            plan = plan.with_column(name, missing=missing)
        # What is declared is not read off the answers.
        plan = with_kind(plan, None if name in declared else table, name, kind)
    for name, content in declared.items():
        plan = with_declared(plan, name, content, kinds.get(name))
    for name, tokens, policy, value in coded:
        known = name in kinds or name in declared
        plan = declare_missing(plan, None if known else table, name, tokens, policy, value)
    for name in options.answers:
        table = _required(table, "--answers")
        if _of_every(name, named):
            continue
        plan = _column(plan, name, "--answers")
        plan = decide(plan, table, name, SuspectedCodes, first=False)
        if name in kinds:
            # With these answers the column may look like another kind than the one it was given.
            plan = with_kind(plan, table, name, kinds[name])
    # What was said of one column comes first.
    for option, settings in (("--missing", options.missing), ("--answers", options.answers)):
        for setting in settings:
            if _of_every(setting, named):
                codes_named = read_codes(setting.removeprefix(f"{EVERY_COLUMN}="), ",")
                table = _required(table, option)
                plan = decide_codes(plan, table, codes_named, first=option == "--missing")
    for name, typed in settings_once(plan, options.asked, ASKED).items():
        plan = declare_asked(plan, name, typed)
    if options.weights:
        name = options.weights
        plan = with_kind(_column(plan, name), table, name, "weight")
        plan = plan.with_column(name, role="keep", keep_confirmed=True)
    return _with_head(plan, options), table


def _of_every(setting: str, names: set[str]) -> bool:
    """Whether a setting is of every column in which its codes are suspected."""
    return setting.startswith(f"{EVERY_COLUMN}=") and EVERY_COLUMN not in names


def _required(table: SurveyTable | None, option: str) -> SurveyTable:
    if table is None:
        raise ParameterError(T.NEEDS_SURVEY(option=option))
    return table


def _kind(word: str, name: str) -> ColumnKind:
    from dpdesk.domains import COLUMN_KINDS

    for kind in COLUMN_KINDS:
        if kind == word:
            return kind
    raise ParameterError(T.NO_KIND(name=name, kinds=COLUMN_KINDS))


def _with_head(plan: Plan, options: argparse.Namespace) -> Plan:
    """Returns the plan with the head of its report, and the respondents that are expected."""
    from pydantic import ValidationError

    plan = with_details(plan, title=options.title, curator=options.curator, use=options.use)
    respondents = plan.respondents if options.respondents is None else options.respondents
    try:
        return plan.with_fields(respondents=respondents)
    except ValidationError as error:
        first = invalid_fields(error)[0]
    raise ParameterError(f"--{first.place[-1]}: {first.sentence}.") from None


def with_details(plan: Plan, **given: str) -> Plan:
    """Returns a plan with the head of its report.

    Args:
        plan: The plan.
        **given: The options by their names: title, curator and use. An empty one changes nothing.

    Raises:
        ParameterError: A text is too long.
    """
    from pydantic import ValidationError

    from dpdesk.plan import PlanDetails

    said = {"intended_use" if word == "use" else word: text for word, text in given.items() if text}
    try:
        return plan.with_fields(details=PlanDetails(**(plan.details.model_dump() | said)))
    except ValidationError as error:
        first = invalid_fields(error)[0]
    option = {"intended_use": "use"}.get(place := str(first.place[-1]), place)
    raise ParameterError(f"--{option}: {first.sentence}.") from None


def _total(text: str) -> Decimal:
    """Reads a total, which may exceed what one attribute can have."""
    from decimal import Decimal

    from dpdesk.plan import BUDGET_MAX

    total = Decimal(text) if re.fullmatch(r"[0-9]{1,40}(\.[0-9]{1,12})?", text) else Decimal()
    if not 0 < total <= BUDGET_MAX:
        raise ParameterError(T.BAD_TOTAL(most=int(BUDGET_MAX)))
    return total


def _column(plan: Plan, name: str, option: str = "") -> Plan:
    if all(column.name != name for column in plan.columns):
        raise no_column(name, option)
    return plan


def _matrices(setting: str) -> list[str]:
    """Returns the names of the files that a setting reads matrices from."""
    return re.findall(r"=@([^,]+)", setting)


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
    name, choice = column_setting(plan, setting, MECHANISM)
    column = plan.column(name)
    mechanism = read_mechanism(choice, setting)
    domain = column.effective_domain
    if domain is None:
        raise ParameterError(T.NOTHING_TO_PROTECT(name=name, kind=column.kind))
    mechanism.require_fit(domain)
    return plan.with_column(name, role="protect", mechanism=mechanism, locked=True)


def _missing_of(plan: Plan, setting: str) -> tuple[str, TypedCodes, str, str]:
    """Returns column, codes, policy and value of a setting."""
    from dpdesk.data.missing_codes import read_codes

    name, wanted = column_setting(plan, setting, MISSING)
    codes, _, treated = _outside_quotes(wanted)
    policy, _, value = treated.partition(":")
    return name, read_codes(codes, ","), policy, value


def _outside_quotes(wanted: str) -> tuple[str, str, str]:
    """Parts the codes from the policy at the first colon that no quotation marks enclose."""
    codes = re.match(r'(?:"[^"]*"|[^":])*', wanted)
    end = codes.end() if codes else 0
    return wanted[:end], wanted[end : end + 1], wanted[end + 1 :]


def _with_expected(plan: Plan, setting: str) -> Plan:
    from decimal import Decimal

    name, _, weights = setting.rpartition("=")
    texts = weights.split(",")
    if not name or not all(_WEIGHT.fullmatch(text) for text in texts):
        raise EXPECTED.refused(setting)
    expected = tuple(Decimal(text) for text in texts)
    return _column(plan, name).with_column(name, expected=expected)
