"""From the error that one can live with to epsilon, of one attribute or of a whole plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from math import nan

from dpdesk.cost import EPSILON_MAX
from dpdesk.errors import ParameterError
from dpdesk.i18n import Message, first_names
from dpdesk.mechanisms import Mechanism, candidate, proposed
from dpdesk.numbers.digits import error_text
from dpdesk.plan import Plan, mechanism_at
from dpdesk.preview.choice import choice_view
from dpdesk.preview.request import PreviewRequest, Z, request_for
from dpdesk.preview.texts import T

# The epsilons of three digits are 900 for each power of ten: 0.000100, 0.000101 ... 40.0.
_DECADE = 900
_LEAST_POWER = -6
# More than the largest rise of an error (0.31, of the square wave on 20 points), and than the
# epsilons of three digits until the error is low again (192, of the square wave on 82).
_FAR = 1.35
_LOOKED_BELOW = 250
LAST_RUNG = 5 * _DECADE + 300
"""Number of the largest epsilon; the least one has number 0."""


def epsilon_for_error(request: PreviewRequest, half_width: float) -> Decimal:
    """Returns the least epsilon of three digits whose 95 % error is not above the one given.

    Args:
        request: Mechanism, domain and number of respondents; its own epsilon plays no part.
        half_width: The error, in pp for a share and in the attribute's unit for a mean.

    Raises:
        ParameterError: No epsilon reaches this error, it is not above 0, or the mechanism's
            epsilon cannot be chosen.
    """
    if not half_width > 0:
        raise ParameterError(T.BAD_ERROR())
    rung = least_rung(request, half_width, LAST_RUNG)
    if rung is None:
        raise ParameterError(_out_of_reach(request))
    return epsilon_at(rung)


def epsilon_at(rung: int) -> Decimal:
    """Returns the epsilon of three digits of a number from 0 to `LAST_RUNG`."""
    power, digits = divmod(rung, _DECADE)
    return Decimal(digits + 100).scaleb(power + _LEAST_POWER).normalize()


def least_rung(request: PreviewRequest, half_width: float, last: int) -> int | None:
    """Returns the number of the least epsilon, up to `last`, that reaches an error, or None.

    By bisection, since errors fall with epsilon. They rise by up to a third where a whole number
    inside a mechanism changes (members of a subset, grid points of a window); so smaller epsilons
    are checked too, as long as their error is near the one wanted.
    """
    missed, reached = -1, last + 1
    while reached - missed > 1:
        middle = (missed + reached) // 2
        # The epsilons that the mechanism's other parameters exclude are larger than those that they
        # allow.
        if not error_at(request, epsilon_at(middle)) > half_width:
            reached = middle
        else:
            missed = middle
    for rung in range(reached - 1, max(reached - _LOOKED_BELOW, 0) - 1, -1):
        error = error_at(request, epsilon_at(rung))
        if error > half_width * _FAR:
            break
        if error <= half_width:
            reached = rung
    found = reached <= last and error_at(request, epsilon_at(reached)) <= half_width
    return reached if found else None


def error_at(request: PreviewRequest, epsilon: Decimal) -> float:
    """Returns the 95 % error of a request's mechanism at another epsilon.

    NaN if the mechanism's other parameters exclude that epsilon.
    """
    try:
        mechanism = mechanism_at(request.mechanism, epsilon)
    except ValueError:
        if not request.mechanism.adjustable:
            raise
        return nan
    asked = replace(request, mechanism=mechanism)
    return Z * request.scale * asked.accuracy.total


def _out_of_reach(request: PreviewRequest) -> Message:
    if request.sampling.strategy != "spl":
        return T.OUT_OF_REACH__STRATEGY(respondents=request.respondents)
    floor = error_text(Z * request.scale * request.accuracy.sampling, request.unit)
    return T.OUT_OF_REACH(respondents=request.respondents, floor=floor)


_NAMED_MAX = 5


def plan_for_errors(plan: Plan, targets: Mapping[str, float]) -> Plan:
    """Returns the plan of least total epsilon whose 95 % errors are not above the targets.

    Each attribute takes the least epsilon, of three digits, at which some mechanism reaches its
    target, and the best mechanism there. An attribute's error depends on its own epsilon alone,
    and the loss of the record (the sum, or the largest where one attribute is drawn) grows with
    each of them; so no other plan that meets the targets loses less, up to rounding to three
    digits. Attributes without a target stay as they are, and so does the budget.

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
            raise ParameterError(T.BAD_ERROR())
        floor = _floor(request)
        if floor > half_width:
            unreachable.append(f"“{name}” (≥ {error_text(floor, request.unit)})")
            continue
        solved = solved.with_column(name, mechanism=_least(request, half_width))
    if unreachable:
        raise ParameterError(T.UNREACHABLE(columns=first_names(unreachable, _NAMED_MAX)))
    return solved


def _request(plan: Plan, name: str) -> PreviewRequest:
    column = next((c for c in plan.protected if c.name == name), None)
    domain = None if column is None else column.effective_domain
    if column is None or domain is None:
        raise ParameterError(T.NOT_PROTECTED(column=name))
    asked = request_for(column, plan.judged_respondents, sampling=plan.sampling)
    own = None if asked is None else type(asked.mechanism)
    if asked is not None and own is not None and own.adjustable and plan.sampling.serves(own):
        return asked
    # The current mechanism, if any, cannot be used: begin with any mechanism that can.
    for mechanism in proposed(domain, Decimal(1), plan.sampling):
        begun = column.model_copy(update={"mechanism": mechanism})
        asked = request_for(begun, plan.judged_respondents, sampling=plan.sampling)
        if asked is not None:
            return asked
    raise ParameterError(T.NOTHING_PROTECTS(column=name))


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
    # The best mechanism first: the others are excluded by a few evaluations, since just below its
    # epsilon they miss the error.
    for judged in choice_view(request):
        asked = replace(request, mechanism=judged.mechanism)
        rung = least_rung(asked, half_width, best - 1)
        if rung is not None:
            best, winner = rung, judged.mechanism
    at_least = mechanism_at(winner, epsilon_at(best))
    return choice_view(replace(request, mechanism=at_least))[0].mechanism
