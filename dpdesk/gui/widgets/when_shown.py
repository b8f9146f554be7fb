"""What nobody sees waits: a widget follows the document at once, or when it is shown again."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget


class WhenShown(QObject):
    """Runs something at once while a widget is visible, else when it is shown the next time.

    Args:
        widget: Whose visibility decides.
        run: Brings the widget up to date.
    """

    def __init__(self, widget: QWidget, run: Callable[[], None]) -> None:
        super().__init__(widget)
        self._widget = widget
        self._run = run
        self._stale = False
        widget.installEventFilter(self)

    def request(self, *_changed: object) -> None:
        """Runs it now, or notes that the widget is stale; takes what any signal emits."""
        self._stale = not self._widget.isVisible()
        if not self._stale:
            self._run()

    def flush(self) -> None:
        """Runs it now if the widget is stale: somebody asks what it holds."""
        if self._stale:
            self._stale = False
            self._run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self.flush()
        return super().eventFilter(watched, event)
