"""Intervals of shares that are rare hold them as often as they say, drawn again and again."""

from __future__ import annotations

import numpy as np
import pytest

from dpdesk.designs import design_named
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.matrix_categories import CategoryDesign, MatrixCategories
from dpdesk.designs.sample_design import ScoreMean, contrast_of
from dpdesk.numbers.intervals import wilson_interval
from tests.designs.cases import made

SURVEYS = 20_000
MATRIX = MatrixCategories(
    rows=(("9/10", "1/20", "1/20"), ("1/10", "4/5", "1/10"), ("1/6", "1/6", "2/3"))
)


@pytest.mark.parametrize("people", [60, 200])
@pytest.mark.parametrize("share", [0.01, 0.05, 0.3])
@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        ("unrelated_two_samples", {"p1": "3/4", "p2": "1/4", "q": "1/10"}),
        ("symmetric_cheating_detection", {}),
        ("kuk", {"p1": "3/4", "p2": "1/4", "draws": 3}),
        ("warner", {"p": "4/5"}),
    ],
)
def test_that_a_rare_trait_has_the_coverage_of_its_interval(
    kind: str, parameters: dict[str, object], share: float, people: int
) -> None:
    design = made(kind, parameters or dict(design_named(kind).usual))
    draw = np.random.default_rng(3)
    totals = []
    for group in design.asked:
        carrier, other = np.array([[float(x) for x in row] for row in group.law[:2]])
        said = share * carrier + (1 - share) * other
        worth = [1, 0] if group.answers == ("yes", "no") else np.arange(said.size)
        totals.append(draw.multinomial(people, said, size=SURVEYS) @ np.array(worth))
    found = design.estimates(np.stack(totals, axis=-1).astype(float), [people] * len(totals))
    held = ((found.lower <= share) & (share <= found.upper)).mean()
    assert 0.93 < held < 0.98


@pytest.mark.parametrize("people", [60, 200])
@pytest.mark.parametrize(
    ("design", "shares"),
    [
        (ForcedCategories(orders=("1/12",) * 4), (0.9, 0.07, 0.03, 0.0)),
        (MATRIX, (0.95, 0.04, 0.01)),
    ],
)
def test_that_rare_answers_have_the_coverage_of_their_intervals(
    design: CategoryDesign, shares: tuple[float, ...], people: int
) -> None:
    law = np.array([[float(x) for x in row] for row in design.law])
    counts = np.random.default_rng(3).multinomial(people, shares @ law, size=SURVEYS)
    _, lower, upper = design.estimates_of_shares(counts, people, 0.95)
    held = ((lower <= shares) & (shares <= upper)).mean(axis=0)
    assert held.min() > 0.93
    assert held.max() < 0.98


def test_that_the_difference_from_a_direct_question_has_the_coverage_of_its_interval() -> None:
    draw, people, design = np.random.default_rng(3), 80, made("warner", {"p": "4/5"})
    held = 0
    for _ in range(2_000):
        yes = draw.binomial(people, 0.8 * 0.06 + 0.2 * 0.94)
        found = design.estimates(np.array([[yes]], dtype=float), [people]).only
        direct = draw.binomial(people, 0.02) / people
        ends = (float(end) for end in wilson_interval(np.array(direct), people))
        error = (direct * (1 - direct) / (people - 1)) ** 0.5
        gap = contrast_of(
            ScoreMean(*found, people), ScoreMean(direct, error, *ends, people)
        ).difference
        held += gap.lower <= 0.04 <= gap.upper
    assert 0.93 < held / 2_000 < 0.98
