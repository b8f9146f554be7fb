"""Progress on the terminal for work that takes a tracker, and how the user stops it."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from tqdm import tqdm

from dpdesk.cli.terminal import plain
from dpdesk.engine import Progress, Tracker, Warned

_FORMAT = "{desc:<22} {percentage:3.0f}% |{bar}| {remaining} left"
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
def progress_bar(
    is_stopped: Callable[[], bool] = lambda: False, delay: float = 0
) -> Iterator[Tracker]:
    """Gives a tracker whose progress shows on stderr, where that is a terminal.

    Args:
        is_stopped: Returns whether the user asked to stop.
        delay: Seconds before it shows.
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
            bar.set_description_str(progress.stage, refresh=False)
            bar.update(progress.done - bar.n)

        yield Tracker(show, is_stopped)
