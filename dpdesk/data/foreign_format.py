"""Recognises what is not a table of text, by its first bytes or by its control bytes."""

from __future__ import annotations

import re

from dpdesk.data.encoding import line_of
from dpdesk.data.source import Source
from dpdesk.data.strict_json import JsonRefusedError, parse_strict
from dpdesk.data.texts import T
from dpdesk.errors import InputError

# First bytes of formats that people try to load as a table; from the specifications of the formats.
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "spreadsheet (xlsx, ods) or ZIP archive"),
    (b"PK\x05\x06", "empty ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office document (xls, doc)"),
    (b"PAR1", "Parquet file"),
    (b"ARROW1", "Arrow (Feather) file"),
    (b"$FL2", "SPSS file (sav)"),
    (b"$FL3", "compressed SPSS file (zsav)"),
    (b"<stata_dta>", "Stata file (dta)"),
    (b"HEADER RECORD*******LIBRARY", "SAS transport file"),
    (b"**COMPRESSED** **COMPRESSED**", "SAS file of proc cport"),
    (b"\xff\xff\xff\xff", "Arrow stream"),
    (b"SQLite format 3\x00", "SQLite database"),
    (b"\x89HDF\r\n\x1a\n", "HDF5 file"),
    (b"%PDF-", "PDF document"),
    (b"{\\rtf", "rich text document (rtf)"),
    (b"\x1f\x8b", "gzip archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ\x00", "xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip archive"),
    (b"Rar!\x1a\x07", "RAR archive"),
    (b"\x28\xb5\x2f\xfd", "Zstandard archive"),
    (b"RDX2\n", "R workspace"),
    (b"RDX3\n", "R workspace"),
    (b"X\n\0\0\0", "R object (rds)"),
    (b"\0\1\0\0Standard ", "Access database"),
    (b"\x80\x04\x95", "Python object (pickle)"),
    (b"\x80\x05\x95", "Python object (pickle)"),
    (b"\x89PNG\r\n\x1a\n", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"GIF8", "picture"),
    (b"\x7fELF", "program"),
)

_READ = (b"PAR1", b"ARROW1", b"$FL2", b"$FL3", b"<stata_dta>")
"""Those of formats that are read."""

_WEB_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|table|meta)\b", re.IGNORECASE
)
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml\b")
_TAR_AT, _TAR = 257, b"ustar"
_NOT_TABLES = (
    *(".py", ".r", ".jl", ".js", ".sh", ".bat", ".ps1", ".sql", ".do", ".sps", ".sas"),
    *(".md", ".rst", ".tex", ".rmd", ".qmd", ".ipynb", ".toml", ".yaml", ".yml"),
)
"""What the ending of a name says is text and no table: any text could be read as a column."""
_OF_JSON = (".json", ".jsonl", ".ndjson")
SAMPLE_BYTES = 1 << 16
"""Bytes by which a binary file is recognised."""
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1a\x1b") + b"\x7f"
# Text has next to no control characters, random bytes about one in ten. A few of them are a
# damaged line, which another message names.
_MOST_CONTROL = 0.02
_FEW_CONTROL = 8


def refuse_foreign_format(source: Source) -> None:
    """Refuses a file that is recognised as another format than delimited text.

    Raises:
        InputError: The file is of another format, which the message names.
    """
    raw, name = source.head, source.name
    if is_web_page(raw):
        raise InputError(T.FOREIGN_FORMAT(file=name, format="web page"))
    if _XML.match(raw):
        raise InputError(T.FOREIGN_FORMAT(file=name, format="XML"))
    if raw[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR and b"\0" in raw[:_TAR_AT]:
        raise InputError(T.FOREIGN_FORMAT(file=name, format="tar archive"))
    if name.lower().endswith(_OF_JSON) and _is_json(source.whole):
        raise InputError(T.NO_OBJECTS(file=name))
    if name.lower().endswith(_NOT_TABLES):
        raise InputError(T.NO_TABLE_BY_NAME(file=name))
    for signature, what in _SIGNATURES:
        if raw.startswith(signature) and not _reads_like_text(raw, signature):
            # A whole file of a format that is read had been recognised.
            text = T.DAMAGED_FORMAT if signature in _READ else T.FOREIGN_FORMAT
            raise InputError(text(file=name, format=what))


def is_web_page(raw: bytes) -> bool:
    """Whether a file begins as a web page does."""
    return _WEB_PAGE.match(raw) is not None


def refuse_binary(text: bytes, name: str) -> None:
    """Refuses what begins with more control characters than a text has.

    Raises:
        InputError: More than 2 % of the first 65,536 bytes, and more than 8 of them, are control
            characters.
    """
    sample = text[:SAMPLE_BYTES]
    if _controls(sample) > max(_FEW_CONTROL, _MOST_CONTROL * len(sample)):
        raise InputError(T.NO_TEXT(file=name))


def refuse_nul(text: bytes, name: str) -> None:
    """Refuses a text with a NUL byte, at which some programs stop reading.

    Raises:
        InputError: There is one; the message names its line.
    """
    nul = text.find(b"\0")
    if nul >= 0:
        raise nul_refusal(name, line_of(text, nul))


def nul_refusal(name: str, line: int) -> InputError:
    """Returns the refusal of a line that holds a NUL byte."""
    return InputError(T.NUL_BYTE(line=line, file=name), line=line)


def _is_json(raw: bytes) -> bool:
    """Whether a text is JSON, or begins as a list of it does."""
    if raw.lstrip().startswith(b"["):
        return True
    try:
        parse_strict(raw)
    except JsonRefusedError:
        return False
    return True


def _reads_like_text(raw: bytes, signature: bytes) -> bool:
    # "BZh" or "PAR1" can also begin the name of a column: letters alone prove nothing.
    if not signature.isalnum():
        return False
    sample = raw[:SAMPLE_BYTES]
    return _controls(sample) == 0 and any(line_end in sample for line_end in b"\r\n")


def _controls(sample: bytes) -> int:
    return len(sample) - len(sample.translate(None, _CONTROL))
