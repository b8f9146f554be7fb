"""Membership: was one person among those whose averages were published?"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from statistics import NormalDist
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from dpdesk.attacks.base import SeededAttack
from dpdesk.attacks.findings import Findings, Picture, Remedy, Series, said, severity_of
from dpdesk.attacks.parameters import Columns, Epsilon, IfEmpty
from dpdesk.attacks.target import Target
from dpdesk.attacks.texts import T
from dpdesk.disclosure.classes import CodedColumn
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.digits import share_text
from dpdesk.numbers.ranking import chance_above

_LEVELS_MOST = 100
_REPETITIONS = 20
_SIZES = (0.25, 0.5, 1, 2, 4)


def membership_scores(
    records: Sequence[NDArray[np.integer]], published: Sequence[Floats], usual: Sequence[Floats]
) -> Floats:
    """Returns how much each record resembles published shares rather than the usual ones.

    The score is the sum over columns of <x - p, y - p> weighted by 1/p, with x the record as 0 and
    1 per category, y the published and p the usual shares. For a column of two categories that is
    (x - p)(y - p) / (p (1 - p)), the test of Dwork, Smith, Steinke, Ullman & Vadhan 2015 with
    attributes of equal weight. Over a study of n people it has mean v/n for its members and 0 for
    others, and variance about v/n, with v the sum over columns of their categories less one.

    Args:
        records: Codes of each column, shape (people,).
        published: Shares of each column among the members, perhaps with noise.
        usual: Shares among people in general, above 0.
    """
    total = np.zeros(len(records[0]))
    for codes, shares, expected in zip(records, published, usual, strict=True):
        excess = shares / expected - 1
        total += excess[codes] - float(expected @ excess)
    return total


class Membership(SeededAttack):
    """Averages of many answers tell who took part."""

    title = N_("Membership")
    question = N_("Do published averages tell whether a person took part?")
    method = N_(
        "A study of some respondents publishes the shares of all its answers. The attacker knows "
        "one person's answers and the usual shares, and looks whether the published ones lean "
        "towards the person."
    )
    reference = (
        "Homer et al. 2008, PLoS Genetics 4, e1000167; Dwork, Smith, Steinke, Ullman & Vadhan "
        "2015, FOCS, 650-669"
    )
    stopped_by = N_("noise on the averages, or far more people")
    large_from = 40

    kind: Literal["membership"] = "membership"
    columns: Annotated[
        Columns,
        Field(title="Columns", description="columns whose shares are published"),
        IfEmpty(N_("all")),
    ] = ()
    people: Annotated[
        int, Field(ge=5, le=100_000, title="People", description="how many took part in the study")
    ] = 50
    epsilon: Annotated[
        Epsilon,
        Field(description="epsilon of all shares together, where noise is added"),
    ] = 1.0

    def _run(self, target: Target, tracker: Tracker) -> Findings:
        columns = self._columns(target)
        rows = target.table.rows
        size = min(self.people, rows // 4)
        generator = self.generator()
        freedom = sum(column.occurring - 1 for column in columns)

        def found(members: int, epsilon: float | None) -> float:
            studies = [
                one_study(columns, rows, members, epsilon, generator) for _ in range(_REPETITIONS)
            ]
            return float(np.mean(studies))

        success = found(size, None)
        tracker.progress("Publishing averages", 0.2)
        noisy = found(size, self.epsilon)
        sizes = sorted({max(5, min(round(size * one), rows // 4)) for one in _SIZES})
        exact, protected = [], []
        for done, members in enumerate(sizes):
            tracker.progress("Publishing averages", 0.4 + 0.6 * done / len(sizes))
            exact.append(found(members, None))
            protected.append(found(members, self.epsilon))
        bound = exp(self.epsilon) / (1 + exp(self.epsilon))
        expected = NormalDist().cdf(sqrt(freedom / size / 2))
        return Findings(
            success,
            0.5,
            said(N_("participation found in {share}"), share=share_text(success)),
            (
                Remedy(
                    said(
                        N_("noise for ε = {epsilon} over all shares"), epsilon=f"{self.epsilon:g}"
                    ),
                    noisy,
                ),
            ),
            (
                said(
                    N_(
                        "Of {rows} respondents {size} took part in a study, which published the "
                        "shares of all answers to {number} questions, and no record."
                    ),
                    rows=rows,
                    size=size,
                    number=len(columns),
                ),
                said(
                    N_(
                        "What counts is the number of published shares, {freedom} that are free, "
                        "per person: if questions had nothing to do with each other it would be "
                        "{expected}."
                    ),
                    freedom=freedom,
                    expected=share_text(expected),
                ),
                said(
                    N_(
                        "With noise for ε = {epsilon} over all shares, no attack can be right in "
                        "more than {bound}."
                    ),
                    epsilon=f"{self.epsilon:g}",
                    bound=share_text(bound),
                ),
            ),
            Picture(
                said(N_("How often the attacker finds who took part")),
                said(N_("People in the study")),
                said(N_("Right (%)")),
                tuple(float(one) for one in sizes),
                (
                    Series(said(N_("exact shares")), tuple(exact)),
                    Series(
                        said(N_("with noise, ε = {epsilon}"), epsilon=f"{self.epsilon:g}"),
                        tuple(protected),
                    ),
                    Series(said(N_("guess")), (0.5,) * len(sizes), "dashed"),
                ),
                log_x=True,
            ),
            said(
                N_("shares of {number} questions, {size} people"),
                number=len(columns),
                size=size,
            ),
            severity_of(success, 0.5),
            {"free_shares": freedom, "if_independent": expected, "bound": bound, "people": size},
        )

    def _columns(self, target: Target) -> tuple[CodedColumn, ...]:
        named = self.columns or tuple(
            column.name
            for column in target.table.columns
            if 2 <= column.distinct_count <= _LEVELS_MOST
        )
        columns = target.columns(named)
        if not columns:
            raise ParameterError(T.NO_QUESTION(most=_LEVELS_MOST))
        return columns


def noise_of_counts(
    epsilon: float, questions: int, levels: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Draws discrete Laplace noise for the counts of one question, shape (levels,).

    Who is replaced moves two counts of each question by 1.

    Args:
        epsilon: The loss of all shares together.
        questions: Number of questions, which share it.
        levels: Number of answers of this one.
        generator: The source of chance.
    """
    first, second = generator.geometric(1 - exp(-epsilon / (2 * questions)), (2, levels))
    return np.asarray(first - second)


def usual_shares(column: CodedColumn, drawn: NDArray[np.int64]) -> Floats:
    """Returns the shares of a column's answers among people in general, all above 0.

    Args:
        column: The column.
        drawn: Those whom the attacker compares, members or not: nothing of them is known before.
    """
    known = column.counts - np.bincount(column.codes[drawn], minlength=column.levels) + 1 / 2
    return np.asarray(known / known.sum())


def one_study(
    columns: Sequence[CodedColumn],
    rows: int,
    size: int,
    epsilon: float | None,
    generator: np.random.Generator,
) -> float:
    """Draws a study, publishes its shares, and returns how often the attacker names its member.

    Args:
        columns: The columns whose shares are published.
        rows: Number of respondents.
        size: How many of them take part.
        epsilon: The loss of all shares together; None publishes them as they are.
        generator: The source of chance.
    """
    drawn = generator.choice(rows, 2 * size, replace=False)
    members, others = drawn[:size], drawn[size:]
    published, usual = [], []
    for column in columns:
        counts = np.bincount(column.codes[members], minlength=column.levels).astype(np.float64)
        if epsilon is not None:
            counts += noise_of_counts(epsilon, len(columns), column.levels, generator)
        published.append(counts / size)
        usual.append(usual_shares(column, drawn))
    scores = [
        membership_scores([column.codes[who] for column in columns], published, usual)
        for who in (members, others)
    ]
    return chance_above(*scores)
