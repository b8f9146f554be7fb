"""Decodes the bytes of a file in any common encoding to UTF-8; counts lines as an editor does."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dpdesk.data.reading import encoding_name, known_encoding
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
_CHOOSE = "Choose the encoding the file was saved in, or save it again as UTF-8."

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

    data: bytes | bytearray
    encoding: str
    notices: tuple[str, ...] = ()


def to_utf8(
    raw: bytes, name: str, encoding: str | None, tick: Callable[[], None] = lambda: None
) -> Utf8Text:
    """Decodes a file.

    A byte order mark decides; without one, UTF-8 if the bytes are valid UTF-8, UTF-16 if every
    second byte is mostly zero, else Windows-1252, or Latin-1 if a byte is undefined there.

    Args:
        raw: The bytes of the file.
        name: Name of the file, for messages.
        encoding: The encoding, if the user chose one.
        tick: Called between pieces; may raise to cancel.

    Raises:
        InputError: The encoding is unknown, or bytes are invalid in it.
    """
    if encoding is not None:
        return _decoded(raw, name, known_encoding(encoding), tick)
    return _detected(raw, name, tick)


def to_utf8_by_cells(
    raw: bytes, name: str, encoding: str, tick: Callable[[], None] = lambda: None
) -> Utf8Text:
    """Decodes a file by its declared encoding; an invalid byte spoils its own cell only.

    In single-byte encodings, and in UTF-8, whose letters never contain a delimiter or a line end,
    an invalid byte becomes `UNREADABLE`. In other encodings an invalid byte can swallow what
    follows, so that the file is refused.

    Args:
        raw: The bytes of the file.
        name: Name of the file, for messages.
        encoding: Python's name of the encoding.
        tick: Called between pieces; may raise to cancel.

    Raises:
        InputError: Bytes are invalid in an encoding whose letters depend on their neighbours.
    """
    if encoding != "utf-8" and not _stands_alone(encoding):
        return _decoded(raw, name, encoding, tick)
    bad = _first_error(raw, encoding, tick)
    if bad is None:
        return _decoded(raw, name, encoding, tick)
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    data = bytearray()
    for piece, last in _pieces(raw):
        tick()
        data += decoder.decode(bytes(piece), last).encode("utf-8")
    notice = (
        f"The file holds bytes that are invalid in {encoding_name(encoding)}, the first on line "
        f"{line_of(raw, bad)}. The cells that hold them cannot be read."
    )
    return Utf8Text(_without_mark(data), encoding, (notice,))


def _stands_alone(encoding: str) -> bool:
    """Whether each byte is a letter of its own, independent of its neighbours."""
    every = bytes(range(256))
    alone = [every[i : i + 1].decode(encoding, "replace") for i in range(256)]
    return all(len(letter) == 1 for letter in alone) and every.decode(encoding, "replace") == (
        "".join(alone)
    )


def _detected(raw: bytes, name: str, tick: Callable[[], None]) -> Utf8Text:
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return _decoded(raw, name, encoding, tick)
    if raw.isascii():
        wide = _wide_encoding(raw)
        return _decoded(raw, name, wide, tick) if wide else Utf8Text(raw, "utf-8")
    bad = _first_error(raw, "utf-8", tick)
    if bad is None:
        return Utf8Text(raw, "utf-8")
    wide = _wide_encoding(raw)
    if wide:
        return _decoded(raw, name, wide, tick)
    if _mostly_utf8(raw):
        line = line_of(raw, bad)
        raise InputError(
            f"Line {line} of {name} holds a byte that is not UTF-8, while the rest of the file is.",
            line=line,
            remedy=_CHOOSE,
        )
    windows = not any(raw.find(byte) >= 0 for byte in (b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d"))
    encoding = "cp1252" if windows else "latin-1"
    text = _decoded(raw, name, encoding, tick)
    title = "Windows-1252" if windows else "Latin-1"
    notice = (
        f"The file is not UTF-8 and was read as {title}. "
        "If letters look wrong, choose its encoding."
    )
    return Utf8Text(text.data, encoding, (notice,))


def _wide_encoding(raw: bytes) -> str | None:
    """UTF-16 without a mark: in Western text one byte of each pair is nearly always zero."""
    sample = np.frombuffer(raw[: _PIECE // 64 * 2], dtype=np.uint8)
    even, odd = sample[0::2], sample[1::2]
    if len(raw) % 2 or not len(odd):
        return None
    zero_even, zero_odd = float(np.mean(even == 0)), float(np.mean(odd == 0))
    if zero_odd > 0.5 and zero_even < 0.05:
        return "utf-16-le"
    if zero_even > 0.5 and zero_odd < 0.05:
        return "utf-16-be"
    return None


def _pieces(raw: bytes) -> Iterator[tuple[memoryview, bool]]:
    view = memoryview(raw)
    for start in range(0, len(view), _PIECE):
        yield view[start : start + _PIECE], start + _PIECE >= len(view)


def _first_error(raw: bytes, encoding: str, tick: Callable[[], None]) -> int | None:
    decoder = codecs.getincrementaldecoder(encoding)()
    start = 0
    for piece, last in _pieces(raw):
        tick()
        # The decoder holds back the start of a letter that the next piece completes.
        held = len(decoder.getstate()[0])
        try:
            decoder.decode(bytes(piece), last)
        except UnicodeDecodeError as error:
            return start - held + error.start
        start += len(piece)
    return None


def _mostly_utf8(raw: bytes) -> bool:
    """Whether letters beyond ASCII that are valid UTF-8 outnumber the invalid bytes tenfold."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    letters = wrong = 0
    for piece, last in _pieces(raw):
        text = decoder.decode(bytes(piece), last)
        wrong += text.count("\ufffd")
        letters += len(text) - len(text.encode("ascii", "ignore"))
    return letters - wrong > 10 * wrong


def _decoded(raw: bytes, name: str, encoding: str, tick: Callable[[], None]) -> Utf8Text:
    if encoding == "utf-8" and _first_error(raw, encoding, tick) is None:
        data: bytes | bytearray = raw
    else:
        data = _transcoded(raw, name, encoding, tick)
    return Utf8Text(_without_mark(data), encoding)


def _without_mark(data: bytes | bytearray) -> bytes | bytearray:
    # Programs that join files, or add a mark to every file that they save, leave several marks.
    mark, start = codecs.BOM_UTF8, 0
    while data.startswith(mark, start):
        start += len(mark)
    return data[start:] if start else data


def _transcoded(raw: bytes, name: str, encoding: str, tick: Callable[[], None]) -> bytearray:
    decoder = codecs.getincrementaldecoder(encoding)()
    data = bytearray()
    wrong = False
    for piece, last in _pieces(raw):
        tick()
        try:
            data += decoder.decode(bytes(piece), last).encode("utf-8")
        except UnicodeError as error:
            wrong = True
            if isinstance(error, UnicodeDecodeError):
                data += (
                    error.object[: error.start].decode(encoding, "ignore").encode("utf-8", "ignore")
                )
        if wrong:
            # Raised outside the handler: the decoder's own error carries the bytes of the file.
            line = line_of(data, len(data))
            raise InputError(
                f"Line {line} of {name} holds a byte that does not belong to {encoding}.",
                line=line,
                remedy=_CHOOSE,
            )
    return data
