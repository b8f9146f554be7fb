"""The kinds of a column: a level of measurement, or a role that no mechanism protects."""

from __future__ import annotations

from typing import Literal, get_args

ColumnKind = Literal[
    "nominal", "ordinal", "binary", "several", "integer", "real", "date", "identifier", "weight"
]

COLUMN_KINDS: tuple[ColumnKind, ...] = get_args(ColumnKind)
"""All kinds, in the order in which they are offered."""
