"""The releases of a population as a table for a view."""

from __future__ import annotations

from PySide6.QtCore import QObject

from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.ledger import Model, PastRelease
from dpdesk.report.number_text import epsilon_text

TITLE, TIME, KIND, LOCAL, CENTRAL, DELTA, OUTCOME = range(7)


class LedgerModel(RowModel[PastRelease]):
    """One row per release, the last one on top.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.heads = (
            Head(self.tr("Release")),
            Head(self.tr("When (UTC)")),
            Head(self.tr("What")),
            Head(self.tr("ε local"), self.tr("Loss in the local model"), number=True),
            Head(self.tr("ε central"), self.tr("Loss in the central model"), number=True),
            Head("δ", self.tr("Chance that a loss is larger"), number=True),
            Head(self.tr("Written to")),
        )

    def text(self, row: PastRelease, column: int) -> str:
        """The text of a cell."""
        if column == TITLE:
            return row.title or self.tr("untitled")
        if column == TIME:
            return f"{row.time:%Y-%m-%d %H:%M}"
        if column == KIND:
            kinds = {"records": self.tr("records"), "statistics": self.tr("statistics")}
            return kinds[row.kind]
        if column in (LOCAL, CENTRAL):
            model: Model = "local" if column == LOCAL else "central"
            is_touched = any(cost.model == model for cost in row.costs)
            return epsilon_text(row.cost(model)) if is_touched else "—"
        if column == DELTA:
            deltas = [cost.delta for cost in row.costs if cost.delta]
            return f"{sum(deltas):g}" if deltas else "0"
        outcomes = {
            "open": self.tr("not known"),
            "written": row.where.replace("\\", "/").rsplit("/", 1)[-1],
            "shown": self.tr("shown"),
            "cancelled": self.tr("cancelled"),
            "failed": self.tr("failed"),
        }
        return outcomes[row.outcome]

    def tooltip(self, row: PastRelease, column: int) -> str:
        """The whole path, and by whom each loss is bounded."""
        if column == OUTCOME:
            meanings = {
                "open": self.tr("The release still ran, or the program ended, after the charge."),
                "shown": self.tr("Shown on a terminal and not written."),
                "cancelled": self.tr("Cancelled after the draw had begun: it stays charged."),
                "failed": self.tr("Failed after the draw had begun: it stays charged."),
            }
            return row.where or meanings.get(row.outcome, "")
        units = "\n".join(f"{cost.unit}; {cost.relation}" for cost in row.costs)
        return "\n".join(filter(None, (row.title, row.id, units)))
