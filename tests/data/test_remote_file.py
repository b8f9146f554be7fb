"""A file in a storage that changes while it is read is refused; its parts are of one version."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
import pyarrow.feather as pf
import pyarrow.parquet as pq
import pytest

from dpdesk.data.address import Address
from dpdesk.data.read_file import load
from dpdesk.errors import InputError
from tests.data.laid_tables import COLUMNS, ROWS, archive, cells, content, parts
from tests.data.server import serving

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_that_an_object_that_changes_is_refused(
    ending: str, memory: Callable[[dict[str, bytes]], str]
):
    url = memory({f"a{ending}": content(0, ROWS, ending)})
    ticks = 0

    def change() -> None:
        nonlocal ticks
        ticks += 1
        if ticks == 3:
            # Of the same length.
            memory({f"a{ending}": content(0, ROWS, ending)})

    with pytest.raises(InputError, match=r"it changed while it was read"):
        load(f"{url}/a{ending}", tick=change)
    assert load(f"{url}/a{ending}").rows == ROWS


@pytest.mark.parametrize("versions", [True, False])
def test_that_what_a_server_changes_is_refused_also_without_a_version(versions: bool):
    raw = content(0, ROWS, ".csv")
    with serving({"/a.csv": raw}, versions=versions) as server:
        load(f"{server.url}/a.csv")
        server.sent.clear()

        def change() -> None:
            # What is not UTF-8 is read several times to find its encoding.
            if sum(server.sent) > len(raw) * 3.5:
                server.files["/a.csv"] = raw.replace(b"yes", b"nay")

        server.files["/a.csv"] = raw = raw[:-4] + b"\xe9" + raw[-3:]
        with pytest.raises(InputError, match="it changed while it was read"):
            load(f"{server.url}/a.csv", tick=change)


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".feather"])
@pytest.mark.parametrize("after", range(1, 8, 2))
def test_that_parts_of_two_files_without_a_version_are_never_mixed(
    ending: str, after: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dpdesk.data.remote_file._AHEAD", 1 << 14)
    monkeypatch.setattr("dpdesk.data.read_delimited.PIECE", 1 << 14)
    monkeypatch.setattr("dpdesk.data.formats.columnar_tables._ROWS", 3_000)
    table = pa.table(COLUMNS)
    out = io.BytesIO()
    if ending == ".parquet":
        pq.write_table(table, out, row_group_size=3_000, compression="none", write_statistics=False)
    elif ending == ".feather":
        pf.write_feather(table, out, chunksize=3_000, compression="uncompressed")
    else:
        out.write(content(0, ROWS, ending))
    one, other = out.getvalue(), out.getvalue().replace(b"yes", b"nay")
    assert one != other
    with serving({"/a": one}, versions=False) as server:

        def change() -> None:
            if len(server.sent) >= after:
                server.files["/a"] = other

        found, told = set[str](), "it changed while it was read"
        try:
            found.update(cells(load(f"{server.url}/a", tick=change))["smokes"])
        except InputError as refused:
            told = refused.message
    assert "it changed while it was read" in told
    assert found in (set(), {"no", "yes"}, {"no", "nay"})


@pytest.mark.parametrize("chained", ["", "zip://a.csv::"])
def test_that_a_read_ends_when_nothing_comes_and_not_when_it_takes_long(
    chained: str, monkeypatch: pytest.MonkeyPatch
):
    import aiohttp
    import fsspec.config

    made: list[dict[str, object]] = []

    session = aiohttp.ClientSession

    def noted(**how: object) -> object:
        made.append(how)
        return session(**how)

    monkeypatch.setattr(aiohttp, "ClientSession", noted)
    own = {"headers": {"X-Asked-By": "test"}}
    monkeypatch.setitem(fsspec.config.conf, "https", {"client_kwargs": own})
    fsspec.get_filesystem_class("http").clear_instance_cache()
    with serving({"/a.csv": b"a,b\n1,2\n"}) as server:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as zipped:
            zipped.writestr("a.csv", "a,b\n1,2\n")
        server.files["/a.zip"] = packed.getvalue()
        load(f"{chained}{server.url}/a.{'zip' if chained else 'csv'}")
    assert made
    for how in made:
        patience = how["timeout"]
        assert isinstance(patience, aiohttp.ClientTimeout)
        assert (patience.total, patience.sock_connect, patience.sock_read) == (None, 30, 60)
        assert how["headers"] == own["headers"]


class Bare(fsspec.AbstractFileSystem):
    """A storage that tells no version of its one file, and hands out parts of what it is now."""

    protocol = "bare"
    content: ClassVar[bytes] = b""

    def info(self, path: str, **_: object) -> dict[str, object]:
        return {"name": path, "size": len(self.content), "type": "file"}

    def _open(self, path: str, mode: str = "rb", **how: object) -> object:
        return BareFile(self, path, mode, **how)


class BareFile(fsspec.spec.AbstractBufferedFile):
    def _fetch_range(self, start: int, end: int) -> bytes:
        return self.fs.content[start:end]


@pytest.mark.parametrize("changes", [False, True])
def test_that_a_file_in_parts_without_a_version_is_compared(
    changes: bool, monkeypatch: pytest.MonkeyPatch
):
    fsspec.register_implementation("bare", Bare, clobber=True)
    monkeypatch.setattr(Bare, "content", b"old\n" * 10_000)
    read = b""

    def read_all() -> None:
        nonlocal read
        with Address("bare://a.csv").opened(lambda: None) as source:
            for piece in source.pieces(1 << 10):
                read += piece
                if changes and len(read) == 1 << 13:
                    monkeypatch.setattr(Bare, "content", b"new\n" * 10_000)

    if changes:
        with pytest.raises(InputError, match="it changed while it was read"):
            read_all()
        assert {b"old", b"new"} == set(read.split())
    else:
        read_all()
        assert read == b"old\n" * 10_000


class Remembering(fsspec.get_filesystem_class("memory")):
    """A storage that keeps what it knows of its files until it is asked to ask anew."""

    protocol = "remembering"
    known: ClassVar[dict[str, object]] = {}

    def info(self, path: str, **_: object) -> dict[str, object]:
        return self.known.setdefault(f"info {path}", super().info(path))

    def ls(self, path: str, detail: bool = True, **_: object) -> list[object]:
        return self.known.setdefault(f"list {path}", super().ls(path, detail))

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return super()._strip_protocol(path.replace(cls.protocol, "memory"))

    def invalidate_cache(self, path: str | None = None) -> None:
        self.known.clear()


def test_that_a_storage_is_asked_anew(memory: Callable[[dict[str, bytes]], str]):
    fsspec.register_implementation("remembering", Remembering, clobber=True)
    url = memory(parts(".csv")).replace("memory", "remembering")
    assert load(url).rows == ROWS
    memory({"part-12.csv": content(0, 7, ".csv")})
    assert load(url).rows == ROWS + 7

    assert len(Address(url).within()) == 4
    memory({"part-13.csv": b"a,b\n"})
    assert len(Address(url).within()) == 5

    def change() -> None:
        memory({"part-12.csv": content(0, 7, ".csv")})

    with pytest.raises(InputError, match="it changed while it was read"):
        load(f"{url}/part-12.csv", tick=change)


def tarred(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as packed:
        for name, raw in files.items():
            told = tarfile.TarInfo(f"survey/{name}")
            told.size = len(raw)
            packed.addfile(told, io.BytesIO(raw))
    return out.getvalue()


@pytest.mark.parametrize(("link", "packed"), [("zip", archive), ("tar", tarred)])
def test_that_an_archive_that_changes_is_refused_and_read_anew_later(
    link: str, packed: Callable[[dict[str, bytes]], bytes], tmp_path: Path
):
    place, files = tmp_path / f"a.{link}", parts(".csv")
    place.write_bytes(packed(files))
    url = f"{link}://survey/part-9.csv::file://{place}"
    assert load(url).rows == 9_000

    def change() -> None:
        (tmp_path / "b").write_bytes(packed({"part-9.csv": b"a,b\n1,2\n"}))
        (tmp_path / "b").replace(place)

    with pytest.raises(InputError, match="it changed while it was read"):
        load(url, tick=change)
    assert cells(load(url)) == {"a": ["1"], "b": ["2"]}
