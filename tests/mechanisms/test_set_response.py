"""Randomized response for sets: its exact law, its estimator, and why this law was chosen."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import comb, exp, isclose, sqrt
from pathlib import Path

import numpy as np
import pytest

from dpdesk.channel.certificate import WORD_TOTAL
from dpdesk.channel.options import NOT_ASKED
from dpdesk.data.read_records import read_records
from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical
from dpdesk.engine import sanitize, untracked
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.from_records import released_from_file, released_from_records
from dpdesk.mechanisms import Tally
from dpdesk.mechanisms.set_response import SetResponse, least_error_asked
from dpdesk.mechanisms.texts import T
from dpdesk.plan import ColumnPlan, Plan
from tests.mechanisms import set_checks as checks
from tests.mechanisms.set_checks import bound_at, options
from tests.randomness.word_sources import ShakeWords


@pytest.mark.parametrize(("size", "asked"), [(2, 1), (3, 1), (3, 2), (3, 3), (5, 2), (4, 4)])
@pytest.mark.parametrize("epsilon", ["0.01", "1", "6"])
def test_that_no_report_tells_more_than_the_certificate(
    size: int, asked: int, epsilon: str
) -> None:
    checks.no_report_tells_more_than_the_certificate(size, asked, epsilon)


@pytest.mark.parametrize(("size", "asked"), [(3, 1), (3, 2), (4, 3), (3, 3)])
def test_that_every_choice_of_options_is_asked_alike_and_read_without_bias(
    size: int, asked: int
) -> None:
    checks.every_choice_is_asked_alike_and_read_without_bias(size, asked)


def test_that_the_error_that_is_planned_is_the_exact_one() -> None:
    for size, asked, share in [(5, 2, Fraction(1, 5)), (3, 3, Fraction(1, 3)), (8, 1, 0)]:
        bound = bound_at(size, "1.25", asked)
        q = Fraction(bound.law.response.lie * 2 ** (asked - 1), WORD_TOTAL)
        said = share * (1 - q) + (1 - share) * q
        # The variance of a share among those asked, n s / d of them.
        total = said * (1 - said) / (1 - 2 * q) ** 2 * Fraction(size, asked) / 400
        forecast = bound.mechanism.forecast(bound.domain)
        accuracy = forecast.accuracy(400, float(share))
        assert isclose(accuracy.total**2, total, rel_tol=1e-12)
        assert isclose(accuracy.sampling**2, share * (1 - share) / 400, rel_tol=1e-12)
        # The estimator says the same of counts that are as expected.
        counts = np.array([float(said)] * size + [1.0] * size) * 400 * asked / size
        estimate = bound.estimate(Tally(400, 400.0, 400.0, counts))
        assert np.allclose(estimate.value, float(share), atol=1e-12)
        assert np.allclose(estimate.total_error**2, float(total), rtol=1e-9)
        assert np.allclose(estimate.noise_error, accuracy.noise, rtol=1e-9)
        assert np.allclose(estimate.sampling_error, accuracy.sampling, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize(("size", "epsilon"), [(6, "1"), (6, "3"), (10, "8")])
def test_that_intervals_cover_the_true_shares_as_often_as_they_say(size: int, epsilon: str) -> None:
    bound, rows, surveys = bound_at(size, epsilon), 1_500, 300
    shares = np.linspace(0.02, 0.9, size)
    generator = np.random.default_rng(20261122)
    words = ShakeWords(f"cover {size} {epsilon}")
    covered, errors = 0, []
    for _ in range(surveys):
        ticked = generator.random((rows, size)) < shares
        codes = (ticked @ (1 << np.arange(size))).astype(np.int32)
        estimate = bound.estimate(bound.tally(bound.randomize(codes, words)))
        covered += int(((estimate.lower <= shares) & (shares <= estimate.upper)).sum())
        errors.append((estimate.value - shares) / estimate.total_error)
    # 95 % of 300 surveys by d options: a share of 0.93 would be beyond 3.8 standard errors.
    assert 0.935 <= covered / (surveys * size) <= 0.965
    standardised = np.concatenate(errors)
    assert abs(standardised.mean()) < 4 / sqrt(standardised.size)
    assert 0.93 < standardised.std() < 1.07


def test_that_weighted_reports_are_estimated_by_their_weights() -> None:
    bound = bound_at(4, "2", 2)
    codes = np.arange(900, dtype=np.int32) % 16
    reports = bound.randomize(codes, ShakeWords("weights"))
    weights = 0.5 + np.arange(900) % 4
    estimate = bound.estimate(bound.tally(reports, weights))
    for option in range(4):
        asked = reports[:, option] != NOT_ASKED
        w, y = weights[asked], reports[asked, option] == 1
        share = (w @ y) / w.sum()
        assert isclose(estimate.value[option], (share - bound.q) / (1 - 2 * bound.q))
        # Taylor linearisation of a ratio, among those asked.
        spread = (w**2) @ (y - share) ** 2 / w.sum() ** 2 / (1 - 2 * bound.q) ** 2
        assert isclose(estimate.total_error[option] ** 2, spread, rel_tol=1e-9)
    even = bound.estimate(bound.tally(reports, np.full(900, 2.0)))
    assert np.allclose(even.value, bound.estimate(bound.tally(reports)).value)


def test_that_an_option_that_nobody_was_asked_is_not_estimated() -> None:
    bound = bound_at(3, "1", 1)
    estimate = bound.estimate(bound.tally(np.array([[1, 2, 2], [0, 2, 2]], dtype=np.uint8)))
    assert np.isfinite(estimate.value).all()
    assert (estimate.lower[1:] <= 0).all()
    assert (estimate.upper[1:] >= 1).all()


def noise(size: int, asked: int, radius: int, epsilon: float) -> float:
    """n times the variance of a share of one half: all reports within a distance are favoured."""
    favoured = sum(comb(asked, k) for k in range(radius + 1))
    wrong = sum(comb(asked, k) * k for k in range(radius + 1))
    spread = exp(epsilon) * favoured + 2**asked - favoured
    flips = exp(epsilon) * wrong + asked * 2 ** (asked - 1) - wrong
    q = flips / spread / asked
    return size / asked / (4 * (1 - 2 * q) ** 2)


@pytest.mark.parametrize("epsilon", ["0.5", "1", "1.5", "2", "3", "4", "6", "8"])
def test_that_the_law_has_the_least_error_of_all_that_were_considered(epsilon: str) -> None:
    eps = float(epsilon)
    for size in (3, 5, 8, 12, 20, 30):
        mechanism = SetResponse(epsilon=Decimal(epsilon))
        own = mechanism.forecast(options(size)).accuracy(1, 0.5).total ** 2
        asked = mechanism.asked_of(size)
        assert isclose(own, noise(size, asked, 0, eps), rel_tol=1e-9)
        others = [noise(size, s, radius, eps) for s in range(1, size + 1) for radius in range(s)]
        # Epsilon split over k drawn options, up to all of them: each by Warner's law.
        others += [size / k / (4 * (1 - 2 / (exp(eps / k) + 1)) ** 2) for k in range(1, size + 1)]
        assert own <= min(others) * (1 + 1e-12 if eps <= 4 else 1.08)


def test_that_the_number_of_options_asked_grows_with_epsilon() -> None:
    asked = [least_error_asked(30, Decimal(e)) for e in ("0.1", "1", "2", "4", "6", "40")]
    assert asked == [1, 1, 2, 4, 6, 30]
    assert least_error_asked(3, Decimal(8)) == 3


def test_that_what_does_not_fit_is_refused_with_the_reason() -> None:
    mechanism = SetResponse(epsilon=Decimal(1), asked=4)
    assert mechanism.objection(options(3)) == T.MANY_OPTIONS(drawn=4, options=3)
    with pytest.raises(ParameterError, match="several answers"):
        mechanism.bind(Categorical(values=("a", "b", "c", "d", "e")))


@pytest.mark.parametrize("strategy", ["spl", "smp"])
def test_that_empty_cells_are_read_back_from_every_file(tmp_path: Path, strategy: str) -> None:
    domain, rows = options(5), 400
    columns = tuple(
        ColumnPlan(
            name=name,
            kind="several",
            domain=domain,
            confirmed=True,
            role="protect",
            mechanism=SetResponse(epsilon=Decimal(2)),
        )
        for name in ("media", "trust")
    )
    plan = Plan(columns=columns, strategy=strategy)  # type: ignore[arg-type]
    cells = [";".join(domain.values[: row % 6]) or "(none)" for row in range(rows)]
    table = table_from_texts({"media": cells, "trust": cells[::-1]})
    released = sanitize(table, plan, tmp_path, untracked())
    (tmp_path / "text").mkdir()
    records = (tmp_path / "records.csv").read_text()
    assert "," * 3 in records
    assert "2" not in records.split("\n", 1)[1]
    (tmp_path / "text" / "records.csv").write_text(records)
    for again in (
        released_from_file(tmp_path / "records.parquet", plan),
        released_from_file(tmp_path / "text", plan),
        released_from_records(read_records(tmp_path), plan),
    ):
        for first, second in zip(released.attributes, again.attributes, strict=True):
            assert first.tally.counts.tolist() == second.tally.counts.tolist()
            assert first.tally.reports == second.tally.reports


def test_that_a_report_of_too_few_options_is_refused(tmp_path: Path) -> None:
    bound = bound_at(3, "1", 2)
    column = ColumnPlan(
        name="media",
        kind="several",
        domain=bound.domain,
        confirmed=True,
        role="protect",
        mechanism=bound.mechanism,
    )
    names = [f"media={value}" for value in bound.domain.texts]
    for row in ("1,,", "1,0,1", ",,", "2,0,", "1,x,"):
        lines = [",".join(names), "1,0,", row]
        (tmp_path / "records.csv").write_text("\n".join(lines) + "\n")
        with pytest.raises(InputError):
            released_from_records(read_records(tmp_path), Plan(columns=(column,)))
