"""`dpdesk check`: every problem of a plan."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from math import floor, log10
from typing import TYPE_CHECKING, Any, NamedTuple

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import add_formats, add_input, add_ledger_place, add_reading, add_value
from dpdesk.cli.terminal import plain, print_json
from dpdesk.cli.texts import T
from dpdesk.cli.values import population_name
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from dpdesk.cost import PrivacyCost
    from dpdesk.data.table import SurveyTable
    from dpdesk.plan import Problem
    from dpdesk.plan.release_usefulness import ReleaseUsefulness
    from dpdesk.plan.usefulness import Usefulness

DESCRIPTION = (
    "Lists every problem of a plan, by itself and on a survey: what blocks a release and what "
    "would be rough or too noisy, with remedies."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk check`."""
    add_input(parser, "plan", metavar="PLAN.json")
    add_input(parser, "data", table=True, nargs="?", metavar="DATA", help="the survey, if any")
    without = Unused(lambda options: options.data is None, "without DATA")
    people = "the people behind the data, whose budget counts (default: those of the file)"
    add_value(parser, "--population", "NAME", people, read=population_name, unused=[without])
    add_ledger_place(parser, without)
    add_formats(parser)
    add_reading(parser)


class Checked(NamedTuple):
    """What is wrong with a plan, and what a release of it would be worth.

    Attributes:
        problems: Every problem, errors first.
        usefulness: What the release will be worth, by kind: records, statistics, synthetic.
        table: The survey; None where the plan was checked by itself.
        protection: How strongly a release would protect, by kind: its cost, and a sentence.
    """

    problems: tuple[Problem, ...]
    usefulness: Mapping[str, ReleaseUsefulness[Any]]
    table: SurveyTable | None
    protection: Mapping[str, tuple[PrivacyCost, str]]

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that block a release."""
        from dpdesk.plan import errors_of

        return tuple(errors_of(self.problems))


def checked(options: argparse.Namespace) -> Checked:
    """Returns every problem of a plan.

    If a plan asks for statistics and gives no column a role, only its statistics are checked; so
    it is with synthetic rows where no column has a mechanism.
    """
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.cli.release import with_formats
    from dpdesk.plan import check, check_table, load_plan
    from dpdesk.plan.checks.statistics import check_statistics, check_statistics_table
    from dpdesk.plan.checks.synthesis import check_synthesis, check_synthesis_table
    from dpdesk.plan.given_answers import with_counts_of
    from dpdesk.plan.problem import errors_first
    from dpdesk.plan.release_usefulness import (
        usefulness_of_records,
        usefulness_of_statistics,
        usefulness_of_synthesis,
    )
    from dpdesk.plan.synthesis import Synthesis
    from dpdesk.releases.kinds import KINDS

    plan = with_formats(load_plan(options.plan), options)
    found: dict[str, ReleaseUsefulness[Any]] = {}
    table = None if options.data is None else look_at_survey(options, plan)
    if table is not None:
        plan = with_counts_of(plan, table)
    asks, makes = bool(plan.statistics.queries), plan.synthesis != Synthesis()
    problems: tuple[Problem, ...] = ()
    has_roles = any(column.role != "unassigned" for column in plan.columns)
    only_makes = makes and all(column.mechanism is None for column in plan.columns)
    if not only_makes and (has_roles or not asks):
        problems += check(plan)
        found["records"] = usefulness_of_records(plan)
        problems += () if table is None else check_table(plan, table)
    if asks:
        own = check_statistics(plan)
        found["statistics"] = usefulness_of_statistics(plan)
        own += () if table is None else check_statistics_table(plan, table)
        problems += tuple(problem for problem in own if problem not in problems)
    if makes:
        own = check_synthesis(plan)
        found["synthetic"] = usefulness_of_synthesis(plan)
        own += () if table is None else check_synthesis_table(plan, table)
        problems += tuple(problem for problem in own if problem not in problems)
    protection: dict[str, tuple[PrivacyCost, str]] = {
        kind.name: (kind.cost(plan), told)
        for kind in KINDS
        if kind.name in found and (told := kind.protection(plan))
    }
    if table is not None:
        problems += _ledger_problems(options, table, [cost for cost, _ in protection.values()])
    return Checked(errors_first(problems), found, table, protection)


def run(options: argparse.Namespace) -> int:
    """Prints the problems; the exit code says whether one of them blocks a release."""
    from dpdesk.cli.reading import CODES_OF_MISREADING, seems_written
    from dpdesk.plan import errors_of, grouped
    from dpdesk.plan.verdicts import RATINGS

    found = checked(options)
    problems, errors = found.problems, found.errors
    if options.json:
        listed = [problem_entry(problem) for problem in problems]
        told = {name: _usefulness_entry(each) for name, each in found.usefulness.items()}
        protection = {name: strength_entry(cost) for name, (cost, _) in found.protection.items()}
        print_json({"problems": listed, "usefulness": told, "protection": protection})
    else:
        # One line for what many columns share.
        problems = grouped(problems)
        errors = tuple(errors_of(problems))
        for problem in problems:
            print(f"{problem.severity}: {plain(problem.path)}: {plain(str(problem))}")
        hint = ""
        if found.table is not None and any(p.code in CODES_OF_MISREADING for p in problems):
            hint = seems_written(options, found.table)
        if hint:
            print(plain(f"note: {hint}"))
        wanted = found.usefulness["records"].analyses if "records" in found.usefulness else ()
        for one in wanted:
            if one.error is not None:
                worth = one.error.usefulness
                print(
                    f"wanted: {plain(one.text)}: {plain(worth.brief)}, {RATINGS[worth.verdict]()}"
                )
        several = len(found.protection) > 1
        for name, (_, sentence) in found.protection.items():
            print(f"{name}: {sentence}" if several else sentence)
        warnings = len(problems) - len(errors)
        print(f"{T.ERRORS(count=len(errors))}, {T.WARNINGS(count=warnings)}")
    return ExitCode.PROBLEMS if errors else ExitCode.OK


def strength_entry(cost: PrivacyCost) -> dict[str, str]:
    """Returns how strongly a release of some cost protects, as it stands in JSON."""
    from dpdesk.composition.strength import strength_of
    from dpdesk.cost import format_epsilon

    return {
        "strength": strength_of(cost.epsilon),
        "epsilon": format_epsilon(cost.epsilon),
        "delta": format_epsilon(cost.delta),
    }


def problem_entry(problem: Problem) -> dict[str, str]:
    """Returns a problem as it stands in JSON."""
    # Each column has an entry of its own, so that nothing is told of several.
    own = {key: getattr(problem, key) for key in ("path", "severity", "code", "message")}
    return own | {"remedy": problem.command_remedy}


def _ledger_problems(
    options: argparse.Namespace, table: SurveyTable, costs: Iterable[PrivacyCost]
) -> tuple[Problem, ...]:
    """What the ledger has against releases of these costs, each by itself; it is only read."""
    from dpdesk.ledgers import Ledger, obstacles
    from dpdesk.ledgers.place import ledger_path
    from dpdesk.releases.ledger_problems import ledger_problems

    if not ledger_path(options.ledger).exists():
        return ()
    ledger = Ledger.open(options.ledger)
    book, similar = ledger.book(), ledger.similar(table)
    digest, name = ledger.fingerprint(table).digest, options.population or ""
    errors = [
        error
        for cost in costs
        if cost.epsilon
        for error in obstacles(book, digest, similar, (cost,), population=name, declare=True)
    ]
    return tuple(dict.fromkeys(ledger_problems(errors)))


def _usefulness_entry(found: ReleaseUsefulness[Any]) -> dict[str, Any]:
    told = {
        "verdict": found.verdict,
        "estimates_useful": found.counts.useful,
        "estimates_all": sum(found.counts),
        "respondents": found.respondents,
        "respondents_supposed": found.is_supposed,
        "numbers": [{"of": name} | _worth_entry(each) for name, each in found.by_name.items()],
    }
    if found.analyses:
        told["analyses"] = [
            {"of": one.text, "refused": str(one.refusal)}
            if one.error is None
            else {"of": one.text} | _worth_entry(one.error.usefulness)
            for one in found.analyses
        ]
    return told


def _worth_entry(each: Usefulness) -> dict[str, Any]:
    size = each.size
    if each.of_file:
        # Of the numbers in the file no more is told than in words: two digits.
        size = round(size, 1 - floor(log10(size))) if size > 0 else 0.0
    return {
        "verdict": each.verdict,
        "estimates_useful": each.counts.useful,
        "estimates_all": sum(each.counts),
        "estimates": each.what,
        "error_95": each.largest[0],
        "error_95_of_worst": each.error,
        "compared_with": size,
        "goes_by_the_file": each.of_file,
        "error_95_without_protection": each.largest[1],
        "unit": each.unit,
    }
