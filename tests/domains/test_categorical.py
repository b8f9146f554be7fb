from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from dpdesk.domains import Categorical, Domain

YES_NO = Categorical(values=("yes", "no"), labels={"yes": "Yes, at least once"})


def test_that_a_category_is_encoded_by_its_place_and_anything_else_by_minus_one() -> None:
    texts = ["no", "yes", "", "Yes", " yes", "yes\u00a0", "NO", "n\u0301o", "no"]
    codes = YES_NO.encode(texts)
    assert codes.dtype == np.int32
    assert codes.tolist() == [1, 0, -1, -1, -1, -1, -1, -1, 1]
    assert YES_NO.outside(texts).tolist() == [c < 0 for c in codes.tolist()]


def test_that_no_texts_give_no_codes() -> None:
    assert YES_NO.encode([]).shape == (0,)


def test_that_a_label_stands_for_people_and_the_value_is_released() -> None:
    assert YES_NO.label(0) == "Yes, at least once"
    assert YES_NO.label(1) == "no"
    assert YES_NO.texts == ("yes", "no")


@pytest.mark.parametrize(
    "fields",
    [
        {"values": ("a",)},
        {"values": ()},
        {"values": ("a", "a")},
        {"values": ("a", "")},
        {"values": ("a", 1)},
        {"values": ("a", None)},
        {"values": ("a", "x" * 1001)},
        {"values": ("a", "b"), "labels": {"c": "?"}},
        {"values": ("a", "b"), "kind": "ordinal"},
    ],
)
def test_that_a_list_that_is_no_domain_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Categorical(**fields)  # type: ignore[arg-type]


def test_that_values_that_only_look_alike_are_different_categories() -> None:
    domain = Categorical(values=("1", "01", "1.0", "é", "e\u0301", " "))
    assert domain.size == 6
    assert domain.encode(list(domain.values)).tolist() == list(range(6))


@given(st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=40, unique=True))
def test_that_the_released_texts_encode_to_their_own_codes(values: list[str]) -> None:
    domain = Categorical(values=tuple(values))
    assert domain.encode(domain.texts).tolist() == list(range(domain.size))
    assert not domain.outside(domain.texts).any()


def test_that_further_categories_come_behind_and_are_added_once() -> None:
    wider = YES_NO.with_listed("no answer", "no")
    assert wider.values == ("yes", "no", "no answer")
    assert wider.labels == YES_NO.labels
    assert wider.with_listed("no answer") is wider


def test_that_a_domain_is_stored_with_its_type_and_read_back() -> None:
    adapter: TypeAdapter[Domain] = TypeAdapter(Domain)
    assert adapter.validate_json(adapter.dump_json(YES_NO)) == YES_NO
    assert hash(adapter.validate_json(adapter.dump_json(YES_NO))) == hash(YES_NO)


def test_that_a_domain_cannot_be_edited() -> None:
    with pytest.raises(ValidationError):
        YES_NO.values = ("a", "b")  # type: ignore[misc]


def test_that_a_label_of_several_values_has_the_value_beside_it() -> None:
    domain = Categorical(values=("1", "2", "3", "no"), labels={"1": "yes", "2": "yes", "3": "no"})
    assert [domain.label(code) for code in range(4)] == ["yes (1)", "yes (2)", "no (3)", "no"]
