"""A design in words: its name with the device, and what a respondent does with it."""

from __future__ import annotations

from fractions import Fraction
from math import exp

from PySide6.QtCore import QCoreApplication

from dpdesk.designs import Design, YesNoDesign, designs_of
from dpdesk.designs.forced import Forced
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.instructions import device_for
from dpdesk.designs.probability import probability_text
from dpdesk.designs.unrelated import Unrelated
from dpdesk.designs.warner import WarnerDesign
from dpdesk.preview import at_most, fraction_text
from dpdesk.report.number_text import epsilon_up

_HALF = Fraction(1, 2)
_LONG = 1000
_LARGEST = 20.0
"""Epsilon up to which the factor is written out."""

BINARY_KINDS = designs_of(YesNoDesign)  # type: ignore[type-abstract]  # designs are looked for, not made
"""Designs of a question that is answered with yes or no; others have a card of their own."""


def tr(text: str) -> str:
    """Words of a design in the language of the window."""
    return QCoreApplication.translate("Design", text)


def design_title(design: Design) -> str:
    """The name, with the device where it is the usual one: Warner, two coins; or the mechanism."""
    program = None if design.as_shares is None else design.as_shares.program
    if program is not None:
        return tr("{mechanism}, by a program").format(mechanism=tr(program.mechanism.short))
    if not design.device or design != type(design).example():
        return tr(design.title)
    return tr("{design}, {device}").format(design=tr(design.title), device=tr(design.device))


def rival_title(design: YesNoDesign) -> str:
    """The name of a design that others are compared with; its parameters where it has them."""
    if isinstance(design, Unrelated):
        return f"{tr(design.title)}, q = {chance_text(design.q)}"
    return design_title(design)


def chance_text(chance: Fraction) -> str:
    """A chance as people write it: ⅙, 2/3, or 0.750261 where the fraction says little.

    In full: a device with a rounded chance would have another epsilon.
    """
    if chance.numerator == 1:
        return fraction_text(chance.denominator)
    if chance.denominator <= 60:
        return str(chance)
    return probability_text(chance)


def device_words(design: Design) -> str:
    """What a respondent does, with things at hand where they have exactly these chances."""
    program = None if design.as_shares is None else design.as_shares.program
    if program is not None:
        return tr(program.mechanism.summary)
    if isinstance(design, ForcedCategories):
        truth = 1 - sum(design.orders, Fraction(0))
        return tr("{summary} The truth has chance {truth}.").format(
            summary=tr(design.summary), truth=chance_text(truth)
        )
    if isinstance(design, WarnerDesign):
        words = _warner_words(design.p)
    elif isinstance(design, Forced) and design.forced_no == design.forced_yes == Fraction(1, 6):
        words = tr("Throw a die unseen. 1: say no. 6: say yes. 2 to 5: answer truthfully.")
    else:
        words = ""
    return words or tr(design.summary)


def _warner_words(p: Fraction) -> str:
    if p == Fraction(3, 4):
        return tr(
            "Heads: answer truthfully. Tails: toss again and answer yes on heads, no on tails."
        )
    device = device_for(p)
    if device is None or p == _HALF:
        return tr("The device asks the question itself with chance {p}, else its opposite.").format(
            p=chance_text(p)
        )
    rare, usual = tr("answer the opposite"), tr("Else answer truthfully.")
    if p < _HALF:
        rare, usual = tr("answer truthfully"), tr("Else answer the opposite.")
    return tr("If {outcome}: {rare}. {usual}").format(
        outcome=tr(device.outcome), rare=rare, usual=usual
    )


def with_unit(words: str, unit: str) -> str:
    """Words for a number with its unit in brackets; without them where it has none."""
    return f"{words} ({unit})" if unit else words


def typed_value(value: object) -> str:
    """A parameter as one types it: 3/4, or 0.817574; several with commas, rows with semicolons.

    In a list, a fraction without an end as a decimal, which follows from an epsilon, is rounded.
    """
    if isinstance(value, tuple):
        between = "; " if value and isinstance(value[0], tuple) else ", "
        return between.join(map(_typed_part, value))
    if isinstance(value, Fraction):
        return probability_text(value)
    return f"{value:,.9g}" if isinstance(value, float | int) else str(value)


def _typed_part(value: object) -> str:
    exact = typed_value(value)
    if isinstance(value, Fraction) and "/" in exact and value.denominator > _LONG:
        return f"{value.numerator / value.denominator:.6f}"
    return exact


def ratio_words(epsilon: float) -> str:
    """e^ε, rounded up so that "at most" holds; as a power where it has many digits."""
    return f"e^{epsilon_up(epsilon)}" if epsilon > _LARGEST else at_most(exp(epsilon))
