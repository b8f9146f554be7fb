"""What commands print: JSON and nothing else, or no text; errors and exit codes stay."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.run import Command, runnable
from dpdesk.cli.terminal import print_json

SURVEY = "sex,job,age\n" + "".join(
    f"{'mf'[i % 2]},{'abc'[i * 7 % 3]},{30 + i % 9}\n" for i in range(60)
)
ASKED = "--declare sex=m|f --query count:by:sex --epsilon 1"
WORDS = {
    "draft": "draft people.csv -o OUT/new.json",
    "confirm": "confirm plan.json --data people.csv -o OUT/sure.json",
    "check": "check plan.json people.csv",
    "release": "release people.csv --plan plan.json --out OUT/release",
    "query": f"query people.csv {ASKED}",
    "query before": f"query people.csv {ASKED} --before",
    "synthesize": "synthesize people.csv --plan plan.json --out OUT/rows",
    "synthesize before": "synthesize people.csv --plan plan.json --before",
    "ledger": "ledger",
    "ledger of a file": "ledger people.csv",
    "ledger of folders": "ledger --verify made",
    "ledger of a plan": "ledger --plan RELEASE",
    "report": "report made",
    "report as files": "report made --registry OUT/entry.yaml",
    "estimate": "estimate made",
    "estimate of groups": "estimate made --by job",
    "estimate of a table": "estimate made --cross sex,job",
    "choose": "choose plan.json -o OUT/other.json",
    "mechanisms": "mechanisms",
    "handout": "handout",
    "handout of one": "handout epsilon-as-odds -o OUT/handout.html",
    "survey designs": "survey designs",
    "survey devices": "survey devices",
    "survey estimate": "survey estimate --design warner --set p=3/4 --counts 20/48",
    "survey plan": "survey plan --design warner --set p=3/4 --prevalence 0.1 --margin 0.05",
    "survey sheet": "survey sheet --design warner --set p=3/4 -o OUT/sheet.html",
    "survey simulate": "survey simulate --design warner --set p=3/4 --prevalence 0.1 "
    "--respondents 90",
    "risk": "risk people.csv",
    "coarsen": "coarsen people.csv --quasi sex,job --k 2",
    "attack": "attack",
    "attack by name": "attack linkage people.csv",
    "experiment": "experiment people.csv --plan fakes.json --epsilons 1 --repetitions 2",
    "learn": "learn people.csv --plan plan.json --label sex --epsilons 1 --repetitions 2",
}
DOCUMENTS = {"ledger of a plan", "report"}
"""Commands whose result is a document, which stays without text."""
ANSWERS = {"query", "query before"}
"""Commands whose result no file holds, answers or their errors: `--quiet` prints that alone. It is
what was asked for, and answers that were paid for seemed to be lost without text."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a survey, its plan and a release."""
    folder = tmp_path_factory.mktemp("printing")
    (folder / "people.csv").write_text(SURVEY, encoding="utf-8")
    draft = ["draft", str(folder / "people.csv"), "--epsilon", "3", "--confirm-domains", "-o"]
    assert main([*draft, str(folder / "plan.json"), "--keep", "job", "--strategy", "spl"]) == 0
    assert main([*draft, str(folder / "fakes.json"), "--strategy", "rsfd", "--drop", "age"]) == 0
    words = ["release", str(folder / "people.csv"), "--plan", str(folder / "plan.json")]
    words += ["--population", "made", "--ledger", str(folder / "ledger.sqlite")]
    assert main([*words, "--out", str(folder / "made")]) == 0
    return folder


def said(
    words: str,
    place: Path,
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> tuple[int, str, str]:
    """Exit code, output and errors of a command in the folder, which writes to another one."""
    monkeypatch.chdir(place)
    monkeypatch.setenv("DPDESK_LEDGER", str(out / "ledger.sqlite"))
    if words.startswith("ledger"):
        monkeypatch.setenv("DPDESK_LEDGER", str(place / "ledger.sqlite"))
        report = json.loads((place / "made" / "report.json").read_text("utf-8"))
        words = words.replace("RELEASE", report["identity"]["release_id"])
    spoken = words.replace("OUT", str(out)).split()
    code = main([word.replace("count:by:sex", "count by sex") for word in spoken])
    return code, *capsys.readouterr()


def takes(command: Command, option: str) -> bool:
    return option in command.parser()._option_string_actions


def test_that_every_command_can_be_quiet_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--json", "--quiet"):
        without = {command.name for command in runnable() if not takes(command, option)}
        assert not without
    assert main(["completion", "bash", "--quiet"]) == 0
    script = capsys.readouterr().out
    assert main(["completion", "bash", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"shell": "bash", "script": script}


@pytest.mark.parametrize(
    ("command", "streams"),
    [
        ("draft", "- in the place of a file is the standard input or output."),
        ("release", "- in the place of a file is the standard input."),
        ("completion", None),
    ],
)
def test_that_help_names_the_streams_that_a_command_takes(
    command: str, streams: str | None
) -> None:
    (found,) = (each for each in runnable() if " ".join(each.words) == command)
    assert found.parser().epilog == streams


def test_that_every_command_is_tried_here_and_its_json_is_documented(root: Path) -> None:
    commands = {" ".join(command.words) for command in runnable()} - {"completion"}
    tried = {next(c for c in commands if words.startswith(c)) for words in WORDS.values()}
    assert tried == commands
    page = (root / "resources" / "docs" / "command-line.md").read_text("utf-8")
    table = page.partition("| command | JSON |")[2].partition("\n\n")[0]
    heads = [line.split("|")[1] for line in table.splitlines() if line.count("|") > 2]
    assert {name for head in heads for name in re.findall("`([^`]+)`", head)} == commands


@pytest.mark.parametrize("name", WORDS)
def test_that_json_is_one_document_and_quiet_is_no_text(
    name: str,
    place: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for number, option in enumerate(("--json", "--quiet")):
        out = tmp_path / str(number)
        out.mkdir()
        code, printed, errors = said(f"{WORDS[name]} {option}", place, out, monkeypatch, capsys)
        assert code == 0, errors
        if option == "--json":
            assert json.loads(printed)
        elif name not in DOCUMENTS | ANSWERS:
            assert printed == ""


def test_that_quiet_answers_are_printed_alone_and_can_be_had_again(
    place: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = f"{WORDS['query']} --quiet"
    code, before, _ = said(f"{asked} --before", place, tmp_path, monkeypatch, capsys)
    assert code == 0
    assert before.startswith("count of rows by sex\n  ± ")
    assert "nothing was drawn" not in before
    code, printed, _ = said(asked, place, tmp_path, monkeypatch, capsys)
    assert code == 0
    lines = printed.strip().splitlines()
    assert lines[0] == "count of rows by sex  (ε = 1; intervals at 95 %)"
    assert [line.partition(":")[0] for line in lines[1:]] == ["  m", "  f"]
    assert main(["ledger", "--json"]) == 0
    (people,) = json.loads(capsys.readouterr().out)["populations"]
    release = people["releases"][0]["id"]
    assert main(["ledger", "--answers", release, "--quiet"]) == 0
    assert capsys.readouterr().out.strip() == printed.strip()
    words = f"{WORDS['query']} --quiet --out OUT/folder"
    assert said(words, place, tmp_path, monkeypatch, capsys)[:2] == (0, "")
    assert (tmp_path / "folder" / "statistics.csv").exists()


def test_that_errors_and_exit_codes_stay(
    place: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words in ("check missing.json", "estimate nowhere", "draft people.csv -o plan.json"):
        loud = said(words, place, tmp_path, monkeypatch, capsys)
        assert loud[0] != 0
        assert said(f"{words} --quiet", place, tmp_path, monkeypatch, capsys) == loud
        assert said(f"{words} --json", place, tmp_path, monkeypatch, capsys) == loud
    bare = json.loads((place / "plan.json").read_text("utf-8"))
    bare["columns"][0]["confirmed"] = False
    (tmp_path / "bare.json").write_text(json.dumps(bare), encoding="utf-8")
    words = f"check {tmp_path / 'bare.json'} --quiet"
    assert said(words, place, tmp_path, monkeypatch, capsys) == (1, "", "")


def test_that_no_character_turns_or_hides_what_json_shows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    content = {"name": "abc\u202edef\u200b\u2066 é 😀"}
    print_json(content)
    told = capsys.readouterr().out
    assert json.loads(told) == content
    assert "\\u202e" in told
    assert not [letter for letter in told if unicodedata.category(letter) == "Cf"]
