"""Files of fixed width: each column stands at the same positions of every line."""

from __future__ import annotations

import io
from collections import Counter
from itertools import islice

import pyarrow as pa

from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.dialect import sniff_decimal
from dpdesk.data.encoding import to_utf8, to_utf8_by_cells
from dpdesk.data.foreign_format import refuse_binary, refuse_foreign_format, refuse_nul
from dpdesk.data.formats.base import CellFormat, FileContent, FileTable, column_of, require_room
from dpdesk.data.formats.number_cells import encoded_texts
from dpdesk.data.formats.texts import T
from dpdesk.data.reading import FIXED_WIDTH
from dpdesk.errors import InputError
from dpdesk.i18n import N_, Text

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
            raise InputError(T.NO_LAYOUT(file=name))
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
        rows = 0
        odd = Counter[Text]()
        while block := list(islice(lines, _LINES)):
            file.tick()
            kept = [line for line in block if line.strip()]
            odd[T.BLANK_LINES] += len(block) - len(kept)
            odd[T.SHORT_LINES] += sum(len(line) < end for line in kept)
            odd[T.LONG_LINES] += sum(len(line.rstrip()) > end for line in kept)
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
            notices=(*text.notices, *(said(count=count) for said, count in odd.items() if count)),
            described={
                field.name: ColumnDescription(label=field.label) for field in layout if field.label
            },
        )
