"""Exact checks of choices and quantiles, and of what they draw; shared with the kill matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import ceil, exp, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binomtest

from dpdesk.queries.selection import (
    CHOICE_MECHANISMS,
    OPTIONS_MAX,
    CalibratedChoice,
    ChoiceMechanism,
    calibrate_choice,
    calibrate_quantile,
    rank_scores,
    rank_sensitivity,
)
from dpdesk.queries.selection.laws import acceptances, exponential_law, permute_and_flip_law
from dpdesk.queries.selection.quantile import interval_targets
from dpdesk.queries.texts import T
from dpdesk.queries.unit import Relation
from tests.refusals import refused

ALPHA = 1e-9
ONE = Decimal(1)
RELATIONS: tuple[Relation, ...] = ("add_remove", "replace")


def choice_of(
    options: int,
    *,
    linf: int = 1,
    monotonic: bool = True,
    epsilon: Decimal = ONE,
    k: int = 1,
    mechanism: ChoiceMechanism = "permute_and_flip",
) -> CalibratedChoice:
    calibrate_choice.cache_clear()
    return calibrate_choice(linf, monotonic, epsilon, options, k, mechanism)


def scores_of(*scores: int) -> NDArray[np.int64]:
    return np.array(scores, dtype=np.int64)


# ----------------------------------------------------------------------------------- the laws


def _by_all_orders(accept: list[Fraction]) -> list[Fraction]:
    """Permute-and-flip as it is told: every order, every refusal."""
    chances = [Fraction(0)] * len(accept)
    orders = list(permutations(range(len(accept))))
    for order in orders:
        left = Fraction(1, len(orders))
        for i in order:
            chances[i] += left * accept[i]
            left *= 1 - accept[i]
    return chances


def permute_and_flip_has_the_law_of_all_orders() -> None:
    for scores in ((0,), (3, 3), (5, 3, 3, 0), (1, 0, 0, 0, -2, 1), (9, 0, 0, 0, 0, 0)):
        for scale in (0.3, 2.0, 50.0):
            accept = acceptances(scores_of(*scores), scale)
            expected = _by_all_orders([Fraction(float(p)) for p in accept])
            found = permute_and_flip_law(accept)
            assert found == pytest.approx([float(c) for c in expected], rel=1e-12), scores


def the_largest_after_exponential_noise_has_the_same_law() -> None:
    """Integrated over the noise of the winner (Ding et al. 2021): what OpenDP's name promises."""
    scores, scale = scores_of(4, 3, 1), 1.5
    z = np.arange(0.0005, 60, 0.001)
    found = []
    for i, own in enumerate(scores):
        others = np.ones_like(z)
        for j, score in enumerate(scores):
            if j != i:
                others *= np.maximum(1 - np.exp(-(own + z - score) / scale), 0) * (own + z > score)
        found.append(float((np.exp(-z / scale) / scale * others).sum() * 0.001))
    assert found == pytest.approx(
        permute_and_flip_law(acceptances(scores, scale)).tolist(), abs=2e-4
    )


def laws_of_many_options_are_those_of_their_closed_forms() -> None:
    for options in (2, 40, 3_000, 200_000):
        for lead in (0, 5, 40, 400):
            scores = np.zeros(options, dtype=np.int64)
            scores[options // 2] = lead
            for mechanism in CHOICE_MECHANISMS:
                choice = choice_of(options, epsilon=Decimal("0.2"), mechanism=mechanism)
                law = choice.law(scores)
                assert law.sum() == pytest.approx(1, rel=1e-11)
                best = law[options // 2]
                assert best == pytest.approx(choice.chance_of_lead(lead), rel=1e-9), options
    spread = -np.arange(50_000, dtype=np.int64)
    assert permute_and_flip_law(acceptances(spread, 70.0)).sum() == pytest.approx(1, rel=1e-10)


def the_exponential_mechanism_chooses_in_proportion() -> None:
    choice = choice_of(3, monotonic=False, linf=2, mechanism="exponential")
    weights = [exp(score / 4) for score in (7, 5, -1)]
    expected = [w / sum(weights) for w in weights]
    assert choice.law(scores_of(7, 5, -1)) == pytest.approx(expected, rel=1e-9)
    far = scores_of(1 << 62, -(1 << 62), (1 << 62) - 4)
    pair = [1 / (1 + exp(-1)), 0.0, exp(-1) / (1 + exp(-1))]
    assert choice.law(far) == pytest.approx(pair, rel=1e-9)


def permute_and_flip_is_never_worse() -> None:
    for scores in product(range(-3, 1), repeat=3):
        exact = scores_of(*scores, 0)
        losses = [
            float(choice_of(4, mechanism=mechanism).law(exact) @ -exact)
            for mechanism in CHOICE_MECHANISMS
        ]
        assert losses[0] <= losses[1] + 1e-12
        law = exponential_law(acceptances(exact, 1.0))
        assert losses[1] == pytest.approx(float(law @ -exact), rel=1e-9)


def choosing_several_is_choosing_again_among_the_rest() -> None:
    scores = [4, 3, 3, 0]
    for mechanism in CHOICE_MECHANISMS:
        choice = choice_of(4, k=3, epsilon=Decimal(2), mechanism=mechanism)
        expected = [0.0] * 4
        for order in permutations(range(4), 3):
            chance = 1.0
            left = list(range(4))
            for i in order:
                accept = acceptances(scores_of(*(scores[j] for j in left)), choice.scale)
                if mechanism == "exponential":
                    chance *= float(accept[left.index(i)] / accept.sum())
                else:
                    orders = _by_all_orders([Fraction(float(p)) for p in accept])
                    chance *= float(orders[left.index(i)])
                left.remove(i)
            for i in order:
                expected[i] += chance
        assert choice.law(scores_of(*scores)) == pytest.approx(expected, rel=1e-9)
        assert sum(expected) == pytest.approx(3)


# ------------------------------------------------------------------------------------ the loss


def no_result_of_neighbours_exceeds_its_ratio() -> None:
    """Over all scores on a small grid and all neighbours; and nearly all of epsilon is run."""
    for mechanism in CHOICE_MECHANISMS:
        for monotonic in (True, False):
            choice = choice_of(3, linf=2, monotonic=monotonic, mechanism=mechanism)
            worst = 0.0
            # Scores far apart bring permute-and-flip near its bound.
            for scores in product((-24, -3, 0), (-24, -1, 0), (0, 1)):
                law = choice.law(scores_of(*scores))
                for moves in product((0, 1, 2) if monotonic else (-2, 0, 2), repeat=3):
                    near = choice.law(scores_of(*scores) + scores_of(*moves))
                    worst = max(worst, float((law / near).max()), float((near / law).max()))
            assert worst <= exp(1) * (1 + 1e-12), (mechanism, monotonic)
            assert worst >= exp(0.99), (mechanism, monotonic, worst)


def choices_run_at_most_epsilon_and_nearly_all_of_it() -> None:
    for mechanism in CHOICE_MECHANISMS:
        for epsilon in (Decimal("0.0001"), Decimal("0.3"), Decimal("2.7"), Decimal(40)):
            for linf, monotonic, k in product((1, 3, 10**6), (True, False), (1, 2, 7)):
                choice = choice_of(
                    9, linf=linf, monotonic=monotonic, epsilon=epsilon, k=k, mechanism=mechanism
                )
                run = k * linf * (1 if monotonic else 2) / Fraction(choice.scale)
                assert run <= Fraction(choice.epsilon_run) <= Fraction(epsilon)
                assert run >= Fraction(epsilon) * (1 - Fraction(1, 10**6))
                if mechanism == "permute_and_flip":
                    assert choice.rho is None
                else:
                    # (range / scale)^2 / 8 for each of the k (Cesar & Rogers 2021).
                    rho = run * run / (8 * k)
                    assert choice.rho is not None
                    assert rho <= Fraction(choice.rho) <= rho * (1 + Fraction(1, 10**12))


# ------------------------------------------------------------------------- what can be promised


def a_lead_is_the_smallest_that_wins_and_no_scores_fall_short_by_more() -> None:
    for mechanism in CHOICE_MECHANISMS:
        for options, confidence in ((1, 0.95), (3, 0.5), (4, 0.95), (4, 0.2), (1000, 0.99)):
            choice = choice_of(options, epsilon=Decimal("0.7"), mechanism=mechanism)
            lead = choice.lead_for(confidence)
            assert choice.chance_of_lead(lead) >= confidence
            if lead:
                assert choice.chance_of_lead(lead - 1) < confidence
            assert choice.shortfall(confidence) == max(lead - 1, 0)
        choice = choice_of(4, epsilon=Decimal("0.7"), mechanism=mechanism)
        short = choice.shortfall(0.9)
        for others in product((0, short - 1, short, short + 1, short + 2, 3 * short), repeat=3):
            law = choice.law(scores_of(0, *(-other for other in others)))
            kept = law[0] + sum(law[1:][[other <= short for other in others]])
            assert kept >= 0.9, (mechanism, others)
        just_beyond = choice.law(scores_of(0, -short, -short, -short))
        assert just_beyond[0] < 0.9


def no_place_among_several_falls_short_by_more() -> None:
    choice = choice_of(4, k=2, epsilon=Decimal(2))
    short = choice.shortfall(0.9)
    assert short > choice_of(4, epsilon=ONE).shortfall(0.9)
    distances = (0, 1, short, short + 1, 2 * short)
    for scores in product(*[[-distance for distance in distances]] * 3):
        exact = scores_of(0, *scores)
        best = sorted(exact, reverse=True)
        kept = 0.0
        for first, share in enumerate(choice_of(4, epsilon=ONE).law(exact)):
            rest = np.delete(exact, first)
            law = choice_of(3, epsilon=ONE).law(rest)
            if best[0] - exact[first] <= short:
                kept += share * law[best[1] - rest <= short].sum()
        assert kept >= 0.9, scores


def parameters_outside_their_bounds_are_refused() -> None:
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: choice_of(0), "bad-choice"),
        (lambda: choice_of(OPTIONS_MAX + 1), "bad-choice"),
        (lambda: choice_of(2, k=3), "bad-choice"),
        (lambda: choice_of(2, mechanism="best"), "unknown-kind"),  # type: ignore[arg-type]
        (lambda: choice_of(2, linf=0), "bad-sensitivity"),
        (lambda: choice_of(2, linf=1 << 52, epsilon=Decimal("0.5")), "noise-too-large"),
        (lambda: choice_of(3).draw(scores_of(1, 2)), "other-size"),
        (lambda: choice_of(2).draw(np.array([1.0, 2.0])), "other-size"),  # type: ignore[arg-type]
        (lambda: choice_of(2).draw(scores_of(0, (1 << 62) + 1)), "scores-too-large"),
        (lambda: choice_of(400, k=5).law(np.zeros(400, dtype=np.int64)), "many-sets"),
        (lambda: choice_of(2).lead_for(1.0), "confidence"),
        (lambda: rank_scores(scores_of(1), Fraction(1)), "shares"),
        (lambda: rank_scores(scores_of(1), Fraction(1, 10_001)), "shares"),
        (lambda: rank_scores(scores_of(1 << 60), Fraction(1, 10)), "too-many-rows"),
    ]
    for call, why in calls:
        with refused(f"queries.{why}"):
            call()


# ----------------------------------------------------------------------------------- quantiles


ALPHAS = (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4), Fraction(2, 5), Fraction(9, 10))


def rank_scores_are_those_of_the_rows_themselves() -> None:
    """The distance of the rank that is asked for from the ranks that a point has, in 1/b rows."""
    for counts in product(range(3), repeat=4):
        rows = [point for point, count in enumerate(counts) for _ in range(count)]
        for alpha in ALPHAS:
            expected = []
            for point in range(4):
                least = sum(row < point for row in rows)
                most = sum(row <= point for row in rows)
                rank = alpha * len(rows)
                distance = max(Fraction(0), least - rank, rank - most) * alpha.denominator
                expected.append(-int(distance))
            assert max(expected) == 0
            assert rank_scores(scores_of(*counts), alpha).tolist() == expected


def the_best_point_is_the_quantile() -> None:
    for counts in product(range(3), repeat=4):
        rows = [point for point, count in enumerate(counts) for _ in range(count)]
        for alpha in ALPHAS:
            quantile = calibrate_quantile(4, alpha, 1, "add_remove", ONE)
            lowest = rows[ceil(alpha * len(rows)) - 1] if rows else 0
            assert quantile.best(scores_of(*counts)) == lowest


def a_heap_that_is_the_median_is_chosen() -> None:
    """1,000 x 100, 2,000 x 480, 3,000 x 420 on a grid of 10; the chances are known."""
    counts = np.zeros(501, dtype=np.int64)
    counts[[100, 200, 300]] = 100, 480, 420
    for relation, shares in (("add_remove", (0.96754, 0.98341)), ("replace", (0.35316, 0.45701))):
        for mechanism, share in zip(("exponential", "permute_and_flip"), shares, strict=True):
            chosen = calibrate_quantile(
                501,
                Fraction(1, 2),
                1,
                relation,
                Decimal("0.1"),
                mechanism,
            )
            assert chosen.law(counts)[200] == pytest.approx(share, abs=6e-6), (relation, mechanism)
    # Exactly, of runs of equal scores: (points, rows from the rank), where b / (2 D) = 1.
    runs = [(1, 0), (99, 80), (1, 80), (200, 500), (99, 400), (1, 400), (100, 500)]
    weights = [points * exp(-0.1 * rows) for points, rows in runs]
    law = calibrate_quantile(
        501, Fraction(1, 2), 1, "add_remove", Decimal("0.1"), "exponential"
    ).law(counts)
    assert law[200] == pytest.approx(weights[0] / sum(weights))
    twenty = calibrate_quantile(501, Fraction(1, 2), 1, "add_remove", Decimal(20))
    assert all(twenty.draw(counts) == 200 for _ in range(20))
    # Without rows every point is equally likely.
    assert twenty.law(np.zeros(501, dtype=np.int64)) == pytest.approx(np.full(501, 1 / 501))


POINTS = 4
ANSWERS = 4


def _tables(rows: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All tables of up to 4 rows: for each respondent the points of up to `rows` rows."""
    kinds = [
        kind
        for size in range(rows + 1)
        for kind in combinations_with_replacement(range(POINTS), size)
    ]
    for respondents in range(ANSWERS + 1):
        for table in combinations_with_replacement(kinds, respondents):
            if sum(map(len, table)) <= ANSWERS:
                yield table


def _neighbours(
    table: tuple[tuple[int, ...], ...], relation: Relation, rows: int
) -> Iterator[list[int]]:
    """The rows of every table that differs in the last respondent, of up to 4 rows."""
    kinds = [
        kind
        for size in range(rows + 1)
        for kind in combinations_with_replacement(range(POINTS), size)
    ]
    for place in range(len(table)):
        others = [row for one in (*table[:place], *table[place + 1 :]) for row in one]
        if relation == "add_remove":
            yield others
        else:
            yield from ([*others, *kind] for kind in kinds if len(others) + len(kind) <= ANSWERS)


def _counts(rows: list[int]) -> NDArray[np.int64]:
    return np.bincount(np.array(rows, dtype=np.int64), minlength=POINTS).astype(np.int64)


def _all_neighbours(relation: Relation, rows: int) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    return {
        (
            tuple(_counts([row for one in table for row in one]).tolist()),
            tuple(_counts(near).tolist()),
        )
        for table in _tables(rows)
        for near in _neighbours(table, relation, rows)
    }


def the_sensitivity_of_rank_scores_is_that_of_all_small_tables() -> None:
    """Every table of up to 4 rows on 4 points, every respondent, both relations, 1 and 2 rows."""
    for relation in RELATIONS:
        for rows in (1, 2):
            pairs = _all_neighbours(relation, rows)
            assert len(pairs) > 50
            for alpha in ALPHAS:
                moved = max(
                    int(
                        np.abs(
                            rank_scores(scores_of(*table), alpha)
                            - rank_scores(scores_of(*near), alpha)
                        ).max()
                    )
                    for table, near in pairs
                )
                assert moved == rank_sensitivity(alpha, relation, rows), (relation, rows, alpha)


def no_quantile_of_neighbouring_tables_exceeds_its_ratio() -> None:
    for mechanism in CHOICE_MECHANISMS:
        for relation in RELATIONS:
            for rows in (1, 2):
                for alpha in (Fraction(1, 2), Fraction(1, 4)):
                    calibrate_quantile.cache_clear()
                    quantile = calibrate_quantile(POINTS, alpha, rows, relation, ONE, mechanism)
                    laws: dict[tuple[int, ...], NDArray[np.float64]] = {}
                    for counts in {c for pair in _all_neighbours(relation, rows) for c in pair}:
                        laws[counts] = quantile.law(scores_of(*counts))
                    worst = max(
                        float((laws[table] / laws[near]).max())
                        for table, near in _all_neighbours(relation, rows)
                    )
                    assert worst <= exp(1) * (1 + 1e-12)
                    # So few rows do not reach the bound.
                    assert worst > exp(0.25)


def a_quantile_misses_its_rank_by_no_more_than_is_said() -> None:
    quantile = calibrate_quantile(60, Fraction(1, 4), 1, "add_remove", Decimal("0.5"))
    counts = np.arange(60, dtype=np.int64)
    scores = rank_scores(counts, quantile.alpha)
    missed = (scores.max() - scores) / 4
    law = quantile.law(counts)
    assert law[missed <= quantile.rank_error(0.95)].sum() >= 0.95
    assert quantile.rank_error(0.95) == quantile.choice.shortfall(0.95) / 4


def intervals_hold_the_quantile_of_the_population() -> None:
    """Coverage of about 95 % or more on answers that heap and on answers that do not, seeded.

    The choices are drawn from their exact law, so that the seed decides all.
    """
    generator = np.random.default_rng(20260114)
    heaped = np.where(np.arange(200) % 20 == 0, 25.0, 1.0)
    for weights in (np.ones(200), heaped):
        shares = weights / weights.sum()
        for alpha, rows in ((Fraction(1, 2), 400), (Fraction(9, 10), 1500)):
            true = int(np.searchsorted(np.cumsum(shares), float(alpha)))
            quantile = calibrate_quantile(200, alpha, 1, "add_remove", Decimal("0.5"))
            targets = interval_targets(quantile, rows, 0.95)
            covered = 0
            for _ in range(150):
                counts = generator.multinomial(rows, shares).astype(np.int64)
                low, high = (
                    end if t is None else generator.choice(200, p=quantile.at(t).law(counts))
                    for t, end in zip(targets, (0, 199), strict=True)
                )
                covered += low <= true <= high
            assert covered >= 0.94 * 150, (alpha, covered)


def the_targets_of_an_interval_allow_for_their_own_noise() -> None:
    for alpha in ALPHAS:
        for relation in RELATIONS:
            quantile = calibrate_quantile(501, alpha, 1, relation, Decimal("0.25"))
            rows, z = 2_000, NormalDist().inv_cdf(1 - 0.019)
            targets = interval_targets(quantile, rows, 0.95)
            for target in targets:
                assert target is not None
                missed = quantile.at(target).rank_error(0.995) / rows
                away = z * sqrt(alpha * (1 - alpha) / rows) + missed
                is_upper = target is targets[1]
                over = float(target - alpha) * (1 if is_upper else -1) - away
                # Rounded outwards to the fourth decimal; nearer the middle there is less noise.
                assert 0 <= over < 2.1e-4 + 0.1 * missed
    # So few rows tell no end: it is the bound of what is possible.
    few = calibrate_quantile(501, Fraction(9, 10), 1, "add_remove", Decimal("0.25"))
    assert interval_targets(few, 60, 0.95) == (
        None,
        None,
    )


def the_derivation_names_the_sensitivity() -> None:
    add = calibrate_quantile(9, Fraction(1, 4), 2, "add_remove", ONE)
    assert add.choice.linf == 6
    assert add.derivation.endswith(T.SENSITIVITY_OF_PRESENCE(count=2, total=6))
    swap = calibrate_quantile(9, Fraction(1, 4), 1, "replace", ONE)
    assert swap.choice.linf == 4
    assert swap.derivation.endswith(T.SENSITIVITY_OF_ANSWERS(count=1, total=4))


# ----------------------------------------------------------------------------- what is drawn


DRAWS = 5_000


def choices_are_as_frequent_as_their_law_says() -> None:
    scores = scores_of(6, 4, 4, 0, 3, 5)
    cases: list[tuple[ChoiceMechanism, bool, int]] = [
        ("permute_and_flip", True, 1),
        ("exponential", False, 1),
        ("permute_and_flip", False, 2),
        ("exponential", True, 2),
    ]
    for mechanism, monotonic, k in cases:
        choice = choice_of(6, monotonic=monotonic, k=k, mechanism=mechanism)
        chosen = np.zeros(6, dtype=np.int64)
        for _ in range(DRAWS):
            places = choice.draw(scores)
            assert len(set(places)) == k
            chosen[list(places)] += 1
        for count, chance in zip(chosen.tolist(), choice.law(scores).tolist(), strict=True):
            p_value = binomtest(count, DRAWS, chance).pvalue
            assert p_value > ALPHA / 24, (mechanism, k, count, chance)


def quantiles_are_as_frequent_as_their_law_says() -> None:
    counts = scores_of(0, 3, 1, 0, 0, 2, 6, 1)
    quantile = calibrate_quantile(8, Fraction(1, 4), 1, "add_remove", Decimal(2))
    drawn = np.bincount([quantile.draw(counts) for _ in range(DRAWS)], minlength=8)
    for count, chance in zip(drawn.tolist(), quantile.law(counts).tolist(), strict=True):
        assert binomtest(count, DRAWS, chance).pvalue > ALPHA / 8, (count, chance)
