"""Which texts look alike, against the Unicode Character Database and by example."""

from __future__ import annotations

import sys
from unicodedata import category, name

import pytest

from dpdesk.domains import Categorical, OptionSet
from dpdesk.domains.look_alike import as_seen, look_alike


@pytest.mark.parametrize(
    "other",
    [
        "North\u200b",
        "\ufeffNorth",
        "No\u00adrth",
        "\u202eNorth",
        "\u2066North\u2069",
        "North\u3164",
        " North",
        "North\t",
        "North\u00a0",
        "\x00North",
    ],
)
def test_that_blanks_at_the_ends_and_signs_without_a_shape_are_not_seen(other: str) -> None:
    assert as_seen(other) == "North"
    assert look_alike(("North", other, "South")) == 2
    assert Categorical(values=("North", other, "South")).alike == 2


@pytest.mark.parametrize(
    ("one", "other"), [("New York", "New\u00a0\u2009York"), ("Caf\u00e9", "Cafe\u0301")]
)
def test_that_blanks_and_accents_of_other_kinds_look_alike(one: str, other: str) -> None:
    assert as_seen(one) == as_seen(other)


@pytest.mark.parametrize(
    ("one", "other"), [("North", "north"), ("1", "1.0"), ("a b", "ab"), ("\ue000", "\ue001")]
)
def test_that_what_is_seen_to_differ_does_not_look_alike(one: str, other: str) -> None:
    assert look_alike((one, other)) == 0


def test_that_every_mark_of_format_without_a_shape_is_unseen() -> None:
    letters = (chr(code) for code in range(sys.maxunicode + 1))
    marks = [letter for letter in letters if category(letter) == "Cf" and as_seen(letter)]
    # Signs of numbers and verses in Arabic, Syriac, Kaithi and hieroglyphs are drawn.
    drawn = ("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN", "INTERLINEAR")
    assert len(marks) > 10
    assert all(name(mark).startswith(drawn) for mark in marks)


def test_that_labels_count_as_they_are_shown() -> None:
    values = ("1", "2", "3")
    alike = Categorical(values=values, labels={"1": "North", "2": "North\u200b"})
    assert alike.alike == 2
    # Equal labels have their values beside them.
    assert Categorical(values=values, labels={"1": "North", "2": "North"}).alike == 0
    assert OptionSet(values=("TV", "T\u200bV", "Web")).alike == 2
