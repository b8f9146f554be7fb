"""The states of a column: what a synthetic answer can be, declared before anybody looks at data.

Each category is a state. Numbers are put into classes of equal width whose edges are round numbers,
and numbers where a declared condition begins or ends; a synthetic number is drawn evenly from the
points of the grid in its class. No answer is a state of its own where the column can lack answers.

Of a question with several answers each set of options is a state, as long as there are few. With
more options each of them has states of its own, ticked or not, and so has "no answer".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import numpy as np

from dpdesk.domains import AnyDomain, NumericDomain, OptionSet
from dpdesk.numbers.arrays import Codes, Flags
from dpdesk.queries.condition import Condition
from dpdesk.queries.written import written
from dpdesk.randomness import WordSource

CLASSES = 20
"""Most classes of the numbers of a column."""

STATES_MAX = 10_000
"""Most states of a column: its shares alone would be noise beyond."""

ROWS_MAX = 10_000_000
"""Most synthetic rows: where a file seems to have more, so many are drawn."""

OPTIONS_OF_WHOLE_SETS = 4
"""Most options of which every set is a state; more would be counted in too many rare cells."""

NO_ANSWER = "no answer"

_ROUND = (1, 2, 5)
_WORD_BITS = 64


@dataclass(frozen=True)
class ColumnStates(ABC):
    """The states of one column, or of one option of a question with several answers.

    Attributes:
        column: Name of the plan's column.
        texts: What each state is called: a category by its label, a class of numbers by its first
            and last.
    """

    column: str
    texts: tuple[str, ...]

    @property
    def name(self) -> str:
        """What it is called beside other columns."""
        return self.column

    @property
    def size(self) -> int:
        """Number of states."""
        return len(self.texts)

    @property
    def are_classes(self) -> bool:
        """Whether several numbers share a state."""
        return False

    @property
    @abstractmethod
    def may_lack_answers(self) -> bool:
        """Whether a state says that nobody answered, or belongs to nobody who did not."""

    @abstractmethod
    def of_codes(self, codes: Codes) -> Codes:
        """Returns the state of each code, same shape.

        Args:
            codes: Codes of the domain; -1 and the code behind the last stand for no answer.
        """

    @abstractmethod
    def drawn_codes(self, states: Codes, words: WordSource) -> Codes:
        """Returns a code of each state; those of several options are added up.

        Args:
            states: States, shape (rows,).
            words: Random words.
        """

    def meeting(self, domain: AnyDomain, condition: Condition) -> Flags:
        """Returns which states meet a condition on the column, shape (size,).

        Raises:
            ParameterError: The condition does not suit the domain.
        """
        return condition.met(domain, self._codes_of_states())

    @abstractmethod
    def _codes_of_states(self) -> Codes:
        """A code of each state, -1 for no answer."""


@dataclass(frozen=True)
class ValueStates(ColumnStates):
    """Categories, or classes of numbers.

    Attributes:
        starts: First code of each state, and the code behind the last one; a category has one
            code.
        no_answer: Code that stands for no answer in the file that is written; None where every
            row has an answer.
    """

    starts: tuple[int, ...]
    no_answer: int | None

    @property
    def are_classes(self) -> bool:
        return self.starts[-1] > len(self.starts) - 1

    @property
    def may_lack_answers(self) -> bool:
        return self.no_answer is not None

    def of_codes(self, codes: Codes) -> Codes:
        behind = self.starts[-1]
        missing = (codes < 0) | (codes >= behind)
        found = np.searchsorted(np.asarray(self.starts), codes, side="right") - 1
        return np.where(missing, self.size - 1, found).astype(np.int32)

    def drawn_codes(self, states: Codes, words: WordSource) -> Codes:
        own = np.asarray(self.starts, dtype=np.int64)
        firsts, widths = own[:-1], np.diff(own)
        if self.no_answer is not None:
            firsts = np.append(firsts, self.no_answer)
            widths = np.append(widths, 1)
        codes = firsts[states]
        if self.are_classes:
            shares = words.take(states.size) / 2.0**_WORD_BITS
            wide = widths[states]
            codes = codes + np.minimum((shares * wide).astype(np.int64), wide - 1)
        return codes.astype(np.int32)

    def _codes_of_states(self) -> Codes:
        codes = np.asarray(self.starts[:-1], dtype=np.int32)
        return codes if self.no_answer is None else np.append(codes, np.int32(-1))


@dataclass(frozen=True)
class SetStates(ColumnStates):
    """Whole answers to a question with few options.

    Attributes:
        codes: Code of each state, ascending; the last one says that nobody answered where
            `lacks`.
        lacks: Whether a row can lack an answer that is none of the options.
    """

    codes: tuple[int, ...]
    lacks: bool

    @property
    def may_lack_answers(self) -> bool:
        return self.lacks

    def of_codes(self, codes: Codes) -> Codes:
        own = np.where(codes < 0, self.codes[-1], codes)
        return np.searchsorted(np.asarray(self.codes), own).astype(np.int32)

    def drawn_codes(self, states: Codes, words: WordSource) -> Codes:
        return np.asarray(self.codes, dtype=np.int32)[states]

    def _codes_of_states(self) -> Codes:
        codes = np.asarray(self.codes, dtype=np.int32)
        if self.lacks:
            codes[-1] = -1
        return codes


@dataclass(frozen=True)
class OptionStates(ColumnStates):
    """Whether one option of a question with many was ticked.

    Attributes:
        option: The option; `NO_ANSWER` where it stands for a missing answer.
        bit: Its place among the options.
        is_missing: Whether it is ticked where nobody answered, and then alone.
    """

    option: str
    bit: int
    is_missing: bool

    @property
    def name(self) -> str:
        return f"{written(self.column)} has {written(self.option)}"

    @property
    def may_lack_answers(self) -> bool:
        return self.is_missing

    def of_codes(self, codes: Codes) -> Codes:
        ticked = (codes >= 0) & (codes >> self.bit & 1 == 1)
        return np.asarray(ticked | (codes < 0) & self.is_missing).astype(np.int32)

    def drawn_codes(self, states: Codes, words: WordSource) -> Codes:
        return states.astype(np.int32) << self.bit

    def _codes_of_states(self) -> Codes:
        return np.array([0, 1 << self.bit], dtype=np.int32)


@lru_cache(maxsize=4096)
def column_states(
    name: str,
    domain: AnyDomain,
    *,
    lacks_answers: bool,
    classes: int = CLASSES,
    conditions: tuple[Condition, ...] = (),
    alone: tuple[str, ...] = (),
) -> tuple[ColumnStates, ...]:
    """Returns the states of a column, from its declaration alone; one entry for each option.

    Args:
        name: Name of the column.
        domain: Its declared domain.
        lacks_answers: Whether a row may have no answer that is none of the domain's.
        classes: Most classes of numbers, before they are divided by conditions.
        conditions: What is declared of the column; of a class all numbers meet them or none.
        alone: Numbers with a class of their own.
    """
    if isinstance(domain, OptionSet):
        return _set_states(name, domain, lacks_answers=lacks_answers)
    if isinstance(domain, NumericDomain):
        edges = {*class_starts(domain, classes), *_edges(domain, conditions, alone)}
        starts = tuple(sorted(edges))
        texts = tuple(
            domain.texts[first]
            if last == first
            else f"{domain.texts[first]} to {domain.texts[last]}"
            for first, last in zip(starts[:-1], (s - 1 for s in starts[1:]), strict=True)
        )
    else:
        starts = tuple(range(domain.size + 1))
        texts = tuple(domain.label(code) for code in range(domain.size))
    if not lacks_answers:
        return (ValueStates(name, texts, starts, None),)
    return (ValueStates(name, (*texts, NO_ANSWER), starts, domain.size),)


def _edges(
    domain: NumericDomain, conditions: tuple[Condition, ...], alone: tuple[str, ...]
) -> set[int]:
    """The codes at which a condition begins or ends to hold."""
    found: set[int] = set()
    for code in domain.encode(alone):
        found |= {int(code), int(code) + 1} if code >= 0 else set()
    for condition in conditions:
        if condition.answered is None:
            met = condition.table(domain)
            found |= {int(code) + 1 for code in np.flatnonzero(met[1:] != met[:-1])}
    return found


def _set_states(name: str, domain: OptionSet, *, lacks_answers: bool) -> tuple[ColumnStates, ...]:
    missing = domain.listed.index(domain.missing_value) if domain.missing_value else None
    if domain.size - (missing is not None) > OPTIONS_OF_WHOLE_SETS:
        ticked = ("not ticked", "ticked")
        options: list[ColumnStates] = [
            OptionStates(name, ticked, option, bit, bit == missing)
            for bit, option in enumerate(domain.listed)
        ]
        if lacks_answers:
            options.append(OptionStates(name, ticked, NO_ANSWER, domain.size, True))
        return tuple(options)
    codes = [
        code
        for code in range(1 << domain.size)
        if missing is None or code == 1 << missing or not code >> missing & 1
    ]
    texts = [set_text(domain, code) or "nothing ticked" for code in codes]
    if lacks_answers:
        codes.append(1 << domain.size)
        texts.append(NO_ANSWER)
    return (SetStates(name, tuple(texts), tuple(codes), lacks_answers),)


def set_text(domain: OptionSet, code: int, no_answer: str = "") -> str:
    """Returns a set of options as a file writes it.

    Args:
        domain: The options.
        code: The code of the set; that behind all options stands for no answer.
        no_answer: What is written for no answer.
    """
    if code >> domain.size:
        return no_answer
    chosen = [option for bit, option in enumerate(domain.listed) if code >> bit & 1]
    return domain.separator.join(chosen) if chosen else domain.nothing


def class_starts(domain: NumericDomain, most: int) -> tuple[int, ...]:
    """Returns the first code of each class of numbers, and the code behind the last.

    The width is 1, 2 or 5 times a power of ten, in steps of the grid, and the smallest that gives
    no more classes than `most`; edges are multiples of it, as people write classes (20 to 24).
    """
    first = domain.grid_lower / domain.grid_step
    # A grid that does not pass through 0 has no round numbers: its classes begin with it.
    offset = int(first) if first == first.to_integral_value() else 0
    size, power = domain.size, Decimal(1)
    while True:
        for factor in _ROUND:
            width = int(factor * power)
            edges = range((offset // width + 1) * width - offset, size, width)
            if len(edges) < most or width >= size:
                return (0, *edges, size)
        power *= 10
