"""Workshops as they are held: every step of every demonstration, by keys alone."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSizeF, Qt
from PySide6.QtGui import QFont
from pytestqt.qtbot import QtBot

from dpdesk.demonstrations import Tallies, demonstrations
from dpdesk.demonstrations.scenes import surveys
from dpdesk.demonstrations.scenes.surveys import Survey
from dpdesk.gui.stage.curves import CurvesDrawing, _crosses
from dpdesk.gui.stage.stage import Stage
from dpdesk.gui.stage.step_layout import StepTexts, lay_out_step
from dpdesk.gui.theme import load_theme

KEYS = [demonstration.key for demonstration in demonstrations()]
WIDE, SMALL = QSizeF(1920, 1080), (1024, 700)
SMALLEST_LETTERS = 0.8
"""How much smaller than asked for letters may be made so that a step is whole."""


def names_are_free(drawing: CurvesDrawing) -> None:
    """No name stands on another or has a line through it."""
    names, picture = drawing.names(), drawing.picture
    assert not any(a.intersects(b) for (_, a), (_, b) in combinations(names, 2)), names
    top = drawing._height_of(picture)
    for curve in picture.curves:
        points = drawing._points(curve, top)
        line = np.array([p.x() for p in points]), np.array([p.y() for p in points])
        assert [text for text, rect in names if _crosses(line, rect)] == []
    for x in (drawing._x(mark.x) for mark in picture.marks):
        assert [text for text, rect in names if rect.left() < x < rect.right()] == []


def looked_at(stage: Stage) -> None:
    """What somebody in the last row sees is whole and large enough, at both sizes."""
    view = stage.view
    texts, layout = view.texts(), view.step_layout()
    assert texts.pictures, texts.sentence
    assert texts.sentence
    for size in (layout, *(lay_out_step(
        texts, len(stage.demonstration.steps), window, percent, theme=load_theme("dark"),
        font=QFont(), field=QSizeF(900, 60) if not layout.field.isEmpty() else None,
    ) for window, percent in ((WIDE, 100), (QSizeF(*SMALL), 200)))):  # fmt: skip
        assert size.is_whole, texts.title
        assert size.look.letters >= SMALLEST_LETTERS * size.look.space, texts.title
        assert len(size.drawings) == len(texts.pictures)
        for drawing in size.drawings:
            if isinstance(drawing, CurvesDrawing):
                names_are_free(drawing)


@pytest.mark.parametrize("key", KEYS)
def test_that_a_workshop_is_held_by_keys_without_an_error(qtbot: QtBot, key: str) -> None:
    demonstration = next(one for one in demonstrations() if one.key == key)
    stage = Stage(demonstration, where=lambda: QPoint(-9, -9))
    qtbot.addWidget(stage)
    stage.resize(*SMALL)
    stage.show()
    qtbot.waitUntil(lambda: not stage.watch.is_running)
    for number, step in enumerate(demonstration.steps):
        assert stage.step() == number
        assert stage.view.texts().title == step.title
        looked_at(stage)
        if step.takes_tallies:
            # A clicker goes on until the presenter types; then the numbers are typed anew.
            assert stage.view.hasFocus()
            qtbot.keyClick(stage.view, "9")
            assert stage.field.yes.hasFocus()
            qtbot.keyClick(stage.field.yes, Qt.Key.Key_Tab)
            assert stage.field.asked.hasFocus()
            stage.field.asked.selectAll()
            qtbot.keyClicks(stage.field.asked, "25")
            assert stage.field.tallies() == Tallies(9, 25)
            looked_at(stage)
            qtbot.keyClick(stage.field.asked, Qt.Key.Key_Escape)
        if step.draws_again:
            qtbot.keyClick(stage.view, Qt.Key.Key_Space)
            looked_at(stage)
        for choice in range(1, len(step.choices)):
            qtbot.keyClick(stage.view, Qt.Key.Key_Down)
            assert stage.choice() == choice
        if len(step.choices) > 1:
            looked_at(stage)
        stage.view.stand_still()
        # What is painted shows the pictures: no error while painting, and not an empty ground.
        image = stage.grab().toImage()
        area = stage.view.step_layout().pictures.toAlignedRect()
        colours = {
            image.pixel(x, y)
            for x in range(area.left(), area.right(), 7)
            for y in range(area.top(), area.bottom(), 7)
        }
        assert len(colours) > 2
        qtbot.keyClick(stage.view, Qt.Key.Key_PageDown)
    qtbot.keyClick(stage.view, Qt.Key.Key_Escape)
    assert not stage.isVisible()


@pytest.mark.parametrize(("key", "number"), [("two-coins", 4), ("more-people", 1)])
def test_that_names_are_free_whatever_a_survey_finds(
    monkeypatch: pytest.MonkeyPatch, key: str, number: int
) -> None:
    demonstration = next(one for one in demonstrations() if one.key == key)
    step = demonstration.steps[number - 1]
    survey = step.states[0]
    assert isinstance(survey, Survey)
    # Three standard errors to both sides of 40 % who say yes.
    error = sqrt(survey.people * 0.4 * 0.6)
    for found in range(round(survey.people * 0.4 - 3 * error), round(survey.people * 0.4) + 30, 2):
        monkeypatch.setattr(surveys, "happens", lambda _, count, yes=found: np.arange(count) < yes)
        scene = step.scene()
        assert scene.numbers["yes"] == found
        texts = StepTexts(key, step.title, step.todo, scene.sentence, key, key, scene.pictures)
        for size in (WIDE, QSizeF(*SMALL)):
            found_layout = lay_out_step(
                texts, len(demonstration.steps), size, 100, theme=load_theme("dark"), font=QFont()
            )
            for drawing in found_layout.drawings:
                if isinstance(drawing, CurvesDrawing):
                    names_are_free(drawing)


def test_that_two_demonstrations_fill_a_workshop_of_twenty_minutes() -> None:
    assert sum(sorted(demonstration.minutes for demonstration in demonstrations())[:2]) >= 20
