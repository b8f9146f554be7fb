"""Texts of the window about the strategy of a plan."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesk.cost import two_places
from dpdesk.i18n import N_
from dpdesk.plan import Plan, total_epsilon
from dpdesk.plan.losses import attribute_losses, nominal_epsilon

STRATEGY_WORDS = {
    "spl": N_("Report every answer (split)"),
    "smp": N_("One answer per respondent, named (sample)"),
    "rsfd": N_("One answer, the others faked (RS+FD)"),
    "rsrfd": N_("One answer, the others faked realistically (RS+RFD)"),
}
"""Every strategy of a plan, in the order in which lists show them."""

FAKES_WORDS = {
    "zeros": N_("fake bits from zeros"),
    "random": N_("fake bits from a random answer"),
}

_MEANINGS = {
    "spl": N_(
        "Each respondent reports every protected attribute. The losses of the attributes add up "
        "to the loss of the whole record."
    ),
    "smp": N_(
        "Each respondent reports one attribute, drawn at random, and says which. It may use the "
        "whole budget; all other cells of the row are empty."
    ),
    "rsfd": N_(
        "Each respondent randomizes one attribute, drawn at random, and reports made-up answers "
        "for all others. The release does not say which answer was real."
    ),
    "rsrfd": N_(
        "As with fakes (RS+FD), but with made-up answers drawn from the distribution that each "
        "attribute is expected to have."
    ),
}

_WHY_PAPERS_DIFFER = N_(
    "The papers name the ε at which two records that differ in one answer are compared if fakes "
    "are spread as evenly as reports. Two whole records can be told apart by every answer at once, "
    "so that dpdesk counts ln(d (e^ε − 1) + 1) for d attributes: that is what is charged."
)


_LOSSES = (
    N_("whole record ε = {epsilon}"),
    N_("one answer alone ε = {epsilon}"),
    N_("the papers call this ε = {epsilon}"),
)
_LOSSES_IN_SHORT = (N_("record ε = {epsilon}"), N_("answer {epsilon}"), N_("papers {epsilon}"))


def tr_plan(text: str) -> str:
    """Translates a text of the Plan page."""
    return QCoreApplication.translate("PlanPage", text)


def strategy_meaning(strategy: str) -> str:
    """Returns the description of a strategy in two sentences."""
    return tr_plan(_MEANINGS[strategy])


def is_faked(strategy: str) -> bool:
    """Whether a strategy reports made-up answers."""
    return strategy in ("rsfd", "rsrfd")


BETWEEN = " · "
"""What stands between the losses in short."""


def losses_texts(plan: Plan) -> tuple[str, str]:
    """Returns the losses of a respondent's whole record and of one answer, as texts.

    With fakes also the nominal epsilon of the publications. The second text is a shorter version.
    """
    if not any(column.mechanism is not None for column in plan.protected):
        return "", ""
    one = max(attribute_losses(plan).values())
    values = [two_places(total_epsilon(plan)), two_places(one)]
    if is_faked(plan.strategy):
        values.append(f"{nominal_epsilon(plan):.2f}")
    long, short = (
        [tr_plan(words).format(epsilon=value) for words, value in zip(named, values, strict=False)]
        for named in (_LOSSES, _LOSSES_IN_SHORT)
    )
    return "; ".join(long), BETWEEN.join(short)


def losses_reason(plan: Plan) -> str:
    """Returns the reason for the losses, and with fakes why the publications' ε differs."""
    meaning = strategy_meaning(plan.strategy)
    return f"{meaning}\n{tr_plan(_WHY_PAPERS_DIFFER)}" if is_faked(plan.strategy) else meaning
