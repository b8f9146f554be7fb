"""Turns a job's queue of events into signals of Qt: one timer, no locks; a widget with a job."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.engine.jobs import Failed, Finished, Job, Progress, Stopped

_INTERVAL_MS = 30


class JobWatch(QObject):
    """Runs one job at a time and emits its events in the thread of the window.

    Attributes:
        started: Emitted with the title of the job.
        progressed: Emitted with `dpdesk.engine.Progress`, the latest of each interval.
        finished: Emitted with the return value of the task.
        failed: Emitted with the `DpdeskError`.
        stopped: Emitted when the job was cancelled, or ended while another one waited.
        ended: Emitted after each of finished, failed and stopped.
    """

    started = Signal(str)
    progressed = Signal(object)
    finished = Signal(object)
    failed = Signal(object)
    stopped = Signal()
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._waiting: Callable[[], Job] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self._drain)

    @property
    def is_running(self) -> bool:
        """Whether there is a job whose end has not been emitted."""
        return self._job is not None

    @property
    def title(self) -> str:
        """The title of the running job; empty if there is none."""
        return self._job.title if self._job is not None else ""

    def start(self, job: Job) -> None:
        """Starts a job.

        Raises:
            RuntimeError: Another job is running; ask `is_running` first.
        """
        if self._job is not None:
            raise RuntimeError("A watch runs one job at a time.")
        self._waiting = None
        self._job = job
        job.start()
        self._timer.start()
        self.started.emit(job.title)

    def start_instead(self, make: Callable[[], Job]) -> None:
        """Starts a job at once, or after the end of the running one, which is cancelled.

        Of several that wait the last one is started. What the cancelled job found is dropped, even
        if it had ended already: it answers another question.

        Args:
            make: Makes the job when it is started; what is open may have changed by then.
        """
        if self._job is None:
            self.start(make())
            return
        self._waiting = make
        self._job.cancel()

    def cancel(self) -> bool:
        """Asks the running job to stop, and drops one that waits.

        Returns:
            Whether there is a running job; `stopped` follows, or its end if that came before.
        """
        self._waiting = None
        if self._job is None:
            return False
        self._job.cancel()
        return True

    def shut_down(self, timeout: float = 10.0) -> bool:
        """Cancels the job and waits for its thread, without a signal.

        Args:
            timeout: Longest wait in seconds.

        Returns:
            Whether the thread has ended.
        """
        self._timer.stop()
        self._waiting = None
        job, self._job = self._job, None
        if job is None:
            return True
        job.cancel()
        return job.join(timeout)

    def _drain(self) -> None:
        latest: Progress | None = None
        while self._job is not None:
            try:
                event = self._job.events.get_nowait()
            except Empty:
                break
            if isinstance(event, Progress):
                latest = event
            elif isinstance(event, (Finished, Failed, Stopped)):
                self._end(event)
                return
        if latest is not None:
            self.progressed.emit(latest)

    def _end(self, event: Finished | Failed | Stopped) -> None:
        # The watch is free before it emits: a slot may start the next job.
        self._timer.stop()
        self._job = None
        if self._waiting is not None:
            self.stopped.emit()
        elif isinstance(event, Finished):
            self.finished.emit(event.result)
        elif isinstance(event, Failed):
            self.failed.emit(event.error)
        else:
            self.stopped.emit()
        self.ended.emit()
        make, self._waiting = self._waiting, None
        if make is not None and self._job is None:
            self.start(make())


class Working(QWidget):
    """Something that runs one job at a time in the background.

    Attributes:
        watch: Runs the job.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.watch = JobWatch(self)
        # First of all that follow the end: Cancel still has the focus, if it had.
        self.watch.ended.connect(self.settle)

    def settle(self) -> None:
        """Shows what can be done now that the job has ended."""

    def cancel(self) -> bool:
        """Cancels what runs; returns whether there was something."""
        return self.watch.cancel()

    def shut_down(self) -> None:
        """Cancels and joins what runs."""
        self.watch.shut_down()
