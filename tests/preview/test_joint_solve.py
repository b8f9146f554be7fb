from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.mechanisms import candidate, proposed
from dpdesk.plan import ColumnPlan, Plan, total_epsilon
from dpdesk.preview import plan_for_errors, request_for
from dpdesk.preview.solve import LAST_RUNG, epsilon_at
from tests.plan.plans import mechanism
from tests.refusals import refused

JOBS = Categorical(values=tuple(f"job {i}" for i in range(12)))
SEX = Categorical(values=("f", "m"))
AGE = Integer(lower=18, upper=30, unit="years")
DOMAINS = {
    "job": (JOBS, "nominal", "oue"),
    "sex": (SEX, "binary", "grr"),
    "age": (AGE, "integer", "duchi"),
}
RUNG_OF = {epsilon_at(rung): rung for rung in range(LAST_RUNG + 1)}


def survey(strategy: str = "spl", *names: str) -> Plan:
    columns = tuple(
        ColumnPlan(
            name=name,
            kind=DOMAINS[name][1],
            domain=DOMAINS[name][0],
            confirmed=True,
            role="protect",
            mechanism=mechanism(DOMAINS[name][2], "0.5"),
        )
        for name in names or DOMAINS
    )
    return Plan(respondents=5000, strategy=strategy, budget=Decimal(30), columns=columns)


def _error(plan: Plan, name: str) -> float:
    request = request_for(plan.column(name), plan.respondents, sampling=plan.sampling)
    assert request is not None
    return candidate(
        request.mechanism, request.domain, request.expected, request.sampling
    ).error_95(request.respondents)


def _least_on_a_grid(plan: Plan, name: str, target: float, found: int) -> Decimal:
    """The least epsilon at which some mechanism reaches the target, by trying many of them.

    Every one of three digits below the one found, and one in 50 of the others.
    """
    column = plan.column(name)
    for rung in sorted({*range(found - 100, found + 1), *range(0, LAST_RUNG + 1, 50)}):
        epsilon = epsilon_at(rung)
        for proposal in proposed(column.effective_domain, epsilon, plan.sampling):
            judged = candidate(proposal, column.effective_domain, (), plan.sampling)
            if judged.error_95(plan.respondents) <= target:
                return epsilon
    raise AssertionError


@pytest.mark.parametrize(
    ("strategy", "targets"),
    [
        ("spl", {"job": 4.0, "sex": 3.0, "age": 0.35}),
        ("smp", {"job": 5.0, "sex": 4.0, "age": 0.6}),
        ("rsfd", {"job": 6.0, "sex": 7.0}),
        ("rsrfd", {"job": 6.0, "sex": 7.0}),
    ],
)
def test_that_no_plan_on_the_grid_meets_the_targets_with_less(strategy, targets):
    plan = survey(strategy, *targets)
    solved = plan_for_errors(plan, targets)
    for name, target in targets.items():
        epsilon = solved.column(name).mechanism.epsilon
        assert epsilon == _least_on_a_grid(plan, name, target, RUNG_OF[epsilon])
        assert _error(solved, name) <= target
    epsilons = [c.mechanism.epsilon for c in solved.columns]
    whole = total_epsilon(solved)
    if strategy in {"spl", "smp"}:
        assert whole == (sum(epsilons) if strategy == "spl" else max(epsilons))
    else:
        # Fakes at unequal epsilons: less than the largest.
        assert min(epsilons) < whole < max(epsilons)


def test_that_the_mechanism_chosen_is_the_best_at_its_new_epsilon():
    solved = plan_for_errors(survey(), {"job": 1.5})
    chosen = solved.column("job").mechanism
    errors = [
        _error(solved.with_column("job", mechanism=other), "job")
        for other in proposed(JOBS, chosen.epsilon)
    ]
    assert _error(solved, "job") == pytest.approx(min(errors), rel=1e-8)
    assert chosen.kind != "oue"


def test_that_attributes_without_a_target_and_the_budget_stay():
    plan = survey()
    solved = plan_for_errors(plan, {"sex": 3.0})
    assert solved.budget == plan.budget
    assert [solved.column(n) for n in ("job", "age")] == [plan.column(n) for n in ("job", "age")]


def test_that_all_errors_out_of_reach_are_named_with_their_floors():
    with refused(
        "preview.unreachable", columns="“job” (≥ ± 0.77 pp), “age” (≥ ± 0.10 years)"
    ) as caught:
        plan_for_errors(survey(), {"job": 0.7, "sex": 3.0, "age": 0.001})
    assert caught.value.remedy


def test_that_a_strategy_has_a_floor_of_its_own():
    plan_for_errors(survey("spl"), {"job": 1.0})
    with refused("preview.unreachable", columns="“job” (≥ ± 1.3 pp)"):
        plan_for_errors(survey("smp"), {"job": 1.0})


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        ({"nobody": 1.0}, "preview.not-protected"),
        ({"sex": 0.0}, "preview.bad-error"),
        ({"sex": -1.0}, "preview.bad-error"),
        ({"sex": float("nan")}, "preview.bad-error"),
    ],
)
def test_that_targets_without_meaning_are_refused(targets, message):
    with refused(message):
        plan_for_errors(survey(), targets)


def test_that_a_column_that_is_dropped_or_cannot_be_faked_has_no_target():
    with refused("preview.not-protected", column="sex"):
        plan_for_errors(survey().with_column("sex", role="drop"), {"sex": 3.0})
    with refused("preview.nothing-protects", column="age"):
        plan_for_errors(survey("rsfd"), {"age": 1.0})


def test_that_the_rungs_are_all_epsilons_of_three_digits():
    epsilons = [epsilon_at(rung) for rung in range(LAST_RUNG + 1)]
    assert (epsilons[0], epsilons[-1]) == (Decimal("0.0001"), Decimal(40))
    assert all(below < above for below, above in pairwise(epsilons))
    assert all(len(epsilon.as_tuple().digits) <= 3 for epsilon in epsilons)
    assert {Decimal("0.999"), Decimal(1), Decimal("1.01"), Decimal("9.99")} <= set(epsilons)


def test_that_a_target_is_met_at_the_respondents_of_the_plan():
    many, few = survey(), survey().with_fields(respondents=500)
    epsilons = [
        plan_for_errors(plan, {"sex": 6.0}).column("sex").mechanism.epsilon for plan in (many, few)
    ]
    assert epsilons[0] < epsilons[1]
