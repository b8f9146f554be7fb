"""The public report against numbers that are computed here, by other means."""

from __future__ import annotations

import datetime
import html
from decimal import Decimal
from fractions import Fraction
from math import exp, sqrt

import numpy as np
import pytest

from dpdesk.estimation.released import Released, ReleasedAttribute, bind_attributes
from dpdesk.estimation.rows import NO_SAMPLING_AT_AN_END
from dpdesk.ledgers.texts import T as Ledger
from dpdesk.plan import MissingPolicy
from dpdesk.reports.budget import EarlierRelease, EarlierReleases, earlier_sentences
from dpdesk.reports.public import PublicReport, public_report
from dpdesk.reports.texts import T
from tests.randomness.word_sources import ShakeWords
from tests.reports.cases import (
    COLUMNS,
    DROPPED,
    IDENTITY,
    KEPT,
    ROWS,
    SCALE,
    WEIGHT,
    YES_NO,
    counted,
    plan_of,
    protected,
    released_of,
    report_of,
    whole_html,
)
from tests.texts import values_in

Z = 1.959963984540054


@pytest.fixture(scope="module")
def report():
    return report_of(released_of(plan_of(*COLUMNS, KEPT, DROPPED, budget=Decimal(10))))


def test_that_the_guarantee_has_unit_loss_model_and_names(report) -> None:
    sentence = report.guarantee.sentence
    (promise,) = values_in(T.GUARANTEE, sentence)
    assert promise == {"unit": "one respondent, one row", "epsilon": "8.75", "delta": "0"}
    assert values_in(T.RATIO, sentence) == [{"ratio": "6,320"}]
    assert exp(8.75) <= 6320 < exp(8.75) + 10
    names = "“smoker”, “faith”, “work”, “food”, “age” and “income”"
    assert values_in(T.PROTECTED, sentence) == [{"names": names}]
    assert values_in(T.UNPROTECTED, sentence) == [{"names": "“region”"}]


def test_that_every_column_passed_through_is_named_in_the_guarantee() -> None:
    weighted = released_of(plan_of(COLUMNS[0], KEPT, WEIGHT), weights=np.full(1000, 2.0))
    guarantee = report_of(weighted).guarantee
    assert guarantee.passed_through == ("region", "wt")
    assert T.UNPROTECTED(names="“region” and “wt”") in guarantee.sentence


def test_that_a_guarantee_without_unprotected_columns_names_none() -> None:
    sentence = report_of(released_of(plan_of(COLUMNS[0]))).guarantee.sentence
    assert T.PROTECTED(names="“smoker”") in sentence
    assert not values_in(T.UNPROTECTED, sentence)


def test_that_a_name_with_commas_can_be_told_from_the_list_of_names() -> None:
    long = protected("Have you ever, or not? Yes, income", "binary", YES_NO, "warner", "1")
    released = released_of(plan_of(COLUMNS[0], long, KEPT.model_copy(update={"name": "a, b"})))
    sentence = report_of(released).guarantee.sentence
    both = "“smoker” and “Have you ever, or not? Yes, income”"
    assert T.PROTECTED(names=both) in sentence
    assert T.UNPROTECTED(names="“a, b”") in sentence


def test_that_of_many_attributes_the_first_are_named() -> None:
    columns = [protected(f"q{i}", "binary", YES_NO, "warner", "0.1") for i in range(9)]
    report = report_of(released_of(plan_of(*columns), rows=50))
    ((names),) = values_in(T.PROTECTED, report.guarantee.sentence)
    assert names["names"].endswith("“q7” and 1 more")
    assert report.guarantee.epsilon == Decimal("0.9")


def test_that_the_total_is_the_exact_sum_and_the_run_loss_is_not_above_it(report) -> None:
    asked = [Decimal(e) for e in ("1", "2", "0.5", "1.25", "3", "1")]
    assert [a.epsilon_asked for a in report.parameters.attributes] == asked
    assert report.parameters.epsilon_asked == report.guarantee.epsilon == Decimal("8.75")
    run = [a.epsilon_run for a in report.parameters.attributes]
    assert report.parameters.epsilon_run == sum(run)
    assert all(0 <= a - r < Decimal("1e-9") for a, r in zip(asked, run, strict=True))
    assert report.parameters.epsilon_of_one_attribute == Decimal(3)


def test_that_every_exact_likelihood_ratio_keeps_its_epsilon(report) -> None:
    assert report.parameters.attributes
    for attribute in report.parameters.attributes:
        ratio = Fraction(attribute.likelihood_ratio)
        assert ratio <= Fraction((attribute.epsilon_asked + Decimal("1e-25")).exp())


def test_that_p_and_q_are_those_of_the_formula_sheet(report) -> None:
    smoker, faith, work, food, age, income = report.parameters.attributes
    k = 6  # four categories, "(other)" and "(no answer)"
    expected = {
        smoker.name: (exp(1) / (exp(1) + 1), 1 / (exp(1) + 1)),
        faith.name: (exp(2) / (exp(2) + k - 1), 1 / (exp(2) + k - 1)),
        work.name: (exp(0.25) / (exp(0.25) + 1), 1 / (exp(0.25) + 1)),
        food.name: (0.5, 1 / (exp(1.25) + 1)),
        income.name: (exp(1) / (exp(1) + 1), 1 / (exp(1) + 1)),
    }
    for attribute in (smoker, faith, work, food, income):
        assert (attribute.p, attribute.q) == pytest.approx(expected[attribute.name], abs=1e-12)
    assert (age.p, age.q) == (None, None)
    assert age.scale == pytest.approx(80 / 3)


def test_that_noise_variances_are_those_of_the_formula_sheet(report) -> None:
    smoker, faith, work, food, age, income = report.parameters.attributes
    e, n = exp(1), 1000
    assert smoker.noise_variance == pytest.approx(e / (e - 1) ** 2 / n)
    assert faith.noise_variance == pytest.approx((exp(2) + 6 - 2) / (exp(2) - 1) ** 2 / n)
    assert work.noise_variance == pytest.approx(exp(0.25) / (exp(0.25) - 1) ** 2 / n)
    assert food.noise_variance == pytest.approx(4 * exp(1.25) / (exp(1.25) - 1) ** 2 / n)
    magnitude = (e + 1) / (e - 1)
    assert income.noise_variance == pytest.approx(100**2 * magnitude**2 / n)
    assert age.noise_variance == pytest.approx(worst_noise_of_bounded_laplace(81, 3.0, 80.0) / n)


def worst_noise_of_bounded_laplace(size: int, epsilon: float, width: float) -> float:
    """By a dense inverse: the largest variance of phi(Y) over the true grid points."""
    x = np.arange(size)
    channel = np.exp(-epsilon * np.abs(x[:, None] - x[None, :]) / (size - 1))
    channel /= channel.sum(axis=1, keepdims=True)
    position = x / (size - 1) * width
    phi = np.linalg.solve(channel, position)
    return float((channel @ phi**2 - position**2).max())


def test_that_the_expected_error_adds_noise_and_sampling(report) -> None:
    smoker, *_, income = report.parameters.attributes
    p, n = exp(1) / (exp(1) + 1), 1000
    lam = 0.5 * p + 0.5 * (1 - p)
    # That of the released share, which is near a half; of income the reports of two numbers.
    assert smoker.error_95 == pytest.approx(Z * sqrt(lam * (1 - lam) / n) / (2 * p - 1), rel=0.05)
    assert smoker.unit == "1"
    magnitude = (exp(1) + 1) / (exp(1) - 1)
    assert income.error_95 == pytest.approx(Z * 100 * magnitude / sqrt(n), rel=0.05)
    assert income.unit == "k"


def test_that_domains_say_where_they_come_from_and_who_confirmed_them(report) -> None:
    facts = {a.name: a.domain for a in report.parameters.attributes}
    assert facts["work"].provenance == "codebook"
    assert facts["age"].provenance == "suggested"
    assert (facts["age"].lower, facts["age"].upper, facts["age"].size) == ("18", "98", 81)
    assert (facts["income"].lower, facts["income"].step) == ("0", "0.5")
    assert {f.confirmed_by for f in facts.values()} == {"M. Curie"}
    assert facts["faith"].size == 6


def test_that_each_policy_for_missing_answers_is_said(report) -> None:
    sentences = {a.name: a.missing.sentence for a in report.parameters.attributes}
    assert "would have stopped the release" in sentences["smoker"]
    assert "“(no answer)”" in sentences["faith"]
    assert "“50”" in sentences["age"]
    outside = {a.name: a.outside for a in report.parameters.attributes}
    assert outside["faith"] == T.OUTSIDE_OTHER(name="(other)")
    assert T.NUMBERS_MOVED() in outside["age"]


def test_that_a_share_has_noise_and_sampling_errors_and_their_total() -> None:
    released = counted(plan_of(COLUMNS[0]), (600, 400))
    yes = report_of(released).results.attributes[0].estimates[0]
    p = exp(1) / (exp(1) + 1)
    q = 1 - p
    value = (0.6 - q) / (p - q)
    noise = p * q / (p - q) ** 2 / 1000
    assert yes.estimate == yes.truncated == pytest.approx(value)
    assert yes.noise_standard_error == pytest.approx(sqrt(noise))
    assert yes.sampling_standard_error == pytest.approx(sqrt(value * (1 - value) / 1000))
    assert NO_SAMPLING_AT_AN_END not in report_of(released).results.post_processing
    assert yes.total_standard_error == pytest.approx(sqrt(0.6 * 0.4 / 1000) / (p - q))


def test_that_a_negative_share_is_kept_beside_the_truncated_one() -> None:
    released = counted(plan_of(COLUMNS[0]), (200, 800))
    (result,) = report_of(released).results.attributes
    p = exp(1) / (exp(1) + 1)
    q = 1 - p
    yes = result.estimates[0]
    value = (0.2 - q) / (p - q)
    assert value < 0
    assert yes.estimate == pytest.approx(value)
    assert yes.truncated == 0.0
    # Errors are those of the nearest possible share, 0.
    assert yes.noise_standard_error == pytest.approx(sqrt(q * (1 - q) / (p - q) ** 2 / 1000))
    assert yes.total_standard_error == pytest.approx(yes.noise_standard_error)
    # Nobody is drawn differently from people who all say the same, which the report says.
    assert yes.sampling_standard_error == 0.0
    assert [e.sampled_at(share=True) for e in result.estimates] == [0.0, 1.0]
    report = report_of(released)
    assert NO_SAMPLING_AT_AN_END in report.results.post_processing
    text = html.unescape(whole_html(report)).replace("\N{NO-BREAK SPACE}", " ")
    assert text.count(">not known<") >= 2
    assert "0 at 0 %" not in text
    assert ">0.00 pp<" not in text
    assert (yes.category, yes.label) == ("yes", "Yes, ever")
    assert (result.reports, result.quantities) == (1000, 2)


def test_that_one_bit_per_respondent_leaves_the_sampling_error_unidentified() -> None:
    released = counted(plan_of(COLUMNS[5]), (400, 600))
    report = report_of(released)
    (result,) = report.results.attributes
    (mean,) = result.estimates
    p = exp(1) / (exp(1) + 1)
    assert mean.estimate == pytest.approx(200 * (0.6 - (1 - p)) / (2 * p - 1))
    assert mean.total_standard_error == pytest.approx(200 * sqrt(0.24 / 1000) / (2 * p - 1))
    assert mean.sampling_standard_error is None
    assert result.noise_is_upper_bound
    assert T.UNIDENTIFIED(names="“income”") in report.results.post_processing


def test_that_weights_are_named_and_reduce_the_effective_reports() -> None:
    weights = np.where(np.arange(1000) % 2 == 0, 1.0, 3.0)
    released = released_of(plan_of(COLUMNS[0], WEIGHT), weights=weights)
    report = report_of(released)
    (result,) = report.results.attributes
    assert report.results.weights == "wt"
    assert result.reports == 1000
    assert result.effective_reports == pytest.approx(2000**2 / (500 * 1 + 500 * 9))
    assert T.WEIGHTED(name="wt") in report.results.post_processing
    p, n = exp(1) / (exp(1) + 1), 800
    lam = 0.5
    expected = Z * sqrt(lam * (1 - lam) / n) / (2 * p - 1)
    # By weight the reports are spread a little less than by number.
    assert report.parameters.attributes[0].error_95 == pytest.approx(expected, rel=0.1)


def test_that_of_many_categories_the_largest_are_listed_in_their_order() -> None:
    many = SCALE.with_listed(*(f"c{i}" for i in range(300)))
    released = released_of(plan_of(protected("job", "nominal", many, "grr", "4")))
    (result,) = report_of(released).results.attributes
    value = released.attributes[0].estimate.value
    shown = sorted(np.argsort(-value, kind="stable")[:200])
    assert result.quantities == 304
    assert [e.category for e in result.estimates] == [many.texts[i] for i in shown]


def test_that_beliefs_move_at_most_by_bayes_rule(report) -> None:
    smoker = report.risk.attributes[0]
    for belief in smoker.beliefs:
        odds = belief.before / (1 - belief.before) * exp(1)
        assert belief.after == pytest.approx(odds / (1 + odds))
    assert [b.before for b in smoker.beliefs] == [0.01, 0.1, 0.5]
    assert smoker.odds_with == pytest.approx(exp(1) / (1 + exp(1)))
    assert smoker.odds_against == pytest.approx(1 / (1 + exp(1)))
    assert values_in(T.ODDS_OF_ANSWER, smoker.sentence) == [{"often": "73", "seldom": "27"}]
    assert values_in(T.BELIEF, smoker.sentence) == [{"belief": "73.2 %"}]


def test_that_a_group_loses_the_multiple(report) -> None:
    groups = report.risk.groups
    assert [g.members for g in groups] == [2, 3, 4, 5]
    assert [g.epsilon for g in groups] == [m * Decimal("8.75") for m in (2, 3, 4, 5)]


def test_that_an_enormous_total_is_reported_without_overflow() -> None:
    columns = [protected(f"q{i}", "binary", YES_NO, "warner", "40") for i in range(30)]
    report = report_of(released_of(plan_of(*columns), rows=10))
    assert report.risk.record.epsilon == Decimal(1200)
    assert report.risk.record.odds_against >= 0
    assert T.NO_DOUBT() in report.risk.record.sentence


def test_that_the_budget_says_what_is_left_and_lists_nobody_who_was_not_declared(report) -> None:
    assert (report.budget.limit, report.budget.spent) == (Decimal(10), Decimal("8.75"))
    assert report.budget.left == Decimal("1.25")
    assert report.budget.earlier_releases is None
    assert T.NO_POPULATION() in report.budget.statement
    unlimited = report_of(released_of(plan_of(COLUMNS[0]))).budget
    assert (unlimited.limit, unlimited.left) == (None, None)


def test_that_notes_are_the_reasons_of_their_attributes(report) -> None:
    reasons = {r.attribute: r.reason for r in report.justification.attributes}
    assert reasons["smoker"] == "Sensitive."
    assert reasons["income"] == ""


def test_that_dropped_columns_leave_no_trace(report) -> None:
    assert "canary" not in report.model_dump_json()


def test_that_a_report_is_a_function_of_release_and_identity() -> None:
    released = released_of(plan_of(*COLUMNS, KEPT))
    first, second = (public_report(released, IDENTITY).model_dump_json() for _ in range(2))
    assert first == second


def test_that_the_rule_in_words_gives_the_estimate_of_bounded_laplace() -> None:
    released = released_of(plan_of(COLUMNS[4]))
    (attribute,) = released.attributes
    x = np.arange(81)
    ratio = exp(-3 / 80)
    scale = (ratio ** np.abs(x[:, None] - x[None, :])).sum(axis=1) * attribute.bound.domain.values
    padded = np.concatenate([[0.0], scale, [0.0]])
    squares = np.where((x == 0) | (x == 80), 1.0, 1 + ratio**2)
    phi = (squares * scale - ratio * (padded[:-2] + padded[2:])) / (1 - ratio**2)
    assert attribute.tally.shares @ phi == pytest.approx(attribute.estimate.value[0])
    rule = report_of(released).reproduction.rules[0].rule
    assert "r = 0.9631944177" in rule
    assert f"{ratio:.10f}" == "0.9631944177"


def test_that_missing_policies_do_not_share_a_sentence() -> None:
    values = {
        report_of(released_of(plan_of(COLUMNS[0].model_copy(update={"missing": policy}))))
        .parameters.attributes[0]
        .missing.sentence
        for policy in (
            MissingPolicy(),
            MissingPolicy(policy="value", value="yes"),
        )
    }
    assert len(values) == 2


@pytest.mark.parametrize("model", ["local", "central"])
def test_that_the_losses_of_the_two_models_have_one_total(model) -> None:
    day = datetime.date(2026, 7, 1)
    releases = tuple(
        EarlierRelease(date=day, kind="records", model=m, epsilon=Decimal(4), delta="0")
        for m in ("local", "local", "central")
    )
    earlier = EarlierReleases(
        population="People",
        ledger_since=day,
        releases=releases,
        local=Decimal(9),
        central=Decimal(2),
        central_delta="0",
        total=Decimal(13),
        model=model,
        cap=Decimal(16),
        left=Decimal(3),
    )
    assert list(earlier_sentences(earlier))[1:-1] == [
        T.MODEL_TOTAL(model="Local", count=2, total="9"),
        T.MODEL_TOTAL(model="Central", count=1, total="2"),
        T.TOGETHER(total="13"),
        Ledger.DOUBLED(),
        T.CAP(cap="16", left="3"),
    ]
    none = earlier.model_copy(update={"releases": (), "cap": None, "left": None})
    said = list(earlier_sentences(none))
    assert [one.values["model"] for one in said if one.id == T.MODEL_TOTAL.id] == [
        model.capitalize()
    ]
    assert T.NO_CAP() in said


@pytest.mark.parametrize("strategy", ["spl", "smp"])
def test_that_verdict_and_error_are_of_the_same_reports(strategy) -> None:
    weights = np.where(np.arange(1000) % 2 == 0, 1.0, 3.0)
    plan = plan_of(COLUMNS[0], COLUMNS[5], WEIGHT, strategy=strategy)
    released = released_of(plan, weights=weights)
    assert len(released.attributes) == 2
    for one in report_of(released).parameters.attributes:
        scale = 100 if one.quantity == "share" else 1
        worth = one.usefulness_reason.replace("\u00a0", " ").removeprefix("± ")
        assert float(worth.split()[0]) == pytest.approx(scale * one.error_95, rel=0.06)


def test_that_the_verdict_leaves_out_who_stays_blank() -> None:
    half = MissingPolicy(policy="blank")
    column = COLUMNS[3].changed(missing=half)
    released = released_of(plan_of(column), rows=500)
    of_1000 = Released(released.plan, 1000, released.attributes)
    one = report_of(of_1000).parameters.attributes[0]
    half = report_of(released).parameters.attributes[0]
    assert one.usefulness_reason == half.usefulness_reason


def test_that_the_released_share_of_missing_answers_is_said_with_the_error_that_rests_on_it() -> (
    None
):
    rule = MissingPolicy(policy="protect", supposed_share=Decimal("0.25"))
    plan = plan_of(COLUMNS[5].changed(missing=rule))
    ((_, bound),) = bind_attributes(plan)
    none = bound.size - 1

    def after(missing: int) -> PublicReport:
        codes = np.where(np.arange(ROWS) < missing, none, np.arange(ROWS) % none).astype(np.int32)
        reports = bound.randomize(codes, ShakeWords("missing"))
        attribute = ReleasedAttribute(plan.columns[0], bound, bound.tally(reports))
        return report_of(Released(plan, ROWS, (attribute,)))

    # The results contradict what was supposed: three of four are missing.
    report = after(3 * ROWS // 4)
    (facts,) = report.parameters.attributes
    (released,) = (r for r in report.results.attributes if r.answered is not None)
    share = 100 * (1 - released.answered.estimate)
    told = T.DID_NOT_ANSWER(share=f"{share:.1f} %")
    assert abs(share - 75) < 15
    assert told in facts.error_assumes
    assert told in facts.usefulness_reason
    assert any(told in said for said in report.for_respondents.good_for)
    (fewer,) = after(ROWS // 4).parameters.attributes
    assert facts.error_95 > 2 * fewer.error_95
    # Nothing shows that anybody is missing: the supposed share, as far as the reports allow it.
    (nobody,) = after(0).parameters.attributes
    ((supposed),) = values_in(T.ERROR_SUPPOSES, nobody.error_assumes)
    assert float(supposed["missing"].split()[0]) <= 25
    without = report_of(released_of(plan_of(COLUMNS[5])))
    assert "did not answer" not in without.parameters.attributes[0].usefulness_reason
    assert not any("did not answer" in said for said in without.for_respondents.good_for)
    # What stays blank is counted in a release: nothing is supposed of it.
    counted_blank = MissingPolicy(policy="blank", supposed_share=Decimal("0.25"))
    blank = report_of(released_of(plan_of(COLUMNS[5].changed(missing=counted_blank))))
    assert not values_in(T.ERROR_SUPPOSES, blank.parameters.attributes[0].error_assumes)
