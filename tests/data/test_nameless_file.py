from __future__ import annotations

import errno
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpdesk.data.nameless_file import NamelessFile


class _Reluctant:
    """A file that takes and gives few bytes at a time, and in the end no more."""

    def __init__(self, file: Any, room: int) -> None:
        self._file, self._room = file, room

    def write(self, data: memoryview) -> int:
        taken = self._file.write(data[: min(3, self._room)])
        self._room -= taken
        return int(taken)

    def readinto(self, room: memoryview) -> int:
        return int(self._file.readinto(room[:3]))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def test_that_arrays_come_back_from_where_they_were_put(tmp_path: Path) -> None:
    numbers, table = np.arange(1000, dtype=np.int32), np.arange(6, dtype=np.uint16).reshape(3, 2)
    with closing(NamelessFile(tmp_path)) as file:
        assert file.append(numbers) == 0
        assert file.append(table.T) == 4000
        assert file.align(4096) == 4096
        assert file.append(np.empty((0, 5), dtype=np.uint8)) == file.end == 4096
        assert file.append(numbers[:1]) == 4096
        back, turned = np.empty_like(numbers), np.empty((2, 3), dtype=np.uint16)
        assert file.read_into(back, 0) == 4000
        assert file.read_into(turned, 4000) == 12
        assert file.read_into(np.empty(0, dtype=np.int64), 0) == 0
        # The file ends after the first of them.
        assert file.read_into(back[:2].copy(), 4096) == 4
    assert np.array_equal(back, numbers)
    assert np.array_equal(turned, table.T)


def test_that_what_is_taken_piece_by_piece_is_written_whole(tmp_path: Path) -> None:
    numbers, back = np.arange(100), np.empty(100, dtype=np.int64)
    with closing(NamelessFile(tmp_path)) as file:
        file._file = _Reluctant(file._file, 1000)
        file.append(numbers)
        assert file.read_into(back, 0) == back.nbytes
        with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            file.append(numbers)
        assert file.end == numbers.nbytes
    assert np.array_equal(back, numbers)


def test_that_closing_never_raises(tmp_path: Path) -> None:
    file = NamelessFile(tmp_path)
    os.close(file.fileno())
    file.close()
    file.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_that_a_system_that_begins_with_few_open_files_allows_more(tmp_path: Path) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = len(list(Path("/dev/fd").iterdir())) + 8
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, before[1]))
    files: list[NamelessFile] = []
    try:
        files += (NamelessFile(tmp_path) for _ in range(few))
    finally:
        for file in files:
            file.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert len(files) == few
