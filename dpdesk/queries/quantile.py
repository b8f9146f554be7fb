"""The median and other quantiles of a column of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, sqrt
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from dpdesk.composition import Loss
from dpdesk.domains import Categorical, ExactDecimal
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, in_a_row
from dpdesk.numbers import decimal_text
from dpdesk.numbers.arrays import Counts
from dpdesk.numbers.digits import bounded_error_text, percent_text, significant
from dpdesk.queries.base import ExpectedError, ExpectedSize, Part, Query, Statistic
from dpdesk.queries.bound import ChoosingQuery, measured_parts, share_of_epsilon
from dpdesk.queries.clamped import Clamp, Lower, Upper
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.columns import ColumnQuery
from dpdesk.queries.condition import Domains, domain_in, number_grid, numbers_in, require_conditions
from dpdesk.queries.contribution import Contribution
from dpdesk.queries.count import Count
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.released_law import ChosenNumbers, ReleasedLaw
from dpdesk.queries.selection import CalibratedQuantile, calibrate_quantile
from dpdesk.queries.selection.quantile import COUNTED, interval_targets
from dpdesk.queries.texts import T
from dpdesk.queries.unit import PrivacyUnit, YesNo
from dpdesk.queries.written import between_words, write_phrase, written

# So many are drawn from in some milliseconds; more would not be told apart.
_POINTS_MAX = 20_001
_PICTURED_MAX = 4
# The number of answers, of which the ends of an interval need a lower bound, takes one part in ten.
_PARTS_OF_COUNT = 10
_WITH_INTERVAL = ("with", "interval")


class Quantile(ColumnQuery):
    """Numbers below which declared shares of the answers lie; missing answers are left out.

    Attributes:
        column: The column of numbers.
        shares: The shares, each between 0 and 1; 0.5 is the median. Each costs an even part.
        lower, upper: Bounds to which numbers are clamped; None is the bound of the domain.
        interval: Whether an interval for the population is released beside each, whose ends are two
            further choices and a count of answers.
    """

    chooses = True
    title = N_("Median or quantiles")
    summary = N_(
        "The number below which half, or another share, of answers lie. Declare the step in which "
        "people answer: a finer grid is not better."
    )
    words = ("median", "quantile", "quantiles")
    examples = ("median of age", "quantiles 0.25, 0.75 of age with interval")
    form = ("column", "where", "shares", "interval", "lower", "upper")
    how_chosen = N_("A number of the declared grid, likelier the nearer its rank is to the share.")

    kind: Literal["quantile"] = "quantile"
    shares: Annotated[
        tuple[ExactDecimal, ...],
        Field(
            min_length=1,
            max_length=100,
            title=N_("At shares (0.5: median)"),
            description=N_("Such as 0.25, 0.5, 0.75; each takes an even part of ε"),
        ),
    ] = (Decimal("0.5"),)
    lower: Lower = None
    upper: Upper = None
    interval: Annotated[
        bool,
        Field(
            title=N_("Interval"),
            description=N_(
                "Two more numbers, between which the quantile of the population lies. They and a "
                "count of answers take most of ε"
            ),
            exclude_if=lambda interval: not interval,
        ),
        YesNo(N_("for the population"), spoken=N_("With an interval for the population")),
    ] = False

    @field_validator("shares")
    @classmethod
    def _shares_lie_inside(cls, shares: tuple[Decimal, ...]) -> tuple[Decimal, ...]:
        if not all(0 < share < 1 for share in shares) or len(set(shares)) != len(shares):
            raise ParameterError(T.SHARES())
        return shares

    @classmethod
    def read(cls, phrase: PhraseReader, fields: dict[str, Any]) -> Query | None:
        given: dict[str, Any] = {}
        if phrase.take("quantiles") or phrase.take("quantile"):
            given["shares"] = tuple(phrase.numbers())
            phrase.expect("of")
        elif phrase.take("median"):
            phrase.take("of")
        else:
            return None
        column = phrase.column_name()
        given |= phrase.bounds()
        if phrase.take(*_WITH_INTERVAL):
            given["interval"] = True
        return cls(column=column, **given, **phrase.where(fields))

    @property
    def subject(self) -> str:
        kind = ["median"]
        if self.shares != (Decimal("0.5"),):
            kind = ["quantiles", ", ".join(map(decimal_text, self.shares))]
        bounds = between_words(self.lower, self.upper)
        interval = _WITH_INTERVAL if self.interval else ()
        return write_phrase(*kind, "of", written(self.column), bounds, *interval)

    @property
    def error_caption(self) -> str:
        return N_("{level} error of its rank")

    def bind(self, domains: Domains, unit: PrivacyUnit) -> BoundQuantile:
        require_conditions(domains, self.where)
        clamp = Clamp.of(numbers_in(domains, self.column), self.lower, self.upper)
        points = _points(domains, self.column, clamp)
        parts: tuple[Part, ...] = ()
        left, choosing = self.epsilon, len(self.shares)
        if self.interval:
            counted = share_of_epsilon(left, _PARTS_OF_COUNT)
            rows = Contribution(1, 1, may_skip=True)
            asked = Count(epsilon=counted)
            parts = measured_parts(asked, unit, [(_ANSWERS, 1.0, rows)])
            left, choosing = left - counted, 3 * choosing
        each = share_of_epsilon(left, choosing)
        choices = tuple(
            calibrate_quantile(len(points), share, unit.rows_per_respondent, unit.relation, each)
            for share in map(Fraction, self.shares)
        )
        one = len(self.shares) == 1
        keys = tuple(() if one else (decimal_text(share),) for share in self.shares)
        return BoundQuantile(
            self, domains, unit, keys, parts, clamp, tuple(points.tolist()), choices
        )


_ANSWERS = "answers"


@dataclass(frozen=True)
class BoundQuantile(ChoosingQuery):
    """Choices among the points of the declared grid by how well they part the answers.

    Attributes:
        keys: The share of each quantile; ((),) for one.
        parts: The number of answers, where there are intervals.
        clamp: The bounds.
        points: Codes of the numbers that can be chosen, increasing.
        choices: One calibrated choice per share.
    """

    query: Quantile
    clamp: Clamp
    points: tuple[int, ...]
    choices: tuple[CalibratedQuantile, ...]

    @property
    def derivations(self) -> tuple[str, ...]:
        return (
            *(choice.derivation for choice in self.choices),
            *(part.derivation for part in self.parts),
        )

    @property
    def epsilon_run(self) -> Decimal:
        run = sum((choice.epsilon_run for choice in self.choices), Decimal(0))
        run += sum((part.noise.epsilon_run for part in self.parts), Decimal(0))
        ends = sum((choice.choice.epsilon for choice in self.choices), Decimal(0))
        return run + 2 * len(self.parts) * ends

    @property
    def losses(self) -> tuple[Loss, ...]:
        unit = self.unit
        column, words = self.query.column, (unit.description, unit.neighbours)
        whats = ("", ", lower end", ", upper end") if self.parts else ("",)
        counted = (
            part.noise.loss(part.name, unit=words[0], relation=words[1]) for part in self.parts
        )
        return (
            *counted,
            *(
                Loss(
                    f"quantile {float(choice.alpha):g} of {column}{what}",
                    choice.choice.epsilon,
                    unit=words[0],
                    relation=words[1],
                )
                for choice in self.choices
                for what in whats
            ),
        )

    def released_law(self, rows: int, confidence: float = 0.95) -> ReleasedLaw:
        points, domain = len(self.points), self.clamp.domain
        counts = np.diff(np.arange(points + 1) * rows // points).astype(np.int64)
        step = float(domain.grid_step)
        at = float(domain.grid_lower) + step * np.asarray(self.points, np.float64)
        choices = self.choices[:_PICTURED_MAX]
        names = map(decimal_text, self.query.shares)
        laws = tuple(choice.law(counts) for choice in choices)
        return ChosenNumbers(at, laws, tuple(names)[:_PICTURED_MAX], domain.shown_unit)

    def _rank_error(self, confidence: float) -> float:
        """Rows by which no released number misses its rank, all of them at once."""
        each = 1 - (1 - confidence) / len(self.choices)
        return max(choice.rank_error(each) for choice in self.choices)

    def assurance(self, confidence: float) -> str:
        # Rounded up, so that half a row counts as one.
        count = ceil(self._rank_error(confidence))
        said = [T.RANK_SHORTFALL(confidence=percent_text(confidence), count=count)]
        steps = int(np.diff(self.points).max(initial=1))
        if steps > 1 and not isinstance(self.domains[self.query.column], Categorical):
            step = self.clamp.domain.grid_step * steps
            said.append(T.NEAREST_MULTIPLE(step=f"{step.normalize():f}"))
        if self.parts:
            said.append(T.OF_RANDOM_SAMPLE())
        return in_a_row((*said, T.WITHOUT_ANSWERS()))

    def expected_error(self, respondents: int, confidence: float = 0.95) -> ExpectedError:
        error = self._rank_error(confidence) / max(respondents, 1)
        return ExpectedError(100 * error, "pp", T.OF_RANK(), of=N_("rank"))

    def error_if_even(self, respondents: int, confidence: float = 0.95) -> str:
        rows, unit = max(respondents, 1), self.clamp.domain.error_unit
        span = 2 * self.clamp.reach * self.clamp.half_step
        even = bounded_error_text(self._rank_error(confidence) / rows * span, unit, span / 2)
        if not self.parts:
            return even
        ends = (interval_targets(choice, rows, confidence) for choice in self.choices)
        wide = max(float((1 if b is None else b) - (0 if a is None else a)) for a, b in ends)
        width = f"{significant(wide * span, 2)} {unit}".rstrip()
        return T.WITH_INTERVAL(error=even, width=width)

    def expected_size(self, rows: int) -> ExpectedSize:
        return ExpectedSize("the rank of the number", 100 / sqrt(12) / 2)

    def _counts(self, rows: CodedRows) -> Counts:
        """Counts of answers by the nearest point that can be chosen, shape (points,)."""
        rows, column = rows.numbered(self.query.column)
        counts = rows.count((column,), self.query.where)
        points = np.asarray(self.points)
        codes = np.clip(np.arange(counts.size), self.clamp.first, self.clamp.last)
        nearest = np.searchsorted((points[1:] + points[:-1]) / 2, codes)
        into = np.zeros(points.size, dtype=np.int64)
        np.add.at(into, nearest, counts)
        return into

    def _number(self, point: int) -> float:
        domain = self.clamp.domain
        return float(domain.grid_lower + domain.grid_step * self.points[point])

    def _statistics(
        self, chosen: Sequence[int], ends: Sequence[tuple[int, int]] = ()
    ) -> tuple[Statistic, ...]:
        """The chosen numbers, in the order of their shares, inside their intervals."""
        places = np.argsort([float(choice.alpha) for choice in self.choices]).tolist()
        at = dict(zip(places, sorted(chosen), strict=True))
        possible = (self.clamp.lower, self.clamp.upper)
        statistics = []
        for place, key in enumerate(self.keys):
            point = at[place]
            outer: tuple[float | None, float | None] = (None, None)
            if ends:
                low, *_, high = sorted((*ends[place], point))
                outer = self._number(low), self._number(high)
            number = self._number(point)
            statistics.append(Statistic(key, number, None, None, *outer, possible))
        return tuple(statistics)

    def exact(self, rows: CodedRows) -> tuple[Statistic, ...]:
        counts = self._counts(rows)
        return self._statistics([choice.best(counts) for choice in self.choices])

    def release(self, rows: CodedRows, confidence: float = 0.95) -> tuple[Statistic, ...]:
        counts = self._counts(rows)
        chosen = [choice.draw(counts) for choice in self.choices]
        if not self.parts:
            return self._statistics(chosen)
        (answers,) = self.parts[0].noise.draw([int(counts.sum())])
        margin = self.parts[0].half_width(1 - 2 * COUNTED * (1 - confidence))
        ends = []
        for choice in self.choices:
            low, high = interval_targets(choice, int(answers - margin), confidence)
            ends.append(
                (
                    0 if low is None else choice.at(low).draw(counts),
                    len(self.points) - 1 if high is None else choice.at(high).draw(counts),
                )
            )
        return self._statistics(chosen, ends)


def _points(domains: Domains, column: str, clamp: Clamp) -> NDArray[np.int64]:
    """Returns the codes that can be chosen: the numbers of categories, else an even grid.

    Of a grid of too many points, multiples of a round number of steps: answers heap there.
    """
    domain = domain_in(domains, column)
    if isinstance(domain, Categorical):
        coded = number_grid(domain)
        assert coded is not None  # noqa: S101 - numbers_in has asked before
        places = np.unique(np.asarray(coded[1], dtype=np.int64))
        return places[(places >= clamp.first) & (places <= clamp.last)]
    ratios = (m * 10**power for power in range(19) for m in (1, 2, 5))
    every = next(ratio for ratio in ratios if clamp.reach // ratio < _POINTS_MAX - 2)
    zero = round(-clamp.domain.grid_lower / clamp.domain.grid_step)
    first = clamp.first + (zero - clamp.first) % every
    inner = np.arange(first, clamp.last + 1, every)
    return np.unique(np.asarray([clamp.first, *inner, clamp.last], dtype=np.int64))
