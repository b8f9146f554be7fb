"""Formats of files that hold a table of answers; each is converted to delimited text.

Everything after that, from the encoding to the last check of the records, reads delimited text
alone. So a format says how its files are recognised, and returns their table as such a text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from dpdesk.data.structure import refuse_foreign_format
from dpdesk.i18n import N_


class TableFormat(ABC):
    """One format of files that are read."""

    title: ClassVar[str]
    """Its name where a file is chosen."""
    endings: ClassVar[tuple[str, ...]]
    """Endings of its files' names, such as ".csv": for the choice alone."""

    @classmethod
    @abstractmethod
    def recognises(cls, raw: bytes) -> bool:
        """Whether a file is of this format, by its first bytes: no answer may decide it."""

    @classmethod
    @abstractmethod
    def text(cls, raw: bytes, name: str) -> bytes:
        """Returns the table as delimited text: UTF-8, commas, decimal points, one line of names.

        Args:
            raw: The bytes of the file.
            name: Name of the file, for messages.

        Raises:
            InputError: The file is damaged; the error says where and never quotes an answer.
        """


class DelimitedText(TableFormat):
    """CSV, TSV and similar files: their bytes unchanged."""

    title = N_("Delimited text")
    endings = (".csv", ".tsv", ".tab", ".txt", ".dat")

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        """Accepts every file that no other format recognises."""
        return True

    @classmethod
    def text(cls, raw: bytes, name: str) -> bytes:
        """Returns the bytes, unless they are recognised as an unsupported format."""
        refuse_foreign_format(raw, name)
        return raw


TABLE_FORMATS: tuple[type[TableFormat], ...] = (DelimitedText,)
"""Every supported format. A new one needs its file and an entry here; the last that recognises a
file reads it."""


def delimited(raw: bytes, name: str) -> bytes:
    """Returns the table of a file as delimited text.

    Args:
        raw: The bytes of the file.
        name: Name of the file, for messages.

    Raises:
        InputError: The file is of an unsupported format, or damaged.
    """
    reader = next(kind for kind in reversed(TABLE_FORMATS) if kind.recognises(raw))
    return reader.text(raw, name)
