"""Verdicts on numbers: the error against the size of what is estimated.

The rule, for one number with its 95 % error and its size:

- useful: the error is at most a third of the size. A share then has a relative standard error of
  at most 17 %; up to 16.5 % Statistics Canada publishes estimates without a warning.
- useless: the error exceeds the size. The interval of a share reaches 0: nothing tells the answer
  from one that nobody gave. Of a mean not even a medium difference can be seen.
- coarse: between the two.

The size is the share or count itself, or half a standard deviation of the answers if that is less:
the difference between groups that is called medium (Cohen 1988).

Several numbers are useful if all are, and useless if at least half are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from dpdesk.i18n import Message, Text
from dpdesk.numbers.arrays import Codes, Counts, Floats
from dpdesk.plan.texts import T

Verdict = Literal["useful", "coarse", "useless"]
VERDICTS: tuple[Verdict, ...] = ("useful", "coarse", "useless")
"""From the best to the worst."""

RATINGS: Mapping[Verdict, Text] = dict(zip(VERDICTS, (T.USEFUL, T.ROUGH, T.TOO_NOISY), strict=True))
"""The verdicts in words."""

USEFUL_PART = 1 / 3
"""The largest part of its size that the error of a useful number has."""

# Formulas that are equal must not differ by their last bits.
_SLACK = 1 + 1e-9


def verdict_of(error: float, size: float) -> Verdict:
    """Returns the verdict on a number; what is 0 cannot be told from 0, however small the error.

    Args:
        error: Half-width of its 95 % interval.
        size: Its size, in the same unit.
    """
    if size > 0 and error <= USEFUL_PART * size * _SLACK:
        return "useful"
    return "coarse" if size > 0 and error <= size * _SLACK else "useless"


def verdict_levels(errors: Floats, sizes: Floats) -> Codes:
    """Returns the verdicts on several numbers as places in `VERDICTS`; as for `verdict_of`."""
    useful = (sizes > 0) & (errors <= USEFUL_PART * sizes * _SLACK)
    useless = (sizes <= 0) | (errors > sizes * _SLACK)
    return np.asarray(1 - useful + useless.astype(np.int32), dtype=np.int32)


def levels_of_counts(counts: Counts) -> Codes:
    """Returns the verdicts on several wholes as places in `VERDICTS`, see `ShareCounts.verdict`.

    Args:
        counts: How many numbers of each whole have each verdict, shape (n, 3).
    """
    total = counts.sum(axis=1)
    useful = counts[:, 0] == total
    useless = ~useful & (2 * counts[:, 2] >= total)
    return np.asarray(1 - useful + useless.astype(np.int32), dtype=np.int32)


class ShareCounts(NamedTuple):
    """How many of several shares, or other numbers, have each verdict."""

    useful: int
    coarse: int
    useless: int

    @classmethod
    def of(cls, errors: Floats, sizes: Floats) -> ShareCounts:
        """Returns how many numbers have each verdict, by their 95 % errors and sizes."""
        return cls.of_levels(verdict_levels(errors, sizes))

    @classmethod
    def of_levels(cls, levels: Codes) -> ShareCounts:
        """Returns how often each verdict was given, by its place in `VERDICTS`."""
        return cls(*np.bincount(levels, minlength=len(VERDICTS)).tolist())

    @property
    def verdict(self) -> Verdict:
        """The verdict on all: useful if all are, useless if at least half are."""
        if self.useful == sum(self):
            return "useful"
        return "useless" if 2 * self.useless >= sum(self) else "coarse"

    @property
    def is_mixed(self) -> bool:
        """Whether the verdicts differ."""
        return max(self) < sum(self)

    @property
    def words(self) -> Message:
        """How many are useful, such as "useful for 7 of 41 shares"."""
        return T.USEFUL_SHARES(useful=self.useful, all=sum(self))


def verdict_of_all(verdicts: Sequence[Verdict]) -> Verdict:
    """Returns the verdict on several numbers: useful if all are, useless if at least half are."""
    return ShareCounts(*map(verdicts.count, VERDICTS)).verdict


@dataclass(frozen=True)
class PartVerdicts:
    """The verdicts on the parts of what was released.

    Attributes:
        parts: Name and verdict of each part; None where nothing can be told of it.
        at_best: What the whole is worth at the most, by what is more than its parts; None where
            nothing is.
    """

    parts: tuple[tuple[str, Verdict | None], ...]
    at_best: Verdict | None = None

    @property
    def whole(self) -> Verdict | None:
        """The verdict on the whole; None where nothing can be told of a part."""
        known = [verdict for _, verdict in self.parts if verdict is not None]
        if len(known) < len(self.parts):
            return None
        return worst_of(verdict_of_all(known), self.at_best)

    @property
    def worst(self) -> Verdict | None:
        """The worst verdict on a part or on the whole, as `whole`."""
        whole = self.whole
        return None if whole is None else worst_of(whole, *(each for _, each in self.parts))

    def named(self, verdict: Verdict) -> tuple[str, ...]:
        """Returns the names of the parts that have a verdict."""
        return tuple(name for name, each in self.parts if each == verdict)


def lowered(told: Verdict | None, by_file: Verdict | None) -> Verdict | None:
    """Returns a verdict that was published, or that by the file where this is worse.

    Args:
        told: The published one; None where nothing can be told, which stays so.
        by_file: That of the same part by the file; None where it does not go by it.
    """
    return None if told is None else worst_of(told, by_file)


def worst_of(*verdicts: Verdict | None) -> Verdict:
    """Returns the worst of verdicts, at least one of them not None."""
    return max((each for each in verdicts if each is not None), key=VERDICTS.index)
