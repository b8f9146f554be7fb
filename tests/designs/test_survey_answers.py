"""Answers of respondents who used different devices, one row each."""

from __future__ import annotations

import json
from math import erfc, log, sqrt
from pathlib import Path

import numpy as np
import pytest

from dpdesk.cli.main import main
from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable
from dpdesk.designs import Count
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.survey_answers import DeviceColumns, SampleColumns, SurveyAnswers
from tests.designs.cases import made

FIRST, SECOND = (31, 80), (57, 90)
TWO_GROUPS = [
    ("unrelated_two_samples", {"p1": "3/4", "p2": "1/5", "q": "1/3"}),
    ("cheating_detection", {"p1": "1/4", "p2": "3/4"}),
    ("symmetric_cheating_detection", {"yes1": "1/8", "no1": "1/4", "yes2": "3/8", "no2": "1/8"}),
    ("stochastic_lie_detector", {"s1": "1/4", "s2": "4/5"}),
]
HEAD = "said,device,a,b,how,region,cluster"


def written(folder: Path, rows: list[str], head: str = HEAD) -> SurveyTable:
    path = folder / "answers.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return load(path)


@pytest.fixture
def table(tmp_path: Path) -> SurveyTable:
    """170 respondents in two groups, alternately of two regions."""
    rows = []
    for device, (yes, size), chances in (("1", FIRST, "0.75,0.25"), ("2", SECOND, "0.2,0.8")):
        rows += [
            f"{int(i < yes)},{device},{chances},{'direct' if i % 3 else 'device'},"
            f"{'north' if i % 2 else 'south'},{i // 10}"
            for i in range(size)
        ]
    return written(tmp_path, rows)


@pytest.mark.parametrize(("kind", "settings"), TWO_GROUPS)
def test_that_records_of_two_groups_give_the_estimate_of_their_counts(
    table: SurveyTable, kind: str, settings: dict[str, object]
) -> None:
    design = made(kind, settings)
    answers = SurveyAnswers(table, design, "said", columns=DeviceColumns(group="device"))
    counted = design.estimate([Count(*FIRST), Count(*SECOND)])
    found = answers.overall()
    assert found.estimate == pytest.approx(counted.estimate, rel=1e-12)
    assert found.standard_error == pytest.approx(counted.standard_error, rel=1e-12)
    assert answers.scores.mean() == pytest.approx(counted.estimate)


def test_that_the_groups_can_be_named_in_their_order(table: SurveyTable) -> None:
    design = made(*TWO_GROUPS[0])
    columns = DeviceColumns(group="device", groups=("2", "1"))
    found = SurveyAnswers(table, design, "said", columns=columns).overall()
    counted = design.estimate([Count(*SECOND), Count(*FIRST)])
    assert found.estimate == pytest.approx(counted.estimate, rel=1e-12)


def test_that_a_group_of_respondents_is_estimated_as_a_survey_of_its_own(
    table: SurveyTable,
) -> None:
    design = made(*TWO_GROUPS[2])
    answers = SurveyAnswers(table, design, "said", columns=DeviceColumns(group="device"))
    north = dict(answers.by("region"))["north"]
    # Odd rows of each group.
    counts = [Count(FIRST[0] // 2, 40), Count(SECOND[0] // 2, 45)]
    counted = design.estimate(counts)
    assert north.respondents == 85
    assert north.estimate == pytest.approx(counted.estimate, rel=1e-12)
    assert north.standard_error == pytest.approx(counted.standard_error, rel=1e-12)


def test_that_weights_of_one_change_nothing_and_clusters_change_the_error_alone(
    table: SurveyTable,
) -> None:
    design, columns = made(*TWO_GROUPS[0]), DeviceColumns(group="device")
    plain = SurveyAnswers(table, design, "said", columns=columns).overall()
    clustered = SurveyAnswers(
        table, design, "said", sample=SampleColumns(clusters="cluster"), columns=columns
    ).overall()
    assert clustered.estimate == pytest.approx(plain.estimate)
    # The answers of each group are sorted, so that neighbours are alike.
    assert clustered.standard_error > 2 * plain.standard_error


def test_that_the_extended_crosswise_design_uses_each_groups_own_chances(
    table: SurveyTable,
) -> None:
    design = made("extended_crosswise", {"p": "1/4"})
    answers = SurveyAnswers(table, design, "said", columns=DeviceColumns(group="device"))
    counted = design.estimate([Count(*FIRST), Count(*SECOND)])
    assert answers.overall().estimate == pytest.approx(counted.estimate)
    assert answers.regression("1").coefficients[0] == pytest.approx(
        log(counted.estimate / (1 - counted.estimate)), abs=0.2
    )
    adherence = answers.adherence()
    assert adherence is not None
    difference = FIRST[0] / FIRST[1] + SECOND[0] / SECOND[1] - 1
    assert adherence.value == pytest.approx(difference)
    assert adherence.p_value == pytest.approx(erfc(abs(adherence.statistic) / sqrt(2)))


def test_that_chances_of_each_respondent_are_used(table: SurveyTable) -> None:
    own = SurveyAnswers(table, None, "said", columns=DeviceColumns(a="a", b="b"))
    score = np.concatenate(
        [
            (np.arange(80) < 31) * 2.0 - 0.5,
            ((np.arange(90) < 57) - 0.8) / -0.6,
        ]
    )
    assert own.scores == pytest.approx(score)
    assert own.overall().estimate == pytest.approx(score.mean())
    assert own.largest_epsilon == pytest.approx(log(4))


def test_that_people_asked_directly_are_pooled(table: SurveyTable) -> None:
    design = made("warner", {"p": "3/4"})
    columns = DeviceColumns(direct="how", direct_text="direct")
    pooled = SurveyAnswers(table, design, "said", columns=columns)
    assert pooled.asked_directly == 113
    direct = np.array([i % 3 > 0 for size in (80, 90) for i in range(size)])
    assert set(pooled.scores[direct].tolist()) == {0.0, 1.0}
    assert set(pooled.scores[~direct].tolist()) == {-0.5, 1.5}
    alone = SurveyAnswers(table, design, "said")
    smaller = (
        pooled.regression("region").standard_errors / alone.regression("region").standard_errors
    )
    assert (smaller < 0.8).all()


def test_that_answers_that_are_numbers_of_cards_are_scored(tmp_path: Path) -> None:
    red = [0, 1, 1, 2, 3, 0, 1, 2]
    table = written(tmp_path, [str(y) for y in red], "red")
    design = made("kuk", {"p1": "7/10", "p2": "1/5", "draws": 3})
    found = SurveyAnswers(table, design, "red").overall()
    assert found.estimate == pytest.approx(design.estimate([Count(sum(red), 8)]).estimate)
    table = written(tmp_path, ["4", "1"], "red")
    with pytest.raises(InputError, match="does not have"):
        SurveyAnswers(table, design, "red")


def test_that_the_lists_of_an_item_count_are_compared(tmp_path: Path) -> None:
    long, short = [0, 4, 2, 3, 2, 3], [1, 2, 2, 1]
    rows = [f"{y},long" for y in long] + [f"{y},short" for y in short]
    table = written(tmp_path, rows, "items,list")
    design = made("item_count", {"items": 3})
    columns = DeviceColumns(group="list", groups=("long", "short"))
    found = SurveyAnswers(table, design, "items", columns=columns).overall()
    assert found.estimate == pytest.approx(np.mean(long) - np.mean(short))
    variance = np.var(long, ddof=1) / 6 + np.var(short, ddof=1) / 4
    assert found.standard_error == pytest.approx(sqrt(variance))


@pytest.mark.parametrize(
    ("kind", "settings", "columns", "said"),
    [
        ("warner", {"p": "3/4"}, DeviceColumns(group="device"), "no groups"),
        (*TWO_GROUPS[0], DeviceColumns(), "two groups"),
        (*TWO_GROUPS[0], DeviceColumns(group="cluster"), "does not hold the two"),
        (*TWO_GROUPS[0], DeviceColumns(group="device", groups=("1", "3")), "does not hold the two"),
        (*TWO_GROUPS[0], DeviceColumns(group="nothing"), "no column"),
        ("anchored_crosswise", {"p": "1/4", "anchor": "1/5"}, DeviceColumns(), "and the anchor"),
        ("direct", {}, DeviceColumns(a="a"), "two columns"),
        ("direct", {}, DeviceColumns(a="a", b="a"), "alike"),
        ("direct", {}, DeviceColumns(a="cluster", b="b"), "not probabilities"),
    ],
)
def test_that_columns_that_do_not_fit_are_refused(
    table: SurveyTable, kind: str, settings: dict[str, object], columns: DeviceColumns, said: str
) -> None:
    with pytest.raises((InputError, ParameterError), match=said):
        SurveyAnswers(table, made(kind, settings), "said", columns=columns)


@pytest.mark.parametrize("name", ["weights", "strata", "clusters"])
def test_that_a_population_is_refused_beside_a_design_of_the_sample(
    table: SurveyTable, name: str
) -> None:
    sample = SampleColumns(population=5000, **{name: "cluster"})
    with pytest.raises(ParameterError, match="simple random samples"):
        SurveyAnswers(table, made("warner", {"p": "3/4"}), "said", sample=sample)


def test_that_the_command_line_takes_groups_chances_and_direct_answers(
    table: SurveyTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["survey", "estimate", str(tmp_path / "answers.csv"), "--answer", "said"]
    crosswise = ["--design", "extended_crosswise", "--set", "p=1/4", "--group", "device"]
    assert main([*words, *crosswise, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["adherence"]["quantity"] == "difference_of_groups"
    assert main([*words, *crosswise, "--groups", "2,1"]) == 0
    assert "(z = 0.278" in capsys.readouterr().out
    assert main([*words, "--a", "a", "--b", "b", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["design"] is None
    assert found["epsilon"] == pytest.approx(log(4))
    warner = ["--design", "warner", "--set", "p=3/4"]
    assert main([*words, *warner, "--direct", "how=direct", "--formula", "region"]) == 0
    assert "113 respondents were asked directly" in capsys.readouterr().out
    for wrong in ([], ["--a", "a"], [*warner, "--direct", "how"]):
        assert main([*words, *wrong]) != 0
        assert capsys.readouterr().err.startswith("dpdesk: ")


def test_that_counts_show_cheaters(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["survey", "estimate", "--design", "cheating_detection", "--set", "p1=1/4"]
    assert main([*words, "--set", "p2=3/4", "--counts", "60/200,110/200", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["adherence"]
    # Cheaters: 1 - pi - beta, with l = .3 and .55.
    assert found["value"] == pytest.approx(1 - 0.175 - 0.5)
    assert found["p_value"] == pytest.approx(erfc(found["statistic"] / sqrt(2)) / 2)
    assert found["p_value"] < 0.05
