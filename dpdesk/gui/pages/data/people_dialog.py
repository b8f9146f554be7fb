"""People in several rows: what tells whose row it is, and what of each person counts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QRadioButton, QSpinBox, QWidget

from dpdesk.data.joined_columns import joined
from dpdesk.data.joined_rows import JOINED_MAX, JoinedRows
from dpdesk.data.persons_rows import suggest_joining
from dpdesk.data.table import SurveyTable
from dpdesk.gui.reading_order import ReadDialog
from dpdesk.gui.widgets.boxes import STRETCH, dialog_buttons, lay_column, lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import Plan
from dpdesk.plan.persons import RepeatedIdentifier
from dpdesk.queries import PrivacyUnit
from dpdesk.queries.unit import ROWS_PER_RESPONDENT_MAX


class PeopleDialog(ReadDialog):
    """Asks whether one row of each person counts, several at several times the loss, or each.

    Or several are joined into one row, with columns for each of them.

    Args:
        plan: The plan.
        found: The column that names people and repeats; None where no name of a column says so.
        names: The columns of the plan.
        parent: The window it belongs to.
    """

    def __init__(
        self,
        plan: Plan,
        found: RepeatedIdentifier | None,
        names: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("People in several rows"))
        unit = plan.statistics.unit
        joining = None if plan.reading is None else plan.reading.joined_rows
        self._unit, self._joining = unit, joining
        told = self.tr("A column tells whose row each is.")
        if found is not None:
            told = self.tr("{name} repeats: {people} people have {rows} rows, up to {most} each.")
            told = told.format(
                name=found.name,
                people=f"{found.people:,}",
                rows=f"{found.rows:,}",
                most=f"{found.most:,}",
            )
        self.whose = ChoiceBox(self.tr("Column that tells whose row it is"), parent=self)
        for name in names:
            self.whose.addItem(name, name)
        chosen = unit.respondent_column or (found.name if found is not None else "")
        self.whose.setCurrentIndex(max(self.whose.findData(chosen), 0))
        column = PlainLabel(self.tr("&People by"), parent=self)
        column.setBuddy(self.whose)
        self.first = QRadioButton(self.tr("The &first row of each person counts"), self)
        times = self.tr("&Several rows count, at as many times the loss:")
        self.several = QRadioButton(times, self)
        self.joined = QRadioButton(
            self.tr("&Joined into one row, with columns for each row, up to:"), self
        )
        self.columns = QSpinBox(self)
        self.columns.setAccessibleName(self.tr("Most rows that are joined"))
        self.columns.setRange(2, JOINED_MAX)
        self.columns.setValue(2 if found is None else found.most)
        self.rows = QSpinBox(self)
        self.rows.setAccessibleName(self.tr("Most rows of one person"))
        self.rows.setRange(2, ROWS_PER_RESPONDENT_MAX)
        self.rows.setValue(unit.rows_per_respondent if found is None else found.most)
        self.each = QRadioButton(self.tr("&Every row is another person"), self)
        several = unit.rows_per_respondent > 1
        if several:
            self.rows.setValue(unit.rows_per_respondent)
        alone = self.each if unit.one_row_each else self.first
        if joining is not None:
            alone = self.joined
            self.columns.setValue(joining.most)
        (self.several if several else alone).setChecked(True)
        for button in (self.first, self.joined, self.several, self.each):
            button.toggled.connect(lambda _on: self._follow())
        lay_column(
            PlainLabel(told, wrap=True, parent=self),
            lay_row(column, (self.whose, 1), spacing=8),
            self.first,
            lay_row(self.joined, self.columns, STRETCH, spacing=8),
            lay_row(self.several, self.rows, STRETCH, spacing=8),
            self.each,
            dialog_buttons(self),
            spacing=10,
            on=self,
        )
        self.setMinimumWidth(440)
        self._follow()

    def chosen(self) -> PrivacyUnit:
        """The unit with what is chosen."""
        is_each = self.each.isChecked()
        return PrivacyUnit(
            relation=self._unit.relation,
            respondent_column="" if is_each else self.whose.currentData(),
            rows_per_respondent=self.rows.value() if self.several.isChecked() else 1,
            one_row_each=is_each,
        )

    def joined_rows(self, table: SurveyTable) -> JoinedRows | None:
        """The rows that are joined as is chosen; None for none.

        Args:
            table: The data, by which it is suggested what a person has once.

        Raises:
            InputError: The data lack the column that tells whose row it is.
        """
        if not self.joined.isChecked():
            return None
        whose, most, before = self.whose.currentData(), self.columns.value(), self._joining
        if before is not None and (before.by, before.most) == (whose, most):
            return before
        return suggest_joining(joined(table, table.reading.questions), whose, most)

    def _follow(self) -> None:
        self.columns.setEnabled(self.joined.isChecked())
        self.rows.setEnabled(self.several.isChecked())
        self.whose.setEnabled(not self.each.isChecked())
