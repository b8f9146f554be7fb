"""The picture of what an attack found, and its sentences in the language of the window."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.attacks import Findings, Phrase, Picture, Series
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow, Sign
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.plot_axis import set_log_ticks
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.preview import significant

_ALL_BARS = 0.76
_ABOVE = 1.08


def words_of(phrase: Phrase) -> str:
    """Returns a sentence of an attack, translated and with its values."""
    text, values = phrase
    return QCoreApplication.translate("Attack", text).format(**values)


class AttackPicture(QWidget):
    """Title, legend and plot."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = PlainLabel("", "strong", wrap=True, parent=self)
        self.legend = LegendRow(parent=self)
        self.plot = _Plot(self.tr("What the attack found"), parent=self)
        self.plot.setMinimumHeight(180)
        lay_column(self._title, self.legend, (self.plot, 1), spacing=6, on=self)

    def show_findings(self, found: Findings) -> None:
        """Shows what an attack found."""
        picture = found.picture
        self._title.setText(words_of(picture.title))
        self.plot.show_picture(picture)
        self.plot.set_description(words_of(found.headline))
        self.legend.set_entries(
            [
                LegendEntry(words_of(series.name), _colour(series, number), _sign(series))
                for number, series in enumerate(picture.series)
            ]
        )


def _colour(series: Series, number: int) -> int | str:
    return "text" if series.style == "dashed" else number


def _sign(series: Series) -> Sign:
    return "solid" if series.style == "line" else series.style


class _Plot(PlotCanvas):
    def show_picture(self, picture: Picture) -> None:
        """Draws a picture."""
        self.clear_items()
        self.set_axis_titles(words_of(picture.x_title), words_of(picture.y_title))
        factor = 100.0 if picture.in_percent else 1.0
        x = np.array(picture.x)
        shown = np.log10(x) if picture.log_x else x
        self._draw(picture, shown, factor)
        highest = max(max(series.y) for series in picture.series) * factor
        top = min(_ABOVE * highest, 104.0) if picture.in_percent else _ABOVE * highest
        ends = (float(shown.min()), float(shown.max()))
        if picture.labels:
            ends = (-0.5, len(picture.labels) - 0.5)
        elif ends[0] == ends[1]:
            ends = (ends[0] - 0.5, ends[1] + 0.5)
        self.set_ranges(ends, (0.0, top or 1.0))
        labels = tuple(words_of(label) for label in picture.labels)
        # Ticks of the picture before are written at their own places: this takes them away, too.
        self.name_bars(labels)
        if picture.log_x:
            set_log_ticks(self.getPlotItem().getAxis("bottom"), 10 ** ends[0], 10 ** ends[1])
        heads = (words_of(picture.x_title), *(words_of(one.name) for one in picture.series))
        first = labels or tuple(significant(float(one), 4) for one in picture.x)
        rows = [
            (first[row], *(significant(factor * one.y[row], 4) for one in picture.series))
            for row in range(len(picture.x))
        ]
        self.set_table(heads, rows)

    def _draw(
        self, picture: Picture, x: np.ndarray[tuple[int], np.dtype[np.float64]], factor: float
    ) -> None:
        kinds = [series for series in picture.series if series.style == "bars"]
        width = _ALL_BARS / max(len(kinds), 1)
        for number, series in enumerate(picture.series):
            y = factor * np.array(series.y)
            if series.style == "bars":
                bars = self.bars(number)
                place = x + (number - (len(kinds) - 1) / 2) * width
                bars.setOpts(x=place, height=y, width=0.92 * width)
            else:
                style = "dashed" if series.style == "dashed" else "solid"
                line = self.line(_colour(series, number), style=style)
                at = x
                if picture.labels:
                    # Across all bars, and not from the middle of the first to that of the last.
                    at = np.linspace(-0.5, len(picture.labels) - 0.5, len(x))
                line.setData(at, y)
