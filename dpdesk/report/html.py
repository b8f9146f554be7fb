"""The public report as one page of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from dpdesk.numbers.intervals import normal_quantile
from dpdesk.report.checklist import answer_counts
from dpdesk.report.number_text import number_text
from dpdesk.report.page import page
from dpdesk.report.parameters import (
    CONFIDENCE,
    AttributeParameters,
    domain_text,
    provenance_text,
)
from dpdesk.report.public import PublicReport
from dpdesk.report.results import AttributeResult, QuantityEstimate, possible_names

WIDTH = 260.0
MARGIN = 14.0
_TICKS = 4


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the axis: place and text."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One estimate on the axis: its interval, itself, and itself within the possible range."""

    left: float
    right: float
    centre: float
    truncated: float

    @property
    def is_truncated(self) -> bool:
        """Whether the estimate lies outside the possible range."""
        return self.centre != self.truncated


@dataclass(frozen=True, slots=True)
class Axis:
    """The axis that all estimates of an attribute share.

    Attributes:
        lower, upper: Its ends, in the unit of the estimates.
        ticks: Marks at round numbers.
    """

    lower: float
    upper: float
    ticks: tuple[Tick, ...]

    def x(self, value: float) -> float:
        """Returns the place of a value, from the left of the drawing."""
        inner = WIDTH - 2 * MARGIN
        return round(MARGIN + inner * (value - self.lower) / (self.upper - self.lower), 2)

    def mark(self, estimate: QuantityEstimate) -> Mark:
        """Returns where an estimate is drawn."""
        places = (estimate.lower, estimate.upper, estimate.estimate, estimate.truncated)
        return Mark(*map(self.x, places))


def axis_of(result: AttributeResult) -> Axis:
    """Returns the axis of an attribute, wide enough for every interval; shares include 0."""
    ends = [end for e in result.estimates for end in (e.lower, e.upper, e.truncated)]
    if result.quantity == "share":
        ends.append(0.0)
    lower, upper = min(ends), max(ends)
    if upper <= lower:
        lower, upper = lower - 0.5, upper + 0.5
    step = _round_step((upper - lower) / _TICKS)
    values = _multiples(lower, upper, step)
    scale = 100 if result.quantity == "share" else 1
    decimals = max(0, -floor(log10(step * scale) + 1e-9))
    bare = Axis(lower, upper, ())
    sign = "\u00a0%" if result.quantity == "share" else ""
    ticks = tuple(Tick(bare.x(v), number_text(scale * v, decimals) + sign) for v in values)
    return Axis(lower, upper, ticks)


def _round_step(rough: float) -> float:
    power = 10.0 ** floor(log10(rough))
    return next(power * digit for digit in (1.0, 2.0, 5.0, 10.0) if power * digit >= rough)


def _multiples(lower: float, upper: float, step: float) -> Sequence[float]:
    return [step * i for i in range(ceil(lower / step), floor(upper / step) + 1)]


def report_html(report: PublicReport) -> str:
    """Returns the report as one self-contained page: no script, no network, ready for paper."""
    results = report.results.attributes
    return page(
        "report.html.j2",
        report=report,
        plots=[(result, axis_of(result)) for result in results],
        plot_width=WIDTH,
        possible_names=possible_names,
        largest_share_error=_largest_share_error(report.parameters.attributes),
        domain_text=domain_text,
        provenance_text=provenance_text,
        answers=answer_counts(report.checklist),
        z=normal_quantile(CONFIDENCE),
    )


def _largest_share_error(attributes: tuple[AttributeParameters, ...]) -> float | None:
    errors = [a.error_95 for a in attributes if a.quantity == "share"]
    return max(errors, default=None)
