"""A design in words: its name with the device, and what a respondent does with it."""

from __future__ import annotations

from fractions import Fraction
from math import exp

from PySide6.QtCore import QCoreApplication

from dpdesk.designs import Design, Parameter
from dpdesk.designs.base import Phrase
from dpdesk.designs.probability import parameter_text, probability_text
from dpdesk.i18n import N_
from dpdesk.numbers.digits import epsilon_up
from dpdesk.preview import at_most, belief_text, fraction_text, significant
from dpdesk.report.survey.words import LARGEST_WRITTEN

_LONGEST_DENOMINATOR = 60
_SYMBOL_LENGTH = 2
_HALF = 0.5
_SMALL = 0.1
"""Beliefs below are given with two digits, so that what a no does to a small share shows."""

_SHORT = {
    "chance that the answer reported is the true one, not its opposite": N_(
        "chance of a true report"
    ),
    "chance that the device asks the question itself": N_("chance of the question"),
    "chance that a respondent has the innocent trait": N_("chance of the innocent trait"),
    "chance that the device asks the sensitive question": N_("chance of the question"),
    "share of yes to the innocent question": N_("share of innocent yes"),
    "share of yes to the innocent question, for planning": N_("share of innocent yes"),
    "chance of the sensitive question in the first group": N_("the question, group 1"),
    "chance of the sensitive question in the second group": N_("the question, group 2"),
    "chance that the device orders no": N_("chance of a forced no"),
    "chance that the device orders yes": N_("chance of a forced yes"),
    "share of red beads in the bag of carriers": N_("red beads, carriers"),
    "share of red beads in the other bag": N_("red beads, others"),
    "number of beads drawn, with replacement": N_("beads drawn"),
    "chance that the first device orders the truth": N_("first device: the truth"),
    "chance that the second device asks the question itself": N_("second: the question"),
    "chance of a forced yes in the first group": N_("forced yes, group 1"),
    "chance of a forced no in the first group": N_("forced no, group 1"),
    "chance of a forced yes in the second group": N_("forced yes, group 2"),
    "chance of a forced no in the second group": N_("forced no, group 2"),
    "chance that the device lets non-carriers be truthful, first group": N_("truth, group 1"),
    "chance that the device lets non-carriers be truthful, second group": N_("truth, group 2"),
    "chance of the innocent trait in the first group": N_("innocent trait, group 1"),
    "chance of the innocent trait beside the question": N_("trait with the question"),
    "chance of the innocent trait beside the anchor": N_("trait with the anchor"),
    "number of innocent items on both lists": N_("innocent items"),
    "law of the drawn number": N_("law of the number"),
    "scale b of Laplace's law, or half the width of the uniform one": N_("scale, or half width"),
    "mean of the drawn number": N_("mean drawn"),
    "law of the multiplier: its logarithm is Laplace's, or it is uniform": N_(
        "law of the multiplier"
    ),
    "scale of the logarithm, less than 1/2; or half the width of the uniform law around 1, "
    "less than 1": N_("scale, or half width"),
    "chance that the true number is said": N_("chance of the truth"),
    "chances of the answers said, one row for each true answer, such as 4/5,1/5;1/5,4/5": N_(
        "chances said, a row per true answer"
    ),
    "chance of each number, from 1 to m": N_("chance per number"),
    "chance of each order, one per answer": N_("chance of each order, one per answer"),
}
"""Full titles of the designs' parameters and their short ones."""


def tr(text: str) -> str:
    """Words of a design in the language of the window."""
    return QCoreApplication.translate("Design", text)


def phrase_text(phrase: Phrase) -> str:
    """Words of a design with what stands in their places."""
    words, places = phrase
    return tr(words).format(
        **{
            name: chance_text(value) if isinstance(value, Fraction) else tr(value)
            for name, value in places.items()
        }
    )


def design_title(design: Design) -> str:
    """The name, with the device where it is the usual one: Warner, two coins; or the mechanism."""
    return phrase_text(design.list_name)


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
    words = tr(_SHORT.get(parameter.title, parameter.title))
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
