"""Which drawing a picture has, and the state between two pictures."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF

from dpdesk.demonstrations.picture import Bars, Curves, People, Picture, Table
from dpdesk.gui.stage.bars import BarsDrawing
from dpdesk.gui.stage.curves import CurvesDrawing
from dpdesk.gui.stage.drawing import Drawing
from dpdesk.gui.stage.look import Look
from dpdesk.gui.stage.people import PeopleDrawing
from dpdesk.gui.stage.table import TableDrawing

_DRAWINGS: dict[type, type[Drawing[Any]]] = {
    People: PeopleDrawing,
    Curves: CurvesDrawing,
    Bars: BarsDrawing,
    Table: TableDrawing,
}


def drawing_of(picture: Picture, rect: QRectF, look: Look) -> Drawing[Any]:
    """The drawing of a picture in a rectangle."""
    return _DRAWINGS[type(picture)](picture, rect, look)


def share_of_row(picture: Picture) -> float:
    """The width that a picture wants beside another one, relative to that one's."""
    return _DRAWINGS[type(picture)].share


def between(old: Picture, new: Picture, progress: float) -> Picture:
    """The state between two pictures; another kind of picture stands at once."""
    if progress >= 1 or type(old) is not type(new):
        return new
    state: Picture = _DRAWINGS[type(new)].between(old, new, progress)
    return state
