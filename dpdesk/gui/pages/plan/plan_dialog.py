"""What the dialogs of the Plan page have in common: what they ask, why not, and two buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from dpdesk.gui.widgets.boxes import Button, Item, dialog_buttons, lay_column
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel


class PlanDialog(QDialog):
    """A dialog that closes once what it asks for is taken; what is refused stays, to be mended.

    A subclass makes its widgets, and then calls `_lay_out`.

    Args:
        title: Of the window.
        size: Width and height of the window, in pixels.
        parent: The window it belongs to.

    Attributes:
        buttons: OK and Cancel, if the subclass asks for no others.
    """

    def __init__(self, title: str, size: tuple[int, int], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.resize(*size)
        self._refusal = RefusalLabel(parent=self)

    def refusal(self) -> str:
        """Why what was asked for is refused; empty while it is not."""
        return self._refusal.text()

    def open(self) -> None:
        """Shows the dialog over its window; once closed, it is gone."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        super().open()

    def accept(self) -> None:
        """Closes if what was asked for is taken."""
        sentence = self.attempt()
        self._refusal.show_sentence(sentence)
        if not sentence:
            super().accept()

    def attempt(self) -> str:
        """Puts what was asked for in force; returns why it was refused, or ""."""
        raise NotImplementedError

    def _lay_out(
        self, heading: str, meaning: str, *items: Item, buttons: Button = Button.Ok | Button.Cancel
    ) -> None:
        """Lays out heading and meaning, what is asked, the refusal and the buttons."""
        self.buttons = dialog_buttons(self, kinds=buttons)
        tones = ((heading, "heading"), (meaning, "muted"))
        words = [PlainLabel(text, tone, wrap=True, parent=self) for text, tone in tones if text]
        lay_column(*words, *items, self._refusal, self.buttons, spacing=8, margins=None, on=self)

    def _withdraw_refusal(self) -> None:
        """Takes the sentence away: what it was about has changed."""
        self._refusal.show_sentence("")
