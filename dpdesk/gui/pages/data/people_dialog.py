"""People in several rows: what tells whose row it is, and what of each person counts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QRadioButton, QSpinBox, QWidget

from dpdesk.gui.reading_order import ReadDialog
from dpdesk.gui.widgets.boxes import STRETCH, dialog_buttons, lay_column, lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan.persons import RepeatedIdentifier
from dpdesk.queries import PrivacyUnit
from dpdesk.queries.unit import ROWS_PER_RESPONDENT_MAX


class PeopleDialog(ReadDialog):
    """Asks whether one row of each person counts, several at several times the loss, or each.

    Args:
        unit: The unit of the plan.
        found: The column that names people and repeats; None where no name of a column says so.
        names: The columns of the plan.
        parent: The window it belongs to.
    """

    def __init__(
        self,
        unit: PrivacyUnit,
        found: RepeatedIdentifier | None,
        names: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("People in several rows"))
        self._unit = unit
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
        self.rows = QSpinBox(self)
        self.rows.setAccessibleName(self.tr("Most rows of one person"))
        self.rows.setRange(2, ROWS_PER_RESPONDENT_MAX)
        self.rows.setValue(unit.rows_per_respondent if found is None else found.most)
        self.each = QRadioButton(self.tr("&Every row is another person"), self)
        several = unit.rows_per_respondent > 1
        if several:
            self.rows.setValue(unit.rows_per_respondent)
        alone = self.each if unit.one_row_each else self.first
        (self.several if several else alone).setChecked(True)
        for button in (self.first, self.several, self.each):
            button.toggled.connect(lambda _on: self._follow())
        lay_column(
            PlainLabel(told, wrap=True, parent=self),
            lay_row(column, (self.whose, 1), spacing=8),
            self.first,
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

    def _follow(self) -> None:
        self.rows.setEnabled(self.several.isChecked())
        self.whose.setEnabled(not self.each.isChecked())
