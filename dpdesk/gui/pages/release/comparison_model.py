"""Truth beside release for one attribute: for the holder of the data alone."""

from __future__ import annotations

from PySide6.QtCore import QObject

from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.mechanisms import normal_quantile
from dpdesk.release.private import AttributeDiagnostics, Comparison
from dpdesk.report.number_text import MINUS, decimals_for, error_text, number_text, quantity_text

ANSWER, TRUTH, ESTIMATE, DIFFERENCE, NOISE, STANDARDISED = range(6)

_Z = normal_quantile(0.95)


class ComparisonModel(RowModel[Comparison]):
    """One row per share, or one for a mean.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._attribute: AttributeDiagnostics | None = None
        beyond = self.tr("Difference by standard error of the noise: beyond ±2 in 1 of 20 cases")
        self.heads = (
            Head(self.tr("Answer")),
            Head(self.tr("Truth"), number=True),
            Head(self.tr("Released"), number=True),
            Head(self.tr("Difference"), number=True),
            Head(self.tr("95 % noise error"), number=True),
            Head(self.tr("In noise errors"), beyond, number=True),
        )

    def set_attribute(self, attribute: AttributeDiagnostics | None) -> None:
        """Shows another attribute, or none."""
        self._attribute = attribute
        self.show_rows(() if attribute is None else attribute.comparisons)

    def text(self, row: Comparison, column: int) -> str:
        """The text of a cell."""
        assert self._attribute is not None  # noqa: S101 - only rows of an attribute are asked for
        share, unit = self._attribute.quantity == "share", self._attribute.unit
        error = _Z * row.noise_error
        if column == ANSWER:
            return row.label if share else self.tr("Mean")
        if column == TRUTH:
            return quantity_text(row.truth, error, unit, share=share)
        if column == ESTIMATE:
            return quantity_text(row.estimate, error, unit, share=share)
        if column == NOISE:
            sign = "≤" if self._attribute.noise_is_upper_bound else "±"
            return f"{sign} {error_text(error, unit, share=share)}"
        if column == STANDARDISED:
            return "—" if row.standardised is None else _signed(row.standardised, 1)
        scale, sign = (100, "pp") if share else (1, unit)
        text = _signed(scale * row.difference, decimals_for(scale * error))
        return f"{text}\u00a0{sign}" if sign else text

    def tooltip(self, row: Comparison, column: int) -> str:
        """The answer, which may not have room."""
        return row.label if column == ANSWER else ""


def _signed(value: float, decimals: int) -> str:
    text = number_text(value, decimals)
    return text if text.startswith(MINUS) or not text.strip("0.,") else f"+{text}"
