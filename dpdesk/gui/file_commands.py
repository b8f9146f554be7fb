"""The commands for files: new, open, save, recent files, drop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QMimeData, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from dpdesk.data.table_format import TABLE_FORMATS
from dpdesk.errors import DpdeskError
from dpdesk.gui.document import Document
from dpdesk.gui.messages import Answer, ask_unsaved, show_error
from dpdesk.gui.open_table import opened_as
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.settings import Settings

_PLAN_ENDING = ".json"


def endings_of_data() -> str:
    """Returns what the names of data files end with, for a dialog: "*.csv *.tsv"."""
    return " ".join(f"*{ending}" for kind in TABLE_FORMATS for ending in kind.endings)


def kinds_of_data() -> str:
    """Returns all formats of data files together, each of them, and all files, for a dialog."""
    translate = QCoreApplication.translate
    together = f"{translate('FileCommands', 'All data')} ({endings_of_data()})"
    listed = [
        f"{translate('TableFormat', kind.title)} ({' '.join(f'*{e}' for e in kind.endings)})"
        for kind in TABLE_FORMATS
    ]
    return ";;".join((together, *listed, translate("FileCommands", "All files (*)")))


class FileCommands(QObject):
    """The commands of the File menu.

    Args:
        document: The document that they change.
        settings: Store of the recent files.
        window: Parent of the dialogs.
        ask: Asks whether to save unsaved changes.

    Attributes:
        recentChanged: Emitted when the list of recent files changed.
    """

    recentChanged = Signal()

    def __init__(
        self,
        document: Document,
        settings: Settings,
        window: QWidget,
        ask: Callable[[QWidget, str], Answer] = ask_unsaved,
    ) -> None:
        super().__init__(window)
        self._document = document
        self._settings = settings
        self._window = window
        self._ask = ask
        document.defaults = settings.plan_defaults()
        document.confirm_leaving = self.confirm_leaving
        document.tableChanged.connect(self._note_table)

    def plan_name(self) -> str:
        """The plan's name in a title or a question."""
        path = self._document.plan_path
        if path is not None:
            return path.name
        table = self._document.table
        return table.name if table is not None else self.tr("Untitled")

    def confirm_leaving(self) -> bool:
        """Whether the plan may be closed: it is saved, or the user discards it."""
        if not self._document.is_dirty:
            return True
        answer = self._ask(self._window, self.plan_name())
        return self.save() if answer == "save" else answer == "discard"

    def new(self) -> None:
        """Starts over."""
        if self.confirm_leaving():
            self._document.new()

    def choose_table(self) -> None:
        """Asks for a data file and opens it."""
        path = self._ask_open(self.tr("Open data"), kinds_of_data())
        if path is not None:
            self._document.open_table(path)

    def choose_folder(self) -> None:
        """Asks for a folder and opens it: the parts of a table, or a release."""
        path = self._asked_folder(self.tr("Open a folder of parts"))
        if path is not None:
            self.open(path)

    def choose_plan(self) -> None:
        """Asks for a plan and opens it."""
        path = self._ask_open(self.tr("Open plan"), self.tr("Plans (*.json);;All files (*)"))
        if path is not None:
            self.open(path)

    def choose_release(self) -> None:
        """Asks for the folder of a release and shows it."""
        self._document.releaseAsked.emit(None)

    def asked_release(self) -> Path | None:
        """Asks for the folder of a release; None if the user cancelled."""
        return self._asked_folder(self.tr("Open the folder of a release"))

    def _asked_folder(self, title: str) -> Path | None:
        chosen = QFileDialog.getExistingDirectory(self._window, title, str(self._folder()))
        return Path(chosen) if chosen else None

    def open(self, path: Path) -> None:
        """Opens a plan, data, which may be a folder of parts, or another folder as a release."""
        what = opened_as(path)
        if what == "release":
            self._document.releaseAsked.emit(path)
        elif what == "data":
            self._document.open_table(path)
        elif self.confirm_leaving():
            self._try(self.tr("The plan cannot be opened"), lambda: self._document.open_plan(path))
            if self._document.plan_path == path:
                self.note(path)

    def open_sample(self) -> None:
        """Opens the bundled sample."""
        if self.confirm_leaving():
            self._document.open_sample()

    def save(self) -> bool:
        """Saves the plan; asks for a file if it has none. Returns whether it was saved."""
        path = self._document.plan_path
        return self.save_as() if path is None else self._save_to(path)

    def save_as(self) -> bool:
        """Asks for a file and saves the plan there. Returns whether it was saved."""
        stem = Path(self.plan_name()).stem
        title, kinds = self.tr("Save plan"), self.tr("Plans (*.json)")
        name, endings = f"{stem}-plan{_PLAN_ENDING}", (_PLAN_ENDING,)
        path = asked_path(self._window, title, name, kinds, endings, self._folder())
        return path is not None and self._save_to(path)

    @staticmethod
    def dropped_file(data: QMimeData) -> Path | None:
        """The one local file of a drop, or None if it is anything else."""
        urls = data.urls()
        if len(urls) != 1 or not urls[0].isLocalFile():
            return None
        return Path(urls[0].toLocalFile())

    def _save_to(self, path: Path) -> bool:
        title = self.tr("The plan cannot be saved")
        saved = self._try(title, lambda: self._document.save_plan(path))
        if saved:
            self.note(path)
        return saved

    def _try(self, title: str, command: Callable[[], None]) -> bool:
        try:
            command()
        except DpdeskError as error:
            show_error(self._window, title, error)
            return False
        return True

    def _ask_open(self, title: str, kinds: str) -> Path | None:
        chosen, _ = QFileDialog.getOpenFileName(self._window, title, str(self._folder()), kinds)
        return Path(chosen) if chosen else None

    def _folder(self) -> Path:
        """The first folder of dialogs: that of the file that was used last."""
        known = (self._document.plan_path, self._document.table_path)
        latest = [path for path in known if path is not None] or self._settings.recent_files()
        return latest[0].parent if latest else Path.home()

    def note(self, path: Path) -> None:
        """Puts a file or folder first among the recent ones."""
        self._settings.add_recent(path)
        self.recentChanged.emit()

    def _note_table(self) -> None:
        if self._document.table_path is not None:
            self.note(self._document.table_path)
