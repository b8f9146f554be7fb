from __future__ import annotations

import io
import json
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.charge_to import parse_delta
from dpdesk.cli.main import main
from dpdesk.cli.texts import T as Cli
from dpdesk.data.sample import sample_path
from dpdesk.errors import LedgerError, ParameterError
from dpdesk.ledgers import Ledger
from dpdesk.ledgers.texts import T
from tests.ledgers.charges import charge, local

SAMPLE = str(sample_path())
COUNT = ["--declare", "children=0..6", "--query", "count", "--epsilon", "1"]


@pytest.fixture
def plan(tmp_path: Path) -> str:
    """A plan of the sample at a total epsilon of 9."""
    path = tmp_path / "plan.json"
    assert main(["draft", SAMPLE, "-o", str(path), "--epsilon", "9", "--confirm-domains"]) == 0
    return str(path)


def release(plan: str, out: Path, *more: str) -> int:
    return main(["release", SAMPLE, "--plan", plan, "--out", str(out), *more])


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    assert main(["ledger", "--json", *words]) == 0
    return json.loads(capsys.readouterr().out)


def test_that_asking_again_costs_what_it_costs(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = ["--population", "Redbook 1974"]
    assert release(plan, tmp_path / "one", *people, "--cap", "20") == 0
    name = "Redbook 1974"
    told = capsys.readouterr().out
    assert Cli.SPENT_WITH(name=name, count=0, before="0", now="9") in told
    assert Cli.REMAINS(epsilon="11") in told
    assert release(plan, tmp_path / "two", *people) == 0
    told = capsys.readouterr().out
    assert Cli.SPENT_WITH(name=name, count=1, before="9", now="18") in told
    assert Cli.REMAINS(epsilon="2") in told
    assert release(plan, tmp_path / "three") == 6
    said = capsys.readouterr().err
    assert str(T.OVER_CAP(name="Redbook 1974", left="2", cap="20", needed="9")) in said
    assert not (tmp_path / "three").exists()
    report = json.loads((tmp_path / "two" / "report.json").read_text())["budget"]
    assert report["earlier_releases"]["left"] == "2"
    (population,) = shown(capsys)["populations"]
    assert population["name"] == "Redbook 1974"
    assert population["local"]["epsilon"] == "18"
    assert population["central"]["releases"] == 0
    assert [r["where"] for r in population["releases"]] == [
        str(tmp_path / "one"),
        str(tmp_path / "two"),
    ]
    assert "percentage points" in population["total"]["still_buys"]


def test_that_what_is_refused_before_the_draw_is_not_charged(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").touch()
    assert release(plan, tmp_path / "out") == 4
    content = json.loads(Path(plan).read_text())
    for column in content["columns"]:
        column["confirmed"] = False
    Path(plan).write_text(json.dumps(content))
    assert release(plan, tmp_path / "other") == 1
    assert shown(capsys)["populations"] == []


def test_that_a_known_file_is_recognised_and_a_part_of_it_pointed_out(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release(plan, tmp_path / "one", "--population", "Redbook 1974") == 0
    lines = Path(SAMPLE).read_text().splitlines()
    other = tmp_path / "shuffled.tsv"
    shuffled = [lines[0], *reversed(lines[1:])]
    other.write_text("\n".join(line.replace(",", "\t") for line in shuffled) + "\n")
    assert shown(capsys, str(other))["data"] == {"population": "Redbook 1974", "resembles": []}
    part = tmp_path / "part.csv"
    part.write_text("\n".join(lines[:5000]) + "\n")
    data = shown(capsys, str(part))["data"]
    assert data["population"] is None
    (likeness,) = data["resembles"]
    assert (likeness["population"], likeness["basis"]) == ("Redbook 1974", "rows")
    assert likeness["share"] > 0.9
    assert main(["ledger", str(part)]) == 0
    said = capsys.readouterr().out
    assert "--population 'Redbook 1974'" in said
    assert "No release of this file is recorded." in said


def part_of_sample(folder: Path) -> str:
    """A file of most of the sample's rows."""
    part = folder / "part.csv"
    part.write_text("\n".join(Path(SAMPLE).read_text().splitlines()[:5000]) + "\n")
    return str(part)


def test_that_what_does_not_fit_is_told_before_it_is_asked_whose_data_these_are(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["query", SAMPLE, *COUNT]) == 0
    part = Path(part_of_sample(tmp_path))
    lines = part.read_text().splitlines()
    unfit = [line.replace(line.split(",")[0], "?", 1) for line in lines[1:]]
    part.write_text("\n".join([lines[0], *unfit]) + "\n")
    asked = ["--declare", "rate_marriage=1..5", "--query", "mean of rate_marriage"]
    assert main(["query", str(part), *asked, "--epsilon", "1"]) == 1
    assert "“rate_marriage”" in capsys.readouterr().err
    assert main(["release", str(part), "--plan", plan, "--out", str(tmp_path / "o")]) == 1
    assert "“rate_marriage”" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["records", "statistics"])
def test_that_nearly_the_same_file_stops_a_release_until_somebody_says_whose_it_is(
    kind: str, plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def asked(data: str, out: str, *more: str) -> int:
        words = (
            ["release", data, "--plan", plan, "--out", str(tmp_path / out)]
            if kind == "records"
            else ["query", data, *COUNT, "--out", str(tmp_path / out)]
        )
        return main([*words, *more])

    part = part_of_sample(tmp_path)
    assert asked(SAMPLE, "one", "--population", "Redbook 1974") == 0
    capsys.readouterr()
    assert asked(part, "two") == 6
    said = capsys.readouterr().err
    assert said.count("dpdesk: ") == 1
    assert T.SAME_PEOPLE.english.split("{", 1)[0] in said
    assert "of its rows are in a file of “Redbook 1974” (6,366 rows, 20" in said
    assert "--population 'Redbook 1974'" in said
    assert "--other-people" in said
    assert not (tmp_path / "two").exists()
    assert len(shown(capsys)["populations"]) == 1
    if kind == "statistics":
        assert main(["query", part, *COUNT]) == 6
    # Another name does not answer it; with the words for other people it does.
    assert asked(part, "two", "--population", "Others") == 6
    assert asked(part, "two", "--population", "Others", "--other-people") == 0
    assert asked(part, "three") == 0
    one, others = shown(capsys)["populations"]
    assert (one["name"], len(one["releases"])) == ("Redbook 1974", 1)
    assert (others["name"], len(others["releases"])) == ("Others", 2)
    (answer,) = others["other_people_than"]
    assert answer["population"] == "Redbook 1974"
    assert main(["ledger"]) == 0
    assert Cli.OTHER_PEOPLE(name="Redbook 1974") in capsys.readouterr().out


def test_that_nearly_the_same_file_can_be_said_to_be_of_the_same_people(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release(plan, tmp_path / "one") == 0
    words = ["release", part_of_sample(tmp_path), "--plan", plan, "--out", str(tmp_path / "two")]
    assert main(words) == 6
    assert "--population affairs.csv" in capsys.readouterr().err
    assert main([*words, "--population", "affairs.csv"]) == 0
    (population,) = shown(capsys)["populations"]
    assert population["local"]["epsilon"] == "18"
    assert len(population["files"]) == 2


@pytest.mark.parametrize(
    ("typed", "status", "terminals"),
    [
        *[(typed, 0, "in err") for typed in ("1\n", "o\n")],
        *[(typed, 6, "in err") for typed in ("\n", "2\n", "")],
        # Who sees the question and who answers may be two programs.
        *[("1\n", 6, one) for one in ("in", "err", "")],
    ],
)
def test_that_a_terminal_is_asked(
    typed: str,
    status: int,
    terminals: str,
    plan: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert release(plan, tmp_path / "one", "--population", "Redbook") == 0
    capsys.readouterr()

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return self.name in terminals.split()

    streams = {name: Terminal(typed if name == "in" else "") for name in ("in", "err")}
    for name, stream in streams.items():
        stream.name = name
        monkeypatch.setattr(f"sys.std{name}", stream)
    words = ["release", part_of_sample(tmp_path), "--plan", plan, "--out", str(tmp_path / "two")]
    assert main(words) == status
    said = streams["err"].getvalue()
    assert (f"1  {Cli.AS_PEOPLE_OF(name='Redbook')}" in said) == (terminals == "in err")
    names = [p["name"] for p in shown(capsys)["populations"]]
    assert names == (["Redbook", "part.csv"] if typed == "o\n" else ["Redbook"])


def test_that_a_refused_release_changes_nothing_in_the_ledger(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a cap nor a name that came with it, whatever it was refused for."""
    assert release(plan, tmp_path / "one") == 0
    before = shown(capsys)
    more = ["--cap", "12", "--population", "Redbook"]
    assert release(plan, tmp_path / "capped", *more) == 6
    assert shown(capsys) == before
    content = json.loads(Path(plan).read_text())
    broken = tmp_path / "broken.json"
    content["columns"][0]["confirmed"] = False
    broken.write_text(json.dumps(content))
    assert release(str(broken), tmp_path / "broken", *more) == 1
    assert release(str(tmp_path / "none.json"), tmp_path / "none", *more) == 1
    assert (
        main(["release", str(tmp_path), "--plan", plan, "--out", str(tmp_path / "x"), *more]) == 3
    )
    assert release(plan, tmp_path / "one", *more) == 4

    def stops(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(import_module("dpdesk.engine.sanitize"), "bind_attributes", stops)
        assert release(plan, tmp_path / "stopped", *more) == 130
    assert shown(capsys) == before


@pytest.mark.parametrize("place", ["", "."])
def test_that_an_empty_path_and_a_folder_are_no_ledger(
    place: str,
    plan: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    for words in (["ledger"], ["ledger", "--set-aside"]):
        assert main([*words, "--ledger", place]) == 2
    assert release(plan, tmp_path / "out", "--ledger", place) == 2
    monkeypatch.setenv("DPDESK_LEDGER", place)
    assert main(["ledger"]) == 2
    assert main(["ledger", "--set-aside"]) == 2
    assert release(plan, tmp_path / "out") == 2
    assert "file" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_that_a_population_without_a_name_is_refused(plan: str, tmp_path: Path) -> None:
    for name in ("", "  "):
        assert release(plan, tmp_path / "out", "--population", name) == 2
        assert main(["ledger", "--population", name]) == 2
    assert not (tmp_path / "out").exists()


def test_that_the_ledger_is_changed_by_its_options(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release(plan, tmp_path / "one") == 0
    named = ["--population", "affairs.csv"]
    assert main(["ledger", *named, "--rename", "Redbook"]) == 0
    of = ["ledger", "--population", "redbook"]
    assert main([*of, "--cap", "30", "--cap-delta", "1e-6"]) == 0
    (population,) = shown(capsys)["populations"]
    assert (population["name"], population["total"]["cap"]) == ("Redbook", "30")
    assert population["total"]["still_buys"].startswith("1 more yes-no question at ± ")
    assert main([*of, "--cap", "none"]) == 0
    assert "cap" in capsys.readouterr().out
    for wrong in (
        ["ledger", "--cap", "1"],
        [*of, "--cap", "nan"],
        [*of, "--cap", "1", "--cap-delta", "2"],
        ["ledger", "--population", "Nobody"],
        ["ledger", "--same-people", "Redbook", "Redbook"],
        ["ledger", "--plan", "none"],
    ):
        assert main(wrong) == 2, wrong


def test_that_a_plan_can_be_had_again(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release(plan, tmp_path / "one") == 0
    (population,) = shown(capsys)["populations"]
    assert main(["ledger", "--plan", population["releases"][0]["id"]]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(Path(plan).read_text())


def test_that_answers_are_printed_once_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["query", SAMPLE, *COUNT]) == 0
    first = capsys.readouterr().out.splitlines()
    (population,) = shown(capsys)["populations"]
    again = ["ledger", "--answers", population["releases"][0]["id"]]
    assert main(again) == 0
    # Without the line of how the file was read, the strength, and the budget.
    assert capsys.readouterr().out.splitlines() == first[1:-2]
    assert first[-2].startswith("Protection: ")
    assert first[-1].startswith("ledger: ")
    assert main([*again, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["queries"][0]["asked"] == "count of rows"
    assert main(["ledger", "--answers", "none"]) == 2
    assert len(shown(capsys)["populations"][0]["releases"]) == 1


def test_that_answers_that_could_not_be_kept_are_shown_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise LedgerError("The disk is full.")

    monkeypatch.setattr(Ledger, "keep_answers", fails)
    assert main(["query", SAMPLE, *COUNT]) == 0
    said = capsys.readouterr()
    assert "could not keep these answers" in said.err
    assert "count of rows" in said.out


def test_that_a_damaged_ledger_blocks_until_it_is_set_aside(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], ledger_of_this_test: Path
) -> None:
    Ledger.open()
    Path(f"{ledger_of_this_test}.key").write_bytes(b"x" * 32)
    assert release(plan, tmp_path / "one") == 6
    assert "dpdesk ledger --set-aside" in capsys.readouterr().err
    assert main(["ledger"]) == 6
    assert main(["ledger", "--set-aside"]) == 0
    assert release(plan, tmp_path / "one") == 0
    assert shown(capsys)["set_aside"]


@pytest.mark.parametrize(("charges", "said"), [(1, "1 missing entry"), (2, "2 missing entries")])
def test_that_what_an_older_copy_lacks_is_told(
    charges: int, said: str, capsys: pytest.CaptureFixture[str], ledger_of_this_test: Path
) -> None:
    charge(Ledger.open(), local("1"))
    older = {file: file.read_bytes() for file in ledger_of_this_test.parent.iterdir()}
    for _ in range(charges):
        charge(Ledger.open(), local("1"))
    for file in ledger_of_this_test.parent.iterdir():
        file.unlink()
    for file, content in older.items():
        file.write_bytes(content)
    assert main(["ledger"]) == 6
    assert main(["ledger", "--accept-older"]) == 0
    capsys.readouterr()
    assert main(["ledger"]) == 0
    assert said in capsys.readouterr().out
    assert [gap["missing_entries"] for gap in shown(capsys)["gaps"]] == [charges]


def test_that_another_ledger_can_be_named(
    plan: str, tmp_path: Path, ledger_of_this_test: Path
) -> None:
    other = tmp_path / "other.sqlite"
    assert release(plan, tmp_path / "one", "--ledger", str(other)) == 0
    assert other.exists()
    assert not ledger_of_this_test.exists()


@pytest.mark.parametrize(
    ("mode", "more"),
    [
        ("--set-aside", ["--cap", "3"]),
        ("--accept-older", ["--cap", "3"]),
        ("--plan=x", ["--cap", "3"]),
        ("--answers=x", ["--population", "People"]),
        ("--verify=x", ["--cap", "3"]),
        ("--enter=x", ["--cap", "3"]),
        ("--verify=x", ["--answers", "x"]),
    ],
)
def test_that_an_option_beside_one_that_decides_what_is_done_is_refused(
    mode: str, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ledger", mode, *more]) == 2
    assert "has no effect" in capsys.readouterr().err


def test_that_a_name_that_is_too_long_is_no_ledger(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ledger", "--ledger", "x" * 300]) == 2
    monkeypatch.setenv("DPDESK_LEDGER", "x" * 245)
    assert main(["ledger"]) == 2
    assert capsys.readouterr().err.count("is too long or not valid") == 2


@pytest.mark.parametrize("delta", ["1", "1.0", "1.5", "2", "-0.1", "nan", "inf", "x", ""])
def test_that_a_delta_that_is_no_probability_is_refused(delta: str) -> None:
    with pytest.raises(ParameterError):
        parse_delta(delta)


def test_that_a_delta_is_read_exactly() -> None:
    texts = ("0", "1e-6", "0.5", "0.999999999999")
    assert [parse_delta(text) for text in texts] == [Decimal(text) for text in texts]


def test_that_a_ledger_that_a_path_starts_is_said_to_be_new(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["ledger", "--ledger", str(tmp_path / "mistyped.sqlite")]
    new = Cli.NEW_LEDGER(file="mistyped.sqlite")
    assert main(words) == 0
    assert new in capsys.readouterr().err
    assert main(words) == 0
    assert new not in capsys.readouterr().err
