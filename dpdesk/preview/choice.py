"""The mechanisms that fit, side by side, and why the best one is the best."""

from __future__ import annotations

from dpdesk.cost import format_epsilon
from dpdesk.mechanisms import Candidate, Order, candidate, ranked
from dpdesk.mechanisms.choice import ordered
from dpdesk.preview.digits import error_text, significant
from dpdesk.preview.request import PreviewRequest


def choice_view(request: PreviewRequest, by: Order = "total") -> tuple[Candidate, ...]:
    """Returns every mechanism that fits a request at its epsilon, the best one first.

    The mechanism in force is among them with its own parameters, also where it has another
    setting than the one proposed or cannot be proposed.

    Args:
        request: What is asked for; errors are for its strategy and expected distribution.
        by: What is compared: the total error, or n Var*.
    """
    domain, mechanism = request.domain, request.mechanism
    expected, sampling = request.expected, request.sampling
    epsilon = mechanism.epsilon
    found = ranked(domain, epsilon, expected=expected, by=by, sampling=sampling)
    if any(judged.mechanism == mechanism for judged in found):
        return found
    return ordered([*found, candidate(mechanism, domain, expected, sampling)], by)


def explain_choice(request: PreviewRequest, by: Order = "total") -> str:
    """Returns in one or two sentences why the first of `choice_view` is the first."""
    found = choice_view(request, by)
    best, epsilon = found[0], format_epsilon(request.mechanism.epsilon)
    if len(found) == 1:
        return f"{best.mechanism.short} is the only mechanism that fits."
    second = found[1]
    if by == "var_star":
        figure, other = (significant(c.noise_constant, 4) for c in (best, second))
        criterion = "the least n Var*"
    else:
        errors = (c.error_95(request.respondents) for c in (best, second))
        figure, other = (error_text(error, request.unit) for error in errors)
        criterion = "the least 95 % error"
    return (
        f"{best.mechanism.short} has {criterion} at ε = {epsilon} of the {len(found)} mechanisms "
        f"that fit: {figure}; next is {second.mechanism.short} with {other}."
    )
