"""How a command reads a survey: a release as declared, other commands as detected from the file.

What is detected from all records depends on each of them, and would disclose something about them.
So a release reads its file as its plan or the options declare it. Where they are missing or do not
fit the file, the detected reading is shown, and the curator decides.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from dpdesk.cli.options import QUOTES, TOGETHER
from dpdesk.cli.terminal import ask, plain, print_note
from dpdesk.cli.texts import T
from dpdesk.data.joined_columns import joined, suggest_joining
from dpdesk.data.joined_question import JoinedColumns, JoinedRows
from dpdesk.data.layout_file import read_layout
from dpdesk.data.marked_numbers import numbers_in_any_way
from dpdesk.data.missing_codes import read_tokens
from dpdesk.data.read_file import load, load_declared, reading_of
from dpdesk.data.reading import FIXED_WIDTH, HEADER_ROWS_MAX, Reading
from dpdesk.data.source import UnreadableError
from dpdesk.data.survey_platforms import NO_PLATFORM, platform_named
from dpdesk.data.table import SurveyTable
from dpdesk.data.table_format import format_named
from dpdesk.errors import (
    DpdeskError,
    InputError,
    ParameterError,
    PlanError,
    invalid_fields,
)
from dpdesk.numbers import exact_share
from dpdesk.plan import Plan, Problem, grouped
from dpdesk.plan.checks.details import where_no_report_is_written

if TYPE_CHECKING:
    from dpdesk.engine.cluster import Cluster

_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "\\t": "\t"}
CODES_OF_MISREADING = {"too_many_unfit", "answers_outside_domain", "column_not_in_data"}
_DECLARE = "If it is written like this no matter who answered, add: "
_SECONDS = 1
"""A file that is read within them shows no bar."""


def look_at_survey(
    options: argparse.Namespace, plan: Plan | None = None, *, names_alone: bool = False
) -> SurveyTable:
    """Reads the survey of a command that releases nothing; notices go to stderr.

    Args:
        options: The options of the command.
        plan: A plan, whose reading is used where it has one.
        names_alone: Whether the names of the columns are enough.

    Raises:
        InputError: The file cannot be read as it stands.
        ParameterError: An option of reading is not possible.
    """
    parts = _parts(options)
    if plan is not None and plan.reading is not None:
        return _with_notices_printed(_declared(options, _changed(plan.reading, parts)))
    missing, questions = parts.pop("missing", ()), parts.pop("questions", None)
    rows = parts.pop("joined_rows", None)
    with _progress() as told:
        table = load(options.data, names_alone=names_alone, **told, **parts)
    table = replace(table, reading=_changed(table.reading, {"missing": missing}))
    # The file's own questions, unless options say which there are.
    table = joined(table, table.declared if questions is None else questions)
    if rows is not None and not rows.same:
        rows = suggest_joining(table, rows)
        table = replace(table, is_reading_found=True)
    table = joined(table, table.reading.questions, rows)
    return _with_notices_printed(table)


def read_survey(
    options: argparse.Namespace,
    plan: Plan,
    is_stopped: Callable[[], bool],
    cluster: Cluster | None = None,
) -> tuple[SurveyTable, Plan]:
    """Reads the survey of a release by a declared reading, and completes the plan with it.

    Args:
        options: The options of the command.
        plan: Its plan; where it has no reading, options say it, or one question is asked.
        is_stopped: Returns whether the user asked to stop.
        cluster: Whose workers read the parts of a folder; this computer if None.

    Returns:
        The table, and the plan with the reading that was used.

    Raises:
        InputError: The file does not fit the reading; the message says how it seems to be written.
        PlanError: Nothing says how the file is read.
        ParameterError: An option is not possible.
        Cancelled: The user stopped.
    """
    parts = _parts(options)
    if options.allow_unread is not None:
        plan = plan.with_fields(allowed_unfit=_share(options.allow_unread))
    reading, confirmed = plan.reading, plan.reading_confirmed
    if parts:
        reading, confirmed = _changed(reading or Reading(), parts), True
    if reading is None:
        with _progress(is_stopped) as told:
            reading = load(options.data, **told).reading
    confirmed = confirmed or _is_confirmed(options, reading)
    if not confirmed and plan.reading is None:
        raise PlanError(
            f"The plan does not say how {options.data.name} is read. It seems to be written like "
            f"this: {reading.words}.",
            remedy=f"{_DECLARE}{reading.options}",
        )
    table = _with_notices_printed(_declared(options, reading, is_stopped, cluster))
    plan = plan.with_fields(reading=reading, reading_confirmed=confirmed)
    return table, with_names_declared(options, plan)


def with_names_declared(options: argparse.Namespace, plan: Plan) -> Plan:
    """Returns the plan with its names confirmed where an option says that a header holds them."""
    is_declared = options.header_rows is not None and _header_rows(options.header_rows) > 0
    return plan.with_fields(names_confirmed=True) if is_declared else plan


@contextmanager
def hint_of_reading(options: argparse.Namespace, table: SurveyTable) -> Iterator[None]:
    """Adds to a refusal how the file seems to be written, if a wrong reading may be the cause."""
    try:
        yield
    except PlanError as error:
        codes = {getattr(problem, "code", "") for problem in error.problems}
        hint = seems_written(options, table) if codes & CODES_OF_MISREADING else ""
        if "reading_unconfirmed" in codes:
            hint = f"{_DECLARE}{table.reading.options}"
        if not hint:
            raise
        told = PlanError(
            error.message, problems=error.problems, remedy=f"{error.remedy} {hint}".strip()
        )
    else:
        return
    raise told


def seems_written(options: argparse.Namespace, table: SurveyTable) -> str:
    """Returns how a file seems to be written, as a sentence, if reading it so helps.

    Args:
        options: The options of the command.
        table: The file as it was read.
    """
    found = _other_reading(options, table.reading)
    if found is None:
        return ""
    only_decimal = found.model_copy(update={"decimal": table.reading.decimal}) == table.reading
    if only_decimal and not _reads_more(table, found.decimal):
        return ""
    return _advice_to_read(found)


def _reads_more(table: SurveyTable, decimal: str) -> bool:
    """Whether another decimal mark reads all numbers of some column, and no fewer of any."""
    helps = False
    for column in table.columns:
        texts, _ = column.sample_of_rows(table.reading.decimal)
        are_numbers = numbers_in_any_way(texts)
        before, after = (
            texts.rows_with(are_numbers & ~texts.numbers(mark).is_number)
            for mark in (table.reading.decimal, decimal)
        )
        if after > before:
            return False
        helps |= after == 0 < before
    return helps


def _other_reading(options: argparse.Namespace, reading: Reading) -> Reading | None:
    """How a file seems to be written; None if that is how it was read, or cannot be told."""
    try:
        found = load(options.data, header_rows=reading.header_rows, quote=reading.quote).reading
    except DpdeskError:
        return None
    found = _changed(found, _decided(reading))
    return None if found == reading else found


def _advice_to_read(found: Reading) -> str:
    return f"The file seems to be written like this: {found.words}. {_DECLARE}{found.options}"


def _declared(
    options: argparse.Namespace,
    reading: Reading,
    is_stopped: Callable[[], bool] = lambda: False,
    cluster: Cluster | None = None,
) -> SurveyTable:
    try:
        with _progress(is_stopped) as told:
            by = None if cluster is None else cluster.parts_reader(reading, told["tick"])
            return load_declared(options.data, reading, **told, read_parts=by)
    except UnreadableError:
        # However it is written.
        raise
    except InputError as error:
        found = _other_reading(options, reading)
        misread = InputError(
            error.message,
            line=error.line,
            column=error.column,
            remedy=error.remedy if found is None else _advice_to_read(found),
        )
    raise misread


@contextmanager
def _progress(is_stopped: Callable[[], bool] = lambda: False) -> Iterator[dict[str, Any]]:
    """Shows how much of a large file was read; yields what the loading calls for that."""
    from dpdesk.cli.progress import progress_bar

    with progress_bar(is_stopped, _SECONDS) as tracker:
        told = partial(tracker.progress, "Reading the file")
        yield {"tick": tracker.tick, "progress": told}


def _is_confirmed(options: argparse.Namespace, reading: Reading) -> bool:
    return ask(
        f"{plain(options.data.name)} seems to be written like this: {plain(reading.words)}. "
        "Is it written like this no matter who answered?"
    )


def _parts(options: argparse.Namespace) -> dict[str, Any]:
    """Returns the parts of a reading that the options give."""
    parts: dict[str, Any] = {}
    if options.format is not None:
        parts["format"] = format_named(options.format).key
    if options.sheet is not None:
        parts["sheet"] = options.sheet
    if options.platform is not None:
        is_usual = options.platform.casefold() == NO_PLATFORM
        platform = None if is_usual else platform_named(options.platform)
        parts["platform"] = "" if platform is None else platform.key
        if platform is not None and platform.header_rows > 1:
            parts["header_rows"] = platform.header_rows
    if options.layout is not None:
        parts |= {"layout": read_layout(options.layout), "format": FIXED_WIDTH}
    if options.encoding is not None:
        parts["encoding"] = options.encoding
    if options.delimiter is not None:
        parts["delimiter"] = _DELIMITERS.get(options.delimiter, options.delimiter)
    if options.decimal is not None:
        parts["decimal"] = options.decimal
    if options.quote is not None:
        parts["quote"] = QUOTES[options.quote]
    if options.no_header and options.header_rows not in (None, "0"):
        raise ParameterError(T.WAYS_OF_HEADER())
    if options.no_header:
        parts["header_rows"] = 0
    elif options.header_rows is not None:
        parts["header_rows"] = _header_rows(options.header_rows)
    if options.missing_code:
        parts["missing"] = tuple(
            dict.fromkeys(code for typed in options.missing_code for code in _codes(typed))
        )
    if options.together:
        parts["questions"] = tuple(map(_question, options.together))
    if options.join_rows is not None:
        parts["joined_rows"] = JoinedRows.read(options.join_rows)
    return parts


def _codes(typed: str) -> tuple[str, ...]:
    """Reads "-9,-8"."""
    where = (
        "Declare it for its column, in a plan: 'dpdesk draft --missing income=97..99' or, with a "
        "label, 'income=-8=refused'."
    )
    codes = read_tokens(typed, ",", where=where)
    if not codes:
        raise ParameterError(T.NO_CODE())
    return codes


def _question(declaration: str) -> JoinedColumns:
    """Reads "media=media_tv,media_web:1:0"; what is left out behind a colon is 1 and 0."""
    try:
        question = JoinedColumns.read(declaration)
    except ValidationError as error:
        reason = invalid_fields(error)[0].sentence
        raise ParameterError(T.IN_KIND(kind=f"--together {declaration}", problem=reason)) from None
    if question is None:
        raise ParameterError(T.BAD_TOGETHER(declaration=declaration, form=TOGETHER))
    return question


def _changed(reading: Reading, parts: dict[str, Any]) -> Reading:
    if parts.get("format", reading.format) != reading.format:
        # The marks of one format mean nothing in another.
        reading = Reading(**_decided(reading))
    return reading_of(**(reading.model_dump() | parts))


def _decided(reading: Reading) -> dict[str, Any]:
    """Returns the parts of a reading that no file shows."""
    return {name: getattr(reading, name) for name in ("missing", "questions", "joined_rows")}


def _header_rows(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", text) or int(text) > HEADER_ROWS_MAX:
        raise ParameterError(T.BAD_HEADER(most=HEADER_ROWS_MAX))
    return int(text)


def _share(text: str) -> Decimal:
    share = exact_share(text)
    if share is None or not 0 <= share <= 1 or share != round(share, 9):
        raise ParameterError(T.BAD_UNREAD())
    return share


def tell_warnings(problems: Iterable[Problem]) -> None:
    """Prints on stderr what a curator should know before anything is charged.

    What the head of a report lacks is not among it: where one looks ahead none is written.
    """
    for problem in grouped(where_no_report_is_written(problems)):
        if problem.severity == "warning":
            print(f"warning: {plain(str(problem))}", file=sys.stderr)


def _with_notices_printed(table: SurveyTable) -> SurveyTable:
    for notice in table.notices:
        print_note(notice)
    return table
