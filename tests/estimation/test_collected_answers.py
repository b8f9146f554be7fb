"""Collected answers: whose loss is told, who is compared, and which columns are refused."""

from __future__ import annotations

from fractions import Fraction
from math import hypot, inf, log, sqrt

import numpy as np
import pytest
from scipy.stats import norm

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.designs import Count
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.answer_sample import distinct_answers
from dpdesk.estimation.survey_answers import DeviceColumns, SampleColumns, SurveyAnswers
from tests.designs.cases import made
from tests.refusals import refused

WARNER = made("warner", {"p": "3/4"})
KUK = made("kuk", {"p1": "3/4", "p2": "1/4", "draws": 3})
DIRECT = DeviceColumns(direct="how", direct_text="open")


def table(**columns: list[object]) -> SurveyTable:
    return table_from_texts({name: [str(v) for v in values] for name, values in columns.items()})


def worst_loss(devices: list[tuple[str, str]]) -> float:
    """ln of the largest ratio of the chances of one answer, over the devices and both answers."""
    worst = Fraction(1)
    for carrier, other in devices:
        for x, y in (
            (Fraction(carrier), Fraction(other)),
            (1 - Fraction(carrier), 1 - Fraction(other)),
        ):
            if not x * y:
                return inf
            worst = max(worst, x / y, y / x)
    return log(worst)


@pytest.mark.parametrize(
    "devices",
    [
        [("0.75", "0.2")],
        [("0.2", "0.75")],
        [("0.9", "0.3")],
        [("0.3", "0.9")],
        [("0.75", "0.2"), ("0.9", "0.3"), ("0.6", "0.5")],
        [("0.6", "0.5"), ("1", "0.5")],
        [("0.6", "0.5"), ("0.6", "0")],
    ],
    ids=str,
)
def test_that_the_loss_told_is_that_of_the_worst_answer_of_the_worst_device(
    devices: list[tuple[str, str]],
) -> None:
    rows = [*devices, ("0.99", "0.01"), ("0.99", "0.01")]
    data = table(
        said=[*(i % 2 for i in range(len(devices))), 1, ""],
        a=[carrier for carrier, _ in rows],
        b=[other for _, other in rows],
        how=[*["device"] * len(devices), "open", "device"],
    )
    # One was asked directly and one did not answer: neither used a device.
    columns = DeviceColumns(a="a", b="b", direct="how", direct_text="open")
    answers = SurveyAnswers(data, None, "said", columns=columns)
    assert answers.largest_epsilon == pytest.approx(worst_loss(devices), rel=1e-12)
    assert (answers.asked_directly, answers.missing) == (1, 1)


def test_that_without_a_device_there_is_no_loss_to_tell() -> None:
    data = table(said=[1, 0, 1], a=["0.9"] * 3, b=["0.3"] * 3, how=["open"] * 3)
    columns = DeviceColumns(a="a", b="b", direct="how", direct_text="open")
    assert SurveyAnswers(data, None, "said", columns=columns).largest_epsilon == 0


def test_that_numbers_of_cards_beside_direct_answers_are_scored_and_others_refused() -> None:
    red, open_answers = [0, 3, 1, 2, 2], [1, 0, 0]
    how = ["cards"] * 5 + ["open"] * 3
    answers = SurveyAnswers(table(said=red + open_answers, how=how), KUK, "said", columns=DIRECT)
    # Of three cards a carrier names 9/4 red ones on average, others 3/4.
    expected = [(count - 0.75) / 1.5 for count in red] + open_answers
    assert answers.scores == pytest.approx(expected)
    assert answers.largest_epsilon == 0  # known of yes and no alone
    for wrong in (4, -1, 1.5):
        with refused("estimation.not-of-design", least=0, largest=3):
            SurveyAnswers(table(said=[*red, wrong]), KUK, "said")
    for wrong in (2, 0.5, -1):
        with refused("estimation.not-direct", column="said"):
            SurveyAnswers(table(said=[*red, wrong, 1, 0], how=how), KUK, "said", columns=DIRECT)


def test_that_one_answer_beside_yes_is_no_and_two_are_refused() -> None:
    assert SurveyAnswers(table(said=["1", "no", "no"]), WARNER, "said").respondents == 3
    with refused("estimation.more-than-two", column="said"):
        SurveyAnswers(table(said=["1", "no", "no", "0"]), WARNER, "said")
    with refused("estimation.no-yes", column="said"):
        SurveyAnswers(table(said=["0", "no", ""]), WARNER, "said")


@pytest.mark.parametrize("size", ["0", "-5", "NA", "many"])
def test_that_a_stratum_without_a_positive_size_is_refused(size: str) -> None:
    data = table(said=[1, 0] * 4, s=["a"] * 4 + ["b"] * 4, size=["900"] * 4 + [size] * 4)
    sample = SampleColumns(strata="s", size_column="size")
    with refused("estimation.size-of-stratum", column="size") as caught:
        SurveyAnswers(data, WARNER, "said", sample=sample)
    assert caught.value.column == "size"


@pytest.mark.parametrize("stratum", ["", "a", "b"])
def test_that_who_did_not_answer_does_not_need_a_size(stratum: str) -> None:
    said, strata = [1, 0, 1, 0, 1, 0, ""], ["a"] * 3 + ["b"] * 3 + [stratum]
    data = table(said=said, s=strata, size=["90"] * 3 + ["60"] * 3 + ["NA"])
    found = SurveyAnswers(
        data, WARNER, "said", sample=SampleColumns(strata="s", size_column="size")
    )
    # Scores are -1/2 and 3/2: means of 5/6 and 1/6, weighted 90 to 60.
    assert found.overall().estimate == pytest.approx((90 * 5 / 6 + 60 * 1 / 6) / 150)
    assert found.sample.population == 150


def test_that_who_was_drawn_stays_in_a_stratum_without_an_answer_and_nobody_else_does() -> None:
    said, strata = [1, 0, 1, 1, 0, 0, 1, ""], ["a"] * 4 + ["b"] * 4
    sample = SampleColumns(strata="s")
    answers = SurveyAnswers(table(said=said, s=strata), WARNER, "said", sample=sample)
    found = answers.overall()
    scores = np.array([1.5 if yes else -0.5 for yes in said[:7]])
    # The one without an answer adds 0, as one of the four of their stratum.
    added = np.append((scores - scores.mean()) / 7, 0.0).reshape(2, 4)
    apart = added - added.mean(axis=1, keepdims=True)
    assert found.standard_error == pytest.approx(sqrt(4 / 3 * (apart**2).sum()))
    assert (found.respondents, found.freedom) == (7, 5)
    # A row without a stratum is nobody who was drawn.
    beside = table(said=[*said, "", ""], s=[*strata, "", "NA"])
    same = SurveyAnswers(beside, WARNER, "said", sample=sample)
    assert (same.overall(), same.sample) == (found, answers.sample)


def test_that_who_is_in_no_cluster_and_did_not_answer_was_not_drawn() -> None:
    said, clusters = [1, 0, 1, 1, 0, 0, 1, ""], [0, 0, 1, 1, 2, 2, 3, 4]
    sample = SampleColumns(clusters="c")
    answers = SurveyAnswers(table(said=said, c=clusters), WARNER, "said", sample=sample)
    beside = table(said=[*said, "", ""], c=[*clusters, "", "NA"])
    same = SurveyAnswers(beside, WARNER, "said", sample=sample)
    assert (same.overall(), same.sample) == (answers.overall(), answers.sample)
    # The cluster of the one who was drawn and did not answer counts: five of them.
    assert answers.sample.clusters == 5
    scores = np.array([1.5 if yes else -0.5 for yes in said[:7]])
    sums = np.bincount(clusters[:7], weights=(scores - scores.mean()) / 7, minlength=5)
    error = sqrt(5 / 4 * ((sums - sums.mean()) ** 2).sum())
    assert answers.overall().standard_error == pytest.approx(error)


def test_that_groups_come_in_the_order_of_their_numbers_or_of_the_alphabet() -> None:
    numbers = ["10", "9", "-2", "0.5", "0", "-11", "100"]
    texts = ["b", "10", "9", "a", "B", "-2", "c"]
    data = table(x=numbers, y=texts, g=["1"] * 6 + ["NA"])
    assert distinct_answers(data, "x") == ["-11", "-2", "0", "0.5", "9", "10", "100"]
    assert distinct_answers(data, "y") == ["-2", "10", "9", "B", "a", "b", "c"]
    assert distinct_answers(data, "g") == ["1"]
    assert distinct_answers(data, "x", np.arange(7) < 2) == ["9", "10"]


@pytest.mark.parametrize("said", [[1] * 7, [1] * 6 + [0], [0] * 6 + [1]], ids=str)
def test_that_the_interval_of_answers_through_one_device_holds_its_estimate(
    said: list[int],
) -> None:
    """Wilson's ends solve (share - end)^2 = z^2 end (1 - end) / n; scores run from -1/2 to 3/2."""
    found = SurveyAnswers(table(said=said), WARNER, "said").overall(0.9)
    assert found.lower <= found.estimate <= found.upper
    share, n, z = sum(said) / 7, 7, norm.ppf(0.95)
    for end in ((found.lower + 0.5) / 2, (found.upper + 0.5) / 2):
        assert (share - end) ** 2 == pytest.approx(z**2 * end * (1 - end) / n, abs=1e-12)
    assert found.upper > found.lower


def test_that_devices_that_differ_in_the_last_digit_have_no_interval_of_one_device() -> None:
    chances = ["0.75"] * 6 + ["0.7501"] * 6
    data = table(said=[1, 0, 0] * 4, a=chances, b=["0.2"] * 12)
    found = SurveyAnswers(data, None, "said", columns=DeviceColumns(a="a", b="b")).overall()
    half = norm.ppf(0.975) * found.standard_error
    assert (found.lower, found.upper) == pytest.approx(
        (found.estimate - half, found.estimate + half)
    )


def test_that_a_regression_whose_respondents_are_left_in_one_cluster_is_refused() -> None:
    said, clusters = [1, 0, 0, 1, 1, 0] * 4, [i // 6 for i in range(24)]
    ages = [20 + i * 7 % 11 for i in range(24)]
    sample = SampleColumns(clusters="c")
    for known, freedom in ((24, 3), (12, 1), (6, 0)):
        given = [str(age) if i < known else "" for i, age in enumerate(ages)]
        answers = SurveyAnswers(
            table(said=said, x=given, c=clusters), WARNER, "said", sample=sample
        )
        if freedom:
            assert answers.regression("x").freedom == freedom
        else:
            with refused("estimation.one-cluster"):
                answers.regression("x")


def test_that_groups_are_compared_where_there_are_two_with_errors() -> None:
    said = [1, 0, 0, 1, 1, 0, 1, 1]
    data = table(said=said, g=["x"] * 4 + ["y"] * 4, one=["x"] * 8, e=["x"] * 4 + ["z"] * 4)
    found = SurveyAnswers(data, WARNER, "said").difference("g")
    assert found is not None
    first, second = (WARNER.estimate([Count(yes, 4)]) for yes in (2, 3))
    square = (first.estimate - second.estimate) ** 2 / (
        first.standard_error**2 + second.standard_error**2
    )
    assert (found.statistic, found.freedom) == (pytest.approx(square), 1)
    assert SurveyAnswers(data, WARNER, "said").difference("one") is None
    alike = table(said=[1, 0, 1, 0, 1, 1, 1, 1], g=["x"] * 4 + ["y"] * 4)
    # All of the second group said yes: without an error there is no test.
    assert SurveyAnswers(alike, WARNER, "said").difference("g") is None


def test_that_groups_of_a_stratified_sample_of_few_people_are_compared_by_its_errors() -> None:
    said = np.array([1, 0, 0, 1, 1, 0, 1, 1, 0, 1])
    strata, group = np.repeat([0, 1], [4, 6]), np.arange(10) % 3 > 0
    people = np.array([6, 30])
    data = table(said=list(said), s=["ab"[s] for s in strata], g=list(group))
    sample = SampleColumns(strata="s").with_population("a=6,b=30")
    answers = SurveyAnswers(data, WARNER, "said", sample=sample)
    scores = np.where(said > 0, 1.5, -0.5)
    drawn = np.bincount(strata)
    weights = (people / drawn)[strata]
    shares = np.array([np.average(scores[group == g], weights=weights[group == g]) for g in (0, 1)])
    residuals, covariance = [], np.zeros((2, 2))
    for g in (0, 1):
        share = np.where(group == g, weights, 0.0)
        share = share / share.sum()
        residuals.append(share * (scores - shares[g]))
        # The device answers anew whoever is drawn: its part is not shortened.
        device = share**2 * scores * (scores - 1)
        covariance[g, g] = ((drawn / people)[strata] * device).sum()
    for stratum in (0, 1):
        apart = np.array(residuals)[:, strata == stratum]
        apart = apart - apart.mean(axis=1, keepdims=True)
        n = drawn[stratum]
        covariance += (1 - n / people[stratum]) * n / (n - 1) * apart @ apart.T
    gap = np.array([1, -1])
    found = answers.difference("g")
    assert found is not None
    assert found.statistic == pytest.approx((shares @ gap) ** 2 / (gap @ covariance @ gap))
    errors = [mean.standard_error for _, mean in answers.by("g")]
    assert errors == pytest.approx(np.sqrt(np.diag(covariance)))


def test_that_a_regression_is_for_more_people_than_those_of_a_small_population() -> None:
    said, ages = [1, 0, 0, 1, 1, 0] * 4, [20 + i * 7 % 11 for i in range(24)]
    strata, weights = ["a"] * 12 + ["b"] * 12, [2] * 12 + [4] * 12
    data = table(said=said, x=ages, s=strata, w=weights)
    sized = SampleColumns(strata="s").with_population("a=24,b=48")
    found = SurveyAnswers(data, WARNER, "said", sample=sized).regression("x")
    # The same weights, of a population without an end.
    endless = SampleColumns(weights="w", strata="s")
    same = SurveyAnswers(data, WARNER, "said", sample=endless).regression("x")
    assert found.coefficients == pytest.approx(same.coefficients)
    assert found.covariance == pytest.approx(same.covariance)


def test_that_two_direct_answers_are_enough_for_a_contrast_and_one_is_not() -> None:
    said, how = [1, 0, 0, 1, 0, 1, 1, 0], ["device"] * 6 + ["open"] * 2
    found = SurveyAnswers(table(said=said, how=how), WARNER, "said", columns=DIRECT).contrast(0.9)
    assert found is not None
    randomized = WARNER.estimate([Count(3, 6)], 0.9)
    assert found.randomized.standard_error == pytest.approx(randomized.standard_error)
    # Of 1 and 0 the variance is 1/2, that of their mean 1/4.
    assert found.direct.standard_error == pytest.approx(0.5)
    error = sqrt(randomized.standard_error**2 + 0.25)
    assert found.difference.standard_error == pytest.approx(error)
    assert found.difference.estimate == pytest.approx(randomized.estimate - 0.5)
    # Of independent groups it ends where the distances of both intervals add up as squares.
    assert found.difference.upper - found.difference.estimate == pytest.approx(
        hypot(
            found.randomized.upper - found.randomized.estimate,
            found.direct.estimate - found.direct.lower,
        )
    )
    for few in (1, 7):
        how = ["open"] * few + ["device"] * (8 - few)
        answers = SurveyAnswers(table(said=said, how=how), WARNER, "said", columns=DIRECT)
        assert answers.contrast() is None


@pytest.mark.parametrize("weight", ["0", "-1", "NA"])
def test_that_a_weight_that_is_not_positive_is_refused_of_who_answered_alone(weight: str) -> None:
    weights = ["2", "1", "3", weight]
    sample = SampleColumns(weights="w")
    with refused("estimation.bad-weights", column="w"):
        SurveyAnswers(table(said=[1, 0, 1, 0], w=weights), WARNER, "said", sample=sample)
    answers = SurveyAnswers(table(said=[1, 0, 1, ""], w=weights), WARNER, "said", sample=sample)
    assert answers.overall().estimate == pytest.approx((2 * 1.5 - 0.5 + 3 * 1.5) / 6)


@pytest.mark.parametrize(
    ("columns", "population", "said"),
    [
        (SampleColumns(), "0", "more respondents than people"),
        (SampleColumns(strata="s"), "-4", "whole number"),
        (SampleColumns(strata="s"), "a=0,b=9", "has no size"),
        (SampleColumns(strata="s"), "a=-1,b=9", "of the form STRATUM=N"),
        (SampleColumns(strata="s"), "=4,b=9", "of the form STRATUM=N"),
    ],
)
def test_that_populations_of_nobody_are_told_as_what_they_are(
    columns: SampleColumns, population: str, said: str
) -> None:
    data = table(said=[1, 0] * 4, s=["a"] * 4 + ["b"] * 4)
    with pytest.raises((InputError, ParameterError), match=said):
        SurveyAnswers(data, WARNER, "said", sample=columns.with_population(population)).overall()


@pytest.mark.parametrize(
    ("written", "people", "sizes", "column"),
    [
        ("8,000,000", 8_000_000, (), ""),
        (" 1,000 ", 1000, (), ""),
        ("8000000", 8_000_000, (), ""),
        ("north=5,000, south=1,234,567", None, (("north", 5000), ("south", 1234567)), ""),
        ("a=5,b=600,c=7", None, (("a", 5), ("b", 600), ("c", 7)), ""),
        ("a=5,100=7", None, (("a", 5), ("100", 7)), ""),
        ("2020 census", None, (), "2020 census"),
        ("size_2", None, (), "size_2"),
    ],
)
def test_that_commas_between_thousands_are_no_part_of_a_population(
    written: str, people: int | None, sizes: tuple[tuple[str, int], ...], column: str
) -> None:
    found = SampleColumns().with_population(written)
    assert (found.population, found.sizes, found.size_column) == (people, sizes, column)


@pytest.mark.parametrize(
    "written",
    ["8,00", "8,0000", "80,00,000", ",800", "8.000.000", "8 000 000", "8'000", "8e6", "+8",
     "-8,000", "a=8,00", "a=1,000,00"],
)  # fmt: skip
def test_that_a_population_in_other_digits_is_no_column(written: str) -> None:
    with refused("estimation.bad-sizes" if "=" in written else "estimation.bad-population"):
        SampleColumns().with_population(written)


def test_that_a_sample_of_all_people_leaves_the_noise_of_the_device() -> None:
    said = [1, 0, 1, 0, 0, 1, 1, 0]
    data = table(said=said, g=["x"] * 4 + ["y"] * 4)
    whole, many = (
        SurveyAnswers(data, WARNER, "said", sample=SampleColumns().with_population(size))
        for size in ("8", "8000000")
    )
    scores = np.array([1.5 if yes else -0.5 for yes in said])
    noise = scores * (scores - 1)
    assert whole.overall().standard_error == pytest.approx(sqrt(noise.sum()) / 8)
    found = whole.overall(0.9)
    # Wilson's interval is for answers drawn from many people.
    half = norm.ppf(0.95) * found.standard_error
    assert (found.lower, found.upper) == pytest.approx(
        (found.estimate - half, found.estimate + half)
    )
    apart = SurveyAnswers(data, WARNER, "said").overall()
    assert many.overall().standard_error == pytest.approx(apart.standard_error, rel=1e-5)
    # A half of the people, all of whom were asked.
    (_, half), _ = whole.by("g")
    assert half.standard_error == pytest.approx(sqrt(noise[:4].sum()) / 4)


@pytest.mark.parametrize(
    ("columns", "population", "said"),
    [
        (SampleColumns(), "", ""),
        (SampleColumns(), "4000", "drawn from 4,000 people"),
        (SampleColumns("w"), "", "11 degrees of freedom, weighted by w"),
        (SampleColumns(strata="s"), "", "2 strata, 10 degrees of freedom"),
        (
            SampleColumns(strata="s"),
            "a=400,b=1000",
            "2 strata, 10 degrees of freedom, weighted by population sizes, "
            "drawn from 1,400 people",
        ),
        (SampleColumns(clusters="two"), "", "2 clusters (PSUs), 1 degree of freedom"),
        (
            SampleColumns("w", "one", "c"),
            "1=70",
            "1 stratum, 6 clusters (PSUs), 5 degrees of freedom, weighted by w, "
            "drawn from 70 clusters",
        ),
        (
            SampleColumns(strata="s", clusters="lone", lonely="centred"),
            "",
            "2 strata, 4 clusters (PSUs), 2 degrees of freedom, "
            "1 stratum with a single cluster: centred",
        ),
    ],
    ids=lambda value: str(value)[:30],
)
def test_that_the_sample_is_told_in_words(
    columns: SampleColumns, population: str, said: str
) -> None:
    data = table(
        said=[1, 0, 0] * 4,
        w=[1, 2, 3] * 4,
        s=["a"] * 6 + ["b"] * 6,
        one=[1] * 12,
        c=[i // 2 for i in range(12)],
        two=[i % 2 for i in range(12)],
        lone=[i // 2 if i < 6 else 9 for i in range(12)],
    )
    answers = SurveyAnswers(data, WARNER, "said", sample=columns.with_population(population))
    assert answers.sample.sentence == said
