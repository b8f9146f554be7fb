"""A checklist after NIST SP 800-226, "Guidelines for Evaluating Differential Privacy Guarantees".

Its three groups are the levels of that publication's pyramid: the direct measures, what can
undermine them, and what they rest on. What dpdesk cannot know is answered "unknown", and shown.
Records, statistics and synthetic rows each have their own answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, get_args

from dpdesk.cost import PrivacyCost
from dpdesk.estimation.released import Released, ReleasedStatistics, SyntheticRows
from dpdesk.i18n import in_a_row, quoted
from dpdesk.plan.losses import plan_cost
from dpdesk.plan.model import Plan
from dpdesk.reports.checklist.texts import T
from dpdesk.reports.section import Section
from dpdesk.reports.strategy import losses_text

Answer = Literal["yes", "no", "not applicable", "unknown"]


class Check(Section):
    """One question with its answer."""

    question: str
    """The question; "yes" is the answer in favour of the respondents."""
    answer: Answer
    """The answer."""
    reason: str
    """Why, as a sentence."""


class CheckGroup(Section):
    """One level of the pyramid."""

    title: str
    """Name of the level."""
    checks: tuple[Check, ...]
    """Its questions."""


def check(question: str, answer: Answer, reason: str) -> Check:
    """Returns a question with its answer and the reason for it."""
    return Check(question=question, answer=answer, reason=reason)


def groups_of(*levels: Iterable[Check]) -> tuple[CheckGroup, ...]:
    """Returns the levels of the pyramid with their questions, the uppermost first."""
    titles = ("Direct measures", "What can undermine them", "What they rest on")
    return tuple(
        CheckGroup(title=title, checks=tuple(checks))
        for title, checks in zip(titles, levels, strict=True)
    )


def answer_counts(groups: Iterable[CheckGroup]) -> list[tuple[Answer, int]]:
    """Returns how often each answer is given."""
    counts = Counter(check.answer for group in groups for check in group.checks)
    return [(answer, counts[answer]) for answer in get_args(Answer)]


def direct_measures(
    plan: Plan, cost: PrivacyCost, *, is_justified: bool, is_counted: bool
) -> Iterator[Check]:
    """Yields the direct measures of a release of any kind.

    Args:
        plan: The plan that was released.
        cost: What it costs.
        is_justified: Whether the plan gives reasons for its epsilons.
        is_counted: Whether the report lists the earlier releases of the same people.
    """
    yield check(T.ASKS_LOSS(), "yes", T.LOSS_STATED())
    yield (
        check(T.ASKS_REASONS(), "yes", T.REASONS_GIVEN())
        if is_justified
        else check(T.ASKS_REASONS(), "no", T.NO_REASONS())
    )
    unit = T.UNIT(unit=cost.unit.capitalize(), relation=cost.relation)
    yield check(T.ASKS_UNIT(), "yes", unit)
    enforced: Answer = "yes" if plan.statistics.unit.respondent_column else "unknown"
    yield check(T.ASKS_ENFORCED(), enforced, plan.enforcement)
    yield (
        check(T.ASKS_EARLIER(), "yes", T.EARLIER_LISTED())
        if is_counted
        else check(T.ASKS_EARLIER(), "unknown", T.EARLIER_UNLISTED())
    )


def undermining(suggested: Sequence[str]) -> Iterator[Check]:
    """Yields what can undermine a release of any kind.

    Args:
        suggested: Columns whose domain was read off the data.
    """
    yield check(T.ASKS_RANDOM(), "yes", T.SYSTEM_RANDOM())
    yield check(T.ASKS_SIDE_CHANNELS(), "not applicable", T.NO_TIMES_SEEN())
    yield (
        check(T.ASKS_DOMAINS(), "no", T.READ_OFF(names=quoted(suggested)))
        if suggested
        else check(T.ASKS_DOMAINS(), "yes", T.DOMAINS_DECLARED())
    )
    yield check(T.ASKS_LOOKED(), "unknown", T.LOOKED_UNKNOWN())
    yield check(T.ASKS_SMALL_GROUPS(), "no", T.SAME_NOISE())


def central_foundations() -> Iterator[Check]:
    """Yields what a release rests on whose curator is trusted with the answers."""
    yield check(T.ASKS_TRUST(), "yes", T.CENTRAL_TRUST())
    yield check(T.ASKS_ORIGINALS(), "unknown", T.ORIGINALS_UNKNOWN())


def suggested_columns(plan: Plan) -> tuple[str, ...]:
    """Returns the columns whose domain was read off the data and then confirmed."""
    return tuple(
        column.name
        for column in plan.columns
        if column.provenance == "suggested" and column.domain is not None
    )


def checklist(released: Released, *, is_counted: bool = False) -> tuple[CheckGroup, ...]:
    """Returns the checklist of a release of records.

    Args:
        released: What was released.
        is_counted: Whether the report lists the earlier releases of the same people.
    """
    return groups_of(
        _direct_measures_of_records(released, is_counted),
        _undermining_of_records(released),
        _foundations_of_records(),
    )


def _direct_measures_of_records(released: Released, is_counted: bool) -> Iterator[Check]:
    plan = released.plan
    is_justified = bool(plan.details.justification.strip()) or all(
        attribute.column.note.strip() for attribute in released.attributes
    )
    yield from direct_measures(
        plan, plan_cost(plan), is_justified=is_justified, is_counted=is_counted
    )
    kept = quoted([column.name for column in plan.kept])
    yield (
        check(T.ASKS_EVERY_COLUMN(), "no", T.COLUMNS_KEPT(names=kept))
        if kept
        else check(T.ASKS_EVERY_COLUMN(), "yes", T.NO_COLUMN_KEPT())
    )


def _undermining_of_records(released: Released) -> Iterator[Check]:
    plan = released.plan
    yield check(T.ASKS_KEPT(), "yes", T.LAWS_EXACT())
    yield check(T.ASKS_FLOATS(), "yes", T.DRAWS_WHOLE())
    yield from undermining(
        [a.column.name for a in released.attributes if a.column.provenance == "suggested"]
    )
    blank = quoted([column.name for column in plan.left_blank])
    yield (
        check(T.ASKS_MISSING(), "no", T.EMPTY_CELLS(names=blank))
        if blank
        else check(T.ASKS_MISSING(), "yes", T.MISSING_RANDOMIZED())
    )
    yield check(T.ASKS_ADDED(), "yes", losses_text(plan))
    yield (
        check(T.ASKS_ORDER(), "yes", T.ROWS_SHUFFLED())
        if plan.shuffle
        else check(T.ASKS_ORDER(), "no", T.ROWS_ORDERED())
    )
    yield check(T.ASKS_RELEASE_ALONE(), "yes", T.RELEASE_ALONE())
    moved = any(a.bound.numeric_outputs for a in released.attributes)
    biased = (T.MOVED_BIAS(),) if moved else ()
    yield check(T.ASKS_ERRORS(), "yes", in_a_row((T.ERRORS_STATED(), *biased)))
    yield check(T.ASKS_AUDIT(), "no", T.NO_AUDIT())


def _foundations_of_records() -> Iterator[Check]:
    yield check(T.ASKS_TRUST(), "yes", T.LOCAL_BY_CURATOR())
    yield check(T.ASKS_BEFORE(), "no", T.CURATOR_SAW())
    yield check(T.ASKS_ORIGINALS(), "unknown", T.ORIGINALS_UNKNOWN())
    yield check(T.ASKS_SPYWARE(), "unknown", T.SPYWARE_UNKNOWN())
    yield check(T.ASKS_INFORMED(), "unknown", T.INFORMED_UNKNOWN())


def statistics_checklist(
    released: ReleasedStatistics, *, is_counted: bool = False
) -> tuple[CheckGroup, ...]:
    """Returns the checklist of a release of statistics; arguments as in `checklist`."""
    plan = released.plan
    return groups_of(
        direct_measures(
            plan,
            released.cost,
            is_justified=bool(plan.details.justification),
            is_counted=is_counted,
        ),
        _undermining_of_statistics(released),
        central_foundations(),
    )


def _undermining_of_statistics(released: ReleasedStatistics) -> Iterator[Check]:
    yield check(T.ASKS_KEPT(), "yes", in_a_row(_who_draws(released)))
    yield check(T.ASKS_FLOATS(), "yes", T.SUMS_WHOLE())
    yield from undermining(suggested_columns(released.plan))
    yield check(T.ASKS_EMPTY_GROUPS(), "yes", T.EMPTY_GROUPS_NOISY())
    yield check(T.ASKS_MISSING(), "yes", T.MISSING_IN_QUERIES())
    yield check(T.ASKS_ERRORS(), "yes", in_a_row((T.INTERVALS_STATED(), T.MOVED_BIAS())))


def _who_draws(released: ReleasedStatistics) -> Iterator[str]:
    noises = {query.noise for query in released.plan.statistics.queries if not query.chooses}
    yield T.OPENDP_DRAWS()
    if noises & {"gaussian", "discrete_gaussian"}:
        yield T.GAUSSIAN_SCALE()
    if "staircase" in noises:
        yield T.STAIRCASE_EXACT()
    yield T.SENSITIVITIES_DERIVED()


def synthetic_checklist(
    released: SyntheticRows, *, is_counted: bool = False
) -> tuple[CheckGroup, ...]:
    """Returns the checklist of synthetic rows.

    Args:
        released: What was released.
        is_counted: Whether earlier releases of a declared population are listed.
    """
    plan = released.plan
    return groups_of(
        direct_measures(
            plan,
            released.budget.cost,
            is_justified=bool(plan.details.justification),
            is_counted=is_counted,
        ),
        _undermining_of_synthetic(released),
        central_foundations(),
    )


def _undermining_of_synthetic(released: SyntheticRows) -> Iterator[Check]:
    yield check(T.ASKS_KEPT(), "yes", in_a_row((T.OPENDP_DRAWS(), T.FROM_TABLES_ALONE())))
    yield check(T.ASKS_FLOATS(), "yes", T.COUNTS_WHOLE())
    yield from undermining(suggested_columns(released.plan))
    yield check(T.ASKS_MISSING(), "yes", T.MISSING_AS_STATE())
    yield check(T.ASKS_WARNED(), "yes", T.WARNED())
