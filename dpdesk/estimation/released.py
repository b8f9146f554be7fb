"""The public result of a release: counted reports with certified laws, or noisy statistics.

No true value is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

import numpy as np

from dpdesk.cost import PrivacyCost
from dpdesk.disclosure.kept_columns import KeptColumns
from dpdesk.errors import ReleaseError
from dpdesk.estimation.of_asked import (
    BLANKS,
    OWN_NOT_TOLD,
    SomeShare,
    answered_of_asked,
    design_withholds,
    share_asked,
)
from dpdesk.estimation.texts import T
from dpdesk.i18n import N_
from dpdesk.mechanisms import BoundMechanism, Estimate, Tally
from dpdesk.mechanisms.sampling import estimate_of_group
from dpdesk.mechanisms.tally import effective_size
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.losses import bind_column
from dpdesk.plan.model import Plan
from dpdesk.queries import BoundQuery, Statistic
from dpdesk.synthesis.budget import SynthesisBudget
from dpdesk.synthesis.junction_tree import Clique
from dpdesk.synthesis.released_error import ReleasedErrors
from dpdesk.synthesis.states import ColumnStates
from dpdesk.synthesis.synthesis import Synthesized
from dpdesk.synthesis.synthetic_rows import counted

_ROWS_COUNTED = 200_000
"""Rows, in their random order, that the shares of a table are counted in."""

_NOT_ASKED = N_(
    "Asked only where {condition}: who was not asked counts as without an answer, which is not a "
    "refusal."
)
_PASSED_BY = N_("Asked only where {condition}: who was not asked has a blank.")
_WITHHELD = N_("The share answered among those asked is not told: {reason}.")


@dataclass(frozen=True)
class QueryResult:
    """The released statistics of one query.

    Attributes:
        bound: The calibrated query.
        statistics: One number or category per cell.
    """

    bound: BoundQuery
    statistics: tuple[Statistic, ...]


@dataclass(frozen=True)
class ReleasedStatistics:
    """The results of all queries of a plan.

    Attributes:
        plan: The plan, without columns that no query reads.
        rows: Number of rows if it is public, else None.
        results: One entry per query, in the plan's order.
        unused_weights: Name of the column of survey weights, which statistics do not use; empty
            where there is none.
    """

    plan: Plan
    rows: int | None
    results: tuple[QueryResult, ...]
    unused_weights: str = ""

    @property
    def cost(self) -> PrivacyCost:
        """The privacy cost: the exact sum of all queries."""
        unit = self.plan.statistics.unit
        costs = [result.bound.cost for result in self.results]
        return PrivacyCost(
            sum((cost.epsilon for cost in costs), Decimal(0)),
            sum((cost.delta for cost in costs), Decimal(0)),
            "central",
            unit.description,
            unit.neighbours,
        )


@dataclass(frozen=True, slots=True)
class ReleasedAttribute:
    """One protected attribute after the release.

    Attributes:
        column: The column of the plan.
        bound: The mechanism that was run, with its certificate.
        tally: Counts of the released reports.
        respondents: Effective number of all respondents, if a group of them drawn at random
            reports the attribute; None if all report it.
        filter: The attribute because of whose answer it was asked, where its shares and those of
            this one are of all respondents; else None.
        no_filter: Why there is none where it was not asked of everybody, as a clause.
    """

    column: ColumnPlan
    bound: BoundMechanism
    tally: Tally
    respondents: float | None = None
    filter: ReleasedAttribute | None = None
    no_filter: str = ""

    @property
    def estimate(self) -> Estimate:
        """The unbiased estimates with 95 % intervals."""
        return self._of_group(self.bound.estimate(self.tally))

    @property
    def missing_category(self) -> int | None:
        """Place of "no answer" among the categories or options; None where it is none of them."""
        domain = self.bound.domain
        if not domain.missing_value:
            return None
        return domain.listed.index(domain.missing_value)

    @property
    def among_answered(self) -> Estimate | None:
        """The shares among those who answered, where "no answer" is a category of its own.

        Arrays of shape (k - 1,), without that category; None elsewhere, and where the reports do
        not show that enough answered for any share of them to be told.
        """
        missing = self.missing_category
        if missing is None:
            return None
        estimate = self.bound.among_answered(self.tally, missing)
        if estimate is None or bool(np.any((estimate.lower <= 0) & (estimate.upper >= 1))):
            return None
        return self._of_group(estimate)

    @property
    def answered_of_asked(self) -> Estimate | None:
        """The share who answered among those who were asked, arrays of shape (1,).

        None where everybody was asked, or the release does not tell who was.
        """
        found = self._answered_of_asked
        return None if isinstance(found, str) else found

    @property
    def of_asked_withheld(self) -> str:
        """Why that share is not told, as a clause; empty where it is, or everybody was asked."""
        found = self._answered_of_asked
        return found if isinstance(found, str) else ""

    def routing(self, say: Callable[[str], str] = str) -> str:
        """Returns who was asked, and why a share of them is not told, translated by `say`.

        As sentences; empty where everybody was asked.
        """
        rule, why = self.column.missing.asked, self.of_asked_withheld
        if rule is None:
            return ""
        told = say(_PASSED_BY if self.column.missing.treatment.stays_blank else _NOT_ASKED)
        told = told.format(condition=rule.condition(say))
        return f"{told} {say(_WITHHELD).format(reason=say(why))}" if why else told

    @property
    def _answered_of_asked(self) -> Estimate | str:
        rule, filter_, missing = self.column.missing.asked, self.filter, self.missing_category
        if rule is None:
            return ""
        if filter_ is None:
            return self.no_filter
        own, other = self._shares, filter_.bound.domain
        answers = own[0].answered, own[1].answered
        if missing is not None:
            answered = SomeShare.of(own, [missing], others=True)
        elif answers[0] is not None and answers[1] is not None:
            answered = SomeShare.of((answers[0], answers[1]), [0])
        else:
            return OWN_NOT_TOLD
        asked = share_asked(filter_._shares, other.listed, filter_.missing_category, rule)
        if isinstance(asked, str):
            return asked
        return answered_of_asked(answered, asked, self.respondents)

    @property
    def _shares(self) -> tuple[Estimate, Estimate]:
        """The estimates of those who report the attribute, and the same by squared weights."""
        own = self.bound.estimate(self.tally)
        weighted = self.tally.square_counts is not None
        return own, self.bound.estimate(self.tally.by_squares) if weighted else own

    def _of_group(self, estimate: Estimate) -> Estimate:
        if self.respondents is None:
            return estimate
        return estimate_of_group(estimate, self.respondents)


@dataclass(frozen=True, slots=True)
class Released:
    """A release of records.

    Attributes:
        plan: The plan that was run.
        rows: Number of released records.
        attributes: The protected attributes, in the plan's order.
        kept: How many records stand out on the answers that are released as they are; None where
            none is.
    """

    plan: Plan
    rows: int
    attributes: tuple[ReleasedAttribute, ...]
    kept: KeptColumns | None = None


def released_from_tallies(
    plan: Plan,
    rows: int,
    bound: Sequence[tuple[ColumnPlan, BoundMechanism, Tally]],
    kept: KeptColumns | None = None,
) -> Released:
    """Returns a release from the counts of its attributes.

    Args:
        plan: The plan that was run.
        rows: Number of released records.
        bound: Each protected column with its mechanism and its counts.
        kept: How many records stand out on the answers that are released as they are.

    Raises:
        ReleaseError: Nobody reports one of the attributes.
    """
    for column, _, tally in bound:
        if tally.reports == 0:
            raise ReleaseError(T.NO_REPORTS(column=column.name))
    respondents = None
    if plan.strategy == "smp":
        # Every respondent is in exactly one group, so the groups' weights sum to all weights.
        weight = sum(tally.weight for _, _, tally in bound)
        respondents = effective_size(weight, sum(tally.weight_squares for _, _, tally in bound))
    attributes = tuple(ReleasedAttribute(c, m, t, respondents) for c, m, t in bound)
    of = {attribute.column.name: attribute for attribute in attributes}
    found = tuple(_with_filter(plan, one, of) for one in attributes)
    return Released(plan, rows, found, kept)


def _with_filter(
    plan: Plan, attribute: ReleasedAttribute, of: Mapping[str, ReleasedAttribute]
) -> ReleasedAttribute:
    asked = attribute.column.missing.asked
    if asked is None:
        return attribute
    if why := design_withholds(plan, asked):
        return replace(attribute, no_filter=why)
    other = of[asked.columns[0]]
    # Of respondents who report one attribute each, equally many need not report both.
    is_blank = (
        other.tally.reports != attribute.tally.reports
        if attribute.respondents is None
        else any(one.column.missing.treatment.stays_blank for one in (attribute, other))
    )
    if is_blank:
        return replace(attribute, no_filter=BLANKS)
    return replace(attribute, filter=other)


def bind_attributes(
    plan: Plan, tick: Callable[[], None] | None = None
) -> tuple[tuple[ColumnPlan, BoundMechanism], ...]:
    """Returns each protected column with its certified mechanism under the plan's strategy.

    Args:
        plan: A plan without errors.
        tick: Called now and then while laws are built; may raise to stop.

    Raises:
        PlanError: A protected column has no mechanism or no domain.
        ParameterError: The strategy cannot use a mechanism.
        CertificateError: A law would exceed its epsilon.
    """
    sampling = plan.sampling
    return tuple((column, bind_column(sampling, column, tick)) for column in plan.protected)


@dataclass(frozen=True)
class SyntheticRows:
    """A release of synthetic rows; everything in it may be published.

    Attributes:
        plan: The public part of the plan.
        columns: The states of each column.
        budget: The loss, and what follows from it.
        synthesized: The rows, and the noisy tables that they follow.
        public_rows: Number of rows of the file that count, where it is public; else None.
    """

    plan: Plan
    columns: tuple[ColumnStates, ...]
    budget: SynthesisBudget
    synthesized: Synthesized
    public_rows: int | None

    @property
    def rows(self) -> int:
        """Number of synthetic rows."""
        return int(self.synthesized.states[0].size)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of states of each column."""
        return tuple(column.size for column in self.columns)

    @cached_property
    def errors(self) -> ReleasedErrors:
        """What fitting and drawing left of the noise."""
        made = self.synthesized
        return ReleasedErrors(self.budget, self.sizes, made.measured_rows, made.rounds, made.pairs)

    def expected_distance(self, columns: Clique) -> float:
        """Returns the distance of the rows from the file that noise makes on average.

        It is that of the shares of the rows themselves: of rare answers less noise is left.

        Args:
            columns: A column, or two of which the table was measured; ascending.
        """
        states = [column[:_ROWS_COUNTED] for column in self.synthesized.states]
        shares = counted(states, self.sizes, columns) / max(states[0].size, 1)
        return self.errors.distance(columns, shares)

    def names_of(self, columns: Sequence[int]) -> tuple[str, ...]:
        """Returns the names of some columns, given by position."""
        return tuple(self.columns[column].name for column in columns)

    @property
    def rounds(self) -> int:
        """Number of rounds that the loss was divided among."""
        return self.synthesized.rounds
