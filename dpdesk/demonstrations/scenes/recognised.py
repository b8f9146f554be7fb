"""Scenes of people who are recognised in records without names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field

from dpdesk.attacks.homogeneity import AnswersByClass, Homogeneity, right_after_response
from dpdesk.attacks.linkage import Linkage
from dpdesk.attacks.target import Target
from dpdesk.data.sample import load_sample
from dpdesk.data.table import TextColumn
from dpdesk.demonstrations.picture import Axis, Bar, Bars, People, Role, Table
from dpdesk.demonstrations.records import answers_given
from dpdesk.demonstrations.scene import (
    EpsilonNumber,
    Given,
    Inputs,
    Number,
    SceneKind,
    Shown,
    belief_number,
    counted,
    fresh_seed,
)
from dpdesk.demonstrations.texts import T
from dpdesk.disclosure.classes import Classes, CodedColumn
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import ParameterError
from dpdesk.numbers.digits import share_text

_KNOWN = {
    "age": "age",
    "yrs_married": "years married",
    "children": "children",
    "religious": "religiousness",
    "educ": "education",
    "occupation": "occupation",
    "occupation_husb": "husband's occupation",
}
_WANTED = "rate_marriage"
_LABELS = {**_KNOWN, _WANTED: "the rating of the marriage"}
_PERCENT = "%"
_LEAST_COLUMNS = 2
_MOST_DOTS = 400


@dataclass(frozen=True, eq=False)
class Looked:
    """What outsiders look at.

    Attributes:
        target: The records.
        known: The columns that they know of a person.
        wanted: The one that they want to learn.
        labels: What columns are called, where their names are no words.
    """

    target: Target
    known: tuple[CodedColumn, ...]
    wanted: CodedColumn

    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Number of records."""
        return self.target.table.rows

    def label(self, name: str) -> str:
        """Returns what a column is called in front of people."""
        return self.labels.get(name, name)


@lru_cache(maxsize=4)
def _sample() -> Looked:
    target = Target(load_sample())
    return Looked(target, target.columns(tuple(_KNOWN)), target.columns((_WANTED,))[0], _LABELS)


def looked_at(given: Given) -> Looked:
    """Returns the bundled survey, or the presenter's records.

    Of own records the first of the columns that are named is the one to be learnt; without names
    columns are suggested. Only counts and names of columns are shown.

    Raises:
        ParameterError: A column is missing, or fewer than two are known of a person.
    """
    if given.inputs.table is None:
        return _sample()
    target, names = Target(given.inputs.table), given.inputs.columns
    if not names:
        wanted = target.secret("")
        known = tuple(one for one in target.known(()) if one.name != wanted.name)
    else:
        wanted, known = target.secret(names[0]), target.columns(names[1:])
    if len(known) < _LEAST_COLUMNS:
        raise ParameterError(T.FEW_COLUMNS())
    return Looked(target, known, wanted)


def _known_columns(inputs: Inputs) -> int:
    """How many columns outsiders know; the file is read only where they are suggested."""
    return len(inputs.columns) - 1 if inputs.columns else len(looked_at(Given(inputs)).known)


class OfRecords(SceneKind):
    """A scene of records: the bundled survey, or the presenter's file."""

    asked_columns: ClassVar[tuple[str, ...]] = (
        "what outsiders want to learn",
        "what they know of a person …",
    )

    def prepare(self, given: Given, tracker: Tracker) -> None:
        tracker.tick()
        looked_at(given)


class Unique(OfRecords):
    """How many records are alone, as columns are added."""

    shows: ClassVar[str] = "how many records are the only ones of their kind, as columns are added"
    numbers: ClassVar[Mapping[str, str]] = {
        "rows": "number of records",
        "known": "number of columns that are known of a person",
        "unique": "number of records that are alone",
        "share": "the same, in per cent",
        "smallest": "number of records of the smallest group",
    }
    words: ClassVar[Mapping[str, str]] = {"columns": "the columns that are known"}

    kind: Literal["unique"] = "unique"
    known: Annotated[int, Field(ge=1, le=50, description="number of columns that are known")]

    def fits(self, inputs: Inputs) -> bool:
        return self.known <= _known_columns(inputs)

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        looked = looked_at(given)
        number = min(self.known, len(looked.known))
        shares = [
            Classes(looked.known[:count], looked.rows).unique_rows / looked.rows
            for count in range(1, number + 1)
        ]
        classes = Classes(looked.known[:number], looked.rows)
        numbers = {
            "rows": Number(looked.rows, 0),
            "known": Number(number, 0),
            "unique": Number(classes.unique_rows, 0),
            "share": Number(100 * classes.unique_rows / looked.rows),
            "smallest": Number(classes.k, 0),
        }
        bars = tuple(
            Bar(
                f"{'+ ' if place else ''}{looked.label(column.name)}",
                100 * share,
                share_text(share),
                _role_of(place, number),
            )
            for place, (column, share) in enumerate(zip(looked.known[:number], shares, strict=True))
        )
        axis = Axis("Records that are alone", 0, 100, _PERCENT)
        caption = "Each bar adds a column to what is known of a person."
        names = ", ".join(looked.label(column.name) for column in looked.known[:number])
        return Shown((Bars(bars, axis, caption),), numbers, {"columns": names})


def _role_of(place: int, number: int) -> Role:
    return "now" if place == number - 1 else "other"


class FoundByName(OfRecords):
    """A list with names, linked with the records."""

    shows: ClassVar[str] = "how many people of a list with names are found among the records"
    numbers: ClassVar[Mapping[str, str]] = {
        "rows": "number of records",
        "entries": "number of people in the list",
        "listed": "which part of the people the list names, in per cent",
        "known": "number of columns that list and records have in common",
        "matched": "number of people in the list who agree with just one record",
        "found": "number of people who are found",
        "share": "the same, in per cent of the list",
        "guess": "chance that a record drawn at random is the right one, in per cent",
        "without": "share that is found if the best column is left out, in per cent",
        "protected": "share that is found if that column is protected, in per cent",
        "epsilon": "the epsilon of that protection",
    }
    words: ClassVar[Mapping[str, str]] = {"column": "the column that is best left out"}
    draws: ClassVar[bool] = True

    kind: Literal["found_by_name"] = "found_by_name"
    known: Annotated[int, Field(ge=2, le=50, description="number of columns in common")]
    listed: Annotated[float, Field(gt=0, le=1, description="share of the people in the list")] = 0.2
    epsilon: Annotated[float, Field(gt=0, le=20, description="of a column that is protected")] = 1.0
    remedies: Annotated[bool, Field(description="whether the remedies are drawn")] = False

    def fits(self, inputs: Inputs) -> bool:
        return self.known <= _known_columns(inputs)

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        looked = looked_at(given)
        names = tuple(column.name for column in looked.known[: self.known])
        attack = Linkage(
            columns=names, share=self.listed, epsilon=self.epsilon, seed=fresh_seed() >> 33
        )
        found = attack.run(looked.target)
        left_out, protected = (remedy.success or 0.0 for remedy in found.remedies[:2])
        numbers = {
            "rows": Number(looked.rows, 0),
            "entries": Number(found.figures["entries"], 0),
            "listed": Number(100 * self.listed),
            "known": Number(len(names), 0),
            "matched": Number(found.figures["unique_matches"], 0),
            "found": Number(found.figures["found"], 0),
            "share": Number(100 * found.success),
            "guess": Number(100 * found.baseline),
            "without": Number(100 * left_out),
            "protected": Number(100 * protected),
            "epsilon": EpsilonNumber(self.epsilon),
        }
        _, values = found.remedies[0].words
        column = looked.label(str(values["column"]))
        bars = [Bar("found by name", 100 * found.success, share_text(found.success), "now")]
        if self.remedies:
            name = T.COLUMN_PROTECTED(column=column)
            without = T.WITHOUT_COLUMN(column=column)
            bars.append(Bar(without, 100 * left_out, share_text(left_out), "other"))
            bars.append(Bar(name, 100 * protected, share_text(protected), "other"))
        bars.append(Bar("by chance", 100 * found.baseline, share_text(found.baseline), "other"))
        axis = Axis("People of the list who are found", 0, 100, _PERCENT)
        caption = T.IN_COMMON(columns=[looked.label(name) for name in names])
        entries = round(found.figures["entries"])
        dots = min(entries, _MOST_DOTS)
        full = round(found.success * dots)
        people = counted(entries, "person", "people")
        below = T.LIST_OF(people=people)
        if dots < entries:
            below = T.LIST_IN_DOTS(people=people, dots=dots)
        crowd = People(tuple(place < full for place in range(dots)), below)
        return Shown((crowd, Bars(tuple(bars), axis, caption)), numbers, {"column": column})


class SmallTable(SceneKind):
    """Sweeney's published table, and what follows from it."""

    shows: ClassVar[str] = "a published table of a few records, and whose answer follows from it"
    numbers: ClassVar[Mapping[str, str]] = {
        "rows": "number of records",
        "smallest": "number of records of the smallest group",
        "groups": "number of groups of equal records",
        "certain": "number of people whose answer follows",
        "more": "how many of these only by what is known besides",
    }
    words: ClassVar[Mapping[str, str]] = {"excluded": "the answer that is known to be wrong"}

    kind: Literal["small_table"] = "small_table"
    marks: Annotated[bool, Field(description="whether the answers that follow are marked")] = False
    excluded: Annotated[str, Field(description="an answer that is known not to be given")] = ""

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        table = _sweeney().table
        *names, wanted = table.names
        target = _sweeney()
        known, secret = target.columns(tuple(names)), target.columns((wanted,))[0]
        classes = Classes(known, table.rows)
        answers = AnswersByClass(classes, secret)
        texts = table.column(wanted)
        ruled_out = -1
        if self.excluded:
            ruled_out = int(secret.codes[_row_of(texts, self.excluded)])
        plain = answers.people_disclosed()
        disclosed = answers.people_disclosed(ruled_out)
        # Of a group in which an answer is ruled out those who gave it are not disclosed.
        follows = (disclosed[classes.of_row] > 0) & (secret.codes != ruled_out)
        already = (plain[classes.of_row] > 0) & (secret.codes != ruled_out)
        numbers = {
            "rows": Number(table.rows, 0),
            "smallest": Number(classes.k, 0),
            "groups": Number(classes.count, 0),
            "certain": Number(int(follows.sum()), 0),
            "more": Number(int((follows & ~already).sum()), 0),
        }
        columns = [table.column(name) for name in table.names]
        rows = tuple(
            tuple(column.distinct[column.codes[row]] for column in columns)
            for row in range(table.rows)
        )
        shown = np.flatnonzero(follows).tolist() if self.marks else []
        marked = frozenset((row, len(columns) - 1) for row in shown)
        caption = "A published table (Sweeney 2002): no names, and nobody alone."
        picture = Table(tuple(table.names), rows, caption, marked)
        return Shown((picture,), numbers, {"excluded": self.excluded})


@lru_cache(maxsize=1)
def _sweeney() -> Target:
    return Homogeneity.example()


def _row_of(column: TextColumn, answer: str) -> int:
    """A record that gives an answer."""
    if answer not in column.distinct:
        raise ParameterError(T.NO_SUCH_ANSWER(answer=answer))
    return int(np.flatnonzero(column.codes == column.distinct.index(answer))[0])


class AnswersFollow(OfRecords):
    """Whose answer follows from the group, although small groups were taken out."""

    shows: ClassVar[str] = "whose answer follows from a group of equal records, by size of groups"
    numbers: ClassVar[Mapping[str, str]] = {
        "least": "fewest records of a group that is kept",
        "rows": "number of records",
        "kept": "number of records that are kept",
        "lost": "records taken out, in per cent",
        "certain": "number of people whose answer follows with certainty",
        "share": "the same, in per cent of the kept ones",
        "majority": "how often naming the main answer of the group is right, in per cent of those "
        "who answered",
        "guess": "how often naming the most frequent answer for everybody is right, alike",
    }
    words: ClassVar[Mapping[str, str]] = {"column": "the column that follows"}

    kind: Literal["answers_follow"] = "answers_follow"
    least: Annotated[int, Field(ge=1, le=1000, description="fewest records of a group")]
    known: Annotated[int, Field(ge=1, le=50, description="number of columns that are known")] = 5

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        looked = looked_at(given)
        known = looked.known[: self.known]
        keep = Classes(known, looked.rows).frequency >= self.least
        kept = int(np.count_nonzero(keep))

        def part(column: CodedColumn) -> CodedColumn:
            return CodedColumn(column.name, column.codes[keep], column.levels, column.missing)

        secret = part(looked.wanted)
        answers = AnswersByClass(Classes([part(one) for one in known], kept), secret)
        disclosed = answers.people_disclosed()
        # Of a group in which nobody answered no answer follows.
        certain = int(disclosed[answers.main != secret.missing].sum())
        given_to = answers_given(secret)
        answered = int(given_to.sum())
        of_groups = answers.counts * (answers.answers != secret.missing)
        right = np.zeros(len(disclosed), dtype=np.int64)
        np.maximum.at(right, answers.pairs, of_groups)
        # Where nobody is left, nobody can be guessed.
        majority = int(right.sum()) / answered if answered else 0.0
        guess = int(given_to.max()) / answered if answered else 0.0
        follows = certain / kept if kept else 0.0
        numbers = {
            "least": Number(self.least, 0),
            "rows": Number(looked.rows, 0),
            "kept": Number(kept, 0),
            "lost": Number(100 * (1 - kept / looked.rows)),
            "certain": Number(certain, 0),
            "share": Number(100 * follows),
            "majority": Number(100 * majority),
            "guess": Number(100 * guess),
        }
        lost = 1 - kept / looked.rows
        told: tuple[tuple[str, float, Role], ...] = (
            ("records taken out", lost, "other"),
            ("answer follows", follows, "now"),
            ("guessed right by group", majority, "other"),
            ("guessed right without", guess, "other"),
        )
        bars = tuple(Bar(name, 100 * share, share_text(share), role) for name, share, role in told)
        axis = Axis("Records", 0, 100, _PERCENT)
        wanted = looked.label(looked.wanted.name)
        caption = T.GROUPS_OF(least=self.least, column=wanted)
        return Shown((Bars(bars, axis, caption),), numbers, {"column": wanted})


class AnswerProtected(OfRecords):
    """How often the best guess is right if the answer itself is protected."""

    shows: ClassVar[str] = "how often the best guess of a person's answer is right, if protected"
    numbers: ClassVar[Mapping[str, str]] = {
        "epsilon": "epsilon of the answer",
        "open": "how often it is right where the record shows the answer, in per cent",
        "right": "how often it is right from the report and the shares of all, in per cent",
        "guess": "how often naming the most frequent answer is right, in per cent",
    }
    words: ClassVar[Mapping[str, str]] = {"column": "the column that is protected"}

    kind: Literal["answer_protected"] = "answer_protected"
    epsilon: Annotated[float, Field(gt=0, le=20, description="epsilon of the answer")]

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        looked = looked_at(given)
        counts = answers_given(looked.wanted)
        shares = counts[counts > 0] / counts.sum()
        guess = float(shares.max())
        right = right_after_response(shares, self.epsilon)
        numbers = {
            "epsilon": EpsilonNumber(self.epsilon),
            "open": Number(100, 0),
            "right": belief_number(100 * right),
            "guess": belief_number(100 * guess),
        }
        bars = [
            Bar("answer in the open", 100, "100 %", "other"),
            Bar(T.PROTECTED(epsilon=f"{self.epsilon:g}"), 100 * right, share_text(right), "now"),
        ]
        if before is not None:
            former = right_after_response(shares, before.epsilon)
            name = T.FORMERLY_EPSILON(epsilon=f"{before.epsilon:g}")
            bars.append(Bar(name, 100 * former, share_text(former), "before"))
        bars.append(Bar("without the record", 100 * guess, share_text(guess), "other"))
        axis = Axis("Best guess is right", 0, 100, _PERCENT)
        wanted = looked.label(looked.wanted.name)
        caption = T.GUESSING(column=wanted)
        return Shown((Bars(tuple(bars), axis, caption),), numbers, {"column": wanted})
