"""Writes a coarsened file: records, levels and a report that says that it is not private.

Nothing is charged: the ledger adds up losses of differential privacy, and a coarsened record has no
finite one. An entry without a number would read like a small loss, and one of infinity would stop
every release after it. So the ledger has no word of it, and the command says so; who writes such a
file notes it where disclosures are registered.

The folder holds what follows from the written records and from what was declared. How many records
were left out, and what the file was like before, is for its holder.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.output_fields import SymbolField
from dpdesk.data.record_files import RecordWriter, record_files, require_fit
from dpdesk.data.table import SurveyTable
from dpdesk.data.written_column import WrittenColumn
from dpdesk.disclosure import DisclosureRisk
from dpdesk.disclosure.coarsened import Coarsened
from dpdesk.disclosure.columns import unknown_column
from dpdesk.disclosure.level_choice import hierarchy_text
from dpdesk.disclosure.methods import method_named
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import ParameterError, ReleaseError, escape_controls
from dpdesk.releases.folder import (
    LEVELS_MOST,
    REPORT_NAME,
    levels_name,
    release_folder,
    seal,
    write_pages,
    write_text,
)
from dpdesk.releases.texts import T
from dpdesk.reports.page import page
from dpdesk.reports.pdf import Paper
from dpdesk.reports.section import Named, Section, schema_of
from dpdesk.version import __version__

STATEMENT = (
    "This file is not differentially private: its answers are true, only coarser, and whoever "
    "knows more of a person than the columns named here, or holds another file on the same people, "
    "may learn more than the sizes of the classes say."
)
"""The first line of every report on a coarsened file."""

_ORDER = (
    "Sorted by what is written, so that the order of the records says nothing: neither the order "
    "of the file before nor who was beside whom."
)


class CoarsenedColumn(Named):
    """A column that an outsider may know, as it is written."""

    level: int | None
    """Its level; null where its cells differ in their level."""
    levels: int | None
    """The highest level that there is; null without levels."""
    values: int
    """Number of different values that are written."""
    levels_file: str | None
    """The file of its levels."""
    levels_from: Literal["declared", "the records"] | None
    """Where the levels come from."""


class SensitiveColumn(Named):
    """What the classes of the written records tell about a column."""

    l_distinct: int
    """Fewest different values in a class."""
    l_entropy: float
    """Exponential of the smallest entropy in a class."""
    t_closeness: float
    """Largest distance of a class from all written records."""


class CoarsenedReport(Section):
    """The report of a coarsened file; all of it follows from what is written or declared."""

    statement: str
    """What the file is not."""
    format: Literal["dpdesk-coarsened"] = "dpdesk-coarsened"
    """What this file is."""
    version: Literal[1] = 1
    """Version of the format."""
    release_id: str
    """A random identifier (UUID, version 4)."""
    differentially_private: Literal[False] = False
    """It never is."""
    method: str
    """How it was made."""
    chosen_by: str
    """What was to be least; empty where nothing was searched."""
    asked_k: int
    """The least size of a class that was asked for."""
    asked_l_distinct: int
    """The least number of values in a class that was asked for."""
    asked_l_entropy: float
    """The least exponential of the entropy that was asked for."""
    asked_t: float | None
    """The largest distance that was asked for."""
    suppressed_at_most: str
    """How many records might be left out, as it was typed: a number or a share such as 2%. How many
    were, or the number that the share makes, is for the holder of the data."""
    columns: tuple[CoarsenedColumn, ...]
    """The columns that an outsider may know."""
    sensitive: tuple[SensitiveColumn, ...]
    """The columns that somebody may want to learn, which are written as they are."""
    unchanged: tuple[str, ...]
    """Other columns that are written as they are; the classes say nothing of them."""
    rows: int
    """Number of records."""
    classes: int
    """Number of classes of equal records."""
    k: int
    """Size of the smallest class."""
    highest_risk: float
    """Largest chance that a guess of a record is right, by these columns alone: 1/k."""
    average_risk: float
    """Its mean over the records."""
    order: str
    """In which order the records stand, and why."""
    software: str
    """What wrote it."""


def coarsened_schema() -> dict[str, object]:
    """Returns the JSON schema of `report.json` beside a coarsened file."""
    return schema_of(CoarsenedReport, "Report of dpdesk on a coarsened file")


@dataclass(frozen=True)
class CoarsenedFile:
    """How a coarsened file is written.

    Attributes:
        method: The word of the method.
        limit: How many records might be left out, as it was typed.
        chosen_by: What was to be least.
        unchanged: Columns that are written as they are beside the sensitive ones.
        formats: Formats of records besides CSV and Parquet, such as "sav".
    """

    method: str
    limit: str = "0"
    chosen_by: str = ""
    unchanged: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()


def check_unchanged(table: SurveyTable, result_names: Sequence[str], names: Sequence[str]) -> None:
    """Refuses columns to be written as they are that do not exist, or are written already.

    Raises:
        ParameterError: The sentence names the column.
    """
    for name in names:
        if name not in table.names:
            raise unknown_column(name, table.names)
        if name in result_names:
            raise ParameterError(T.NAMED_TWICE(name=name))


def write_coarsened(
    table: SurveyTable,
    result: Coarsened,
    after: DisclosureRisk,
    file: CoarsenedFile,
    folder: Path,
    tracker: Tracker,
    paper: Paper = "a4",
) -> tuple[str, ...]:
    """Writes a coarsened file into a new folder, whole or not at all.

    Columns that are neither quasi-identifiers nor sensitive nor named to be unchanged are left out.

    Args:
        table: The file before.
        result: The file after.
        after: How recognisable its records are.
        file: How it is written.
        folder: The folder; it must not exist, or be empty.
        tracker: Progress and cancel.
        paper: The size of the pages of the report as PDF.

    Returns:
        The names of the files.

    Raises:
        ParameterError: A column is named twice or does not exist.
        ReleaseError: The folder exists already, or cannot be written.
    """
    sensitive = [column.name for column in result.sensitive]
    check_unchanged(table, [*(c.name for c in result.columns), *sensitive], file.unchanged)
    if len(result.hierarchies) > LEVELS_MOST:
        raise ReleaseError(T.TOO_MANY_LEVELS(most=LEVELS_MOST))
    target, release_id = folder.absolute(), str(uuid.uuid4())
    with release_folder(target) as part:
        tracker.progress("Writing records", 0.1)
        _write_records(
            table, result, [*sensitive, *file.unchanged], file.formats, part, tracker.tick
        )
        for place, hierarchy in enumerate(result.hierarchies):
            write_text(part / levels_name(place), hierarchy_text(hierarchy))
        report = _report(result, after, file, release_id)
        write_text(part / REPORT_NAME, escape_controls(report.model_dump_json(indent=2)) + "\n")
        write_pages(part, page("coarsened.html.j2", report=report), paper, tracker)
        return seal(part, target, release_id, tracker)


def _write_records(
    table: SurveyTable,
    result: Coarsened,
    as_they_are: Sequence[str],
    formats: Sequence[str],
    part: Path,
    tick: Callable[[], None],
) -> None:
    fields, codes = {}, {}
    for column in result.columns:
        fields[column.name], codes[column.name] = _written(
            column.name, column.labels, column.codes[result.kept]
        )
    for name in as_they_are:
        own = table.column(name)
        fields[name], codes[name] = _written(name, own.distinct, own.codes[result.kept])
    names = [name for name in table.names if name in fields]
    order = np.lexsort([codes[name] for name in reversed(names)])
    columns = [WrittenColumn(name, texts=fields[name].texts) for name in names]
    files = record_files(formats)
    require_fit(files, columns, order.size)
    own_fields = [fields[name] for name in names]
    with RecordWriter(part, own_fields, columns, files, tick=tick) as writer:
        writer.append([codes[name][order] for name in names])


def _written(
    name: str, texts: Sequence[str], codes: NDArray[np.integer[Any]]
) -> tuple[SymbolField, NDArray[np.int64]]:
    """A column with the texts that are written, in their order, and its cells.

    The texts of records that are left out do not show, neither by a code nor by their length.
    """
    used, places = np.unique(codes, return_inverse=True)
    own = [texts[code] for code in used.tolist()]
    rank = _text_rank(own)
    return SymbolField(name, tuple(sorted(own))), rank[places]


def _text_rank(texts: Sequence[str]) -> NDArray[np.int64]:
    """The place of each text in their order, so that codes of the file before do not show."""
    rank = np.empty(len(texts), dtype=np.int64)
    rank[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
    return rank


def _report(
    result: Coarsened, after: DisclosureRisk, file: CoarsenedFile, release_id: str
) -> CoarsenedReport:
    wanted = result.requirement
    columns = []
    for place, column in enumerate(result.columns):
        hierarchy = result.hierarchies[place] if result.hierarchies else None
        written = np.unique(column.codes[result.kept])
        columns.append(
            CoarsenedColumn(
                name=column.name,
                level=None if result.levels is None else result.levels[place],
                levels=None if hierarchy is None else hierarchy.height,
                values=len(written),
                levels_file=None if hierarchy is None else levels_name(place),
                levels_from=None
                if hierarchy is None
                else ("the records" if hierarchy.from_data else "declared"),
            )
        )
    return CoarsenedReport(
        statement=STATEMENT,
        release_id=release_id,
        method=method_named(file.method).written,
        chosen_by=file.chosen_by,
        asked_k=wanted.k,
        asked_l_distinct=wanted.l_distinct,
        asked_l_entropy=wanted.l_entropy,
        asked_t=wanted.t,
        suppressed_at_most=file.limit,
        columns=tuple(columns),
        sensitive=tuple(
            SensitiveColumn(
                name=one.column,
                l_distinct=one.l_distinct,
                l_entropy=one.l_entropy,
                t_closeness=one.t_closeness,
            )
            for one in after.sensitive
        ),
        unchanged=file.unchanged,
        rows=after.rows,
        classes=after.classes or 0,
        k=after.k,
        highest_risk=after.prosecutor_highest,
        average_risk=after.prosecutor_average,
        order=_ORDER,
        software=f"dpdesk {__version__}",
    )
