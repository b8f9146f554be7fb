"""The ledger beside the window."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from dpdesk.gui.pages.release.ledger_view import LedgerView
from dpdesk.gui.theme import ThemeSwitch


class LedgerDialog(QDialog):
    """Shows the ledger without standing in the way of the window.

    Args:
        theme: The switch that the colours follow.
        parent: The window.
    """

    def __init__(self, theme: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Ledger"))
        self.setModal(False)
        self.setMinimumSize(760, 480)
        self.resize(860, 600)
        self.view = LedgerView(theme, parent=self)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, parent=self)
        buttons.rejected.connect(self.reject)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 16, 16, 12)
        whole.setSpacing(12)
        whole.addWidget(self.view, 1)
        whole.addWidget(buttons)

    def show_ledger(self, name: str = "") -> None:
        """Shows the dialog with a population, read anew."""
        self.view.show_ledger(name)
        self.show()
        self.raise_()
        self.activateWindow()
