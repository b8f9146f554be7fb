"""The bundle of one file: unpacked once, by nobody else, and gone when it is removed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

Program = Callable[[str], ModuleType]

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("flock") is None, reason="the file is for Linux"
)

ANSWERS = """#!/bin/sh
case ${1:-} in
wait) echo begun; read -r _ ;;
umask) umask ;;
*) echo "answers $*: $(cat "$(dirname -- "$0")/parts/1.txt")" ;;
esac
"""


def bundle(folder: Path, word: str, root: Path) -> Path:
    """A folder like that of a bundle, whose program prints its words and what a part holds."""
    (folder / "parts").mkdir(parents=True)
    (folder / "menu").mkdir()
    for number in range(9):
        (folder / "parts" / f"{number}.txt").write_text(word * (number + 1), encoding="utf-8")
    (folder / "parts" / "link").symlink_to("1.txt")
    for path in (root / "packaging" / "desktop").iterdir():
        shutil.copy(path, folder / "menu")
    (folder / "menu" / "dpdesk.svg").write_text("<svg/>", encoding="utf-8")
    for size in (16, 24, 32, 48, 64, 128, 256):
        (folder / "menu" / f"dpdesk-{size}.png").touch()
    program = folder / "dpdesk"
    program.write_text(ANSWERS, encoding="utf-8")
    program.chmod(0o755)
    return folder


@pytest.fixture
def file(program: Program, root: Path, tmp_path: Path) -> Path:
    """A bundle of one file, in a folder with a blank in its name."""
    place = tmp_path / "some where"
    place.mkdir()
    program("one_file").write(bundle(tmp_path / "bundle", "a", root), place / "dpdesk-one-file")
    return place / "dpdesk-one-file"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture(params=[name for name in ("dash", "bash") if shutil.which(name)])
def shell(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def run(home: Path, *words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    surroundings = {"PATH": os.environ["PATH"], "HOME": str(home), **variables}
    return subprocess.run(words, env=surroundings, cwd=home, capture_output=True, text=True)


def unpacked(home: Path) -> list[Path]:
    """What lies in the folder for what is unpacked."""
    return list((home / ".cache" / "dpdesk-bundle").iterdir())


def test_that_the_first_start_unpacks_and_says_so_and_later_ones_run(
    file: Path, home: Path, shell: str
) -> None:
    first = run(home, shell, file, "one", "two words", "*")
    assert (first.returncode, first.stdout) == (0, "answers one two words *: aa\n")
    assert "unpacks" in first.stderr
    (folder,) = unpacked(home)
    assert (folder / "parts" / "link").readlink() == Path("1.txt")
    assert len(list((folder / "parts").glob("*.txt"))) == 9
    # What lies there is run, and nothing is unpacked again.
    (folder / "parts" / "1.txt").write_text("kept", encoding="utf-8")
    second = run(home, file, "x")
    assert (second.returncode, second.stdout, second.stderr) == (0, "answers x: kept\n", "")


def test_that_nobody_else_can_read_or_write_what_is_unpacked(file: Path, home: Path) -> None:
    told = run(home, "sh", "-c", 'umask 002; "$0" umask', file)
    assert told.stdout.strip() == "0002"
    for path in [*(home / ".cache").rglob("*"), home / ".cache"]:
        if not path.is_symlink():
            assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.parametrize("planted", ["open to its group", "open to all", "a link"])
def test_that_a_folder_that_somebody_else_may_fill_is_refused(
    file: Path, home: Path, planted: str
) -> None:
    run(home, file)
    place = home / ".cache" / "dpdesk-bundle"
    if planted == "a link":
        place.rename(home / "elsewhere")
        place.symlink_to(home / "elsewhere")
    else:
        place.chmod(0o770 if "group" in planted else 0o703)
    refused = run(home, file)
    assert (refused.returncode, refused.stdout) == (4, "")
    assert "nobody else may write to" in refused.stderr
    assert "XDG_CACHE_HOME" in refused.stderr
    other = run(home, file, XDG_CACHE_HOME=str(home / "mine"))
    assert other.stdout == "answers : aa\n", other.stderr


@pytest.mark.parametrize(("mode", "code"), [(0o777, 4), (0o702, 4), (0o1777, 0), (0o755, 0)])
def test_that_a_folder_which_somebody_else_can_move_is_refused(
    mode: int, code: int, file: Path, home: Path
) -> None:
    run(home, file)
    (home / ".cache").chmod(mode)
    told = run(home, file)
    assert told.returncode == code, told.stderr
    assert ("write to or move" in told.stderr) == bool(code)
    # As does a folder further up, and before anything is unpacked.
    (home / ".cache").chmod(0o700)
    home.chmod(mode)
    shutil.rmtree(home / ".cache")
    assert run(home, file).returncode == code
    assert code == 0 or unpacked(home) == []


@pytest.mark.parametrize("where", ["", "here", "./here"])
def test_that_without_a_folder_of_its_user_nothing_is_unpacked(
    where: str, file: Path, home: Path
) -> None:
    told = run(home, file, HOME=where)
    assert (told.returncode, told.stdout) == (4, "")
    assert "XDG_CACHE_HOME" in told.stderr
    assert list(home.iterdir()) == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_that_a_folder_of_another_user_is_refused(file: Path, home: Path) -> None:
    run(home, file)
    os.chown(home / ".cache" / "dpdesk-bundle", 1234, -1)
    assert run(home, file).returncode == 4


def test_that_a_damaged_file_starts_nothing_and_leaves_nothing(file: Path, home: Path) -> None:
    whole = file.read_bytes()
    for damaged in (whole[:-20], whole[:9000] + b"\0\0\0\0" + whole[9004:]):
        file.write_bytes(damaged)
        refused = run(home, file)
        assert (refused.returncode, refused.stdout) == (4, "")
        assert "this file is damaged, or the disk is full" in refused.stderr
        assert unpacked(home) == []


def test_that_what_a_killed_start_left_is_cleared_and_what_lacks_its_program_replaced(
    file: Path, home: Path
) -> None:
    run(home, file)
    (folder,) = unpacked(home)
    (folder / "dpdesk").unlink()
    (folder.parent / ".new-killed").mkdir()
    assert run(home, file).stdout == "answers : aa\n"
    assert unpacked(home) == [folder]


@pytest.fixture
def running(file: Path, home: Path) -> Iterator[subprocess.Popen[str]]:
    """The first version, running."""
    with subprocess.Popen(
        [file, "wait"],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "begun\n"
        yield child
        end(child)


def end(child: subprocess.Popen[str]) -> None:
    """Ends the program: what it waits for is the end of its input."""
    if child.stdin is not None:
        child.stdin.close()
    child.wait()


def test_that_an_older_version_goes_unless_it_runs(
    program: Program, root: Path, tmp_path: Path, home: Path, running: subprocess.Popen[str]
) -> None:
    (old,) = unpacked(home)
    for word in ("b", "c"):
        newer = tmp_path / f"dpdesk-{word}"
        program("one_file").write(bundle(tmp_path / word, word, root), newer)
        assert run(home, newer).stdout == f"answers : {word * 2}\n"
        # That with "b" had ended before that with "c" was unpacked.
        assert len(unpacked(home)) == 2
        assert old in unpacked(home)
    end(running)
    program("one_file").write(bundle(tmp_path / "d", "d", root), newer)
    run(home, newer)
    assert len(unpacked(home)) == 1
    assert old not in unpacked(home)


def test_that_removing_leaves_nothing_of_it_and_waits_for_its_end(
    file: Path, home: Path, running: subprocess.Popen[str]
) -> None:
    added = run(home, file, "--menu", "add")
    assert added.returncode == 0, added.stderr
    (entry,) = (home / ".local").rglob("dpdesk.desktop")
    # The menu starts the file, not what it unpacked: that may be deleted at any time.
    assert f'Exec="{file}" %f' in entry.read_text(encoding="utf-8")
    refused = run(home, file, "--menu", "remove")
    assert refused.returncode == 4
    assert "Close it" in refused.stderr
    end(running)
    removed = run(home, file, "--menu", "remove")
    assert removed.returncode == 0, removed.stderr
    assert "Delete this file" in removed.stdout
    assert not list(home.rglob("*dpdesk*"))


def test_that_the_same_folder_gives_the_same_file(
    program: Program, file: Path, root: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again"
    copied = bundle(tmp_path / "copied", "a", root)
    os.utime(copied / "dpdesk", (1, 1))
    program("one_file").write(copied, again)
    assert again.read_bytes() == file.read_bytes()


def test_that_a_second_first_start_waits_for_the_other(file: Path, home: Path) -> None:
    surroundings = {"PATH": os.environ["PATH"], "HOME": str(home)}
    both = [
        subprocess.Popen([file], env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    told = [child.communicate() for child in both]
    assert [out for out, _ in told] == [b"answers : aa\n"] * 2
    assert sum(b"unpacks" in errors for _, errors in told) == 1
    assert len(unpacked(home)) == 1


def test_that_the_folders_come_before_what_lies_in_them(
    program: Program, root: Path, tmp_path: Path
) -> None:
    folders, *parts = program("one_file")._cut(bundle(tmp_path / "bundle", "a", root))
    assert [path.name for path in folders] == ["menu", "parts"]
    assert len(parts) > 1
    assert not [path for part in parts for path in part if path in folders]
