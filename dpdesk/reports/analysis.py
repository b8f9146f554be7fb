"""Scripts that analyse a release of records without dpdesk: `analysis.py` and `analysis.R`.

Each is a program of its own for whoever has only the folder: it reads `records.csv` beside it and
prints unbiased shares and means with standard errors, a cross-table and means by group. The numbers
that this takes are the scores of the certified laws (`ScoreRule`), written into the script. They
follow from the plan, which is public: no answer is in them, and no report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from dpdesk.channel.dense import DENSE_MAX
from dpdesk.data.reading import Reading
from dpdesk.data.write_csv import neutralise
from dpdesk.domains import ListedDomain, NumericDomain, parse_number
from dpdesk.estimation.released import Released, ReleasedAttribute
from dpdesk.mechanisms.score_rule import ScoreRule
from dpdesk.numbers.calendar import date_unit
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan, public_plan, released_names, sampled_attribute_name
from dpdesk.reports.texts import T
from dpdesk.resources import resource

Value = str | tuple[str, ...] | tuple[float, ...] | Mapping[str, "Value"]

MOST_CATEGORIES, MOST_NUMBERS = 2_000, 40_000
"""Of a question with more categories, or more numbers in its rule, the scripts hold no scores."""
_MOST_CELLS = 400
"""Cells of the cross-table that is shown as an example."""
_WIDTH = 96
_BYTES_OF_SCRIPTS, _BYTES_OF_COLUMN, _BYTES_OF_CATEGORY, _BYTES_OF_NUMBER = 1 << 20, 4096, 6144, 256
_TIMES_WRITTEN = 40
"""How often a text is written in all scripts, with what is put in place of letters."""

PYTHON_NAME, R_NAME = "analysis.py", "analysis.R"

_ELSEWHERE = (
    "Intervals, regressions, tests of independence, strata and clusters: dpdesk estimate FOLDER "
    '--cross A,B or --formula "Y ~ A + B". Shares near 0 lie unevenly in their intervals.'
)
_NO_MEAN = (
    "these scripts have no mean of categories, nor of dates that were released as they are. dpdesk "
    "estimate FOLDER --mean NAME --by NAME has those of dates."
)
_INTERVALS = "Shares of intervals of numbers are in estimates.csv; these scripts give means."
_APART = {
    "smp": "Each respondent reports one question alone: no record tells what the answers to two "
    "questions that were changed at random have in common. Take one of them beside columns that "
    "were released as they are.",
    "rsfd": "At most one report of a record is real: none tells what the answers to two questions "
    "that were changed at random have in common. Take one of them beside columns that were "
    "released as they are.",
}
_APART["rsrfd"] = _APART["rsfd"]


@dataclass(frozen=True, slots=True)
class Question:
    """One attribute, as the scripts know it.

    Attributes:
        name: Name of the column.
        is_protected: Whether its answers were changed at random.
        are_numbers: Whether it has numbers, else categories.
        cells: Number of its categories that the plan knows.
        values: What the scripts are told, by name.
    """

    name: str
    is_protected: bool
    are_numbers: bool
    cells: int
    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Facts:
    """What the scripts of a release are written from.

    Attributes:
        questions: The attributes that they can analyse, in the plan's order.
        weight: Name of the column of weights; empty without one.
        sampled: Name of the column that names what a respondent reports; empty without one.
        decimal: Decimal mark of numbers that were released as they are.
        apart: Why protected questions cannot be looked at together; empty where they can.
        cross: Two questions to begin with; empty where there are none.
        mean: A number and a question whose groups to show its means in; empty alike.
        notes: Sentences on what else there is, and what cannot be had.
    """

    questions: tuple[Question, ...]
    weight: str
    sampled: str
    decimal: str
    apart: str
    cross: tuple[str, ...]
    mean: tuple[str, ...]
    notes: tuple[str, ...]

    def values(self) -> dict[str, Value]:
        """Returns everything but the examples as plain values."""
        return {
            "decimal": self.decimal,
            "weight": neutralise(self.weight),
            "sampled": self.sampled,
            "apart": self.apart,
            "no_mean": _NO_MEAN,
            "notes": self.notes,
            "cells": {one.name: neutralise(one.name) for one in self.questions},
            "questions": {one.name: one.values for one in self.questions},
        }


def facts_of(released: Released) -> Facts:
    """Returns what the scripts of a release are written from; nothing of it is private."""
    plan = public_plan(released.plan)
    of = {attribute.column.name: attribute for attribute in released.attributes}
    answered = {name for name, one in of.items() if one.missing_category is not None}
    questions, notes = [], []
    for column in plan.columns:
        if column.role == "keep" and column.kind != "weight":
            questions.append(_kept(column, plan.reading or Reading()))
        elif column.role == "protect":
            attribute = of[column.name]
            rule = attribute.bound.score_rule()
            if why := _too_large(attribute, rule):
                notes.append(why)
            else:
                questions.append(_protected(attribute, rule))
    apart = _APART.get(plan.strategy, "") if len(plan.protected) > 1 else ""
    weight = "" if plan.weight_column is None else plan.weight_column.name
    if weight:
        notes.append(T.SCRIPT_WEIGHTED(name=weight))
    for one in questions:
        if one.is_protected and one.name in answered and not one.values["missing_place"]:
            notes.append(T.SCRIPT_AMONG(name=one.name))
    if any(row.estimate.intervals is not None for row in released.attributes):
        notes.append(_INTERVALS)
    sampled = sampled_attribute_name(plan) or ""
    return Facts(
        tuple(questions),
        weight,
        sampled,
        (plan.reading or Reading()).decimal,
        apart,
        next(_pairs(questions, apart), ()),
        next(_means(questions, apart), ()),
        tuple(filter(None, (*notes, apart, plan.statistics.unit.interval_note, _ELSEWHERE))),
    )


def bytes_of_scripts(plan: Plan) -> int:
    """Returns an upper bound on the size of all scripts together."""
    size = _BYTES_OF_SCRIPTS + _BYTES_OF_COLUMN * len(plan.columns)
    for column in plan.protected:
        domain = column.effective_domain
        if domain is None or column.mechanism is None:
            continue
        if not isinstance(domain, ListedDomain):
            size += _BYTES_OF_NUMBER * min(domain.size, DENSE_MAX)
        elif domain.size <= MOST_CATEGORIES:
            texts = sum(len(text.encode()) for text in domain.texts)
            labels = sum(len(text.encode()) for text in domain.labels.values())
            size += _BYTES_OF_CATEGORY * domain.size + _TIMES_WRITTEN * (texts + labels)
            # A matrix names each report in each row; filters have as many numbers as may be.
            is_large = column.mechanism.form == "integers"
            cells = MOST_NUMBERS if is_large else min(2 * domain.size**2, MOST_NUMBERS)
            size += _BYTES_OF_NUMBER * cells
    return size


def _too_large(attribute: ReleasedAttribute, rule: ScoreRule) -> str:
    """Why the scripts leave an attribute out, as a sentence; empty where they do not."""
    domain, name = attribute.bound.domain, attribute.column.name
    if not domain.holds_numbers and domain.size > MOST_CATEGORIES:
        return T.TOO_MANY_CATEGORIES(name=name, count=domain.size)
    if (numbers := sum(map(len, rule.numbers.values()))) > MOST_NUMBERS:
        return T.TOO_MANY_NUMBERS(name=name, count=numbers)
    return ""


def _protected(attribute: ReleasedAttribute, rule: ScoreRule) -> Question:
    column, domain = attribute.column, attribute.bound.domain
    is_blank = column.missing.treatment.stays_blank
    values: dict[str, Value] = {
        "rule": rule.name,
        "columns": tuple(map(neutralise, released_names(column))),
        "texts": (),
        "labels": (),
        "blank": ("yes",) if is_blank else (),
        "reports": tuple(map(neutralise, rule.texts)) if rule.name != "number" else rule.texts,
    }
    if isinstance(domain, ListedDomain):
        values["texts"] = tuple(map(neutralise, domain.texts))
        values["labels"] = tuple(domain.label(place) for place in range(domain.size))
    if rule.name == "number":
        values["unit"] = (domain.unit,) if domain.unit else ()
        calendar = date_unit(domain.unit)
        values["dates"] = () if calendar is None else (calendar.name,)
    missing = attribute.missing_category
    if missing is not None:
        of_answered = attribute.bound.answered_rule(missing)
        values["missing_place"] = (float(missing),) if of_answered else ()
        values |= of_answered
    usual = _OF_NUMBERS if rule.name == "number" else _OF_SHARES
    return Question(
        column.name,
        is_protected=True,
        are_numbers=rule.name == "number",
        cells=domain.size + is_blank,
        values={**usual, **values, **rule.numbers},
    )


_OF_SHARES: dict[str, tuple[float, ...]] = {"factor": (1.0,), "squares": (), "missing_place": ()}
"""What a rule of shares says where it says nothing else."""
_OF_NUMBERS: dict[str, tuple[float, ...]] = {
    "answered": (1.0,),
    "answered_if_none": (0.0,),
    "scale": (1.0,),
    "shift": (0.0,),
    "shift_if_none": (0.0,),
    "least_answered": (0.0,),
    "binomial": (0.0,),
}
"""The same of a rule of numbers."""


def _kept(column: ColumnPlan, reading: Reading) -> Question:
    """A column that was released as it is; what it holds beside its domain is seen in the file."""
    domain, policy = column.domain, column.missing
    listed = domain if isinstance(domain, ListedDomain) and domain.picks_one else None
    grid = domain if isinstance(domain, NumericDomain) else None
    are_numbers = column.kept_as_numbers and (grid is None or grid.in_digits)
    pattern, grouping = ("", "") if grid is None else grid.cell_pattern
    kept = () if domain is None else domain.never_missing
    tokens = [t for t in dict.fromkeys((*policy.tokens, *reading.missing)) if t not in kept]
    ranges: list[tuple[float, float]] = [
        (
            -1e300 if one.lower is None else float(one.lower),
            1e300 if one.upper is None else float(one.upper),
        )
        for one in policy.ranges
    ]
    if domain is not None and domain.holds_numbers:
        # A code is a number here: -9 is -9.0, too.
        for token in tokens:
            numbers = (parse_number(token, decimal) for decimal in (reading.decimal, "."))
            ranges += [(code, code) for code in numbers if code is not None][:1]
    values: dict[str, Value] = {
        "rule": "kept number" if are_numbers else "kept",
        "columns": (neutralise(column.name),),
        "texts": () if listed is None else tuple(map(neutralise, listed.texts)),
        "labels": () if listed is None else tuple(map(listed.label, range(listed.size))),
        "missing": tuple(map(neutralise, tokens)),
        "missing_from": tuple(lower for lower, _ in ranges),
        "missing_to": tuple(upper for _, upper in ranges),
        "pattern": (pattern,) if pattern else (),
        "grouping": (grouping,) if grouping else (),
        "unit": () if grid is None or not grid.unit else (grid.unit,),
        "dates": (),
        "origin": (0.0,),
    }
    return Question(
        column.name,
        is_protected=False,
        are_numbers=are_numbers,
        cells=0 if listed is None else listed.size,
        values=values,
    )


def _pairs(questions: Sequence[Question], apart: str) -> Iterator[tuple[str, ...]]:
    """Yields two questions of few cells each, protected ones first."""
    listed = [one for one in questions if not one.are_numbers and one.cells >= 2]
    for first, second in sorted(
        combinations(listed, 2), key=lambda two: -sum(one.is_protected for one in two)
    ):
        is_told = not (apart and first.is_protected and second.is_protected)
        if first.cells * second.cells <= _MOST_CELLS and is_told:
            yield first.name, second.name


def _means(questions: Sequence[Question], apart: str) -> Iterator[tuple[str, ...]]:
    """Yields a number and a question of few categories, protected ones first."""
    numbers = [one for one in questions if one.are_numbers]
    groups = [one for one in questions if not one.are_numbers and 2 <= one.cells <= _MOST_CELLS]
    for number, group in sorted(
        product(numbers, groups), key=lambda two: -sum(one.is_protected for one in two)
    ):
        if not (apart and number.is_protected and group.is_protected):
            yield number.name, group.name


def literal(value: Value, language: _Python | _R, indent: int = 0) -> str:
    """Returns a value as a program writes it."""
    if isinstance(value, str):
        return language.text(value)
    if isinstance(value, Mapping):
        inner = [(key, literal(one, language, indent + 4)) for key, one in value.items()]
        return language.named(inner, indent)
    cells = [language.text(one) if isinstance(one, str) else repr(one) for one in value]
    return language.many(cells)


def _lines(cells: Sequence[str]) -> str:
    """Joins literals in lines of some width; none is broken."""
    lines = [""]
    for place, cell in enumerate(cells):
        told = cell + ", " * (place < len(cells) - 1)
        if lines[-1] and len(lines[-1]) + len(told) > _WIDTH:
            lines.append("")
        lines[-1] += told
    if len(lines) == 1:
        return lines[0]
    return "\n" + "\n".join(line.rstrip() for line in lines) + "\n"


class _Python:
    def text(self, text: str) -> str:
        return ascii(text)

    def many(self, cells: Sequence[str]) -> str:
        return f"[{_lines(cells)}]"

    def named(self, values: Sequence[tuple[str, str]], indent: int) -> str:
        inner = "".join(f"{' ' * indent}    {key!a}: {one},\n" for key, one in values)
        return "{\n" + inner + " " * indent + "}"


class _R:
    def text(self, text: str) -> str:
        return '"' + "".join(map(self._sign, text)) + '"'

    def _sign(self, sign: str) -> str:
        if sign in '"\\':
            return f"\\{sign}"
        if " " <= sign <= "~":
            return sign
        # R has no way to write the sign of number 0.
        return f"\\U{ord(sign):08x}" if sign != "\0" else "\\ufffd"

    def many(self, cells: Sequence[str]) -> str:
        # R has a longest line for its parser only where it reads from a terminal.
        return f"c({_lines(cells)})"

    def named(self, values: Sequence[tuple[str, str]], indent: int) -> str:
        inner = ",\n".join(f"{' ' * indent}    {self.text(key)} = {one}" for key, one in values)
        return "list(\n" + inner + "\n" + " " * indent + ")"


def python_script(facts: Facts) -> str:
    """Returns `analysis.py`."""
    return _script(facts, "analysis.py", _Python(), " = ", ("{}", "[]"))


def r_script(facts: Facts) -> str:
    """Returns `analysis.R`."""
    return _script(facts, "analysis.R", _R(), " <- ", ("list()", "c()"))


def _script(
    facts: Facts, name: str, language: _Python | _R, is_: str, nothing: tuple[str, str]
) -> str:
    """Returns a script whose empty values are filled in.

    Args:
        facts: What it is written from.
        name: Its file.
        language: How it writes values.
        is_: What stands between a name and its value.
        nothing: How it writes no values by name, and no values.
    """
    number, by = facts.mean or ("", "")
    return _filled(
        resource(f"analysis/{name}").read_text(encoding="utf-8"),
        (f"RELEASE{is_}{nothing[0]}", f"RELEASE{is_}{literal(facts.values(), language)}"),
        (f"CROSS{is_}{nothing[1]}", f"CROSS{is_}{literal(facts.cross, language)}"),
        (f'MEAN{is_}""', f"MEAN{is_}{language.text(number)}"),
        (f'BY{is_}""', f"BY{is_}{language.text(by)}"),
    )


def _filled(script: str, *changes: tuple[str, str]) -> str:
    """Replaces some lines of a script, each of which is there once."""
    lines = script.split("\n")
    for line, value in changes:
        lines[lines.index(line)] = value
    return "\n".join(lines)
