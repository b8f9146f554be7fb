"""The 95 % error by respondents and epsilon: as a map, and as two curves."""

from __future__ import annotations

from math import isfinite, log10
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.curve_canvas import MARK_SIZE, CurveCanvas
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.survey_tabs import FitButton
from dpdesk.gui.theme import ScaledWidth, Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.plot_axis import set_log_ticks
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.numbers.digits import epsilon_up
from dpdesk.preview import error_text, significant
from dpdesk.preview.survey import ErrorCurves, ErrorSurface, error_curves, error_surface
from dpdesk.preview.survey.surface import EPSILON_ENDS, ends_around

_TINTS = 64
_FAINTEST, _STRONGEST = 0.04, 0.55
_KEY_STEPS = 40
_COVER = 0.7
_TABLE_STEP = 10
_LABEL_AT = 0.35
"""How far along a line its margin is written."""
_ASIDE = 0.14
"""How much further the margin of every second line is."""
_LABELLED = 8
"""Points from which on a line has a label."""
_LINES_MOST = 9
_CHOICE_WIDTH = 104
MAP, CURVES = range(2)


class ErrorView(QWidget):
    """A line that reads the picture, and the map or the curves.

    Where no epsilon decides the device, what needs one says why it is not drawn.

    Args:
        first: What is shown at first: `MAP` or `CURVES`.

    Attributes:
        pointTaken: Emitted with epsilon and respondents of a point of the map that was clicked.
    """

    pointTaken = Signal(float, float)

    def __init__(self, first: int = MAP, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scenario: Scenario[Any] | None = None
        self.reading = ElidedLabel("", "strong", parent=self)
        self.outside = FitButton(parent=self)
        self.outside.clicked.connect(self._fit)
        self.shown = ChoiceBox(self.tr("How the 95 % error is drawn"), parent=self)
        self.shown.setWhatsThis(self.tr("As a surface, or as lines over people or over epsilon."))
        self.shown.addItem(self.tr("as a map"))
        self.shown.addItem(self.tr("as curves"))
        self.shown.setCurrentIndex(first)
        ScaledWidth(self.shown, _CHOICE_WIDTH)
        self.words = ElidedLabel("", "muted", parent=self)
        self.plot = SurfaceCanvas(self.tr("95 % error by n and ε"), parent=self)
        self.plot.setMinimumHeight(160)
        self.legend = LegendRow(parent=self)
        self.by_people = CurveCanvas(self.tr("95 % error against n"), parent=self)
        self.by_epsilon = CurveCanvas(self.tr("95 % error against ε"), parent=self)
        self.reason, self.no_map = (PlainLabel("", "muted", wrap=True, parent=self) for _ in "12")
        self.second = QStackedWidget(self)
        self.second.addWidget(self.by_epsilon)
        self.second.addWidget(self.reason)
        self._curves = QWidget(self)
        self.stack = QStackedWidget(self)
        for picture in (self.plot, self._curves, self.no_map):
            self.stack.addWidget(picture)
        for label in (self.reason, self.no_map):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        lay_row((self.by_people, 1), (self.second, 1), spacing=14, on=self._curves)
        told = QVBoxLayout()
        told.setSpacing(2)
        for line in (self.reading, self.words):
            told.addWidget(line)
        self._explained = QWidget(self)
        lay_row(self.outside, (self.legend, 1), spacing=8, on=self._explained)
        told.addWidget(self._explained)
        head = lay_row((told, 1), (self.shown, 0, Qt.AlignmentFlag.AlignTop))
        lay_column(head, (self.stack, 1), spacing=2, on=self)
        for canvas in (self.by_people, self.by_epsilon):
            canvas.axesMoved.connect(self._refresh)
        self.plot.pointRead.connect(self._read)
        self.plot.pointTaken.connect(self.pointTaken)
        self.shown.activated.connect(lambda _: self._refresh())

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Shows the errors around a scenario."""
        self._scenario = scenario
        self._refresh()

    def show_table(self) -> None:
        """Shows the numbers as tables."""
        if self.stack.currentWidget() is self.plot:
            self.plot.show_table()
        elif self.stack.currentWidget() is self._curves:
            self.by_people.show_table()
            if self.second.currentWidget() is self.by_epsilon:
                self.by_epsilon.show_table()

    def _refresh(self) -> None:
        if self._scenario is None:
            return
        as_map = self.shown.currentIndex() == MAP
        self.words.setVisible(as_map)
        self._explained.setVisible(not as_map)
        self.outside.tell("")
        (self._show_map if as_map else self._show_curves)(self._scenario)

    def _show_map(self, scenario: Scenario[Any]) -> None:
        error = error_text(scenario.survey.scale * scenario.survey.margin, scenario.error_unit)
        try:
            surface = self.plot.show_scenario(scenario)
        except DpdeskError:
            scenario.survey.check()
            self._say(scenario.epsilon, scenario.respondents, error)
            self.words.set_text("")
            self.no_map.setText(self._reason(scenario))
            self.stack.setCurrentWidget(self.no_map)
            return
        self.stack.setCurrentWidget(self.plot)
        words = (
            self.tr("95 % error of this design at each ε. Dot: {design}, {error}")
            if surface.of_design
            else self.tr("Least 95 % error of any design there. Dot: {design}, {error}")
        )
        design = scenario.design.list_name
        self.words.set_text(words.format(design=design, error=error))

    def _show_curves(self, scenario: Scenario[Any]) -> None:
        curves, unit = error_curves(scenario.survey), scenario.error_unit
        before = _curves_before(scenario)
        self.stack.setCurrentWidget(self._curves)
        self._say(curves.epsilon, curves.people, error_text(curves.margin, unit))
        shown = [
            LegendEntry(scenario.design.list_name, 0),
            LegendEntry(self.tr("direct question"), "muted", "dotted"),
        ]
        if before is not None:
            shown.append(LegendEntry(self.tr("before"), "muted", "dashed"))
        self.legend.set_entries(shown)
        title = self.tr("95 % error ({unit})").format(unit=unit) if unit else self.tr("95 % error")
        head = self.tr("Respondents n")
        self.by_people.show_curve(
            curves.respondents,
            curves.by_respondents,
            curves.direct,
            (float(curves.people), curves.margin),
            (head, title),
            kept_for=scenario.same_axes,
            before=None if before is None else (before.respondents, before.by_respondents),
        )
        drawn = len(curves.epsilons) > 1
        self.second.setCurrentWidget(self.by_epsilon if drawn else self.reason)
        if drawn:
            self.by_epsilon.show_curve(
                curves.epsilons,
                curves.by_epsilon,
                np.full(len(curves.epsilons), curves.floor),
                (curves.epsilon, curves.margin),
                (self.tr("Privacy ε"), title),
                EPSILON_ENDS,
                kept_for=scenario.same_axes,
                before=None if before is None else (before.epsilons, before.by_epsilon),
            )
        else:
            self.reason.setText(self._reason(scenario))

        shown_out = self.by_people.is_outside or (drawn and self.by_epsilon.is_outside)
        self.outside.tell(self.tr("The dot is outside: fit the axes") if shown_out else "")

    def _fit(self) -> None:
        for canvas in (self.by_people, self.by_epsilon):
            canvas.forget_axes()
        self._refresh()

    def _read(self, epsilon: float, respondents: float, margin: float) -> None:
        unit = "" if self._scenario is None else self._scenario.error_unit
        self._say(epsilon, respondents, error_text(margin, unit))

    def _say(self, epsilon: float, respondents: float, error: str) -> None:
        self.reading.set_text(
            self.tr("ε = {epsilon}, n = {people}: {error}").format(
                epsilon=epsilon_up(epsilon), people=f"{respondents:,.0f}", error=error
            )
        )

    def _reason(self, scenario: Scenario[Any]) -> str:
        if scenario.epsilon_decides:
            return self.tr(
                "The 95 % error against ε is not drawn: with its other parameters the device has "
                "no ε from 0.1 to 8."
            )
        if isfinite(scenario.epsilon):
            return self.tr(
                "The 95 % error against ε is not drawn: the device has several chances of its own, "
                "which no single ε decides. Change them, and look at the ε that follows."
            )
        return self.tr(
            "The 95 % error against ε is not drawn: with this design ε is infinite, whatever its "
            "other parameters are."
        )


class SurfaceCanvas(PlotCanvas):
    """Margins as tints; the cross-hair follows the pointer and the arrow keys.

    A click or Enter takes the point under the cross-hair, Esc goes back to the design.

    Args:
        name: Accessible name.

    Attributes:
        pointRead: Emitted with epsilon, respondents and the margin under the cross-hair.
        pointTaken: Emitted with epsilon and respondents of a point that was taken.
    """

    pointRead = Signal(float, float, float)
    pointTaken = Signal(float, float)

    def __init__(self, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(name, parent=parent)
        self._surface: ErrorSurface | None = None
        self._unit = "pp"
        self._home = (0.0, 0.0)
        self._at = (0.0, 0.0)
        self._image = pg.ImageItem()
        self.addItem(self._image)
        self._lines = [self.line("text", style="hairline") for _ in range(_LINES_MOST)]
        self._labels = [self.label(anchor=(0.5, 0.5)) for _ in range(_LINES_MOST)]
        self._past = self.line("muted", style="dashed")
        self._past.setSymbol("o")
        self._past.setSymbolSize(MARK_SIZE)
        self._past_word = self.label(role="muted", anchor=(0.5, 1.3))
        self._past_word.avoids = self._labels
        self._mark = self.line(1)
        self._mark.setSymbol("o")
        self._mark.setSymbolSize(MARK_SIZE)
        self._upright = self.marker(angle=90)
        self._level = self.marker(angle=0)
        self.set_axis_titles(self.tr("Privacy ε"), self.tr("Respondents n"))
        self.setMouseTracking(True)
        ThemeSwitch.instance().themeChanged.connect(self._tint)
        self._tint(theme_in_force())

    def show_scenario(self, scenario: Scenario[Any]) -> ErrorSurface:
        """Shows the margins around a scenario; the cross-hair goes to its design.

        Raises:
            ParameterError: No epsilon decides the design, and which one would be best is not known.
        """
        surface = error_surface(scenario.survey, ends_around(scenario.respondents))
        if surface is not self._surface or scenario.error_unit != self._unit:
            self._surface, self._unit = surface, scenario.error_unit
            self._show_surface(surface)
        self._home = x, y = self._place_of(scenario)
        self._mark.setData([x], [y])
        self._show_before(scenario.before)
        self._go(*self._home)
        self.set_table_source(lambda: self._table_of(surface))
        return surface

    def _place_of(self, scenario: Scenario[Any]) -> tuple[float, float]:
        epsilon = scenario.epsilon if isfinite(scenario.epsilon) else EPSILON_ENDS[1]
        inside = min(max(epsilon, 10 ** self._left()), EPSILON_ENDS[1])
        return log10(inside), log10(scenario.respondents)

    def _show_before(self, before: Scenario[Any] | None) -> None:
        """Draws the way from the place before to the one now."""
        past = self._home if before is None else self._place_of(before)
        moved = past != self._home
        self._past.setData(*zip(past, self._home, strict=True) if moved else ((), ()))
        self._past_word.setText(self.tr("before") if moved else "")
        self._past_word.clear_of = self._home
        self._past_word.setPos(*past)

    def cross_hair(self) -> tuple[float, float]:
        """Epsilon and respondents under the cross-hair."""
        return 10 ** self._at[0], 10 ** self._at[1]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        box = self.getPlotItem().getViewBox()
        scene = self.mapToScene(event.position().toPoint())
        if box.sceneBoundingRect().contains(scene):
            place = box.mapSceneToView(scene)
            self._go(place.x(), place.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._take()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._go(*self._home)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        right = (self._right() - self._left()) / _KEY_STEPS
        up = self._height() / _KEY_STEPS
        moves = {
            Qt.Key.Key_Left: (-right, 0.0),
            Qt.Key.Key_Right: (right, 0.0),
            Qt.Key.Key_Down: (0.0, -up),
            Qt.Key.Key_Up: (0.0, up),
        }
        key = Qt.Key(event.key())
        if key in moves:
            x, y = moves[key]
            self._go(self._at[0] + x, self._at[1] + y)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take()
        elif key == Qt.Key.Key_Escape and self._at != self._home:
            self._go(*self._home)
        else:
            super().keyPressEvent(event)

    def _take(self) -> None:
        if self._surface is not None and self._at != self._home:
            self.pointTaken.emit(*self.cross_hair())

    def _go(self, x: float, y: float) -> None:
        surface = self._surface
        if surface is None:
            return
        low, high = log10(surface.respondents[0]), log10(surface.respondents[-1])
        self._at = (min(max(x, self._left()), self._right()), min(max(y, low), high))
        self._upright.setValue(self._at[0])
        self._level.setValue(self._at[1])
        epsilon, people = self.cross_hair()
        margin = surface.margin_at(epsilon, people)
        self.pointRead.emit(epsilon, people, margin)
        self.set_description(
            self.tr("At ε = {epsilon} with {people} respondents: {error}").format(
                epsilon=epsilon_up(epsilon),
                people=f"{people:,.0f}",
                error=error_text(margin, self._unit),
            )
        )

    def _show_surface(self, surface: ErrorSurface) -> None:
        low, high = log10(surface.respondents[0]), log10(surface.respondents[-1])
        self._image.setImage(np.log10(surface.margins).T, autoLevels=False)
        self._image.setLevels((log10(surface.levels[0]), log10(surface.levels[-1])))
        left, right = self._left(), self._right()
        self._image.setRect(QRectF(left, low, right - left, high - low))
        for number, (line, label) in enumerate(zip(self._lines, self._labels, strict=True)):
            shown = number < len(surface.lines)
            label.setVisible(shown)
            if not shown:
                line.setData([], [])
                continue
            iso = surface.lines[number]
            x, y = np.log10(iso.epsilons), np.log10(iso.respondents)
            line.setData(x, y)
            # A line across a corner has no room for its words.
            label.setVisible(len(x) >= _LABELLED)
            # Labels of neighbours do not stand above each other, where the lines are close.
            at = int((_LABEL_AT + _ASIDE * (number % 2)) * (len(x) - 1))
            label.setText(f"± {iso.margin:g} {self._unit}".rstrip())
            label.setPos(float(x[at]), float(y[at]))
        self.set_ranges((left, right), (low, high))
        plot = self.getPlotItem()
        set_log_ticks(plot.getAxis("bottom"), 10**left, EPSILON_ENDS[1])
        set_log_ticks(plot.getAxis("left"), 10**low, 10**high)

    def _tint(self, theme: Theme) -> None:
        """The smaller the margin, the stronger the tint."""
        ground, accent = QColor(theme.surface), QColor(theme.accent)
        parts = np.linspace(_STRONGEST, _FAINTEST, _TINTS)
        channels = [
            (1 - parts) * near + parts * far
            for near, far in (
                (ground.red(), accent.red()),
                (ground.green(), accent.green()),
                (ground.blue(), accent.blue()),
            )
        ]
        table = np.column_stack(channels)
        self._image.setLookupTable(table.round().astype(np.uint8))
        ground.setAlphaF(_COVER)
        for label in (*self._labels, self._past_word):
            label.fill = pg.mkBrush(ground)
            label.update()
        self._mark.setSymbolBrush(QColor(theme.series(1)))
        self._mark.setSymbolPen(QColor(theme.surface))
        self._past.setSymbolBrush(QColor(theme.surface))
        self._past.setSymbolPen(QColor(theme.muted))

    def _left(self) -> float:
        return log10(EPSILON_ENDS[0] if self._surface is None else self._surface.epsilons[0])

    def _right(self) -> float:
        return log10(EPSILON_ENDS[1])

    def _height(self) -> float:
        if self._surface is None:
            return 1.0
        return log10(self._surface.respondents[-1] / self._surface.respondents[0])

    def _table_of(self, surface: ErrorSurface) -> PlotTable:
        epsilons = range(0, len(surface.epsilons), _TABLE_STEP)
        heads = [
            self.tr("n, 95 % error in {unit} at").format(unit=self._unit)
            if self._unit
            else self.tr("n, 95 % error at")
        ]
        heads += [f"ε = {epsilon_up(float(surface.epsilons[i]))}" for i in epsilons]
        rows = []
        for row in range(0, len(surface.respondents), _TABLE_STEP):
            people = f"{surface.respondents[row]:,.0f}"
            margins = (significant(float(surface.margins[row, i]), 2) for i in epsilons)
            rows.append((people, *margins))
        return PlotTable(tuple(heads), tuple(rows))


def _curves_before(scenario: Scenario[Any]) -> ErrorCurves | None:
    """The curves before the last change; None where there were none."""
    if scenario.before is None:
        return None
    try:
        return error_curves(scenario.before.survey)
    except DpdeskError:
        return None
