"""What follows a hand on a slider, and how soon.

The view and the panel that the hand looks at follow once per frame, what stands beside them five
times a second; what is judged, searched for or advised follows when the hand rests.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

FRAME = 16
"""Milliseconds between two repaints: one frame of a usual screen."""

BESIDE_INTERVAL = 200
"""Milliseconds between two looks at what stands beside: it is read, not watched."""

_REST_MS = 100
"""Milliseconds without a step after which a slider rests."""


class Throttle(QObject):
    """Runs something at most once per frame, or per a longer interval.

    A debounce would show nothing while a slider moves; here the first step shows at once and
    the last step always does.

    Args:
        run: What is run.
        interval: Milliseconds between two runs.
    """

    def __init__(self, run: Callable[[], None], parent: QObject, interval: int = FRAME) -> None:
        super().__init__(parent)
        self._run = run
        self._interval = interval
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._fire)

    def request(self) -> None:
        """Runs it now, or at the end of the current interval."""
        if self._timer.isActive():
            return
        rest = self._interval - self._since.elapsed() if self._since.isValid() else 0
        if rest <= 0:
            self._fire()
        else:
            self._timer.start(rest)

    def flush(self) -> None:
        """Runs it now, whether it was requested or not."""
        self._timer.stop()
        self._fire()

    def catch_up(self) -> None:
        """Runs it now if it was requested and waits for the end of the interval."""
        if self._timer.isActive():
            self.flush()

    def _fire(self) -> None:
        self._since.start()
        self._run()


class Rest(QTimer):
    """Runs something once a slider, or the window, rests, which every start puts off.

    Args:
        run: What is run.
    """

    def __init__(self, run: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self.setInterval(_REST_MS)
        self.timeout.connect(run)

    def flush(self) -> None:
        """Runs it now if it waits."""
        if self.isActive():
            self.stop()
            self.timeout.emit()
