"""Codes of no answer: how they are typed, and which cells they mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.missing_codes import codes_text, read_codes, read_tokens
from dpdesk.data.table import TextColumn
from dpdesk.errors import ParameterError
from dpdesk.plan.encoding import among_codes


@pytest.mark.parametrize(
    "typed",
    [
        "NA; -9 = refused; 97 to 99 = not asked",
        ".a to .z",
        '"97 to 99"; "a;b"; "a=b" = "odd; label"',
        "to -1; 900 to",
        "-8; -9; .",
    ],
)
def test_that_codes_are_printed_as_they_are_typed(typed: str) -> None:
    codes = read_codes(typed)
    assert codes_text(codes.tokens, codes.ranges, codes.labels) == typed


def test_that_the_command_line_has_commas_and_points() -> None:
    codes = read_codes("-9=refused,97..99,.a...c,..-1", ",")
    assert codes.tokens == ("-9", ".a", ".b", ".c")
    assert [one.text for one in codes.ranges] == ["97 to 99", "to -1"]
    assert codes.labels == {"-9": "refused"}


@pytest.mark.parametrize("typed", ['"NA', "NA; NA", "99 to 97", ".z to .a", "1 to .z"])
def test_that_codes_that_are_none_are_refused(typed: str) -> None:
    with pytest.raises(ParameterError):
        read_codes(typed)


def test_that_codes_of_numbers_are_compared_as_numbers() -> None:
    texts = ["-9", "-9.0", " -9", "9", "97", "98.0", "x", "-90"]
    column = TextColumn.from_texts("q", texts)
    codes = read_codes("-9; 97 to 99")

    def found(as_numbers: bool) -> list[str]:
        chosen = among_codes(column, codes.tokens, codes.ranges, ".", as_numbers=as_numbers)
        return [text for text, is_code in zip(column.distinct, chosen, strict=True) if is_code]

    assert found(True) == ["-9", "-9.0", " -9", "97", "98.0"]
    assert found(False) == ["-9", "97", "98.0"]


@given(
    st.lists(
        st.text(min_size=1).filter(bool) | st.sampled_from([".a", "1 to 2", "x=y"]), unique=True
    ),
    st.sampled_from(";,"),
)
def test_that_codes_of_every_column_are_read_back_as_they_are_shown(
    tokens: list[str], between: str
) -> None:
    assert read_tokens(codes_text(tokens, between=between), between, where="") == tuple(tokens)


@pytest.mark.parametrize("typed", ["NA; 97 to 99", "-9 = refused; NA", "..-1"])
def test_that_a_range_or_label_in_every_column_is_refused_with_where_to_write_it(
    typed: str,
) -> None:
    with pytest.raises(ParameterError, match="only single codes") as refused:
        read_tokens(typed, where="Type it at its column.")
    assert refused.value.remedy.startswith("Type it at its column. If the file has this very text")
    assert read_tokens('"97 to 99"; .a to .c', where="") == ("97 to 99", ".a", ".b", ".c")
