"""What answers have in common: cross-tables, and means and shares by group.

With s_a and t_b the unbiased scores of two attributes of a record, the joint share is the mean of
s_a t_b: given the true answers the reports are independent. Groups have ratios of such means: the
mean of a number by group is mean(z s_a) / mean(e s_a), with z the score of the number and e that of
being answered; the share of b within a is mean(t_b s_a) / mean(s_a). Records are independent, so
that the spread of the products holds sampling and noise together (Taylor linearisation with
weights, ultimate clusters with strata and clusters); noise alone is what is beyond the spread that
the estimated truth would have. Intervals of ratios are Fieller's (1954, JRSS B 16, 175-185).

Counting reports together instead is biased towards independence, not only noisier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import erf, isfinite, prod, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.tabular import Tabular
from dpdesk.designs.inference import quantile
from dpdesk.errors import InputError
from dpdesk.estimation.joint_intervals import SquareLaw, crossed
from dpdesk.estimation.record_patterns import Patterns, Together
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.estimation.texts import T
from dpdesk.estimation.variable import Categories, Numbers, Variable, report_sums
from dpdesk.i18n import N_
from dpdesk.mechanisms.possible_shares import iterative_bayes, simplex_projection
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import Quadratic, is_even, ratio_interval

MOST_CELLS = 50_000
Quantity = Literal["share", "mean"]
_CONFIDENCE = 0.95
_NUMBERS = {"estimate": "value"} | {n: n for n in ("standard_error", "lower", "upper")}
_OF_ALL = N_("Shares of all respondents by {groups} and {column}")
_WITHIN = N_("Shares of {column} within {groups}")
_MEANS = N_("Mean of {column} by {groups}")
_LEAST_LEFT = 1e-12
"""Share of a variance's divisor that several records leave; rounding alone leaves less of one."""
_COLUMNS_AT_ONCE = 8
_MOST_CHANCES, _CLOSE = 1 << 17, 1e-8
"""Most chances of reports that the most likely table is sought by, and when it is found."""


@dataclass(frozen=True, slots=True)
class JointCell:
    """One estimate of a table; numbers are NaN, or infinite, where the reports do not tell them.

    Attributes:
        categories: Text of the answer to each attribute; none of a number.
        labels: What they mean.
        value: The unbiased estimate.
        standard_error: Sampling and noise together.
        noise_error: The part of the noise.
        lower, upper: Confidence interval.
        possible, most_likely: The share of the possible and most likely table; None without one.
    """

    categories: tuple[str, ...]
    labels: tuple[str, ...]
    value: float
    standard_error: float
    noise_error: float
    lower: float
    upper: float
    possible: float | None
    most_likely: float | None

    @property
    def is_even(self) -> bool:
        """Whether both ends of the interval are as far from the estimate, in print."""
        return is_even(self.value, self.lower, self.upper)

    @property
    def half_width(self) -> float:
        """Half the interval, as an error with the sign "±"; NaN where it is uneven, or unknown."""
        is_known = self.is_even and isfinite(self.value)
        return (self.upper - self.lower) / 2 if is_known else float("nan")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class JointEstimates(Tabular):
    """Estimates of several quantities, one for each cell; all arrays of shape (groups, columns).

    Attributes:
        quantity: What is estimated: "share" or "mean".
        title: What the table is, with {groups} and {column}; to be translated.
        groups: The attributes whose categories the groups are; several are crossed.
        columns: The attribute whose categories, or mean, stand in each group.
        value: The unbiased estimates; NaN where the reports do not show that anybody is in a group.
        standard_error, noise_error: Sampling and noise together, and noise; NaN where unknown.
        lower, upper: Confidence interval; the possible range where nothing is known.
        records: Number of records that tell of all attributes.
        possible: Of shares of all respondents, the nearest possible table; None elsewhere.
        most_likely: Of these, the table under which the reports are likeliest; None where unknown.
        in_group, in_group_error: Of ratios, how many respondents the reports show in each group,
            perhaps negative, and its standard error, shape (groups,). None elsewhere.
    """

    quantity: Quantity
    title: str
    groups: tuple[Categories, ...]
    columns: Variable
    value: Floats
    standard_error: Floats
    noise_error: Floats
    lower: Floats
    upper: Floats
    records: int
    possible: Floats | None = None
    most_likely: Floats | None = None
    in_group: Floats | None = None
    in_group_error: Floats | None = None
    drawn = ("estimate", "lower", "upper")

    def table_rows(self) -> Iterator[dict[str, Any]]:
        for cell in self.cells():
            row = dict(zip(self.names, cell.labels, strict=True))
            yield row | {n + "_" * (n in row): getattr(cell, of) for n, of in _NUMBERS.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the attributes whose answers tell cells apart."""
        groups = tuple(group.name for group in self.groups)
        return groups if self.quantity == "mean" else (*groups, self.columns.name)

    @property
    def unit(self) -> str:
        """Unit of the estimates; empty for shares, which are fractions of 1."""
        return self.columns.numbers().unit if self.quantity == "mean" else ""

    def cells(self) -> Iterator[JointCell]:
        """Yields each estimate, those of a group one after another."""
        listed: list[Categories] = list(self.groups)
        if self.quantity == "share":
            listed.append(self.columns.categories())
        shape = [len(one.texts) for one in listed]
        tables = (self.value, self.standard_error, self.noise_error, self.lower, self.upper)
        numbers = np.stack([table.ravel() for table in tables], axis=1).tolist()
        possible = None if self.possible is None else self.possible.ravel().tolist()
        likely = None if self.most_likely is None else self.most_likely.ravel().tolist()
        for cell, places in enumerate(np.ndindex(*shape)):
            value, error, noise, lower, upper = numbers[cell]
            yield JointCell(
                tuple(one.texts[at] for one, at in zip(listed, places, strict=True)),
                tuple(one.labels[at] for one, at in zip(listed, places, strict=True)),
                value,
                error,
                noise,
                lower,
                upper,
                None if possible is None else possible[cell],
                None if likely is None else likely[cell],
            )


def cross_table(
    records: ScoredRecords, names: Sequence[str], confidence: float = _CONFIDENCE
) -> JointEstimates:
    """Returns the share of all respondents that has each combination of answers.

    Args:
        records: The records.
        names: Two or three attributes with categories; the last one stands in the columns.
        confidence: Coverage of the intervals.

    Raises:
        InputError: Not two or three attributes, or too many cells.
        ParameterError: An attribute holds numbers, or nothing tells of all of them together.
    """
    if not 2 <= len(names) <= 3:
        raise InputError(T.CROSS_TABLE())
    together = records.together(names)
    listed = [variable.categories() for variable in together.variables]
    require_few_cells(listed)
    *groups, columns = listed
    sums = _Sums.of(together, groups, columns, None)
    value = sums.above
    error = np.sqrt(np.maximum(sums.own, least_variance(value, sums.effective)))
    variance, by_weights = SquareLaw.of(together, listed).of_cells()
    variance = sums.of_mean(variance, by_weights, sums.design_effect(np.zeros_like(value)))
    ends = ratio_interval(value, 1.0, variance, sums.normal(confidence))
    # Of a single record nothing is known, and its error is none.
    lower, upper = (np.where(np.isnan(error), np.nan, end) for end in ends)
    alone = np.sqrt(np.maximum(error**2 - _spread(value) / sums.effective, 0.0))
    if all(variable.is_kept for variable in listed):
        alone = np.zeros_like(error)
    possible, most_likely = None, None
    if all(one.picks_one for one in listed):
        possible = simplex_projection(value.ravel()).reshape(value.shape)
        likely = _most_likely(together, listed)
        most_likely = None if likely is None else likely.reshape(value.shape)
    return JointEstimates(
        "share",
        _OF_ALL,
        tuple(groups),
        columns,
        value,
        error,
        alone,
        np.minimum(lower, value),
        np.maximum(upper, value),
        sums.records,
        possible,
        most_likely,
    )


def _most_likely(together: Together, listed: Sequence[Categories]) -> Floats | None:
    """Returns the most likely shares of the cells, by expectation maximisation over the reports.

    Given the true answers the reports are independent, so that each record's chance under a cell is
    the product of its reports' (van den Hout & van der Heijden 2002, International Statistical
    Review 70, 269-288).
    """
    cells = int(np.prod([len(one.texts) for one in listed]))
    if together.patterns is None or together.patterns * cells > _MOST_CHANCES:
        return None
    chances: list[Floats] = []
    for one in listed:
        if one.chances is None:
            return None
        found = one.chances(together.whole.reports[one.name])
        chances.append(found / found.max(axis=1, keepdims=True))
    return iterative_bayes(together.whole.weights, crossed(chances).T, tolerance=_CLOSE)


def means_by_group(
    records: ScoredRecords, number: str, by: Sequence[str], confidence: float = _CONFIDENCE
) -> JointEstimates:
    """Returns the mean of a number in each group of respondents, among those who answered.

    Args:
        records: The records.
        number: The attribute with numbers.
        by: One or two attributes with categories.
        confidence: Coverage of the intervals.

    Raises:
        InputError: A column is not released, or there are too many groups.
        ParameterError: An attribute does not hold numbers, or categories; or nothing tells of all.
    """
    together = records.together((*by, number))
    *groups, last = together.variables
    numbers = last.numbers()
    listed = [variable.categories() for variable in groups]
    require_few_cells(listed)
    sums = _Sums.of(together, listed, numbers, numbers)
    domain = numbers.column.domain
    ends = (-np.inf, np.inf)
    if domain is not None and domain.holds_numbers:
        ends = (domain.origin - numbers.origin, domain.origin + domain.span - numbers.origin)
    found = sums.ratios("mean", listed, numbers, confidence, ends)
    shift = numbers.origin
    return replace(
        found,
        value=found.value + shift,
        lower=found.lower + shift,
        upper=found.upper + shift,
    )


def shares_by_group(
    records: ScoredRecords, share: str, by: Sequence[str], confidence: float = _CONFIDENCE
) -> JointEstimates:
    """Returns the share of each answer within each group of respondents.

    Args:
        records: The records.
        share: The attribute whose answers are counted.
        by: One or two attributes whose categories are the groups.
        confidence: Coverage of the intervals.

    Raises:
        InputError: A column is not released, or there are too many cells.
        ParameterError: An attribute holds numbers, or nothing tells of all of them together.
    """
    together = records.together((*by, share))
    listed = [variable.categories() for variable in together.variables]
    require_few_cells(listed)
    *groups, columns = listed
    sums = _Sums.of(together, groups, columns, None)
    law = SquareLaw.of(together, listed)
    return sums.ratios("share", groups, columns, confidence, (0.0, 1.0), law)


@dataclass(slots=True, eq=False)
class _Sums:
    """Means of products over records, and how they vary.

    x are the scores of the groups, y those of the columns, e whether a number is answered (else 1).

    Attributes:
        records: Number of records.
        effective: Kish's effective number of records.
        freedom: Degrees of freedom of the errors; None for the normal law.
        above: Mean of x y, shape (groups, columns).
        own: Variance of that mean, alike.
        below: Mean of x e, shape (groups,).
        spread: Its variance, (groups,).
        cross: Covariance of both means, shape (groups, columns).
        plain: own, cross and spread of respondents drawn one by one, where these are of strata or
            clusters.
    """

    records: int
    effective: float
    freedom: int | None
    above: Floats
    own: Floats
    below: Floats
    spread: Floats
    cross: Floats
    plain: tuple[Floats, Floats, Floats] | None = None

    @classmethod
    def of(
        cls,
        together: Together,
        groups: Sequence[Categories],
        columns: Variable,
        numbers: Numbers | None,
    ) -> _Sums:
        """Adds up the products over the records that tell of all attributes."""

        def told(part: Patterns) -> tuple[Floats, Floats, Floats]:
            x = crossed([part.scores(group) for group in groups])
            y = part.scores(columns)
            if numbers is not None:
                return x, y[:, 1:2], y[:, 0]
            return x, y, np.ones(part.size)

        total, squares = together.weight, together.squares
        rows = int(np.prod([len(group.texts) for group in groups]))
        width = 1 if numbers is not None else len(columns.categories().texts)
        above, above_2, own, cross = np.zeros((4, rows, width))
        below, below_2, spread = np.zeros((3, rows))
        reported = np.zeros((4, rows))
        for part in together.blocks(rows * width):
            x, y, e = told(part)
            w, ww = part.weights, part.squares
            wx, wwx, wwxx = w[:, None] * x, ww[:, None] * x, ww[:, None] * x**2
            above += wx.T @ y
            above_2 += wwx.T @ y
            own += wwxx.T @ y**2
            cross += wwxx.T @ (y * e[:, None])
            below += wx.T @ e
            below_2 += wwx.T @ e
            spread += wwxx.T @ e**2
            if numbers is not None:
                reported += report_sums(x, np.column_stack((e, y)), ww / total**2)
        above, below = above / total, below / total
        # A single record, or one beside others without weight, does not vary: nothing is known.
        left = 1 - squares / total**2
        over = total**2 * left if left > _LEAST_LEFT else np.nan
        own = (own - 2 * above * above_2 + above**2 * squares) / over
        spread = (spread - 2 * below * below_2 + below**2 * squares) / over
        of_below = below[:, None]
        both = of_below * above_2 + above * below_2[:, None] - above * of_below * squares
        cross = (cross - both) / over
        count = together.records
        found = cls(count, total**2 / squares, None, above, own, below, spread, cross)
        if together.designed:
            found._by_design(together, told)
        if numbers is not None:
            ratio = above[:, 0] / np.maximum(below, 1 / count)
            seen = Quadratic.of(found.own[:, 0], found.cross[:, 0], found.spread).at(ratio)
            least = numbers.least_variances(reported, found.effective)
            found.own[:, 0] += np.maximum(least - seen, 0.0)
        return found

    def _by_design(
        self,
        together: Together,
        told: Callable[[Patterns], tuple[Floats, Floats, Floats]],
    ) -> None:
        """Replaces variances by those of strata and clusters."""
        x, y, e = told(together.whole)
        self.freedom = together.sample.freedom()
        self.plain = self.own.copy(), self.cross.copy(), self.spread.copy()
        for group in range(x.shape[1]):
            below = x[:, [group]] * e[:, None] - self.below[group]
            for start in range(0, y.shape[1], _COLUMNS_AT_ONCE):
                stop = min(start + _COLUMNS_AT_ONCE, y.shape[1])
                above = x[:, [group]] * y[:, start:stop] - self.above[group, start:stop]
                found = together.covariance_of_parts(np.hstack((above, below)))
                found /= together.weight**2
                self.own[group, start:stop] = np.diag(found)[:-1]
                self.cross[group, start:stop] = found[-1, :-1]
                self.spread[group] = found[-1, -1]

    def normal(self, confidence: float) -> float:
        """The coverage of the normal law that reaches as far as Student's t does."""
        return erf(quantile(confidence, self.freedom) / sqrt(2))

    def design_effect(self, ratio: Floats) -> Floats:
        """Returns by how much strata and clusters make variances differ, (groups, columns).

        Args:
            ratio: Of `above` to `below`, alike; 0 for the variance of `above` itself.
        """
        if self.plain is None:
            return np.ones_like(ratio)
        (plain, designed) = (
            Quadratic.of(own, cross, spread[:, None]).at(ratio)
            for own, cross, spread in (self.plain, (self.own, self.cross, self.spread))
        )
        is_told = (plain > 0) & (designed > 0)
        return np.divide(designed, plain, out=np.ones_like(plain), where=is_told)

    def of_mean(self, variance: Quadratic, *factors: Floats) -> Quadratic:
        """Returns the variance of the mean of records from that of one.

        Args:
            variance: Of one.
            factors: By how much weights and the sample's design make it differ.
        """
        by = reduce(np.multiply, factors) / self.effective
        return variance.times(np.maximum(by, 1 / self.records))

    def _by_law(self, law: SquareLaw) -> Quadratic:
        below = np.maximum(self.below, 1 / self.records)[:, None]
        return self.of_mean(*law.of_ratios(), self.design_effect(self.above / below))

    def ratios(
        self,
        quantity: Quantity,
        groups: Sequence[Categories],
        columns: Variable,
        confidence: float,
        ends: tuple[float, float],
        law: SquareLaw | None = None,
    ) -> JointEstimates:
        """Returns mean(x y) / mean(x e) of each group.

        Args:
            quantity: What they are.
            groups: The attributes of the groups.
            columns: The attribute of the columns.
            confidence: Coverage of the intervals.
            ends: The least and the largest possible ratio.
            law: Of the squares of scores; None where the spread of the records has to tell.
        """
        confidence = self.normal(confidence)
        shape = self.above.shape
        value, error = np.full(shape, np.nan), np.full(shape, np.nan)
        lower, upper = np.full(shape, ends[0]), np.full(shape, ends[1])
        known = None if law is None else self._by_law(law)
        for group, below in enumerate(self.below.tolist()):
            variance = Quadratic.of(self.own[group], self.cross[group], self.spread[group])
            if np.isnan(self.spread[group]) and below * self.records >= 1:
                value[group] = self.above[group] / below
                lower[group] = upper[group] = np.nan
                continue
            low, high = ratio_interval(self.above[group], below, variance, confidence)
            clear = ~np.isnan(low)
            if known is not None:
                of_law = Quadratic(known.constant[group], known.linear[group], known.square[group])
                low, high = ratio_interval(self.above[group], below, of_law, confidence)
                clear = clear & ~np.isnan(low)
            if not clear.any() or below * self.records < 1:
                continue
            ratio = self.above[group] / below
            value[group], error[group] = ratio, np.sqrt(variance.at(ratio)) / below
            lower[group] = np.where(clear, np.minimum(low, ratio), ends[0])
            upper[group] = np.where(clear, np.maximum(high, ratio), ends[1])
        noise = np.full(shape, np.nan)
        title = _MEANS if quantity == "mean" else _WITHIN
        return JointEstimates(
            *(quantity, title, tuple(groups), columns, value, error, noise, lower, upper),
            records=self.records,
            in_group=self.below * self.records,
            in_group_error=np.sqrt(np.maximum(self.spread, 0.0)) * self.records,
        )


def _spread(share: Floats) -> Floats:
    """The variance of an indicator with this mean."""
    possible = np.clip(share, 0.0, 1.0)
    return np.asarray(possible * (1 - possible))


def least_variance(share: Floats, effective: float) -> NDArray[np.float64]:
    """What drawing the respondents adds at least: that of a share of one respondent."""
    one = min(1 / effective, 0.5)
    return _spread(np.clip(share, one, 1 - one)) / effective


def require_few_cells(variables: Sequence[Categories]) -> None:
    """Raises `InputError` where a table of some attributes has too many cells."""
    cells = prod(len(variable.texts) for variable in variables)
    if cells > MOST_CELLS:
        raise InputError(T.MANY_CELLS(cells=cells, most=MOST_CELLS))
