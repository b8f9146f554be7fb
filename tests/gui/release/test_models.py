from __future__ import annotations

import datetime
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester

from dpdesk.engine import sanitize, untracked
from dpdesk.estimation import EstimateRow, Released, estimate_rows
from dpdesk.gui.pages.release.interval_table import ROW_ROLE, scale_for
from dpdesk.gui.pages.release.private_panel import ComparisonModel
from dpdesk.gui.pages.release.records_pane import (
    COLUMN,
    EPSILON,
    RELEASED,
    TREATMENT,
    OutlineModel,
)
from dpdesk.gui.pages.release.records_results import (
    BOTH,
    IN_RANGE,
    INTERVAL,
    NOISE,
    PLOT,
    SAMPLING,
    EstimatesModel,
    certified_text,
    largest_error_text,
)
from dpdesk.gui.pages.release.results_view import EntriesModel, ListEntry
from dpdesk.mechanisms import mechanism_named
from dpdesk.releases.destination import free_name, is_possible, suggested_name
from dpdesk.releases.kinds import KINDS
from dpdesk.releases.private import private_diagnostics
from tests.engine.survey import survey, survey_plan

DAY = datetime.date(2026, 11, 21)


@pytest.fixture
def released(tmp_path: Path) -> Released:
    return sanitize(survey(), survey_plan(), tmp_path, untracked())


def share(estimate: float, truncated: float, sampling: float | None = 0.01) -> EstimateRow:
    return EstimateRow(
        "q",
        "share",
        "a",
        "A",
        "",
        estimate,
        truncated,
        0.0588,
        0.02,
        sampling,
        0.03,
        -0.06,
        0.05,
        9,
        9.0,
    )


def test_that_every_model_keeps_the_rules_of_qt(released: Released, qtmodeltester: ModelTester):
    estimates, outline = EstimatesModel(), OutlineModel()
    attributes, comparison = EntriesModel(), ComparisonModel()
    estimates.set_rows(tuple(estimate_rows(released.attributes[0])))
    outline.set_plan(survey_plan())
    attributes.show_rows((ListEntry("a", "b"), ListEntry("c", "d", "e")))
    comparison.set_attribute(private_diagnostics(survey(), released).attributes[0])
    for model in (estimates, outline, attributes, comparison):
        assert model.rowCount() > 0
        qtmodeltester.check(model, force_py=True)


def test_that_what_is_not_protected_stands_on_top_and_what_is_dropped_below():
    model = OutlineModel()
    model.set_plan(survey_plan())
    rows = [
        [model.data(model.index(row, column)) for column in (COLUMN, TREATMENT, EPSILON)]
        for row in range(model.rowCount())
    ]
    assert rows == [
        ["region", "Passed through", "—"],
        ["colour", "GRR", "1.00"],
        ["fruit", "OUE", "1.50"],
        ["age", "Bounded Laplace", "2.00"],
        ["id", "Dropped", "—"],
    ]


def test_that_the_outline_counts_what_a_column_becomes():
    # Three colours: a report of OLH is a hash function, which is two numbers, and a value.
    model = OutlineModel()
    for kind, said in (
        ("grr", "1 column"),
        ("sue", "3 columns of 0 and 1"),
        ("olh", "3 columns of whole numbers"),
    ):
        plan = survey_plan().with_column("colour", mechanism=mechanism_named(kind)(epsilon="1"))
        model.set_plan(plan)
        told = {row.name: model.text(row, RELEASED) for row in model.rows}
        assert told["colour"] == said
        assert (told["region"], told["id"]) == ("as it is", "—")


def test_that_a_negative_share_is_shown_as_it_is_with_the_truncated_one_beside():
    model = EstimatesModel()
    model.set_rows((share(-0.012, 0.0),))
    texts = [model.text(model.rows[0], column) for column in (2, IN_RANGE)]
    assert texts == ["−1.2\u00a0%", "0.0\u00a0%"]
    assert model.has_moved
    assert model.scale.lower < 0


def test_that_each_cell_of_an_estimate_holds_its_own_number():
    model = EstimatesModel()
    even = {"lower": -0.012 - 0.0588, "upper": -0.012 + 0.0588}
    row = replace(share(-0.012, 0.0), simplex=0.25, lasso=0.0, **even)
    model.set_rows((row,))
    # 95 % errors are 1.96 standard errors: of noise 2, of sampling 1, of both 3 points.
    told = {head.text: model.text(row, column) for column, head in enumerate(model.heads)}
    assert list(told.values())[:8] == [
        "A",
        "−7.1 to 4.7\u00a0%",
        "−1.2\u00a0%",
        "0.0\u00a0%",
        "−7.1 to 4.7\u00a0%",
        "± 3.9\u00a0pp",
        "± 2.0\u00a0pp",
        "± 5.9\u00a0pp",
    ]
    assert list(told.values())[8:] == ["25.0\u00a0%", "—", "—", "—", "0.0\u00a0%"]
    assert model.tooltip(row, PLOT) == "−7.1 to 4.7\u00a0%"
    assert model.spoken(row, PLOT) == "95 % interval: −7.1 to 4.7\u00a0%"
    assert model.spoken(row, IN_RANGE) == "In range: 0.0\u00a0%"
    assert model.tooltip(row, 0) == "A (a)"
    assert (model.scale.lower, model.scale.upper) == pytest.approx((-0.1, 0.05))
    assert [model.has_possible(column) for column in range(8, 13)] == [True, *[False] * 3, True]
    mean = replace(row, quantity="mean", category="", unit="years", estimate=40.2, lower=38.5)
    mean = replace(
        mean,
        upper=42.0,
        error_95=1.06,
        noise_standard_error=0.5,
        sampling_standard_error=0.2,
        total_standard_error=0.54,
    )
    texts = [model.text(mean, column) for column in (0, 2, INTERVAL, NOISE, SAMPLING, BOTH)]
    assert [text.replace("\N{NO-BREAK SPACE}", " ") for text in texts] == [
        "Mean",
        "40.2 years",
        "38.5 to 42.0 years",
        "± 0.98 years",
        "± 0.39 years",
        "± 1.8 years",
    ]
    # A mean of few who answered: twice as far below as above, so that nothing stands after "±".
    uneven = replace(mean, estimate=-3.4, lower=-30.1, upper=10.6, error_95=26.7)
    assert model.text(uneven, BOTH) == "−30 to 11\u00a0years"
    assert largest_error_text((uneven,)) == "−30 to 11\u00a0years"
    assert largest_error_text((uneven, row)) == "≤ 27\u00a0years"
    assert largest_error_text((mean,)) == "± 1.8\u00a0years"


def test_that_a_sampling_error_where_all_answer_alike_is_not_known():
    model = EstimatesModel()
    model.set_rows((share(-0.1, 0.0, sampling=0.0), share(1.1, 1.0, sampling=0.0)))
    texts = [model.text(row, SAMPLING).replace("\N{NO-BREAK SPACE}", " ") for row in model.rows]
    assert texts == ["not known", "not known"]
    assert "nearest possible share" in model.tooltip(model.rows[0], SAMPLING)
    assert model.text(model.rows[0], NOISE).startswith("± ")


def test_that_an_unknown_sampling_error_is_called_so_and_the_noise_a_bound():
    model = EstimatesModel()
    model.set_rows((share(0.1, 0.1, sampling=None),))
    assert model.text(model.rows[0], SAMPLING) == "not known"
    assert model.text(model.rows[0], NOISE).startswith("≤ ")
    assert not model.has_moved


def test_that_a_certified_epsilon_is_never_rounded_down(released: Released):
    exact = sum((a.bound.certificate.epsilon_certified for a in released.attributes), Decimal(0))
    assert exact <= Decimal(certified_text(released.attributes)) <= exact + Decimal("0.000001")


@given(st.lists(st.floats(-50, 50, allow_subnormal=False), min_size=1, max_size=9), st.booleans())
def test_that_an_axis_holds_every_value_between_a_few_marks(ends: list[float], is_share: bool):
    scale = scale_for(ends, share=is_share)
    width = scale.upper - scale.lower
    assert width > 0
    for end in ends:
        assert -1e-6 <= scale.at(end) <= 1 + 1e-6
    assert 2 <= len(scale.ticks) <= 7
    assert scale.ticks[0][0] == scale.lower
    assert len({text for _, text in scale.ticks}) == len(scale.ticks)
    if is_share:
        assert any(value == 0 for value, _ in scale.ticks)


@pytest.mark.parametrize(
    ("upper", "texts"),
    [
        (0.007, "0.000 0.002 0.004 0.006 0.008"),
        (0.7, "0.0 0.2 0.4 0.6 0.8"),
        (0.9, "0.00 0.25 0.50 0.75 1.00"),
        (9.0, "0.0 2.5 5.0 7.5 10.0"),
        (70.0, "0 20 40 60 80"),
    ],
)
def test_that_marks_have_the_decimals_that_they_need(upper: float, texts: str):
    scale = scale_for([0.0, upper], share=False)
    assert [text for _, text in scale.ticks] == texts.split()
    assert [value for value, _ in scale.ticks] == pytest.approx(list(map(float, texts.split())))
    shares = scale_for([0.0, upper / 100], share=True)
    assert [text for _, text in shares.ticks] == [f"{text}\u00a0%" for text in texts.split()]


@pytest.mark.parametrize(
    ("survey_name", "words"),
    [
        ("Fruit survey.csv", "fruit-survey-"),
        ("  ", ""),
        ("../../etc/passwd", "etc-passwd-"),
        ("Straße & Café", "strasse-café-"),
        ("con", "con-"),
        ("x" * 500, "x" * 60 + "-"),
        ("𐌰" * 500, "𐌰" * 44 + "-"),
    ],
)
def test_that_a_suggested_name_is_made_of_words_the_kind_and_the_day(survey_name: str, words: str):
    for kind in KINDS:
        name = suggested_name(survey_name, DAY, kind.name)
        assert name == f"{words}{kind.name}-2026-11-21"
        assert is_possible(name)


@given(st.text(max_size=80))
def test_that_every_suggested_name_is_possible(text: str):
    assert all(is_possible(suggested_name(text, DAY, kind.name)) for kind in KINDS)


@pytest.mark.parametrize("letter", [*'<>:"/\\|?*', "\n", "\t", "\0", "\x1f"])
def test_that_no_name_holds_a_letter_that_some_system_refuses(letter: str):
    assert is_possible("my release")
    assert not is_possible(f"my{letter}release")


@pytest.mark.parametrize(
    "name", ["", " ", " a", "a ", ".a", "a.", "..", "NUL", "com1.txt", "x" * 201]
)
def test_that_a_name_that_some_system_refuses_is_impossible(name: str):
    assert not is_possible(name)
    assert is_possible(f"a{name.strip(' .')[:198]}b")


def test_that_the_length_of_a_name_is_that_of_its_bytes():
    assert is_possible("調" * 66)
    assert not is_possible("調" * 67)


def test_that_a_folder_that_is_taken_gets_the_next_number(tmp_path: Path):
    assert free_name(tmp_path, "a") == "a"
    (tmp_path / "a").mkdir()
    assert free_name(tmp_path, "a") == "a"
    (tmp_path / "a" / "records.csv").touch()
    assert free_name(tmp_path, "a") == "a-2"
    (tmp_path / "a-2").touch()
    assert free_name(tmp_path, "a") == "a-3"


def test_that_the_first_column_of_a_comparison_is_the_answer(released: Released):
    model = ComparisonModel()
    model.set_attribute(private_diagnostics(survey(), released).attributes[2])
    assert model.data(model.index(0, 0)) == "Mean"
    assert model.data(model.index(0, 1)) == ""
    assert "years" in str(model.data(model.index(0, 1), Qt.ItemDataRole.AccessibleTextRole))
    assert "years" in str(model.data(model.index(0, 2)))
    assert model.headerData(2, Qt.Orientation.Horizontal) == "Truth"


def test_that_the_comparison_draws_the_truth_beside_the_interval_of_the_release(
    released: Released,
):
    model = ComparisonModel()
    diagnostics = private_diagnostics(survey(), released)
    assert diagnostics.attributes
    for attribute in diagnostics.attributes:
        model.set_attribute(attribute)
        assert attribute.comparisons
        for number, row in enumerate(attribute.comparisons):
            drawn = model.index(number, PLOT).data(ROW_ROLE)
            assert (drawn.truth, drawn.estimate) == (row.truth, row.estimate)
            assert (drawn.lower, drawn.upper) == (row.lower, row.upper)
            assert drawn.is_share == (attribute.quantity == "share")
            for end in (row.truth, row.lower, row.upper):
                assert -1e-9 <= model.scale.at(end) <= 1 + 1e-9
        # The bar of a share begins at 0.
        assert attribute.quantity == "mean" or 0 <= model.scale.at(0.0) <= 1
