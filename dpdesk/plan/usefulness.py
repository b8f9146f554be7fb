"""Whether what is released will be useful: its errors against the size of what is estimated.

The rule, for one number with its 95 % error and its size:

- useful: the error is at most a third of the size. A share then has a relative standard error of
  at most 17 %; up to 16.5 % Statistics Canada publishes estimates without a warning.
- useless: the error exceeds the size. The interval of a share reaches 0: nothing tells the answer
  from one that nobody gave. Of a mean not even a medium difference can be seen.
- coarse: between the two.

The size is the share or count itself, or half a standard deviation of the answers if that is less:
the difference between groups that is called medium (Cohen 1988). Nothing here reads data: shares
are 1/k or as expected, numbers are spread evenly, the number of respondents is public.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import hypot, sqrt
from typing import Generic, Literal, TypeVar

from dpdesk.errors import ParameterError
from dpdesk.mechanisms import AnyDomain, Mechanism, Sampling
from dpdesk.mechanisms.choice import mean_accuracy
from dpdesk.mechanisms.missing_answer import MissingForecast
from dpdesk.mechanisms.sampling import SampledForecast
from dpdesk.numbers.digits import error_text, fraction_text, percent_text, significant
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.plan.synthetic_columns import synthesis_budget, synthetic_states
from dpdesk.queries import BoundQuery
from dpdesk.queries.bound import size_of_share
from dpdesk.synthesis.budget import SynthesisBudget
from dpdesk.synthesis.forecast import rows_error
from dpdesk.synthesis.states import ColumnStates
from dpdesk.synthesis.synthesis import CELLS_MAX

RESPONDENTS_ASSUMED = 1000
"""The number of respondents that errors are given for if a plan does not state it."""

Verdict = Literal["useful", "coarse", "useless"]
VERDICTS: tuple[Verdict, ...] = ("useful", "coarse", "useless")
"""From the best to the worst."""

USEFUL_PART = 1 / 3
"""The largest part of its size that the error of a useful number has."""

_Z = normal_quantile(0.95)
# Formulas that are equal must not differ by their last bits.
_SLACK = 1 + 1e-9


def verdict_of(error: float, size: float) -> Verdict:
    """Returns the verdict on a number.

    Args:
        error: Half-width of its 95 % interval.
        size: Its size, in the same unit.
    """
    if error <= USEFUL_PART * size * _SLACK:
        return "useful"
    return "coarse" if error <= size * _SLACK else "useless"


@dataclass(frozen=True, slots=True)
class Usefulness:
    """What one number of a release will be worth.

    Attributes:
        what: What is estimated, such as "a share of 1/16".
        error: Half-width of the 95 % interval, noise and sampling for records, noise alone for
            statistics of a trusted file.
        size: What it is compared with: the thing itself, or a medium difference of it.
        unprotected: The 95 % error without protection; 0 for statistics, which describe the file.
        unit: "pp", "rows" or the attribute's unit.
        is_itself: Whether the size is the thing itself, not a medium difference of it.
        of_bounds: Whether that difference is taken from the declared bounds.
    """

    what: str
    error: float
    size: float
    unprotected: float
    unit: str
    is_itself: bool = False
    of_bounds: bool = False

    @property
    def verdict(self) -> Verdict:
        """The verdict."""
        return verdict_of(self.error, self.size)

    @property
    def ratio(self) -> float:
        """The error as a multiple of the size."""
        return self.error / self.size if self.size > 0 else float("inf")

    @property
    def is_of_few_respondents(self) -> bool:
        """Whether the error would give the same verdict without protection."""
        return verdict_of(self.unprotected, self.size) == self.verdict != "useful"

    @property
    def reason(self) -> str:
        """Error, what it is compared with, and the error without protection, as a sentence."""
        said = self.brief
        if self.of_bounds:
            said += ", half a standard deviation of answers spread evenly between the bounds"
        if self.unprotected:
            said += f"; {error_text(self.unprotected, self.unit)} without protection"
        if self.is_of_few_respondents:
            said += ", so that the respondents are too few in any case"
        return f"{said}."

    @property
    def brief(self) -> str:
        """Error and what it is compared with."""
        head = f"{error_text(self.error, self.unit)} on {self.what}"
        part = f"{100 * self.ratio:.0f} % of" if self.ratio < 1 else f"{self.times} times"
        meant = "it" if self.is_itself else "a medium difference"
        size = f"{significant(self.size, 2)} {self.unit}".strip()
        return f"{head}: {part} {meant} ({size})"

    @property
    def times(self) -> str:
        """The error as a multiple of the size, in print."""
        return significant(self.ratio, 2)


def usefulness_of_column(
    column: ColumnPlan, sampling: Sampling, respondents: int | None
) -> Usefulness | None:
    """Returns what the estimates of a protected column will be worth.

    Of numbers that may be missing both the mean and the share answered are looked at: the worse.

    Args:
        column: The column.
        sampling: The plan's strategy (`Plan.sampling`).
        respondents: Number of respondents that the plan states; `RESPONDENTS_ASSUMED` if None.

    Returns:
        None where nothing fitting protects it.
    """
    domain, mechanism = column.judged_domain, column.mechanism
    if column.role != "protect" or domain is None or mechanism is None:
        return None
    count, words = column.reports(respondents or RESPONDENTS_ASSUMED), column.judged_words
    found = usefulness_of(mechanism, domain, sampling, count, column.expected_shares, words)
    if found is None or not column.missing.treatment.stays_blank:
        return found
    return replace(found, what=f"{found.what}, if {words}")


# Cached: a step of a slider changes one of thousands of columns.
@lru_cache(maxsize=20_000)
def usefulness_of(
    mechanism: Mechanism,
    domain: AnyDomain,
    sampling: Sampling,
    respondents: float,
    expected: tuple[float, ...] = (),
    supposed: str = "",
) -> Usefulness | None:
    """Returns what the estimates of one attribute will be worth; None if the law does not fit.

    Args:
        mechanism: Its mechanism.
        domain: The domain that the mechanism sees.
        sampling: How the attribute shares a respondent's report with others.
        respondents: Number of respondents, without those who make no report.
        expected: Expected share of each category; uniform when empty.
        supposed: What is supposed of missing answers, in words; empty to say their share alone.
    """
    if not sampling.serves(type(mechanism)) or mechanism.objection(domain) is not None:
        return None
    forecast = sampling.forecast(mechanism, domain, expected)
    accuracy = mean_accuracy(forecast, expected, respondents)
    error, unprotected = _Z * accuracy.total, _Z * accuracy.sampling
    if not domain.holds_numbers:
        what = f"a share of {fraction_text(domain.size)}"
        return _of_share(what, 1 / domain.size, error, unprotected)
    spread = domain.span * sqrt((domain.size + 1) / (12 * (domain.size - 1)))
    # The share that a law was made for is part of its domain.
    if domain.missing_share and not supposed:
        supposed = f"{percent_text(domain.missing_share)} did not answer"
    if not domain.missing_share:
        supposed = ""
    what = f"the mean, if {supposed}" if supposed else "the mean"
    mean = Usefulness(what, error, spread / 2, unprotected, domain.unit, of_bounds=True)
    group = forecast.real if isinstance(forecast, SampledForecast) else forecast
    if not isinstance(group, MissingForecast):
        return mean
    answered = _share_answered(group, respondents, sampling, supposed)
    return max(mean, answered, key=lambda found: found.ratio)


def _of_share(what: str, share: float, error: float, unprotected: float) -> Usefulness:
    """A share as a fraction of 1, whose error is given in pp."""
    size, is_itself = size_of_share(share)
    return Usefulness(what, 100 * error, 100 * size, 100 * unprotected, "pp", is_itself)


def _share_answered(
    forecast: MissingForecast, respondents: float, sampling: Sampling, supposed: str
) -> Usefulness:
    """The share of respondents who answered, whose estimate is the mean of the scores A."""
    answered = 1 - forecast.share
    p, q = forecast.scores.p, forecast.scores.q
    none = answered * q + forecast.share * p
    reports = respondents / (sampling.attributes if sampling.strategy == "smp" else 1)
    error = sqrt(none * (1 - none) / reports) / (p - q)
    spread = sqrt(answered * forecast.share)
    what = f"the share who answered, if {supposed.removesuffix(' answer')}"
    return _of_share(what, answered, _Z * error, _Z * spread / sqrt(respondents))


def joint_pair(plan: Plan) -> tuple[ColumnPlan, ColumnPlan] | None:
    """Returns the two attributes of categories of middle size; None where no row holds both."""
    lists = [c for c in plan.protected if c.effective_domain and c.effective_domain.picks_one]
    if plan.strategy != "spl" or len(lists) < 2:
        return None
    lists.sort(key=lambda c: c.effective_domain.size if c.effective_domain else 0)
    middle = len(lists) // 2
    return lists[middle - 1], lists[middle]


def joint_cell(plan: Plan) -> Usefulness | None:
    """Returns what a cell of a table of two attributes is worth, of those of `joint_pair`.

    With a score of each report that is unbiased for a category, the mean of products of two scores
    is unbiased for the share p of their cell. Its variance is (M N - p^2) / n, where M and N are
    the mean squares of both scores: the variance of one report's estimate plus the squared share.
    Answers are taken as spread evenly and independent.

    Returns:
        None where a row does not hold both answers.
    """
    pair = joint_pair(plan)
    people = plan.respondents or RESPONDENTS_ASSUMED
    if pair is None:
        return None
    # Both columns have the weights of the same respondents.
    square, share, both = 1.0, 1.0, people * min(column.worth for column in pair)
    for column in pair:
        found = usefulness_of_column(column, plan.sampling, people)
        if found is None or column.effective_domain is None:
            return None
        part = 1 / column.effective_domain.size
        reports = column.reports(people)
        square *= reports * (found.error / 100 / _Z) ** 2 + part**2
        share *= part
        # Only who answered both is counted; the one is taken to have nothing to do with the other.
        both *= reports / column.worth / people
    error = _Z * sqrt((square - share**2) / both)
    sampling = _Z * sqrt(share * (1 - share) / both)
    return _of_share(f"a cell of {pair[0].name} and {pair[1].name}", share, error, sampling)


def usefulness_of_query(
    bound: BoundQuery, rows: int | None, confidence: float = 0.95
) -> Usefulness:
    """Returns what a number of a statistic will be worth; its noise is all that is looked at.

    Args:
        bound: The query, calibrated.
        rows: Number of rows that the plan states; `RESPONDENTS_ASSUMED` if None.
        confidence: Coverage of the interval.
    """
    of_cell = bound.rows_of_cell(rows or RESPONDENTS_ASSUMED)
    error = bound.expected_error(of_cell, confidence)
    size = bound.expected_size(rows or RESPONDENTS_ASSUMED)
    return Usefulness(
        size.what, error.half_width, size.size, 0.0, error.unit, is_itself=size.is_itself
    )


Name = TypeVar("Name", str, int)
"""A column's name, or the position of a statistic."""


@dataclass(frozen=True)
class ReleaseUsefulness(Generic[Name]):
    """What a release as a whole will be worth.

    Attributes:
        by_name: What each number will be worth, by column, or by the position of its statistic.
        respondents: The number that this supposes.
        is_supposed: Whether the plan does not state it.
        tables: What a cell of a table of two columns will be worth; None where the purpose is not
            tables.
        shares: Of so many numbers, the first ones, all others are made: shares of single columns
            under the tables of two. Where at least half of these are useless, so is everything.
        untold: Number of tables of two columns that are not measured: what they will be worth
            depends on the answers, and nobody can say it.
    """

    by_name: Mapping[Name, Usefulness]
    respondents: int
    is_supposed: bool
    tables: Usefulness | None = None
    shares: int = 0
    untold: int = 0

    @property
    def verdict(self) -> Verdict | None:
        """Useful where everything is, useless where at least half is; None for nothing.

        Where tables are wanted, it is never better than that of their cells; and it is not useful
        where something is of which nothing can be said.
        """
        if not self.by_name:
            return None
        every = [each.verdict for each in self.by_name.values()]
        own = max(_of_all(every), _of_all(every[: self.shares or None]), key=VERDICTS.index)
        if self.untold:
            own = max(own, "coarse", key=VERDICTS.index)
        return own if self.tables is None else max(own, self.tables.verdict, key=VERDICTS.index)

    def named(self, verdict: Verdict) -> tuple[Name, ...]:
        """Returns what has a verdict, the worst first."""
        names = [name for name, each in self.by_name.items() if each.verdict == verdict]
        return tuple(sorted(names, key=lambda name: -self.by_name[name].ratio))


def _of_all(verdicts: Sequence[Verdict]) -> Verdict:
    counts = Counter(verdicts)
    if counts["useful"] == len(verdicts):
        return "useful"
    return "useless" if 2 * counts["useless"] >= len(verdicts) else "coarse"


def usefulness_of_records(plan: Plan) -> ReleaseUsefulness[str]:
    """Returns what the records of a plan will be worth."""
    found = _of_columns(plan.protected, plan.sampling, plan.respondents)
    names = (column.name for column in plan.protected)
    whole = _of_release(plan, zip(names, found, strict=True))
    return replace(whole, tables=joint_cell(plan)) if plan.wanted.tables else whole


def _of_columns(
    columns: tuple[ColumnPlan, ...], sampling: Sampling, respondents: int | None
) -> tuple[Usefulness | None, ...]:
    """The worth of each column; columns that the last call had too are not looked at again.

    A step of a slider changes one of thousands, and to hash each takes longer than a frame.
    """
    known = _latest.get((sampling, respondents), ((), ()))
    before = dict(zip(map(id, known[0]), known[1], strict=True))
    found = tuple(
        before[id(column)]
        if id(column) in before
        else usefulness_of_column(column, sampling, respondents)
        for column in columns
    )
    if len(_latest) >= _KEPT:
        _latest.clear()
    # The columns are kept too, so that no other object can have the identity of one of them.
    _latest[sampling, respondents] = columns, found
    return found


_KEPT = 4
_latest: dict[
    tuple[Sampling, int | None], tuple[tuple[ColumnPlan, ...], tuple[Usefulness | None, ...]]
] = {}


def usefulness_of_statistics(plan: Plan) -> ReleaseUsefulness[int]:
    """Returns what the statistics of a plan will be worth."""
    return _of_release(
        plan, ((i, usefulness_of_statistic(plan, i)) for i in range(len(plan.statistics.queries)))
    )


def usefulness_of_synthesis(plan: Plan) -> ReleaseUsefulness[str]:
    """Returns what the tables of one and two columns of synthetic rows will be worth.

    As with records, an answer is supposed to be as common as any other; what is looked at is the
    noise of a cell. Of two columns that is the noise if their table is one of those measured.
    """
    columns, people = synthetic_states(plan), plan.respondents or RESPONDENTS_ASSUMED
    found = ReleaseUsefulness[str]({}, people, plan.respondents is None)
    if not columns:
        return found
    try:
        of_tables, untold = _of_tables(synthesis_budget(plan, columns), columns, people)
    except ParameterError:
        return found
    return replace(found, by_name=of_tables, shares=len(columns), untold=untold)


# Cached: the page, its table and the checks ask for the same at each step of a slider.
@lru_cache(maxsize=8)
def _of_tables(
    budget: SynthesisBudget, columns: tuple[ColumnStates, ...], people: int
) -> tuple[Mapping[str, Usefulness], int]:
    """The worth of each table by its name, and how many of two columns are not measured."""
    sizes = [column.size for column in columns]
    rounds = budget.rounds_for(people, sizes)
    noise, error = budget.shares_noise(sum(sizes)).half_width(), rows_error(budget, sizes)
    found = {
        column.name: usefulness_of_cell((column.name,), column.size, noise, people, error)
        for column in columns
    }
    if not rounds:
        return found, 0
    noise = budget.table_noise(4, rounds).half_width()
    pairs = tuple(combinations(columns, 2))
    for one, other in pairs:
        cells, names = one.size * other.size, (one.name, other.name)
        if cells <= CELLS_MAX:
            found[table_name(names)] = usefulness_of_cell(
                names, cells, noise, people, error, some=rounds < len(pairs)
            )
    return found, len(pairs) - rounds


def usefulness_of_cell(
    columns: Sequence[str],
    cells: int,
    half_width: float,
    rows: int,
    rows_error: float,
    *,
    some: bool = False,
) -> Usefulness:
    """Returns what a cell of a table of synthetic rows is worth, of cells that are alike.

    Its share is its count by the number of rows, and has the errors of both.

    Args:
        columns: The columns of the table, one or two.
        cells: Number of its cells.
        half_width: The 95 % error of a cell, in rows.
        rows: Number of rows of the file.
        rows_error: The 95 % error of that number; 0 where it is public.
        some: Whether only some such tables are measured.
    """
    what = f"a share of {fraction_text(cells)}"
    if len(columns) > 1:
        what = f"a cell of {' and '.join(columns)}{', if it is measured' * some}"
    error = hypot(half_width, rows_error / cells) / rows
    return _of_share(what, 1 / cells, error, 0.0)


def table_name(columns: Sequence[str]) -> str:
    """Returns what a table of one or two columns is called: "age × sex"."""
    return " × ".join(columns)


def usefulness_of_statistic(plan: Plan, index: int) -> Usefulness | None:
    """Returns what one statistic of a plan will be worth; None if it does not suit the domains."""
    statistics = plan.statistics
    query = statistics.queries[index]
    domains = {
        column.name: domain
        for column in plan.columns
        if column.name in query.columns and (domain := column.effective_domain) is not None
    }
    try:
        bound = query.bind(domains, statistics.unit)
        return usefulness_of_query(bound, plan.respondents, float(statistics.confidence))
    except ParameterError:
        return None


def _of_release(
    plan: Plan, found: Iterable[tuple[Name, Usefulness | None]]
) -> ReleaseUsefulness[Name]:
    known = {name: each for name, each in found if each is not None}
    return ReleaseUsefulness(
        known, plan.respondents or RESPONDENTS_ASSUMED, plan.respondents is None
    )
