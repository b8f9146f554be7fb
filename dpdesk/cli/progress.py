"""A progress bar on the terminal for work that takes a tracker."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from dpdesk.cli.plain import plain
from dpdesk.engine import Progress, Tracker, Warned

_FORMAT = "{desc:<22} {percentage:3.0f}% |{bar}| {remaining} left"


@contextmanager
def progress_bar() -> Iterator[Tracker]:
    """Gives a tracker whose progress shows on stderr, where that is a terminal."""
    with tqdm(total=1.0, disable=None, leave=False, bar_format=_FORMAT, file=sys.stderr) as bar:

        def show(progress: Progress | Warned) -> None:
            if isinstance(progress, Warned):
                bar.write(f"note: {plain(progress.sentence)}", file=sys.stderr)
                return
            bar.set_description_str(progress.stage, refresh=False)
            bar.update(progress.done - bar.n)

        yield Tracker(show, lambda: False)
