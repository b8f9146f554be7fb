"""What pictures, tables and fields of the page show, against each other and against theory."""

from __future__ import annotations

import re
from math import log10, pi, sqrt

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.designs import design_named
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.survey_pane import SurveyPane
from dpdesk.gui.pages.simulate.survey_tabs import ANSWER_KINDS, BINARY, NUMBER, SEVERAL
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.plot_marks import Bars, Line
from tests.gui.simulate.test_several_and_numbers import pane_of, type_into


def test_that_what_is_typed_is_shown_as_it_was_taken(page: SimulatePage, qtbot: QtBot) -> None:
    for kind in ANSWER_KINDS:
        page.choose_kind(kind)
        card = page.pane.card
        card.more.setChecked(True)
        fields = [f for f in card.findChildren(CommitLine) if f.isVisibleTo(card) and f.isEnabled()]
        assert len(fields) > 4
        for field in fields:
            before = field.text()
            type_into(field, f" {before} ", qtbot)
            page.pane.flush()
            assert field.text() == field.value(), field.accessibleName()
    type_into(page.pane.card.form.line("upper"), "2000", qtbot)
    assert page.pane.card.form.line("upper").text() == "2,000"


def test_that_a_refused_text_goes_when_another_field_is_taken(
    page: SimulatePage, qtbot: QtBot
) -> None:
    page.choose_kind(NUMBER)
    form = page.pane.card.form
    fields = form.fields
    type_into(fields["upper"], "abc", qtbot)
    assert fields["upper"].text() == "abc"
    assert form.refusal()
    type_into(fields["deviation"], "300", qtbot)
    page.pane.flush()
    assert fields["upper"].text() == fields["upper"].value() == "2,000"
    assert not form.refusal()
    assert not fields["upper"].property("wrong")


def test_that_a_refused_parameter_goes_when_another_one_is_taken(
    page: SimulatePage, qtbot: QtBot
) -> None:
    page.pane.change(design=design_named("unrelated_two_samples").example())
    page.pane.flush()
    form = page.pane.card.design
    first, second = form.form.line("p1"), form.form.line("p2")
    before = first.value()
    type_into(first, "abc", qtbot)
    assert first.text() == "abc"
    type_into(second, "1/3", qtbot)
    page.pane.flush()
    assert first.text() == first.value() == before
    assert not first.property("wrong")


def test_that_stage_picture_and_table_of_a_played_survey_show_the_same_numbers(
    page: SimulatePage,
) -> None:
    for kind in ANSWER_KINDS:
        page.choose_kind(kind)
        shown = page.pane
        played = shown.respondents
        shown.tabs.tabs.setCurrentIndex(shown.tabs.views().index(played))
        for _ in range(60):
            played.player.step.click()
        table = played.plot.table_data()
        last = [float(text.replace("−", "-").replace(",", "")) for text in table.rows[-1]]
        assert last[0] == 61
        estimate, lower, upper = last[1:]
        assert lower < estimate < upper
        value, half = (text.split(" ") for text in played.stage.estimate.text().split("\n"))
        unit = {BINARY: "%", SEVERAL: "%", NUMBER: "euros"}[kind]
        assert (value[1], half[0], half[2]) == (unit, "±", unit.replace("%", "pp"))
        assert float(value[0].replace("−", "-").replace(",", "")) == pytest.approx(
            estimate, rel=5e-3
        )
        assert float(half[1].replace(",", "")) == pytest.approx((upper - lower) / 2, rel=0.05)
        lines = [item.getOriginalDataset() for item in played.plot.getPlotItem().listDataItems()]
        assert sorted(y[-1] for _, y in lines) == pytest.approx([lower, estimate, upper], rel=1e-3)
        assert {x[-1] for x, _ in lines} == {61}
        title = played.plot.getPlotItem().getAxis("left").labelText
        assert f"({unit})" in title


def test_that_the_picture_of_all_answers_names_them_as_the_card_does(
    page: SimulatePage, qtbot: QtBot
) -> None:
    several = pane_of(page, SEVERAL)
    several.tabs.tabs.setCurrentIndex(1)
    plot = several.tabs.current().plot

    def written() -> list[str]:
        (level,) = plot.getPlotItem().getAxis("bottom")._tickLevels
        assert [place for place, _ in level] == list(range(len(several.scenario().names)))
        return [text.rstrip("…") for _, text in level]

    for row, text in ((0, "nie"), (3, "oft")):
        type_into(several.card.answers.names[row], text, qtbot)
        several.flush()
        names = several.scenario().names
        assert names[row] == text
        assert all(
            name.startswith(shown) and shown for name, shown in zip(names, written(), strict=True)
        )
        assert [line[0] for line in plot.table_data().rows] == list(names)
    several.card.answers.more.click()
    several.flush()
    assert len(written()) == 5


def peak_error(line: Line, pane: SurveyPane) -> tuple[float, float]:
    """Mean and standard error of a curve, from where its peak is and how high."""
    x, y = line.getOriginalDataset()
    first, last, _ = pane.estimator.plot.table_data().rows[0]
    bar = float(last.replace("−", "-")) - float(first.replace("−", "-"))
    repetitions = pane.scenario().survey.repetitions
    return x[y.argmax()], repetitions * bar / (y.max() * sqrt(2 * pi))


def test_that_the_curve_of_direct_questions_has_the_error_of_sampling_alone(
    page: SimulatePage,
) -> None:
    for kind in (SEVERAL, NUMBER):
        pane = pane_of(page, kind)
        pane.card.compare.boxes["direct"].setChecked(True)
        pane.flush()
        scenario = pane.scenario()
        items = pane.estimator.plot.getPlotItem().listDataItems()
        lines = [item for item in items if isinstance(item, Line)]
        own, direct = (line for line in lines if line.getOriginalDataset()[0] is not None)
        share = scenario.truth / 100
        spread = 100 * sqrt(share * (1 - share)) if kind == SEVERAL else scenario.survey.deviation
        expected = (scenario.truth, spread / sqrt(scenario.respondents))
        assert peak_error(direct, pane) == pytest.approx(expected, rel=0.01)
        assert peak_error(own, pane)[1] > 1.2 * expected[1]


def read(text: str) -> float:
    """The number of a cell: −0.4, 2,000 or 1.00 × 10⁶."""
    digits, _, power = text.replace("−", "-").replace(",", "").partition(" × 10")
    return float(digits) * 10.0 ** int(
        power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")) or 0
    )


def test_that_words_table_and_picture_of_all_answers_tell_the_same_shares(
    page: SimulatePage, qtbot: QtBot
) -> None:
    pane = pane_of(page, SEVERAL)
    pane.tabs.tabs.setCurrentIndex(1)
    plot = pane.tabs.current().plot
    scenario = pane.scenario()
    rows, told = plot.table_data().rows, plot.accessibleDescription().split("; ")
    for row, words, share in zip(rows, told, scenario.survey.shares, strict=True):
        name, numbers = words.split(": ")
        assert row[0] == name
        truth, low, high = (read(text) for text in re.findall(r"−?[\d.]+", numbers))
        assert truth == read(row[1]) == pytest.approx(100 * share, rel=1e-3)
        mean, error, theory, held, below = (read(text) for text in row[2:])
        assert low < mean < high
        assert mean == pytest.approx(truth, abs=3 * error)
        # The middle 95 % of the surveys reach about twice the error to each side.
        assert (high - low) / 4 == pytest.approx(error, rel=0.15)
        assert error == pytest.approx(theory, rel=0.1)
        assert 90 <= held <= 99
        assert (below < 2.5) == (low > 0)
    items = plot.getPlotItem().listDataItems()
    (across, ends), (x, y) = [i.getOriginalDataset() for i in items if isinstance(i, Line)]
    # A stroke on each bar, over the middle 95 % of the surveys.
    assert list(across[::6]) == list(across[1::6]) == [0, 1, 2, 3]
    middle = [re.findall(r"−?[\d.]+", words.split(": ")[1])[1:] for words in told]
    for place, (low, high) in enumerate(middle):
        assert ends[6 * place] == pytest.approx(read(low), abs=0.06)
        assert ends[6 * place + 1] == pytest.approx(read(high), abs=0.06)
    # A tick across each bar at its true share.
    assert [(a + b) / 2 for a, b in zip(x[::2], x[1::2], strict=True)] == [0, 1, 2, 3]
    assert all(b - a > 0.3 for a, b in zip(x[::2], x[1::2], strict=True))
    assert list(y[::2]) == list(y[1::2]) == pytest.approx([100 * s for s in scenario.survey.shares])
    bars = next(item for item in items if isinstance(item, Bars))
    assert bars.opts["height"] == pytest.approx([read(row[2]) for row in rows], rel=1e-3)
    type_into(pane.card.answers.shares[3], "0.4", qtbot)
    pane.flush()
    *_, low, high = (read(text) for text in re.findall(r"−?[\d.]+", plot.accessibleDescription()))
    bottom, top = plot.getPlotItem().getViewBox().viewRange()[1]
    assert -10 < bottom < low < 0 < high < top < 110


def test_that_curves_of_error_go_through_the_margin_of_the_figures(page: SimulatePage) -> None:
    for kind, unit in ((SEVERAL, "pp"), (NUMBER, "euros")):
        pane = pane_of(page, kind)
        curves = pane.errors
        pane.tabs.tabs.setCurrentIndex(pane.tabs.views().index(curves))
        scenario = pane.scenario()
        error = pane.figures.tiles[0].value()
        assert curves.reading.full_text().endswith(f"n = {scenario.respondents:,}: {error}")
        for plot, at, head in (
            (curves.by_people, scenario.respondents, "Respondents n"),
            (curves.by_epsilon, scenario.epsilon, "Privacy ε"),
        ):
            assert plot.table_data().headers == (head, f"95 % error ({unit})", "Direct question")
            table = [[read(text) for text in row] for row in plot.table_data().rows]
            assert all(direct <= own for _, own, direct in table)
            # The error falls with both, and its table has the number of the tile.
            assert [row[1] for row in table] == sorted((row[1] for row in table), reverse=True)
            near = min(table, key=lambda row: abs(log10(row[0] / at)))
            assert near[1] == pytest.approx(read(error.split()[1]), rel=0.25)
            drawn_items = plot.getPlotItem().listDataItems()
            # Nothing was before: that line has no points.
            lines = [found for i in drawn_items if (found := i.getOriginalDataset())[0] is not None]
            (mark,) = [line for line in lines if len(line[0]) == 1]
            assert 10 ** mark[0][0] == pytest.approx(at)
            assert 10 ** mark[1][0] == pytest.approx(read(error.split()[1]), rel=0.05)
            drawn = sorted(10 ** line[1][-1] for line in lines if len(line[0]) > 1)
            assert drawn == pytest.approx(sorted(table[-1][1:]), rel=0.01)
