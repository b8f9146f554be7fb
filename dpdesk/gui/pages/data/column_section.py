"""What the parts of the editor of a column have in common."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.data.desk import ColumnDesk


class ColumnSection(QWidget):
    """Edits one side of the chosen column; a subclass fills it and keeps this constructor.

    Args:
        desk: The chosen column.
        parent: Qt's owner.
    """

    def __init__(self, desk: ColumnDesk, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._fill()

    def _fill(self) -> None:
        """Makes the widgets of the section."""
        raise NotImplementedError
