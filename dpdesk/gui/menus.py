"""Builds the menu bar of a window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from dpdesk.gui.about import show_about
from dpdesk.gui.actions import new_action
from dpdesk.gui.copied_command import CopiedCommand
from dpdesk.gui.help import HelpWindow
from dpdesk.gui.icons import IconBond
from dpdesk.gui.theme import ThemeChoice, ThemeSwitch
from dpdesk.gui.what_is_this import ask_what_it_is
from dpdesk.gui.widgets.plain_text import literal

if TYPE_CHECKING:
    from dpdesk.gui.document import Document
    from dpdesk.gui.file_commands import FileCommands
    from dpdesk.gui.main_window import MainWindow
    from dpdesk.gui.pages.page import Page
    from dpdesk.gui.settings import Settings
    from dpdesk.gui.settings_dialog import SettingsDialog
    from dpdesk.preview.command_words import CommandWords


Keys = QKeySequence.StandardKey | str


class Actions(QObject):
    """Makes actions and adds them to menus."""

    def add(
        self, menu: QMenu, text: str, keys: Keys, run: Callable[[], object], icon: str = ""
    ) -> QAction:
        """Adds a new action to a menu; see `new_action`."""
        return new_action(self, text, keys, run, icon, on=menu)

    def fill_file_menu(
        self, menu: QMenu, files: FileCommands, settings: Settings, leave: Callable[[], object]
    ) -> None:
        """New, open, recent, save, quit."""
        keys = QKeySequence.StandardKey
        self.add(menu, self.tr("&New plan"), keys.New, files.new, "file-document")
        self.add(menu, self.tr("&Open data…"), keys.Open, files.choose_table, "table")
        open_folder = self.tr("Open a &folder of parts…")
        self.add(menu, open_folder, "Ctrl+Alt+F", files.choose_folder, "folder-open")
        open_plan = self.tr("Open &plan…")
        self.add(menu, open_plan, "Ctrl+Shift+O", files.choose_plan, "folder-open")
        open_release = self.tr("Open a re&lease…")
        self.add(menu, open_release, "Ctrl+Alt+R", files.choose_release, "table-large")
        recent = menu.addMenu(self.tr("Open &recent"))
        self._fill_recent(recent, files, settings)
        files.recentChanged.connect(lambda: self._fill_recent(recent, files, settings))
        self.add(menu, self.tr("Open the s&ample"), "Ctrl+Alt+O", files.open_sample)
        menu.addSeparator()
        self.add(menu, self.tr("&Save plan"), keys.Save, files.save, "content-save")
        self.add(menu, self.tr("Save plan &as…"), "Ctrl+Shift+S", files.save_as)
        menu.addSeparator()
        self.add(menu, self.tr("&Quit"), "Ctrl+Q", leave, "exit-to-app")

    def fill_edit_menu(self, menu: QMenu, document: Document) -> None:
        """Undo and redo, without limit."""
        undo = document.undo_stack.createUndoAction(self, self.tr("&Undo"))
        undo.setShortcut(QKeySequence(QKeySequence.StandardKey.Undo))
        IconBond(undo, "undo", "muted")
        redo = document.undo_stack.createRedoAction(self, self.tr("&Redo"))
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        IconBond(redo, "redo", "muted")
        menu.addActions([undo, redo])

    def fill_text_menu(self, menu: QMenu, keep: Callable[[int], None]) -> None:
        """Larger and smaller text, and the size of the system.

        Args:
            menu: The menu.
            keep: Remembers the size, in per cent.
        """

        def step(by: int) -> None:
            keep(ThemeSwitch.instance().step_text(by))

        def reset() -> None:
            ThemeSwitch.instance().set_text_percent(100)
            keep(100)

        larger = self.add(menu, self.tr("&Larger text"), "Ctrl++", lambda: step(1))
        # On many keyboards the plus sign needs Shift, and the key without it is "=".
        larger.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        self.add(menu, self.tr("&Smaller text"), "Ctrl+-", lambda: step(-1))
        self.add(menu, self.tr("N&ormal text size"), "Ctrl+0", reset)

    def fill_theme_menu(self, menu: QMenu, settings: Settings) -> None:
        """Light, dark, or as the system."""
        group = QActionGroup(self)
        switch = ThemeSwitch.instance()
        choices: tuple[tuple[ThemeChoice, str, str], ...] = (
            ("system", self.tr("As the &system"), "Ctrl+Alt+S"),
            ("light", self.tr("&Light"), "Ctrl+Alt+L"),
            ("dark", self.tr("&Dark"), "Ctrl+Alt+D"),
        )
        for choice, text, shortcut in choices:

            def choose(choice: ThemeChoice = choice) -> None:
                ThemeSwitch.instance().set_choice(choice)
                settings.set_theme(choice)

            action = self.add(menu, text, shortcut, choose)
            action.setCheckable(True)
            action.setChecked(choice == switch.choice)
            # The settings choose a theme as well.
            menu.aboutToShow.connect(
                lambda action=action, choice=choice: action.setChecked(choice == switch.choice)
            )
            group.addAction(action)

    def _fill_recent(self, menu: QMenu, files: FileCommands, settings: Settings) -> None:
        menu.clear()
        paths = settings.recent_files()
        for number, path in enumerate(paths, start=1):
            # An ampersand in a name is not a mnemonic.
            name = literal(str(path)).replace("&", "&&")
            shortcut = f"Ctrl+Alt+{number % 10}"
            self.add(menu, name, shortcut, partial(files.open, path))
        if paths:
            menu.addSeparator()

            def forget() -> None:
                settings.clear_recent()
                files.recentChanged.emit()

            self.add(menu, self.tr("&Forget these files"), "Ctrl+Alt+Backspace", forget)
        menu.setEnabled(bool(paths))


class PageMenu(QObject):
    """The menu of the current page; hidden for a page without actions.

    Args:
        menu: A menu of the bar.
    """

    def __init__(self, menu: QMenu, parent: QObject) -> None:
        super().__init__(parent)
        self._menu = menu

    def show_page(self, page: Page) -> None:
        """Lists the actions of a page; shortcuts of the previous page stop working."""
        self._menu.clear()
        actions = page.page_actions()
        self._menu.setTitle(QCoreApplication.translate("Page", page.title))
        self._menu.addActions(actions)
        self._menu.menuAction().setVisible(bool(actions))


def build_menus(window: MainWindow, settings: Settings, document: Document) -> PageMenu:
    """Fills the menu bar of a window.

    Returns:
        The menu of the current page, between View and Help.
    """
    actions = Actions(window)
    bar = window.menuBar()
    actions.fill_file_menu(bar.addMenu(actions.tr("&File")), window.files, settings, window.close)
    edit = bar.addMenu(actions.tr("&Edit"))
    actions.fill_edit_menu(edit, document)
    edit.addSeparator()
    CopiedCommand(edit, lambda: _command_of(window), window)
    edit.addSeparator()
    shown_settings = actions.tr("Se&ttings…")
    actions.add(
        edit, shown_settings, "Ctrl+,", lambda: show_settings(window, settings, document), "cog"
    )
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
    sizes = view.addMenu(actions.tr("Te&xt size"))
    actions.fill_text_menu(sizes, partial(_keep_percent, window, settings))
    view.addSeparator()
    present = actions.add(view, actions.tr("P&resent"), "F5", window.present, "play")
    # The menu bar is hidden while a page is presented, and with it what only menus have.
    window.addActions([*window.rail.places(), *sizes.actions(), present])
    page_menu = PageMenu(bar.addMenu(""), window)
    help_menu = bar.addMenu(actions.tr("&Help"))
    pages = HelpWindow(window)
    shown = actions.tr("&Help")
    actions.add(help_menu, shown, "F1", lambda: pages.show_page("help"), "help-circle")
    asked = actions.tr("&What is this?")
    actions.add(help_menu, asked, "Shift+F1", ask_what_it_is, "help-circle")
    actions.add(help_menu, actions.tr("Take the &tour"), "Shift+F3", window.take_tour)
    limits = actions.tr("Known &limits")
    actions.add(help_menu, limits, "Shift+F2", lambda: pages.show_page("limits"))
    about = actions.tr("&About dpdesk")
    actions.add(help_menu, about, "Ctrl+F1", lambda: show_about(window), "information")
    return page_menu


def _keep_percent(window: MainWindow, settings: Settings, percent: int) -> None:
    """Remembers the size of text: that of presentations while a page is presented."""
    if window.presented.is_on:
        settings.set_presented_percent(percent)
    else:
        settings.set_text_percent(percent)


def _command_of(window: MainWindow) -> CommandWords | None:
    """Returns what the current page does, as a command."""
    page = window.current_page()
    return None if page is None else page.command()


def show_settings(window: MainWindow, settings: Settings, document: Document) -> SettingsDialog:
    """Shows the settings over the window."""
    from dpdesk.gui.settings_dialog import SettingsDialog

    def busy() -> str:
        return " ".join(work for page in window.pages.values() if (work := page.unfinished_work()))

    dialog = SettingsDialog(settings, document, busy, window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog


def _show_plot_table(window: MainWindow) -> None:
    """Shows the numbers of the first visible plot of the page."""
    from dpdesk.gui.widgets.plot_canvas import PlotCanvas

    page = window.current_page()
    plots = page.findChildren(PlotCanvas) if page is not None else []
    for plot in plots:
        if plot.isVisible():
            plot.show_table()
            return
