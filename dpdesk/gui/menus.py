"""The menus of a window that every page shares, and the menu of the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from dpdesk.gui.actions import new_action
from dpdesk.gui.icons import IconBond
from dpdesk.gui.theme import ThemeChoice, ThemeSwitch
from dpdesk.gui.widgets.plain_text import literal

if TYPE_CHECKING:
    from dpdesk.gui.document import Document
    from dpdesk.gui.file_commands import FileCommands
    from dpdesk.gui.pages.page import Page
    from dpdesk.gui.settings import Settings


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
