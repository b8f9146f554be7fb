"""The papers of surveys of several answers and of numbers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import sqrt

import pytest

from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.matrix_categories import MatrixCategories
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.scrambling import Additive, BarLev, Multiplicative
from dpdesk.errors import ParameterError
from dpdesk.reports.number_text import significant_text
from dpdesk.reports.survey import MeanMemo, SharesMemo, memo_html, sheet_html
from dpdesk.reports.survey.texts import T

NAMES, SHARES = ("never", "<b>once</b>", "often"), (0.7, 0.2, 0.1)
F = Fraction
PROOF = MatrixCategories(
    rows=((F(1, 2), F(1, 2), F(0)), (F(1, 4), F(1, 2), F(1, 4)), (F(1, 4), F(1, 4), F(1, 2)))
)
SEVERAL = (
    ForcedCategories(orders=(F(1, 6),) * 3),
    PROOF,
    MechanismShare(mechanism="grr", categories=3, epsilon=Decimal(1)),
    MechanismShare(mechanism="oue", categories=3, epsilon=Decimal(1)),
)
NUMBERS = (
    Additive(lower=0, upper=10, scale=5),
    Additive(lower=0, upper=10, scale=5, noise="uniform"),
    Multiplicative(lower=1, upper=10, scale=0.2),
    BarLev(lower=1, upper=10, scale=0.2),
)


@pytest.mark.parametrize("paper", [False, True])
@pytest.mark.parametrize("design", SEVERAL, ids=lambda design: design.kind)
def test_that_the_memo_names_every_answer_and_renders_none(design, paper: bool) -> None:
    request = SharesMemo(
        question="How often?", design=design, names=NAMES, shares=SHARES, respondents=1_000
    )
    html = memo_html(request, paper=paper)
    assert "How often?" in html
    assert "1,000 respondents" in html
    assert "<b>once</b>" not in html
    assert html.count("never") >= 3
    assert "<script" not in html
    assert "How often?" in sheet_html(design, "How often?", NAMES, paper=paper)


def test_that_the_memo_has_the_margin_of_each_answer() -> None:
    html = memo_html(
        SharesMemo(question="", design=SEVERAL[0], names=NAMES, shares=SHARES, respondents=1_000)
    )
    # An answer is said with chance pi / 2 + 1/6; its share is twice that, less 1/3.
    said = 0.7 / 2 + 1 / 6
    margin = 100 * 1.959964 * sqrt(said * (1 - said) / 0.25 / 1_000)
    assert f"± {margin:.1f} pp" in html.replace("\N{NO-BREAK SPACE}", " ")
    assert "e^ε = 4" in html


def test_that_the_memo_names_what_a_proof_rules_out() -> None:
    html = memo_html(
        SharesMemo(question="", design=PROOF, names=NAMES, shares=SHARES, respondents=1_000)
    )
    assert "ε is infinite" in html
    assert T.PROOF(answer="often", names="“never”") in html


@pytest.mark.parametrize("paper", [False, True])
@pytest.mark.parametrize("design", NUMBERS, ids=lambda design: f"{design.kind} {design.noise}")
def test_that_the_memo_of_a_number_has_its_error_and_its_loss(design, paper: bool) -> None:
    request = MeanMemo(
        question="How much?", design=design, mean=4.0, deviation=2.0, respondents=400, unit="hours"
    )
    html = memo_html(request, paper=paper)
    sampling, privacy = design.planned_variance(4.0, 4.0)
    margin = 1.959964 * sqrt((sampling + privacy) / 400)
    assert f"± {significant_text(margin, 3)} hours" in html
    infinite = design.loss.epsilon == float("inf")
    assert ("ε is infinite" in html) == infinite
    assert "<script" not in html


@pytest.mark.parametrize(("respondents", "confidence"), [(1, 0.95), (100, 1.0)])
def test_that_a_memo_of_no_survey_is_refused(respondents: int, confidence: float) -> None:
    with pytest.raises(ParameterError):
        memo_html(
            SharesMemo(
                question="",
                design=SEVERAL[0],
                names=NAMES,
                shares=SHARES,
                respondents=respondents,
                confidence=confidence,
            )
        )
    with pytest.raises(ParameterError):
        memo_html(
            MeanMemo(
                question="",
                design=NUMBERS[0],
                mean=4.0,
                deviation=2.0,
                respondents=respondents,
                unit="",
                confidence=confidence,
            )
        )
