"""Files that hold no delimited text, recognised by their first bytes or by their control bytes."""

from __future__ import annotations

from dpdesk.data.lines import line_of
from dpdesk.errors import InputError

_EXPORT = "Open it in the program that wrote it, export it as CSV and load that file."

# First bytes of formats that people drop on a window that asks for a table; from the
# specifications of the formats.
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a spreadsheet (xlsx, ods) or another ZIP archive"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (xls, doc)"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow (Feather) file"),
    (b"$FL2", "an SPSS file (sav)"),
    (b"$FL3", "a compressed SPSS file (zsav)"),
    (b"<stata_dta>", "a Stata file (dta)"),
    (b"HEADER RECORD*******LIBRARY", "a SAS transport file"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"%PDF-", "a PDF document"),
    (b"{\\rtf", "a rich text document (rtf)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"RDX2\n", "an R workspace"),
    (b"RDX3\n", "an R workspace"),
    (b"\x89PNG\r\n\x1a\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x7fELF", "a program"),
)

_SAMPLE_BYTES = 1 << 16
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1a\x1b") + b"\x7f"
# Text holds next to no control characters, random bytes about one in ten. A few of them are a
# damaged line, which is better named as such.
_MOST_CONTROL = 0.02
_FEW_CONTROL = 8


def refuse_foreign_format(raw: bytes, name: str) -> None:
    """Refuses a file that is recognisably no delimited text.

    Args:
        raw: The bytes of the file.
        name: Name of the file, for the message.

    Raises:
        InputError: The file is of another format, which the message names.
    """
    for signature, what in _SIGNATURES:
        if raw.startswith(signature) and not _reads_like_text(raw, signature):
            raise InputError(f"{name} is {what}, not a text file.", remedy=_EXPORT)


def refuse_control_bytes(text: bytes | bytearray, name: str) -> None:
    """Refuses text that is full of control characters, as the bytes of a binary file are.

    Args:
        text: The text, encoded as UTF-8.
        name: Name of the file, for the message.

    Raises:
        InputError: More than 2 % of the first 65,536 bytes, and more than 8 of them, are control
            characters.
    """
    sample = bytes(text[:_SAMPLE_BYTES])
    if _controls(sample) > max(_FEW_CONTROL, _MOST_CONTROL * len(sample)):
        raise InputError(f"{name} is not a text file: it is full of control bytes.", remedy=_EXPORT)


def refuse_nul(text: bytes | bytearray, name: str) -> None:
    """Refuses text with a NUL, at which some programs end a text.

    Args:
        text: The text, encoded as UTF-8.
        name: Name of the file, for the message.

    Raises:
        InputError: There is a NUL; its line is named.
    """
    nul = text.find(b"\0")
    if nul >= 0:
        line = line_of(text, nul)
        raise InputError(
            f"Line {line} of {name} holds a NUL byte, which no text file may hold.",
            line=line,
            remedy="Export the table again as CSV; the file may be damaged.",
        )


def _reads_like_text(raw: bytes, signature: bytes) -> bool:
    # "BZh" or "PAR1" can also begin the name of a column: letters alone prove nothing.
    if not signature.isalnum():
        return False
    sample = raw[:_SAMPLE_BYTES]
    return _controls(sample) == 0 and any(line_end in sample for line_end in b"\r\n")


def _controls(sample: bytes) -> int:
    return len(sample) - len(sample.translate(None, _CONTROL))
