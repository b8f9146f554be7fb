"""Two working days in the window, from opening a file to its report, with hands only.

A health survey with codes of no answer, a skipped question, one with several answers, and weights;
and a census extract of 200 columns. A day with two kinds of release is in `test_two_days`.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from math import exp
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QRadioButton
from pytestqt.qtbot import QtBot

from dpdesk.cli.main import main
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.plan.choice_view import ChoiceView
from dpdesk.gui.pages.plan.outcome_plot import OutcomePlot
from dpdesk.plan import choose_best, resplit
from dpdesk.plan.checks.texts import T
from dpdesk.releases.records import RECORDS
from dpdesk.reports.texts import T as ReportT
from tests.gui.day_steps import (
    answer_box,
    choose_purpose,
    confirm_all,
    go_to_release,
    let_go,
    name_report,
    open_file,
    said_on,
)
from tests.gui.hands import (
    LEFT,
    NO_KEY,
    Hands,
    first_cells,
    read_out,
    table_texts,
)
from tests.gui.windows import document_of
from tests.randomness.word_sources import ShakeWords
from tests.survey_files import (
    AMONG_ANSWERED,
    BLOCKS,
    REGIONS,
    HealthSurvey,
    Key,
    write_census,
    write_health,
)

FAR = 1.5
"""Widths of its interval that the truth is never away from it, in any sound release."""


# The health survey


@dataclass
class Estimate:
    """What the folder says of one number."""

    value: float
    lower: float
    upper: float

    def is_near(self, truth: float) -> bool:
        """Whether the truth is in the interval, or no farther from it than `FAR` times its width.

        A standard error will not do: of the few reports of a rare answer it is too small by half.
        """
        beyond = FAR * (self.upper - self.lower)
        return self.lower - beyond <= truth <= self.upper + beyond


def estimates_of(folder: Path) -> dict[Key, Estimate]:
    with (folder / "estimates.csv").open(newline="", encoding="utf-8") as file:
        return {
            (line["attribute"], line["quantity"], line["category"]): Estimate(
                float(line["estimate"]),
                float(line["lower"]),
                float(line["upper"]),
            )
            for line in csv.DictReader(file)
        }


CODED = {"age": "99", "smoker": "refused", "cigarettes": "-9", "health": "-9"}


def describe_health(window: MainWindow, hands: Hands) -> None:
    """The Data page: one question of three columns, codes, what is public, domains."""
    page = window.pages["data"]
    view = page.variables.view
    assert page.question.message().startswith(
        "cond_asthma, cond_diabetes, cond_heart look like the options of one question"
    )
    hands.press(page.question, "Make them one question")
    hands.qtbot.waitUntil(lambda: not document_of(window).answers.is_counting)
    assert [row[0] for row in table_texts(view)] == [
        "region", "sex", "age", "smoker", "cigarettes", "health", "cond", "weight",
    ]  # fmt: skip
    for name, code in CODED.items():
        hands.choose_row(view, name)
        hands.turn_to(page.editor.tabs, "Missing answers")
        assert f"no answer: {code}." in page.editor.missing.suspects.text()
        hands.click(page.editor.missing.mean_missing)
        assert code in page.editor.missing.tokens.text()
    hands.choose_row(view, "cigarettes")
    hands.turn_to(page.editor.tabs, "Domain")
    # Where somebody lives was known when the sample was drawn.
    for name in ("region", "weight"):
        hands.choose_row(view, name)
        (keep,) = (b for b in page.editor.role.findChildren(QRadioButton) if "Keep" in b.text())
        hands.click(keep)
        hands.click(page.editor.role.confirm)
    hands.press(page.variables, "Protect all unassigned")
    assert (
        page.variables.state_text() == "7 domains to confirm · the reading of the file to confirm"
    )
    # A few respondents alone gave its largest number: it is looked at by hand.
    assert confirm_all(window, hands, "A. Statistician") == ["cigarettes"]
    assert page.variables.state_text() == ("Every domain is confirmed and every column has a role.")


def plan_health(window: MainWindow, hands: Hands) -> None:
    """The Plan page: purpose, budget, verdicts, mechanisms side by side, a simulated outcome."""
    hands.click(window.pages["data"].header.plan_button)
    pane = window.pages["plan"].records
    assert "6 of 8 protected" in said_on(pane.header)
    said = choose_purpose(window, hands, "Shares and means only")
    useful = {
        name: int(re.findall(r"(\d) of 6 attributes useful", said[name][1])[0])
        for name in ("spl", "smp")
    }
    assert useful["spl"] < useful["smp"], "4 split over six questions is too little for some"
    assert said["smp"][3] == "Whole record ε\u00a0=\u00a04.00, one answer ε\u00a0=\u00a04.00"
    hands.click(pane.header.change_budget)
    hands.type(pane.header.editor.field, "6", enter=False)
    hands.click(pane.header.editor.split)
    assert pane.header.strategy.losses() == "whole record ε = 6.00; one answer alone ε = 6.00"
    assert [row for row in read_out(pane.table) if "too noisy" in row] == []
    compare_mechanisms(window, hands)
    simulate_outcome(window, hands)


def compare_mechanisms(window: MainWindow, hands: Hands) -> None:
    """Takes a mechanism of larger error, and lets the program find the best one again."""
    pane = window.pages["plan"].records
    hands.choose_row(pane.table, "health")
    tabs = pane.panel.tabs.tabs
    hands.turn_to(tabs, "Choice")
    table = pane.panel.tabs.view(ChoiceView).table
    rows = table_texts(table)
    errors = [float(re.sub(r"[^0-9.]", "", row[1])) for row in rows]
    assert len(rows) >= 6
    assert errors == sorted(errors), "from the least error to the largest"
    assert "GRR" in rows[0][0]
    worse = next(place for place, row in enumerate(rows) if errors[place] > errors[0])
    index = table.model().index(worse, 0)
    hands.click_at(table, index)
    hands.qtbot.mouseDClick(table.viewport(), LEFT, NO_KEY, table.visualRect(index).center())
    taken = next(row for row in table_texts(pane.table) if row[0] == "health")
    assert rows[worse][0] in " ".join(taken)
    assert pane.panel._better is not None, "a link beside the advice leads to a smaller error"
    hands.click(pane.header.best)
    taken = next(row for row in table_texts(pane.table) if row[0] == "health")
    assert "GRR" in " ".join(taken)
    assert "health takes GRR" in pane.notice.message()


def simulate_outcome(window: MainWindow, hands: Hands) -> None:
    """Looks at what a release would show; nothing of it is spent."""
    pane = window.pages["plan"].records
    hands.choose_row(pane.table, "cond")
    hands.turn_to(pane.panel.tabs.tabs, "Outcome")
    outcome = pane.panel.tabs.view(OutcomePlot)
    first = outcome.plot.accessibleDescription()
    assert first.startswith("Simulated: nothing is spent.")
    assert "of 3 intervals hold the true share" in first
    hands.click(outcome.again)
    assert outcome.plot.accessibleDescription().startswith("Simulated: nothing is spent.")


def read_results(window: MainWindow, hands: Hands) -> dict[Key, str]:
    """Every estimate that the results show, as it is printed."""
    results = window.pages["release"].records.results
    shown: dict[Key, str] = {}
    for index in first_cells(results.entries.model()):
        hands.click_at(results.entries, index)
        titles = [results.quantity.itemText(i) for i in range(results.quantity.count())]
        for title in titles:
            if len(titles) > 1:
                hands.pick(results.quantity, title)
            for row in table_texts(results.estimates):
                quantity, category = "share", row[0]
                if category in ("Mean", "Answered"):
                    quantity = {"Mean": "mean", "Answered": "share answered"}[category]
                    category = ""
                elif title.endswith("among those who answered"):
                    quantity = AMONG_ANSWERED
                shown[str(index.data()), quantity, category] = row[2]
    return shown


def assert_hold_the_truth(found: dict[Key, Estimate], truth: dict[Key, float]) -> None:
    """Every estimate is near the truth, and most intervals hold it."""
    assert set(found) == set(truth)
    for key, estimate in found.items():
        assert estimate.is_near(truth[key]), key
    held = [one.lower <= truth[key] <= one.upper for key, one in found.items()]
    # One in twenty misses, and those of one question miss together; never half of all.
    assert 2 * sum(held) > len(held)


def test_a_day_with_a_health_survey(
    started: MainWindow,
    hands: Hands,
    qtbot: QtBot,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Verdicts near their edge differ from draw to draw.
    sanitizing = import_module("dpdesk.engine.sanitize")
    monkeypatch.setattr(sanitizing, "SystemWords", lambda: ShakeWords("a day"))
    window = started
    survey = write_health(tmp_path / "health.csv")
    open_file(window, qtbot, survey.path)
    describe_health(window, hands)
    plan_health(window, hands)
    assert main(["ledger"]) == 0
    assert "No release is recorded." in capsys.readouterr().out
    go_to_release(window, hands, tmp_path)
    before = window.pages["release"].records.before
    hands.type(before.promise.people.name, "Health survey 2031")
    assert before.promise.passed.sentence() == (
        "Released unprotected, exactly as in the file: “region” and “weight”."
    )
    problems = document_of(window).problems
    said = [problem.message for problem in problems]
    assert "useless" not in {problem.code for problem in problems}
    assert T.KEPT__WEIGHTS(name="weight") in said
    hands.type(before.details.lines["title"], "Health survey 2031", enter=False)
    folder = let_go(window, hands)
    found, truth = estimates_of(folder), survey.truth()
    assert_hold_the_truth(found, truth)
    assert_window_shows(read_results(window, hands), found)
    assert_private_truth(window, hands, truth)
    assert_files_keep_the_promise(folder, survey)
    assert_estimates_are_weighted(folder, found["sex", "share", "female"].value)
    assert_report_says(folder, found)
    assert_groups_are_estimated(folder, survey, capsys)


def assert_window_shows(shown: dict[Key, str], found: dict[Key, Estimate]) -> None:
    """What the window prints is what the folder holds."""
    assert set(shown) == set(found)
    for key, text in shown.items():
        number = float(re.sub(r"[^0-9.\u2212-]", "", text).replace("\u2212", "-"))
        value = found[key].value * (100 if "%" in text else 1)
        assert number == pytest.approx(value, abs=0.06), key


def assert_private_truth(window: MainWindow, hands: Hands, truth: dict[Key, float]) -> None:
    """The private panel compares with the weighted truth."""
    pane = window.pages["release"].records
    hands.choose_row(pane.results.entries, "cond")
    hands.turn_to(pane.results.tabs, "Private")
    hands.qtbot.waitUntil(lambda: not pane.compare_watch.is_running)
    shown = {row[0]: row[2] for row in table_texts(pane.results.private.table)}
    for name in ("asthma", "diabetes", "heart"):
        percent = float(re.sub(r"[^0-9.]", "", shown[name]))
        assert percent == pytest.approx(100 * truth["cond", "share", name], abs=0.051)


def assert_files_keep_the_promise(folder: Path, survey: HealthSurvey) -> None:
    """One answer per respondent, no code of the file, and what is kept as it was."""
    with (folder / "records.csv").open(newline="", encoding="utf-8") as file:
        records = list(csv.DictReader(file))
    assert len(records) == len(survey.rows["region"])
    kept = Counter((row["region"], row["weight"]) for row in records)
    assert kept == Counter(zip(survey.rows["region"], survey.rows["weight"], strict=True))
    assert [row["weight"] for row in records] != survey.rows["weight"], "the order is drawn"
    assert {row["smoker"] for row in records} == {"", "no", "yes", "(no answer)"}
    drawn = {"sex", "age", "smoker", "cigarettes", "health", "cond"}
    assert {row["sampled_attribute"] for row in records} == drawn
    for row in records:
        told = {
            name.partition("=")[0]
            for name, cell in row.items()
            if cell and name not in ("region", "weight", "sampled_attribute")
        }
        # Who did not answer a question about a number leaves its report blank.
        assert told <= {row["sampled_attribute"]}
    names = {path.name for path in folder.iterdir()}
    assert {"records.csv", "estimates.csv", "codebook.csv", "report.html", "plan.json"} <= names


def assert_estimates_are_weighted(folder: Path, female: float) -> None:
    """By hand, from the records: Warner's estimate of the weighted share of reports."""
    with (folder / "records.csv").open(newline="", encoding="utf-8") as file:
        asked = [row for row in csv.DictReader(file) if row["sampled_attribute"] == "sex"]
    weights = [float(row["weight"]) for row in asked]
    told = sum(w for w, row in zip(weights, asked, strict=True) if row["sex"] == "female")
    lie = 1 / (1 + exp(6))
    assert female == pytest.approx((told / sum(weights) - lie) / (1 - 2 * lie), abs=1e-9)


def assert_report_says(folder: Path, found: dict[Key, Estimate]) -> None:
    html = "".join((folder / f"{name}.html").read_text("utf-8") for name in ("report", "annex"))
    for sentence in ("Health survey 2031", ReportT.WEIGHTED(name="weight"), "ε = 6"):
        assert sentence in html
    # How many smoke is estimated: the error of their cigarettes is near the edge of a verdict.
    assert re.search("(6 useful, 0|5 useful, 1) rough and 0 too noisy", html)
    assert f"{100 * found['cond', 'share', 'asthma'].value:.1f}\u00a0%" in html
    assert "refused" not in (folder / "records.csv").read_text("utf-8")


def assert_groups_are_estimated(
    folder: Path, survey: HealthSurvey, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the folder alone: the respondents of each region, with their weights."""
    assert json_of(capsys, "estimate", folder)["verified"] is True
    groups = json_of(capsys, "estimate", folder, "--by", "region")["groups"]
    assert [group["group"] for group in groups] == list(REGIONS)
    for group in groups:
        found = {
            (row["attribute"], row["quantity"], row["category"]): Estimate(
                row["estimate"], row["lower"], row["upper"]
            )
            for row in group["estimates"]
        }
        assert_hold_the_truth(found, survey.truth(group["group"]))


def json_of(capsys: pytest.CaptureFixture[str], *words: str | Path) -> Any:
    capsys.readouterr()
    assert main([*map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


# The census extract


def narrow_census(window: MainWindow, hands: Hands) -> None:
    """The Data page: protects all columns, then drops whole blocks of them by the filter."""
    page = window.pages["data"]
    hands.press(page.variables, "Protect all unassigned")
    window.go_to("plan")
    pane = window.pages["plan"].records
    assert len(read_out(pane.table)) > 50
    window.go_to("data")
    for block in BLOCKS:
        if block in ("household", "health"):
            continue
        page.commands.filter.trigger()
        hands.type(page.variables.filter, f"{block}_", enter=False)
        columns = sum(name.startswith(f"{block}_") for name in names_of(window))
        assert page.variables.listed_text() == f"{columns} of 200"
        hands.qtbot.keyClick(page.variables.filter, Qt.Key.Key_Down)
        hands.choose_all(page.variables.view)
        assert page.variables.strip.text() == f"{columns} chosen"
        hands.press(page.variables.strip, "Drop")
    page.commands.filter.trigger()
    hands.qtbot.keyClick(page.variables.filter, Qt.Key.Key_Escape)
    hands.type(page.variables.filter, "protect", enter=False)
    left = sum(name.startswith(("household_", "health_")) for name in names_of(window))
    assert page.variables.listed_text() == f"{left} of 200"
    page.variables.filter.clear()


def names_of(window: MainWindow) -> list[str]:
    return [column.name for column in document_of(window).plan.columns]


def test_a_day_with_a_census_extract(
    started: MainWindow, hands: Hands, qtbot: QtBot, tmp_path: Path
) -> None:
    window = started
    path = tmp_path / "census.csv"
    rows = write_census(path, respondents=20_000)
    open_file(window, qtbot, path)
    narrow_census(window, hands)
    confirm_all(window, hands, "Census office")
    document = document_of(window)
    kept = len(document.plan.protected)
    assert kept == 50
    # With every answer of each respondent all would be useless, and Sanitize says so first.
    split = resplit(document.plan.with_fields(strategy="spl"), Decimal(1))
    document.edit("Split", choose_best(split))
    go_to_release(window, hands, tmp_path)
    before = window.pages["release"].records.before
    assert (
        before.checks.verdict.sentence() == "Nothing blocks the release, but it would be too noisy"
    )
    said: list[str] = []
    answer_box("Change the plan", said)
    hands.click(window.pages["release"].records.start_button)
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]
    stated = re.search(
        r"Report one answer per respondent at epsilon 4 to make (\d+) of",
        " ".join(said),
    )
    assert stated is not None, said
    # The remedy keeps its word.
    window.go_to("plan")
    choose_purpose(window, hands, "Shares and means only")
    assert RECORDS.usefulness(document.plan).counts.useful == int(stated[1])
    pane = window.pages["plan"].records
    verdicts = read_out(pane.table)
    # Who drops the others as well has nothing left to know.
    for place in [i for i, one in enumerate(verdicts) if "rough" in one or "too noisy" in one]:
        hands.click_at(pane.table, pane.table.model().index(place, 0))
        hands.pick(pane.panel.assignment, "Dropped")
    assert document.worth == "useful"
    go_to_release(window, hands, tmp_path)
    assert before.checks.verdict.sentence() == "Ready to release, with 1 thing to know"
    name_report(before, hands)
    assert before.checks.verdict.sentence() == "Ready to release, and useful"
    folder = let_go(window, hands)
    found = estimates_of(folder)
    assert {name for name, _, _ in found} == {c.name for c in document.plan.protected}
    for (name, quantity, category), one in found.items():
        if quantity == "mean":
            truth = sum(map(int, rows[name])) / len(rows[name])
        else:
            truth = rows[name].count(category) / len(rows[name])
        assert one.is_near(truth), (name, category)
    html = (folder / "annex.html").read_text("utf-8")
    # A printed page holds about 450 words of it.
    assert len(re.sub(r"<(style|svg).*?</\1>|<[^>]+>", " ", html, flags=re.DOTALL).split()) < 9_000
