"""What an attack found: rates, sentences whose texts can be translated, remedies, a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dpdesk.i18n import N_
from dpdesk.numbers.digits import share_text

Phrase = tuple[str, Mapping[str, str]]
"""A text with placeholders in braces, marked for translation, and the values of these."""

Severity = Literal["danger", "warning", "success"]
"""How bad it is: the attack succeeds, it gains something, it gains next to nothing."""

_SUCCEEDS = 0.5
_GAINS = 0.02
_HARDLY = 0.8
"""A remedy that leaves more of the gain over guessing than this hardly helps."""


def said(text: str, **values: str | int) -> Phrase:
    """Returns a sentence with its values, the thousands of whole numbers parted.

    Args:
        text: The text, marked with `N_` where it is written.
        values: What stands for the words in braces.
    """
    shown = {
        name: value if isinstance(value, str) else f"{value:,}" for name, value in values.items()
    }
    return text, shown


_NAMED_MOST = 6


def names_text(names: Sequence[str]) -> str:
    """Returns names with commas between them; of many the first, and an ellipsis."""
    shown = ", ".join(names[:_NAMED_MOST])
    return shown if len(names) <= _NAMED_MOST else f"{shown}, …"


def in_words(phrase: Phrase) -> str:
    """Returns a sentence in the language of the source."""
    text, values = phrase
    return text.format(**values)


@dataclass(frozen=True)
class Remedy:
    """What may stop the attack, or hardly help.

    Attributes:
        words: What it is.
        success: The success of the attack then; None where it cannot be computed.
        at_least: Whether a cleverer attacker may have more success.
        before: The success of the same attacker without the remedy; None where that is the one
            that the attack found.
    """

    words: Phrase
    success: float | None = None
    at_least: bool = False
    before: float | None = None


@dataclass(frozen=True)
class Series:
    """One line or one row of bars of a picture.

    Attributes:
        name: What it shows.
        y: Its values.
        style: How it is drawn.
    """

    name: Phrase
    y: tuple[float, ...]
    style: Literal["line", "dashed", "bars"] = "line"


@dataclass(frozen=True)
class Picture:
    """The arrays of a picture.

    Attributes:
        title: What it shows.
        x_title, y_title: Titles of the axes.
        x: Positions, one for each value of a series.
        series: Lines or bars; all of one picture are of one style, beside dashed lines.
        labels: Texts below bars; empty where x is a number.
        log_x: Whether x is drawn by its logarithm.
        in_percent: Whether the values are shares, 0..1.
    """

    title: Phrase
    x_title: Phrase
    y_title: Phrase
    x: tuple[float, ...]
    series: tuple[Series, ...]
    labels: tuple[Phrase, ...] = ()
    log_x: bool = False
    in_percent: bool = True


@dataclass(frozen=True)
class Findings:
    """What an attack found; private to the holder of the data.

    Attributes:
        success: How often it is right, 0..1.
        baseline: How often an honest guess is right that does not need the release.
        headline: What it did to these data, in a few words.
        remedies: What may stop it, the most useful first.
        sentences: What happened, for people in a workshop.
        picture: What to draw.
        subject: What was attacked: the columns, the number of people.
        severity: How bad it is; by the gain over guessing where the attack does not say.
        figures: Further numbers by name, for programs.
        no_better: What is said of a remedy that leaves no more than the baseline.
        rates: What its two rates are; empty where the attack's own words hold.
        is_of_matches: Whether the success is that of unique matches, of which nobody knows how
            many are right: no guess compares with it.
    """

    success: float
    baseline: float
    headline: Phrase
    remedies: tuple[Remedy, ...]
    sentences: tuple[Phrase, ...]
    picture: Picture
    subject: Phrase
    severity: Severity = field(default="success")
    figures: Mapping[str, float] = field(default_factory=dict)
    no_better: str = N_("right in {share}, no better than guessing")
    rates: str = ""
    is_of_matches: bool = False


def effect(found: Findings, remedy: Remedy) -> Phrase | None:
    """Returns what a remedy does to the rate of an attack; None where that is not computed."""
    if remedy.success is None:
        return None
    share = share_text(remedy.success)
    if found.is_of_matches:
        if not remedy.success:
            return said(N_("no unique match"))
        if remedy.success > _HARDLY * found.success:
            return said(N_("unique matches for {share}, which hardly helps"), share=share)
        return said(N_("unique matches for {share}"), share=share)
    # One attacker is compared with the same one: another may see more, with the remedy as without.
    before = found.success if remedy.before is None else remedy.before
    left, gained = remedy.success - found.baseline, before - found.baseline
    if left <= 0 or share == share_text(found.baseline):
        return said(found.no_better, share=share)
    if gained > 0 and left > _HARDLY * gained:
        return said(N_("right in {share}, which hardly helps"), share=share)
    if remedy.at_least:
        return said(N_("right in {share} at least"), share=share)
    return said(N_("right in {share}"), share=share)


def severity_of(success: float, baseline: float) -> Severity:
    """Returns how bad a success is, by the share of what guessing leaves open that it closes."""
    gain = (success - baseline) / (1 - baseline) if baseline < 1 else 0.0
    if gain >= _SUCCEEDS:
        return "danger"
    return "warning" if gain >= _GAINS else "success"
