"""A table that is typed, with the picture of its supposed shares and their intervals."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10, nan
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from dpdesk.designs.planning import People
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.design_words import with_unit
from dpdesk.gui.pages.simulate.planning.words import tr
from dpdesk.gui.pages.simulate.scales import Quantity, Read
from dpdesk.gui.pages.simulate.scenario import PERCENT, Scenario
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.typed_table import TypedColumn, TypedModel, TypedRows

MOST = 12
"""More intervals than this would have no room for their names."""
LEAST_HEIGHT = 130
_STEP = 10.0
_SPACING = 8
_CAP, _DOT = 0.06, 0.12


@dataclass(frozen=True)
class Interval:
    """A supposed value with its margin, in the unit of the question."""

    name: str
    value: float
    margin: float


class IntervalPlot(PlotCanvas):
    """Upright lines from the lower to the upper end, a bar at the share."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("IntervalPlot", "Supposed shares with their intervals")
        super().__init__(name, parent=parent)
        self._intervals: tuple[Interval, ...] = ()
        self._quantity: Quantity = PERCENT
        self._lines = self.line(0)
        self._lines.opts["connect"] = "finite"
        self.setMinimumHeight(LEAST_HEIGHT)

    def show_intervals(self, intervals: Sequence[Interval], quantity: Quantity = PERCENT) -> None:
        """Shows these intervals, from left to right."""
        self._intervals, self._quantity = tuple(intervals), quantity
        self.set_axis_titles("", with_unit(tr(quantity.noun), quantity.value_unit))
        x: list[float] = []
        y: list[float] = []
        for place, interval in enumerate(intervals):
            share, margin = quantity.scale * interval.value, quantity.scale * interval.margin
            for width, height in ((_CAP, share - margin), (_DOT, share), (_CAP, share + margin)):
                x += [place - width, place + width, nan]
                y += [height, height, nan]
            x += [place, place, nan]
            y += [share - margin, share + margin, nan]
        self._lines.setData(np.array(x), np.array(y), connect="finite")
        known = [height for height in y if height == height]
        # Ends of the axis: whole tens of per cent, or halves of the decade of the largest number.
        step = _STEP
        if quantity.report_unit is not None and any(known):
            step = 10.0 ** floor(log10(max(map(abs, known)))) / 2
        lowest = min(0, step * floor(min(known, default=0) / step))
        highest = step * ceil(max(known, default=step) / step)
        self.set_ranges((-0.6, len(self._intervals) - 0.4), (lowest, max(highest, step)))
        self.name_bars([interval.name for interval in intervals])
        rows = tuple(
            (i.name, quantity.value_words(i.value), quantity.margin_words(i.margin))
            for i in self._intervals
        )
        heads = (self.tr("Name"), tr(quantity.columns[0].hint), self.tr("Margin"))
        self.set_table(heads, rows)
        self.set_description("; ".join(" ".join(row) for row in rows))


class TablePane(QWidget):
    """Fields, the table below, and the picture below that; the table comes first.

    Args:
        scenario: The survey at first.

    Attributes:
        changed: Emitted when something else is wanted.
        model: What is typed, and what is found.
        table: Its view.
        last_values: The supposed values of a row that is added.
    """

    changed = Signal()

    model: TypedModel
    table: TypedRows

    def __init__(self, scenario: Scenario[Any], *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quantity: Quantity = scenario.quantity
        self._keys: list[str] = []
        self._filled = False
        self._first: dict[tuple[int, int], str] = {}
        self.last_values: tuple[str, ...] = ("",) * len(self._quantity.columns)
        self._picture: IntervalPlot | None = None
        self._fields = QWidget(self)
        self._column = lay_column(spacing=_SPACING, on=self)

    @abstractmethod
    def _new_row(self) -> tuple[str, ...]:
        """The texts of a row that is added."""

    @abstractmethod
    def _arrange(self) -> None:
        """Shows the fields and columns that the choices need."""

    @property
    def picture(self) -> IntervalPlot:
        """The intervals; made when they are first looked at, so that the page opens sooner."""
        if self._picture is None:
            self._picture = IntervalPlot(parent=self)
            self._column.addWidget(self._picture, 1)
        return self._picture

    def stack(
        self,
        cells: Sequence[QWidget],
        name: str,
        columns: Mapping[str, TypedColumn],
        rows: Sequence[Sequence[str]],
        add_words: str,
        scenario: Scenario[Any],
    ) -> None:
        """Puts fields and a table above the picture.

        Args:
            scenario: What values are supposed of.
            cells: The fields, three abreast.
            name: Accessible name of the table.
            columns: Its columns by their keys; those of the supposed values follow the first ones,
                which are given, and "value" stands for all of them.
            rows: The texts of its rows at first.
            add_words: The words of the button that adds a row.
        """
        shown: list[TypedColumn] = []
        for key, column in columns.items():
            parts = self._quantity.columns if key == "value" else ()
            self._keys += [part.key for part in parts] or [key]
            shown += [TypedColumn(tr(p.title), hint=tr(p.hint)) for p in parts] or [column]
        self.model = TypedModel(shown, rows, self)
        self.table = TypedRows(name, self.model, self._new_row, add_words, parent=self)
        self.table.edited.connect(self.changed)
        grid = QGridLayout(self._fields)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        for place, cell in enumerate(cells):
            grid.addWidget(cell, 0, place)
        for place in range(3):
            grid.setColumnStretch(place, 1)
        self._fields.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._column.addWidget(self._fields)
        self._column.addWidget(self.table, 1)
        self._suppose(scenario)
        self._arrange()

    def at(self, key: str) -> int:
        """The number of a column."""
        return self._keys.index(key)

    def read(self, readers: Mapping[str, Read]) -> list[dict[str, float]] | None:
        """Reads the supposed values and other columns of the table, and marks what is wrong.

        Args:
            readers: What reads a column, by its key.

        Returns:
            The numbers of each row by their keys; None where something is wrong.
        """
        parts = {part.key: self._quantity.read_part(part.key) for part in self._quantity.columns}
        refusals: dict[tuple[int, int], str] = {}
        numbers: list[dict[str, float]] = []
        for row, texts in enumerate(self.model.texts()):
            numbers.append({})
            for key, read in {**parts, **readers}.items():
                try:
                    numbers[row][key] = read(texts[self.at(key)])
                except ParameterError as error:
                    refusals[row, self.at(key)] = str(error)
        self.table.show_refusals(refusals)
        return None if refusals else numbers

    def fill(self, scenario: Scenario[Any]) -> None:
        """Supposes what fits the scenario in rows that nobody has typed in, the first time."""
        self._quantity = scenario.quantity
        if not self._filled:
            self._filled = True
            self._suppose(scenario)

    def leave_to_page(self, row: int) -> None:
        """Supposes anew of a row what fits the scenario, whatever stands there."""
        self._first |= {(row, part): text for part, text in enumerate(self.model.texts()[row])}

    def _suppose(self, scenario: Scenario[Any]) -> None:
        self.last_values = self._quantity.part_texts(scenario.survey.people)
        for row, people in enumerate(self._people_at_first(scenario)):
            for part, text in enumerate(self._quantity.part_texts(people), start=self.at("value")):
                if self.model.texts()[row][part] == self._first.get((row, part), ""):
                    self.model.set_text(row, part, text)
                    self._first[row, part] = text

    @abstractmethod
    def _people_at_first(self, scenario: Scenario[Any]) -> Sequence[People]:
        """What is supposed of each row at first."""

    def clear(self, *keys: str) -> None:
        """Empties columns of what was found, and the picture."""
        self.show_intervals(())
        for row in range(self.model.rowCount()):
            for key in keys:
                self.model.set_text(row, self.at(key), "")

    def choose(self) -> None:
        """Follows a choice."""
        self._arrange()
        self.changed.emit()

    def show_intervals(self, intervals: Sequence[Interval]) -> None:
        """Shows these intervals, or none where there are too many to be told apart."""
        shown = 0 < len(intervals) <= MOST
        if shown:
            self.picture.show_intervals(intervals, self._quantity)
        if self._picture is not None:
            self._picture.setVisible(shown)
