from __future__ import annotations

import threading
from concurrent.futures import CancelledError

import pytest

from dpdesk.data.side_thread import SideThread
from dpdesk.errors import Cancelled


def test_that_tasks_run_in_their_order_in_one_other_thread() -> None:
    side, seen = SideThread("test", lambda: None), []
    futures = [
        side.run(lambda n: seen.append((n, threading.current_thread().name)) or n * n, n)
        for n in range(20)
    ]
    side.finish()
    assert [future.result() for future in futures] == [n * n for n in range(20)]
    assert [n for n, _ in seen] == list(range(20))
    assert len({name for _, name in seen}) == 1
    assert threading.current_thread().name not in {name for _, name in seen}
    side.stop()


def test_that_the_caller_is_no_more_than_some_tasks_ahead() -> None:
    waits = threading.Event()

    def cancel() -> None:
        raise Cancelled

    side = SideThread("test", cancel, ahead=2)
    side.run(waits.wait)
    side.run(waits.wait)
    # A third one would have to wait, and a cancel is noticed meanwhile.
    with pytest.raises(Cancelled):
        side.run(waits.wait)
    waits.set()
    side.stop()


def test_that_what_a_task_raises_is_raised_at_the_next_one_or_at_the_end() -> None:
    def fail() -> None:
        raise OSError(28, "No space left on device")

    side = SideThread("test", lambda: None, ahead=1)
    side.run(fail)
    with pytest.raises(OSError, match="No space"):
        side.run(lambda: None)
    side.stop()
    side = SideThread("test", lambda: None)
    side.run(fail)
    with pytest.raises(OSError, match="No space"):
        side.finish()
    side.stop()


def test_that_tasks_that_have_not_begun_are_forgotten_at_a_stop() -> None:
    waits, begun, seen = threading.Event(), threading.Event(), []
    side = SideThread("forgets", lambda: None, ahead=5)

    def first() -> None:
        begun.set()
        waits.wait()

    side.run(first)
    later = side.run(seen.append, 1)
    begun.wait()
    stopping = threading.Thread(target=side.stop)
    stopping.start()
    with pytest.raises(CancelledError):
        later.result()
    waits.set()
    stopping.join()
    assert seen == []
    assert not any("forgets" in thread.name for thread in threading.enumerate())
