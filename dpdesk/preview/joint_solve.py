"""From the errors that one can live with, attribute by attribute, to a plan of least epsilon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from dpdesk.cost import EPSILON_MAX
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import Mechanism, candidate, proposed
from dpdesk.plan import Plan, mechanism_at
from dpdesk.preview.choice import choice_view
from dpdesk.preview.digits import error_text
from dpdesk.preview.request import PreviewRequest, request_for
from dpdesk.preview.solve import LAST_RUNG, epsilon_at, least_rung

_NAMED_MAX = 5


def plan_for_errors(plan: Plan, targets: Mapping[str, float]) -> Plan:
    """Returns the plan of least total epsilon whose 95 % errors are not above the targets.

    Each attribute takes the least epsilon, of three digits, at which some mechanism reaches its
    target, and the best mechanism there. An attribute's error depends on its own epsilon alone,
    and the loss of the record (the sum, or the largest where one attribute is drawn) grows with
    each of them; so no other plan that meets the targets loses less, but for the digits.
    Attributes without a target stay as they are, and so does the budget.

    Args:
        plan: A plan.
        targets: The error of each named attribute, in pp for shares and in the attribute's unit
            for a mean. It is that of the number of respondents that the plan states.

    Raises:
        ParameterError: A name is not that of a protected attribute with a domain, an error is
            not above 0, or some errors are out of reach; the message names all of these.
    """
    solved, unreachable = plan, []
    for name, half_width in targets.items():
        request = _request(plan, name)
        if not half_width > 0:
            raise ParameterError(
                f"The error of {name} must be above 0.", remedy="Type a larger error, such as 2."
            )
        floor = _floor(request)
        if floor > half_width:
            unreachable.append(f"{name} ({error_text(floor, request.unit)} at the least)")
            continue
        solved = solved.with_column(name, mechanism=_least(request, half_width))
    if unreachable:
        named = "; ".join(unreachable[:_NAMED_MAX])
        more = len(unreachable) - _NAMED_MAX
        tail = f"; and {more} more" if more > 0 else ""
        raise ParameterError(
            f"No epsilon reaches the error of {named}{tail}.",
            remedy="Allow a larger error, or ask more respondents.",
        )
    return solved


def _request(plan: Plan, name: str) -> PreviewRequest:
    column = next((c for c in plan.protected if c.name == name), None)
    domain = None if column is None else column.effective_domain
    if column is None or domain is None:
        raise ParameterError(
            f"{name} is no protected attribute with a domain.",
            remedy="Name attributes that the plan protects.",
        )
    asked = request_for(column, plan.respondents, sampling=plan.sampling)
    own = None if asked is None else type(asked.mechanism)
    if asked is not None and own is not None and own.adjustable and plan.sampling.serves(own):
        return asked
    # What is in force, if anything, cannot be used: begin with any mechanism that can.
    for mechanism in proposed(domain, Decimal(1), plan.sampling):
        begun = column.model_copy(update={"mechanism": mechanism})
        asked = request_for(begun, plan.respondents, sampling=plan.sampling)
        if asked is not None:
            return asked
    raise ParameterError(
        f"No mechanism of this strategy can protect {name}.",
        remedy="Choose another strategy for the plan, or leave the attribute out.",
    )


def _floor(request: PreviewRequest) -> float:
    """The least error that any of the mechanisms has at the largest epsilon."""
    at_most = proposed(request.domain, EPSILON_MAX, request.sampling)
    errors = (
        candidate(m, request.domain, request.expected, request.sampling).error_95(
            request.respondents
        )
        for m in at_most
    )
    return min(errors)


def _least(request: PreviewRequest, half_width: float) -> Mechanism:
    """The best mechanism at the least epsilon that reaches an error which is within reach."""
    best, winner = LAST_RUNG + 1, request.mechanism
    # The best one first: the others are ruled out by a few looks, since they miss the error just
    # below the epsilon at which it reaches it.
    for judged in choice_view(request):
        asked = replace(request, mechanism=judged.mechanism)
        rung = least_rung(asked, half_width, best - 1)
        if rung is not None:
            best, winner = rung, judged.mechanism
    at_least = mechanism_at(winner, epsilon_at(best))
    return choice_view(replace(request, mechanism=at_least))[0].mechanism
