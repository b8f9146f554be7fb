"""An axis that keeps the labels at its two ends."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QRectF

_ROOM = 10.0


class EdgeAxis(pg.AxisItem):  # type: ignore[misc]
    """An upright axis whose first and last label may stand half beyond the plot.

    pyqtgraph drops every label that leaves the axis by a pixel as soon as the grid is shown.
    """

    def boundingRect(self) -> QRectF:
        """The area of the axis with half a line of text above and below."""
        area: QRectF = super().boundingRect()
        return area.adjusted(0, -_ROOM, 0, _ROOM)
