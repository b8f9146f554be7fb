"""Lines of a text file, counted as an editor counts them."""

from __future__ import annotations


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
