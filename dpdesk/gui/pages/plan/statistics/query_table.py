"""The table of queries: like that of the attributes, with more room for what is asked."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.plan.attribute_model import EPSILON, ERROR, MECHANISM, TYPE
from dpdesk.gui.pages.plan.attribute_table import AttributeTable
from dpdesk.gui.pages.plan.statistics.query_model import QueryModel
from dpdesk.gui.theme import ThemeSwitch

# Widths at 10 pt, measured with "24 numbers", "Discrete Laplace", a lock before "0.8889" and
# "± 0.047 pp"; the first column takes the rest.
_WIDTHS = {TYPE: 92, MECHANISM: 122, EPSILON: 78, ERROR: 92}
_NARROW = {TYPE: 0, MECHANISM: 78, EPSILON: 68, ERROR: 96}
_NARROW_BELOW = 540


class QueryTable(AttributeTable):
    """Questions are longer than names: where room is short, what they give is left out.

    Args:
        model: What is shown.
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(
        self, model: QueryModel, theme: ThemeSwitch, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, theme, name=self.tr("Statistics"), parent=parent)

    def _share_width(self) -> None:
        narrow = self.viewport().width() < _NARROW_BELOW
        for column, width in (_NARROW if narrow else _WIDTHS).items():
            self.setColumnHidden(column, width == 0)
            if width and self.columnWidth(column) != width:
                self.setColumnWidth(column, width)
