"""What holds for every file of the project."""

from __future__ import annotations

import re
from pathlib import Path

LIMIT = 500

# Joined here so that this file does not hold what it looks for.
MACHINE_PATHS = re.compile(
    "|".join(["/" + "home/[a-z]", "/" + "root/", "/" + "work/", "/" + "Users/", r"C:\\+" + "Users"])
)
REGISTRIES = re.compile(
    "|".join(["pypi" + r"\.org", "python" + r"hosted\.org", "index" + "-url", "find" + "-links"])
)

# Each wait of a test ends with what it waits for, or at the one limit of `tests/patience.py`.
OWN_LIMIT = re.compile(r"\btimeout=[\d_]*[1-9]|(?<!qtbot)\.(?:wait|join)\([1-9]")


def texts(files: list[Path]) -> list[tuple[Path, str]]:
    """The files that hold text, with it."""
    found = []
    for path in files:
        try:
            found.append((path, path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    assert found
    return found


def test_that_no_python_file_is_longer_than_five_hundred_lines(tracked: list[Path]) -> None:
    python = [path for path in tracked if path.suffix in {".py", ".spec"}]
    assert python
    # The script beside a release goes out alone: it imports no part that it could be split into.
    long = {
        str(path): lines
        for path in python
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LIMIT
        and path.parts[-2:] != ("analysis", "analysis.py")
    }
    assert not long


def test_that_no_file_names_a_place_on_the_machine_it_was_written_on(
    tracked: list[Path], root: Path
) -> None:
    named = [
        f"{path.relative_to(root)}: {match[0]}"
        for path, text in texts(tracked)
        if (match := MACHINE_PATHS.search(text))
    ]
    assert not named


def test_that_no_file_names_a_package_registry(tracked: list[Path], root: Path) -> None:
    named = [
        f"{path.relative_to(root)}: {match[0]}"
        for path, text in texts(tracked)
        if (match := REGISTRIES.search(text))
    ]
    assert not named


def test_that_no_wait_of_a_test_has_a_limit_of_its_own(tracked: list[Path], root: Path) -> None:
    tests = [path for path in tracked if root / "tests" in path.parents and path.suffix == ".py"]
    limited = [
        f"{path.relative_to(root)}: {match[0]}"
        for path, text in texts(tests)
        if (match := OWN_LIMIT.search(text))
    ]
    assert not limited


def test_that_every_text_ends_with_one_line_end(tracked: list[Path], root: Path) -> None:
    written = [path for path in tracked if path.suffix in {".py", ".md", ".toml", ".qss"}]
    odd = [
        str(path.relative_to(root))
        for path, text in texts(written)
        if text and (not text.endswith("\n") or text.endswith("\n\n"))
    ]
    assert not odd


def test_that_the_programs_for_the_shell_can_be_executed(root: Path) -> None:
    assert (root / ".ci" / "run").stat().st_mode & 0o111
