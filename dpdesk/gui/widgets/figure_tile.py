"""One figure that matters: a large value over a muted caption."""

from __future__ import annotations

import re
from typing import NamedTuple

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.plain_text import ElidedLabel, plain_tooltip, without_unit

_ROOMY = (11, 9, 3)
_COMPACT = (7, 7, 4)
_LOW = (7, 4, 2)
"""Margins at the sides, above and below, and between value and caption."""

_COMPACT_BELOW = 130
"""Width per tile below which the figures of a row are set smaller."""

_TONES = (("figure", 1.5), ("heading", 1.06), ("strong", 1.0))
"""Styles of a value, from the largest to the smallest, with their size beside the base font."""

_CAPTION_LINES = {False: 3, True: 4}
_LOW_LINES = 2
"""Lines of a caption, in a row of compact figures or not, and in a low window."""


class Figure(NamedTuple):
    """A number with its unit, and what it is.

    Attributes:
        value: The number as it is shown.
        caption: What it is.
        detail: What it is made of, for the tooltip and for screen readers; may be empty.
        short: Fewer words for what it is, where the caption has no room; may be empty.
    """

    value: str
    caption: str
    detail: str = ""
    short: str = ""


class FigureTile(QFrame):
    """A value with its caption; a figure that can be split says so when hovered or focused.

    The tile places its labels itself: figures change with every step of a slider, and a layout
    would have the whole window laid out anew each time.

    Attributes:
        focused: Emitted when the focus came.
        stopChanged: Emitted when it takes the focus from now on, or no more.
    """

    focused = Signal()
    stopChanged = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        self._metrics: dict[float, QFontMetrics] = {}
        super().__init__(parent)
        self.setObjectName("figureTile")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._compact = False
        self._low = False
        self._detail = ""
        self._stop = Qt.FocusPolicy.StrongFocus
        self._figure = ("", "", "")
        self._value = ElidedLabel("", "figure", parent=self)
        self._caption = ElidedLabel("", "caption", lines=_CAPTION_LINES[False], parent=self)
        self._caption.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)

    def set_compact(self, compact: bool) -> None:
        """Takes less room: a smaller figure and narrower margins."""
        self._compact = compact
        self._place()
        self.updateGeometry()

    def set_low(self, low: bool) -> None:
        """Keeps narrow margins, where a window is low."""
        self._low = low
        self._place()
        self.updateGeometry()

    def value(self) -> str:
        """The value with its unit."""
        return self._figure[0]

    def caption(self) -> str:
        """The caption, without a unit that the value has no room for."""
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
            short: Fewer words for what it is, where the caption has no room; may be empty.
        """
        if (value, caption, short, detail) == (*self._figure, self._detail):
            return
        self._detail = detail
        self._figure = (value, caption, short)
        self._fit()
        self._tell_cut()
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

    def sizeHint(self) -> QSize:
        side, above, between = self._margins()
        lines = _LOW_LINES if self._low else _CAPTION_LINES[self._compact]
        height = self._heights()[0] + lines * self._heights()[1] + 2 * above + between
        return QSize(self._value.sizeHint().width() + 2 * side, height)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._metrics.clear()

    def _margins(self) -> tuple[int, int, int]:
        if self._low:
            return _LOW
        return _COMPACT if self._compact else _ROOMY

    def _heights(self) -> tuple[int, int]:
        self._caption.ensurePolished()
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * _TONES[self._compact][1])
        return QFontMetrics(font).height(), self._caption.fontMetrics().height()

    def _fit(self) -> None:
        """Sets the value as large as it has room for; a long unit goes to the caption."""
        side = self._margins()[0]
        room = self.width() - side - 2
        tones = _TONES[self._compact :]
        value, caption, short = self._figure
        if self._width_of(value, tones[-1][1]) > room:
            value, unit = without_unit(value)
            told = caption, short
            caption, short = (f"{unit}: {text}" if unit and text else text for text in told)
            if self._width_of(value, tones[-1][1]) > room:
                # One sign is enough for both ends.
                value = re.sub(r"( %)? → ", "→", value)
            if self._width_of(value, tones[-1][1]) > room and value.endswith("%"):
                value = value[:-1].rstrip()
                caption, short = (f"%: {text}" if text else text for text in (caption, short))
        fitting = (tone for tone, factor in tones if self._width_of(value, factor) <= room)
        self._value.set_tone(next(fitting, tones[-1][0]))
        self._value.set_text(value)
        self._caption.set_text(caption, *filter(None, (short,)))

    def _width_of(self, value: str, factor: float) -> int:
        if factor not in self._metrics:
            font = QFont(self.font())
            font.setBold(True)
            font.setPointSizeF(font.pointSizeF() * factor)
            self._metrics[factor] = QFontMetrics(font)
        return self._metrics[factor].horizontalAdvance(value)

    def _place(self) -> None:
        side, above, between = self._margins()
        first, width = self._heights()[0], self.width() - 2 * side
        # The value may reach over the margin before it is cut.
        self._value.setGeometry(side, above, width + side - 2, first)
        top = above + first + between
        height = max(self.height() - top - 2, 0)
        self._caption.setGeometry(side, top, width, height)
        self._caption.set_lines(height // self._caption.fontMetrics().lineSpacing())
        self._fit()
        self._tell_cut()

    def _tell_cut(self) -> None:
        """The tooltip: value and caption where one of them is cut, then the detail."""
        shown = (self._value.text(), self._caption.text().replace("\n", ""))
        whole = (self._value.full_text(), self._caption.full_text().replace("\n", ""))
        cut = "" if shown == whole else f"{self.value()}: {self.caption()}"
        tip = plain_tooltip("\n".join(filter(None, (cut, self._detail))))
        if tip != self.toolTip():
            self.setToolTip(tip)
        for label in (self._value, self._caption):
            # Theirs would hide the tile's, which says more.
            if tip != label.toolTip():
                label.setToolTip(tip)


class FigureRow(QWidget):
    """Tiles of fixed parts of the width beside each other; Tab enters and leaves them as one.

    The arrow keys go from tile to tile.

    Args:
        count: How many tiles.
        stretches: The part of each; all alike if not given.
    """

    def __init__(
        self,
        count: int = 4,
        *,
        stretches: tuple[int, ...] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._row = lay_row(spacing=10, on=self)
        self._compact = False
        self.tiles = tuple(FigureTile(parent=self) for _ in range(count))
        for tile, stretch in zip(self.tiles, stretches or (1,) * count, strict=True):
            # The text has no say in the width: tiles must not move while a slider does.
            tile.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            self._row.addWidget(tile, stretch)
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

    def set_low(self, low: bool) -> None:
        """Gives the figures less room, for a low window; all of them stay."""
        for tile in self.tiles:
            tile.set_low(low)

    def minimumSizeHint(self) -> QSize:
        return QSize(len(self.tiles) * 60, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        compact = self.width() < len(self.tiles) * _COMPACT_BELOW
        if compact != self._compact:
            self._compact = compact
            self._row.setSpacing(6 if compact else 10)
            for tile in self.tiles:
                tile.set_compact(compact)
