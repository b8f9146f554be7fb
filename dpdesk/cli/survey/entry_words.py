"""What the planning of a sample finds, in words: the names and the rounding of each entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import floor, isfinite, log10
from typing import Any

from dpdesk.cli.survey.device_rows import chosen_lines, device_lines, exact_lines
from dpdesk.cli.survey.results import below
from dpdesk.numbers import rounded_down, rounded_up
from dpdesk.numbers.digits import epsilon_down, epsilon_up

ENTRY_TITLES = {
    "n": "respondents",
    "margin": "margin (half-width of the interval)",
    "margin_from_sums": "margin at most, where only sums of answers are kept",
    "design_effect": "design effect: respondents as a multiple of direct questions",
    "effective_n": "direct, truthful answers that tell as much",
    "power": "power",
    "epsilon": "epsilon",
    "epsilon_for_margin": "least epsilon that reaches the margin (Warner's design)",
    "epsilon_for_belief": "largest epsilon that keeps beliefs under the cap",
    "epsilon_for_odds": "largest epsilon that changes no odds by more",
    "prevalence": "expected share of carriers",
    "share_looked_at": "expected share of the answer looked at",
    "mean": "expected mean",
    "share": "share of the population",
    "unstratified_margin": "margin of as many respondents without strata",
    "design": "design",
    "needed": "device",
    "note": "note",
    "strata": "stratum",
    "questions": "question",
    "lowest_belief": "least that an answer can make of the belief",
    "highest_belief": "most that an answer can make of the belief",
    "beats_direct_from": "respondents from which on the design errs less than direct questions",
}
"""What each entry is called."""

DEVICE_ENTRIES: dict[str, Callable[[Any], Iterator[str]]] = {
    "devices": device_lines,
    "device": chosen_lines,
    "exact": exact_lines,
    "needs": iter,
    "no_device": lambda why: iter([f"no device: {why}"]),
}
"""How what was found of devices is told."""

_NONE = {"beats_direct_from": "none, it errs more even if the whole population is asked"}
"""What is told where there is no number; an epsilon is infinite then."""


def _four_digits(value: float) -> str:
    """A number with as many digits, all of them where it is 1,000 or more, and no exponent."""
    if not (isfinite(value) and value > 0):
        return f"{value:,.4g}"
    decimals = max(3 - floor(log10(value)), 0)
    shown = f"{value:,.{decimals}f}"
    return shown.rstrip("0").rstrip(".") if decimals else shown


_ROUNDED: dict[str, Callable[[float], str]] = {
    "epsilon": epsilon_up,
    "epsilon_for_margin": epsilon_up,
    "epsilon_for_belief": epsilon_down,
    "epsilon_for_odds": epsilon_down,
    "margin": _four_digits,
    "margin_from_sums": _four_digits,
    "unstratified_margin": _four_digits,
    "design_effect": _four_digits,
    "effective_n": lambda people: f"{people:,.0f}",
    "lowest_belief": lambda belief: f"{rounded_down(belief, 6):.6g}",
    "highest_belief": lambda belief: f"{rounded_up(belief, 6):.6g}",
}
"""How bounds are rounded, so that what is printed is one as well; other numbers to the nearest."""


def entry_lines(name: str, value: object) -> Iterator[str]:
    """Yields a number that was found in words; of several rows, each below a heading.

    Args:
        name: Its name in JSON.
        value: The number, the rows, or the design.
    """
    if name in DEVICE_ENTRIES:
        yield from DEVICE_ENTRIES[name](value)
        return
    if isinstance(value, list):
        for number, row in enumerate(value, start=1):
            parts = (line for key, part in row.items() for line in entry_lines(key, part))
            yield from below(f"{ENTRY_TITLES[name]} {number}:", parts)
        return
    shown = _NONE.get(name, "infinite") if value is None else value
    if isinstance(value, dict):
        shown = ", ".join(
            f"{key} {','.join(map(str, part)) if isinstance(part, list) else part}"
            for key, part in value.items()
            if key != "kind"
        )
        shown = f"{value['kind']}, {shown}" if shown else str(value["kind"])
    elif isinstance(value, float):
        shown = _ROUNDED[name](value) if name in _ROUNDED else f"{value:,.6g}"
    elif isinstance(value, int):
        shown = f"{value:,}"
    yield f"{ENTRY_TITLES[name]}: {shown}"
