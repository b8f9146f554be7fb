from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from dpdesk.composition import Loss, Noise, account, rho_of_epsilon, zcdp_epsilon
from dpdesk.composition.texts import T
from dpdesk.errors import ParameterError
from dpdesk.queries.sensitivity import Sensitivity
from tests.refusals import refused

GAUSSIAN = Loss(
    "g",
    Decimal("0.5"),
    Decimal("1e-6"),
    rho=Decimal("0.005"),
    noise=Noise("gaussian", 10.0, Sensitivity(1, 1, 1), 1),
)


def test_that_pure_losses_stay_the_exact_sum_and_other_routes_are_further_statements() -> None:
    total = account([Loss("q", Decimal("0.1"))] * 100, Decimal("1e-6"))
    assert total.least is total.basic
    assert (total.least.epsilon, total.least.delta) == (10, 0)
    assert total.numerical is not None
    assert total.numerical.epsilon < 5
    assert total.explanation.startswith(T.TOTAL(count=100, epsilon="10", route=T.BASIC()))


def test_that_at_no_delta_there_is_the_sum_alone() -> None:
    total = account([Loss("q", Decimal("0.5")), Loss("r", Decimal("0.25"), Decimal("1e-9"))])
    assert total.routes == (total.basic,)
    assert (total.basic.epsilon, total.basic.delta) == (Decimal("0.75"), Decimal("1e-9"))
    shown = {"epsilon": "0.75", "delta": "1e-9", "route": T.BASIC()}
    assert total.explanation == T.TOTAL_AT_DELTA(count=2, **shown)


def test_that_the_least_route_is_told_with_the_others() -> None:
    total = account([GAUSSIAN] * 20, Decimal("1e-5"))
    assert total.least is total.numerical
    assert total.advanced is None
    assert total.zcdp is not None
    assert total.least.epsilon < total.zcdp.epsilon < total.basic.epsilon
    assert f"by {T.NUMERICAL()}" in total.explanation
    assert T.ROUTE(epsilon="10", delta="2e-5", route=T.BASIC()) in total.explanation


def test_that_the_sum_is_the_least_only_where_its_delta_is_kept() -> None:
    single = account([Loss("q", Decimal("0.5"), Decimal("1e-7"))], Decimal("1e-6"))
    assert single.least.delta <= Decimal("1e-6")
    over = account([Loss("q", Decimal("0.5"), Decimal("1e-6"))] * 3, Decimal("1e-6"))
    assert over.routes == (over.basic,)
    assert over.least.delta == Decimal("3e-6")
    assert over.explanation.endswith(T.NO_ROUTE(delta="1e-6"))


def test_that_routes_are_named_with_their_epsilon_and_delta() -> None:
    total = account(
        [Loss("q", Decimal("0.5"), Decimal("1e-7"))] * 2, Decimal("2e-7"), numerical=False
    )
    assert total.least is total.basic
    routes = [
        T.ROUTE(epsilon=epsilon, delta="2e-7", route=route())
        for epsilon, route in (("1", T.ADVANCED), ("5.55666463", T.ZCDP))
    ]
    least = T.TOTAL_AT_DELTA(count=2, epsilon="1", delta="2e-7", route=T.BASIC())
    assert total.explanation == f"{least} {T.OTHER_ROUTES(routes=routes)}"


def test_that_no_route_is_below_zero_or_above_the_sum_where_it_keeps_its_delta() -> None:
    for k in (1, 2, 5, 40):
        total = account(
            [Loss("q", Decimal("0.05")), Loss("r", Decimal("0.5"), Decimal("1e-9"))] * k,
            Decimal("1e-6"),
        )
        assert total.advanced is not None
        assert 0 < total.advanced.epsilon <= total.basic.epsilon
        assert total.least.epsilon == min(route.epsilon for route in total.routes)


def test_that_a_mixture_of_rho_and_epsilon_goes_through_zcdp() -> None:
    losses = [GAUSSIAN, Loss("q", Decimal("0.1")), Loss("r", Decimal("0.1"), Decimal("1e-7"))]
    total = account(losses, Decimal("1e-6"), numerical=False)
    assert total.zcdp is not None
    rho = Decimal("0.005") + 2 * rho_of_epsilon(Decimal("0.1"))
    # The third fails with a delta of its own.
    low, high = (zcdp_epsilon(rho, Decimal(delta)) for delta in ("9.001e-7", "8.999e-7"))
    assert low < total.zcdp.epsilon < high


def test_that_what_does_not_add_up_is_refused() -> None:
    with refused("numbers.costs-differ"):
        account([Loss("q", Decimal(1)), Loss("r", Decimal(1), model="local")], Decimal("1e-6"))
    with pytest.raises(ParameterError):
        account([], Decimal("1e-6"))
    with pytest.raises(ParameterError):
        account([Loss("q", Decimal(1))], Decimal(1))


def test_that_the_plain_form_is_json() -> None:
    plain = json.loads(json.dumps(account([GAUSSIAN] * 2, Decimal("1e-5")).plain()))
    assert plain["least"] == "numerical"
    assert [route["route"] for route in plain["routes"]] == [
        "basic",
        "advanced",
        "zcdp",
        "numerical",
    ]
    assert plain["routes"][0] == {"route": "basic", "epsilon": "1", "delta": "2e-6"}


def test_that_a_smaller_sum_does_not_count_where_its_delta_is_too_large() -> None:
    total = account([replace(GAUSSIAN, epsilon=Decimal("0.1"))], Decimal("1e-7"))
    assert total.zcdp is not None
    assert total.basic.epsilon < total.zcdp.epsilon
    assert total.basic.delta > Decimal("1e-7")
    assert total.least.delta == Decimal("1e-7")
