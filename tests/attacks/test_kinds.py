"""What every attack declares and gives."""

from __future__ import annotations

from dataclasses import asdict
from json import dumps

import pytest
from pydantic import TypeAdapter

from dpdesk.attacks import ATTACKS, Attack, Findings, Target, in_words
from dpdesk.data.table import table_from_texts
from dpdesk.errors import DpdeskError
from tests.refusals import refused

QUICK: dict[str, dict[str, object]] = {
    "sampled-attribute": {"variants": ("sue-z",), "epsilons": (4.0,)},
    "reconstruction": {"people": 30, "questions": 90},
    "membership": {"people": 20},
    "tracker": {"tried": 20},
}


def found_by(kind: type[Attack]) -> Findings:
    return kind.made(QUICK.get(kind.tag(), {})).run(kind.example())


@pytest.mark.parametrize("kind", ATTACKS, ids=[kind.tag() for kind in ATTACKS])
def test_that_every_attack_says_what_it_found_and_what_stops_it(kind: type[Attack]) -> None:
    found = found_by(kind)
    assert 0 <= found.baseline <= 1
    assert found.baseline <= found.success <= 1
    assert found.remedies
    for remedy in found.remedies:
        assert in_words(remedy.words)
        assert remedy.success is None or 0 <= remedy.success <= 1
    assert any(r.success is None or r.success < found.success for r in found.remedies)
    texts = [found.headline, found.subject, *found.sentences]
    texts += [found.picture.title, found.picture.x_title, found.picture.y_title]
    assert all("{" not in in_words(text) and in_words(text).strip() for text in texts)
    assert all(in_words(text).endswith(".") for text in found.sentences)
    dumps(asdict(found), allow_nan=False)


@pytest.mark.parametrize("kind", ATTACKS, ids=[kind.tag() for kind in ATTACKS])
def test_that_every_picture_has_a_value_at_every_position(kind: type[Attack]) -> None:
    picture = found_by(kind).picture
    assert picture.series
    assert all(len(series.y) == len(picture.x) for series in picture.series)
    assert len(picture.labels) in (0, len(picture.x))
    assert not picture.log_x or min(picture.x) > 0
    assert len({series.style for series in picture.series} - {"dashed"}) == 1


@pytest.mark.parametrize("kind", ATTACKS, ids=[kind.tag() for kind in ATTACKS])
def test_that_every_attack_can_be_repeated_exactly(kind: type[Attack]) -> None:
    assert asdict(found_by(kind)) == asdict(found_by(kind))


@pytest.mark.parametrize("kind", ATTACKS, ids=[kind.tag() for kind in ATTACKS])
def test_that_every_parameter_has_a_name_and_a_meaning(kind: type[Attack]) -> None:
    assert kind.title
    assert kind.question.endswith("?")
    assert kind.method.endswith((".", "trees."))
    assert kind.reference
    for name in kind.parameters():
        field = kind.model_fields[name]
        assert field.title, name
        assert field.description, name
        assert not field.is_required(), name
        TypeAdapter(field.annotation)


def test_that_the_words_of_attacks_differ() -> None:
    assert len({kind.tag() for kind in ATTACKS}) == len(ATTACKS) == 10
    assert sum(kind.is_tale for kind in ATTACKS) == 2


@pytest.mark.parametrize("kind", ATTACKS, ids=[kind.tag() for kind in ATTACKS])
def test_that_a_small_or_odd_file_gets_a_sentence_without_its_answers(kind: type[Attack]) -> None:
    for texts in (["hidden"], ["hidden", "hidden"], [""] * 60, [f"hidden{i}" for i in range(60)]):
        said = ""
        try:
            kind().run(Target(table_from_texts({"a": texts})))
        except DpdeskError as error:
            said = str(error)
        assert "hidden" not in said


def learns_a_column(kind: type[Attack]) -> bool:
    uses = map(kind.column_use, kind.parameters())
    return "sensitive" in {use.use for use in uses if use is not None}


@pytest.mark.parametrize(
    "kind", list(filter(learns_a_column, ATTACKS)), ids=lambda kind: kind.tag()
)
def test_that_whoever_learns_a_column_says_which_answers_are_taken_for_none(
    kind: type[Attack],
) -> None:
    votes = ["1", "1", "2", "-8", "1", "2"] * 10
    towns = ["x"] * 40 + ["y"] * 18 + ["z"] * 2
    target = Target(table_from_texts({"town": towns, "vote": votes}))
    attack = kind.suited(("town",) if "columns" in kind.model_fields else (), ("vote",))
    found = attack.model_copy(update=QUICK.get(kind.tag(), {})).run(target)
    told = [in_words(sentence) for sentence in found.sentences]
    assert [text.startswith("-8 of vote look") for text in told].count(True) == 1
    assert not any("look like codes" in text for text in told[:-1])


def test_that_a_wrong_parameter_is_named_and_not_quoted() -> None:
    kind = ATTACKS[2]
    with refused("attacks.bad-parameter", parameter="Epsilon") as error:
        kind.made({"epsilon": 4321})
    assert "4321" not in str(error.value)
    with refused("disclosure.no-column", column="nowhere"):
        kind.made({"column": "nowhere"}).run(kind.example())
    with refused("attacks.no-such-answer", column="age") as error:
        kind.made({"column": "age", "answer": "4321"}).run(kind.example())
    assert "4321" not in str(error.value)
