"""`dpdesk coarsen`: coarser answers in place of noise, and what is lost and won by it."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any

from dpdesk.cli.column_settings import WIDTHS
from dpdesk.cli.end_of_release import print_files
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import add_files, add_input, add_reading
from dpdesk.cli.request_options import add_request, request_of
from dpdesk.cli.terminal import plain, print_json, print_note, print_rows, spaced
from dpdesk.cli.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import quoted
from dpdesk.requests.coarsen import CoarsenRequest
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.disclosure.level_choice import LevelChoice, Widths
    from dpdesk.engine import Tracker
    from dpdesk.plan import Plan
    from dpdesk.preview.coarser import CoarseAnswer

DESCRIPTION = (
    "Makes quasi-identifiers coarser until every respondent is like at least k - 1 others. The "
    "result is NOT differentially private. Without --out nothing is written."
)

_PRIVATE = "PRIVATE: computed from the survey's true answers, for the holder of the data only."
_NOT_PRIVATE = (
    "Not differentially private: true answers are written, only coarser. The ledger does not count "
    "them, as their loss is not finite."
)
_NAMED_MOST = 8
_WIDTHS = re.compile(r"([0-9.,]+)(?::(-?[0-9.]*)\.\.(-?[0-9.]*))?")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk coarsen`."""
    add_input(parser, "data", table=True, metavar="DATA", help="the survey")
    add_request(parser, CoarsenRequest)
    add_files(parser, Unused(lambda options: options.out is None, "without --out"))
    add_reading(parser)


def run(options: argparse.Namespace) -> int:
    """Prints what coarsening does, and writes it where a folder is named."""
    from dpdesk.cli.progress import progress_bar, stoppable

    with stoppable() as is_stopped, progress_bar(is_stopped) as tracker:
        answer, files = _run(options, tracker)
    if options.json:
        print_json(_entry(answer, files))
        return ExitCode.OK
    print(_PRIVATE)
    _print_answer(answer)
    if files:
        print_files(options.out, files)
    return ExitCode.OK


def answered(options: argparse.Namespace) -> CoarseAnswer:
    """Returns the file after beside the one before, which is written where a folder is named."""
    from dpdesk.engine.jobs import untracked

    return _run(options, untracked())[0]


def _run(options: argparse.Namespace, tracker: Tracker) -> tuple[CoarseAnswer, tuple[str, ...]]:
    """Returns the file after beside the one before, and the names of what was written."""
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.disclosure.columns import unknown_column
    from dpdesk.plan import load_plan, save_plan
    from dpdesk.plan.checks.coarsening import keep_coarser
    from dpdesk.preview.coarser import CoarseWish, coarse_answer

    request = request_of(CoarsenRequest, options)
    plan = None if options.plan is None else load_plan(options.plan)
    table = look_at_survey(options, plan)
    for name in request.quasi:
        if name not in table.names:
            raise unknown_column(name, table.names)
    choice = _choice(request, plan)
    _warn_of_undeclared(request, choice)
    answer = coarse_answer(table, plan, CoarseWish(request), None, tracker, choice)
    changed = None
    if request.plan_out is not None and plan is not None:
        levels = answer.for_plan(
            chosen_by_hand=set(request.quasi) <= request.level.keys(),
            confirmed=request.levels_from_data,
        )
        changed = keep_coarser(plan, levels, confirmed=True)
    files: tuple[str, ...] = ()
    if request.out is not None:
        files = _write(options, table, answer, tracker)
    if changed is not None and request.plan_out is not None:
        save_plan(changed, request.plan_out, overwrite=options.overwrite)
        print_note(T.PLAN_WRITTEN(file=str(request.plan_out)))
        if left := answer.comparison.loss.suppressed:
            print_note(T.KEPT_BY_PLAN(count=left))
    return answer, files


def _choice(request: CoarsenRequest, plan: Plan | None) -> LevelChoice:
    """Returns what is declared of the columns."""
    from dpdesk.cli.declaration import declared_column
    from dpdesk.disclosure.level_choice import LevelChoice, read_hierarchy
    from dpdesk.plan.recognisable import level_choice

    planned = level_choice(plan)
    domains = dict(planned.domains)
    declared = [declared_column(words) for words in request.declare]
    domains |= {each.name: each.domain for each in declared if each.domain is not None}
    named = [request.hierarchy, request.widths, request.level, request.importance, request.ordered]
    for name in (*(each.name for each in declared), *(name for names in named for name in names)):
        if name not in request.quasi:
            raise ParameterError(T.NOT_QUASI(name=name))
    for name in request.hierarchy.keys() & request.widths.keys():
        raise ParameterError(T.WIDTHS_BESIDE_FILE(name=name))
    return LevelChoice(
        {name: read_hierarchy(file, name) for name, file in request.hierarchy.items()},
        {name: _widths(name, text) for name, text in request.widths.items()},
        domains,
        {*planned.ordered, *request.ordered},
    )


def _widths(name: str, text: str) -> Widths:
    from dpdesk.disclosure.level_choice import Widths
    from dpdesk.numbers import real_number

    match = _WIDTHS.fullmatch(text)
    numbers = [real_number(part) for part in match[1].split(",")] if match else [None]
    ends = [real_number(part) if part else None for part in (match[2], match[3])] if match else []
    if any(number is None for number in numbers):
        raise WIDTHS.refused(f"{name}={text}")
    return Widths(tuple(n for n in numbers if n is not None), *ends)


def _warn_of_undeclared(request: CoarsenRequest, choice: LevelChoice) -> None:
    """Says which levels would follow from the records; a file with such is refused."""
    undeclared = choice.undeclared(request.quasi)
    if not undeclared:
        return
    error = ParameterError(T.UNDECLARED(names=quoted(undeclared, _NAMED_MOST)))
    if (request.out or request.plan_out) is not None and not request.levels_from_data:
        raise error
    print_note(error.message)


def _write(
    options: argparse.Namespace, table: SurveyTable, answer: CoarseAnswer, tracker: Tracker
) -> tuple[str, ...]:
    from dpdesk.data.record_files import known_word
    from dpdesk.releases.coarsened import CoarsenedFile, write_coarsened

    wish, request = answer.wish, answer.wish.request
    formats = tuple(map(known_word, options.write))
    file = CoarsenedFile(request.method, request.suppress, wish.chosen_by, request.keep, formats)
    result, after = answer.outcome.result, answer.comparison.after
    return write_coarsened(table, result, after, file, options.out, tracker, options.paper)


def _entry(answer: CoarseAnswer, files: tuple[str, ...]) -> dict[str, Any]:
    """Returns what coarsening does, and the files that were written, as JSON has it."""
    from dpdesk.disclosure.facts import risk_facts

    result, comparison = answer.outcome.result, answer.comparison
    loss = comparison.loss
    return {
        "private": True,
        "differentially_private": False,
        "levels": None
        if result.levels is None
        else {c.name: level for c, level in zip(result.columns, result.levels, strict=True)},
        **answer.outcome.facts,
        "records_left_out": loss.suppressed,
        "average_class_size_over_k": loss.average_class,
        "discernibility": loss.discernibility,
        "precision": loss.precision,
        "entropy_lost": loss.entropy,
        "tables": [
            {"columns": list(names), "distance": error} for names, error in comparison.tables
        ],
        "before": risk_facts(comparison.before).entry(),
        "after": risk_facts(comparison.after).entry(),
        "files": list(files),
    }


def _print_answer(answer: CoarseAnswer) -> None:
    """Prints the file before and after side by side, its columns, and what is lost."""
    from dpdesk.disclosure.facts import risk_facts
    from dpdesk.facts import compared

    result, comparison = answer.outcome.result, answer.comparison
    columns = answer.lattice.columns
    print(_NOT_PRIVATE)
    before, loss = comparison.before, comparison.loss
    rows = compared(risk_facts(before), risk_facts(comparison.after))
    print()
    print_rows(spaced([("", "before", "after"), *rows]))
    print("\nColumns")
    levels = result.levels or (None,) * len(columns)
    print_rows(
        [
            (
                plain(column.name),
                "" if level is None else f"level {level} of {before.height}",
                _example(column.labels),
                "levels follow from the records" if before.hierarchy.from_data else "",
            )
            for column, before, level in zip(result.columns, columns, levels, strict=True)
        ]
    )
    print("\nWhat is lost")
    share = 100 * loss.suppressed / before.rows
    lost = [
        ("records left out", f"{loss.suppressed:,} ({share:.1f} %)"),
        ("most that may be left out", f"{result.requirement.suppressed_most:,}"),
        *answer.outcome.figures,
        ("information of the columns", f"{100 * loss.entropy:.1f} %"),
        ("average class size over k", f"{loss.average_class:.2f}"),
        ("discernibility", f"{loss.discernibility:,.0f}"),
    ]
    if loss.precision is not None:
        lost.append(("precision (1: unchanged)", f"{loss.precision:.3f}"))
    print_rows(lost)
    if comparison.tables:
        print("\nRecords in another cell of a table")
        print_rows([(" × ".join(n), f"{100 * error:.2f} %") for n, error in comparison.tables])
    if answer.outcome.closing:
        print(f"\n{answer.outcome.closing}")


def _example(labels: tuple[str, ...]) -> str:
    shown = [plain(label) for label in labels[:3] if label]
    return ", ".join(shown) + (" …" if len(labels) > len(shown) else "")
