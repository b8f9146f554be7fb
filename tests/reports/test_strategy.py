"""What a report says of the strategy, against numbers that are computed here."""

from __future__ import annotations

from decimal import Decimal
from math import exp, log, sqrt

import numpy as np
import pytest

from dpdesk.domains import Categorical
from dpdesk.estimation.released import Released, bind_attributes, released_from_tallies
from dpdesk.plan import attribute_losses
from dpdesk.releases.records import write_codebook
from dpdesk.reports.checklist.texts import T as Checks
from dpdesk.reports.texts import T
from tests.randomness.word_sources import ShakeWords
from tests.releases.test_tables import read
from tests.reports.cases import HOSTILE, SCALE, YES_NO, plan_of, protected, report_of, whole_html
from tests.texts import is_said, values_in

Z = 1.959963984540054
COLUMNS = (
    protected("smoker", "binary", YES_NO, "warner", "1", expected=(Decimal(1), Decimal(3))),
    protected("food", "nominal", SCALE, "grr", "1", expected=(Decimal(1),) * 4),
    protected("work", "nominal", SCALE, "oue", "1", expected=(Decimal(1),) * 4),
)


def released_of(strategy: str, columns=COLUMNS, **more) -> Released:
    """900 respondents, of whom every third reports each attribute under SMP."""
    plan = plan_of(*columns, strategy=strategy, **more)
    counted = []
    for j, (column, bound) in enumerate(bind_attributes(plan)):
        codes = (np.arange(900) % bound.size).astype(np.int32)
        reports = bound.randomize(codes, ShakeWords("strategy"))
        group = np.arange(900) % 3 == j if strategy == "smp" else slice(None)
        counted.append((column, bound, bound.tally(reports[group])))
    return released_from_tallies(plan, 900, tuple(counted))


def test_that_the_losses_of_every_strategy_are_stated() -> None:
    for strategy, whole in (("spl", 3), ("smp", 1), ("rsfd", 1), ("rsrfd", 1)):
        released = released_of(strategy)
        report = report_of(released)
        facts = report.strategy
        assert facts.record_loss == report.guarantee.epsilon == report.budget.spent == whole
        assert facts.record_loss == report.parameters.epsilon_asked
        assert 0 <= facts.record_loss - report.parameters.epsilon_run < Decimal("1e-9")
        assert facts.one_attribute_loss == report.parameters.epsilon_of_one_attribute
        assert facts.one_attribute_loss == max(attribute_losses(released.plan).values())
        losses = [risk.epsilon for risk in report.risk.attributes]
        assert losses == list(attribute_losses(released.plan).values())
        assert report.risk.record.epsilon == whole


def test_that_the_papers_epsilon_stands_beside_and_the_difference_is_said() -> None:
    for strategy in ("rsfd", "rsrfd"):
        report = report_of(released_of(strategy))
        nominal = log((exp(1) - 1) / 3 + 1)
        assert float(report.strategy.nominal_epsilon) == pytest.approx(nominal, abs=1e-6)
        (papers,) = values_in(T.NOMINAL, report.strategy.difference)
        assert papers["nominal"] == str(report.strategy.nominal_epsilon)
        assert T.SPENDS_RECORD() in report.budget.statement
        assert is_said(T.LOSS_OF_ONE_ANSWER, report.guarantee.sentence)
    for strategy in ("spl", "smp"):
        report = report_of(released_of(strategy))
        assert report.strategy.nominal_epsilon is None
        assert report.strategy.difference == ""
        assert T.SPENDS_RECORD() not in report.budget.statement
        assert not is_said(T.LOSS_OF_ONE_ANSWER, report.guarantee.sentence)


def test_that_the_groups_of_smp_are_counted_and_their_errors_are_those_of_their_size() -> None:
    report = report_of(released_of("smp"))
    assert report.strategy.sampled_column == "sampled_attribute"
    assert [(g.attribute, g.reports) for g in report.strategy.groups] == [
        ("smoker", 300), ("food", 300), ("work", 300)
    ]  # fmt: skip
    p = exp(1) / (exp(1) + 1)
    smoker = report.parameters.attributes[0]
    assert smoker.error_95 == pytest.approx(Z * sqrt(0.25 / 300) / (2 * p - 1), rel=0.01)
    assert smoker.noise_variance == pytest.approx(p * (1 - p) / (2 * p - 1) ** 2 / 300)
    assert smoker.phi is None
    yes = report.results.attributes[0].estimates[0]
    f = yes.truncated
    noise = p * (1 - p) / (2 * p - 1) ** 2 / 300 + f * (1 - f) * (1 / 300 - 1 / 900)
    assert yes.noise_standard_error == pytest.approx(sqrt(noise))
    assert yes.sampling_standard_error == pytest.approx(sqrt(f * (1 - f) / 900))


def test_that_fakes_enter_the_expected_error() -> None:
    report = report_of(released_of("rsfd"))
    p = exp(1) / (exp(1) + 1)
    smoker, food, work = report.parameters.attributes
    assert smoker.phi == pytest.approx(0.5)
    # Of two answers with a share of 1/2 each every other report is a yes.
    assert smoker.error_95 == pytest.approx(Z * 3 * sqrt(0.25 / 900) / (2 * p - 1), rel=0.01)
    assert (food.phi, work.phi) == pytest.approx((0.25, 1 / (exp(1) + 1)))
    assert work.noise_variance == pytest.approx(9 * 4 * exp(1) / (exp(1) - 1) ** 2 / 900)
    assert report_of(released_of("rsrfd")).parameters.attributes[2].phi == pytest.approx(
        (0.5 - 1 / (exp(1) + 1)) / 4 + 1 / (exp(1) + 1)
    )


def test_that_a_record_is_described_as_it_is() -> None:
    texts = {
        (s, f): report_of(released_of(s, fakes=f)).strategy
        for s, f in (("spl", "zeros"), ("smp", "zeros"), ("rsfd", "zeros"), ("rsfd", "random"),
                     ("rsrfd", "zeros"))
    }  # fmt: skip
    assert len({facts.report for facts in texts.values()}) == 5
    assert [facts.fakes for facts in texts.values()] == [None, None, "zeros", "random", "expected"]
    assert texts["smp", "zeros"].report == T.RECORD_OF_DRAWN(count=3)
    assert T.FAKES_ZERO() in texts["rsfd", "zeros"].report


def test_that_the_checklist_and_the_limits_of_the_guarantee_follow_the_strategy() -> None:
    def reason(report) -> str:
        (found,) = [c.reason for g in report.checklist for c in g.checks
                    if c.question == Checks.ASKS_ADDED()]  # fmt: skip
        return found

    assert reason(report_of(released_of("spl"))) == T.LOSS_SUM()
    assert reason(report_of(released_of("smp"))) == T.LOSS_LARGEST()
    assert T.DRAWN_PUBLIC() in report_of(released_of("smp")).unit.not_protected
    assert T.DRAWN_PUBLIC() not in report_of(released_of("rsfd")).unit.not_protected


def test_that_the_page_shows_the_strategy_where_there_are_several_attributes() -> None:
    text = whole_html(report_of(released_of("rsfd")))
    assert "<h2>Strategy</h2>" in text
    assert "ε as the papers state it" in text
    assert "phi, mean" in text
    text = whole_html(report_of(released_of("smp")))
    assert text.count('<td class="n">300</td>') == 3
    assert "phi, mean" not in text
    assert "<h2>Strategy</h2>" not in whole_html(report_of(released_of("spl", COLUMNS[:1])))


def test_that_hostile_names_of_attributes_stay_text() -> None:
    columns = [protected(name, "binary", YES_NO, "warner", "1") for name in HOSTILE[:3]]
    text = whole_html(report_of(released_of("smp", columns)))
    assert "<img src=x" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text


def test_that_the_codebook_explains_the_sampled_attribute(tmp_path) -> None:
    formula = protected("=1+1", "nominal", Categorical(values=("a", "b")), "grr", "1")
    write_codebook(released_of("smp", (*COLUMNS[:2], formula)), tmp_path)
    rows = read(tmp_path / "codebook.csv")
    drawn = [row for row in rows if row["column"] == "sampled_attribute"]
    assert [row["value"] for row in drawn] == ["smoker", "food", "'=1+1"]
    assert {row["role"] for row in drawn} == {"sampled attribute"}
    assert drawn[2]["note"] == T.APOSTROPHE()
    smoker = next(row for row in rows if row["column"] == "smoker")
    assert smoker["note"] == T.EMPTY_UNLESS(sampled="sampled_attribute", name="smoker")
    rule = T.RULE_OF_DRAWN(name="smoker", sampled="sampled_attribute")
    assert smoker["estimation"].startswith(rule)


def test_that_the_codebook_gives_the_estimator_under_fakes(tmp_path) -> None:
    write_codebook(released_of("rsfd"), tmp_path)
    rows = read(tmp_path / "codebook.csv")
    assert "sampled_attribute" not in {row["column"] for row in rows}
    rule = next(row["estimation"] for row in rows if row["column"] == "food")
    assert "Share of a category = (d s - q - (d - 1) phi) / (p - q)" in rule
    assert "d = 3" in rule
