"""Files that break readers, each with what dpdesk must make of it."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

PLANTED = "PLANTEDvalue7319"
"""Stands in the files where an answer stands; must never be seen in a message."""


@dataclass(frozen=True)
class HostileFile:
    """Bytes, and what comes of them.

    Attributes:
        name: What is hostile about the file.
        content: Makes its bytes.
        rows: Rows of the table, or None where it must be refused.
        line: The line that the refusal names, if any.
    """

    name: str
    content: Callable[[], bytes]
    rows: int | None = None
    line: int | None = None


def _zip(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


def _noise(size: int, alphabet: bytes = bytes(range(256))) -> bytes:
    return bytes(random.Random(7319).choices(alphabet, k=size))


def _lines(*lines: str, end: str = "\n") -> Callable[[], bytes]:
    return (end.join(lines) + end).encode


P = PLANTED
HOSTILE: tuple[HostileFile, ...] = (
    HostileFile("empty", lambda: b""),
    HostileFile("line ends only", lambda: b"\r\n\n\r" * 1000),
    HostileFile("byte order mark only", lambda: b"\xef\xbb\xbf"),
    HostileFile("many byte order marks", lambda: b"\xef\xbb\xbf" * 9 + b'"a",b\n1,2\n', rows=1),
    HostileFile("30 MB of byte order marks", lambda: b"\xef\xbb\xbf" * 10**7),
    HostileFile("equal numbers", _lines("a", "-0", "+0", "0", "0.0"), rows=4),
    HostileFile("UTF-16 mark only", lambda: b"\xff\xfe"),
    HostileFile("header only", _lines("a,b"), line=1),
    HostileFile("one cell", P.encode, line=1),
    HostileFile("xlsx bomb", lambda: _zip("xl/sheet1.xml", bytes(50_000_000))),
    HostileFile("gzip bomb", lambda: gzip.compress(bytes(50_000_000))),
    HostileFile("old spreadsheet", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512)),
    HostileFile("parquet", lambda: b"PAR1" + _noise(1000)),
    HostileFile("pdf", lambda: b"%PDF-1.7\n" + _noise(1000)),
    HostileFile("random bytes", lambda: _noise(1_000_000)),
    HostileFile("random control bytes", lambda: _noise(100_000, bytes(range(1, 32)) + b"abc")),
    HostileFile("zero bytes", lambda: bytes(1_000_000)),
    HostileFile("NUL in a cell", _lines("a,b", "1,2", f"{P},\0"), line=3),
    HostileFile("unclosed quote", _lines("a,b", "1,2", f'{P},"x', "3,4"), line=3),
    HostileFile(
        "unclosed quote before 20 MB",
        lambda: b'a,b\n1,"' + P.encode() + b"\n" + b"1,2\n" * 5_000_000,
        line=2,
    ),
    HostileFile("stray quote", _lines("a,b", f'{P},5" pipe', "3,4"), line=2),
    HostileFile("quote after text", _lines("a,b", f'"{P}"x,2', "3,4"), line=2),
    HostileFile("merging quotes", _lines("a,b", f'1,"{P}', '2,"x"'), line=2),
    HostileFile("backslash quotes", _lines("a,b", f'1,"{P}\\"x"'), line=2),
    HostileFile("short record", _lines("a,b,c", "1,2,3", f"{P},2"), line=3),
    HostileFile("long record", _lines("a,b,c", "1,2,3", f"{P},2,3,4"), line=3),
    HostileFile("short record far down", _lines("a,b", *["1,2"] * 999_999, P), line=1_000_001),
    HostileFile("30 MB field", lambda: b"a,b\n1," + b"x" * 30_000_000 + b"\n", line=2),
    HostileFile("30 MB quoted field", lambda: b'a,b\n1,"' + b"x\n" * 15_000_000 + b'"\n', line=2),
    HostileFile("30 MB of one line", lambda: b"x" * 30_000_000, line=1),
    HostileFile("30 MB of delimiters", lambda: b"," * 30_000_000 + b"\n1\n", line=1),
    HostileFile("30 MB of quotes", lambda: b'"' * 30_000_001 + b"\n1\n", line=1),
    HostileFile("30 MB of doubled quotes", lambda: b"a\n" + b'"' * 30_000_000 + b"\n", line=2),
    HostileFile("wrong byte in UTF-8", lambda: "é,b\n".encode() * 20 + b"\xff,2\n", line=21),
    HostileFile("half a surrogate", lambda: b"\xff\xfea\0\n\0\x00\xd8x\0\n\0", line=2),
    HostileFile("odd UTF-16", lambda: "a,b\n1,2\n".encode("utf-16") + b"x", line=3),
    HostileFile("unknown words for nothing", _lines("a,b", "NA,null", "NaN,None", "N/A,"), rows=3),
    HostileFile("leading zeros", _lines("a,b", "007,+1", "0,-0"), rows=2),
    HostileFile("decimal commas", _lines("a;b", "1,5;2", "2,5;3"), rows=2),
    HostileFile("repeated and empty names", _lines("a,a,,", "1,2,3,4"), rows=1),
    HostileFile("names of markup", _lines("<img src=x>,$a$,=1+1", "1,2,3"), rows=1),
    HostileFile("mixed line ends", lambda: b"a,b\r\n1,2\n3,4\r5,6", rows=3),
    HostileFile("blank lines", _lines("a,b", "", "1,2", "", "", "3,4", ""), rows=2),
    HostileFile("Latin-1 without a name", lambda: b"a,b\n\xe9\x81,2\n", rows=1),
    HostileFile("UTF-16 without a mark", lambda: "a,b\n1,2\n".encode("utf-16-le"), rows=1),
    HostileFile("20,000 columns", _lines(",".join(["q"] * 20_000), "," * 19_999 + "1"), rows=1),
    HostileFile(
        "a million blank answers", lambda: b"a\n" + b"\n" * 1_000_000 + b"1", rows=10**6 + 1
    ),
    HostileFile("a million distinct answers", _lines("a", *map(str, range(10**6))), rows=10**6),
    HostileFile("quoted line breaks", _lines("a,b", '"1\r\n\n2",3'), rows=1),
    HostileFile("Unicode line separators", _lines("a,b", "1\u2028\x85\v\f,2"), rows=1),
    HostileFile("right-to-left and joined letters", _lines("a,b", "\u202eabc,👩‍👩‍👧"), rows=1),
)
