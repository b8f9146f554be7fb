"""A file is written whole or not at all, and takes the place of regular files alone."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from dpdesk.data import write_file as write_file_module
from dpdesk.data.write_file import held_anew, name_of, write_file
from dpdesk.errors import ReleaseError

posix = pytest.mark.skipif(sys.platform == "win32", reason="files that POSIX alone has")


def test_that_a_text_is_written_as_it_is(tmp_path: Path) -> None:
    write_file(tmp_path / "a", "one\r\ntwo\n")
    assert (tmp_path / "a").read_bytes() == b"one\r\ntwo\n"
    write_file(tmp_path / "a", "é\n")
    assert (tmp_path / "a").read_bytes() == "é\n".encode()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@posix
def test_that_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for text in ("one", "two"):
        (tmp_path / "file").write_text("precious", encoding="utf-8")
        write_file(tmp_path / "link", text)
        assert (tmp_path / "link").read_text(encoding="utf-8") == text
        assert (tmp_path / "file").read_text(encoding="utf-8") == "precious"


@posix
@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_that_what_is_no_regular_file_is_refused_by_any_name(kind: str, tmp_path: Path) -> None:
    place = tmp_path / kind
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to(os.devnull)
    (tmp_path / "link").symlink_to(place)
    before = sorted((path.name, path.stat().st_mode) for path in tmp_path.iterdir())
    for name in (kind, "link"):
        with pytest.raises(ReleaseError, match=r"is a (folder|device)"):
            write_file(tmp_path / name, "text")
    assert sorted((path.name, path.stat().st_mode) for path in tmp_path.iterdir()) == before
    assert (tmp_path / "link").is_symlink()


@posix
def test_that_a_private_file_does_not_inherit_an_older_mode(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old", encoding="utf-8")
    (tmp_path / "a").chmod(0o666)
    write_file(tmp_path / "a", "new", private=True)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", [".", "..", "x" * 300, "no/such", "a\0b"])
def test_that_a_path_without_a_file_is_refused_with_a_reason(name: str, tmp_path: Path) -> None:
    with pytest.raises(ReleaseError):
        write_file(tmp_path / name, "text")
    assert not list(tmp_path.iterdir())


def test_that_nothing_is_left_of_what_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "a").write_text("old", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        write_file(tmp_path / "a", "\ud800")
    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "a", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(("path", "name"), [("/", "/"), (".", "."), ("a/b", "b"), ("..", "..")])
def test_that_every_path_has_a_name_for_a_sentence(path: str, name: str) -> None:
    assert name_of(Path(path)) == str(Path(name))


@posix
def test_that_a_run_beside_does_not_clear_what_is_about_to_get_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    naming = write_file_module._give_name

    def beside(part: Path, path: Path, overwrite: bool) -> None:
        write_file_module._clear_left(part.parent)
        naming(part, path, overwrite)

    monkeypatch.setattr(write_file_module, "_give_name", beside)
    write_file(tmp_path / "a", "whole")
    assert (tmp_path / "a").read_text(encoding="utf-8") == "whole"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@posix
@pytest.mark.parametrize("is_before_the_lock", [True, False])
def test_that_what_a_run_beside_cleared_before_it_was_held_is_made_anew(
    is_before_the_lock: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []

    def make() -> Path:
        made.append(tmp_path / f".{len(made)}.dpdesk-part")
        made[-1].touch()
        if len(made) == 1 and is_before_the_lock:
            made[-1].unlink()
        return made[-1]

    if not is_before_the_lock:
        locking = write_file_module.fcntl.flock

        def late(descriptor: int, how: int) -> None:
            if len(made) == 1:
                made[0].unlink()
            locking(descriptor, how)

        monkeypatch.setattr(write_file_module.fcntl, "flock", late)
    with held_anew(make) as part:
        assert part == made[1]
    assert len(made) == 2


def test_that_what_a_part_is_made_for_may_miss_a_file_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="gone"), held_anew(lambda: tmp_path):
        (tmp_path / "gone").read_bytes()
