from __future__ import annotations

import csv
from fractions import Fraction
from itertools import combinations
from math import log, log10
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QTransform
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.designs.warner import Mangat, WarnerDesign
from dpdesk.gui.pages.simulate import SimulatePage


@pytest.fixture
def surface(page: SimulatePage) -> SimulatePage:
    """The page with the margins by n and epsilon."""
    page.pane.tabs.tabs.setCurrentIndex(1)
    page.pane.flush()
    return page


def choose_file(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def test_that_the_cross_hair_begins_at_the_design(surface: SimulatePage) -> None:
    epsilon, people = surface.pane.errors.plot.cross_hair()
    assert epsilon == pytest.approx(log(3))
    assert people == pytest.approx(3586)
    assert surface.pane.errors.reading.full_text() == "ε = 1.099, n = 3,586: ± 3.0 pp"


def test_that_the_word_before_covers_neither_a_label_nor_the_dot(surface: SimulatePage) -> None:
    plot = surface.pane.errors.plot
    surface.pane.change(respondents=2000)
    surface.pane.flush()
    scale, word = QTransform.fromScale(237, -82), plot._past_word
    assert word.text() == "before"
    labels = [label.place(scale) for label in plot._labels if label.isVisible()]
    # Above its point, where it stood, it covers the label of 3 points.
    above = word.place(scale)
    above.moveCenter(scale.map(QPointF(log10(log(3)), log10(3586))))
    above.translate(0, -0.8 * above.height())
    assert any(above.intersects(label) for label in labels)
    place = word.place(scale)
    assert not any(place.intersects(label) for label in labels)
    assert not place.contains(scale.map(QPointF(*plot._home)))


def test_that_arrows_move_the_cross_hair_and_enter_takes_it(
    surface: SimulatePage, qtbot: QtBot
) -> None:
    plot = surface.pane.errors.plot
    qtbot.keyClick(plot, Qt.Key.Key_Up)
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    epsilon, people = plot.cross_hair()
    assert people == pytest.approx(3586 * 10 ** (4 / 40))
    assert log10(epsilon) == pytest.approx(log10(log(3)) + log10(80) / 40)
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    surface.pane.flush()
    assert surface.scenario().respondents == round(people)
    assert surface.scenario().epsilon == pytest.approx(epsilon, abs=1e-4)


def test_that_escape_brings_the_cross_hair_back(surface: SimulatePage, qtbot: QtBot) -> None:
    plot = surface.pane.errors.plot
    before = surface.scenario()
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert plot.cross_hair()[0] < 0.99 * log(3)
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert plot.cross_hair() == pytest.approx((log(3), 3586))
    surface.pane.flush()
    assert surface.scenario() == before


def test_that_a_click_takes_the_point_under_the_pointer(
    surface: SimulatePage, qtbot: QtBot
) -> None:
    plot = surface.pane.errors.plot
    box = plot.getPlotItem().getViewBox()
    from PySide6.QtCore import QPointF

    place = plot.mapFromScene(box.mapViewToScene(QPointF(0.0, 4.0)))
    qtbot.mouseMove(plot.viewport(), place)
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    surface.pane.flush()
    assert surface.scenario().epsilon == pytest.approx(1.0, rel=0.02)
    assert surface.scenario().respondents == pytest.approx(10_000, rel=0.03)


def test_that_a_design_with_its_own_parameters_keeps_them(surface: SimulatePage) -> None:
    surface.set_scenario(surface.scenario().changed(design=Mangat(p=Fraction(3, 4))))
    surface.pane.errors.pointTaken.emit(2.0, 500.0)
    surface.pane.flush()
    assert surface.scenario().design == Mangat(p=Fraction(3, 4))
    assert surface.scenario().respondents == 500


def test_that_people_beyond_the_range_widen_it(surface: SimulatePage) -> None:
    surface.set_scenario(surface.scenario().changed(respondents=10**9))
    surface.pane.flush()
    assert surface.pane.errors.plot.cross_hair()[1] == pytest.approx(1e9)
    rows = surface.pane.errors.plot.table_data().rows
    assert (rows[0][0], rows[-1][0]) == ("100", "1,000,000,000")


def test_that_results_are_marked_and_complete(
    page: SimulatePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.set_scenario(page.scenario().changed(question="=1+1", rivals=("unrelated",)))
    choose_file(monkeypatch, tmp_path / "results")
    page.save_results()
    with (tmp_path / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["design"] for row in rows] == ["warner", "unrelated"]
    assert {row["source"] for row in rows} == {"simulation"}
    assert {row["seed"] for row in rows} == {"1"}
    assert {row["question"] for row in rows} == {"'=1+1"}
    scenario = page.scenario()
    assert {int(row["respondents"]) for row in rows} == {scenario.respondents}
    for row in rows:
        assert None not in row
        assert float(row["epsilon"]) == pytest.approx(log(3), abs=1e-4)
        assert float(row["error_95"]) > 0
    assert float(rows[0]["error_95"]) == pytest.approx(0.029997329353999146)
    assert rows[0]["parameters"] == "p=3/4"
    assert "results.csv" in page.notice.message()


def test_that_a_picture_can_be_had_as_lines_and_as_points(
    page: SimulatePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.set_scenario(page.scenario().changed(question="Have you <ever>?"))
    for name in ("picture.svg", "picture.png"):
        choose_file(monkeypatch, tmp_path / name)
        page.save_picture()
        assert name in page.notice.message()
    text = (tmp_path / "picture.svg").read_text(encoding="utf-8")
    assert "Have you &lt;ever&gt;?" in text
    assert "Simulation (seed 1)" in text
    assert "<image" not in text
    assert QSvgRenderer(str(tmp_path / "picture.svg")).isValid()
    image = QImage(str(tmp_path / "picture.png"))
    assert image.width() > 2 * page.pane.estimator.width()
    line = [image.pixel(image.width() // 2, y) for y in range(image.height())]
    assert len(set(line)) > 2


def test_that_a_saved_picture_shows_no_control_and_no_labels_that_touch(
    surface: SimulatePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = surface.pane.errors
    choose_file(monkeypatch, tmp_path / "picture.svg")
    surface.save_picture()
    text = (tmp_path / "picture.svg").read_text(encoding="utf-8")
    assert "Simulation (seed 1)" in text
    # The choice of how it is drawn is a control, and stays on the page.
    assert errors.shown.currentText() not in text
    assert errors.shown.isVisibleTo(errors)
    shown = [label for label in errors.plot._labels if label.isVisible()]
    metrics, box = QFontMetricsF(QApplication.font()), errors.plot.getPlotItem().getViewBox()
    areas = []
    for label in shown:
        area = QRectF(0, 0, metrics.horizontalAdvance(label.text()) + 8, metrics.height() + 8)
        area.moveCenter(box.mapViewToScene(label._at))
        areas.append(area)
    assert len(areas) > 5
    assert not [(a, b) for a, b in combinations(areas, 2) if a.intersects(b)]


@pytest.mark.parametrize("name", ["save_results", "save_picture"])
def test_that_a_file_that_cannot_be_written_is_told(
    page: SimulatePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    ending = "csv" if name == "save_results" else "png"
    choose_file(monkeypatch, tmp_path / "missing" / f"file.{ending}")
    getattr(page, name)()
    assert "cannot be written" in page.notice.message()
    assert not page.notice.isHidden()
    assert not list(tmp_path.iterdir())


def test_that_leaving_the_question_saves_nothing(
    page: SimulatePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: asked.append(1) or ("", ""))
    page.save_results()
    page.save_picture()
    assert len(asked) == 2
    assert page.notice.isHidden()
    assert not list(tmp_path.iterdir())


def test_that_rivals_follow_the_epsilon_of_the_design(page: SimulatePage) -> None:
    scenario = page.scenario().changed(design=WarnerDesign(p=Fraction(5, 6)), rivals=("unrelated",))
    (rival,) = scenario.shown_rivals
    a, b = rival.groups[0].law[0][0], rival.groups[0].law[1][0]
    assert float(max(a / b, (1 - b) / (1 - a))) == pytest.approx(5, abs=1e-4)
    assert max(a / b, (1 - b) / (1 - a)) <= 5
