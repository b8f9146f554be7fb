"""Words of reports and memos that depend on a case are there in this case, and in no other."""

from __future__ import annotations

import pytest

from dpdesk.report.parameters import DomainFacts, domain_text
from dpdesk.report.statistics.public import _weighting
from dpdesk.report.survey.memo import memo_html
from tests.report.test_survey_papers import memo, words

KINDS = {
    "categorical": {"categories"},
    "several": {"options", "none of them"},
    "date": {"dates", "from", "by"},
    "integer": {"in steps of"},
    "real": {"in steps of"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_that_a_domain_is_told_as_what_it_is(kind: str) -> None:
    numbers = {"size": 1_234, "lower": "LOWER", "upper": "UPPER", "step": "STEP", "unit": "UNIT"}
    facts = DomainFacts(
        type=kind, **numbers, provenance="declared", confirmed=True, confirmed_by=""
    )
    text = domain_text(facts)
    of_others = set().union(*KINDS.values()) - KINDS[kind]
    assert [word for word in KINDS[kind] if f" {word}" not in f" {text}"] == []
    assert [word for word in of_others if f" {word} " in f"{text} "] == []
    bounds = ["LOWER", "UPPER", "STEP"] if kind in ("date", "integer", "real") else []
    assert [word for word in ("LOWER", "UPPER", "STEP") if word in text] == bounds
    assert ("1,234" in text) == (kind in ("categorical", "several", "date"))


@pytest.mark.parametrize("second", ["", "device", "direct"])
def test_that_a_memo_tells_of_a_second_group_only_where_there_is_one(second: str) -> None:
    text = words(memo_html(memo(against=0.15, second=second)))
    assert ("of a second group of as many" in text) == bool(second)
    assert ("asked directly" in text) == (second == "direct")
    assert ("asked with the same device" in text) == (second == "device")


def test_that_unused_weights_are_told_by_their_name_and_only_where_there_are_some() -> None:
    assert "pweight, were not used" in _weighting("pweight")
    assert _weighting("") == ""
