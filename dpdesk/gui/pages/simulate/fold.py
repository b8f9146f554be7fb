"""A line that shows and hides what is not needed at first, and remembers it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.gui.icons import IconBond
from dpdesk.gui.settings import Settings


class Fold(QPushButton):
    """Opens and closes a part of a page; all folds of a name stand as the last one was left.

    Args:
        name: What it is remembered as.
        title: What it hides.
        settings: Where that is remembered.

    Attributes:
        folded: Emitted with whether the part is shown, by the user or when the fold is read again.
    """

    folded = Signal(bool)

    def __init__(
        self, name: str, title: str, settings: Settings, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(title, parent)
        self._name, self._settings = name, settings
        self.setProperty("look", "link")
        self.setCheckable(True)
        self._icon = IconBond(self, "chevron-right", "muted")
        self.recall()
        self._show()
        self.toggled.connect(self._show)
        self.clicked.connect(lambda shown: settings.set_unfolded(name, shown))

    def recall(self) -> None:
        """Takes over how another fold of the name was left."""
        self.setChecked(self._settings.is_unfolded(self._name))

    def _show(self) -> None:
        shown = self.isChecked()
        self._icon.set_icon("chevron-down" if shown else "chevron-right", "muted")
        self.setToolTip(self.tr("Click to hide it") if shown else self.tr("Click to show it"))
        self.folded.emit(shown)
