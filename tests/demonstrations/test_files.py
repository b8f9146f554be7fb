"""Files of demonstrations: how they are read, refused, and printed."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

import pytest

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.demonstrations import Inputs, Tallies, demonstration, read_demonstration
from dpdesk.demonstrations.handout import handout_html
from dpdesk.demonstrations.reader import demonstration_schema
from dpdesk.demonstrations.texts import T
from dpdesk.errors import DpdeskError, InputError, ParameterError
from dpdesk.reports.pdf import pdf_of_page
from dpdesk.resources import resource
from tests.refusals import refused

FILE = """
title = "A story"
summary = "What it says."
minutes = 5
question = "Did you?"
takes_question = true

[exercise]
task = "Say it again."
answer = "It is {epsilon}."
scene = "odds"
settings = { epsilon = 1.0, prior = 0.1 }

[[steps]]
title = "The first step"
sentence = "“{question}” A belief of {prior} % becomes {raised} %."
todo = "Press Down."
notes = "Nothing else."
scene = "odds"
settings = { epsilon = 1.0, prior = 0.1 }
choices = { setting = "epsilon", values = [1.0, 2.0], name = "ε = {}" }
"""


@pytest.fixture
def written(tmp_path: Path):
    def write(*changes: tuple[str, str]) -> Path:
        text = FILE
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / f"07-story-{abs(hash(changes))}.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_that_a_file_is_a_demonstration(written) -> None:
    found = read_demonstration(written(), Inputs(question="Did you ever?"))
    assert found.key.startswith("story")
    (step,) = found.steps
    assert step.choices == ("ε = 1.0", "ε = 2.0")
    assert step.scene(choice=1).sentence == "“Did you ever?” A belief of 10 % becomes 45.1 %."
    assert found.exercise.scene().sentence == "It is 1."


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("{raised}", "{risen}"), "step 1: sentence: the scene odds has no risen"),
        (("Nothing else", "Half of it"), "step 1: notes: the number Half is not declared"),
        (("becomes {raised}", "becomes 25"), "step 1: sentence: the number 25 is not declared"),
        (('scene = "odds"', 'scene = "oddity"'), "There is no kind of scene oddity"),
        (("prior = 0.1 }", "prior = 1.5 }"), "settings: prior: Input should be less than 1"),
        (("prior = 0.1 }", "pior = 0.1 }"), "pior: Extra inputs are not permitted"),
        (("minutes = 5", "minutes = 500"), "minutes: Input should be less than or equal to 60"),
        (("{raised} %", "{raised %"), "sentence: the scene odds has no {"),
        (('name = "ε = {}"', 'names = ["one"]'), "there must be as many names as values"),
        (("{prior}", "{prior:.1f}"), "step 1: sentence: the braces of prior hold :.1f"),
        (("{prior}", "{prior:d}"), "step 1: sentence: the braces of prior hold :d"),
        (("{raised}", "{raised!x}"), "step 1: sentence: the braces of raised hold !x"),
        (("{raised}", "{raised.real}"), "has no raised.real"),
        (
            ("takes_question = true", "takes_question = true\nsettings = { share = 0.5 }"),
            str(T.NO_SETTING(name="share")),
        ),
        (("{raised}", "{}"), "step 1: sentence: the scene odds has no "),
        (
            ("0.1 }\n\n[[", '0.1 }\nchoices = { setting = "prior", values = [0.1, 0.2] }\n\n[['),
            "exercise: An exercise shows one state",
        ),
        (("0.1 }\n\n[[", "0.1 }\nghost = { prior = 0.2 }\n\n[["), "exercise: An exercise shows"),
        (("title = ", "title "), "07-story"),
        (('todo = "Press Down."\n', ""), "step 1, todo: Field required"),
    ],
)
def test_that_what_is_wrong_is_named_with_its_place(written, change, told: str) -> None:
    with pytest.raises(InputError) as refused:
        read_demonstration(written(change))
    assert told in refused.value.message
    assert refused.value.remedy


def test_that_settings_of_the_file_are_those_of_its_scenes(written) -> None:
    own = "settings = { epsilon = 1.0, prior = 0.1 }\nchoices"
    path = written(
        ("takes_question = true", "takes_question = true\nsettings = { prior = 0.5 }"),
        (own, "settings = { epsilon = 1.0 }\nchoices"),
    )
    found = read_demonstration(path)
    assert found.steps[0].scene().numbers["prior"] == 50
    assert found.exercise.scene().numbers["prior"] == 10


def test_that_a_stated_number_is_one_of_the_scene(written) -> None:
    stated = '\nstated = [{ text = "Half", number = "belief" }]\n'
    path = written(("Nothing else.", "Half."), ('ε = {}" }\n', f'ε = {{}}" }}{stated}'))
    with pytest.raises(InputError, match=str(T.NO_NUMBER(scene="odds", name="belief"))):
        read_demonstration(path)


def test_that_a_demonstration_takes_no_more_than_it_says() -> None:
    with pytest.raises(ParameterError, match="There is no demonstration three-coins"):
        demonstration("three-coins")
    with refused("demonstrations.no-file"):
        demonstration("two-coins", Inputs(table=table_from_texts({"q": ["a", "b"]})))
    with refused("demonstrations.no-question"):
        demonstration("names-are-not-enough", Inputs(question="Did you?"))


@pytest.mark.parametrize(
    ("yes", "asked", "reason"),
    [(5, 1, "few-asked"), (0, 0, "few-asked"), (25, 24, "more-yes"), (-1, 24, "negative-yes")],
)
def test_that_impossible_tallies_are_refused(yes: int, asked: int, reason: str) -> None:
    step = next(step for step in demonstration("the-room-answers").steps if step.takes_tallies)
    with refused(f"demonstrations.{reason}"):
        step.scene(tallies=Tallies(yes, asked))


@pytest.fixture(scope="module")
def people() -> SurveyTable:
    """Forty people whose answers are words that no demonstration knows."""
    columns = {
        "town": [f"zq{place % 3}town" for place in range(40)],
        "job": [f"zq{place % 4}job" for place in range(40)],
        "ill": ["zqyes" if place % 5 else "zqno" for place in range(40)],
    }
    return table_from_texts(columns)


@pytest.mark.parametrize(
    ("key", "columns"),
    [
        ("which-mechanism", ("job",)),
        ("names-are-not-enough", ("ill", "town", "job")),
        ("learning-from-noise", ("ill", "town", "job")),
    ],
)
def test_that_own_records_are_counted_and_not_shown(people: SurveyTable, key: str, columns) -> None:
    found = demonstration(key, Inputs(table=people, columns=columns))
    found.prepare()
    told = handout_html(found)
    # Every answer of the file begins so.
    assert "zq" not in told
    assert ("job" in told) or key == "which-mechanism"


def test_that_own_answers_are_counted(people: SurveyTable) -> None:
    found = demonstration("which-mechanism", Inputs(table=people, columns=("job",)))
    numbers = [step.scene().numbers for step in found.steps]
    assert 4 in {one.get("answers") for one in numbers}


@pytest.fixture(scope="module")
def quiet() -> SurveyTable:
    """Records of which every other has no answer to ill, and jobs of thirty kinds."""
    columns = {
        "town": [f"t{place % 3}" for place in range(240)],
        "job": [f"j{place % 30:02d}" for place in range(240)],
        "ill": [("yes", "", "no", "", "yes", "")[place % 6] for place in range(240)],
    }
    return table_from_texts(columns)


def test_that_a_missing_answer_is_no_answer(quiet: SurveyTable) -> None:
    steps = demonstration("which-mechanism", Inputs(table=quiet, columns=("ill",))).steps
    assert {
        step.scene().numbers["answers"] for step in steps if "epsilon decides" in step.title.lower()
    } == {2}
    found = demonstration(
        "names-are-not-enough", Inputs(table=quiet, columns=("ill", "town", "job"))
    )
    *_, follow, protected = found.steps
    # 80 of the 120 who answered said yes; a group of silent people tells no answer.
    assert protected.scene().numbers["guess"] == pytest.approx(100 * 80 / 120)
    assert follow.scene().numbers["certain"] == 120
    assert follow.scene().numbers["guess"] == pytest.approx(100 * 80 / 120)
    model = demonstration(
        "learning-from-noise", Inputs(table=quiet, columns=("ill", "town", "job"))
    )
    model.prepare()
    shown = model.steps[0].scene().numbers
    assert shown["people"] + shown["tested"] == 120
    assert 50 <= shown["guess"] <= 85


def test_that_a_model_of_many_answers_is_measured(quiet: SurveyTable) -> None:
    found = demonstration(
        "learning-from-noise", Inputs(table=quiet, columns=("job", "town", "ill"))
    )
    found.prepare()
    for step in found.steps:
        for choice in range(max(len(step.choices), 1)):
            scene = step.scene(choice=choice)
            assert scene.numbers["corrected"] > 0 or "accuracy" not in scene.sentence
            for picture in scene.pictures:
                assert all(min(curve.y) >= picture.y.least for curve in picture.curves)


def test_that_choices_beyond_own_data_are_none(quiet: SurveyTable) -> None:
    columns = ("ill", "town", "job")
    steps = demonstration("names-are-not-enough", Inputs(table=quiet, columns=columns)).steps
    known = [step for step in steps if "known" in step.scene().numbers]
    assert known
    assert all(step.choices == () for step in known)
    assert {step.scene().numbers["known"] for step in known} == {2}
    few = next(
        step
        for step in demonstration("which-mechanism", Inputs(table=quiet, columns=("job",))).steps
        if step.title.startswith("The simple way")
    )
    told = [few.scene(choice=place).numbers["answers"] for place in range(len(few.choices))]
    assert [f"{int(answers)} answers" for answers in told] == list(few.choices)


def test_that_other_records_give_another_picture() -> None:
    for answers in (3, 5):
        own = table_from_texts({"q": [f"a{place % answers}" for place in range(20 + answers)]})
        found = demonstration("which-mechanism", Inputs(table=own, columns=("q",)))
        assert found.exercise.scene().numbers["answers"] == answers


def test_that_a_missing_column_is_refused(people: SurveyTable) -> None:
    found = demonstration("names-are-not-enough", Inputs(table=people, columns=("ill", "age")))
    with pytest.raises(DpdeskError):
        found.prepare()


def test_that_outsiders_know_two_columns_at_least(people: SurveyTable) -> None:
    found = demonstration("names-are-not-enough", Inputs(table=people, columns=("ill", "job")))
    with refused("demonstrations.few-columns"):
        found.prepare()


@pytest.mark.parametrize("paper", [False, True])
def test_that_a_handout_has_every_step_and_its_picture(paper: bool) -> None:
    found = demonstration("epsilon-as-odds")
    page = handout_html(found, paper=paper)
    for step in found.steps:
        assert f". {step.title}</h2>" in page
        assert step.scene(choice=len(step.choices) - 1).sentence in page
    assert page.count("<img" if paper else "<svg") == len(found.steps)
    # What the presenter says, and the answer, stand behind the pages that are handed out.
    handed, kept = page.split("<h1>For the presenter</h1>")
    assert "page-break-before: always" in handed[-80:]
    for told in (*(step.notes for step in found.steps), found.exercise.scene().sentence):
        assert escape(told, quote=False) not in handed
        assert told.split("'")[0] in kept
    assert found.exercise.task in handed


def test_that_a_handout_shows_what_its_titles_say() -> None:
    page = handout_html(demonstration("two-coins"))
    step = page[page.index("What a yes shows") :]
    assert "56.2 %" in step[: step.index("the truth ordered for 90 %")]
    assert "∞" not in page
    # The rule of a device is read whole.
    assert "…" not in page


@pytest.mark.printed
def test_that_a_handout_is_set_on_paper() -> None:
    assert pdf_of_page(handout_html(demonstration("the-room-answers"))).startswith(b"%PDF")


def test_that_the_schema_is_that_of_the_files() -> None:
    text = resource("schema/demonstration.schema.json").read_text(encoding="utf-8")
    assert json.loads(text) == json.loads(json.dumps(demonstration_schema()))


def test_that_a_corrected_file_is_read_again(written) -> None:
    path = written(("minutes = 5", "minutes = "))
    with pytest.raises(InputError):
        read_demonstration(path)
    path.write_text(FILE.replace("A story", "A corrected story"), encoding="utf-8")
    assert read_demonstration(path).title == "A corrected story"


def test_that_few_people_are_counted_in_the_singular_and_nothing_is_said_twice() -> None:
    few = table_from_texts({"a": ["x", "y", "x"], "b": ["1", "2", "3"], "c": ["p", "q", "r"]})
    found = demonstration("names-are-not-enough", Inputs(table=few, columns=("a", "b", "c")))
    listed = found.steps[2].scene()
    assert listed.sentence.startswith("A list of 1 person, with 2 columns in common")
    assert " 1 people" not in handout_html(found)
    # Below the same pictures as before, the caption is not printed again.
    assert handout_html(found).count(">A list of 1 person, a dot for each") == 1
    page = handout_html(demonstration("which-mechanism"))
    assert "100,000 respondents: ±" in page
    assert "respondents: 100,000 respondents" not in page
    room = demonstration("the-room-answers").steps[-1]
    assert room.scene(tallies=Tallies(1, 20)).sentence.startswith("1 person said yes")
