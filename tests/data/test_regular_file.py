"""Whatever is named as an input is a regular file of a stated size, or refused at once."""

from __future__ import annotations

import errno
import io
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.feather as pf
import pyarrow.parquet as pq
import pytest

from dpdesk.data import regular_file
from dpdesk.data.codebook import load_codebook
from dpdesk.data.matrix_file import read_matrix
from dpdesk.data.read_file import load
from dpdesk.data.read_records import open_records, read_records
from dpdesk.data.regular_file import FileRefusedError, open_regular, read_regular
from dpdesk.data.strict_json import PARTS_MAX, JsonRefusedError, parse_strict
from dpdesk.errors import DpdeskError, InputError
from dpdesk.plan import load_plan

READERS: dict[str, Callable[[Path], object]] = {
    "data": load,
    "plan": load_plan,
    "codebook": load_codebook,
    "matrix": read_matrix,
    "records": read_records,
    "records for estimates": lambda path: open_records(path, ()),
}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files that POSIX alone has")


def _pipe(place: Path) -> Path:
    os.mkfifo(place)
    return place


def _socket(place: Path) -> Path:
    # Bound by its name alone: the path of a test is longer than an address may be.
    here = Path.cwd()
    os.chdir(place.parent)
    try:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(place.name)
    finally:
        os.chdir(here)
    return place


def _dangling(place: Path) -> Path:
    place.symlink_to("nowhere")
    return place


def _loop(place: Path) -> Path:
    place.symlink_to(place)
    return place


def _to_device(place: Path) -> Path:
    place.symlink_to("/dev/zero")
    return place


def _folder(place: Path) -> Path:
    place.mkdir()
    return place


PLACES: dict[str, tuple[Callable[[Path], Path], str]] = {
    "folder": (_folder, "it is a folder"),
    "pipe": (_pipe, "not a regular file"),
    "socket": (_socket, "not a regular file"),
    "device": (_to_device, "not a regular file"),
    "dangling link": (_dangling, "no such file"),
    "link to itself": (_loop, "symbolic links"),
    "nothing": (lambda place: place, "no such file"),
    "NUL": (lambda _: Path("a\0b"), "not valid"),
    "long name": (lambda _: Path("x" * 5000), "name too long"),
}


@pytest.mark.parametrize("place", PLACES)
def test_that_what_is_no_regular_file_is_refused_at_once(place: str, tmp_path: Path) -> None:
    make, says = PLACES[place]
    with pytest.raises(FileRefusedError, match=says):
        open_regular(make(tmp_path / "x"), 100)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("place", PLACES)
def test_that_every_reader_opens_its_file_in_the_one_way(
    place: str, reader: str, tmp_path: Path
) -> None:
    make, says = PLACES[place]
    target = make(tmp_path / "x.csv")
    if place == "folder" and reader == "data":
        says = "holds no files of answers"
    if place == "folder" and reader.startswith("records"):
        says = "no such file"
    with pytest.raises(DpdeskError, match=says) as caught:
        READERS[reader](target)
    assert caught.value.remedy


@pytest.mark.parametrize("reader", READERS)
def test_that_every_reader_has_a_largest_size(
    reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "sparse.csv"
    path.touch()
    # It takes no room on the disk, and would take all of the memory.
    os.truncate(path, 1 << 40)
    with pytest.raises(DpdeskError, match=r"larger than [0-9]+ [GM]B"):
        READERS[reader](path)


def test_that_a_file_as_large_as_allowed_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    assert read_regular(path, 3) == b"abc"
    with pytest.raises(FileRefusedError, match="larger than 0 MB"):
        read_regular(path, 2)
    path.write_bytes(b"")
    assert read_regular(path, 0) == b""


@pytest.mark.skipif(sys.platform != "linux", reason="files of the system of Linux")
def test_that_a_file_which_says_that_it_is_empty_is_read_to_its_limit() -> None:
    assert b"Pid:" in read_regular("/proc/self/status", 1 << 20)
    with pytest.raises(FileRefusedError, match="larger"):
        read_regular("/proc/self/status", 10)
    with pytest.raises(FileRefusedError):
        read_regular("/proc/self/mem", 1 << 20)


def test_that_a_file_which_becomes_a_pipe_in_between_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    asked = path.stat()
    path.unlink()
    os.mkfifo(path)
    monkeypatch.setattr(regular_file.os, "stat", lambda _: asked)
    with pytest.raises(FileRefusedError, match="not a regular file"):
        open_regular(path, 100)


@pytest.mark.parametrize("text", ["[" + "[]," * PARTS_MAX + "0]", "[" + "1," * PARTS_MAX + "1]"])
def test_that_json_of_endless_values_is_refused_before_it_is_built(text: str) -> None:
    for form in (text, text.encode()):
        with pytest.raises(JsonRefusedError, match="more than 5,000,000 values"):
            parse_strict(form)


@pytest.mark.parametrize("nested", ["[" * 100_000, '{"a":' * 100_000, "[" * 900 + "]" * 900])
def test_that_deep_nesting_is_refused_or_read(nested: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text(nested, encoding="utf-8")
    for reader in (load_plan, load_codebook):
        with pytest.raises(DpdeskError):
            reader(path)


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".feather"])
def test_that_a_disk_that_fails_amid_a_file_is_no_damaged_file(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """As a folder of another computer does that is gone."""

    class Failing(io.FileIO):
        left = 4

        def read(self, size: int | None = -1, /) -> bytes:
            self.left -= 1
            if self.left < 0:
                raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
            return super().read(-1 if size is None else size)

    table, path = pa.table({"a": [f"{row}" for row in range(200_000)]}), tmp_path / f"t{ending}"
    if ending == ".csv":
        path.write_text("\n".join(["a", *table["a"].to_pylist()]))
    elif ending == ".parquet":
        pq.write_table(table, path, row_group_size=10_000)
    else:
        pf.write_feather(table, path, chunksize=10_000)
    monkeypatch.setattr("dpdesk.data.place.open_regular", lambda path, most: Failing(path))
    monkeypatch.setattr("dpdesk.data.read_delimited.PIECE", 1 << 14)
    told = os.strerror(errno.ESTALE).lower()
    with pytest.raises(InputError, match=rf"t{ending} cannot be read: {told}"):
        load(path)
