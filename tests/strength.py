"""How strong a protection is, by the odds that it allows, for tests; and plans to try it on."""

from __future__ import annotations

import re
from decimal import Decimal

import numpy as np

from dpdesk.domains import Categorical
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, Plan


def strength_by_odds(odds: float) -> str:
    """The word that goes with odds: up to 3, 20, 1,000, and above."""
    if odds <= 3 * (1 + 1e-9):
        return "strong"
    if odds <= 20 * (1 + 1e-9):
        return "moderate"
    return "weak" if odds <= 1_000 * (1 + 1e-9) else "very weak"


def strength_in(text: str) -> str:
    """The one word for the protection that a text says."""
    (found,) = set(re.findall(r"Protection: (strong|moderate|weak|very weak)\b", text))
    return found


def belief_in(text: str) -> float:
    """What an even guess becomes by a text, in per cent."""
    (found,) = re.findall(r"can become ([\d.]+) % certain", text.replace("\u00a0", " "))
    return float(found)


def column(name: str, kind: str, size: int, epsilon: str) -> ColumnPlan:
    """A protected column whose records can be enumerated."""
    domain = Categorical(values=tuple(map(str, range(size))))
    return ColumnPlan(
        name=name,
        kind="nominal",
        domain=domain,
        role="protect",
        confirmed=True,
        expected=tuple(Decimal(n + 1) for n in range(size)),
        mechanism=mechanism_named(kind).starting(domain, Decimal(epsilon)),
    )


def random_plans(count: int) -> list[Plan]:
    """Plans of one to three attributes under every strategy, from strong to very weak."""
    drawn = np.random.default_rng(2026)
    found = []
    for number in range(count):
        strategy = ("spl", "smp", "rsfd", "rsrfd")[number % 4]
        attributes = int(drawn.integers(1, 4))
        same = f"{drawn.uniform(0.1, 9):.2f}"
        columns = [
            column(
                f"q{j}",
                "grr",
                int(drawn.integers(2, 4)),
                same if strategy == "rsrfd" else f"{drawn.uniform(0.1, 5):.2f}",
            )
            for j in range(attributes)
        ]
        found.append(Plan(columns=tuple(columns), strategy=strategy, respondents=500))
    return found
