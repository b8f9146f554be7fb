"""Warnings of what will be coarse or useless, one for each verdict, with the cheapest remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

from dpdesk.i18n import first_names
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
from dpdesk.plan.remedies import cheapest_remedy, one_answer_for_most
from dpdesk.plan.usefulness import Usefulness
from dpdesk.plan.verdicts import Verdict
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

_MORE_PEOPLE = "Ask more respondents, or join categories."

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
            return "Merge rare answers, or use the shares that are useful."
        if best is None:
            return "Nothing that dpdesk can compute makes it better; leave it out."
        return f"For {_short(name)}: {best.sentence}" if len(poor) > 1 else best.sentence

    yield from _problems(found, RECORDS_PATH, "attributes", str, remedy)
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
        yield Problem(
            f"columns.{column.name}.expected",
            "warning",
            "no_prevalence",
            f"The verdict on {column.name} supposes that half of the people give each answer.",
            "Declare the share that you expect (draft --expected COLUMN=W1,W2).",
            several="The verdicts on {count} yes-no questions suppose that half of the people give "
            "each answer: {names}.",
        )


def _check_analyses(plan: Plan) -> Iterator[Problem]:
    """Yields a warning of each analysis that the plan names and that is not useful."""
    for wanted in wanted_analyses(plan):
        if wanted.error is None:
            refusal = wanted.refusal
            yield Problem(
                ANALYSES_PATH,
                "warning",
                "impossible_analysis",
                f"“{wanted.text}” is wanted, and cannot be had: {refusal and refusal.message}",
                "" if refusal is None else refusal.remedy,
            )
            continue
        found = wanted.error.usefulness
        if found.verdict != "useful":
            yield Problem(
                ANALYSES_PATH,
                "warning",
                found.verdict,
                f"“{wanted.text}” would be {found.verdict}: {found.reason}",
                _MORE_PEOPLE
                if found.is_of_few_respondents
                else partial(_remedy_of_tables, plan, wanted.error.question),
            )


def _check_tables(plan: Plan) -> Iterator[Problem]:
    """Yields the warning of cells of tables: the purpose needs them, and their noise multiplies."""
    if hides_the_attribute(plan) or plan.strategy == "smp":
        yield Problem(
            "strategy",
            "warning",
            "no_tables",
            "Tables and models across questions are wanted, and a row has one real answer.",
            "Report every answer, or release for shares and means only.",
        )
        return
    joint = joint_cell(plan)
    if joint is not None and joint.verdict != "useful":
        yield Problem(
            RECORDS_PATH,
            "warning",
            joint.verdict,
            f"Tables of two questions would be {joint.verdict}: {joint.reason}",
            partial(_remedy_of_tables, plan),
        )


def _remedy_of_tables(plan: Plan, question: JointQuestion | None = None) -> str:
    best = remedy_of_tables(plan, question)
    trusted = "Statistics of the trusted file give such tables with far less noise."
    return trusted if best is None else f"{best.sentence} {trusted}"


def check_usefulness_of_statistics(plan: Plan) -> Iterator[Problem]:
    """Yields the same warnings of the statistics, which a larger epsilon makes better."""
    headings = [query.heading for query in plan.statistics.queries]
    found = usefulness_of_statistics(plan)

    def remedy(number: int) -> str:
        best = remedy_of_query(plan, number)
        if best is None:
            return "No epsilon makes it useful; ask for fewer and larger groups."
        said = best.sentence
        return f"For {headings[number]}: {said}" if len(headings) > 1 else said

    yield from _problems(found, STATISTICS_PATH, "statistics", headings.__getitem__, remedy)


def check_usefulness_of_synthesis(plan: Plan) -> Iterator[Problem]:
    """Yields the same warnings of the tables of synthetic rows, and that some are not measured."""
    found = usefulness_of_synthesis(plan)

    def remedy(name: str) -> str:
        best = remedy_of_synthesis(plan, name)
        if best is None:
            return "No epsilon makes it useful; use fewer classes or categories, or drop columns."
        return f"For {_short(name)}: {best.sentence}" if len(found.by_name) > 1 else best.sentence

    yield from _problems(found, SYNTHESIS_PATH, "tables", str, remedy)
    if found.untold:
        yield Problem(
            SYNTHESIS_PATH,
            "warning",
            "tables_not_measured",
            f"{found.untold:,} tables of two columns will not be measured: how far off they are "
            "depends on the answers, and nobody can say it beforehand.",
            "Drop columns that are not needed; the report names the tables that were measured.",
        )


def _problems(
    found: ReleaseUsefulness[Name],
    path: str,
    things: str,
    heading: Callable[[Name], str],
    remedy: Callable[[Name], str],
) -> Iterator[Problem]:
    for verdict in _BAD:
        names = found.named(verdict)
        if not names:
            continue
        worst = _short(heading(names[0]))
        whole = len(found.by_name)
        supposed = f" if {found.respondents:,} people answer" if found.is_supposed else ""
        reason = found.by_name[names[0]].reason
        head = f"{len(names):,} of {whole:,} {things} would be {verdict}{supposed}"
        if whole == 1:
            said = f"{worst} would be {verdict}{supposed}: {reason}"
        elif len(names) == 1:
            said = f"{head}, {worst}: {reason}"
        else:
            # The others are only counted: of two hundred columns there are twenty thousand tables.
            # The others are only counted: of 200 columns there are 20,000 synthetic tables.
            listed = first_names(
                [
                    _with_error(heading(name), found.by_name[name]) if at < _NAMED else ""
                    for at, name in enumerate(names)
                ],
                _NAMED,
            )
            said = f"{head}: {listed}. {worst}: {reason}"
        yield Problem(path, "warning", verdict, said, cache(partial(_remedies, remedy, names)))


def _remedies(remedy: Callable[[Name], str], names: tuple[Name, ...]) -> str:
    """Returns the remedy of the worst, and of the other one where there are two."""
    few = names if len(names) == _TWO else names[:1]
    return " ".join(dict.fromkeys(map(remedy, few)))


def _with_error(name: str, worth: Usefulness) -> str:
    of = f"{worth.quantity} " if worth.quantity else ""
    return f"{_short(name)} ({of}{worth.told})"


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1].rstrip()}…"
