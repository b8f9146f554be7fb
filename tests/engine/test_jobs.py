from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import count

import pytest

from dpdesk.engine import Event, Failed, Finished, Job, Progress, Started, Stopped, Tracker
from dpdesk.engine.jobs import untracked
from dpdesk.errors import Cancelled, DpdeskError, InputError


def events_of(task: Callable[[Tracker], object]) -> list[Event]:
    job = Job("a title", task)
    job.start()
    assert job.join(60)
    events = []
    while not job.events.empty():
        events.append(job.events.get_nowait())
    return events


def failure_of(task: Callable[[Tracker], object]) -> DpdeskError:
    *_, last = events_of(task)
    assert isinstance(last, Failed)
    return last.error


def test_that_a_job_tells_of_its_start_its_progress_and_its_result_in_this_order():
    def task(tracker: Tracker) -> str:
        tracker.progress("one", 0.25)
        tracker.progress("two", 0.5)
        return "the result"

    started, one, two, finished = events_of(task)
    assert started == Started("a title")
    assert isinstance(one, Progress)
    assert isinstance(two, Progress)
    assert [(p.stage, p.done) for p in (one, two)] == [("one", 0.25), ("two", 0.5)]
    assert finished == Finished("the result")


def test_that_a_cancelled_job_stops_at_its_next_tick():
    reached, go_on = threading.Event(), threading.Event()
    after = []

    def task(tracker: Tracker) -> None:
        reached.set()
        assert go_on.wait(60)
        tracker.tick()
        after.append("the task went on")

    job = Job("to be cancelled", task)
    job.start()
    assert reached.wait(60)
    assert job.is_running
    assert not job.join(0)
    job.cancel()
    go_on.set()
    assert job.join(60)
    assert not job.is_running
    assert job.events.get_nowait() == Started("to be cancelled")
    assert job.events.get_nowait() == Stopped()
    assert job.events.empty()
    assert after == []


def test_that_a_job_still_running_does_not_keep_the_program_from_ending():
    go_on = threading.Event()
    job = Job("to be left", lambda _: go_on.wait(60))
    job.start()
    (thread,) = (one for one in threading.enumerate() if one.name == "dpdesk to be left")
    assert job.is_running
    assert thread.daemon
    go_on.set()
    assert job.join(60)


def test_that_a_job_cancelled_before_its_start_does_nothing_beyond_its_first_tick():
    job = Job("too late", lambda tracker: tracker.tick())
    job.cancel()
    assert job.join()
    job.start()
    assert job.join(60)
    assert [job.events.get_nowait() for _ in range(2)] == [Started("too late"), Stopped()]


def test_that_a_cancel_after_the_last_tick_leaves_the_result():
    reached, go_on = threading.Event(), threading.Event()

    def task(tracker: Tracker) -> int:
        reached.set()
        assert go_on.wait(60)
        return 7

    job = Job("done already", task)
    job.start()
    assert reached.wait(60)
    job.cancel()
    go_on.set()
    assert job.join(60)
    job.events.get_nowait()
    assert job.events.get_nowait() == Finished(7)


def test_that_an_error_for_the_user_arrives_as_it_is():
    error = InputError("Line 3 has 2 fields.", line=3, remedy="Correct the line.")

    def task(tracker: Tracker) -> None:
        raise error

    assert failure_of(task) is error


@pytest.mark.parametrize("kind", [ValueError, KeyError, OSError, ZeroDivisionError])
def test_that_the_text_of_a_foreign_error_is_never_passed_on(kind: type[Exception]):
    def task(tracker: Tracker) -> None:
        raise kind("the answer of respondent 17: HIV positive")

    error = failure_of(task)
    assert "HIV" not in str(error)
    assert kind.__name__ in str(error)
    assert error.remedy


def test_that_a_lack_of_memory_is_told_as_such():
    def task(tracker: Tracker) -> None:
        raise MemoryError

    assert "memory" in str(failure_of(task))


def test_that_the_time_left_follows_from_the_share_done():
    clock = count(100.0, 3.0)
    told: list[Progress] = []
    tracker = Tracker(told.append, lambda: False, lambda: next(clock))
    tracker.progress("begin", 0.0)
    tracker.progress("a quarter", 0.25)
    tracker.progress("the end", 1.0)
    assert [p.seconds_left for p in told] == [None, 6.0 * 3, 0.0]


def test_that_a_cancelled_task_reports_no_more_progress():
    told: list[Progress] = []
    tracker = Tracker(told.append, lambda: True)
    with pytest.raises(Cancelled):
        tracker.progress("never seen", 0.5)
    assert told == []


def test_that_a_task_can_run_with_nobody_watching():
    tracker = untracked()
    tracker.tick()
    tracker.progress("unseen", 0.5)


def test_that_jobs_know_nothing_of_any_screen():
    code = "import sys, dpdesk.engine; print([m for m in sys.modules if 'PySide6' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
