from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.mechanisms import (
    AnyDomain,
    Candidate,
    candidate,
    mechanism_named,
    ranked,
)

AGES = Integer(lower=18, upper=99, unit="years")
Z = 1.959963984540054
CLASSIC = {"warner", "grr", "sue", "oue"}


def categories(size: int) -> Categorical:
    return Categorical(values=tuple(f"c{i}" for i in range(size)))


def _classic(found: Sequence[Candidate]) -> list[Candidate]:
    return [c for c in found if c.mechanism.kind in CLASSIC]


def _of(kind: str, domain: AnyDomain, epsilon: str) -> Candidate:
    return candidate(mechanism_named(kind)(epsilon=Decimal(epsilon)), domain)  # type: ignore[call-arg]


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
def test_that_var_star_chooses_2_to_13_percent_worse_there(size: int) -> None:
    domain = categories(size)
    by_var_star, by_total = (
        _classic(ranked(domain, Decimal(2), by=by))[0].half_width ** 2 - _sampling(size)
        for by in (("var_star"), ("total"))
    )
    assert 1.02 < by_var_star / by_total < 1.14


def _sampling(size: int) -> float:
    return (Z * 100) ** 2 * (1 / size) * (1 - 1 / size)
