"""Numbers of the help pages that bounds, defaults and constants decide, each computed by itself.

`test_true_pages` holds those of laws.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from math import comb, exp, log, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq

from dpdesk.cost import EPSILON_MAX, EPSILON_MIN
from dpdesk.data.columnar_records import MEMORY_MAX
from dpdesk.designs.planning import Wanted
from dpdesk.domains import SUPPOSED_MISSING, Integer, OptionSet
from dpdesk.ledgers import recognise
from dpdesk.mechanisms import MECHANISMS, AnyDomain, kind_of, mechanism_named
from dpdesk.mechanisms.interval_shares import INTERVALS_MAX
from dpdesk.reports.public import DETAILED_MOST
from tests.house.page_laws import (
    AGES,
    WIDTHS,
    Z,
    best_subset,
    corrected,
    duchi,
    laplace_within,
    mean_error,
    noise,
    piecewise,
    staircase_within,
    stairs,
    subset,
)
from tests.house.test_true_pages import page
from tests.mechanisms.estimator_checks import categories


def claims() -> Iterator[tuple[str, str]]:
    """Pages, with what they say."""
    yield "help", f"exact decimal from {EPSILON_MIN} to {EPSILON_MAX} can be typed"
    yield "epsilon", f"the decimal that you type, from {EPSILON_MIN} to {EPSILON_MAX}, with up to"
    yield "mechanisms/pram", f"ε above {EPSILON_MAX}, or below {EPSILON_MIN}."
    yield (
        "limits",
        f"where reading a group of its rows would take more than {MEMORY_MAX >> 30} GB.",
    )
    yield "missing-answers", f"a share of them: {100 * SUPPOSED_MISSING:.0f} % unless you type"
    wanted = Wanted()
    yield (
        "simulate",
        f"with a power of {100 * wanted.power:.0f} % (one-sided test at {100 * wanted.alpha:.0f} %",
    )
    assert not wanted.two_sided
    yield "mechanisms/square_wave", f"the shares of up to {INTERVALS_MAX} intervals of the range."
    for epsilon in (0.5, 1, 2, 4):
        few, many = (mean_error(*piecewise(epsilon), n) for n in (1_000, 10_000))
        coins = mean_error(*duchi(epsilon), 10_000)
        cells = " | ".join(f"{error:.1f} years" for error in (few, many, coins))
        yield "mechanisms/piecewise", f"| {epsilon:g} | {cells} |"
    # Of Wang et al. 2019, who give this root.
    root = sqrt(241)
    bend = -5 + 2 * ((6353 - 405 * root) ** (1 / 3) + (6353 + 405 * root) ** (1 / 3))
    yield "mechanisms/hybrid", f"Up to ε = {log(bend / 27):.7f}, and on a grid of two points"
    for epsilon in (4,):
        yield "mechanisms/hybrid", f"| {epsilon} | {100 * (1 - exp(-epsilon / 2)):.0f} % |"
    turn = brentq(lambda x: x * (exp(x) - 1) - 2 * x * x, 0.5, 2)
    yield "composition", f"up to ε = {int(1000 * turn) / 1000} (Dwork"
    # The list begins with the true answer where it is in it, with any other alike where it is not.
    w = best_subset(16)
    true = exp(1) * comb(15, w - 1) / (exp(1) * comb(15, w - 1) + comb(15, w))
    yield "decisions/subsets", f"turns ε = 1 into {log(true / ((1 - true) / 15)):.1f} for 16 cat"
    yield "decisions/nearly-the-same-file", f"up to {recognise._SAMPLE:,} rows drawn at random"
    yield "decisions/nearly-the-same-file", f"is at least {recognise._LEAST_SHARE:g} of either"
    yield "decisions/nearly-the-same-file", f"by {recognise._ERRORS:.0f} standard errors"
    yield "ledger", f"some {round(recognise._SAMPLE, -3):,} of its rows drawn at random"
    yield "decisions/hashes", f"at least {2**17 // 4096} of the 2^17 hashes"
    assert 2**17 % 4096 == 0
    yield "decisions/subsets", "k / (E + 1) costs up to a sixth of the variance"
    yield "mechanisms/subset_selection", "to round that number instead would cost up to a sixth of"


CLAIMS = tuple(claims())


@pytest.mark.parametrize(("name", "words"), CLAIMS, ids=[f"{n}: {w[:40]}" for n, w in CLAIMS])
def test_that_a_page_gives_the_number_that_is_in_force(name: str, words: str) -> None:
    assert " ".join(words.split()) in page(name), words


def test_that_rounding_the_members_of_a_subset_costs_up_to_a_sixth() -> None:
    def cost(k: int, e: float) -> float:
        rounded = min(max(1, int(k / (e + 1) + 0.5)), k - 1)
        return noise(*subset(k, rounded, e)) / noise(*subset(k, best_subset(k, e), e))

    found = [cost(k, e) for k in range(3, 40) for e in np.exp(np.linspace(0.05, 6, 60))]
    assert max(found) < 7 / 6
    # At k / (E + 1) = 3/2 and long lists one member has the noise 5/2 / E and two have 35/12 / E.
    assert cost(900, 599) == pytest.approx(7 / 6, abs=2e-3)


def test_that_more_than_half_of_the_reports_by_staircase_noise_lie_beyond_the_bounds() -> None:
    assert "more than half of the reports on a middle age are below 18 or above 99" in page(
        "mechanisms/staircase"
    )
    steps = AGES.size - 1
    best = min(range(1, steps + 1), key=lambda g: moment(stairs(1, steps, g)))
    far, chance = stairs(1, steps, best)
    above, below = (chance[np.rint(far * steps) > 40], chance[np.rint(far * steps) > 41])
    assert 0.5 < (above.sum() + below.sum()) / 2 < 0.6


def moment(law: tuple[np.ndarray, np.ndarray]) -> float:
    return float(law[1] @ law[0] ** 2)


def test_that_bounded_staircase_noise_errs_little_more_than_a_third_of_bounded_laplace_noise() -> (
    None
):
    assert "error is little more than a third of that of bounded Laplace noise at ε = 1" in page(
        "mechanisms/bounded_staircase"
    )
    laws = [staircase_within(1, g)[1] for g in WIDTHS]
    best = min(laws, key=lambda law: float((law @ corrected(law) ** 2 - AGES**2).max()))
    smooth = laplace_within(1)
    ratio = mean_error(best, corrected(best), 10_000) / mean_error(
        smooth, corrected(smooth), 10_000
    )
    assert 1 / 3 < ratio < 0.39


def options(size: int) -> OptionSet:
    return OptionSet(values=tuple(f"option {i}" for i in range(size)))


def lost(kind: str, domain: AnyDomain, epsilon: int) -> float:
    """By how much the certified epsilon is below the one that was asked for."""
    bound = mechanism_named(kind)(epsilon=Decimal(epsilon)).bind(domain)
    return epsilon - float(bound.certificate.epsilon_certified)


@pytest.mark.parametrize("kind", [kind_of(k) for k in MECHANISMS if kind_of(k) != "pram"])
def test_that_certified_epsilons_are_as_near_to_those_asked_for_as_the_page_says(
    kind: str,
) -> None:
    said = page("epsilon")
    assert "Up to ε = 19 and 1,000 values both agree to eight digits after the point." in said
    assert "by 0.01 at most for lists of answers, by 0.03 for the staircase" in said
    listed = {"bounded_laplace": "0.02, 0.08 and 0.49", "laplace": "Laplace noise 0.02, 0.09 and"}
    sizes = (2,) if kind == "warner" else (5, 101, 500 if kind == "rappor" else 1_000)
    grid = mechanism_named(kind).misfit(Integer(lower=1, upper=5)) is None
    made = (lambda size: Integer(lower=1, upper=size)) if grid else categories
    if kind == "set_response":
        sizes, made = (2, 5, 30), options
    assert all(lost(kind, made(size), 19) < 5e-9 for size in sizes)
    at_most = [lost(kind, made(size), 40) for size in sizes]
    if kind in listed:
        words = "{:.2f}, {:.2f} and {:.2f}".format(*at_most)
        assert listed[kind] in said
        assert listed[kind].removeprefix("Laplace noise ") in words
    else:
        assert max(at_most) <= (0.03 if "staircase" in kind else 0.01)


def test_that_the_95_percent_error_of_a_page_is_that_of_its_confidence() -> None:
    assert "reach 1.96 standard errors to either side" in page("reading-the-report")
    assert "For most estimates that is 1.96 standard errors" in page("release-folder")
    assert f"{Z:.2f}" == "1.96"


def test_that_the_page_on_the_report_gives_its_own_bounds() -> None:
    said = page("reading-the-report")
    assert "Odds of up to 3 are strong protection, up to 20 moderate, up to 1,000 weak" in said
    assert f"Of more than {DETAILED_MOST} attributes the page shows each" in said
