"""How often each attack was right, as a table model."""

from __future__ import annotations

from PySide6.QtCore import QObject

from dpdesk.engine.simulate.attack import AttackOutcome, AttackResult
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.preview import at_most, significant

VARIANT, NOMINAL, RECORD, RIGHT, INTERVAL, AGAINST = range(6)


class AttackModel(RowModel[AttackOutcome]):
    """One row per variant and epsilon.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._baseline = 1.0
        self.heads = (
            Head(self.tr("Variant")),
            Head(self.tr("ε of the papers"), number=True),
            Head(self.tr("ε of the record"), number=True),
            Head(self.tr("Right"), number=True),
            Head(self.tr("95 % interval"), number=True),
            Head(self.tr("Against chance"), number=True),
        )

    def set_result(self, result: AttackResult | None) -> None:
        """Shows the outcomes of another attack; None for none."""
        self._baseline = 1.0 if result is None else result.baseline
        self.show_rows(() if result is None else result.outcomes)

    def text(self, row: AttackOutcome, column: int) -> str:
        """The text of a cell."""
        if column == VARIANT:
            return row.title
        if column == NOMINAL:
            return significant(row.nominal_epsilon, 3)
        if column == RECORD:
            return at_most(row.record_epsilon)
        if column == RIGHT:
            return percent_text(row.accuracy)
        if column == INTERVAL:
            template = self.tr("{lower} to {upper}")
            return template.format(lower=percent_text(row.lower), upper=percent_text(row.upper))
        if row.lower <= self._baseline <= row.upper:
            return self.tr("no better")
        ratio = significant(row.accuracy / self._baseline, 2)
        return self.tr("{ratio} ×").format(ratio=ratio)


def percent_text(share: float) -> str:
    """A share in per cent with one digit, as its error allows for thousands of respondents."""
    return f"{100 * share:.1f}\u00a0%"
