"""People in several rows: what tells whose row it is, and what of each person counts."""

from __future__ import annotations

from PySide6.QtWidgets import QRadioButton, QWidget

from dpdesk.data.joined_columns import suggest_joining
from dpdesk.data.joined_question import JOINED_MAX, JoinedRows
from dpdesk.data.table import SurveyTable
from dpdesk.gui.reading_order import ReadDialog
from dpdesk.gui.widgets.boxes import STRETCH, dialog_buttons, lay_column, lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.number_box import WholeBox
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import Plan
from dpdesk.plan.persons import RepeatedIdentifier, set_unit
from dpdesk.queries import PrivacyUnit
from dpdesk.queries.unit import ROWS_PER_RESPONDENT_MAX


class PeopleDialog(ReadDialog):
    """Asks whether one row of each person counts, several joined or at as many losses, or each.

    Args:
        plan: The plan.
        found: The column that names people and repeats; None where no name of a column says so.
        table: The data, without which no rows are joined.
        parent: The window it belongs to.
    """

    def __init__(
        self,
        plan: Plan,
        found: RepeatedIdentifier | None,
        table: SurveyTable | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("People in several rows"))
        unit = plan.statistics.unit
        joining = None if plan.reading is None else plan.reading.joined_rows
        self._table = table
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
        for column in plan.columns:
            self.whose.addItem(column.name, column.name)
        name = unit.respondent_column or (found.name if found is not None else "")
        self.whose.setCurrentIndex(self.whose.findData(name))
        by = PlainLabel(self.tr("&People by"), parent=self)
        by.setBuddy(self.whose)
        self.first = QRadioButton(self.tr("The &first row of each person counts"), self)
        times = self.tr("&Several rows count, at as many times the loss")
        self.several = QRadioButton(times, self)
        one = self.tr("Rows are &joined into one, with columns for each")
        self.joined = QRadioButton(one, self)
        self.joined.setEnabled(table is not None)
        self.rows = WholeBox(self)
        self.rows.setRange(2, ROWS_PER_RESPONDENT_MAX)
        most = PlainLabel(self.tr("&Most rows of one person"), parent=self)
        most.setBuddy(self.rows)
        count = unit.rows_per_respondent if joining is None else joining.most
        self.rows.setValue(count if found is None or count > 1 else found.most)
        self.each = QRadioButton(self.tr("&Every row is another person"), self)
        # A careless OK would otherwise declare the first column.
        alone = self.each if unit.one_row_each or not name else self.first
        chosen = self.joined if joining is not None else self.several if count > 1 else alone
        chosen.setChecked(True)
        for button in (self.first, self.joined, self.several, self.each):
            button.toggled.connect(lambda _on: self._follow())
        lay_column(
            PlainLabel(told, wrap=True, parent=self),
            lay_row(by, (self.whose, 1), spacing=8),
            self.first,
            self.joined,
            self.several,
            lay_row(most, self.rows, STRETCH, spacing=8),
            self.each,
            dialog_buttons(self),
            spacing=10,
            on=self,
        )
        self.setMinimumWidth(440)
        self._follow()

    def decided(self, plan: Plan) -> Plan:
        """Returns a plan with what is chosen.

        Raises:
            InputError: The data lack the column that tells whose row it is.
            pydantic.ValidationError: There is no such column.
        """
        is_each, joining = self.each.isChecked(), None
        unit = PrivacyUnit(
            relation=plan.statistics.unit.relation,
            respondent_column="" if is_each else self.whose.currentData() or "",
            rows_per_respondent=self.rows.value() if self.several.isChecked() else 1,
            one_row_each=is_each,
        )
        if self.joined.isChecked() and self._table is not None:
            joining = JoinedRows(by=unit.respondent_column, most=self.rows.value())
            before = None if plan.reading is None else plan.reading.joined_rows
            if before is not None and (before.by, before.most) == (joining.by, joining.most):
                joining = before
            else:
                joining = suggest_joining(self._table, joining)
        return set_unit(plan, unit, self._table, joining)

    def _follow(self) -> None:
        is_joined = self.joined.isChecked()
        self.rows.setMaximum(JOINED_MAX if is_joined else ROWS_PER_RESPONDENT_MAX)
        self.rows.setEnabled(is_joined or self.several.isChecked())
        self.whose.setEnabled(not self.each.isChecked())
