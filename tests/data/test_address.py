"""Tables that fsspec opens are read as files of this computer are, with the same guarantees."""

from __future__ import annotations

import errno
import io
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpdesk.data.address import Address, table_place
from dpdesk.data.place import LocalPlace, address_in, path_named
from dpdesk.data.read_file import load, load_declared, tables_in
from dpdesk.data.texts import T
from dpdesk.errors import Cancelled, InputError, MissingPackagesError, ParameterError
from tests.data.laid_tables import (
    COLUMNS,
    ENDINGS,
    ROWS,
    archive,
    cells,
    content,
    parts,
)
from tests.data.server import serving
from tests.refusals import refused

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("where", ["memory", "server", "plain server", "archive", "far archive"])
def test_that_a_table_at_an_address_is_the_one_in_a_folder(
    where: str, ending: str, memory: Callable[[dict[str, bytes]], str], tmp_path: Path
):
    files = parts(ending)
    (tmp_path / "survey").mkdir()
    for name, raw in files.items():
        (tmp_path / "survey" / name).write_bytes(raw)
    (tmp_path / "survey.zip").write_bytes(archive(files))
    served = {f"/a/survey/{name}": raw for name, raw in files.items()}
    served["/a/survey.zip"] = archive(files)
    with serving(served, ranges=where != "plain server") as server:
        folder = {
            "memory": memory(files),
            "server": f"{server.url}/a/survey/",
            "plain server": f"{server.url}/a/survey/",
            "archive": f"zip://survey::file://{tmp_path}/survey.zip",
            "far archive": f"zip://survey::{server.url}/a/survey.zip",
        }[where]
        found = load(folder)
        wanted = load(tmp_path / "survey")
        assert (found.name, found.names, found.rows) == ("survey", tuple(COLUMNS), ROWS)
        assert cells(found) == cells(wanted) == COLUMNS
        assert (found.reading, found.notices) == (wanted.reading, wanted.notices)
        assert cells(load_declared(folder, found.reading)) == COLUMNS
        assert tables_in(folder) == ()
        first = f"part-9{ending}"
        link, chained, last = folder.partition("::")
        one = load(f"{link.rstrip('/')}/{first}{chained}{last}")
        assert (one.name, one.rows) == (first, 9_000)


def test_that_a_long_file_of_a_plain_server_is_read_in_one_go(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dpdesk.data.remote_file._AHEAD", 1 << 16)
    with serving({"/a.csv": content(0, ROWS, ".csv")}, ranges=False) as server:
        assert cells(load(f"{server.url}/a.csv")) == COLUMNS


@pytest.mark.parametrize("ending", ENDINGS)
def test_that_a_file_of_unknown_length_is_read(ending: str):
    with serving({"/a": content(0, ROWS, ending)}, lengths=False, ranges=False) as server:
        assert cells(load(f"{server.url}/a")) == COLUMNS


def test_that_what_lies_deeper_than_a_page_is_no_part_of_its_folder():
    files = {"/a/1.csv": b"a,b\n1,2\n", "/a/b/2.csv": b"a,b\n1,2\n"}
    with (
        serving(files) as server,
        refused("data.no-parts", files=["2.csv"]),
    ):
        load(f"{server.url}/a/")


def test_that_a_file_is_asked_for_piece_by_piece(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dpdesk.data.remote_file._AHEAD", 1 << 16)
    monkeypatch.setattr("dpdesk.data.read_delimited.PIECE", 1 << 14)
    raw = content(0, ROWS, ".csv")
    with serving({"/a.csv": raw}) as server:
        shares: list[float] = []
        assert cells(load(f"{server.url}/a.csv", progress=shares.append)) == COLUMNS
        # A block ahead of what is wanted at once.
        assert max(server.sent) <= (1 << 16) + (1 << 17)
        assert len(server.sent) >= len(raw) >> 17
    assert shares[-1] == 1
    assert len(set(shares)) > 10


def test_that_of_a_parquet_file_is_read_what_is_needed():
    numbers = pa.array(range(1_000_000))
    out = io.BytesIO()
    pq.write_table(pa.table({"a": numbers, "b": numbers}), out, use_dictionary=False)
    with serving({"/a.parquet": out.getvalue()}) as server:
        assert load(f"{server.url}/a.parquet").rows == 1_000_000
        assert sum(server.sent) < 1.2 * len(out.getvalue())
        assert max(server.sent) < len(out.getvalue()) / 2


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("answers.csv", "answers.csv"),
        ("C:\\answers.csv", "C:\\answers.csv"),
        ("C://answers.csv", "C:/answers.csv"),
        ("a::b.csv", "a::b.csv"),
        ("file:///a/b.csv", "/a/b.csv"),
        ("FILE:///a/b.csv", "/a/b.csv"),
        ("local://a/b.csv", "a/b.csv"),
        ("file:///C:/a.csv", "C:/a.csv"),
        ("file://localhost/a/b.csv", "/a/b.csv"),
        ("file://LocalHost/C:/a.csv", "C:/a.csv"),
        ("file://localhost.csv", "localhost.csv"),
        ("local://localhost/b.csv", "localhost/b.csv"),
        ("s3://bucket/a.csv", None),
        ("zip://a.csv::file:///a.zip", None),
        ("simplecache::file:///a.csv", None),
        ("simplecache::s3://bucket/a.csv", None),
        ("s3a+x://bucket", None),
    ],
)
def test_that_paths_and_addresses_are_told_apart(text: str, path: str | None):
    assert path_named(text) == (None if path is None else Path(path))
    assert (address_in(text) == text) is (
        path is None or text.lower().startswith(("file:", "local:"))
    )
    assert isinstance(table_place(text), Address if path is None else LocalPlace)
    assert isinstance(table_place(Path(text)), LocalPlace)


def test_that_a_path_written_as_an_address_is_a_path(tmp_path: Path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    probe = f"from dpdesk.data.read_file import load; print(load('file://{tmp_path}/a.csv').rows);"
    probe += "import sys; print('fsspec' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "False"]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://ann:hush@host/a/answers.csv?key=hush#hush", "answers.csv"),
        ("https://ann:hush@host/a/answers%20of%20may/", "answers of may"),
        ("https://ann:hush@host:8080/", "host"),
        ("https://ann:hush@host", "host"),
        ("https://ann:hush@host?key=hush", "host"),
        ("https://ann:hu/sh@host", "host"),
        ("https://hush@a/b@c.csv", "c.csv"),
        ("s3://bucket/answers/", "answers"),
        ("s3://bucket", "bucket"),
        ("zip://part.csv::https://ann:hush@host/a.zip?key=hush", "part.csv"),
        ("zip://::https://ann:hush@host/a.zip?key=hush", "a.zip"),
        ("zip::https://ann:hush@host/a.zip?key=hush", "a.zip"),
        ("zip://::/data/a.zip", "a.zip"),
        ("https://host/a%1b%0a.csv", "a  .csv"),
        ("https://host/a.csv;sig=hush", "a.csv"),
        ("https://host/a.csv%3Ftoken=hush", "a.csv"),
        ("https://host/a.csv%253Ftoken=hush", "a.csv"),
        ("https://host/a.csv%23hush/hush", "a.csv"),
        ("https://host/a.csv%3Bsig=hush", "a.csv"),
        ("https://host/a/;sig=hush", "a"),
        ("https://ann:hu%2Fhush%3Fhush%40@host/", "host"),
        ("https://ann:hu%2Fhush%3Fhush%40@host/a.csv", "a.csv"),
        ("https://[2001:db8::1]:8000/?key=hush", "[2001:0db8:0000:0000:0000:0000:0000:0001]"),
        ("memory://", "the address"),
    ],
)
def test_that_the_name_of_an_address_holds_no_secret(url: str, name: str):
    assert Address(url).name == name
    assert repr(Address(url)) == f"Address({name!r})"


@pytest.mark.parametrize(
    ("status", "told"), [(404, "there is no such file"), (403, "answered 403"), (500, "500")]
)
@pytest.mark.parametrize("path", ["/a/answers.csv", "/a/"])
def test_that_what_a_server_refuses_is_told_without_its_words(path: str, status: int, told: str):
    with serving({"/a/answers.csv": b"a,b\n1,2\n"}, answers={path: status}) as server:
        secret = server.url.replace("://", "://ann:hush@")
        with pytest.raises(InputError, match=told) as caught:
            load(f"{secret}{path}?key=hush" if path.endswith("v") else f"{secret}{path}")
    chain = f"{caught.value}{caught.value.__cause__}{caught.value.__context__}"
    assert "hush" not in chain
    assert "secret words" not in chain


def test_that_a_web_page_of_this_computer_has_no_address(tmp_path: Path):
    (tmp_path / "a.csv").write_text("<!doctype html><html></html>")
    with refused("data.foreign-format", format="web page") as caught:
        load(tmp_path / "a.csv")
    assert "address" not in caught.value.remedy


class Timid(fsspec.AbstractFileSystem):
    """A storage that raises what is given, whatever it is asked."""

    protocol = "timid"
    raised: Exception

    def info(self, path: str, **_: object) -> dict[str, object]:
        raise self.raised

    def ls(self, path: str, **_: object) -> list[object]:
        raise self.raised


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (PermissionError("hush"), "access is denied"),
        (PermissionError(1, "hush"), "access is denied"),
        (FileNotFoundError("hush"), "there is no such file"),
        (OSError(errno.EIO, "hush"), os.strerror(errno.EIO).lower()),
        (OSError(-2, "hush"), "the storage failed with an error of kind OSError"),
        # fsspec says of each of them that there is no file.
        (
            caused(FileNotFoundError("hush"), socket.gaierror(-2, "hush")),
            "the computer is not known",
        ),
        (
            caused(FileNotFoundError("hush"), ConnectionRefusedError(111, "hush")),
            "the computer does not answer",
        ),
        (TimeoutError("hush"), "the computer does not answer in time"),
        (
            caused(OSError("hush"), TimeoutError(errno.ETIMEDOUT, "hush")),
            os.strerror(errno.ETIMEDOUT).lower(),
        ),
        (
            caused(FileNotFoundError("hush"), TimeoutError("hush")),
            "the computer does not answer in time",
        ),
        (RuntimeError("hush"), "the storage failed with an error of kind RuntimeError"),
        (ValueError("hush"), "the storage failed with an error of kind ValueError"),
    ],
)
def test_that_whatever_a_storage_raises_is_told_without_its_words(
    raised: Exception, told: str, monkeypatch: pytest.MonkeyPatch
):
    fsspec.register_implementation("timid", Timid, clobber=True)
    monkeypatch.setattr(Timid, "raised", raised, raising=False)
    for url, name in (("timid://b/hush@a.csv", "a.csv"), ("timid://b/answers/", "answers")):
        with pytest.raises(InputError) as caught:
            load(url)
        assert caught.value.message == f"{name} cannot be read: {told}."
        assert (caught.value.__cause__, caught.value.__context__) == (None, None)


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".feather"])
def test_that_a_server_that_fails_amid_a_file_is_no_damaged_file(
    ending: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("dpdesk.data.remote_file._AHEAD", 1 << 14)
    monkeypatch.setattr("dpdesk.data.read_delimited.PIECE", 1 << 14)
    with serving({"/a": content(0, ROWS, ending)}) as server:

        def fail() -> None:
            if len(server.sent) > 6:
                server.answers["/a"] = 503

        with pytest.raises(InputError, match="a cannot be read: the server answered 503"):
            load(f"{server.url}/a", tick=fail)
    assert len(server.sent) > 6


def test_that_a_server_that_does_not_answer_is_told():
    with serving({}) as server:
        gone = server.url
    with pytest.raises(InputError, match=r"a\.csv cannot be read: ") as caught:
        load(f"{gone.replace('://', '://ann:hush@')}/a.csv?key=hush")
    assert "hush" not in f"{caught.value}{caught.value.__cause__}{caught.value.__context__}"


def refusal(url: str) -> str:
    with pytest.raises((InputError, ParameterError)) as caught:
        load(url)
    told = f"{caught.value}{caught.value.__cause__}{caught.value.__context__}"
    assert "hush" not in told
    return f"{caught.value.message} {caught.value.remedy}"


def test_that_wrong_answers_of_a_server_are_told_as_what_they_are():
    files = {"/a.csv": b"a,b\n1,2\n", "/b.parquet": b"PAR1" * 100_000}
    moved = {"/round.csv": "/again.csv?hush", "/again.csv": "/round.csv?hush"}
    with serving(files, moved=moved, stated={"/a.csv": "-5"}) as server:
        gone = server.url
        assert "from one address to another without end" in refusal(f"{server.url}/round.csv")
        assert "cannot be read: the server’s answer is not valid" in refusal(f"{server.url}/a.csv")
        with refused("data.damaged-format", file="b.parquet", format="Parquet file"):
            load(f"{server.url}/b.parquet")
    for path in ("/a.csv?hush", "/a/?hush"):
        assert "the computer does not answer" in refusal(f"{gone}{path}")
        port = gone.rpartition(":")[2]
        # Of several numbers of one computer, none answers.
        assert "the computer does not answer" in refusal(f"http://localhost:{port}{path}")


def test_that_addresses_that_are_none_are_told_as_such():
    for url in ("http://[::1", "http://[::1/a.csv", "https://ann:hush@[::1/a.csv?hush"):
        assert T.OPEN_BRACKET() in refusal(url)
    for url in ("zip:///etc/hush", "zip://", "tar://hush::zip://hush.csv"):
        assert "say where the archive" in refusal(url)
    with refused("data.names-files", kind="reference"):
        load("reference://a.csv::http://host/hush")
    assert "the computer does not answer" in refusal("HTTP://[::1]:1/a.csv?hush")


def test_that_a_cancel_stops_the_reading(memory: Callable[[dict[str, bytes]], str]):
    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        load(f"{memory(parts('.csv'))}/part-9.csv", tick=stop)


@pytest.mark.parametrize("kept", ["simplecache", "filecache", "blockcache", "cached"])
def test_that_copies_on_a_disk_are_refused(kept: str, tmp_path: Path):
    with serving({"/a.csv": b"a,b\n1,2\n"}) as server:
        for url in (f"{kept}::{server.url}/a.csv", f"zip://a.csv::{kept}::{server.url}/a.csv"):
            with refused("data.keeps-copies", kind=kept):
                load(url)
        assert not server.sent


def test_that_nothing_lies_in_named_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr("dpdesk.data.spool.MEMORY_MOST", 0)
    files = {f"/a{ending}": content(0, ROWS, ending) for ending in ENDINGS}
    files["/a.zip"] = archive(parts(".parquet"))
    seen: set[str] = set()
    with serving(files) as server:
        for path in (*(f"{server.url}/a{ending}" for ending in ENDINGS),):
            load(path, tick=lambda: seen.update(found.name for found in tmp_path.iterdir()))
        load(f"zip://survey::{server.url}/a.zip")
    assert not seen
    assert not list(tmp_path.iterdir())


def test_that_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch):
    known = {"class": "packagethatisnot.core.Storage", "err": "Install it"}
    registry = sys.modules["fsspec.registry"]
    monkeypatch.setitem(registry.known_implementations, "far", known)
    with refused("data.package-for-address", kind="far", package="packagethatisnot"):
        load("far://bucket/a.csv")
    with refused("data.unknown-address", kind="farther"):
        load("farther://bucket/a.csv")
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "fsspec.core", None)
        patched.setitem(sys.modules, "fsspec", None)
        with pytest.raises(MissingPackagesError, match="the package fsspec") as caught:
            load("s3://bucket/a.csv")
    assert "dpdesk[cluster]" in caught.value.remedy


def test_that_folders_at_an_address_hold_parts_alone(memory: Callable[[dict[str, bytes]], str]):
    url = memory({"a.csv": b"a,b\n1,2\n", "b/c.csv": b"a,b\n1,2\n"})
    with refused("data.no-parts", folder="survey", files=["b"]):
        load(url)
    with refused("data.empty-folder"):
        load(memory({"a.csv": b"a\n", "_a/_b": b""}) + "/_a")
    with refused("data.unreadable", reason="data.no-such-file"):
        load(f"{url}/nothing.csv")


@pytest.mark.parametrize("kind", ["file", "local", "dir", "memory"])
def test_that_a_link_that_reads_nothing_behind_it_is_refused(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    # file:: would list the folder in which the program runs.
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    monkeypatch.chdir(tmp_path)
    for behind in (f"file://{tmp_path}/", "http://127.0.0.1:9/", "memory://a/"):
        place = table_place(f"{kind}::{behind}")
        for use in (lambda place=place: place.is_folder, place.within):
            with refused("data.no-archive", kind=kind):
                use()
