"""No command destroys a file that it reads, or another one without being told; and what it prints
arrives or is not paid for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.paths import FileOption, InputOption, OutputOption, path_or_stream, place_of
from dpdesk.cli.reading_texts import ReadingTexts as Reading
from dpdesk.cli.run import runnable, window_parser
from dpdesk.data.sample import sample_path
from dpdesk.ledgers import Ledger
from dpdesk.ledgers.place import files_of, witness_path
from dpdesk.plan import load_plan

FEW = "sex,age\n" + "".join(f"{'fm'[i % 2]},{18 + i % 40}\n" for i in range(60))
PRIVATE = "--private-diagnostics"
SHARED = {"--layout"}
"""Options of every command that reads a survey, which one of them tries."""
ASKED = ("--declare", "age=18..90", "--query", "mean of age", "--epsilon", "1")


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "s.csv"
    path.write_text(FEW, encoding="utf-8")
    return path


@pytest.fixture
def plan(survey: Path, tmp_path: Path) -> Path:
    path = tmp_path / "plan.json"
    words = [
        "draft",
        "--strategy",
        "spl",
        str(survey),
        "-o",
        str(path),
        "--epsilon",
        "4",
        "--confirm-domains",
    ]
    assert main(words) == 0
    return path


def commands(survey: Path, plan: Path) -> Iterator[tuple[list[str], str]]:
    """Every command that writes a file, without its name, and the ending that the name must have.

    Every option that names a file is given somewhere.
    """
    folder = survey.parent
    beside = {
        "m.csv": "3/4,1/4\n1/4,3/4\n",
        "book.csv": "name,label\nsex,Sex\n",
        "levels.csv": "value,all\nf,*\nm,*\n",
        "layout.csv": "name,start,width\nsex,1,1\nage,2,2\n",
        "wide.txt": "".join(f"{'fm'[i % 2]}{18 + i % 40}\n" for i in range(60)),
    }
    for name, text in beside.items():
        (folder / name).write_text(text, encoding="utf-8")
    data, by_plan, out = str(survey), ["--plan", str(plan)], str(folder / "released")
    yield ["draft", data, "--set", f"sex=pram,matrix=@{folder / 'm.csv'}", "-o"], ".json"
    layout = ["--layout", str(folder / "layout.csv")]
    yield ["draft", str(folder / "wide.txt"), *layout, "-o"], ".json"
    yield ["draft", data, "--codebook", str(folder / "book.csv"), "-o"], ".json"
    yield ["confirm", str(plan), "sex", "--data", data, "-o"], ".json"
    yield ["query", data, *by_plan, *ASKED, "--save-plan"], ".json"
    yield ["choose", str(plan), "-o"], ".json"
    yield ["release", data, *by_plan, "--out", out, "--private-diagnostics"], ".json"
    rows = ["--epsilon", "1", "--out", f"{out}-rows", "--private-diagnostics"]
    yield ["synthesize", data, *by_plan, *rows], ".json"
    levels = ["--hierarchy", f"sex={folder / 'levels.csv'}"]
    yield ["coarsen", data, *by_plan, "--quasi", "sex,age", *levels, "-o"], ".json"
    yield ["learn", data, *by_plan, "--label", "sex", "--repetitions", "2", "-o"], ".csv"
    fixed, layout = folder / "fixed.dat", folder / "layout.csv"
    names, *records = (line.split(",") for line in FEW.splitlines())
    fixed.write_text("".join("".join(f"{cell:9}" for cell in r) + "\n" for r in records), "utf-8")
    places = [f"{name},{1 + 9 * place},9" for place, name in enumerate(names)]
    layout.write_text("\n".join(["name,start,width", *places]) + "\n", encoding="utf-8")
    cut = ["--layout", str(layout)]
    yield ["draft", str(fixed), *cut, "-o"], ".json"
    yield ["confirm", str(plan), "sex", "--data", str(fixed), *cut, "-o"], ".json"
    yield ["query", str(fixed), *by_plan, *ASKED, *cut, "--save-plan"], ".json"
    of_fixed = ["release", str(fixed), *by_plan, *cut, "--out", f"{out}-fixed"]
    yield [*of_fixed, "--private-diagnostics"], ".json"
    rows = ["--epsilon", "1", "--out", f"{out}-fixed-rows", "--private-diagnostics"]
    yield ["synthesize", str(fixed), *by_plan, *cut, *rows], ".json"
    yield ["coarsen", str(fixed), *by_plan, "--quasi", "sex,age", *cut, "-o"], ".json"
    yield (
        ["learn", str(fixed), *by_plan, "--label", "sex", "--repetitions", "2", *cut, "-o"],
        ".csv",
    )
    warner = ["--design", "warner", "--set", "p=3/4"]
    answers = ["survey", "estimate", data, *warner, "--answer", "sex", "--yes", "f"]
    yield [*answers, "--scores"], ".csv"
    yield [*answers, "--memo"], ".html"
    planned = ["survey", "plan", *warner, "--prevalence", "0.1", "--margin", "0.05"]
    yield [*planned, "--memo"], ".html"
    yield ["survey", "sheet", *warner, "-o"], ".html"
    room = ["handout", "which-mechanism", "--data", data, "--column", "sex"]
    yield [*room, "-o"], ".html"
    asked_of = ["--mean", "age", "--by", "sex", "--table"]
    yield ["report", out, "--registry"], ".yaml"
    yield ["report", out, "--pdf"], ".pdf"
    yield ["estimate", out, *asked_of], ".csv"
    yield ["estimate", f"{out}/records.csv", *asked_of], ".csv"
    yield ["estimate", f"{out}/records.parquet", *by_plan, "--unverified", *asked_of], ".csv"


_RUNS: list[list[str]] = []
"""The names that the command under watch opened."""


def _note_opened(event: str, arguments: tuple[object, ...]) -> None:
    if _RUNS and event == "open" and isinstance(arguments[0], str | os.PathLike):
        _RUNS[-1].append(os.fspath(arguments[0]))


sys.addaudithook(_note_opened)


def opened_by(words: list[str], folder: Path) -> set[Path]:
    """Runs a command; returns the files of a folder that it opened and did not make."""
    before = {path for path in folder.rglob("*") if path.is_file()}
    _RUNS.append([])
    try:
        assert main(words) == 0, words
    finally:
        opened = _RUNS.pop()
    return before & {Path(name).resolve() for name in opened}


def test_that_every_command_that_writes_a_file_is_tried(survey: Path, plan: Path) -> None:
    tried = [words for words, _ in commands(survey, plan)]
    for command in runnable():
        actions = command.parser()._actions
        if not any(isinstance(action, OutputOption) for action in actions):
            continue
        own = [words for words in tried if tuple(words[: len(command.words)]) == command.words]
        said = SHARED & {word for words in tried for word in words}
        said |= {word for words in own for word in words}
        for action in actions:
            names_a_file = isinstance(action, InputOption | OutputOption) and action.option_strings
            assert not names_a_file or said & {*action.option_strings}, (command, action.dest)


def test_that_no_command_makes_folders_on_the_way_to_what_it_writes(
    survey: Path, plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, made = tmp_path / "nobody" / "deep", str(tmp_path / "released")
    tried = [[*words, str(missing / f"x{ending}")] for words, ending in commands(survey, plan)]
    made_by = [words for words, _ in commands(survey, plan) if "--out" in words]
    tried += [
        [str(missing / "x") if word.startswith(made) else word for word in words[:-1]]
        for words in made_by
    ]
    by_plan = ["--plan", str(plan), "--out", str(missing / "x")]
    tried += [["query", str(survey), *by_plan, *ASKED]]
    tried += [["coarsen", str(survey), *by_plan, "--quasi", "sex,age"]]
    before = sorted(tmp_path.rglob("*"))
    capsys.readouterr()
    for words in tried:
        if words[0] == "estimate" or words[0] == "report":
            continue  # They read a release, which is refused before.
        assert main(words) == 4, words
        said = capsys.readouterr().err
        assert "there is no folder deep." in said, words
        # Before anything is read: a ledger is not even opened.
        assert said.count("\n") == 1, words
    assert sorted(tmp_path.rglob("*")) == before


def test_that_no_command_writes_over_a_file_that_it_opens(
    survey: Path, plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read_by = {}
    for number, (words, ending) in enumerate(commands(survey, plan)):
        made = tmp_path / f"made-{number}{ending}"
        read = opened_by([*words, str(made)], tmp_path)
        read_by[words[0]] = len(read)
        for path in sorted(read):
            before = path.read_bytes()
            capsys.readouterr()
            assert main([*words, str(path), "--overwrite"]) == 4, (words, path)
            assert path.read_bytes() == before
            told = capsys.readouterr().err
            assert "would be destroyed" in told or "folder of a release" in told
    assert (read_by["coarsen"], read_by["draft"]) == (3, 2)
    assert read_by["estimate"] > 4


def test_that_nothing_is_written_into_a_release(
    survey: Path, plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    released = tmp_path / "released"
    words = ["release", str(survey), "--plan", str(plan), "--out", str(released)]
    assert main(words) == 0
    (tmp_path / "link").symlink_to(released)
    (tmp_path / "plan-link.json").symlink_to(released / "plan.json")
    new = released / "new.csv"
    named = [*released.iterdir(), new, tmp_path / "link" / "plan.json", tmp_path / "plan-link.json"]
    before = {path: path.read_bytes() for path in released.iterdir()}
    asked_of = ["--mean", "age", "--by", "sex", "--table"]
    for asked in (
        ["estimate", str(released), *asked_of],
        ["estimate", str(released / "records.csv"), "--plan", str(plan), "--unverified", *asked_of],
        ["draft", str(survey), "-o"],
        ["survey", "sheet", "--design", "warner", "--set", "p=3/4", "-o"],
    ):
        for path in named:
            assert main([*asked, str(path), "--overwrite"]) == 4, (asked, path)
    capsys.readouterr()
    assert main(["ledger", "--verify", str(released)]) == 0
    assert "not listed" not in capsys.readouterr().err
    assert {path: path.read_bytes() for path in released.iterdir()} == before


def test_that_files_beside_records_without_a_manifest_are_kept_if_they_are_read(
    survey: Path, plan: Path, tmp_path: Path
) -> None:
    released = tmp_path / "released"
    assert main(["release", str(survey), "--plan", str(plan), "--out", str(released)]) == 0
    (released / "manifest.json").unlink()
    asked_of = ["--mean", "age", "--by", "sex", "--overwrite", "--table"]
    for place, name in (
        (released, "records.csv"),
        (released, "records.parquet"),
        (released, "plan.json"),
        (released, "report.json"),
        (released / "records.csv", "plan.json"),
        (released / "records.csv", "report.json"),
    ):
        before = (released / name).read_bytes()
        assert main(["estimate", str(place), *asked_of, str(released / name)]) == 4
        assert (released / name).read_bytes() == before
    # Not read with records that are named, and a usual name for a table.
    asked = ["estimate", str(released / "records.csv"), *asked_of, str(released / "estimates.csv")]
    assert main(asked) == 0


def test_that_nothing_is_written_into_the_folder_that_the_command_makes(
    survey: Path, plan: Path, tmp_path: Path
) -> None:
    out = tmp_path / "coarse"
    words = ["coarsen", str(survey), "--plan", str(plan), "--quasi", "sex,age", "--k", "2"]
    for name in ("levels-1.csv", "new.json"):
        kept = [*words, "--out", str(out), "-o", str(out / name), "--overwrite"]
        assert main(kept) == 4
        assert not out.exists()


def test_that_no_command_writes_over_a_file_that_it_reads_by_any_of_its_names(
    survey: Path, plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    released = str(tmp_path / "released")
    for words, read in (
        (["draft", str(survey), "-o"], survey),
        (["query", str(survey), "--plan", str(plan), *ASKED, "--save-plan"], plan),
        (["release", str(survey), "--plan", str(plan), "--out", released, PRIVATE], plan),
    ):
        before = read.read_bytes()
        (tmp_path / "folder").mkdir(exist_ok=True)
        names = [read, tmp_path / "folder" / ".." / read.name]
        for made, name in ((os.symlink, "link"), (os.link, "hard")):
            other = tmp_path / f"{name}-{read.stem}{read.suffix}"
            if not other.exists():
                made(read, other)
            names.append(other)
        for name in names:
            for more in ((), ("--overwrite",)):
                capsys.readouterr()
                assert main([*words, str(name), *more]) == 4, (words, name)
                assert "would be destroyed" in capsys.readouterr().err
                assert read.read_bytes() == before
    assert not (tmp_path / "released").exists()
    assert Ledger.open().book().populations() == ()


def test_that_another_file_is_replaced_only_where_that_is_said(
    survey: Path, plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, ending in commands(survey, plan):
        other = tmp_path / f"other{ending}"
        other.write_text("precious", encoding="utf-8")
        assert main([*words, str(other)]) == 4
        assert "already exists" in capsys.readouterr().err
        assert other.read_text(encoding="utf-8") == "precious"
        assert main([*words, str(other), "--overwrite"]) == 0
        assert other.read_bytes() != b"precious"
        for taken in (tmp_path, tmp_path / "pipe"):
            if taken.name == "pipe" and not taken.exists():
                os.mkfifo(taken)
            assert main([*words, str(taken), "--overwrite"]) in (2, 4)
            assert taken.exists()
    (tmp_path / "elsewhere.json").write_text("precious", encoding="utf-8")
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "elsewhere.json")
    assert main(["choose", str(plan), "-o", str(link), "--overwrite"]) == 0
    assert (tmp_path / "elsewhere.json").read_text(encoding="utf-8") == "precious"
    assert load_plan(link).columns


def test_that_an_empty_path_is_refused_everywhere(
    survey: Path, plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (
        ["draft", "", "-o", "x.json"],
        ["draft", str(survey), "-o", ""],
        ["draft", str(survey), "-o", " "],
        ["query", str(survey), *ASKED, "--out", ""],
        ["query", str(survey), *ASKED, "--ledger", ""],
        ["release", str(survey), "--plan", str(plan), "--out", ""],
        ["ledger", "--ledger", "", "--set-aside"],
        ["estimate", ""],
        [""],
    ):
        assert main(words) == 2
        assert Reading.EMPTY_PATH() in capsys.readouterr().err


def test_that_every_path_of_the_command_line_is_one_that_is_checked() -> None:
    parsers = [*(command.parser() for command in runnable()), window_parser()]
    found = [action for parser in parsers for action in parser._actions]
    read = [action for action in found if action.type in (path_or_stream, place_of)]
    assert len(read) > 20
    assert all(isinstance(action, FileOption) or action.dest == "file" for action in read)
    assert not [action.dest for action in found if action.type is Path]


def run(
    words: list[str], stdout: object, **surroundings: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "dpdesk", *words],
        stdout=stdout,  # type: ignore[call-overload]
        stderr=subprocess.PIPE,
        env={**os.environ, **surroundings},
        check=False,
    )


def charged() -> int:
    return sum(len(people.releases) for people in Ledger.open().book().populations())


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="a device of Linux")
@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_that_nothing_is_charged_where_the_output_is_full(
    survey: Path, json_too: list[str]
) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = run(["query", str(survey), *ASKED, *json_too], full)
    assert ended.returncode == 4
    told = [one for one in ended.stderr.decode().splitlines() if not one.startswith("warning:")]
    assert len(told) == 1
    assert Reading.UNWRITABLE(reason="No space left on device") in told[0]
    assert charged() == 0
    with Path("/dev/full").open("wb") as full:
        ended = run(["mechanisms"], full)
    assert (ended.returncode, ended.stderr.decode().count("\n")) == (4, 1)


def test_that_nothing_is_charged_where_there_is_no_output(survey: Path) -> None:
    closed = f'exec "{sys.executable}" -m dpdesk query "{survey}" "$@" >&-'
    ended = subprocess.run(["sh", "-c", closed, "sh", *ASKED], stderr=subprocess.PIPE, check=False)
    assert ended.returncode == 4
    assert b"no output" in ended.stderr
    assert charged() == 0


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "utf-8"])
def test_that_answers_are_written_in_the_letters_of_any_terminal(
    survey: Path, encoding: str
) -> None:
    ended = run(["query", str(survey), *ASKED], subprocess.PIPE, PYTHONIOENCODING=encoding)
    assert ended.returncode == 0, ended.stderr
    said = ended.stdout.decode(encoding)
    assert ("(ε = 1; " in said) or ("(epsilon = 1; " in said)
    assert "mean of age" in said
    words = ["query", str(survey), *ASKED, "--json", "--declare", "sex=f|m"]
    ended = run(words, subprocess.PIPE, PYTHONIOENCODING=encoding)
    assert json.loads(ended.stdout.decode(encoding))["queries"]


def test_that_a_reader_who_leaves_early_costs_nothing(survey: Path) -> None:
    # `head -c0` closes the pipe before anything is written.
    line = f'"{sys.executable}" -m dpdesk query "{survey}" "$@" | (exec 0<&-; sleep 3)'
    subprocess.run(["sh", "-c", line, "sh", *ASKED], check=False, stderr=subprocess.PIPE)
    assert charged() == 0


def test_that_the_sample_is_no_file_to_write_to(plan: Path) -> None:
    before = sample_path().read_bytes()
    assert main(["draft", str(sample_path()), "-o", str(sample_path()), "--overwrite"]) == 4
    assert sample_path().read_bytes() == before


def test_that_no_command_writes_over_a_ledger(
    survey: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    own, other = tmp_path / "own.sqlite", tmp_path / "other.sqlite"
    for place in (own, other):
        Ledger.open(place)
    monkeypatch.setenv("DPDESK_LEDGER", str(own))
    (tmp_path / "link.json").symlink_to(own)
    taken = [own, other, tmp_path / "link.json", witness_path(own)]
    taken += [file for file in files_of(own) if file.exists()]
    before = [path.read_bytes() for path in taken]
    for path in taken:
        assert main(["draft", str(survey), "-o", str(path), "--overwrite"]) == 4
        assert "is a dpdesk ledger" in capsys.readouterr().err
        asked = ["query", str(survey), *ASKED, "--save-plan", str(path), "--overwrite"]
        assert main([*asked, "--ledger", str(other)]) == 4
    assert [path.read_bytes() for path in taken] == before
    # The ledger that is named by the command itself, before it is there.
    new = str(tmp_path / "new.sqlite")
    asked = ["query", str(survey), *ASKED, "--ledger", new, "--save-plan"]
    for name in (new, new + ".key", new + ".head"):
        assert main([*asked, name]) == 4


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="a device of Linux")
def test_that_a_release_stands_with_its_diagnostics_where_the_output_is_full(
    survey: Path, plan: Path, tmp_path: Path
) -> None:
    words = ["release", str(survey), "--plan", str(plan), "--out", str(tmp_path / "out")]
    with Path("/dev/full").open("wb") as full:
        done = run([*words, "--private-diagnostics", str(tmp_path / "p.html")], full)
    assert done.returncode == 4
    assert b"The release was written to out and is charged" in done.stderr
    assert (tmp_path / "p.html").exists()
    assert (tmp_path / "out" / "manifest.json").exists()


@pytest.mark.parametrize("word", ["--weights", "--strata", "--clusters", "--population", "--by"])
@pytest.mark.parametrize("value", ["", " "])
def test_that_a_word_without_letters_is_refused_by_its_option(
    word: str, value: str, survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["survey", "estimate", str(survey), "--answer", "sex", "--yes", "f"]
    asked += ["--design", "warner", "--set", "p=3/4"]
    for words in ([word, value], [f"{word}={value}"]):
        assert main([*asked, *words]) == 2
        assert f"The value of {word} is empty" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="descriptors of POSIX")
def test_that_a_closed_error_stream_neither_stops_a_query_nor_moves_to_its_output(
    survey: Path,
) -> None:
    command = [sys.executable, "-m", "dpdesk", "query", str(survey), *ASKED, "--json"]
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *command], stdout=subprocess.PIPE, check=False
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["format"] == "dpdesk-statistics-report"
