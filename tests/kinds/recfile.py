"""A made-up format of tables: records of "name: answer" lines with blank lines between them."""

from __future__ import annotations

import csv
import io

from dpdesk.data.formats.base import FileContent, TableFormat
from dpdesk.data.source import Memory
from dpdesk.data.table import SurveyTable
from dpdesk.errors import InputError

_FIRST = b"%rec: "


class Recfile(TableFormat):
    """Records as databases of plain text keep them; the first line names what they are."""

    title = "Records of lines"
    endings = (".rec",)

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        """Looks at the first line."""
        return raw.startswith(_FIRST)

    @classmethod
    def table(cls, file: FileContent) -> SurveyTable:
        """Reads it as delimited text: a line per record."""
        return file.as_text(Memory(cls._text(file.raw, file.name), file.name, file.tick))

    @classmethod
    def _text(cls, raw: bytes, name: str) -> bytes:
        """Returns a line per record; every record has the names of the first."""
        table = io.StringIO()
        writer, names = csv.writer(table, lineterminator="\n"), None
        at = 1
        for record in raw.decode("utf-8", "replace").split("\n\n")[1:]:
            at += 2
            pairs = [line.partition(": ")[::2] for line in record.strip("\n").split("\n")]
            if names is None:
                names = [field for field, _ in pairs]
                writer.writerow(names)
            if names != [field for field, _ in pairs]:
                raise InputError(
                    f"The record that begins on line {at} of {name} has other fields than the "
                    "first.",
                    line=at,
                    remedy="Give every record the same fields in the same order.",
                )
            writer.writerow([answer for _, answer in pairs])
            at += len(pairs) - 1
        return table.getvalue().encode()
