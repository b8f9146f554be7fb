"""The margin of error over epsilon and respondents: tints, lines of equal margin, a cross-hair."""

from __future__ import annotations

from math import ceil, isfinite, log10

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.gui.pages.simulate.design_words import design_title
from dpdesk.gui.pages.simulate.scales import epsilon_words
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.log_axis import set_log_ticks
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import error_text, significant
from dpdesk.preview.survey import ErrorSurface, error_surface, figures_of_survey
from dpdesk.preview.survey.surface import EPSILON_ENDS, LEVELS, RESPONDENTS_ENDS

_TINTS = 64
_FAINTEST, _STRONGEST = 0.04, 0.55
_KEY_STEPS = 40
_MARK_SIZE = 11
_COVER = 0.7
_TABLE_STEP = 10
_LABEL_AT = 0.35
"""How far along a line its margin is written."""


class SurfacePlot(QWidget):
    """The picture with a line that reads it.

    Args:
        parent: Qt's owner.

    Attributes:
        pointTaken: Emitted with epsilon and respondents of a point that was clicked.
    """

    pointTaken = Signal(float, float)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.reading = ElidedLabel("", "strong", parent=self)
        self.words = ElidedLabel("", "muted", parent=self)
        self.plot = SurfaceCanvas(self.tr("95 % error by n and ε"), parent=self)
        self.plot.setMinimumHeight(160)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.reading)
        column.addWidget(self.words)
        column.addWidget(self.plot, 1)
        self.plot.pointRead.connect(self._read)
        self.plot.pointTaken.connect(self.pointTaken)

    def show_scenario(self, scenario: ShareScenario) -> None:
        """Shows the margins at the true share of a scenario, with a mark at its design."""
        error = error_text(figures_of_survey(scenario.survey).error, "pp")
        self.words.set_text(
            self.tr("Least error of any design there. Dot: {design}, {error}").format(
                design=design_title(scenario.design), error=error
            )
        )
        self.plot.show_scenario(scenario)

    def show_table(self) -> None:
        """Shows the numbers as a table."""
        self.plot.show_table()

    def _read(self, epsilon: float, respondents: float, margin: float) -> None:
        self.reading.set_text(
            self.tr("ε = {epsilon}, n = {people}: {error}").format(
                epsilon=epsilon_words(epsilon),
                people=f"{respondents:,.0f}",
                error=error_text(margin, "pp"),
            )
        )


class SurfaceCanvas(PlotCanvas):
    """Margins as tints; the cross-hair follows the pointer and the arrow keys.

    A click or Enter takes the point under the cross-hair, Esc goes back to the design.

    Args:
        name: Accessible name.
        parent: Qt's owner.

    Attributes:
        pointRead: Emitted with epsilon, respondents and the margin under the cross-hair.
        pointTaken: Emitted with epsilon and respondents of a point that was taken.
    """

    pointRead = Signal(float, float, float)
    pointTaken = Signal(float, float)

    def __init__(self, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(name, parent=parent)
        self.getPlotItem().setContentsMargins(0, 9, 0, 0)
        self._surface: ErrorSurface | None = None
        self._home = (0.0, 0.0)
        self._at = (0.0, 0.0)
        self._image = pg.ImageItem()
        self.addItem(self._image)
        self._lines = [self.line("text", style="hairline") for _ in LEVELS]
        self._labels = [self.label(anchor=(0.5, 0.5)) for _ in LEVELS]
        self._mark = self.line(1)
        self._mark.setSymbol("o")
        self._mark.setSymbolSize(_MARK_SIZE)
        self._upright = self.marker(angle=90)
        self._level = self.marker(angle=0)
        self.set_axis_titles(self.tr("Privacy ε"), self.tr("Respondents n"))
        self.setMouseTracking(True)
        ThemeSwitch.instance().themeChanged.connect(self._tint)
        self._tint(theme_in_force())

    def show_scenario(self, scenario: ShareScenario) -> None:
        """Shows the margins at the true share of a scenario; the cross-hair goes to its design."""
        surface = error_surface(
            scenario.prevalence,
            scenario.survey.confidence,
            EPSILON_ENDS,
            _ends_around(scenario.respondents),
        )
        if surface is not self._surface:
            self._surface = surface
            self._show_surface(surface)
        epsilon = scenario.epsilon if isfinite(scenario.epsilon) else EPSILON_ENDS[1]
        inside = min(max(epsilon, EPSILON_ENDS[0]), EPSILON_ENDS[1])
        self._home = (log10(inside), log10(scenario.respondents))
        x, y = self._home
        self._mark.setData([x], [y])
        self._go(*self._home)
        self.set_table_source(lambda: self._table_of(surface))

    def cross_hair(self) -> tuple[float, float]:
        """Epsilon and respondents under the cross-hair."""
        return 10 ** self._at[0], 10 ** self._at[1]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The cross-hair follows the pointer."""
        super().mouseMoveEvent(event)
        box = self.getPlotItem().getViewBox()
        scene = self.mapToScene(event.position().toPoint())
        if box.sceneBoundingRect().contains(scene):
            place = box.mapSceneToView(scene)
            self._go(place.x(), place.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click takes the point."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._take()

    def leaveEvent(self, event: QEvent) -> None:
        """The cross-hair goes back to the design."""
        super().leaveEvent(event)
        self._go(*self._home)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows move the cross-hair, Enter takes its point, Esc brings it back."""
        right, up = (self._right() - self._left()) / _KEY_STEPS, self._height() / _KEY_STEPS
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
                epsilon=significant(epsilon, 3),
                people=f"{people:,.0f}",
                error=error_text(margin, "pp"),
            )
        )

    def _show_surface(self, surface: ErrorSurface) -> None:
        low, high = log10(surface.respondents[0]), log10(surface.respondents[-1])
        self._image.setImage(np.log10(surface.margins).T, autoLevels=False)
        self._image.setLevels((log10(LEVELS[0]), log10(LEVELS[-1])))
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
            at = int(_LABEL_AT * (len(x) - 1))
            label.setText(f"± {iso.margin:g} pp")
            label.setPos(float(x[at]), float(y[at]))
        self.set_ranges((left, right), (low, high))
        plot = self.getPlotItem()
        set_log_ticks(plot.getAxis("bottom"), *EPSILON_ENDS)
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
        for label in self._labels:
            label.fill = pg.mkBrush(ground)
            label.update()
        self._mark.setSymbolBrush(QColor(theme.series(1)))
        self._mark.setSymbolPen(QColor(theme.surface))

    def _left(self) -> float:
        return log10(EPSILON_ENDS[0])

    def _right(self) -> float:
        return log10(EPSILON_ENDS[1])

    def _height(self) -> float:
        if self._surface is None:
            return 1.0
        return log10(self._surface.respondents[-1] / self._surface.respondents[0])

    def _table_of(self, surface: ErrorSurface) -> PlotTable:
        epsilons = range(0, len(surface.epsilons), _TABLE_STEP)
        heads = [self.tr("n, 95 % error in pp at")]
        heads += [f"ε = {significant(float(surface.epsilons[i]), 2)}" for i in epsilons]
        rows = []
        for row in range(0, len(surface.respondents), _TABLE_STEP):
            people = f"{surface.respondents[row]:,.0f}"
            margins = (significant(float(surface.margins[row, i]), 2) for i in epsilons)
            rows.append((people, *margins))
        return PlotTable(tuple(heads), tuple(rows))


def _ends_around(respondents: int) -> tuple[int, int]:
    """The usual range, or whole powers of ten that hold a number outside of it."""
    low, high = RESPONDENTS_ENDS
    if respondents < low:
        return 2, high
    if respondents > high:
        return low, int(10 ** ceil(log10(respondents)))
    return low, high
