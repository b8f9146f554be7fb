"""Warnings of what will be coarse or useless, one for each verdict, with the cheapest remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

from dpdesk.i18n import Message, first_names, in_a_row
from dpdesk.plan.checks.texts import T
from dpdesk.plan.joint_errors import joint_cell, wanted_analyses
from dpdesk.plan.joint_question import JointQuestion
from dpdesk.plan.losses import hides_the_attribute
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem
from dpdesk.plan.release_usefulness import (
    Name,
    ReleaseUsefulness,
    usefulness_of_records,
    usefulness_of_statistics,
    usefulness_of_synthesis,
)
from dpdesk.plan.remedies import Remedy, cheapest_remedy, one_answer_for_most
from dpdesk.plan.usefulness import Usefulness
from dpdesk.plan.verdicts import RATINGS, Verdict
from dpdesk.plan.whole_remedies import (
    remedy_of_query,
    remedy_of_synthesis,
    remedy_of_tables,
)

RECORDS_PATH, STATISTICS_PATH = "usefulness", "statistics.usefulness"
SYNTHESIS_PATH = "synthesis.usefulness"
ANALYSES_PATH = "analyses"

_NAMED, _TWO = 3, 2
_LONGEST = 30
"""Letters of a name in a sentence that names several."""

_KEEPS_ALL = ("mechanism", "budget", "strategy")
"""Remedies under which every attribute is released as before."""

_BAD: tuple[Verdict, ...] = ("useless", "coarse")


def check_usefulness(plan: Plan) -> Iterator[Problem]:
    """Yields a warning of the attributes that would be useless, and one of those that are coarse.

    The remedy is computed for the worst of them.
    """
    found = usefulness_of_records(plan)
    poor = [name for verdict in _BAD for name in found.named(verdict)]

    def remedy(name: str) -> str:
        best = cheapest_remedy(plan, name, alike=poor)
        if best is None or best.kind not in _KEEPS_ALL:
            # What helps the worst of them may give up others that need far less.
            most = one_answer_for_most(plan, poor)
            if most:
                return most
        if best is None and found.by_name[name].counts.useful:
            return T.MERGE_RARE()
        return T.LEAVE_OUT() if best is None else _remedy_for(name, best, len(poor))

    yield from _problems(found, RECORDS_PATH, str, remedy)
    yield from _check_prevalence(plan)
    if plan.analyses:
        yield from _check_analyses(plan)
    elif plan.wanted.tables:
        yield from _check_tables(plan)


def _check_prevalence(plan: Plan) -> Iterator[Problem]:
    """Asks for the expected share of each yes-no question of which nothing is known."""
    if plan.has_file or plan.strategy == "rsrfd":
        return
    for column in plan.protected:
        domain = column.domain
        if column.expected or domain is None or not domain.picks_one or domain.size != _TWO:
            continue
        said = T.NO_PREVALENCE(count=1, names=column.name)
        yield Problem(f"columns.{column.name}.expected", "warning", said)


def _check_analyses(plan: Plan) -> Iterator[Problem]:
    """Yields a warning of each analysis that the plan names and that is not useful."""
    for wanted in wanted_analyses(plan):
        if wanted.error is None:
            refusal = wanted.refusal
            if refusal is not None:
                said = T.IMPOSSIBLE_ANALYSIS(analysis=wanted.text, reason=refusal.message)
                yield Problem(ANALYSES_PATH, "warning", said, advice=refusal.remedy)
            continue
        worth, question = wanted.error.usefulness, wanted.error.question
        few = T.MORE_PEOPLE() if worth.is_of_few_respondents else None
        if worth.verdict != "useful":
            said = _worth(f"“{wanted.text}”", worth)
            find = few or partial(_remedy_of_tables, plan, question)
            yield Problem(ANALYSES_PATH, "warning", said, worth.verdict, find)


def _check_tables(plan: Plan) -> Iterator[Problem]:
    """Yields the warning of cells of tables: the purpose needs them, and their noise multiplies."""
    if hides_the_attribute(plan) or plan.strategy == "smp":
        yield Problem("strategy", "warning", T.NO_TABLES())
        return
    joint = joint_cell(plan)
    if joint is not None and joint.verdict != "useful":
        said, find = _worth(T.TABLES_OF_TWO(), joint), partial(_remedy_of_tables, plan)
        yield Problem(RECORDS_PATH, "warning", said, joint.verdict, find)


def _remedy_of_tables(plan: Plan, question: JointQuestion | None = None) -> str:
    best = remedy_of_tables(plan, question)
    return in_a_row((*(() if best is None else (best.sentence,)), T.TRUSTED_TABLES()))


def check_usefulness_of_statistics(plan: Plan) -> Iterator[Problem]:
    """Yields the same warnings of the statistics, which a larger epsilon makes better."""
    headings = [query.heading for query in plan.statistics.queries]
    found = usefulness_of_statistics(plan)

    def remedy(number: int) -> str:
        best = remedy_of_query(plan, number)
        if best is None:
            return T.FEWER_GROUPS()
        return _remedy_for(headings[number], best, len(headings))

    yield from _problems(found, STATISTICS_PATH, headings.__getitem__, remedy)


def check_usefulness_of_synthesis(plan: Plan) -> Iterator[Problem]:
    """Yields the same warnings of the tables of synthetic rows, and that some are not measured."""
    found = usefulness_of_synthesis(plan)

    def remedy(name: str) -> str:
        best = remedy_of_synthesis(plan, name)
        return T.FEWER_CLASSES() if best is None else _remedy_for(name, best, len(found.by_name))

    yield from _problems(found, SYNTHESIS_PATH, str, remedy)
    if found.untold:
        said = T.TABLES_NOT_MEASURED(untold=found.untold)
        yield Problem(SYNTHESIS_PATH, "warning", said)


def _remedy_for(name: str, best: Remedy, among: int) -> str:
    """The sentence of a remedy, with the name of what it helps where there are others."""
    return T.FOR(name=_short(name), remedy=best.sentence) if among > 1 else best.sentence


def _worth(name: str, worth: Usefulness) -> Message:
    return T.WORTH(name=name, rating=RATINGS[worth.verdict](), reason=worth.reason)


def _problems(
    found: ReleaseUsefulness[Name],
    path: str,
    heading: Callable[[Name], str],
    remedy: Callable[[Name], str],
) -> Iterator[Problem]:
    for verdict in _BAD:
        names = found.named(verdict)
        if not names:
            continue
        worst, reason = _short(heading(names[0])), found.by_name[names[0]].reason
        rating = RATINGS[verdict]()
        if found.is_supposed:
            rating = T.RATING_IF(rating=rating, respondents=found.respondents)
        said = T.WORTH(name=worst, rating=rating, reason=reason)
        if len(names) > 1:
            # The others are only counted: of 200 columns there are 20,000 synthetic tables.
            listed = [_with_error(heading(one), found.by_name[one]) for one in names[:_NAMED]]
            listed += [""] * (len(names) - len(listed))
            said = T.WORTH__SEVERAL(
                bad=len(names),
                all=len(found.by_name),
                rating=rating,
                names=first_names(listed, _NAMED),
                worst=worst,
                reason=reason,
            )
        find = cache(partial(_remedies, remedy, names))
        yield Problem(path, "warning", said, verdict, find)


def _remedies(remedy: Callable[[Name], str], names: tuple[Name, ...]) -> str:
    """Returns the remedy of the worst, and of the other one where there are two."""
    few = names if len(names) == _TWO else names[:1]
    return in_a_row(dict.fromkeys(map(remedy, few)))


def _with_error(name: str, worth: Usefulness) -> str:
    of = f"{worth.quantity} " if worth.quantity else ""
    return f"{_short(name)} ({of}{worth.told})"


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1].rstrip()}…"
