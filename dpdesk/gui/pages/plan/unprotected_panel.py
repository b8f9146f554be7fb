"""The panel of an attribute without protection: what that means, and what one can do."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from dpdesk.domains import domain_type
from dpdesk.gui.pages.plan.best_choice import price_of_protection
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.plan import ColumnPlan, Plan


class UnprotectedPanel(QWidget):
    """Explains unassigned, kept and dropped columns, with the ways out.

    Attributes:
        protectWanted: Protect was clicked.
        keepWanted: To release it as it is, or to confirm that, was clicked.
        dropWanted: Drop was clicked.
        protectAllWanted: To protect all unassigned columns was clicked.
    """

    protectWanted = Signal()
    keepWanted = Signal()
    dropWanted = Signal()
    protectAllWanted = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = SeverityMark(size=20, parent=self)
        self._heading = PlainLabel("", "strong", wrap=True, parent=self)
        self._text = PlainLabel("", wrap=True, parent=self)
        self._price = PlainLabel("", "muted", wrap=True, parent=self)
        self.protect = QPushButton(self.tr("&Protect it"), self)
        self.keep = QPushButton(self)
        self.drop = QPushButton(self.tr("&Drop it"), self)
        self.protect_all = QPushButton(self)
        self.protect_all.setProperty("look", "link")
        self.protect_all.clicked.connect(self.protectAllWanted)
        self.protect.clicked.connect(self.protectWanted)
        self.keep.clicked.connect(self.keepWanted)
        self.drop.clicked.connect(self.dropWanted)
        head = lay_row(self._mark, (self._heading, 1), spacing=9)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        for button in (self.protect, self.keep, self.drop):
            buttons.addWidget(button)
        buttons.addStretch(1)
        lay_column(
            head,
            self._text,
            self._price,
            buttons,
            (self.protect_all, 0, Qt.AlignmentFlag.AlignLeft),
            STRETCH,
            spacing=12,
            margins=(0, 10, 0, 0),
            on=self,
        )

    def heading(self) -> str:
        """What the column is, in one line."""
        return self._heading.text()

    def show_column(self, column: ColumnPlan, plan: Plan) -> None:
        """Explains a column of a plan, and what protecting it would cost in error."""
        explain = {
            "unassigned": self._explain_unassigned,
            "keep": self._explain_kept,
            "drop": self._explain_dropped,
            "protect": self._explain_unassigned,
        }[column.role]
        explain(column)
        self._price.setText(price_of_protection(plan, column))
        can_protect = column.effective_domain is not None
        self.protect.setEnabled(can_protect)
        reason = self.tr("A column without a domain cannot be protected: declare one on Data.")
        self.protect.setToolTip("" if can_protect else reason)
        confirm = column.role == "keep" and not column.keep_confirmed
        self.keep.setText(
            self.tr("&Confirm: release it as it is") if confirm else self.tr("&Release it as it is")
        )
        if confirm and column.kept_coarser is not None:
            self.keep.setText(self.tr("&Confirm: release it coarser"))
        self.keep.setVisible(column.role != "keep" or confirm)
        self.drop.setVisible(column.role != "drop")
        # Those that can be: weights and identifiers have no domain.
        open_columns = sum(
            c.role == "unassigned" and c.effective_domain is not None for c in plan.columns
        )
        self.protect_all.setText(
            self.tr("Protect all {count} unassigned attributes").format(count=f"{open_columns:,}")
        )
        self.protect_all.setVisible(column.role == "unassigned" and open_columns > 1)
        # One accent at a time: the way that loses nothing, where it is open.
        _set_primary(self.protect, can_protect)

    def _explain_unassigned(self, column: ColumnPlan) -> None:
        if domain_type(column.kind) is None:
            text = self.tr(
                "No mechanism can protect an identifier or a weight. Drop it, or release it as it "
                "is if everybody may know it."
            )
        else:
            text = self.tr(
                "Protected, every answer is randomized before it is released, and estimates stay "
                "unbiased. Released as it is, the file is not private with respect to it. Dropped, "
                "it does not appear in the file."
            )
        self._show("error", self.tr("Nothing is decided for this attribute yet."), text)

    def _explain_kept(self, column: ColumnPlan) -> None:
        text = self.tr(
            "Every answer is in the released file as it is. There is no differential privacy for "
            "it, and whoever knows it of a person may find that person's row."
        )
        if column.kept_coarser is not None:
            coarser = self.tr(
                "Every answer is in the released file {how}: true, only coarser. There is no "
                "differential privacy for it. Risk, Coarsen changes the level or takes it back."
            )
            text = coarser.format(how=column.kept_coarser.words)
        if column.kind == "weight":
            text += " " + self.tr("Its numbers weight the estimates of the other attributes.")
        severity = "warning" if column.keep_confirmed else "error"
        self._show(severity, self.tr("This attribute is not protected."), text)

    def _explain_dropped(self, _column: ColumnPlan) -> None:
        self._show(
            "info",
            self.tr("This attribute is dropped."),
            self.tr("It is not in the released file, tells nothing of anybody, and costs nothing."),
        )

    def _show(self, severity: str, heading: str, text: str) -> None:
        self._mark.set_severity(severity)
        self._heading.setText(heading)
        self._text.setText(text)


def _set_primary(button: QPushButton, primary: bool) -> None:
    look = "primary" if primary else ""
    if button.property("look") != look:
        button.setProperty("look", look)
        button.style().unpolish(button)
        button.style().polish(button)
