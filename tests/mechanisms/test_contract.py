"""What every mechanism of the registry promises; a new one is held to it by being registered."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import isclose
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from dpdesk.data.read_records import read_records
from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical, Integer, OptionSet
from dpdesk.engine import sanitize, untracked
from dpdesk.errors import ReleaseError
from dpdesk.estimation.from_records import released_from_records
from dpdesk.mechanisms import (
    MECHANISMS,
    AnyDomain,
    BoundMechanism,
    Mechanism,
    kind_of,
    mechanism_named,
)
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.randomness import SystemWords
from dpdesk.resources import resource
from tests.cost.exact_exponential import exp_bounds
from tests.mechanisms.estimator_checks import categories
from tests.mechanisms.exact_moments import Law, mixture, moments, report_law
from tests.mechanisms.golden_checks import GOLDEN
from tests.randomness.word_sources import CountedWords, ShakeWords

KINDS = [kind_of(mechanism) for mechanism in MECHANISMS]
NOT_ENUMERATED = {
    "rappor": "a filter has too many bits; rappor_checks has the law of one bit",
    "set_response": "who is not asked an option tells nothing: see test_set_response",
}
"""Kinds whose reports are too many to go through, with what takes the place of it."""
ENUMERATED = [kind for kind in KINDS if kind not in NOT_ENUMERATED]
TWO_ANSWERS = {
    "warner": "it is for two answers",
    "olh": "the hashes of two categories are independent, those of three need every seed",
    "blh": "as with OLH",
}


def domain_of(kind: str) -> Categorical | Integer | OptionSet:
    """A small domain that the mechanism fits: categories, five numbers, or three options."""
    listed = categories(2 if kind in TWO_ANSWERS else 3)
    several = OptionSet(values=("a", "b", "c"))
    domains = (listed, Integer(lower=10, upper=18, step=2), several)
    return next(d for d in domains if mechanism_named(kind).misfit(d) is None)


def codes_of(domain: AnyDomain) -> int:
    """Number of codes that an answer can have."""
    return 2**domain.size if isinstance(domain, OptionSet) else domain.size


def starting(kind: str, domain: AnyDomain, epsilon: str = "1") -> Mechanism:
    return mechanism_named(kind).starting(domain, Decimal(epsilon))


def bound_at(kind: str, epsilon: str = "1") -> BoundMechanism:
    domain = domain_of(kind)
    return starting(kind, domain, epsilon).bind(domain)


@lru_cache(maxsize=64)
def laws_of(kind: str, epsilon: str = "1") -> tuple[BoundMechanism, tuple[Law, ...]]:
    """The bound mechanism and the exact law of its counts under each answer."""
    bound = bound_at(kind, epsilon)
    return bound, tuple(report_law(bound, code) for code in range(bound.size))


def truths(domain: AnyDomain, shares: Sequence[Fraction]) -> list[float]:
    """What is estimated: the shares, or the mean."""
    if isinstance(domain, Categorical):
        return [float(share) for share in shares]
    if isinstance(domain, OptionSet):
        ticked = domain.ticked(np.arange(codes_of(domain), dtype=np.int32))
        return (np.array(shares, dtype=np.float64) @ ticked).tolist()
    grid = [float(domain.grid_lower) + float(domain.grid_step) * i for i in range(domain.size)]
    return [sum(float(s) * x for s, x in zip(shares, grid, strict=True))]


def test_that_every_exception_is_of_a_registered_kind() -> None:
    assert set(NOT_ENUMERATED) | set(TWO_ANSWERS) <= set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "1", "4", "12"])
def test_that_the_certified_epsilon_is_at_most_the_nominal_and_close_to_it(
    kind: str, epsilon: str
) -> None:
    bound = bound_at(kind, epsilon)
    certificate, nominal = bound.certificate, bound.epsilon
    assert nominal <= Decimal(epsilon)
    assert certificate.epsilon_nominal == nominal
    assert certificate.likelihood_ratio <= exp_bounds(Fraction(nominal))[0]
    assert 0 <= nominal - certificate.epsilon_certified <= Decimal("1e-9")
    assert len(certificate.fingerprint) == 64
    assert bound_at(kind, epsilon).certificate == certificate


@pytest.mark.parametrize("kind", ENUMERATED)
def test_that_the_worst_report_discloses_what_is_certified_and_no_more(kind: str) -> None:
    # The law of a report under each answer sums to one (asserted where it is made).
    bound, laws = laws_of(kind)
    worst = max(
        max(law[counts] for law in laws) / min(law[counts] for law in laws) for counts in laws[0]
    )
    assert all(set(law) == set(laws[0]) for law in laws)
    certified = bound.certificate.likelihood_ratio
    assert certified * (1 - Fraction(1, 10**9)) <= worst <= certified


@pytest.mark.parametrize("kind", ENUMERATED)
@pytest.mark.parametrize("epsilon", ["0.5", "1"])
def test_that_estimates_are_unbiased_under_the_law_that_is_run(kind: str, epsilon: str) -> None:
    if kind == "olh" and epsilon != "1":
        epsilon = "2"  # Two and three buckets: only powers of two divide the hashes evenly.
    bound, laws = laws_of(kind, epsilon)
    for code, law in enumerate(laws):
        one = [Fraction(int(c == code)) for c in range(bound.size)]
        assert np.allclose(moments(bound, [law])[0], truths(bound.domain, one), atol=1e-9)


@pytest.mark.parametrize("kind", ENUMERATED)
def test_that_the_error_that_is_planned_is_the_exact_one(kind: str) -> None:
    bound, laws = laws_of(kind)
    forecast = bound.mechanism.forecast(bound.domain)
    even = [Fraction(1, bound.size)] * bound.size
    total = moments(bound, [mixture(laws, even)])[1][0]
    noise = sum(moments(bound, [law])[1][0] for law in laws) / bound.size
    accuracy = forecast.accuracy(1)
    assert isclose(accuracy.total**2, total, rel_tol=1e-8)
    assert isclose(accuracy.noise**2, noise, rel_tol=1e-8)
    assert isclose(accuracy.sampling**2, total - noise, rel_tol=1e-6)
    assert isclose(forecast.accuracy(400).total, accuracy.total / 20, rel_tol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_that_the_law_of_a_forecast_has_the_truth_as_its_mean(kind: str) -> None:
    for epsilon in ("0.1", "1", "6"):
        domain = domain_of(kind)
        forecast = starting(kind, domain, epsilon).forecast(domain)
        values, chances, truth = forecast.report_law()
        assert chances.min() >= 0
        assert isclose(chances.sum(), 1, rel_tol=1e-12)
        assert isclose(values @ chances, truth, rel_tol=1e-8, abs_tol=1e-9)
        spread = chances @ (values - truth) ** 2
        assert isclose(spread, forecast.accuracy(1).total ** 2, rel_tol=1e-8)
        assert forecast.noise_constant > 0
        assert forecast.truthful is None or 0 < forecast.truthful <= 1
        for code in (0, domain.size - 1):
            row = forecast.probabilities(code)
            assert row.shape == (forecast.outputs,)
            assert row.min() >= 0
            assert forecast.form != "symbol" or isclose(row.sum(), 1, rel_tol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_that_reports_of_one_answer_are_estimated_as_this_answer(kind: str) -> None:
    # Words of the system. Sums of 200,000 bounded terms: beyond 6.8 standard errors by chance
    # less than once in 10^11, and there are at most some 30 comparisons for each mechanism.
    rows, bound = 200_000, bound_at(kind)
    for code in range(codes_of(bound.domain)):
        codes = np.full(rows, code, dtype=np.int32)
        estimate = bound.estimate(bound.tally(bound.randomize(codes, SystemWords())))
        one = [Fraction(int(c == code)) for c in range(codes_of(bound.domain))]
        distance = np.abs(estimate.value - truths(bound.domain, one))
        assert (distance < 6.8 * estimate.total_error).all()
        planned = bound.mechanism.forecast(bound.domain).accuracy(rows).total
        assert (estimate.total_error < 2 * planned).all()


@pytest.mark.parametrize("kind", KINDS)
def test_that_rows_are_drawn_anew_and_by_themselves(kind: str) -> None:
    bound = bound_at(kind)
    codes = np.zeros(4_000, dtype=np.int32)
    first, second = (bound.randomize(codes, SystemWords()) for _ in range(2))
    for a, b in ((first, second), (first[1:], first[:-1]), (first[2_000:], first[:2_000])):
        assert (a != b).any()
    # A row shares nothing with its neighbour.
    pairs = np.array(
        [_worths(bound, bound.randomize(codes, SystemWords())) for _ in range(8)]
    ).reshape(-1, 2)
    correlation = float(np.corrcoef(pairs.T)[0, 1])
    assert abs(correlation) < 6.8 / np.sqrt(len(pairs))


def _worths(bound: BoundMechanism, reports: np.ndarray) -> list[float]:
    """A number for each report, which depends on every part of it."""
    if reports.ndim == 1:
        return [float(r) for r in reports.tolist()]
    scales = np.array(bound.limits or (2,) * reports.shape[1], dtype=np.float64)
    return (reports / scales @ np.arange(1.0, scales.size + 1)).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_that_the_count_of_words_does_not_depend_on_the_answers(kind: str) -> None:
    rows, bound = 1_003, bound_at(kind)
    mixed = (np.arange(rows) * 7919 % bound.size).astype(np.int32)
    taken = []
    for codes in (np.zeros_like(mixed), np.full_like(mixed, bound.size - 1), mixed):
        words = CountedWords(ShakeWords("contract"))
        bound.randomize(codes, words)
        taken.append(words.taken)
    assert taken[0] > 0
    assert taken == [taken[0]] * 3
    assert taken[0] % rows == 0
    none = CountedWords(ShakeWords("none"))
    assert len(bound.randomize(mixed[:0], none)) == none.taken == 0


@pytest.mark.parametrize("kind", KINDS)
def test_that_an_answer_outside_the_domain_stops_the_draw(kind: str) -> None:
    bound = bound_at(kind)
    for code in (-1, codes_of(bound.domain), 2**31 - 1):
        with pytest.raises(ReleaseError):
            bound.randomize(np.array([0, code, 0], dtype=np.int32), SystemWords())


@pytest.mark.parametrize("kind", KINDS)
def test_that_a_failing_source_stops_the_draw(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(count: int) -> bytes:
        raise ssl.SSLError("no entropy")

    bound = bound_at(kind)
    monkeypatch.setattr(ssl, "RAND_bytes", fail)
    with pytest.raises(ReleaseError):
        bound.randomize(np.zeros(10, dtype=np.int32), SystemWords())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighted", [False, True])
def test_that_the_tallies_of_chunks_add_up(kind: str, weighted: bool) -> None:
    rows, bound = 500, bound_at(kind)
    codes = (np.arange(rows) % bound.size).astype(np.int32)
    reports = bound.randomize(codes, ShakeWords("chunks"))
    weights = 1.0 + np.arange(rows) % 3 if weighted else None
    whole = bound.tally(reports, weights)
    parts = [
        bound.tally(reports[rows], None if weights is None else weights[rows])
        for rows in (slice(0, 1), slice(1, 200), slice(200, 500), slice(500, 500))
    ]
    together = parts[0] + parts[1] + parts[2] + parts[3]
    assert together.counts.tolist() == whole.counts.tolist()
    assert (together.reports, together.weight) == (whole.reports, whole.weight)
    assert together.weight_squares == whole.weight_squares
    if weights is None:
        assert bound.tally(reports, np.full(rows, 1.0)).counts.tolist() == whole.counts.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_that_reports_are_of_the_form_that_is_declared(kind: str) -> None:
    bound = bound_at(kind)
    names = bound.mechanism.released_names("q1", bound.domain)
    assert len(set(names)) == len(names)
    assert all(name.startswith("q1") for name in names)
    codes = (np.arange(400) % bound.size).astype(np.int32)
    reports = bound.randomize(codes, ShakeWords("form"))
    assert reports.min() >= 0
    if bound.form == "symbol":
        assert names == ("q1",)
        assert (reports.dtype, reports.shape) == (np.int32, (400,))
        assert reports.max() < len(bound.outputs)
        assert len(set(bound.outputs)) == len(bound.outputs)
        assert bound.limits == ()
    elif bound.form == "bits":
        assert (reports.dtype, reports.shape) == (np.uint8, (400, len(names)))
        assert reports.max() <= 1
        assert bound.limits == ()
    else:
        assert (reports.dtype.kind in "iu", reports.shape) == (True, (400, len(names)))
        assert (reports.max(axis=0) < np.array(bound.limits)).all()
        assert len(bound.part_meanings()) == len(bound.limits) == len(names)
    assert bound.bytes_per_row > 0
    assert bound.parameters()["n_var_star"] > 0
    assert bound.estimation_rule(" (weighted by w)").count("(weighted by w)") >= 1


def test_that_every_mechanism_is_estimated_from_a_file_as_from_its_release(tmp_path: Path) -> None:
    columns, texts, rows = [], {}, 300
    for kind in KINDS:
        domain = domain_of(kind)
        answers = {"categorical": "nominal", "several": "several", "integer": "integer"}
        columns.append(
            ColumnPlan(
                name=kind,
                kind=answers[domain.type],  # type: ignore[arg-type]
                domain=domain,
                confirmed=True,
                role="protect",
                mechanism=starting(kind, domain),
            )
        )
        texts[kind] = [domain.texts[row % domain.size] for row in range(rows)]
    plan = Plan(columns=tuple(columns))
    released = sanitize(table_from_texts(texts), plan, tmp_path, untracked())
    again = released_from_records(read_records(tmp_path), plan)
    assert [a.column.name for a in again.attributes] == KINDS
    for first, second in zip(released.attributes, again.attributes, strict=True):
        assert first.tally.counts.tolist() == second.tally.counts.tolist()
        assert first.tally.reports == second.tally.reports == rows
        estimate = second.estimate
        assert np.isfinite(estimate.value).all()
        assert (estimate.total_error > 0).all()
        assert (estimate.lower <= estimate.value).all()
        assert (estimate.value <= estimate.upper).all()


@pytest.mark.parametrize("kind", KINDS)
def test_that_every_mechanism_has_reports_from_fixed_words_and_a_place_in_the_help(
    kind: str,
) -> None:
    assert kind in {known for known, *_ in GOLDEN}
    assert f"(mechanisms/{kind}.md)" in resource("docs/help.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if mechanism_named(kind).adjustable])
@pytest.mark.parametrize("epsilon", ["nan", "0", "-1", "41", "1e3", "", "١", 0.5, None, "0.00001"])
def test_that_no_mechanism_takes_an_epsilon_that_is_none(kind: str, epsilon: object) -> None:
    with pytest.raises(ValidationError):
        mechanism_named(kind)(epsilon=epsilon)  # type: ignore[call-arg]
