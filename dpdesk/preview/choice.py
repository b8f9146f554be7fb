"""The mechanisms that fit, side by side, and why the best one is the best."""

from __future__ import annotations

from functools import lru_cache

from dpdesk.cost import format_epsilon
from dpdesk.mechanisms import Candidate, Order, candidate, ranked
from dpdesk.mechanisms.choice import figure_of, ordered
from dpdesk.numbers.digits import significant
from dpdesk.preview.request import CACHED_VIEWS, PreviewRequest

_DIGITS = 2
_DIGITS_MOST = 4


@lru_cache(maxsize=CACHED_VIEWS)
def choice_view(request: PreviewRequest, by: Order = "total") -> tuple[Candidate, ...]:
    """Returns every mechanism that fits a request at its epsilon, the best one first.

    The current mechanism is among them with its own parameters, even if they differ from the
    proposed ones or it cannot be proposed. It is left out if the strategy cannot use it, so the
    result may be empty.

    Args:
        request: What is asked for; errors are for its strategy and expected distribution.
        by: What is compared: the total error, or n Var*.
    """
    domain, mechanism = request.domain, request.mechanism
    expected, sampling = request.expected, request.sampling
    epsilon = mechanism.epsilon
    found = ranked(domain, epsilon, expected=expected, by=by, sampling=sampling)
    proposed = any(judged.mechanism == mechanism for judged in found)
    if proposed or not sampling.serves(type(mechanism)):
        return found
    return ordered([*found, candidate(mechanism, domain, expected, sampling)], by)


def explain_choice(request: PreviewRequest, by: Order = "total") -> str:
    """Returns in one or two sentences why the first of `choice_view` is the first."""
    found = choice_view(request, by)
    if not found:
        return "No mechanism that fits can be used under this strategy."
    best, epsilon = found[0], format_epsilon(request.mechanism.epsilon)
    if len(found) == 1:
        return f"{best.mechanism.short} is the only mechanism that fits."
    criterion = "the least n Var*" if by == "var_star" else "the least 95 % error"
    head = (
        f"{best.mechanism.short} has {criterion} at ε = {epsilon} of the {len(found)} mechanisms "
        f"that fit{_supposed(request, by)}:"
    )
    equals = [judged for judged in found[1:] if figure_of(judged, by) == figure_of(best, by)]
    if len(equals) == len(found) - 1:
        return f"{head} {_figure(best, request, by, _DIGITS)}, which all others have too."
    second = found[1 + len(equals)]
    figure, other = _distinct_figures(best, second, request, by)
    same = "".join(f", as {judged.mechanism.short}" for judged in equals)
    text = f"{head} {figure}{same}; next is {second.mechanism.short} with {other}."
    plainest = min(found, key=lambda judged: len(judged.losses))
    if len(plainest.losses) == len(best.losses) or plainest is second:
        return text
    figure = _figure(plainest, request, by, _DIGITS)
    return f"{text} {plainest.mechanism.short}, which asks less of an analyst, has {figure}."


def _supposed(request: PreviewRequest, by: Order) -> str:
    """Which answers the compared errors are for; no data are looked at."""
    if by == "var_star":
        return ""
    if request.domain.holds_numbers:
        return ", if answers are spread evenly"
    return (
        ", over the expected answers" if request.expected else ", if each answer is equally common"
    )


def _distinct_figures(
    best: Candidate, second: Candidate, request: PreviewRequest, by: Order
) -> tuple[str, str]:
    """Two numbers as texts, with as many digits as it takes to distinguish them, at most four."""
    for digits in range(_DIGITS, _DIGITS_MOST):
        figures = [_figure(judged, request, by, digits) for judged in (best, second)]
        if figures[0] != figures[1]:
            return figures[0], figures[1]
    return _figure(best, request, by, _DIGITS_MOST), _figure(second, request, by, _DIGITS_MOST)


def _figure(judged: Candidate, request: PreviewRequest, by: Order, digits: int) -> str:
    if by == "var_star":
        return significant(judged.noise_constant, digits)
    error = significant(judged.error_95(request.respondents), digits)
    return f"± {error} {request.unit}".strip()
