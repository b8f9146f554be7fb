"""The list of answers as text, typed or pasted."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from dpdesk.domains import Categorical
from dpdesk.gui.pages.data.category_text import categories_of_text
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel


class CategoryDialog(QDialog):
    """Replaces a list of categories as a whole; a wrong list stays in the dialog to be mended.

    Args:
        text: The list that one begins with.
        replace: Tries another domain and returns why it was refused, or "".
        parent: The window it belongs to.
    """

    def __init__(
        self, text: str, replace: Callable[[Categorical], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self.setWindowTitle(self.tr("List of answers"))
        self.resize(520, 460)
        self.text = QPlainTextEdit(text, self)
        self.text.setAccessibleName(self.tr("List of answers"))
        self.text.setTabChangesFocus(False)
        label = PlainLabel(
            self.tr("&One category a line. What it means may follow after a tab."),
            wrap=True,
            parent=self,
        )
        label.setBuddy(self.text)
        self._refusal = RefusalLabel(parent=self)
        buttons = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(buttons.Ok | buttons.Cancel, parent=self)
        self.buttons.button(buttons.Ok).setText(self.tr("&Replace the list"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.text.textChanged.connect(lambda: self._refusal.show_sentence(""))
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addWidget(label)
        column.addWidget(self.text, 1)
        column.addWidget(self._refusal)
        column.addWidget(self.buttons)

    def refusal(self) -> str:
        """Why the list was refused; empty while it was not."""
        return self._refusal.text()

    def accept(self) -> None:
        """Closes if the list is taken."""
        try:
            sentence = self._replace(categories_of_text(self.text.toPlainText()))
        except Refused as error:
            sentence = refusal_of(error)
        self._refusal.show_sentence(sentence)
        if not sentence:
            super().accept()
