"""The dialog that confirms all domains at once and explains what that means."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QWidget,
)

from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import Plan


class ConfirmDomains(QDialog):
    """Lists what is confirmed: domains, how many of them were read off the data, and the reading.

    Args:
        plan: The current plan.
        parent: The window it belongs to.
    """

    def __init__(self, plan: Plan, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Confirm domains and reading"))
        waiting = [c for c in plan.columns if c.domain is not None and not c.confirmed]
        off_data = sum(column.provenance == "suggested" for column in waiting)
        count = self.tr("{count} domains wait for a confirmation.")
        if len(waiting) == 1:
            count = self.tr("{count} domain waits for a confirmation.")
        meaning = self.tr(
            "A domain is published with the release: its categories and bounds. Confirm only what "
            "everybody may know without having seen the data."
        )
        self.person = QLineEdit(plan.details.confirmed_by, self)
        limit_length(self.person, 1000)
        self.person.setPlaceholderText(self.tr("name, for the report"))
        form = QFormLayout()
        form.addRow(self.tr("Confirmed &by"), self.person)
        kinds = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel, parent=self)
        self.confirm_button = buttons.button(kinds.Ok)
        self.confirm_button.setText(self.tr("&Confirm all"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = lay_column(
            PlainLabel(count.format(count=f"{len(waiting):,}"), "strong", parent=self),
            spacing=10,
            margins=None,
            on=self,
        )
        if off_data:
            warning = self.tr(
                "{count} of them were read off the data: extreme values or rare answers of single "
                "respondents can show in them. Look at these first."
            )
            column.addWidget(
                PlainLabel(warning.format(count=f"{off_data:,}"), "warning", wrap=True, parent=self)
            )
        column.addWidget(PlainLabel(meaning, wrap=True, parent=self))
        if plan.reading is not None and not plan.reading_confirmed:
            read = self.tr(
                "The file is read like this: {reading}. This too was detected from all answers. "
                "You confirm that the file is written this way, whoever answers."
            )
            column.addWidget(
                PlainLabel(read.format(reading=plan.reading.words), wrap=True, parent=self)
            )
        column.addLayout(form)
        column.addWidget(buttons)
        self.setMinimumWidth(460)
