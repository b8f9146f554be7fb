"""Domains that are lists: categories of which an answer is one, options of which it ticks any."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import eq
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, PrivateAttr, model_validator

from dpdesk.domains.base import BaseDomain, NoOther
from dpdesk.domains.column_kind import ColumnKind
from dpdesk.domains.look_alike import look_alike
from dpdesk.domains.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_

CATEGORIES_MAX = 1_000_000
_NAMED_MAX = 12
"""Most values that words list one by one."""


_SENTENCE = re.compile(r"[^\W\d_].*[\s\d]|[\s\d].*[^\W\d_]", re.DOTALL)

YES_WORDS = ("1", "1.0", "1,0", "yes", "true", "y", "t", "ja", "oui", "sí", "si", "sim", "tak")
"""Texts of an answer that is usually yes, without capitals."""
NO_WORDS = ("0", "0.0", "0,0", "2", "no", "false", "n", "f", "nein", "non", "não", "nie")
"""Texts of one that is usually no."""


class ListedDomain(BaseDomain):
    """A finite list of values, in their order; what is estimated are their shares.

    Attributes:
        values: The values as the file writes them; at least two, all different, none empty.
        labels: What a value means, by value; one without an entry is its own label.
    """

    # Declared here for its place in files: before the values.
    type: Literal["categorical", "several"]
    values: tuple[Annotated[str, Field(min_length=1, max_length=1000)], ...] = Field(
        min_length=2, max_length=CATEGORIES_MAX
    )
    labels: Mapping[str, str] = Field(default_factory=dict)
    _missing_value: str = PrivateAttr("")

    @model_validator(mode="after")
    def _values_differ(self) -> Self:
        if len(set(self.values)) != len(self.values):
            raise ParameterError(T.LISTED_TWICE())
        if not set(self.labels) <= set(self.values):
            raise ParameterError(T.LABEL_OF_NONE())
        return self

    @cached_property
    def _hash(self) -> int:
        return hash((type(self), self.values, tuple(sorted(self.labels.items()))))

    def __hash__(self) -> int:
        return self._hash

    @property
    def size(self) -> int:
        return len(self.values)

    @property
    def laws(self) -> Hashable:
        # What the values are called changes none.
        return type(self), self.size

    @property
    def unit(self) -> str:
        """Listed values have no unit; their shares are given in per cent."""
        return ""

    @property
    def texts(self) -> tuple[str, ...]:
        return self.values

    @property
    def listed(self) -> tuple[str, ...]:
        return self.values

    @property
    def scale(self) -> float:
        return 100.0

    @property
    def words(self) -> str:
        if self.size > _NAMED_MAX:
            return self.count_words.format(count=f"{self.size:,}")
        return ", ".join(self.label(code) for code in range(self.size))

    def label(self, code: int) -> str:
        # Where several values have this label, the value stands beside it.
        value = self.values[code]
        label = self.labels.get(value, value)
        return f"{label} ({value})" if label != value and label in self._shared_labels else label

    def value_with_label(self, value: str) -> str:
        """Returns a listed value as the file writes it, with its label beside it if it has one."""
        label = self.labels.get(value, value)
        return value if label == value else f"{value} ({label})"

    @cached_property
    def alike(self) -> int:
        return look_alike(self.label(code) for code in range(self.size))

    @property
    def sentences(self) -> int:
        """Number of values with letters beside blanks or digits, as people write of themselves."""
        return sum(_SENTENCE.search(value.strip()) is not None for value in self.values)

    @cached_property
    def _shared_labels(self) -> frozenset[str]:
        told = Counter(self.labels.get(value, value) for value in self.values)
        return frozenset(label for label, times in told.items() if times > 1)

    @cached_property
    def _code_of(self) -> dict[str, int]:
        return {value: code for code, value in enumerate(self.values)}

    def outside(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.bool_]:
        return np.asarray(self.encode(texts) < 0)

    def count_answers(
        self, codes: NDArray[np.integer], counts: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Returns how many respondents gave each listed value, shape (k,), by their codes."""
        given = np.zeros(self.size, dtype=np.int64)
        np.add.at(given, codes, counts)
        return given

    def changed(self, **changes: object) -> Self:
        """Returns this domain with fields changed and validated again.

        Raises:
            pydantic.ValidationError: A change is invalid.
        """
        fields = {key: getattr(self, key) for key in type(self).model_fields}
        return type(self)(**(fields | changes))

    def with_listed(self, *texts: str) -> Self:
        added = tuple(t for t in texts if t not in self._code_of and self.takes_listed(t))
        return self.changed(values=self.values + added) if added else self

    @property
    def missing_value(self) -> str:
        return self._missing_value

    def with_missing_value(self, value: str) -> Self:
        if not self.takes_listed(value):
            return self
        domain = self.with_listed(value).model_copy()
        domain._missing_value = value
        return domain

    def takes_listed(self, text: str) -> bool:
        return True


class Categorical(ListedDomain):
    """A finite list of categories, of which an answer is one."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("nominal", "ordinal", "binary")
    count_words: ClassVar[str] = N_("{count} categories")

    type: Literal["categorical"] = "categorical"

    def encode(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.int32]:
        code_of = self._code_of
        return np.fromiter((code_of.get(t, -1) for t in texts), np.int32, len(texts))


def _are_told_apart(options: Mapping[tuple[str, ...], int]) -> bool:
    """Whether a cell can be read in one way: no option goes on as another one begins."""

    def agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
        return all(map(eq, one, other))

    rests = [
        long[len(short) :]
        for long in options
        for short in options
        if len(short) < len(long) and agree(short, long)
    ]
    return not any(agree(rest, one) for rest in rests for one in options)


OPTIONS_MAX = 30
"""Most options of a set: a set of 31 of them, with one for no answer, is a code of 32 bits."""


_SET = re.compile(r"set\((.+?)\)(?::(.[^:]{0,9})(?::(.*))?)?")

NOTHING = "(none)"
"""Text for no option at all, where a plan says nothing else."""


class OptionSet(ListedDomain):
    """The options of a question that may have several answers at once, or none.

    An answer is a set of options, written as their texts with a separator between them. Its code
    has bit j where the option j is ticked, so that there are 2^k codes.

    Attributes:
        separator: What stands between two options in a cell; blanks around them do not count.
        nothing: The cell of somebody who ticked no option. If it is empty, a blank cell is such
            an answer; else it tells nothing, and is missing where the column says so.
    """

    form: ClassVar[str] = "set(OPTION|OPTION|...)[:SEPARATOR[:NOTHING]]"
    """How a declaration in one line is written; a third part that is empty means blank cells."""
    example: ClassVar[str] = "set(TV|Web|Radio):,"

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("several",)
    is_set: ClassVar[bool] = True
    no_other: ClassVar[NoOther | None] = NoOther(
        "other_of_set",
        "may have several answers",
        "Remove it; an answer with an option that is not declared counts as missing.",
    )
    count_words: ClassVar[str] = N_("{count} options")

    type: Literal["several"] = "several"
    separator: Annotated[str, Field(min_length=1, max_length=10)] = ";"
    nothing: Annotated[str, Field(max_length=1000)] = NOTHING

    @model_validator(mode="after")
    def _cells_are_unambiguous(self) -> Self:
        if len(self.values) > OPTIONS_MAX + 1:
            raise ParameterError(T.MANY_OPTIONS(most=OPTIONS_MAX))
        if not self.separator.strip() or any(value != value.strip() for value in self.values):
            raise ParameterError(T.BLANK_SEPARATOR())
        parts = (part for value in self.values for part in value.split(self.separator))
        is_plain = len(self._option_of) == self.size and all(map(str.strip, parts))
        if not is_plain or not _are_told_apart(self._option_of):
            raise ParameterError(T.SEPARATOR_IN_OPTION())
        if self.nothing in self.values:
            raise ParameterError(T.NOTHING_LISTED())
        return self

    def __hash__(self) -> int:
        return self._hash

    @classmethod
    def read(cls, text: str) -> OptionSet | None:
        """Reads a declaration of the form `form`; None if it has another form.

        Raises:
            pydantic.ValidationError: It declares no options that can be told apart in a cell.
        """
        parts = _SET.fullmatch(text)
        if parts is None:
            return None
        given = {"separator": parts[2], "nothing": parts[3]}
        said = {name: part for name, part in given.items() if part is not None}
        return cls.model_validate({"values": tuple(parts[1].split("|"))} | said)

    @property
    def declaration(self) -> str:
        """The declaration that reads as these options, with the separator."""
        return f"set({'|'.join(self.values)}):{self.separator}"

    def split(self) -> Self | None:
        """Returns the domain with each part of an option as one; None where it has too many."""
        parts = dict.fromkeys(part for value in self.values for part in self._parts(value))
        return self.changed(values=tuple(parts), labels={}) if len(parts) <= OPTIONS_MAX else None

    @property
    def joined_values(self) -> tuple[str, ...]:
        """The options that hold the separator."""
        return tuple(value for value in self.values if self.separator in value)

    @property
    def words(self) -> str:
        return T.ANY_OF(options=super().words)

    @property
    def never_missing(self) -> tuple[str, ...]:
        return (self.nothing,)

    def takes_listed(self, text: str) -> bool:
        is_plain = self.separator not in text and text == text.strip()
        return is_plain and _are_told_apart({**self._option_of, (text,): -1})

    def encode(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.int32]:
        return np.fromiter(map(self._code, texts), np.int32, len(texts))

    def _code(self, text: str) -> int:
        if text.strip() == self.nothing:
            return 0
        codes = list(self._options_in(text))
        if not codes or min(codes) < 0:
            return -1
        return sum(1 << code for code in set(codes))

    def _parts(self, text: str) -> tuple[str, ...]:
        return tuple(filter(None, map(str.strip, text.split(self.separator))))

    @cached_property
    def _option_of(self) -> dict[tuple[str, ...], int]:
        """The code of each option, by its parts: an option may hold the separator."""
        return {self._parts(value): code for code, value in enumerate(self.values)}

    def _options_in(self, text: str) -> Iterator[int]:
        """Yields the options of a cell, the longest that stands there first; -1 for another."""
        parts = self._parts(text)
        longest = max(map(len, self._option_of))
        place = 0
        while place < len(parts):
            ends = range(min(place + longest, len(parts)), place, -1)
            known = (end for end in ends if parts[place:end] in self._option_of)
            end = next(known, place + 1)
            yield self._option_of.get(parts[place:end], -1)
            place = end

    def count_answers(
        self, codes: NDArray[np.integer], counts: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        ticked = self.ticked(np.asarray(codes, dtype=np.int32))
        return np.asarray(np.asarray(counts, dtype=np.int64) @ ticked)

    def ticked_in(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Returns which options each cell holds, shape (len(texts), k), whatever else is in it."""
        found = np.zeros((len(texts), self.size), dtype=np.bool_)
        for place, text in enumerate(texts):
            found[place, [code for code in self._options_in(text) if code >= 0]] = True
        return found

    def ticked(self, codes: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Returns which options each code holds, shape (n, k)."""
        return np.asarray(codes[:, None] >> np.arange(self.size, dtype=np.int32) & 1 == 1)
