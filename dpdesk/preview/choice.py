"""The mechanisms that fit, side by side, and why the best one is the best."""

from __future__ import annotations

from functools import lru_cache

from dpdesk.cost import format_epsilon
from dpdesk.i18n import in_a_row
from dpdesk.mechanisms import Candidate, Order, candidate, ranked
from dpdesk.mechanisms.choice import figure_of, ordered
from dpdesk.numbers.digits import significant
from dpdesk.preview.request import CACHED_VIEWS, PreviewRequest
from dpdesk.preview.texts import T

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
    """Returns why the first of `choice_view` is the first."""
    found = choice_view(request, by)
    if not found:
        return T.NO_MECHANISM()
    best = found[0]
    if len(found) == 1:
        return T.ONLY_MECHANISM(mechanism=best.mechanism.short)
    alike = [judged for judged in found if figure_of(judged, by) == figure_of(best, by)]
    second = found[len(alike)] if len(alike) < len(found) else best
    figure, other = _distinct_figures(best, second, request, by)
    least = T.LEAST_VARIANCE if by == "var_star" else T.LEAST_ERROR
    said: list[str] = [
        least(
            count=len(found),
            epsilon=format_epsilon(request.mechanism.epsilon),
            figure=figure,
            mechanisms=[judged.mechanism.short for judged in alike],
        )
    ]
    if by != "var_star":
        said.append(_supposed(request))
    if second is not best:
        said.append(T.NEXT_BEST(mechanism=second.mechanism.short, figure=other))
        plainest = min(found, key=lambda judged: len(judged.losses))
        if len(plainest.losses) < len(best.losses) and plainest is not second:
            figure = _figure(plainest, request, by, _DIGITS)
            said.append(T.EASIER(mechanism=plainest.mechanism.short, figure=figure))
    return in_a_row(said)


def _supposed(request: PreviewRequest) -> str:
    """Which answers the compared errors are for; no data are looked at."""
    if request.domain.holds_numbers:
        return T.EVENLY_SPREAD()
    return T.OVER_EXPECTED() if request.expected else T.EQUALLY_COMMON()


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
