"""A generator that takes every turn: the exact law of what a simulator draws.

A simulator is run once for each sequence of outcomes that its binomials and multinomials can
have; the probabilities of equal results are added up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import comb, factorial, prod
from typing import Any

import numpy as np

Law = dict[tuple[int, ...], float]


class Enumerator:
    """Stands in for `numpy.random.Generator` in a run whose outcomes are prescribed."""

    def __init__(self, turns: list[int]) -> None:
        self.turns = turns
        self.open: list[int] = []
        self.probability = 1.0

    def _take(self, outcomes: Sequence[tuple[Any, float]]) -> Any:
        at = len(self.open)
        if at == len(self.turns):
            self.turns.append(0)
        outcome, chance = outcomes[self.turns[at]]
        self.open.append(len(outcomes))
        self.probability *= chance
        return outcome

    def binomial(self, n: Any, p: Any) -> np.ndarray:
        n, p = np.broadcast_arrays(n, p)
        pairs = zip(n.ravel().tolist(), p.ravel().tolist(), strict=True)
        drawn = [self._take(binomial_law(a, b)) for a, b in pairs]
        return np.array(drawn, dtype=np.int64).reshape(n.shape)

    def multinomial(self, n: Any, pvals: np.ndarray) -> np.ndarray:
        n = np.asarray(n)
        drawn = [self._take(multinomial_law(int(a), pvals.tolist())) for a in n.flat]
        return np.array(drawn, dtype=np.int64).reshape((*n.shape, len(pvals)))


def law_of(simulator: Callable[[Any], np.ndarray]) -> Law:
    """The exact law of the counts that a simulator returns, by running it on every path."""
    law: defaultdict[tuple[int, ...], float] = defaultdict(float)
    turns: list[int] = []
    while True:
        generator = Enumerator(turns)
        counts = simulator(generator)
        law[tuple(map(int, np.ravel(counts)))] += generator.probability
        while turns and turns[-1] + 1 == generator.open[len(turns) - 1]:
            turns.pop()
        if not turns:
            return dict(law)
        turns[-1] += 1


def binomial_law(n: int, p: float) -> list[tuple[int, float]]:
    return [(i, comb(n, i) * p**i * (1 - p) ** (n - i)) for i in range(n + 1)]


def multinomial_law(n: int, chances: Sequence[float]) -> list[tuple[tuple[int, ...], float]]:
    return [
        (parts, factorial(n) / prod(map(factorial, parts)) * prod(map(pow, chances, parts)))
        for parts in _compositions(n, len(chances))
    ]


def _compositions(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in _compositions(n - first, parts - 1):
            yield (first, *rest)


def respondent_by_respondent(counts: Sequence[int], report_laws: Sequence[Law]) -> Law:
    """The exact law of summed reports, where each true value has a law of one report's counts.

    Args:
        counts: How many respondents have each value.
        report_laws: For each value the law of what one report adds to the counts.
    """
    total: Law = {tuple([0] * len(next(iter(report_laws[0])))): 1.0}
    for number, report_law in zip(counts, report_laws, strict=True):
        for _ in range(number):
            longer: defaultdict[tuple[int, ...], float] = defaultdict(float)
            for (a, x), (b, y) in product(total.items(), report_law.items()):
                longer[tuple(map(sum, zip(a, b, strict=True)))] += x * y
            total = dict(longer)
    return total


def symbols(chances: Sequence[float]) -> Law:
    """The law of one report that is a symbol."""
    k = len(chances)
    return {tuple(int(i == s) for i in range(k)): float(c) for s, c in enumerate(chances)}


def bits(chances: Sequence[float]) -> Law:
    """The law of one report of independent bits."""
    return {
        report: prod(c if bit else 1 - c for bit, c in zip(report, chances, strict=True))
        for report in product((0, 1), repeat=len(chances))
    }


def mixed(parts: Sequence[tuple[float, Law]]) -> Law:
    """The law of one report that follows one of several laws, drawn with these chances."""
    law: defaultdict[tuple[int, ...], float] = defaultdict(float)
    for weight, part in parts:
        for report, chance in part.items():
            law[report] += weight * chance
    return dict(law)


def largest_difference(one: Law, other: Law) -> float:
    return max(abs(one.get(key, 0.0) - other.get(key, 0.0)) for key in one.keys() | other.keys())
