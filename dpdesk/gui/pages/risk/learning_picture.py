"""The picture of what can be learnt, accuracy against epsilon, and its numbers."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.gui.widgets.plot_axis import set_log_ticks
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.learning.curve import CurvePoint, LearningResult
from dpdesk.learning.measures import MEASURES, Measured, Spread

NAIVE, CORRECTED = "naive", "corrected"
GUESS = 3
"""The column of the numbers of guessing."""
_LEAST_PLOT = 120
_TITLED_FROM = 190
_ROOM = 0.06


def value_text(value: float, measure: str) -> str:
    """A measure: accuracy in per cent, the others as numbers up to 1."""
    return f"{100 * value:.1f}\u00a0%" if measure == "accuracy" else f"{value:.3f}"


def spread_text(spread: Spread, measure: str) -> str:
    """A mean with its standard deviation over repetitions, if it differs between them."""
    mean = value_text(spread.mean, measure)
    scale, digits = (100, 1) if measure == "accuracy" else (1, 3)
    deviation = round(scale * spread.deviation, digits)
    # "±" is a 95 % error everywhere else; a deviation that rounds to 0 tells nothing.
    return f"{mean} (SD {deviation:.{digits}f})" if deviation else mean


def guess_of(result: LearningResult, point: CurvePoint, tested: str) -> Measured | None:
    """The measures of guessing the commonest class at an epsilon, on true or sanitized answers."""
    return result.guess if tested == "true" else point.guess


def learns_nothing(point: CurvePoint, guess: Spread, measure: str, tested: str) -> bool:
    """Whether the mean of no line at an epsilon is above that of guessing."""
    lines = (point.line(learnt, tested) for learnt in (NAIVE, CORRECTED))
    means = [getattr(line, measure).mean for line in lines if line is not None]
    return bool(means) and max(means) <= guess.mean


class CurveModel(RowModel[CurvePoint]):
    """One row per epsilon, the plan's own first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._measure, self._tested = "accuracy", "true"
        self._result: LearningResult | None = None

    def show_points(self, result: LearningResult | None, measure: str, tested: str) -> None:
        """Shows a measure of a result, tested on true or on sanitized answers."""
        self._measure, self._tested, self._result = measure, tested, result
        self.show_rows(() if result is None else result.points)

    def text(self, row: CurvePoint, column: int) -> str:
        if column == 0:
            epsilon = self.tr("plan") if row.is_plan else f"{row.epsilon:.4g}"
            return f"{epsilon} ({row.record_epsilon:.4g})"
        if column == GUESS:
            measured = None
            if self._result is not None:
                measured = guess_of(self._result, row, self._tested)
        else:
            measured = row.line((NAIVE, CORRECTED)[column - 1], self._tested)
        if measured is None:
            return self.tr("not possible")
        return spread_text(getattr(measured, self._measure), self._measure)

    def _make_heads(self) -> tuple[Head, ...]:
        spread = self.tr("Mean and standard deviation (SD) over the repetitions")
        return (
            Head(self.tr("ε (record)"), self.tr("In brackets: what a record loses in all")),
            Head(self.tr("as they are"), spread, number=True),
            Head(self.tr("noise out"), spread, number=True),
            Head(self.tr("guess"), self.tr("The commonest class always"), number=True),
        )


class LearningPlot(PlotCanvas):
    """A measure against epsilon on a logarithmic axis: two curves with bands, true data, guessing.

    Guessing is a level line on true answers. On sanitized ones it falls with epsilon: the noise
    that changes answers makes the classes equal.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("LearningPlot", "What can be learnt against epsilon")
        super().__init__(name, parent=parent)
        series = ((NAIVE, 1, "dashed"), (CORRECTED, 0, "solid"))
        self._bands = {learnt: self.band(colour) for learnt, colour, _ in series}
        self._curves = {learnt: self.line(colour, style=style) for learnt, colour, style in series}
        self._true = self.marker(angle=0, role="text", style="dashed")
        self._guess = self.line("muted", style="dotted")
        self.setMinimumHeight(_LEAST_PLOT)

    def show_result(self, result: LearningResult, measure: str, tested: str) -> None:
        """Shows a measure of a result."""
        scale = 100.0 if measure == "accuracy" else 1.0
        points = [point for point in result.points if not point.is_plan]
        points.sort(key=lambda point: point.epsilon)
        true = scale * getattr(result.true, measure).mean
        heights = [true]
        for learnt, curve in self._curves.items():
            known = [(p.epsilon, p.line(learnt, tested)) for p in points]
            spreads = [(e, getattr(line, measure)) for e, line in known if line is not None]
            x = np.log10([epsilon for epsilon, _ in spreads])
            mean, lower, upper = (
                scale * np.array([getattr(spread, part) for _, spread in spreads])
                for part in ("mean", "lower", "upper")
            )
            curve.setData(x, mean)
            self._bands[learnt].setData(x, lower, upper)
            heights += [*lower.tolist(), *upper.tolist()]
        self._true.setValue(true)
        guesses = [(p.epsilon, guess_of(result, p, tested)) for p in points]
        told = [(e, scale * getattr(guess, measure).mean) for e, guess in guesses if guess]
        heights += [height for _, height in told]
        epsilons = [point.epsilon for point in points]
        ends = self._set_axes(min(epsilons), max(epsilons), min(heights), max(heights), scale)
        x, y = np.log10([epsilon for epsilon, _ in told]), np.array([height for _, height in told])
        if tested == "true":
            # It depends on no epsilon.
            x, y = np.array(ends), np.repeat(y[:1], 2)
        self._guess.setData(x, y)
        of_record = result.request.scale == "record"
        bottom = self.tr("ε of a record") if of_record else self.tr("ε of each attribute")
        left = QCoreApplication.translate("MEASURES", MEASURES[measure])
        self.set_axis_titles(bottom, f"{left} (%)" if measure == "accuracy" else left)

    def _set_axes(
        self, least: float, most: float, lowest: float, highest: float, scale: float
    ) -> tuple[float, float]:
        if most < 1.01 * least:
            least, most = least / 2, most * 2
        room = _ROOM * (np.log10(most) - np.log10(least))
        ends = (np.log10(least) - room, np.log10(most) + room)
        gap = 0.05 * scale
        low = max(0.0, np.floor(lowest / gap) * gap)
        self.set_ranges(ends, (low, min(scale, np.ceil(highest / gap) * gap)))
        set_log_ticks(self.getPlotItem().getAxis("bottom"), least, most)
        return float(ends[0]), float(ends[1])
