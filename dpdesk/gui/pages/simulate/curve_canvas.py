"""The 95 % error as a curve over logarithms."""

from __future__ import annotations

from math import log10

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from dpdesk.gui.theme import ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.plot_axis import set_log_ticks
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import error_text, significant

MARK_SIZE = 11
"""Width in pixels of the dot at the choice in force."""
_ROOM = 1.25
_BEYOND = 3.0
"""How far the axis of errors reaches beyond the curves that it was fitted to, as a factor."""


class CurveCanvas(PlotCanvas):
    """A curve over logarithms, a dotted one below it, and a dot at the choice in force.

    The axes stand still while the survey changes; F fits them.

    Args:
        name: Accessible name.

    Attributes:
        is_outside: Whether the dot lies outside of the axes.
        axesMoved: Emitted when the user let the axes follow the curve.
    """

    axesMoved = Signal()

    def __init__(self, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(name, parent=parent)
        self.getPlotItem().setContentsMargins(0, 9, 6, 0)
        self._direct = self.line("muted", style="dotted")
        self._before = self.line("muted", style="dashed")
        self._curve = self.line(0)
        self._mark = self.line(1)
        self._mark.setSymbol("o")
        self._mark.setSymbolSize(MARK_SIZE)
        self._upright = self.marker()
        self._ends: tuple[float, ...] = ()
        self._kept_for: tuple[object, ...] = ()
        self.is_outside = False
        ThemeSwitch.instance().themeChanged.connect(self._paint_mark)
        self._paint_mark()

    def show_curve(
        self,
        x: np.ndarray,
        y: np.ndarray,
        direct: np.ndarray,
        at: tuple[float, float],
        titles: tuple[str, str],
        reach: tuple[float, float] | None = None,
        *,
        kept_for: tuple[object, ...] = (),
        before: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> None:
        """Shows errors.

        Args:
            x: Where, above 0, shape (p,).
            y: The errors there, shape (p,).
            direct: Those of direct questions, shape (p,).
            at: The choice in force.
            titles: Of both axes.
            reach: Ends of the axis; those of `x` if None.
            kept_for: What the axis of errors stays as it is for.
            before: Where, and the errors there, before the last change.
        """
        logs = np.log10(x)
        floors = np.log10(np.maximum(direct, 1e-300))
        self._curve.setData(logs, np.log10(y))
        self._direct.setData(logs, floors)
        past = ((), ()) if before is None else before
        self._before.setData(np.log10(past[0]), np.log10(past[1]))
        low, high = reach or (float(x[0]), float(x[-1]))
        shown = low <= at[0] <= high
        self._mark.setData([log10(at[0])] if shown else [], [log10(at[1])] if shown else [])
        self._upright.setVisible(shown)
        if shown:
            self._upright.setValue(log10(at[0]))
        if kept_for != self._kept_for or not self._ends:
            self._kept_for = kept_for
            bottom = _stepped(float(direct.min()) / _BEYOND, up=False)
            top = _stepped(float(y.max()) * _BEYOND, up=True)
        else:
            bottom, top = self._ends[2:]
        self.is_outside = not (shown and bottom <= at[1] <= top)
        ends = (low, high, bottom, top)
        if ends != self._ends:
            self._ends = ends
            self.set_ranges((log10(low), log10(high)), (log10(bottom), log10(top)))
            plot = self.getPlotItem()
            set_log_ticks(plot.getAxis("bottom"), low, high)
            set_log_ticks(plot.getAxis("left"), bottom, top)
        self.set_axis_titles(*titles)
        self.set_description(
            QCoreApplication.translate("CurveCanvas", "At {x}: {y}").format(
                x=significant(at[0], 4), y=error_text(at[1], "")
            )
        )
        self.set_table_source(
            lambda: PlotTable(
                (*titles, QCoreApplication.translate("CurveCanvas", "Direct question")),
                tuple(
                    (significant(a, 3), significant(b, 3), significant(c, 3))
                    for a, b, c in zip(x, y, direct, strict=True)
                ),
            )
        )

    def forget_axes(self) -> None:
        """Fits the axes to the next curve that is shown."""
        self._kept_for = ("forgotten",)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F and not event.modifiers():
            self.forget_axes()
            self.axesMoved.emit()
        else:
            super().keyPressEvent(event)

    def _paint_mark(self) -> None:
        theme = theme_in_force()
        self._mark.setSymbolBrush(theme.series(1))
        self._mark.setSymbolPen(theme.surface)


def _stepped(value: float, *, up: bool) -> float:
    """The next of 1, 2, 5, 10 … beyond a value, so that an axis stays while a slider moves."""
    wanted = value * _ROOM if up else value / _ROOM
    decade = 10.0 ** np.floor(np.log10(wanted))
    steps = [decade * step for step in (1.0, 2.0, 5.0, 10.0)]
    if up:
        return float(next(step for step in steps if step >= wanted * (1 - 1e-12)))
    return float(next(step for step in reversed(steps) if step <= wanted * (1 + 1e-12)))
