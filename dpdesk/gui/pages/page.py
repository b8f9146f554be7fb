"""What the window asks of a page, and what a page may ask of the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from dpdesk.gui.actions import new_action

if TYPE_CHECKING:
    from dpdesk.gui.document import Document
    from dpdesk.preview.command_words import CommandWords

# Written out, because dpdesk.plan would be imported before the first paint.
_LEDGER = "ledger"
_FORMATS = "formats"
_DETAILS = "details."
_FIELDS_OF_FILE = frozenset(
    {"", "columns", "reading", "reading_confirmed", "names_confirmed", "allowed_unfit"}
    | {"statistics.unit"}
)
_FIELDS_OF_DATA = frozenset({"name", "label", "kind", "domain", "confirmed", "missing", "other"})


class Page(QWidget):
    """A place of the rail. A page holds no decisions: it shows the document and edits it.

    Subclasses set the three class attributes and keep this constructor. The window gives the
    page its margins; the page begins with its `PageHeader`.

    Args:
        document: What is shown and edited.

    Attributes:
        key: Short name of the place, such as "plan"; `goTo` uses it.
        title: The word in the rail, marked with `N_`.
        icon_name: Name of its icon.
        goTo: Emit with the key of a page and a path in the plan (or "") to go there.
        actionsChanged: Emit when `page_actions` lists other actions, or `shows_plan` says else.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    icon_name: ClassVar[str]

    goTo = Signal(str, str)
    actionsChanged = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document

    def show_path(self, path: str) -> None:
        """Shows and focuses what a path such as "columns.age.domain" names; "" names the page."""
        if not path:
            self.setFocus()

    def show_release(self, folder: Path) -> None:
        """Shows the release in a folder, on the page that can."""

    def shows_plan(self) -> bool:
        """Whether it shows the plan, so that the foot tells what is wrong with the plan."""
        return True

    def panes(self) -> list[QWidget]:
        """The widgets that F6 goes to, in reading order."""
        return [self]

    def page_actions(self) -> list[QAction]:
        """Actions that the window lists in a menu of the page's title while it is shown."""
        return []

    def command(self) -> CommandWords | None:
        """The command that does what the page does; None where there is none.

        Raises:
            PlanError: The command would read a file that does not say what the window shows.
        """
        return None

    def present(self) -> bool:
        """Plays what the page has for a stage; False where the page itself is presented."""
        return False

    def private_parts(self) -> list[QWidget]:
        """What is covered while the page is presented; all of it, unless the page knows better."""
        return [self] if self.document.table is not None else []

    def cancel(self) -> bool:
        """Cancels what runs on the page, at Esc; returns whether there was something."""
        return False

    def unfinished_work(self) -> str:
        """What closing the window would stop and cannot be had again, as a sentence; else ""."""
        return ""

    def shut_down(self) -> None:
        """Cancels and joins what runs on the page, when the window closes."""

    def _marked_private(self) -> list[QWidget]:
        """The parts whose class says that they show what must stay private (`is_private`).

        All of the page, while a domain was read off the data and nobody confirmed that it is
        public: types, errors and numbers of answers follow from it.
        """
        table, columns = self.document.table, self.document.plan.columns
        if table is not None and any(
            column.provenance == "suggested" and not column.confirmed for column in columns
        ):
            return [self]
        parts = self.findChildren(QWidget)
        return [part for part in parts if getattr(part, "is_private", False)]

    def _action(
        self, text: str, shortcut: str, run: Callable[[], object], icon_name: str = ""
    ) -> QAction:
        """Makes an action of the page, which has its shortcut while the page is shown."""
        return new_action(self, text, shortcut, run, icon_name, on=self)


def place_of_path(path: str) -> str:
    """The key of the page on which one mends what a path of a plan names."""
    if path in (_LEDGER, _FORMATS) or path.startswith(_DETAILS):
        return "release"
    if not path.startswith("columns."):
        return "data" if path in _FIELDS_OF_FILE else "plan"
    return "data" if path.rpartition(".")[2] in _FIELDS_OF_DATA else "plan"
