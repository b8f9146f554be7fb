"""Sets of options: how a cell is read, and which declarations are refused."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from pydantic import TypeAdapter, ValidationError

from dpdesk.domains import NOTHING, OPTIONS_MAX, Domain, OptionSet

MEDIA = OptionSet(values=("TV", "Web", "Radio"), labels={"TV": "television"})


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("TV", 0b001),
        ("TV;Radio", 0b101),
        (" Radio ; Web;", 0b110),
        ("Web;Web", 0b010),
        (NOTHING, 0),
        ("", -1),
        ("  ", -1),
        (";", -1),
        ("TV;Paper", -1),
        ("tv", -1),
        ("TV,Web", -1),
    ],
)
def test_that_a_cell_is_a_set_of_declared_options_or_nothing_that_is_known(
    cell: str, code: int
) -> None:
    assert MEDIA.encode([cell]).tolist() == [code]
    assert MEDIA.outside([cell]).tolist() == [code < 0]


def test_that_an_empty_cell_is_no_option_only_where_that_is_declared() -> None:
    blank = MEDIA.changed(nothing="")
    assert blank.encode(["", "  ", ";", "Web"]).tolist() == [0, 0, -1, 2]
    assert blank.encode([NOTHING]).tolist() == [-1]


def test_that_codes_hold_the_options_that_are_ticked() -> None:
    codes = MEDIA.encode(["(none)", "TV;Radio", "Web"])
    assert MEDIA.ticked(codes).astype(int).tolist() == [[0, 0, 0], [1, 0, 1], [0, 1, 0]]
    assert [MEDIA.label(code) for code in range(MEDIA.size)] == ["television", "Web", "Radio"]


@pytest.mark.parametrize(
    ("values", "separator", "nothing"),
    [
        # A cell could hold the whole, or its parts.
        (("A;B", "A", "B"), ";", NOTHING),
        (("A", "A;B", "B;C"), ";", NOTHING),
        (("A;B", "A; B"), ";", NOTHING),
        (("A", "A;A"), ";", NOTHING),
        ((";", "A"), ";", NOTHING),
        # A cell that holds T would be read as TV.
        (("TV", "Web"), "V", NOTHING),
        ((" A", "B"), ";", NOTHING),
        (("A", "B"), " ", NOTHING),
        (("A", "A"), ";", NOTHING),
        (("A",), ";", NOTHING),
        (("A", NOTHING), ";", NOTHING),
        (tuple(f"o{i}" for i in range(OPTIONS_MAX + 2)), ";", NOTHING),
    ],
)
def test_that_options_that_a_cell_could_not_tell_apart_are_refused(
    values: tuple[str, ...], separator: str, nothing: str
) -> None:
    with pytest.raises(ValidationError):
        OptionSet(values=values, separator=separator, nothing=nothing)


def test_that_options_that_hold_the_separator_are_matched_longest_first() -> None:
    values = ("Newspapers", "Newspapers, magazines", "TV (public, private)", "Radio")
    media = OptionSet(values=values, separator=",")
    cells = [
        "Newspapers, magazines",
        "Radio,Newspapers",
        "TV (public,  private), Radio",
        "magazines",
    ]
    assert media.encode(cells).tolist() == [0b10, 0b1001, 0b1100, -1]
    assert media.ticked_in(["x, TV (public, private), magazines"]).tolist() == [
        [False, False, True, False]
    ]
    assert OptionSet.read(media.declaration) == media


def test_that_every_set_of_accepted_options_is_read_back_in_any_order() -> None:
    words = ["A", "B", "A;B", "B;A", "A;A", "B;C", "C;A;B"]
    accepted = 0
    for count in (2, 3):
        for values in combinations(words, count):
            try:
                domain = OptionSet(values=values)
            except ValidationError:
                continue
            accepted += 1
            seen: dict[str, int] = {}
            for size in range(1, count + 1):
                for chosen in permutations(range(count), size):
                    cell = ";".join(values[code] for code in chosen)
                    code = sum(1 << place for place in chosen)
                    assert domain.encode([cell]).tolist() == [code]
                    assert seen.setdefault(cell, code) == code
    assert accepted > 10


@pytest.mark.parametrize(
    ("text", "values", "separator", "nothing"),
    [
        ("set(TV|Web)", ("TV", "Web"), ";", NOTHING),
        ("set(TV|Web):,", ("TV", "Web"), ",", NOTHING),
        ("set(TV|Web):,:", ("TV", "Web"), ",", ""),
        ("set(TV (all)|Web):;:(nothing)", ("TV (all)", "Web"), ";", "(nothing)"),
        (OptionSet.example, ("TV", "Web", "Radio"), ",", NOTHING),
    ],
)
def test_that_a_set_is_declared_in_a_line(
    text: str, values: tuple[str, ...], separator: str, nothing: str
) -> None:
    declared = OptionSet.read(text)
    assert declared == OptionSet(values=values, separator=separator, nothing=nothing)


@pytest.mark.parametrize("text", ["TV|Web", "18..99", "set()", "set", "set(TV|Web", "(TV|Web)"])
def test_that_other_declarations_are_not_taken_for_sets(text: str) -> None:
    assert OptionSet.read(text) is None


def test_that_a_set_is_stored_and_read_back_and_differs_from_a_list() -> None:
    adapter: TypeAdapter[Domain] = TypeAdapter(Domain)
    stored = adapter.dump_json(MEDIA)
    assert adapter.validate_json(stored) == MEDIA
    other = adapter.validate_json(b'{"type":"categorical","values":["TV","Web","Radio"]}')
    assert other != MEDIA
    assert len({hash(other), hash(MEDIA.changed(labels={}))}) == 2
