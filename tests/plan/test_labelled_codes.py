"""Values whose label says no answer are asked about, whatever kind the column is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpdesk.cli.main import main
from dpdesk.data.read_file import load
from dpdesk.data.suspected_codes import means_no_answer, suspected_codes
from dpdesk.data.table import TextColumn
from dpdesk.plan import load_plan
from dpdesk.plan.checks.table import check_table

pyreadstat = pytest.importorskip("pyreadstat")


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("-1", "refusal"),
        ("-2", "don't know"),
        ("-1", "[-1] no answer"),
        ("-2", "[-2] does not apply"),
        ("-3", "[-3] Nicht valide"),
        ("-5", "[-5] not in questionnaire"),
        ("-8", "[-8] not in survey year"),
        ("-8", "inapplicable"),
        ("-2", "trifft nicht zu"),
        ("-7", "proxy"),
        ("8", "Refused to answer"),
        ("98", "NSP"),
        ("8", "N.S."),
        ("9", "N.C."),
        ("0", "Weiß nicht"),
        ("99", "weiss nicht / keine Angabe"),
        ("6", "k. A."),
        ("9", "Não sabe / Não responde"),
        ("9", "No sabe o no contesta"),
        ("7", "Ne sait pas"),
        ("8", "REFUS (ne pas lire)"),
        ("77", "Don´t know*"),
        ("9", "9: Refused"),
        ("99", "Unknown"),
        ("7", "Don't know/not sure"),
        ("9", "Recusou-se a responder"),
        ("-6", "Question not asked in country"),
        ("60", "Não quis responder"),
        ("120", "Je préfère ne pas répondre"),
        ("6", "Prefiero no contestar"),
        ("6", "I do not know"),
        ("6", "möchte ich nicht beantworten"),
    ],
)
def test_that_a_label_says_no_answer_in_the_words_of_surveys(value: str, label: str) -> None:
    assert means_no_answer(label, value)


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("-1", "worse"),
        ("0", "same"),
        ("3", "no quiere hijos"),
        ("3", "rather not good"),
        ("1", "No"),
        ("1", "--"),
        ("3", "?"),
        ("1", "trifft überhaupt nicht zu"),
        ("4", "trifft nicht zu"),
        ("5", "does not apply"),
        ("2", "proxy"),
        ("37", "NC"),
        ("3", "undecided"),
        ("99", "99 and more"),
        ("4", "Refused asylum"),
        ("2", "don't know many people"),
        ("3", "not available to work"),
        ("9", "none of these"),
        ("8", "other"),
    ],
)
def test_that_the_label_of_an_answer_says_nothing_of_the_kind(value: str, label: str) -> None:
    assert not means_no_answer(label, value)


def _texts(numbers: Sequence[float]) -> list[str]:
    return [format(number, "g") for number in numbers]


def _suspected(cells: Sequence[str]) -> set[str]:
    column = TextColumn.from_texts("q", cells)
    return {column.distinct[place] for place in suspected_codes(column, ".").tolist()}


_DRAWN = np.random.default_rng(30)
_INCOMES = _texts(_DRAWN.integers(0, 81, 320))
_DEGREES = _texts(np.round(_DRAWN.normal(9, 6, 900)))


@pytest.mark.parametrize(
    ("cells", "codes"),
    [
        ([*_INCOMES, *["-1"] * 40, *["-2"] * 40, *["-5"] * 20], {"-1", "-2", "-5"}),
        ([*"12345" * 20, "-1", "-2", "-8"], {"-1", "-2", "-8"}),
        ([*"012345" * 20, "-2", "-3"], {"-2", "-3"}),
        ([*map(str, range(18, 91)), "-3", "-4"], {"-3", "-4"}),
        ([*"0123456789" * 9, *["-99"] * 5, "-88"], {"-99", "-88"}),
        # Answers below zero.
        ([*_DEGREES, "-2", "-3"], set()),
        (["-1", "0", "1"] * 50, set()),
        (["-2", "-1", "0", "1", "2"] * 50, set()),
        (["-3", "-1", "1", "3"] * 50, set()),
        (_texts(np.round(_DRAWN.normal(21.5, 15, 400), 1)), set()),
        (_texts(np.round(_DRAWN.normal(1800, 1500, 400))), set()),
        (_texts(np.round(_DRAWN.normal(30, 15, 2000))), set()),
    ],
)
def test_that_negative_codes_below_a_scale_are_candidates_together(
    cells: list[str], codes: set[str]
) -> None:
    assert _suspected(cells) == codes


def _survey(
    folder: Path, cells: Mapping[str, Sequence[float]], labels: Mapping[str, dict[float, str]]
) -> Path:
    path = folder / "survey.sav"
    pyreadstat.write_sav(pd.DataFrame(cells), str(path), variable_value_labels=dict(labels))
    return path


def _hours(refused: float, unknown: float, rows: int = 400) -> list[float]:
    given = [float(1 + row % 40) for row in range(rows)]
    return [
        refused if row % 5 == 0 else unknown if row % 7 == 0 else n for row, n in enumerate(given)
    ]


@pytest.fixture
def drafted(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Drafts a plan of a survey and returns what is asked, its path and what check says."""

    def draft(survey: Path, *options: str) -> tuple[str, str, tuple[int, str]]:
        plan = str(tmp_path / "plan.json")
        head = ["--title", "T", "--curator", "C", "--use", "U"]
        words = ["draft", str(survey), "-o", plan, "--confirm-domains", "--overwrite", *head]
        assert not main([*words, *options])
        asked = capsys.readouterr().err
        exit_code = main(["check", plan, str(survey)])
        return asked, plan, (exit_code, capsys.readouterr().out)

    return draft


@pytest.mark.parametrize(
    ("refused", "unknown", "labels"),
    [
        (-1, -2, ("refusal", "don't know")),
        (44, 45, ("Keine Angabe", "Weiß nicht")),
        (0, 41, ("Sans réponse", "NSP")),
        (50, 51, ("No contesta", "No sabe")),
        (-8, -9, ("proxy", "inapplicable")),
        (60, 70, ("Não respondeu", "Não sabe")),
    ],
)
def test_that_no_number_whose_label_says_no_answer_is_released_as_one(
    tmp_path: Path, drafted, refused: int, unknown: int, labels: tuple[str, str]
) -> None:
    hours = _hours(refused, unknown)
    survey = _survey(
        tmp_path, {"hrs": hours}, {"hrs": dict(zip((refused, unknown), labels, strict=True))}
    )
    asked, plan, (exit_code, said) = drafted(survey)
    assert all(f"{code}" in asked for code in (refused, unknown))
    assert (exit_code, "error: columns.hrs.missing: " in said) == (1, True)
    release = ["release", str(survey), "--plan", plan, "--out", str(tmp_path / "out")]
    assert main(release) == 1
    assert not (tmp_path / "out").exists()
    domain = load_plan(Path(plan)).column("hrs").domain
    given = [hour for hour in hours if hour not in (refused, unknown)]
    assert (domain.lower, domain.upper) == (min(given), max(given))
    # Decided, the labels go with the codes.
    _, _, (exit_code, _) = drafted(survey, f"--missing=*={refused},{unknown}")
    assert exit_code == 0
    missing = load_plan(Path(plan)).column("hrs").missing
    assert dict(missing.labels) == {str(refused): labels[0], str(unknown): labels[1]}
    _, _, (exit_code, _) = drafted(survey, "--answers", "hrs")
    assert load_plan(Path(plan)).column("hrs").domain.holds_numbers


def test_that_labels_at_the_ends_of_a_scale_leave_its_codes_out(tmp_path: Path, drafted) -> None:
    cells = [float(1 + row % 5) if row % 6 else float(-1 - row % 2) for row in range(300)]
    labels = {1: "very bad", 5: "very good", -1: "refusal", -2: "don't know"}
    survey = _survey(tmp_path, {"sat": cells}, {"sat": labels})
    _, plan, (exit_code, said) = drafted(survey)
    assert exit_code == 1
    assert "columns.sat.missing" in said
    assert load_plan(Path(plan)).column("sat").domain.values == ("1", "2", "3", "4", "5")


def test_that_a_scale_whose_labels_are_answers_is_not_asked_about(tmp_path: Path, drafted) -> None:
    cells = [float(row % 3 - 1) for row in range(300)]
    labels = {-1: "worse", 0: "same", 1: "better"}
    asked, _, (exit_code, _) = drafted(_survey(tmp_path, {"change": cells}, {"change": labels}))
    assert (exit_code, "may mean no answer" in asked) == (0, False)


@pytest.mark.parametrize("times", [3, 60])
@pytest.mark.parametrize("label", ["", "refusal"])
def test_that_codes_stop_a_release_once_however_rare_they_are(
    tmp_path: Path, drafted, times: int, label: str
) -> None:
    hours = [float(row % 41) for row in range(600)]
    sat = [float(1 + row % 5) for row in range(600)]
    hours[:times] = sat[:times] = [-99.0] * times
    labels = {name: {-99: label} for name in ("hrs", "sat") if label}
    survey = _survey(tmp_path, {"hrs": hours, "sat": sat}, labels)
    _, plan, (exit_code, _) = drafted(survey)
    assert exit_code == 1
    found = check_table(load_plan(Path(plan)), load(survey))
    told = [one for one in found if one.path.startswith(("columns.hrs.", "columns.sat."))]
    assert {(one.path, one.code, one.severity) for one in told} == {
        (f"columns.{name}.missing", "codes_undecided", "error") for name in ("hrs", "sat")
    }
    _, _, (exit_code, _) = drafted(survey, "--missing=*=-99")
    assert exit_code == 0


def test_that_one_respondent_with_a_code_stops_no_release(tmp_path: Path, drafted) -> None:
    survey = _survey(tmp_path, {"hrs": [-99.0, *(float(row % 41) for row in range(600))]}, {})
    _, _, (exit_code, said) = drafted(survey)
    assert exit_code == 0
    assert "warning: columns.hrs.missing" in said


@pytest.mark.parametrize("declared", ["hrs=0..40", "hrs=-2..40"])
def test_that_statistics_ask_about_what_a_label_says_whatever_is_declared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], declared: str
) -> None:
    labels = {"hrs": {-1: "refusal", -2: "don't know"}}
    survey = str(_survey(tmp_path, {"hrs": _hours(-1, -2)}, labels))
    query = ["query", survey, "--format", "SPSS", "--query", "mean of hrs", "--epsilon", "1"]
    query += ["--declare", declared, "--before"]
    assert main(query) == 1
    assert "codes of no answer" in capsys.readouterr().err
    assert main([*query, "--missing-code=-1,-2"]) == 0


def test_that_a_code_with_a_comma_is_told_as_it_is_typed(tmp_path: Path, drafted) -> None:
    rows = ["yes,no", "no,yes"] * 30 + ['"refused, not asked",99'] * 3
    survey = tmp_path / "two.csv"
    survey.write_text("\n".join(["a,b", *rows]) + "\n", "utf-8")
    asked, _, _ = drafted(survey)
    typed = '*=99,"refused, not asked"'
    assert f"'{typed}'" in asked
    _, plan, (exit_code, _) = drafted(survey, "--missing", typed)
    assert exit_code == 0
    tokens = {one.name: one.missing.tokens for one in load_plan(Path(plan)).columns}
    assert tokens == {"a": ("", "refused, not asked"), "b": ("", "99")}
