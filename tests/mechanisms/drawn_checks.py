"""Statistical checks with the system's own words, shared with the kill matrix.

Every check fails by chance with a probability of at most `ALPHA`, a thousand million to one, and
is never run again to pass: a failure is a fault. Each bound on chance is exact (binomial), but for
the G-tests, whose cells all expect thousands of reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta, binomtest, chi2

from dpdesk.domains import Integer
from dpdesk.mechanisms import AnyDomain, BoundMechanism
from dpdesk.randomness import SystemWords
from tests.mechanisms.estimator_checks import bind, categories
from tests.randomness.word_sources import CountedWords, ShakeWords

ALPHA = 1e-9
EPSILON = "1"
DRAWS = 200_000

CASES: list[tuple[str, AnyDomain]] = [
    ("warner", categories(2)),
    ("grr", categories(5)),
    ("sue", categories(3)),
    ("oue", categories(3)),
    ("bounded_laplace", Integer(lower=0, upper=5)),
    ("duchi", Integer(lower=0, upper=4)),
    ("piecewise", Integer(lower=0, upper=5)),
    ("hybrid", Integer(lower=0, upper=5)),
    ("square_wave", Integer(lower=0, upper=5)),
]


def probabilities(kind: str, size: int, code: int) -> list[float]:
    """Chance of each report, or of each bit, by the formulas of the papers at eps = 1."""
    E = exp(1.0)
    if kind in ("warner", "grr"):
        return [E / (E + size - 1) if y == code else 1 / (E + size - 1) for y in range(size)]
    if kind == "sue":
        return [1 / (1 + exp(-0.5 if v == code else 0.5)) for v in range(size)]
    if kind == "oue":
        return [0.5 if v == code else 1 / (E + 1) for v in range(size)]
    if kind == "duchi":
        x = 2 * code / (size - 1) - 1
        high = 0.5 + x * (E - 1) / (2 * (E + 1))
        return [1 - high, high]
    if kind in ("piecewise", "hybrid", "square_wave"):
        return _window_probabilities(kind, size, code)
    powers = [exp(-abs(code - y) / (size - 1)) for y in range(size)]
    return [p / sum(powers) for p in powers]


def _window_probabilities(kind: str, size: int, code: int) -> list[float]:
    E = exp(1.0)
    half_width = 1 / (2 * E * (E - 2))
    width = 2 * int(size * half_width) + 1 if kind == "square_wave" else round((size - 1) * E**-0.5)
    together = width * E + size - 1
    cells = [(E if code <= y < code + width else 1) / together for y in range(size + width - 1)]
    if kind != "hybrid":
        return cells
    # Duchi's two numbers lie behind the second cell and before the last but one, on six points.
    low, high = (chance * E**-0.5 for chance in probabilities("duchi", size, code))
    cells = [(1 - E**-0.5) * chance for chance in cells]
    return [*cells[:2], low, *cells[2:-2], high, *cells[-2:]]


def _draw(bound: BoundMechanism, codes: Sequence[int] | NDArray[Any]) -> NDArray[Any]:
    return bound.randomize(np.asarray(codes, dtype=np.int32), SystemWords())


def _counts(bound: BoundMechanism, code: int, draws: int) -> list[int]:
    reports = _draw(bound, np.full(draws, code))
    return [int(c) for c in bound.tally(reports).counts]


def every_cell_has_its_binomial_count() -> None:
    """Each report under each answer is as frequent as the formula says (exact binomial tests)."""
    cells = sum(d.size * len(probabilities(k, d.size, 0)) for k, d in CASES)
    for kind, domain in CASES:
        bound = bind(kind, domain, EPSILON)
        for code in range(domain.size):
            expected = probabilities(kind, domain.size, code)
            for y, count in enumerate(_counts(bound, code, DRAWS)):
                p_value = binomtest(count, DRAWS, expected[y]).pvalue
                assert p_value > ALPHA / cells, (kind, code, y, count)


def all_cells_together_fit_the_law() -> None:
    """The G-statistic pooled over all answers of all mechanisms is not too large."""
    statistic, freedom = 0.0, 0
    for kind, domain in CASES:
        bound = bind(kind, domain, EPSILON)
        for code in range(domain.size):
            expected = probabilities(kind, domain.size, code)
            counts = _counts(bound, code, DRAWS)
            if bound.form == "bits":
                pairs = [
                    ([c, DRAWS - c], [p, 1 - p]) for c, p in zip(counts, expected, strict=True)
                ]
            else:
                pairs = [(counts, expected)]
            for observed, chances in pairs:
                statistic += _g(observed, [p * DRAWS for p in chances])
                freedom += len(observed) - 1
    assert chi2.sf(statistic, freedom) > ALPHA, (statistic, freedom)


def _g(observed: Sequence[float], expected: Sequence[float]) -> float:
    return 2 * sum(o * log(o / e) for o, e in zip(observed, expected, strict=True) if o)


def the_loss_that_can_be_shown_is_epsilon() -> None:
    """A lower confidence bound on the loss is at most epsilon, and at least 95 % of it.

    Clopper-Pearson bounds on the chance of the worst event under the two worst answers. A law
    above epsilon fails the first part, one that hides more than it says the second.
    """
    # With a quarter of these the rare worst event of the hybrid missed 95 % once in thirty runs.
    draws = 8_000_000
    for kind, domain in CASES:
        bound = bind(kind, domain, EPSILON)
        hits = [
            int(_worst_event(kind, _draw(bound, np.full(draws, code))).sum())
            for code in (0, domain.size - 1)
        ]
        share = ALPHA / len(CASES) / 2
        low = float(beta.ppf(share, hits[0], draws - hits[0] + 1))
        high = float(beta.ppf(1 - share, hits[1] + 1, draws - hits[1]))
        shown = log(low / high)
        assert shown <= float(EPSILON), (kind, shown)
        assert shown >= 0.95 * float(EPSILON), (kind, shown)


def _worst_event(kind: str, reports: NDArray[Any]) -> NDArray[np.bool_]:
    """The event that is e^eps times likelier under the first answer than under the last."""
    if kind in ("sue", "oue"):
        return np.asarray((reports[:, 0] == 1) & (reports[:, -1] == 0))
    return np.asarray(reports == 0)


def columns_are_drawn_independently() -> None:
    """The reports of two columns of the same answers, and those of two bits, are independent."""
    for kind, domain in CASES:
        bound = bind(kind, domain, EPSILON)
        words = SystemWords()
        codes = np.zeros(DRAWS, dtype=np.int32)
        first, second = bound.randomize(codes, words), bound.randomize(codes, words)
        if bound.form == "bits":
            pairs = [(first[:, 0], first[:, 1]), (first[:, 0], second[:, 0])]
        else:
            pairs = [(first, second)]
        for a, b in pairs:
            _independent(kind, a, b)


def rows_are_drawn_independently() -> None:
    """The report of a row says nothing of the next, nor of the one 100 rows on."""
    for kind, domain in CASES:
        bound = bind(kind, domain, EPSILON)
        reports = _draw(bound, np.zeros(DRAWS, dtype=np.int32))
        column = reports[:, 0] if bound.form == "bits" else reports
        for lag in (1, 100):
            _independent(kind, column[:-lag], column[lag:])


def _independent(kind: str, first: NDArray[Any], second: NDArray[Any]) -> None:
    size = int(max(first.max(), second.max())) + 1
    table = np.bincount(first.astype(np.int64) * size + second, minlength=size * size)
    table = table.reshape(size, size)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    expected = np.outer(rows, columns) / first.size
    statistic = _g(table.ravel().tolist(), expected.ravel().tolist())
    freedom = (size - 1) ** 2
    # Two lags or pairs of columns for each mechanism.
    assert chi2.sf(statistic, freedom) > ALPHA / (2 * len(CASES)), (kind, statistic)


def the_first_and_the_last_row_are_randomized() -> None:
    """In many small draws the first and the last row tell the truth no oftener than p."""
    repeats, rows = 3_000, 3
    for kind, domain in CASES:
        bound = bind(kind, domain, EPSILON)
        code = domain.size - 1
        expected = probabilities(kind, domain.size, code)[-1]
        hits = [0] * rows
        for _ in range(repeats):
            reports = _draw(bound, [code] * rows)
            column = reports[:, -1] if bound.form == "bits" else reports
            last = 1 if bound.form == "bits" else len(bound.outputs) - 1
            for row in range(rows):
                hits[row] += int(column[row] == last)
        for row in range(rows):
            p_value = binomtest(hits[row], repeats, expected).pvalue
            assert p_value > ALPHA / (rows * len(CASES)), (kind, row, hits[row])


def two_draws_differ() -> None:
    """The same answers are drawn anew every time; 3,000 rows agree by chance never."""
    for kind, domain in CASES:
        bound = bind(kind, domain, EPSILON)
        codes = np.arange(3_000) % domain.size
        assert (_draw(bound, codes) != _draw(bound, codes)).any(), kind


def rare_answers_leave_the_domain_as_it_is() -> None:
    """Where nobody gives the last answers of the list they are reported all the same."""
    for kind, domain in CASES:
        bound = bind(kind, domain, EPSILON)
        counts = _counts(bound, 0, 20_000)
        for y, p in enumerate(probabilities(kind, domain.size, 0)):
            assert binomtest(counts[y], 20_000, p).pvalue > ALPHA / 50, (kind, y)


def the_count_of_words_does_not_depend_on_the_answers() -> None:
    """n words, or n k for bits, whatever the answers are and however often they are drawn."""
    n = 30_011
    for kind, domain in CASES:
        bound = bind(kind, domain, EPSILON)
        each = domain.size if bound.form == "bits" else 1
        mixed = (np.arange(n) * 7919 % domain.size).astype(np.int32)
        for codes in (np.zeros(n, np.int32), np.full(n, domain.size - 1, np.int32), mixed):
            words = CountedWords(ShakeWords("counted"))
            bound.randomize(codes, words)
            assert words.taken == n * each, kind
        none = CountedWords(ShakeWords("none"))
        assert bound.randomize(mixed[:0], none).shape[0] == 0
        assert none.taken == 0
