"""One figure that matters: a large value over a muted caption."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip
from dpdesk.gui.widgets.steady import Steady, SteadyLines


class Figure(NamedTuple):
    """A number with its unit, and what it is.

    Attributes:
        value: The number as it is shown.
        caption: What it is.
        detail: What it is made of, for the tooltip and for screen readers; may be empty.
        short: Fewer words for what it is, which are shown; the caption is the tooltip then.
    """

    value: str
    caption: str
    detail: str = ""
    short: str = ""


class FigureTile(QFrame):
    """A value with its caption; a figure that can be split says so when hovered or focused.

    Args:
        tone: The style of the value.

    Attributes:
        focused: Emitted when the focus came.
        stopChanged: Emitted when it takes the focus from now on, or no more.
    """

    focused = Signal()
    stopChanged = Signal()

    def __init__(self, tone: str = "figure", *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("figureTile")
        # The text has no say in the width: tiles must not move while a slider does.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._detail = ""
        self._stop = Qt.FocusPolicy.StrongFocus
        self._figure = ("", "", "")
        self._value = ElidedLabel("", tone, parent=self)
        self._caption = PlainLabel("", "caption", wrap=True)
        self._caption.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._lines = SteadyLines(self._caption, parent=self)
        value = Steady(self._value, "", parent=self)
        lay_column(value, (self._lines, 1), spacing=2, margins=(8, 6, 4, 6), on=self)

    def value(self) -> str:
        """The value with its unit."""
        return self._figure[0]

    def caption(self) -> str:
        """The caption."""
        return self._figure[1]

    def set_severity(self, severity: str) -> None:
        """Gives the value the colour of "danger" or "warning"; "" for that of text."""
        if self._value.property("severity") != severity:
            self._value.setProperty("severity", severity)
            self._value.style().unpolish(self._value)
            self._value.style().polish(self._value)

    def set_figure(self, value: str, caption: str, detail: str = "", short: str = "") -> None:
        """Shows a figure.

        Args:
            value: The number with its unit.
            caption: What it is.
            detail: What it is made of, for the tooltip and for screen readers; may be empty.
            short: Fewer words for what it is, which are shown; may be empty.
        """
        if (value, caption, short, detail) == (*self._figure, self._detail):
            return
        self._detail = detail
        self._figure = (value, caption, short)
        self._value.set_text(value)
        self._lines.set_text(short or caption)
        tip = plain_tooltip("\n".join(filter(None, (f"{caption}: {value}", detail))))
        for widget in (self, self._value):
            # The label's own would hide the tile's, which says more.
            widget.setToolTip(tip)
        self.setAccessibleName(f"{caption}: {value}")
        self.setAccessibleDescription(detail)
        # A tile without detail has nothing to say that its labels do not: Tab passes it by.
        focus = self._stop if detail else Qt.FocusPolicy.NoFocus
        if focus != self.focusPolicy():
            self.setFocusPolicy(focus)
            self.stopChanged.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()

    def has_detail(self) -> bool:
        """Whether it says what the figure is made of."""
        return bool(self._detail)

    def is_stop(self) -> bool:
        """Whether Tab stops here."""
        return self.focusPolicy() == Qt.FocusPolicy.StrongFocus

    def set_stop(self, stop: bool) -> None:
        """Whether Tab stops here, if there is a detail; else the arrow keys of its row do."""
        self._stop = Qt.FocusPolicy.StrongFocus if stop else Qt.FocusPolicy.ClickFocus
        if self._detail:
            self.setFocusPolicy(self._stop)


class FigureRow(QWidget):
    """Tiles of fixed parts of the width beside each other; Tab enters and leaves them as one.

    The arrow keys go from tile to tile.

    Args:
        count: How many tiles.
        stretches: The part of each; all alike if not given.
        tone: The style of the values.
    """

    def __init__(
        self,
        count: int = 4,
        *,
        stretches: tuple[int, ...] = (),
        tone: str = "figure",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        row = lay_row(spacing=8, on=self)
        self.tiles = tuple(FigureTile(tone, parent=self) for _ in range(count))
        for tile, stretch in zip(self.tiles, stretches or (1,) * count, strict=True):
            row.addWidget(tile, stretch)
            tile.set_stop(False)
            tile.stopChanged.connect(self._choose_stop)
            tile.focused.connect(lambda tile=tile: self._stop_at(tile))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        told = [tile for tile in self.tiles if tile.has_detail()]
        here = next((i for i, tile in enumerate(told) if tile is self.focusWidget()), None)
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Home: -len(told),
            Qt.Key.Key_End: len(told),
        }
        step = steps.get(Qt.Key(event.key()))
        if here is None or step is None:
            super().keyPressEvent(event)
            return
        target = told[min(max(here + step, 0), len(told) - 1)]
        self._stop_at(target)
        target.setFocus(Qt.FocusReason.TabFocusReason)

    def _choose_stop(self) -> None:
        """The first tile that says more is the one that Tab stops at."""
        first = next((tile for tile in self.tiles if tile.has_detail()), None)
        if first is not None and not any(tile.is_stop() for tile in self.tiles):
            self._stop_at(first)

    def _stop_at(self, stop: FigureTile) -> None:
        """Tab comes back to the tile where the focus was last."""
        for tile in self.tiles:
            tile.set_stop(tile is stop)
