from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from math import log2
from types import SimpleNamespace

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.mechanisms import (
    MECHANISMS,
    AnyDomain,
    Candidate,
    Order,
    Sampling,
    candidate,
    fitting,
    kind_of,
    mechanism_named,
    ranked,
)
from dpdesk.mechanisms.choice import (
    BEYOND_RANGE,
    NO_CATEGORY,
    PARTS,
    PLAIN_AVERAGE,
    WIDE_TABLE,
    _losses_of_numbers,
    best_of,
    least_error,
    losses,
    report_bits,
)
from dpdesk.mechanisms.rappor import Rappor
from dpdesk.mechanisms.sampling import EVERY_ANSWER
from dpdesk.resources import resource
from tests.mechanisms import choice_checks as checks
from tests.mechanisms.golden_checks import options

AGES = Integer(lower=18, upper=99, unit="years")
Z = 1.959963984540054
CLASSIC = {"warner", "grr", "sue", "oue"}


def categories(size: int) -> Categorical:
    return Categorical(values=tuple(f"c{i}" for i in range(size)))


def _classic(found: Sequence[Candidate]) -> list[Candidate]:
    return [c for c in found if c.mechanism.kind in CLASSIC]


@pytest.mark.parametrize(
    ("size", "epsilon", "best"),
    [
        (2, "1", "warner"),
        (10, "1", "grr"),
        (11, "1", "oue"),
        (24, "2", "grr"),
        (25, "2", "oue"),
        (62, "3", "grr"),
        (63, "3", "oue"),
    ],
)
def test_that_the_least_var_star_changes_from_grr_to_oue_at_3e_plus_2_categories(
    size: int, epsilon: str, best: str
) -> None:
    candidates = ranked(categories(size), Decimal(epsilon), by="var_star")
    assert _classic(candidates)[0].mechanism.kind == best
    constants = [c.noise_constant for c in candidates]
    assert constants == pytest.approx(sorted(constants), rel=1e-8)


@pytest.mark.parametrize(("size", "best"), [(20, "grr"), (21, "oue"), (24, "oue"), (25, "oue")])
def test_that_the_least_total_error_changes_below_that_bound(size: int, best: str) -> None:
    candidates = ranked(categories(size), Decimal(2))
    assert _classic(candidates)[0].mechanism.kind == best
    widths = [c.half_width for c in candidates]
    assert widths == pytest.approx(sorted(widths), rel=1e-8)


@pytest.mark.parametrize("size", [21, 22, 23, 24])
def test_that_var_star_chooses_2_to_13_percent_more_noise_there(size: int) -> None:
    domain = categories(size)
    orders: tuple[Order, ...] = ("var_star", "total")
    by_var_star, by_total = (
        _classic(ranked(domain, Decimal(2), by=by))[0].half_width ** 2 - _sampling(size)
        for by in orders
    )
    assert 1.02 < by_var_star / by_total < 1.14


def _sampling(size: int) -> float:
    return (Z * 100) ** 2 * (1 / size) * (1 - 1 / size)


def test_that_duchi_or_a_hybrid_of_it_has_the_least_worst_error_of_a_mean() -> None:
    assert ranked(AGES, Decimal("0.5"), by="var_star")[0].mechanism.kind in {"duchi", "hybrid"}
    assert ranked(AGES, Decimal(1), by="var_star")[0].mechanism.kind == "hybrid"


def test_that_equals_keep_the_order_of_the_registry_and_one_symbol_goes_first() -> None:
    two = [c.mechanism.kind for c in ranked(categories(2), Decimal(1))]
    assert two[:3] == ["warner", "grr", "subset_selection"]
    # One member of four is GRR written as bits.
    four = ranked(categories(4), Decimal(3))
    kinds = [c.mechanism.kind for c in four]
    assert kinds.index("grr") + 1 == kinds.index("subset_selection")
    assert four[0].half_width == pytest.approx(four[1].half_width, rel=1e-12)


def test_that_only_mechanisms_whose_epsilon_can_be_chosen_are_proposed() -> None:
    for domain in (categories(3), AGES):
        assert {c.mechanism.kind for c in ranked(domain, Decimal(1))} == {
            kind_of(m) for m in fitting(domain) if m.adjustable
        }
    assert "pram" not in {c.mechanism.kind for c in ranked(categories(3), Decimal(1))}


def test_that_reports_which_can_be_faked_are_all_that_fake_data_strategies_use() -> None:
    for strategy in ("rsfd", "rsrfd"):
        sampling = Sampling(strategy, 3)  # type: ignore[arg-type]
        found = ranked(categories(2), Decimal(1), sampling=sampling)
        assert {c.mechanism.kind for c in found} == CLASSIC
        assert ranked(AGES, Decimal(1), sampling=sampling) == ()


def test_that_the_mean_error_is_exact_for_every_distribution() -> None:
    checks.mean_error_is_exact_for_every_distribution()


def test_that_realistic_fakes_have_the_mean_of_the_errors_of_each_category() -> None:
    checks.mean_error_of_realistic_fakes_is_exact()


def test_that_a_sampled_attribute_has_the_error_of_its_group_and_the_sampling_of_all() -> None:
    checks.a_sampled_attribute_has_the_error_of_its_group_and_the_sampling_of_all()


def test_that_the_order_is_by_the_figure_asked_for_and_symbols_go_first() -> None:
    checks.the_order_is_by_the_figure_asked_for_and_symbols_first()


def test_that_bits_are_those_of_the_reports_that_there_are() -> None:
    checks.bits_are_those_of_the_reports_that_there_are()


def test_that_numbers_beyond_the_range_and_biased_averages_are_losses() -> None:
    checks.numbers_beyond_the_range_and_biased_averages_are_losses()


def test_that_a_candidate_has_the_95_percent_error_in_percentage_points() -> None:
    grr, duchi = (mechanism_named(kind)(epsilon=Decimal(1)) for kind in ("grr", "duchi"))  # type: ignore[call-arg]
    for mechanism, domain, scale in ((grr, categories(4), 100), (duchi, AGES, 1)):
        total = mechanism.forecast(domain).accuracy(400.0).total
        assert candidate(mechanism, domain).error_95(400) == pytest.approx(scale * Z * total)


def test_that_one_of_ten_with_oue_has_the_known_constants() -> None:
    oue = mechanism_named("oue")(epsilon=Decimal(1))  # type: ignore[call-arg]
    split = mechanism_named("oue")(epsilon=Decimal("0.1"))  # type: ignore[call-arg]
    domain = categories(8)
    assert candidate(oue, domain, (), Sampling("smp", 10)).noise_constant == pytest.approx(
        36.8, abs=0.05
    )
    assert candidate(split, domain).noise_constant == pytest.approx(400, rel=0.01)
    assert candidate(oue, domain, (), Sampling("rsfd", 10)).noise_constant == pytest.approx(
        368, rel=0.01
    )


@pytest.mark.parametrize("kind", [kind_of(m) for m in MECHANISMS])
def test_that_the_bits_sent_are_those_of_the_reports_there_are(kind: str) -> None:
    mechanism_type = mechanism_named(kind)
    domain: AnyDomain = categories(2) if kind == "warner" else categories(5)
    if mechanism_type.misfit(domain) is not None:
        domain = AGES if mechanism_type.misfit(AGES) is None else options(5)
    mechanism = mechanism_type.starting(domain, Decimal(1))
    bound, bits = mechanism.bind(domain), report_bits(mechanism, domain)
    if bound.limits:
        assert bits == pytest.approx(sum(map(log2, bound.limits)))
    elif bound.form == "bits":
        assert bits == len(mechanism.released_names("a", domain))
    else:
        assert bits == pytest.approx(log2(len(bound.outputs)))


def test_that_what_is_lost_is_read_off_the_reports() -> None:
    lost = {
        (kind, domain.size): losses(
            mechanism_named(kind)(epsilon=Decimal(1)),  # type: ignore[call-arg]
            domain,
        )
        for kind, domain in (
            ("grr", categories(5)),
            ("oue", categories(5)),
            ("olh", categories(5)),
            ("hadamard", categories(5)),
            ("bounded_laplace", AGES),
            ("duchi", AGES),
            ("laplace", AGES),
            ("piecewise", AGES),
        )
    }
    assert lost == {
        ("grr", 5): (),
        ("oue", 5): (WIDE_TABLE,),
        ("olh", 5): (PARTS,),
        ("hadamard", 5): (NO_CATEGORY,),
        ("bounded_laplace", 82): (PLAIN_AVERAGE,),
        ("duchi", 82): (BEYOND_RANGE,),
        ("laplace", 82): (BEYOND_RANGE,),
        ("piecewise", 82): (BEYOND_RANGE,),
    }


@pytest.mark.parametrize("beyond", [(-0.5, 81.0), (0.0, 81.5), (-9.0, 90.0)])
def test_that_reports_beyond_one_end_leave_the_range_too(beyond: tuple[float, float]) -> None:
    def made_up(positions: np.ndarray) -> SimpleNamespace:
        return SimpleNamespace(positions=positions, report_law=lambda: (positions,))

    assert _losses_of_numbers(made_up(np.array(beyond)), AGES) == [BEYOND_RANGE]
    assert _losses_of_numbers(made_up(np.array([0.0, 81.0])), AGES) == []


def test_that_choosing_again_costs_no_forecast(monkeypatch: pytest.MonkeyPatch) -> None:
    domain = Integer(lower=0, upper=999)
    first = ranked(domain, Decimal("1.25"))

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Sampling, "forecast", refuse)
    assert ranked(Integer(lower=0, upper=999), Decimal("1.25")) == first


@pytest.mark.parametrize("domain", [categories(16), AGES], ids=["list", "numbers"])
def test_that_the_help_page_prints_the_numbers_of_the_table(domain: AnyDomain) -> None:
    page = resource("docs/choosing.md").read_text(encoding="utf-8")
    found = {c.mechanism.short: c for c in ranked(domain, Decimal(1))}
    row = r"^\| ([A-Z][A-Za-z ]+) \| ([0-9.]+) \| ([0-9.]+) \| ([0-9.]+) \|"
    printed = [match for match in re.findall(row, page, re.MULTILINE) if match[0] in found]
    assert {short for short, *_ in printed} == set(found)
    for short, constant, error, bits in printed:
        judged = found[short]
        assert float(constant) == pytest.approx(judged.noise_constant, rel=2e-3)
        assert float(error) == pytest.approx(judged.error_95(10_000), abs=0.006)
        assert float(bits) == pytest.approx(judged.bits_sent, abs=0.2)
    errors = [float(error) for _, _, error, _ in printed]
    assert errors == sorted(errors)


@pytest.mark.parametrize("answers_only", [False, True])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "2.5", "6", "15"])
def test_that_the_best_is_found_without_trying_what_cannot_be_it(
    epsilon: str, answers_only: bool
) -> None:
    for domain in (categories(2), categories(5), categories(30), AGES):
        shares = () if domain is AGES else (0.5, *[0.5 / (domain.size - 1)] * (domain.size - 1))
        for expected in {(), shares}:
            for sampling in (Sampling(), Sampling("smp", 3)):
                tried = ranked(domain, Decimal(epsilon), expected=expected, sampling=sampling)
                wanted = best_of(tried, answers_only=answers_only)
                found = least_error(
                    domain,
                    Decimal(epsilon),
                    expected=expected,
                    sampling=sampling,
                    answers_only=answers_only,
                )
                assert found == wanted


def test_that_bloom_filters_are_not_laid_out_where_they_cannot_be_the_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid_out: list[int] = []
    monkeypatch.setattr(Rappor, "design", lambda _self, domain: laid_out.append(domain.size))
    found = least_error(categories(400), Decimal("0.9"), sampling=EVERY_ANSWER, answers_only=False)
    assert found is not None
    assert laid_out == []
