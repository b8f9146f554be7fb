"""A thread beside the caller's, for work in order that does not hold Python's lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import ParamSpec, TypeVar

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")

_SECONDS = 0.05
"""How often a cancel is looked for while the caller waits."""


class SideThread:
    """Runs tasks one after the other in a thread of its own, a few ahead of the caller.

    What a task makes depends on the order of the tasks alone, never on when they run.

    Args:
        name: Name of the thread.
        tick: Called in the caller's thread while it waits; may raise to cancel.
        ahead: Most tasks that were given and have not ended.
    """

    def __init__(self, name: str, tick: Callable[[], object], ahead: int = 2) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=f"dpdesk {name}")
        self._tick, self._ahead = tick, ahead
        self._given: deque[Future[object]] = deque()

    def run(
        self, task: Callable[_Given, _Made], *given: _Given.args, **named: _Given.kwargs
    ) -> Future[_Made]:
        """Gives a task to the thread; waits while it has enough to do.

        Whatever an earlier task raised is raised here, or by `finish`.
        """
        while len(self._given) >= self._ahead:
            self._settle()
        future = self._pool.submit(task, *given, **named)
        self._given.append(future)  # type: ignore[arg-type]
        return future

    def result(self, future: Future[_Made]) -> _Made:
        """Returns what a task made, as soon as it has ended; raises what it raised."""
        while not wait((future,), timeout=_SECONDS).done:
            self._tick()
        return future.result()

    def finish(self) -> None:
        """Waits until all tasks have ended."""
        while self._given:
            self._settle()

    def stop(self) -> None:
        """Ends the thread: waits for the task that runs, and forgets those that have not begun."""
        self._given.clear()
        self._pool.shutdown(cancel_futures=True)

    def _settle(self) -> None:
        self.result(self._given[0])
        self._given.popleft()
