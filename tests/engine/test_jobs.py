from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from dpdesk import crash
from dpdesk.engine import Event, Failed, Finished, Job, Progress, Started, Stopped, Tracker
from dpdesk.engine.jobs import Warned, untracked
from dpdesk.errors import Cancelled, DpdeskError, InputError
from tests.patience import HANG


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where errors are noted, by this test alone."""
    monkeypatch.setattr(crash, "log_path", lambda: tmp_path / "errors.log")
    return tmp_path / "errors.log"


def events_of(task: Callable[[Tracker], object]) -> list[Event]:
    job = Job("a title", task)
    job.start()
    assert job.join(HANG)
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
        assert go_on.wait(HANG)
        tracker.tick()
        after.append("the task went on")

    job = Job("to be cancelled", task)
    job.start()
    assert reached.wait(HANG)
    assert job.is_running
    assert not job.join(0)
    job.cancel()
    go_on.set()
    assert job.join(HANG)
    assert not job.is_running
    assert job.events.get_nowait() == Started("to be cancelled")
    assert job.events.get_nowait() == Stopped()
    assert job.events.empty()
    assert after == []


def test_that_a_job_still_running_does_not_keep_the_program_from_ending():
    code = """
from threading import Event
from dpdesk.engine import Job
begun = Event()
job = Job("to be left", lambda _: (begun.set(), Event().wait()))
job.start()
begun.wait()
print(job.is_running)
"""
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, check=True, timeout=HANG)
    assert done.stdout.strip() == "True"


def test_that_a_job_cancelled_before_its_start_does_nothing_beyond_its_first_tick():
    after = []

    def task(tracker: Tracker) -> None:
        tracker.tick()
        after.append("the task went on")

    job = Job("too late", task)
    job.cancel()
    assert job.join()
    job.start()
    assert job.join(HANG)
    assert [job.events.get_nowait() for _ in range(2)] == [Started("too late"), Stopped()]
    assert job.events.empty()
    assert after == []


def test_that_a_cancel_after_the_last_tick_leaves_the_result():
    reached, go_on = threading.Event(), threading.Event()

    def task(tracker: Tracker) -> int:
        reached.set()
        assert go_on.wait(HANG)
        return 7

    job = Job("done already", task)
    job.start()
    assert reached.wait(HANG)
    job.cancel()
    go_on.set()
    assert job.join(HANG)
    assert [job.events.get_nowait() for _ in range(2)] == [Started("done already"), Finished(7)]
    assert job.events.empty()


def test_that_an_error_for_the_user_arrives_as_it_is():
    error = InputError("Line 3 has 2 fields.", line=3, remedy="Correct the line.")

    def task(tracker: Tracker) -> None:
        raise error

    assert failure_of(task) is error


@pytest.mark.parametrize("kind", [ValueError, KeyError, OSError, ZeroDivisionError])
def test_that_the_text_of_a_foreign_error_is_never_passed_on(kind: type[Exception], log: Path):
    def task(tracker: Tracker) -> None:
        raise kind("the answer of respondent 17: HIV positive")

    error = failure_of(task)
    assert "HIV" not in f"{error!r}{error}{error.remedy}"
    assert kind.__name__ in str(error)
    assert error.remedy
    assert (error.__cause__, error.__context__) == (None, None)
    noted = log.read_text(encoding="utf-8")
    assert f"builtins.{kind.__name__}\n" in noted
    assert "HIV" not in noted


def test_that_a_lack_of_memory_is_told_as_such(log: Path):
    def task(tracker: Tracker) -> None:
        raise MemoryError

    error = failure_of(task)
    assert "memory" in str(error)
    # It is no unexpected error, whose kind would be named and noted.
    assert "MemoryError" not in str(error)
    assert not log.exists()


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
    tracker.warn("unseen as well")
    assert not tracker.is_cancelled()


def test_that_a_warning_comes_between_the_start_and_the_result():
    events = events_of(lambda tracker: tracker.warn("Three rows are empty."))
    assert events == [Started("a title"), Warned("Three rows are empty."), Finished(None)]


def test_that_jobs_know_nothing_of_any_screen():
    code = "import sys, dpdesk.engine; print([m for m in sys.modules if 'PySide6' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
