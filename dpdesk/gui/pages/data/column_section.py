"""What the parts of the editor of a column have in common."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.data.desk import ColumnDesk
from dpdesk.gui.theme import ThemeSwitch


class ColumnSection(QWidget):
    """Edits one side of the chosen column; a subclass fills it and keeps this constructor.

    Args:
        desk: The chosen column.
        theme: The switch that icons and signs follow.
        parent: Qt's owner.
    """

    def __init__(
        self, desk: ColumnDesk, theme: ThemeSwitch, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._fill(theme)

    def _fill(self, theme: ThemeSwitch) -> None:
        """Makes the widgets of the section."""
        raise NotImplementedError
