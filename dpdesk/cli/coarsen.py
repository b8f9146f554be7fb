"""`dpdesk coarsen`: coarser answers in place of noise, and what is lost and won by it."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from typing import TYPE_CHECKING

from dpdesk.cli.end_of_release import print_files
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import (
    DECLARED,
    Unused,
    add_choice,
    add_files,
    add_flag,
    add_input,
    add_output,
    add_place,
    add_reading,
    add_repeated,
    add_settings,
    add_value,
)
from dpdesk.cli.simulation import words
from dpdesk.cli.terminal import plain, print_json
from dpdesk.cli.values import real, whole
from dpdesk.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dpdesk.data.table import SurveyTable
    from dpdesk.disclosure.level_choice import LevelChoice, Widths
    from dpdesk.disclosure.methods import MethodOption
    from dpdesk.engine import Tracker
    from dpdesk.plan import Plan
    from dpdesk.preview.coarser import CoarseAnswer, CoarseWish

DESCRIPTION = (
    "Makes the answers by which an outsider may recognise respondents coarser, until every "
    "respondent is like at least k - 1 others, and says what that costs. The result is NOT "
    "differentially private. Without --out nothing is written."
)

_PRIVATE = "PRIVATE: computed from the survey's true answers, for the holder of the data only."
_NAMED_MOST = 8
METHODS = ("lattice", "mondrian", "mondrian-relaxed", "cells")
LOSSES = ("entropy", "discernibility", "average-class", "precision")
_WIDTHS = re.compile(r"([0-9.,]+)(?::(-?[0-9.]*)\.\.(-?[0-9.]*))?")


def _unless(taken: MethodOption, why: str) -> Unused:
    """Returns the case of a method that does not take something."""

    def is_unused(options: argparse.Namespace) -> bool:
        from dpdesk.disclosure.methods import method_named

        return taken not in method_named(options.method).takes

    return Unused(is_unused, why)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk coarsen`."""
    add_input(parser, "data", table=True, metavar="DATA", help="the survey")
    quasi = "columns that an outsider may know of a person; these are made coarser"
    add_value(parser, "--quasi", "COLUMN,COLUMN,...", quasi, read=words)
    sensitive = "column that an outsider wants to learn; written as it is; may be repeated"
    add_repeated(parser, "--sensitive", "COLUMN", sensitive)
    group = parser.add_argument_group("what every class of equal records fulfils")
    add_value(group, "--k", "SIZE", "least number of records (default: 5)", read=whole, default=5)
    distinct = "least number of different values of each sensitive column"
    add_value(group, "--l", "NUMBER", distinct, read=whole, default=1)
    entropy = "least exponential of the entropy of each sensitive column"
    unused = [_unless("beyond_distinct", "beside --method cells")]
    add_value(group, "--entropy-l", "NUMBER", entropy, read=real, default=1.0, unused=unused)
    distance = "largest distance between a class and all records, 0 to 1"
    add_value(group, "--t", "DISTANCE", distance, read=real, unused=unused)
    most = "how many records may be left out, such as 2%% or 30 (default: none)"
    unused = [_unless("suppress", "beside --method mondrian")]
    add_value(group, "--suppress", "SHARE", most, default="0", unused=unused)
    group = parser.add_argument_group("how")
    method = (
        "one level for each column in all records (lattice), boxes of like records (mondrian), or "
        "blanked cells (cells)"
    )
    add_choice(group, "--method", METHODS, method, default="lattice")
    loss = "what is to be least (default: entropy)"
    add_choice(
        group,
        "--loss",
        LOSSES,
        loss,
        default="entropy",
        unused=[_unless("loss", "without --method lattice")],
    )
    importance = "what a blanked cell of a column costs (1); may be repeated"
    unused = [_unless("importance", "without --method cells")]
    add_repeated(group, "--importance", "COLUMN=COST", importance, unused=unused)
    group = parser.add_argument_group(
        "levels (by what the columns can hold, where nothing is said)"
    )
    add_repeated(group, "--declare", DECLARED, "what a column can hold; may be repeated")
    add_input(group, "--plan", metavar="PLAN.json", help="a plan that says what columns can hold")
    files = "a CSV file of levels: one row per value, its labels behind it; may be repeated"
    add_settings(group, "--hierarchy", files=_level_files, metavar="COLUMN=FILE", help=files)
    widths = (
        "intervals of these widths; LOWEST and HIGHEST make one group of all numbers below and "
        "from there on, such as age=5,10,20:20..65; may be repeated"
    )
    add_repeated(group, "--widths", "COLUMN=WIDTH,...[:LOWEST..HIGHEST]", widths)
    boxes = _unless("level", "beside --method mondrian")
    level = "the level of a column, 0 for its values as they are; may be repeated"
    add_repeated(group, "--level", "COLUMN=NUMBER", level, unused=[boxes])
    ordered = "columns whose categories are declared in their order"
    unused = [_unless("order", "beside --method cells")]
    add_value(group, "--ordered", "COLUMN,...", ordered, read=words, default=(), unused=unused)
    from_data = (
        "write a file although levels follow from its records, which tells something of them"
    )
    unwritten = Unused(lambda options: options.out is None, "without --out")
    nowhere = Unused(
        lambda options: options.out is None and options.plan_out is None, "without --out or -o"
    )
    add_flag(group, "--levels-from-data", from_data, unused=[nowhere])
    table = "say the error of the table of these columns; may be repeated"
    add_repeated(parser, "--table", "COLUMN,...", table)
    keep = "other columns that are written as they are; without it none is"
    add_value(parser, "--keep", "COLUMN,...", keep, read=words, default=(), unused=[unwritten])
    add_place(parser, "--out", "FOLDER", "a new folder for the coarsened file", is_made=True)
    kept = (
        "write the plan with these columns kept on their levels, WITHOUT protection; its release "
        "leaves out no record"
    )
    unused = [
        Unused(lambda options: options.plan is None, "without --plan"),
        _unless("loss", "without --method lattice"),
    ]
    add_output(parser, "-o", "--plan-out", metavar="NEW.json", help=kept, unused=unused)
    without_folder = Unused(lambda options: options.out is None, "without --out")
    add_files(parser, without_folder)
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


def _run(options: argparse.Namespace, tracker: Tracker) -> tuple[CoarseAnswer, tuple[str, ...]]:
    """Returns the file after beside the one before, and the names of what was written."""
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.disclosure.columns import unknown_column
    from dpdesk.plan import load_plan, save_plan
    from dpdesk.plan.checks.coarsening import keep_coarser
    from dpdesk.preview.coarser import coarse_answer

    if not options.quasi:
        raise ParameterError(
            "No quasi-identifiers are named: columns that an outsider may know of a person.",
            remedy="Name them with --quasi age,sex,postcode; 'dpdesk risk DATA' suggests some.",
        )
    plan = None if options.plan is None else load_plan(options.plan)
    table = look_at_survey(options, plan)
    for name in options.quasi:
        if name not in table.names:
            raise unknown_column(name, table.names)
    choice = _choice(options, plan)
    _warn_of_undeclared(options, choice)
    answer = coarse_answer(table, plan, _wish(options), None, tracker, choice)
    changed = None
    if options.plan_out is not None and plan is not None:
        levels = answer.for_plan(
            chosen_by_hand=set(options.quasi) <= answer.wish.fixed.keys(),
            confirmed=options.levels_from_data,
        )
        changed = keep_coarser(plan, levels, confirmed=True)
    files: tuple[str, ...] = ()
    if options.out is not None:
        files = _write(options, table, answer, tracker)
    if changed is not None:
        save_plan(changed, options.plan_out, overwrite=options.overwrite)
        _say_of_plan(options, answer)
    return answer, files


def _wish(options: argparse.Namespace) -> CoarseWish:
    """Returns what is asked."""
    from dpdesk.preview.coarser import CoarseWish

    return CoarseWish(
        tuple(options.quasi),
        tuple(options.sensitive),
        options.k,
        options.l,
        options.entropy_l,
        options.t,
        left_out=options.suppress.strip(),
        method=options.method,
        loss=options.loss,
        fixed=_fixed(options),
        importance=_importance(options),
        tables=tuple(tuple(words(names)) for names in options.table),
    )


def _choice(options: argparse.Namespace, plan: Plan | None) -> LevelChoice:
    """Returns what is declared of the columns."""
    from pathlib import Path

    from dpdesk.cli.declaration import declared_column
    from dpdesk.disclosure.hierarchy_files import read_hierarchy
    from dpdesk.disclosure.level_choice import LevelChoice
    from dpdesk.plan.recognisable import level_choice

    planned = level_choice(plan)
    domains, ordered = dict(planned.domains), {*planned.ordered, *options.ordered}
    for words_ in options.declare:
        declared = declared_column(words_)
        _require_quasi(options, declared.name)
        if declared.domain is not None:
            domains[declared.name] = declared.domain
    files = dict(_pairs(options.hierarchy, "--hierarchy", "age=levels.csv"))
    widths = dict(_pairs(options.widths, "--widths", "age=5,10,20"))
    for name in (*files, *widths, *options.ordered):
        _require_quasi(options, name)
    for name in files.keys() & widths.keys():
        raise ParameterError(
            f"--widths has no effect on {name} beside its file of levels.",
            remedy="Leave one of them out.",
        )
    return LevelChoice(
        {name: read_hierarchy(Path(file), name) for name, file in files.items()},
        {name: _widths(name, text) for name, text in widths.items()},
        domains,
        ordered,
    )


def _level_files(setting: str) -> list[str]:
    """Returns the name of the file of levels; none of a setting that will be refused."""
    file = setting.rpartition("=")[2]
    return [file] if file else []


def _pairs(given: Iterable[str], option: str, example: str) -> Iterable[tuple[str, str]]:
    for text in given:
        name, equals, value = text.rpartition("=")
        if not (name and equals and value):
            raise ParameterError(f"{option} {text} names no column.", remedy=f"Write {example}.")
        yield name, value


def _require_quasi(options: argparse.Namespace, name: str) -> None:
    if name not in options.quasi:
        raise ParameterError(
            f"{name} is not a quasi-identifier: it is not made coarser.",
            remedy="Name it with --quasi too, or leave its levels out.",
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


def _warn_of_undeclared(options: argparse.Namespace, choice: LevelChoice) -> None:
    """Says which levels would follow from the records; a file with such is refused."""
    undeclared = choice.undeclared(options.quasi)
    if not undeclared:
        return
    from dpdesk.i18n import first_names

    names = plain(first_names(undeclared, _NAMED_MOST))
    writes = options.out is not None or options.plan_out is not None
    if writes and not options.levels_from_data:
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


def _fixed(options: argparse.Namespace) -> dict[str, int]:
    from dpdesk.numbers import whole_number

    fixed = {}
    for name, text in _pairs(options.level, "--level", "age=2"):
        _require_quasi(options, name)
        level = whole_number(text)
        # No number is no level either; which ones there are is known with the column.
        fixed[name] = -1 if level is None else level
    return fixed


def _importance(options: argparse.Namespace) -> dict[str, float]:
    from dpdesk.numbers import real_number

    costs = {}
    for name, text in _pairs(options.importance, "--importance", "age=2"):
        _require_quasi(options, name)
        cost = real_number(text)
        if cost is None or cost <= 0:
            raise ParameterError(
                f"What a blanked cell of {name} costs is a number above 0.",
                remedy=f"Write --importance {shlex.quote(f'{name}=2')}.",
            )
        costs[name] = cost
    return costs


def _say_of_plan(options: argparse.Namespace, answer: CoarseAnswer) -> None:
    """Says what a release of the plan does not do that a coarsened file does."""
    print(plain(f"note: The plan was written to {options.plan_out}."), file=sys.stderr)
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

    wish = answer.wish
    formats = tuple(map(known_word, options.write))
    kept = tuple(options.keep)
    file = CoarsenedFile(wish.method, wish.left_out, wish.chosen_by, kept, formats)
    result, after = answer.outcome.result, answer.comparison.after
    return write_coarsened(table, result, after, file, options.out, tracker, options.paper)
