from __future__ import annotations

import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.ledger import Cap
from tests.ledger.charges import one


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the children are forks")
def test_that_of_fourteen_processes_against_a_cap_for_ten_exactly_ten_pass(root: Path):
    # They also make the ledger: none of them finds one.
    done = subprocess.run(
        [sys.executable, "-m", "tests.ledger.racing_charges", "14"],
        capture_output=True,
        text=True,
        cwd=root,
    )
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == ["0"] * 10 + ["7"] * 4, done.stderr
    population = one()
    assert population.spent("local").releases == 10
    assert population.left("local") == Cap(Decimal(0))
    assert len(population.files) == 1
