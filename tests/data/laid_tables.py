"""One table as files of several formats, in parts, and where fsspec finds them."""

from __future__ import annotations

import gzip
import io
import zipfile
from itertools import pairwise

import pyarrow as pa
import pyarrow.feather as pf
import pyarrow.parquet as pq

from dpdesk.data.table import SurveyTable

ROWS = 40_000
COLUMNS = {
    "id": [str(row) for row in range(ROWS)],
    "smokes": ["no" if row % 3 else "yes" for row in range(ROWS)],
    "income": [str(row * row % 977 / 2) for row in range(ROWS)],
}
ENDINGS = (".csv", ".csv.gz", ".parquet", ".feather")


def content(first: int, stop: int, ending: str) -> bytes:
    """Some rows as a file."""
    columns = {name: cells[first:stop] for name, cells in COLUMNS.items()}
    out = io.BytesIO()
    if ending == ".parquet":
        pq.write_table(pa.table(columns), out, row_group_size=3_000)
    elif ending == ".feather":
        pf.write_feather(pa.table(columns), out, chunksize=3_000)
    else:
        lines = [",".join(row) for row in zip(*columns.values(), strict=True)]
        text = "\n".join([",".join(columns), *lines, ""]).encode()
        return gzip.compress(text) if ending.endswith(".gz") else text
    return out.getvalue()


def parts(ending: str) -> dict[str, bytes]:
    """The table in three parts, whose order by letters is another one than by numbers."""
    edges = [0, 9_000, 30_000, ROWS]
    return {
        f"part-{number + 9}{ending}": content(first, stop, ending)
        for number, (first, stop) in enumerate(pairwise(edges))
    }


def cells(table: SurveyTable) -> dict[str, list[str]]:
    return {column.name: list(column.texts()) for column in table.columns}


def archive(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, raw in files.items():
            packed.writestr(f"survey/{name}", raw)
    return out.getvalue()
