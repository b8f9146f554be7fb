from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable
from dpdesk.designs import Count, design_named
from dpdesk.engine import Tracker
from dpdesk.engine.collected import write_collected
from dpdesk.gui.document import Document
from dpdesk.gui.pages.collected import CollectedPage
from dpdesk.gui.pages.collected import page as collected_page
from dpdesk.gui.pages.collected import results as collected_results
from dpdesk.gui.pages.collected.page import CollectedView
from dpdesk.gui.pages.collected.results import percent
from tests.gui.test_accessibility import nameless, rich_labels
from tests.strength import strength_in

Wait = Callable[[], None]
SIZE = 400


@pytest.fixture
def table(tmp_path: Path) -> SurveyTable:
    """400 answers through two coins; region, age, village, weight."""
    rows = ["who,said,region,age,village,weight,how"]
    for i in range(SIZE):
        said = "" if i == 7 else ("yes" if i % 5 < 2 else "no")
        device = "open" if i % 10 == 9 else "coins"
        rows.append(
            f"{i},{said},{('north', 'south')[i % 2]},{20 + i % 40},{i % 20},{1 + i % 3},{device}"
        )
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return load(path)


@pytest.fixture
def view(page: CollectedPage) -> CollectedView:
    """The view of collected answers."""
    return page.view


@pytest.fixture
def wait(qtbot: QtBot, view: CollectedView) -> Wait:
    """Waits until nothing runs."""
    return lambda: qtbot.waitUntil(lambda: not view.watch.is_running)


def choose(view: CollectedView, name: str, text: str) -> None:
    box = getattr(view.form, name)
    assert box.findData(text) >= 0
    box.setCurrentIndex(box.findData(text))


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def opened(document: Document, view: CollectedView, table: SurveyTable) -> None:
    document._set_table(table, None)
    choose(view, "answer", "said")


def test_that_without_data_the_view_says_so_and_offers_a_way_on(
    page: CollectedPage, view: CollectedView, qtbot: QtBot
) -> None:
    assert "After the fieldwork" in view.words.text()
    assert not view.form.isVisible()
    with qtbot.waitSignal(page.goTo) as told:
        view.open.click()
    assert told.args == ["data", ""]


def test_that_answers_are_estimated_through_the_design_of_the_page(
    document: Document, view: CollectedView, table: SurveyTable, qtbot: QtBot, wait: Wait
) -> None:
    opened(document, view, table)
    assert view.form.yes.currentData() == "yes"
    choose(view, "by", "region")
    view.form.formula.setText("age + region")
    qtbot.mouseClick(view.run, Qt.MouseButton.LeftButton)
    assert not view.form.isEnabled()
    wait()
    warner = design_named("warner")(p="3/4").estimate([Count(160, 399)])  # type: ignore[call-arg]
    shown = view.results
    assert shown.shares.rows[0][1] == percent(warner.estimate)
    assert [row[0] for row in shown.shares.rows] == [
        "All",
        "north",
        "south",
        "north, predicted (region)",
        "south, predicted (region)",
    ]
    # Odds of 3.
    assert strength_in(shown.sentences.text()) == "strong"
    assert "1 respondents without an answer" in shown.sentences.text()
    assert "chi-square" in shown.sentences.text()
    assert [row[0] for row in shown.terms.rows] == ["Intercept", "age", "region[T.south]"]
    assert "399 complete respondents" in shown.fit_words.text()
    # The interval is longer above, so that its ends stand in place of "±".
    ends = re.findall(r"[0-9.]+", shown.shares.rows[0][3])
    assert all(end in shown.heading.text() for end in ends)
    low, high = map(float, ends)
    assert (high - low) / 2 == pytest.approx(196 * warner.standard_error, rel=0.02)
    assert view.form.isEnabled()
    view.show_table()
    assert view.table_window.dialog is not None
    assert "north" in view.table_window.dialog._table.tab_separated()


def test_that_a_wrong_formula_takes_no_estimate_along(
    document: Document, view: CollectedView, table: SurveyTable, wait: Wait
) -> None:
    opened(document, view, table)
    view.form.formula.setText("age + nothing")
    view.start()
    wait()
    assert "formula" in view.form._refusals["formula"].text()
    assert view.results.shares.rowCount() == 1
    assert not view.results.term_table.isVisible()
    assert view.form.formula.text() == "age + nothing"
    view.form.formula.setText("age")
    view.start()
    wait()
    assert view.form._refusals["formula"].text() == ""
    assert view.results.terms.rowCount() == 2


def test_that_a_refusal_stands_beside_its_field(
    document: Document, view: CollectedView, table: SurveyTable, wait: Wait
) -> None:
    opened(document, view, table)
    choose(view, "weights", "region")
    view.start()
    wait()
    assert "not positive numbers" in view.form._refusals["weights"].text()
    assert view.refusal.text() == ""
    assert view.form.weights.currentData() == "region"
    choose(view, "weights", "weight")
    view.form.more.setChecked(True)
    choose(view, "clusters", "village")
    view.start()
    wait()
    assert view.results.shares.rowCount() == 1
    assert view.form._refusals["weights"].text() == ""


def test_that_a_design_of_two_groups_asks_for_the_column_of_the_device(
    page: CollectedPage, document: Document, view: CollectedView, table: SurveyTable, wait: Wait
) -> None:
    opened(document, view, table)
    assert not view.form.group.isVisible()
    design = design_named("extended_crosswise")(p="1/4")  # type: ignore[call-arg]
    page.set_design(design)
    assert view.form.group.isVisible()
    view.start()
    wait()
    assert "two groups" in view.refusal.text()
    choose(view, "group", "region")
    choose(view, "first", "south")
    view.start()
    wait()
    assert "Adherence" in view.results.sentences.text()
    first = Count(sum(i % 5 < 2 for i in range(1, SIZE, 2) if i != 7), 199)
    second = Count(sum(i % 5 < 2 for i in range(0, SIZE, 2)), 200)
    expected = design.estimate([first, second]).estimate
    assert view.results.shares.rows[0][1] == percent(expected)


def test_that_each_design_has_the_fields_that_mean_something_for_it(
    page: CollectedPage, document: Document, view: CollectedView, table: SurveyTable
) -> None:
    opened(document, view, table)
    always = {"answer", "yes", "by", "weights", "formula"}
    asked = {"strata", "clusters", "direct"}
    names = (*always, *asked, "population", "a", "b", "group", "first", "anchor", "lonely")
    for kind, own, alone in (
        ("warner", set(), {"population", "a", "b"}),
        ("extended_crosswise", {"group", "first"}, set()),
        ("anchored_crosswise", {"anchor"}, set()),
    ):
        page.set_design(design_named(kind).example())
        for more in (False, True):
            view.form.more.setChecked(more)
            shown = {name for name in names if getattr(view.form, name).isVisible()}
            assert shown == always | own | (asked | alone if more else set()), (kind, more)


def test_that_people_asked_directly_are_pooled(
    document: Document, view: CollectedView, table: SurveyTable, wait: Wait
) -> None:
    opened(document, view, table)
    assert not view.form.direct_text.isVisible()
    view.form.more.setChecked(True)
    choose(view, "direct", "how")
    choose(view, "direct_text", "open")
    view.start()
    wait()
    result = view.results.result()
    assert result is not None
    assert set(result.scores[9::10].tolist()) <= {0.0, 1.0}


def test_that_columns_that_few_surveys_have_are_offered_when_asked_for(
    document: Document, view: CollectedView, table: SurveyTable, wait: Wait
) -> None:
    opened(document, view, table)
    assert not view.form.strata.isVisible()
    view.form.more.setChecked(True)
    assert view.form.strata.isVisible()
    choose(view, "strata", "region")
    view.form.more.setChecked(False)
    # What is chosen counts, and so stays in sight.
    assert view.form.strata.isVisible()
    assert not view.form.clusters.isVisible()
    view.start()
    wait()
    assert view.results.shares.rowCount() == 1


def test_that_a_finite_population_shortens_the_error(
    document: Document, view: CollectedView, table: SurveyTable, wait: Wait
) -> None:
    opened(document, view, table)
    view.form.more.setChecked(True)
    errors = []
    for people in ("", "1,000", "400"):
        view.form.population.setText(people)
        view.start()
        wait()
        result = view.results.result()
        assert result is not None
        errors.append(result.overall.standard_error)
    assert errors[0] > errors[1] > errors[2] > 0.8 * errors[0]
    view.form.population.setText("many")
    view.start()
    assert "not a whole number" in view.form._refusals["population"].text()
    assert not view.watch.is_running
    view.form.population.setText("1000")
    choose(view, "weights", "weight")
    view.start()
    wait()
    assert "simple random samples" in view.refusal.text()


def test_that_the_design_of_the_sample_is_chosen_and_told(
    document: Document, view: CollectedView, table: SurveyTable, wait: Wait
) -> None:
    opened(document, view, table)
    view.form.more.setChecked(True)
    assert not view.form.lonely.isVisible()
    choose(view, "strata", "region")
    choose(view, "clusters", "village")
    assert view.form.lonely.isVisible()
    choose(view, "weights", "weight")
    choose(view, "by", "region")
    view.form.population.setText("north=10, south=10")
    view.start()
    wait()
    told = view.results.sentences.text()
    assert "2 strata, 20 clusters (PSUs), 18 degrees of freedom, a population of 20" in told
    assert "F " in told
    result = view.results.result()
    assert result is not None
    view.form.population.setText("")
    view.start()
    wait()
    again = view.results.result()
    assert again is not None
    # All clusters of the population were drawn: what is left is within them.
    assert again.overall.standard_error != result.overall.standard_error
    view.form.population.setText("north=10")
    view.start()
    wait()
    assert "has no size" in view.form._refusals["strata"].text()


def test_that_a_lonely_cluster_is_refused_or_dealt_with_by_choice(
    document: Document, view: CollectedView, tmp_path: Path, wait: Wait
) -> None:
    path = tmp_path / "lonely.csv"
    rows = [f"{'yn'[i % 2]},{i // 20},{i // 10 if i < 40 else 4}" for i in range(60)]
    path.write_text("\n".join(["said,s,c", *rows]) + "\n", encoding="utf-8")
    document._set_table(load(path), None)
    view.form.more.setChecked(True)
    choose(view, "strata", "s")
    choose(view, "clusters", "c")
    view.start()
    wait()
    assert "Strata with one cluster" in view.refusal.text()
    choose(view, "lonely", "centred")
    view.start()
    wait()
    assert view.refusal.text() == ""
    assert (
        "1 strata with a single cluster (centred at the mean of all)"
        in view.results.sentences.text()
    )


def test_that_the_device_is_compared_with_direct_questions_and_the_memo_is_saved(
    document: Document, view: CollectedView, table: SurveyTable, wait: Wait, tmp_path: Path
) -> None:
    opened(document, view, table)
    view.form.more.setChecked(True)
    choose(view, "direct", "how")
    choose(view, "direct_text", "open")
    view.form.formula.setText("region")
    view.start()
    wait()
    titles = [row[0] for row in view.results.shares.rows]
    assert titles[1:3] == ["With the device", "Asked directly"]
    assert "Device less direct questions" in view.results.sentences.text()
    assert [head.text for head in view.results.terms.heads][-1] == "p"
    html = collected_results.MemoDialog(view.results.result(), view).page()
    assert "The device against direct questions" in html
    assert "Predicted shares by region" in html


def test_that_chances_of_each_respondent_stand_in_two_columns(
    document: Document, view: CollectedView, tmp_path: Path, wait: Wait
) -> None:
    path = tmp_path / "own.csv"
    path.write_text("said,high,low\n" + "1,0.75,0.25\n0,0.8,0.1\n" * 20, encoding="utf-8")
    document._set_table(load(path), None)
    view.form.more.setChecked(True)
    choose(view, "a", "high")
    view.start()
    wait()
    assert "two columns" in view.refusal.text()
    choose(view, "b", "low")
    view.start()
    wait()
    result = view.results.result()
    assert result is not None
    assert result.scores[:2].tolist() == pytest.approx([1.5, -0.1 / 0.7])


def test_that_every_field_has_a_name(
    document: Document, view: CollectedView, table: SurveyTable, wait: Wait
) -> None:
    opened(document, view, table)
    view.form.more.setChecked(True)
    view.form.formula.setText("C(weight)")
    view.start()
    wait()
    told = r"All of C\(weight\) together: chi-square [0-9.]+, 2 df, p = 0?[0-9.]+$"
    assert re.search(told, view.results.fit_words.text().replace("\u00a0", " "))
    assert nameless(view) == []
    assert rich_labels(view) == []


def test_that_estimates_of_another_design_are_marked(
    page: CollectedPage, document: Document, view: CollectedView, table: SurveyTable, wait: Wait
) -> None:
    opened(document, view, table)
    view.start()
    wait()
    before = page.design()
    page.set_design(design_named("direct")())
    assert "design before" in view.notice.message()
    page.set_design(before)
    assert not view.notice.isVisible()


def test_that_an_estimation_can_be_cancelled(
    page: CollectedPage,
    document: Document,
    view: CollectedView,
    table: SurveyTable,
    wait: Wait,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def endless(_table: object, _design: object, _request: object, tracker: Tracker) -> object:
        while True:
            tracker.tick()

    monkeypatch.setattr(collected_page, "analyse_collected", endless)
    opened(document, view, table)
    view.start()
    assert page.cancel()
    wait()
    assert view.words.text() == "Nothing was estimated."
    assert not view.cancel()


def test_that_results_and_scores_are_saved(
    document: Document, view: CollectedView, table: SurveyTable, wait: Wait, tmp_path: Path
) -> None:
    opened(document, view, table)
    choose(view, "by", "region")
    view.form.formula.setText("age")
    view.start()
    wait()
    view.results.save(tmp_path / "results.csv", write_collected)
    assert view.notice.message() == "Saved as results.csv."
    rows = read_rows(tmp_path / "results.csv")
    assert [row["name"] for row in rows] == [
        "all respondents",
        "north",
        "south",
        "Intercept",
        "age",
    ]
    result = view.results.result()
    assert result is not None
    assert float(rows[0]["estimate"]) == result.overall.estimate
    view.results.save(tmp_path / "scores.csv", collected_results.save_scores)
    scores = read_rows(tmp_path / "scores.csv")
    assert len(scores) == SIZE
    assert scores[7]["score"] == ""
    assert {row["score"] for row in scores[:5]} == {"1.5", "-0.5"}
    view.results.save(tmp_path / "no folder" / "scores.csv", collected_results.save_scores)
    assert "cannot be written" in view.notice.message()


def test_that_other_data_take_the_estimates_away(
    document: Document, view: CollectedView, table: SurveyTable, wait: Wait
) -> None:
    opened(document, view, table)
    view.start()
    wait()
    document._set_table(None, None)
    assert "After the fieldwork" in view.words.text()
    assert view.words.isVisible()
    assert not view.form.isVisible()


def test_that_an_anchor_and_codes_of_no_answer_have_their_fields(
    page: CollectedPage, document: Document, view: CollectedView, tmp_path: Path, wait: Wait
) -> None:
    rows = [f"{i % 3 % 2},{int(i % 4 > 0)},{i % 5}" for i in range(300)]
    path = tmp_path / "anchored.csv"
    path.write_text("\n".join(["said,beside,x", *rows, "-9,1,2", "0,-9,2"]) + "\n", "utf-8")
    design = design_named("anchored_crosswise")(p="1/4", anchor="1/5")  # type: ignore[call-arg]
    page.set_design(design)
    document._set_table(load(path), None)
    assert view.form.anchor.isVisible()
    assert not view.form.group.isVisible()
    assert view.form.missing.isVisible()
    choose(view, "anchor", "beside")
    view.start()
    wait()
    assert "more than two answers" in view.form._refusals["answer"].text()
    view.form.missing.setText("-9, refused")
    view.form.formula.setText("x")
    view.start()
    wait()
    result = view.results.result()
    assert result is not None
    assert (result.overall.respondents, result.missing) == (300, 2)
    counted = design.estimate([Count(100, 300), Count(225, 300)]).estimate
    assert result.overall.estimate == pytest.approx(counted)
    assert result.fit is not None
    share = result.fit.open_share
    assert share is not None
    error = f"standard error {100 * share.standard_error:.2f} pp"
    words = f"Share who attend: {percent(share.value)}, {error}"
    assert words in view.results.fit_words.text()
    view.results.save(tmp_path / "results.csv", write_collected)
    assert read_rows(tmp_path / "results.csv")[-1]["name"] == "attentive"


@pytest.mark.parametrize(
    ("texts", "yes"),
    [("TRUE FALSE", "TRUE"), ("Nein Ja", "Ja"), ("0.0 1.0", "1.0"), ("no admitted", "admitted")],
)
def test_that_the_usual_words_for_yes_are_found(
    document: Document, view: CollectedView, tmp_path: Path, texts: str, yes: str
) -> None:
    path = tmp_path / "words.csv"
    path.write_text("said,n\n" + "".join(f"{t},1\n" for t in texts.split() * 3), "utf-8")
    document._set_table(load(path), None)
    assert view.form.yes.currentData() == yes
