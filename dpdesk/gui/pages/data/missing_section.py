"""The section of the chosen column on missing answers: codes, what they become, what is asked."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QWidget,
)

from dpdesk.data.missing_codes import read_codes
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.data.asked_question import QuestionSection
from dpdesk.gui.pages.data.column_section import FieldProblems
from dpdesk.gui.widgets.boxes import STRETCH, lay_column
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import (
    ColumnPlan,
    MissingPolicy,
    Plan,
)
from dpdesk.plan.declared_routing import read_asked, set_asked
from dpdesk.plan.missing import TREATMENTS, percent_of, share_of_percent
from dpdesk.plan.missing_changes import set_codes, set_missing, set_other

_POLICY_CHARACTERS = 9
"""Least number of characters of a treatment that are read beside its name."""


class MissingSection(QuestionSection):
    """Edits the policy for missing answers and the category "other" of the chosen column."""

    place = "missing"

    def _fill(self) -> None:
        self._make_question()
        self.empty = QCheckBox(self.tr("An empty cell is no ans&wer"), self)
        self.empty.setWhatsThis(self.tr("Otherwise an empty cell counts as an answer of its own."))
        self.tokens = CommitLine(self.tr("Codes that mean no answer"), parent=self)
        self.tokens.setWhatsThis(self.tr("Such as 99 or n/a, with commas between them."))
        self.empty.clicked.connect(lambda _checked: self._take_tokens(self.tokens))
        self.tokens.setPlaceholderText(self.tr("such as NA; -9 = refused; 97 to 99"))
        self.tokens.committed.connect(lambda _text: self._take_tokens(self.tokens))
        # The texts are wider than a small window; the open list shows them in full.
        self.policy = ChoiceBox(self.tr("What a missing answer becomes"), parent=self)
        self.policy.setWhatsThis(self.tr("A report of its own kind, an answer by chance, or none."))
        self.policy.setMinimumContentsLength(_POLICY_CHARACTERS)
        self.policy.activated.connect(self._choose_policy)
        self.value = CommitLine(self.tr("Category or value of missing answers"), parent=self)
        self.value.committed.connect(self._take_value)
        self.share = CommitLine(self.tr("Supposed share of missing answers"), parent=self)
        self.share.committed.connect(self._take_share)
        self.asked = CommitLine(self.tr("Asked only where"), parent=self)
        self.asked.setWhatsThis(
            self.tr("A condition on earlier answers: others were not asked this question.")
        )
        self.asked.setPlaceholderText(self.tr("such as smoker is yes"))
        self.asked.committed.connect(self._take_asked)
        self.share_asked = CommitLine(self.tr("Supposed share asked"), parent=self)
        self.share_asked.committed.connect(self._take_share_asked)
        self.other = CommitLine(self.tr('Category "other"'), parent=self)
        self.other.setWhatsThis(self.tr("The answer that every answer outside the list becomes."))
        self.other.setPlaceholderText(self.tr("none: such answers block the release"))
        self.other.committed.connect(self._take_other)
        self._refusals = {line: RefusalLabel(parent=self) for line in self._lines()}
        self._note = PlainLabel(
            self.tr(
                "A code such as NA is an answer like any other until it is declared here. "
                "Separate codes by semicolons; a range is 97 to 99, or .a to .z; a label follows =."
            ),
            "caption",
            wrap=True,
            parent=self,
        )
        self._meaning = PlainLabel("", "caption", wrap=True, parent=self)
        self._problems = FieldProblems(parent=self)
        self._lay_out()

    def _lines(self) -> tuple[CommitLine, ...]:
        return (
            self.tokens,
            self.value,
            self.asked,
            self.share_asked,
            self.share,
            self.other,
        )

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.empty, 0, 0, 1, 2)
        self._tokens_label = PlainLabel(
            self.tr("Codes of &no answer"), buddy=self.tokens, parent=self
        )
        self._policy_label = PlainLabel(self.tr("They &become"), buddy=self.policy, parent=self)
        self._value_label = PlainLabel(self.tr("Val&ue"), buddy=self.value, parent=self)
        self._asked_label = PlainLabel(self.tr("Asked onl&y where"), buddy=self.asked, parent=self)
        self._share_asked_label = PlainLabel(
            self.tr("Supposed sha&re asked"), buddy=self.share_asked, parent=self
        )
        self._share_label = PlainLabel(
            self.tr("Supposed sha&re missing"), buddy=self.share, parent=self
        )
        self._other_label = PlainLabel(
            self.tr("Other answers &go to"), buddy=self.other, parent=self
        )
        rows: tuple[tuple[PlainLabel, QWidget], ...] = (
            (self._tokens_label, self.tokens),
            (self._policy_label, self.policy),
            (self._value_label, self.value),
            (self._asked_label, self.asked),
            (self._share_asked_label, self.share_asked),
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
                # Both columns: in a small window one of them would make it a tower.
                grid.addWidget(below[field], row, 0, 1, 2)
                row += 1
        # What is suggested stands first, where a small window shows it without scrolling.
        lay_column(
            self._asked,
            grid,
            self._problems,
            STRETCH,
            spacing=10,
            margins=(0, 8, 0, 0),
            on=self,
        )

    def refusal(self, line: CommitLine) -> str:
        """Why the text of a line was refused; empty if it was not."""
        return self._refusals[line].text()

    def show_column(self, column: ColumnPlan) -> None:
        """Shows the policy of a column."""
        missing, domain = column.missing, column.domain
        treatment = missing.treatment
        self._show_question(column)
        # Where a blank says that nothing was ticked, it is an answer whatever the codes are.
        is_answer = domain is not None and "" in domain.never_missing
        self.empty.setChecked("" in missing.tokens and not is_answer)
        self.empty.setEnabled(not is_answer)
        self.tokens.set_value(missing.codes)
        self.policy.clear()
        for policy, offered in TREATMENTS.items():
            if domain is None or offered.serves(domain) or policy == missing.policy:
                self.policy.addItem(self.tr(offered.title), policy)
        self.policy.setCurrentIndex(self.policy.findData(missing.policy))
        self._meaning.setText(self.tr(treatment.meaning))
        self.value.set_value(missing.value)
        self._value_label.setText(self.tr(treatment.value_title))
        asked = missing.asked
        self.asked.set_value("" if asked is None else asked.written)
        self.share_asked.set_value("" if asked is None else percent_of(asked.supposed_share))
        self.share.set_value(percent_of(missing.supposed_share))
        self._share_label.setText(
            self.tr("Supposed sha&re missing")
            if asked is None
            else self.tr("Missing, of tho&se asked")
        )
        supposes = domain is not None and treatment.supposes_share
        takes_other = domain is not None and domain.picks_one
        for field, label, shown in (
            (self.value, self._value_label, treatment.has_value),
            (self.share_asked, self._share_asked_label, supposes and asked is not None),
            (self.share, self._share_label, supposes),
            (self.other, self._other_label, takes_other or column.other),
        ):
            field.setVisible(bool(shown))
            label.setVisible(bool(shown))
        self.other.set_value(column.other)
        self.setEnabled(column.domain is not None)
        for label in self._refusals.values():
            label.show_sentence("")
        self._problems.set_problems(self._selection.problems("missing", "other"))

    def focus_missing(self) -> None:
        """Sets the focus on what is to be decided, else on the policy."""
        (self.policy if self._asked.isHidden() else self.mean_missing).setFocus()

    def _tell_refusal(self, sentence: str) -> None:
        self._refuse(self.tokens, sentence)
        self.policy.setFocus()

    def _edit_missing(self, edit: Callable[[MissingPolicy], MissingPolicy]) -> str:
        return self._edit(
            lambda plan, name: set_missing(plan, name, edit(plan.column(name).missing))
        )

    def _edit(self, change: Callable[[Plan, str], Plan]) -> str:
        text = self.tr("Change the missing answers of {name}").format(name=self._selection.name)
        return self._selection.edit(text, change)

    def _take_tokens(self, line: CommitLine) -> None:
        try:
            codes = read_codes(line.text())
        except ParameterError as error:
            self._refuse(line, str(error))
            return
        empty, table = self.empty.isChecked(), self._selection.table

        def change(plan: Plan, name: str) -> Plan:
            missing = plan.column(name).missing.with_codes(codes, empty=empty)
            return set_codes(plan, name, missing, table)

        self._refuse(line, self._edit(change))

    def _choose_policy(self, place: int) -> None:
        policy, column = self.policy.itemData(place), self._selection.column
        if column is None or policy == column.missing.policy:
            return
        treatment = TREATMENTS[policy]
        value = "" if column.domain is None else treatment.default_value(column.domain)
        self._refuse(
            self.value, self._edit_missing(lambda m: m.changed(policy=policy, value=value))
        )
        if treatment.has_value:
            self.value.setFocus()
            self.value.selectAll()

    def _take_value(self, value: str) -> None:
        self._refuse(self.value, self._edit_missing(lambda m: m.changed(value=value.strip())))

    def _take_share(self, typed: str) -> None:
        share = self._share_typed(self.share, typed, example=20)
        if share is not None:
            self._refuse(self.share, self._edit_missing(lambda m: m.changed(supposed_share=share)))

    def _share_typed(self, line: CommitLine, typed: str, *, example: int) -> Decimal | None:
        """Reads a share in per cent; None where it is refused at its line."""
        share = share_of_percent(typed)
        if share is None:
            told = self.tr(
                "Type a share in per cent, such as {share} %; one below 1 with its sign."
            )
            self._refuse(line, told.format(share=example))
        return share

    def _take_asked(self, typed: str) -> None:
        def change(plan: Plan, name: str) -> Plan:
            return set_asked(plan, name, read_asked(plan, typed) if typed.strip() else None)

        self._refuse(self.asked, self._edit(change))

    def _take_share_asked(self, typed: str) -> None:
        share = self._share_typed(self.share_asked, typed, example=40)
        if share is None:
            return

        def change(plan: Plan, name: str) -> Plan:
            asked = plan.column(name).missing.asked
            return set_asked(plan, name, None if asked is None else asked.changed(share))

        self._refuse(self.share_asked, self._edit(change))

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
