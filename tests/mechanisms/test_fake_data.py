from __future__ import annotations

import re
from decimal import Decimal

import numpy as np
import pytest

from dpdesk.channel import FixedLaw
from dpdesk.errors import CertificateError, ReleaseError
from dpdesk.mechanisms import mechanism_named
from dpdesk.mechanisms.fake_data import FakeDataForecast, FakeDataOracle, record_epsilon
from dpdesk.mechanisms.sampling import SampledForecast
from dpdesk.resources import resource
from tests.mechanisms import fake_data_checks as checks
from tests.mechanisms.estimator_checks import AGES
from tests.refusals import refused


def test_that_the_whole_record_loses_the_epsilon_of_the_drawn_attribute() -> None:
    checks.the_whole_record_loses_the_epsilon_of_the_drawn_attribute()


def test_that_one_attribute_loses_what_enumeration_finds() -> None:
    checks.one_attribute_loses_what_enumeration_finds()


def test_that_the_papers_nominal_epsilon_is_the_loss_of_one_attribute_in_two_cases_only() -> None:
    checks.losses_of_one_attribute_are_the_published_nominal_ones_in_two_cases_only()


def test_that_estimates_under_fakes_are_unbiased_with_their_variance() -> None:
    checks.estimates_under_fakes_are_unbiased_with_their_variance()


def test_that_errors_at_equal_loss_are_least_where_one_attribute_is_sampled() -> None:
    checks.errors_at_equal_loss_are_least_where_one_attribute_is_sampled()


def test_that_a_group_has_the_errors_of_its_size_and_of_its_drawing() -> None:
    checks.a_group_has_the_errors_of_its_size_and_of_its_drawing()


def test_that_fixed_laws_deal_every_stretch_of_words() -> None:
    checks.fixed_laws_deal_every_stretch_of_words()


def test_that_the_drawn_reports_are_real_and_the_others_are_fakes() -> None:
    checks.the_drawn_reports_are_real_and_the_others_are_fakes()


def test_that_real_and_fake_reports_take_the_same_words() -> None:
    checks.real_and_fake_reports_take_the_same_words()


def test_that_a_fake_category_is_the_one_that_its_word_deals() -> None:
    checks.a_fake_category_is_the_one_that_its_word_deals()


def test_that_reports_under_fakes_from_fixed_words_never_change() -> None:
    checks.reports_under_fakes_from_fixed_words_never_change()


def test_that_reports_under_fakes_follow_their_law() -> None:
    checks.reports_under_fakes_follow_their_law()


def test_that_the_attribute_that_is_drawn_is_the_one_that_is_real() -> None:
    checks.the_attribute_that_is_drawn_is_the_one_that_is_real()


def test_that_attributes_are_drawn_equally_often_by_everybody_anew() -> None:
    checks.attributes_are_drawn_equally_often_by_everybody_anew()


def test_that_a_mechanism_whose_fakes_have_no_known_law_is_refused() -> None:
    mechanism = mechanism_named("duchi")(epsilon=Decimal(1))
    with refused("mechanisms.not-faked"):
        FakeDataOracle.bind(mechanism, AGES, 2, "zeros")


def test_that_weights_that_are_no_law_are_refused() -> None:
    with pytest.raises(CertificateError):
        FixedLaw.of([Decimal(0), Decimal(0)])
    for weights in ((1, 2), (2**63, 2**63 + 1), (2**64 + 1, -1)):
        with pytest.raises(CertificateError):
            FixedLaw(2, weights)


def test_that_words_of_another_type_are_refused() -> None:
    for law in (FixedLaw(3), FixedLaw.of([Decimal(1), Decimal(2)])):
        with pytest.raises(ReleaseError):
            law.sample(np.array([1], dtype=np.int64))


def test_that_the_rule_for_analysts_gives_the_estimate() -> None:
    for kind, fakes, prior in checks.DESIGNS:
        bound = checks.oracle(kind, 3, "1", 4, fakes, checks.PRIORS[3] if prior else ())
        reports = bound.randomize(np.arange(300, dtype=np.int32) % 3, checks.ShakeWords("rule"))
        tally = bound.tally(reports)
        rule = bound.estimation_rule("")
        p, q = (float(re.findall(rf"\b{name} = (0\.\d+)", rule)[0]) for name in "pq")
        weights = [float(w) for w in checks.PRIORS[3]] if prior else [1.0, 1.0, 1.0]
        for v in range(3):
            e = weights[v] / sum(weights)
            phi = eval(  # noqa: S307 - the rule is our own
                rule.split("phi = ")[1].split(" is the chance")[0].replace(") e", ") * e")
                .replace(") 1 / 3", ") * 1 / 3"),
                {"p": p, "q": q, "e": e},
            )  # fmt: skip
            s, d = tally.counts[v] / 300, 4
            value = (d * s - q - (d - 1) * phi) / (p - q)
            assert value == pytest.approx(bound.estimate(tally).value[v], rel=1e-9)


def test_that_the_numbers_of_the_help_page_are_those_of_the_formulas() -> None:
    page = resource("docs/strategies.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if re.match(r"\| [\d.]+ \|", line)]
    losses = [[float(number) for number in re.findall(r"[\d.]+", line)] for line in lines]
    assert [row[0] for row in losses] == [0.5, 1, 2, 3]
    for nominal, *whole in losses:
        for number, d in zip(whole, (2, 5, 10, 20), strict=True):
            assert number == pytest.approx(record_epsilon(nominal, d), abs=0.005)
    errors = {
        line.split("|")[1].strip(): [float(n.replace(",", "")) for n in re.findall(
            r"(?<=\| )[\d.,]+", line)]
        for line in page.splitlines()
        if line.startswith(("| OUE, any", "| GRR, "))
    }  # fmt: skip
    for title, kind, size in (
        ("OUE, any number of categories", "oue", 5),
        ("GRR, 5 categories", "grr", 5),
        ("GRR, 20 categories", "grr", 20),
    ):
        whole, tenth = (
            mechanism_named(kind)(epsilon=Decimal(e)).forecast(checks.categories(size))
            for e in ("1", "0.1")
        )
        expected = (
            SampledForecast(whole, 10).noise_constant,
            tenth.noise_constant,
            FakeDataForecast(whole, 10, "zeros").noise_constant,
            FakeDataForecast(whole, 10, "random").noise_constant,
        )
        assert errors[title] == pytest.approx(expected, rel=3e-3)
