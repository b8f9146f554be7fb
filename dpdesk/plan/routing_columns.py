"""Columns as the search for filter questions sees them: how they are parted, and a first look.

Some of the records are looked at to find the pairs of columns of which all are counted: by bits, a
class of answers each, or one by one where there are many answers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.reading import Reading
from dpdesk.data.table import Flags, TextColumn
from dpdesk.domains import OptionSet, domain_type
from dpdesk.numbers.arrays import Mapped
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import missing_texts

EXCEPTIONS = 0.05
"""Largest share of those not asked who have an answer nevertheless."""
LEAST_ANSWERED = 0.25
"""Least share of those asked who answered."""
LEAST_RECORDS = 5
_FEW_NUMBERS = 12
"""Numbers of no more values are parted value by value, as codes of answers are."""
_MOST_ANSWERS = 1_000
"""A filter question of texts has no more answers, and at least so many records for each on the
average: others are open answers."""
_RECORDS_EACH = 5
_MOST_CLASSES = 60
"""Of more answers the records are counted instead of their bits."""
_MOSTLY_NUMBERS = 0.8
_HALVES = 3
"""So many columns are tried as the first of two filters of which either lets in."""
ROWS = 4_096
"""So many records are looked at to find the pairs of which all are counted."""
_GOLDEN = (math.sqrt(5) - 1) / 2
_CUTS = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
"""Shares of the records at which numbers are parted for that look, from either end."""


@dataclass(frozen=True, eq=False)
class Answers:
    """A column, and what of it stays the same until its answers or their meaning change.

    Attributes:
        texts: The column.
        meaning: What its missing answers depend on.
        missing: Which distinct texts mean "no answer".
        blanks: Number of respondents without an answer.
        is_question: Whether respondents answered it: not their numbers and weights.
        decimal: The decimal mark of numbers.
        options: Its options, where it is a question with several answers.
    """

    texts: TextColumn
    meaning: tuple[object, ...]
    missing: Flags
    blanks: int
    is_question: bool
    decimal: str
    options: OptionSet | None = None

    @classmethod
    def of(cls, texts: TextColumn, column: ColumnPlan, reading: Reading) -> Answers:
        """Returns a column as the plan and the reading of the file read it."""
        missing = missing_texts(column, texts, reading)
        blanks = texts.rows_with(missing)
        is_question = domain_type(column.kind) is not None
        meaning = meaning_of(column, reading)
        options = column.domain if isinstance(column.domain, OptionSet) else None
        return cls(texts, meaning, missing, blanks, is_question, reading.decimal, options)

    @property
    def is_routed(self) -> bool:
        """Whether enough respondents have an answer and enough have none."""
        return min(self.blanks, self.texts.rows - self.blanks) >= LEAST_RECORDS

    @cached_property
    def is_interval(self) -> bool:
        """Whether it is parted by an interval, not answer by answer."""
        return self.numbers.size > 0

    @property
    def order(self) -> NDArray[np.intp]:
        """The distinct texts that are answers of a filter question, numbers ascending, shape (k,).

        Empty where the column can be none.
        """
        return self._parts[0]

    @property
    def numbers(self) -> NDArray[np.float64]:
        """Their numbers, shape (k,), where it is parted by an interval; else empty."""
        return self._parts[1]

    @cached_property
    def _parts(self) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        texts, none = self.texts, np.empty(0)
        if not self.is_question:
            return np.empty(0, dtype=np.intp), none
        given = np.flatnonzero((texts.counts > 0) & ~self.missing)
        if given.size <= _FEW_NUMBERS:
            return (given if given.size > 1 else given[:0]), none
        numbers = texts.numbers(self.decimal).values[given]
        is_number = ~np.isnan(numbers)
        counts = texts.counts[given]
        if counts[is_number].sum() < _MOSTLY_NUMBERS * counts.sum():
            # Many combinations of options tell no more than the options.
            most = _MOST_CLASSES if self.options is not None else _MOST_ANSWERS
            few = given.size <= max(_MOST_CLASSES, int(counts.sum()) // _RECORDS_EACH)
            return (given if few and given.size <= most else given[:0]), none
        given, numbers = given[is_number], numbers[is_number]
        ascending = np.argsort(numbers, kind="stable")
        return given[ascending], numbers[ascending]

    @cached_property
    def ticked(self) -> Flags:
        """Which options each distinct text holds, shape (distinct_count, k); k is 0 for others."""
        if self.options is None:
            return np.zeros((self.texts.distinct_count, 0), dtype=np.bool_)
        return self.options.ticked_in(self.texts.distinct) & ~self.missing[:, None]

    @cached_property
    def has_many_answers(self) -> bool:
        """Whether it is parted answer by answer, by more answers than there are classes of bits."""
        return not self.is_interval and self.order.size > _MOST_CLASSES

    @cached_property
    def some_places(self) -> NDArray[np.intp]:
        """The answer of each record that is looked at, by its place in `order`; k for none."""
        place = np.full(self.texts.distinct_count, self.order.size, dtype=np.intp)
        place[self.order] = np.arange(self.order.size)
        return place[self.texts.codes[_some_rows(self.texts.rows)]]

    @cached_property
    def options_classes(self) -> tuple[_Classes, ...]:
        """Some records by whether they ticked each option."""
        if self.options is None:
            return ()
        parts = (np.where(self.missing, -1, ticked.astype(np.intp)) for ticked in self.ticked.T)
        return tuple(_Classes(self.packed(class_of, 2), False) for class_of in parts)

    @cached_property
    def classes(self) -> _Classes | None:
        """Some records by what they answer; None where the column can be no filter question.

        Nor for one with many answers, whose records are counted.

        Few answers are a class each; numbers are cut more finely at both ends, where ages of
        children and of old people are.
        """
        # A column of no question may have as many texts as there are rows.
        if self.has_many_answers or self.order.size < 2:
            return None
        class_of = np.full(self.texts.distinct_count, -1, dtype=np.intp)
        if self.is_interval:
            counts = self.texts.counts[self.order]
            middle = (np.cumsum(counts) - counts / 2) / counts.sum()
            cuts = np.array([*_CUTS, *(1 - cut for cut in reversed(_CUTS))])
            found = np.unique(np.searchsorted(cuts, middle), return_inverse=True)[1]
            # One number written in two ways may not fall into two classes.
            class_of[self.order] = found[np.searchsorted(self.numbers, self.numbers)]
        else:
            class_of[self.order] = np.arange(self.order.size)
        count = int(class_of.max(initial=-1)) + 1
        return _Classes(self.packed(class_of, count), self.is_interval) if count > 1 else None

    @property
    def packed_blanks(self) -> NDArray[np.uint64]:
        """Which of the records that are looked at have no answer, one a bit, shape (1, words)."""
        return self.packed(np.where(self.missing, 0, -1), 1)

    @cached_property
    def some_given(self) -> Flags:
        """Which of the records that are looked at have an answer, shape (rows,)."""
        return ~self.missing[self.texts.codes[_some_rows(self.texts.rows)]]

    def packed(self, class_of: NDArray[np.intp], count: int) -> NDArray[np.uint64]:
        """Returns which of the records that are looked at are in each class, one a bit.

        Args:
            class_of: The class of each distinct text, shape (distinct_count,); -1 for none.
            count: How many classes there are; the shape returned is (count, words).
        """
        found = class_of[self.texts.codes[_some_rows(self.texts.rows)]] == _places(count)
        return _packed(found)


def _packed(found: Flags) -> NDArray[np.uint64]:
    padded = np.zeros((len(found), -(-found.shape[1] // 64) * 64), dtype=np.bool_)
    padded[:, : found.shape[1]] = found
    return np.packbits(padded, axis=1).view(np.uint64)


def _places(count: int) -> NDArray[np.intp]:
    return np.arange(count)[:, None]


@lru_cache(maxsize=4)
def _some_rows(rows: int) -> NDArray[np.intp]:
    """Returns the records that are looked at: spread evenly, with jumps that no file repeats.

    A household of three in each three rows is not seen by its first member alone.
    """
    if rows <= ROWS:
        return np.arange(rows)
    places = np.arange(ROWS)
    return np.asarray((places + places * _GOLDEN % 1) * (rows / ROWS)).astype(np.intp)


def meaning_of(column: ColumnPlan, reading: Reading) -> tuple[object, ...]:
    """Returns what the blanks and the partings of a column depend on, beside its answers."""
    return (column.kind, column.domain, column.missing, reading)


class _Classes:
    """Records of a column by what they answer, as bits.

    Args:
        masks: Which records are in each class, one a bit, shape (classes, words).
        is_cut: Whether a class holds several numbers.
    """

    def __init__(self, masks: NDArray[np.uint64], is_cut: bool) -> None:
        self.masks = masks
        self.times = np.bitwise_count(masks).sum(axis=1, dtype=np.int64)
        self.is_cut = is_cut


class Neighbours:
    """Neighbouring columns, whose records that are looked at are counted at once.

    Args:
        columns: The columns.
    """

    def __init__(self, columns: list[Answers]) -> None:
        found = [(column, column.classes) for column in columns]
        parts = [(column, classes) for column, classes in found if classes is not None]
        parts += [(column, one) for column in columns for one in column.options_classes]
        self._last: tuple[Answers, NDArray[np.int64]] | None = None
        self._many = _ManyAnswers([column for column in columns if column.has_many_answers])
        self._columns = [column for column, _ in parts]
        self._allowed = EXCEPTIONS * (1 if columns[0].texts.rows <= ROWS else 2)
        if not parts:
            return
        self._times = np.concatenate([classes.times for _, classes in parts])
        self._masks = np.concatenate([classes.masks for _, classes in parts])
        self._sizes = np.array([classes.times.size for _, classes in parts])
        self._begins = np.cumsum(self._sizes) - self._sizes
        is_cut = [classes.is_cut for _, classes in parts]
        self._slack = np.where(is_cut, 1 / 3, self._allowed)

    def likely_filters(
        self, target: Answers, log_chance: float, within: Mapped[np.bool_] | None = None
    ) -> list[Answers]:
        """Returns the columns that may be filters of another; that itself never is.

        Where all records are looked at, none that is one by the criterion is left out, except
        numbers that are cut within a class.

        Args:
            target: The other column.
            log_chance: Logarithm of the largest chance.
            within: Of which records it may be one; None for all. Columns of many answers are
                then left out.
        """
        likely = []
        if within is None:
            likely = self._many.likely_filters(target, self._allowed, log_chance)
        if not self._columns:
            return likely
        begins, masks, times = self._begins, self._masks, self._times
        if within is not None:
            masks = masks & _packed(within[_some_rows(target.texts.rows)][None])
            times = np.bitwise_count(masks).sum(axis=1, dtype=np.int64)
        blank = np.bitwise_count(masks & target.packed_blanks).sum(axis=1, dtype=np.int64)
        given = times - blank
        if within is None:
            self._last = (target, given)
        fits = _fitting(given, times, begins, self._sizes, self._slack, log_chance)
        # A question with several answers has a part for each option.
        return list(dict.fromkeys([*(self._columns[place] for place in fits), *likely]))

    def half_filters(self, target: Answers, log_chance: float) -> list[Answers]:
        """Returns a few columns that may be one of two filters of which either lets in.

        Those with some answers to them answered so much more often than those with others that
        chance does not explain it.

        Args:
            target: The other column, of which the likely filters were asked for just before.
            log_chance: Logarithm of the largest chance.
        """
        if not self._columns or self._last is None or self._last[0] is not target:
            return []
        given, times, begins = self._last[1], self._times, self._begins
        of_all, answered = np.add.reduceat(times, begins), np.add.reduceat(given, begins)
        share = answered / np.maximum(of_all, 1)
        is_high = given >= np.repeat(share, self._sizes) * times
        high, of_high = (np.add.reduceat(x * is_high, begins) for x in (times, given))
        low, of_low = of_all - high, answered - of_high
        fits = (low > 0) & (high > 0) & (of_high >= 0.8 * LEAST_ANSWERED * high)
        if not fits.any():
            return []
        information = _information(low, of_low, high, of_high)
        information += np.log1p(low) + np.log1p(high)
        fits &= information >= -log_chance
        best = sorted(np.flatnonzero(fits).tolist(), key=lambda place: -information[place])
        return list(dict.fromkeys(self._columns[place] for place in best))[:_HALVES]


class _ManyAnswers:
    """Columns of more answers than a class of bits each would pay for.

    Args:
        columns: The columns.
    """

    def __init__(self, columns: list[Answers]) -> None:
        self._columns = columns
        if not columns:
            return
        sizes = np.array([column.order.size for column in columns])
        self._sizes = sizes + 1
        self._begins = np.cumsum(self._sizes) - self._sizes
        places = zip(columns, self._begins.tolist(), strict=True)
        self._places = np.stack([column.some_places + begin for column, begin in places])
        self._none = self._begins + sizes
        self._times = self._counted(self._places)

    def _counted(self, places: NDArray[np.intp]) -> NDArray[np.int64]:
        counts = np.bincount(places.ravel(), minlength=int(self._none[-1]) + 1)
        counts[self._none] = 0
        return counts

    def likely_filters(self, target: Answers, slack: float, log_chance: float) -> list[Answers]:
        """Returns the columns that may be filters of another; that itself never is."""
        if not self._columns:
            return []
        given = self._counted(self._places[:, target.some_given])
        slacks = np.full(len(self._columns), slack)
        fits = _fitting(given, self._times, self._begins, self._sizes, slacks, log_chance)
        return [self._columns[place] for place in fits]


def _fitting(
    given: NDArray[np.int64],
    times: NDArray[np.int64],
    begins: NDArray[np.intp],
    sizes: NDArray[np.intp],
    slack: NDArray[np.float64],
    log_chance: float,
) -> list[int]:
    """Returns which partings of some records may part those asked from the others.

    Args:
        given: How many records of each class have an answer, shape (classes,).
        times: How many records are in each class, alike.
        begins: The first class of each parting, shape (k,).
        sizes: The number of its classes, alike.
        slack: Share of those not asked who may have an answer, shape (k,).
        log_chance: Logarithm of the largest chance.
    """
    of_all, answered = np.add.reduceat(times, begins), np.add.reduceat(given, begins)
    share = np.divide(answered, of_all, out=np.zeros(begins.shape), where=of_all > 0)
    not_asked = given < np.repeat(share / 2, sizes) * times
    skipped = np.add.reduceat(times * not_asked, begins)
    errors = np.add.reduceat(given * not_asked, begins)
    asked = of_all - skipped
    fits = (skipped > 0) & (asked > 0) & (errors <= slack * skipped)
    fits &= answered - errors >= 0.8 * LEAST_ANSWERED * asked
    if not fits.any():
        return []
    # A binomial coefficient is at most exp(n H) and at least that over n + 1.
    information = _information(skipped, errors, asked, answered - errors)
    information += np.log1p(skipped) + np.log1p(asked)
    fits &= information >= -log_chance
    return np.flatnonzero(fits).tolist()


def _information(
    skipped: NDArray[np.int64],
    errors: NDArray[np.int64],
    asked: NDArray[np.int64],
    answered: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Returns n times the mutual information of asked or not and answered or not, in nats."""

    def weigh(count: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(count * np.log(np.maximum(count, 1)))

    cells = weigh(errors) + weigh(skipped - errors) + weigh(answered) + weigh(asked - answered)
    total, given = skipped + asked, errors + answered
    margins = weigh(skipped) + weigh(asked) + weigh(given) + weigh(total - given)
    return np.asarray(cells - margins + weigh(total))
