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
from math import ceil
from typing import Literal

from dpdesk.cost import EPSILON_MAX, EPSILON_MIN, even_part, format_epsilon
from dpdesk.domains import Categorical
from dpdesk.mechanisms import AnyDomain, Mechanism, Sampling
from dpdesk.mechanisms.choice import AS_GOOD, least_error
from dpdesk.plan.budget import share_of_budget, whole_budget
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.joint_errors import joint_question, joint_worth
from dpdesk.plan.joint_question import JointQuestion
from dpdesk.plan.losses import record_loss
from dpdesk.plan.model import Plan
from dpdesk.plan.protection import best_mechanism
from dpdesk.plan.release_usefulness import usefulness_of_statistic, usefulness_of_synthesis
from dpdesk.plan.usefulness import (
    RESPONDENTS_ASSUMED,
    USEFUL_PART,
    VERDICTS,
    Usefulness,
    usefulness_of,
    usefulness_of_column,
)

RemedyKind = Literal[
    "mechanism", "budget", "strategy", "merge", "fewer", "epsilon", "respondents", "domain"
]


@dataclass(frozen=True, slots=True)
class Remedy:
    """One way to a smaller error.

    Attributes:
        kind: What it changes.
        words: What to do, such as "One answer per respondent at the same total".
        gives: What the attribute's estimates would then be worth.
    """

    kind: RemedyKind
    words: str
    gives: Usefulness

    @property
    def sentence(self) -> str:
        """What to do, and the error that it gives; of another domain nobody can say it."""
        if self.kind == "domain":
            return self.words
        what = f" on {self.gives.what}" if self.kind == "merge" else ""
        return f"{self.words} would give {self.gives.told}{what} ({self.gives.verdict})."


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
    for remedy in remedies(plan, column, alike):
        if remedy.gives.verdict == "useful":
            return remedy
        if best is None or remedy.gives.ratio < best.gives.ratio:
            best = remedy
    if now.of_file:
        return Remedy("domain", _NEAR_BOUND if now.near else _WIDE, now)
    better = VERDICTS[: VERDICTS.index(now.verdict)]
    return best if best is not None and best.gives.verdict in better else None


_WIDE = "The bounds are far wider than the answers: declare those that are known beforehand."
_NEAR_BOUND = "Few differ much from the bound: categories, such as none, some and many, tell more."
_LOOKED_AT = 300
"""Attributes beyond this number would keep the list of checks waiting."""


def one_answer_for_most(plan: Plan, names: Sequence[str]) -> str:
    """Returns how many attributes one answer per respondent makes useful, as a sentence.

    Args:
        plan: The plan.
        names: The attributes that are not useful.

    Returns:
        "" where it does so for fewer than half of them.
    """
    if not 1 < len(names) <= _LOOKED_AT:
        return ""
    offered = [
        next((r for r in remedies(plan, plan.column(name)) if r.kind == "strategy"), None)
        for name in names
    ]
    useful = [each for each in offered if each is not None and _is_useful(each.gives)]
    if 2 * len(useful) < len(names):
        return ""
    way, count = useful[0].words[:1].lower() + useful[0].words[1:], f"{len(useful):,}"
    head = f"Of the {len(names):,} attributes that would not be useful"
    return f"{head}, {way} would make {count} useful."


def remedies(plan: Plan, column: ColumnPlan, alike: Collection[str] = ()) -> Iterator[Remedy]:
    """Yields what would lower the error of a protected column, the cheapest first.

    Each is computed when it is asked for; arguments as for `cheapest_remedy`. More respondents are
    a remedy only before there are data.
    """
    domain, mechanism = column.judged_domain, column.mechanism
    if domain is None or mechanism is None:
        return
    respondents = plan.judged_respondents or RESPONDENTS_ASSUMED
    case = _Case(
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
        numbers=column.judged_numbers,
    )
    ways = [_another, _whole_budget, _one_answer, _merged, _fewer, _larger]
    if plan.wanted.every_answer:
        # Neither has a use for a row with one answer; nor is another form of report wanted.
        ways = [_whole_budget, _merged, _fewer, _larger]
    for find in ways if plan.reading is not None else [*ways, _more_people]:
        remedy = find(case)
        if remedy is not None:
            yield remedy


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
        numbers: Mean and standard deviation of its numbers in the file; None if not known.
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
    numbers: tuple[float, float] | None

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
        return usefulness_of(*asked, of_file=self.numbers)

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
    return Remedy("mechanism", f"{found[0].short} at the same epsilon", found[1])


def _whole_budget(case: _Case) -> Remedy | None:
    """The rest of a budget: dropped attributes leave theirs unused."""
    if case.at_budget is None or case.at_budget <= case.epsilon:
        return None
    worth = case.worth(epsilon=case.at_budget)
    if worth is None:
        return None
    words = (
        f"Splitting the whole budget of {format_epsilon(case.total)} again, of which "
        f"{format_epsilon(case.used)} is used,"
    )
    return Remedy("budget", words, worth)


def _can_draw(case: _Case) -> bool:
    """Whether asking one answer of each respondent would change the survey, and can."""
    draws = case.sampling.strategy == "smp"
    return case.may_draw and not draws and case.attributes > 1 and case.total <= EPSILON_MAX


def _one_answer(case: _Case) -> Remedy | None:
    if not _can_draw(case):
        return None
    worth = case.worth(sampling=Sampling("smp", case.attributes), epsilon=case.total)
    if worth is None:
        return None
    return Remedy("strategy", f"One answer per respondent at {_total_words(case)}", worth)


def _total_words(case: _Case) -> str:
    whole = f"the budget of {format_epsilon(case.total)}"
    return "the same total" if case.total == case.used else whole


# With fewer categories left, another question would be asked.
_FEWEST_MERGED = 5
_LEAST_PART_MERGED = 3


def _merged(case: _Case) -> Remedy | None:
    """The most categories whose shares are useful, if it is still the same question."""
    if not case.domain.picks_one:
        return None
    fewest = max(_FEWEST_MERGED, ceil(case.domain.size / _LEAST_PART_MERGED))
    if case.domain.size <= fewest:
        return None

    def worth(size: int) -> Usefulness | None:
        return case.worth(domain=_categories(size), expected=())

    size = _largest(fewest, case.domain.size - 1, lambda k: _is_useful(worth(k))) or fewest
    found = worth(size)
    if found is None:
        return None
    words = f"Merging its {case.domain.size:,} categories into {size:,}"
    return Remedy("merge", words, found)


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
    if one_answer is not None and not _is_useful(one_answer.gives):
        drawn = _most_useful(case, Sampling("smp", case.attributes))
    total = _total_words(case)
    if drawn is not None and (found is None or drawn[0] > found[0]):
        number, worth = drawn
        words = (
            f"One answer per respondent and protecting {number:,} of {case.attributes:,} "
            f"attributes at {total}"
        )
    elif found is not None:
        number, worth = found
        words = f"Protecting {number:,} of {case.attributes:,} attributes at {total}"
    else:
        return None
    return Remedy("fewer", words, worth)


def _most_useful(case: _Case, sampling: Sampling) -> tuple[int, Usefulness] | None:
    """The most attributes of which this one stays useful, 1 if none; and what it is then worth."""

    def worth(attributes: int) -> Usefulness | None:
        changed = replace(sampling, attributes=attributes)
        if sampling.strategy == "spl":
            return case.worth(epsilon=even_part(case.total, attributes))
        own = case.epsilon if sampling.strategy == case.sampling.strategy else case.total
        return case.worth(sampling=changed, epsilon=own)

    number = _largest(1, case.attributes - 1, lambda d: _is_useful(worth(d))) or 1
    found = worth(number)
    return None if found is None else (number, found)


# Two digits are enough for a proposal.
_LADDER = tuple(
    Decimal(digits).scaleb(power) for power in range(-4, 1) for digits in range(10, 100)
)


def _larger(case: _Case) -> Remedy | None:
    """The least epsilon of two digits that makes it useful."""
    epsilon = _least_above(case.epsilon, lambda e: _is_useful(case.worth(epsilon=e)))
    worth = None if epsilon is None else case.worth(epsilon=epsilon)
    if epsilon is None or worth is None:
        return None
    if case.sampling.strategy != "spl":
        words = f"Epsilon {format_epsilon(epsilon)}"
    else:
        whole = case.used + sum(max(epsilon - own, Decimal(0)) for own in case.alike)
        many = len(case.alike)
        each = "for it alone" if many == 1 else f"for each of {many:,} such attributes"
        words = (
            f"Epsilon {format_epsilon(epsilon)} {each}, {_as_fine(whole, epsilon)} for the whole "
            "record,"
        )
    return Remedy("epsilon", words, worth)


def _epsilons_of(plan: Plan, names: Collection[str]) -> tuple[Decimal, ...]:
    chosen = (column for column in plan.protected if column.name in names)
    return tuple(c.mechanism.epsilon for c in chosen if c.mechanism is not None)


def _as_fine(whole: Decimal, epsilon: Decimal) -> str:
    """Prints what a proposed epsilon adds up to, with its decimals, rounded up."""
    return format_epsilon(whole.quantize(epsilon, ROUND_CEILING))


def _least_above(epsilon: Decimal, is_enough: Callable[[Decimal], bool]) -> Decimal | None:
    """The least epsilon of two digits above another one that is enough; None if none is."""
    # From the top, so that the last one that is enough is the least.
    down = [e for e in _LADDER if epsilon < e <= EPSILON_MAX][::-1]
    last = _largest(0, len(down) - 1, lambda i: is_enough(down[i]))
    return None if last is None else down[last]


def remedy_of_tables(plan: Plan, question: JointQuestion | None = None) -> Remedy | None:
    """Returns what makes a cell of a table useful: fewer attributes at the same total.

    Where the total is too small for two, it is the least epsilon of each.

    Args:
        plan: The plan.
        question: Another analysis of several columns.
    """
    question = question or joint_question(plan)
    if question is None:
        return None
    pair = [column for column in plan.protected if column.name in question.names]

    def worth(epsilon: Decimal) -> Usefulness | None:
        changed = {}
        for column in pair:
            best = best_mechanism(column, plan.sampling, epsilon, answers_only=False)
            if best is None:
                return None
            changed[plan.index_of(column.name)] = column.changed(mechanism=best)
        return joint_worth(plan.with_changed(changed), question)

    now = max((c.mechanism.epsilon for c in pair if c.mechanism), default=EPSILON_MAX)
    epsilon = _least_above(now, lambda e: _is_useful(worth(e)))
    found = None if epsilon is None else worth(epsilon)
    if epsilon is None or found is None:
        return None
    attributes, total = len(plan.protected), whole_budget(plan)
    number = int(total / epsilon)
    if max(len(pair), 2) <= number < attributes:
        # With an even part of the total the error is no larger than at the least epsilon.
        fewer = worth(min(even_part(total, number), EPSILON_MAX))
        if fewer is not None:
            words = f"Protecting {number:,} of {attributes:,} attributes at a total of "
            return Remedy("fewer", words + format_epsilon(total), fewer)
    whole = epsilon * attributes
    words = (
        f"Epsilon {format_epsilon(epsilon)} for each attribute, {_as_fine(whole, epsilon)} for the "
        "whole record,"
    )
    return Remedy("epsilon", words, found)


def remedy_of_query(plan: Plan, index: int) -> Remedy | None:
    """Returns the least epsilon of two digits that makes a statistic useful; None if none does."""
    statistics, query = plan.statistics, plan.statistics.queries[index]

    def worth(epsilon: Decimal) -> Usefulness | None:
        changed = statistics.with_query(index, query.changed(epsilon=epsilon))
        return usefulness_of_statistic(plan.with_fields(statistics=changed), index)

    epsilon = _least_above(query.epsilon, lambda e: _is_useful(worth(e)))
    found = None if epsilon is None else worth(epsilon)
    if epsilon is None or found is None:
        return None
    whole = statistics.epsilon - query.epsilon + epsilon
    words = f"Epsilon {format_epsilon(epsilon)} for it"
    if len(statistics.queries) > 1:
        words += f", {_as_fine(whole, epsilon)} for all,"
    return Remedy("epsilon", words, found)


def remedy_of_synthesis(plan: Plan, name: str) -> Remedy | None:
    """Returns the least epsilon of two digits that makes a table of synthetic rows useful.

    Args:
        plan: The plan.
        name: What `usefulness_of_synthesis` calls the table.

    Returns:
        None where no epsilon does.
    """

    def worth(epsilon: Decimal) -> Usefulness | None:
        changed = plan.synthesis.with_fields(epsilon=epsilon)
        return usefulness_of_synthesis(plan.with_fields(synthesis=changed)).by_name.get(name)

    epsilon = _least_above(plan.synthesis.epsilon, lambda e: _is_useful(worth(e)))
    found = None if epsilon is None else worth(epsilon)
    if epsilon is None or found is None:
        return None
    return Remedy("epsilon", f"Epsilon {format_epsilon(epsilon)} for all", found)


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
    return Remedy("respondents", f"Asking {people:,} respondents", worth)


def _is_useful(worth: Usefulness | None) -> bool:
    return worth is not None and worth.verdict == "useful"


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
