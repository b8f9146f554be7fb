"""Play, pause, step and start again: the controls of what is shown one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.gui.icons import IconBond, IconButton
from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox


@dataclass(frozen=True)
class Speed:
    """How fast it plays.

    Attributes:
        interval: Milliseconds between two steps.
        count: How many follow at each step.
        text: Its words where there are several speeds.
    """

    interval: int
    count: int = 1
    text: str = ""


class Player(QWidget):
    """Goes from the first to the last, by itself or step by step.

    What is played stands still while nobody looks. The speeds are offered where there are several.

    Args:
        step: What the button of one step does, in words.
        again: What the button of a new start does, in words.
        speeds: The speeds; the first one is in force.

    Attributes:
        moved: Emitted when another number is shown.
        startedAgain: Emitted before the first is shown again on somebody's wish.
    """

    moved = Signal()
    startedAgain = Signal()

    def __init__(
        self, step: str, again: str, speeds: Sequence[Speed], *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._shown, self._last = 1, 1
        self._speeds = tuple(speeds)
        self.play = QPushButton(self)
        self.play.setWhatsThis(self.tr("Goes on by itself until Pause."))
        self._play_icon = IconBond(self.play, "play", "text")
        self.step = IconButton("skip-next", step, size=18, role="text", parent=self)
        self.again = IconButton("restart", again, size=18, role="text", parent=self)
        self.speed = ChoiceBox(self.tr("Speed"), parent=self)
        self.speed.setWhatsThis(self.tr("How fast people are asked while it plays."))
        for speed in self._speeds:
            self.speed.addItem(speed.text)
        self.speed.setVisible(len(self._speeds) > 1)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        self.play.clicked.connect(self.toggle)
        self.step.clicked.connect(self.advance)
        self.again.clicked.connect(self.start_again)
        self.speed.activated.connect(self._take_speed)
        self._row = lay_row(spacing=8, on=self)
        for widget in (self.play, self.step, self.again, self.speed):
            self._row.addWidget(widget)
        self._take_speed()
        self._show_state()

    def add_widget(self, widget: QWidget, stretch: int = 0) -> None:
        """Puts a widget after the controls."""
        self._row.addWidget(widget, stretch)

    def add_stretch(self) -> None:
        """Leaves the rest of the row empty."""
        self._row.addStretch(1)

    def shown(self) -> int:
        """The number that is shown, from 1."""
        return self._shown

    def is_playing(self) -> bool:
        """Whether they follow each other by themselves."""
        return self._timer.isActive()

    def begin(self, last: int) -> None:
        """Stands at the first of `last`, without a word to anybody."""
        self._shown, self._last = 1, last
        self.pause()

    def toggle(self) -> None:
        """Plays or pauses; after the last one it starts again."""
        if self._timer.isActive():
            self.pause()
            return
        if self._shown >= self._last:
            self.start_again()
        self._timer.start()
        self._show_state()

    def pause(self) -> None:
        """Stands still."""
        self._timer.stop()
        self._show_state()

    def advance(self) -> None:
        """Goes one further."""
        self._go(1)

    def start_again(self) -> None:
        """Goes back to the first one."""
        self._shown = 1
        self.startedAgain.emit()
        self.moved.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.pause()

    def _take_speed(self) -> None:
        self._timer.setInterval(self._speeds[self.speed.currentIndex()].interval)

    def _tick(self) -> None:
        self._go(self._speeds[self.speed.currentIndex()].count)

    def _go(self, count: int) -> None:
        self._shown = min(self._shown + count, self._last)
        if self._shown >= self._last:
            self.pause()
        self.moved.emit()

    def _show_state(self) -> None:
        playing = self._timer.isActive()
        self.play.setText(self.tr("&Pause") if playing else self.tr("&Play"))
        self._play_icon.set_icon("pause" if playing else "play", "text")
