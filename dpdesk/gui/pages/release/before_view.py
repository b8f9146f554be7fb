"""The view before a release: promise, destination, checks and the details of the report."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QCoreApplication,
    QDir,
    QEvent,
    QObject,
    QSize,
    QStandardPaths,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QFileDialog,
    QFormLayout,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from dpdesk.data.regular_file import is_folder
from dpdesk.gui.document import Document
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.format_choice import FormatChoice
from dpdesk.gui.pages.release.promise_card import PromiseCard
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip
from dpdesk.gui.widgets.problem_list import ProblemCounts, ProblemList
from dpdesk.gui.widgets.severity_mark import MarkedLine
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.plan import Plan, PlanDetails, Problem, grouped
from dpdesk.plan.checks.formats import FORMATS_PATH
from dpdesk.plan.verdicts import Verdict
from dpdesk.releases.destination import (
    folder_beside,
    free_name,
    is_possible,
    is_taken,
    suggested_name,
)
from dpdesk.releases.kind import ReleaseKind


class DestinationCard(Card):
    """The parent folder, the name of the release in it, and the list of its files.

    The folder of the open data is proposed; without one that can be written to, the folder that
    was chosen last. One that is chosen stays as long as the same data are open.

    Args:
        kind: The kind of release, which knows its files.
        document: The document.

    Attributes:
        formats: The choice of further formats; None for a release without records.
        changed: Emitted when the folder changed, or became possible or impossible.
    """

    changed = Signal()

    def __init__(
        self, kind: ReleaseKind[Any, Any], document: Document, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self._kind = kind
        self.setAccessibleName(self.tr("What will be written"))
        self._document = document
        self._settings = document.settings
        self._data = document.table_path
        self._survey = ""
        self._typed = False
        self._parent = self._proposed_parent()
        self._place = ElidedLabel(QDir.toNativeSeparators(str(self._parent)), parent=self)
        self.choose = QPushButton(self.tr("Choose…"), self)
        self.choose.setAccessibleName(self.tr("Choose the folder that the release is put in"))
        self.choose.setWhatsThis(self.tr("A new folder is made in it."))
        IconBond(self.choose, "folder-open", "muted")
        self.choose.clicked.connect(self.choose_parent)
        self.name = QLineEdit(self)
        limit_length(self.name, 200)
        self.name.setAccessibleName(self.tr("Name of the release's folder"))
        self.name.textEdited.connect(self._note_typing)
        self.name.textChanged.connect(self._show_problem)
        self.problem = MarkedLine("error", tone="danger", parent=self)
        self.formats = FormatChoice(document, parent=self) if kind.has_records else None
        self.body.addWidget(PlainLabel(self.tr("What will be written"), "heading", parent=self))
        self.body.addLayout(self._fields())
        self.body.addWidget(self.problem)
        self.body.addSpacing(2)
        self.body.addLayout(self._files())
        self._show_problem()
        document.tableChanged.connect(self._follow_data)

    def folder(self) -> Path:
        """The folder of the release."""
        return self._parent / self.name.text()

    def is_possible(self) -> bool:
        """Whether a release can be written there, as far as known."""
        return not self.problem.sentence()

    def look_again(self) -> None:
        """Finds out what stands there now: a folder may have gone since it was chosen."""
        self._show_problem()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            self.look_again()
        return super().event(event)

    def set_survey(self, survey: str) -> None:
        """Suggests a name for a survey, unless the user typed one."""
        if survey != self._survey:
            self._survey = survey
            if not self._typed:
                self.suggest()

    def suggest(self) -> None:
        """Suggests a name that is not taken."""
        today = datetime.datetime.now(datetime.UTC).date()
        self.name.setText(
            free_name(self._parent, suggested_name(self._survey, today, self._kind.name))
        )
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
        self._settings.set_release_parent(folder)
        self._show_parent(folder)

    def _follow_data(self) -> None:
        """Proposes a folder for other data."""
        if self._document.table_path != self._data:
            self._data = self._document.table_path
            self._show_parent(self._proposed_parent())

    def _show_parent(self, folder: Path) -> None:
        self._parent = folder
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
        if self.formats is not None:
            grid.addWidget(PlainLabel(self.tr("Also as"), parent=self), 2, 0)
            grid.addWidget(self.formats, 2, 1)
        grid.setColumnStretch(1, 1)
        return grid

    def _files(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(2)
        for row, (name, line) in enumerate(self._kind.files):
            grid.addWidget(PlainLabel(name, parent=self), row, 0)
            grid.addWidget(
                PlainLabel(
                    QCoreApplication.translate("ReleaseKind", line), "muted", wrap=True, parent=self
                ),
                row,
                1,
            )
        grid.setColumnStretch(1, 1)
        return grid

    def _note_typing(self) -> None:
        self._typed = bool(self.name.text())

    def _show_problem(self) -> None:
        name, gone, wrong = self.name.text(), "", ""
        if not is_folder(self._parent):
            words = self.tr("There is no folder {name}. Make it, or choose another one.")
            gone = words.format(name=self._parent.name)
        if not is_possible(name):
            wrong = self.tr(
                "This is not a name for a folder. Use letters, digits, spaces, - and _, "
                "without a point at either end."
            )
        elif is_taken(self._parent / name):
            wrong = self.tr(
                "Something stands there already, and a release never overwrites. "
                "Choose another name."
            )
        self.problem.show_sentence(wrong or gone)
        self.choose.setAccessibleDescription(gone)
        self.name.setProperty("wrong", bool(wrong))
        self.name.setAccessibleDescription(wrong)
        self.name.style().unpolish(self.name)
        self.name.style().polish(self.name)
        self.name.setToolTip(plain_tooltip(str(self.folder())))
        self.changed.emit()

    def _proposed_parent(self) -> Path:
        if (beside := folder_beside(self._data)) is not None:
            return beside
        if (stored := self._settings.release_parent()) is not None:
            return stored
        documents = QStandardPaths.StandardLocation.DocumentsLocation
        place = QStandardPaths.writableLocation(documents)
        return Path(place) if place and is_folder(place) else Path.home()


_SHORT = 1000
_LONG = 20_000


class ChecklistCard(Card):
    """The problems with their remedies, errors first, and whether they block the release.

    Attributes:
        problemActivated: Emitted with the path of the problem that was chosen.
    """

    problemActivated = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(self.tr("Checks"))
        self.verdict = MarkedLine("success", tone="strong", parent=self)
        self.problems = ProblemList(parent=self)
        self.problems.activated.connect(self.problemActivated)
        self.body.addWidget(PlainLabel(self.tr("Checks"), "heading", parent=self))
        self.body.addWidget(self.verdict)
        self.body.addWidget(self.problems)

    def show_problems(self, problems: Sequence[Problem], worth: Verdict | None) -> None:
        """Shows problems.

        Args:
            problems: The problems of the plan, on the data, and of the ledger.
            worth: What the release as a whole will be worth.
        """
        problems = grouped(problems)
        counts = ProblemCounts.of(problems)
        self.problems.set_problems(problems)
        self.problems.setVisible(bool(problems))
        if counts.blocking:
            self.verdict.show_sentence(counts.words, "error")
        elif worth == "useless":
            said = self.tr("Nothing blocks the release, but it would be too noisy")
            self.verdict.show_sentence(said, "warning")
        elif counts.to_know:
            said = self.tr("Ready to release, with {things}").format(things=counts.words)
            self.verdict.show_sentence(said, "warning")
        else:
            said = self.tr("Ready to release, and useful")
            self.verdict.show_sentence(said if worth else self.tr("Ready to release"), "success")


class DetailsCard(Card):
    """One field per detail; typing in a field is one step of undo until it loses the focus.

    Args:
        document: The document.
    """

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(self.tr("Report details"))
        self._document = document
        self._showing = False
        self.lines: dict[str, QLineEdit] = {}
        self.texts: dict[str, QPlainTextEdit] = {}
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(7)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._add_line(form, "title", self.tr("&Title"), "")
        self._add_line(form, "curator", self.tr("C&urator"), self.tr("who holds the answers"))
        use = self.tr("what the release is meant for")
        self._add_text(form, "intended_use", self.tr("&Intended use"), use, 50)
        self._add_line(form, "region", self.tr("Re&gion"), self.tr("country or place"))
        self._add_line(form, "sector", self.tr("&Sector"), self.tr("health, education, …"))
        confirmed = self.tr("who confirmed domains as public")
        self._add_line(form, "confirmed_by", self.tr("&Confirmed by"), confirmed)
        why = self.tr("why this epsilon; which others were tried; whether tuning saw the data")
        self._add_text(form, "justification", self.tr("&Justification"), why, 120)
        self.body.addWidget(PlainLabel(self.tr("Report details"), "heading", parent=self))
        self.body.addLayout(form, 1)
        self._following = WhenShown(self, lambda: self._show(document.plan))
        document.planChanged.connect(self._following.request)
        self._show(document.plan)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self._document.end_gesture()
        return super().eventFilter(watched, event)

    def focus_field(self, field: str) -> None:
        """Sets the focus on the field of a detail."""
        target = self.lines.get(field) or self.texts.get(field)
        if target is not None:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _add_line(self, form: QFormLayout, field: str, label: str, hint: str) -> None:
        line = QLineEdit(self)
        limit_length(line, _SHORT)
        line.setPlaceholderText(hint)
        line.setWhatsThis(hint or self.tr("It stands at the head of the privacy report."))
        line.setAccessibleName(label.replace("&", ""))
        line.textEdited.connect(partial(self._edit, field))
        line.editingFinished.connect(self._document.end_gesture)
        self.lines[field] = line
        form.addRow(label, line)

    def _add_text(self, form: QFormLayout, field: str, label: str, hint: str, height: int) -> None:
        text = _Paragraph(height, self)
        # Tab moves to the next field; nobody indents a justification.
        text.setTabChangesFocus(True)
        text.setPlaceholderText(hint)
        text.setWhatsThis(hint)
        text.setAccessibleName(label.replace("&", ""))
        # Only the document has steps of undo: a field's own would conflict with them.
        text.setUndoRedoEnabled(False)
        text.textChanged.connect(lambda: self._take_text(field))
        text.installEventFilter(self)
        self.texts[field] = text
        form.addRow(label, text)

    def _take_text(self, field: str) -> None:
        if not self._showing:
            self._edit(field, self.texts[field].toPlainText()[:_LONG])

    def _edit(self, field: str, value: str) -> None:
        plan = self._document.plan
        fields = {key: getattr(plan.details, key) for key in PlanDetails.model_fields}
        changed = plan.with_fields(details=PlanDetails(**(fields | {field: value})))
        text = self.tr("Change the report details")
        self._document.edit(text, changed, merge_key=f"details:{field}")

    def _show(self, plan: Plan) -> None:
        self._showing = True
        for field, line in self.lines.items():
            value = getattr(plan.details, field)
            if line.text() != value:
                line.setText(value)
                line.setCursorPosition(0 if not line.hasFocus() else len(value))
        for field, text in self.texts.items():
            value = getattr(plan.details, field)
            if text.toPlainText() != value:
                text.setPlainText(value)
        self._showing = False


class _Paragraph(QPlainTextEdit):
    """A field of several lines with a height of its own."""

    def __init__(self, height: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._height = height
        policy = QSizePolicy.Policy
        self.setSizePolicy(policy.Expanding, policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self._height)


class BeforeView(QWidget):
    """Four cards in two columns, created in reading order, which is the order of Tab.

    Args:
        promise: The card of the promise.
        kind: The kind of release, which knows its files.
        document: The document.

    Attributes:
        promise: The card of the promise.
        destination: The card of the folder.
        checks: The card of the problems.
        details: The card of the report's details.
    """

    def __init__(
        self,
        promise: PromiseCard,
        kind: ReleaseKind[Any, Any],
        document: Document,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.promise = promise
        promise.setParent(self)
        self.destination = DestinationCard(kind, document, parent=self)
        self.checks = ChecklistCard(parent=self)
        self.details = DetailsCard(document, parent=self)
        left = lay_column(promise, self.destination, STRETCH, spacing=12)
        right = lay_column(self.checks, self.details, STRETCH, spacing=12)
        inside = QWidget(self)
        lay_row((left, 6), (right, 5), spacing=12, on=inside)
        # A low window scrolls instead of cutting a card; nothing in the cards scrolls once more.
        area = QScrollArea(self)
        area.setObjectName("problemList")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        # A widget inside that gets the focus scrolls into view; the area itself needs no focus.
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        lay_column(area, on=self)

    def focus_field(self, field: str) -> None:
        """Sets the focus on the formats, by their place in a plan, or on a detail of the report."""
        if field == FORMATS_PATH and self.destination.formats is not None:
            self.destination.formats.focus_first_chosen()
        else:
            self.details.focus_field(field)

    def show_problems(self, problems: Sequence[Problem], worth: Verdict | None) -> None:
        """Lists problems."""
        self.checks.show_problems(problems, worth)
