"""The menus: every action of the window, with its shortcut."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from dpdesk.gui.document import Document
from dpdesk.gui.file_commands import FileCommands
from dpdesk.gui.icons import IconBond
from dpdesk.gui.new_action import new_action
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeChoice, ThemeSwitch


class Actions(QObject):
    """Makes actions and puts them into menus.

    Args:
        theme: The switch that the icons follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def add(
        self,
        menu: QMenu,
        text: str,
        shortcut: QKeySequence.StandardKey | str,
        run: Callable[[], object],
        icon_name: str = "",
    ) -> QAction:
        """Adds an action to a menu.

        Args:
            menu: The menu.
            text: Its words, with "&" before the letter that Alt reaches.
            shortcut: A standard key of the platform, or one such as "Ctrl+Shift+O".
            run: What it does.
            icon_name: Name of its icon, if it has one.
        """
        action = new_action(self, self._theme, text, shortcut, run, icon_name)
        menu.addAction(action)
        return action

    def fill_file_menu(
        self, menu: QMenu, files: FileCommands, settings: Settings, leave: Callable[[], object]
    ) -> None:
        """New, open, recent, save, quit."""
        keys = QKeySequence.StandardKey
        self.add(menu, self.tr("&New plan"), keys.New, files.new, "file-document")
        self.add(menu, self.tr("&Open data…"), keys.Open, files.choose_table, "table")
        open_plan = self.tr("Open &plan…")
        self.add(menu, open_plan, "Ctrl+Shift+O", files.choose_plan, "folder-open")
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
        IconBond(undo, self._theme, "undo", "muted")
        redo = document.undo_stack.createRedoAction(self, self.tr("&Redo"))
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        IconBond(redo, self._theme, "redo", "muted")
        menu.addActions([undo, redo])

    def fill_theme_menu(self, menu: QMenu, settings: Settings) -> None:
        """Light, dark, or as the system."""
        group = QActionGroup(self)
        choices: tuple[tuple[ThemeChoice, str, str], ...] = (
            ("system", self.tr("As the &system"), "Ctrl+Alt+S"),
            ("light", self.tr("&Light"), "Ctrl+Alt+L"),
            ("dark", self.tr("&Dark"), "Ctrl+Alt+D"),
        )
        for choice, text, shortcut in choices:

            def choose(choice: ThemeChoice = choice) -> None:
                self._theme.set_choice(choice)
                settings.set_theme(choice)

            action = self.add(menu, text, shortcut, choose)
            action.setCheckable(True)
            action.setChecked(choice == self._theme.choice)
            group.addAction(action)

    def _fill_recent(self, menu: QMenu, files: FileCommands, settings: Settings) -> None:
        menu.clear()
        paths = settings.recent_files()
        for number, path in enumerate(paths, start=1):
            # An ampersand in a name is no shortcut.
            name = str(path).replace("&", "&&")
            shortcut = f"Ctrl+Alt+{number % 10}"
            self.add(menu, name, shortcut, partial(files.open, path))
        if paths:
            menu.addSeparator()

            def forget() -> None:
                settings.clear_recent()
                files.recentChanged.emit()

            self.add(menu, self.tr("&Forget these files"), "Ctrl+Alt+Backspace", forget)
        menu.setEnabled(bool(paths))
