from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement
from math import exp, log

import pytest

from dpdesk.composition import Loss, Noise, advanced_epsilon, numerical_epsilon
from dpdesk.composition.numerical import _discrete_gaussian, _randomized_response, largest_moves
from dpdesk.queries.sensitivity import Sensitivity
from tests.composition.gaussian import epsilon_of_gaussian, sigma_of

ONE = Sensitivity(1, 1, 1)
DELTA = Decimal("1e-6")


def noisy(kind: str, scale: float, moves: Sensitivity = ONE, size: int | None = 1) -> Loss:
    epsilon = Decimal(str(round(6 * moves.l2_square**0.5 / scale, 6)))
    return Loss("n", epsilon, Decimal("1e-6"), noise=Noise(kind, scale, moves, size))


def found(losses: list[Loss], delta: Decimal = DELTA) -> float:
    epsilon = numerical_epsilon(losses, delta)
    assert epsilon is not None
    return float(epsilon)


@pytest.mark.parametrize(("k", "sigma"), [(1, 5.0), (20, 10.0), (100, 40.0), (1000, 200.0)])
@pytest.mark.parametrize("delta", ["1e-4", "1e-6", "1e-9"])
def test_that_k_gaussian_releases_have_the_exact_epsilon_of_one(k, sigma, delta) -> None:
    exact = epsilon_of_gaussian(sigma_of(k, sigma), float(delta))
    assert exact <= found([noisy("gaussian", sigma)] * k, Decimal(delta)) <= 1.002 * exact + 1e-4


@pytest.mark.parametrize(("k", "sigma"), [(1, 5.0), (20, 10.0), (100, 40.0)])
def test_that_discrete_gaussian_noise_is_as_good_as_gaussian_noise(k, sigma) -> None:
    # Canonne, Kamath & Steinke 2020, Section 1: all but the same from sigma 1 or so on.
    exact = epsilon_of_gaussian(sigma_of(k, sigma), 1e-6)
    assert found([noisy("discrete_gaussian", sigma)] * k) == pytest.approx(exact, rel=2e-3)


def test_that_a_vector_of_gaussian_noise_counts_its_length() -> None:
    moved = noisy("gaussian", 10.0, Sensitivity(8, 16, 2), 9)
    exact = epsilon_of_gaussian(10 / 4, 1e-6)
    assert exact <= found([moved]) <= 1.002 * exact


@pytest.mark.parametrize(("epsilon", "k"), [("0.1", 100), ("0.01", 400), ("0.5", 20), ("1", 3)])
@pytest.mark.parametrize("delta", ["1e-4", "1e-8"])
def test_that_pure_losses_reach_the_optimum_of_kairouz_oh_and_viswanath(epsilon, k, delta) -> None:
    optimum = float(advanced_epsilon([Decimal(epsilon)] * k, Decimal(delta)))
    ours = found([Loss("q", Decimal(epsilon))] * k, Decimal(delta))
    assert optimum - 1e-8 <= ours <= 1.003 * optimum + 1e-4


@pytest.mark.parametrize("epsilon", [0.26, 1.0, 1.75])
@pytest.mark.parametrize("delta", [0.0, 0.01])
def test_that_a_loss_keeps_its_delta_at_every_epsilon_of_the_grid(
    epsilon: float, delta: float
) -> None:
    step = 0.5
    pair = _randomized_response(epsilon, delta, step)
    told, denied = ((1 - delta) / (1 + exp(side * epsilon)) for side in (-1, 1))
    for place in range(-6, 7):
        x = place * step
        first = told * max(0.0, 1 - exp(x - epsilon))
        second = denied * max(0.0, 1 - exp(x + epsilon))
        exact = min(1.0, delta + first + second)
        assert pair.get_delta_for_epsilon(x) == pytest.approx(exact, rel=1e-9, abs=1e-12)


def test_that_different_pure_losses_are_bounded_by_enumeration() -> None:
    epsilons = ["0.3", "0.5", "1.1", "0.7"]
    ours = found([Loss("q", Decimal(e)) for e in epsilons], Decimal("0.01"))
    law = [(0.0, 1.0)]
    for epsilon in map(float, epsilons):
        p = 1 / (1 + exp(-epsilon))
        law = [
            (loss + sign * epsilon, chance * (p if sign > 0 else 1 - p))
            for loss, chance in law
            for sign in (1, -1)
        ]

    def delta(x: float) -> float:
        return sum(chance * max(0.0, 1 - exp(x - loss)) for loss, chance in law)

    assert delta(ours) <= 0.01
    assert delta(ours - 0.005) > 0.01


def test_that_a_loss_with_a_delta_fails_with_it() -> None:
    loss = Loss("q", Decimal("0.5"), Decimal("1e-7"))
    assert numerical_epsilon([loss] * 20, Decimal("1e-6")) is None
    assert found([loss] * 5, Decimal("1e-6")) < 2.5 + 1e-6


def discrete_laplace(shift: int, r: Fraction) -> dict[int, Fraction]:
    """Chance of each loss, in units of ln(1/r), of r^|x| noise moved by `shift`."""
    inside = (1 - r) / (1 + r)
    law = {shift - 2 * x: inside * r**x for x in range(1, shift)}
    law[shift] = 1 / (1 + r)
    law[-shift] = law.get(-shift, Fraction(0)) + r**shift / (1 + r)
    return law


def excess(law: dict[int, Fraction], at: int, r: Fraction) -> Fraction:
    return sum((w * (1 - r ** (loss - at)) for loss, w in law.items() if loss > at), Fraction(0))


@pytest.mark.parametrize("r", [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), Fraction(99, 100)])
def test_that_no_vector_under_discrete_laplace_noise_loses_more_than_one_number(r) -> None:
    """Two numbers moved by a and b are told apart no better than one moved by a + b.

    Delta as a function of e^epsilon is a line between whole multiples of ln(1/r), so that it is
    enough to compare there; more than two numbers follow one by one.
    """
    for a in range(1, 7):
        for b in range(1, 7):
            whole = discrete_laplace(a + b, r)
            assert sum(whole.values()) == 1
            apart: dict[int, Fraction] = {}
            for x, p in discrete_laplace(a, r).items():
                for y, q in discrete_laplace(b, r).items():
                    apart[x + y] = apart.get(x + y, Fraction(0)) + p * q
            for at in range(-a - b, a + b + 1):
                assert excess(whole, at, r) >= excess(apart, at, r)


@pytest.mark.parametrize("kind", ["geometric", "laplace"])
def test_that_noise_whose_law_is_known_beats_its_epsilon_alone(kind) -> None:
    law = Loss("n", Decimal("0.2"), noise=Noise(kind, 10.0, Sensitivity(2, 2, 1), 8))
    alone = Loss("n", Decimal("0.2"))
    assert found([law] * 50) < found([alone] * 50) < 10


def test_that_one_geometric_release_has_the_exact_epsilon_at_a_delta() -> None:
    # r = 1/e^(1/4) moved by 2: losses 1/2, 0, -1/2; delta(x) = (1 - e^(x - 1/2)) / (1 + r).
    r = exp(-0.25)
    exact = 0.5 + log(1 - 0.01 * (1 + r))
    ours = found(
        [Loss("n", Decimal("0.5"), noise=Noise("geometric", 4.0, Sensitivity(2, 4, 2), 1))],
        Decimal("0.01"),
    )
    assert exact <= ours <= exact + 2e-3


def test_that_staircase_noise_and_unknown_laws_are_as_bad_as_their_epsilon() -> None:
    known = Loss("n", Decimal("0.2"), noise=Noise("staircase", 10.0, ONE, 1))
    assert found([known] * 10) == found([Loss("n", Decimal("0.2"))] * 10)


def test_that_the_moves_of_a_vector_are_the_largest_its_sensitivity_allows() -> None:
    assert largest_moves(Noise("", 1.0, Sensitivity(2, 2, 1), 50)) == ((1, 1),)
    assert largest_moves(Noise("", 1.0, Sensitivity(2, 4, 2), 50)) == ((2,), (1, 1))
    assert largest_moves(Noise("", 1.0, Sensitivity(5, 25, 5), 1)) == ((5,),)
    assert largest_moves(Noise("", 1.0, Sensitivity(6, 26, 5), 1)) == ((5,),)
    assert largest_moves(Noise("", 1.0, Sensitivity(3, 9, 3), 2)) == ((3,), (2, 1))
    assert largest_moves(Noise("", 1.0, Sensitivity(3, 5, 2), None)) == ((2, 1), (1, 1, 1))
    assert largest_moves(Noise("", 1.0, Sensitivity(60, 3600, 60), None)) == ()


def bounded(moves: Sensitivity, size: int) -> list[tuple[int, ...]]:
    """Every vector within a sensitivity, padded with zeros, that no other one exceeds."""
    every = [
        vector
        for vector in combinations_with_replacement(range(moves.linf, -1, -1), min(size, moves.l1))
        if sum(vector) <= moves.l1 and sum(x * x for x in vector) <= moves.l2_square
    ]
    kept: list[tuple[int, ...]] = []
    # A vector that exceeds another has the larger sum.
    for vector in sorted(every, key=sum, reverse=True):
        if not any(all(x >= y for x, y in zip(one, vector, strict=True)) for one in kept):
            kept.append(vector)
    return kept


@pytest.mark.parametrize("size", [2, 3, 5, None])
def test_that_up_to_twelve_moves_are_those_found_by_enumeration(size: int | None) -> None:
    numbers = set()
    for l1, linf in ((4, 2), (5, 5), (7, 3), (9, 4)):
        for l2_square in range(l1, linf * l1 + 1):
            if not linf * linf <= l2_square:
                continue
            moves = Sensitivity(l1, l2_square, linf)
            told = largest_moves(Noise("", 1.0, moves, size))
            exact = [tuple(x for x in v if x) for v in bounded(moves, size or l1)]
            numbers.add(len(exact))
            assert sorted(told) == (sorted(exact) if len(exact) <= 12 else []), moves
    assert size is not None or {11, 12, 13} <= numbers


def test_that_moves_of_up_to_200_steps_are_looked_at() -> None:
    for steps, told in ((200, True), (201, False)):
        moves = Sensitivity(steps, steps * steps, steps)
        assert largest_moves(Noise("", 1.0, moves, 1)) == ((steps,),)
        close = Sensitivity(steps, steps, 1)
        expected = ((1,) * steps,) if told else ()
        assert largest_moves(Noise("", 1.0, close, None)) == expected


@pytest.mark.parametrize(("scale", "known"), [(0.05, True), (0.049, False), (10_001.0, False)])
def test_that_noise_too_small_or_too_large_to_sum_counts_by_its_epsilon(
    scale: float, known: bool
) -> None:
    noise = Noise("discrete_gaussian", scale, Sensitivity.of_number(1), 1)
    assert (_discrete_gaussian(noise, 1e-3) is not None) == known
    if not known:
        loss = Loss("n", Decimal("0.2"), Decimal("1e-9"), noise=noise)
        assert found([loss]) == found([Loss("n", Decimal("0.2"), Decimal("1e-9"))])


def test_that_the_worst_move_of_a_vector_counts() -> None:
    moves = Sensitivity(2, 4, 2)
    either = found([noisy("discrete_gaussian", 10.0, moves, 5)])
    far = found([noisy("discrete_gaussian", 10.0, moves, 1)])
    assert far - 1e-9 <= either <= far + 2e-3
    # So many moves that nobody looks at them: then its epsilon and delta count.
    many = Noise("discrete_gaussian", 10.0, Sensitivity(60, 3600, 60), 90)
    unknown = Loss("n", Decimal(1), Decimal("1e-6"), noise=many)
    assert numerical_epsilon([unknown], Decimal("9e-7")) is None
    assert 0.99 < found([unknown], Decimal("1e-5")) <= 1 + 1e-8


def test_that_epsilon_falls_with_delta_and_grows_with_releases() -> None:
    losses = [noisy("geometric", 20.0)] * 30
    by_delta = [found(losses, Decimal(f"1e-{n}")) for n in range(1, 11)]
    assert by_delta == sorted(by_delta)
    by_count = [found(losses[:n]) for n in range(1, 31, 4)]
    assert by_count == sorted(by_count)


def test_that_a_delta_is_refused_where_rounding_would_show() -> None:
    for delta, told in (("1e-12", False), ("9.99e-12", False), ("1e-11", True), ("1", False)):
        assert (numerical_epsilon([Loss("q", Decimal(1))], Decimal(delta)) is not None) == told
    assert numerical_epsilon([], DELTA) is None


@pytest.mark.parametrize("kind", ["geometric", "laplace"])
def test_that_a_vector_of_laplace_noise_counts_the_sum_of_its_moves(kind) -> None:
    vector = Loss("n", Decimal("0.2"), noise=Noise(kind, 10.0, Sensitivity(2, 2, 1), 8))
    number = Loss("n", Decimal("0.2"), noise=Noise(kind, 10.0, Sensitivity.of_number(2), 1))
    assert found([vector] * 20) == found([number] * 20)


def test_that_a_vector_of_discrete_gaussian_noise_counts_every_number_that_moves() -> None:
    moved = noisy("discrete_gaussian", 10.0, Sensitivity(3, 3, 1), 8)
    exact = epsilon_of_gaussian(10 / 3**0.5, 1e-6)
    assert found([moved]) == pytest.approx(exact, rel=2e-3)
