"""What looks like a code of no answer, and what does not."""

from __future__ import annotations

import pytest

from dpdesk.cli.declaration import declared_column
from dpdesk.data.reading import Reading
from dpdesk.data.suggest import suggest_column
from dpdesk.data.suspected_codes import suspected_codes
from dpdesk.data.table import TextColumn
from dpdesk.domains import Integer
from dpdesk.plan.open_questions import SuspectedCodes

AGES = [str(age) for age in range(18, 91)]


def _found(texts: list[str]) -> set[str]:
    column = TextColumn.from_texts("q", texts)
    return {column.distinct[place] for place in suspected_codes(column, ".").tolist()}


@pytest.mark.parametrize(
    ("texts", "codes"),
    [
        ([*AGES, "999"], {"999"}),
        ([*AGES, "-9", "-1"], {"-9", "-1"}),
        ([*AGES, "NA", "refused", "Weiß nicht", ".a", "sem resposta"], None),
        ([*"1234512345", "9"], {"9"}),
        ([*"1234567", "8", "9"], set()),
        ([*"12121212", "8", "9"], {"8", "9"}),
        ([str(n) for n in range(11)] + ["77", "88", "99"], {"77", "88", "99"}),
        ([*"01"] * 9 + ["-1"], set()),
        (["-5", "-9", "-1", "3", "8"], set()),
        # What is nearer to the others than these are to each other is a number.
        (["-4", "0", "1", "40", "90"], set()),
        (["-4", "0", "1", "3", "6"], {"-4"}),
        ([*AGES, "91", "92", "93", "94", "95", "96", "97", "98", "99"], set()),
        (["2001", "2005", "2010", "9999"], {"9999"}),
        (["yes", "no", "yes", "NS/NR", "99"], {"NS/NR", "99"}),
        (["Oslo", "Bergen", "none", "other"], set()),
        (["NA", "refused"], set()),
        (["", "", "1", "2"], set()),
    ],
)
def test_that_codes_are_told_from_answers(texts: list[str], codes: set[str] | None) -> None:
    wanted = {"NA", "refused", "Weiß nicht", ".a", "sem resposta"} if codes is None else codes
    assert _found(texts) == wanted


@pytest.mark.parametrize(
    ("texts", "codes"),
    [
        (["1", "999", "150", "-9"], {"999", "-9"}),
        # What is farther out than a code is no number beside which it stands apart.
        (["1", "99", "1000"], set()),
        ([*"0567", "8", "9"], set()),
        ([*"05", "7", "8", "9"], {"7", "8", "9"}),
        (["-5", "-4", "3", "-9"], {"-9"}),
        (["999"], {"999"}),
        (["refused"], {"refused"}),
        (["120.5", "121"], set()),
    ],
)
def test_that_what_is_beyond_declared_bounds_is_told_by_its_shape(
    texts: list[str], codes: set[str]
) -> None:
    column = TextColumn.from_texts("q", texts)
    found = suspected_codes(column, ".", bounds=(0.0, 5.0, 1.0), is_declared=True)
    assert {column.distinct[place] for place in found.tolist()} == codes


@pytest.mark.parametrize(
    ("declared", "texts", "codes"),
    [
        ("sex=f|m", ["f", "m", "99", "-1"], {"99", "-1"}),
        ("sex=f|m", ["f", "m", "99", "3"], set()),
        ("ok=yes|no", ["yes", "no", "refused", "refused"], {"refused"}),
        ("ok=yes|no|refused", ["yes", "no", "refused"], set()),
        ("scale=1|2|3|4|5", [*"12345", "6", "9"], {"9"}),
        ("scale=1|2|3|4|5|9", [*"12345", "9"], set()),
        ("media=set(TV|Web)", ["TV", "TV;Web", "refused", "99"], {"refused", "99"}),
        ("age=0..120", ["20", "35", "71", "999", "-9"], {"999", "-9"}),
        ("age=18..99", ["20", "99", "98"], set()),
        # A number within the bounds that stands apart is asked about as before.
        ("age=0..120", ["20", "21", "22", "23", "99"], {"99"}),
    ],
)
def test_that_a_declared_domain_swallows_no_code(
    declared: str, texts: list[str], codes: set[str]
) -> None:
    column = declared_column(declared).changed(provenance="declared")
    asked = SuspectedCodes.of(column, TextColumn.from_texts(column.name, texts), Reading())
    assert set(() if asked is None else asked.codes) == codes


def test_that_a_suggested_domain_leaves_out_what_is_to_be_asked() -> None:
    column = TextColumn.from_texts("age", [*AGES, *AGES, "999", "-9", "refused"])
    suggestion = suggest_column(column)
    assert suggestion.domain == Integer(lower=18, upper=90)
    assert set(suggestion.suspected) == {"999", "-9", "refused"}


def test_that_codes_of_a_long_column_are_found_where_they_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The code is behind the rows that are looked at, and the largest number of all.
    cells = [
        *(str(number % 50) for number in range(60)),
        *map(str, range(50, 90)),
        "refused",
        "999",
    ]
    column = TextColumn.from_texts("q", ["refused", *cells])
    monkeypatch.setattr("dpdesk.data.table.SAMPLE_ROWS", 70)
    places = suspected_codes(column, ".").tolist()
    assert [column.distinct[place] for place in places] == ["refused", "999"]
    known = column.among(("999",))
    places = suspected_codes(column, ".", known).tolist()
    assert [column.distinct[place] for place in places] == ["refused"]
