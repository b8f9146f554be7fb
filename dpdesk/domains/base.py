"""What a domain answers of itself: what is estimated, in which units, and which texts it takes.

Code outside asks these questions; a new kind of domain is one class that answers them. Where an
algorithm is made for one kind (codes of a grid, bits of a set), it asks for this kind by name.

Three answers are fields of a plan for some kinds, so that they are declared there: `type`, the tag;
`values`, the listed texts or the numbers of a grid; `unit`, that of the values, empty for texts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from decimal import Decimal
from functools import cached_property
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from dpdesk.domains.column_kind import ColumnKind

SUPPOSED_MISSING = Decimal("0.1")
"""Share of missing answers that is supposed before anybody typed another."""


class NoOther(NamedTuple):
    """Why a domain has no category for answers outside its list.

    Attributes:
        code: The code of the problem in a plan.
        reason: A clause about the column.
        remedy: What to do, as a sentence.
    """

    code: str
    reason: str
    remedy: str


class BaseDomain(BaseModel):
    """The finite set of values that an attribute can have, and what follows from its kind."""

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    kinds: ClassVar[tuple[ColumnKind, ...]]
    """The kinds of columns that have such a domain, first that of which nothing else is known."""
    holds_numbers: ClassVar[bool] = False
    """Whether answers are numbers of a grid, of which the mean is estimated.

    Else they are texts of a list, and the share of each is estimated.
    """
    is_set: ClassVar[bool] = False
    """Whether an answer is a set of the values, of which the shares add up to more than 1."""
    no_other: ClassVar[NoOther | None] = None
    """Why it has no category for answers outside its list; None where `picks_one`."""
    count_words: ClassVar[str]
    """Its size in words, with {count}; to be translated."""

    @property
    def picks_one(self) -> bool:
        """Whether an answer is one of a list: there can be expected shares, and an "other"."""
        return not self.holds_numbers and not self.is_set

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of values."""

    @property
    def laws(self) -> Hashable:
        """What the laws of mechanisms depend on: they are the same on two domains of equal ones."""
        return self

    @property
    @abstractmethod
    def texts(self) -> tuple[str, ...]:
        """Released text of each value, length `size`."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What an answer can be, in words."""

    @abstractmethod
    def label(self, code: int) -> str:
        """Returns what the value at this position means, for people."""

    @abstractmethod
    def encode(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.int32]:
        """Returns the code of each text, shape (len(texts),); -1 if it is no answer of this."""

    @abstractmethod
    def outside(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.bool_]:
        """Returns which texts are no answer of this domain, shape (len(texts),)."""

    def canonical(self, texts: Sequence[str]) -> Sequence[str]:
        """Returns the texts as the values are written, where a value has several ways to be."""
        return texts

    @property
    def listed(self) -> tuple[str, ...]:
        """The answers that are listed one by one; none where they are numbers."""
        return ()

    @property
    def alike(self) -> int:
        """Number of listed answers that look like another one of them."""
        return 0

    @property
    def never_missing(self) -> tuple[str, ...]:
        """Texts that are answers, whatever codes of no answer are declared."""
        return ()

    @property
    def bounds(self) -> tuple[str, str, str] | None:
        """Lower bound, upper bound and step of a grid in plain digits; None without one."""
        return None

    @property
    def missing_share(self) -> float:
        """Supposed share of missing answers that have a code of their own; 0 without such."""
        return 0.0

    @property
    def scale(self) -> float:
        """What the estimated quantity is multiplied with to be shown: 100 for shares."""
        return 1.0

    @property
    def origin(self) -> float:
        """Where the estimated quantity begins: 0 for shares, the lower bound of numbers."""
        return 0.0

    @property
    def span(self) -> float:
        """Width of what the estimated quantity can be: 1 for shares."""
        return 1.0

    @property
    def noise_unit(self) -> float:
        """What n Var* has as its unit: a share, or half the interval of numbers."""
        return 1.0

    @property
    def shown_unit(self) -> str:
        """The unit of the estimated quantity; may be empty."""
        return "%"

    @property
    def error_unit(self) -> str:
        """The unit of its errors; may be empty."""
        return "pp"

    @property
    def two_answers(self) -> tuple[int, int]:
        """Codes of two answers to compare."""
        return 0, 1

    def with_listed(self, *texts: str) -> Self:
        """Returns this domain with the answers added to the list that it lacks and can have."""
        return self

    @property
    def missing_value(self) -> str:
        """The value of the list that stands for "no answer"; empty without such."""
        return ""

    def with_missing_value(self, value: str) -> Self:
        """Returns this domain with a value for "no answer" in its list, if it can have one."""
        return self

    def takes_listed(self, text: str) -> bool:
        """Tells whether a text can be an answer of the list; never where there is none."""
        return False

    def with_missing(self, share: float) -> Self:
        """Returns this domain with a code for missing answers, if it can have one.

        Args:
            share: Their supposed share, above 0 and below 1.
        """
        return self
