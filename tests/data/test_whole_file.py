"""A result is written whole or not at all, and takes the place of regular files alone."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from dpdesk.data.regular_file import FileRefusedError
from dpdesk.data.whole_file import name_of, write_whole

posix = pytest.mark.skipif(sys.platform == "win32", reason="files that POSIX alone has")


def test_that_a_text_is_written_as_it_is(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", "one\r\ntwo\n")
    write_whole(tmp_path / "a", "é\n")
    assert (tmp_path / "a").read_bytes() == "é\n".encode()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@posix
def test_that_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for text in ("one", "two"):
        write_whole(tmp_path / "link", text)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "file").read_text(encoding="utf-8") == text


@posix
def test_that_a_pipe_and_a_link_to_one_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name in ("pipe", "link"):
        with pytest.raises(FileRefusedError, match="not a regular file"):
            write_whole(tmp_path / name, "text")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert len(list(tmp_path.iterdir())) == 2


@posix
def test_that_a_pipe_left_under_the_name_of_the_part_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".a.part")
    write_whole(tmp_path / "a", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@posix
def test_that_an_older_mode_is_not_inherited(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old", encoding="utf-8")
    (tmp_path / "a").chmod(0o666)
    write_whole(tmp_path / "a", "new", mode=0o600)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", [".", "..", "x" * 300, "no/such", "a\0b"])
def test_that_a_path_without_a_file_is_refused_with_a_reason(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileRefusedError, match=r"^[a-z]"):
        write_whole(tmp_path / name, "text")
    assert not list(tmp_path.iterdir())


def test_that_nothing_is_left_of_what_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "a").write_text("old", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        write_whole(tmp_path / "a", "\ud800")
    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(("path", "name"), [("/", "/"), (".", "."), ("a/b", "b"), ("..", "..")])
def test_that_every_path_has_a_name_for_a_sentence(path: str, name: str) -> None:
    assert name_of(Path(path)) == str(Path(name))
