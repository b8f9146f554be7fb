"""A job: a thread, a cancel token and a queue of events, independent of any user interface.

The window drains the queue with one timer, the command line with a progress bar. A task is a
function of a `Tracker`; the tracker is its only link to the outside.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from dpdesk import crash
from dpdesk.errors import Cancelled, DpdeskError


@dataclass(frozen=True, slots=True)
class Started:
    """The job began."""

    title: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a job.

    Attributes:
        stage: The current step, for people.
        done: Share done, 0..1.
        seconds_left: Estimated time left; None while it is unknown.
    """

    stage: str
    done: float
    seconds_left: float | None


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning for the user while the work goes on; never holds a cell of the data."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The job succeeded; `result` is the return value of the task."""

    result: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """The job failed; it leaves nothing behind."""

    error: DpdeskError


@dataclass(frozen=True, slots=True)
class Stopped:
    """The job was cancelled; it leaves nothing behind."""


Event = Started | Progress | Warned | Finished | Failed | Stopped


class Tracker:
    """The link of a task to the outside: it reports progress and learns of a cancel.

    Args:
        report: Receives progress and warnings.
        is_cancelled: Returns whether the user cancelled.
    """

    def __init__(
        self,
        report: Callable[[Progress | Warned], None],
        is_cancelled: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._report = report
        self.is_cancelled = is_cancelled
        self._clock = clock
        self._start = clock()

    def tick(self) -> None:
        """Raises `Cancelled` if the user cancelled; cheap, to be called several times a second."""
        if self.is_cancelled():
            raise Cancelled

    def progress(self, stage: str, done: float) -> None:
        """Reports the share done (0..1) of the whole task, and ticks."""
        self.tick()
        elapsed = self._clock() - self._start
        left = elapsed * (1 - done) / done if done > 0 else None
        self._report(Progress(stage, done, left))

    def warn(self, sentence: str) -> None:
        """Warns the user while the work goes on."""
        self._report(Warned(sentence))


Task = Callable[[Tracker], Any]


def untracked() -> Tracker:
    """Returns a tracker for a task without progress and cancel."""
    return Tracker(lambda _: None, lambda: False)


class Job:
    """Runs a task in a thread of its own.

    Attributes:
        events: Queue of events in order; the last one is Finished, Failed or Stopped.
    """

    def __init__(self, title: str, task: Task) -> None:
        self.title = title
        self.events: SimpleQueue[Event] = SimpleQueue()
        self._task = task
        self._cancel = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"dpdesk {title}", daemon=True)

    def start(self) -> None:
        """Starts the thread; a job runs once."""
        self._thread.start()

    def cancel(self) -> None:
        """Asks the task to stop at its next tick."""
        self._cancel.set()

    def join(self, timeout: float | None = None) -> bool:
        """Waits for the thread; returns whether it has ended."""
        if self._thread.ident is not None:
            self._thread.join(timeout)
        return not self._thread.is_alive()

    @property
    def is_running(self) -> bool:
        """Whether the thread is alive."""
        return self._thread.is_alive()

    def _run(self) -> None:
        self.events.put(Started(self.title))
        try:
            result = self._task(Tracker(self.events.put, self._cancel.is_set))
        except Cancelled:
            self.events.put(Stopped())
        except DpdeskError as error:
            self.events.put(Failed(error))
        except MemoryError:
            self.events.put(Failed(DpdeskError("There is not enough memory for this.")))
        except Exception as error:  # noqa: BLE001 - the window must live, whatever a task does
            # Only the type is passed on: texts of foreign exceptions can quote the data.
            self.events.put(Failed(crash.unexpected(error)))
        else:
            self.events.put(Finished(result))
