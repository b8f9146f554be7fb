"""What draws a picture: laid out once for a rectangle, painted at any moment of a change."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from dpdesk.demonstrations.picture import Picture
from dpdesk.gui.stage.look import Look

Kind = TypeVar("Kind", bound=Picture)


class Drawing(Generic[Kind]):
    """One picture in its rectangle.

    Subclasses say which share of a row they want beside another picture, paint, and know the
    states between two pictures.

    Args:
        picture: The picture as it is in the end; labels stand where they fit then.
        rect: Its room on the screen.
        look: Colours and sizes.
    """

    share: ClassVar[float] = 1.0
    """The width that it wants beside another one, relative to that one's."""

    def __init__(self, picture: Kind, rect: QRectF, look: Look) -> None:
        self.picture = picture
        self.rect = rect
        self.look = look
        self.lay_out()

    def lay_out(self) -> None:
        """Finds the places of all that stands still during a change."""

    def paint(self, painter: QPainter, shown: Kind) -> None:
        """Paints the picture, or a state on the way to it."""
        raise NotImplementedError

    def texts(self) -> list[tuple[str, QRectF]]:
        """Each text that is painted inside, and its room: for tests of cut text."""
        return []

    @staticmethod
    def between(old: Any, new: Any, progress: float) -> Any:
        """The state between two pictures of this kind at a progress from 0 to 1."""
        return new if progress > 0 else old


def mixed(old: float, new: float, progress: float) -> float:
    """The number between two."""
    return old + (new - old) * progress
