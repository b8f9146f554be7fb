"""Synthetic rows on the Plan page: what they cost, and which columns they have."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedWidget, QWidget

from dpdesk.errors import ParameterError
from dpdesk.gui.actions import new_action
from dpdesk.gui.document import Document
from dpdesk.gui.help import HelpButton
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.kind_page import KindPane
from dpdesk.gui.pages.plan.edits import Edits
from dpdesk.gui.pages.synthesis_form import SynthesisForm, SyntheticTablesModel, TablesTabs
from dpdesk.gui.release_kind_switch import ReleaseKindSwitch
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.plan import Plan
from dpdesk.plan.impossible import declare_impossible
from dpdesk.plan.synthesis import Impossible
from dpdesk.plan.synthetic_columns import says_who_was_asked
from dpdesk.releases.records import RECORDS
from dpdesk.releases.synthetic import SYNTHETIC

_ROWS_SHOWN, _ROW = 3, 30


class ImpossibleModel(RowModel[tuple[str, Impossible | None]]):
    """One row per combination; those that follow from who was asked have nothing to take out."""

    def text(self, row: tuple[str, Impossible | None], column: int) -> str:
        return row[0]

    def show_plan(self, plan: Plan) -> None:
        """Shows what a plan declares, then what follows from who was asked."""
        asked = self.tr("{name}: an answer of somebody who was not asked (only where {condition})")
        rows: list[tuple[str, Impossible | None]] = [
            (one.description, one) for one in plan.synthesis.impossible
        ]
        rows += [
            (asked.format(name=column.name, condition=column.missing.asked.condition()), None)
            for column in plan.synthetic
            if column.missing.asked is not None and says_who_was_asked(plan, column)
        ]
        if tuple(rows) != self.rows:
            self.show_rows(rows)

    def _make_heads(self) -> tuple[Head, ...]:
        return (Head(self.tr("No synthetic row has")),)


class ImpossibleField(QWidget):
    """A line to type a combination in, over the list of those that are declared.

    Args:
        document: What is edited.

    Attributes:
        line: Where a combination is typed.
        table: The combinations.
        take_out: Takes the selected one out.
    """

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.line = CommitLine(self.tr("A combination of answers that cannot be"), parent=self)
        self.line.setWhatsThis(self.tr("Rows that hold it are not made up."))
        self.line.setPlaceholderText(
            self.tr("such as: age is at most 14 and status is married; Enter adds it")
        )
        label = QLabel(self.tr("Ca&nnot be"), self)
        label.setBuddy(self.line)
        self._model = ImpossibleModel(self)
        self.table = PlainTable(
            self._model, self.tr("Combinations that no synthetic row has"), parent=self
        )
        self.take_out = QPushButton(self.tr("Take &out"), self)
        IconBond(self.take_out, "minus", "text")
        self.take_out.clicked.connect(self._take_out)
        refusal = RefusalLabel(parent=self)
        row = lay_row(label, (self.line, 1), self.take_out, spacing=9)
        lay_column(row, refusal, self.table, spacing=5, on=self)
        self.line.refused.connect(refusal.show_sentence)
        self.line.committed.connect(self._add)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._take_out)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self._model.modelReset.connect(self._enable)

    def follow(self) -> None:
        """Shows what the document now says."""
        self._model.show_plan(self._document.plan)
        rows = len(self._model.rows)
        self.table.setVisible(rows > 0)
        self.take_out.setVisible(bool(self._document.plan.synthesis.impossible))
        height = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(height + _ROW * min(rows, _ROWS_SHOWN) + 4)
        self._enable()

    def _enable(self) -> None:
        self.take_out.setEnabled(self._selected() is not None)

    def _selected(self) -> Impossible | None:
        chosen = self.table.selectionModel().selectedRows()
        return self._model.row(chosen[0].row())[1] if chosen else None

    def _add(self, typed: str) -> None:
        if not typed.strip():
            self.line.set_value("")
            return
        try:
            changed = declare_impossible(self._document.plan, typed)
        except ParameterError as error:
            self.line.refuse(str(error))
            return
        self.line.set_value("")
        self._document.edit(self.tr("Declare what cannot be"), changed)

    def _take_out(self) -> None:
        chosen, plan = self._selected(), self._document.plan
        if chosen is None:
            return
        left = tuple(one for one in plan.synthesis.impossible if one != chosen)
        changed = plan.with_fields(synthesis=plan.synthesis.with_fields(impossible=left))
        self._document.edit(self.tr("Take out what cannot be"), changed)


class NoColumns(Card):
    """Says what to do where no column becomes synthetic.

    Args:
        document: What is shown and edited.

    Attributes:
        protect_all: The button that protects every column that nobody decided on.
        records: The button that goes to the columns, to decide one by one.
    """

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._document = document
        edits = Edits(document, self)
        self._heading = PlainLabel("", "strong", wrap=True, parent=self)
        self._text = PlainLabel("", wrap=True, parent=self)
        self.protect_all = QPushButton(self)
        self.protect_all.setProperty("look", "primary")
        self.protect_all.clicked.connect(edits.protect_all)
        self.records = QPushButton(self.tr("&Decide column by column"), self)
        self.records.clicked.connect(lambda: document.set_release_kind(RECORDS))
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        for button in (self.protect_all, self.records):
            buttons.addWidget(button)
        buttons.addStretch(1)
        lines = lay_column(self._heading, self._text, buttons, STRETCH, spacing=12)
        self.body.addLayout(lines)

    def words(self) -> str:
        """What is said."""
        return f"{self._heading.text()} {self._text.text()}"

    def follow(self) -> None:
        """Shows what the plan offers."""
        columns = self._document.plan.columns
        count = sum(c.role == "unassigned" and c.effective_domain is not None for c in columns)
        self._heading.setText(
            self.tr("Nothing is decided for any column yet.")
            if columns
            else self.tr("There are no columns yet.")
        )
        self._text.setText(
            self.tr(
                "Columns that records protect or keep become synthetic; columns that are dropped "
                "are left out. All share one ε, which is chosen here afterwards."
            )
            if columns
            else self.tr("Open a file on Data, or begin a questionnaire there.")
        )
        self.protect_all.setText(self.tr("&Protect all {count} columns").format(count=f"{count:,}"))
        self.protect_all.setVisible(count > 0)
        self.records.setVisible(bool(columns))


class SyntheticPane(KindPane):
    """The loss above the columns; which columns take part is decided with the records.

    Args:
        document: What is shown and edited.

    Attributes:
        releaseAsked: The user wants to go on to the release.
        pathAsked: Emitted with the path of a column that may be changed elsewhere.
    """

    kind = SYNTHETIC

    releaseAsked = Signal()
    pathAsked = Signal(str)

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.header = PageHeader(parent=self)
        self.release = QPushButton(self.tr("&Make rows…"), self)
        self.release.setProperty("look", "primary")
        self.release.setToolTip(self.tr("Go on to Release (Ctrl+Return)"))
        IconBond(self.release, "play", "accent_text")
        self.release.clicked.connect(self.releaseAsked)
        self.header.add_widget(self.release)
        self.switch = ReleaseKindSwitch(document, parent=self)
        words = self.tr(
            "Columns that records protect or keep become synthetic; others are left out."
        )
        told = ElidedLabel(words, "muted", parent=self)
        self.protection = PlainLabel("", "strong", parent=self)
        self._tables = SyntheticTablesModel(self)
        self.form = SynthesisForm(document, self._tables, parent=self)
        self.impossible = ImpossibleField(document, parent=self)
        self.table = PlainTable(self._tables, self.tr("Tables of the synthetic rows"), parent=self)
        self.table.setWhatsThis(self.tr("The pairs of columns whose tables the rows resemble."))
        self.table.activated.connect(
            lambda index: self.pathAsked.emit(self._tables.path_of(index.row()))
        )
        self.tabs = TablesTabs(self._tables, self.table, parent=self)
        card = Card(parent=self)
        for part in (self.protection, self.form, self.impossible, self.tabs):
            card.body.addWidget(part)
        card.body.addWidget(self.table, 1)
        help_button = HelpButton("synthetic-rows", self.tr("What synthetic rows are"), parent=self)
        help_button.setWhatsThis(
            self.tr("Opens the page of the help about rows that are nobody's.")
        )
        switched = lay_row(self.switch, (told, 1), help_button, spacing=14)
        self.nothing = NoColumns(document, parent=self)
        self._stack = QStackedWidget(self)
        self._shown = card
        for page in (card, self.nothing):
            self._stack.addWidget(page)
        lay_column(self.header, switched, (self._stack, 1), spacing=8, on=self)
        text, keys = self.tr("&Make synthetic rows…"), "Ctrl+Return"
        self._actions = [new_action(self, text, keys, self.releaseAsked.emit, "play")]
        self.addAction(self._actions[0])
        self._following = WhenShown(self, self._follow)
        for signal in (
            document.planChanged,
            document.problemsChanged,
            document.tableChanged,
            document.releaseKindChanged,
        ):
            signal.connect(self._following.request)
        self._follow()

    def panes(self) -> list[QWidget]:
        if not self._document.plan.synthetic:
            return [self.header, self.nothing]
        return [self.header, self.form, self.impossible, self.table]

    def actions_listed(self) -> list[QAction]:
        return list(self._actions)

    def cancel(self) -> bool:
        return False

    def bring_up_to_date(self) -> None:
        """Shows what was edited while it was hidden."""
        self._following.flush()

    def show_path(self, path: str) -> None:
        """Gives the focus to what a path in the plan names."""
        field = path.rpartition(".")[2]
        if path.startswith("columns."):
            name = path.removeprefix("columns.").rpartition(".")[0]
            self.tabs.setCurrentIndex(0)
            names = [row.columns[0].column for row in self._tables.rows]
            if name in names:
                self.table.selectRow(names.index(name))
            target: QWidget = self.table
        else:
            lines = {
                "delta": self.form.delta,
                "rows": self.form.rows,
                "impossible": self.impossible.line,
            }
            target = lines.get(field, self.form.epsilon)
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _follow(self) -> None:
        plan, table = self._document.plan, self._document.table
        source = "" if table is None else table.name
        self.header.set_title(plan.details.title or source or self.tr("New plan"))
        words = self.tr("{count} columns · central model")
        self.header.set_subtitle(words.format(count=f"{len(plan.synthetic):,}"))
        self.form.follow()
        self.protection.setText(SYNTHETIC.protection(plan))
        self.impossible.follow()
        self.nothing.follow()
        self._stack.setCurrentWidget(self._shown if plan.synthetic else self.nothing)
        self.release.setEnabled(bool(plan.synthetic))
