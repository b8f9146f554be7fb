"""What looks like a code of no answer, and what does not."""

from __future__ import annotations

import pytest

from dpdesk.data.suggest import suggest_column
from dpdesk.data.suspected_codes import suspected_codes
from dpdesk.data.table import TextColumn
from dpdesk.domains import Integer

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


def test_that_a_suggested_domain_leaves_out_what_is_to_be_asked() -> None:
    column = TextColumn.from_texts("age", [*AGES, *AGES, "999", "-9", "refused"])
    suggestion = suggest_column(column)
    assert suggestion.domain == Integer(lower=18, upper=90)
    assert set(suggestion.suspected) == {"999", "-9", "refused"}
