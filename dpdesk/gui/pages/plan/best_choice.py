"""Why a mechanism was chosen: the errors of the alternatives, in the attribute's unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication

from dpdesk.cost import short_epsilon
from dpdesk.gui.pages.plan.words import error_caption
from dpdesk.gui.verdict_words import verdict_word
from dpdesk.i18n import first_names
from dpdesk.mechanisms import Mechanism, best_of
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.outlook import BetterStrategy
from dpdesk.plan.protection import DEFAULT_EPSILON, best_mechanism
from dpdesk.plan.remedies import cheapest_remedy
from dpdesk.plan.usefulness import usefulness_of_column
from dpdesk.preview import PreviewRequest, choice_view, error_text, figures, request_for

_NAMED_MAX = 3


def _tr(text: str) -> str:
    return QCoreApplication.translate("PlanPage", text)


@dataclass(frozen=True, slots=True)
class Choice:
    """A mechanism that took the place of another.

    Attributes:
        name: The column.
        old, new: Short names of the mechanisms.
        old_error, new_error: Their 95 % errors in print.
    """

    name: str
    old: str
    new: str
    old_error: str
    new_error: str


@dataclass(frozen=True, slots=True)
class Advice:
    """How the mechanism in force compares with the others that fit.

    Attributes:
        text: One or two sentences.
        better: The mechanism of least error, where that is not the one in force; else None.
    """

    text: str
    better: Mechanism | None


def best_choices(before: Plan, after: Plan) -> tuple[Choice, ...]:
    """Returns the columns whose mechanism differs between two plans of the same columns."""
    changed = []
    for old, new in zip(before.columns, after.columns, strict=True):
        if old.mechanism is None or new.mechanism is None or old.mechanism == new.mechanism:
            continue
        errors = (_error_of(before, old), _error_of(after, new))
        changed.append(Choice(new.name, old.mechanism.short, new.mechanism.short, *errors))
    return tuple(changed)


def reasons(choices: Sequence[Choice], protected: int, better: BetterStrategy | None = None) -> str:
    """Returns what was chosen anew and why, as sentences.

    Args:
        choices: What was chosen.
        protected: Number of protected attributes.
        better: A strategy with smaller errors, where there is one.
    """
    if better is not None:
        said = better.sentence.replace("± ", "±\u00a0")
        return f"{reasons(choices, protected)} {said}" if choices else said
    if not choices:
        return _tr(
            "Nothing to change: every unlocked attribute has the mechanism of least error at its ε."
        )
    template = _tr("{name} takes {new} ({new_error}) instead of {old} ({old_error})")
    named = [
        template.format(
            name=c.name, new=c.new, new_error=c.new_error, old=c.old, old_error=c.old_error
        )
        for c in choices
    ]
    listed = first_names(named, _NAMED_MAX, more=_tr("{names}; and {count} more"), between="; ")
    head = _tr("{count} of {protected} mechanisms changed, to the least error at the same ε:")
    head = head.format(count=f"{len(choices):,}", protected=f"{protected:,}")
    # A sign must not end a line that its number does not begin.
    return f"{head} {listed}.".replace("± ", "±\u00a0")


def advice_on(request: PreviewRequest, *, answers_only: bool = False) -> Advice:
    """Returns how the mechanism of a request compares with the others that fit.

    Args:
        request: What is asked for.
        answers_only: Whether only reports that are answers of the same column are wanted.
    """
    found = choice_view(request)
    if not found:
        return Advice(_tr("No mechanism that fits can be used under this strategy."), None)
    best, own = best_of(found, answers_only=answers_only) or found[0], request.mechanism
    in_force = next((judged for judged in found if judged.mechanism == own), None)
    if in_force is None:
        text = _tr("This strategy cannot use {own}; {best} has the smallest error that it allows.")
        text = text.format(own=own.short, best=best.mechanism.short)
        return Advice(text, best.mechanism)
    if not own.adjustable:
        return Advice(_tr("Its ε follows from its parameters; it is never proposed."), None)
    is_least = in_force.half_width <= found[0].half_width * (1 + 1e-9)
    if is_least and (in_force.is_answer or not best.is_answer):
        if len(found) == 1:
            return Advice(_tr("The only mechanism that fits."), None)
        text = _tr("The least error at this ε of the {count} mechanisms that fit.")
        return Advice(text.format(count=len(found)), None)
    if in_force == best:
        text = _tr("The least error at this ε of those whose report is an answer of the column.")
        return Advice(text, None)
    if in_force.half_width <= best.half_width:
        text = _tr("{best} has nearly the same error at this ε, and its report is an answer.")
        if answers_only:
            text = _tr("{best} keeps the form of the file: its report is an answer.")
        return Advice(text.format(best=best.mechanism.short), best.mechanism)
    other = figures(replace(request, mechanism=best.mechanism))
    text = _tr("{best} has a smaller error at this ε: {error}.").format(
        best=best.mechanism.short, error=other.told
    )
    if own.in_its_favour:
        text += " " + QCoreApplication.translate("Mechanism", own.in_its_favour)
    return Advice(text, best.mechanism)


def worth_on(plan: Plan, column: ColumnPlan) -> str:
    """Returns why the estimates of a column are not useful, with the cheapest remedy.

    Nothing where they are useful, and for a column that nothing fitting protects.
    """
    found = usefulness_of_column(column, plan.sampling, plan.judged_respondents)
    if found is None or found.verdict == "useful":
        return ""
    remedy = cheapest_remedy(plan, column.name)
    shares, verdict = found.shares, verdict_word(found.verdict).capitalize()
    reason = found.told if shares is None or not shares.is_mixed else shares.words
    said = _tr("{verdict}: {reason}").format(verdict=verdict, reason=f"{reason}.")
    if remedy is not None:
        said = f"{said} {remedy.sentence}"
    return said.replace("± ", "±\u00a0")


def price_of_protection(plan: Plan, column: ColumnPlan) -> str:
    """Returns what error an unprotected column would have if it were protected.

    Args:
        plan: The plan, which states the respondents and the strategy.
        column: One of its columns, not protected.
    """
    epsilon = DEFAULT_EPSILON if column.mechanism is None else column.mechanism.epsilon
    sampling = replace(plan.sampling, attributes=len(plan.protected) + 1)
    best = best_mechanism(column, sampling, epsilon, answers_only=plan.wanted.answers_only)
    if best is None:
        return ""
    protected = column.model_copy(update={"role": "protect", "mechanism": best})
    request = request_for(protected, plan.judged_respondents, sampling=sampling)
    if request is None:
        return ""
    found = figures(request)
    template = _tr(
        "Protected by {short} at ε = {epsilon}, the {what} would be {error}; without protection, "
        "sampling alone leaves {sampling}."
    )
    if request.domain.holds_numbers:
        template = _tr(
            "Protected by {short} at ε = {epsilon}, the {what} would be {error}; without "
            "protection, sampling alone leaves {sampling} of answers spread evenly over the bounds."
        )
    return template.format(
        short=best.short,
        epsilon=short_epsilon(epsilon),
        what=error_caption(request),
        error=found.told,
        sampling=error_text(found.sampling, found.unit),
    ).replace("± ", "±\u00a0")


def _error_of(plan: Plan, column: ColumnPlan) -> str:
    request = request_for(column, plan.judged_respondents, sampling=plan.sampling)
    if request is None:
        return "—"
    return figures(request).told
