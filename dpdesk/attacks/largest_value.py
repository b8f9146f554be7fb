"""A cautionary tale: the sensitivity of a mean taken from the largest value in the data."""

from __future__ import annotations

from itertools import pairwise
from math import exp
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from dpdesk.attacks.base import Attack
from dpdesk.attacks.findings import Findings, Phrase, Picture, Remedy, Series, said
from dpdesk.attacks.parameters import Column, IfEmpty, PromisedEpsilon
from dpdesk.attacks.target import Target
from dpdesk.attacks.texts import T
from dpdesk.data.read_file import load_declared
from dpdesk.data.reading import Reading
from dpdesk.domains import NumericDomain, parse_number
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.digits import share_text, significant
from dpdesk.resources import resource

_ONE_PERSON = N_(
    "The second largest value is {ratio} of the largest. Whether the person of the largest value "
    "took part, or one with the second largest in that place, is told from one noisy mean alone in "
    "{success}; from the scale, always. No ε bounds it: the ratio of the chances grows without end."
)
_SEVERAL_PEOPLE = N_(
    "Several people have the largest value here, so that it stays the same without one of them; if "
    "only one had it, whether that person took part would be told."
)

_DECLARED = N_(
    "{largest} is the largest answer that is declared for {column}, and several people have it: "
    "the scale says what everybody knows, and stays the same without one of them. If only one had "
    "it, or nobody, it would tell that; a declared bound never does."
)


def laplace_below(x: float, centre: float, scale: float) -> float:
    """Returns the chance that a Laplace number lies below x."""
    z = (x - centre) / scale
    return exp(z) / 2 if z < 0 else 1 - exp(-z) / 2


def total_variation(first: tuple[float, float], second: tuple[float, float]) -> float:
    """Returns the exact total variation distance of two Laplace laws, each (centre, scale).

    Their densities cross where |x - a|/s - |x - b|/t = ln(t/s), which is solved on each of the
    three pieces on which the left side is a straight line; between crossings the difference of the
    distribution functions gives what one law has more of.
    """
    (a, s), (b, t) = first, second
    bound = np.log(t / s)
    ends = (-np.inf, min(a, b), max(a, b), np.inf)
    crossings = []
    for low, high in pairwise(ends):
        inside = low + 1 if np.isinf(high) else high - 1 if np.isinf(low) else (low + high) / 2
        u, v = np.sign(inside - a), np.sign(inside - b)
        slope = u / s - v / t
        if slope:
            x = (bound + u * a / s - v * b / t) / slope
            if low <= x <= high:
                crossings.append(float(x))
    cuts = [-np.inf, *sorted(set(crossings)), np.inf]
    more = [
        (laplace_below(high, a, s) - laplace_below(low, a, s))
        - (laplace_below(high, b, t) - laplace_below(low, b, t))
        for low, high in pairwise(cuts)
    ]
    return float(sum(one for one in more if one > 0))


class LargestValue(Attack):
    """Noise that is scaled by the data says what they are, and may be too small for the next."""

    title = N_("The largest value")
    question = N_("May the noise on a mean be scaled by the largest value in the data?")
    method = N_(
        "An exercise takes max(x) / n for the sensitivity of a mean. The scale of the noise then "
        "depends on one person, and tells that person's value."
    )
    reference = "a published exercise; smooth sensitivity: Nissim, Raskhodnikova & Smith 2007"
    stopped_by = N_("bounds that are declared before the data are seen")
    is_tale = True

    kind: Literal["largest-value"] = "largest-value"
    column: Annotated[
        Column,
        Field(title="Numbers", description="column of numbers whose mean is published"),
        IfEmpty(N_("the first column of numbers")),
    ] = ""
    epsilon: PromisedEpsilon = 1.0
    later: Annotated[
        float,
        Field(
            ge=1,
            le=1e6,
            allow_inf_nan=False,
            title="Larger value",
            description="how many times the largest value another person's may be",
        ),
    ] = 10.0

    @classmethod
    def example(cls) -> Target:
        table = load_declared(resource("samples/attacks/incomes.csv"), Reading())
        return Target(
            table,
            explanation=(
                said(
                    N_(
                        "Ten incomes, the largest 9,500: at ε = 1 the noise has a scale of 950. "
                        "Ten times the scale is the income of one person."
                    )
                ),
            ),
        )

    def _run(self, target: Target, tracker: Tracker) -> Findings:
        name, numbers = self._numbers(target)
        rows = len(numbers)
        ordered = np.sort(numbers)
        largest, second, smallest = ordered[-1], ordered[-2], ordered[0]
        mean = float(numbers.mean())
        without = mean - float(largest - second) / rows
        here = mean, float(largest) / (rows * self.epsilon)
        there = without, float(second) / (rows * self.epsilon)
        success = (1 + total_variation(here, there)) / 2
        promise = exp(self.epsilon) / (1 + exp(self.epsilon))
        declared = self.epsilon * float((largest - second) / (self.later * largest))
        sound = 1 - exp(-declared / 2) / 2
        scales_differ = largest > second
        # Nobody can have a larger value than the largest that is declared.
        is_declared = not scales_differ and float(largest) == declared_largest(target, name)
        later = 1.0 if is_declared else self.later
        loss = self.epsilon * float((later * largest - smallest) / largest)
        return Findings(
            1.0 if scales_differ else success,
            0.5,
            _headline(scales_differ=scales_differ, is_declared=is_declared),
            (
                Remedy(
                    said(N_("a declared bound of {times} times as much"), times=f"{self.later:g}"),
                    sound,
                ),
            ),
            (
                said(
                    N_(
                        "The scale of the noise, which every method section states, times {rows} "
                        "and ε is the largest value of {column}, exactly: somebody's answer."
                    ),
                    rows=rows,
                    column=name,
                ),
                *self._verdicts(
                    name,
                    float(largest),
                    ratio=float(second / largest),
                    success=success,
                    loss=loss,
                    is_declared=is_declared,
                ),
                *target.explanation,
            ),
            _picture(here, there),
            said(N_("the mean of {column}, {rows} people"), column=name, rows=rows),
            "danger" if scales_differ else "success" if is_declared else "warning",
            {
                "scale": here[1],
                "told_from_one_mean": success,
                "loss_with_larger_value": loss,
                "promised": promise,
            },
        )

    def _verdicts(
        self,
        name: str,
        largest: float,
        *,
        ratio: float,
        success: float,
        loss: float,
        is_declared: bool,
    ) -> tuple[Phrase, ...]:
        """Returns what the scale tells of one person, and of the next one."""
        if is_declared:
            return (said(_DECLARED, column=name, largest=f"{largest:g}"),)
        return (
            said(
                _ONE_PERSON if ratio < 1 else _SEVERAL_PEOPLE,
                ratio=share_text(ratio),
                success=share_text(success),
            ),
            said(
                N_(
                    "If the next person's value is {times} times as large, the loss is {loss} "
                    "instead of {epsilon}: the noise is too small for a value that nobody has "
                    "seen yet."
                ),
                times=f"{self.later:g}",
                loss=significant(loss, 3),
                epsilon=f"{self.epsilon:g}",
            ),
        )

    def _numbers(self, target: Target) -> tuple[str, Floats]:
        """Returns the name and the numbers above 0 of the column."""
        decimal = target.table.reading.decimal
        names = (self.column,) if self.column else target.table.names
        if self.column:
            target.columns(names)
        for name in names:
            column = target.table.column(name)
            values = column.numbers(decimal).values[column.codes]
            finite: Floats = values[np.isfinite(values)]
            numeric = len(finite) >= max(2, len(values) // 2)
            if numeric and finite.min() >= 0 and np.partition(finite, -2)[-2] > 0:
                return name, finite
        if self.column:
            raise ParameterError(T.NO_NUMBERS__IN(column=self.column))
        raise ParameterError(T.NO_NUMBERS())


def declared_largest(target: Target, name: str) -> float | None:
    """Returns the largest answer that the plan declares for a column, if that was confirmed.

    Args:
        target: Data and plan.
        name: The column.
    """
    columns = () if target.plan is None else target.plan.columns
    column = next((one for one in columns if one.name == name and one.confirmed), None)
    if column is None or column.domain is None:
        return None
    if isinstance(column.domain, NumericDomain):
        bounds = column.domain.plain_bounds
        return None if bounds is None else bounds[1]
    numbers = [parse_number(text, target.table.reading.decimal) for text in column.domain.listed]
    found = [number for number in numbers if number is not None]
    # Beside answers that are not numbers nothing says what the largest one is.
    return max(found) if found and len(found) == len(numbers) else None


def _headline(*, scales_differ: bool, is_declared: bool) -> Phrase:
    if is_declared:
        return said(N_("the scale of the noise is the largest declared answer"))
    if scales_differ:
        return said(N_("the scale of the noise is the largest value"))
    return said(N_("the scale of the noise is the largest value, which several have"))


def _picture(here: tuple[float, float], there: tuple[float, float]) -> Picture:
    reach = 4 * max(here[1], there[1])
    at = np.linspace(min(here[0], there[0]) - reach, max(here[0], there[0]) + reach, 201)
    return Picture(
        said(N_("The noisy mean")),
        said(N_("Noisy mean")),
        said(N_("Chance per unit")),
        tuple(at.tolist()),
        tuple(
            Series(
                said(words), tuple((np.exp(-np.abs(at - centre) / scale) / (2 * scale)).tolist())
            )
            for words, (centre, scale) in (
                (N_("with the largest value"), here),
                (N_("with the second largest in its place"), there),
            )
        ),
        in_percent=False,
    )
