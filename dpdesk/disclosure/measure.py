"""How recognisable the records of a table are: one question, one result.

The result is of the data's holder: it is computed from true answers. Only where all of its columns
are released as they are, it says nothing that the release does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from dpdesk.disclosure.classes import Classes, CodedColumn, frequencies_matching_missing
from dpdesk.disclosure.diversity import Diversity, diversity
from dpdesk.disclosure.risks import PopulationRisk, population_risk
from dpdesk.disclosure.special_uniques import SpecialUniques, special_uniques
from dpdesk.disclosure.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Counts, RowNumbers

THRESHOLD = 5
"""Groups below this size are counted where nobody says another."""

_KEPT_MOST = 20_000_000
"""Codes that are kept in memory for a second look, of 8 bytes each."""

Missing = Literal["value", "any"]
"""A missing cell is a value of its own, or matches any value."""

Report = Callable[[str, float], object]
"""Receives the step and the share done; may raise to stop."""


def _nothing(stage: str, done: float) -> None:
    return None


def check_columns(known: Sequence[str], sensitive: Sequence[str], rows: int) -> None:
    """Refuses a question about no columns or records, or about a column that is asked for twice.

    Args:
        known: Names of the columns that an outsider may know.
        sensitive: Names of the columns that an outsider wants to learn.
        rows: Number of records.

    Raises:
        ParameterError: The question has no meaning.
    """
    if not known:
        raise ParameterError(T.NO_KNOWN())
    if rows < 2:
        raise ParameterError(T.FEW_RECORDS())
    if both := set(known) & set(sensitive):
        raise ParameterError(T.KNOWN_AND_SENSITIVE(column=min(both)))


@dataclass(frozen=True)
class Groups:
    """How many records stand alone or in small groups.

    Attributes:
        unique_rows: Records that are the only one of their kind.
        rows_below: Records in groups below the threshold.
    """

    unique_rows: int
    rows_below: int


@dataclass(frozen=True, eq=False)
class Others:
    """All quasi-identifiers but one.

    Attributes:
        columns: They, joined into one where that is possible.
        groups: Who stands out by them.
    """

    columns: tuple[CodedColumn, ...]
    groups: Groups


@dataclass(frozen=True, eq=False)
class RiskQuestion:
    """What is asked.

    Attributes:
        quasi_identifiers: What an outsider may know of a person; at least one column.
        rows: Number of records.
        sensitive: What an outsider wants to learn.
        weights: How many people each record stands for; None where there are none.
        threshold: Groups of fewer records than this are counted.
        missing: What a missing cell of a quasi-identifier is.
    """

    quasi_identifiers: tuple[CodedColumn, ...]
    rows: int
    sensitive: tuple[CodedColumn, ...] = ()
    weights: RowNumbers | None = None
    threshold: int = THRESHOLD
    missing: Missing = "value"

    @cached_property
    def _found(self) -> dict[int, Others]:
        return {}

    def without_each(self) -> Iterator[tuple[int, Others]]:
        """Yields for each column its place and what is known by all others.

        It is computed once, while it is read first: figures and changes need the same. Of very
        large tables it is computed anew, since it takes the room of all of their codes.
        """
        columns, rows, missing = self.quasi_identifiers, self.rows, self.missing
        if len(self._found) == len(columns):
            yield from self._found.items()
            return
        for place, outside in without_each(columns, rows, missing):
            groups = Frequencies(outside, rows, missing).groups(self.threshold)
            others = Others(outside, groups)
            if rows * len(columns) <= _KEPT_MOST:
                self._found[place] = others
            yield place, others

    def __post_init__(self) -> None:
        check_columns(
            [one.name for one in self.quasi_identifiers],
            [one.name for one in self.sensitive],
            self.rows,
        )
        if self.threshold < 2:
            raise ParameterError(T.SMALL_K())
        if self.missing == "any" and (self.sensitive or self.weights is not None):
            raise ParameterError(T.MATCHING_FORMS_NO_GROUPS())


@dataclass(frozen=True)
class Step:
    """The columns so far, the last one being new.

    Attributes:
        column: The column that is added.
        groups: Who stands out with it and all before it.
    """

    column: str
    groups: Groups


@dataclass(frozen=True)
class ColumnEffect:
    """What one quasi-identifier does.

    Attributes:
        column: Its name.
        distinct: Number of its values that occur, a missing cell being one.
        alone: Who stands out by this column alone.
        without: Who stands out by all the others.
    """

    column: str
    distinct: int
    alone: Groups
    without: Groups


@dataclass(frozen=True)
class DisclosureRisk:
    """How recognisable the records are.

    Attributes:
        rows: Number of records.
        quasi_identifiers: Names of the columns, in the order of `steps`.
        threshold: Groups of fewer records than this are counted in `rows_below`.
        missing: What a missing cell is.
        missing_cells: How many cells of the quasi-identifiers are missing.
        classes: Number of groups of equal records; None where a missing cell matches any.
        k: Size of the smallest group.
        unique_rows: Records that are the only one of their kind.
        rows_below: Records in groups below the threshold.
        rows_below_5: Records in groups below 5.
        prosecutor_highest: Largest chance that a guess of somebody's record is right, 1/k.
        prosecutor_average: Its mean over the records; also the share of records that somebody finds
            who links all of them (marketer risk).
        population: The risks under survey weights, if there are any.
        sensitive: What the groups tell about each sensitive column.
        steps: Who stands out as columns are added.
        effects: What each column does, in the order of `steps`.
    """

    rows: int
    quasi_identifiers: tuple[str, ...]
    threshold: int
    missing: Missing
    missing_cells: int
    classes: int | None
    k: int
    unique_rows: int
    rows_below: int
    rows_below_5: int
    prosecutor_highest: float
    prosecutor_average: float
    population: PopulationRisk | None
    sensitive: tuple[Diversity, ...]
    steps: tuple[Step, ...]
    effects: tuple[ColumnEffect, ...]


class Frequencies:
    """Of how many records each one is, by classes or with missing cells that match any.

    Args:
        columns: The columns.
        rows: Number of records.
        missing: What a missing cell is.

    Attributes:
        classes: The classes; None where a missing cell matches any value and there is one.
    """

    def __init__(self, columns: Sequence[CodedColumn], rows: int, missing: Missing) -> None:
        self._columns, self._rows = columns, rows
        has_gaps = missing == "any" and any(column.missing >= 0 for column in columns)
        self.classes = None if has_gaps else Classes(columns, rows)

    @cached_property
    def _matching(self) -> tuple[Counts, Counts]:
        return frequencies_matching_missing(self._columns, self._rows)

    @property
    def k(self) -> int:
        """The smallest frequency."""
        return int(self._matching[0].min()) if self.classes is None else self.classes.k

    @property
    def average(self) -> float:
        """Mean of 1/f over the records."""
        if self.classes is None:
            frequencies, records = self._matching
            return float((records / frequencies).sum() / self._rows)
        return self.classes.count / self._rows

    def below(self, size: int) -> int:
        """Number of records of a smaller frequency."""
        if self.classes is None:
            frequencies, records = self._matching
            return int(records[frequencies < size].sum())
        return self.classes.rows_below(size)

    def groups(self, threshold: int) -> Groups:
        """Who stands alone, and who in small groups."""
        return Groups(self.below(2), self.below(threshold))


def disclosure_risk(
    question: RiskQuestion, *, in_order: bool = False, report: Report = _nothing
) -> DisclosureRisk:
    """Measures how recognisable the records are.

    Args:
        question: What is asked.
        in_order: Whether `steps` keep the order of the question; else columns of little effect
            come first.
        report: Receives progress.
    """
    rows, threshold, missing = question.rows, question.threshold, question.missing
    columns = question.quasi_identifiers
    report("Comparing records", 0.0)
    whole = Frequencies(columns, rows, missing)
    groups = whole.groups(threshold)
    effects = []
    for place, others in question.without_each():
        column = columns[place]
        alone = Frequencies([column], rows, missing).groups(threshold)
        effects.append(ColumnEffect(column.name, column.occurring, alone, others.groups))
        report(f"Without {column.name}", 0.05 + 0.4 * len(effects) / len(columns))
    if not in_order:
        effects.sort(key=lambda one: (-one.without.rows_below, -one.without.unique_rows))
    order = [next(c for c in columns if c.name == one.column) for one in effects]
    steps = []
    for place, frequencies in enumerate(_one_after_the_other(order, rows, missing)):
        steps.append(Step(order[place].name, frequencies.groups(threshold)))
        report(f"Adding {order[place].name}", 0.45 + 0.25 * (place + 1) / len(order))
    classes = None if missing == "any" else whole.classes
    population = None
    diversities = []
    if classes is not None:
        if question.weights is not None:
            report("Weighing", 0.75)
            population = population_risk(classes, question.weights)
        for sensitive in question.sensitive:
            report("Comparing sensitive answers", 0.8)
            diversities.append(diversity(classes, sensitive))
    return DisclosureRisk(
        rows=rows,
        quasi_identifiers=tuple(column.name for column in order),
        threshold=threshold,
        missing=missing,
        missing_cells=sum(int(c.counts[c.missing]) for c in columns if c.missing >= 0),
        classes=None if classes is None else classes.count,
        k=whole.k,
        unique_rows=groups.unique_rows,
        rows_below=groups.rows_below,
        rows_below_5=whole.below(THRESHOLD),
        prosecutor_highest=1 / whole.k,
        prosecutor_average=whole.average,
        population=population,
        sensitive=tuple(diversities),
        steps=tuple(steps),
        effects=tuple(effects),
    )


def without_each(
    columns: Sequence[CodedColumn], rows: int, missing: Missing = "value"
) -> Iterator[tuple[int, tuple[CodedColumn, ...]]]:
    """Yields for each column its place and the others, joined into one where that is possible.

    All others of each of d columns by halves: what lies outside a half is joined once for all of
    its columns, so that d log d columns are read and not d squared.

    Args:
        columns: The columns.
        rows: Number of records.
        missing: What a missing cell is; where it matches any, nothing can be joined.
    """
    if missing == "any":
        for place in range(len(columns)):
            yield place, (*columns[:place], *columns[place + 1 :])
        return
    yield from _outside(tuple(enumerate(columns)), (), rows)


def _outside(
    inside: tuple[tuple[int, CodedColumn], ...], others: tuple[CodedColumn, ...], rows: int
) -> Iterator[tuple[int, tuple[CodedColumn, ...]]]:
    if len(inside) == 1:
        yield inside[0][0], others
        return
    half = len(inside) // 2
    for here, there in ((inside[:half], inside[half:]), (inside[half:], inside[:half])):
        joined = (*others, *(column for _, column in there))
        yield from _outside(here, (_joined(joined, rows),), rows)


def _joined(columns: Sequence[CodedColumn], rows: int) -> CodedColumn:
    return Classes(columns, rows).as_column


def _one_after_the_other(
    columns: Sequence[CodedColumn], rows: int, missing: Missing
) -> Iterator[Frequencies]:
    so_far: tuple[CodedColumn, ...] = ()
    for column in columns:
        so_far = (*so_far, column)
        yield Frequencies(so_far, rows, missing)
        if missing == "value":
            so_far = (_joined(so_far, rows),)


def special_uniques_of(question: RiskQuestion, report: Report = _nothing) -> SpecialUniques:
    """Returns which few columns make records unique; missing cells are a value of their own.

    Args:
        question: What is asked.
        report: Receives progress.
    """
    return special_uniques(
        question.quasi_identifiers,
        question.rows,
        tick=lambda done: report("Which columns make records unique", done),
    )
