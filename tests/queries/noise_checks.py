"""Exact checks of the noise of central statistics, shared with its kill matrix.

Laws are compared with sums of 60-digit decimals or with fractions, never with themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from math import exp, inf, log, nextafter

import numpy as np
import pytest

from dpdesk.cost import EPSILON_MAX, exp_lower
from dpdesk.errors import ParameterError
from dpdesk.queries.noise import (
    GAUSSIAN_KINDS,
    NOISE_KINDS,
    CalibratedNoise,
    NoiseKind,
    calibrate,
)
from dpdesk.queries.noise.calibrate import _unit_scale
from dpdesk.queries.noise.calibrated import GaussianLaw, GeometricLaw, LaplaceLaw
from dpdesk.queries.noise.gaussian_loss import _above
from dpdesk.queries.noise.law import DiscreteGaussianLaw, IntegerLaw, NoiseLaw
from dpdesk.queries.noise.measurement import INTEGER_REACH, float_below, l2_above
from dpdesk.queries.noise.staircase import (
    StaircaseLaw,
    falls_before_end,
    staircase_law,
    uniform_below,
)
from dpdesk.queries.sensitivity import Sensitivity
from tests.randomness.word_sources import PrescribedWords
from tests.refusals import refused

DELTA = Decimal("0.000001")
EPSILONS = [Decimal(e) for e in ("0.0001", "0.007", "0.1", "0.333333333333", "1", "3", "17", "40")]
SENSITIVITIES = [
    Sensitivity.of_number(1),
    Sensitivity.of_number(7),
    Sensitivity.of_number(10**9),
    Sensitivity(2, 2, 1),
    Sensitivity(6, 14, 3),
]
WORD = 1 << 64
_DIGITS = Context(prec=60)


def forget() -> None:
    """Empties what calibration remembers, so that a fault beneath it is seen."""
    calibrate.cache_clear()
    _unit_scale.cache_clear()
    _above.cache_clear()
    staircase_law.cache_clear()


def noise_of(
    kind: NoiseKind,
    sensitivity: Sensitivity,
    epsilon: Decimal | str,
    size: int = 1,
    moves: tuple[tuple[int, ...], ...] = (),
) -> CalibratedNoise:
    forget()
    return calibrate(kind, sensitivity, Decimal(epsilon), DELTA, size, moves)


def suits(kind: NoiseKind, sensitivity: Sensitivity) -> bool:
    return kind != "staircase" or sensitivity.l1 == sensitivity.linf


# -------------------------------------------------------------------------------- what is run


def the_loss_that_is_run_is_at_most_what_was_asked_and_nearly_all_of_it() -> None:
    for kind in NOISE_KINDS:
        for sensitivity in SENSITIVITIES:
            for epsilon in EPSILONS if kind not in GAUSSIAN_KINDS else EPSILONS[::2]:
                if suits(kind, sensitivity):
                    noise = noise_of(kind, sensitivity, epsilon)
                    assert noise.epsilon == epsilon
                    assert noise.epsilon_run <= epsilon, (kind, sensitivity, epsilon)
                    assert noise.epsilon_run >= epsilon * (1 - Decimal("1e-6"))


def exponential_noise_has_a_scale_that_keeps_epsilon_in_exact_arithmetic() -> None:
    for kind in ("geometric", "laplace"):
        for sensitivity in SENSITIVITIES:
            for epsilon in EPSILONS:
                noise = noise_of(kind, sensitivity, epsilon)
                run = Fraction(sensitivity.l1) / Fraction(noise.scale)
                assert run <= Fraction(epsilon)
                assert run <= Fraction(noise.epsilon_run)
                # The map is floating point: what is stated is a few last places above at most.
                above = Decimal(float(run) * (1 + 1e-14)) + Decimal("1e-15")
                assert noise.epsilon_run <= min(epsilon, above)


def gaussian_noise_keeps_rho_and_epsilon_at_delta() -> None:
    """Rho in exact arithmetic; delta at epsilon from the chances themselves, one number."""
    for kind in GAUSSIAN_KINDS:
        for sensitivity in SENSITIVITIES:
            noise = noise_of(kind, sensitivity, "0.7")
            rho = Fraction(sensitivity.l2_square) / (2 * Fraction(noise.scale) ** 2)
            assert noise.rho is not None
            assert rho <= Fraction(noise.rho) <= rho * (1 + Fraction(1, 10**13))
            assert noise.delta == DELTA
    for epsilon in ("0.05", "1", "8"):
        steps = 5
        noise = noise_of("discrete_gaussian", Sensitivity.of_number(steps), epsilon)
        reach = int(20 * noise.scale) + steps
        k = np.arange(-reach, reach + 1)
        excess = noise.law(k) - exp(float(epsilon)) * noise.law(k - steps)
        delta = float(excess[excess > 0].sum())
        # Exact: no more noise than this delta takes, but for the closeness of the search.
        assert float(DELTA) * (1 - 1e-5) < delta <= DELTA, (epsilon, delta)


def floats_handed_to_opendp_are_rounded_to_the_safe_side() -> None:
    for number in ("0.000001", "0.1", "0.3", "1e-30"):
        below = float_below(Decimal(number))
        assert Decimal(below) <= Decimal(number) < Decimal(nextafter(below, inf))
    for square in (1, 2, 3, 5, 10, 99, 2 * 10**15 + 1):
        sensitivity = Sensitivity(square, square, 1)
        above = l2_above(sensitivity)
        assert Fraction(above) ** 2 >= square > Fraction(nextafter(above, 0)) ** 2


# ----------------------------------------------------------------------------------- the laws


def _power(exponent: Decimal) -> Decimal:
    return _DIGITS.exp(exponent)


def _exact_law(law: NoiseLaw, reach: int) -> list[Decimal]:
    """P(N = k) for k = 0..reach, from decimals of 60 digits."""
    scale = Decimal(law.scale)  # type: ignore[attr-defined]
    with localcontext(_DIGITS):
        if isinstance(law, GeometricLaw):
            r = _power(-1 / scale)
            return [(1 - r) / (1 + r) * r**k for k in range(reach + 1)]
        falls = [_power(-(Decimal(k) ** 2) / (2 * scale**2)) for k in range(reach + 1)]
        total = 2 * sum(falls) - 1
        return [fall / total for fall in falls]


INTEGER_LAWS: list[tuple[IntegerLaw, int]] = [
    (GeometricLaw(0.05), 20),
    (GeometricLaw(1 / 3), 60),
    (GeometricLaw(2.5), 350),
    (DiscreteGaussianLaw(0.2), 20),
    (DiscreteGaussianLaw(0.9), 40),
    (DiscreteGaussianLaw(11.3), 200),
]


def laws_of_whole_numbers_are_those_of_decimals() -> None:
    for law, reach in INTEGER_LAWS:
        chances = _exact_law(type(law)(law.scale), reach)  # type: ignore[attr-defined, call-arg]
        fresh = type(law)(law.scale)  # type: ignore[attr-defined, call-arg]
        expected = [float(c) for c in chances]
        assert fresh.chances(np.arange(reach + 1)) == pytest.approx(expected, rel=1e-12)
        assert fresh.chances(-np.arange(reach + 1)) == pytest.approx(expected, rel=1e-12)
        with localcontext(_DIGITS):
            variance = float(2 * sum(k * k * c for k, c in enumerate(chances)))
            # The sums stop where 25 digits are reached.
            tails = [float(2 * sum(chances[h + 1 :])) for h in range(reach // 4)]
        assert fresh.variance == pytest.approx(variance, rel=1e-11)
        found = [fresh.tail_beyond(h) for h in range(reach // 4)]
        assert found == pytest.approx(tails, rel=1e-11, abs=1e-300)


def the_wide_discrete_gaussian_continues_the_one_that_is_summed() -> None:
    scale = 1500.0
    wide = DiscreteGaussianLaw(scale)
    k = np.arange(60_000, dtype=np.float64)
    sums = np.cumsum(np.exp(-((k / scale) ** 2) / 2)[::-1])[::-1]
    total = 2 * sums[1] + 1
    for h in (0, 1, 700, 1500, 2939, 4000, 7500, 9000):
        assert wide.tail(h) == pytest.approx(2 * sums[h + 1] / total, rel=1e-10), h
    assert wide.probability(3) == pytest.approx(exp(-((3 / scale) ** 2) / 2) / total, rel=1e-12)
    moment = float((k * k * np.exp(-((k / scale) ** 2) / 2)).sum())
    assert wide.variance == pytest.approx(2 * moment / total, rel=1e-12)


def real_laws_are_integrals_of_their_densities() -> None:
    for law in (LaplaceLaw(2.5), GaussianLaw(3.1)):
        step = 0.001
        x = np.arange(step / 2, 150, step)
        masses = law.chances(x) * step
        assert 2 * masses.sum() == pytest.approx(1, abs=1e-7)
        assert 2 * (x * x) @ masses == pytest.approx(law.variance, rel=1e-6)
        for h in (0.5, 1.0, 4.0, 9.0):
            assert law.tail(h) == pytest.approx(2 * masses[x > h].sum(), rel=1e-6)
        for k in (0, 1, -4):
            inside = np.abs(x - abs(k)) < 0.5
            mass = masses[inside].sum() * (2 if k == 0 else 1)
            assert law.probability(k) == pytest.approx(mass, rel=1e-6)


def half_widths_are_the_smallest_that_hold_their_confidence() -> None:
    """P(|N| <= h) >= confidence > P(|N| <= h - 1), in decimals; equality for real laws."""
    for law, reach in INTEGER_LAWS:
        chances = _exact_law(law, reach)
        for tail in ("0.5", "0.2", "0.05", "0.001", "1e-6", "1e-9"):
            h = law.reach(float(tail))
            with localcontext(_DIGITS):
                beyond = 2 * sum(chances[h + 1 :])
                before = beyond + 2 * chances[h] if h else Decimal(1)
            assert beyond <= Decimal(tail) < before, (law, tail)
    for real in (LaplaceLaw(2.5), GaussianLaw(3.1)):
        for tail_share in (0.5, 0.05, 1e-9):
            assert real.tail(real.reach(tail_share)) == pytest.approx(tail_share, rel=1e-12)


def quantiles_and_cumulative_chances_belong_together() -> None:
    for law, reach in INTEGER_LAWS:
        chances = [float(c) for c in _exact_law(law, reach)]
        whole = np.array(chances[:0:-1] + chances)
        below = np.cumsum(whole)
        for k in range(-reach, reach + 1, max(reach // 10, 1)):
            assert law.cumulative(k) == pytest.approx(below[k + reach], rel=1e-9, abs=1e-12)
            assert law.cumulative(k + 0.5) == law.cumulative(k)
        for share in (0.001, 0.025, 0.31, 0.5, 0.77, 0.975, 0.9999):
            expected = int(np.searchsorted(below, share)) - reach
            assert law.quantile(share) == expected, (law, share)
        # Exactly at a cumulative chance the number itself is the smallest that reaches it.
        for k in range(1, min(reach, 6)):
            assert law.quantile(law.cumulative(-k)) == -k, (law, k)
    for real in (LaplaceLaw(2.5), GaussianLaw(3.1)):
        for share in (0.001, 0.3, 0.5, 0.975):
            assert real.cumulative(real.quantile(share)) == pytest.approx(share, rel=1e-9)
        assert real.quantile(0.5) == 0
        assert real.quantile(0.9) > 0 > real.quantile(0.1)
    for kind in NOISE_KINDS:
        noise = noise_of(kind, Sensitivity.of_number(4), "0.6")
        for share in (0.1, 0.9):
            x = noise.quantile(share)
            assert noise.cumulative(x) >= share - 1e-12, (kind, share)
            assert noise.cumulative(x - 1) < share, (kind, share)


def simultaneous_half_widths_hold_all_coordinates() -> None:
    for kind in NOISE_KINDS:
        noise = noise_of(kind, Sensitivity.of_number(4), "0.6")
        for size in (1, 10, 100_000):
            h = noise.simultaneous_half_width(0.95, size)
            assert (1 - noise.tail(h)) ** size >= 0.95 - 1e-9, (kind, size)
            shorter = h - 1 if noise.whole else h * (1 - 1e-6)
            assert (1 - noise.tail(shorter)) ** size < 0.95, (kind, size)
        assert noise.simultaneous_half_width(0.95) == pytest.approx(noise.half_width(0.95))
    wide = noise_of("geometric", Sensitivity.of_number(1), 1, size=50)
    assert wide.simultaneous_half_width() == wide.simultaneous_half_width(0.95, 50)


# ------------------------------------------------------------------------------ privacy ratios


def discrete_laplace_never_exceeds_its_ratio() -> None:
    """Over all results that matter and all neighbours, in decimals of 60 digits."""
    for epsilon in (Decimal("0.2"), Decimal(1), Decimal(7)):
        for steps in (1, 3):
            noise = noise_of("geometric", Sensitivity.of_number(steps), epsilon)
            reach = 40
            chances = _exact_law(GeometricLaw(noise.scale), reach + steps)
            ratios = [
                chances[abs(k)] / chances[abs(k + shift)]
                for k in range(-reach, reach)
                for shift in range(-steps, steps + 1)
            ]
            with localcontext(_DIGITS):
                # The decimals' own last places.
                slack = 1 + Decimal("1e-50")
                assert max(ratios) <= _power(epsilon) * slack
                assert max(ratios) >= _power(epsilon * (1 - Decimal("1e-12")))


def staircase_never_exceeds_its_ratio() -> None:
    for epsilon in (Decimal("0.2"), Decimal(1), Decimal(7)):
        for width in (1, 2, 7):
            forget()
            law = staircase_law(width, epsilon)
            weights = {k: law.weight(k) for k in range(-5 * width, 5 * width + 1)}
            worst = max(
                weights[k] / weights[k + shift]
                for k in range(-4 * width, 4 * width + 1)
                for shift in range(-width, width + 1)
            )
            assert worst == law.ratio <= exp_lower(epsilon)
            run = law.certificate(epsilon).epsilon_certified
            assert run <= epsilon
            assert abs(float(run) - log(worst)) < 1e-12


# ----------------------------------------------------------------------------------- staircase


def the_chances_of_the_staircase_sum_to_one_and_its_figures_follow() -> None:
    for width, epsilon in ((1, "1"), (4, "0.3"), (9, "2.5")):
        forget()
        law = staircase_law(width, Decimal(epsilon))
        b = 1 / law.ratio
        periods = 6
        inner = sum(law.weight(k) for k in range(-periods * width + 1, periods * width))
        half_period = sum(law.weight(k) for k in range(periods * width, (periods + 1) * width))
        assert inner + 2 * half_period / (1 - b) == 1
        reach = 200 * width
        chances = [float(law.weight(k)) for k in range(reach)]
        assert law.chances(np.arange(reach)) == pytest.approx(chances, rel=1e-11)
        squares = 2 * sum(k * k * c for k, c in enumerate(chances))
        assert law.variance == pytest.approx(squares, rel=1e-9)
        for h in range(5 * width):
            assert law.tail(h) == pytest.approx(2 * sum(chances[h + 1 :]), rel=1e-9), h


def the_step_of_the_staircase_has_the_least_variance() -> None:
    for width, epsilon in ((1, "1"), (6, "0.5"), (40, "3"), (3000, "1.5"), (5, "12")):
        forget()
        law = staircase_law(width, Decimal(epsilon))
        others = [StaircaseLaw(width, g, law.fall).variance for g in range(1, width + 1)]
        assert law.upper == int(np.argmin(others)) + 1, (width, epsilon)


def heads_of_the_staircase_are_as_wide_as_their_chances() -> None:
    """Every place of the first period belongs to a noise, as many places as its weight."""
    for width, upper in ((1, 1), (5, 2), (5, 5)):
        law = StaircaseLaw(width, upper, (1 << 128) // 3 + 1)
        starts, place = [], 0
        while place < law.heads:
            head = law.head(place)
            size = (1 << 128) if -upper < head < upper else law.fall
            assert law.head(place + size - 1) == head
            starts.append(head)
            place += size
        assert place == law.heads
        assert sorted(starts) == sorted([*range(width), *range(-width, 0)])


def the_staircase_draws_exactly_at_its_thresholds() -> None:
    limit = 3 << 40
    top = (1 << 128) // limit * limit
    words = [*_split(top), *_split(top - 1)]
    # Beyond the last full multiple words are thrown away, whatever was drawn before.
    source = PrescribedWords(words)
    assert uniform_below(limit, source) == limit - 1
    assert source.left == 0
    assert uniform_below(limit, PrescribedWords(_split(5))) == 5
    fall = (1 << 127) + 12345
    below, at = _pair(fall - 1), _pair(fall)
    assert falls_before_end(fall, PrescribedWords([*at, *below * 11])) == 0
    assert falls_before_end(fall, PrescribedWords([*below * 3, *at, *below * 8])) == 3
    # More than one block of words.
    assert falls_before_end(fall, PrescribedWords([*below * 12, *at, *below * 11])) == 12
    law = StaircaseLaw(5, 2, fall)
    place = _split((1 << 128) * 2 + 1, 4)  # the first place of -1
    assert law.draw(PrescribedWords([*place, *below * 2, *at, *below * 9])) == -1 - 10


def _split(number: int, count: int = 2) -> list[int]:
    return [number >> 64 * i & WORD - 1 for i in range(count)]


def _pair(number: int) -> list[int]:
    return [number >> 64, number & WORD - 1]


# ------------------------------------------------------------------------------------ refusals


def parameters_outside_their_bounds_are_refused() -> None:
    one = Sensitivity.of_number(1)
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: calibrate("pink", one, Decimal(1)), "queries.unknown-kind"),  # type: ignore[arg-type]
        (lambda: calibrate("geometric", one, Decimal(1), size=0), "queries.empty-part"),
        (lambda: calibrate("gaussian", one, Decimal(1)), "queries.delta"),
        (lambda: calibrate("gaussian", one, Decimal(1), Decimal("0.02")), "queries.delta"),
        (lambda: calibrate("staircase", one, Decimal(1), size=2), "queries.staircase"),
        (lambda: calibrate("staircase", Sensitivity(2, 2, 1), Decimal(1)), "queries.staircase"),
        (
            lambda: calibrate("geometric", Sensitivity.of_number(1 << 52), Decimal("0.5")),
            "queries.noise-too-large",
        ),
    ]
    for call, why in calls:
        forget()
        with refused(why):
            call()
    with pytest.raises(ParameterError, match=r"between 0\.0001 and 40"):
        calibrate("geometric", one, EPSILON_MAX + 1)
    noise = calibrate("geometric", one, Decimal(1))
    for share in (0.0, 1.0, -1.0):
        with refused("queries.confidence"):
            noise.half_width(share)
    with refused("queries.empty-part"):
        noise.simultaneous_half_width(0.95, 0)


def answers_too_far_from_zero_are_refused_without_naming_them() -> None:
    for kind in NOISE_KINDS:
        noise = noise_of(kind, Sensitivity.of_number(1), 1)
        reach = INTEGER_REACH if noise.whole else 1 << 53
        for value in (reach + 1, -reach - 1):
            with refused("queries.out-of-reach", power=reach.bit_length() - 1) as caught:
                noise.draw([value])
            assert str(abs(value)) not in str(caught.value)
        for value in (reach, -reach):
            (drawn,) = noise.draw([value])
            assert abs(drawn - value) < 10**4, kind
        with refused("queries.other-size"):
            noise.draw([1, 2])


def numpy_numbers_are_taken_as_they_are() -> None:
    noise = noise_of("geometric", Sensitivity.of_number(1), 40, size=3)
    assert noise.draw(np.array([5, -6, 1 << 60])) == [5, -6, 1 << 60]  # type: ignore[arg-type]


def sensitivities_that_no_vector_has_are_refused() -> None:
    for numbers in (
        (0, 0, 0),
        (1, 1, 2),
        (3, 2, 1),
        (3, 10, 3),
        (2, 5, 2),
        (4, 9, 2),
        (1, 1, True),
    ):
        with pytest.raises(ParameterError):
            Sensitivity(*numbers)
    with refused("queries.moves-too-far"):
        Sensitivity.of_number((1 << 53) + 1)
    assert Sensitivity.of_number(3) == Sensitivity(3, 9, 3)
    for v in ((1, 2, 2), (3, 0, 1), (1, 1, 1), (5, 5, 0)):
        norms = sum(v), sum(x * x for x in v), max(v)
        assert Sensitivity(*norms) == Sensitivity(l1=norms[0], l2_square=norms[1], linf=norms[2])
