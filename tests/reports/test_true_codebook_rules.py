"""The codebook's rules of estimation, done by hand: unbiased, the estimates, the stated error."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.domains import Categorical, Integer
from dpdesk.estimation.released import bind_attributes, released_from_tallies
from dpdesk.mechanisms import MECHANISMS, BoundMechanism, Mechanism, Sampling, Tally, kind_of
from dpdesk.mechanisms.pram import Pram
from dpdesk.mechanisms.rappor import Rappor
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.reports.codebook import codebook_rows
from dpdesk.reports.texts import T
from tests.mechanisms.exact_moments import weighted_reports
from tests.randomness.word_sources import ShakeWords
from tests.reports.cases import WEIGHT, plan_of, protected
from tests.reports.literal_rules import Asked, apply_rule, bits_of
from tests.reports.test_true_sentences import STRATEGIES
from tests.reports.true_numbers import fake_of, law_of
from tests.texts import is_said

TWO, FOUR = Categorical(values=("yes", "no")), Categorical(values=("1", "2", "3", "4"))
GRID = Integer(lower=3, upper=9)
EXPECTED = (Decimal(1), Decimal(4), Decimal(2), Decimal(3))
ALL = [
    (mechanism, domain)
    for mechanism in MECHANISMS
    for domain in (TWO, FOUR, GRID)
    if mechanism.misfit(domain) is None
]
# A hash of two categories has few seeds that differ; RAPPOR's reports are few with few bits.
ENUMERATED = [
    (m, d) for m, d in ALL if not (kind_of(m) in {"blh", "olh"} and d is FOUR)
]  # fmt: skip
FAKED = [
    (mechanism, domain, *strategy)
    for mechanism, domain in ALL
    for strategy in STRATEGIES
    if strategy[0] in {"rsfd", "rsrfd"} and Sampling(strategy[0], 2).serves(mechanism)
]
DRAWN = [(m, d, s, "zeros") for m, d in ALL for s in ("spl", "smp")] + FAKED


def named(case: object) -> str:
    return getattr(case, "__name__", "") or (
        case if isinstance(case, str) else str(getattr(case, "size", case))
    )


def column_of(mechanism: type[Mechanism], domain: Any, epsilon: str = "1.2") -> ColumnPlan:
    kind = "integer" if domain is GRID else "nominal"
    made = mechanism.starting(domain, Decimal(epsilon))
    if mechanism is Rappor:
        made = Rappor(epsilon=Decimal(epsilon), bits=5, hashes=2, cohorts=2)
    expected = EXPECTED[: domain.size] if isinstance(domain, Categorical) else ()
    plain_column = protected("q", kind, domain, "laplace", "1", expected=expected)
    return plain_column.changed(mechanism=made)


def asked_of(column: ColumnPlan, plan: Plan) -> Asked:
    """What a reader of the release has: the codebook's rule, and the public plan."""
    codes = np.zeros(4, dtype=np.int32)
    bindings = [
        (one, run, run.tally(run.randomize(codes, ShakeWords("rule"))))
        for one, run in bind_attributes(plan)
    ]
    released = released_from_tallies(plan, 4, bindings)
    rules = [row.estimation for row in codebook_rows(released) if row.attribute == column.name]
    (rule,) = {rule for rule in rules if rule}
    matrix = getattr(column.mechanism, "matrix", ())
    return Asked(
        rule,
        tuple(column.effective_domain.texts),
        tuple(map(float, column.expected)),
        tuple(tuple(float(Fraction(chance)) for chance in row) for row in matrix),
    )


def cells_of(bound: BoundMechanism, reports: NDArray[Any]) -> NDArray[np.object_]:
    """The released columns of reports, as they stand in the file."""
    if bound.form == "symbol":
        return np.array([[bound.outputs[int(report)]] for report in reports], dtype=object)
    return np.array([[str(int(cell)) for cell in report] for report in reports], dtype=object)


def truth_of(domain: Any, shares: NDArray[np.float64]) -> list[float]:
    if isinstance(domain, Categorical):
        return list(shares)
    return [float(shares @ np.array([float(text) for text in domain.texts]))]


_MANY = 10**12


@pytest.mark.parametrize(("mechanism", "domain"), ENUMERATED, ids=named)
def test_that_the_rule_applied_to_the_law_of_all_reports_gives_the_truth(mechanism, domain) -> None:
    column = column_of(mechanism, domain)
    plan = plan_of(column)
    ((_, bound),) = bind_attributes(plan)
    asked = asked_of(column, plan)
    shares = np.arange(1.0, domain.size + 1) ** 2
    shares /= shares.sum()
    cells, chances, counts = [], [], np.zeros(1)
    for code, share in enumerate(shares):
        law = rappor_law(bound, code) if mechanism is Rappor else weighted_reports(bound.law, code)
        for report, chance in law:
            cells.append(cells_of(bound, report)[0])
            chances.append(share * float(chance))
            counts = counts + chances[-1] * bound.tally(report).counts
    found = apply_rule(asked, np.array(cells, dtype=object), np.array(chances))
    assert found == pytest.approx(truth_of(domain, shares), abs=1e-8)
    # Reports by the law itself: the error that a weighted release states is that of its estimate.
    r = np.array([apply_rule(asked, np.array([cell], dtype=object), np.ones(1)) for cell in cells])
    spread = np.array(chances) @ (r - found) ** 2
    # Of many respondents: of few the error is at least the noise of every mean that may be true.
    estimate = bound.estimate(Tally(_MANY, _MANY, _MANY, _MANY * counts))
    assert spread == pytest.approx(_MANY * estimate.total_error**2, rel=1e-6)


def rappor_law(bound: Any, code: int):
    """Every cohort and set of bits: a bit is that of the filter with chance 1 - F."""
    bits = np.array(np.meshgrid(*[[0, 1]] * 5)).reshape(5, -1).T
    flip = 1 / (1 + np.exp(1.2 / 4))
    for cohort in range(2):
        filters = np.array([bit in bits_of(cohort, code, 2, 5) for bit in range(5)])
        for chosen in bits:
            right = (chosen == filters).sum()
            yield np.array([[cohort, *chosen]]), (1 - flip) ** right * flip ** (5 - right) / 2


@pytest.mark.parametrize(("mechanism", "domain", "strategy", "fakes"), FAKED, ids=named)
def test_that_the_rule_takes_the_fakes_out_again(mechanism, domain, strategy, fakes) -> None:
    column = column_of(mechanism, domain)
    other = protected("other", "binary", TWO, "warner", "0.5", expected=EXPECTED[:2])
    plan = plan_of(column, other, other.changed(name="third"), strategy=strategy, fakes=fakes)
    bound = bind_attributes(plan)[0][1]
    real, fake = law_of(column), fake_of(column, plan)
    shares = np.arange(1.0, domain.size + 1) / (domain.size * (domain.size + 1) / 2)
    chances = shares @ real / 3 + fake * 2 / 3
    size = domain.size
    if bound.form == "bits":
        bits = np.array(np.meshgrid(*[[0, 1]] * size, indexing="ij")).reshape(size, -1).T
        cells = np.array([[str(bit) for bit in row] for row in bits], dtype=object)
    else:
        cells = np.array([[text] for text in domain.texts], dtype=object)
    found = apply_rule(asked_of(column, plan), cells, chances)
    assert found == pytest.approx(shares, abs=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("mechanism", "domain", "strategy", "fakes"), DRAWN, ids=named)
def test_that_estimates_and_errors_are_those_of_the_rule(
    mechanism, domain, strategy, fakes, weighted
) -> None:
    column = column_of(mechanism, domain, "3")
    other = protected("other", "binary", TWO, "warner", "0.5", expected=EXPECTED[:2])
    more = (WEIGHT,) if weighted else ()
    plan = plan_of(column, other, *more, strategy=strategy, fakes=fakes)
    bound = bind_attributes(plan)[0][1]
    rows, words = 360, ShakeWords("drawn")
    weights = 1 + np.arange(rows) % 7 * 0.75
    codes = (np.arange(rows) // 3 % domain.size).astype(np.int32)
    reports = bound.randomize(codes, words)
    bindings = []
    for place, (one, run) in enumerate(bind_attributes(plan)):
        drawn = reports if place == 0 else run.randomize(codes % 2, words)
        group = np.arange(rows) % 2 == place if strategy == "smp" else slice(None)
        mine = weights[group] if weighted else None
        bindings.append((one, run, run.tally(drawn[group], mine)))
    asked = asked_of(column, plan)
    assert is_said(T.RULE_OF_DRAWN, asked.rule) == (strategy == "smp")
    group = np.arange(rows) % 2 == 0 if strategy == "smp" else slice(None)
    cells, w = cells_of(bound, reports[group]), np.ones(rows)[group]
    if weighted:
        w = weights[group]
    estimate = released_from_tallies(plan, rows, bindings).attributes[0].estimate
    m = apply_rule(asked, cells, w)
    assert m == pytest.approx(estimate.value, abs=1e-9)
    assert (T.WEIGHTED_BY(name="wt") in asked.rule) == weighted
    shares = isinstance(domain, Categorical)
    assert (T.WEIGHTED_ERROR_AT_ENDS() in asked.rule) == (weighted and shares)
    if not weighted:
        return
    assert T.WEIGHTED_ERROR(name="wt") in asked.rule
    # RAPPOR's law has another error than its reports show, but on the average.
    if mechanism is Rappor:
        return
    r = np.array([apply_rule(asked, cells[[i]], np.ones(1)) for i in range(len(cells))])
    squared = (w**2 @ (r - m) ** 2) / w.sum() ** 2
    # With squared weights there are estimates as well, and either can be impossible.
    both = np.array([m, apply_rule(asked, cells, w**2)])
    possible = np.all((both >= 0) & (both <= 1), axis=0) if shares else np.array([True])
    if mechanism is Pram:
        possible[:] = possible.all()
    assert squared[possible] == pytest.approx(estimate.total_error[possible] ** 2, rel=1e-6)
    assert possible.any()
