"""Progress on the terminal for work that takes a tracker, and how the user stops it."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from types import FrameType

from tqdm import tqdm

from dpdesk.cli.terminal import plain
from dpdesk.engine import Progress, Tracker, Warned

_FORMAT = "{desc:<22} {percentage:3.0f}% |{bar}| {remaining} left"
_SECONDS_QUIET = 5.0
"""Work that ends sooner needs no words about its progress."""
_SECONDS_BETWEEN = 30.0
_SECONDS_IN_MINUTES = 100.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Turns Ctrl+C and SIGTERM into a request to stop, which work checks where it can stop cleanly.

    An exception in the middle of the last rename would leave it unclear whether a release exists.
    Work that is past its last check is finished, and reported as done.

    Yields:
        Returns whether the user asked to stop.
    """
    wished = threading.Event()

    def wish(_signal: int, _frame: FrameType | None) -> None:
        wished.set()

    try:
        # A signal that was ignored on purpose, as Ctrl+C in the background, stays ignored.
        heard = [n for n in _SIGNALS if signal.getsignal(n) is not signal.SIG_IGN]
        before = {number: signal.signal(number, wish) for number in heard}
    except ValueError:
        # Only the main thread receives signals.
        yield wished.is_set
        return
    try:
        yield wished.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def reading_bar() -> Iterator[Callable[[float], object]]:
    """Shows how much of some records has been read; gives what is told the part, from 0 to 1."""
    with progress_bar() as tracker:
        yield lambda part: tracker.progress("Reading the records", part)


class ProgressLines:
    """Progress of long work as lines, now and then, where no bar can be drawn.

    Args:
        clock: Returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun = clock()
        self._next = self._begun + _SECONDS_QUIET

    def line(self, progress: Progress) -> str:
        """Returns what is told of some progress; nothing if a line was told just before."""
        now = self._clock()
        if now < self._next or progress.done <= 0:
            return ""
        self._next = now + _SECONDS_BETWEEN
        left = (now - self._begun) * (1 - progress.done) / progress.done
        about = f"{ceil(left / 60)} min" if left >= _SECONDS_IN_MINUTES else f"{ceil(left)} s"
        return f"{progress.stage}: {100 * progress.done:.0f} %, about {about} left"


@contextmanager
def progress_bar(
    is_stopped: Callable[[], bool] = lambda: False,
    delay: float = 0,
    lines: ProgressLines | None = None,
) -> Iterator[Tracker]:
    """Gives a tracker whose progress shows on stderr, where that is a terminal.

    Args:
        is_stopped: Returns whether the user asked to stop.
        delay: Seconds before it shows.
        lines: What tells of it where that is no terminal; None for nothing.
    """
    with tqdm(
        total=1.0,
        disable=None,
        leave=False,
        bar_format=_FORMAT,
        file=sys.stderr,
        delay=delay,
    ) as bar:

        def show(progress: Progress | Warned) -> None:
            if isinstance(progress, Warned):
                bar.write(f"warning: {plain(progress.sentence)}", file=sys.stderr)
                return
            if bar.disable and lines is not None and (line := lines.line(progress)):
                print(plain(line), file=sys.stderr, flush=True)
            bar.set_description_str(progress.stage, refresh=False)
            bar.update(progress.done - bar.n)

        yield Tracker(show, is_stopped)
