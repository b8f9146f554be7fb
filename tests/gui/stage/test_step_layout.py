from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QFont, QImage, QPainter

from dpdesk.demonstrations.picture import Bar, Curves, People
from dpdesk.gui.stage.curves import CurvesDrawing
from dpdesk.gui.stage.drawings import BarsDrawing, PeopleDrawing, between
from dpdesk.gui.stage.look import CAPTION, DRAWN_HEIGHT, Look, Words
from dpdesk.gui.stage.step_layout import StepLayout, StepTexts, lay_out_step
from dpdesk.gui.theme import load_theme
from tests.gui.stage.made_pictures import BARS, CURVES, PAIRS, TABLE, people, texts

LIGHT = load_theme("light")
SIZES = ((1024, 700), (1360, 850), (1920, 1080))


def laid(step: StepTexts, size: tuple[int, int] = (1360, 850), percent: int = 100) -> StepLayout:
    return lay_out_step(step, 8, QSizeF(*size), percent, theme=LIGHT, font=QFont())


def look(space: float = 1.0) -> Look:
    return Look(LIGHT, QFont(), space, space)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("percent", [80, 100, 200])
def test_that_all_words_are_whole_and_apart_at_every_size(size, percent) -> None:
    for pictures in PAIRS:
        found = laid(texts(pictures), size, percent)
        assert found.is_whole
        window = QRectF(0, 0, *size)
        rects = [placed.rect() for placed in found.texts] + [chip.rect for chip in found.chips]
        assert all(window.contains(rect) for rect in rects)
        assert not any(a.intersects(b) for a, b in combinations(rects, 2))
        assert len(found.drawings) == len(pictures)
        room = found.pictures.adjusted(-1, -1, 1, 1)
        assert all(room.contains(drawing.rect) for drawing in found.drawings)


def test_that_larger_letters_are_larger_until_they_no_longer_fit() -> None:
    sizes = [laid(texts(PAIRS[0]), percent=percent).look.letters for percent in (80, 100, 125)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]
    # A caption has at least 1/36 of the height: the last row reads it.
    assert laid(texts(PAIRS[0])).look.letters * CAPTION >= 850 / 36
    assert DRAWN_HEIGHT / CAPTION <= 36


def test_that_one_picture_stands_alone_in_a_narrow_window_and_the_other_follows() -> None:
    step = texts((TABLE, BARS))
    narrow = QSizeF(700, 900)
    shown = [
        lay_out_step(step, 8, narrow, 100, theme=LIGHT, font=QFont(), first=first).drawings
        for first in (0, 1)
    ]
    assert [[drawing.picture for drawing in one] for one in shown] == [[TABLE], [BARS]]


def test_that_choices_without_room_leave_the_one_in_force() -> None:
    many = tuple(f"a rather long choice of number {n}" for n in range(12))
    chips = laid(replace(texts(PAIRS[1]), choices=many, choice=3), (1024, 700)).chips
    assert len(chips) == 1
    assert many[3] in chips[0].text
    assert "4/12" in chips[0].text


def test_that_names_of_curves_stand_over_no_other_name_and_no_line() -> None:
    drawing = CurvesDrawing(CURVES, QRectF(0, 0, 700, 400), look())
    names = drawing.names()
    assert {text for text, _ in names} == {"truth 15 %", "now: 360 people", "before: 40 people"}
    assert not any(a.intersects(b) for (_, a), (_, b) in combinations(names, 2))


def test_that_an_area_hides_no_line_and_a_hidden_ghost_has_no_name() -> None:
    now, before = CURVES.curves
    inside = replace(before, role="other", name="inside")
    ghost = replace(now, role="before", name="the same before")
    picture = replace(CURVES, curves=(inside, now, ghost), marks=())
    drawing = CurvesDrawing(picture, QRectF(0, 0, 700, 400), look())
    assert {text for text, _ in drawing.names()} == {"inside", now.name}
    image = QImage(700, 400, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    drawing.paint(painter, picture)
    painter.end()
    # Over the middle the line of the other lies in the area, and is seen.
    column = {image.pixelColor(200, y).name() for y in range(400)}
    assert look().colour("other", 0).name() in column


def test_that_every_person_has_a_place() -> None:
    for count in (1, 7, 40, 360, 5000):
        drawing = PeopleDrawing(people(count), QRectF(10, 10, 500, 380), look())
        assert QRectF(10, 10, 500.1, 380.1).contains(drawing.used())


def test_that_a_change_begins_at_the_old_state_and_ends_at_the_new() -> None:
    old, new = people(40, 2), people(360, 3)
    assert between(old, new, 1.0) == new
    start, half = between(old, new, 0.0), between(old, new, 0.5)
    assert isinstance(start, People)
    assert isinstance(half, People)
    assert start.answers == old.answers
    assert half.answers == new.answers[:180]
    wide = replace(CURVES, curves=(CURVES.curves[1], CURVES.curves[0]))
    moved = between(wide, CURVES, 0.0)
    assert isinstance(moved, Curves)
    assert [curve.y for curve in moved.curves] == [curve.y for curve in CURVES.curves]
    grown = replace(BARS, bars=tuple(replace(bar, value=0.0) for bar in BARS.bars))
    assert [bar.value for bar in between(grown, BARS, 0.5).bars] == [
        bar.value / 2 for bar in BARS.bars
    ]
    # Another kind of picture has no way in between.
    assert between(TABLE, BARS, 0.3) == BARS


def test_that_numbers_are_bold_and_words_are_not() -> None:
    words = Words("Of 1,000 people 15 % said yes in the 1970s.", look(), 20, 900)
    bold = [
        words.text[r.start : r.start + r.length]
        for r in words._layout.formats()
        if r.format.fontWeight() == QFont.Weight.Bold
    ]
    assert bold == ["1,000", "15 %"]
    assert Words("a " * 400, look(), 20, 300).lines > 5


def test_that_no_line_ends_between_a_number_and_its_sign_or_unit() -> None:
    text = "At ε = 0.5 it is 73.1 % of all, give or take ± 1.97 points, which is ± 2 pp."
    for width in range(160, 500, 3):
        words = Words(text, look(), CAPTION, width)
        ends = {line.strip().rpartition(" ")[2] for line in words.line_texts()[:-1]}
        starts = {line.strip().partition(" ")[0] for line in words.line_texts()[1:]}
        assert not ends & {"±", "ε", "=", "73.1", "2"}, (width, words.line_texts())
        assert not starts & {"%", "=", "pp."}, (width, words.line_texts())


def test_that_the_number_of_a_short_interval_stands_clear_of_its_dot() -> None:
    bar = Bar("count", 2.0, "2", lower=2.0, upper=2.0)
    wide = replace(bar, upper=3.0)
    picture = replace(BARS, bars=(bar, wide))
    drawing = BarsDrawing(picture, QRectF(0, 0, 700, 400), look())
    image = QImage(700, 400, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    ends = [drawing._paint_bar(painter, one, 100.0, look().colour("now")) for one in picture.bars]
    painter.end()
    assert ends[0] >= drawing._x(2.0) + 8
    assert ends[1] == drawing._x(3.0)
