"""What happens to a column in the release: protected, kept as it is, or dropped."""

from __future__ import annotations

from typing import get_args

from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QHBoxLayout,
    QRadioButton,
    QVBoxLayout,
)

from dpdesk.gui.pages.data.column_changes import set_keep_confirmed, set_role
from dpdesk.gui.pages.data.column_section import ColumnSection
from dpdesk.gui.pages.data.column_words import role_word
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.plan import ColumnPlan, Role

_CHOICES: tuple[Role, ...] = ("protect", "keep", "drop")


class RoleSection(ColumnSection):
    """Chooses the role of the chosen column; keeping it asks for a confirmation of its own."""

    def _fill(self, theme: ThemeSwitch) -> None:
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QRadioButton] = {}
        row = QHBoxLayout()
        row.setSpacing(18)
        words = (self.tr("&Protect"), self.tr("Keep as &it is"), self.tr("&Drop"))
        for role, word in zip(_CHOICES, words, strict=True):
            button = QRadioButton(word, self)
            button.setAccessibleName(self.tr("In the release: {role}").format(role=role_word(role)))
            button.clicked.connect(lambda _checked=False, role=role: self._choose(role))
            self._group.addButton(button)
            self.buttons[role] = button
            row.addWidget(button)
        row.addStretch(1)
        self._mark = SeverityMark(theme, "warning", size=16, parent=self)
        self._meaning = PlainLabel("", "caption", wrap=True, parent=self)
        self.confirm = QCheckBox(self.tr("I confirm: everybod&y may read every answer"), self)
        self.confirm.clicked.connect(self._confirm)
        self._refusal = RefusalLabel(parent=self)
        meaning = QHBoxLayout()
        meaning.setSpacing(6)
        meaning.addWidget(self._mark)
        meaning.addWidget(self._meaning, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(row)
        column.addLayout(meaning)
        column.addWidget(self.confirm)
        column.addWidget(self._refusal)

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
        """Puts the focus on the choice, or on the confirmation that is due."""
        column = self._desk.column
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
        text = self.tr("Change the role of {name}").format(name=self._desk.name)
        sentence = self._desk.edit(text, lambda plan, name: set_role(plan, name, role))
        if sentence and self._desk.column is not None:
            self.show_column(self._desk.column)
        self._refusal.show_sentence(sentence)

    def _confirm(self, confirmed: bool) -> None:
        text = self.tr("Confirm that {name} is kept").format(name=self._desk.name)
        self._desk.edit(text, lambda plan, name: set_keep_confirmed(plan, name, confirmed))
