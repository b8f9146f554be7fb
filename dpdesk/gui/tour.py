"""A short tour: a few real controls, one after the other, which anybody may skip."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QFrame, QMainWindow, QPushButton, QWidget

from dpdesk.gui.theme import scaled, theme_in_force
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.i18n import N_

if TYPE_CHECKING:
    from dpdesk.gui.pages.page import Page
    from dpdesk.gui.settings import Settings

_WIDTH, _GAP, _AROUND = 340, 14, 5


@dataclass(frozen=True)
class Stop:
    """One stop of the tour.

    Attributes:
        place: The key of the page that is shown; empty for whichever there is.
        target: Where it points: attributes from the page, or from the window where there is none.
        title: What it is.
        text: What it is for.
        needs_rows: Whether it is of a table, and says nothing true of an empty one.
    """

    place: str
    target: str
    title: str
    text: str
    needs_rows: bool = False


STOPS = (
    Stop(
        "",
        "rail",
        N_("The way of the work"),
        N_("From data to a plan and a release, from top to bottom. Ctrl and a number go there."),
    ),
    Stop(
        "data",
        "start.open_button",
        N_("Protect a file"),
        N_("Open the answers of a survey. Nothing leaves this computer, and nothing is changed."),
    ),
    Stop(
        "data",
        "start.sample_button",
        N_("Or try the sample"),
        N_("A real survey with a ready plan: you see at once what protection costs."),
    ),
    Stop(
        "data",
        "start.questionnaire_button",
        N_("Plan a survey"),
        N_("Type the questions before anybody is asked, and see the error to expect."),
    ),
    Stop(
        "data",
        "variables",
        N_("Every column, with its answers"),
        N_("Say what each column is, and confirm what it can hold: that much becomes public."),
    ),
    Stop(
        "plan",
        "records.table",
        N_("What protects each answer"),
        N_("A mechanism and an epsilon for each column, and at once the error that they cost."),
        needs_rows=True,
    ),
    Stop(
        "release",
        "records.before",
        N_("Read, then release"),
        N_("What will be written and what it costs stands here before anything is drawn."),
    ),
    Stop(
        "learn",
        "list",
        N_("Show how it works"),
        N_("Demonstrations for a room. F5 puts the chosen one, or any page, on the whole screen."),
    ),
    Stop(
        "",
        "menuBar",
        N_("Whenever you wonder"),
        N_("F1 opens the help, where you can search. Shift+F1 and a click say what a control is."),
    ),
)
"""The stops; those whose control is not there at the moment are left out."""


class TourBubble(QFrame):
    """What a stop says, with the buttons that go on."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.title = PlainLabel("", "heading", wrap=True, parent=self)
        self.text = PlainLabel("", wrap=True, parent=self)
        self.count = PlainLabel("", "muted", parent=self)
        self.skip = QPushButton(self.tr("Skip the tour"), self)
        self.back = QPushButton(self.tr("Back"), self)
        self.on = QPushButton(self)
        self.on.setProperty("look", "primary")
        buttons = lay_row(self.skip, STRETCH, self.back, self.on, spacing=8)
        lay_column(self.title, self.text, self.count, buttons, spacing=8, margins=16, on=self)


class Tour(QWidget):
    """Lies over a window: dims it, rings a control, and says what it is.

    Args:
        window: The window.
        pages: Its pages by their keys.
        go_to: Shows the page of a key.
        settings: Remembers that it was taken or skipped.

    Attributes:
        bubble: What is said.
        ended: Emitted when it is over.
    """

    ended = Signal()

    def __init__(
        self,
        window: QMainWindow,
        pages: dict[str, Page],
        go_to: Callable[[str], None],
        settings: Settings,
    ) -> None:
        super().__init__(window)
        self._window, self._pages, self._go_to = window, pages, go_to
        self._settings = settings
        self._stops: list[Stop] = []
        self._number = 0
        self._came_from = ""
        self._focus: QWidget | None = None
        self.bubble = TourBubble(self)
        self.bubble.skip.clicked.connect(self.end)
        self.bubble.on.clicked.connect(lambda: self._step(1))
        self.bubble.back.clicked.connect(lambda: self._step(-1))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Tour"))
        self.hide()

    def begin(self, stops: Sequence[Stop] = STOPS, came_from: str = "") -> None:
        """Begins at the first control that is there.

        Args:
            stops: The stops.
            came_from: The page that is shown again afterwards.
        """
        self._came_from = came_from
        self._focus = self._window.focusWidget()
        self._stops = [stop for stop in stops if self._can_be_seen(stop)]
        if not self._stops:
            return
        self._window.installEventFilter(self)
        self.setGeometry(self._window.rect())
        self.show()
        self._show(0)

    def stops(self) -> list[Stop]:
        """The stops that are gone to."""
        return list(self._stops)

    def target(self) -> QWidget | None:
        """The control that is pointed at."""
        return self._found(self._stops[self._number])

    def end(self) -> None:
        """Leaves the window as it is, and does not come by itself again."""
        if self.isHidden():
            return
        self._window.removeEventFilter(self)
        # A button that is hidden while it has the focus would look for the next one here.
        self._window.setFocus()
        self.hide()
        self._settings.set_toured()
        if self._came_from:
            self._go_to(self._came_from)
        if self._focus is not None:
            self._focus.setFocus()
        self.ended.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.end()
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._step(1)
        elif key == Qt.Key.Key_Left:
            self._step(-1)

    def focusNextPrevChild(self, next: bool) -> bool:
        buttons = [self.bubble.on, self.bubble.skip, self.bubble.back]
        shown = [button for button in buttons if button.isVisible()]
        if not shown:
            return False
        here = [place for place, button in enumerate(shown) if button.hasFocus()] or [-1]
        step = 1 if next else -1
        shown[(here[0] + step) % len(shown)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._window.rect())
            self._place()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, hole = theme_in_force(), self._hole()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dim = QPainterPath()
        dim.addRect(self.rect())
        ring = QPainterPath()
        ring.addRoundedRect(hole, 8, 8)
        shade = QColor(theme.text if not theme.dark else theme.background)
        shade.setAlpha(110)
        painter.fillPath(dim.subtracted(ring), shade)
        painter.setPen(QPen(QColor(theme.accent), 3))
        painter.drawPath(ring)

    def _can_be_seen(self, stop: Stop) -> bool:
        """Whether the control is there when its page is shown."""
        target = self._found(stop)
        page = self._pages.get(stop.place)
        if target is None or (stop.place and page is None):
            return False
        if stop.needs_rows and not _has_rows(target):
            return False
        return target.isVisibleTo(page if page is not None else self._window)

    def _found(self, stop: Stop) -> QWidget | None:
        found: object = self._pages.get(stop.place) if stop.place else self._window
        for name in stop.target.split("."):
            found = getattr(found, name, None)
        # The menu bar is what a method returns.
        found = found() if callable(found) else found
        return found if isinstance(found, QWidget) else None

    def _step(self, by: int) -> None:
        if self._number + by >= len(self._stops):
            self.end()
        elif self._number + by >= 0:
            self._show(self._number + by)

    def _show(self, number: int) -> None:
        self._number = number
        stop, bubble = self._stops[number], self.bubble
        if stop.place:
            self._go_to(stop.place)
        translate = QCoreApplication.translate
        bubble.title.setText(translate("Tour", stop.title))
        bubble.text.setText(translate("Tour", stop.text))
        place, count = number + 1, len(self._stops)
        bubble.count.setText(self.tr("{place} of {count}").format(place=place, count=count))
        is_last = place == count
        bubble.on.setText(self.tr("Done") if is_last else self.tr("Next"))
        bubble.back.setVisible(number > 0)
        bubble.skip.setVisible(not is_last)
        self.setAccessibleDescription(f"{bubble.title.text()}. {bubble.text.text()}")
        self.raise_()
        self._place()
        bubble.on.setFocus()

    def _hole(self) -> QRect:
        target = self.target()
        if target is None:
            return QRect()
        place = target.mapTo(self._window, QPoint(0, 0))
        whole = QRect(place, target.size()).adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
        return whole.intersected(self.rect().adjusted(2, 2, -2, -2))

    def _place(self) -> None:
        """Puts the bubble beside the control, where there is room for it."""
        bubble, hole, room = self.bubble, self._hole(), self.rect().adjusted(8, 8, -8, -8)
        bubble.setFixedWidth(min(scaled(_WIDTH), room.width()))
        bubble.adjustSize()
        size = bubble.sizeHint().expandedTo(bubble.size())
        spots = (
            QPoint(hole.right() + _GAP, hole.top()),
            QPoint(hole.left(), hole.bottom() + _GAP),
            QPoint(hole.left() - _GAP - size.width(), hole.top()),
            QPoint(hole.left(), hole.top() - _GAP - size.height()),
        )
        fitting = (spot for spot in spots if room.contains(QRect(spot, size)))
        inside = QPoint(hole.right() - size.width() - _GAP, hole.bottom() - size.height() - _GAP)
        spot = next(fitting, inside)
        left = min(max(spot.x(), room.left()), max(room.right() - size.width(), room.left()))
        top = min(max(spot.y(), room.top()), max(room.bottom() - size.height(), room.top()))
        bubble.move(left, top)
        self.update()


def _has_rows(table: QWidget) -> bool:
    """Whether a table, or the table inside a part of a page, lists anything."""
    view = table if isinstance(table, QAbstractItemView) else table.findChild(QAbstractItemView)
    model = None if view is None else view.model()
    return model is not None and model.rowCount() > 0
