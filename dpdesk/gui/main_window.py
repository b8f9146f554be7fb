"""The window: the rail, the current page and the status line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QWhatsThis, QWidget

from dpdesk.gui.messages import ask_stop
from dpdesk.gui.pages.page import place_of_path
from dpdesk.gui.rail import PLACES, Place, Rail
from dpdesk.gui.reading_order import focus_neighbour, tab_stops
from dpdesk.gui.settings import Settings
from dpdesk.gui.stage.presented_page import PresentationFoot, PresentedPage
from dpdesk.gui.status_line import StatusLine
from dpdesk.gui.tour import Tour
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.plain_text import literal
from dpdesk.gui.widgets.throttle import Rest

if TYPE_CHECKING:
    from dpdesk.gui.document import Document
    from dpdesk.gui.menus import PageMenu
    from dpdesk.gui.pages.page import Page
    from dpdesk.gui.settings_dialog import SettingsDialog
    from dpdesk.preview.command_words import CommandWords
    from dpdesk.releases.kind import ReleaseKind


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
            purpose = QCoreApplication.translate("Place", place.purpose)
            self.rail.add_place(place.key, title, place.icon_name, purpose)
        self.rail.currentChanged.connect(self._show_page)
        self._stack = QStackedWidget()
        self._right = lay_column((self._stack, 1), spacing=6, margins=(18, 6, 18, 5))
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
        from dpdesk.queries.noise.measurement import import_ahead
        from dpdesk.releases.kinds import kind_named

        self._document = document
        document.settings = self._settings
        self.files = FileCommands(document, self._settings, self)
        self.status = StatusLine(document, self)
        self.status.problemActivated.connect(lambda path: self.go_to(place_of_path(path), path))
        self._right.addWidget(self.status)
        foot = PresentationFoot(parent=self)
        self._right.addWidget(foot)
        self.presented = PresentedPage(
            self,
            (self.rail, self.status),
            foot,
            self.current_page,
            self._private_parts,
            self._settings,
        )
        self.tour = Tour(self, self.pages, self.go_to, self._settings)
        self.page_menu = self._build_menus(document)
        document.planChanged.connect(self._show_title)
        document.planChanged.connect(lambda *_: self.presented.follow())
        document.tableChanged.connect(self.presented.lock_all)
        importing = Rest(lambda: Thread(target=import_ahead, daemon=True).start(), self)
        document.tableChanged.connect(importing.start)
        document.dirtyChanged.connect(self._show_title)
        document.pathChanged.connect(self._show_title)
        document.releaseAsked.connect(self._show_release)
        document.planReady.connect(lambda: self.go_to("plan"))
        document.set_release_kind(kind_named(self._settings.release_kind()))
        document.releaseKindChanged.connect(self._take_release_kind)
        self._show_title()
        for place in self._places:
            page = place.page_type()(document)
            # Said of whatever on the page says nothing of its own.
            page.setWhatsThis(QCoreApplication.translate("Place", place.purpose))
            page.goTo.connect(self.go_to)
            page.actionsChanged.connect(lambda: self._show_page(self.rail.current()))
            self.pages[place.key] = page
            self._stack.addWidget(page)
            self._show_page(self.rail.current())
            yield

    def show_settings(self) -> SettingsDialog:
        """Shows the settings over the window."""
        from dpdesk.gui.settings_dialog import SettingsDialog

        def busy() -> str:
            return " ".join(filter(None, (page.unfinished_work() for page in self.pages.values())))

        assert self._document is not None  # noqa: S101 - the menu comes with the document
        dialog = SettingsDialog(self._settings, self._document, busy, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        return dialog

    def go_to(self, key: str, path: str = "") -> None:
        """Shows a page and, on it, the place of a path in the plan."""
        if key in self.pages:
            self.rail.set_current(key)
            self.pages[key].show_path(path)

    def open(self, path: Path) -> None:
        """Opens a plan, data, or the folder of a release."""
        self.files.open(path)

    def current_page(self) -> Page | None:
        """The page that is shown; None until the pages are built."""
        return self.pages.get(self.rail.current())

    def present(self) -> None:
        """Puts what the page has for a stage on it, else the page itself on the whole screen."""
        page = self.current_page()
        if page is not None and not page.present():
            self.presented.begin()

    def take_tour(self) -> None:
        """Shows a few real controls one after the other, then the page of before."""
        self.tour.begin(came_from=self.rail.current())

    def offer_tour(self) -> None:
        """Takes the tour at the first start of the program, and never again by itself."""
        if not self._settings.was_toured():
            self.take_tour()

    def next_pane(self, step: int = 1) -> None:
        """Moves the focus to the next pane, or with -1 to the one before."""
        page = self.current_page()
        panes = page.panes() if page is not None else []
        cycle_panes([self.rail, *panes, self.status], step)

    def tab_stops(self) -> list[QWidget]:
        """What Tab stops at, in reading order: the rail, the page, and the line below."""
        page = self.current_page()
        found = tab_stops([self.rail, *([] if page is None else [page]), self._foot()])
        return [stop for stop in found if not self.presented.hides(stop)]

    def focusNextPrevChild(self, next: bool) -> bool:
        return focus_neighbour(self, self.tab_stops(), next=next) or super().focusNextPrevChild(
            next
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.cancel():
            return
        if self._document is None or not self.presented.is_on:
            super().keyPressEvent(event)
            return
        key = Qt.Key(event.key())
        step = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -1}.get(key, 0)
        step = -1 if key == Qt.Key.Key_Left else step
        if key == Qt.Key.Key_Escape:
            self.presented.end()
        elif key in (Qt.Key.Key_B, Qt.Key.Key_Period):
            self.presented.darken()
        elif step:
            self.rail.step(step)
        else:
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
        if self._document is not None and self.files.dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = self.files.dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.open(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._document is not None:
            if not (self._confirm_stopping() and self.files.confirm_leaving()):
                event.ignore()
                return
            for page in self.pages.values():
                page.shut_down()
            self._document.shut_down()
        if self._document is not None:
            self.presented.end()
        self._settings.set_geometry(self.saveGeometry())
        event.accept()

    def _build_menus(self, document: Document) -> PageMenu:
        """Fills the menu bar; returns the menu of the page, between View and Help."""
        from dpdesk.gui.about import show_about
        from dpdesk.gui.copied_command import CopiedCommand
        from dpdesk.gui.help import HelpWindow
        from dpdesk.gui.menus import Actions, PageMenu

        actions, bar, settings = Actions(self), self.menuBar(), self._settings
        actions.fill_file_menu(bar.addMenu(self.tr("&File")), self.files, settings, self.close)
        edit = bar.addMenu(self.tr("&Edit"))
        actions.fill_edit_menu(edit, document)
        edit.addSeparator()
        CopiedCommand(edit, self._command, self)
        edit.addSeparator()
        actions.add(edit, self.tr("Se&ttings…"), "Ctrl+,", self.show_settings, "cog")
        view = bar.addMenu(self.tr("&View"))
        view.addActions(self.rail.places())
        view.addSeparator()
        actions.add(view, self.tr("&Next pane"), "F6", self.next_pane)
        actions.add(view, self.tr("Pane &before"), "Shift+F6", lambda: self.next_pane(-1))
        plot = self.tr("Numbers of the &plot")
        actions.add(view, plot, "Ctrl+T", self._show_plot_table, "table-large")
        view.addSeparator()
        actions.fill_theme_menu(view.addMenu(self.tr("&Theme")), settings)
        sizes = view.addMenu(self.tr("Te&xt size"))
        actions.fill_text_menu(sizes, self._keep_percent)
        view.addSeparator()
        present = actions.add(view, self.tr("P&resent"), "F5", self.present, "play")
        # The menu bar is hidden while a page is presented, and with it what only menus have.
        self.addActions([*self.rail.places(), *sizes.actions(), present])
        page_menu = PageMenu(bar.addMenu(""), self)
        help_menu, pages = bar.addMenu(self.tr("&Help")), HelpWindow(self)
        for text, keys, run, icon in (
            (self.tr("&Help"), "F1", lambda: pages.show_page("help"), "help-circle"),
            (self.tr("&What is this?"), "Shift+F1", QWhatsThis.enterWhatsThisMode, "help-circle"),
            (self.tr("Take the &tour"), "Shift+F3", self.take_tour, ""),
            (self.tr("Known &limits"), "Shift+F2", lambda: pages.show_page("limits"), ""),
            (self.tr("&About dpdesk"), "Ctrl+F1", lambda: show_about(self), "information"),
        ):
            actions.add(help_menu, text, keys, run, icon)
        return page_menu

    def _keep_percent(self, percent: int) -> None:
        """Remembers the size of text: that of presentations while a page is presented."""
        if self.presented.is_on:
            self._settings.set_presented_percent(percent)
        else:
            self._settings.set_text_percent(percent)

    def _command(self) -> CommandWords | None:
        """Returns what the current page does, as a command."""
        page = self.current_page()
        return None if page is None else page.command()

    def _show_plot_table(self) -> None:
        """Shows the numbers of the first visible plot of the page."""
        from dpdesk.gui.widgets.plot_canvas import PlotCanvas

        page = self.current_page()
        plots = [] if page is None else page.findChildren(PlotCanvas)
        plot = next((plot for plot in plots if plot.isVisible()), None)
        if plot is not None:
            plot.show_table()

    def _confirm_stopping(self) -> bool:
        works = [work for page in self.pages.values() if (work := page.unfinished_work())]
        return not works or self.ask_stop(self, " ".join(works))

    def _show_page(self, key: str) -> None:
        page = self.pages.get(key)
        if page is not None:
            self._stack.setCurrentWidget(page)
            self.page_menu.show_page(page)
            self.status.set_plan_shown(page.shows_plan())
            self.presented.follow()

    def _private_parts(self) -> list[QWidget]:
        page = self.current_page()
        return [] if page is None else page.private_parts()

    def _foot(self) -> QWidget:
        """What is shown below the page."""
        return self.status if self.presented.foot.isHidden() else self.presented.foot

    def _show_release(self, folder: Path | None) -> None:
        """Shows tables and models of a release, which the user is asked for where it is None."""
        chosen = folder or self.files.asked_release()
        page = self.pages.get("release")
        if chosen is None or page is None:
            return
        self.files.note(chosen)
        self.go_to(page.key)
        page.show_release(chosen)

    def _take_release_kind(self, kind: ReleaseKind[Any, Any]) -> None:
        self._settings.set_release_kind(kind.name)
        self._show_page(self.rail.current())

    def _show_title(self) -> None:
        if self._document is not None:
            name = literal(self.files.plan_name())
            self.setWindowTitle(self.tr("{name}[*] – dpdesk").format(name=name))
            self.setWindowModified(self._document.is_dirty)
