"""What the page of epsilon says of the certified epsilon beside the one that was asked."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.domains import Integer
from dpdesk.mechanisms import MECHANISMS, kind_of, mechanism_named
from tests.mechanisms.estimator_checks import categories
from tests.mechanisms.golden_checks import options

DOMAINS = (
    *(categories(size) for size in (2, 3, 100, 1_000)),
    *(options(size) for size in (2, 5, 30)),
    *(Integer(lower=0, upper=size - 1) for size in (5, 101, 1_000)),
)
NOISE = {"bounded_laplace": (0.02, 0.08, 0.49), "laplace": (0.02, 0.09, 0.73)}
LISTS, STAIRCASES = 0.01, 0.03


def gaps(kind: str, epsilon: str) -> Iterator[tuple[int, float]]:
    """For each domain that suits, its size and how far the certified epsilon is below the asked."""
    for domain in DOMAINS:
        if mechanism_named(kind).misfit(domain) is None:
            law = mechanism_named(kind).starting(domain, Decimal(epsilon)).bind(domain)
            yield domain.size, float(Decimal(epsilon) - law.certificate.epsilon_certified)


KINDS = [kind for kind in map(kind_of, MECHANISMS) if kind != "pram"]
"""The epsilon of PRAM follows from its matrix; there is none to ask for."""


@pytest.mark.parametrize("kind", KINDS)
def test_that_epsilons_agree_to_eight_digits_up_to_nineteen(kind: str) -> None:
    found = [gap for epsilon in ("0.0001", "1", "19") for _, gap in gaps(kind, epsilon)]
    assert found
    assert 0 <= min(found) <= max(found) < 5e-9


@pytest.mark.parametrize("kind", KINDS)
def test_that_the_gap_at_forty_is_the_stated_one(kind: str) -> None:
    found = dict(gaps(kind, "40"))
    assert found
    if kind in NOISE:
        assert tuple(round(found[size], 2) for size in (5, 101, 1_000)) == NOISE[kind]
        return
    assert (
        0
        <= min(found.values())
        <= max(found.values())
        <= (STAIRCASES if "staircase" in kind else LISTS)
    )


def test_that_the_page_says_these_numbers(root: Path) -> None:
    page = (root / "resources" / "docs" / "epsilon.md").read_text(encoding="utf-8")
    said = " ".join(page.split())
    assert "agree to eight digits" in said
    assert f"by {LISTS} at most for lists of answers, by {STAIRCASES} for the staircase" in said
    bounded, free = ("{}, {} and {}".format(*NOISE[kind]) for kind in NOISE)
    assert f"bounded Laplace noise on 5, 101 and 1,000 numbers {bounded}" in said
    assert f"Laplace noise {free}" in said
