"""`dpdesk synthesize`: synthetic rows of a trusted file, which are nobody's."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dpdesk.cli.end_of_release import end_of_release
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import (
    add_charge,
    add_files,
    add_flag,
    add_input,
    add_output,
    add_place,
    add_repeated,
    add_value,
)
from dpdesk.cli.terminal import plain, print_facts, print_json
from dpdesk.cli.texts import T
from dpdesk.cli.values import whole
from dpdesk.errors import ParameterError
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.estimation.released import SyntheticRows
    from dpdesk.plan import Plan
    from dpdesk.plan.verdicts import Verdict
    from dpdesk.releases.release import Release
    from dpdesk.reports.synthetic.public import SyntheticReport

DESCRIPTION = (
    "Makes up rows that are nobody's and fit noisy tables of a trusted file (central "
    "differential privacy), and writes one folder: rows, plan, privacy report, manifest. "
    "Columns, domains and the unit of privacy are those of the plan; its dropped columns are "
    "left out. The folder is written whole or not at all."
)

_BEFORE = Unused(lambda options: options.before, "beside --before: nothing is drawn or charged")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk synthesize`."""
    add_input(parser, "data", table=True, metavar="DATA", help="the trusted file")
    add_input(parser, "--plan", required=True, metavar="PLAN.json")
    cost = "the loss of all tables together (default: the plan's, or 1)"
    add_value(parser, "--epsilon", "E", cost)
    chance = "the chance that its bound fails (default: the plan's, or 0: a pure epsilon)"
    add_value(parser, "--delta", "D", chance)
    rows = "number of synthetic rows (default: the plan's, or as many as the file seems to have)"
    add_value(parser, "--rows", "N", rows, read=whole, unused=[_BEFORE])
    classes = "most classes that the numbers of a column are put into (default: the plan's, or 20)"
    add_value(parser, "--classes", "N", classes, read=whole)
    cannot = (
        'a combination of answers that no synthetic row may have, such as "age is at most 14 and '
        'status is married" (beside those of the plan; repeatable)'
    )
    add_repeated(parser, "--impossible", "CONDITIONS", cannot)
    before = (
        "print how far tables of the rows are to be expected from those of the file, and what they "
        "will be worth; nothing is drawn or charged"
    )
    add_flag(parser, "--before", before)
    add_place(parser, "--out", "FOLDER", "a new folder", unused=[_BEFORE], is_made=True)
    add_output(
        parser,
        "--private-diagnostics",
        stream=False,
        metavar="FILE",
        help="also measure how far the rows are from the true ones; for the holder of the data "
        "ONLY (.html or .json)",
        unused=[_BEFORE],
    )
    add_files(parser, _BEFORE)
    add_charge(parser, _BEFORE)


def run(options: argparse.Namespace) -> int:
    """Makes rows; a progress bar shows on a terminal, Ctrl+C leaves no folder behind."""
    from dpdesk.cli.progress import stoppable

    with stoppable() as is_stopped:
        return _synthesize(options, is_stopped)


def _synthesize(options: argparse.Namespace, is_stopped: Callable[[], bool]) -> int:
    from dpdesk.cli.charge_to import charging_to
    from dpdesk.cli.private_diagnostics import require_private_place, write_diagnostics
    from dpdesk.cli.progress import progress_bar
    from dpdesk.cli.reading import hint_of_reading, read_survey, tell_warnings
    from dpdesk.cli.release import with_formats
    from dpdesk.plan import load_plan
    from dpdesk.plan.checks.synthesis import require_synthesizable
    from dpdesk.releases.private_distances import PRIVATE_DISTANCES, private_distances
    from dpdesk.releases.release import release
    from dpdesk.releases.synthetic import SYNTHETIC

    if options.out is None and not options.before:
        raise ParameterError(
            "Synthetic rows are written into a folder.",
            remedy="Name it with --out, or look ahead with --before.",
        )
    require_private_place(options)
    plan = with_formats(asked_plan(load_plan(options.plan), options), options)
    table, plan = read_survey(options, plan, is_stopped)
    with hint_of_reading(options, table):
        # Before anybody is asked whose data these are.
        warnings = require_synthesizable(plan, table)
        if options.before:
            tell_warnings(warnings)
            return _before(table, plan, options)
        with charging_to(options, table) as to, progress_bar(is_stopped) as tracker:
            result = release(SYNTHETIC, table, plan, options.out, tracker, to, options.paper)
    failed = write_diagnostics(
        options,
        lambda: private_distances(table, result.released),
        "The synthetic rows were written to {folder} and are charged, but their private "
        "diagnostics were not written.",
        PRIVATE_DISTANCES,
    )
    return end_of_release(options, result, lambda: _tell(result), failed)


def asked_plan(plan: Plan, options: argparse.Namespace) -> Plan:
    """Returns a plan with what the options say of its synthetic rows."""
    from pydantic import ValidationError

    from dpdesk.cli.charge_to import parse_delta
    from dpdesk.cost import parse_epsilon
    from dpdesk.errors import invalid_fields
    from dpdesk.plan.impossible import declare_impossible

    changes: dict[str, Any] = {}
    if options.epsilon is not None:
        changes["epsilon"] = parse_epsilon(options.epsilon)
    if options.delta is not None:
        changes["delta"] = parse_delta(options.delta)
    for name in ("rows", "classes"):
        if getattr(options, name) is not None:
            changes[name] = getattr(options, name)
    try:
        plan = plan.with_fields(synthesis=plan.synthesis.with_fields(**changes))
        return declare_impossible(plan, *options.impossible)
    except ValidationError as error:
        item = next(iter(invalid_fields(error)))
        problem = T.IN_KIND(kind=f"--{item.place[-1]}", problem=item.sentence)
        raise ParameterError(problem) from None


def _before(table: SurveyTable, plan: Plan, options: argparse.Namespace) -> int:
    """Prints what is to be expected of rows made from a table of as many rows."""
    from dpdesk.composition.strength import strength_of
    from dpdesk.cost import format_epsilon
    from dpdesk.facts import Fact, Facts, several
    from dpdesk.numbers.digits import rough_percent
    from dpdesk.plan.given_answers import with_counts_of
    from dpdesk.plan.release_usefulness import table_name, usefulness_of_synthesis
    from dpdesk.plan.synthetic_columns import synthesis_budget, synthetic_states
    from dpdesk.plan.verdicts import RATINGS
    from dpdesk.releases.synthetic import SYNTHETIC
    from dpdesk.synthesis.forecast import forecast
    from dpdesk.synthesis.released_error import supposed_errors

    plan = with_counts_of(plan, table)
    columns = synthetic_states(plan)
    budget = synthesis_budget(plan, columns)
    sizes = tuple(each.size for each in columns)
    found = forecast(supposed_errors(budget, sizes, table.rows))
    worth = usefulness_of_synthesis(plan)
    names = [each.name for each in columns]
    by_column = dict(zip(names, found.one_way, strict=True))

    def rated(verdict: Verdict) -> str:
        return RATINGS[verdict]()

    verdicts = {name: worth.by_name[name].verdict for name in names}
    tables = []
    for pair in found.by_pair:
        own = [names[column] for column in pair.columns]
        verdict = None if pair.measured is None else worth.by_name[table_name(own)].verdict
        tables.append(
            Facts.of(
                Fact("columns", own, T.COLUMNS(), table_name),
                Fact("cells", pair.cells),
                Fact("distance_if_measured", pair.measured, T.IF_MEASURED(), rough_percent),
                Fact("verdict_if_measured", verdict, T.VERDICT(), rated),
                Fact("distance_if_independent", pair.independent, T.UNRELATED(), rough_percent),
                Fact("distance_if_dependent", pair.dependent, T.RELATED(), rough_percent),
            )
        )
    shown_columns = several(
        Facts.of(
            Fact("", name, T.COLUMN()),
            Fact("", distance, T.DISTANCE(), rough_percent),
            Fact("", verdicts[name], T.VERDICT(), rated),
        )
        for name, distance in by_column.items()
    )
    facts = Facts.of(
        Fact("epsilon", format_epsilon(plan.synthesis.epsilon)),
        Fact("strength", strength_of(plan.synthesis.epsilon)),
        Fact("rows_supposed", found.rows, T.ROWS_SUPPOSED(), "{:,}".format),
        Fact("rows_error", found.rows_error),
        Fact("", None if plan.synthesis.rows else found.rows_text, T.ROWS_DRAWN()),
        Fact("tables_measured", found.rounds, T.TABLES_MEASURED()),
        Fact("pairs", found.pairs, T.PAIRS()),
        Fact("distance_of_columns", by_column),
        Fact("distance_of_a_measured_table", found.two_way),
        Fact("distance_of_the_largest_table", found.two_way_most),
        Fact("verdict", worth.verdict, T.VERDICT(), rated),
        Fact("verdict_of_columns", verdicts),
        Fact("tables", tables),
        Fact("", shown_columns, T.DISTANCES()),
        Fact("", tuple(tables[:_PAIRS_SHOWN]), T.TABLES() if tables else ""),
    )
    if options.json:
        print_json(facts.entry())
        return ExitCode.OK
    print_facts(facts)
    if found.pairs > _PAIRS_SHOWN:
        print(T.MORE_TABLES(count=found.pairs - _PAIRS_SHOWN))
    if found.rounds < found.pairs:
        print(T.BY_CHANCE())
    print(T.NOTHING_DRAWN())
    print(SYNTHETIC.protection(plan))
    return ExitCode.OK


_PAIRS_SHOWN, _NAMED = 50, 20
"""Most tables of two columns in a list, and most tables in a sentence."""


def _tell(result: Release[SyntheticRows, SyntheticReport]) -> None:
    from dpdesk.cost import format_epsilon
    from dpdesk.plan.verdicts import RATINGS
    from dpdesk.reports.synthetic.public import worth_of_rows, worth_sentences

    report = result.report
    epsilon = format_epsilon(report.guarantee.epsilon)
    print(T.MADE(count=report.rows, epsilon=epsilon))
    print(T.FROM_TABLES(count=len(report.tables)))
    print(T.INVENTED())
    print(T.ROWS_ARE(verdict=RATINGS[report.usefulness]()))
    for sentence in worth_sentences(worth_of_rows(result.released), _NAMED):
        print(plain(f"  {sentence}"))
