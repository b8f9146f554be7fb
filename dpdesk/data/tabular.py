"""Tables of Python users: results handed to data-frame libraries, and data frames as surveys."""

from __future__ import annotations

import html
import math
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.number_texts import NumberTexts
from dpdesk.data.texts import T
from dpdesk.errors import DpdeskError, InputError

_FILE = "table.arrow"
_ROWS, _COLUMNS = 20, 8
_INDEX_WITHOUT_NAME = re.compile(r"__index_level_\d+__")
"""Arrow's name of a pandas index without one: positions of rows, no question of a survey."""


@runtime_checkable
class ArrowStream(Protocol):
    """A table of another library: pandas, polars, pyarrow and others have this method."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the table by the Arrow PyCapsule interface."""


class Tabular:
    """A result that is a table: for data-frame libraries, notebooks and plots.

    Attributes:
        shown: Names of the columns that are shown; the first ones where empty.
        drawn: Names of the columns of an estimate and the ends of its interval, to plot; the
            columns before them tell the estimates apart.
    """

    __slots__ = ()
    shown: ClassVar[tuple[str, ...]] = ()
    drawn: ClassVar[tuple[str, ...]] = ()

    def table_rows(self) -> Iterable[Mapping[str, Any]]:
        """Returns the rows of the table, each with its values by the names of the columns."""
        raise NotImplementedError

    def to_arrow(self) -> pa.Table:
        """Returns the table of pyarrow."""
        return pa.Table.from_pylist(list(self.table_rows()))

    def to_pandas(self) -> Any:
        """Returns the data frame of pandas.

        Raises:
            DpdeskError: pandas is not installed.
        """
        try:
            return self.to_arrow().to_pandas()
        except ImportError:
            raise DpdeskError(T.NO_PANDAS()) from None

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the table for any library that reads the Arrow PyCapsule interface."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def displayed(self) -> pa.Table:
        """Returns what `repr` and a notebook show the first rows of."""
        table = self.to_arrow()
        filled = [name for name in table.column_names if table[name].null_count < len(table)]
        return table.select([name for name in self.shown if name in filled] or filled[:_COLUMNS])

    def __repr__(self) -> str:
        head, *rows = self._cells()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
        return "\n".join([*head, *lines])

    def _repr_html_(self) -> str:
        (head,), *rows = self._cells()
        cells = (f"<td>{'</td><td>'.join(map(html.escape, row))}</td>" for row in rows)
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        return f"<table><caption>{html.escape(head)}</caption>{body}</table>"

    def _cells(self) -> list[list[str]]:
        """Its name and size, the heads of its columns, and the first rows, as texts."""
        table = self.displayed()
        rows = [list(map(_cell, row.values())) for row in table.slice(0, _ROWS).to_pylist()]
        more = [["…"] * table.num_columns] if table.num_rows > _ROWS else []
        size = T.ROWS_SHOWN(count=table.num_rows)
        return [[f"{type(self).__name__}: {size}"], table.column_names, *rows, *more]

    def plot(self, axes: Any = None) -> Any:
        """Draws each estimate with its interval, by matplotlib; returns the axes.

        Args:
            axes: Axes of matplotlib; new ones if None.

        Raises:
            DpdeskError: matplotlib is not installed, or there are no intervals to draw.
        """
        if not self.drawn:
            raise DpdeskError(T.NO_PLOT())
        axes = _new_axes() if axes is None else axes
        table = self.to_arrow()
        value, lower, upper = (np.array(table[name], dtype=float) for name in self.drawn)
        shown = self.displayed().column_names
        named = table.select(shown[: shown.index(self.drawn[0])])
        labels = [" ".join(map(_cell, row.values())) for row in named.to_pylist()]
        places = np.arange(len(value))[::-1]
        axes.errorbar(value, places, xerr=[value - lower, upper - value], fmt="o", capsize=3)
        axes.set_yticks(places, labels)
        axes.set_xlabel(self.drawn[0])
        return axes


def distinct_values(numbers: NumberTexts, blank: npt.NDArray[np.bool_]) -> pa.Array:
    """Returns distinct answers, as numbers where they are numbers alone, empty ones as missing.

    Args:
        numbers: The answers, read as numbers.
        blank: Which of them are empty, shape (k,).
    """
    is_number = numbers.is_number
    if not (is_number | blank).all():
        return pc.if_else(pa.array(blank), None, numbers.texts)
    values = pa.array(numbers.values, mask=~is_number)
    is_whole = np.equal(np.mod(numbers.values[is_number], 1), 0).all()
    return values.cast(pa.int64(), safe=False) if is_whole else values


def read_released_table(path: Path) -> pa.Table:
    """Returns a table of a release, Parquet or CSV, with its numbers as numbers."""
    # Here and not above: who shows no table needs none of these.
    import pyarrow.csv
    import pyarrow.parquet

    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path)
    options = pyarrow.csv.ConvertOptions(strings_can_be_null=True)
    return pyarrow.csv.read_csv(path, convert_options=options)


@contextmanager
def file_of_table(table: ArrowStream) -> Iterator[Path]:
    """Writes a table of another library into a private file for the time of a call.

    Args:
        table: The table; an index of pandas without a name is left out.

    Raises:
        InputError: It holds what no file of Arrow can hold.
    """
    import pyarrow.feather

    with tempfile.TemporaryDirectory(prefix="dpdesk-", ignore_cleanup_errors=True) as folder:
        path = Path(folder, _FILE)
        try:
            arrow = pa.table(table)
            names = [name for name in arrow.column_names if not _INDEX_WITHOUT_NAME.fullmatch(name)]
            answers = arrow.select(names).replace_schema_metadata()
            pyarrow.feather.write_feather(answers, path, compression="uncompressed")
        except pa.ArrowException:
            # Its own words quote cells.
            raise InputError(T.NO_ARROW_TABLE()) from None
        yield path


def _new_axes() -> Any:
    try:
        return import_module("matplotlib.pyplot").gca()
    except ImportError:
        raise DpdeskError(T.NO_MATPLOTLIB()) from None


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
