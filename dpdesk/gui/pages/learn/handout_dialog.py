"""The handout of a demonstration: looked at, then printed or saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from dpdesk.gui.paper import PaperDialog

if TYPE_CHECKING:
    from dpdesk.demonstrations import Demonstration


class HandoutDialog(PaperDialog):
    """Shows the handout and saves it.

    Args:
        demonstration: The demonstration, with the presenter's question and data.
        parent: The window that it belongs to.
    """

    shows_nothing_private = True

    def __init__(self, demonstration: Demonstration, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._demonstration = demonstration
        self.setWindowTitle(self.tr("Handout"))
        self.show_paper()

    def page(self, *, paper: bool = False) -> str:
        from dpdesk.demonstrations.handout import handout_html

        return handout_html(self._demonstration, paper=paper)

    def title(self) -> str:
        return self._demonstration.title

    def stem(self) -> str:
        return self._demonstration.key
