"""Indicator columns cut out of the records of a CSV file: two bytes per cell, read as they lie.

A parser makes a text of every cell, which takes half a minute of 10,000 columns and 20,000
records. In the files that `CsvRecords` writes the k indicators of a report are one run of 2k - 1
bytes, `0,1,0`, or k - 1 commas where there is no report. Only what lies between the runs is
parsed. Anything else in the file, and it is left to the parser as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt

from dpdesk.data.output_fields import BitsField, csv_cell

# A cell of RFC 4180; what has matched is never tried anew, so that time is linear.
_CELL = rb'(?:"(?:[^"]++|"")*+"|[^,"\r\n]*+)'
_HEADER_CELL = re.compile(rb"(" + _CELL + rb")(,|\n)")
_COMMA, _ZERO = ord(","), ord("0")
# Bytes of runs that are looked at together.
_PIECE = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class CutIndicators:
    """A CSV file in two parts.

    Attributes:
        rows: Number of records.
        indicators: The bits of each field, int8, shape (rows, k), by the names of its columns;
            -1 throughout a record without a report.
        rest: The file without them, its header included; empty where there is no other column.
    """

    rows: int
    indicators: dict[tuple[str, ...], npt.NDArray[np.int8]]
    rest: bytes


def cut_indicators(raw: bytes, fields: Sequence[BitsField]) -> CutIndicators | None:
    """Cuts the runs of some fields out of a file.

    Args:
        raw: The bytes of the file.
        fields: The fields of indicators.

    Returns:
        Both parts; None where the file is not written as `CsvRecords` writes it.
    """
    header = _header(raw)
    if header is None:
        return None
    names, start = header
    owners = _owners(names, fields)
    if owners is None or start >= len(raw):
        return None
    segments = [(owner, len(list(group))) for owner, group in groupby(owners)]
    found = _walk(raw, start, segments)
    if found is None:
        return None
    starts, lines = found
    indicators = {}
    for owner, positions in starts.items():
        bits = _bits(raw, np.array(positions, dtype=np.int64), len(fields[owner].names))
        if bits is None:
            return None
        indicators[fields[owner].names] = bits
    others = [name for name, owner in zip(names, owners, strict=True) if owner < 0]
    rest = b"\n".join([b",".join(others), *lines]) + b"\n" if others else b""
    return CutIndicators(len(next(iter(starts.values()))), indicators, rest)


def _header(raw: bytes) -> tuple[list[bytes], int] | None:
    """The cells of the first line as they stand, all different, and where the second begins."""
    names: list[bytes] = []
    at = 0
    while match := _HEADER_CELL.match(raw, at):
        names.append(match[1])
        at = match.end()
        if match[2] == b"\n":
            return (names, at) if len(set(names)) == len(names) else None
    return None


def _owners(names: list[bytes], fields: Sequence[BitsField]) -> list[int] | None:
    """The position of each column's field; -1 for the other columns."""
    owners = [-1] * len(names)
    place = {name: position for position, name in enumerate(names)}
    for owner, field in enumerate(fields):
        cells = [csv_cell(name).encode("utf-8") for name in field.names]
        first = place.get(cells[0], -1)
        if first < 0 or names[first : first + len(cells)] != cells:
            return None
        owners[first : first + len(cells)] = [owner] * len(cells)
    return owners


def _walk(
    raw: bytes, start: int, segments: list[tuple[int, int]]
) -> tuple[dict[int, list[int]], list[bytes]] | None:
    """Where the runs begin, -1 in records without a report, and what stands beside them."""
    parts = [
        # A run is measured here and looked at later, all rows at a time.
        b"([01](?s:.{%d})|,{%d})" % (2 * size - 2, size - 1)
        if owner >= 0
        else b"(" + b",".join([_CELL] * size) + b")"
        for owner, size in segments
    ]
    record = re.compile(b",".join(parts) + rb"(?:\n|\Z)")
    groups = list(enumerate((owner for owner, _ in segments), start=1))
    runs = [(group, owner) for group, owner in groups if owner >= 0]
    others = [group for group, owner in groups if owner < 0]
    alone = sum(size for owner, size in segments if owner < 0) == 1
    starts: dict[int, list[int]] = {owner: [] for _, owner in runs}
    lines: list[bytes] = []
    at, end = start, len(raw)
    while at < end:
        match = record.match(raw, at)
        if match is None:
            return None
        for group, owner in runs:
            begin, stop = match.span(group)
            present = begin < stop and raw[begin] != _COMMA
            starts[owner].append(begin if present else -1)
        if others:
            # An empty cell alone on its line would be a blank line.
            lines.append(b",".join([match[group] for group in others]) or b'""' * alone)
        at = match.end()
    return starts, lines


def _bits(raw: bytes, starts: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int8] | None:
    """The bits of all runs of a field; None where one holds anything but 0 and 1."""
    bits = np.full((starts.size, size), -1, dtype=np.int8)
    present = np.flatnonzero(starts >= 0)
    text, width = np.frombuffer(raw, dtype=np.uint8), 2 * size - 1
    if present.size == 0:
        return bits
    runs = np.lib.stride_tricks.sliding_window_view(text, width)
    step = max(1, _PIECE // width)
    for first in range(0, present.size, step):
        rows = present[first : first + step]
        piece = runs[starts[rows]]
        digits = piece[:, 0::2] - np.uint8(_ZERO)
        if (piece[:, 1::2] != _COMMA).any() or digits.max() > 1:
            return None
        bits[rows] = digits.view(np.int8)
    return bits
