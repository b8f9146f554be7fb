"""Further estimates beside the unbiased ones: possible distributions, biased and without errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.i18n import N_
from dpdesk.mechanisms.most_likely import most_likely_of_supports, most_likely_of_symbols
from dpdesk.mechanisms.projections import norm_sub, simplex_projection

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FurtherKind:
    """One way of turning reports into possible shares.

    Attributes:
        name: Its name in `Estimate.further` and in files.
        title: Its name for people.
        meaning: One sentence on what it is.
    """

    name: str
    title: str
    meaning: str


FURTHER_KINDS = (
    FurtherKind(
        "simplex",
        N_("Simplex"),
        N_("the possible shares nearest to the unbiased estimates, in squared distance"),
    ),
    FurtherKind(
        "norm_sub",
        N_("Norm-Sub"),
        N_("negative estimates set to 0, and one amount taken from all others until the sum is 1"),
    ),
    FurtherKind(
        "iterative_bayes",
        N_("Iterative Bayes"),
        N_("the distribution of true answers under which the reports are likeliest"),
    ),
    FurtherKind(
        "smoothed_bayes",
        N_("Smoothed Bayes"),
        N_("iterative Bayes with an average over neighbouring numbers in each step"),
    ),
    FurtherKind(
        "lasso",
        N_("Lasso"),
        N_(
            "categories selected by the lasso and fitted again by least squares, 0 where not "
            "significantly above 0; their sum need not be 1"
        ),
    ),
)
"""Every kind of further estimate, in the order in which tables show them."""


class FurtherEstimates(Mapping[str, Floats]):
    """Further estimates by name, each computed when it is first asked for.

    A preview that asks for none pays for none.
    """

    def __init__(self, **ways: Callable[[], Floats]) -> None:
        """Takes a function for each name, returning shares of shape (quantities,)."""
        self._ways = ways
        self._made: dict[str, Floats] = {}

    def __getitem__(self, name: str) -> Floats:
        if name not in self._made:
            self._made[name] = self._ways[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ways)

    def __len__(self) -> int:
        return len(self._ways)


def projections_of(value: Floats) -> dict[str, Callable[[], Floats]]:
    """Returns the ways that need the unbiased estimates alone, by name."""
    return {
        "simplex": lambda: simplex_projection(value),
        "norm_sub": lambda: norm_sub(value),
    }


def further_of_support(
    value: Floats, support: Floats, p: float | Floats, q: float | Floats, *, one_symbol: bool
) -> FurtherEstimates:
    """Returns the further estimates of a frequency oracle.

    Args:
        value: The unbiased estimates, shape (k,).
        support: Share of the reports that support each category, shape (k,).
        p: Chance that a report supports one's own category; one number or shape (k,).
        q: Chance that it supports any other category, alike.
        one_symbol: Whether every report supports exactly one category.
    """
    most_likely = most_likely_of_symbols if one_symbol else most_likely_of_supports
    return FurtherEstimates(
        **projections_of(value),
        iterative_bayes=lambda: most_likely(support, p, q),
    )
