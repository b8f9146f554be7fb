"""`dpdesk coarsen`: coarser answers in place of noise, and what is lost and won by it."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING, Any

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import (
    DECLARED,
    Unused,
    add_choice,
    add_flag,
    add_input,
    add_json,
    add_place,
    add_reading,
    add_repeated,
    add_value,
    real,
    whole,
)
from dpdesk.cli.simulation import words
from dpdesk.cli.terminal import plain, print_json, print_rows
from dpdesk.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from dpdesk.data.table import SurveyTable
    from dpdesk.disclosure import CodedColumn
    from dpdesk.disclosure.coarsened import BeforeAfter, Coarsened
    from dpdesk.disclosure.level_choice import LevelChoice, Widths
    from dpdesk.disclosure.levelled import LevelledColumn
    from dpdesk.engine import Tracker
    from dpdesk.plan import Plan

_PRIVATE = "PRIVATE: computed from the survey's true answers, for the holder of the data only."
_NOT_PRIVATE = (
    "Not differentially private: what is written are true answers, only coarser. The ledger does "
    "not count it, as it has no finite loss; note it where you register disclosures."
)
METHODS = ("lattice", "mondrian", "mondrian-relaxed", "cells")
LOSSES = ("entropy", "discernibility", "average-class", "precision")
_WIDTHS = re.compile(r"([0-9.,]+)(?::(-?[0-9.]*)\.\.(-?[0-9.]*))?")


def _is_not(*methods: str) -> Unused:
    return Unused(
        lambda options: options.method not in methods, f"without --method {' or '.join(methods)}"
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk coarsen`."""
    parser.description = (
        "Makes the answers by which an outsider may recognise respondents coarser, until every "
        "respondent is like at least k - 1 others, and says what that costs. The result is NOT "
        "differentially private. Without --out nothing is written."
    )
    add_input(parser, "data", metavar="DATA", help="the survey")
    quasi = "columns that an outsider may know of a person; these are made coarser"
    add_value(parser, "--quasi", "COLUMN,COLUMN,...", quasi, read=words)
    sensitive = "column that an outsider wants to learn; written as it is; may be repeated"
    add_repeated(parser, "--sensitive", "COLUMN", sensitive)
    group = parser.add_argument_group("what every class of equal records fulfils")
    add_value(group, "--k", "SIZE", "least number of records (default: 5)", read=whole, default=5)
    distinct = "least number of different values of each sensitive column"
    add_value(group, "--l", "NUMBER", distinct, read=whole, default=1)
    entropy = "least exponential of the entropy of each sensitive column"
    add_value(group, "--entropy-l", "NUMBER", entropy, read=real, default=1.0, unused=[_no_cells()])
    distance = "largest distance between a class and all records, 0 to 1"
    add_value(group, "--t", "DISTANCE", distance, read=real, unused=[_no_cells()])
    most = "how many records may be left out, such as 2%% or 30 (default: none)"
    whole_file = Unused(
        lambda options: options.method.startswith("mondrian"), "beside --method mondrian"
    )
    add_value(group, "--suppress", "SHARE", most, default="0", unused=[whole_file])
    group = parser.add_argument_group("how")
    method = (
        "one level for each column in all records (lattice), boxes of like records (mondrian), or "
        "blanked cells (cells)"
    )
    add_choice(group, "--method", METHODS, method, default="lattice")
    loss = "what is to be least (default: entropy)"
    add_choice(group, "--loss", LOSSES, loss, default="entropy", unused=[_is_not("lattice")])
    importance = "what a blanked cell of a column costs (1); may be repeated"
    add_repeated(group, "--importance", "COLUMN=COST", importance, unused=[_is_not("cells")])
    group = parser.add_argument_group(
        "levels (by what the columns can hold, where nothing is said)"
    )
    add_repeated(group, "--declare", DECLARED, "what a column can hold; may be repeated")
    add_input(group, "--plan", metavar="PLAN.json", help="a plan that says what columns can hold")
    files = "a CSV file of levels: one row per value, its labels behind it; may be repeated"
    add_repeated(group, "--hierarchy", "COLUMN=FILE", files)
    widths = (
        "intervals of these widths; LOWEST and HIGHEST make one group of all numbers below and "
        "from there on, such as age=5,10,20:20..65; may be repeated"
    )
    add_repeated(group, "--widths", "COLUMN=WIDTH,...[:LOWEST..HIGHEST]", widths)
    boxes = Unused(
        lambda options: options.method.startswith("mondrian"), "beside --method mondrian"
    )
    level = "the level of a column, 0 for its values as they are; may be repeated"
    add_repeated(group, "--level", "COLUMN=NUMBER", level, unused=[boxes])
    ordered = "columns whose categories are declared in their order"
    add_value(
        group, "--ordered", "COLUMN,...", ordered, read=words, default=(), unused=[_no_cells()]
    )
    from_data = (
        "write a file although levels follow from its records, which tells something of them"
    )
    unwritten = Unused(lambda options: options.out is None, "without --out")
    add_flag(group, "--levels-from-data", from_data, unused=[unwritten])
    table = "say the error of the table of these columns; may be repeated"
    add_repeated(parser, "--table", "COLUMN,...", table)
    keep = "other columns that are written as they are; without it none is"
    add_value(parser, "--keep", "COLUMN,...", keep, read=words, default=(), unused=[unwritten])
    add_place(parser, "--out", "FOLDER", "a new folder for the coarsened file")
    add_json(parser)
    add_reading(parser)


def _no_cells() -> Unused:
    return Unused(lambda options: options.method == "cells", "beside --method cells")


def run(options: argparse.Namespace) -> int:
    """Prints what coarsening does, and writes it where a folder is named."""
    from dpdesk.cli.progress import progress_bar, stoppable

    with stoppable() as is_stopped, progress_bar(is_stopped) as tracker:
        columns, result, told, facts, files = _run(options, tracker)
    if options.json:
        print_json(_entry(result, told, facts, files))
        return ExitCode.OK
    print(_PRIVATE)
    _print(result, columns, told, facts)
    for name in files:
        print(options.out.absolute() / name)
    return ExitCode.OK


def _run(
    options: argparse.Namespace, tracker: Tracker
) -> tuple[tuple[LevelledColumn, ...], Coarsened, BeforeAfter, dict[str, Any], tuple[str, ...]]:
    """Returns the columns, the file after, it beside the one before, and what was written."""
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.disclosure import chosen_columns
    from dpdesk.disclosure.coarsened import before_after
    from dpdesk.disclosure.level_choice import levelled_columns
    from dpdesk.plan import load_plan
    from dpdesk.plan.recognisable import missing_of, order_of

    if not options.quasi:
        raise ParameterError(
            "No quasi-identifiers are named: columns that an outsider may know of a person.",
            remedy="Name them with --quasi age,sex,postcode; 'dpdesk risk DATA' suggests some.",
        )
    plan = None if options.plan is None else load_plan(options.plan)
    table = look_at_survey(options, plan)
    known = missing_of(plan, table.reading)
    choice = _choice(options, plan)
    _warn_of_undeclared(options, choice)
    columns = levelled_columns(table, options.quasi, choice, known)
    sensitive = chosen_columns(table, options.sensitive, known, order_of(plan))
    _refuse_both(options)
    tables = _tables(options, table, columns)
    result, facts = _coarsened(options, table, columns, sensitive, tracker)
    told = before_after(result, tables, tracker.progress)
    files: tuple[str, ...] = ()
    if options.out is not None:
        files = _write(options, table, result, told, tracker)
    return columns, result, told, facts, files


def _choice(options: argparse.Namespace, plan: Plan | None) -> LevelChoice:
    """Returns what is declared of the columns."""
    from pathlib import Path

    from dpdesk.cli.declaration import declared_column
    from dpdesk.disclosure.hierarchies import read_hierarchy
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


def _pairs(given: Iterable[str], option: str, example: str) -> Iterable[tuple[str, str]]:
    for text in given:
        name, equals, value = text.rpartition("=")
        if not (name and equals and value):
            raise ParameterError(f"{option} {text} names no column.", remedy=f"Write {example}.")
        yield name, value


def _require_quasi(options: argparse.Namespace, name: str) -> None:
    if name not in options.quasi:
        raise ParameterError(
            f"{name} is no quasi-identifier: it is not made coarser.",
            remedy="Name it with --quasi too, or leave its levels out.",
        )


def _refuse_both(options: argparse.Namespace) -> None:
    both = set(options.quasi) & set(options.sensitive)
    if both:
        raise ParameterError(
            f"{min(both)} is named both as a quasi-identifier and as sensitive.",
            remedy="What an outsider knows already need not be learnt: name it once.",
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
    names = plain(", ".join(undeclared))
    if options.out is not None and not options.levels_from_data:
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


def _tables(
    options: argparse.Namespace, table: SurveyTable, columns: tuple[LevelledColumn, ...]
) -> list[list[CodedColumn]]:
    from dpdesk.disclosure import chosen_columns

    own = {column.name: column.at(0) for column in columns}
    return [
        [own[name] if name in own else chosen_columns(table, [name])[0] for name in words(names)]
        for names in options.table
    ]


def _most(options: argparse.Namespace, rows: int) -> int:
    """Reads how many records may be left out."""
    from dpdesk.numbers import real_number, whole_number

    text = options.suppress.strip()
    share = real_number(text[:-1].strip()) if text.endswith("%") else None
    most = whole_number(text) if share is None else int(rows * share / 100)
    if most is None or not 0 <= most <= rows // 2:
        raise ParameterError(
            f"--suppress {plain(text)} is not a number of records from 0 to half of the file.",
            remedy="Write a share such as 2%, or a number such as 30.",
        )
    return most


def _coarsened(
    options: argparse.Namespace,
    table: SurveyTable,
    columns: tuple[LevelledColumn, ...],
    sensitive: tuple[CodedColumn, ...],
    tracker: Tracker,
) -> tuple[Coarsened, dict[str, Any]]:
    """Returns the file after coarsening, and what the method says of its work."""
    from dataclasses import replace

    from dpdesk.disclosure.coarsened import coarsened_at
    from dpdesk.disclosure.coarsening import Lattice, search
    from dpdesk.disclosure.information_loss import loss_named
    from dpdesk.disclosure.mondrian import mondrian
    from dpdesk.disclosure.requirement import Requirement
    from dpdesk.disclosure.suppression import suppress_cells

    rows = table.rows
    wanted = Requirement(options.k, options.l, options.entropy_l, options.t, _most(options, rows))
    if options.method.startswith("mondrian"):
        relaxed = options.method == "mondrian-relaxed"
        return mondrian(
            columns, sensitive, rows, wanted, relaxed=relaxed, report=tracker.progress
        ), {}
    fixed = _fixed(options, columns)
    if options.method == "cells":
        levels = [fixed.get(place, 0) for place in range(len(columns))]
        costs = _importance(options, columns)
        result, blanked, least = suppress_cells(
            columns, sensitive, rows, wanted, levels, costs, tracker.progress
        )
        return result, {"cells_blanked": blanked, "cells_at_least": least}
    # Sensitive columns of which nothing is asked would only make the search longer.
    judged = sensitive if wanted.needs_sensitive else ()
    lattice = Lattice(columns, judged, rows)
    loss = loss_named(options.loss)
    found = search(lattice, wanted, loss, fixed, tracker.progress)
    result = replace(coarsened_at(lattice, found.levels, wanted), sensitive=sensitive)
    return result, {
        "loss": options.loss,
        "least_loss": found.loss,
        "combinations": found.nodes,
        "combinations_looked_at": found.looked_at,
    }


def _fixed(options: argparse.Namespace, columns: tuple[LevelledColumn, ...]) -> dict[int, int]:
    from dpdesk.numbers import whole_number

    places = {column.name: place for place, column in enumerate(columns)}
    fixed = {}
    for name, text in _pairs(options.level, "--level", "age=2"):
        _require_quasi(options, name)
        level, height = whole_number(text), columns[places[name]].height
        if level is None or not 0 <= level <= height:
            raise ParameterError(
                f"{name} has the levels 0 to {height}.", remedy=f"Write --level {name}={height}."
            )
        fixed[places[name]] = level
    return fixed


def _importance(options: argparse.Namespace, columns: tuple[LevelledColumn, ...]) -> list[float]:
    from dpdesk.numbers import real_number

    costs = dict.fromkeys((column.name for column in columns), 1.0)
    for name, text in _pairs(options.importance, "--importance", "age=2"):
        _require_quasi(options, name)
        cost = real_number(text)
        if cost is None or cost <= 0:
            raise ParameterError(
                f"What a blanked cell of {name} costs is a number above 0.",
                remedy=f"Write --importance {name}=2.",
            )
        costs[name] = cost
    return list(costs.values())


def _write(
    options: argparse.Namespace,
    table: SurveyTable,
    result: Coarsened,
    told: BeforeAfter,
    tracker: Tracker,
) -> tuple[str, ...]:
    from dpdesk.disclosure.information_loss import loss_named
    from dpdesk.release.coarsened import CoarsenedFile, write_coarsened

    folder: Path = options.out
    chosen_by = loss_named(options.loss).words if options.method == "lattice" else ""
    limit = options.suppress.strip()
    file = CoarsenedFile(options.method, limit, chosen_by, tuple(options.keep))
    return write_coarsened(table, result, told.after, file, folder, tracker)


def _entry(
    result: Coarsened, told: BeforeAfter, facts: dict[str, Any], files: tuple[str, ...]
) -> dict[str, Any]:
    from dpdesk.disclosure.entries import risk_entry

    loss = told.loss
    return {
        "private": True,
        "differentially_private": False,
        "levels": None
        if result.levels is None
        else {c.name: level for c, level in zip(result.columns, result.levels, strict=True)},
        **facts,
        "records_left_out": loss.suppressed,
        "average_class_size_over_k": loss.average_class,
        "discernibility": loss.discernibility,
        "precision": loss.precision,
        "entropy_lost": loss.entropy,
        "tables": [{"columns": list(names), "distance": error} for names, error in told.tables],
        "before": risk_entry(told.before),
        "after": risk_entry(told.after),
        "files": list(files),
    }


def _print(
    result: Coarsened,
    columns: tuple[LevelledColumn, ...],
    told: BeforeAfter,
    facts: dict[str, Any],
) -> None:
    print(_NOT_PRIVATE)
    before, after, loss = told.before, told.after, told.loss
    rows: list[tuple[str, str, str]] = [
        ("records", f"{before.rows:,}", f"{after.rows:,}"),
        ("smallest class (k)", f"{before.k:,}", f"{after.k:,}"),
        ("classes", f"{before.classes or 0:,}", f"{after.classes or 0:,}"),
        ("the only one of their kind", f"{before.unique_rows:,}", f"{after.unique_rows:,}"),
        (f"in classes below {before.threshold}", f"{before.rows_below:,}", f"{after.rows_below:,}"),
        (
            "chance of a right guess, highest",
            f"{100 * before.prosecutor_highest:.2f} %",
            f"{100 * after.prosecutor_highest:.2f} %",
        ),
        (
            "chance of a right guess, average",
            f"{100 * before.prosecutor_average:.2f} %",
            f"{100 * after.prosecutor_average:.2f} %",
        ),
    ]
    for one, other in zip(before.sensitive, after.sensitive, strict=True):
        name = plain(one.column)
        rows += [
            (f"{name}: distinct l", f"{one.l_distinct}", f"{other.l_distinct}"),
            (f"{name}: entropy l", f"{one.l_entropy:.3f}", f"{other.l_entropy:.3f}"),
            (f"{name}: t", f"{one.t_closeness:.4f}", f"{other.t_closeness:.4f}"),
        ]
    print()
    print_rows([("", "before", "after"), *rows])
    print("\nColumns")
    levels = result.levels or (None,) * len(columns)
    print_rows(
        [
            (
                plain(column.name),
                "" if level is None else f"level {level} of {before.height}",
                _example(column.labels)
                + ("; levels follow from the records" if before.hierarchy.from_data else ""),
            )
            for column, before, level in zip(result.columns, columns, levels, strict=True)
        ]
    )
    print("\nWhat is lost")
    share = 100 * loss.suppressed / before.rows
    most = result.requirement.suppressed_most
    lost = [("records left out", f"{loss.suppressed:,} ({share:.1f} %), of {most:,} that may be")]
    if "cells_blanked" in facts:
        told_of = f"{facts['cells_blanked']:,} (at least {facts['cells_at_least']:,} are needed)"
        lost.append(("cells blanked", told_of))
    lost += [
        ("bits of the columns", f"{100 * loss.entropy:.1f} %"),
        ("average class size over k", f"{loss.average_class:.2f}"),
        ("discernibility", f"{loss.discernibility:,.0f}"),
    ]
    if loss.precision is not None:
        lost.append(("precision", f"{loss.precision:.3f} (1 is as it was)"))
    for names, error in told.tables:
        table = plain(" by ".join(names))
        lost.append((f"table of {table}", f"{100 * error:.2f} % of records in another cell"))
    print_rows([(head, text, "") for head, text in lost])
    if "combinations" in facts:
        print(
            f"\nOf {facts['combinations']:,} combinations of levels "
            f"{facts['combinations_looked_at']:,} were looked at; no other has a smaller "
            f"loss ({facts['loss']})."
        )


def _example(labels: tuple[str, ...]) -> str:
    shown = [plain(label) for label in labels[:3] if label]
    return ", ".join(shown) + (" …" if len(labels) > len(shown) else "")
