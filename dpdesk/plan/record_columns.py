"""What files of statistics programs say of the columns of a release: labels, codes, levels, dates.

It follows from the plan, which is public, and of columns that are released as they are from what is
released of them: nothing else of the survey is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from math import isnan

from dpdesk.data.column_description import Level
from dpdesk.data.missing_codes import TypedCodes
from dpdesk.data.output_fields import Numeric
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.data.written_column import WrittenColumn
from dpdesk.domains import (
    Categorical,
    ColumnKind,
    Date,
    ListedDomain,
    NumericDomain,
    OptionSet,
    parse_number,
)
from dpdesk.domains.column_kind import COLUMN_KINDS
from dpdesk.mechanisms import BoundMechanism
from dpdesk.numbers.calendar import UnitName, iso_moment
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan, released_names, sampled_attribute_name
from dpdesk.plan.texts import T

Bound = Sequence[tuple[ColumnPlan, BoundMechanism]]
"""The protected columns of a plan with their mechanisms."""

_LEVELS: dict[ColumnKind, Level] = dict.fromkeys(COLUMN_KINDS, "nominal")
_LEVELS |= {"ordinal": "ordinal", "integer": "scale", "real": "scale", "date": "scale"}
_LEVELS["weight"] = "scale"

_UNIT_OF: tuple[UnitName, ...] = ("year", "quarter", "month", "day", "minute", "time")
"""Units by how exact a date is written, as `Moment.finest` counts."""


def record_columns(
    plan: Plan,
    bound: Bound,
    table: SurveyTable | None = None,
    deciding: Callable[[WrittenColumn], Iterable[str]] | None = None,
) -> tuple[WrittenColumn, ...]:
    """Returns what is said of each column of the records, in the order of `record_fields`.

    Args:
        plan: The plan.
        bound: Its protected columns with their mechanisms, from `bind_attributes`.
        table: The survey, its kept columns as they are released; None where their texts are not
            known, or do not matter.
        deciding: Returns which texts of a kept column matter, of which it gets some at a time; None
            where all do.
    """
    mechanism_of = {column.name: mechanism for column, mechanism in bound}
    found: list[WrittenColumn] = []
    for column in plan.columns:
        if column.role == "keep":
            found.append(_kept(column, plan, table, deciding))
        elif column.role == "protect":
            found.extend(_protected(column, mechanism_of[column.name]))
    sampled = sampled_attribute_name(plan)
    if sampled is not None:
        names = tuple(column.name for column in plan.protected)
        titles = {column.name: column.title for column in plan.protected}
        meanings = {name: title for name, title in titles.items() if title != name}
        found.append(
            WrittenColumn(sampled, T.REPORTED_VARIABLE(), "nominal", names, meanings=meanings)
        )
    return tuple(found)


@lru_cache(maxsize=20_000)
def planned_columns(column: ColumnPlan) -> tuple[WrittenColumn, ...]:
    """Returns what is known of a column's released columns without data and before laws are built.

    Their names are as they will be; texts are left out where they come from the data.
    """
    names = released_names(column)
    if column.role == "protect" and len(names) == 1:
        return (planned_answers(column),)
    limit = 2 if column.role == "protect" else 0
    return tuple(WrittenColumn(name, limit=limit) for name in names)


@lru_cache(maxsize=20_000)
def planned_answers(column: ColumnPlan) -> WrittenColumn:
    """Returns a column of answers with the texts of its list; without any where they are numbers.

    Of a question with several answers there is the longest text alone.
    """
    domain = column.effective_domain
    texts: tuple[str, ...] = ()
    if isinstance(domain, OptionSet):
        texts = (domain.separator.join(domain.listed),)
    elif isinstance(domain, Categorical):
        texts = domain.texts
    return answers_column(column, texts)


def kept_columns(plan: Plan, table: SurveyTable | None) -> tuple[WrittenColumn, ...]:
    """Returns what is said of the columns that are released as they are.

    Args:
        plan: The plan.
        table: As in `record_columns`.
    """
    return tuple(_kept(column, plan, table) for column in plan.kept)


def answers_column(
    column: ColumnPlan,
    texts: Sequence[str],
    numeric: Numeric = "no",
    *,
    are_answers: bool = True,
) -> WrittenColumn:
    """Returns what is said of a column whose cells are answers of its domain, or numbers.

    Args:
        column: The column of the plan, with a domain.
        texts: Every text that a cell can have.
        numeric: Whether they are numbers.
        are_answers: Whether the texts of a list are its answers.
    """
    domain = column.effective_domain
    is_list = isinstance(domain, Categorical) and are_answers
    own: tuple[str, ...] = ()
    # A report with noise that is 97 by chance is not what this answer means.
    meanings = dict(column.meanings) if are_answers and not is_list else {}
    if isinstance(domain, ListedDomain) and domain.picks_one and is_list:
        declared = column.domain
        own = declared.listed if declared is not None else ()
        for code, text in enumerate(domain.texts):
            if (meaning := domain.label(code)) != text:
                meanings[text] = meaning
    missing = column.missing
    label = _label(column)
    if isinstance(domain, Date) and numeric != "no" and domain.by != "year":
        # A number that stands for a date is not one to a reader.
        label = f"{column.title} ({domain.unit})"
    return WrittenColumn(
        column.name,
        label,
        _LEVELS[column.kind],
        tuple(texts),
        meanings=meanings,
        answers=own,
        no_answer=domain.missing_value if isinstance(domain, Categorical) and is_list else "",
        missing=TypedCodes(missing.tokens, missing.ranges, missing.labels),
        is_ordered=column.kind == "ordinal",
        are_numbers=numeric != "no",
        unit=domain.by if isinstance(domain, Date) and numeric == "no" else None,
    )


def _protected(column: ColumnPlan, mechanism: BoundMechanism) -> Iterator[WrittenColumn]:
    domain, names = mechanism.domain, released_names(column)
    if mechanism.form == "bits":
        for code, name in enumerate(names):
            bit = T.RANDOM_BIT(name=column.title, answer=domain.label(code))
            yield WrittenColumn(name, bit, "nominal", limit=2)
    elif mechanism.form == "integers":
        told = zip(names, mechanism.part_meanings(), mechanism.limits, strict=True)
        for name, meaning, limit in told:
            label = f"{column.title}: {meaning}"
            yield WrittenColumn(name, label, "nominal", limit=limit - mechanism.blanks)
    else:
        texts = tuple(mechanism.outputs)
        numeric: Numeric = "no"
        if mechanism.numeric_outputs and isinstance(domain, NumericDomain):
            numeric = domain.numeric_cells(texts)
        yield answers_column(column, texts, numeric, are_answers=texts == domain.texts)


def _kept(
    column: ColumnPlan,
    plan: Plan,
    table: SurveyTable | None,
    deciding: Callable[[WrittenColumn], Iterable[str]] | None = None,
) -> WrittenColumn:
    is_exact = column.kept_coarser is None
    listed = column.domain if isinstance(column.domain, ListedDomain) and is_exact else None
    missing = column.missing
    reading = plan.reading or Reading()
    tokens = tuple(dict.fromkeys((*missing.tokens, *reading.missing)))
    found = WrittenColumn(
        column.name,
        _label(column),
        _LEVELS[column.kind] if is_exact else "nominal",
        meanings=_meanings(column, listed) if is_exact else {},
        missing=TypedCodes(tokens, missing.ranges, missing.labels) if is_exact else TypedCodes(),
        are_codes_kept=is_exact,
        are_numbers=(column.kept_as_numbers and column.kind != "date") or column.kind == "weight",
        decimal=reading.decimal,
        is_weight=plan.weight_column is column,
    )
    if table is None:
        return found
    given = _given(table.column(column.name))
    pieces: Iterable[Iterable[str]] = given
    # What unit dates are written in is seen from all of them.
    if deciding is not None and column.kind != "date":
        pieces = (deciding(replace(found, texts=piece)) for piece in given)
    texts = _in_order(chain.from_iterable(pieces), () if listed is None else listed.listed)
    unit = _unit(texts) if column.kind == "date" and is_exact else None
    return replace(found, texts=texts, unit=unit)


def _given(texts: TextColumn) -> Iterator[tuple[str, ...]]:
    """Yields the distinct texts that somebody has, some at a time."""
    for some, piece in texts.distinct_pieces():
        counts = texts.counts[some].tolist()
        yield tuple(text for text, n in zip(piece.to_pylist(), counts, strict=True) if n)


def _label(column: ColumnPlan) -> str:
    """The label of a column with the unit of its numbers; empty where there is neither."""
    domain = column.domain
    is_grid = isinstance(domain, NumericDomain) and not isinstance(domain, Date)
    unit = domain.unit if is_grid and domain is not None else ""
    if not unit or f"({unit})" in column.title:
        return column.label
    return f"{column.title} ({unit})"


def _meanings(column: ColumnPlan, listed: ListedDomain | None) -> dict[str, str]:
    """What the values of a column mean, by its list or beside it."""
    return {**column.meanings, **({} if listed is None else listed.labels)}


def _in_order(texts: Iterable[str], listed: Sequence[str]) -> tuple[str, ...]:
    """Returns the answers of a list first, as it has them, then numbers by size, then other texts.

    In such an order nothing tells which respondent came first.
    """
    place = {text: number for number, text in enumerate(listed)}
    # Apart, since a key for each of many texts takes more memory than the text.
    answers, numbers, others = list[str](), list[tuple[float, str]](), list[str]()
    for text in texts:
        if text in place:
            answers.append(text)
        elif (number := parse_number(text)) is None or isnan(number):
            others.append(text)
        else:
            numbers.append((number, text))
    answers.sort(key=place.__getitem__)
    numbers.sort()
    others.sort()
    return (*answers, *(text for _, text in numbers), *others)


def _unit(texts: Sequence[str]) -> UnitName | None:
    """Returns the unit that dates are written in; None where the first is no date of ISO 8601."""
    moment = next((iso_moment(text) for text in texts if text), None)
    return None if moment is None else _UNIT_OF[moment.finest]
