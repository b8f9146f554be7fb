"""How likely a report is under each answer, by the mechanisms' own draws."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from dpdesk.domains import Categorical
from dpdesk.learning.curve import SeededWords
from dpdesk.mechanisms import mechanism_named

DOMAIN = Categorical(values=tuple("abcd"))
REPORTS = 60_000


@pytest.mark.parametrize(
    "kind", ["grr", "pram", "sue", "oue", "olh", "blh", "subset_selection", "hadamard"]
)
def test_that_chances_are_those_that_reports_are_drawn_with(kind: str) -> None:
    bound = mechanism_named(kind).starting(DOMAIN, Decimal("1.2")).bind(DOMAIN)
    words = SeededWords(3)
    for true in (0, 2):
        reports = bound.randomize(np.full(REPORTS, true, dtype=np.int32), words)
        chances = bound.report_chances(reports)
        assert chances is not None
        assert chances.shape == (REPORTS, 4)
        # E[P(Y | x) / P(Y | true)] = 1 for every x, of the right law alone.
        ratio = chances / chances[:, [true]]
        error = ratio.std(axis=0) / REPORTS**0.5
        assert (np.abs(ratio.mean(axis=0) - 1) <= 4.5 * error).all()
        # Log ratios are on average those of a law that tells answers apart.
        assert (np.log(ratio).mean(axis=0) <= 1e-12).all()
        assert np.log(ratio).mean(axis=0).min() < -0.05


def test_that_chances_are_not_told_where_they_depend_on_more() -> None:
    bound = mechanism_named("rappor").starting(DOMAIN, Decimal("1.2")).bind(DOMAIN)
    reports = bound.randomize(np.zeros(5, dtype=np.int32), SeededWords(1))
    assert bound.report_chances(reports) is None
