from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpdesk.attacks import ATTACKS, Attack
from dpdesk.attacks.texts import T
from dpdesk.cli.main import main
from dpdesk.cli.run import runnable
from dpdesk.cli.texts import T as Cli

OTHERS = [kind for kind in ATTACKS if kind.tag() != "sampled-attribute"]
QUICK = {
    "reconstruction": ["--people", "20", "--questions", "40"],
    "membership": ["--people", "10"],
    "tracker": ["--tried", "5"],
}


@pytest.fixture
def data(tmp_path: Path) -> str:
    rows = [f"{20 + i % 70},{'abc'[i % 3]},{'yes' if i % 4 else 'no'}" for i in range(240)]
    path = tmp_path / "survey.csv"
    path.write_text("\n".join(["age,region,smokes", *rows]) + "\n", encoding="utf-8")
    return str(path)


def test_that_without_a_name_all_attacks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attack"]) == 0
    told = capsys.readouterr().out
    assert all(kind.tag() in told and kind.question in told for kind in ATTACKS)
    assert main(["attack", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in listed] == [kind.tag() for kind in ATTACKS]
    assert listed[0]["parameters"]["share"]["default"] == 0.2


@pytest.mark.parametrize("kind", OTHERS, ids=[kind.tag() for kind in OTHERS])
def test_that_every_attack_runs_on_its_example_and_says_so(
    kind: type[Attack], capsys: pytest.CaptureFixture[str]
) -> None:
    words = QUICK.get(kind.tag(), [])
    assert main(["attack", kind.tag(), *words]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    lines = told.out.splitlines()
    assert lines[0] == "A bundled example."
    assert lines[1].startswith(kind.title)
    assert "What would change it:" in lines
    assert "\\x" not in told.out


@pytest.mark.parametrize("kind", OTHERS, ids=[kind.tag() for kind in OTHERS])
def test_that_results_on_data_are_private_and_those_of_the_parameters(
    kind: type[Attack], data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = QUICK.get(kind.tag(), [])
    survey = [data] if kind.reads_data else []
    assert main(["attack", kind.tag(), *survey, *words, "--epsilon", "0.5", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["private"] is kind.reads_data
    assert content["attack"] == kind.tag()
    assert content["parameters"]["epsilon"] == 0.5
    assert 0 <= content["guessing"] <= content["success"] <= 1
    assert main(["attack", kind.tag(), *survey, *words]) == 0
    assert ("PRIVATE" in capsys.readouterr().out.splitlines()[0]) is kind.reads_data


def test_that_every_parameter_is_an_option() -> None:
    command = next(one for one in runnable() if one.words == ("attack",))
    for kind in ATTACKS:
        offered = {action.dest for action in command.parser([kind.tag()])._actions}
        assert set(kind.parameters()) <= offered, kind.tag()


def test_that_the_attack_on_fakes_needs_no_name(
    data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [data, "--variants", "grr", "--epsilons", "1", "--json"]
    assert main(["attack", *words]) == 0
    without = capsys.readouterr().out
    assert main(["attack", "sampled-attribute", *words]) == 0
    assert capsys.readouterr().out == without


def test_that_the_attack_on_fakes_runs_on_its_example(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["attack", "sampled-attribute", "--variants", "grr", "--epsilons", "1"]
    assert main(words) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "A bundled example."
    assert told[2].split() == ["respondents", "6,366"]
    assert told[3].split() == ["attributes", "9"]
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["private"] is False


def test_that_a_list_with_names_is_compared(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    register = tmp_path / "names.csv"
    register.write_text("name,age,region\nAnn,20,a\nBob,99,a\n", encoding="utf-8")
    words = ["attack", "linkage", data, "--register", str(register)]
    assert main([*words, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert (figures["entries"], figures["exact_matches"], figures["unique_matches"]) == (2, 1, 0)
    register.write_text("name,years\nAnn,20\n", encoding="utf-8")
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert T.NOTHING_IN_COMMON() in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["linkag"], Cli.NO_ATTACK(name="linkag", near="linkage")),
        # The file after it is right.
        (["linkag", "FILE"], Cli.NO_ATTACK(name="linkag", near="linkage")),
        (["linkag", "FILE", "--columns", "job"], Cli.NO_ATTACK(name="linkag", near="linkage")),
        (["sampled-attribute", "--plan", "FILE"], "--plan has no effect without a survey"),
        (["--variants", "grr"], "--variants has no effect without a survey"),
        (["linkage", "--plan", "FILE"], "--plan has no effect without a survey"),
        (["linkage", "--shares", "1"], "Did you mean --share?"),
        (["linkage", "--share", "2"], "Share of people: "),
        (["homogeneity", "FILE", "--column", "smoke"], "“smokes” is similar"),
        (["swapped-coin", "--count", "101"], "More people answer yes"),
        (["tracker", "FILE", "--least", "90"], "suppressed below 60 at most"),
    ],
)
def test_that_a_mistake_gets_one_sentence(
    words: list[str], said: str, data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["attack", *(data if word == "FILE" else word for word in words)]) != 0
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert said in error
