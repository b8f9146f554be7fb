"""The piecewise mechanism for a mean, on a grid."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Literal

from dpdesk.channel import WindowKernel, WindowLaw
from dpdesk.cost import exp_lower
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import Tick
from dpdesk.mechanisms.mean import BoundMean, Grid, NumericMechanism
from dpdesk.mechanisms.window_mean import (
    WINDOW_GRID_MAX,
    WindowForecast,
    kernel_of,
    report_texts,
)


class Piecewise(NumericMechanism):
    """A number from a window around the truth, or with smaller chance from elsewhere."""

    short = "Piecewise"
    title = N_("Piecewise mechanism")
    summary = N_(
        "The report is a number of a wider range, likeliest near the answer; the average of all "
        "is the mean."
    )
    reference = "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin & Yu 2019, ICDE, 638-649"
    most_points = WINDOW_GRID_MAX

    kind: Literal["piecewise"] = "piecewise"

    def bound(self, grid: Grid, tick: Tick | None) -> BoundPiecewise:
        """Returns the piecewise mechanism on a grid."""
        return BoundPiecewise(self, grid)

    def preview(self, grid: Grid) -> WindowForecast:
        """Returns the preview."""
        return _forecast(grid.size, grid.span, self.epsilon)


def window_width(size: int, epsilon: Decimal) -> int:
    """Returns the number of cells of a window: that of the paper, to the nearest cell.

    In the paper's terms, with s = e^(eps/2), the windows are C - 1 wide and their beginnings move
    by C + 1 from one end of the interval to the other: (C - 1)/(C + 1) = 1/s of m - 1 steps.
    """
    return max(1, round(exp_lower(-epsilon / 2) * (size - 1)))


@lru_cache(maxsize=256)
def _forecast(size: int, span: float, epsilon: Decimal) -> WindowForecast:
    kernel = WindowKernel.at(size, window_width(size, epsilon), float(epsilon))
    return WindowForecast(size, span, kernel)


class BoundPiecewise(BoundMean):
    """The piecewise mechanism on a domain."""

    def __init__(self, mechanism: Piecewise, domain: Grid) -> None:
        width = window_width(domain.size, mechanism.epsilon)
        law = WindowLaw.at(domain.size, width, mechanism.epsilon)
        self._kernel = kernel_of(law)
        step = domain.span / (domain.size - 1)
        worth = step * self._kernel.linear()
        outputs = report_texts(domain.grid_lower, worth, domain.span)
        super().__init__(mechanism, domain, law, outputs, worth, step**2 * self._kernel.squares())

    def parameters(self) -> dict[str, float]:
        """Returns the chance of a number inside and outside the window, its size and n Var*."""
        kernel = self._kernel
        variance = WindowForecast(self.size, self._span, kernel).noise_constant
        return {
            "p": kernel.q + kernel.gap,
            "q": kernel.q,
            "width": float(kernel.width),
            "n_var_star": variance,
        }

    def estimation_rule(self, weighted: str) -> str:
        """Returns the estimator of the mean."""
        return (
            f"Mean = the average of the reports{weighted}: they are spread so far beyond the "
            "range that the average needs no further correction."
        )
