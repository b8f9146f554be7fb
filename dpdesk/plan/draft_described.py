"""Columns drafted from what their file says of them: labels, codes of no answer, level, weight.

The head of a file is written before anybody answers, as a codebook is: its labelled values are a
declared domain. They are one only if they are meant to be all, and the file does not say it: labels
may stand at the ends of a scale alone. So the answers are looked at, by the share that a release
asks for as well (`Plan.allowed_unfit`): a single respondent does not decide it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from dpdesk.data.column_description import ColumnDescription, shortened
from dpdesk.data.column_names import says_no_answer
from dpdesk.data.reading import Reading
from dpdesk.data.suggest import ColumnSuggestion, suggest_column
from dpdesk.data.table import TextColumn
from dpdesk.domains import AnyDomain, Categorical, ColumnKind, ListedDomain, parse_number
from dpdesk.plan.column import NAME_MAX, ColumnPlan
from dpdesk.plan.encoding import among_codes
from dpdesk.plan.missing import MissingPolicy, protecting

_MOST_OUTSIDE = 0.01
"""Share of answers without a label up to which the labelled values are the domain."""

_MEANINGS_MOST = 1000
"""Most labels of single numbers that a plan holds."""

_FEW_NUMBERS = 12
"""Consecutive labelled numbers up to here are a scale, as in a suggestion."""


def described_column(texts: TextColumn, reading: Reading, said: ColumnDescription) -> ColumnPlan:
    """Drafts a column of a file that describes it.

    Args:
        texts: The answers.
        reading: How the file is read.
        said: What the file says of the column.
    """
    codes = said.missing
    tokens = tuple(dict.fromkeys((*codes.tokens, *said.always_missing)))
    is_code = among_codes(texts, tokens, codes.ranges, reading.decimal, as_numbers=True)
    suggestion = suggest_column(texts, reading, missing=is_code, said=said)
    listed = _answers(said)
    kind: ColumnKind = suggestion.kind
    domain: AnyDomain | None = None
    is_declared = False
    if said.is_record or says_no_answer(texts.name) or says_no_answer(said.label):
        pass
    elif said.is_weight or suggestion.kind == "weight":
        kind = "weight"
    elif (labelled := _labelled(listed)) and _are_all(texts, listed, is_code | texts.blank):
        kind, domain, is_declared = level_of(said, labelled), labelled, True
    else:
        kind, domain = _suggested(suggestion, said, listed)
    # Those of a list are in its domain, those of codes among the rules for missing answers.
    in_list = domain.values if isinstance(domain, ListedDomain) else ()
    others = _meanings({value: told for value, told in listed.items() if value not in in_list})
    missing = MissingPolicy(tokens=("", *tokens), ranges=codes.ranges, labels=codes.labels)
    if said.has_codes or suggestion.has_missing:
        missing = protecting(domain, missing)
    return ColumnPlan(
        name=texts.name,
        label=said.short_label,
        kind=kind,
        domain=domain,
        provenance="codebook" if is_declared else "suggested",
        confirmed=is_declared,
        role="drop" if kind == "identifier" else "unassigned",
        missing=missing,
        meanings={
            shortened(value, NAME_MAX): shortened(told, NAME_MAX)
            for value, told in islice(others.items(), _MEANINGS_MOST)
        },
    )


def _answers(said: ColumnDescription) -> dict[str, str]:
    """The labelled values that are no codes of no answer."""
    tokens = {"", *said.missing.tokens, *said.always_missing}
    ranges = said.missing.ranges
    kept = {value: label for value, label in said.values.items() if value not in tokens}
    numbers = np.array([_number(value) for value in kept])
    is_code = np.zeros(numbers.size, dtype=np.bool_)
    for one in ranges:
        is_code |= one.holds(numbers)
    return {
        value: label
        for (value, label), left_out in zip(kept.items(), is_code.tolist(), strict=True)
        if not left_out
    }


def _labelled(listed: Mapping[str, str]) -> Categorical | None:
    """The labelled values as a domain; None where none can hold them."""
    try:
        return Categorical(values=tuple(listed), labels=_meanings(listed))
    except ValidationError:
        return None


def _number(value: str) -> float:
    number = parse_number(value)
    return np.nan if number is None else number


def _meanings(listed: Mapping[str, str]) -> dict[str, str]:
    return {value: label for value, label in listed.items() if label != value}


def _are_all(texts: TextColumn, listed: Mapping[str, str], left_out: NDArray[np.bool_]) -> bool:
    """Whether next to no answer lacks a label."""
    given = texts.rows_with(~left_out)
    outside = texts.rows_with(~left_out & ~texts.among(listed))
    return outside <= _MOST_OUTSIDE * given


def level_of(said: ColumnDescription, domain: Categorical) -> ColumnKind:
    """Returns the kind of labelled values.

    Args:
        said: What the file says of the column.
        domain: The values.
    """
    if domain.size == 2:
        return "binary"
    if said.level == "nominal":
        return "nominal"
    numbers = np.array([_number(value) for value in domain.values])
    is_scale = domain.size <= _FEW_NUMBERS and bool(np.all(np.diff(numbers) == 1))
    return "ordinal" if said.level == "ordinal" or is_scale else "nominal"


def _suggested(
    suggestion: ColumnSuggestion, said: ColumnDescription, listed: Mapping[str, str]
) -> tuple[ColumnKind, AnyDomain | None]:
    """What the answers suggest, with the labels and the level of the file."""
    kind, domain = suggestion.kind, suggestion.domain
    if not isinstance(domain, ListedDomain):
        return kind, domain
    labels = {value: listed[value] for value in domain.values if value in listed}
    if kind in ("nominal", "ordinal") and said.level in ("nominal", "ordinal"):
        kind = "nominal" if said.level == "nominal" else "ordinal"
    return kind, domain.changed(labels=_meanings(labels))
