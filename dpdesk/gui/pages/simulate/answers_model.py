"""The answers of a design as rows: who gives them, and what they make of a belief."""

from __future__ import annotations

from PySide6.QtCore import QObject

from dpdesk.designs.law import CARRIER
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.preview import at_most, belief_text, share_text, significant
from dpdesk.preview.survey.betrayal import AnswerShown, BetrayalView

ANSWER, GIVEN, LIKELIER, BELIEF = range(4)
_HALF = 0.5


class AnswersModel(RowModel[AnswerShown]):
    """One row for each answer that can occur.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.heads = (
            Head(self.tr("Answer")),
            Head(self.tr("Given by"), number=True),
            Head(self.tr("Likelier of")),
            Head(self.tr("Carriers among them"), number=True),
        )

    def show_view(self, view: BetrayalView) -> None:
        """Shows the answers of a view."""
        self.show_rows(view.answers, same=True)

    def proven(self, answer: AnswerShown) -> str:
        """What an answer that is a proof proves, in words."""
        if answer.jeopardy.rules_out == CARRIER:
            return self.tr("no carrier")
        return self.tr("a carrier")

    def text(self, row: AnswerShown, column: int) -> str:
        """The text of a cell."""
        if column == ANSWER:
            said = f"“{row.spoken}”"
            return f"{said} ({row.group})" if row.group else said
        if column == GIVEN:
            return share_text(row.chance)
        if column == LIKELIER:
            return self._likelier(row)
        return belief_words(row.belief)

    def tooltip(self, row: AnswerShown, column: int) -> str:
        """The text of a cell, which may not have room for it."""
        return self.text(row, column)

    def _likelier(self, answer: AnswerShown) -> str:
        jeopardy = answer.jeopardy
        if jeopardy.ratio is None:
            return self.tr("a proof: {what}").format(what=self.proven(answer))
        if jeopardy.ratio == 1:
            return self.tr("nobody")
        return self.tr("{state}, {ratio} ×").format(
            state=self.tr(jeopardy.points_to), ratio=at_most(float(jeopardy.ratio))
        )


def belief_words(belief: float) -> str:
    """A belief in per cent; the certainty that a proof gives is printed as such."""
    if belief in {0.0, 1.0}:
        return f"{100 * belief:.0f} %"
    return belief_text(belief) if belief > _HALF else f"{significant(100 * belief, 2)} %"
