from __future__ import annotations

import pytest

from dpdesk.preview import belief_text, error_text, factor_text, figures, share_text
from tests.preview.preview_requests import (
    AGE,
    BINARY,
    CASES,
    HAPPY,
    INCOME,
    NAMES,
    OCCUPATION,
    request,
)


@pytest.mark.parametrize(
    ("domain", "kind", "epsilon", "error"),
    [
        (HAPPY, "grr", "2", "± 1.4 pp"),
        (BINARY, "warner", "1", "± 2.1 pp"),
        (AGE, "bounded_laplace", "2", "± 2.3 years"),
        (INCOME, "duchi", "1", "± 5.3 k"),
        (OCCUPATION, "oue", "1", "± 3.8 pp"),
    ],
)
def test_that_ten_thousand_respondents_have_the_known_errors(domain, kind, epsilon, error):
    shown = figures(request(domain, kind, epsilon))
    assert error_text(shown.error, shown.unit) == error


def test_that_the_figures_of_happiness_are_those_of_the_formula_sheet():
    shown = figures(request(HAPPY, "grr", "2"))
    assert factor_text(shown.factor) == "2.2 ×"
    assert belief_text(shown.posterior) == "88 %"
    assert shown.truthful is not None
    assert share_text(shown.truthful) == "78.7 %"
    assert shown.bits == 0


@pytest.mark.parametrize(("domain", "kind"), CASES, ids=NAMES)
def test_that_noise_and_sampling_add_up_as_squares(domain, kind):
    shown = figures(request(domain, kind))
    assert shown.error**2 == pytest.approx(shown.noise**2 + shown.sampling**2)
    assert shown.factor == pytest.approx((shown.error / shown.sampling) ** 2)


def test_that_a_sample_larger_by_the_factor_makes_up_for_the_protection():
    shown = figures(request(HAPPY, "grr", "1"))
    larger = figures(request(HAPPY, "grr", "1", respondents=round(10_000 * shown.factor)))
    assert larger.error == pytest.approx(shown.sampling, rel=1e-4)


def test_that_unary_reports_count_bits_and_tell_the_chance_of_a_wrong_one():
    shown = figures(request(OCCUPATION, "oue"))
    assert shown.bits == 16
    assert shown.truthful == 0.5
    assert shown.other_bit == pytest.approx(1 / (1 + 2.718281828459045))


def test_that_a_report_of_duchi_is_never_called_truthful():
    assert figures(request(INCOME, "duchi")).truthful is None
