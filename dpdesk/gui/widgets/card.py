"""The surface that content lies on."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from dpdesk.gui.widgets.boxes import lay_column


class Card(QFrame):
    """A rounded surface with a hairline border; cards are never nested.

    Args:
        margin: Space between border and content in pixels; a table that runs to the border
            takes 4.

    Attributes:
        body: The vertical layout that content is added to.
    """

    def __init__(self, *, margin: int = 16, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.body = lay_column(
            spacing=8, margins=(margin, min(margin, 12), margin, min(margin, 14)), on=self
        )
