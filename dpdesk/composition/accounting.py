"""All routes to the total of several losses, and the least of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from dpdesk.composition.advanced import advanced_epsilon, slack_of
from dpdesk.composition.loss import Loss, exact_total
from dpdesk.composition.numerical import can_compose, numerical_epsilon
from dpdesk.composition.texts import T
from dpdesk.composition.words import delta_text
from dpdesk.composition.zcdp import rho_of_epsilon, zcdp_epsilon
from dpdesk.cost import format_epsilon
from dpdesk.errors import ParameterError
from dpdesk.i18n import Text, in_a_row

RouteName = Literal["basic", "advanced", "zcdp", "numerical"]

_TITLES: dict[RouteName, Text] = {
    "basic": T.BASIC,
    "advanced": T.ADVANCED,
    "zcdp": T.ZCDP,
    "numerical": T.NUMERICAL,
}


@dataclass(frozen=True, slots=True)
class Route:
    """One way to bound the total.

    Attributes:
        name: "basic", "advanced", "zcdp" or "numerical".
        epsilon: The bound; exact for "basic", rounded up for the others.
        delta: Chance that it fails.
    """

    name: RouteName
    epsilon: Decimal
    delta: Decimal

    def words(self) -> dict[str, str]:
        """Returns the values of the sentences on a route."""
        return self.plain() | {"route": _TITLES[self.name]()}

    def plain(self) -> dict[str, str]:
        """Returns the route as texts, for JSON."""
        return {
            "route": self.name,
            "epsilon": format_epsilon(self.epsilon),
            "delta": delta_text(self.delta),
        }


@dataclass(frozen=True, slots=True)
class Accounting:
    """The total of several losses about the same respondents, by every route that applies.

    Attributes:
        basic: The exact sums of epsilon and delta.
        advanced: By advanced composition; None if the releases use up delta.
        zcdp: By zero-concentrated privacy; None likewise.
        numerical: By privacy-loss distributions; None likewise, or if it was not requested or is
            not installed.
        least: The least of them; of losses that are all pure the exact sum, which needs no delta.
        explanation: Which route is the least, and what the others say.
    """

    basic: Route
    advanced: Route | None
    zcdp: Route | None
    numerical: Route | None
    least: Route
    explanation: str

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes that apply, the sum first."""
        routes = (self.basic, self.advanced, self.zcdp, self.numerical)
        return tuple(route for route in routes if route is not None)

    def plain(self) -> dict[str, Any]:
        """Returns the accounting as texts and lists, for JSON."""
        return {
            "routes": [route.plain() for route in self.routes],
            "least": self.least.name,
            "explanation": self.explanation,
        }


def account(
    losses: Sequence[Loss], delta: Decimal = Decimal(0), *, numerical: bool = True
) -> Accounting:
    """Adds up losses about the same respondents, by every route.

    The losses are fixed in advance; the releases may depend on earlier results. Where a loss itself
    depends on earlier results, only the sum holds.

    Args:
        losses: At least one; all of one model, unit and relation.
        delta: The chance with which the total may fail. With 0 only the sums are formed.
        numerical: Whether to compose privacy-loss distributions, which takes a second.

    Raises:
        ParameterError: There is no loss, delta is not in [0, 1), or the losses do not add up
            because they are of different models, units or relations.
    """
    if not 0 <= delta < 1:
        raise ParameterError(T.BAD_DELTA())
    total = exact_total([loss.cost for loss in losses])
    basic = Route("basic", total.epsilon, total.delta)
    advanced = zcdp = by_number = None
    if delta > 0:
        advanced = _advanced(losses, delta)
        zcdp = _zcdp(losses, delta)
        epsilon = numerical_epsilon(losses, delta) if numerical else None
        by_number = None if epsilon is None else Route("numerical", epsilon, delta)
    routes = [route for route in (basic, advanced, zcdp, by_number) if route is not None]
    least = basic
    if basic.delta > 0:
        # The sum holds at its own delta, which may be more than what was asked for.
        kept = [route for route in routes if route.delta <= delta]
        least = min(kept, key=lambda route: route.epsilon, default=basic)
    explanation = [*_explain(len(losses), least, routes, delta)]
    if numerical and delta > 0 and not can_compose():
        # The other routes are bounds as well: without this one the total is only larger.
        explanation.append(T.NO_NUMERICAL_ROUTE())
    return Accounting(basic, advanced, zcdp, by_number, least, in_a_row(explanation))


def _advanced(losses: Sequence[Loss], delta: Decimal) -> Route | None:
    slack = slack_of([loss.delta for loss in losses], delta)
    if slack is None:
        return None
    return Route("advanced", advanced_epsilon([loss.epsilon for loss in losses], slack), delta)


def _zcdp(losses: Sequence[Loss], delta: Decimal) -> Route | None:
    """A loss without a rho has that of its epsilon, and fails with its delta."""
    failing = [loss.delta for loss in losses if loss.rho is None]
    slack = slack_of(failing, delta)
    if slack is None:
        return None
    rho = sum(
        (rho_of_epsilon(loss.epsilon) if loss.rho is None else loss.rho for loss in losses),
        Decimal(0),
    )
    return Route("zcdp", zcdp_epsilon(rho, slack), delta)


def _explain(count: int, least: Route, routes: Sequence[Route], delta: Decimal) -> Iterator[str]:
    total, other = T.TOTAL_AT_DELTA if least.delta else T.TOTAL, T.ROUTE
    yield total(count=count, **least.words())
    others = [other(**route.words()) for route in routes if route is not least]
    if 0 < delta < least.delta:
        yield T.NO_ROUTE(delta=delta_text(delta))
    elif others:
        yield T.OTHER_ROUTES(routes=others)
