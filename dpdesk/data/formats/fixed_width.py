"""Files of fixed width: each column stands at the same positions of every line."""

from __future__ import annotations

import io
from itertools import islice

import pyarrow as pa

from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.dialect import sniff_decimal
from dpdesk.data.encoding import to_utf8, to_utf8_by_cells
from dpdesk.data.foreign_format import refuse_binary, refuse_foreign_format, refuse_nul
from dpdesk.data.formats.base import CellFormat, FileContent, FileTable, column_of, require_room
from dpdesk.data.formats.number_cells import encoded_texts
from dpdesk.data.reading import FIXED_WIDTH
from dpdesk.errors import InputError
from dpdesk.i18n import N_

_LINES = 50_000
"""Lines that are cut together."""


class FixedWidth(CellFormat):
    """Text whose columns stand where a layout says."""

    key = FIXED_WIDTH
    title = N_("Fixed width, with a layout")
    endings = (".asc", ".fwf")
    parts = frozenset({"encoding", "decimal", "layout"})
    detects = frozenset({"encoding", "decimal"})
    reads_any_text = True

    # It has no mark: only a layout says that a text is of fixed width.

    @classmethod
    def cells(cls, file: FileContent) -> FileTable:
        layout, name = file.reading.layout, file.name
        if not layout:
            raise InputError(
                f"Nothing says where the columns of {name} stand.",
                remedy="Name its layout: a table with name, start and width of each column.",
            )
        refuse_foreign_format(file.source)
        if "encoding" in file.found:
            text = to_utf8(file.raw, name, None, file.tick)
        else:
            text = to_utf8_by_cells(file.raw, name, file.reading.encoding, file.tick)
        refuse_binary(text.data, name)
        refuse_nul(text.data, name)
        # Not `str.splitlines`, for which a sign within an answer can end a line.
        whole = io.StringIO(text.data.decode("utf-8"), newline=None)
        lines = (line.removesuffix("\n") for line in whole)
        end = max(field.end for field in layout)
        pieces: list[list[pa.DictionaryArray]] = [[] for _ in layout]
        rows = blank = short = longer = 0
        while block := list(islice(lines, _LINES)):
            file.tick()
            kept = [line for line in block if line.strip()]
            blank += len(block) - len(kept)
            short += sum(len(line) < end for line in kept)
            longer += sum(len(line.rstrip()) > end for line in kept)
            rows += len(kept)
            for place, field in enumerate(layout):
                cut = slice(field.start - 1, field.end)
                pieces[place].append(encoded_texts([line[cut].strip() for line in kept]))
        require_room(rows, len(layout), name)
        columns = tuple(
            column_of(field.name, found, name, place)
            for place, (field, found) in enumerate(zip(layout, pieces, strict=True), start=1)
        )
        chosen = {"encoding": text.encoding}
        if "decimal" in file.found:
            chosen["decimal"] = sniff_decimal(columns, ";")
        return FileTable(
            columns,
            rows,
            chosen=chosen,
            notices=(*text.notices, *_notices(blank, short, longer)),
            described={
                field.name: ColumnDescription(label=field.label) for field in layout if field.label
            },
        )


def _notices(blank: int, short: int, longer: int) -> list[str]:
    told = [
        (blank, "blank and skipped"),
        (short, "shorter than the layout; what is missing is read as blanks"),
        (longer, "longer than the layout; what stands behind its last column is not read"),
    ]
    return [
        f"1 line is {what}." if count == 1 else f"{count:,} lines are {what}."
        for count, what in told
        if count
    ]
