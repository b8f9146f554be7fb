"""The laws behind simulations of several answers and of numbers, by enumeration and integration."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import comb, exp, factorial, log, prod

import numpy as np
import pytest

from dpdesk.designs.behaviour import Evasion
from dpdesk.designs.beliefs import belief_table
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.matrix_categories import CategoryDesign, MatrixCategories
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.number_design import NumberDesign, TrueNumbers, report_moments
from dpdesk.designs.scrambling import Additive, BarLev, Multiplicative
from dpdesk.designs.several_answers import shares_theory
from dpdesk.errors import ParameterError
from tests.refusals import refused

F = Fraction
SHARES = (F(1, 2), F(3, 10), F(1, 5))
FORCED = ForcedCategories(orders=(F(1, 6), F(1, 12), F(1, 4)))
MATRIX = MatrixCategories(
    rows=((F(3, 5), F(1, 5), F(1, 5)), (F(1, 4), F(1, 2), F(1, 4)), (F(0), F(1, 3), F(2, 3)))
)
EVASION = Evasion(hidden=2, instead=0, deny=0.25, careless=0.125)


def report_law(design: CategoryDesign, evasion: Evasion) -> list[Fraction]:
    """Chance of each answer said, in fractions: the matrix, who hides, who is careless."""
    deny, careless = F(evasion.deny), F(evasion.careless)
    size = len(design.law)
    law = []
    for true in range(size):
        row = list(design.law[true])
        if true == evasion.hidden:
            row = [(1 - deny) * c + deny * (j == evasion.instead) for j, c in enumerate(row)]
        law.append([(1 - careless) * c + careless / size for c in row])
    return [sum((SHARES[i] * law[i][j] for i in range(size)), F(0)) for j in range(size)]


@pytest.mark.parametrize("design", [FORCED, MATRIX], ids=["forced", "matrix"])
@pytest.mark.parametrize("evasion", [Evasion(), EVASION], ids=["followed", "evaded"])
def test_that_theory_has_the_moments_of_all_surveys(
    design: CategoryDesign, evasion: Evasion
) -> None:
    n, chances = 4, report_law(design, evasion)
    first, second = np.zeros(3), np.zeros(3)
    for counts in product(range(n + 1), repeat=3):
        if sum(counts) != n:
            continue
        ways = factorial(n) // prod(map(factorial, counts))
        chance = float(ways * prod(c**k for c, k in zip(chances, counts, strict=True)))
        estimates = design.estimate(counts).shares
        first += chance * estimates
        second += chance * estimates**2
    theory = shares_theory(design, tuple(map(float, SHARES)), n, evasion)
    np.testing.assert_allclose(theory.means, first, rtol=1e-12)
    np.testing.assert_allclose(theory.errors, np.sqrt(second - first**2), rtol=1e-10)


def test_that_forced_response_has_the_inverse_and_variances_of_its_matrix() -> None:
    matrix = MatrixCategories(rows=FORCED.law)
    np.testing.assert_allclose(FORCED.unmixing, matrix.unmixing, rtol=1e-12)
    shares = np.array([float(share) for share in SHARES])
    for own, general in zip(
        FORCED.planned_variances(shares), matrix.planned_variances(shares), strict=True
    ):
        np.testing.assert_allclose(own, general, rtol=1e-12)
    assert FORCED.size == matrix.size == 3


@pytest.mark.parametrize("mechanism", ["grr", "oue", "subset_selection", "olh", "hadamard"])
def test_that_a_mechanism_estimates_shares_that_are_entered(mechanism: str) -> None:
    n = 5
    design = MechanismShare(mechanism=mechanism, categories=3, epsilon=Decimal(1))
    theory = shares_theory(design, tuple(map(float, SHARES)), n, EVASION)
    p, q = map(float, design.chances)
    # Share 2 loses a quarter to share 0; then an eighth of all enter any answer alike.
    given = (0.875 * (0.5 + 0.05) + 0.125 / 3, 0.875 * 0.3 + 0.125 / 3, 0.875 * 0.15 + 0.125 / 3)
    for mean, error, share in zip(theory.means, theory.errors, given, strict=True):
        chance = q + (p - q) * share
        law = [comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]
        estimates = [(k / n - q) / (p - q) for k in range(n + 1)]
        expected = sum(c * e for c, e in zip(law, estimates, strict=True))
        spread = sum(c * (e - expected) ** 2 for c, e in zip(law, estimates, strict=True))
        assert mean == pytest.approx(expected, rel=1e-10)
        assert error == pytest.approx(spread**0.5, rel=1e-10)


@pytest.mark.parametrize("shares", [(0.5, 0.6, -0.1), (0.5, 0.3), (0.5, 0.3, 0.1)])
def test_that_shares_that_are_none_are_refused(shares: tuple[float, ...]) -> None:
    with pytest.raises(ParameterError):
        shares_theory(FORCED, shares, 100)


FOLLOWING = (
    FORCED,
    MechanismShare(mechanism="oue", categories=4),
    Additive(lower=-3, upper=7, scale=5, center=1),
    Multiplicative(lower=2, upper=3, scale=0.3),
)


@pytest.mark.parametrize("design", FOLLOWING, ids=lambda design: design.kind)
@pytest.mark.parametrize("epsilon", [1.0, 2.5])
def test_that_a_design_takes_an_epsilon_and_never_a_larger_one(design, epsilon: float) -> None:
    assert design.epsilon_decides
    found = design.at_epsilon(epsilon)
    assert type(found) is type(design)
    assert epsilon - 1e-4 < found.loss.epsilon <= epsilon


def test_that_orders_keep_their_ratios() -> None:
    found = FORCED.at_epsilon(2.0)
    assert isinstance(found, ForcedCategories)
    assert float(found.orders[0] / found.orders[1]) == pytest.approx(2, abs=1e-4)
    assert float(found.orders[2] / found.orders[1]) == pytest.approx(3, abs=1e-4)
    assert all(10**6 % order.denominator == 0 for order in found.orders)


@pytest.mark.parametrize(
    "design",
    [
        MATRIX,
        BarLev(lower=1, upper=2, scale=0.2),
        Additive(lower=0, upper=1, scale=1, noise="uniform"),
        Multiplicative(lower=0, upper=1, scale=0.2),
        ForcedCategories(orders=(F(0), F(1, 4))),
    ],
    ids=["matrix", "bar_lev", "uniform", "from 0", "no order"],
)
def test_that_an_epsilon_does_not_decide_other_devices(design) -> None:
    assert not design.epsilon_decides
    with pytest.raises(ParameterError):
        design.at_epsilon(1.0)


def test_that_a_multiplier_without_variance_is_refused() -> None:
    with refused("designs.no-variance-at"):
        Multiplicative(lower=1, upper=100, scale=0.2).at_epsilon(2 * log(100) - 0.01)


NUMBERS = (
    Additive(lower=-2, upper=6, scale=3, center=1),
    Additive(lower=-2, upper=6, scale=3, noise="uniform"),
    Multiplicative(lower=1, upper=6, scale=0.08),
    Multiplicative(lower=-2, upper=6, scale=0.6, noise="uniform"),
    BarLev(lower=1, upper=6, scale=0.08, truth=F(1, 3)),
)


def device_law(design: NumberDesign) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the device and their weights on a fine grid."""
    parts = (np.arange(200_000) + 0.5) / 200_000
    even = np.full(parts.size, 1 / parts.size)
    if design.noise == "uniform":
        drawn = design.scale * (2 * parts - 1)
        return (drawn if isinstance(design, Additive) else 1 + drawn), even
    sides = np.concatenate((np.log(2 * parts[parts < 0.5]), -np.log(2 * (1 - parts[parts > 0.5]))))
    drawn = design.scale * sides
    return (drawn if isinstance(design, Additive) else np.exp(drawn)), (
        np.full(drawn.size, 1 / drawn.size)
    )


@pytest.mark.parametrize("design", NUMBERS, ids=lambda d: f"{d.kind} {d.noise}")
@pytest.mark.parametrize("understating", [0.0, 0.2])
def test_that_moments_of_what_is_said_are_those_of_its_law(
    design: NumberDesign, understating: float
) -> None:
    from scipy.stats import beta

    true = TrueNumbers(3.0, 1.2, design.lower, design.upper, understating)
    law = beta(*true.shape, loc=design.lower, scale=true.width)
    assert law.mean() == pytest.approx(3.0)
    assert law.std() == pytest.approx(1.2)
    raw = [(1 - understating) * law.moment(k) + understating * design.lower**k for k in range(1, 5)]
    values, weights = device_law(design)
    if isinstance(design, Additive):
        values = values + design.center
        mean = raw[0] + weights @ values
        powers = [weights @ values**k for k in range(5)]
        said = [
            sum(comb(k, j) * ([1.0, *raw][j]) * powers[k - j] for j in range(k + 1))
            for k in range(1, 5)
        ]
    else:
        p = float(design.truth) if isinstance(design, BarLev) else 0.0
        said = [raw[k - 1] * (p + (1 - p) * (weights @ values**k)) for k in range(1, 5)]
        mean = said[0]
    variance = said[1] - mean**2
    third = said[2] - 3 * mean * said[1] + 2 * mean**3
    fourth = said[3] - 4 * mean * said[2] + 6 * mean**2 * said[1] - 3 * mean**4
    found = report_moments(design, true)
    assert found.mean == pytest.approx(mean, rel=1e-5)
    assert found.variance == pytest.approx(variance, rel=1e-4)
    assert found.third == pytest.approx(third, rel=1e-2, abs=1e-2)
    assert found.fourth == pytest.approx(fourth, rel=1e-2)


def test_that_a_heavy_tail_has_no_fourth_moment() -> None:
    true = TrueNumbers(3.0, 1.2, 1, 6)
    assert report_moments(Multiplicative(lower=1, upper=6, scale=0.24), true).fourth < float("inf")
    heavy = report_moments(Multiplicative(lower=1, upper=6, scale=0.26), true)
    assert heavy.fourth == float("inf")
    assert heavy.variance < float("inf")


@pytest.mark.parametrize(("mean", "deviation"), [(0.0, 1.0), (7.0, 1.0), (3.0, 0.0), (3.0, 3.0)])
def test_that_numbers_that_no_law_between_the_bounds_has_are_refused(
    mean: float, deviation: float
) -> None:
    with pytest.raises(ParameterError):
        TrueNumbers(mean, deviation, 0.0, 6.0)


@pytest.mark.parametrize("design", [FORCED, MATRIX], ids=["forced", "matrix"])
def test_that_beliefs_after_what_is_said_follow_bayes(design: CategoryDesign) -> None:
    table = belief_table(design, tuple(map(float, SHARES)))
    assert table.alone
    for report in table.reports:
        joint = [SHARES[i] * design.law[i][report.answer] for i in range(3)]
        assert report.chance == pytest.approx(float(sum(joint)))
        assert report.beliefs == pytest.approx([float(part / sum(joint)) for part in joint])


def test_that_a_report_that_rules_an_answer_out_is_named() -> None:
    table = belief_table(MATRIX, tuple(map(float, SHARES)))
    assert table.epsilon == float("inf")
    assert [(proof.answer, proof.ruled_out) for proof in table.proofs] == [(0, (2,))]


@pytest.mark.parametrize("mechanism", ["sue", "oue"])
def test_that_no_report_of_bits_says_more_than_one_for_an_answer_alone(mechanism: str) -> None:
    shares = tuple(map(float, SHARES))
    design = MechanismShare(mechanism=mechanism, categories=3, epsilon=Decimal("1.5"))
    p, q = map(float, design.chances)
    table = belief_table(design, shares)
    assert not table.alone
    alone = {report.answer: report.beliefs for report in table.reports}
    for bits in product((0, 1), repeat=3):
        likelihood = [
            prod(
                (p if i == t else q) if bit else (1 - p if i == t else 1 - q)
                for i, bit in enumerate(bits)
            )
            for t in range(3)
        ]
        joint = [share * chance for share, chance in zip(shares, likelihood, strict=True)]
        beliefs = [part / sum(joint) for part in joint]
        for answer in range(3):
            assert beliefs[answer] <= alone[answer][answer] + 1e-9
        if sum(bits) == 1:
            assert alone[bits.index(1)] == pytest.approx(beliefs, rel=1e-6)


def test_that_subsets_of_one_are_reports_of_one_answer() -> None:
    small = MechanismShare(mechanism="subset_selection", categories=4, epsilon=Decimal(2))
    large = MechanismShare(mechanism="subset_selection", categories=12, epsilon=Decimal(1))
    assert belief_table(small, (0.25,) * 4).alone
    assert not belief_table(large, (1 / 12,) * 12).alone
    assert large.loss.epsilon == pytest.approx(1.0, abs=1e-6)
    assert belief_table(large, (1 / 12,) * 12).reports[0].ratio == pytest.approx(exp(1), rel=1e-6)
