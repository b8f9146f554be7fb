"""What would make a release more useful, each remedy with the error that it gives: computed.

From the cheapest for the survey to the dearest: another mechanism at the same epsilon, the part of
the budget that is not used, one answer per respondent, merged categories, fewer attributes, a
larger epsilon, more respondents.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal
from functools import lru_cache
from heapq import heapify, heappop, heapreplace
from math import ceil
from typing import Literal

from dpdesk.cost import EPSILON_MAX, EPSILON_MIN, even_part, format_epsilon
from dpdesk.domains import Categorical
from dpdesk.i18n import Message
from dpdesk.mechanisms import AnyDomain, Mechanism, Sampling
from dpdesk.mechanisms.choice import AS_GOOD, least_error
from dpdesk.mechanisms.estimates import Answers
from dpdesk.plan.budget import share_of_budget, whole_budget
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.losses import record_loss
from dpdesk.plan.model import Plan
from dpdesk.plan.texts import T
from dpdesk.plan.usefulness import (
    RESPONDENTS_ASSUMED,
    Usefulness,
    usefulness_of,
    usefulness_of_column,
)
from dpdesk.plan.verdicts import RATINGS, USEFUL_PART

RemedyKind = Literal[
    "mechanism", "budget", "strategy", "merge", "fewer", "epsilon", "respondents", "domain"
]


@dataclass(frozen=True, slots=True)
class Remedy:
    """One way to a smaller error.

    Attributes:
        kind: What it changes.
        action: What to do, such as "Report one answer per respondent at epsilon 4"; a whole
            sentence where it is other bounds or categories.
        gives: What the attribute's estimates would then be worth.
    """

    kind: RemedyKind
    action: Message
    gives: Usefulness

    @property
    def sentence(self) -> Message:
        """What to do, and the error that it gives; of another domain it cannot be known."""
        gives = self.gives
        if self.kind == "domain":
            return self.action
        if gives.shares is not None and gives.shares.is_mixed:
            counts = gives.shares
            return T.TO_MAKE_USEFUL(action=self.action, useful=counts.useful, all=sum(counts))
        rating = RATINGS[gives.verdict]()
        return T.TO_GET(action=self.action, error=gives.told, rating=rating)


def cheapest_remedy(plan: Plan, name: str, alike: Collection[str] = ()) -> Remedy | None:
    """Returns the cheapest remedy that makes an attribute useful, else the one that helps most.

    Args:
        plan: The plan.
        name: A protected column.
        alike: The attributes that would need as large an epsilon, this one among them.

    Returns:
        None for a useful attribute, and where nothing gives it a better verdict. Other bounds or
        categories, where answers fill few of the bounds and nothing makes it useful.
    """
    column = plan.column(name)
    now = usefulness_of_column(column, plan.sampling, plan.judged_respondents)
    if now is None or now.verdict == "useful":
        return None
    best: Remedy | None = None
    other_bounds = now.of_file and bool(now.quantity)
    for remedy in remedies(plan, column, alike):
        if not remedy.gives.exceeds(now):
            continue
        is_dear = remedy.kind in ("epsilon", "respondents")
        if is_dear and (other_bounds or (best is not None and best.gives.shares)):
            # Nothing is made dearer for the rarest shares while others are made useful for less.
            break
        if remedy.gives.is_best_possible:
            return remedy
        if best is None or remedy.gives.exceeds(best.gives):
            best = remedy
    if other_bounds:
        return Remedy("domain", T.NEAR_BOUND() if now.near else T.WIDE_BOUNDS(), now)
    return best


_LOOKED_AT = 300
"""Attributes beyond this number would keep the list of checks waiting."""


def one_answer_for_most(plan: Plan, names: Sequence[str]) -> str:
    """Returns how many attributes one answer per respondent makes useful, as a sentence.

    Args:
        plan: The plan.
        names: The attributes that are not useful.

    Returns:
        Where it does so for fewer than half of them, how many of their estimates; "" where it makes
        no more of these useful.
    """
    if not 1 < len(names) <= _LOOKED_AT:
        return ""
    cases = {name: _case_of(plan, plan.column(name)) for name in names}
    offered = {name: None if case is None else _one_answer(case) for name, case in cases.items()}
    given = {name: one for name, one in offered.items() if one is not None}
    if not given:
        return ""
    action = next(iter(given.values())).action
    useful = sum(one.gives.verdict == "useful" for one in given.values())
    if 2 * useful >= len(names):
        return T.TO_MAKE_VARIABLES_USEFUL(action=action, useful=useful, all=len(names))
    now = {
        name: usefulness_of_column(plan.column(name), plan.sampling, plan.judged_respondents)
        for name in given
    }
    before = sum(one.counts.useful for one in now.values() if one is not None)
    after = sum(one.gives.counts.useful for one in given.values())
    every = sum(sum(one.gives.counts) for one in given.values())
    if after <= before:
        return ""
    return T.TO_MAKE_MORE_USEFUL(action=action, useful=after, all=every, before=before)


def remedies(plan: Plan, column: ColumnPlan, alike: Collection[str] = ()) -> Iterator[Remedy]:
    """Yields what would lower the error of a protected column, the cheapest first.

    Each is computed when it is asked for; arguments as for `cheapest_remedy`. More respondents are
    a remedy only before there are data.
    """
    case = _case_of(plan, column, alike)
    if case is None:
        return
    ways = [_another, _whole_budget, _one_answer, _merged, _fewer, _larger]
    if plan.wanted.every_answer:
        # Neither has a use for a row with one answer; nor is another form of report wanted.
        ways = [_whole_budget, _merged, _fewer, _larger]
    has_data = plan.reading is not None or column.is_counted
    for find in ways if has_data else [*ways, _more_people]:
        remedy = find(case)
        if remedy is not None:
            yield remedy


def _case_of(plan: Plan, column: ColumnPlan, alike: Collection[str] = ()) -> _Case | None:
    domain, mechanism = column.judged_domain, column.mechanism
    if domain is None or mechanism is None:
        return None
    respondents = plan.judged_respondents or RESPONDENTS_ASSUMED
    return _Case(
        domain=domain,
        epsilon=mechanism.epsilon,
        sampling=plan.sampling,
        respondents=respondents,
        reports=column.reports(respondents),
        expected=column.expected_shares,
        used=record_loss(plan),
        total=whole_budget(plan),
        at_budget=share_of_budget(plan, column),
        mechanism=mechanism,
        attributes=len(plan.protected),
        # Blanks need every answer (`check_strategy`).
        may_draw=not plan.left_blank and not plan.wanted.every_answer,
        alike=_epsilons_of(plan, {column.name, *alike}),
        answers_only=plan.wanted.answers_only,
        answers=column.judged_answers,
        of_file=column.is_counted,
    )


@dataclass(frozen=True, slots=True)
class _Case:
    """One attribute with what its error depends on, and the plan that it is in.

    Attributes:
        reports: Number of reports to expect of the respondents.
        used: The loss of the whole record.
        total: What it may lose: the budget.
        at_budget: Its epsilon where the budget is split again; None where that is impossible.
        attributes: Number of protected attributes.
        may_draw: Whether one answer per respondent can be asked, and is enough.
        alike: The epsilons of those that would need as large an epsilon, this one's included.
        answers_only: Whether only reports that are answers of the same column are wanted.
        answers: How its answers are spread, as verdicts have it; None if not known.
        of_file: Whether they were counted in the file.
    """

    domain: AnyDomain
    epsilon: Decimal
    sampling: Sampling
    respondents: int
    reports: int
    expected: tuple[float, ...]
    used: Decimal
    total: Decimal
    at_budget: Decimal | None
    mechanism: Mechanism
    attributes: int
    may_draw: bool
    alike: tuple[Decimal, ...]
    answers_only: bool
    answers: Answers | None
    of_file: bool

    def best(self, **changes: object) -> tuple[Mechanism, Usefulness] | None:
        """Returns the best mechanism and its worth where something of the case is changed."""
        case = replace(self, **changes)  # type: ignore[arg-type]
        if not EPSILON_MIN <= case.epsilon <= EPSILON_MAX:
            return None
        found = _best(case.domain, case.epsilon, case.sampling, case.expected, case.answers_only)
        worth = None if found is None else case.worth_of(found, case.reports)
        return None if found is None or worth is None else (found, worth)

    def worth_of(self, mechanism: Mechanism, reports: float) -> Usefulness | None:
        """Returns what the estimates of a mechanism are worth, with so many reports."""
        asked = (mechanism, self.domain, self.sampling, reports, self.expected)
        return usefulness_of(*asked, answers=self.answers, of_file=self.of_file)

    @property
    def now(self) -> Usefulness | None:
        """What the estimates are worth as they are."""
        return self.worth_of(self.mechanism, self.reports)

    def worth(self, **changes: object) -> Usefulness | None:
        """Returns what the estimates are worth where something of the case is changed."""
        found = self.best(**changes)
        return None if found is None else found[1]


@lru_cache(maxsize=2_000)
def _best(
    domain: AnyDomain,
    epsilon: Decimal,
    sampling: Sampling,
    expected: tuple[float, ...],
    answers_only: bool,
) -> Mechanism | None:
    found = least_error(
        domain, epsilon, expected=expected, sampling=sampling, answers_only=answers_only
    )
    return None if found is None else found.mechanism


def _another(case: _Case) -> Remedy | None:
    """Another mechanism: it costs nothing."""
    found, now = case.best(), case.now
    if found is None or now is None or found[1].error > now.error / AS_GOOD:
        return None
    return Remedy("mechanism", T.SAME_EPSILON(mechanism=found[0].short), found[1])


def _whole_budget(case: _Case) -> Remedy | None:
    """The rest of a budget: dropped attributes leave theirs unused."""
    if case.at_budget is None or case.at_budget <= case.epsilon:
        return None
    worth = case.worth(epsilon=case.at_budget)
    if worth is None:
        return None
    return Remedy("budget", T.WHOLE_BUDGET(total=format_epsilon(case.total)), worth)


def _one_answer(case: _Case) -> Remedy | None:
    """One answer of each respondent, where that would change the survey, and can be asked."""
    draws = case.sampling.strategy == "smp"
    if draws or not case.may_draw or case.attributes < 2 or case.total > EPSILON_MAX:
        return None
    worth = case.worth(sampling=Sampling("smp", case.attributes), epsilon=case.total)
    if worth is None:
        return None
    return Remedy("strategy", T.ONE_ANSWER(total=format_epsilon(case.total)), worth)


# With fewer categories left, another question would be asked.
_FEWEST_MERGED = 5
_LEAST_PART_MERGED = 3


def _merged(case: _Case) -> Remedy | None:
    """The most categories of which all are useful that can be, if the question stays the same."""
    if not case.domain.picks_one:
        return None
    fewest = max(_FEWEST_MERGED, ceil(case.domain.size / _LEAST_PART_MERGED))
    if case.domain.size <= fewest:
        return None

    def worth(size: int) -> Usefulness | None:
        answers = case.answers and Answers(_least_merged(case.answers.shares, size))
        return case.worth(domain=_categories(size), expected=(), answers=answers)

    size = _largest(fewest, case.domain.size - 1, lambda k: is_best(worth(k))) or fewest
    found = worth(size)
    if found is None:
        return None
    return Remedy("merge", T.MERGE(categories=case.domain.size, fewer=size), found)


def _least_merged(shares: tuple[float, ...], size: int) -> tuple[float, ...]:
    """The shares of so many categories, where the two rarest are merged until there are no more."""
    heap = list(shares)
    heapify(heap)
    while len(heap) > size:
        heapreplace(heap, heappop(heap) + heap[0])
    return tuple(heap)


@lru_cache(maxsize=256)
def _categories(size: int) -> Categorical:
    return Categorical(values=tuple(f"{number}" for number in range(size)))


def _fewer(case: _Case) -> Remedy | None:
    """The most attributes that the same total keeps useful.

    Each has an even part of it; or, where that keeps more and is not enough by itself, one is drawn
    for each respondent.
    """
    if case.attributes < 2:
        return None
    found, one_answer, drawn = _most_useful(case, case.sampling), _one_answer(case), None
    if one_answer is not None and not is_best(one_answer.gives):
        drawn = _most_useful(case, Sampling("smp", case.attributes))
    if drawn is not None and (found is None or drawn[0] > found[0]):
        number, worth = drawn
        action = T.FEWER_DRAWN(fewer=number, variables=case.attributes)
    elif found is not None:
        number, worth = found
        total = format_epsilon(case.total)
        action = T.FEWER(fewer=number, variables=case.attributes, total=total)
    else:
        return None
    return Remedy("fewer", action, worth)


def _most_useful(case: _Case, sampling: Sampling) -> tuple[int, Usefulness] | None:
    """The most attributes of which this one stays useful, 1 if none; and what it is then worth."""

    def worth(attributes: int) -> Usefulness | None:
        changed = replace(sampling, attributes=attributes)
        if sampling.strategy == "spl":
            return case.worth(epsilon=even_part(case.total, attributes))
        own = case.epsilon if sampling.strategy == case.sampling.strategy else case.total
        return case.worth(sampling=changed, epsilon=own)

    number = _largest(1, case.attributes - 1, lambda d: is_best(worth(d))) or 1
    found = worth(number)
    return None if found is None else (number, found)


# Two digits are enough for a proposal.
_LADDER = tuple(
    Decimal(digits).scaleb(power) for power in range(-4, 1) for digits in range(10, 100)
)


def _larger(case: _Case) -> Remedy | None:
    """The least epsilon of two digits that makes it useful."""
    epsilon = least_above(case.epsilon, lambda e: is_best(case.worth(epsilon=e)))
    worth = None if epsilon is None else case.worth(epsilon=epsilon)
    if epsilon is None or worth is None:
        return None
    own = format_epsilon(epsilon)
    action = T.EPSILON(epsilon=own)
    if case.sampling.strategy == "spl":
        whole = case.used + sum(max(epsilon - each, Decimal(0)) for each in case.alike)
        action = T.EPSILON_ALONE(epsilon=own, whole=as_fine(whole, epsilon))
        if len(case.alike) > 1:
            count = len(case.alike)
            action = T.EPSILON_EACH(epsilon=own, count=count, whole=as_fine(whole, epsilon))
    return Remedy("epsilon", action, worth)


def _epsilons_of(plan: Plan, names: Collection[str]) -> tuple[Decimal, ...]:
    chosen = (column for column in plan.protected if column.name in names)
    return tuple(c.mechanism.epsilon for c in chosen if c.mechanism is not None)


def as_fine(whole: Decimal, epsilon: Decimal) -> str:
    """Returns in print what a proposed epsilon adds up to, with its decimals, rounded up."""
    return format_epsilon(whole.quantize(epsilon, ROUND_CEILING))


def least_above(epsilon: Decimal, is_enough: Callable[[Decimal], bool]) -> Decimal | None:
    """Returns the least epsilon of two digits above another one that is enough; None if none is."""
    # From the top, so that the last one that is enough is the least.
    down = [e for e in _LADDER if epsilon < e <= EPSILON_MAX][::-1]
    last = _largest(0, len(down) - 1, lambda i: is_enough(down[i]))
    return None if last is None else down[last]


def _more_people(case: _Case) -> Remedy | None:
    """Every error falls with the root of the number of respondents."""
    now = case.now
    if now is None or now.size <= 0:
        return None
    factor = (now.error / (USEFUL_PART * now.size)) ** 2
    people = ceil(case.respondents * factor)
    reports = ceil(case.reports * factor)
    worth = case.worth_of(case.mechanism, reports)
    if worth is None:
        return None
    return Remedy("respondents", T.RESPONDENTS(people=people), worth)


def is_best(worth: Usefulness | None) -> bool:
    """Returns whether all is useful that respondents alone would make so."""
    return worth is not None and worth.is_best_possible


def _largest(low: int, high: int, holds: Callable[[int], bool]) -> int | None:
    """The largest number from `low` to `high` up to which a condition holds, by bisection."""
    found: int | None = None
    while low <= high:
        middle = (low + high) // 2
        if holds(middle):
            found, low = middle, middle + 1
        else:
            high = middle - 1
    return found
