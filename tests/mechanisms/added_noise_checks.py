"""Exact checks of Laplace and staircase noise, bounded and not, shared with the kill matrix.

The laws are stated anew from the papers; reports are moved inward one step at a time.
"""

from __future__ import annotations

from bisect import bisect_right
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from math import ceil, exp, isclose, log, sqrt
from operator import mul

import numpy as np
from scipy.stats import chi2

from dpdesk.channel import DenseLaw
from dpdesk.channel.shift import ShiftLaw, periods_beyond, shift_weights
from dpdesk.channel.staircase import (
    StaircaseKernel,
    invertible_widths,
    staircase_loss,
    staircase_weights,
)
from dpdesk.cost import exp_lower
from dpdesk.domains import Integer, Real
from dpdesk.mechanisms import AnyDomain, BoundMechanism, Tally, mechanism_named
from dpdesk.mechanisms.mean import BoundMean
from dpdesk.mechanisms.unbounded_noise import best_step
from dpdesk.randomness import SystemWords
from tests.channel.small_words import ALL_SMALL_WORDS, SMALL_TOTAL, small_words
from tests.cost.exact_exponential import exp_bounds
from tests.mechanisms.estimator_checks import bind
from tests.mechanisms.exact_moments import MANY
from tests.randomness.word_sources import CountedWords, ShakeWords

TOTAL = 2**64
ALPHA = 1e-9
UNBOUNDED = ("laplace", "staircase")
KINDS = (*UNBOUNDED, "bounded_staircase")
HALVES = Real(lower=Decimal("-1.5"), upper=Decimal("1.5"), resolution=Decimal("0.5"))
DOMAINS: tuple[Integer | Real, ...] = (
    Integer(lower=0, upper=1),
    Integer(lower=-2, upper=6, step=2),
    HALVES,
)


def unit_period(kind: str, width: int, epsilon: float, upper: int = 0) -> list[float]:
    """The chances p(0) .. p(D-1) up to one factor, by the papers."""
    if kind == "laplace":
        return [exp(-epsilon * d / width) for d in range(width)]
    return [1.0 if d < upper else exp(-epsilon) for d in range(width)]


def fold(place: int, width: int, periods: int) -> int:
    """Where a place ends that lies beyond K D from the grid, which begins at 0."""
    while place > width + periods * width:
        place -= width
    while place < -periods * width:
        place += width
    return place


def rows_of(law: object, periods: int = 0) -> list[list[int]]:
    """Weights of each report under each true code, from the law's own integers."""
    if isinstance(law, DenseLaw):
        return law.weights.tolist()
    assert isinstance(law, ShiftLaw)
    cells, width = law.weights.tolist(), law.size - 1
    reach = len(cells) // 2
    rows = []
    for code in range(law.size):
        row = [0] * (len(cells) - width)
        for i, weight in enumerate(cells):
            row[fold(code + i - reach, width, periods) + periods * width] += weight
        rows.append(row)
    return rows


def _rows(bound: BoundMechanism) -> list[list[int]]:
    epsilon = float(bound.mechanism.epsilon)
    return rows_of(bound.law, periods_beyond(bound.size, epsilon))  # type: ignore[attr-defined]


def _close(found: float, expected: float, within: float = 1e-9) -> None:
    assert isclose(found, expected, rel_tol=within, abs_tol=1e-12), (found, expected)


def shifts_are_the_noise_of_the_paper() -> None:
    """Every shift has the chance p(d), the last D at either end all that is moved onto them."""
    for kind in UNBOUNDED:
        for size, epsilon in [(2, "1"), (5, "0.3"), (9, "4"), (7, "12")]:
            bound = bind(kind, Integer(lower=1, upper=size), epsilon)
            width, eps = size - 1, float(epsilon)
            upper = best_step(width, Decimal(epsilon), "variance")
            period = unit_period(kind, width, eps, upper)
            periods = max(1, ceil(12 / eps) + 1)
            cells = bound.law.weights.tolist()  # type: ignore[attr-defined]
            assert len(cells) == 2 * (periods + 1) * width + 1
            total = 2 * sum(period) / (1 - exp(-eps)) - 1
            for d in range((periods + 1) * width + 1):
                chance = exp(-eps * (d // width)) * period[d % width] / total
                if d > periods * width:
                    chance /= 1 - exp(-eps)
                # 64 bits leave a few units to the rarest shifts.
                for found in (cells[len(cells) // 2 + d], cells[len(cells) // 2 - d]):
                    assert abs(found / TOTAL - chance) < 1e-9 * chance + 8 / TOTAL, (kind, d)


def shift_is_its_law_on_every_small_word() -> None:
    """Of 65,536 words each report is made by exactly its weight; the loss is below epsilon."""
    for size, epsilon in [(2, "2"), (3, "6"), (5, "9"), (12, "13")]:
        one = 1 << 224
        with small_words():
            periods = periods_beyond(size, float(epsilon))
            law = ShiftLaw(shift_weights([one] * (size - 1), Decimal(epsilon), periods), size)
            rows = rows_of(law, periods)
            for code, row in enumerate(rows):
                codes = np.full(SMALL_TOTAL, code, dtype=np.int32)
                counts = np.bincount(law.sample(codes, ALL_SMALL_WORDS), minlength=law.outputs)
                assert counts.tolist() == row == law.row(code).tolist(), (size, code)
            loss = max(Fraction(max(c), min(c)) for c in zip(*rows, strict=True))
            assert law.certificate(Decimal(epsilon)).likelihood_ratio == loss
            assert loss <= exp_bounds(Fraction(epsilon))[0]


def shift_turns_at_every_threshold() -> None:
    """On 64 bits a word makes the shift of the plain inverse, moved inward."""
    for size, epsilon in [(3, "1"), (82, "2"), (400, "0.08")]:
        law = bind("laplace", Integer(lower=1, upper=size), epsilon).law  # type: ignore[attr-defined]
        periods = periods_beyond(size, float(epsilon))
        thresholds = list(accumulate(law.weights.tolist()[:-1]))
        sides = {
            t + side for t in thresholds[:: max(1, len(thresholds) // 2_000)] for side in (-1, 0)
        }
        words = np.array(sorted(sides | {0, TOTAL - 1}), dtype=np.uint64)
        for code in {0, size // 3, size - 1}:
            reports = law.sample(np.full(words.size, code, dtype=np.int32), words)
            reach = (periods + 1) * (size - 1)
            expected = [
                fold(code + bisect_right(thresholds, word) - reach, size - 1, periods)
                for word in words.tolist()
            ]
            assert (reports - periods * (size - 1)).tolist() == expected, (size, code)


def certificates_of_unbounded_noise_hold() -> None:
    """The largest ratio over all reports and pairs of answers, found in rationals."""
    for kind in UNBOUNDED:
        for size in (2, 3, 4, 8, 17, 41):
            for epsilon in ("0.25", "0.7", "1", "3", "9.5", "18", "40"):
                bound = bind(kind, Integer(lower=1, upper=size), epsilon)
                ratio = max(
                    Fraction(max(column), min(column)) for column in zip(*_rows(bound), strict=True)
                )
                _certificate_says(bound, ratio)
        for size, epsilon in [(2, "0.0001"), (82, "0.001"), (5_000, "0.02"), (20_000, "1")]:
            bound = bind(kind, Integer(lower=1, upper=size), epsilon)
            _certificate_says(bound, bound.certificate.likelihood_ratio)


def ends_that_disclose_an_answer_are_certified_as_such() -> None:
    """A law that is spoiled in the last D points has the ratio that all reports show."""
    for end in (-1, 0):
        weights = bind("laplace", Integer(lower=0, upper=3), "2").law.weights.copy()  # type: ignore[attr-defined]
        taken = weights[end] // np.uint64(4)
        weights[end] -= taken
        weights[weights.size // 2] += taken
        law = ShiftLaw(weights, 4)
        rows = rows_of(law, periods_beyond(4, 2.0))
        ratio = max(Fraction(max(column), min(column)) for column in zip(*rows, strict=True))
        assert law.likelihood_ratio() == ratio > exp_bounds(Fraction(2))[1]


def _certificate_says(bound: BoundMechanism, ratio: Fraction) -> None:
    epsilon = bound.mechanism.epsilon
    assert bound.certificate.likelihood_ratio == ratio
    assert ratio <= exp_lower(epsilon), (bound.mechanism.kind, bound.size, epsilon)
    # Above 19 the rarest reports have so few words that a unit of rounding shows.
    loss = float(epsilon - bound.certificate.epsilon_certified)
    assert loss <= (1e-9 if epsilon < 19 else 0.1), (bound.mechanism.kind, bound.size, loss)


def reports_average_to_the_answer() -> None:
    """Unbounded: the released numbers average to the answer, however near noise is moved inward."""
    cases: list[tuple[AnyDomain, str]] = [(d, e) for d in DOMAINS for e in ("0.4", "1", "5")]
    # Half of the reports lie in the last D points.
    cases.append((Integer(lower=0, upper=4_000), "0.05"))
    for kind in UNBOUNDED:
        for domain, epsilon in cases:
            bound = bind(kind, domain, epsilon)
            assert isinstance(domain, Integer | Real)
            # Whole numbers of the last digit that is printed.
            numbers = [int(Decimal(text).scaleb(12)) for text in bound.outputs]
            grid = range(domain.size) if domain.size < 10 else (0, 1_333, 4_000)
            for code in grid:
                row = bound.law.row(code).tolist()  # type: ignore[attr-defined]
                mean = Fraction(sum(map(mul, row, numbers)), TOTAL * 10**12)
                truth = Fraction(domain.grid_lower + code * domain.grid_step)
                assert abs(float(mean - truth)) < 1e-9 * domain.span, (kind, domain, epsilon)


def means_have_their_errors() -> None:
    """Noise variance of every grid point, and the three errors from expected counts, are exact."""
    for kind in KINDS:
        for domain in DOMAINS:
            for epsilon in ("0.5", "2"):
                bound = bind(kind, domain, epsilon)
                assert isinstance(bound, BoundMean)
                rows = _rows(bound)
                worth = [Fraction(w) for w in bound.worth.tolist()]
                places = [Fraction(x) for x in np.linspace(0.0, domain.span, domain.size).tolist()]
                noise = []
                for row, x in zip(rows, places, strict=True):
                    mean = sum(w * y for w, y in zip(row, worth, strict=True)) / TOTAL
                    square = sum(w * y * y for w, y in zip(row, worth, strict=True)) / TOTAL
                    assert abs(float(mean - x)) < 1e-9 * domain.span
                    noise.append(float(square - mean * mean))
                forecast = bound.mechanism.forecast(domain)
                assert np.allclose(forecast.noise_variances, noise, rtol=1e-9)  # type: ignore[attr-defined]
                half = domain.span / 2
                _close(bound.parameters()["n_var_star"], max(noise) / half**2)
                _close(forecast.noise_constant, max(noise) / half**2)
                _errors_on_expected_counts(bound, rows, noise, domain)


def reports_that_were_moved_have_less_noise() -> None:
    """Where most reports lie in the last D points, noise and sampling are still told apart."""
    domain = Integer(lower=0, upper=4_000)
    for kind in UNBOUNDED:
        bound = bind(kind, domain, "0.05")
        assert isinstance(bound, BoundMean)
        rows = [bound.law.row(code) / TOTAL for code in (0, 4_000)]  # type: ignore[attr-defined]
        estimate = bound.estimate(Tally(100, 100.0, 100.0, (rows[0] + rows[1]) * 50))
        noise = bound.mechanism.forecast(domain).noise_variances[[0, -1]].mean()  # type: ignore[attr-defined]
        _close(estimate.noise_error[0] ** 2 * 100, noise, 1e-6)
        _close(estimate.sampling_error[0] ** 2 * 100, 2_000.0**2, 1e-6)
        # The moves take away a good part of the variance 2 (W / eps)^2.
        assert noise < 0.9 * 2 * (4_000 / 0.05) ** 2


def _errors_on_expected_counts(
    bound: BoundMean, rows: list[list[int]], noise: list[float], domain: Integer | Real
) -> None:
    codes = [0, 0, 1, domain.size - 1]
    counts = np.array([sum(rows[c][y] for c in codes) / TOTAL for y in range(len(rows[0]))])
    estimate = bound.estimate(Tally(4 * MANY, 4.0 * MANY, 4.0 * MANY, counts * MANY))
    answers = domain.values[codes]
    _close(estimate.value[0], answers.mean())
    mean_noise = sum(noise[c] for c in codes) / 4
    _close(estimate.noise_error[0] ** 2 * MANY, mean_noise / 4)
    _close(estimate.sampling_error[0] ** 2 * MANY, answers.var() / 4, 1e-7)
    _close(estimate.total_error[0] ** 2 * MANY, (mean_noise + answers.var()) / 4)


def forecasts_are_the_laws_that_are_run() -> None:
    """Chances, positions and the law of a report for evenly spread answers, to rounding."""
    for kind in KINDS:
        for domain in (*DOMAINS, Integer(lower=18, upper=99)):
            for epsilon in ("0.5", "2"):
                bound = bind(kind, domain, epsilon)
                assert isinstance(bound, BoundMean)
                forecast = bound.mechanism.forecast(domain)
                table = np.array(_rows(bound), dtype=np.float64) / TOTAL
                for code in {0, 1, domain.size - 1}:
                    chances = forecast.probabilities(code)
                    assert np.allclose(chances, table[code], rtol=1e-9, atol=1e-15)
                worth, chances, mean = forecast.report_law()
                assert abs(chances @ worth - mean) < 1e-9 * domain.span
                even = table.mean(axis=0)
                assert np.allclose(chances, even, rtol=1e-9, atol=1e-15)
                assert np.allclose(worth, bound.worth, atol=1e-9 * domain.span)
                truthful = forecast.truthful
                assert truthful is not None
                at = np.searchsorted(forecast.positions, domain.values - domain.values[0] - 1e-9)
                _close(truthful, float(table[np.arange(domain.size), at].mean()))
                numbers = [float(Fraction(t)) for t in bound.outputs]
                places = forecast.positions + float(domain.grid_lower)
                assert np.allclose(numbers, places, atol=1e-9 * domain.span)


def variances_are_the_published_ones() -> None:
    """Variances and mean absolute errors of Geng et al. 2015, in the limit of a fine grid."""
    fine = Integer(lower=0, upper=1_000)
    _close(bind("laplace", fine, "1").parameters()["n_var_star"], 8.0, 1e-4)
    for epsilon, variance in (("1", 1.9181), ("3", 0.15267), ("5", 0.029711)):
        made = mechanism_named("staircase")(epsilon=Decimal(epsilon))  # type: ignore[call-arg]
        _close(made.forecast(fine).noise_constant, 4 * variance, 1e-4)
        b = exp(-float(epsilon))
        gamma = (b - 2 * b**2 + 2 * b**4 - b**5) ** (1 / 3) / (2 ** (1 / 3) * (1 - b) ** 2)
        found = best_step(19_999, Decimal(epsilon), "variance") / 19_999
        assert abs(found - (gamma - b / (1 - b))) < 1e-4
        found = best_step(19_999, Decimal(epsilon), "error") / 19_999
        assert abs(found - 1 / (1 + exp(float(epsilon) / 2))) < 1e-4
        aimed = mechanism_named("staircase").model_validate(
            {"epsilon": epsilon, "optimize": "error"}
        )
        cells = aimed.bind(fine).law.weights / TOTAL  # type: ignore[attr-defined]
        shifts = np.abs(np.arange(cells.size) - cells.size // 2) / 1_000
        _close(cells @ shifts, exp(float(epsilon) / 2) / (exp(float(epsilon)) - 1), 1e-4)


def steps_are_the_best_of_the_grid() -> None:
    """No other step of the grid has a smaller variance, or a smaller mean absolute value."""
    for width in (1, 2, 3, 7, 30):
        for epsilon in ("0.2", "1", "4"):
            powers: dict[str, list[float]] = {"variance": [], "error": []}
            for upper in range(1, width + 1):
                period = unit_period("staircase", width, float(epsilon), upper)
                chances = [
                    exp(-float(epsilon) * (d // width)) * period[d % width]
                    for d in range(width * ceil(50 / float(epsilon)))
                ]
                total = 2 * sum(chances) - 1
                sums = [2 * sum(c * d**k for d, c in enumerate(chances)) / total for k in (1, 2)]
                powers["error"].append(sums[0])
                powers["variance"].append(sums[1])
            for aim, found in powers.items():
                step = best_step(width, Decimal(epsilon), aim)  # type: ignore[arg-type]
                _close(found[step - 1], min(found))


def widths_are_those_with_an_inverse() -> None:
    """Where 2g - 1 divides m or m - 1 there is an inverse; elsewhere no unbiased mean at all."""
    for size in range(2, 26):
        full = []
        for width in range(1, size):
            near = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) < width
            matrix = 1.0 + 0.7 * near
            full.append(int(np.linalg.matrix_rank(matrix)) == size)
            channel = matrix / matrix.sum(axis=1, keepdims=True)
            places = np.linspace(0.0, 1.0, size)
            nearest = channel @ np.linalg.lstsq(channel, places, rcond=1e-10)[0]
            assert (np.abs(nearest - places).max() < 1e-9) == full[-1], (size, width)
        found = [width in invertible_widths(size) for width in range(1, size)]
        assert found == full, size


def inverse_of_the_staircase_undoes_it() -> None:
    """sum_y w[x, y] / N phi(y) = target(x) for each width, in rationals."""
    for size in (2, 3, 6, 9, 16, 27):
        for width in invertible_widths(size):
            for epsilon in ("0.2", "1", "6"):
                table = staircase_weights(size, width, Decimal(epsilon)).tolist()
                kernel = StaircaseKernel.at(size, width, float(epsilon))
                position = np.linspace(0.0, 1.0, size)
                for target in (position, position**2):
                    phi = [Fraction(v) for v in kernel.unbiased(target).tolist()]
                    for row, aim in zip(table, target.tolist(), strict=True):
                        mean = sum(w * v for w, v in zip(row, phi, strict=True)) / TOTAL
                        assert abs(float(mean) - aim) < 1e-9, (size, width, epsilon)


def the_least_noisy_width_is_taken() -> None:
    """No other invertible width has a mean that is more accurate at its worst point."""
    for size, epsilon in [(48, 1.0), (48, 6.0), (82, 3.0), (64, 0.1)]:
        target = np.linspace(0.0, 1.0, size)
        worst = {}
        for width in invertible_widths(size):
            kernel = StaircaseKernel.at(size, width, epsilon)
            matrix = np.array([kernel.row(code) for code in range(size)])
            phi = np.linalg.solve(matrix, target)
            worst[width] = (matrix @ phi**2 - target**2).max()
        chosen = StaircaseKernel.least_noise(size, epsilon).width
        _close(worst[chosen], min(worst.values()), 1e-6)


def bounded_staircases_lose_exactly_epsilon() -> None:
    """The integer table loses epsilon, not more and not less; each row has two levels."""
    for size in (2, 3, 7, 12, 41, 82):
        for width in invertible_widths(size):
            for epsilon in ("0.0001", "0.3", "1", "7", "18"):
                law = DenseLaw(staircase_weights(size, width, Decimal(epsilon)))
                columns = np.transpose(law.weights).tolist()
                ratio = max(Fraction(max(column), min(column)) for column in columns)
                certificate = law.certificate(Decimal(epsilon))
                assert certificate.likelihood_ratio == ratio <= exp_lower(Decimal(epsilon))
                gap = Decimal(epsilon) - certificate.epsilon_certified
                assert gap < Decimal("1e-9"), (size, width, epsilon, gap)
                for x, row in enumerate(law.weights.tolist()):
                    near = {w for y, w in enumerate(row) if abs(x - y) < width}
                    far = {w for y, w in enumerate(row) if abs(x - y) >= width}
                    assert max(near) - min(near) <= 1
                    assert not far or max(far) - min(far) <= 1


def without_calibration_a_staircase_loses_more() -> None:
    """With eps0 = eps a fine grid loses eps + ln(2 - e^(-eps/2)): 1.332 at 1, 3.575 at 3."""
    size = 20_001
    for epsilon, published, inner in ((1.0, 1.332, 0.7325), (3.0, 3.575, 2.4645)):
        width = round(size / (1 + exp(epsilon / 2)))
        naive = staircase_loss(size, width, exp(epsilon) - 1)
        assert abs(naive - (epsilon + log(2 - exp(-epsilon / 2)))) < 1e-3
        assert round(naive, 3) == published
        own = 2 * log((1 + sqrt(1 + 8 * exp(epsilon))) / 4)
        assert round(own, 4) == inner
        width = round(size / (1 + exp(own / 2)))
        kernel = StaircaseKernel.at(size, width, epsilon)
        assert abs(log(1 + kernel.rise) - own) < 1e-3
        table = np.array([StaircaseKernel(400, 160, kernel.rise).row(x) for x in range(400)])
        loss = log((table.max(axis=0) / table.min(axis=0)).max())
        _close(staircase_loss(400, 160, kernel.rise), loss)


def draws_fit_their_law() -> None:
    """With the system's words the counts fit the law (G-tests), one word for every report."""
    draws = 200_000
    for kind in KINDS:
        domain = Integer(lower=0, upper=5)
        bound = bind(kind, domain, "1")
        for code in (0, 2, 5):
            words = CountedWords(SystemWords())
            reports = bound.randomize(np.full(draws, code, dtype=np.int32), words)
            assert words.taken == draws
            expected = np.array(_rows(bound)[code], dtype=np.float64) / TOTAL * draws
            counts = np.bincount(reports, minlength=expected.size)
            # Rare reports share a cell.
            rare = expected < 1_000
            observed = np.append(counts[~rare], counts[rare].sum())
            expected = np.append(expected[~rare], expected[rare].sum())
            seen = observed > 0
            ratio = np.log(observed[seen] / expected[seen])
            statistic = float(2 * (observed[seen] @ ratio))
            freedom = max(1, int((~rare).sum()) - (not rare.any()))
            assert chi2.sf(statistic, freedom) > ALPHA / 9, (kind, code)


def rows_are_shifted_by_their_own_answer() -> None:
    """Rows of mixed codes are drawn as each would be alone."""
    for kind in UNBOUNDED:
        law = bind(kind, Integer(lower=1, upper=30), "0.8").law  # type: ignore[attr-defined]
        codes = (np.arange(2_000) * 7 % 30).astype(np.int32)
        words = ShakeWords("shifted rows").take(2_000)
        alone = [int(law.sample(codes[i : i + 1], words[i : i + 1])[0]) for i in range(2_000)]
        assert law.sample(codes, words).tolist() == alone
