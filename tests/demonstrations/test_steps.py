"""Every demonstration is played to its end, and every number that its texts state is checked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dpdesk.demonstrations import Demonstration, Scene, Step, Tallies, demonstrations
from dpdesk.demonstrations.picture import Bars, Curves, People, Picture, Table
from dpdesk.demonstrations.stated import Stated, agrees, literals

ALL = demonstrations()
ROOM = Tallies(yes=11, asked=24)


@pytest.fixture(params=ALL, ids=lambda one: one.key)
def played(request) -> Demonstration:
    request.param.prepare()
    return request.param


def scenes(step: Step) -> Iterator[tuple[int, Scene]]:
    """Every state of a step, in the order in which a presenter may see it, with its ghost."""
    before = None
    for choice in range(max(len(step.choices), 1)):
        yield choice, step.scene(choice=choice)
        if step.takes_tallies:
            yield choice, step.scene(choice=choice, tallies=ROOM)
        if before is not None:
            yield choice, step.scene(choice=choice, before=before)
        before = choice


def check_stated(stated: Stated, choice: int, numbers: dict[str, float]) -> None:
    if stated.choice in (None, choice):
        value = numbers[stated.number]
        assert agrees(stated.text, value), f"{stated.text} is {stated.number} = {value}"


def check_picture(picture: Picture) -> None:
    assert picture.caption.strip().endswith((".", "?"))
    match picture:
        case People():
            assert picture.answers
            assert all(0 <= place < len(picture.answers) for place in picture.circled)
        case Curves():
            assert picture.x.least < picture.x.largest
            for curve in picture.curves:
                assert len(curve.x) == len(curve.y) > 1
        case Bars():
            assert picture.bars
            for bar in picture.bars:
                assert bar.text
                assert (bar.lower is None) == (bar.upper is None)
        case Table():
            assert picture.rows
            assert {len(row) for row in picture.rows} == {len(picture.head)}
            assert all(
                row < len(picture.rows) and column < len(picture.head)
                for row, column in picture.marked
            )


def test_that_every_literal_of_every_step_is_the_scene_s(played: Demonstration) -> None:
    for step in played.steps:
        for choice, scene in scenes(step):
            assert "nan" not in scene.sentence
            for stated in step.stated:
                check_stated(stated, choice, dict(scene.numbers))
            assert 1 <= len(scene.pictures) <= 2
            for picture in scene.pictures:
                check_picture(picture)


def test_that_the_exercise_s_answer_is_computed(played: Demonstration) -> None:
    numbers = dict(played.exercise.scene().numbers)
    for stated in played.exercise.stated:
        check_stated(stated, 0, numbers)


def axes(scene: Scene) -> list[object]:
    found: list[object] = []
    for picture in scene.pictures:
        match picture:
            case Curves():
                found += [picture.x, picture.y]
            case Bars():
                found.append(picture.axis)
    return found


def test_that_axes_stay_while_the_presenter_moves(played: Demonstration) -> None:
    for step in played.steps:
        first, *others = [axes(scene) for _, scene in scenes(step)]
        assert all(other == first for other in others), step.title


def test_that_steps_have_something_to_say(played: Demonstration) -> None:
    assert 6 <= len(played.steps) <= 10
    for step in played.steps:
        assert len(step.title) <= 60
        assert not step.title.endswith(",")
        for text in (step.sentence, step.todo, step.notes):
            assert text.strip().endswith((".", "?")), text


def test_that_a_literal_is_found_in_digits_and_in_words() -> None:
    assert list(literals("A thousand of 1,476 say {yes} % in half of 3.5")) == [
        "thousand",
        "1,476",
        "half",
        "3.5",
    ]
    assert not list(literals("One is a word, and someone is another; {people} are filled in."))


@pytest.mark.parametrize(
    ("literal", "value", "right"),
    [
        ("thousand", 1000.0, True),
        ("thousand", 999.0, False),
        ("half", 50.0, True),
        ("half", 0.5, True),
        ("half", 49.9, False),
        ("3.5", 3.549, True),
        ("3.5", 3.56, False),
        ("1,476", 1476.0, True),
        ("1/6", 100 / 6, True),
        ("−2", -2.2, True),
    ],
)
def test_that_a_literal_agrees_with_what_it_rounds(literal, value, right) -> None:
    assert agrees(literal, value) is right
