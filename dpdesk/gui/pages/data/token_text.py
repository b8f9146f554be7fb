"""Texts that mean "no answer", in one line: semicolons between them, quotation marks as in CSV."""

from __future__ import annotations

import csv
import io

from dpdesk.errors import ParameterError


def text_of_tokens(tokens: tuple[str, ...]) -> str:
    """The tokens in one line; blanks, semicolons and quotation marks are put in quotes."""
    return "; ".join(_quoted(token) for token in tokens)


def tokens_of_text(text: str) -> tuple[str, ...]:
    """Reads a line of tokens; empty places between semicolons do not count.

    Raises:
        ParameterError: A quotation mark is not closed, or a token is listed twice.
    """
    try:
        rows = list(
            csv.reader(io.StringIO(text), delimiter=";", skipinitialspace=True, strict=True)
        )
    except csv.Error:
        rows = [[]] * 2
    if len(rows) > 1:
        raise ParameterError(
            "A quotation mark is not closed.",
            remedy='Put each code that holds ; or " in quotation marks, and double those within.',
        )
    tokens = [_bare(token) for row in rows for token in row]
    given = [token for token in tokens if token]
    if len(set(given)) < len(given):
        raise ParameterError("A code is listed twice.", remedy="List each code once.")
    return tuple(given)


def _quoted(token: str) -> str:
    plain = token == token.strip() and not set(token) & set('";\r\n')
    return token if plain else '"' + token.replace('"', '""') + '"'


def _bare(token: str) -> str:
    # A token of blanks alone was in quotation marks: outside them it would be an empty place.
    return token.strip() if token.strip() else token
