"""Reports of a place in a window around the truth: the piecewise and the square wave mechanism.

Cells lie in a row; a window of some of them begins at each grid point, and a cell of the window
is likelier than any other (`dpdesk.channel.window`).
"""

from __future__ import annotations

from abc import abstractmethod
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar, Literal

import numpy as np

from dpdesk.channel import WindowKernel, WindowLaw
from dpdesk.cost import exp_lower
from dpdesk.domains import NumericDomain
from dpdesk.i18n import N_, in_a_row
from dpdesk.mechanisms.base import Tick
from dpdesk.mechanisms.interval_shares import (
    IntervalReader,
    bin_edges,
    indicators,
    interval_edges,
    points_each,
)
from dpdesk.mechanisms.mean import BoundMean, Grid, MeanForecast
from dpdesk.mechanisms.numeric import NumericMechanism
from dpdesk.mechanisms.texts import T
from dpdesk.numbers.arrays import Codes, Floats

WINDOW_GRID_MAX = 10_000
"""Largest grid; it has up to 20,000 reports, each with its own text."""


class WindowForecast(MeanForecast):
    """Preview of a window mechanism."""

    def __init__(self, size: int, span: float, kernel: WindowKernel) -> None:
        super().__init__(size, span)
        self.kernel = kernel
        self._step = span / (size - 1)

    @property
    def positions(self) -> Floats:
        return self.worth

    @property
    def worth(self) -> Floats:
        return self._step * self.kernel.linear()

    @property
    def noise_variances(self) -> Floats:
        return self._step**2 * self.kernel.linear_variances()

    @cached_property
    def most_likely(self) -> Floats:
        return np.full(self.outputs, self.kernel.q + self.kernel.gap)

    def probabilities(self, code: int) -> Floats:
        return self.kernel.row(code)

    def report_law(self) -> tuple[Floats, Floats, float]:
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


class BoundWindow(BoundMean):
    """A window mechanism on a domain.

    Attributes:
        kernel: The integer law in floating point.
    """

    def __init__(self, mechanism: WindowMechanism, domain: Grid, tick: Tick | None = None) -> None:
        """Builds the law, which takes no time that `tick` could interrupt."""
        law = WindowLaw.at(domain.size, mechanism.width(domain.size), mechanism.epsilon)
        self.kernel = kernel_of(law)
        step = domain.span / (domain.size - 1)
        worth = step * self.kernel.linear()
        outputs = self._texts(domain, worth)
        super().__init__(mechanism, domain, law, outputs, worth, step**2 * self.kernel.squares())

    @abstractmethod
    def _texts(self, domain: Grid, worth: Floats) -> tuple[str, ...]:
        """Returns the text of each report."""

    def parameters(self) -> dict[str, float]:
        kernel = self.kernel
        constant = WindowForecast(self.size, self._span, kernel).noise_constant
        return {"p": kernel.q + kernel.gap, "q": kernel.q, **self.extent(), "n_var_star": constant}

    @abstractmethod
    def extent(self) -> dict[str, float]:
        """Returns how far the window reaches, for a report."""


class WindowMechanism(NumericMechanism):
    """What window mechanisms share: only the width of the window and the reports differ."""

    most_points = WINDOW_GRID_MAX
    previewed: ClassVar[type[WindowForecast]] = WindowForecast
    """What previews it."""

    @abstractmethod
    def width(self, size: int) -> int:
        """Returns the number of cells of a window on m = `size` grid points."""

    def preview(self, grid: Grid) -> WindowForecast:
        return _forecast(self, grid.size, grid.span)


@lru_cache(maxsize=256)
def _forecast(mechanism: WindowMechanism, size: int, span: float) -> WindowForecast:
    kernel = WindowKernel.at(size, mechanism.width(size), float(mechanism.epsilon))
    return mechanism.previewed(size, span, kernel)


def window_width(size: int, epsilon: Decimal) -> int:
    """Returns the number of cells of a window: that of the paper, to the nearest cell.

    In the paper's terms, with s = e^(eps/2), the windows are C - 1 wide and their beginnings move
    by C + 1 from one end of the interval to the other: (C - 1)/(C + 1) = 1/s of m - 1 steps.
    """
    return max(1, round(exp_lower(-epsilon / 2) * (size - 1)))


class BoundPiecewise(BoundWindow):
    """The piecewise mechanism on a domain."""

    def _texts(self, domain: Grid, worth: Floats) -> tuple[str, ...]:
        return report_texts(domain.grid_lower, worth, domain.span)

    def extent(self) -> dict[str, float]:
        return {"width": float(self.kernel.width)}


class Piecewise(WindowMechanism):
    """A number from a window around the truth, or with smaller chance from elsewhere."""

    short = "Piecewise"
    title = N_("Piecewise mechanism")
    summary = N_(
        "The report is a number of a wider range, likeliest near the answer; the average of all "
        "is the mean."
    )
    reference = "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin & Yu 2019, ICDE, 638-649"
    oracle = BoundPiecewise

    kind: Literal["piecewise"] = "piecewise"

    def width(self, size: int) -> int:
        return window_width(size, self.epsilon)


def reach(size: int, epsilon: Decimal) -> int:
    """Returns how many steps from the truth a report is likely: floor(m b) of Li et al. 2020.

    With E = e^eps, b = (eps E - E + 1) / (2 E (E - 1 - eps)) is the half-width, in widths of the
    interval, that keeps most information between answers and reports.
    """
    growth, loss = exp_lower(epsilon), Fraction(epsilon)
    b = (loss * growth - growth + 1) / (2 * growth * (growth - 1 - loss))
    return int(size * b)


class SquareWaveForecast(WindowForecast):
    """Preview of the square wave mechanism."""

    @property
    def positions(self) -> Floats:
        steps = np.arange(self.kernel.outputs) - (self.kernel.width - 1) // 2
        return np.asarray(self._step * steps)

    @property
    def truthful(self) -> float:  # type: ignore[override]
        """Share of reports that are the true grid point."""
        return self.kernel.q + self.kernel.gap


class BoundSquareWave(BoundWindow):
    """The square wave mechanism on a domain."""

    @property
    def reach(self) -> int:
        """How many steps from the truth a report is likely."""
        return (self.kernel.width - 1) // 2

    def _texts(self, domain: Grid, worth: Floats) -> tuple[str, ...]:
        return _widened_texts(domain, self.reach)

    def extent(self) -> dict[str, float]:
        return {"reach": float(self.reach)}

    @property
    def places(self) -> Floats:
        step = self._span / (self.size - 1)
        return np.asarray(step * (np.arange(self.kernel.outputs) - self.reach))

    def report_moments(self, codes: Codes) -> Floats:
        powers = np.stack((self.places, self.places**2), axis=-1)
        return np.stack([self.kernel.row(code) @ powers for code in codes.tolist()])

    @cached_property
    def intervals(self) -> IntervalReader:
        edges, each = interval_edges(self.size), points_each(self.size)
        cells = bin_edges(self.kernel.outputs, each)
        inside = indicators(edges)
        worth = self.kernel.unbiased(inside)
        squares = self.kernel.expected(worth**2)
        return IntervalReader(
            domain=self.domain,
            edges=edges,
            worth=worth,
            least_noise=(squares - inside).min(axis=0),
            own=(squares * inside).sum(axis=0) / inside.sum(axis=0),
            channel=self.kernel.binned(bin_edges(self.size, each), cells),
            cells=cells,
        )

    def estimation_rule(self, weighted: str) -> str:
        middle, kernel = repr(self._lower + self._span / 2), self.kernel
        p, q = repr(kernel.q + kernel.gap), repr(kernel.q)
        return in_a_row(
            (
                T.SQUARE_WAVE_RULE(weighted=weighted, middle=middle, slope=repr(kernel.slope)),
                T.SQUARE_WAVE_LAW(reach=self.reach, p=p, numbers=kernel.outputs, q=q),
            )
        )


def _widened_texts(domain: NumericDomain, beyond: int) -> tuple[str, ...]:
    """Returns the texts of the grid with some steps more on either side, in the grid's digits."""
    return tuple(map(domain.text_at, range(-beyond, domain.size + beyond)))


class SquareWave(WindowMechanism):
    """A number at most a few steps from the truth, or with smaller chance any other."""

    short = "Square wave"
    title = N_("Square wave mechanism")
    summary = N_("The report is a number of a slightly wider grid, likeliest close to the answer.")
    reference = "Li, Wang, Lopuhaä-Zwakenberg, Li & Škorić 2020, SIGMOD, 621-635"
    oracle = BoundSquareWave
    previewed = SquareWaveForecast

    kind: Literal["square_wave"] = "square_wave"

    def width(self, size: int) -> int:
        return 2 * reach(size, self.epsilon) + 1
