"""The tidy tables of a release: estimates and codebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from dpdesk.data.write_csv import write_table_csv
from dpdesk.estimate.released import Released
from dpdesk.estimate.rows import EstimateRow, estimate_rows
from dpdesk.report.codebook import CODEBOOK_HEADER, codebook_rows

ESTIMATES_NAME = "estimates.csv"
CODEBOOK_NAME = "codebook.csv"

_ESTIMATES_HEADER = tuple(field.name for field in fields(EstimateRow))


def write_estimates(released: Released, folder: Path) -> None:
    """Writes `estimates.csv`: one row per estimated share or mean, its columns as `EstimateRow`.

    Shares are fractions of 1; an unidentified sampling error is an empty cell.
    """
    write_table_csv(folder / ESTIMATES_NAME, _ESTIMATES_HEADER, _estimate_cells(released))


def write_codebook(released: Released, folder: Path) -> None:
    """Writes `codebook.csv`: one row per value that a released column can hold."""
    rows = (row.cells() for row in codebook_rows(released))
    write_table_csv(folder / CODEBOOK_NAME, CODEBOOK_HEADER, rows)


def _estimate_cells(released: Released) -> Iterator[tuple[str | int | float | None, ...]]:
    for attribute in released.attributes:
        for row in estimate_rows(attribute):
            yield tuple(getattr(row, name) for name in _ESTIMATES_HEADER)
