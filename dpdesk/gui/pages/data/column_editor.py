"""The right card: all properties of the chosen column, its missing answers, and the file's rows."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QPushButton,
    QRadioButton,
    QStackedWidget,
    QWidget,
)

from dpdesk.domains import COLUMN_KINDS
from dpdesk.gui.pages.data.column_section import ColumnSection, ColumnSelection
from dpdesk.gui.pages.data.column_words import kind_help, kind_word, role_word
from dpdesk.gui.pages.data.domain_section import DomainSection
from dpdesk.gui.pages.data.missing_section import MissingSection
from dpdesk.gui.pages.data.rows_view import RowsView
from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row, scrolled
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.plan import ColumnPlan, Role
from dpdesk.plan.column_changes import (
    rename,
    set_kind,
    set_role,
)

_CHOICES: tuple[Role, ...] = ("protect", "keep", "drop")


class RoleSection(ColumnSection):
    """Edits the role of the chosen column; "keep" needs a confirmation."""

    def _fill(self) -> None:
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QRadioButton] = {}
        row = lay_row(spacing=18)
        words = (self.tr("&Protect"), self.tr("Keep as &it is"), self.tr("&Drop"))
        told = (
            self.tr("Each answer is replaced by a randomized report."),
            self.tr("The answers are released as they are: nobody is protected."),
            self.tr("The column is left out of the release, and costs nothing."),
        )
        for role, word, what in zip(_CHOICES, words, told, strict=True):
            button = QRadioButton(word, self)
            button.setWhatsThis(what)
            button.setAccessibleName(self.tr("In the release: {role}").format(role=role_word(role)))
            button.clicked.connect(lambda _checked=False, role=role: self._choose(role))
            self._group.addButton(button)
            self.buttons[role] = button
            row.addWidget(button)
        row.addStretch(1)
        self._mark = SeverityMark("warning", size=16, parent=self)
        self._meaning = PlainLabel("", "caption", wrap=True, parent=self)
        # No letter of its own: this is not to be ticked by a slip of the fingers.
        self.confirm = QCheckBox(self.tr("I confirm: everybody may read every answer"), self)
        self.confirm.clicked.connect(self._confirm)
        self._refusal = RefusalLabel(parent=self)
        meaning = lay_row(self._mark, (self._meaning, 1), spacing=6)
        lay_column(row, meaning, self.confirm, self._refusal, spacing=4, on=self)

    def refusal(self) -> str:
        """Why the last choice was refused; empty if it was not."""
        return self._refusal.text()

    def show_column(self, column: ColumnPlan) -> None:
        """Shows the role of a column."""
        self._group.setExclusive(False)
        for role, button in self.buttons.items():
            button.setChecked(column.role == role)
        self._group.setExclusive(True)
        self._mark.setVisible(column.role in ("unassigned", "keep"))
        self._meaning.setText(self._meaning_of(column.role))
        if column.kept_coarser is not None:
            coarser = self.tr(
                "Every answer is released {how}: true, only coarser. The file is not private with "
                "respect to it."
            )
            self._meaning.setText(coarser.format(how=column.kept_coarser.words))
        self.confirm.setVisible(column.role == "keep")
        self.confirm.setChecked(column.keep_confirmed)
        self._refusal.show_sentence("")

    def focus_role(self) -> None:
        """Sets the focus on the choice, or on the confirmation that is missing."""
        column = self._selection.column
        if column is not None and column.role == "keep":
            self.confirm.setFocus()
        else:
            chosen = self._group.checkedButton()
            (chosen or self.buttons["protect"]).setFocus()

    def _meaning_of(self, role: Role) -> str:
        assert role in get_args(Role)  # noqa: S101 - the plan holds no other
        return {
            "unassigned": self.tr("Unassigned: choose what happens to this column."),
            "protect": self.tr("Every answer is randomized before it is released."),
            "keep": self.tr(
                "Every answer is released unchanged: the file is not private with respect to it."
            ),
            "drop": self.tr("The column is left out of the release."),
        }[role]

    def _choose(self, role: Role) -> None:
        text = self.tr("Change the role of {name}").format(name=self._selection.name)
        sentence = self._selection.edit(text, lambda plan, name: set_role(plan, name, role))
        if sentence and self._selection.column is not None:
            self.show_column(self._selection.column)
        self._refusal.show_sentence(sentence)

    def _confirm(self, confirmed: bool) -> None:
        text = self.tr("Confirm that {name} is kept").format(name=self._selection.name)
        self._selection.edit(
            text, lambda plan, name: plan.with_column(name, keep_confirmed=confirmed)
        )


class IdentitySection(ColumnSection):
    """Edits name, label and kind of the chosen column; with data, the name is the file's."""

    def _fill(self) -> None:
        self.name = CommitLine(self.tr("Name"), parent=self)
        self.name.committed.connect(self._rename)
        self.label = CommitLine(self.tr("Label"), parent=self)
        self.label.setWhatsThis(
            self.tr(
                "The question as it was asked; it stands in reports beside the name of the column."
            )
        )
        self.label.setPlaceholderText(self.tr("the question asked"))
        self.label.committed.connect(self._relabel)
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(self.tr("Kind of answer"))
        for kind in COLUMN_KINDS:
            self.kind.addItem(kind_word(kind), kind)
            place = self.kind.count() - 1
            self.kind.setItemData(place, kind_help(kind), Qt.ItemDataRole.ToolTipRole)
        self.kind.activated.connect(self._choose_kind)
        self._refusal = RefusalLabel(parent=self)
        self._name_label = PlainLabel(self.tr("Na&me"), buddy=self.name, parent=self)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._name_label, 0, 0)
        grid.addWidget(self.name, 0, 1, 1, 3)
        grid.addWidget(PlainLabel(self.tr("&Label"), buddy=self.label, parent=self), 1, 0)
        grid.addWidget(self.label, 1, 1)
        grid.addWidget(PlainLabel(self.tr("&Kind"), buddy=self.kind, parent=self), 1, 2)
        grid.addWidget(self.kind, 1, 3)
        lay_column(grid, self._refusal, spacing=4, on=self)

    def refusal(self) -> str:
        """Why the last edit was refused; empty if it was not."""
        return self._refusal.text()

    def show_column(self, column: ColumnPlan) -> None:
        """Shows a column."""
        in_file = self._selection.table is not None
        for widget in (self.name, self._name_label):
            widget.setVisible(not in_file)
        self.name.set_value(column.name)
        self.label.set_value(column.label)
        self.kind.setCurrentIndex(self.kind.findData(column.kind))
        self.kind.setToolTip(kind_help(column.kind))
        self._refusal.show_sentence("")

    def focus_label(self) -> None:
        """Sets the focus on the first field."""
        target = self.label if self._selection.table is not None else self.name
        target.setFocus()
        target.selectAll()

    def _rename(self, typed: str) -> None:
        old, new = self._selection.name, typed.strip()
        text = self.tr("Rename {name}").format(name=old)
        sentence = self._selection.edit(text, lambda plan, name: rename(plan, name, new))
        self._refuse(self.name, sentence)

    def _relabel(self, typed: str) -> None:
        text = self.tr("Change the label of {name}").format(name=self._selection.name)
        label = typed.strip()
        self._refuse(
            self.label,
            self._selection.edit(text, lambda plan, name: plan.with_column(name, label=label)),
        )

    def _choose_kind(self, place: int) -> None:
        kind, table = self.kind.itemData(place), self._selection.table
        text = self.tr("Change the kind of {name}").format(name=self._selection.name)
        sentence = self._selection.edit(text, lambda plan, name: set_kind(plan, name, kind, table))
        column = self._selection.column
        if sentence and column is not None:
            self.kind.setCurrentIndex(self.kind.findData(column.kind))
        self._refusal.show_sentence(sentence)

    def _refuse(self, line: CommitLine, sentence: str) -> None:
        if sentence:
            line.refuse(sentence)
        self._refusal.show_sentence(sentence)


DOMAIN, MISSING, ROWS = range(3)


class ColumnEditor(Card):
    """The right card: the chosen column above, its domain, missing answers and rows in tabs.

    Args:
        selection: The chosen column.
    """

    def __init__(self, selection: ColumnSelection, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._selection = selection
        self._title = ElidedLabel("", "heading", parent=self)
        self._empty = PlainLabel(
            self.tr("No question yet. Add one to say what its answers can be."),
            "muted",
            wrap=True,
            parent=self,
        )
        self.identity = IdentitySection(selection, parent=self)
        self.role = RoleSection(selection, parent=self)
        self.tabs = UnderlineTabs(
            (self.tr("Domain"), self.tr("Missing answers"), self.tr("Rows")),
            parent=self,
        )
        self.tabs.setAccessibleName(self.tr("About the column"))
        self.tabs.setWhatsThis(
            self.tr("What it can hold, how missing answers are written, and its rows.")
        )
        self.domain = DomainSection(selection, parent=self)
        self.missing = MissingSection(selection, parent=self)
        self.rows = RowsView(parent=self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.domain)
        self._stack.addWidget(scrolled(self.missing, on_card=True))
        self._stack.addWidget(self._rows_part())
        self.tabs.currentChanged.connect(self._stack.setCurrentIndex)
        self.body.addWidget(self._title)
        self.body.addWidget(self._empty)
        self.body.addWidget(self.identity)
        self.body.addWidget(self.role)
        self.body.addWidget(self.tabs)
        self.body.addWidget(self._stack, 1)
        selection.chosen.connect(self.show_column)
        ScaledWidth(self, 380, least=True, part=0.4)

    def show_column(self) -> None:
        """Shows the current state of the chosen column."""
        column = self._selection.column
        for widget in (self.identity, self.role, self.tabs, self._stack):
            widget.setVisible(column is not None)
        self._empty.setVisible(column is None)
        self._rows_stack.setCurrentWidget(
            self.rows if self._selection.table is not None else self._no_rows
        )
        self._title.set_text(column.name if column is not None else self.tr("No question"))
        if column is None:
            return
        self.identity.show_column(column)
        self.role.show_column(column)
        self.domain.show_column(column)
        self.missing.show_column(column)
        self.rows.choose(column.name)

    def _rows_part(self) -> QWidget:
        """The rows, or where they come from while no data are open."""
        self._no_rows = QWidget(self)
        words = self.tr("No data are open. The rows of the file are shown here.")
        self.open_button = QPushButton(self.tr("Ope&n its data…"), self._no_rows)
        lay_column(
            PlainLabel(words, "muted", wrap=True, parent=self._no_rows),
            lay_row(self.open_button, STRETCH),
            STRETCH,
            spacing=8,
            margins=(0, 8, 0, 0),
            on=self._no_rows,
        )
        self._rows_stack = QStackedWidget(self)
        self._rows_stack.addWidget(self.rows)
        self._rows_stack.addWidget(self._no_rows)
        return self._rows_stack

    def show_table(self) -> None:
        """Shows the rows of the current data."""
        self.rows.set_table(self._selection.table)
        self.show_column()

    def commit(self) -> None:
        """Commits pending input before another column is shown."""
        line = self.focusWidget()
        if isinstance(line, CommitLine):
            line.commit()

    def focus_field(self, field: str) -> None:
        """Sets the focus on a field of the plan, such as "domain"."""
        if field in ("domain", "confirmed"):
            self.tabs.setCurrentIndex(DOMAIN)
            self.domain.focus_domain()
        elif field in ("missing", "other"):
            self.tabs.setCurrentIndex(MISSING)
            self.missing.focus_missing()
        elif field in ("role", "keep_confirmed", "coarsening"):
            self.role.focus_role()
        elif field == "kind":
            self.identity.kind.setFocus()
        else:
            self.identity.focus_label()
