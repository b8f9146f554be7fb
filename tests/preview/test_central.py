"""Previews of queries to a trusted file, against the exact laws of their noise."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.preview.central import (
    QueryRequest,
    central_accuracy,
    central_figures,
    epsilon_for_half_width,
    law_view,
    linear_error,
    local_error,
    query_request,
)
from dpdesk.preview.central.accuracy import share_variance
from dpdesk.preview.solve import LAST_RUNG, epsilon_at
from dpdesk.queries import (
    Condition,
    Count,
    Histogram,
    Mean,
    MostCommon,
    PrivacyUnit,
    Quantile,
    Query,
    Share,
    Sum,
    Variance,
)
from tests.refusals import refused

SEX = Categorical(values=("f", "m"))
AGE = Integer(lower=18, upper=90, unit="years")
FEMALE = Condition(column="sex", values=("f",))
REPLACED = PrivacyUnit(relation="replace")
EVERY = (
    Count(by=("sex",)),
    Share(meeting=(FEMALE,)),
    Mean(column="age"),
    Sum(column="age"),
    Variance(column="age"),
    Variance(column="age", root=True),
    Quantile(column="age", shares=(Decimal("0.25"), Decimal("0.75"))),
    Histogram(column="age"),
    MostCommon(column="sex"),
)


def asked(query: Query, *, rows: int = 1000, unit: PrivacyUnit | None = None) -> QueryRequest:
    declared = {"sex": SEX, "age": AGE}
    domains = tuple((name, declared[name]) for name in query.columns)
    return QueryRequest(query, domains, unit or PrivacyUnit(), rows)


def names(query: Query) -> str:
    return query.subject


@pytest.mark.parametrize("query", EVERY, ids=names)
def test_that_every_query_has_a_picture_of_few_points(query: Query) -> None:
    view = law_view(asked(query))
    assert len(view.x) <= 512
    assert view.x_range[0] <= view.x[0] < view.x[-1] <= view.x_range[1]
    for line in view.lines:
        assert line.shape == view.x.shape
        assert (line >= 0).all()
        assert line.max() <= view.y_max
    accuracy = central_accuracy(asked(query))
    assert len(accuracy.epsilons) <= 512
    assert (np.diff(accuracy.central) <= 1e-12).all()


@pytest.mark.parametrize("query", EVERY[:6], ids=names)
@pytest.mark.parametrize("epsilon", ["0.1", "1", "8"])
def test_that_the_error_is_drawn_as_a_law_that_its_band_holds(query: Query, epsilon: str) -> None:
    view = law_view(asked(query.changed(epsilon=Decimal(epsilon))))
    step = 1.0 if view.form == "bars" else float(view.x[1] - view.x[0])
    assert view.lines[0].sum() * step == pytest.approx(1, abs=0.02)
    assert view.band is not None
    inside = (view.x >= view.band[0]) & (view.x <= view.band[1])
    assert view.lines[0][inside].sum() * step >= 0.95 - 0.01


@pytest.mark.parametrize("epsilon", ["0.3", "1", "2.5"])
def test_that_the_two_laws_of_a_count_differ_by_e_to_the_epsilon_at_most(epsilon: str) -> None:
    query = Count(where=(FEMALE,), epsilon=Decimal(epsilon))
    view = law_view(asked(query))
    ratios = view.lines[0] / view.lines[1]
    assert np.abs(np.log(ratios)).max() == pytest.approx(float(epsilon), rel=1e-9)


def test_that_the_law_of_a_count_is_that_of_its_noise() -> None:
    request = asked(Count(where=(FEMALE,)))
    view, noise = law_view(request), request.bound.parts[0].noise
    assert view.form == "bars"
    exact = [noise.probability(round(x)) for x in view.x]
    np.testing.assert_allclose(view.lines[0], exact, rtol=1e-12)


@pytest.mark.parametrize(
    ("query", "unit", "shift"),
    [
        (Count(where=(FEMALE,)), PrivacyUnit(), 1.0),
        (Sum(column="age"), PrivacyUnit(), 90.0),
        (Share(meeting=(FEMALE,), complete=True), REPLACED, 0.1),
        (Mean(column="age", complete=True), REPLACED, 0.072),
    ],
    ids=lambda value: str(value)[:12],
)
def test_that_one_respondent_moves_a_statistic_by_its_bound(query, unit, shift) -> None:
    error = linear_error(asked(query, unit=unit))
    assert error is not None
    assert error.shift == pytest.approx(shift)


def test_that_a_mean_over_public_rows_is_as_noisy_as_its_sum() -> None:
    request = asked(Mean(column="age", complete=True), unit=REPLACED)
    error = linear_error(request)
    assert error is not None
    ((noise, weight),) = error.noises
    assert weight * noise.half_width(0.95) == pytest.approx(request.error.half_width)


def test_that_the_error_of_a_mean_is_that_of_both_its_noises() -> None:
    request = asked(Mean(column="age"))
    error = linear_error(request)
    assert error is not None
    x = np.linspace(-20, 20, 4001) * request.error.half_width
    density = error.density(x)
    spread = float((x * x * density).sum() * (x[1] - x[0]))
    exact = sum(weight**2 * noise.variance for noise, weight in error.noises)
    # The second noise is drawn in a hundred steps, which lose the end of its tails.
    assert spread == pytest.approx(exact, rel=0.05)


def test_that_a_quantile_is_shown_as_it_would_be_chosen_from_even_answers() -> None:
    request = asked(Quantile(column="age", epsilon=Decimal("0.02")), rows=730)
    choice = request.bound.choices[0]
    law = choice.law(np.full(AGE.size, 10))
    view = law_view(request)
    shown = {round(x): y for x, y in zip(view.x, view.lines[0], strict=True)}
    for code, chance in enumerate(law):
        assert shown.get(18 + code, 0.0) == pytest.approx(chance, abs=1e-4)


def test_that_the_lead_that_is_marked_is_enough() -> None:
    request = asked(MostCommon(column="sex"))
    view = law_view(request)
    assert view.band is not None
    choice = request.bound.choice
    assert choice.chance_of_lead(view.band[0]) >= 0.95
    assert choice.chance_of_lead(view.band[0] - 1) < 0.95


@pytest.mark.parametrize("cells", [2, 3, 8, 40])
@pytest.mark.parametrize("epsilon", ["0.5", "1", "3"])
def test_that_the_local_variance_is_the_one_of_the_better_mechanism(
    cells: int, epsilon: str
) -> None:
    domain = Categorical(values=tuple(str(code) for code in range(cells)))
    constants = [
        mechanism_named(kind)(epsilon=Decimal(epsilon)).forecast(domain).noise_constant
        for kind in ("grr", "oue")
    ]
    assert share_variance(float(epsilon), cells) == pytest.approx(min(constants), rel=1e-9)


@pytest.mark.parametrize("query", [Share(meeting=(FEMALE,)), Mean(column="age")], ids=names)
def test_that_central_errors_fall_with_n_and_local_ones_with_its_root(query: Query) -> None:
    few, many = asked(query, rows=1000), asked(query, rows=100_000)
    assert few.error.half_width / many.error.half_width == pytest.approx(100)
    one = Decimal(1)
    local = local_error(few, one, 1000), local_error(few, one, 100_000)
    assert local[0] is not None
    assert local[1] is not None
    assert local[0] / local[1] == pytest.approx(10)
    assert local[0] > few.error.half_width


def test_that_the_error_of_the_local_question_is_at_the_same_epsilon_and_rows() -> None:
    request = asked(Share(meeting=(FEMALE,), epsilon=Decimal("0.7")), rows=900)
    local = central_figures(request).local
    assert local is not None
    assert local == local_error(request, Decimal("0.7"), 900)


def test_that_questions_without_a_local_counterpart_say_so() -> None:
    assert central_figures(asked(Quantile(column="age"))).local is None
    several = asked(Share(meeting=(FEMALE,)), unit=PrivacyUnit(rows_per_respondent=3))
    assert central_figures(several).local is None


@pytest.mark.parametrize("query", EVERY, ids=names)
def test_that_the_epsilon_for_an_error_is_the_least_of_three_digits(query: Query) -> None:
    request = asked(query)
    wanted = max(request.error.half_width / 3, 1.0 if request.error.unit == "rows" else 0.0)
    found = epsilon_for_half_width(request, wanted)
    assert request.at(found).error.half_width <= wanted
    rungs = [epsilon_at(rung) for rung in range(LAST_RUNG + 1)]
    below = rungs[rungs.index(found) - 1]
    assert request.at(below).error.half_width > wanted


@pytest.mark.parametrize("rung", [0, 1, 2, 3, LAST_RUNG - 1, LAST_RUNG])
def test_that_the_first_and_the_last_epsilons_of_all_are_found_too(rung: int) -> None:
    request = asked(Sum(column="age", noise="laplace"))
    epsilon = epsilon_at(rung)
    wanted = request.at(epsilon).error.half_width
    assert epsilon_for_half_width(request, wanted) == epsilon
    if rung in (0, LAST_RUNG):
        assert epsilon == (Decimal("0.0001") if rung == 0 else 40)
        assert epsilon_for_half_width(request, wanted * 10 ** (12 if rung == 0 else 0)) == epsilon


def test_that_an_epsilon_whose_noise_could_not_be_drawn_is_no_solution() -> None:
    wide = Integer(lower=0, upper=999_999)
    unit = PrivacyUnit(rows_per_respondent=1_000_000)
    request = QueryRequest(Sum(column="x"), (("x", wide),), unit, 1000)
    with refused("queries.noise-too-large"):
        request.at(Decimal("0.0001")).error  # noqa: B018 - asking is what fails
    wanted = request.at(Decimal("0.00023")).error.half_width
    assert epsilon_for_half_width(request, wanted) == Decimal("0.00023")


def test_that_an_error_of_nothing_is_refused() -> None:
    with pytest.raises(ParameterError):
        epsilon_for_half_width(asked(Count(by=("sex",))), 0.0)
    with refused("preview.out-of-reach--rows", rows=1):
        epsilon_for_half_width(asked(Mean(column="age"), rows=1), 1e-9)
    for wrong in (-1.0, float("nan")):
        with refused("preview.bad-error"):
            epsilon_for_half_width(asked(Count(by=("sex",))), wrong)
    beyond = asked(Sum(column="age", noise="laplace"), rows=12_345)
    least = beyond.at(Decimal(40)).error.half_width
    with refused("preview.out-of-reach--rows", rows=12_345):
        epsilon_for_half_width(beyond, least * 0.999)


def test_that_a_grouped_mean_has_the_rows_of_one_group() -> None:
    request = asked(Mean(column="age", by=("sex",)), rows=1000)
    assert request.rows_of_cell == 500
    alone = replace(request, query=Mean(column="age"), rows=500)
    assert request.error.half_width == pytest.approx(alone.error.half_width)


def test_that_a_query_that_does_not_suit_has_no_preview() -> None:
    column = ColumnPlan(name="sex", kind="nominal", domain=SEX)
    plan = Plan(columns=(column,))
    statistics = plan.statistics.with_queries([Count(by=("sex",)), Count(by=("other",))])
    plan = plan.with_fields(statistics=statistics)
    assert query_request(plan, 0) is not None
    assert query_request(plan, 1) is None


@pytest.mark.parametrize("query", EVERY, ids=names)
def test_that_one_width_for_all_numbers_is_told_of_numbers_with_noise_of_their_own(
    query: Query,
) -> None:
    request = asked(query)
    found = central_figures(request)
    if query.kind in ("count", "sum", "histogram"):
        (part,) = request.bound.parts
        together = part.noise.simultaneous_half_width(request.confidence)
        assert found.every == pytest.approx(part.step * together)
    else:
        assert found.every is None
    assert found.cells == len(request.bound.keys)


@pytest.mark.parametrize(
    ("query", "sampling"),
    [
        # 1.96 standard deviations: of a share of a half, and of numbers spread evenly over 72.
        (Share(meeting=(FEMALE,)), 100 * 1.96 * 0.5 / 400**0.5),
        (Mean(column="age"), 1.96 * 72 / 12**0.5 / 400**0.5),
        (Count(by=("sex",)), None),
        (Quantile(column="age"), None),
    ],
    ids=lambda value: str(value)[:8],
)
def test_that_the_error_of_drawing_the_rows_is_that_of_the_statistic(
    query: Query, sampling: float | None
) -> None:
    found = central_figures(asked(query, rows=400)).sampling
    assert found == (None if sampling is None else pytest.approx(sampling, rel=1e-4))


def test_that_all_cells_together_are_off_by_more_than_one() -> None:
    found = central_figures(asked(Count(by=("sex",), epsilon=Decimal("0.1"))))
    assert found.every is not None
    assert found.every > found.error.half_width
