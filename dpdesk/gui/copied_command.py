"""What the window does as a script: Copy as command, Copy as Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from dpdesk.errors import DpdeskError, PlanError
from dpdesk.gui.actions import new_action
from dpdesk.gui.messages import show_error
from dpdesk.resources import resource

if TYPE_CHECKING:
    from dpdesk.gui.document import Document
    from dpdesk.preview.command_words import CommandWords


def data_file(document: Document) -> str | None:
    """Returns the file of the data, that of the bundled sample too; None without data."""
    if document.table is None:
        return None
    path = document.table_path
    return str(resource("samples/affairs/affairs.csv") if path is None else path)


def plan_file(document: Document) -> str:
    """Returns the file of the plan.

    Raises:
        PlanError: It was not saved as it is shown.
    """
    path = document.plan_path
    if path is None or document.is_dirty:
        raise PlanError(
            "The plan is not saved as it is shown here, and a command reads its file.",
            remedy="Save the plan, then copy again.",
        )
    return str(path)


class CopiedCommand(QObject):
    """Two actions that copy what the current page does.

    Args:
        menu: The menu that lists them.
        of_page: Returns what the current page does, or None; may raise.
        window: Qt's owner, which shows what is in the way.
    """

    def __init__(
        self, menu: QMenu, of_page: Callable[[], CommandWords | None], window: QWidget
    ) -> None:
        super().__init__(window)
        self._window, self._of_page = window, of_page
        self.as_command = new_action(
            self,
            self.tr("Copy as co&mmand"),
            "Ctrl+Alt+C",
            lambda: self._copy(lambda words: words.as_command()),
            on=menu,
        )
        self.as_python = new_action(
            self,
            self.tr("Copy as &Python"),
            "Ctrl+Alt+Y",
            lambda: self._copy(lambda words: words.as_python()),
            on=menu,
        )
        menu.aboutToShow.connect(self._offer)
        # While the menu is closed the shortcuts ask the page themselves.
        menu.aboutToHide.connect(lambda: self._enable(True))

    def _copy(self, told: Callable[[CommandWords], str]) -> None:
        try:
            words = self._of_page()
        except DpdeskError as error:
            show_error(self._window, self.tr("This cannot be copied"), error)
            return
        if words is not None:
            QGuiApplication.clipboard().setText(told(words))

    def _offer(self) -> None:
        try:
            self._enable(self._of_page() is not None)
        except DpdeskError:
            # Choosing it says what is in the way.
            self._enable(True)

    def _enable(self, is_possible: bool) -> None:
        self.as_command.setEnabled(is_possible)
        self.as_python.setEnabled(is_possible)
