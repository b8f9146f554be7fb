"""How the answers to a question are expected to be spread: a weight for each category."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from dpdesk.domains import Categorical
from dpdesk.gui.pages.plan.parameter_form import parameter_text
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.typed_table import TypedModel, TypedTable


class ExpectedDialog(QDialog):
    """Declares an expected distribution; wrong weights stay in the dialog to be mended.

    Args:
        title: The attribute.
        domain: The domain that its mechanism sees.
        weights: The weights in force; none where nothing is expected.
        replace: Tries other weights, as typed, and returns why they were refused, or "".
        parent: The window it belongs to.
    """

    def __init__(
        self,
        title: str,
        domain: Categorical,
        weights: Sequence[Decimal],
        replace: Callable[[tuple[str, ...]], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self.setWindowTitle(self.tr("Expected answers"))
        self.resize(460, 480)
        known = len(weights) == domain.size
        self.model = TypedModel.last_typed(
            (self.tr("Answer"), self.tr("Weight")),
            [(domain.label(code),) for code in range(domain.size)],
            [parameter_text(w) for w in weights] if known else [""] * domain.size,
            self,
        )
        self.table = TypedTable(self.tr("Weights of the answers"), self.model, parent=self)
        meaning = self.tr(
            "How often do you expect each answer? Any weights will do, such as 60, 30 and 10. "
            "Declare what is known beforehand, never what the data say: the choice of a "
            "mechanism, and realistic fakes, depend on it."
        )
        self._refusal = RefusalLabel(parent=self)
        buttons = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(buttons.Ok | buttons.Cancel, parent=self)
        self.none = self.buttons.addButton(
            self.tr("Expect &nothing"), QDialogButtonBox.ButtonRole.ResetRole
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.none.clicked.connect(self.model.clear)
        self.model.dataChanged.connect(lambda *_: self._refusal.show_sentence(""))
        lay_column(
            PlainLabel(title, "heading", wrap=True, parent=self),
            PlainLabel(meaning, "muted", wrap=True, parent=self),
            (self.table, 1),
            self._refusal,
            self.buttons,
            spacing=8,
            margins=None,
            on=self,
        )

    def refusal(self) -> str:
        """Why the weights were refused; empty while they were not."""
        return self._refusal.text()

    def accept(self) -> None:
        """Closes if the weights are taken; without any, nothing is expected."""
        texts = tuple(text.replace(",", ".") for text in self.model.typed())
        sentence = self._replace(tuple(text or "0" for text in texts) if any(texts) else ())
        self._refusal.show_sentence(sentence)
        if not sentence:
            super().accept()
