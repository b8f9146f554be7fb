"""The stage: a demonstration on the whole screen, moved by keys, a clicker or the mouse."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QPoint, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QCursor,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget

from dpdesk.demonstrations import Demonstration, Scene, Step, Tallies
from dpdesk.engine import Progress
from dpdesk.engine.jobs import Job
from dpdesk.errors import DpdeskError
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.stage.black_screen import BlackScreen
from dpdesk.gui.stage.look import DRAWN_HEIGHT, DRAWN_WIDTH, Look
from dpdesk.gui.stage.pointer import PointerSpot
from dpdesk.gui.stage.presented_page import WindowCovers
from dpdesk.gui.stage.step_layout import StepTexts, shows_one_picture
from dpdesk.gui.stage.step_view import StepView
from dpdesk.gui.stage.tallies_field import TalliesField
from dpdesk.gui.theme import TEXT_SIZES, theme_in_force
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


_PLAY_MS = 1800
"""How long each choice is shown while they play, in milliseconds."""


class Stage(QWidget):
    """Plays a demonstration.

    Args:
        demonstration: What is played.
        step: Number of the step that is shown first, from 0.
        percent: Size of letters, one of `TEXT_SIZES`.
        parent: The window that it belongs to, and that comes back when it is left.

    Attributes:
        view: The step.
        field: The answers of the room, on a step that takes them.
        notes: What the presenter may say, in a window of its own.
        windows: Covers every other window that opens meanwhile.
        left: Emitted with the number of the step when the stage is left.
        percentChanged: Emitted with another size of letters.
    """

    shows_nothing_private = True
    """Answers of the open data are shown only where the presenter chose them."""

    left = Signal(int)
    percentChanged = Signal(int)

    def __init__(
        self,
        demonstration: Demonstration,
        *,
        step: int = 0,
        percent: int = 100,
        where: Callable[[], QPoint] = QCursor.pos,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.demonstration = demonstration
        self._step = min(max(step, 0), len(demonstration.steps) - 1)
        self._choices = [0] * len(demonstration.steps)
        self._before: int | None = None
        self._tallies: Tallies | None = None
        self._percent = percent
        self._scene = Scene((), "", {})
        self.setWindowTitle(demonstration.title)
        self.setAccessibleName(demonstration.title)
        self.view = StepView(parent=self)
        self.view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.view.set_percent(percent)
        self.field = TalliesField(parent=self)
        self.field.hide()
        self.field.given.connect(self._take_tallies)
        self.field.left.connect(self.view.setFocus)
        self.view.fieldMoved.connect(self._place_field)
        self.black = BlackScreen(self)
        self.notes = NotesWindow(self)
        self.windows = WindowCovers(self)
        self._player = QTimer(self)
        self._player.setInterval(_PLAY_MS)
        self._player.timeout.connect(self._play_on)
        self.pointer = PointerSpot(self, where)
        self.black.lit.connect(self.pointer.start)
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.watch = JobWatch(self)
        self.watch.progressed.connect(self._show_progress)
        self.watch.failed.connect(self._show_error)
        self.watch.finished.connect(lambda _: self.show_step(self._step))
        self._show_words(self.tr("One moment: this demonstration is being prepared."))
        self.watch.start(Job(self.tr("Preparing"), demonstration.prepare))
        self.view.setFocus()

    def step(self) -> int:
        """The number of the step that is shown, from 0."""
        return self._step

    def choice(self) -> int:
        """The number of the choice in force on the step."""
        return self._choices[self._step]

    def is_playing(self) -> bool:
        """Whether the choices follow each other by themselves."""
        return self._player.isActive()

    def show_step(self, number: int) -> None:
        """Shows a step; numbers beyond the first and the last stand for those."""
        self._player.stop()
        self._step = min(max(number, 0), len(self.demonstration.steps) - 1)
        self._before = None
        self._show(moves=False)
        # The numbers get the focus when they are typed: a clicker goes on meanwhile.
        self.view.setFocus()

    def choose(self, number: int) -> None:
        """Moves to a choice of the step; the one before stays as a ghost."""
        step = self._current()
        if not 0 <= number < len(step.choices) or number == self.choice():
            return
        self._before = self.choice()
        self._choices[self._step] = number
        self._show(moves=True)

    def play(self) -> None:
        """Draws again; on a step that draws nothing, plays through its choices or pauses."""
        step = self._current()
        if step.draws_again:
            self._show(moves=True)
        elif self._player.isActive():
            self._player.stop()
        elif step.choices:
            self._play_on()
            self._player.start()

    def set_percent(self, percent: int) -> None:
        """Gives all letters another size, one of `TEXT_SIZES`."""
        self._percent = percent
        self._show_field()
        self.view.set_percent(percent)
        self.percentChanged.emit(percent)

    def darken(self) -> None:
        """Shows nothing until a key is pressed."""
        self._player.stop()
        self.pointer.stop()
        self.view.stand_still()
        self.black.darken()

    def show_notes(self) -> None:
        """Shows what the presenter may say, or hides it."""
        if self.notes.isVisible():
            self.notes.close()
        else:
            self.notes.show_step(self.demonstration, self._step)
            self.notes.show_beside()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.watch.is_running and event.key() != Qt.Key.Key_Escape:
            return
        act = self._keys().get(Qt.Key(event.key()))
        if self._current().takes_tallies and self._types_a_digit(event):
            self.field.begin(event.text())
        elif act is None:
            super().keyPressEvent(event)
        else:
            act()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.watch.is_running:
            back = event.button() == Qt.MouseButton.RightButton
            self.show_step(self._step + (-1 if back else 1))

    def focusNextPrevChild(self, next: bool) -> bool:
        if self.field.isVisible():
            return super().focusNextPrevChild(next)
        if not self.view.shows_all_pictures():
            self.view.show_other_picture()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._scene.pictures:
            # The keys at the foot depend on the width, too.
            self._show_scene(moves=False)
        self.view.setGeometry(self.rect())
        self.black.setGeometry(self.rect())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.windows.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._player.stop()
        self.windows.stop()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.watch.shut_down()
        self.notes.close()
        super().closeEvent(event)
        self.left.emit(self._step)

    def _keys(self) -> dict[Qt.Key, Callable[[], object]]:
        key, last = Qt.Key, len(self.demonstration.steps) - 1
        on, back = partial(self.show_step, self._step + 1), partial(self.show_step, self._step - 1)
        larger, smaller = partial(self._step_percent, 1), partial(self._step_percent, -1)
        return {
            key.Key_Right: on,
            key.Key_PageDown: on,
            key.Key_Return: on,
            key.Key_Enter: on,
            key.Key_Left: back,
            key.Key_PageUp: back,
            key.Key_Backspace: back,
            key.Key_Home: partial(self.show_step, 0),
            key.Key_End: partial(self.show_step, last),
            key.Key_Down: partial(self.choose, self.choice() + 1),
            key.Key_Up: partial(self.choose, self.choice() - 1),
            key.Key_Space: self.play,
            key.Key_Plus: larger,
            key.Key_Equal: larger,
            key.Key_Minus: smaller,
            key.Key_0: partial(self.set_percent, 100),
            key.Key_B: self.darken,
            key.Key_Period: self.darken,
            key.Key_N: self.show_notes,
            key.Key_Escape: self.close,
            # A clicker sends it to begin; it has begun.
            key.Key_F5: lambda: None,
        }

    def _types_a_digit(self, event: QKeyEvent) -> bool:
        with_control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        return not with_control and event.text().isascii() and event.text().isdigit()

    def _step_percent(self, step: int) -> None:
        here = TEXT_SIZES.index(self._percent) + step
        self.set_percent(TEXT_SIZES[min(max(here, 0), len(TEXT_SIZES) - 1)])

    def _current(self) -> Step:
        return self.demonstration.steps[self._step]

    def _play_on(self) -> None:
        self.choose((self.choice() + 1) % len(self._current().choices))

    def _take_tallies(self, tallies: Tallies | None) -> None:
        if tallies != self._tallies:
            self._tallies = tallies
            self._show(moves=True)

    def _show(self, *, moves: bool) -> None:
        """Shows the step as it is now, or why it cannot be shown."""
        step = self._current()
        try:
            scene = step.scene(choice=self.choice(), before=self._before, tallies=self._tallies)
        except DpdeskError as error:
            scene = Scene((), str(error), {})
        self._scene = scene
        self._show_scene(moves=moves)

    def _show_scene(self, *, moves: bool) -> None:
        """Shows what was drawn."""
        step, scene = self._current(), self._scene
        head = self.tr("{title} · step {number} of {count}").format(
            title=self.demonstration.title,
            number=self._step + 1,
            count=len(self.demonstration.steps),
        )
        question = self.demonstration.question
        texts = StepTexts(
            head,
            step.title,
            step.todo,
            scene.sentence,
            self._keys_of(step),
            self.tr("Question: “{question}”").format(question=question) if question else "",
            scene.pictures,
            step.choices,
            self.choice(),
        )
        self.notes.show_step(self.demonstration, self._step)
        steps = len(self.demonstration.steps)
        if not step.takes_tallies and (self.field.yes.hasFocus() or self.field.asked.hasFocus()):
            self.view.setFocus()
        self.field.setVisible(step.takes_tallies)
        self.view.show_step(texts, self._step, steps, moves=moves, field=self._wanted_field())

    def _keys_of(self, step: Step) -> str:
        parts = [self.tr("← → steps")]
        if len(step.choices) > 1:
            parts.append(self.tr("↑ ↓ choices"))
        if step.draws_again:
            parts.append(self.tr("space draws again"))
        elif len(step.choices) > 1:
            parts.append(self.tr("space plays"))
        if step.takes_tallies:
            parts.append(self.tr("digits or Tab to the numbers"))
        elif len(self._scene.pictures) > 1 and shows_one_picture(QSizeF(self.size())):
            parts.append(self.tr("Tab the other picture"))
        return " · ".join(
            (
                *parts,
                self.tr("+ − size"),
                self.tr("N notes"),
                self.tr("B black"),
                self.tr("Esc leaves"),
            )
        )

    def _wanted_field(self) -> QSizeF | None:
        """The room that the answers of the room need on the step."""
        if not self._current().takes_tallies:
            return None
        space = min(self.width() / DRAWN_WIDTH, self.height() / DRAWN_HEIGHT)
        # Beyond this size it would take the room of the pictures.
        letters = space * min(self._percent, 125) / 100
        return QSizeF(self.field.wanted(Look(theme_in_force(), self.font(), space, letters)))

    def _show_field(self) -> None:
        """Gives the field its size; the view gives it its place."""
        if self.field.isVisibleTo(self):
            self._show_scene(moves=False)

    def _place_field(self, rect: QRectF) -> None:
        if not rect.isEmpty():
            place = rect.toAlignedRect()
            # To the margin at the right: what is wrong with the numbers stands behind them.
            place.setRight(max(place.right(), self.width() - place.left()))
            self.field.setGeometry(place)
            self.field.raise_()

    def _show_words(self, words: str) -> None:
        title = self.demonstration.title
        keys = self.tr("Esc leaves")
        texts = StepTexts(title, title, words, "", keys, "", ())
        self.view.show_step(texts, self._step, len(self.demonstration.steps), moves=False)

    def _show_progress(self, progress: Progress) -> None:
        words = self.tr("One moment: this demonstration is being prepared ({share}\u00a0%).")
        self._show_words(words.format(share=round(100 * progress.done)))

    def _show_error(self, error: DpdeskError) -> None:
        self._show_words(str(error))
