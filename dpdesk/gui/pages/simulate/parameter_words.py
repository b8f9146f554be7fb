"""Names of parameters that are short enough to stand beside their fields."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesk.designs import Parameter
from dpdesk.i18n import N_

_SYMBOL_LENGTH = 2

_SHORT = {
    "chance that the device asks the question itself and not its opposite": N_(
        "chance of the question"
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
    "share of red cards in the deck of carriers": N_("red cards, carriers"),
    "share of red cards in the other deck": N_("red cards, others"),
    "number of cards drawn, with replacement": N_("cards drawn"),
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
    "mean of the drawn number": N_("mean of the number"),
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


def parameter_label(parameter: Parameter) -> str:
    """What stands beside the field: the symbol, if it has one, and a few words.

    The tooltip and the accessible name have the full title.
    """
    words = QCoreApplication.translate("Design", _SHORT.get(parameter.title, parameter.title))
    if len(parameter.name) <= _SYMBOL_LENGTH:
        return f"{parameter.name}: {words}"
    return f"{words[0].upper()}{words[1:]}"
