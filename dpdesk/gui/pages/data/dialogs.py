"""The dialog of the Data page on answers that may not fit."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtWidgets import QDialog, QFormLayout, QWidget

from dpdesk.gui.widgets.boxes import dialog_buttons, lay_column
from dpdesk.gui.widgets.number_box import RealBox
from dpdesk.gui.widgets.plain_text import PlainLabel


class AllowedUnfit(QDialog):
    """Asks how many answers of a column may be outside its domain.

    Args:
        allowed: The current share.
        parent: The window it belongs to.
    """

    def __init__(self, allowed: Decimal, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Answers that may not fit"))
        meaning = self.tr(
            "Answers that cannot be read or lie outside the domain of their column are counted. "
            "Where they are more than this share, nothing is released: the domain, or how the "
            "file is read, is then likely to be wrong."
        )
        self.share = RealBox(self)
        self.share.setRange(0.0, 100.0)
        self.share.setDecimals(2)
        self.share.setSuffix(self.tr(" % of a column"))
        self.share.setValue(float(100 * allowed))
        form = QFormLayout()
        form.addRow(self.tr("At &most"), self.share)
        lay_column(
            PlainLabel(meaning, wrap=True, parent=self),
            form,
            dialog_buttons(self),
            spacing=12,
            on=self,
        )
        self.setMinimumWidth(440)

    def allowed(self) -> Decimal:
        """The share, from 0 to 1."""
        return (Decimal(repr(self.share.value())) / 100).quantize(Decimal("0.0001"))
