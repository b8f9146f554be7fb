"""Decodes the bytes of a file in any common encoding to UTF-8; counts lines as an editor does."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice

import numpy as np

from dpdesk.data.reading import encoding_name, known_encoding
from dpdesk.data.texts import T
from dpdesk.errors import InputError


def line_of(text: bytes | bytearray | memoryview, offset: int) -> int:
    """The line, from 1, on which the byte at `offset` stands.

    LF, CRLF and a CR alone each end a line.

    Args:
        text: The text in any encoding that keeps CR and LF as single bytes.
        offset: Position of a byte of `text`, or its length.
    """
    before = bytes(text[:offset])
    ends = before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
    return ends + 1


# Longer marks first: the mark of UTF-16 is a prefix of the mark of UTF-32.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PIECE = 1 << 22
_SAMPLE = 1 << 17

Tick = Callable[[], None]
Pieces = Callable[[], Iterator[bytes]]
"""Begins to read a file, and yields it piece by piece."""

UNREADABLE = "\ufffd"
"""The content of a cell whose bytes are invalid in the declared encoding."""


@dataclass(frozen=True)
class Utf8Text:
    """The text of a file.

    Attributes:
        data: The text as UTF-8, without byte order mark; valid.
        encoding: Python's name of the encoding the file was in.
        notices: Notices for the user, as full sentences.
    """

    data: bytes
    encoding: str
    notices: tuple[str, ...] = ()


class NotUtf8Error(Exception):
    """A file that was taken for UTF-8 without being looked at is in another encoding."""


class TextPieces:
    """The text of a file as UTF-8, piece by piece.

    Args:
        raw: Begins to read the file.
        name: Name of the file, for messages.
        encoding: Python's name of its encoding.
        by_cells: Whether an invalid byte spoils its own cell only. In single-byte encodings, and in
            UTF-8, whose letters never contain a delimiter or a line end, it becomes `UNREADABLE`.
            In other encodings it can swallow what follows, so that the file is refused.
        is_guess: Whether invalid UTF-8 only means that the encoding is another one.
    """

    def __init__(
        self, raw: Pieces, name: str, encoding: str, *, by_cells: bool, is_guess: bool = False
    ) -> None:
        self.encoding = encoding
        self.notices: tuple[str, ...] = ()
        """Notices, as full sentences; complete when the text was read to its end."""
        self._raw = raw
        self._name = name
        self._spoils_cells = by_cells and (encoding == "utf-8" or _stands_alone(encoding))
        self._is_guess = is_guess

    def __iter__(self) -> Iterator[bytes]:
        """Yields the text, without byte order mark; valid, and cut between two letters.

        Raises:
            InputError: Bytes are invalid, and spoil more than their cells.
            NotUtf8Error: The encoding was a guess, and is wrong.
        """
        # Programs that join files, or add a mark to every file that they save, leave several marks.
        mark, begun = codecs.BOM_UTF8, b""
        pieces = self._decoded()
        for piece in pieces:
            begun += piece
            start = 0
            while begun.startswith(mark, start):
                start += len(mark)
            begun = begun[start:]
            if len(begun) >= len(mark):
                break
        if begun:
            yield begun
        yield from filter(None, pieces)

    def _decoded(self) -> Iterator[bytes]:
        decoder = codecs.getincrementaldecoder(self.encoding)()
        is_utf8 = self.encoding == "utf-8"
        held = b""
        for number, piece in enumerate(chain(self._raw(), [b""])):
            if is_utf8 and not held and piece.isascii():
                yield piece
                continue
            state = decoder.getstate()
            try:
                text = decoder.decode(piece, not piece).encode("utf-8")
            except UnicodeError as error:
                wrong = error.start if isinstance(error, UnicodeDecodeError) else 0
            else:
                held = decoder.getstate()[0]
                yield text
                continue
            # Outside the handler: the decoder's own error carries the bytes of the file.
            if self._is_guess:
                raise NotUtf8Error
            line = self._line(number, piece[: max(0, wrong - len(state[0]))])
            if not self._spoils_cells:
                message = T.INVALID_BYTE(
                    line=line, file=self._name, encoding=encoding_name(self.encoding)
                )
                raise InputError(message, line=line)
            name = encoding_name(self.encoding)
            self.notices = (T.INVALID_BYTES(file=self._name, encoding=name, line=line),)
            decoder = codecs.getincrementaldecoder(self.encoding)(errors="replace")
            decoder.setstate(state)
            yield decoder.decode(piece, not piece).encode("utf-8")
            held = decoder.getstate()[0]

    def _line(self, number: int, before: bytes) -> int:
        """The line of the byte behind some pieces and the beginning of another."""
        decoder = codecs.getincrementaldecoder(self.encoding)(errors="ignore")
        lines = LineCount()
        # UTF-16 that does not begin with its mark has nothing before what is wrong.
        with suppress(UnicodeError):
            for piece in chain(islice(self._raw(), number), [before]):
                lines.see(decoder.decode(piece).encode("utf-8"))
        return lines.line


class LineCount:
    """Counts the lines of a text that comes in pieces.

    Attributes:
        line: The line, from 1, on which what comes next stands.
    """

    def __init__(self) -> None:
        self.line = 1
        self._after_cr = False

    def see(self, piece: bytes) -> None:
        """Takes the next piece."""
        if not piece:
            return
        # An LF that ends the line of the CR before it.
        joined = self._after_cr and piece.startswith(b"\n")
        self.line += line_of(piece, len(piece)) - 1 - joined
        self._after_cr = piece.endswith(b"\r")


def to_utf8(raw: bytes, name: str, encoding: str | None, tick: Tick = lambda: None) -> Utf8Text:
    """Decodes a file.

    Args:
        raw: The bytes of the file.
        name: Name of the file, for messages.
        encoding: The encoding, if the user chose one; else as in `detected_encoding`.
        tick: Called between pieces; may raise to cancel.

    Raises:
        InputError: The encoding is unknown, or bytes are invalid in it.
    """
    pieces = _of_bytes(raw, tick)
    if encoding is not None:
        return _whole(TextPieces(pieces, name, known_encoding(encoding), by_cells=False))
    found, notices = detected_encoding(pieces, name)
    return replace(_whole(TextPieces(pieces, name, found, by_cells=False)), notices=notices)


def to_utf8_by_cells(raw: bytes, name: str, encoding: str, tick: Tick = lambda: None) -> Utf8Text:
    """Decodes a file by its declared encoding; an invalid byte spoils its own cell only.

    Raises:
        InputError: Bytes are invalid in an encoding whose letters depend on their neighbours.
    """
    return _whole(TextPieces(_of_bytes(raw, tick), name, encoding, by_cells=True))


def _whole(text: TextPieces) -> Utf8Text:
    data = b"".join(text)
    return Utf8Text(data, text.encoding, text.notices)


def _of_bytes(raw: bytes, tick: Tick) -> Pieces:
    def pieces() -> Iterator[bytes]:
        for start in range(0, len(raw), _PIECE):
            tick()
            yield raw[start : start + _PIECE]

    return pieces


def _stands_alone(encoding: str) -> bool:
    """Whether each byte is a letter of its own, independent of its neighbours."""
    every = bytes(range(256))
    alone = [every[i : i + 1].decode(encoding, "replace") for i in range(256)]
    return all(len(letter) == 1 for letter in alone) and every.decode(encoding, "replace") == (
        "".join(alone)
    )


def marked_encoding(head: bytes) -> str | None:
    """Returns the encoding that the byte order mark at the beginning of a file says."""
    return next((encoding for mark, encoding in _MARKS if head.startswith(mark)), None)


def seems_wide(head: bytes) -> bool:
    """Whether a file may be UTF-16 without a mark, by its first bytes."""
    return _wide_encoding(head[:_SAMPLE]) is not None


def detected_encoding(pieces: Pieces, name: str) -> tuple[str, tuple[str, ...]]:
    """Returns the encoding that a file seems to have, and notices.

    A byte order mark decides; without one, UTF-8 if the bytes are valid UTF-8, UTF-16 if every
    second byte is mostly zero, else Windows-1252, or Latin-1 if a byte is undefined there.

    Raises:
        InputError: Nearly all of the file is UTF-8, but not all of it.
    """
    head, size, is_ascii = b"", 0, True
    for piece in pieces():
        head += piece[: _SAMPLE - len(head)]
        size += len(piece)
        is_ascii = is_ascii and piece.isascii()
    marked = marked_encoding(head)
    if marked is not None:
        return marked, ()
    wide = None if size % 2 else _wide_encoding(head)
    if is_ascii:
        return wide or "utf-8", ()
    line = _first_wrong_line(pieces)
    if line is None or wide:
        return "utf-8" if line is None else str(wide), ()
    if _mostly_utf8(pieces):
        raise InputError(T.INVALID_BYTE(line=line, file=name, encoding="UTF-8"), line=line)
    windows = not any(byte in piece for piece in pieces() for byte in b"\x81\x8d\x8f\x90\x9d")
    found = "cp1252" if windows else "iso8859-1"
    return found, (T.OTHER_ENCODING(encoding=encoding_name(found)),)


def _wide_encoding(head: bytes) -> str | None:
    """UTF-16 without a mark: in Western text one byte of each pair is nearly always zero."""
    sample = np.frombuffer(head[: len(head) // 2 * 2], dtype=np.uint8)
    even, odd = sample[0::2], sample[1::2]
    if not len(odd):
        return None
    zero_even, zero_odd = float(np.mean(even == 0)), float(np.mean(odd == 0))
    if zero_odd > 0.5 and zero_even < 0.05:
        return "utf-16-le"
    if zero_even > 0.5 and zero_odd < 0.05:
        return "utf-16-be"
    return None


def _first_wrong_line(pieces: Pieces) -> int | None:
    """The line of the first byte that is not UTF-8; None for a text that is."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    lines = LineCount()
    for piece in chain(pieces(), [b""]):
        held = decoder.getstate()[0]
        try:
            decoder.decode(piece, not piece)
        except UnicodeDecodeError as error:
            wrong = error.start - len(held)
        else:
            lines.see(piece)
            continue
        lines.see(piece[: max(wrong, 0)])
        return lines.line
    return None


def _mostly_utf8(pieces: Pieces) -> bool:
    """Whether letters beyond ASCII that are valid UTF-8 outnumber the invalid bytes tenfold."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    letters = wrong = 0
    for piece in chain(pieces(), [b""]):
        text = decoder.decode(piece, not piece)
        wrong += text.count("\ufffd")
        letters += len(text) - len(text.encode("ascii", "ignore"))
    return letters - wrong > 10 * wrong
