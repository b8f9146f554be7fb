"""A reader in a process of its own: its end is a refusal, and its memory is limited."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from threading import Event

import pytest

from dpdesk.data.own_process import WORD, run_apart
from dpdesk.data.source import no_tick
from dpdesk.errors import InputError
from tests.refusals import refused

ROOM = 256 << 20


def refuse(remedy: str) -> None:
    raise InputError("It is damaged.", line=3, remedy=remedy)


def print_and_add(one: int, other: int) -> int:
    print("what a library prints")
    os.write(1, b"is no answer")
    return one + other


def wait_forever() -> None:
    Event().wait()


def test_that_a_result_or_refusal_comes_back_whole() -> None:
    assert run_apart(ROOM, "a.xls", no_tick, print_and_add, 2, other=3) == 5
    with pytest.raises(InputError, match="It is damaged") as caught:
        run_apart(ROOM, "a.xls", no_tick, refuse, "Copy it.")
    assert (caught.value.line, caught.value.remedy) == (3, "Copy it.")


def test_that_a_reader_that_ends_its_process_is_a_refusal_that_names_the_limit() -> None:
    with refused("data.damaged-or-large", file="a.xls", size=256) as caught:
        run_apart(ROOM, "a.xls", no_tick, os.abort)
    assert caught.value.remedy
    assert caught.value.__context__ is None


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of Linux")
def test_that_a_reader_takes_no_more_than_its_room() -> None:
    assert len(run_apart(ROOM, "a.xls", no_tick, bytes, ROOM // 4)) == ROOM // 4
    with refused("data.damaged-or-large", size=256):
        run_apart(ROOM, "a.xls", no_tick, bytes, 2 * ROOM)


def test_that_a_cancel_ends_the_process() -> None:
    class CancelledError(Exception):
        pass

    def cancel() -> None:
        raise CancelledError

    with pytest.raises(CancelledError):
        run_apart(ROOM, "a.xls", cancel, wait_forever)


def test_that_the_bundle_reads_in_a_process_that_its_own_program_starts() -> None:
    task = pickle.dumps((ROOM, print_and_add, (2,), {"other": 3}))
    done = subprocess.run(
        [sys.executable, "-m", "dpdesk", WORD], input=task, capture_output=True, check=True
    )
    assert pickle.loads(done.stdout) == (False, 5)  # noqa: S301 - our own
