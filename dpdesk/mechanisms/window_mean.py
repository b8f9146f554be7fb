"""What mechanisms share that report a place in a window around the truth."""

from __future__ import annotations

from decimal import Decimal

from dpdesk.channel import WindowKernel, WindowLaw
from dpdesk.mechanisms.base import Floats
from dpdesk.mechanisms.mean import MeanForecast

WINDOW_GRID_MAX = 10_000
"""Largest grid: it has up to 20,000 reports, each with a text of its own."""


class WindowForecast(MeanForecast):
    """Preview of a window mechanism."""

    def __init__(self, size: int, span: float, kernel: WindowKernel) -> None:
        super().__init__(size, span)
        self.kernel = kernel
        self._step = span / (size - 1)

    @property
    def positions(self) -> Floats:
        """What each report is worth: a report that needs no further correction."""
        return self.worth

    @property
    def worth(self) -> Floats:
        """The places of the cells, stretched until their mean is the true answer."""
        return self._step * self.kernel.linear()

    @property
    def noise_variances(self) -> Floats:
        """Variance of the stretched places."""
        return self._step**2 * self.kernel.linear_variances()

    def probabilities(self, code: int) -> Floats:
        """Returns one chance in the window and a smaller one outside it, shape (outputs,)."""
        return self.kernel.row(code)

    def report_law(self) -> tuple[Floats, Floats, float]:
        """Returns the stretched places and their chances, without the whole table."""
        return self.worth, self.kernel.even(), self.span / 2


def kernel_of(law: WindowLaw) -> WindowKernel:
    """Returns an integer law in floating point."""
    q, gap = law.chances()
    return WindowKernel(law.size, law.width, q, gap)


def report_texts(lower: Decimal, from_lower: Floats, span: float) -> tuple[str, ...]:
    """Returns reports in the attribute's unit, as they are released.

    Args:
        lower: The lower bound.
        from_lower: The reports, from the lower bound in the attribute's unit.
        span: Width of the interval. Ten digits of it are given: what they leave out moves a mean
            by less than 1e-9 of the interval.
    """
    quantum = Decimal(1).scaleb(Decimal(span).adjusted() - 10)
    return tuple(
        format((lower + Decimal(place)).quantize(quantum), "f") for place in from_lower.tolist()
    )
