"""The presenter's notes: a window beside the stage, on another screen where there is one."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from dpdesk.demonstrations import Demonstration
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, scrolled
from dpdesk.gui.widgets.plain_text import PlainLabel


class NotesWindow(QWidget):
    """Shows what may be said on a step, and what comes next.

    Keys go to the stage, so that a presenter moves it from here as well.

    Args:
        stage: The stage; the window closes with it.

    Attributes:
        title: Number and title of the step.
        todo: What the room or the presenter does.
        notes: What may be said.
        following: The title of the next step.
    """

    shows_nothing_private = True

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage, Qt.WindowType.Window)
        self._stage = stage
        self.setWindowTitle(self.tr("Notes for the presenter"))
        self.setAccessibleName(self.windowTitle())
        self.title = PlainLabel("", "title", wrap=True, parent=self)
        self.todo = PlainLabel("", "strong", wrap=True, parent=self)
        self.notes = PlainLabel("", "heading", wrap=True, parent=self)
        self.source = PlainLabel("", "muted", wrap=True, parent=self)
        self.following = PlainLabel("", "muted", wrap=True, parent=self)
        inside = QWidget(self)
        words = (self.title, self.todo, self.notes, self.source)
        lay_column(*words, STRETCH, self.following, spacing=14, margins=16, on=inside)
        lay_column(scrolled(inside), on=self)
        self.resize(640, 480)

    def show_step(self, demonstration: Demonstration, number: int) -> None:
        """Shows the notes of a step, counted from 0."""
        steps = demonstration.steps
        step = steps[number]
        self.title.setText(f"{number + 1}/{len(steps)}  {step.title}")
        self.todo.setText(step.todo)
        self.notes.setText(step.notes)
        self.source.setText(step.source)
        self.source.setVisible(bool(step.source))
        if number + 1 < len(steps):
            words = self.tr("Next: {title}").format(title=steps[number + 1].title)
        else:
            words = self.tr("This is the last step.")
        self.following.setText(words)

    def show_beside(self) -> None:
        """Shows the window on a screen that the stage is not on; else above the stage."""
        here = self._stage.screen()
        others = [screen for screen in here.virtualSiblings() if screen is not here]
        if others:
            area = others[0].availableGeometry()
            self.move(area.center() - self.rect().center())
        self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        QCoreApplication.sendEvent(self._stage, event)
