"""The bar of menus, put together for a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QMenu

from dpdesk.gui.about import show_about
from dpdesk.gui.actions import Actions
from dpdesk.gui.help import HelpWindow
from dpdesk.gui.pages.page import Page
from dpdesk.gui.theme import ThemeSwitch

if TYPE_CHECKING:
    from dpdesk.gui.document import Document
    from dpdesk.gui.main_window import MainWindow
    from dpdesk.gui.settings import Settings


class PageMenu(QObject):
    """The menu of the page that is shown; there is none for a page without actions.

    Args:
        menu: A menu of the bar.
        parent: Qt's owner.
    """

    def __init__(self, menu: QMenu, parent: QObject) -> None:
        super().__init__(parent)
        self._menu = menu

    def show_page(self, page: Page) -> None:
        """Lists the actions of a page; those of the page before do not answer to their keys."""
        self._menu.clear()
        actions = page.page_actions()
        self._menu.setTitle(QCoreApplication.translate("Page", page.title))
        self._menu.addActions(actions)
        self._menu.menuAction().setVisible(bool(actions))


def build_menus(
    window: MainWindow, theme: ThemeSwitch, settings: Settings, document: Document
) -> PageMenu:
    """Fills the bar of menus of a window.

    Returns:
        The menu of the current page, between View and Help.
    """
    actions = Actions(theme, window)
    bar = window.menuBar()
    actions.fill_file_menu(bar.addMenu(actions.tr("&File")), window.files, settings, window.close)
    actions.fill_edit_menu(bar.addMenu(actions.tr("&Edit")), document)
    view = bar.addMenu(actions.tr("&View"))
    view.addActions(window.rail.places())
    view.addSeparator()
    actions.add(view, actions.tr("&Next pane"), "F6", window.next_pane)
    before = actions.tr("Pane &before")
    actions.add(view, before, "Shift+F6", lambda: window.next_pane(-1))
    plot = actions.tr("Numbers of the &plot")
    actions.add(view, plot, "Ctrl+T", lambda: _show_plot_table(window), "table-large")
    view.addSeparator()
    themes = view.addMenu(actions.tr("&Theme"))
    actions.fill_theme_menu(themes, settings)
    page_menu = PageMenu(bar.addMenu(""), window)
    help_menu = bar.addMenu(actions.tr("&Help"))
    pages = HelpWindow(window)
    shown = actions.tr("&Help")
    actions.add(help_menu, shown, "F1", lambda: pages.show_page("help"), "help-circle")
    limits = actions.tr("Known &limits")
    actions.add(help_menu, limits, "Shift+F1", lambda: pages.show_page("limits"))
    about = actions.tr("&About dpdesk")
    actions.add(help_menu, about, "Ctrl+F1", lambda: show_about(window), "information")
    return page_menu


def _show_plot_table(window: MainWindow) -> None:
    """Shows the numbers of the first plot that can be seen on the page."""
    from dpdesk.gui.widgets.plot_canvas import PlotCanvas

    page = window.current_page()
    plots = page.findChildren(PlotCanvas) if page is not None else []
    for plot in plots:
        if plot.isVisible():
            plot.show_table()
            return
