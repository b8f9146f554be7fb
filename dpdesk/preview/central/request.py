"""What a preview of a query is asked for: a frozen value, so that its answer can be cached."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from math import prod

from dpdesk.domains import AnyDomain
from dpdesk.errors import ParameterError
from dpdesk.plan import Plan
from dpdesk.plan.checks.statistics import statistics_domains
from dpdesk.plan.release_usefulness import groups_of, share_met
from dpdesk.plan.usefulness import RESPONDENTS_ASSUMED, half_range_of_query
from dpdesk.preview.request import CACHED_VIEWS
from dpdesk.queries import BoundQuery, ExpectedError, PrivacyUnit, Query


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """A query to a table of so many rows.

    Attributes:
        query: What is asked.
        domains: Name and declared domain of every column that it reads.
        unit: Whom it protects.
        rows: Number of rows that the table is expected to have.
        confidence: Coverage of intervals.
        group_shares: Shares of the rows in the smallest, the middle and the largest group of an
            average, where the file tells them; else None.
        met: What part of the rows meets the conditions; as of even answers if None.
    """

    query: Query
    domains: tuple[tuple[str, AnyDomain], ...]
    unit: PrivacyUnit
    rows: int
    confidence: float = 0.95
    group_shares: tuple[float, float, float] | None = None
    met: float | None = None

    def __hash__(self) -> int:
        # The query names its columns, so their domains, which take longer to hash, are left out.
        return hash((self.query, self.unit, self.rows, self.confidence))

    @property
    def bound(self) -> BoundQuery:
        """The query, calibrated.

        Raises:
            ParameterError: It does not suit the domains.
        """
        return _bound(self.query, self.domains, self.unit)

    @property
    def epsilon(self) -> Decimal:
        """The privacy loss that is allowed."""
        return self.query.epsilon

    @property
    def groups(self) -> int:
        """Number of groups that an average is given for; else 1."""
        by = getattr(self.query, "by", ())
        if not self.query.averages:
            return 1
        sizes = dict(self.domains)
        return prod(sizes[name].size for name in by)

    @property
    def rows_of_cell(self) -> int:
        """Rows behind one number: of a group of middle size, or of equal ones."""
        middle = None if self.group_shares is None else self.group_shares[1]
        return self.bound.rows_of_cell(self.rows, middle, self.met)

    @property
    def error(self) -> ExpectedError:
        """How far one number of the release will be off, from the noise alone."""
        return self.bound.expected_error(self.rows_of_cell, self.confidence)

    @property
    def half_range(self) -> float:
        """Half the width of all that a number can be, in the unit of its error."""
        return half_range_of_query(self.error, self.rows)

    @property
    def errors_by_group(self) -> tuple[float, float] | None:
        """The errors in the largest and in the smallest group, where the file tells their sizes."""
        if self.group_shares is None or self.groups == 1:
            return None
        smallest, _, largest = self.group_shares
        return self._half_width(largest), self._half_width(smallest)

    def _half_width(self, share: float) -> float:
        rows = self.bound.rows_of_cell(self.rows, share, self.met)
        return self.bound.expected_error(rows, self.confidence).half_width

    def at(self, epsilon: Decimal) -> QueryRequest:
        """Returns this request at another epsilon."""
        return replace(self, query=self.query.changed(epsilon=epsilon))


def query_request(plan: Plan, index: int) -> QueryRequest | None:
    """Returns what to ask for a query of a plan; None if it does not suit the declared domains.

    Args:
        plan: The plan.
        index: Position of the query.
    """
    statistics = plan.statistics
    query = statistics.queries[index]
    domains = _domains(plan, query.columns)
    if domains is None:
        return None
    rows = plan.judged_respondents or RESPONDENTS_ASSUMED
    groups = groups_of(plan, query)
    shares = None if groups is None else groups.shares
    confidence = float(statistics.confidence)
    try:
        met = share_met(plan, query.where)
        request = QueryRequest(query, domains, statistics.unit, rows, confidence, shares, met)
        _ = request.bound
    except ParameterError:
        return None
    return request


def _domains(plan: Plan, names: tuple[str, ...]) -> tuple[tuple[str, AnyDomain], ...] | None:
    declared = statistics_domains(plan)
    found = [(name, declared.get(name)) for name in names]
    known = tuple((name, domain) for name, domain in found if domain is not None)
    return known if len(known) == len(found) else None


@lru_cache(maxsize=4 * CACHED_VIEWS)
def _bound(
    query: Query, domains: tuple[tuple[str, AnyDomain], ...], unit: PrivacyUnit
) -> BoundQuery:
    return query.bind(dict(domains), unit)
