"""A mechanism for numbers, on a grid whose answers may be missing."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar

from dpdesk.domains import AnyDomain, NumericDomain
from dpdesk.i18n import Message
from dpdesk.mechanisms.base import BoundMechanism, Forecast, Mechanism, Tick
from dpdesk.mechanisms.mean import BoundMean, Grid, MeanForecast
from dpdesk.mechanisms.missing_answer import BoundMissing, MissingForecast
from dpdesk.mechanisms.texts import T


class NumericMechanism(Mechanism):
    """A mechanism for numbers on a grid of at most `most_points` points."""

    most_points: ClassVar[int | None] = None
    """Size of the largest grid that the mechanism serves; None where any will do."""

    @classmethod
    def misfit(cls, domain: AnyDomain) -> Message | None:
        if not isinstance(domain, NumericDomain):
            return T.NEEDS_NUMBERS()
        if cls.most_points is not None and domain.size > cls.most_points:
            return T.MANY_POINTS(most=cls.most_points)
        return None

    oracle: ClassVar[Callable[..., BoundMean]]
    """What draws the reports and estimates from them, made of mechanism, grid and `tick`."""

    def bound(self, grid: Grid, tick: Tick | None) -> BoundMean:
        """Returns this mechanism on a grid that fits, as `bind`, without missing answers."""
        return type(self).oracle(self, grid, tick)

    @abstractmethod
    def preview(self, grid: Grid) -> MeanForecast:
        """Returns the real law on a grid that fits, as `forecast`."""

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> BoundMechanism:
        grid = self._grid(domain)
        bound = self.bound(grid.with_missing(0.0), tick)
        return BoundMissing(bound, grid) if grid.missing_share else bound

    def forecast(self, domain: AnyDomain) -> Forecast:
        grid = self._grid(domain)
        preview = self.preview(grid.with_missing(0.0))
        if not grid.missing_share:
            return preview
        return MissingForecast(preview, grid.missing_share, float(self.epsilon))

    def _grid(self, domain: AnyDomain) -> Grid:
        self.require_fit(domain)
        assert isinstance(domain, NumericDomain)  # noqa: S101 - narrowed by require_fit
        return domain
