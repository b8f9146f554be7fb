"""A design in words: its name with the device, and what a respondent does with it."""

from __future__ import annotations

from fractions import Fraction
from math import exp

from PySide6.QtCore import QCoreApplication

from dpdesk.designs import Design, Parameter
from dpdesk.designs.probability import parameter_text, probability_text
from dpdesk.numbers.digits import epsilon_up
from dpdesk.preview import at_most, belief_text, fraction_text, significant
from dpdesk.reports.survey.words import LARGEST_WRITTEN

_LONGEST_DENOMINATOR = 60
_SYMBOL_LENGTH = 2
_HALF = 0.5
_SMALL = 0.1
"""Beliefs below are given with two digits, so that what a no does to a small share shows."""


def tr(text: str) -> str:
    """Words of a design in the language of the window."""
    return QCoreApplication.translate("Design", text)


def design_cells(design: Design) -> tuple[str, str]:
    """The kind of a design and its parameters, for a file."""
    values = ((p.name, getattr(design, p.name)) for p in design.parameters())
    shown = (
        f"{name}={':'.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in values
    )
    return design.kind, ", ".join(shown)


def chance_text(chance: Fraction) -> str:
    """A chance as people write it: ⅙, 2/3, or 0.750261 where the fraction says little.

    In full: a device with a rounded chance would have another epsilon.
    """
    if chance.numerator == 1 < chance.denominator:
        return fraction_text(chance.denominator)
    if chance.denominator <= _LONGEST_DENOMINATOR:
        return str(chance)
    return probability_text(chance)


def typed_value(value: object) -> str:
    """A parameter as one types it in the window, its thousands parted."""
    if isinstance(value, float | int):
        return f"{value:,.9g}"
    return parameter_text(value, rounded=True)


def with_unit(words: str, unit: str) -> str:
    """Words for a number with its unit in brackets; without them where it has none."""
    return f"{words} ({unit})" if unit else words


def sentence_text(words: str) -> str:
    """Words of a design as a sentence of their own."""
    said = tr(words)
    return f"{said[0].upper()}{said[1:]}."


def parameter_label(parameter: Parameter) -> str:
    """What stands beside the field: the symbol, if it has one, and a few words.

    The tooltip and the accessible name have the full title.
    """
    words = tr(parameter.short)
    if len(parameter.name) <= _SYMBOL_LENGTH:
        return f"{parameter.name}: {words}"
    return f"{words[0].upper()}{words[1:]}"


def ratio_words(epsilon: float) -> str:
    """e^ε, rounded up so that "at most" holds; as a power where it has many digits."""
    return f"e^{epsilon_up(epsilon)}" if epsilon > LARGEST_WRITTEN else at_most(exp(epsilon))


def belief_words(belief: float) -> str:
    """A belief in per cent; the certainty that a proof gives is printed as such."""
    if belief in {0.0, 1.0}:
        return f"{100 * belief:.0f} %"
    return belief_text(belief) if belief > _HALF else f"{significant(100 * belief, 2)} %"


def carrier_belief(belief: float) -> str:
    """A belief with two digits where it is small; 0 and 1 are proofs, not rounded beliefs."""
    return belief_words(belief) if belief in {0.0, 1.0} or belief < _SMALL else belief_text(belief)
