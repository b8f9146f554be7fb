"""Two working days in the window, from opening a file to its report, with hands only.

A health survey with codes of no answer, a skipped question, one with several answers, and weights;
and a census extract of 200 columns. A third day, with two kinds of release, is in `test_two_days`.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.cli.main import main
from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.messages import ask_useless
from dpdesk.gui.pages.data.confirm_dialog import ConfirmDomains
from dpdesk.gui.pages.plan.choice_view import ChoiceView
from dpdesk.gui.pages.plan.outcome_plot import OutcomePlot
from dpdesk.gui.pages.plan.purpose_dialog import PurposeDialog
from dpdesk.gui.settings import Settings
from dpdesk.gui.widgets.plain_text import ElidedLabel
from tests.gui.hands import (
    LEFT,
    NO_KEY,
    Hands,
    button_of,
    first_cells,
    open_dialog,
    read_out,
    table_texts,
)
from tests.survey_files import BLOCKS, HealthSurvey, Key, write_census, write_health

Z = 1.959963984540054
OUTCOME, CHOICE = "Outcome", "Choice"
FAR = 6.0
"""Standard errors that an estimate of a sound release stays within: two in a billion do not."""


@pytest.fixture
def hands(qtbot: QtBot) -> Hands:
    return Hands(qtbot)


@pytest.fixture
def window(settings: Settings, qtbot: QtBot) -> Iterator[MainWindow]:
    """The window at a new start of the program, with questions that a user would be asked."""
    shown = MainWindow(settings)
    document = Document(shown)
    qtbot.addWidget(shown, before_close_func=lambda _: document.undo_stack.setClean())
    shown.furnish(document)
    shown.show()
    for pane in (shown.pages["release"].records, shown.pages["release"].statistics):
        pane.ask_useless = ask_useless
    yield shown
    document.undo_stack.setClean()
    assert shown.close()


def document_of(window: MainWindow) -> Document:
    assert window._document is not None
    return window._document


def open_file(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    document = document_of(window)
    with qtbot.waitSignal(document.loading.ended, timeout=60_000):
        window.files.open(path)
    qtbot.waitUntil(lambda: not document.answers.is_counting, timeout=60_000)


def confirm_all(window: MainWindow, hands: Hands, person: str) -> list[str]:
    """Confirms every domain; returns those whose tick the user had to set."""
    hands.click(window.pages["data"].variables.confirm_button)
    dialog = open_dialog(ConfirmDomains)
    waiting = [row.column.name for row in dialog.view.waiting.rows if not row.confirm]
    everything = button_of(dialog, "All rows")
    while not everything.isChecked():
        hands.click(everything)
    hands.type(dialog.person, person, enter=False)
    hands.click(dialog.confirm_button)
    return waiting


def choose_purpose(window: MainWindow, hands: Hands, words: str) -> dict[str, tuple[str, ...]]:
    """Answers what people will do with the file; returns what each strategy's card says."""
    hands.click(window.pages["plan"].records.header.strategy.purpose)
    dialog = open_dialog(PurposeDialog)
    hands.press(dialog, words)
    hands.qtbot.waitUntil(lambda: "Simulated" in dialog.note.text(), timeout=20_000)
    said = {name: card.lines() for name, card in dialog.strategies.items()}
    hands.press(dialog, "OK")
    return said


def sanitize(window: MainWindow, hands: Hands) -> Path:
    """Clicks Sanitize and waits; returns the folder that the results name."""
    pane, account = window.pages["release"].records, window.pages["release"].account
    hands.click(pane.start_button)
    running = lambda: pane.watch.is_running or account.is_running  # noqa: E731
    hands.qtbot.waitUntil(lambda: not running(), timeout=120_000)
    assert pane.view() is pane.results
    result = pane.results.result()
    assert result is not None
    assert result.folder is not None
    return Path(result.folder)


def go_to_release(window: MainWindow, hands: Hands, folder: Path) -> None:
    window.go_to("release")
    page = window.pages["release"]
    page.records.before.destination.set_parent_folder(folder)
    hands.qtbot.waitUntil(lambda: page.account.account is not None, timeout=60_000)


def said_on(widget: QWidget) -> str:
    """Every text that a part of the window shows."""
    labels = [label for label in widget.findChildren(QLabel) if label.isVisible()]
    full = (one.full_text() if isinstance(one, ElidedLabel) else one.text() for one in labels)
    return "\n".join(full)


def answer_box(words: str, said: list[str]) -> None:
    """Clicks a button of the message box that the next click opens, once it is open."""

    def press() -> None:
        box = QApplication.activeModalWidget()
        if not isinstance(box, QMessageBox):
            QTimer.singleShot(20, press)
            return
        said.append(f"{box.text()} {box.informativeText()}")
        next(b for b in box.buttons() if words in b.text().replace("&", "")).click()

    QTimer.singleShot(0, press)


# The health survey


@dataclass
class Estimate:
    """What the folder says of one number."""

    value: float
    error: float
    lower: float
    upper: float


def estimates_of(folder: Path) -> dict[Key, Estimate]:
    with (folder / "estimates.csv").open(newline="", encoding="utf-8") as file:
        return {
            (line["attribute"], line["category"] or line["quantity"]): Estimate(
                float(line["estimate"]),
                float(line["total_standard_error"]),
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
    hands.qtbot.waitUntil(lambda: not document_of(window).answers.is_counting, timeout=20_000)
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
    assert "Blank where smoker is no: probably not asked" in page.editor.missing.routing.text()
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
    assert confirm_all(window, hands, "A. Statistician") == []
    assert page.variables.state_text() == ("Every domain is confirmed and every column has a role.")


def plan_health(window: MainWindow, hands: Hands) -> None:
    """The Plan page: purpose, budget, verdicts, mechanisms side by side, a simulated outcome."""
    hands.click(window.pages["data"].header.plan_button)
    pane = window.pages["plan"].records
    assert "6 of 8 attributes protected" in said_on(pane.header)
    coarse = [row for row in read_out(pane.table) if "coarse" in row]
    assert len(coarse) >= 2, "4 split over six questions is too little for some"
    said = choose_purpose(window, hands, "Shares and means only")
    assert said["smp"][1].endswith("6 of 6 attributes useful")
    assert said["smp"][3] == "Whole record ε\u00a0=\u00a04.00, one answer ε\u00a0=\u00a04.00"
    hands.click(pane.header.change_budget)
    hands.type(pane.header.editor.field, "5", enter=False)
    hands.click(pane.header.editor.split)
    assert pane.header.strategy.losses() == "whole record ε = 5.00; one answer alone ε = 5.00"
    assert not any("coarse" in row or "useless" in row for row in read_out(pane.table))
    compare_mechanisms(window, hands)
    simulate_outcome(window, hands)


def compare_mechanisms(window: MainWindow, hands: Hands) -> None:
    """Takes a mechanism of larger error, and lets the program find the best one again."""
    pane = window.pages["plan"].records
    hands.choose_row(pane.table, "health")
    tabs = pane.panel.tabs.tabs
    hands.turn_to(tabs, CHOICE)
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
    assert "smaller error" in pane.panel.advice.text()
    hands.click(pane.header.best)
    taken = next(row for row in table_texts(pane.table) if row[0] == "health")
    assert "GRR" in " ".join(taken)
    assert "health takes GRR" in pane.notice.message()


def simulate_outcome(window: MainWindow, hands: Hands) -> None:
    """Looks at what a release would show; nothing of it is spent."""
    pane = window.pages["plan"].records
    hands.choose_row(pane.table, "cond")
    hands.turn_to(pane.panel.tabs.tabs, OUTCOME)
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
        name = str(index.data())
        quantities = [results.quantity.itemText(i) for i in range(results.quantity.count())]
        for words in quantities if len(quantities) > 1 else [""]:
            if words:
                hands.pick(results.quantity, words)
            for row in table_texts(results.estimates):
                what = {"Mean": "mean", "Answered": "share answered"}.get(row[0], row[0])
                shown[name, what] = row[2]
    return shown


def assert_hold_the_truth(found: dict[Key, Estimate], truth: dict[Key, float]) -> None:
    """Every estimate is near the truth, and as many intervals hold it as 95 % of them should."""
    assert set(found) == set(truth)
    for key, estimate in found.items():
        assert abs(estimate.value - truth[key]) < FAR * estimate.error, key
    held = [one.lower <= truth[key] <= one.upper for key, one in found.items()]
    # Of 18 intervals of 95 %, 6 or more miss once in a thousand million releases.
    assert sum(held) > len(held) - 8


def test_a_day_with_a_health_survey(
    window: MainWindow,
    hands: Hands,
    qtbot: QtBot,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
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
    said = [problem.message for problem in document_of(window).problems]
    assert not any("coarse" in one or "useless" in one for one in said)
    remedies = " ".join(problem.remedy for problem in document_of(window).problems)
    assert "Weights tell what they were computed from" in remedies
    hands.type(before.details.lines["title"], "Health survey 2031", enter=False)
    folder = sanitize(window, hands)
    found, truth = estimates_of(folder), survey.truth()
    assert_hold_the_truth(found, truth)
    assert_window_shows(read_results(window, hands), found)
    assert_private_truth(window, hands, truth)
    assert_files_keep_the_promise(folder, survey)
    assert_report_says(folder, found)
    assert_groups_are_estimated(folder, survey, tmp_path, capsys)


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
    hands.qtbot.waitUntil(lambda: not pane.compare_watch.is_running, timeout=60_000)
    shown = {row[0]: row[2] for row in table_texts(pane.results.private.table)}
    for name in ("asthma", "diabetes", "heart"):
        percent = float(re.sub(r"[^0-9.]", "", shown[name]))
        assert percent == pytest.approx(100 * truth["cond", name], abs=0.051)


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


def assert_report_says(folder: Path, found: dict[Key, Estimate]) -> None:
    html = (folder / "report.html").read_text("utf-8")
    for sentence in ("Health survey 2031", "They are weighted by weight.", "ε = 5"):
        assert sentence in html
    assert "useful for 6, coarse for 0 and useless for 0" in html
    assert f"{100 * found['cond', 'asthma'].value:.1f}\u00a0%" in html
    assert "refused" not in (folder / "records.csv").read_text("utf-8")


def assert_groups_are_estimated(
    folder: Path, survey: HealthSurvey, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the folder alone: everybody, and the respondents of one region, with their weights."""
    capsys.readouterr()
    assert main(["estimate", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verified"] is True
    lines = (folder / "records.csv").read_text("utf-8").splitlines(keepends=True)
    north = tmp_path / "north" / "records.csv"
    north.parent.mkdir()
    north.write_text("".join([lines[0], *(one for one in lines if one.startswith("North"))]))
    assert main(["estimate", str(north), "--plan", str(folder / "plan.json"), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["estimates"]
    found = {
        (row["attribute"], row["category"] or row["quantity"]): Estimate(
            row["estimate"], row["total_standard_error"], row["lower"], row["upper"]
        )
        for row in rows
    }
    assert_hold_the_truth(found, survey.truth("North"))


# The census extract


def narrow_census(window: MainWindow, hands: Hands) -> None:
    """The Data page: protects all columns, then drops whole blocks of them by the filter."""
    page = window.pages["data"]
    hands.press(page.variables, "Protect all unassigned")
    window.go_to("plan")
    pane = window.pages["plan"].records
    assert all("useless" in row for row in read_out(pane.table)[1:])
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
    window: MainWindow, hands: Hands, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "census.csv"
    rows = write_census(path, respondents=20_000)
    open_file(window, qtbot, path)
    narrow_census(window, hands)
    confirm_all(window, hands, "Census office")
    document = document_of(window)
    kept = len(document.plan.protected)
    assert kept == 50
    # What the dropped columns had is not used; all would be useless, and Sanitize says so first.
    go_to_release(window, hands, tmp_path)
    before = window.pages["release"].records.before
    assert before.checks.verdict.sentence() == "Nothing blocks the release, but it would be useless"
    said: list[str] = []
    answer_box("Change the plan", said)
    hands.click(window.pages["release"].records.start_button)
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]
    stated = re.search(
        rf"One answer per respondent at the budget of 4 would make (\d+) of these {kept} useful",
        " ".join(said),
    )
    assert stated is not None, said
    # The remedy keeps its word.
    window.go_to("plan")
    cards = choose_purpose(window, hands, "Shares and means only")
    assert cards["smp"][1].endswith(f"{stated[1]} of {kept} attributes useful")
    pane = window.pages["plan"].records
    verdicts = read_out(pane.table)
    assert sum("useful" in one for one in verdicts) == int(stated[1])
    # Who drops the others as well has nothing left to know.
    for place in [i for i, one in enumerate(verdicts) if "coarse" in one or "useless" in one]:
        hands.click_at(pane.table, pane.table.model().index(place, 0))
        hands.pick(pane.panel.assignment, "Dropped")
    assert document.worth == "useful"
    go_to_release(window, hands, tmp_path)
    assert before.checks.verdict.sentence() == "Ready to release, and useful"
    folder = sanitize(window, hands)
    found = estimates_of(folder)
    assert {name for name, _ in found} == {c.name for c in document.plan.protected}
    for (name, what), one in found.items():
        if what == "mean":
            truth = sum(map(int, rows[name])) / len(rows[name])
        else:
            truth = rows[name].count(what) / len(rows[name])
        assert abs(one.value - truth) < FAR * one.error, (name, what)
    html = (folder / "report.html").read_text("utf-8")
    # A printed page holds about 450 words of it.
    assert len(re.sub(r"<(style|svg).*?</\1>|<[^>]+>", " ", html, flags=re.DOTALL).split()) < 9_000
