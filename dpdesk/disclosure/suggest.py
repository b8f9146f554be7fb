"""Suggests which columns an outsider may know of a person, and which one may want to learn.

A suggestion is for the curator to confirm: it goes by the names of the columns, and where these say
nothing by which columns make records unique.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from dpdesk.data.column_names import POSTCODE_WORDS, names_a_person, names_a_weight
from dpdesk.data.table import SurveyTable
from dpdesk.disclosure.classes import Classes, CodedColumn
from dpdesk.disclosure.columns import MissingOf, coded

Use = Literal["quasi-identifier", "sensitive"]

_KNOWN = POSTCODE_WORDS | frozenset(
    {"age", "birth", "birthday", "birthdate", "birthyear", "born", "dob", "yob", "sex"}
    | {"gender", "race", "ethnicity", "ethnic"}
    | {"nationality", "citizenship", "country", "region", "state", "province", "county"}
    | {"district", "municipality", "city", "town", "village", "locality", "education", "educ"}
    | {"degree", "school", "schooling", "marital", "married", "civil", "relationship"}
    | {"household", "householdsize", "hhsize", "children", "kids", "parity", "siblings"}
    | {"occupation", "job", "profession", "employer", "industry", "workclass", "language"}
    | {"religion", "height"}
)
"""Words in the name of what neighbours, employers or registers know of a person."""

_WANTED = frozenset(
    {"salary", "income", "wage", "wages", "earnings", "debt", "wealth", "disease", "diagnosis"}
    | {"illness", "disorder", "problem", "hiv", "aids", "cancer", "std", "depression", "suicide"}
    | {"health", "medication", "drug", "drugs", "alcohol", "abuse", "violence", "crime"}
    | {"arrest", "conviction", "abortion", "pregnancy", "sexual", "orientation", "affair"}
    | {"affairs", "cheating", "cheated", "fraud", "evasion", "bribe", "vote", "voted", "party"}
    | {"political", "opinion", "grade", "score"}
)
"""Words in the name of what people do not tell everybody."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_CODED_MOST = 400
"""Of a wider table the names alone suggest something."""
_NAMED_MOST = 8
_BY_EFFECT_MOST = 4
_NAMED_LEAST = 2
_SAME_MOST = 0.5
"""A column in which more of the records than this have values of their own identifies by itself."""
_SHARE_WORTH = 0.001
"""A column that makes fewer of the records unique than this is not suggested by its effect."""


@dataclass(frozen=True)
class SuggestedColumn:
    """A suggestion.

    Attributes:
        name: Name of the column.
        use: What it may be.
        reason: Why, as a clause.
    """

    name: str
    use: Use
    reason: str


def names_a_known_trait(name: str) -> bool:
    """Whether the name of a column is that of something that outsiders know of people."""
    return bool(_words(name) & _KNOWN)


def names_a_secret(name: str) -> bool:
    """Whether the name of a column is that of something that people do not tell everybody."""
    return bool(_words(name) & _WANTED)


def suggested_by_name(names: Sequence[str]) -> tuple[SuggestedColumn, ...]:
    """Returns what the names of columns suggest, at most eight quasi-identifiers."""
    known = [name for name in names if names_a_known_trait(name) and not names_a_secret(name)]
    wanted = [name for name in names if names_a_secret(name)]
    return (
        *(
            SuggestedColumn(name, "quasi-identifier", "its name is that of something others know")
            for name in known[:_NAMED_MOST]
        ),
        *(
            SuggestedColumn(name, "sensitive", "its name is that of something people keep private")
            for name in wanted[:_BY_EFFECT_MOST]
        ),
    )


def suggested_of(
    table: SurveyTable, aside: Collection[str] = (), missing_of: MissingOf | None = None
) -> tuple[SuggestedColumn, ...]:
    """Returns a suggestion for a survey; for a wide one by the names of its columns alone.

    Args:
        table: The survey.
        aside: Names of columns that do not come into question.
        missing_of: What means "no answer"; by how the file is read if None.
    """
    columns = [column for column in table.columns if column.name not in aside]
    if len(columns) > _CODED_MOST:
        return suggested_by_name([column.name for column in columns])
    found = [coded(column, table.reading, missing_of) for column in columns]
    return suggested_columns(found, table.rows)


def suggested_columns(columns: Sequence[CodedColumn], rows: int) -> tuple[SuggestedColumn, ...]:
    """Returns a suggestion for a table.

    Where the names of fewer than two columns say something, columns are added that make the most
    records unique, one after the other.

    Args:
        columns: All columns that come into question.
        rows: Number of records.
    """
    named = suggested_by_name([column.name for column in columns])
    chosen = [one.name for one in named if one.use == "quasi-identifier"]
    if len(chosen) >= _NAMED_LEAST:
        return named
    taken = {one.name for one in named}
    left = [
        column
        for column in columns
        if column.name not in taken
        and not names_a_person(column.name)
        and not names_a_weight(column.name)
        and 1 < column.occurring <= max(_SAME_MOST * rows, 2)
    ]
    # Of a wide table the columns of most values: each step compares all that are left.
    left = sorted(left, key=lambda column: -column.occurring)[:40]
    kept = [column for column in columns if column.name in chosen]
    found: list[SuggestedColumn] = []
    while left and len(kept) < _BY_EFFECT_MOST:
        best = max(left, key=lambda column: Classes([*kept, column], rows).count)
        before = Classes(kept, rows).unique_rows
        alone = Classes([*kept, best], rows).unique_rows
        if kept and alone - before < _SHARE_WORTH * rows:
            break
        kept.append(best)
        left.remove(best)
        found.append(SuggestedColumn(best.name, "quasi-identifier", "it tells records apart"))
    return (*named, *found)


def _words(name: str) -> frozenset[str]:
    words = [word.lower() for word in _WORDS.findall(name)]
    return frozenset(words) | {first + second for first, second in pairwise(words)}
