"""Estimates of a survey that was held: its parameters are given, and its answers must fit."""

from __future__ import annotations

import json
import shlex
from math import log
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.survey.texts import T as Survey
from dpdesk.designs.registry import DESIGNS
from dpdesk.designs.texts import T

INSTRUCTION = Survey.MISFIT.remedy
FORCED = "--design forced --set forced_no=1/6 --set forced_yes=1/6"
ADDITIVE = "--design additive --set lower=0 --set upper=10 --set scale=2 --set noise=laplace"


def told(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["survey", "estimate", *shlex.split(words)]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("kind", DESIGNS, ids=lambda kind: kind.tag())
@pytest.mark.parametrize("given", ["", "answers.csv --answer q"])
def test_that_no_parameter_of_an_estimate_is_a_default(
    kind, given: str, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers.csv").write_text("q\n1\n0\n")
    names = [parameter.name for parameter in kind.parameters()]
    for missing in (name for name in names if name not in kind.supposed):
        words = ["survey", "estimate", *given.split(), "--design", kind.tag()]
        words += [word for name in names if name != missing for word in ("--set", f"{name}=1")]
        assert main(words) == 2
        said = capsys.readouterr().err
        lacking = Survey.MISSING_PARAMETERS(names=[missing], settings=f"--set {missing}=VALUE")
        assert f"{lacking} {lacking.remedy}" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (f"{FORCED} --counts 100/1000", T.FEWER_THAN_NONE()),
        (f"{FORCED} --counts 900/1000", T.MORE_THAN_ALL()),
        ("--design crosswise --set p=1/4 --counts 100/1000", T.FEWER_THAN_ALL()),
        ("--design crosswise --set p=1/4 --counts 900/1000", T.MORE_THAN_NONE()),
        (
            "--design kuk --set p1=3/4 --set p2=1/4 --set draws=1 --counts 100/1000",
            T.NO_SHARE_FITS(),
        ),
        (
            "--design forced_categories --set orders=1/6,1/6,1/6 --answers 1000,0,0",
            Survey.NO_TRUTH(),
        ),
        (
            f"{ADDITIVE} --set center=0 --mean 15 --variance 60 --respondents 400",
            Survey.NO_TRUTH(),
        ),
    ],
)
def test_that_answers_that_no_truth_brings_about_are_told(words: str, says: str, capsys) -> None:
    said = told(words, capsys)
    possible = "0 to 10" if "additive" in words else Survey.ANY_SHARE()
    assert Survey.MISFIT(interval="95 % interval", possible=possible, why=says) in said
    assert INSTRUCTION in said


def test_that_whose_answers_fit_hears_nothing_of_it(capsys) -> None:
    # Below 0, but not with the whole interval.
    assert "−" in told(f"{FORCED} --counts 16/100", capsys)
    assert INSTRUCTION not in told(f"{FORCED} --counts 16/100", capsys)
    mean = f"{ADDITIVE} --set center=0 --mean 5 --variance 60 --respondents 400"
    assert INSTRUCTION not in told(mean, capsys)


@pytest.mark.parametrize(
    "design",
    [
        FORCED,
        "--design forced_categories --set orders=1/6,1/6,1/6 --categories 0,1,2",
        f"{ADDITIVE} --set center=20",
    ],
)
def test_that_a_file_whose_answers_do_not_fit_is_told_of(
    design: str, tmp_path: Path, capsys
) -> None:
    file = tmp_path / "answers.csv"
    file.write_text("q\n" + "0\n" * 950 + "1\n" * 50)
    assert INSTRUCTION in told(f"{file} --answer q {design}", capsys)


def test_that_plan_and_estimate_of_the_read_me_are_of_one_survey(root: Path, capsys) -> None:
    lines = (root / "README.md").read_text(encoding="utf-8").splitlines()
    tasks = ("plan", "sheet", "estimate")
    plan, sheet, estimate = (
        next(shlex.split(line)[1:] for line in lines if line.startswith(f"dpdesk survey {task} "))
        for task in tasks
    )
    designs = []
    for words in (plan, estimate):
        assert main([*words, "--json"]) == 0
        designs.append(json.loads(capsys.readouterr().out)["design"])
    assert designs[0] == designs[1]
    # The sheet is asked for by the same device and epsilon as the plan.
    for option in ("--epsilon", "--device"):
        assert sheet[sheet.index(option) + 1] == plan[plan.index(option) + 1]


ONE_OF_BOTH = ["survey", "estimate", "--design", "unrelated_two_samples"]
ONE_OF_BOTH += ["--set", "p1=3/4", "--set", "p2=1/4", "--json"]


@pytest.mark.parametrize("supposed", [[], ["--set", "q=1/2"]])
def test_that_an_epsilon_is_that_of_the_innocent_share_which_the_answers_show(
    supposed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # l1 = .75 pi + .25 q and l2 = .25 pi + .75 q at pi = .45 and q = .25.
    assert main([*ONE_OF_BOTH, *supposed, "--counts", "200/500,150/500"]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert counted["estimate"] == pytest.approx(0.45)
    assert counted["further"]["innocent_share"]["estimate"] == pytest.approx(0.25)
    # P(yes | carrier) = 3/4 + 1/4 q against 1/4 q.
    assert counted["epsilon"] == pytest.approx(log((3 / 4 + 1 / 16) / (1 / 16)))
    table = tmp_path / "answers.csv"
    rows = [("a", 1)] * 200 + [("a", 0)] * 300 + [("b", 1)] * 150 + [("b", 0)] * 350
    table.write_text("group,q\n" + "".join(f"{group},{said}\n" for group, said in rows))
    file = [str(table), "--answer", "q", "--group", "group"]
    assert main([*ONE_OF_BOTH[:2], *file, *ONE_OF_BOTH[2:], *supposed]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["epsilon"], told["design"]) == (counted["epsilon"], counted["design"])
    # Where no innocent answer is yes, yes is a proof.
    assert main([*ONE_OF_BOTH, *supposed, "--counts", "200/500,50/500"]) == 0
    assert json.loads(capsys.readouterr().out)["epsilon_infinite"]


def test_that_an_error_of_0_is_not_stated_beside_an_interval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    design = ["--design", "warner", "--set", "p=3/4"]
    counted = ["survey", "estimate", *design, "--counts", "0/100", "--direct-counts", "0/80"]
    assert main([*counted, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["se"] is None
    assert found["interval"][1] - found["interval"][0] > 0.07
    for part in ("randomized", "direct", "difference"):
        lower, upper = found["contrast"][part]["interval"]
        assert found["contrast"][part]["se"] is None
        assert upper - lower > 0.04
    assert main(counted) == 0
    assert Survey.ERROR() not in capsys.readouterr().out
    for counts in ("0/50,0/50", "200/50,150/50"):
        words = ["survey", "estimate", "--design", "item_count", "--set", "items=3", "--json"]
        assert main([*words, "--counts", counts]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["se"] is None
        # A bound for the sums of either list, which hardly anybody can differ from.
        assert found["interval"][1] - found["interval"][0] > 0.2
    answers = ["survey", "estimate", "--design", "forced_categories", "--set", "orders=1/12,1/12"]
    assert main([*answers, "--answers", "50,0", "--json"]) == 0
    shares = json.loads(capsys.readouterr().out)["shares"]
    assert all(one["se"] is None and one["interval"][0] < one["interval"][1] for one in shares)
