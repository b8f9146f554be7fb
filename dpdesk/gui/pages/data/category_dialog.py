"""A list of answers as text: each line holds one category, with its meaning behind a tab."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from dpdesk.domains import Categorical
from dpdesk.errors import ParameterError
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.boxes import dialog_buttons, lay_column
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel


def text_of_categories(domain: Categorical) -> str:
    """Returns the list of a domain as text."""
    lines = []
    for value in domain.values:
        label = domain.labels.get(value)
        lines.append(f"{value}\t{label}" if label else value)
    return "\n".join(lines)


def categories_of_text(text: str) -> Categorical:
    """Reads a list: one category a line, its meaning behind a tab; empty lines are ignored.

    Blanks around a category are removed.

    Raises:
        ParameterError: A line repeats a category or has none, or there are fewer than two.
        pydantic.ValidationError: A category or the list is too long.
    """
    values: dict[str, int] = {}
    labels: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        value, _, label = (part.strip() for part in line.partition("\t"))
        if not value:
            raise ParameterError(
                f"Line {number} has a meaning and no category.",
                remedy="Type the category before the tab.",
            )
        if value in values:
            raise ParameterError(
                f"Line {number} repeats the category of line {values[value]}.",
                remedy="List each category once.",
            )
        values[value] = number
        if label:
            labels[value] = label
    if len(values) < 2:
        raise ParameterError("The list has fewer than two categories.", remedy="List at least two.")
    return Categorical(values=tuple(values), labels=labels)


class CategoryDialog(QDialog):
    """Replaces a list of categories as a whole; an invalid list stays in the dialog.

    Args:
        text: The current list.
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
        self.buttons = dialog_buttons(self, self.tr("&Replace the list"))
        self.text.textChanged.connect(lambda: self._refusal.show_sentence(""))
        lay_column(label, (self.text, 1), self._refusal, self.buttons, spacing=8, on=self)

    def refusal(self) -> str:
        """Why the list was refused; empty if it was not."""
        return self._refusal.text()

    def accept(self) -> None:
        """Closes if the list is accepted."""
        try:
            sentence = self._replace(categories_of_text(self.text.toPlainText()))
        except Refused as error:
            sentence = refusal_of(error)
        self._refusal.show_sentence(sentence)
        if not sentence:
            super().accept()
