"""What the planning of a sample finds, as facts: the label and the rounding of each entry."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import floor, isfinite, log10
from typing import Any

from dpdesk.cli.survey.results import count_words, digits
from dpdesk.cli.survey.texts import T
from dpdesk.facts import Fact, Facts, several
from dpdesk.i18n import Text, joined
from dpdesk.numbers import rounded_down, rounded_up
from dpdesk.numbers.digits import epsilon_down, epsilon_up


def _four_digits(value: float) -> str:
    """A number with as many digits, all of them where it is 1,000 or more, and no exponent."""
    if not (isfinite(value) and value > 0):
        return f"{value:,.4g}"
    decimals = max(3 - floor(log10(value)), 0)
    shown = f"{value:,.{decimals}f}"
    return shown.rstrip("0").rstrip(".") if decimals else shown


def design_words(design: Mapping[str, Any]) -> str:
    """Returns a design of JSON in words: its kind and its parameters."""
    values = {
        key: ",".join(map(str, part)) if isinstance(part, list) else str(part)
        for key, part in design.items()
    }
    kind = values.pop("kind")
    return ", ".join([kind, *(f"{key} = {value}" for key, value in values.items())])


_ENTRIES: dict[str, tuple[Text, Callable[[Any], str]]] = {
    "n": (T.RESPONDENTS, count_words),
    "margin": (T.MARGIN, _four_digits),
    "margin_from_sums": (T.MARGIN_FROM_SUMS, _four_digits),
    "design_effect": (T.DESIGN_EFFECT, _four_digits),
    "effective_n": (T.EFFECTIVE, lambda people: f"{people:,.0f}"),
    "power": (T.POWER, digits(6)),
    "epsilon": (T.EPSILON, epsilon_up),
    "epsilon_for_margin": (T.EPSILON_FOR_MARGIN, epsilon_up),
    "epsilon_for_belief": (T.EPSILON_FOR_BELIEF, epsilon_down),
    "epsilon_for_odds": (T.EPSILON_FOR_ODDS, epsilon_down),
    "prevalence": (T.EXPECTED_TRAIT, digits(6)),
    "share_looked_at": (T.EXPECTED_LOOKED_AT, digits(6)),
    "mean": (T.EXPECTED_MEAN, digits(6)),
    "share": (T.POPULATION_SHARE, digits(6)),
    "unstratified_margin": (T.UNSTRATIFIED, _four_digits),
    "design": (T.DESIGN, design_words),
    "needed": (T.DEVICE, str),
    "note": (T.NOTE, str),
    "look": (T.LOOKED_AT, count_words),
    "lowest_belief": (T.LOWEST_BELIEF, lambda belief: digits(6)(rounded_down(belief, 6))),
    "highest_belief": (T.HIGHEST_BELIEF, lambda belief: digits(6)(rounded_up(belief, 6))),
    "beats_direct_from": (T.BEATS_DIRECT, count_words),
    "needs": (T.NEEDS, joined),
}
"""What each entry is called, and how it is rounded: a bound so that it still is one."""

_ROWS = {"strata": (T.STRATA, T.STRATUM), "questions": (T.QUESTIONS, T.QUESTION)}
"""Entries of several rows: their heading, and what one is called."""

_NONE = {"beats_direct_from": T.NEVER, "epsilon": T.INFINITE}
"""What is said where there is no number."""

_SHOWN = 4
"""Most devices within an epsilon that are shown; JSON has them all."""


def plan_facts(
    content: Mapping[str, Any],
    hidden: Collection[str] = (),
    labels: Mapping[str, str] | None = None,
) -> Iterator[Fact]:
    """Yields the entries of a plan as facts.

    Args:
        content: The entries by their names in JSON.
        hidden: Those that only JSON has.
        labels: What some are called here.
    """
    for name, value in content.items():
        if name in _ROWS:
            heading, one = _ROWS[name]
            yield Fact(name, several(_numbered(one(), value)), heading())
        elif name in hidden or name not in _ENTRIES:
            yield Fact(name, value)
        else:
            text, words = _ENTRIES[name]
            yield Fact(name, value, (labels or {}).get(name) or text(), words)
        if value is None and name in _NONE:
            yield Fact("", _NONE[name](), _ENTRIES[name][0]())
    margins = ({"margin": margin} for margin in content.get("margins", ()))
    yield Fact("", several(_numbered(T.ANSWER(), margins)), T.MARGINS())
    devices = several(map(_device_facts, _device_rows(content)))
    if devices:
        yield Fact("", devices, T.DEVICES())


def _numbered(label: str, rows: Any) -> Iterator[Facts]:
    for number, row in enumerate(rows, start=1):
        yield Facts.of(Fact("", number, label, count_words), *plan_facts(row))


def _device_rows(content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The best devices and the nearest above the epsilon; or the chosen one beside the exact."""
    if "device" in content:
        chosen, named = content["device"], {"name": "", "needed": T.NEXT_CHANCES()}
        above = [] if chosen["next_above"] is None else [chosen["next_above"] | named]
        return [chosen, *above, content["exact"] | {"name": "", "needed": T.EXACT_PARAMETERS()}]
    rows = content.get("devices", ())
    kept = [row for row in rows if row["keeps_epsilon"]]
    return [*kept[:_SHOWN], *[row for row in rows if not row["keeps_epsilon"]][:1]]


def _device_facts(row: Mapping[str, Any]) -> Facts:
    epsilon = T.INFINITE() if row["epsilon"] is None else epsilon_up(row["epsilon"])
    costs = (
        Fact("", row.get(name), _ENTRIES[name][0](), _ENTRIES[name][1])
        for name in ("n", "margin", "power")
    )
    return Facts.of(
        Fact("", row["name"], T.NAME()),
        Fact("", row["needed"], T.DEVICE()),
        Fact("", design_words(row["design"]).partition(", ")[2], T.PARAMETERS()),
        Fact("", epsilon, T.EPSILON()),
        *costs,
    )


def device_notes(content: Mapping[str, Any]) -> Iterator[str]:
    """Yields sentences on the devices of a plan, such as the rule of the chosen one."""
    if "no_device" in content:
        yield T.NO_DEVICE(why=content["no_device"])
    if "device" in content:
        if not content["device"]["keeps_epsilon"]:
            yield T.EXCEEDS()
        yield from content["device"]["rule"]
    if "devices" in content:
        rows: Sequence[Mapping[str, Any]] = content["devices"]
        yield T.TAKE_DEVICE()
        left = len(rows) - len(_device_rows(content))
        if left:
            yield T.MORE_DEVICES(count=left)
