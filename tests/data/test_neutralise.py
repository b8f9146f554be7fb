from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.neutralise import neutralise, restore

STARTS = ["=", "+", "-", "@", "\t", "\r"]


@pytest.mark.parametrize("start", STARTS)
def test_that_a_dangerous_start_gets_an_apostrophe(start: str):
    assert neutralise(start + "cmd|' /C calc'!A0") == "'" + start + "cmd|' /C calc'!A0"


@pytest.mark.parametrize("text", ["", "plain", "'quoted'", "a=b", "5-7", " =1"])
def test_that_harmless_text_stays_as_it_is(text: str):
    assert neutralise(text) == text
    assert restore(text) == text


@given(st.text(alphabet=st.sampled_from("'=+-@\t\ra ")))
def test_that_restoring_undoes_neutralising_for_every_text(text: str):
    assert restore(neutralise(text)) == text


@given(st.text(alphabet=st.sampled_from("'=+-@\t\ra ")))
def test_that_no_neutralised_text_starts_dangerously(text: str):
    assert not neutralise(text).startswith(tuple(STARTS))
