"""Formats of files that hold a table of answers; delimited text is what each of them becomes.

What follows, from the encoding to the last check of the records, looks at delimited text alone. So
a format says how its files are recognised, and gives their table as such a text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from dpdesk.data.foreign_format import refuse_foreign_format
from dpdesk.i18n import N_


class TableFormat(ABC):
    """One format of files that are read."""

    title: ClassVar[str]
    """What it is called where a file is chosen."""
    endings: ClassVar[tuple[str, ...]]
    """Endings of its files' names, such as ".csv": for the choice alone."""

    @classmethod
    @abstractmethod
    def recognises(cls, raw: bytes) -> bool:
        """Whether a file is of this format, by its first bytes: no answer may decide on it."""

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
    """CSV, TSV and their relatives: their bytes as they are, in whatever way they are written."""

    title = N_("Delimited text")
    endings = (".csv", ".tsv", ".tab", ".txt", ".dat")

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        """Takes every file that no other format recognises."""
        return True

    @classmethod
    def text(cls, raw: bytes, name: str) -> bytes:
        """Returns the bytes, unless they are recognisably of a format that is not read."""
        refuse_foreign_format(raw, name)
        return raw


TABLE_FORMATS: tuple[type[TableFormat], ...] = (DelimitedText,)
"""Every format that is read. Adding one is a file and a word; the last that recognises a file
reads it."""


def delimited(raw: bytes, name: str) -> bytes:
    """Returns the table of a file as delimited text.

    Args:
        raw: The bytes of the file.
        name: Name of the file, for messages.

    Raises:
        InputError: The file is of a format that is not read, or damaged.
    """
    reader = next(kind for kind in reversed(TABLE_FORMATS) if kind.recognises(raw))
    return reader.text(raw, name)
