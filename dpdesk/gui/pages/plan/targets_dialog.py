"""The errors that one can live with, attribute by attribute, and the least epsilon for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from dpdesk.domains import parse_number
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.typed_table import TypedModel, TypedTable
from dpdesk.plan import Plan
from dpdesk.preview import RESPONDENTS_ASSUMED, error_text, figures, request_for


class TargetsDialog(QDialog):
    """Takes an error for each attribute that has one; the others keep their epsilon.

    Args:
        plan: The plan in force.
        solve: Tries errors by the names of columns, and returns why they cannot be met, or "".
        parent: The window it belongs to.
    """

    def __init__(
        self, plan: Plan, solve: Callable[[Mapping[str, float]], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._solve = solve
        self._names = [column.name for column in plan.protected]
        self.setWindowTitle(self.tr("Epsilon for errors"))
        self.resize(520, 480)
        self.model = TypedModel.last_typed(
            (self.tr("Attribute"), self.tr("95 % error now"), self.tr("Wanted")),
            [(column.title, _error_now(plan, column.name)) for column in plan.protected],
            [""] * len(self._names),
            self,
        )
        name = self.tr("Errors that are wanted")
        self.table = TypedTable(name, self.model, parent=self)
        self.table.setColumnWidth(1, 130)
        self._refusal = RefusalLabel(parent=self)
        buttons = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(buttons.Ok | buttons.Cancel, parent=self)
        self.buttons.button(buttons.Ok).setText(self.tr("&Set the least epsilons"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.model.dataChanged.connect(lambda *_: self._refusal.show_sentence(""))
        lay_column(
            PlainLabel(self._meaning(plan), "muted", wrap=True, parent=self),
            (self.table, 1),
            self._refusal,
            self.buttons,
            spacing=8,
            margins=None,
            on=self,
        )

    def refusal(self) -> str:
        """Why the errors cannot be met; empty while nothing was refused."""
        return self._refusal.text()

    def accept(self) -> None:
        """Closes if every error can be met."""
        wanted: dict[str, float] = {}
        for name, text in zip(self._names, self.model.typed(), strict=True):
            if not text:
                continue
            number = parse_number(text)
            number = parse_number(text, ",") if number is None else number
            if number is None:
                self._refusal.show_sentence(
                    self.tr("{name}: type the error as a number, such as 2.5.").format(name=name)
                )
                return
            wanted[name] = number
        sentence = self._solve(wanted) if wanted else self.tr("Type an error for an attribute.")
        self._refusal.show_sentence(sentence)
        if not sentence:
            super().accept()

    def _meaning(self, plan: Plan) -> str:
        count = plan.respondents
        people = (
            self.tr("{count} respondents, assumed since the plan states none")
            if count is None
            else self.tr("{count} respondents")
        ).format(count=f"{count or RESPONDENTS_ASSUMED:,}")
        return self.tr(
            "Type the 95 % error that you can live with, in pp or in the attribute's unit, with "
            "{people}. The least total ε that meets them is set, with the best mechanism for "
            "each. Attributes without an error stay as they are."
        ).format(people=people)


def _error_now(plan: Plan, name: str) -> str:
    request = request_for(plan.column(name), plan.respondents, sampling=plan.sampling)
    if request is None:
        return "—"
    found = figures(request)
    return error_text(found.error, found.unit)
