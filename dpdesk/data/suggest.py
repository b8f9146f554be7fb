"""Suggestions of what each column is, for a person to confirm.

A suggestion looks at the answers. It is therefore a disclosure until someone confirms that it is
public knowledge. It never decides which answers mean "no answer", apart from an empty cell: those
that look like it are left out of the suggested domain and named, until somebody decides. A
suggested domain of numbers holds them on a grid of moderate size.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc
from pydantic import ValidationError

from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.column_names import (
    may_name_a_person,
    may_name_a_weight,
    names_a_person,
    names_a_postcode,
    names_a_weight,
    says_no_answer,
)
from dpdesk.data.date_texts import dates_in, dates_written
from dpdesk.data.marked_numbers import (
    describe_unlike,
    marked_numbers,
    numbers_in_any_way,
)
from dpdesk.data.number_texts import NumberTexts
from dpdesk.data.reading import Reading
from dpdesk.data.suggested_grid import integer_domain, real_domain
from dpdesk.data.suspected_codes import labelled_codes, suspected_codes
from dpdesk.data.table import Flags, TextColumn
from dpdesk.data.texts import T
from dpdesk.domains import NOTHING, OPTIONS_MAX, AnyDomain, Categorical, ColumnKind, OptionSet
from dpdesk.i18n import in_a_row

_FEW_NUMBERS = 12
_LONGEST_POSTCODE = 12
FEW_ANSWERS = 20
"""With fewer answers, all of them being different says nothing."""
_NEARLY_ALL = 0.99
_MANY_DIFFER = 0.2
_MOSTLY_NUMBERS = 0.8
_FEW_OTHER_TEXTS = 5
_LARGEST = 10.0**15


@dataclass(frozen=True)
class ColumnSuggestion:
    """A suggestion of what a column is.

    Attributes:
        name: Name of the column.
        kind: Level of measurement, or a role that is not protected by a mechanism.
        domain: The values it seems to take; None for identifiers and weights, and if fewer than
            two different answers occur.
        has_missing: Whether there are cells without an answer: empty, blank, or declared so.
        reason: Why, as a full sentence without answers.
        suspected: Answers that look like codes of no answer; the domain is without them.
    """

    name: str
    kind: ColumnKind
    domain: AnyDomain | None
    has_missing: bool
    reason: str
    suspected: tuple[str, ...] = ()


def suggest_column(
    column: TextColumn,
    reading: Reading | None = None,
    missing: Flags | None = None,
    answers: Flags | None = None,
    said: ColumnDescription | None = None,
) -> ColumnSuggestion:
    """Suggests kind and domain of one column.

    Args:
        column: The answers.
        reading: How the file is read; the default reading if None.
        missing: Distinct answers that are declared to mean "no answer", shape (distinct_count,), in
            addition to those of the reading.
        answers: Distinct answers of which somebody said that they are no codes, alike.
        said: What the file says of the column: a weight called `w` is told by its label, what a
            program writes about a record is no answer, and values that mean no answer are left
            out of the domain.
    """
    reading, whole = Reading() if reading is None else reading, column
    said = ColumnDescription() if said is None else said
    column, places = whole.sample_of_rows(reading.decimal)
    missing, answers = (None if flags is None else flags[places] for flags in (missing, answers))
    left_out = column.among(reading.missing)
    if missing is not None:
        left_out |= missing
    known = left_out if answers is None else left_out | answers
    named = labelled_codes(column, said.values, reading.decimal)
    suspects = suspected_codes(column, reading.decimal, known, labelled=named)
    suspected = np.zeros(column.distinct_count, dtype=np.bool_)
    suspected[suspects] = True
    view = _View.of(column, reading.decimal, left_out, suspected, said.label)
    kind, domain, reason = _judge(view)
    if suspects.size and domain is None and kind == "nominal":
        # Too little is left: what looks like codes may be all there is.
        suspects = suspects[:0]
        view = _View.of(column, reading.decimal, left_out, np.zeros_like(suspected), said.label)
        kind, domain, reason = _judge(view)
    elif suspects.size and domain is not None:
        reason = in_a_row((reason, T.SUSPECTED(count=int(suspects.size))))
    if said.is_record and kind != "weight":
        kind, domain = "identifier", None
        reason = T.RECORD_COLUMN()
    if column is not whole:
        reason = in_a_row((reason, T.SAMPLED(sample=column.rows, rows=whole.rows)))
    return ColumnSuggestion(
        name=column.name,
        kind=kind,
        domain=domain,
        has_missing=view.has_missing,
        reason=reason,
        suspected=tuple(column.dictionary.take(suspects).to_pylist()) if domain else (),
    )


_Judgement = tuple[ColumnKind, AnyDomain | None, str]


@dataclass(frozen=True)
class _View:
    """The distinct answers of a column that are not missing, and how often each occurs."""

    column: TextColumn
    answered: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    numbers: NumberTexts
    decimal: str
    has_missing: bool
    has_suspects: bool
    has_codes: bool
    label: str

    @classmethod
    def of(
        cls, column: TextColumn, decimal: str, missing: Flags, suspected: Flags, label: str
    ) -> _View:
        occurs = column.counts > 0
        is_missing = column.blank | missing
        answered = np.flatnonzero(occurs & ~is_missing & ~suspected)
        return cls(
            column=column,
            answered=answered,
            counts=column.counts[answered],
            numbers=column.numbers(decimal).take(answered),
            decimal=decimal,
            has_missing=bool(np.any(occurs & is_missing)),
            has_suspects=bool(suspected.any()),
            has_codes=bool(np.any(occurs & (suspected | missing & ~column.blank))),
            label=label,
        )

    @property
    def distinct(self) -> int:
        return len(self.answered)

    @property
    def flags(self) -> Flags:
        """Which distinct texts are answers, shape (distinct_count,)."""
        found = np.zeros(self.column.distinct_count, dtype=np.bool_)
        found[self.answered] = True
        return found

    @property
    def answers(self) -> int:
        return int(self.counts.sum())

    @property
    def longest(self) -> int:
        """Letters of the longest answer."""
        lengths = pc.utf8_length(self.column.dictionary.take(self.answered))
        return int(pc.max(lengths).as_py() or 0)

    @property
    def has_fractions(self) -> bool:
        """Whether some numbers are not whole, as those of no code are."""
        return bool(np.any(np.mod(self.numbers.values[self.numbers.is_number], 1)))

    def texts(self) -> list[str]:
        texts: list[str] = self.column.dictionary.take(self.answered).to_pylist()
        return texts


def _judge(view: _View) -> _Judgement:
    if not view.column.rows:
        return _judge_name(view.column.name)
    if view.distinct < 2:
        return "nominal", None, T.ONE_ANSWER() if view.distinct else T.EMPTY_COLUMN()
    share = view.distinct / view.answers
    name = view.column.name
    if (names_a_person(name) and view.distinct > _FEW_NUMBERS) or (
        (names_a_person(name) or (may_name_a_person(name) and not view.has_fractions))
        and share >= _MANY_DIFFER
    ):
        return "identifier", None, T.NAMES_PERSON()
    if no_answer := says_no_answer(name) or says_no_answer(view.label):
        return "identifier", None, no_answer
    numbers = view.numbers
    numeric = float(view.counts[numbers.is_number].sum()) / view.answers
    are_amounts = numeric >= _MOSTLY_NUMBERS and np.nanmin(numbers.values) >= 0
    if are_amounts and names_a_weight(f"{name} {view.label}"):
        # Also where some have none, or look like codes: weights are no answers.
        return "weight", None, T.HOLDS_WEIGHTS()
    if names_a_postcode(name) and view.longest <= _LONGEST_POSTCODE and not view.has_fractions:
        return _judge_codes(view)
    dates = dates_in(view.column, view.flags)
    if dates is not None:
        if len(dates.patterns) != 1:
            return "date", None, dates.reason
        grid = dates_written(view.column, view.flags, dates.patterns[0])
        return "date", grid, T.SAME_MINUTE() if grid is None else dates.reason
    marked = marked_numbers(view.column, view.flags, view.decimal)
    if marked is not None:
        return "real", None, marked.reason
    others = view.distinct - int(np.count_nonzero(numbers.is_number))
    if others == 0 and not numbers.padded and np.nanmax(np.abs(numbers.values)) < _LARGEST:
        return _judge_numbers(view)
    mixed = others <= _FEW_OTHER_TEXTS and numeric >= _MOSTLY_NUMBERS
    if numbers.padded:
        if mixed and not _numbers_differ(view):
            return _judge_codes(view)
        return _judge_texts(view)
    several_ways = _judge_several_ways(view, numeric)
    if several_ways is not None:
        return several_ways
    if mixed and view.distinct - others > _FEW_NUMBERS:
        return _number_domain(view, T.OTHER_TEXTS(count=others))
    kind, domain, reason = _judge_texts(view)
    if kind == "identifier" and numeric >= _MOSTLY_NUMBERS:
        reason = in_a_row((reason, T.MOSTLY_NUMBERS()))
    return kind, domain, reason


def _judge_name(name: str) -> _Judgement:
    """Judges a column of a file without rows."""
    if names_a_person(name):
        return "identifier", None, T.NAMES_PERSON()
    if names_a_weight(name):
        return "weight", None, T.HOLDS_WEIGHTS()
    if no_answer := says_no_answer(name):
        return "identifier", None, no_answer
    return "nominal", None, T.EMPTY_COLUMN()


def _judge_numbers(view: _View) -> _Judgement:
    values = view.numbers.values
    if float(values.min()) == float(values.max()):
        # Written differently, such as 0, -0 and 0.0.
        return "nominal", None, T.ONE_ANSWER()
    whole = bool(np.all(values == np.floor(values)))
    called, above_zero = f"{view.column.name} {view.label}", float(values.min()) > 0
    body = float(values.min()) >= 25 and float(values.max()) <= 300  # kilograms or pounds
    positive = above_zero and not view.has_suspects
    if positive and may_name_a_weight(called) and not whole and not body:
        return "weight", None, T.LIKE_WEIGHTS()
    if view.distinct == 2:
        return "binary", _categories(view), T.DIFFERENT_ANSWERS(count=2)
    if view.distinct <= _FEW_NUMBERS and view.answers > view.distinct:
        return _judge_few_numbers(view, whole)
    # Whoever has a number of respondents has one, and no code of no answer.
    if whole and not view.has_codes and _nearly_all_differ(view):
        return "identifier", None, T.NUMBERED(count=view.distinct, answers=view.answers)
    return _number_domain(view, T.DIFFERENT_ANSWERS(count=view.distinct))


def _judge_few_numbers(view: _View, whole: bool) -> _Judgement:
    ordered = np.sort(view.numbers.values)
    if whole and not np.all(np.diff(ordered) == 1):
        return "nominal", _categories(view), T.NUMBERS_WITH_GAPS(count=view.distinct)
    return "ordinal", _categories(view), T.FEW_NUMBERS(count=view.distinct)


def _judge_several_ways(view: _View, numeric: float) -> _Judgement | None:
    """Judges numbers of which some have another minus, decimal mark or grouped digits, or None."""
    otherwise = numbers_in_any_way(view.column)[view.answered] & ~view.numbers.is_number
    unlike = int(view.counts[otherwise].sum())
    is_number = numeric + unlike / view.answers >= _MOSTLY_NUMBERS
    if not (unlike and is_number) or view.distinct <= _FEW_NUMBERS:
        return None
    if options_in(view.column, view.flags) is not None:
        # Codes with commas between them.
        return None
    unlike_texts = view.answered[otherwise]
    told, is_minus = describe_unlike(view.column, unlike_texts, view.answers, view.decimal)
    # Bounds without the numbers below zero would leave out every loss.
    if is_minus or numeric < _MOSTLY_NUMBERS:
        return "real", None, told
    return _number_domain(view, told)


def _number_domain(view: _View, reason: str) -> _Judgement:
    values = view.numbers.values[view.numbers.is_number]
    lower, upper = float(values.min()), float(values.max())
    whole = bool(np.all(values == np.floor(values)))
    kind: ColumnKind = "integer" if whole else "real"
    if lower == upper:
        return kind, None, T.ONE_ANSWER()
    try:
        if whole:
            return kind, integer_domain(lower, upper), reason
        return kind, real_domain(lower, upper, view.numbers.decimals), reason
    except ValidationError:
        return kind, None, T.CLOSE_NUMBERS()


def _judge_texts(view: _View) -> _Judgement:
    options = options_in(view.column, view.flags)
    if options is not None:
        reason = T.SEVERAL_ANSWERS(count=options.size, separator=options.separator)
        return "several", options, reason
    if _nearly_all_differ(view) or view.distinct > CATEGORIES_MOST:
        return "identifier", None, T.FREE_TEXT(count=view.distinct, answers=view.answers)
    if max(map(len, view.texts())) > CATEGORY_LETTERS:
        return "identifier", None, T.LONG_TEXTS(most=CATEGORY_LETTERS)
    kind: ColumnKind = "binary" if view.distinct == 2 else "nominal"
    return kind, _categories(view), T.DIFFERENT_ANSWERS(count=view.distinct)


def _judge_codes(view: _View) -> _Judgement:
    """Judges codes that are given to many people, such as postcodes.

    They are categories in a file of any size. Where too few repeat, or too many differ, no domain
    is suggested: many categories would be the answer of one respondent.
    """
    if view.distinct > 2 and (_texts_differ(view) or view.distinct > CATEGORIES_MOST):
        return "nominal", None, T.MANY_CODES(count=view.distinct, answers=view.answers)
    kind: ColumnKind = "binary" if view.distinct == 2 else "nominal"
    return kind, _categories(view), T.CODES(count=view.distinct)


def _nearly_all_differ(view: _View) -> bool:
    return _numbers_differ(view) if view.numbers.is_number.all() else _texts_differ(view)


def _numbers_differ(view: _View) -> bool:
    # Amounts and codes repeat now and then, numbers of respondents never do.
    return view.answers >= FEW_ANSWERS and view.distinct >= _NEARLY_ALL * view.answers


def _texts_differ(view: _View) -> bool:
    return view.answers >= FEW_ANSWERS and view.distinct > view.answers / 2


def _categories(view: _View) -> Categorical:
    texts, values = view.texts(), view.numbers.values
    # Numbers in their order, then texts in theirs: NaN marks the texts.
    is_text, number = np.isnan(values).tolist(), np.nan_to_num(values).tolist()
    order = sorted(
        range(len(texts)), key=lambda index: (is_text[index], number[index], texts[index])
    )
    return Categorical(values=tuple(texts[index] for index in order))


CATEGORIES_MOST = 1_000
"""Most different texts that are suggested as categories."""

CATEGORY_LETTERS = 200
"""Most letters of a category or option that is suggested."""

_SEPARATORS = (";", "|", ",", "/")
_SETS_LEAST = 2
_TOGETHER = 10
"""Least answers in which two parts stand together before they are taken for halves of one."""


def options_in(column: TextColumn, answered: npt.NDArray[np.bool_]) -> OptionSet | None:
    """Returns the options of which cells hold several, or None if they do not seem to.

    Cells that list options are more various than the options: the parts of all cells are fewer
    than the cells that differ. Parts that leave a bracket open, or that always stand together, are
    taken for one option.
    """
    if not _SETS_LEAST < np.count_nonzero(answered) <= CATEGORIES_MOST * OPTIONS_MAX:
        return None
    codes = np.flatnonzero(answered)
    cells = [column.distinct[code] for code in codes]
    for separator in _SEPARATORS:
        written = [list(filter(str.strip, cell.split(separator))) for cell in cells]
        parts = [list(map(str.strip, listed)) for listed in written]
        glued = _always_together(parts, column.counts[codes].tolist())
        parts = [_glued(listed, glued, separator) for listed in written]
        sets = sum(len(listed) > 1 for listed in parts)
        options = {part for listed in parts for part in listed} - {NOTHING}
        if sets >= _SETS_LEAST and 2 <= len(options) <= min(OPTIONS_MAX, len(cells) - 1):
            values = sorted(options)
            if max(map(len, values)) <= CATEGORY_LETTERS:
                with suppress(ValidationError):
                    return OptionSet(values=tuple(values), separator=separator)
    return None


def _always_together(
    cells: Sequence[Sequence[str]], counts: Sequence[int]
) -> frozenset[tuple[str, str]]:
    """Returns neighbours of which neither stands without the other, in enough answers."""
    behind: defaultdict[str, set[str]] = defaultdict(set)
    before: defaultdict[str, set[str]] = defaultdict(set)
    given: Counter[tuple[str, str]] = Counter()
    for parts, count in zip(cells, counts, strict=True):
        for one, other in pairwise(["", *parts, ""]):
            behind[one].add(other)
            before[other].add(one)
            given[one, other] += count
    return frozenset(
        (one, other)
        for (one, other), count in given.items()
        if one and other and count >= _TOGETHER and len(behind[one]) == len(before[other]) == 1
    )


def _glued(written: Sequence[str], glued: frozenset[tuple[str, str]], separator: str) -> list[str]:
    """Returns the parts of a cell, those joined that are halves of an option."""
    made: list[str] = []
    last = ""
    for text in written:
        part = text.strip()
        is_open = made and sum(map(made[-1].count, "([{")) > sum(map(made[-1].count, ")]}"))
        if is_open or (last, part) in glued:
            made[-1] += separator + text.rstrip()
        else:
            made.append(part)
        last = part
    return made
