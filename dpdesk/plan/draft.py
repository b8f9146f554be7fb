"""Columns drafted from the data or from a codebook; the data confirm none by themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import chain

from pydantic import ValidationError

from dpdesk.cost import EPSILON_MAX
from dpdesk.data.codebook import CodebookEntry
from dpdesk.data.joined_columns import joined
from dpdesk.data.joined_question import JoinedColumns
from dpdesk.data.reading import Reading
from dpdesk.data.suggest import ColumnSuggestion, suggest_column
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.data.table_format import formats_beside
from dpdesk.errors import InputError, invalid_fields
from dpdesk.plan.budget import DEFAULT_BUDGET
from dpdesk.plan.column import NAME_MAX, ColumnPlan
from dpdesk.plan.draft_described import described_column
from dpdesk.plan.missing import MissingPolicy, protecting
from dpdesk.plan.model import COLUMNS_MAX, Plan, PlanDetails
from dpdesk.plan.protection import protect
from dpdesk.plan.texts import T


def draft_table(table: SurveyTable, codebook: Mapping[str, CodebookEntry] | None = None) -> Plan:
    """Drafts a plan for a table: kinds and domains suggested, nothing assigned.

    Nothing is confirmed but the domains of a codebook. Identifiers are proposed for dropping.

    Args:
        table: The data.
        codebook: Documented columns; they take precedence over the data.

    Raises:
        InputError: A plan cannot hold the table: too many columns, a name too long, or a domain
            of the codebook that does not belong to its kind.
    """
    known = codebook or {}
    _require_plannable(table)
    columns = tuple(_column(table, column, known.get(column.name)) for column in table.columns)
    # No title: the file's name may be confidential.
    return Plan(
        respondents=table.rows or None,
        reading=table.reading,
        reading_confirmed=not table.is_reading_found,
        formats=formats_beside(table.reading.format),
        budget=DEFAULT_BUDGET,
        columns=columns,
    )


def merge_draft(plan: Plan, before: Plan, draft: Plan) -> Plan:
    """Returns a plan that takes from the draft for other data what nobody decided on.

    How data are read stays: the new ones were read so. If the plan is still the draft before, and
    the columns are the same, all else comes from the new draft. Else a column does that is as it
    was suggested, and that no statistic, impossible combination or filter names.

    Args:
        plan: The plan.
        before: What was drafted from the data before; a plan without columns if nothing was.
        draft: What is drafted from the data now.
    """
    if not before.columns:
        return plan
    names = [column.name for column in plan.columns]
    if plan == before and names == [column.name for column in draft.columns]:
        own = ("reading", "reading_confirmed", "names_confirmed")
        return draft.with_fields(**{name: getattr(plan, name) for name in own})
    if plan.respondents == before.respondents:
        plan = plan.with_fields(respondents=draft.respondents)
    suggested = {
        column.name: column
        for column in before.columns
        if column.provenance == "suggested" and not column.confirmed
    }
    impossible = (one.columns for one in plan.synthesis.impossible)
    asked = (column.missing.asked for column in plan.columns)
    filters = (one.columns for one in asked if one is not None)
    for name in chain(plan.statistics.columns, *impossible, *filters):
        suggested.pop(name, None)
    anew = {column.name: column for column in draft.columns}
    changed = {
        index: anew[column.name]
        for index, column in enumerate(plan.columns)
        if column.name in anew and column == suggested.get(column.name)
    }
    return plan.with_changed(changed)


def draft_codebook(codebook: Mapping[str, CodebookEntry]) -> Plan:
    """Drafts a plan for a survey that is documented and has no answers yet.

    Args:
        codebook: Its columns, in their order.

    Raises:
        InputError: A domain of the codebook does not belong to its kind, or there are too many
            columns.
    """
    if len(codebook) > COLUMNS_MAX:
        raise _too_many(T.THE_CODEBOOK(), len(codebook))
    return Plan(columns=tuple(_documented(entry) for entry in codebook.values()))


def draft_questionnaire(respondents: int) -> Plan:
    """Returns an empty plan for a future survey.

    Args:
        respondents: Expected number of respondents.
    """
    return Plan(
        details=PlanDetails(title="New questionnaire"),
        respondents=respondents,
        budget=DEFAULT_BUDGET,
    )


def _require_plannable(table: SurveyTable) -> None:
    """Refuses a table before its answers are looked at."""
    name = table.name
    if len(table.columns) > COLUMNS_MAX:
        raise _too_many(name, len(table.columns))
    for position, column in enumerate(table.names, 1):
        if len(column) > NAME_MAX:
            raise InputError(T.LONG_NAME(position=position, file=name, most=NAME_MAX))


def _too_many(source: str, columns: int) -> InputError:
    return InputError(T.TOO_MANY_COLUMNS(source=source, columns=columns, most=COLUMNS_MAX))


def _column(table: SurveyTable, texts: TextColumn, entry: CodebookEntry | None) -> ColumnPlan:
    reading, said = table.reading, table.described.get(texts.name)
    made = reading.question_of(texts.name)
    if entry is None and made is None and said is not None:
        return described_column(texts, reading, said)
    suggestion = suggest_column(texts, reading)
    if entry is not None:
        return _documented(entry, has_missing=suggestion.has_missing)
    if made is not None:
        return _question(table, suggestion, made)
    return ColumnPlan(
        name=suggestion.name,
        kind=suggestion.kind,
        domain=suggestion.domain,
        provenance="suggested",
        role="drop" if suggestion.kind == "identifier" else "unassigned",
        missing=protecting(suggestion.domain) if suggestion.has_missing else MissingPolicy(),
    )


def _documented(entry: CodebookEntry, *, has_missing: bool = False) -> ColumnPlan:
    try:
        if entry.missing is None:
            missing = protecting(entry.domain) if has_missing else MissingPolicy()
        else:
            missing = MissingPolicy.model_validate(entry.missing)
            if "policy" not in entry.missing:
                missing = protecting(entry.domain, missing)
        return ColumnPlan(
            name=entry.name,
            label=entry.label,
            kind=entry.kind,
            domain=entry.domain,
            provenance="codebook",
            # Who brings a codebook has written its domains down without looking at the answers.
            confirmed=entry.domain is not None,
            # That a column is kept was confirmed for another file: it is confirmed anew.
            role=entry.role or ("drop" if entry.kind == "identifier" else "unassigned"),
            missing=missing,
            meanings=entry.meanings,
            other=entry.other,
        )
    except ValidationError as error:
        reason = invalid_fields(error)[0].sentence
    raise InputError(T.BAD_ENTRY(name=entry.name, reason=reason), column=entry.name)


def _question(table: SurveyTable, suggestion: ColumnSuggestion, made: JoinedColumns) -> ColumnPlan:
    """The column of a question whose options are columns of the file: it was declared with it."""
    said = table.described
    options = made.domain
    labels = {
        option: said[column].short_label
        for column, option in zip(made.columns, made.options, strict=True)
        if column in said and said[column].label
    }
    options = options.changed(labels=labels) if labels else options
    return ColumnPlan(
        name=suggestion.name,
        label=said[made.name].short_label if made.name in said else "",
        kind="several",
        domain=options,
        missing=protecting(options) if suggestion.has_missing else MissingPolicy(),
    )


def join_columns(
    plan: Plan, table: SurveyTable, question: JoinedColumns
) -> tuple[Plan, SurveyTable]:
    """Returns a plan and its table in which some columns are one question with several answers.

    If the columns were protected, the question is, at the epsilon that they had together. A code
    that means no answer in each of them does so in the question.

    Args:
        plan: The plan.
        table: Its table.
        question: The question and its columns.

    Raises:
        InputError: The table lacks a column of it, or has another of its name.
        ParameterError: A column belongs to another question already.
        pydantic.ValidationError: Another column of the plan has its name.
    """
    reading = table.reading if plan.reading is None else plan.reading
    questions = (*reading.questions, question)
    reading = Reading.model_validate(reading.model_dump() | {"questions": questions})
    joint, together = read_anew(plan, table, reading)
    known = [column for column in plan.columns if column.name in question.in_file]
    made = _with_shared_codes(joint.column(question.name), known, question)
    joint = joint.with_changed({joint.index_of(question.name): made})
    epsilons = [c.mechanism.epsilon for c in known if c.role == "protect" and c.mechanism]
    if epsilons:
        together_epsilon = sum(epsilons) if plan.strategy == "spl" else max(epsilons)
        joint = protect(joint, question.name, min(Decimal(together_epsilon), EPSILON_MAX))
    return joint, together


def _with_shared_codes(
    made: ColumnPlan, parts: Sequence[ColumnPlan], question: JoinedColumns
) -> ColumnPlan:
    """Returns the column of a question with the codes of no answer that all its parts have."""
    if not parts:
        return made
    first, *others = (part.missing for part in parts)
    codes = [text for text in first.tokens if text and all(text in o.tokens for o in others)]
    ranges = tuple(one for one in first.ranges if all(one in o.ranges for o in others))
    if not codes and not ranges:
        return made
    cells = {text: question.cell_of_code(text) for text in codes}
    cells |= {one.text: one.text for one in ranges}
    missing = made.missing.changed(
        tokens=("", *(cells[text] for text in codes)),
        ranges=ranges,
        labels={cell: first.labels[text] for text, cell in cells.items() if text in first.labels},
    )
    return made.changed(missing=protecting(made.domain, missing))


def read_anew(plan: Plan, table: SurveyTable, reading: Reading) -> tuple[Plan, SurveyTable]:
    """Returns a plan and its table as another reading joins columns and rows.

    What the plan decides on columns of the same names stays; the others are drafted.

    Raises:
        InputError: The table lacks a column that is joined.
    """
    whole = joined(table, reading.questions, reading.joined_rows)
    known = {column.name: column for column in plan.columns if column.name in table.names}
    columns = tuple(
        known.get(texts.name) or _column(whole, texts, None)
        for texts in whole.columns
        if texts.name in known or texts.name not in table.names
    )
    return plan.with_fields(reading=reading, columns=columns), whole


def part_columns(plan: Plan, table: SurveyTable, name: str) -> tuple[Plan, SurveyTable]:
    """Returns a plan and its table in which the columns of a question stand for themselves again.

    Args:
        plan: The plan.
        table: Its table.
        name: Name of a question that is made of columns.
    """
    reading = table.reading if plan.reading is None else plan.reading
    questions = tuple(question for question in reading.questions if question.name != name)
    return read_anew(plan, table, reading.model_copy(update={"questions": questions}))
