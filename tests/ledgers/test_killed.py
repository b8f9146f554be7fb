from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the children are forks")
def test_that_a_kill_at_every_thirty_first_step_never_leaves_a_draw_without_its_charge(
    tmp_path: Path, root: Path
):
    done = subprocess.run(
        [sys.executable, "-m", "tests.ledgers.killed_charge", str(tmp_path), "31"],
        capture_output=True,
        text=True,
        cwd=root,
    )
    # The ledger is whole after every kill: the program opens it each time.
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [int(status) for _, status, *_ in lines] == [-9] * (len(lines) - 1) + [0]
    order = {"nothing": 0, "open": 1, "written": 2}
    found = [order[outcome] for *_, outcome in lines]
    assert found == sorted(found)
    assert {*found} == {0, 1, 2}
    # One charge and not two, and none missing where a draw began.
    assert all(len(line) == 4 for line in lines)
    assert all(outcome != "nothing" for *_, drawn, outcome in lines if drawn == "1")
    assert any(outcome == "open" and drawn == "0" for *_, drawn, outcome in lines)
