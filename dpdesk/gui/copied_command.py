"""What the window does as a script: Copy as command, Copy as Python."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from dpdesk.errors import DpdeskError, PlanError
from dpdesk.gui.actions import new_action
from dpdesk.gui.messages import show_error
from dpdesk.gui.status_line import StatusLine
from dpdesk.plan.budget import DEFAULT_BUDGET
from dpdesk.resources import resource

if TYPE_CHECKING:
    from dpdesk.gui.document import Document
    from dpdesk.preview.command_words import CommandWords, Value


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


def plan_command(document: Document) -> CommandWords | None:
    """Returns the command that checks the plan, or drafts one where nobody decided on it.

    A file that was read as somebody said is read so again.

    Raises:
        PlanError: Somebody decided on the plan, and it was not saved as it is shown.
    """
    from dpdesk.preview.command_words import CommandWords

    table, data, plan = document.table, data_file(document), document.plan
    if document.has_decisions:
        files = (plan_file(document), *([] if data is None else [data]))
        return CommandWords("check", files) if plan.columns else None
    if table is None or data is None:
        return None
    is_declared = not table.is_reading_found or plan.reading_confirmed
    if is_declared and table.reading.layout:
        # The positions of its columns are in the plan alone.
        return CommandWords("check", (plan_file(document), data))
    options: dict[str, Value] = {"out": f"{Path(data).stem}-plan.json"}
    if (budget := document.defaults.budget) != DEFAULT_BUDGET:
        options["epsilon"] = str(budget)
    reading = shlex.split(table.reading.options) if is_declared else []
    return CommandWords("draft", (data, *reading), options)


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
        command = partial(self._copy, lambda words: words.as_command())
        python = partial(self._copy, lambda words: words.as_python())
        text = self.tr("Copy as co&mmand")
        self.as_command = new_action(self, text, "Ctrl+Alt+C", command, on=menu)
        text = self.tr("Copy as &Python")
        self.as_python = new_action(self, text, "Ctrl+Alt+Y", python, on=menu)
        menu.aboutToShow.connect(self._offer)
        # While the menu is closed the shortcuts ask the page themselves.
        menu.aboutToHide.connect(lambda: self._enable(True))

    def _copy(self, told: Callable[[CommandWords], str]) -> None:
        try:
            words = self._of_page()
            text = "" if words is None else told(words)
        except DpdeskError as error:
            show_error(self._window, self.tr("This cannot be copied"), error)
            return
        status = self._window.findChild(StatusLine)
        if text:
            QGuiApplication.clipboard().setText(text)
        elif status is not None:
            status.tell(self.tr("Nothing was copied: no command does what this page shows now."))

    def _offer(self) -> None:
        try:
            self._enable(self._of_page() is not None)
        except DpdeskError:
            # Choosing it says what is in the way.
            self._enable(True)

    def _enable(self, is_possible: bool) -> None:
        self.as_command.setEnabled(is_possible)
        self.as_python.setEnabled(is_possible)
