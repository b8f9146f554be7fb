from __future__ import annotations

import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.ledgers import Cap, Ledger, store
from tests.ledgers.charges import charge, local, one


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the children are forks")
def test_that_of_fourteen_processes_against_a_cap_for_ten_exactly_ten_pass(root: Path):
    # They also make the ledger: none of them finds one.
    done = subprocess.run(
        [sys.executable, "-m", "tests.ledgers.racing_charges", "14"],
        capture_output=True,
        text=True,
        cwd=root,
    )
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == ["0"] * 10 + ["7"] * 4, done.stderr
    population = one()
    assert population.spent("local").releases == 10
    assert population.left() == Cap(Decimal(0))
    assert len(population.files) == 1


def test_that_a_ledger_that_others_begin_at_this_moment_is_not_taken_for_one_that_is_gone(
    monkeypatch: pytest.MonkeyPatch,
):
    usual = store.was_begun

    def just_in_time(path: Path) -> bool:
        # Others write file and head between our two looks.
        with monkeypatch.context() as patched:
            patched.setattr(store, "was_begun", usual)
            Ledger.open(path)
        return usual(path)

    monkeypatch.setattr(store, "was_begun", just_in_time)
    charge(Ledger.open(), local("1"))
    assert one().spent("local").releases == 1
