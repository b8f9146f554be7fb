"""Homogeneity and background knowledge: answers that follow although nobody is unique."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import exp
from typing import Annotated, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from dpdesk.attacks.base import SeededAttack
from dpdesk.attacks.findings import (
    Findings,
    Phrase,
    Picture,
    Remedy,
    Series,
    Severity,
    names_text,
    said,
)
from dpdesk.attacks.linkage import randomized
from dpdesk.attacks.parameters import Epsilon, IfEmpty, Known, Wanted
from dpdesk.attacks.target import Target
from dpdesk.attacks.texts import T
from dpdesk.data.read_file import load_declared
from dpdesk.data.reading import Reading
from dpdesk.disclosure.classes import Classes, CodedColumn
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Counts, Flags
from dpdesk.numbers.digits import share_text
from dpdesk.resources import resource

_MANY = 0.01
_COLUMNS_MOST = 4
_CELLS_MOST = 4_000_000
"""Above so many pairs of a class and an answer no shares are estimated."""


class AnswersByClass:
    """How often each answer occurs in each class of equal records.

    A missing cell is no answer: nobody's answer follows from it, and no guess names it. But who may
    be the one with the missing cell has no answer that is certain.

    Args:
        classes: The classes.
        answers: The column whose answers are counted.
    """

    def __init__(self, classes: Classes, answers: CodedColumn) -> None:
        self._classes, self._levels = classes, answers.levels
        self._missing = answers.missing
        self._keys = classes.of_row * answers.levels + answers.codes

    @cached_property
    def table(self) -> Counts:
        """The counts of all answers, shape (classes, levels)."""
        shape = self._classes.count, self._levels
        counts = np.bincount(self._keys, minlength=shape[0] * shape[1])
        return counts.astype(np.int64, copy=False).reshape(shape)

    @cached_property
    def _occurring(self) -> tuple[Counts, Counts]:
        return np.unique(self._keys, return_counts=True)

    @property
    def pairs(self) -> Counts:
        """Class of each pair of a class and an answer that occur together; shape (pairs,)."""
        return np.asarray(self._occurring[0] // self._levels)

    @property
    def answers(self) -> Counts:
        """Answer of each pair."""
        return np.asarray(self._occurring[0] % self._levels)

    @property
    def counts(self) -> Counts:
        """Number of records of each pair."""
        return self._occurring[1]

    @property
    def is_answer(self) -> Flags:
        """Whether each pair is of an answer, and not of missing cells; shape (pairs,)."""
        return np.asarray(self.answers != self._missing)

    @property
    def main(self) -> Counts:
        """The most frequent answer of each class, the last of several; shape (classes,)."""
        # The last of the pairs of a class, sorted by their number of records, is its main answer.
        order = np.lexsort((self.counts, self.pairs))
        main = np.empty(self._classes.count, dtype=np.int64)
        main[self.pairs[order]] = self.answers[order]
        return main

    def people_disclosed(self, excluded: int = -1) -> Counts:
        """Returns how many people of each class have an answer that follows; shape (classes,).

        Without an excluded answer these are all people of a class with one answer. With one, the
        attacker knows that the person did not give it, so that one of two answers is left.

        Args:
            excluded: The answer that the attacker can rule out; -1 for none.
        """
        left = self.answers != excluded
        number = np.bincount(self.pairs[left], minlength=self._classes.count)
        remaining = np.bincount(
            self.pairs[left], weights=self.counts[left], minlength=self._classes.count
        ).astype(np.int64)
        blank = left & ~self.is_answer
        none = np.bincount(self.pairs[blank], minlength=self._classes.count) > 0
        return np.asarray(np.where((number == 1) & ~none, remaining, 0))

    def right_by_majority(self) -> int:
        """Returns how many people a guess is right for that names their class's main answer."""
        most = np.zeros(self._classes.count, dtype=np.int64)
        np.maximum.at(most, self.pairs[self.is_answer], self.counts[self.is_answer])
        return int(most.sum())


def right_by_reports(classes: Classes, reports: CodedColumn, truth: CodedColumn) -> int:
    """Returns how many people the main report of their class is right for.

    Args:
        classes: The classes.
        reports: The randomized answers.
        truth: The true ones, in the same codes.
    """
    main = AnswersByClass(classes, reports).main
    return int(np.count_nonzero(main[classes.of_row] == truth.codes))


def right_after_response(shares: NDArray[np.float64], epsilon: float) -> float:
    """Returns how often the best guess is right if each answer is randomized by GRR, exactly.

    Args:
        shares: Shares of the answers, which the attacker knows; shape (k,).
        epsilon: The loss of each answer.
    """
    lie = 1 / (exp(epsilon) + len(shares) - 1)
    joint = shares[:, None] * np.where(np.eye(len(shares), dtype=np.bool_), exp(epsilon) * lie, lie)
    return float(joint.max(axis=0).sum())


def right_by_shares(
    classes: Classes, reports: CodedColumn, truth: CodedColumn, epsilon: float
) -> float:
    """Returns how often Bayes' rule is right by a class's estimated shares and the own report.

    The shares of a class are those of its reports, corrected for GRR, with those of all records
    added as if two more records had reported them, so that small classes do not follow noise.

    Args:
        classes: The classes.
        reports: The randomized answers.
        truth: The true ones, in the same codes.
        epsilon: The loss of each answer.
    """
    levels, rows = reports.levels, len(reports.codes)
    lie = 1 / (exp(epsilon) + levels - 1)
    counts = AnswersByClass(classes, reports).table

    def estimated(seen: NDArray[np.float64], size: Counts) -> NDArray[np.float64]:
        return np.maximum((seen - size * lie) / (lie * (exp(epsilon) - 1)), 0.0)

    overall = estimated(counts.sum(axis=0) / rows, np.ones(1, np.int64))
    shares = estimated(counts.astype(np.float64), classes.sizes[:, None]) + 2 * overall
    main = shares.argmax(axis=1)[classes.of_row]
    own = exp(epsilon) * shares[classes.of_row, reports.codes]
    guess = np.where(own >= shares[classes.of_row, main], reports.codes, main)
    return float(np.mean(guess == truth.codes))


def right_by_some_columns(
    known: tuple[CodedColumn, ...], reports: CodedColumn, truth: CodedColumn, epsilon: float
) -> float:
    """Returns how often the best of several attackers is right, who group by some of the columns.

    The column that helps most is taken first, then the one that helps most beside it, until none
    does. A cleverer attacker may be right more often: it is a floor.

    Args:
        known: What is known of a person.
        reports: The randomized answers.
        truth: The true ones, in the same codes.
        epsilon: The loss of each answer.
    """
    chosen: list[CodedColumn] = []
    left, best = list(known), 0.0
    while left and len(chosen) < _COLUMNS_MOST:
        rated = []
        for place, column in enumerate(left):
            classes = Classes([*chosen, column], len(truth.codes))
            if classes.count * truth.levels <= _CELLS_MOST:
                rated.append((right_by_shares(classes, reports, truth, epsilon), -place))
        if not rated or max(rated)[0] <= best:
            break
        best, place = max(rated)
        chosen.append(left.pop(-place))
    return best


@dataclass(frozen=True, eq=False)
class Answered:
    """Those who answered a question.

    Attributes:
        known: What is known of them.
        truth: Their answers, without a code of missing cells.
    """

    known: tuple[CodedColumn, ...]
    truth: CodedColumn

    @classmethod
    def of(cls, known: tuple[CodedColumn, ...], secret: CodedColumn) -> Answered:
        """Returns those of some people who answered.

        Args:
            known: What is known of a person.
            secret: The answers, some of which may be missing.

        Raises:
            ParameterError: Fewer than two people answered.
        """
        if secret.missing < 0:
            return cls(known, secret)
        keep = np.asarray(secret.codes != secret.missing)
        codes = np.asarray(secret.codes[keep]).astype(np.int64)
        if len(codes) < 2:
            raise ParameterError(T.FEW_ANSWERS(column=secret.name))
        codes -= codes > secret.missing
        left = tuple(replace(one, codes=one.codes[keep]) for one in known)
        return cls(left, CodedColumn(secret.name, codes, max(secret.levels - 1, 1)))


class Homogeneity(SeededAttack):
    """A group in which all gave the same answer tells it of each of them."""

    title = N_("Homogeneity")
    question = N_("Does an answer follow from what is known of a person?")
    method = N_(
        "The attacker finds the group of records that look like a person. If all of them hold the "
        "same answer, or all but one that the person cannot have given, the answer is known."
    )
    reference = "Machanavajjhala et al. 2007, ACM TKDD 1 (1); table: Sweeney 2002, figure 2"
    stopped_by = N_("l-diversity, or protecting the answer")

    kind: Literal["homogeneity"] = "homogeneity"
    columns: Known = ()
    column: Wanted = ""
    least: Annotated[
        int,
        Field(
            ge=1,
            le=10_000,
            title="Smallest group",
            description="records in smaller groups are taken out first, as k-anonymity does",
        ),
    ] = 1
    excluded: Annotated[
        str,
        Field(
            max_length=200,
            title="Ruled out",
            description="an answer that the attacker knows a person did not give",
        ),
        IfEmpty(N_("none")),
    ] = ""
    epsilon: Annotated[
        Epsilon, Field(description="epsilon of the answer, where it is protected")
    ] = 1.0

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        if self.column and self.column in self.columns:
            raise ParameterError(T.KNOWN_AND_SENSITIVE(column=self.column))
        return self

    @classmethod
    def example(cls) -> Target:
        table = load_declared(resource("samples/attacks/sweeney_2002.csv"), Reading())
        return Target(
            table,
            explanation=(
                said(
                    N_(
                        "Sweeney's table: White, born 1967, m, ZIP 0213*: both records say chest "
                        "pain. Black, born 1965, f, ZIP 0213*: both say hypertension."
                    )
                ),
                said(
                    N_(
                        "Black, born 1964, f, ZIP 0213*: one says obesity, one chest pain. Who "
                        "sees that she is not obese knows that it is chest pain."
                    )
                ),
            ),
        )

    def _run(self, target: Target, tracker: Tracker) -> Findings:
        secret = target.secret(self.column)
        known = tuple(one for one in target.known(self.columns) if one.name != secret.name)
        known, secret, rows = self._kept(known, secret, target.table.rows)
        tracker.progress("Grouping equal records", 0.3)
        classes = Classes(known, rows)
        answers = AnswersByClass(classes, secret)
        disclosed = answers.people_disclosed()
        certain, groups = int(disclosed.sum()), int(np.count_nonzero(disclosed))
        more = self._ruled_out(answers, target, secret, certain)
        names = names_text([column.name for column in known])
        answered = Answered.of(known, secret)
        truth, given = answered.truth, len(answered.truth.codes)
        shares = truth.counts / given
        guess = float(shares.max())
        success = answers.right_by_majority() / given
        reports = randomized(truth, self.epsilon, self.generator())
        again = right_by_reports(Classes(answered.known, given), reports, truth) / given
        overall = right_after_response(shares, self.epsilon)
        part = right_by_some_columns(answered.known, reports, truth, self.epsilon)
        alone = int(np.count_nonzero(disclosed == 1))
        severity: Severity = "success"
        if certain:
            severity = "danger" if certain >= _MANY * rows else "warning"
        return Findings(
            success,
            guess,
            said(
                N_("{people} people disclosed: {several} in groups of several, {alone} alone"),
                people=certain,
                several=certain - alone,
                alone=alone,
            ),
            (
                Remedy(
                    said(
                        N_(
                            "protect {column} at ε = {epsilon} (without it, who sees the person's "
                            "own record is right in {certain})"
                        ),
                        column=secret.name,
                        epsilon=f"{self.epsilon:g}",
                        certain=share_text(1.0),
                    ),
                    # Of attackers who see the person's report and those of the group.
                    max(again, overall, part),
                    at_least=True,
                    before=1.0,
                ),
                Remedy(
                    said(
                        N_(
                            "l-diversity: in every group at least two answers that cannot be ruled "
                            "out; l = 3 where one can be"
                        )
                    )
                ),
            ),
            (
                said(
                    N_(
                        "By {number} known columns ({names}) {rows} records fall into {classes} "
                        "groups; the smallest has {k}. In {groups} groups all gave the same answer "
                        "to {column}."
                    ),
                    number=len(known),
                    names=names,
                    rows=rows,
                    classes=classes.count,
                    k=classes.k,
                    groups=groups,
                    column=secret.name,
                ),
                said(
                    N_(
                        "That discloses the answer of {certain} people ({share}) with certainty; "
                        "{alone} of them are alone in their group, the others are not."
                    ),
                    certain=certain,
                    share=share_text(certain / rows),
                    alone=alone,
                ),
                *more,
                *target.explanation,
            ),
            self._picture(known, secret, rows),
            said(
                N_("{column} by {names}, {rows} records"),
                column=secret.name,
                names=names,
                rows=rows,
            ),
            severity,
            {"certain": certain, "groups": groups, "classes": classes.count, "k": classes.k},
        )

    def _kept(
        self, known: tuple[CodedColumn, ...], secret: CodedColumn, rows: int
    ) -> tuple[tuple[CodedColumn, ...], CodedColumn, int]:
        """Returns the columns without the records of small groups."""
        if not known:
            raise ParameterError(T.NO_KNOWN())
        keep = Classes(known, rows).frequency >= self.least
        left = int(np.count_nonzero(keep))
        if left < 2:
            raise ParameterError(T.SMALL_GROUPS(least=self.least))
        *some, truth = (replace(one, codes=one.codes[keep]) for one in (*known, secret))
        return tuple(some), truth, left

    def _ruled_out(
        self, answers: AnswersByClass, target: Target, secret: CodedColumn, certain: int
    ) -> tuple[Phrase, ...]:
        """Returns what background knowledge adds."""
        if not self.excluded:
            return ()
        text = target.table.column(secret.name)
        if self.excluded not in text.distinct:
            raise ParameterError(T.NO_SUCH_ANSWER(column=secret.name))
        row = int(np.flatnonzero(text.codes == text.distinct.index(self.excluded))[0])
        code = int(target.secret(self.column).codes[row])
        disclosed = int(answers.people_disclosed(code).sum())
        return (
            said(
                N_(
                    "Of people who are known not to have given one answer, {disclosed} have an "
                    "answer that follows, and {more} of these only because of that knowledge."
                ),
                disclosed=disclosed,
                more=disclosed - self._certain_among(answers, code),
            ),
        )

    @staticmethod
    def _certain_among(answers: AnswersByClass, excluded: int) -> int:
        """Returns how many people of other answers are disclosed without the knowledge."""
        alone = np.bincount(answers.pairs)[answers.pairs] == 1
        told = alone & answers.is_answer & (answers.answers != excluded)
        return int(answers.counts[told].sum())

    def _picture(self, known: tuple[CodedColumn, ...], secret: CodedColumn, rows: int) -> Picture:
        steps, majority = [], []
        given = np.arange(secret.levels) != secret.missing
        for number in range(1, len(known) + 1):
            answers = AnswersByClass(Classes(known[:number], rows), secret)
            steps.append(int(answers.people_disclosed().sum()) / rows)
            majority.append(answers.right_by_majority() / int(secret.counts[given].sum()))
        names = (known[0].name, *(f"+ {column.name}" for column in known[1:]))
        return Picture(
            said(N_("Whose answer follows, as columns are added")),
            said(N_("Columns that the attacker knows")),
            said(N_("People (%)")),
            tuple(float(number) for number in range(len(known))),
            (
                Series(said(N_("known for certain")), tuple(steps), "bars"),
                Series(said(N_("guessed right by group")), tuple(majority), "bars"),
            ),
            labels=tuple(said("{name}", name=name) for name in names),
        )
