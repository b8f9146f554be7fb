"""The right card: all properties of the chosen column, its missing answers, and the file's rows."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QStackedWidget,
    QWidget,
)

from dpdesk.domains import Categorical
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.data.column_section import ColumnSection, ColumnSelection, FieldProblems
from dpdesk.gui.pages.data.column_words import kind_help, kind_word, role_word
from dpdesk.gui.pages.data.dialogs import text_of_tokens, tokens_of_text
from dpdesk.gui.pages.data.domain_section import DomainSection
from dpdesk.gui.pages.data.rows_view import RowsView
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.numbers import exact_number
from dpdesk.plan import ColumnKind, ColumnPlan, MissingPolicy, Plan, Role
from dpdesk.plan.column_changes import (
    rename,
    set_keep_confirmed,
    set_kind,
    set_label,
    set_missing,
    set_other,
    set_role,
)
from dpdesk.plan.missing import TREATMENTS


class MissingSection(ColumnSection):
    """Edits the policy for missing answers and the category "other" of the chosen column."""

    def _fill(self) -> None:
        self.empty = QCheckBox(self.tr("An &empty cell is no answer"), self)
        self.tokens = CommitLine(self.tr("Codes that mean no answer"), parent=self)
        self.empty.clicked.connect(lambda _checked: self._take_tokens(self.tokens))
        self.tokens.setPlaceholderText(self.tr("such as NA; -9; refused"))
        self.tokens.committed.connect(lambda _text: self._take_tokens(self.tokens))
        self.policy = QComboBox(self)
        self.policy.setAccessibleName(self.tr("What a missing answer becomes"))
        # The texts are wider than a small window; the open list shows them in full.
        self.policy.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.policy.setMinimumContentsLength(10)
        self.policy.activated.connect(self._choose_policy)
        self.value = CommitLine(self.tr("Category or value of missing answers"), parent=self)
        self.value.committed.connect(self._take_value)
        self.share = CommitLine(self.tr("Supposed share of missing answers"), parent=self)
        self.share.committed.connect(self._take_share)
        self.other = CommitLine(self.tr('Category "other"'), parent=self)
        self.other.setPlaceholderText(self.tr("none: such answers block the release"))
        self.other.committed.connect(self._take_other)
        self._refusals = {line: RefusalLabel(parent=self) for line in self._lines()}
        self._note = PlainLabel(
            self.tr(
                "A code such as NA is an answer like any other until it is declared here. "
                "Separate codes by semicolons."
            ),
            "caption",
            wrap=True,
            parent=self,
        )
        self._meaning = PlainLabel("", "caption", wrap=True, parent=self)
        self._problems = FieldProblems(parent=self)
        self._lay_out()

    def _lines(self) -> tuple[CommitLine, ...]:
        return self.tokens, self.value, self.share, self.other

    def _label(self, text: str, buddy: QWidget) -> PlainLabel:
        label = PlainLabel(text, parent=self)
        label.setBuddy(buddy)
        return label

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.empty, 0, 0, 1, 2)
        self._tokens_label = self._label(self.tr("Codes of &no answer"), self.tokens)
        self._policy_label = self._label(self.tr("They beco&me"), self.policy)
        self._value_label = self._label(self.tr("&Value"), self.value)
        self._share_label = self._label(self.tr("Supposed sha&re missing"), self.share)
        self._other_label = self._label(self.tr("Other ans&wers go to"), self.other)
        rows: tuple[tuple[PlainLabel, QWidget], ...] = (
            (self._tokens_label, self.tokens),
            (self._policy_label, self.policy),
            (self._value_label, self.value),
            (self._share_label, self.share),
            (self._other_label, self.other),
        )
        row = 1
        for label, field in rows:
            grid.addWidget(label, row, 0)
            grid.addWidget(field, row, 1)
            row += 1
            if isinstance(field, CommitLine):
                grid.addWidget(self._refusals[field], row, 1)
                row += 1
            below = {self.tokens: self._note, self.policy: self._meaning}
            if field in below:
                grid.addWidget(below[field], row, 1)
                row += 1
        lay_column(grid, self._problems, STRETCH, spacing=10, margins=(0, 8, 0, 0), on=self)

    def refusal(self, line: CommitLine) -> str:
        """Why the text of a line was refused; empty if it was not."""
        return self._refusals[line].text()

    def show_column(self, column: ColumnPlan) -> None:
        """Shows the policy of a column."""
        missing, domain = column.missing, column.domain
        treatment = missing.treatment
        self.empty.setChecked("" in missing.tokens)
        self.tokens.set_value(text_of_tokens(tuple(t for t in missing.tokens if t)))
        self.policy.clear()
        for policy, offered in TREATMENTS.items():
            if domain is None or offered.serves(domain) or policy == missing.policy:
                self.policy.addItem(self.tr(offered.title), policy)
        self.policy.setCurrentIndex(self.policy.findData(missing.policy))
        self._meaning.setText(self.tr(treatment.meaning))
        self.value.set_value(missing.value)
        self._value_label.setText(self.tr(treatment.value_title))
        self.share.set_value(f"{(100 * missing.supposed_share).normalize():f} %")
        supposes = domain is not None and treatment.supposes_share
        for field, label, shown in (
            (self.value, self._value_label, treatment.has_value),
            (self.share, self._share_label, supposes),
            (self.other, self._other_label, isinstance(domain, Categorical) or column.other),
        ):
            field.setVisible(bool(shown))
            label.setVisible(bool(shown))
        self.other.set_value(column.other)
        self.setEnabled(column.domain is not None)
        for label in self._refusals.values():
            label.show_sentence("")
        self._problems.set_problems(self._selection.problems("missing", "other"))

    def focus_missing(self) -> None:
        """Sets the focus on the policy."""
        self.policy.setFocus()

    def _edit_missing(self, **changes: object) -> str:
        text = self.tr("Change the missing answers of {name}").format(name=self._selection.name)

        def change(plan: Plan, name: str) -> Plan:
            missing = plan.column(name).missing
            fields = {key: getattr(missing, key) for key in type(missing).model_fields}
            return set_missing(plan, name, MissingPolicy(**(fields | changes)))

        return self._selection.edit(text, change)

    def _take_tokens(self, line: CommitLine) -> None:
        try:
            tokens = tokens_of_text(line.text())
        except ParameterError as error:
            self._refuse(line, str(error))
            return
        empty = ("",) if self.empty.isChecked() else ()
        self._refuse(line, self._edit_missing(tokens=(*empty, *tokens)))

    def _choose_policy(self, place: int) -> None:
        policy, column = self.policy.itemData(place), self._selection.column
        if column is None or policy == column.missing.policy:
            return
        treatment = TREATMENTS[policy]
        value = "" if column.domain is None else treatment.default_value(column.domain)
        self._refuse(self.value, self._edit_missing(policy=policy, value=value))
        if treatment.has_value:
            self.value.setFocus()
            self.value.selectAll()

    def _take_value(self, value: str) -> None:
        self._refuse(self.value, self._edit_missing(value=value.strip()))

    def _take_share(self, typed: str) -> None:
        percent = exact_number(typed.removesuffix("%").strip())
        if percent is None or not 0 < round(percent / 100, 6) < 1:
            told = self.tr("Type a share above 0 % and below 100 %, such as 20 %.")
            self._refuse(self.share, told)
            return
        self._refuse(self.share, self._edit_missing(supposed_share=round(percent / 100, 6)))

    def _take_other(self, other: str) -> None:
        text = self.tr("Change other answers of {name}").format(name=self._selection.name)
        sentence = self._selection.edit(
            text, lambda plan, name: set_other(plan, name, other.strip())
        )
        self._refuse(self.other, sentence)

    def _refuse(self, line: CommitLine, sentence: str) -> None:
        if sentence:
            line.refuse(sentence)
        self._refusals[line].show_sentence(sentence)


_CHOICES: tuple[Role, ...] = ("protect", "keep", "drop")


class RoleSection(ColumnSection):
    """Edits the role of the chosen column; "keep" needs a confirmation."""

    def _fill(self) -> None:
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QRadioButton] = {}
        row = lay_row(spacing=18)
        words = (self.tr("&Protect"), self.tr("Keep as &it is"), self.tr("&Drop"))
        for role, word in zip(_CHOICES, words, strict=True):
            button = QRadioButton(word, self)
            button.setAccessibleName(self.tr("In the release: {role}").format(role=role_word(role)))
            button.clicked.connect(lambda _checked=False, role=role: self._choose(role))
            self._group.addButton(button)
            self.buttons[role] = button
            row.addWidget(button)
        row.addStretch(1)
        self._mark = SeverityMark("warning", size=16, parent=self)
        self._meaning = PlainLabel("", "caption", wrap=True, parent=self)
        self.confirm = QCheckBox(self.tr("I confirm: everybod&y may read every answer"), self)
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
        self._selection.edit(text, lambda plan, name: set_keep_confirmed(plan, name, confirmed))


class IdentitySection(ColumnSection):
    """Edits name, label and kind of the chosen column; with data, the name is the file's."""

    def _fill(self) -> None:
        self.name = CommitLine(self.tr("Name"), parent=self)
        self.name.committed.connect(self._rename)
        self.label = CommitLine(self.tr("Label"), parent=self)
        self.label.setPlaceholderText(self.tr("the question, in words"))
        self.label.committed.connect(self._relabel)
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(self.tr("Kind of answer"))
        for kind in get_args(ColumnKind):
            self.kind.addItem(kind_word(kind), kind)
            place = self.kind.count() - 1
            self.kind.setItemData(place, kind_help(kind), Qt.ItemDataRole.ToolTipRole)
        self.kind.activated.connect(self._choose_kind)
        self._refusal = RefusalLabel(parent=self)
        self._name_label = self._buddy(self.tr("Na&me"), self.name)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._name_label, 0, 0)
        grid.addWidget(self.name, 0, 1, 1, 3)
        grid.addWidget(self._buddy(self.tr("&Label"), self.label), 1, 0)
        grid.addWidget(self.label, 1, 1)
        grid.addWidget(self._buddy(self.tr("&Kind"), self.kind), 1, 2)
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

    def _buddy(self, text: str, field: QWidget) -> PlainLabel:
        label = PlainLabel(text, parent=self)
        label.setBuddy(field)
        return label

    def _rename(self, typed: str) -> None:
        old, new = self._selection.name, typed.strip()
        text = self.tr("Rename {name}").format(name=old)
        sentence = self._selection.edit(text, lambda plan, name: rename(plan, name, new))
        self._refuse(self.name, sentence)

    def _relabel(self, typed: str) -> None:
        text = self.tr("Change the label of {name}").format(name=self._selection.name)
        label = typed.strip()
        self._refuse(
            self.label, self._selection.edit(text, lambda plan, name: set_label(plan, name, label))
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
        parent: Qt's owner.
    """

    def __init__(self, selection: ColumnSelection, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._selection = selection
        self._title = ElidedLabel("", "heading", lines=2, parent=self)
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
        self.domain = DomainSection(selection, parent=self)
        self.missing = MissingSection(selection, parent=self)
        self.rows = RowsView(parent=self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.domain)
        self._stack.addWidget(_scrolled(self.missing))
        self._stack.addWidget(self._rows_part())
        self.tabs.currentChanged.connect(self._stack.setCurrentIndex)
        self.body.addWidget(self._title)
        self.body.addWidget(self._empty)
        self.body.addWidget(self.identity)
        self.body.addWidget(self.role)
        self.body.addWidget(self.tabs)
        self.body.addWidget(self._stack, 1)
        selection.chosen.connect(self.show_column)
        self.setMinimumWidth(380)

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
        self.open_button = QPushButton(self.tr("Open its &data…"), self._no_rows)
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
        elif field in ("role", "keep_confirmed"):
            self.role.focus_role()
        elif field == "kind":
            self.identity.kind.setFocus()
        else:
            self.identity.focus_label()


def _scrolled(section: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(section)
    # The card is the surface; Qt would paint the background of a window here.
    area.viewport().setAutoFillBackground(False)
    section.setAutoFillBackground(False)
    return area
