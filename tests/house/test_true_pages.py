"""Numbers in the sentences of the help pages, each worked out again from the law it is about.

Tables of laws have tests beside the laws (`tests/mechanisms`, `tests/composition`); what running
the benchmarks has measured is not repeated here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, exp, log, sqrt

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.stats import chi2
from scipy.stats import f as f_law
from scipy.stats import t as t_law

from dpdesk.data.formula import TERMS_MAX
from dpdesk.data.model_matrix import COVARIATES_MAX
from dpdesk.data.regular_file import DATA_MAX, TABLE_MAX, TEXT_MAX
from dpdesk.data.spool import MEMORY_MOST, VARIABLE
from dpdesk.data.structure import LONGEST_RECORD
from dpdesk.designs.estimator_law import EXACT_MAX
from dpdesk.domains import Integer, OptionSet
from dpdesk.engine.simulate.respondents import MOST
from dpdesk.estimation.survey_answers import GROUPS_MAX
from dpdesk.mechanisms import MECHANISMS, kind_of, mechanism_named
from dpdesk.plan.column import NAME_MAX
from dpdesk.plan.model import COLUMNS_MAX
from dpdesk.resources import resource
from tests.house.page_laws import (
    AGES,
    BITS,
    MINUS,
    ONE,
    WIDTH,
    WIDTHS,
    E,
    Z,
    after_noise,
    best_asked,
    best_hash,
    best_subset,
    concentrated_scale,
    corrected,
    duchi,
    gaussian_scale,
    grr,
    hybrid,
    laplace_error,
    laplace_within,
    mean_error,
    needed,
    noise,
    piecewise,
    projected,
    rescaled,
    set_errors,
    share_error,
    signed,
    staircase_within,
    stairs_variance,
    subset,
    up,
    wave_reach,
    window_law,
    worst,
    wrong_among,
    years,
)
from tests.mechanisms.estimator_checks import categories


def page(name: str) -> str:
    """A page with one blank between its words."""
    return " ".join(resource(f"docs/{name}.md").read_text(encoding="utf-8").split())


def said(name: str, *words: str) -> tuple[str, str]:
    """A page, with words of it in their order."""
    return name, "".join(words)


def claims() -> Iterator[tuple[str, str]]:
    """Pages, with what they say."""
    yield (
        "help",
        "{} times at ε = 0.1, {} times at ε = 1, {} times at ε = 3".format(
            *(up(exp(x), 3) for x in (0.1, 1, 3))
        ),
    )
    for epsilon in (0.1, 0.5, 1, 2, 3, 5):
        e = exp(epsilon)
        beliefs = [up(100 * e / (e + others), 3) for others in (1, 99)]
        yield "epsilon", f"| {epsilon:g} | {up(e, 3)} | {beliefs[0]} % | {beliefs[1]} % |"
    inside, outside = 100 * ONE, 100 * (1 - ONE)
    yield "reading-the-report", f'"{inside:.0f} against {outside:.0f}"'
    plain = 100 * Z * sqrt(0.16 / 1_000)
    warner = share_error(ONE, 1 - ONE)
    several = share_error(*grr(5))
    yield said(
        "local-model",
        f"two answers needs about {(warner / plain) ** 2:.0f} times as many respondents for the ",
        "same error as without protection, a question with five answers about ",
        f"{(several / plain) ** 2:.0f} times",
    )
    yield said(
        "mechanisms/warner",
        f"error is {warner:.1f} percentage points; without protection it would be {plain:.1f}. ",
        f"The same error would need {(warner / plain) ** 2:.1f} times",
    )
    yield said(
        "mechanisms/grr",
        f"error is {several:.1f} percentage points; without protection it would be {plain:.1f}. ",
        f"With k = 50 it would be {share_error(*grr(50)):.1f}.",
    )
    from_on = [ceil(3 * exp(x) + 2) for x in (1, 2, 3)]
    yield "mechanisms/grr", f"from {from_on[0]} categories at ε = 1, from {from_on[1]} at ε = 2"
    for name in ("grr", "oue"):
        yield f"mechanisms/{name}", f"from {from_on[1]} at ε = 2, from {from_on[2]} at ε = 3"
    yield "mechanisms/oue", f"from {from_on[0]} at ε = 1,"
    for kind, chances in BITS.items():
        yield said(
            f"mechanisms/{kind}",
            f"error is {share_error(*chances):.1f} percentage points, with 5 categories as with ",
            f"50; without protection it would be {plain:.1f}.",
        )
    hashes = [best_hash(exp(x)) for x in (0.1, 1, 2, 3)]
    yield "mechanisms/olh", "{} at ε = 0.1, {} at ε = 1, {} at ε = 2, {} at ε = 3".format(*hashes)
    sizes = [best_subset(16, exp(x)) for x in (0.1, 1, 2, 3)]
    yield (
        "mechanisms/subset_selection",
        "w is {} at ε = 0.1, {} at ε = 1, {} at ε = 2, {}".format(*sizes),
    )
    five, fifty = (share_error(*subset(k, best_subset(k))) for k in (5, 50))
    yield said(
        "mechanisms/subset_selection",
        f"error is {five:.1f} percentage points with 5 categories and {fifty:.1f} with 50; ",
        f"without protection it would be {plain:.1f}.",
    )
    for rows in ((0.9, 0.1, 0.1, 0.9), (0.75, 0.25, 0.25, 0.75), (0.9, 0.1, 0.5, 0.5)):
        a, b, c, d = rows
        loss = max(abs(log(a / c)), abs(log(b / d)))
        yield "mechanisms/pram", f"| {a:g}, {b:g} / {c:g}, {d:g} | {loss:.3f} |"
    for epsilon in (0.5, 1, 2, 4):
        f, s = 2 / (1 + exp(epsilon / 2)), exp(epsilon / 4)
        yield "mechanisms/rappor", f"| {epsilon:g} | {f:.3f} | {s / (1 + s):.3f} |"
    for epsilon in (0.1, 0.5, 1, 2, 3):
        bound = (exp(epsilon) + 1) / (exp(epsilon) - 1)
        digits = 1 if bound >= 10 else 2
        yield "mechanisms/duchi", f"| {epsilon:g} | {bound:.{digits}f} |"
    yield said(
        "missing-answers",
        f"leaves {100 / (E + 2):.0f} % of the cells of those who answered empty, and ",
        f"{100 - 100 * E / (E + 2):.0f} % of those who did not answer are filled.",
    )
    # One bit at the middle: a report of a number is 1 / (P - Q) or its opposite, "none" is 0.
    alone, halved = ((exp(e) + 1) ** 2 / (exp(e) - 1) ** 2 for e in (1, 0.5))
    missing = (1 - 1 / (E + 2)) * ((E + 2) / (E - 1)) ** 2
    yield said(
        "missing-answers",
        f"rises from {alone:.2f} to {missing:.2f} (in squared half-widths of the domain), by ",
        f"{100 * (missing / alone - 1):.0f} %. With half of epsilon for the number and half for ",
        f"whether there is one, it would be {halved:.1f}.",
    )
    gap = share_of_noise(2, (21, 24))
    yield "choosing", f"whose noise variance is {gap[0]:.0f} to {gap[1]:.0f} % larger"
    yield "decisions/choice-by-total-error", f"{gap[0]:.0f} to {gap[1]:.0f} % larger than that of"
    yield "estimates", f"a true share of 0.5 becomes {after_noise(rescaled):.2f} on average."
    yield "estimates", f"from all instead, and give {after_noise(projected):.2f}."
    yield said(
        "statistics",
        f"a scale of {gaussian_scale(1e-6):.2f} for a single count, where the way through ",
        f"concentrated differential privacy takes {concentrated_scale(1e-6):.2f}.",
    )
    record = log(10 * (E - 1) + 1)
    yield "strategies", f"With 10 attributes a nominal 1 is {record:.2f} for the whole record."
    yield "decisions/losses-of-fake-data", f"a nominal 1 is {log(2 * (E - 1) + 1):.4f}."
    for epsilon in (0.5, 1, 2, 4, 6):
        asked = best_asked(30, exp(epsilon))
        row = f"| {epsilon:g} | {asked} | {wrong_among(asked, exp(epsilon)):.3f} |"
        yield "mechanisms/set_response", row
        for size in (5, 8, 20):
            errors = " | ".join(f"{error:.1f}" for error in set_errors(size, epsilon))
            yield "mechanisms/set_response", f"| {size} | {epsilon:g} | {errors} |"
    yield from of_ages()
    yield from of_surveys()


def share_of_noise(epsilon: float, sizes: tuple[int, int]) -> tuple[float, float]:
    """How much more noise GRR has than OUE over all categories, in per cent: least and most."""
    e, more = exp(epsilon), []
    for k in sizes:
        p, q = grr(k, e)
        ours = k * noise(p, q) + (1 - p - q) / (p - q)
        assert noise(p, q) < noise(1 / 2, 1 / (e + 1))
        theirs = k * noise(1 / 2, 1 / (e + 1)) + 1
        more.append(100 * (ours / theirs - 1))
    return min(more), max(more)


def of_ages() -> Iterator[tuple[str, str]]:
    """What is said of 82 ages."""
    low, high = (float(x) for x in duchi(1)[1])
    yield "mechanisms/duchi", f"every report is {signed(low)} or {signed(high)}."
    for name, law in (("duchi", duchi), ("hybrid", hybrid)):
        few, many = (mean_error(*law(1), n) for n in (1_000, 10_000))
        yield (
            f"mechanisms/{name}",
            (f"the 95 % error of the mean is {few:.1f} years with 1,000 respondents, {many:.1f}"),
        )
    few, many = (mean_error(*hybrid(2), n) for n in (1_000, 10_000))
    yield "mechanisms/hybrid", f"at ε = 2 it is {few:.1f} and {many:.1f}."
    ends = piecewise(1)[1][[0, -1]]
    yield said(
        "mechanisms/hybrid",
        f"{100 * exp(-1 / 2):.0f} % of the reports are {signed(low)} or {signed(high)} and the ",
        f"others lie between {signed(ends[0])} and {signed(ends[1])}.",
    )
    yield (
        "mechanisms/piecewise",
        (f"one of {piecewise(1)[1].size} numbers from {signed(ends[0])} to {signed(ends[1])}."),
    )
    root = exp(1 / 2)
    fine = [x * x / (root - 1) + (root + 3) / (3 * (root - 1) ** 2) for x in (0, 1)]
    yield "mechanisms/piecewise", f"half-widths: {fine[0]:.2f} in the middle and {fine[1]:.2f} at"
    bound = ((E + 1) / (E - 1)) ** 2
    mixed = worst(*hybrid(1))
    yield said(
        "mechanisms/hybrid",
        f"{mixed:.2f}; that of Duchi's mechanism is {bound:.2f}, of the piecewise mechanism ",
        f"{fine[1]:.2f}, of unbounded Laplace noise {2 * 2**2:g}.",
    )
    part = 1 - exp(-1 / 2)
    smooth = max(
        part * (x * x / (root - 1) + (root + 3) / (3 * (root - 1) ** 2))
        + (1 - part) * (bound - x * x)
        for x in (0, 1)
    )
    yield said(
        "decisions/windows-on-grids",
        f"it is {worst(*piecewise(1)):.3f} for the piecewise mechanism instead of {fine[1]:.3f}, ",
        f"and {mixed:.3f} for the hybrid instead of {smooth:.3f}.",
    )
    reach = wave_reach(1)
    yield "mechanisms/square_wave", (f"a whole number from {MINUS}{reach - 18} to {99 + reach}.")
    few, many = (mean_error(*window_law(2 * reach + 1, 1), n) for n in (1_000, 10_000))
    yield "mechanisms/square_wave", f"{few:.1f} years with 1,000 respondents, {many:.1f} with 10"
    r = exp(-1 / WIDTH)
    distance = np.arange(1, 4_000)
    chance = (1 - r) / (1 + r) * r**distance
    beyond = chance[distance > 40].sum() + chance[distance > 41].sum()
    assert 0.55 < beyond < 0.65
    far = chance[distance > 40 + 243].sum() + chance[distance > 41 + 243].sum()
    yield said(
        "mechanisms/laplace",
        "six of ten reports on a middle age are below 18 or above 99, and ",
        f"{['no', 'one', 'two', 'three', 'four'][round(100 * far)]} of a hundred are more than 243",
    )
    closed = laplace_within(1)
    yield (
        "mechanisms/bounded_laplace",
        (f"at most {100 * (closed[:-1] / closed[1:]).max() - 100:.1f} % likelier under one age"),
    )
    drawn = closed @ AGES
    yield "mechanisms/bounded_laplace", f"between {drawn.min():.1f} and {drawn.max():.1f} whatever"
    own, steps = staircase_within(1, 41)
    drawn = steps @ AGES
    yield (
        "mechanisms/bounded_staircase",
        (f"between {drawn.min():.1f} and {drawn.max():.1f} whatever"),
    )
    yield "mechanisms/bounded_staircase", f"less than 41 years from the true one is {exp(own):.2f}"
    widths = WIDTHS
    spreads = {}
    for g in widths:
        law = staircase_within(1, g)[1]
        numbers = corrected(law)
        spreads[g] = float((law @ numbers**2 - AGES**2).max())
    best = min(spreads, key=lambda g: spreads[g])
    yield "mechanisms/bounded_staircase", f"that is g = {best} and ε₀ = {own:.3f}."
    for n in (1_000, 10_000):
        row = (
            mean_error(closed, corrected(closed), n),
            mean_error(steps, corrected(steps), n),
            laplace_error(1, n),
            mean_error(*duchi(1), n),
        )
        yield "mechanisms/bounded_laplace", f"| {n:,} | {' | '.join(years(x, 1) for x in row)} |"
        row = (row[2], Z * sqrt((stairs_variance(1, WIDTH) * WIDTH**2 + AGES.var()) / n), row[3],
               row[0])  # fmt: skip
        yield "mechanisms/laplace", f"| {n:,} | {' | '.join(map(three, row))} |"
    for epsilon in (1, 3):
        free = Z * sqrt((stairs_variance(epsilon, WIDTH) * WIDTH**2 + AGES.var()) / 10_000)
        coins = mean_error(*duchi(epsilon), 10_000)
        row = (free, laplace_error(epsilon, 10_000), coins)
        yield "mechanisms/staircase", f"| {epsilon} | {' | '.join(map(years, row))} |"
        inner = {g: staircase_within(epsilon, g)[1] for g in widths}
        own_widths = min(
            inner, key=lambda g: float((inner[g] @ corrected(inner[g]) ** 2 - AGES**2).max())
        )
        laws = inner[own_widths], laplace_within(epsilon)
        row = (*(mean_error(law, corrected(law), 10_000) for law in laws), coins)
        yield "mechanisms/bounded_staircase", f"| {epsilon} | {' | '.join(map(years, row))} |"
    saved = [100 * (1 - stairs_variance(x, 1_000) * x * x / 2) for x in (1, 3, 5)]
    yield said(
        "mechanisms/staircase",
        f"the variance is {saved[0]:.0f} % smaller at ε = 1, ",
        "{:.0f} % at ε = 3 and {:.0f} % at ε = 5".format(*saved[1:]),
    )


def three(error: float) -> str:
    """Years with three digits."""
    return years(error, 1 if error >= 10 else 2)


def of_surveys() -> Iterator[tuple[str, str]]:
    """What is said of surveys through a device."""
    coins = f"{needed(0.75):,}"
    yield "sample-planning", f"Two coins at a share of 10 % need {coins} respondents for ± 3 pp;"
    yield "sample-planning", f"ε = 1 needs {needed(ONE):,}."
    few = needed(ONE, people=5_000)
    yield "sample-planning", f"With ε = 1, {few:,} of 5,000 people are needed."
    yield "simulate", f"two coins at a share of 10 % need {coins} respondents for a margin"
    held = 100 * (1 - 2 * t_law.sf(Z, 2))
    yield "collected-answers", f"the normal interval would hold the truth in {held:.0f} surveys of"
    yield "decisions/degrees-of-freedom", f"1.96 errors holds the truth in {held:.0f} surveys of"
    # Hotelling's T^2 of 3 differences with 7 degrees of freedom, against chi-square's limit.
    wrong = 100 * f_law.sf(chi2.ppf(0.95, 3) * 5 / (3 * 7), 3, 5)
    yield "decisions/degrees-of-freedom", f"at 5 % rejects {wrong:.0f} of 100 true hypotheses"
    high, low = Fraction(3, 4), Fraction(1, 4)
    said = [(answer - low) / (high - low) for answer in (1, 0)]
    yield "collected-answers", f"{float(said[0])} and {float(said[1])} are what two coins make"


CLAIMS = tuple(claims())


@pytest.mark.parametrize(("name", "words"), CLAIMS, ids=[f"{n}: {w[:40]}" for n, w in CLAIMS])
def test_that_a_page_says_what_its_law_gives(name: str, words: str) -> None:
    assert " ".join(words.split()) in page(name), words


def test_that_most_pages_with_results_are_looked_at() -> None:
    assert {name for name, _ in CLAIMS} >= {
        f"mechanisms/{path.stem}"
        for path in resource("docs/mechanisms").iterdir()
        if re.search(r"95 % error", path.read_text(encoding="utf-8"))
    }


def staircase_error(epsilon: float) -> float:
    return Z * sqrt((stairs_variance(epsilon, WIDTH) * WIDTH**2 + AGES.var()) / 10_000)


def within_error(epsilon: float) -> float:
    laws = [staircase_within(epsilon, g)[1] for g in WIDTHS]
    law = min(laws, key=lambda law: float((law @ corrected(law) ** 2 - AGES**2).max()))
    return mean_error(law, corrected(law), 10_000)


def of(law: Callable[[float], tuple[np.ndarray, np.ndarray]]) -> Callable[[float], float]:
    return lambda epsilon: mean_error(*law(epsilon), 10_000)


@pytest.mark.parametrize(
    ("name", "words", "below", "above", "at"),
    [
        ("duchi", "up to about 0.9, no mechanism here", of(duchi), of(piecewise), 0.9),
        ("piecewise", "From about ε = 0.9 on its mean is more", of(duchi), of(piecewise), 0.9),
        ("laplace", "Duchi's](duchi.md) below about ε = 3", of(duchi),
         lambda e: laplace_error(e, 10_000), 3.0),
        ("staircase", "Duchi's](duchi.md) up to about ε = 2.5", of(duchi), staircase_error, 2.5),
        ("staircase", "hybrid](hybrid.md) up to about ε = 5,", of(hybrid), staircase_error, 5.0),
        ("staircase", "error of the mean up to about ε = 7,", of(piecewise), staircase_error, 7.0),
        ("bounded_staircase", "from about ε = 2.5 it is below Duchi's too", of(duchi),
         within_error, 2.5),
    ],
)  # fmt: skip
def test_that_mechanisms_change_places_where_a_page_says(
    name: str, words: str, below: Callable[[float], float], above: Callable[[float], float],
    at: float,
) -> None:  # fmt: skip
    assert words in page(f"mechanisms/{name}")
    assert below(0.93 * at) < above(0.93 * at)
    assert below(1.15 * at) > above(1.15 * at)


def test_that_duchis_mean_is_the_most_accurate_at_small_epsilons() -> None:
    for epsilon in (0.1, 0.5, 0.85):
        others = [of(piecewise), of(hybrid), staircase_error, within_error,
                  of(lambda e: window_law(2 * wave_reach(e) + 1, e))]  # fmt: skip
        assert of(duchi)(epsilon) <= min(other(epsilon) for other in others)


def several(size: int) -> OptionSet:
    """A question with so many options."""
    return OptionSet(values=tuple(f"option {number}" for number in range(size)))


SIZES = re.compile(
    r"(?:grids? of up to|[Uu]p to) ([\d,]+)(?: points| categories| options|\. The report)"
)


@pytest.mark.parametrize("kind", [kind_of(kind) for kind in MECHANISMS])
def test_that_the_largest_domain_of_a_page_is_the_largest_that_is_taken(kind: str) -> None:
    told = SIZES.findall(page(f"mechanisms/{kind}"))
    mechanism = mechanism_named(kind)
    if kind == "warner":
        told = ["2"]
    (most,) = {int(number.replace(",", "")) for number in told}
    if kind == "pram":
        return
    grid = mechanism.misfit(Integer(lower=1, upper=5)) is None
    sets = mechanism.misfit(OptionSet(values=("a", "b"))) is None
    made = (lambda size: Integer(lower=1, upper=size)) if grid else several if sets else categories
    assert mechanism.misfit(made(most)) is None
    if sets:
        with pytest.raises(ValidationError):
            # One more is for no answer.
            made(most + 2)
        return
    # A list has no more than a million categories in any case.
    assert most == 10**6 or mechanism.misfit(made(most + 1)) is not None


def test_that_the_limits_on_the_pages_are_those_of_the_program() -> None:
    machine = page("limits")
    assert f"They are at most {DATA_MAX >> 30} GB; a plan or a codebook is at most" in machine
    assert f"piece by piece, up to {TABLE_MAX >> 30} GB" in machine
    assert f"Codes of answers beyond {MEMORY_MOST >> 20} MB are on disk" in machine
    assert f"the folder that {VARIABLE} names" in machine
    assert f"A record of delimited text is at most {LONGEST_RECORD >> 20} MB long" in machine
    assert f"is at most {TEXT_MAX >> 20} MB" in machine
    assert f"{COLUMNS_MAX:,} columns, with names of at most {NAME_MAX:,} characters" in machine
    collected = page("collected-answers")
    assert f"At most {TERMS_MAX} terms and {COVARIATES_MAX:,} columns of numbers." in collected
    assert f"with at most {GROUPS_MAX} of them" in collected
    assert f"up to {EXACT_MAX:,} respondents" in page("simulate")
    assert f"one group, up to {EXACT_MAX:,} respondents" in page("command-line")
    assert f"Surveys of up to {MOST:,} respondents all told are drawn one by one" in page(
        "simulate"
    )
