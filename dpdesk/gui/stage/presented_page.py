"""A page of the window on the whole screen, with everything private covered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMainWindow, QPushButton, QWidget

from dpdesk.gui.icons import icon
from dpdesk.gui.stage.black_screen import BlackScreen
from dpdesk.gui.stage.pointer import PointerSpot
from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel

if TYPE_CHECKING:
    from dpdesk.gui.settings import Settings

_OF_A_CONTROL = (Qt.WindowType.Popup, Qt.WindowType.ToolTip)
"""Windows that a control opens for a moment: menus, lists of choices, hints."""


class PrivateCover(QWidget):
    """An opaque cover over a widget, above everything in it, until it is deleted.

    Args:
        covered: What shows true answers.

    Attributes:
        unlockAsked: Emitted when the presenter wants to show it all the same.
    """

    unlockAsked = Signal()

    def __init__(self, covered: QWidget) -> None:
        super().__init__(covered)
        self.covered = covered
        self.setAccessibleName(self.tr("Private, and covered"))
        # Without one of its own, Qt would show the tooltip of what is covered.
        self.setToolTip(self.tr("True answers are covered while others look"))
        self._sign = PlainLabel(parent=self)
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._words = PlainLabel(
            self.tr("Private: not shown to a room"), "strong", wrap=True, parent=self
        )
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.unlock = QPushButton(self.tr("Show it anyway"), self)
        self.unlock.clicked.connect(self.unlockAsked)
        row = lay_row(STRETCH, self.unlock, STRETCH)
        lay_column(STRETCH, self._sign, self._words, row, STRETCH, spacing=10, margins=8, on=self)
        focused: QWidget | None = covered.focusWidget()
        if focused is not None:
            focused.clearFocus()
        covered.installEventFilter(self)
        ThemeSwitch.instance().themeChanged.connect(self._draw)
        self._draw(theme_in_force())
        self.setGeometry(covered.rect())
        self.show()
        self.raise_()

    def hides(self, widget: QWidget) -> bool:
        """Whether a widget lies under the cover."""
        is_own = widget is self or self.isAncestorOf(widget)
        return not is_own and (widget is self.covered or self.covered.isAncestorOf(widget))

    def uncover(self) -> None:
        """Shows what was covered."""
        self.covered.removeEventFilter(self)
        self.hide()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.ChildAdded)
        if event.type() in (*kinds, QEvent.Type.LayoutRequest):
            self.setGeometry(self.covered.rect())
            self.raise_()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        line = self.fontMetrics().height()
        self._sign.setVisible(self.height() > 9 * line)
        # A window has no other way; a page is unlocked at the foot as well.
        self.unlock.setVisible(self.covered.isWindow() or self.height() > 5 * line)
        self._words.setVisible(self.height() > (6 if self.unlock.isVisibleTo(self) else 1.5) * line)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), QColor(theme_in_force().surface))

    def _draw(self, theme: Theme) -> None:
        self._sign.setPixmap(icon("lock", theme, "warning").pixmap(40, 40))


class WindowCovers(QObject):
    """Covers every other window that is open or opens while a room looks, whatever its class.

    A class that says `shows_nothing_private` is left open, and so are menus, lists and hints that
    belong to a control: whoever opened them saw it. Dialogs of the system, which nothing of ours
    can cover, are replaced by those of Qt meanwhile.

    Args:
        shown: The window that the room looks at; it and the one that it belongs to stay open.
        applies: Whether windows that open now are covered.

    Attributes:
        changed: Emitted when a window was covered or uncovered.
    """

    changed = Signal()

    def __init__(self, shown: QWidget, applies: Callable[[], bool] = lambda: True) -> None:
        super().__init__(shown)
        self._shown, self._applies = shown, applies
        self._covers: list[PrivateCover] = []
        self._unlocked: set[QWidget] = set()
        self._was_native = False

    def covers(self) -> list[PrivateCover]:
        """The covers of windows."""
        return list(self._covers)

    def start(self) -> None:
        """Covers what is open, and whatever opens until `stop`."""
        native = Qt.ApplicationAttribute.AA_DontUseNativeDialogs
        self._was_native = not QApplication.testAttribute(native)
        QApplication.setAttribute(native, True)
        if (application := QApplication.instance()) is not None:
            application.installEventFilter(self)
        self.cover_open_windows()

    def lock_all(self) -> None:
        """Forgets what the presenter unlocked."""
        self._unlocked.clear()

    def cover_open_windows(self) -> None:
        """Covers the windows that are open, but those that the presenter unlocked."""
        for window in QApplication.topLevelWidgets():
            if window.isVisible():
                self._cover(window)

    def stop(self) -> None:
        """Uncovers all windows."""
        if (application := QApplication.instance()) is not None:
            application.removeEventFilter(self)
        if self._was_native:
            QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs, False)
        covers, self._covers = self._covers, []
        for cover in covers:
            cover.uncover()
        self.lock_all()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self._cover(watched)
        return False

    def _cover(self, window: QWidget) -> None:
        if (
            not self._applies()
            or window.windowType() in _OF_A_CONTROL
            or window in (self._shown, self._shown.parentWidget())
            or getattr(window, "shows_nothing_private", False)
            or window in self._unlocked
            or any(cover.covered is window for cover in self._covers)
        ):
            return
        cover = PrivateCover(window)
        # Return unlocks it, and presses no button below.
        cover.unlock.setFocus()
        cover.unlockAsked.connect(lambda: self._unlock(cover))
        cover.destroyed.connect(lambda: self._forget(cover))
        self._covers.append(cover)
        self.changed.emit()

    def _unlock(self, cover: PrivateCover) -> None:
        self._unlocked.add(cover.covered)
        cover.uncover()
        self._forget(cover)

    def _forget(self, cover: PrivateCover) -> None:
        left = [other for other in self._covers if other is not cover]
        if len(left) < len(self._covers):
            self._covers = left
            self.changed.emit()


class PresentationFoot(QWidget):
    """The keys of a presentation, and the lock of what is private."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Presentation"))
        self._words = ElidedLabel("", "muted", parent=self)
        self.lock = QPushButton(self)
        self.leave = QPushButton(self.tr("Leave"), self)
        lay_row((self._words, 1), self.lock, self.leave, spacing=8, on=self)
        self.hide()

    def show_state(self, *, locked: bool, covers: bool) -> None:
        """Says whether private parts are covered, and what the button does."""
        keys = self.tr("Page Up and Page Down change the page · B black · Ctrl and + − size")
        state = self.tr("private parts are covered") if locked else self.tr("nothing is covered")
        self._words.set_text(f"{state} · {keys}")
        self.lock.setText(self.tr("Show private parts") if locked else self.tr("Cover them again"))
        self.lock.setVisible(covers or not locked)


class PresentedPage(QObject):
    """Shows the page of a window alone, full screen, and the window as it was afterwards.

    Private parts are covered from the first moment, and so is every other window. What the
    presenter unlocks is one page or one window; it stays so until the presentation ends. Cells have
    no tooltips while they are locked: those list answers.

    Args:
        window: The window.
        around: What is hidden meanwhile, beside the menu bar.
        foot: Shown meanwhile.
        page: The page that is shown.
        private: The private parts of that page.
        settings: Where the size of text is remembered.

    Attributes:
        black: The black screen.
        windows: The covers of other windows.
        foot: Keys and lock, below the page.
        ended: Emitted when the window is as it was.
    """

    ended = Signal()

    def __init__(
        self,
        window: QMainWindow,
        around: Sequence[QWidget],
        foot: PresentationFoot,
        page: Callable[[], QWidget | None],
        private: Callable[[], list[QWidget]],
        settings: Settings,
    ) -> None:
        super().__init__(window)
        self._window, self._around, self.foot = window, tuple(around), foot
        self._page, self._private, self._settings = page, private, settings
        self._is_on = False
        self._unlocked: set[QWidget] = set()
        self._covers: list[PrivateCover] = []
        self.windows = WindowCovers(window, lambda: self.is_locked)
        self.windows.changed.connect(self._show_state)
        self._was_hidden: dict[QWidget, bool] = {}
        self._state = window.windowState()
        self._focus: QWidget | None = None
        self._percent = 100
        self.black = BlackScreen(window)
        self.black.lit.connect(self._lighten)
        self._pointer: PointerSpot | None = None
        foot.lock.clicked.connect(lambda: self.set_locked(not self.is_locked))
        foot.leave.clicked.connect(self.end)

    @property
    def is_on(self) -> bool:
        """Whether a page is presented."""
        return self._is_on

    @property
    def is_locked(self) -> bool:
        """Whether private parts of the page that is shown are covered."""
        return self._is_on and self._page() not in self._unlocked

    def covers(self) -> list[PrivateCover]:
        """The covers of parts of the page, and of windows."""
        return [*self._covers, *self.windows.covers()]

    def hides(self, widget: QWidget) -> bool:
        """Whether a widget lies under a cover."""
        return any(cover.hides(widget) for cover in self.covers())

    def begin(self) -> None:
        """Presents the page that is shown."""
        if self._is_on:
            return
        self._is_on = True
        window = self._window
        self._state, self._focus = window.windowState(), window.focusWidget()
        self._percent = ThemeSwitch.instance().text_percent
        # Before anything is drawn larger.
        self._unlocked.clear()
        self.windows.start()
        self.follow()
        parts = (*self._around, window.menuBar())
        self._was_hidden = {part: part.isHidden() for part in parts}
        for part in parts:
            part.hide()
        self.foot.show()
        self._pointer = PointerSpot(window)
        if (application := QApplication.instance()) is not None:
            application.installEventFilter(self)
        ThemeSwitch.instance().set_text_percent(self._settings.presented_percent())
        window.setWindowState(self._state | Qt.WindowState.WindowFullScreen)

    def end(self) -> None:
        """Shows the window as it was."""
        if not self._is_on:
            return
        if (application := QApplication.instance()) is not None:
            application.removeEventFilter(self)
        self.black.lighten()
        if self._pointer is not None:
            self._pointer.stop()
            self._pointer.deleteLater()
            self._pointer = None
        self.foot.hide()
        for part, was_hidden in self._was_hidden.items():
            part.setVisible(not was_hidden)
        ThemeSwitch.instance().set_text_percent(self._percent)
        self._window.setWindowState(self._state)
        self._is_on = False
        self._uncover()
        self.windows.stop()
        self._unlocked.clear()
        if self._focus is not None:
            self._focus.setFocus()
        self._focus = None
        self.ended.emit()

    def lock_all(self) -> None:
        """Covers all private parts again, as for other data: nobody unlocked those."""
        self._unlocked.clear()
        self.windows.lock_all()
        self.follow()

    def darken(self) -> None:
        """Shows nothing until a key is pressed; what is hidden stands still."""
        if self._pointer is not None:
            self._pointer.stop()
        self.black.darken()
        self._show_window(shown=False)

    def _lighten(self) -> None:
        self._show_window(shown=True)
        if self._pointer is not None:
            self._pointer.start()

    def _show_window(self, *, shown: bool) -> None:
        inside = self._window.centralWidget()
        if inside is not None:
            inside.setVisible(shown)

    def set_locked(self, locked: bool) -> None:
        """Covers private parts of the page that is shown, or shows them; other pages stay."""
        page = self._page()
        if page is not None and locked:
            self._unlocked.discard(page)
        elif page is not None:
            self._unlocked.add(page)
        self.follow()

    def follow(self) -> None:
        """Covers the private parts of the page that is shown now, and all open windows."""
        if not self._is_on:
            return
        parts = self._private() if self.is_locked else []
        if [cover.covered for cover in self._covers] != parts:
            self._uncover()
            for part in parts:
                cover = PrivateCover(part)
                cover.unlockAsked.connect(lambda: self.set_locked(False))
                cover.destroyed.connect(partial(self._forget, cover))
                self._covers.append(cover)
        self.windows.cover_open_windows()
        self._show_state()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return event.type() == QEvent.Type.ToolTip and self.is_locked and _is_cell(watched)

    def _show_state(self) -> None:
        self.foot.show_state(locked=self.is_locked, covers=bool(self.covers()))

    def _forget(self, cover: PrivateCover) -> None:
        self._covers = [other for other in self._covers if other is not cover]

    def _uncover(self) -> None:
        covers, self._covers = self._covers, []
        for cover in covers:
            cover.uncover()


def _is_cell(widget: QObject) -> bool:
    """Whether a tooltip over a widget is that of a cell or of a head of a table."""
    inner = widget if isinstance(widget, QAbstractItemView) else widget.parent()
    return isinstance(inner, QAbstractItemView)
