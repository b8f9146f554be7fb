"""`dpdesk coarsen`: coarser answers in place of noise, and what is lost and won by it."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING

from dpdesk.cli.end_of_release import print_files
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import add_files, add_input, add_reading
from dpdesk.cli.request_options import add_request, request_of
from dpdesk.cli.terminal import plain, print_json
from dpdesk.errors import ParameterError
from dpdesk.requests.coarsen import CoarsenRequest
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from pathlib import Path

    from dpdesk.data.table import SurveyTable
    from dpdesk.disclosure.level_choice import LevelChoice, Widths
    from dpdesk.engine import Tracker
    from dpdesk.plan import Plan
    from dpdesk.preview.coarser import CoarseAnswer

DESCRIPTION = (
    "Makes the answers by which an outsider may recognise respondents coarser, until every "
    "respondent is like at least k - 1 others, and says what that costs. The result is NOT "
    "differentially private. Without --out nothing is written."
)

_PRIVATE = "PRIVATE: computed from the survey's true answers, for the holder of the data only."
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
    from dpdesk.cli.coarsen_words import entry, print_answer
    from dpdesk.cli.progress import progress_bar, stoppable

    with stoppable() as is_stopped, progress_bar(is_stopped) as tracker:
        answer, files = _run(options, tracker)
    if options.json:
        print_json(entry(answer, files))
        return ExitCode.OK
    print(_PRIVATE)
    print_answer(answer)
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
        _say_of_plan(request.plan_out, answer)
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
            raise ParameterError(
                f"{name} is not a quasi-identifier: it is not made coarser.",
                remedy="Name it with --quasi too, or leave its levels out.",
            )
    for name in request.hierarchy.keys() & request.widths.keys():
        raise ParameterError(
            f"--widths has no effect on {name} beside its file of levels.",
            remedy="Leave one of them out.",
        )
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
        raise ParameterError(
            f"--widths {name}={text} names no widths.", remedy=f"Write {name}=5,10,20:20..65."
        )
    return Widths(tuple(n for n in numbers if n is not None), *ends)


def _warn_of_undeclared(request: CoarsenRequest, choice: LevelChoice) -> None:
    """Says which levels would follow from the records; a file with such is refused."""
    undeclared = choice.undeclared(request.quasi)
    if not undeclared:
        return
    from dpdesk.i18n import first_names

    names = plain(first_names(undeclared, _NAMED_MOST))
    writes = request.out is not None or request.plan_out is not None
    if writes and not request.levels_from_data:
        raise ParameterError(
            f"Nothing says what {names} can hold: levels would follow from the records, and tell "
            "something of them.",
            remedy="Declare it (--declare, --plan, --hierarchy), or add --levels-from-data.",
        )
    print(
        f"note: Nothing says what {names} can hold: levels follow from the records. Declare it "
        "(--declare, --plan, --hierarchy) before a file is written.",
        file=sys.stderr,
    )


def _say_of_plan(file: Path, answer: CoarseAnswer) -> None:
    """Says what a release of the plan does not do that a coarsened file does."""
    print(plain(f"note: The plan was written to {file}."), file=sys.stderr)
    left = answer.comparison.loss.suppressed
    if left:
        print(
            f"note: A release of the plan leaves out no record: {left:,} that would be left out "
            f"stay in groups that do not fulfil what is asked. 'dpdesk risk' judges the plan.",
            file=sys.stderr,
        )


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
