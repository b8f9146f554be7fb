"""The legend of a plot as a row above it, where it never lies over what it explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.gui.theme import ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.boxes import emptied, lay_row
from dpdesk.gui.widgets.plain_text import ElidedLabel, plain_tooltip
from dpdesk.gui.widgets.plot_canvas import LINE_STYLES

_WIDTH = 18
_SQUARE = 13
_GAP = 5


Sign = Literal["bars", "solid", "dashed", "dotted", "hairline"]
"""A square, or a line of a style."""


@dataclass(frozen=True)
class LegendEntry:
    """One sign with its words.

    Attributes:
        text: The words, shown literally.
        short: Fewer words to show; all of them are the tooltip then.
        colour: Number of a series, from 0, or the name of a token.
        sign: "bars" for a square, else the style of a line as in `PlotCanvas.line`.
    """

    text: str
    colour: int | str
    sign: Sign = "solid"
    short: str = ""


class LegendRow(QWidget):
    """Entries beside each other at the right; long words are elided."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[LegendEntry, ...] = ()
        self._labels: list[ElidedLabel] = []
        self._row = lay_row(spacing=7, on=self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def entries(self) -> tuple[LegendEntry, ...]:
        """What is shown."""
        return self._entries

    def set_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Shows these entries in place of the ones before."""
        old, self._entries = self._entries, tuple(entries)
        if self._entries == old:
            return
        # New words beside the same signs: new widgets would have the plot laid out anew.
        if [_sign_of(entry) for entry in old] != [_sign_of(entry) for entry in self._entries]:
            self._build()
        for label, entry in zip(self._labels, self._entries, strict=True):
            label.set_text(entry.short or entry.text)
            label.setAccessibleName(entry.text)
            label.setToolTip(plain_tooltip(entry.text))

    def _build(self) -> None:
        emptied(self._row)
        self._row.addStretch(1)
        self._labels = []
        for number, entry in enumerate(self._entries):
            if number:
                self._row.addSpacing(_GAP)
            self._row.addWidget(_Sign(entry, parent=self))
            label = ElidedLabel(parent=self)
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            self._row.addWidget(label)
            self._labels.append(label)


def _sign_of(entry: LegendEntry) -> tuple[int | str, str]:
    return entry.colour, entry.sign


class _Sign(QWidget):
    def __init__(self, entry: LegendEntry, *, parent: QWidget) -> None:
        super().__init__(parent)
        self._entry = entry
        square = entry.sign == "bars"
        self.setFixedSize(_SQUARE if square else _WIDTH, _SQUARE)
        ThemeSwitch.instance().themeChanged.connect(self._recolour)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, colour = theme_in_force(), self._entry.colour
        shown = QColor(theme.series(colour) if isinstance(colour, int) else theme.colour(colour))
        painter = QPainter(self)
        if self._entry.sign == "bars":
            painter.fillRect(QRectF(self.rect()), shown)
            return
        width = 1.0 if self._entry.sign == "hairline" else 2.0
        painter.setPen(QPen(shown, width, LINE_STYLES[self._entry.sign]))
        middle = self.height() / 2
        painter.drawLine(QPointF(0, middle), QPointF(self.width(), middle))

    def _recolour(self) -> None:
        self.update()
