"""What each kind of domain answers of itself."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import get_args

import pytest

from dpdesk.domains import (
    COLUMN_KINDS,
    AnyDomain,
    Categorical,
    Date,
    Integer,
    OptionSet,
    Real,
    domain_type,
)
from dpdesk.domains.base import BaseDomain

TOWNS = Categorical(values=("Oslo", "Bergen", "Vardø"))
MEDIA = OptionSet(values=("TV", "Web"), nothing="-")
AGES = Integer(lower=18, upper=98, step=2, unit="years")
RATES = Real(lower=Decimal("-0.5"), upper=Decimal(1), resolution=Decimal("0.25"))
BORN = Date.of("1930-01", "2010-12")
ALL: tuple[AnyDomain, ...] = (TOWNS, MEDIA, AGES, RATES, BORN)


def test_that_every_kind_of_column_has_one_type_of_domain_or_none() -> None:
    types: tuple[type[AnyDomain], ...] = get_args(AnyDomain)
    assert {type(one) for one in ALL} == set(types)
    kinds = Counter(kind for one in types for kind in one.kinds)
    assert set(kinds.values()) == {1}
    assert set(COLUMN_KINDS) - set(kinds) == {"identifier", "weight"}
    for kind in COLUMN_KINDS:
        found = domain_type(kind)
        assert (found is None) == (kind in {"identifier", "weight"})
        assert found is None or kind in found.kinds


@pytest.mark.parametrize(
    ("domain", "numbers", "shown", "error", "scale", "origin", "span", "noise"),
    [
        (TOWNS, False, "%", "pp", 100.0, 0.0, 1.0, 1.0),
        (MEDIA, False, "%", "pp", 100.0, 0.0, 1.0, 1.0),
        (AGES, True, "years", "years", 1.0, 18.0, 80.0, 40.0),
        (RATES, True, "", "", 1.0, -0.5, 1.5, 0.75),
        (BORN, True, "months since 1970-01", "months", 1.0, -480.0, 971.0, 485.5),
    ],
)
def test_that_shares_are_told_in_per_cent_and_means_in_their_unit(
    domain: AnyDomain,
    numbers: bool,
    shown: str,
    error: str,
    scale: float,
    origin: float,
    span: float,
    noise: float,
) -> None:
    assert (domain.holds_numbers, domain.shown_unit, domain.error_unit) == (numbers, shown, error)
    assert (domain.scale, domain.origin, domain.span) == (scale, origin, span)
    assert domain.noise_unit == noise


def test_that_bounds_are_plain_digits_and_lists_are_their_values() -> None:
    assert [one.bounds for one in ALL] == [
        None,
        None,
        ("18", "98", "2"),
        ("-0.5", "1", "0.25"),
        ("1930-01", "2010-12", "month"),
    ]
    assert [one.listed for one in ALL] == [TOWNS.values, MEDIA.values, (), (), ()]
    assert [one.never_missing for one in ALL] == [(), ("-",), (), (), ()]
    assert [one.two_answers for one in ALL] == [(0, 1), (0, 1), (10, 30), (2, 4), (243, 728)]
    assert [one.words for one in ALL] == [
        "Oslo, Bergen, Vardø",
        "any of TV, Web",
        "numbers from 18 to 98 years in steps of 2",
        "numbers from -0.50 to 1.00 in steps of 0.25",
        "dates from 1930-01 to 2010-12 by month",
    ]
    many = Categorical(values=tuple(map(str, range(13))))
    assert many.words == "13 categories"


def test_that_only_one_of_a_list_can_have_other_answers_and_expected_shares() -> None:
    assert [one.picks_one for one in ALL] == [True, False, False, False, False]
    assert [one.is_set for one in ALL] == [False, True, False, False, False]
    refused = [one.no_other for one in ALL]
    assert [no is None for no in refused] == [one.picks_one for one in ALL]
    assert [no and no.code for no in refused] == [
        None,
        "other_of_set",
        "other_of_numbers",
        "other_of_numbers",
        "other_of_numbers",
    ]


def test_that_an_answer_is_added_where_a_cell_could_be_read_back() -> None:
    assert TOWNS.with_listed("Tromsø; abroad").values[-1] == "Tromsø; abroad"
    assert MEDIA.with_listed("Radio").values == ("TV", "Web", "Radio")
    assert MEDIA.with_listed("Radio;Podcast") is MEDIA
    assert TOWNS.with_listed("Oslo") is TOWNS
    assert AGES.with_listed("none") is AGES
    assert not AGES.takes_listed("none")


def test_that_numbers_alone_have_a_code_for_missing_answers() -> None:
    assert [one.with_missing(0.25).missing_share for one in ALL] == [0.0, 0.0, 0.25, 0.25, 0.25]


class _Unfinished(BaseDomain):
    kinds = ()
    count_words = "{count}"


def test_that_a_kind_that_leaves_an_answer_out_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="encode, label, outside, size, texts, words"):
        _Unfinished()
