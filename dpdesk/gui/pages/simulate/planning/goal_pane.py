"""One question: what is wanted, and the curve of the error against n."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.gui.pages.simulate.planning.cell import Cell, NumberCell
from dpdesk.gui.pages.simulate.planning.curves import LEAST, Curves, Floats, curves_of
from dpdesk.gui.pages.simulate.planning.goals import found
from dpdesk.gui.pages.simulate.planning.outcome import FieldRefusal, Outcome, tr
from dpdesk.gui.pages.simulate.planning.readers import (
    count_text,
    margin_text,
    odds_text,
    percent_text,
    plain_text,
    read_any_share,
    read_coefficient,
    read_count,
    read_odds,
    read_open_share,
)
from dpdesk.gui.pages.simulate.planning.wanted import Goal, Wanted
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.log_axis import set_log_ticks
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import error_text, significant

_MARGINS = (0.1, 100.0)
"""The axis of margins in percentage points."""
_LEAST_HEIGHT = 100
_TITLED_FROM = 165
_NOTHING = 1e-9


class CurvePlot(PlotCanvas):
    """The curves with logarithmic respondents; margins are logarithmic too.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("CurvePlot", "Margin or power against respondents")
        super().__init__(name, parent=parent)
        self._direct = self.line("muted", style="dotted")
        self._denied = self.line(1, style="dashed")
        self._design = self.line(0)
        self._upright = self.marker(angle=90)
        self._level = self.marker(angle=0)
        self._frame: tuple[object, ...] = ()
        self.setMinimumHeight(_LEAST_HEIGHT)

    def show_curves(self, curves: Curves) -> None:
        """Shows the curves of a plan."""
        logs = np.log10(curves.respondents)
        known = len(curves.denied) > 0
        heights = (curves.direct, curves.denied, curves.design)
        for line, height in zip((self._direct, self._denied, self._design), heights, strict=True):
            line.setData(logs if len(height) else [], _placed(height, curves))
        self._upright.setValue(np.log10(curves.people))
        self._level.setValue(float(_placed(np.array([curves.height]), curves)[0]))
        self._frame_for(curves)
        self.set_table_source(lambda: self._table_of(curves, known=known))
        people = f"{curves.people:,}"
        if curves.of_power:
            words = self.tr("{people} respondents: power {height} %").format(
                people=people, height=significant(curves.height, 3)
            )
        else:
            words = self.tr("{people} respondents: margin {height}").format(
                people=people, height=error_text(curves.height, "pp")
            )
        self.set_description(words)

    def _frame_for(self, curves: Curves) -> None:
        frame = (curves.of_power, curves.most)
        if frame == self._frame:
            return
        self._frame = frame
        plot = self.getPlotItem()
        self.name_axes()
        ends = (np.log10(LEAST), np.log10(curves.most))
        if curves.of_power:
            self.set_ranges(ends, (0.0, 100.0))
            plot.getAxis("left").setTicks(None)
        else:
            self.set_ranges(ends, (np.log10(_MARGINS[0]), np.log10(_MARGINS[1])))
            set_log_ticks(plot.getAxis("left"), *_MARGINS)
        set_log_ticks(plot.getAxis("bottom"), float(LEAST), curves.most)
        plot.showGrid(x=True, y=True, alpha=1.0)

    def name_axes(self) -> None:
        """Writes the titles; a low plot has no room for the lower one."""
        if not self._frame:
            return
        of_power = self._frame[0]
        left = self.tr("power (%)") if of_power else self.tr("margin (± pp)")
        roomy = self.height() >= _TITLED_FROM
        self.set_axis_titles(self.tr("respondents") if roomy else "", left)

    def _table_of(self, curves: Curves, *, known: bool) -> PlotTable:
        heads = (
            self.tr("Respondents"),
            self.tr("The design"),
            self.tr("Direct question"),
            self.tr("Direct question, denied"),
        )
        columns = [curves.design, curves.direct, *([curves.denied] if known else [])]
        rows = tuple(
            (f"{int(n):,}", *(significant(height, 3) for height in heights))
            for n, *heights in zip(curves.respondents, *columns, strict=True)
        )
        return PlotTable(heads[: 1 + len(columns)], rows)


class CurvePanel(QWidget):
    """The plot below its legend.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend = LegendRow(parent=self)
        self.plot = CurvePlot(parent=self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.legend)
        column.addWidget(self.plot, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves out the title of the lower axis where the plot is low."""
        super().resizeEvent(event)
        self.plot.name_axes()

    def show_curves(self, curves: Curves) -> None:
        """Shows the curves of a plan with what they are."""
        entries = [
            LegendEntry(self.tr("this design"), 0),
            LegendEntry(self.tr("direct question"), "muted", "dotted", self.tr("direct")),
        ]
        if len(curves.denied):
            words = self.tr("direct, denied: bias included")
            entries.append(LegendEntry(words, 1, "dashed", self.tr("direct, denied")))
        self.legend.set_entries(entries)
        self.plot.show_curves(curves)


def _placed(heights: Floats, curves: Curves) -> Floats:
    """Heights on the axis: power as it is, margins as logarithms."""
    # Who asks everybody a direct question has no error, which is below every axis.
    return heights if curves.of_power else np.log10(np.maximum(heights, _NOTHING))


_ABREAST = 4


class GoalPane(QWidget):
    """A choice of what to find, with the fields that it needs.

    Args:
        parent: Qt's owner.

    Attributes:
        changed: Emitted when something else is wanted.
        goal: The choice of what is to be found.
        cells: The fields by their names in `Wanted`.
    """

    changed = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.goal = ChoiceBox(self.tr("What is to be found"), parent=self)
        for goal in Goal:
            self.goal.addItem(tr(goal.title), goal.name)
        self.sides = ChoiceBox(self.tr("Sides of the test"), parent=self)
        self.sides.addItem(self.tr("one-sided"), False)
        self.sides.addItem(self.tr("two-sided"), True)
        self.second = ChoiceBox(self.tr("What the share is told from"), parent=self)
        self.second.addItem(self.tr("a fixed share"), "")
        self.second.addItem(self.tr("group 2, device"), "device")
        self.second.addItem(self.tr("group 2, direct"), "direct")
        self.cells = self._make_cells()
        self._curves: CurvePanel | None = None
        self._goal_cell = Cell(self.tr("Fin&d"), self.goal, parent=self)
        self._choices = {
            "two_sided": Cell(self.tr("&Test"), self.sides, parent=self),
            "second": Cell(
                self.tr("The share &of"),
                self.second,
                self.tr("A second group has as many respondents, and is independent of the first"),
                parent=self,
            ),
        }
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        for place in range(_ABREAST):
            self._grid.setColumnStretch(place, 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addLayout(self._grid)
        self.goal.activated.connect(lambda _: self._choose())
        for box in (self.sides, self.second):
            box.activated.connect(lambda _: self.changed.emit())
        for cell in self.cells.values():
            cell.changed.connect(self.changed)
        self._arrange()

    @property
    def curves(self) -> CurvePanel:
        """The picture; made when a plan is first looked at, so that the page opens sooner."""
        if self._curves is None:
            self._curves = CurvePanel(parent=self)
            self._column.addWidget(self._curves, 1)
        return self._curves

    def wanted(self, confidence: float) -> Wanted:
        """What is wanted now."""
        population = self.cells["population"].value()
        return Wanted(
            goal=Goal[self.goal.currentData()],
            margin=self.cells["margin"].number(),
            confidence=confidence,
            population=None if population is None else int(population),
            weights_cv=self.cells["weights_cv"].value() or 0.0,
            against=self.cells["against"].number(),
            power=self.cells["power"].number(),
            alpha=self.cells["alpha"].number(),
            two_sided=bool(self.sides.currentData()),
            second=self.second.currentData() or "",
            belief=self.cells["belief"].number(),
            odds=self.cells["odds"].number(),
            denial=self.cells["denial"].value(),
        )

    def plan(self, scenario: ShareScenario, confidence: float) -> Outcome | str:
        """Returns what the wishes come to, or why nothing does."""
        for cell in self.cells.values():
            cell.say("")
        wanted = self.wanted(confidence)
        # A plan that cannot be leaves its place empty, not the picture of another one.
        self.curves.legend.setVisible(False)
        self.curves.plot.setVisible(False)
        try:
            outcome = found(scenario, wanted)
        except FieldRefusal as refusal:
            if refusal.field:
                self.cells[refusal.field].say(refusal.sentence)
                return self.tr("There is no plan yet: see the field that is marked.")
            return refusal.sentence
        self.curves.show_curves(curves_of(scenario, wanted, outcome))
        self.curves.legend.setVisible(True)
        self.curves.plot.setVisible(True)
        return outcome

    def set_goal(self, goal: Goal) -> None:
        """Wants something else to be found."""
        self.goal.setCurrentIndex(self.goal.findData(goal.name))
        self._choose()

    def _choose(self) -> None:
        self._arrange()
        self.changed.emit()

    def _arrange(self) -> None:
        """Shows the fields that the goal needs; what stands in the others is kept."""
        goal = Goal[self.goal.currentData()]
        shown: list[Cell] = [self._choices.get(name) or self.cells[name] for name in goal.fields]
        cells: tuple[Cell, ...] = (*self.cells.values(), *self._choices.values())
        for cell in cells:
            self._grid.removeWidget(cell)
            cell.setVisible(cell in shown)
        self._grid.addWidget(self._goal_cell, 0, 0, 1, 2)
        before: QWidget = self.goal
        for place, cell in enumerate(shown, start=2):
            self._grid.addWidget(cell, place // _ABREAST, place % _ABREAST)
            # Tab goes the way that one reads.
            QWidget.setTabOrder(before, cell.control)
            before = cell.control

    def _make_cells(self) -> dict[str, NumberCell]:
        any_size, none = self.tr("any size"), self.tr("none")
        return {
            "margin": NumberCell(
                self.tr("&Margin"),
                0.03,
                read_any_share,
                margin_text,
                self.tr("Half-width of the interval, in percentage points"),
                parent=self,
            ),
            "population": NumberCell(
                self.tr("&Population"),
                None,
                read_count,
                count_text,
                self.tr("Number of people that a simple random sample is drawn from"),
                none=any_size,
                parent=self,
            ),
            "weights_cv": NumberCell(
                self.tr("CV of the wei&ghts"),
                None,
                read_coefficient,
                plain_text,
                self.tr("Standard deviation of the respondents' weights over their mean"),
                none=self.tr("0: all alike"),
                parent=self,
            ),
            "against": NumberCell(
                self.tr("Tell it fro&m"),
                0.05,
                read_any_share,
                percent_text,
                self.tr("Share of the null hypothesis; the true share is the one on the left"),
                parent=self,
            ),
            "power": NumberCell(
                self.tr("Po&wer"),
                0.8,
                read_any_share,
                percent_text,
                self.tr("Chance to find that the share is not that one"),
                parent=self,
            ),
            "alpha": NumberCell(
                self.tr("&Level α"),
                0.05,
                read_any_share,
                percent_text,
                self.tr("Chance of a false alarm where it is that one"),
                parent=self,
            ),
            "belief": NumberCell(
                self.tr("Highest &belief"),
                0.5,
                read_any_share,
                percent_text,
                self.tr("The most that may be believed of anybody after an answer"),
                parent=self,
            ),
            "odds": NumberCell(
                self.tr("Factor of the &odds"),
                3.0,
                read_odds,
                odds_text,
                self.tr("The most that an answer may multiply the odds of being a carrier by"),
                parent=self,
            ),
            "denial": NumberCell(
                self.tr("Direct denie&rs"),
                None,
                read_open_share,
                percent_text,
                self.tr("Share of the carriers who would deny a direct question"),
                none=none,
                parent=self,
            ),
        }
