"""What the files of a release say, unpacked: a search of their bytes would find nothing."""

from __future__ import annotations

import re
import zlib
from contextlib import suppress
from pathlib import Path

import pyarrow.parquet


def unpacked(path: Path) -> str:
    """What a file says: of a PDF its streams and texts, of Parquet its cells."""
    raw = path.read_bytes()
    if path.suffix == ".parquet":
        table = pyarrow.parquet.read_table(path)
        return f"{table.to_pydict()} {table.schema.metadata}"
    if path.suffix != ".pdf":
        return raw.decode("utf-8")
    streams = [raw]
    for found in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", raw, re.DOTALL):
        with suppress(zlib.error):
            streams.append(zlib.decompress(found[1]))
    said = [stream.decode("latin-1") for stream in streams]
    # Each font numbers its letters; a text is looked for by the numbers of every font.
    shown = ["".join(re.findall(r"<([0-9A-Fa-f]+)>", s)) for s in said if " Tf" in s]
    for cmap in (one for one in said if "beginbfchar" in one):
        letters = {
            code.lower(): bytes.fromhex(to).decode("utf-16-be")
            for code, to in re.findall(r"<([0-9A-Fa-f]{4})>\s*<([0-9A-Fa-f]{4,})>", cmap)
        }
        for text in shown:
            codes = (text[place : place + 4].lower() for place in range(0, len(text), 4))
            said.append("".join(letters.get(code, "") for code in codes))
    return "\n".join(said)
