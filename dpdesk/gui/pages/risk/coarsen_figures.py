"""The file before and after side by side, and what it comes to in words."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from dpdesk.disclosure.facts import risk_facts
from dpdesk.facts import compared as side_by_side
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.preview.coarser import CoarseAnswer


def tr(text: str) -> str:
    """Translates a text of this file."""
    return QCoreApplication.translate("CoarsenFigures", text)


@dataclass(frozen=True)
class Compared:
    """One figure of the file before and after.

    Attributes:
        name: What it is.
        before, after: It, as text.
    """

    name: str
    before: str
    after: str


class ComparedModel(RowModel[Compared]):
    """One row per figure."""

    def text(self, row: Compared, column: int) -> str:
        return (row.name, row.before, row.after)[column]

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("The file")),
            Head(self.tr("before"), number=True),
            Head(self.tr("after"), number=True),
        )


def compared(answer: CoarseAnswer) -> tuple[Compared, ...]:
    """Returns the figures of the file before and after."""
    comparison = answer.comparison
    lines = side_by_side(risk_facts(comparison.before), risk_facts(comparison.after))
    rows = [Compared(*line) for line in lines]
    for names, error in answer.comparison.tables:
        told = tr("{table}: records in another cell").format(table=" × ".join(names))
        rows.append(Compared(told, "0 %", f"{100 * error:.1f} %"))
    rows += [Compared(tr(head), "", text) for head, text in answer.outcome.figures]
    return tuple(rows)


def verdict(answer: CoarseAnswer | None) -> str:
    """Returns what is lost, in words."""
    if answer is None:
        return tr(
            "Find best looks at all levels of the known columns. Then each level can be changed by "
            "hand."
        )
    loss = answer.comparison.loss
    share = f"{100 * loss.suppressed / answer.comparison.before.rows:.1f} %"
    words = tr("{bits} of what these columns tell is lost; {count} records ({share}) are left out.")
    told = words.format(
        bits=f"{100 * loss.entropy:.0f} %", count=f"{loss.suppressed:,}", share=share
    )
    if answer.outcome.is_best:
        told += " " + tr("No other levels lose less.")
    if answer.too_many:
        more = tr("That is {count} more than may be.")
        told += " " + more.format(count=f"{answer.too_many:,}")
    return told


def disclosed(answer: CoarseAnswer | None) -> str:
    """Returns whose sensitive answer still follows from the group, and the remedy; "" for none."""
    if answer is None:
        return ""
    told = [one for one in answer.comparison.after.sensitive if one.rows_disclosed]
    if not told:
        return ""
    worst = max(told, key=lambda one: one.rows_disclosed)
    words = (
        tr("For 1 person the answer to {name} still follows from the group: raise l to 2.")
        if worst.rows_disclosed == 1
        else tr(
            "For {count} people the answer to {name} still follows from their group: raise l to 2."
        )
    )
    return words.format(count=f"{worst.rows_disclosed:,}", name=worst.column)
