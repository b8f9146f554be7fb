"""Exact checks of the simulations, shared by the ordinary tests and the kill matrix.

Probabilities are stated anew from p, q, the shares and the chances of fakes; the joint laws are
enumerated report by report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import isclose, prod
from typing import Any

import numpy as np

from dpdesk.engine.simulate.attack.attackers import posterior
from dpdesk.engine.simulate.attack.run import (
    draw_profiles,
    draw_sampled,
    shares_from_both,
    shares_from_compromised,
)
from dpdesk.engine.simulate.tallies import (
    bit_counts,
    channel_counts,
    sampled_counts,
    simulate_counts,
    support_counts,
    symbol_counts,
)
from dpdesk.engine.simulate.variants import shares_of
from dpdesk.mechanisms.fake_data import FakeDataForecast
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast
from tests.engine.simulate.enumerated import (
    Law,
    bits,
    largest_difference,
    law_of,
    mixed,
    respondent_by_respondent,
    symbols,
)

P, Q = 0.625, 0.1875  # p + 2q = 1: GRR with three categories
PRIOR = (0.5, 0.3, 0.2)


def _same(simulator: Any, counts: Sequence[int], reports: Sequence[Law]) -> None:
    simulated = law_of(lambda generator: simulator(np.array(counts), generator))
    assert largest_difference(simulated, respondent_by_respondent(counts, reports)) < 1e-12


def _rows(p: float, q: float, k: int) -> list[list[float]]:
    return [[p if v == y else q for y in range(k)] for v in range(k)]


def symbol_counts_are_those_of_respondents() -> None:
    for counts, p, q in (((2, 1, 1), P, Q), ((0, 3, 0), P, Q), ((3, 1), 0.75, 0.25)):
        reports = [symbols(row) for row in _rows(p, q, len(counts))]
        _same(lambda c, g, p=p, q=q: symbol_counts(c, p, q, g), counts, reports)


def support_counts_are_those_of_respondents() -> None:
    for counts in ((2, 1), (1, 0, 2)):
        reports = [bits(row) for row in _rows(0.7, 0.2, len(counts))]
        _same(lambda c, g: support_counts(c, 0.7, 0.2, g), counts, reports)
        rows = np.array(_rows(0.7, 0.2, len(counts)))
        _same(lambda c, g, rows=rows: bit_counts(c, rows, g), counts, reports)


def channel_counts_are_those_of_respondents() -> None:
    rows = np.array([[0.5, 0.25, 0.125, 0.125], [0.1, 0.2, 0.3, 0.4]])
    _same(lambda c, g: channel_counts(c, rows, g), (2, 2), [symbols(row) for row in rows])


def _attribute(form: str, attributes: int, fakes: str, prior: tuple[float, ...]) -> Any:
    p, q = (P, Q) if form == "symbol" else (0.7, 0.2)
    return FakeDataForecast(FrequencyForecast(3, p, q, form), attributes, fakes, prior)


def real_law(law: Any, value: int) -> Law:
    row = _rows(law.real.p, law.real.q, law.size)[value]
    return symbols(row) if law.form == "symbol" else bits(row)


def fake_law(law: Any) -> Law:
    prior = law.prior or (1 / 3, 1 / 3, 1 / 3)
    if law.form == "symbol":
        return symbols(prior)
    if law.fakes == "zeros":
        return bits([law.real.q] * law.size)
    return mixed([(chance, real_law(law, value)) for value, chance in enumerate(prior)])


def _fake_data_laws(attributes: int) -> Iterator[Any]:
    for form, fakes, prior in (
        ("symbol", "random", ()),
        ("symbol", "random", PRIOR),
        ("bits", "zeros", ()),
        ("bits", "random", ()),
        ("bits", "random", PRIOR),
    ):
        yield _attribute(form, attributes, fakes, prior)


def fake_data_counts_are_those_of_respondents() -> None:
    for attributes in (2, 3):
        for law in _fake_data_laws(attributes):
            faked = (attributes - 1) / attributes
            reports = [
                mixed([(1 - faked, real_law(law, value)), (faked, fake_law(law))])
                for value in range(3)
            ]
            _same(lambda c, g, law=law: simulate_counts(law, c, g), (1, 2, 0), reports)


def sampled_counts_are_those_of_respondents() -> None:
    row = _rows(P, Q, 3)
    reports = [mixed([(1 / 4, symbols(row[v])), (3 / 4, {(0, 0, 0): 1.0})]) for v in range(3)]

    def simulator(counts: np.ndarray, generator: Any) -> np.ndarray:
        return symbol_counts(sampled_counts(counts, 4, generator), P, Q, generator)

    _same(simulator, (2, 1, 1), reports)


def shares_are_unbiased_for_expected_counts() -> None:
    shares = np.array([0.5, 0.3, 0.2])
    for attributes in (2, 5):
        for law in _fake_data_laws(attributes):
            support = np.zeros(3)
            for weight, part in (
                *((f / attributes, real_law(law, v)) for v, f in enumerate(shares)),
                (1 - 1 / attributes, fake_law(law)),
            ):
                for report, chance in part.items():
                    support += weight * chance * np.array(report)
            estimate = shares_of(law, support * 100, np.array(100))
            assert np.allclose(estimate, shares, atol=1e-12)


def posterior_is_that_of_the_joint_law() -> None:
    for laws in (
        (_attribute("symbol", 2, "random", ()), _attribute("bits", 2, "zeros", ())),
        (_attribute("bits", 2, "random", PRIOR), _attribute("symbol", 2, "random", PRIOR)),
        (
            _attribute("symbol", 3, "random", PRIOR),
            _attribute("bits", 3, "zeros", ()),
            _attribute("bits", 3, "random", ()),
        ),
    ):
        _posterior_holds(laws)


def _records(d: int) -> dict[tuple[int, ...], float]:
    """Strongly dependent attributes: all the same answer, or one special record."""
    records = {(v,) * d: 0.3 - 0.05 * v for v in range(3)}
    return records | {(*range(d),): 1 - sum(records.values())}


def _posterior_holds(laws: Sequence[Any]) -> None:
    d = len(laws)
    shares = [np.zeros(3) for _ in laws]
    for record, chance in _records(d).items():
        for j, value in enumerate(record):
            shares[j][value] += chance
    fakes = [fake_law(law) for law in laws]
    outputs = list(product(*(sorted(fake) for fake in fakes)))
    joint = np.zeros((len(outputs), d))
    for row, output in enumerate(outputs):
        for j in range(d):
            others = prod(fakes[i][output[i]] for i in range(d) if i != j)
            for record, chance in _records(d).items():
                joint[row, j] += chance * real_law(laws[j], record[j])[output[j]] * others / d
    assert isclose(joint.sum(), 1.0, abs_tol=1e-12)
    profiles = [_reports([output[j] for output in outputs], law) for j, law in enumerate(laws)]
    computed = posterior(profiles, laws, shares)
    assert np.allclose(computed, joint / joint.sum(axis=1, keepdims=True), atol=1e-12)
    # No rule is right more often than the largest posterior.
    guessed = joint[np.arange(len(outputs)), computed.argmax(axis=1)].sum()
    assert isclose(guessed, joint.max(axis=1).sum(), abs_tol=1e-12)


def _reports(outputs: Sequence[tuple[int, ...]], law: Any) -> np.ndarray:
    if law.form == "symbol":
        return np.array([output.index(1) for output in outputs], dtype=np.int32)
    return np.array(outputs, dtype=np.uint8)


def profiles_have_the_law_of_reports() -> None:
    """Frequencies of whole reports against their probabilities, one seeded draw of 40,000."""
    n, d = 40_000, 3
    laws = (
        _attribute("symbol", d, "random", PRIOR),
        _attribute("bits", d, "zeros", ()),
        _attribute("bits", d, "random", PRIOR),
    )
    generator = np.random.default_rng(7)
    sampled = draw_sampled(n, d, generator)
    answers = [np.full(n, value, dtype=np.int32) for value in (0, 1, 2)]
    profiles = draw_profiles(answers, sampled, laws, generator, lambda: None)
    for j, (reports, law) in enumerate(zip(profiles, laws, strict=True)):
        for is_real, expected in ((True, real_law(law, j)), (False, fake_law(law))):
            drawn = reports[(sampled == j) == is_real]
            for report, chance in expected.items():
                same = drawn == _reports([report], law)[0]
                found = (same if law.form == "symbol" else same.all(axis=1)).mean()
                assert abs(found - chance) < 5 * (chance * (1 - chance) / len(drawn)) ** 0.5


def an_attacker_estimates_what_is_true() -> None:
    n, d = 60_000, 3
    laws = tuple(_attribute("symbol", d, "random", (0.1, 0.3, 0.6)) for _ in range(d))
    generator = np.random.default_rng(3)
    truth = np.array([0.6, 0.3, 0.1])
    answers = [generator.choice(3, n, p=truth).astype(np.int32) for _ in range(d)]
    sampled = draw_sampled(n, d, generator)
    profiles = draw_profiles(answers, sampled, laws, generator, lambda: None)
    known = np.arange(20_000)
    from_known = shares_from_compromised([r[known] for r in profiles], sampled[known], laws)
    from_both = shares_from_both(profiles, known, sampled[known], laws)
    for shares in (*from_known, *from_both):
        assert np.abs(shares - truth).max() < 0.06
    errors = [sum(float(((f - truth) ** 2).sum()) for f in s) for s in (from_known, from_both)]
    assert errors[1] < errors[0]
