from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, Decimal
from math import exp, log

import pytest

from dpdesk.errors import ParameterError
from dpdesk.i18n import Message
from dpdesk.mechanisms.fake_data import FakeDataOracle
from dpdesk.plan import (
    ColumnPlan,
    Plan,
    attribute_losses,
    bind_column,
    check_table,
    loss_of_one_attribute,
    nominal_epsilon,
    sampled_attribute_name,
    total_epsilon,
)
from dpdesk.plan.checks.texts import T
from tests.plan.plans import MOODS, check_of_many, mechanism, small_plan, small_table
from tests.refusals import refused

Change = Callable[[Plan], Plan]


def fakeable(strategy: str, **more: object) -> Plan:
    """Two attributes with fakes: Warner's design on two answers, OUE on three, epsilon 1 each."""
    plan = small_plan().with_column("age", role="drop")
    plan = plan.with_column("mood", mechanism=mechanism("oue", "1"))
    if strategy == "rsrfd":
        plan = plan.with_column("mood", expected=(Decimal(1), Decimal(2), Decimal(1)))
        plan = plan.with_column("smokes", expected=(Decimal(1), Decimal(3)))
    return plan.with_fields(strategy=strategy, **more)


@pytest.mark.parametrize("strategy", ["spl", "smp", "rsfd", "rsrfd"])
def test_that_a_complete_plan_of_each_strategy_has_no_problems(strategy: str) -> None:
    assert check_of_many(fakeable(strategy)) == ()


@pytest.mark.parametrize(
    ("strategy", "code", "severity", "path", "change"),
    [
        (
            "smp",
            "nothing_to_sample",
            "warning",
            "strategy",
            lambda p: p.with_column("mood", role="drop"),
        ),
        (
            "rsfd",
            "cannot_be_faked",
            "error",
            "columns.age.mechanism",
            lambda p: p.with_column("age", role="protect"),
        ),
        (
            "rsfd",
            "cannot_be_faked",
            "error",
            "columns.mood.mechanism",
            lambda p: p.with_column("mood", mechanism=mechanism("subset_selection", "1")),
        ),
        (
            "rsrfd",
            "no_expected",
            "error",
            "columns.mood.expected",
            lambda p: p.with_column("mood", expected=()),
        ),
        (
            "rsrfd",
            "expected_misfit",
            "error",
            "columns.mood.expected",
            lambda p: p.with_column("mood", expected=(Decimal(1), Decimal(2))),
        ),
        (
            "rsrfd",
            "expected_misfit",
            "error",
            "columns.smokes.expected",
            lambda p: p.with_column("smokes", expected=(Decimal(0), Decimal(0))),
        ),
        (
            "spl",
            "expected_misfit",
            "warning",
            "columns.smokes.expected",
            lambda p: p.with_column("smokes", expected=(Decimal(1),)),
        ),
        (
            "rsrfd",
            "expected_zero",
            "error",
            "columns.smokes.expected",
            lambda p: p.with_column("smokes", expected=(Decimal(0), Decimal(1))),
        ),
    ],
)
def test_that_a_problem_of_a_strategy_is_found_at_its_place(
    strategy: str, code: str, severity: str, path: str, change: Change
) -> None:
    # A share of 0 that is expected is useless as well.
    told = check_of_many(change(fakeable(strategy)))
    (problem,) = (one for one in told if one.code != "useless")
    assert (problem.code, problem.severity, problem.path) == (code, severity, path)
    assert problem.message
    assert problem.remedy


@pytest.mark.parametrize(
    ("strategy", "change", "message"),
    [
        ("smp", lambda p: p.with_column("mood", role="drop"), T.NOTHING_TO_SAMPLE()),
        (
            "rsfd",
            lambda p: p.with_column("age", role="protect"),
            T.CANNOT_BE_FAKED(mechanism="Duchi", name="age"),
        ),
        (
            "rsrfd",
            lambda p: p.with_column("mood", mechanism=mechanism("subset_selection", "1")),
            T.CANNOT_BE_FAKED(mechanism="Subset", name="mood"),
        ),
        (
            "rsrfd",
            lambda p: p.with_column("mood", expected=(Decimal(1), Decimal(2))),
            T.EXPECTED_MISFIT(name="mood", weights=2, categories=3),
        ),
        (
            "spl",
            lambda p: p.with_column("smokes", expected=(Decimal(0), Decimal(0))),
            T.EXPECTED_MISFIT(name="smokes", weights=2, categories=2),
        ),
    ],
    ids=["one", "numbers", "categories", "misfit", "zeros"],
)
def test_that_a_problem_of_a_strategy_and_its_way_out_are_told_of_this_column(
    strategy: str, change: Change, message: Message
) -> None:
    (problem,) = check_of_many(change(fakeable(strategy)))
    assert (problem.message, problem.message.id) == (message, message.id)
    assert problem.remedy


def test_that_a_plan_without_protected_columns_is_not_told_of_one() -> None:
    plan = fakeable("smp").with_column("mood", role="drop").with_column("smokes", role="drop")
    assert "nothing_to_sample" not in {problem.code for problem in check_of_many(plan)}


def test_that_a_way_out_of_a_mechanism_without_fakes_is_one() -> None:
    plan = fakeable("rsfd").with_column("mood", mechanism=mechanism("subset_selection", "1"))
    for kind in ("grr", "sue", "oue"):
        assert check_of_many(plan.with_column("mood", mechanism=mechanism(kind, "1"))) == ()
    for strategy in ("smp", "spl"):
        assert check_of_many(plan.with_fields(strategy=strategy)) == ()


def test_that_a_weight_of_zero_is_no_problem_where_fakes_do_not_follow_it() -> None:
    plan = fakeable("rsfd").with_column("smokes", expected=(Decimal(0), Decimal(1)))
    # A share of 0 is told from a few by no error.
    assert [problem.code for problem in check_of_many(plan)] == ["useless"]


def test_that_small_groups_are_warned_of_on_the_table() -> None:
    table = small_table()
    codes = {p.code: p.severity for p in check_table(fakeable("smp"), table)}
    assert codes == {"few_reports": "warning"}
    assert check_table(fakeable("rsfd"), table) == ()


def test_that_the_whole_record_loses_the_sum_or_the_largest() -> None:
    plan = fakeable("spl").with_column("mood", mechanism=mechanism("oue", "0.25"))
    assert total_epsilon(plan) == Decimal("1.25")
    assert total_epsilon(plan.with_fields(strategy="smp")) == Decimal(1)
    # Of unequal epsilons under fakes, the loss is between them: (2p + p')/(2q + q') for Warner at
    # 1, whose fakes are even, and OUE at 1/4 with fakes of zeros.
    p, q, E = exp(1) / (exp(1) + 1), 1 / (exp(1) + 1), exp(0.25)
    true, other = 0.5 * (E + 1), 0.5 * (E + 1) / E
    exact = log((2 * p + true) / (2 * q + other))
    found = total_epsilon(plan.with_fields(strategy="rsfd"))
    assert 0 <= float(found) - exact < 1e-6
    assert total_epsilon(fakeable("rsfd")) == Decimal(1)


def test_that_one_attribute_loses_its_epsilon_unless_fakes_hide_it() -> None:
    for strategy in ("spl", "smp"):
        losses = attribute_losses(fakeable(strategy))
        assert losses == {"smokes": Decimal(1), "mood": Decimal(1)}
        assert nominal_epsilon(fakeable(strategy)) == float(total_epsilon(fakeable(strategy)))
    plan = fakeable("rsfd")
    E = exp(1)
    # Quotients of real by fake chances: 2 p, 2 q for Warner; p/q, (1-p)/(1-q) for OUE.
    p, q = E / (E + 1), 1 / (E + 1)
    smokes = log((2 * p + 0.5 / (1 - q)) / (2 * q + 0.5 / (1 - q)))
    mood = log((0.5 / q + 2 * q) / (0.5 / (1 - q) + 2 * q))
    losses = attribute_losses(plan)
    assert float(losses["smokes"]) == pytest.approx(smokes, abs=1.1e-6)
    assert float(losses["mood"]) == pytest.approx(mood, abs=1.1e-6)
    # Rounded up, and never beyond the epsilon.
    assert float(losses["smokes"]) >= smokes
    assert loss_of_one_attribute(plan) == float(max(losses.values())) < 1
    assert nominal_epsilon(plan) == pytest.approx(log((E - 1) / 2 + 1))


@pytest.mark.parametrize("round_number", ["0.25", "0.5", "1", "2.000001"])
def test_that_the_stated_loss_of_one_attribute_is_never_below_the_exact_one(
    round_number: str,
) -> None:
    # The first epsilon of twelve digits at which the loss, ln((e^eps - 1)/2 + 1), is a little more.
    nominal = Decimal(round_number)
    at = (2 * (nominal.exp() - 1) + 1).ln()
    epsilon = at.quantize(Decimal("1e-12"), rounding=ROUND_CEILING)
    exact = ((epsilon.exp() - 1) / 2 + 1).ln()
    assert nominal < exact < nominal + Decimal("1e-12")
    plan = fakeable("rsfd")
    for name in ("mood", "smokes"):
        plan = plan.with_column(name, domain=MOODS, kind="ordinal")
        plan = plan.with_column(name, mechanism=mechanism("oue", str(epsilon)))
    losses = attribute_losses(plan)
    assert losses == dict.fromkeys(("smokes", "mood"), nominal + Decimal("0.000001"))


def test_that_a_mechanism_that_cannot_be_faked_loses_its_epsilon_and_hides_nothing() -> None:
    plan = fakeable("rsfd").with_column("mood", mechanism=mechanism("subset_selection", "1"))
    losses = attribute_losses(plan.with_column("age", role="protect"))
    assert losses["mood"] == Decimal(1)
    assert losses["age"] == Decimal("2.5")
    assert losses["smokes"] == Decimal(1)


@pytest.mark.parametrize("epsilon", ["0.0001", "40"])
def test_that_one_attribute_never_loses_more_than_its_epsilon(epsilon: str) -> None:
    for kind in ("grr", "sue", "oue"):
        for strategy, fakes in (("rsfd", "zeros"), ("rsfd", "random"), ("rsrfd", "random")):
            plan = fakeable(strategy, fakes=fakes)
            for name in ("mood", "smokes"):
                plan = plan.with_column(name, mechanism=mechanism(kind, epsilon))
            losses = attribute_losses(plan)
            assert all(0 < loss <= Decimal(epsilon) for loss in losses.values()), (kind, losses)


def test_that_realistic_fakes_change_the_loss_of_one_attribute_alone() -> None:
    even = fakeable("rsrfd").with_column("smokes", expected=(Decimal(1), Decimal(1)))
    even = even.with_column("mood", expected=(Decimal(1),) * 3)
    uneven = even.with_column("smokes", expected=(Decimal(1), Decimal(99)))
    random = fakeable("rsfd", fakes="random")
    assert loss_of_one_attribute(even) == loss_of_one_attribute(random)
    assert loss_of_one_attribute(uneven) > loss_of_one_attribute(even)
    assert total_epsilon(uneven) == total_epsilon(even)


def test_that_a_plan_without_mechanisms_loses_nothing() -> None:
    for strategy in ("spl", "rsfd"):
        plan = Plan(strategy=strategy)
        assert loss_of_one_attribute(plan) == nominal_epsilon(plan) == 0


def test_that_a_column_is_bound_as_its_strategy_says() -> None:
    for strategy, fakes, encoded in (
        ("rsfd", "zeros", "zeros"),
        ("rsfd", "random", "random"),
        ("rsrfd", "zeros", "random"),
    ):
        plan = fakeable(strategy, fakes=fakes)
        bound = bind_column(plan.sampling, plan.column("mood"))
        assert isinstance(bound, FakeDataOracle)
        assert (bound.attributes, bound.fakes) == (2, encoded)
        shares = [0.25, 0.5, 0.25] if strategy == "rsrfd" else [1 / 3] * 3
        assert bound.fake.probabilities() == pytest.approx(shares)
    for strategy in ("spl", "smp"):
        plan = fakeable(strategy)
        bound = bind_column(plan.sampling, plan.column("mood"))
        assert not isinstance(bound, FakeDataOracle)


def test_that_a_mechanism_that_cannot_be_faked_is_not_bound() -> None:
    plan = fakeable("rsfd").with_column("mood", mechanism=mechanism("subset_selection", "1"))
    with pytest.raises(ParameterError, match="cannot be faked"):
        bind_column(plan.sampling, plan.column("mood"))


@pytest.mark.parametrize("missing", ["mechanism", "domain"])
def test_that_a_column_that_is_not_complete_is_not_bound(missing: str) -> None:
    column = small_plan().column("mood").model_copy(update={missing: None})
    with refused("plan.incomplete", name="mood"):
        bind_column(small_plan().sampling, column)


def test_that_only_smp_names_the_sampled_attribute_and_clashes_with_no_column() -> None:
    assert sampled_attribute_name(fakeable("rsfd")) is None
    assert sampled_attribute_name(fakeable("spl")) is None
    plan = fakeable("smp")
    assert sampled_attribute_name(plan) == "sampled_attribute"
    taken = ColumnPlan(name="sampled_attribute", kind="nominal", role="keep")
    plan = plan.with_columns((*plan.columns, taken))
    assert sampled_attribute_name(plan) == "sampled_attribute_"
    dropped = plan.with_column("sampled_attribute", role="drop")
    assert sampled_attribute_name(dropped) == "sampled_attribute"
