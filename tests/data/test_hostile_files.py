from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk.data.read_file import load
from dpdesk.errors import InputError
from tests.data.hostile_files import HOSTILE, PLANTED, HostileFile
from tests.patience import HANG

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits of a process need POSIX")

MEMORY = 3 << 30  # address space, of which the libraries alone map more than 1 GB

CHILD = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
from dpdesk.data.read_file import load
from dpdesk.data.suggest import suggest_column
from dpdesk.errors import InputError
try:
    table = load(sys.argv[1])
except InputError as error:
    seen = dict(refused=str(error), remedy=error.remedy, line=error.line)
    seen["chain"] = [repr(e) for e in (error.__cause__, error.__context__) if e is not None]
else:
    drafts = [suggest_column(column, table.reading) for column in table.columns]
    seen = dict(rows=table.rows, columns=len(table.columns), drafts=len(drafts))
    seen["notices"] = table.notices + tuple(draft.reason for draft in drafts)
print(json.dumps(seen))
"""


@pytest.mark.parametrize("file", HOSTILE, ids=lambda file: file.name)
def test_that_a_hostile_file_becomes_a_table_or_a_located_refusal(
    tmp_path: Path, root: Path, file: HostileFile
):
    path = tmp_path / "hostile.csv"
    path.write_bytes(file.content())
    child = subprocess.run(
        [sys.executable, "-c", CHILD.format(memory=MEMORY, seconds=int(HANG)), str(path)],
        capture_output=True,
        text=True,
        timeout=HANG,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), "OPENBLAS_NUM_THREADS": "1"},
    )
    assert child.returncode == 0, child.stderr
    assert PLANTED not in child.stdout + child.stderr
    seen = json.loads(child.stdout)
    if file.rows is None:
        assert "refused" in seen, seen
        assert seen["remedy"]
        assert seen["line"] == file.line
        assert seen["chain"] == []
        assert "memory" not in seen["refused"]
    else:
        assert seen["rows"] == file.rows
        assert seen["drafts"] == seen["columns"]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file"
)
def test_that_a_file_without_permission_is_refused(tmp_path: Path):
    path = tmp_path / "closed.csv"
    path.write_text("a\n1\n")
    path.chmod(0)
    with pytest.raises(InputError, match="permission denied"):
        load(path)
