"""Means of numbers, against the moments of what is said."""

from __future__ import annotations

import json
from math import exp, inf, isclose, log, sqrt

import numpy as np
import pytest
from scipy.integrate import quad

from dpdesk.cli.main import main
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.scrambling import Additive, BarLev, Multiplicative
from dpdesk.errors import InputError, ParameterError

TRUE = np.array([3.0, 5.0, 5.0, 8.0, 20.0])
RANGE = {"lower": 2, "upper": 25}


def laplace(x: float, scale: float) -> float:
    return exp(-abs(x) / scale) / (2 * scale)


def power_of(noise: str, scale: float, power: int, *, additive: bool) -> float:
    """Mean of a power of what the device draws, by numerical integration."""
    if noise == "uniform":
        centre = 0.0 if additive else 1.0
        return quad(lambda s: s**power / (2 * scale), centre - scale, centre + scale)[0]
    if additive:
        return quad(lambda s: s**power * laplace(s, scale), -80 * scale, 80 * scale)[0]
    # The multiplier is exp(L): its powers are sums of two exponentials.
    ends = (-80 * scale, 80 * scale)
    return quad(lambda s: exp(power * s) * laplace(s, scale), *ends, points=[0], limit=200)[0]


def report_moments(design: NumberDesign) -> tuple[float, float]:
    """Mean and variance of what is said, true answers being drawn from TRUE."""
    one, two = (
        power_of(design.noise, design.scale, k, additive=isinstance(design, Additive))  # type: ignore[attr-defined]
        for k in (1, 2)
    )
    if isinstance(design, Additive):
        centre = design.center
        mean = TRUE.mean() + centre + one
        return mean, TRUE.var() + two - one**2
    p = float(design.truth) if isinstance(design, BarLev) else 0.0
    mean = TRUE.mean() * (p + (1 - p) * one)
    square = (TRUE**2).mean() * (p + (1 - p) * two)
    return mean, square - mean**2


CASES = [
    Additive(**RANGE, scale=10),
    Additive(**RANGE, noise="uniform", scale=30, center=4),
    Multiplicative(**RANGE, scale=0.2),
    Multiplicative(**RANGE, noise="uniform", scale=0.5),
    BarLev(**RANGE, scale=0.3, truth="1/3"),
    BarLev(**RANGE, noise="uniform", scale=0.5),
]
NAMES = [f"{case.kind} {case.noise}" for case in CASES]


@pytest.mark.parametrize("design", CASES, ids=NAMES)
def test_that_means_and_spreads_are_those_of_the_true_answers(design: NumberDesign) -> None:
    mean, variance = report_moments(design)
    found = design.estimate(mean, variance, 400)
    assert isclose(found.estimate, TRUE.mean(), rel_tol=1e-8)
    assert isclose(found.spread, TRUE.std(), rel_tol=1e-6)
    factor = design.shift_and_factor[1]
    assert isclose(found.standard_error, sqrt(variance / 400) / factor, rel_tol=1e-12)
    parts = design.planned_variance(TRUE.mean(), TRUE.var())
    assert isclose(sum(parts) / 400, found.standard_error**2, rel_tol=1e-6)
    assert isclose(sqrt(parts[1] / 400), found.privacy_error, rel_tol=1e-6)


def test_that_scores_have_the_mean_and_error_that_are_estimated() -> None:
    design = Additive(**RANGE, scale=10, center=3)
    said = np.array([4.0, 19.0, 7.5, 11.0])
    found = design.estimate(said.mean(), said.var(ddof=1), 4)
    assert isclose(design.scores(said).mean(), found.estimate)
    assert isclose(design.scores(said).std(ddof=1) / 2, found.standard_error)


def density_ratio(scale: float, low: float, high: float) -> float:
    """Largest ratio of the densities of two answers under multiplication by exp(Laplace)."""
    points = np.linspace(-5, 9, 2001)
    log_ratio = (np.abs(points - log(low)) - np.abs(points - log(high))) / scale
    return float(np.abs(log_ratio).max())


def test_that_epsilons_are_those_of_the_ends_of_the_range() -> None:
    assert Additive(**RANGE, scale=10).loss.epsilon == pytest.approx(2.3)
    loss = Multiplicative(**RANGE, scale=0.2).loss
    assert loss.epsilon == pytest.approx(density_ratio(0.2, 2, 25))
    assert loss.delta == 0


def outside(first: tuple[float, float], second: tuple[float, float]) -> float:
    """Chance that a number uniform on the first interval is not in the second."""
    common = max(min(first[1], second[1]) - max(first[0], second[0]), 0.0)
    return 1 - common / (first[1] - first[0])


def test_that_the_delta_of_uniform_noise_is_the_chance_of_a_proof() -> None:
    loss = Additive(**RANGE, noise="uniform", scale=30).loss
    assert loss.epsilon == inf
    assert loss.delta == pytest.approx(outside((-28, 32), (-5, 55)))
    loss = Multiplicative(lower=20, upper=25, noise="uniform", scale=0.5).loss
    ends = (10, 30), (12.5, 37.5)
    assert loss.delta == pytest.approx(max(outside(*ends), outside(*ends[::-1])))
    assert loss.epsilon == inf
    spread = BarLev(lower=20, upper=25, noise="uniform", scale=0.5, truth="1/5").loss
    assert spread.delta == pytest.approx(0.2 + 0.8 * loss.delta)


def test_that_a_multiplied_zero_is_a_proof() -> None:
    loss = Multiplicative(lower=0, upper=25, scale=0.2).loss
    assert loss.epsilon == inf
    assert loss.sentence.id == "designs.sign-shown"
    assert BarLev(**RANGE, scale=0.2).loss.epsilon == inf


@pytest.mark.parametrize(
    "design",
    [
        Additive(lower=3, upper=3, scale=1),
        Multiplicative(**RANGE, scale=0.5),
        Multiplicative(**RANGE, noise="uniform", scale=1),
        BarLev(**RANGE, scale=0.2, truth="1"),
        BarLev(**RANGE, scale=0.2, truth="0"),
    ],
)
def test_that_a_device_that_is_none_is_refused(design: NumberDesign) -> None:
    with pytest.raises(ParameterError):
        design.estimate(10, 4, 50)


@pytest.mark.parametrize("numbers", [(10, 4, 1), (10, -1, 9), (float("nan"), 4, 9), (1, inf, 9)])
def test_that_impossible_moments_are_refused(numbers: tuple[float, float, int]) -> None:
    with pytest.raises(InputError):
        CASES[0].estimate(*numbers)


def test_that_the_command_line_estimates_a_mean(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["survey", "estimate", "--design", "additive"]
    words += ["--set", "lower=0", "--set", "upper=40", "--set", "scale=10"]
    words += ["--set", "noise=laplace", "--set", "center=0"]
    given = ["--mean", "21", "--variance", "264", "--respondents", "400"]
    assert main([*words, *given, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["estimate"], found["epsilon"], found["delta"]) == (21, 4, 0)
    assert isclose(found["se"], sqrt(264 / 400))
    assert isclose(found["standard_deviation"], 8)
    assert main([*words, *given]) == 0
    assert "epsilon 4" in capsys.readouterr().out
    assert main([*words, *given[:4]]) != 0
    assert main(["survey", "plan", *words[2:], "--prevalence", ".1", "--margin", ".03"]) != 0
    assert "--prevalence is for questions answered with yes or no" in capsys.readouterr().err


def test_that_the_list_of_designs_has_those_of_answers_and_numbers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["survey", "designs", "--json"]) == 0
    kinds = [entry["kind"] for entry in json.loads(capsys.readouterr().out)]
    assert kinds[-6:-3] == ["forced_categories", "matrix", "mechanism"]
    assert kinds[-3:] == ["additive", "multiplicative", "bar_lev"]
