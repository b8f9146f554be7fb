"""A page of the window on the whole screen, with everything private covered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMainWindow, QPushButton, QWidget

from dpdesk.gui.stage.black_screen import BlackScreen
from dpdesk.gui.stage.pointer import PointerSpot
from dpdesk.gui.stage.private_cover import PrivateCover
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.plain_text import ElidedLabel

if TYPE_CHECKING:
    from dpdesk.gui.settings import Settings

_OWN = "dpdesk."


class PresentationFoot(QWidget):
    """The keys of a presentation, and the lock of what is private."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Presentation"))
        self._words = ElidedLabel("", "muted", between=" · ", parent=self)
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

    Private parts are covered from the first moment, and so is each window that opens meanwhile,
    unless its class says `shows_nothing_private`. What the presenter unlocks is one page or one
    window; it stays so until the presentation ends. Cells have no tooltips while they are locked:
    those list answers.

    Args:
        window: The window.
        around: What is hidden meanwhile, beside the menu bar.
        foot: Shown meanwhile.
        page: The page that is shown.
        private: The private parts of that page.
        settings: Where the size of text is remembered.

    Attributes:
        black: The black screen.
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
        """The covers."""
        return list(self._covers)

    def hides(self, widget: QWidget) -> bool:
        """Whether a widget lies under a cover."""
        return any(cover.hides(widget) for cover in self._covers)

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
        self._uncover()
        self._unlocked.clear()
        self._is_on = False
        if self._focus is not None:
            self._focus.setFocus()
        self._focus = None
        self.ended.emit()

    def lock_all(self) -> None:
        """Covers all private parts again, as for other data: nobody unlocked those."""
        self._unlocked.clear()
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
        """Covers the private parts of the page that is shown now."""
        if not self._is_on:
            return
        covered = [cover.covered for cover in self._covers]
        opened = [part for part in covered if part.isWindow()]
        parts = self._private() if self.is_locked else []
        if covered != [*parts, *opened]:
            self._uncover()
            for part in (*parts, *opened):
                self._cover(part)
        self.foot.show_state(locked=self.is_locked, covers=bool(self._covers))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Covers a window that opens while private parts are covered; withholds tooltips."""
        if event.type() == QEvent.Type.ToolTip:
            return self.is_locked and _is_cell(watched)
        if (
            event.type() == QEvent.Type.Show
            and self.is_locked
            and isinstance(watched, QWidget)
            and watched.isWindow()
            and watched is not self._window
            and type(watched).__module__.startswith(_OWN)
            and not getattr(watched, "shows_nothing_private", False)
            and watched not in self._unlocked
            and not any(cover.covered is watched for cover in self._covers)
        ):
            self._cover(watched)
        return False

    def _cover(self, part: QWidget) -> None:
        cover = PrivateCover(part)
        cover.unlockAsked.connect(lambda: self._unlock(part))
        cover.destroyed.connect(lambda: self._forget(cover))
        self._covers.append(cover)

    def _unlock(self, part: QWidget) -> None:
        """Shows the page that a part belongs to, or the window that it is."""
        if not part.isWindow():
            self.set_locked(False)
            return
        self._unlocked.add(part)
        for cover in self._covers:
            if cover.covered is part:
                cover.uncover()
                self._forget(cover)

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
