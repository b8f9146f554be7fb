"""Linkage: an outside list with names, compared with the records of a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from dpdesk.attacks.base import SeededAttack
from dpdesk.attacks.findings import (
    Findings,
    Phrase,
    Picture,
    Remedy,
    Series,
    Severity,
    said,
)
from dpdesk.attacks.parameters import Epsilon, Known
from dpdesk.attacks.target import Target
from dpdesk.attacks.texts import T
from dpdesk.data.table import SurveyTable
from dpdesk.disclosure.classes import Classes, CodedColumn
from dpdesk.disclosure.columns import unknown_column
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, joined, quoted
from dpdesk.numbers.digits import share_text

Rows = NDArray[np.int64]

_MANY = 0.01
_NAMED_MOST = 6

_OF_MATCHES = N_(
    "Unique matches: {success} of the list; a record drawn at random is that of a person in "
    "{baseline}."
)
"""The rates where the list is the user's own."""


@dataclass(frozen=True, eq=False)
class Links:
    """What linking a list with the records finds.

    Attributes:
        matching: How many records each entry of the list matches exactly; shape (entries,).
        record: The one matching record of an entry, -1 where there are none or several.
        right: Whether the one record is that of the person; None where nobody knows.
    """

    matching: Rows
    record: Rows
    right: NDArray[np.bool_] | None = None

    @property
    def unique(self) -> int:
        """Number of entries that match one record."""
        return int(np.count_nonzero(self.record >= 0))

    @property
    def found(self) -> int:
        """Number of people that are found: unique matches, right ones where that is known."""
        return self.unique if self.right is None else int(np.count_nonzero(self.right))


def link(
    records: Sequence[CodedColumn], entries: Sequence[CodedColumn], persons: Rows | None = None
) -> Links:
    """Compares each entry of a list with all records, on columns of the same codes.

    Args:
        records: The released columns, each of shape (n,).
        entries: The same columns of the list, each of shape (entries,).
        persons: The record of each entry's person, -1 for who is not among the records; None if
            nobody knows.
    """
    size = len(records[0].codes)
    both = [
        CodedColumn(one.name, np.concatenate([one.codes, two.codes]), max(one.levels, two.levels))
        for one, two in zip(records, entries, strict=True)
    ]
    of_row = Classes(both, len(both[0].codes)).of_row
    in_records = np.bincount(of_row[:size], minlength=int(of_row.max()) + 1)
    # Any record of a class will do where it is the only one.
    one_of = np.full(len(in_records), -1, dtype=np.int64)
    one_of[of_row[:size]] = np.arange(size)
    matching = in_records[of_row[size:]]
    record = np.where(matching == 1, one_of[of_row[size:]], -1)
    right = None if persons is None else (record >= 0) & (record == persons)
    return Links(matching.astype(np.int64), record, right)


def randomized(column: CodedColumn, epsilon: float, generator: np.random.Generator) -> CodedColumn:
    """Returns a column with each answer randomized by GRR over the codes that it has.

    Args:
        column: The column.
        epsilon: The loss of each answer.
        generator: The source of chance.
    """
    rows, levels = len(column.codes), column.levels
    kept = (exp(epsilon) - 1) / (exp(epsilon) + levels - 1)
    others = generator.integers(0, levels, rows)
    codes = np.where(generator.random(rows) < kept, column.codes, others)
    return replace(column, codes=codes)


def link_protected(
    records: Sequence[CodedColumn],
    entries: Sequence[CodedColumn],
    place: int,
    persons: Rows | None = None,
) -> Links:
    """Links where one released column is randomized: names the likeliest record of each entry.

    The candidates agree on all exact columns. Under GRR those that also agree on the randomized
    one are the likelier ones, and where none does all are equally likely: a lone candidate is
    named in any case, so that nobody is lost whom leaving the column out would find.

    Args:
        records: The released columns.
        entries: The same columns of the list.
        place: Which column is randomized.
        persons: The record of each entry's person, as for `link`.
    """
    rest = [one for i, one in enumerate(records) if i != place]
    rest_of_list = [one for i, one in enumerate(entries) if i != place]
    by_rest, by_all = link(rest, rest_of_list, persons), link(records, entries, persons)
    lone = by_rest.record >= 0
    record = np.where(lone, by_rest.record, by_all.record)
    right = None if persons is None else (record >= 0) & (record == persons)
    return Links(np.where(lone, by_rest.matching, by_all.matching), record, right)


class Linkage(SeededAttack):
    """People are found by name through what a list of them and the release have in common."""

    title = N_("Linkage")
    question = N_("Does a list with names find its people among records without names?")
    method = N_(
        "The attacker has an outside list with names, such as a voters' register, and looks for "
        "the record that agrees with each person on all common columns. A lone one is a find."
    )
    reference = "Sweeney 2002, IJUFKS 10 (5), 557-570"
    rates = N_("Found: {success}; a record drawn at random is right in {baseline}.")
    stopped_by = N_("keep fewer columns, or protect one")
    outside_file = N_("a list with names, with some of the same columns")

    only_without_file = frozenset(("share", "absent"))

    kind: Literal["linkage"] = "linkage"
    columns: Annotated[Known, Field(description="columns that the outside list has, too")] = ()
    share: Annotated[
        float,
        Field(
            gt=0,
            le=1,
            title="Share of people",
            description="share of the people who stand in the list, where it is made of the data",
        ),
    ] = 0.2
    absent: Annotated[
        float,
        Field(
            ge=0,
            lt=1,
            title="Not in the release",
            description="share of the people in the list whose records are not in the release, "
            "where it is made of the data",
        ),
    ] = 0.0
    epsilon: Annotated[
        Epsilon,
        Field(description="epsilon of a column, where it is protected"),
    ] = 1.0

    def _run(self, target: Target, tracker: Tracker) -> Findings:
        tracker.progress("Making the list", 0.1)
        if target.register is None:
            records, entries, persons = self._made(target)
        else:
            (records, entries), persons = common_columns(target, self.columns), None
        tracker.progress("Looking for its people", 0.3)
        links, is_known = link(records, entries, persons), persons is not None
        size, rows = len(entries[0].codes), len(records[0].codes)
        success = links.found / size
        best, drops = self._without_each(records, entries, persons, tracker)
        remedies: tuple[Remedy, ...] = ()
        if best is not None:
            protected = [
                randomized(one, self.epsilon, self.generator()) if place == best else one
                for place, one in enumerate(records)
            ]
            after = link_protected(protected, entries, best, persons).found / size
            name = records[best].name
            remedies = (
                Remedy(said(N_("leave {column} out"), column=name), drops[best] / size),
                Remedy(
                    said(
                        N_("protect {column} at ε = {epsilon}"),
                        column=name,
                        epsilon=f"{self.epsilon:g}",
                    ),
                    after,
                ),
            )
        severity: Severity = "success"
        if links.found:
            severity = "danger" if success >= _MANY else "warning"
        return Findings(
            success,
            1 / rows,
            said(
                N_("{share} found by name") if is_known else N_("{share} match just one record"),
                share=share_text(success),
            ),
            remedies,
            self._sentences(links, size, rows, records),
            self._picture(records, entries, persons, size),
            said(
                N_("a list of {size} people, {number} columns"),
                size=size,
                number=len(records),
            ),
            severity,
            {
                "entries": size,
                "exact_matches": int(np.count_nonzero(links.matching)),
                "unique_matches": links.unique,
                "found": links.found,
            },
            rates="" if is_known else _OF_MATCHES,
            is_of_matches=not is_known,
        )

    def _made(
        self, target: Target
    ) -> tuple[tuple[CodedColumn, ...], tuple[CodedColumn, ...], Rows]:
        """Makes a list of some of the people, and takes the absent ones out of the release."""
        columns = target.known(self.columns)
        generator = self.generator()
        rows = target.table.rows
        listed = generator.permutation(rows)[: max(1, round(self.share * rows))]
        out = listed[: round(self.absent * len(listed))]
        released = np.delete(np.arange(rows), out)
        if len(released) < 2:
            raise ParameterError(T.FEW_RELEASED())
        place = np.full(rows, -1, dtype=np.int64)
        place[released] = np.arange(len(released))
        return (
            tuple(replace(one, codes=one.codes[released]) for one in columns),
            tuple(replace(one, codes=one.codes[listed]) for one in columns),
            place[listed],
        )

    @staticmethod
    def _without_each(
        records: Sequence[CodedColumn],
        entries: Sequence[CodedColumn],
        persons: Rows | None,
        tracker: Tracker,
    ) -> tuple[int | None, list[int]]:
        """Returns the column that is best left out, and how many are found without each."""
        if len(records) < 2:
            return None, []
        drops = []
        for place in range(len(records)):
            tracker.progress("Leaving columns out", 0.4 + 0.4 * place / len(records))
            rest = [one for i, one in enumerate(records) if i != place]
            rest_of_list = [one for i, one in enumerate(entries) if i != place]
            drops.append(link(rest, rest_of_list, persons).found)
        return int(np.argmin(drops)), drops

    @staticmethod
    def _sentences(
        links: Links, size: int, rows: int, records: Sequence[CodedColumn]
    ) -> tuple[Phrase, ...]:
        found = links.found
        return (
            said(
                N_(
                    "The list names {size} people and has {number} columns in common with the "
                    "{rows} records: {columns}."
                ),
                size=size,
                number=len(records),
                rows=rows,
                columns=joined([one.name for one in records]),
            ),
            said(
                N_("{exact} of them agree with a record on all of these, {unique} with just one."),
                exact=int(np.count_nonzero(links.matching)),
                unique=links.unique,
            ),
            said(
                N_("Some of these matches may be wrong: another person can have the same values.")
                if links.right is None
                else N_("{found} of these finds are right: {share} of the list is found by name."),
                found=found,
                share=share_text(found / size),
            ),
        )

    @staticmethod
    def _picture(
        records: Sequence[CodedColumn],
        entries: Sequence[CodedColumn],
        persons: Rows | None,
        size: int,
    ) -> Picture:
        found = [
            link(records[:number], entries[:number], persons).found / size
            for number in range(1, len(records) + 1)
        ]
        names = (records[0].name, *(f"+ {one.name}" for one in records[1:]))
        title, axis = N_("People found, as columns are added"), N_("Found by name (%)")
        bars = N_("found by name")
        if persons is None:
            title, axis = N_("Unique matches, as columns are added"), N_("Unique matches (%)")
            bars = N_("unique matches")
        return Picture(
            said(title),
            said(N_("Columns in common")),
            said(axis),
            tuple(float(number) for number in range(len(found))),
            (Series(said(bars), tuple(found), "bars"),),
            labels=tuple(said("{name}", name=name) for name in names),
        )


def common_columns(
    target: Target, names: tuple[str, ...]
) -> tuple[tuple[CodedColumn, ...], tuple[CodedColumn, ...]]:
    """Returns the columns that the data and the user's list have in common, in the same codes.

    Args:
        target: Data and list.
        names: The columns to compare; all that both have if empty.

    Raises:
        ParameterError: A named column is missing, none is common, or the list is empty.
    """
    register = target.register
    assert register is not None  # noqa: S101 - the caller has one
    if not register.rows:
        raise ParameterError(T.EMPTY_LIST())
    for name in names:
        if name not in target.table.names:
            raise unknown_column(name, target.table.names)
    lacked = [name for name in names if name not in register.names]
    if lacked:
        raise ParameterError(T.LIST_LACKS(columns=quoted(lacked, _NAMED_MOST)))
    shared = [name for name in names or target.table.names if name in register.names]
    if not shared:
        raise ParameterError(T.NOTHING_IN_COMMON())
    records: list[CodedColumn] = []
    entries: list[CodedColumn] = []
    for name in shared:
        one, two = (_texts(table, name) for table in (target.table, register))
        number = {text: code for code, text in enumerate(dict.fromkeys([*one[0], *two[0]]))}
        levels = max(len(number), 1)
        for (distinct, codes), into in ((one, records), (two, entries)):
            recoded = np.array([number[text] for text in distinct], dtype=np.int64)
            into.append(CodedColumn(name, recoded[codes], levels))
    return tuple(records), tuple(entries)


def _texts(table: SurveyTable, name: str) -> tuple[list[str], NDArray[np.int32]]:
    column = table.column(name)
    return [text.strip() for text in column.distinct], column.codes
