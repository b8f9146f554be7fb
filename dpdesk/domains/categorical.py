"""A domain of named categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator

from dpdesk.errors import ParameterError

CATEGORIES_MAX = 1_000_000


class Categorical(BaseModel):
    """A finite list of categories, in their order.

    Attributes:
        values: The categories as the file writes them; at least two, all different, none empty.
        labels: What a category means, by value; a value without an entry is its own label.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    type: Literal["categorical"] = "categorical"
    values: tuple[Annotated[str, Field(min_length=1, max_length=1000)], ...] = Field(
        min_length=2, max_length=CATEGORIES_MAX
    )
    labels: Mapping[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _values_differ(self) -> Categorical:
        if len(set(self.values)) != len(self.values):
            raise ParameterError("A category is listed twice.", remedy="List each category once.")
        if not set(self.labels) <= set(self.values):
            raise ParameterError(
                "A label belongs to no category.", remedy="Label only the categories of the list."
            )
        return self

    @cached_property
    def _hash(self) -> int:
        return hash((self.values, tuple(sorted(self.labels.items()))))

    def __hash__(self) -> int:
        return self._hash

    @property
    def size(self) -> int:
        """Number of categories, k."""
        return len(self.values)

    @property
    def unit(self) -> str:
        """Categories have no unit; their shares are given in per cent."""
        return ""

    @property
    def texts(self) -> tuple[str, ...]:
        """Released text of each code, length k."""
        return self.values

    def label(self, code: int) -> str:
        """Returns what the category of this code means, for people."""
        value = self.values[code]
        return self.labels.get(value, value)

    @cached_property
    def _code_of(self) -> dict[str, int]:
        return {value: code for code, value in enumerate(self.values)}

    def encode(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.int32]:
        """Returns the code of each text, shape (len(texts),); -1 where it is no category."""
        code_of = self._code_of
        return np.fromiter((code_of.get(t, -1) for t in texts), np.int32, len(texts))

    def outside(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.bool_]:
        """Returns where a text is no category of the list, shape (len(texts),)."""
        return np.asarray(self.encode(texts) < 0)

    def with_categories(self, *values: str) -> Categorical:
        """Returns this domain with further categories behind its own (those it lacks)."""
        added = tuple(value for value in values if value not in self._code_of)
        return Categorical(values=self.values + added, labels=self.labels) if added else self
