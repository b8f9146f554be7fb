"""Every option changes what a command does, or is refused by its name: none is silently ignored."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.run import Command, runnable, window_parser
from dpdesk.data.sample import sample_path
from tests.cli.option_words import BY_MODE, MODES, NOT_TRIED, SAME, VALUES

ROWS = 48
HEAD = "said,other,kind,number,region,age,w,s,c,size,how,version,a,b"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with answers, a survey and a plan of it."""
    folder = tmp_path_factory.mktemp("options")
    rows = [
        f"{int(i % 5 < 2)},{int(i % 4 < 1)},{i % 3},{i % 7 + i % 5},{'ns'[i // 2 % 2]},"
        f"{20 + i * 7 % 31},{1 + i % 3},{i // 24},{i // 6},{900 + 50 * (i // 24)},"
        f"{'open' if i % 6 == 5 else 'cards'},{'ABB'[i % 3 * (i % 5 < 3)]},"
        f"{0.8 if i % 2 else 0.7},{0.2 if i % 3 else 0.3}"
        for i in range(ROWS)
    ]
    (folder / "answers.csv").write_text("\n".join([HEAD, *rows]) + "\n", encoding="utf-8")
    people = [f"{'mf'[i % 2]},{'abc'[i * 7 % 3]},{30 + i % 9}" for i in range(60)]
    (folder / "people.csv").write_text("\n".join(["sex,job,age", *people]) + "\n", "utf-8")
    words = ["draft", str(folder / "people.csv"), "-o", str(folder / "plan.json"), "--epsilon", "3"]
    assert main([*words, "--confirm-domains", "--strategy", "rsfd", "--drop", "age"]) == 0
    words[3] = str(folder / "split.json")
    assert main([*words, "--confirm-domains", "--drop", "age", "--strategy", "spl"]) == 0
    words = ["query", str(folder / "people.csv"), "--declare", "sex=m|f", "--epsilon", "1"]
    words += ["--query", "count by sex", "--ledger", str(folder / "known.sqlite")]
    assert main([*words, "--population", "made", "--out", str(folder / "made")]) == 0
    return folder


def _given(words: str, place: Path) -> list[str]:
    names = {"answers.csv", "people.csv", "plan.json", "split.json", "asks.json", "made"}
    return [
        "count by sex" if word == "COUNT" else str(place / word) if word in names else word
        for word in words.split()
    ]


def _run(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    """Exit code, everything that came out, and the error; files go to a folder of their own."""
    outs = ("OUT", "OTHER", "LEDGER", "FOLDER")
    placed = [str(folder / word) if word.startswith(outs) else word for word in words]
    code = main(placed)
    told = capsys.readouterr()
    files = [
        (path.name, path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(("LEDGER", "."))
    ]
    out = told.out.replace(str(folder), "")
    return code, f"{out}{files}", told.err


def _command(words: list[str]) -> Command:
    return next(each for each in runnable() if each.words == tuple(words[: len(each.words)]))


def _offered(words: list[str]) -> list[argparse.Action]:
    command = _command(words)
    return command.parser(words[len(command.words) :])._actions


@pytest.mark.parametrize("mode", MODES)
def test_that_no_option_is_silently_ignored(
    mode: str, place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if mode == "query before, of a plan":
        asks = ["query", str(place / "people.csv"), "--declare", "sex=m|f", "--epsilon", "1"]
        asks += ["--query", "count by sex", "--before", "--save-plan", str(place / "asks.json")]
        assert main(asks) == 0
    base = _given(MODES[mode], place)
    (tmp_path / "base").mkdir()
    code, before, error = _run(base, tmp_path / "base", capsys)
    assert code == 0, error
    ignored = []
    for number, action in enumerate(_offered(base)):
        word = max(action.option_strings, key=len, default="")
        if action.dest in NOT_TRIED or (not word and action.nargs != "?"):
            continue
        if not word and any(part.endswith(".csv") for part in base):
            continue
        if action.nargs == 0 and word in base:
            continue
        value = next(
            (BY_MODE[key] for key in ((part, action.dest) for part in base[:2]) if key in BY_MODE),
            VALUES.get(action.dest, ""),
        )
        if value == "":
            pytest.fail(f"no value to try {word} with")
        values = [] if value is None else _given(value, place) if word else [str(place / value)]
        if value is not None and word and action.nargs != 2:
            values = [" ".join(_given(value, place))]
        folder = tmp_path / str(number)
        folder.mkdir()
        tried = [*base, *([word] if word else []), *values]
        if word == "--set":
            tried = [part for part in base if part != "--set" and "=" not in part] + tried[-2:]
        code, after, error = _run(tried, folder, capsys)
        refused = code != 0 and bool(error)
        if not refused and after == before and (mode, action.dest) not in SAME:
            ignored.append(word or action.dest)
        if refused and "has no effect" in error:
            assert any(part in error for part in tried if part.startswith("--")), error
    assert not ignored, f"{mode}: {', '.join(ignored)} changed nothing and was not refused"


def test_that_every_option_is_tried_somewhere() -> None:
    tried = {_command(words.split()) for words in MODES.values()}
    # Records and statistics are drawn with the system's random words, never twice alike.
    assert {each.words for each in set(runnable()) - tried} == {("release",), ("estimate",)}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("survey estimate --design warner --set p=3/4 --counts 3/9 --weights w", "--weights"),
        ("survey estimate --design warner --set p=3/4 --counts 3/9 --strata s", "--strata"),
        ("survey estimate --design warner --set p=3/4 --counts 3/9 --by x", "--by"),
        ("survey estimate --design warner --set p=3/4 --counts 3/9 --scores s.csv", "--scores"),
        ("survey estimate --design warner --set p=3/4 --counts 3/9 --formula x", "--formula"),
        (
            "survey estimate answers.csv --answer said --design warner --set p=3/4 --counts 3/9",
            "--counts",
        ),
        (
            "survey plan --design warner --set p=3/4 --prevalence 0.1 --against 0.2 "
            "--respondents 90 --weights-cv 0.5",
            "--weights-cv",
        ),
        (
            "survey plan --design warner --epsilon 1 --prevalence 0.1 --margin 0.1 --respondents 9",
            "--respondents",
        ),
        ("attack people.csv --plan plan.json --drop sex", "--drop"),
    ],
)
def test_that_the_sentence_names_the_option_that_has_no_effect(
    words: str, named: str, place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, error = _run(_given(words, place), tmp_path, capsys)
    assert code == 2
    assert error.count("\n") == 1
    assert f"{named} has no effect" in error


def test_that_the_window_refuses_two_things_to_open(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(sample_path()), "--sample"]) == 2
    assert "--sample has no effect beside a file" in capsys.readouterr().err
    assert {action.dest for action in window_parser()._actions} == {
        "help",
        "file",
        "sample",
        "self_test",
        "version",
    }
