"""`-` for a file: the standard input and the standard output."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.reading_texts import ReadingTexts as Reading

SURVEY = "sex,age\n" + "".join(f"{'fm'[i % 2]},{18 + i % 40}\n" for i in range(60))
POSIX = pytest.mark.skipif(os.name != "posix", reason="redirects files by their numbers")

Piped = Callable[[list[str], str | bytes], int]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a survey and its plan; files for a time go into another one."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("DPDESK_LEDGER", str(tmp_path / "ledger.sqlite"))
    Path("s.csv").write_text(SURVEY, encoding="utf-8")
    assert (
        main(["draft", "--strategy", "spl", "s.csv", "-o", "plan.json", "--confirm-domains"]) == 0
    )
    return work


@pytest.fixture
def piped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Piped:
    """Runs a command whose standard input is a text; nothing may be left of it."""

    def run(words: list[str], text: str | bytes) -> int:
        raw = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))
        code = main(words)
        assert not list((folder.parent / "scratch").iterdir())
        return code

    return run


def test_that_a_survey_comes_in_and_a_plan_goes_out(
    folder: Path, piped: Piped, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert piped(["draft", "--strategy", "spl", "-", "-o", "-", "--confirm-domains"], SURVEY) == 0
    printed = capfdbinary.readouterr().out
    assert printed == (folder / "plan.json").read_bytes()


def test_that_the_risk_of_what_comes_in_is_that_of_the_file(
    piped: Piped, capsys: pytest.CaptureFixture[str]
) -> None:
    assert piped(["risk", "-", "--quasi", "sex,age"], SURVEY) == 0
    printed = capsys.readouterr().out
    assert main(["risk", "s.csv", "--quasi", "sex,age"]) == 0
    assert printed == capsys.readouterr().out


def test_that_a_plan_or_the_data_come_in_wherever_files_do(
    folder: Path, piped: Piped, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = (folder / "plan.json").read_bytes()
    assert piped(["check", "-", "s.csv"], plan) == 0
    assert piped(["check", "plan.json", "-"], SURVEY) == 0
    assert piped(["release", "-", "--plan", "plan.json", "--out", "r"], SURVEY) == 0
    assert piped(["choose", "-", "--json"], plan) == 0
    capsys.readouterr()
    assert main(["estimate", "r", "--mean", "age", "--by", "sex", "--table", "-"]) == 0
    assert capsys.readouterr().out.startswith("sex,mean,")


def test_that_every_format_comes_in(
    folder: Path, piped: Piped, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [dict(zip(("sex", "age"), r.split(","), strict=True)) for r in SURVEY.split()[1:]]
    assert piped(["draft", "-", "-o", "j.json", "--json"], json.dumps(records)) == 0
    names = [column["name"] for column in json.loads(capsys.readouterr().out)["columns"]]
    assert names == ["sex", "age"]


def test_that_a_dash_with_a_dot_before_it_is_a_file(folder: Path, piped: Piped) -> None:
    Path("-").write_text(SURVEY, encoding="utf-8")
    assert (
        piped(["draft", "--strategy", "spl", "./-", "-o", "other.json", "--confirm-domains"], "")
        == 0
    )
    assert (folder / "other.json").read_bytes() == (folder / "plan.json").read_bytes()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["draft", "-", "--codebook", "-", "-o", "x"],
            Reading.ONE_STREAM(options=["DATA", "--codebook"]),
        ),
        (["draft", "s.csv", "-o", "-", "--json"], Reading.BOTH_OUTPUT(option="--out")),
        (["release", "s.csv", "--plan", "plan.json", "--out", "-"], "--out: - means"),
        (
            ["query", "s.csv", "--query", "count", "--save-plan", "-"],
            "--save-plan: - means",
        ),
        (["estimate", "-"], "- means"),
        (["ledger", "--ledger", "-"], "--ledger: - means"),
        (["release", "s.csv", "--private-diagnostics", "-"], "--private-diagnostics: - means"),
        (["-"], "- means"),
    ],
)
def test_that_what_no_stream_can_be_is_refused(
    words: list[str], told: str, piped: Piped, capsys: pytest.CaptureFixture[str]
) -> None:
    assert piped(words, SURVEY) == 2
    said = capsys.readouterr()
    assert told in said.err
    assert said.out == ""
    assert said.err.count("\n") == 1


def test_that_an_error_names_the_stream_and_quotes_no_answer(
    piped: Piped, capsys: pytest.CaptureFixture[str]
) -> None:
    assert piped(["draft", "-", "-o", "x.json"], "") == 3
    assert "standard input" in capsys.readouterr().err
    assert piped(["check", "-"], "{") == 1
    assert "standard input" in capsys.readouterr().err


def run(words: str, folder: Path, root: Path) -> subprocess.CompletedProcess[str]:
    """Runs a line of a shell, in which DPDESK is the program."""
    program = f'"{sys.executable}" -m dpdesk'
    return subprocess.run(
        ["sh", "-c", words.replace("DPDESK", program)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


@POSIX
@pytest.mark.parametrize(
    "words",
    [
        "DPDESK draft - -o s.csv --overwrite < s.csv",
        "DPDESK draft s.csv -o - >> s.csv",
        "DPDESK draft - -o - < s.csv >> s.csv",
    ],
)
def test_that_no_stream_writes_over_what_is_read(words: str, folder: Path, root: Path) -> None:
    done = run(words, folder, root)
    assert done.returncode == 4
    assert "is read by this command" in done.stderr
    assert (folder / "s.csv").read_text("utf-8") == SURVEY


@POSIX
def test_that_a_reader_who_ends_early_is_no_error(folder: Path, root: Path) -> None:
    # More than a pipe holds, so that the reader is gone before the end.
    Path("wide.csv").write_text(
        ",".join(f"a{i}" for i in range(900)) + "\n" + ",".join("1" * 900) + "\n", "utf-8"
    )
    done = run("{ DPDESK draft wide.csv -o -; echo $? >&3; } 3>code | head -c 9", folder, root)
    assert done.stdout == '{\n  "form'
    assert (folder / "code").read_text("utf-8") == "0\n"
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr
