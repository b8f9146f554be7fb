from __future__ import annotations

import csv
import json
import re
from decimal import Decimal
from math import exp, log, sqrt
from pathlib import Path

import numpy as np
import pytest

from dpdesk.channel.shift import ShiftLaw
from dpdesk.cli.main import main
from dpdesk.data.output_fields import SymbolField
from dpdesk.data.read_records import read_records
from dpdesk.data.sample import sample_path
from dpdesk.domains import Integer, Real
from dpdesk.errors import CertificateError
from dpdesk.estimation.from_records import record_fields
from dpdesk.mechanisms import mechanism_named
from dpdesk.mechanisms.unbounded_noise import ReportTexts
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.resources import resource
from tests.mechanisms import added_noise_checks
from tests.mechanisms.added_noise_checks import KINDS, UNBOUNDED
from tests.mechanisms.estimator_checks import AGES, bind


def test_that_shifts_have_the_chances_of_the_papers() -> None:
    added_noise_checks.shifts_are_the_noise_of_the_paper()


def test_that_unbounded_noise_is_exactly_its_law_on_all_words_of_16_bits() -> None:
    added_noise_checks.shift_is_its_law_on_every_small_word()


def test_that_unbounded_noise_turns_at_the_thresholds_of_64_bits() -> None:
    added_noise_checks.shift_turns_at_every_threshold()


def test_that_rows_are_shifted_by_their_own_answer() -> None:
    added_noise_checks.rows_are_shifted_by_their_own_answer()


def test_that_unbounded_noise_never_exceeds_its_epsilon_and_uses_all_of_it() -> None:
    added_noise_checks.certificates_of_unbounded_noise_hold()


def test_that_ends_that_disclose_an_answer_are_certified_as_such() -> None:
    added_noise_checks.ends_that_disclose_an_answer_are_certified_as_such()


def test_that_the_released_numbers_of_unbounded_noise_average_to_the_answer() -> None:
    added_noise_checks.reports_average_to_the_answer()


def test_that_means_are_unbiased_with_their_errors() -> None:
    added_noise_checks.means_have_their_errors()


def test_that_reports_that_were_moved_inward_have_less_noise() -> None:
    added_noise_checks.reports_that_were_moved_have_less_noise()


def test_that_forecasts_are_the_laws_that_are_run() -> None:
    added_noise_checks.forecasts_are_the_laws_that_are_run()


def test_that_variances_are_the_published_ones_on_a_fine_grid() -> None:
    added_noise_checks.variances_are_the_published_ones()


def test_that_the_steps_of_the_staircase_are_the_best_of_the_grid() -> None:
    added_noise_checks.steps_are_the_best_of_the_grid()


def test_that_only_widths_with_an_inverse_are_considered() -> None:
    added_noise_checks.widths_are_those_with_an_inverse()


def test_that_the_inverse_undoes_the_bounded_staircase() -> None:
    added_noise_checks.inverse_of_the_staircase_undoes_it()


def test_that_the_width_with_the_least_noise_is_taken() -> None:
    added_noise_checks.the_least_noisy_width_is_taken()


def test_that_bounded_staircases_lose_exactly_epsilon() -> None:
    added_noise_checks.bounded_staircases_lose_exactly_epsilon()


def test_that_a_staircase_without_calibration_loses_more_than_epsilon() -> None:
    added_noise_checks.without_calibration_a_staircase_loses_more()


def test_that_draws_fit_their_law_and_take_one_word_each() -> None:
    added_noise_checks.draws_fit_their_law()


def test_that_a_mean_of_ages_is_best_served_by_one_bit_and_worst_by_bounded_laplace() -> None:
    # 95 % errors of the mean at eps = 1 and n = 10,000, respondents drawn, in years.
    z = normal_quantile(0.95)
    errors = {
        kind: z * bind(kind, AGES, "1").mechanism.forecast(AGES).accuracy(10_000).total
        for kind in ("bounded_laplace", "laplace", "staircase", "bounded_staircase", "duchi")
    }
    assert [round(error, 1) for error in errors.values()] == [6.3, 2.3, 2.2, 2.3, 1.7]


@pytest.mark.parametrize("kind", UNBOUNDED)
def test_that_numbers_beyond_the_grid_are_written_in_order_and_only_once(kind: str) -> None:
    domain = Real(lower=Decimal("0.50"), upper=Decimal("2.25"), resolution=Decimal("0.25"))
    bound = bind(kind, domain, "0.7")
    texts = bound.outputs
    numbers = [Decimal(text) for text in texts]
    assert len(texts) == len(set(texts))
    assert numbers == sorted(numbers)
    at = texts.index("0.50")
    assert texts[at : at + domain.size] == domain.texts
    assert (texts[-1], texts[-2]) == (texts[len(texts) - 1], texts[len(texts) - 2])
    with pytest.raises(IndexError):
        texts[len(texts)]
    low, high = numbers[0], numbers[-1]
    assert low + high == domain.lower + domain.upper


def test_that_the_outermost_numbers_stand_for_all_beyond_them() -> None:
    texts = ReportTexts(Decimal(18), Decimal(1), 81, 13, 1 / (exp(1.0) - 1))
    assert len(texts) == 82 + 2 * 13 * 81
    assert texts[81] == str(18 - 12 * 81)
    # 81 / (e - 1) years farther out than the grid would have it.
    assert texts[80] == f"{18 - 12 * 81 - 1 - 81 / (exp(1.0) - 1):.9f}"


@pytest.mark.parametrize("step", ["999999999999999", "999999999999999.999999999"])
def test_that_the_widest_bounds_are_reported_digit_by_digit(step: str) -> None:
    upper = Decimal(step)
    domain = Real(lower=-upper, upper=upper, resolution=upper)
    bound = bind("laplace", domain, "0.001")
    field = record_fields(_plan_of(domain), [(_column_of(domain), bound)])[0]
    assert isinstance(field, SymbolField)
    assert field.numeric == "real"
    assert len(set(field.texts)) == len(field.texts)
    middle = len(field.texts) // 2
    assert [Decimal(text) for text in field.texts[middle - 1 : middle + 2]] == [-upper, 0, upper]
    assert field.texts[0] == "-" + field.texts[-1]


def _column_of(domain: Integer | Real) -> ColumnPlan:
    mechanism = mechanism_named("laplace")(epsilon=Decimal("0.001"))  # type: ignore[call-arg]
    return ColumnPlan(
        name="x", kind="real", domain=domain, role="protect", mechanism=mechanism, confirmed=True
    )


def _plan_of(domain: Integer | Real) -> Plan:
    return Plan(columns=(_column_of(domain),))


def test_that_shifts_that_are_no_law_are_refused() -> None:
    weights = bind("laplace", Integer(lower=0, upper=2), "1").law.weights.copy()  # type: ignore[attr-defined]
    weights[0] += np.uint64(1)
    with pytest.raises(CertificateError):
        ShiftLaw(weights, 3)


def test_that_a_law_is_built_only_where_64_bits_hold_it() -> None:
    made = mechanism_named("laplace")(epsilon=Decimal("0.0001"))  # type: ignore[call-arg]
    certificate = made.bind(Integer(lower=1, upper=20_000)).certificate
    assert certificate.epsilon_nominal - certificate.epsilon_certified < Decimal("1e-9")
    assert "20,000" in str(made.misfit(Integer(lower=1, upper=20_001)))


def test_that_a_staircase_can_aim_at_the_error_of_single_reports() -> None:
    steps = {
        aim: mechanism_named("staircase").model_validate({"epsilon": "3", "optimize": aim})
        for aim in ("variance", "error")
    }
    gammas = {aim: made.bind(AGES).parameters()["gamma"] for aim, made in steps.items()}
    assert gammas == {"variance": 22 / 81, "error": 15 / 81}
    fingerprints = {made.bind(AGES).certificate.fingerprint for made in steps.values()}
    assert len(fingerprints) == 2


def test_that_the_page_prints_the_losses_and_calibrations_of_the_formulas() -> None:
    page = resource("docs/mechanisms/bounded_staircase.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([0-9.]+) \| ([0-9.]+) \| ([0-9.]+) \|$", page, re.MULTILINE)
    assert len(rows) == 6
    for epsilon, loss, own in rows:
        eps = float(epsilon)
        assert f"{eps + log(2 - exp(-eps / 2)):.3f}" == loss
        inner = 2 * log((1 + sqrt(1 + 8 * exp(eps))) / 4)
        assert float(own) == pytest.approx(inner, abs=6e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_that_a_release_and_its_records_give_the_same_mean(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, out = str(tmp_path / "plan.json"), tmp_path / "release"
    codebook = str(sample_path().with_name("codebook.json"))
    words = ["draft", str(sample_path()), "-o", plan, "--epsilon", "9", "--codebook", codebook]
    assert main([*words, "--confirm-domains", "--set", f"affairs={kind}:1"]) == 0
    assert main(["release", str(sample_path()), "--plan", plan, "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["estimate", str(out), "--plan", plan, "--json"]) == 0
    estimates = json.loads(capsys.readouterr().out)["estimates"]
    (affairs,) = [a for a in estimates if a["attribute"] == "affairs"]
    with (out / "estimates.csv").open(encoding="utf-8", newline="") as file:
        (row,) = [row for row in csv.DictReader(file) if row["attribute"] == "affairs"]
    mean = float(row["estimate"])
    assert affairs["estimate"] == pytest.approx(mean, rel=1e-12)
    if kind in UNBOUNDED:
        texts = read_records(out).column("affairs").texts()
        # Each respondent reports one attribute; the others are empty.
        reports = [float(text) for text in texts if text]
        sampled = read_records(out).column("sampled_attribute").texts()
        assert len(reports) == list(sampled).count("affairs") > 0
        assert np.mean(reports) == pytest.approx(mean, rel=1e-9)


def test_that_a_number_far_out_has_ten_digits_of_the_width_and_one_decimal_at_least() -> None:
    # A width of 81 has its first digit at the tens: ten digits end at the eighth decimal.
    near = ReportTexts(Decimal(18), Decimal(1), 81, 13, 0.3)
    assert -int(near._beyond.as_tuple().exponent) == 9
    far = ReportTexts(Decimal(0), Decimal(10**12), 81, 13, 0.3)
    assert -int(far._beyond.as_tuple().exponent) == 1
