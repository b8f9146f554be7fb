"""The destination of a release: its folder, its name and its files."""

from __future__ import annotations

import datetime
import re
import unicodedata
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDir, QSettings, QStandardPaths, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from dpdesk.data.regular_file import is_folder
from dpdesk.gui.icons import IconBond
from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip
from dpdesk.gui.widgets.severity_mark import MarkedLine

_LONGEST = 60
_LONGEST_BYTES = 180
# File systems allow 255; a release first writes beside it under a longer name.
_BYTES = 200
_NO_LETTERS = re.compile(r"[^\w]+")
# Reserved for devices on Windows, where a release must be usable too.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))}
_FORBIDDEN = frozenset('<>:"/\\|?*')
_PARENT = "release/parent"


def suggested_name(survey: str, day: datetime.date) -> str:
    """Returns a name such as "fruit-survey-2026-11-21".

    Args:
        survey: Title of the survey or name of its file; never a cell of the data.
        day: Day of the release.
    """
    stem = re.sub(r"\.(csv|tsv|txt)$", "", survey.strip(), flags=re.IGNORECASE)
    plain = unicodedata.normalize("NFC", stem).casefold()
    words = _NO_LETTERS.sub("-", plain).strip("-_")[:_LONGEST]
    words = words.encode()[:_LONGEST_BYTES].decode(errors="ignore").strip("-_")
    return f"{words or 'release'}-{day.isoformat()}"


def free_name(parent: Path, name: str) -> str:
    """Returns the name, or the name with the first number that is not taken."""
    number, candidate = 1, name
    while is_taken(parent / candidate):
        number += 1
        candidate = f"{name}-{number}"
    return candidate


def is_taken(folder: Path) -> bool:
    """Whether a path is taken; an empty folder does not count."""
    try:
        if folder.is_symlink() or not folder.is_dir():
            return folder.is_symlink() or folder.exists()
        return any(folder.iterdir())
    except OSError:
        return True


def is_possible(name: str) -> bool:
    """Whether a text is a valid name of a folder on every system."""
    return (
        bool(name.strip())
        and name == name.strip()
        and len(name.encode(errors="replace")) <= _BYTES
        and not name.startswith(".")
        and not name.endswith(".")
        and name.casefold().partition(".")[0] not in _DEVICES
        and not any(letter in _FORBIDDEN or ord(letter) < 32 for letter in name)
    )


class DestinationCard(Card):
    """The parent folder, the name of the release in it, and the list of its files.

    Args:
        files: Names and purposes of the files that will be written.
        parent: Qt's owner.

    Attributes:
        changed: Emitted when the folder changed, or became possible or impossible.
    """

    changed = Signal()

    def __init__(
        self, *, files: tuple[tuple[str, str], ...], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(self.tr("What will be written"))
        self._store = QSettings("dpdesk", "dpdesk")
        self._survey = ""
        self._typed = False
        self._parent = self._remembered_parent()
        self._place = ElidedLabel(str(self._parent), parent=self)
        self.choose = QPushButton(self.tr("Choose…"), self)
        self.choose.setAccessibleName(self.tr("Choose the folder that the release is put in"))
        IconBond(self.choose, "folder-open", "muted")
        self.choose.clicked.connect(self.choose_parent)
        self.name = QLineEdit(self)
        limit_length(self.name, 200)
        self.name.setAccessibleName(self.tr("Name of the release's folder"))
        self.name.textEdited.connect(self._note_typing)
        self.name.textChanged.connect(self._show_problem)
        self.problem = MarkedLine("error", tone="danger", parent=self)
        self.body.addWidget(PlainLabel(self.tr("What will be written"), "heading", parent=self))
        self.body.addLayout(self._fields())
        self.body.addWidget(self.problem)
        self.body.addSpacing(2)
        self.body.addLayout(self._files(files))
        self._show_problem()

    def folder(self) -> Path:
        """The folder of the release."""
        return self._parent / self.name.text()

    def is_possible(self) -> bool:
        """Whether a release can be written there, as far as known."""
        return not self.problem.sentence()

    def set_survey(self, survey: str) -> None:
        """Suggests a name for a survey, unless the user typed one."""
        if survey != self._survey:
            self._survey = survey
            if not self._typed:
                self.suggest()

    def suggest(self) -> None:
        """Suggests a name that is not taken."""
        today = datetime.datetime.now(datetime.UTC).date()
        self.name.setText(free_name(self._parent, suggested_name(self._survey, today)))
        self._typed = False
        self._show_problem()

    def suggest_next(self) -> None:
        """Suggests, after a release, the same name with the next free number."""
        if self._typed:
            self.name.setText(free_name(self._parent, self.name.text()))
        else:
            self.suggest()

    def choose_parent(self) -> None:
        """Asks for the parent folder of the release."""
        title = self.tr("Folder that the release is put in")
        chosen = QFileDialog.getExistingDirectory(self, title, str(self._parent))
        if chosen:
            self.set_parent_folder(Path(chosen))

    def set_parent_folder(self, folder: Path) -> None:
        """Sets the parent folder of releases."""
        self._parent = folder
        self._store.setValue(_PARENT, str(folder))
        self._place.set_text(QDir.toNativeSeparators(str(folder)))
        if self._typed:
            self._show_problem()
        else:
            self.suggest()

    def _fields(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        place, name = PlainLabel(self.tr("In"), parent=self), QLabel(self.tr("&Name"), self)
        name.setBuddy(self.name)
        row = lay_row((self._place, 1), self.choose, spacing=8)
        grid.addWidget(place, 0, 0)
        grid.addLayout(row, 0, 1)
        grid.addWidget(name, 1, 0)
        grid.addWidget(self.name, 1, 1)
        grid.setColumnStretch(1, 1)
        return grid

    def _files(self, files: tuple[tuple[str, str], ...]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(2)
        for row, (name, line) in enumerate(files):
            grid.addWidget(PlainLabel(name, parent=self), row, 0)
            grid.addWidget(
                ElidedLabel(QCoreApplication.translate("ReleaseKind", line), "muted", parent=self),
                row,
                1,
            )
        grid.setColumnStretch(1, 1)
        return grid

    def _note_typing(self) -> None:
        self._typed = bool(self.name.text())

    def _show_problem(self) -> None:
        name = self.name.text()
        sentence = ""
        if not is_possible(name):
            sentence = self.tr(
                "This is no name for a folder. Use letters, digits, spaces, - and _, "
                "without a point at either end."
            )
        elif is_taken(self._parent / name):
            sentence = self.tr(
                "Something stands there already, and a release never overwrites. "
                "Choose another name."
            )
        self.problem.show_sentence(sentence)
        self.name.setProperty("wrong", bool(sentence))
        self.name.setAccessibleDescription(sentence)
        self.name.style().unpolish(self.name)
        self.name.style().polish(self.name)
        self.name.setToolTip(plain_tooltip(str(self.folder())))
        self.changed.emit()

    def _remembered_parent(self) -> Path:
        stored = str(self._store.value(_PARENT, ""))
        if stored and is_folder(stored):
            return Path(stored)
        documents = QStandardPaths.StandardLocation.DocumentsLocation
        return Path(QStandardPaths.writableLocation(documents) or Path.home())
