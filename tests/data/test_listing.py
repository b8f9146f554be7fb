"""A list of a folder at an address is somebody else's: it leads nowhere, and doubles nobody."""

from __future__ import annotations

import io
import os
import pickle
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from dpdesk.data.address import Address
from dpdesk.data.place import Place
from dpdesk.data.read_file import load, load_part
from dpdesk.data.reading import Reading
from tests.data.server import Server, serving
from tests.refusals import refused

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

TABLE = b"a,b\n1,2\n"
SECRET = b"a,b\n7,7\n"


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, raw in files.items():
            packed.writestr(name, raw)
    return out.getvalue()


def page(links: Iterable[str]) -> bytes:
    return "".join(f'<p><A class="x" href="{link}">file</A>' for link in links).encode()


def names(places: Iterable[Place]) -> list[str]:
    return sorted(place.name for place in places)


@pytest.mark.parametrize(
    "listed",
    [
        "survey/b.csv::secret.zip",
        "survey/zip::b.csv",
        "survey/../b.csv",
        "survey/..",
        "survey/b\n.csv",
    ],
)
def test_that_a_name_that_leads_elsewhere_is_refused(
    listed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "secret.zip").write_bytes(zipped({"survey/b.csv": SECRET}))
    monkeypatch.chdir(tmp_path)
    files = {"survey/a.csv": TABLE, listed: TABLE}
    with (
        serving({"/x.zip": zipped(files)}) as server,
        refused("data.unreadable", file="survey", reason="data.leads-elsewhere"),
    ):
        load(f"zip://survey::{server.url}/x.zip")


@pytest.mark.parametrize("listed", ["/b.csv", "../b.csv", "b::c.csv"])
def test_that_the_root_of_an_archive_holds_no_absolute_name(listed: str):
    with (
        serving({"/x.zip": zipped({"a.csv": TABLE, listed: TABLE})}) as server,
        refused("data.unreadable", file="x.zip", reason="data.leads-elsewhere"),
    ):
        load(f"zip://::{server.url}/x.zip")


class Leaving(fsspec.get_filesystem_class("memory")):
    """A storage that lists what lies in another folder."""

    protocol = "leaving"

    def ls(self, path: str, detail: bool = True, **_: object) -> list[object]:
        return [{"name": "/private/b.csv", "size": 8, "type": "file"}]

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return super()._strip_protocol(path.replace(cls.protocol, "memory"))


def test_that_a_list_stays_in_its_folder():
    fsspec.register_implementation("leaving", Leaving, clobber=True)
    with refused("data.unreadable", file="survey", reason="data.leads-elsewhere"):
        Address("leaving://survey/").within()


def test_that_members_are_opened_by_their_path_also_by_workers():
    storage = fsspec.filesystem("memory")
    for number in (1, 2):
        storage.pipe_file(f"/listed/part#{number}?x.csv", f"a,b\n{number},2\n".encode())
    try:
        found = Address("memory://listed").within()
        assert names(found) == ["part#1?x.csv", "part#2?x.csv"]
        assert load("memory://listed").rows == 2
        sent = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own
        read = {tuple(load_part(Reading(), one).columns[0].texts()) for one in sent}
        assert read == {("1",), ("2",)}
    finally:
        storage.rm("/listed", recursive=True)


def test_that_links_within_an_archive_are_refused():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as packed:
        told = tarfile.TarInfo("survey/a.csv")
        told.size = len(TABLE)
        packed.addfile(told, io.BytesIO(TABLE))
        for name, target in (("b.csv", "a.csv"), ("c.csv", "nowhere.csv")):
            link = tarfile.TarInfo(f"survey/{name}")
            link.type, link.linkname = tarfile.SYMTYPE, target
            packed.addfile(link)
    linked = zipfile.ZipInfo("survey/b.csv")
    linked.external_attr = 0o120777 << 16
    zip_out = io.BytesIO()
    with zipfile.ZipFile(zip_out, "w") as zip_packed:
        zip_packed.writestr("survey/a.csv", TABLE)
        zip_packed.writestr(linked, "a.csv")
    with serving({"/x.tar": out.getvalue(), "/x.zip": zip_out.getvalue()}) as server:
        for kind, name in (("tar", "b.csv"), ("tar", "c.csv"), ("zip", "b.csv")):
            with refused("data.unreadable", reason="data.link-in-archive"):
                load(f"{kind}://survey/{name}::{server.url}/x.{kind}")
            with refused("data.unreadable", reason="data.link-in-archive"):
                load(f"{kind}://survey::{server.url}/x.{kind}")


@pytest.mark.parametrize(
    "links",
    [
        ["a.csv", "a.csv?download=1", "a.csv#top", "%61.csv", "./a.csv", "a.csv;session=1"],
        ["a.csv?download=1", "a.csv"],
        ["/f/a.csv", "HTTP://LOCALHOST:{door}/f/a.csv", "//localhost:{door}/f/a.csv"],
        ["a.csv", "../b.csv", "/b.csv", "http://elsewhere/f/c.csv", "sub/../../f/a.csv"],
        ["a.csv", "?C=N;O=D", "#", "/", "../", "mailto:a@b", "javascript:x()", "http://[::1/"],
        ["a.csv", "http://ann:hush@localhost:{door}/f/a.csv"],
    ],
)
def test_that_a_page_doubles_nobody_and_leads_nowhere(links: list[str]):
    files = {"/f/a.csv": TABLE, "/b.csv": SECRET, "/f/b.csv": SECRET}
    with serving(files) as server:
        url = server.url.replace("127.0.0.1", "localhost")
        door = url.rpartition(":")[2]
        server.pages["/f/"] = page(link.format(door=door) for link in links)
        found = load(f"{url}/f/")
        assert (found.rows, names(Address(f"{url}/f/").within())) == (1, ["a.csv"])
        assert [path for path in server.asked if "?" in path] == []


@pytest.mark.parametrize(
    ("links", "told"),
    [
        (["a.csv?version=1", "a.csv?version=2"], "listed-twice"),
        (["a%25.csv", "a%2525.csv"], "listed-twice"),
        (["a.csv", "%2e%2e/b.csv"], "leads-elsewhere"),
        (["a.csv", "./b.csv::secret.zip"], "leads-elsewhere"),
        (["a.csv", "b%0a.csv"], "leads-elsewhere"),
    ],
)
def test_that_a_page_that_could_double_somebody_is_refused(links: list[str], told: str):
    with (
        serving({"/f/a.csv": TABLE}, pages={"/f/": page(links)}) as server,
        refused("data.unreadable", file="f", reason=f"data.{told}"),
    ):
        load(f"{server.url}/f/")


def test_that_links_of_all_spellings_are_found():
    links = b"<a href=1.csv>, <A  title='x' HREF = '2.csv' >, <a\nhref=\"3&amp;4.csv?a=1&amp;b=2\">"
    with serving({}, pages={"/f/": links + b"<a name=x>, <area href=5.csv>"}) as server:
        found = Address(f"{server.url}/f/").within()
    assert names(found) == ["1.csv", "2.csv", "3&4.csv"]


def test_that_names_that_are_no_text_stay_apart():
    links = page(["a%E8", "a%E9"])
    with (
        serving({}, pages={"/f/": links}) as server,
        refused("data.unreadable", reason="data.listed-twice"),
    ):
        Address(f"{server.url}/f/").within()


@pytest.mark.parametrize(
    ("limit", "most", "told"),
    [("PAGE_MOST", 1 << 20, "data.long-list"), ("MEMBERS_MOST", 9, "data.too-many-files")],
)
def test_that_a_list_without_end_is_refused(
    limit: str, most: int, told: str, monkeypatch: pytest.MonkeyPatch
):
    links = page(f"{number}.csv" for number in range(60_000))
    assert len(links) > 1 << 20
    monkeypatch.setattr(f"dpdesk.data.address.{limit}", most)
    storage = fsspec.filesystem("memory")
    with serving({}, pages={"/f/": links}) as server, refused("data.unreadable", reason=told):
        load(f"{server.url}/f/")
    if limit == "MEMBERS_MOST":
        for number in range(10):
            storage.pipe_file(f"/listed/{number}.csv", TABLE)
        with refused("data.unreadable", reason=told):
            load("memory://listed")
        storage.rm("/listed", recursive=True)


def test_that_the_files_of_a_folder_keep_what_its_address_asks_for():
    def refusing(server: Server) -> list[str]:
        return [path for path in server.asked if "token=hush" not in path]

    with serving({"/f/1.csv": TABLE, "/f/2.csv": TABLE}) as server:
        found = load(f"{server.url}/f/?token=hush")
        assert (found.name, found.rows, refusing(server)) == ("f", 2, [])
        server.pages["/f/"] = page(["1.csv?token=hush", "2.csv?download=1"])
        assert load(f"{server.url}/f/?token=hush#top").rows == 2
        assert refusing(server) == []
        assert "/f/1.csv?token=hush" in server.asked
        assert "/f/2.csv?token=hush&download=1" in server.asked


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({}, "data.no-such-file"),
        ({"moved": {"/f": "/f/"}}, "data.is-folder"),
        ({"pages": {"/f": b"<html><a href=1.csv>"}}, "data.is-web-page"),
    ],
)
def test_that_a_folder_without_its_slash_is_told_so(how: dict[str, dict[str, str]], told: str):
    with serving({"/f/1.csv": TABLE}, **how) as server:
        with refused("data.unreadable-address", file="f", reason=told):
            load(f"{server.url}/f")
        server.pages["/f"] = TABLE
        server.moved.clear()
        assert load(f"{server.url}/f").rows == 1


def test_that_the_archive_of_this_computer_is_found_as_it_is_named(tmp_path: Path):
    place = tmp_path / "x.zip"
    place.write_bytes(zipped({"a.csv": TABLE}))
    for url in (f"ZIP://a.csv::FILE://LocalHost{place}", f"Zip://a.csv::{place}"):
        assert load(url).rows == 1
        assert [os.fspath(path) for path in Address(url).files] == [os.fspath(place)]
