"""Memory that nothing is held in is given back to the system."""

from __future__ import annotations

import platform
import re
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from dpdesk.data import records
from dpdesk.data.unused_memory import release_unused


def anonymous() -> int:
    """Bytes of anonymous memory of this process."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(r"RssAnon:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) * 1024


@pytest.mark.skipif(
    sys.platform != "linux" or platform.libc_ver()[0] != "glibc", reason="the heap of GNU"
)
def test_that_what_lies_below_something_needed_is_given_back() -> None:
    # Below the least size that the C library would take from the system by itself.
    held = [bytes(60_000) for _ in range(2_000)]
    last = held.pop()
    before = anonymous()
    held.clear()
    release_unused()
    assert anonymous() < before - 50_000_000
    assert not any(last)


def test_that_memory_is_given_back_after_each_part(monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[None] = []
    monkeypatch.setattr(records, "release_unused", lambda: times.append(None))
    pieces = [pa.table({"q": list(range(start, start + 7))}) for start in range(0, 70, 7)]
    found = [(part["q"].to_pylist(), len(times)) for part in records.in_parts(iter(pieces), 20)]
    assert [given_back for _, given_back in found] == [0, 1, 2, 3]
    assert [number for part, _ in found for number in part] == list(range(70))
