"""The window: the rail, the current page and the status line.

The rail is drawn from `PLACES` before any page is imported: a page imports the whole core and the
plots, and the first paint must not wait for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from dpdesk.gui.icons import IconBond
from dpdesk.gui.messages import ask_stop
from dpdesk.gui.pages.page import place_of_path
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.i18n import N_

if TYPE_CHECKING:
    from dpdesk.engine.jobs import Progress
    from dpdesk.gui.document import Document
    from dpdesk.gui.pages.page import Page
    from dpdesk.release.kind import ReleaseKind

_WIDTH, _BUTTON_HEIGHT = 84, 56


class Rail(QWidget):
    """Places as an icon above a word; Ctrl+1 to Ctrl+9 and the arrow keys move between them.

    Args:
        parent: Qt's owner.

    Attributes:
        currentChanged: Emitted with the key of the place that was chosen.
    """

    currentChanged = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions: dict[str, QAction] = {}
        self._buttons: list[QToolButton] = []
        self._group = QActionGroup(self)
        self._group.triggered.connect(lambda action: self.currentChanged.emit(action.data()))
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        ScaledWidth(self, _WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Places"))
        self._column = lay_column(STRETCH, spacing=4, margins=(7, 12, 8, 12), on=self)

    def add_place(self, key: str, title: str, icon_name: str) -> QAction:
        """Adds a place below the others.

        Returns:
            The action that goes there, for the menu; it has the shortcut.
        """
        number = len(self._actions) + 1
        action = QAction(title, self)
        action.setCheckable(True)
        action.setData(key)
        action.setShortcut(QKeySequence(f"Ctrl+{number}"))
        action.setToolTip(self.tr("{title} (Ctrl+{number})").format(title=title, number=number))
        IconBond(action, icon_name, "muted")
        self._group.addAction(action)
        self._actions[key] = action
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setIconSize(QSize(20, 20))
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setFixedHeight(_BUTTON_HEIGHT)
        button.setAccessibleName(title)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._buttons.append(button)
        self._column.insertWidget(number - 1, button)
        if number == 1:
            action.setChecked(True)
        return action

    def places(self) -> list[QAction]:
        """The actions of the places, from top to bottom."""
        return list(self._actions.values())

    def current(self) -> str:
        """The key of the chosen place; empty while there is none."""
        checked = self._group.checkedAction()
        return next((key for key, place in self._actions.items() if place is checked), "")

    def set_current(self, key: str) -> None:
        """Chooses a place.

        Raises:
            KeyError: There is no place of that key.
        """
        action = self._actions[key]
        if not action.isChecked():
            action.trigger()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves to the place above or below, to the first or to the last."""
        places = self.places()
        here = next((i for i, place in enumerate(places) if place.isChecked()), 0)
        steps = {
            Qt.Key.Key_Up: here - 1,
            Qt.Key.Key_Down: here + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(places) - 1,
        }
        target = steps.get(Qt.Key(event.key()))
        if target is None or not places:
            super().keyPressEvent(event)
            return
        target = min(max(target, 0), len(places) - 1)
        places[target].trigger()
        self._buttons[target].setFocus(Qt.FocusReason.TabFocusReason)


@dataclass(frozen=True)
class Place:
    """One place of the rail.

    Attributes:
        key: Short name, equal to the page's.
        title: The word in the rail, equal to the page's.
        icon_name: Name of its icon, equal to the page's.
        page_type: Imports the page's class.
    """

    key: str
    title: str
    icon_name: str
    page_type: Callable[[], type[Page]]


def _data_page() -> type[Page]:
    from dpdesk.gui.pages.data import DataPage

    return DataPage


def _plan_page() -> type[Page]:
    from dpdesk.gui.pages.plan import PlanPage

    return PlanPage


def _simulate_page() -> type[Page]:
    from dpdesk.gui.pages.simulate import SimulatePage

    return SimulatePage


def _release_page() -> type[Page]:
    from dpdesk.gui.pages.release import ReleasePage

    return ReleasePage


def _risk_page() -> type[Page]:
    from dpdesk.gui.pages.risk import RiskPage

    return RiskPage


PLACES = (
    Place("data", N_("Data"), "table", _data_page),
    Place("plan", N_("Plan"), "tune-variant", _plan_page),
    Place("simulate", N_("Simulate"), "dice-multiple", _simulate_page),
    Place("release", N_("Release"), "export-variant", _release_page),
    Place("risk", N_("Risk"), "shield-search", _risk_page),
)


class StatusLine(QWidget):
    """The worst problem with a link on the left, the state of saving on the right.

    While data are read, the left side shows the progress, with Cancel.

    Args:
        document: The document.
        parent: Qt's owner.

    Attributes:
        problemActivated: Emitted with the path of the problem that is shown.
    """

    problemActivated = Signal(str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._path = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Status"))
        self._mark = SeverityMark(size=16, parent=self)
        self._message = ElidedLabel("", "muted", parent=self)
        self._message.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._link = QPushButton(self)
        self._link.setProperty("look", "link")
        self._link.setCursor(Qt.CursorShape.PointingHandCursor)
        self._link.clicked.connect(self._follow_link)
        self._saved = PlainLabel("", "muted", parent=self)
        lay_row(
            self._mark, (self._message, 100), self._link, STRETCH, self._saved, spacing=6, on=self
        )
        document.problemsChanged.connect(self._show_problem)
        document.tableChanged.connect(self._show_problem)
        document.planChanged.connect(self._show_saved)
        document.dirtyChanged.connect(self._show_saved)
        document.pathChanged.connect(self._show_saved)
        document.releaseChanged.connect(self._show_saved)
        document.loading.started.connect(self._show_loading)
        document.loading.progressed.connect(self._show_progress)
        document.loading.ended.connect(self._show_problem)
        self._show_problem()
        self._show_saved()

    def message(self) -> str:
        """The sentence on the left."""
        return self._message.full_text()

    def link_button(self) -> QWidget:
        """The link, the one part of the line that takes the focus."""
        return self._link

    def saved_text(self) -> str:
        """The text on the right."""
        return self._saved.text()

    def _show_problem(self) -> None:
        from dpdesk.plan import grouped  # the first paint of the frame does not wait for it

        if self._document.loading.is_running:
            return
        problems = grouped(self._document.problems)
        empty = self._document.table is None and not self._document.plan.columns
        if empty or not problems:
            ready = self.tr("Open a data file, or drop one on the window.")
            fine = self.tr("The plan has no problems.")
            if self._document.worth == "useful":
                fine = self.tr("The plan has no problems, and everything in it will be useful.")
            self._show("info" if empty else "success", ready if empty else fine, "", path="")
            return
        worst = problems[0]
        several = self.tr("Show 1 of {count}").format(count=f"{len(problems):,}")
        link = several if len(problems) > 1 else self.tr("Show")
        self._show(worst.severity, worst.message, link, path=worst.path)
        self._link.setToolTip(self.tr("Go to the cause of this problem"))

    def _show_loading(self, title: str) -> None:
        self._show("info", f"{title} …", self.tr("Cancel"), path="")
        self._link.setToolTip(self.tr("Cancel reading (Esc)"))

    def _show_progress(self, progress: Progress) -> None:
        share = self.tr("{title}: {percent} %").format(
            title=self._document.loading.title, percent=round(100 * progress.done)
        )
        self._message.set_text(share)

    def _show(self, severity: str, message: str, link: str, *, path: str) -> None:
        self._path = path
        self._mark.set_severity(severity)
        self._message.set_text(message)
        self._link.setText(link)
        self._link.setVisible(bool(link))
        self._link.setAccessibleName(f"{link}: {message}")

    def _follow_link(self) -> None:
        if self._document.loading.is_running:
            self._document.loading.cancel()
        else:
            self.problemActivated.emit(self._path)

    def _show_saved(self) -> None:
        if self._document.is_dirty:
            saved = self.tr("Unsaved changes")
        elif self._document.plan_path is not None:
            saved = self.tr("Plan saved")
        else:
            saved = self.tr("Plan not saved yet") if self._document.plan.columns else ""
        folder = self._document.last_release
        name = self.tr("none") if folder is None else folder.name
        release = self.tr("last release: {name}").format(name=name)
        self._saved.setText(" · ".join(part for part in (saved, release) if part))


def cycle_panes(panes: Sequence[QWidget], step: int = 1) -> None:
    """Moves the focus to the next pane that can take it.

    Args:
        panes: The panes in reading order.
        step: 1 for the next, -1 for the one before.
    """
    focused = QApplication.focusWidget()
    here = next((i for i, pane in enumerate(panes) if _holds(pane, focused)), -1 if step > 0 else 0)
    for distance in range(1, len(panes) + 1):
        target = first_stop(panes[(here + step * distance) % len(panes)])
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
            return


def first_stop(pane: QWidget) -> QWidget | None:
    """The first widget of a pane that takes the focus by Tab; a checked button has priority."""
    stops = [
        widget
        for widget in (pane, *pane.findChildren(QWidget))
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isEnabled()
        and widget.isVisible()
    ]
    checked = (stop for stop in stops if stop.property("checked") is True)
    return next(checked, stops[0] if stops else None)


def _holds(pane: QWidget, widget: QWidget | None) -> bool:
    return widget is not None and (pane is widget or pane.isAncestorOf(widget))


class MainWindow(QMainWindow):
    """The frame of the pages; `furnish` fills it after it has been painted.

    Args:
        settings: The settings of the window.
        places: The places of the rail.
    """

    def __init__(self, settings: Settings, places: Sequence[Place] = PLACES) -> None:
        super().__init__()
        self._settings = settings
        self._places = tuple(places)
        self._document: Document | None = None
        self.ask_stop = ask_stop
        self.pages: dict[str, Page] = {}
        self.setWindowTitle("dpdesk")
        self.setAcceptDrops(True)
        self.setMinimumSize(880, 560)
        self.resize(1360, 850)
        self.rail = Rail()
        for place in self._places:
            title = QCoreApplication.translate("Page", place.title)
            self.rail.add_place(place.key, title, place.icon_name)
        self.rail.currentChanged.connect(self._show_page)
        self._stack = QStackedWidget()
        self._right = lay_column((self._stack, 1), spacing=8, margins=(18, 10, 18, 8))
        centre = QWidget()
        lay_row(self.rail, (self._right, 1), spacing=0, on=centre)
        self.setCentralWidget(centre)
        if (geometry := settings.geometry()) is not None:
            self.restoreGeometry(geometry)

    def furnish(self, document: Document) -> None:
        """Builds menus, pages and the status line for a document; called once."""
        for _ in self.furnishing(document):
            pass

    def furnishing(self, document: Document) -> Iterator[None]:
        """Builds them step by step, so that the window can be painted in between."""
        from dpdesk.gui.file_commands import FileCommands
        from dpdesk.gui.menus import build_menus
        from dpdesk.release.kinds import kind_named

        self._document = document
        self.files = FileCommands(document, self._settings, self)
        self.status = StatusLine(document, self)
        self.status.problemActivated.connect(lambda path: self.go_to(place_of_path(path), path))
        self._right.addWidget(self.status)
        self.page_menu = build_menus(self, self._settings, document)
        document.planChanged.connect(self._show_title)
        document.dirtyChanged.connect(self._show_title)
        document.pathChanged.connect(self._show_title)
        document.planReady.connect(lambda: self.go_to("plan"))
        document.set_release_kind(kind_named(self._settings.release_kind()))
        document.releaseKindChanged.connect(self._take_release_kind)
        self._show_title()
        for place in self._places:
            page = place.page_type()(document)
            page.goTo.connect(self.go_to)
            self.pages[place.key] = page
            self._stack.addWidget(page)
            self._show_page(self.rail.current())
            yield
        document.problemsChanged.connect(self._put_foot_last, Qt.ConnectionType.QueuedConnection)
        self._put_foot_last()

    def go_to(self, key: str, path: str = "") -> None:
        """Shows a page and, on it, the place of a path in the plan."""
        if key in self.pages:
            self.rail.set_current(key)
            self.pages[key].show_path(path)

    def open(self, path: Path) -> None:
        """Opens a plan or data."""
        self.files.open(path)

    def current_page(self) -> Page | None:
        """The page that is shown; None until the pages are built."""
        return self.pages.get(self.rail.current())

    def next_pane(self, step: int = 1) -> None:
        """Moves the focus to the next pane, or with -1 to the one before."""
        page = self.current_page()
        panes = page.panes() if page is not None else []
        cycle_panes([self.rail, *panes, self.status], step)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc cancels the running job."""
        if event.key() == Qt.Key.Key_Escape and self.cancel():
            return
        super().keyPressEvent(event)

    def cancel(self) -> bool:
        """Cancels the job of the page, else reading; returns whether there was one."""
        page = self.current_page()
        if page is not None and page.cancel():
            return True
        if self._document is None or not self._document.loading.is_running:
            return False
        self._document.loading.cancel()
        return True

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accepts one local file."""
        if self._document is not None and self.files.dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Opens the file."""
        path = self.files.dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.open(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks about running jobs and unsaved changes, then ends the jobs."""
        if self._document is not None:
            if not (self._confirm_stopping() and self.files.confirm_leaving()):
                event.ignore()
                return
            for page in self.pages.values():
                page.shut_down()
            self._document.shut_down()
        self._settings.set_geometry(self.saveGeometry())
        event.accept()

    def _confirm_stopping(self) -> bool:
        works = [work for page in self.pages.values() if (work := page.unfinished_work())]
        return not works or self.ask_stop(self, " ".join(works))

    def _show_page(self, key: str) -> None:
        page = self.pages.get(key)
        if page is not None:
            self._stack.setCurrentWidget(page)
            self.page_menu.show_page(page)
            QTimer.singleShot(0, self, self._put_foot_last)

    def _put_foot_last(self, *_: object) -> None:
        """Has Tab go from the rail over the page to the line below, which was made before it."""
        # The chain is a ring that begins with the window; Qt follows only what takes the focus.
        last, foot = self.previousInFocusChain(), self.status.link_button()
        while last not in (None, self) and last.focusPolicy() == Qt.FocusPolicy.NoFocus:
            last = last.previousInFocusChain()
        if last is not None and last not in (foot, self):
            QWidget.setTabOrder(last, foot)

    def _take_release_kind(self, kind: ReleaseKind[Any, Any]) -> None:
        self._settings.set_release_kind(kind.name)
        self._show_page(self.rail.current())

    def _show_title(self) -> None:
        if self._document is not None:
            self.setWindowTitle(self.tr("{name}[*] – dpdesk").format(name=self.files.plan_name()))
            self.setWindowModified(self._document.is_dirty)
