"""The tracker: small counts are suppressed, and are found all the same from large ones."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from dpdesk.attacks.base import SeededAttack
from dpdesk.attacks.findings import Findings, Picture, Remedy, Series, names_text, said, severity_of
from dpdesk.attacks.noise import best_guess, noise_sum
from dpdesk.attacks.parameters import Answer, CountEpsilon, Known, Wanted
from dpdesk.attacks.target import Bits, Target
from dpdesk.attacks.texts import T
from dpdesk.disclosure.classes import Classes, CodedColumn
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.digits import share_text

ANSWERS = 4
"""Answers that one suppressed count is made of."""


class SuppressedCounts:
    """Answers counts exactly, except small ones, and those that leave few people out.

    Args:
        rows: Number of respondents, n.
        least: Counts below it, or above n minus it, are suppressed.

    Attributes:
        asked: How many questions were asked.
        refused: How many of them were refused.
    """

    def __init__(self, rows: int, least: int) -> None:
        self.rows, self.least = rows, least
        self.asked = self.refused = 0

    def ask(self, who: Bits) -> int | None:
        """Returns how many people a formula is true of; None where that is suppressed."""
        self.asked += 1
        number = int(np.count_nonzero(who))
        if self.least <= number <= self.rows - self.least:
            return number
        self.refused += 1
        return None


def find_tracker(office: SuppressedCounts, columns: tuple[CodedColumn, ...]) -> Bits:
    """Returns whom a general tracker is true of: between 2 least and n - 2 least people.

    Single answers are tried, then pairs of answers of one column.

    Args:
        office: Answers the counts.
        columns: The columns that formulas can use.

    Raises:
        ParameterError: There is no such formula.
    """
    low, high = 2 * office.least, office.rows - 2 * office.least
    for size in (1, 2):
        for column in columns:
            codes = np.argsort(-column.counts)[: 12 if size == 2 else None]
            for chosen in combinations(codes.tolist(), size):
                who = np.isin(column.codes, chosen)
                number = office.ask(who)
                if number is not None and low <= number <= high:
                    return who
    raise ParameterError(T.NO_TRACKER())


def count_by_tracker(office: SuppressedCounts, who: Bits, tracker: Bits) -> int:
    """Returns a suppressed count: |C or T| + |C or not T| - (|T| + |not T|).

    All four are answered for a general tracker T, however small C is (Denning, Denning & Schwartz
    1979, theorem 2).

    Args:
        office: Answers the counts.
        who: Whom the formula C is true of; fewer than `office.least`.
        tracker: Whom the tracker is true of.

    Raises:
        ParameterError: One of the four is suppressed: C is not small.
    """
    answers = [office.ask(one) for one in (who | tracker, who | ~tracker, tracker, ~tracker)]
    first, second, third, fourth = answers
    if first is None or second is None or third is None or fourth is None:
        raise ParameterError(T.LARGE_COUNT())
    return first + second - third - fourth


class TrackerAttack(SeededAttack):
    """Suppressing small counts hides nothing from who may ask for large ones."""

    title = N_("Tracker")
    question = N_("Does suppressing small counts hide what single people answered?")
    method = N_(
        "The attacker pads a suppressed question with an answer that many people gave, asks for "
        "the padded counts, which are large, and takes the padding away again."
    )
    reference = "Denning, Denning & Schwartz 1979, ACM TODS 4, 76-96"
    stopped_by = N_("noise on every count, not suppression")
    large_from = 20

    kind: Literal["tracker"] = "tracker"
    columns: Known = ()
    column: Wanted = ""
    answer: Answer = ""
    least: Annotated[
        int, Field(ge=1, le=1000, title="Smallest count", description="smaller ones are suppressed")
    ] = 5
    epsilon: CountEpsilon = 1.0
    tried: Annotated[
        int, Field(ge=1, le=2000, title="Tried", description="how many suppressed counts are tried")
    ] = 200

    def _run(self, target: Target, tracker: Tracker) -> Findings:
        secret = target.secret_bit(self.column, self.answer)
        rows = len(secret.bits)
        if 4 * self.least > rows:
            raise ParameterError(T.LARGE_LIMIT(rows=rows, most=rows // 4))
        known = tuple(one for one in target.known(self.columns) if one.name != secret.column)
        names = names_text([column.name for column in known])
        classes = Classes(known, rows)
        sums = classes.sums(secret.bits.astype(np.float64))
        cells = np.concatenate([some for _, some in sums])
        hidden = np.flatnonzero(cells < self.least)
        if not len(hidden):
            raise ParameterError(T.NOTHING_SUPPRESSED())
        prior = np.bincount(cells[hidden].astype(np.int64), minlength=self.least) / len(hidden)
        chosen = self.generator().permutation(hidden)[: self.tried]
        office = SuppressedCounts(rows, self.least)
        padding = find_tracker(office, known)
        refused_before = office.refused
        right = refused = 0
        for done, cell in enumerate(chosen):
            tracker.progress("Asking for padded counts", done / len(chosen))
            who = (classes.of_row == cell) & secret.bits
            refused += office.ask(who) is None
            right += count_by_tracker(office, who, padding) == int(cells[cell])
        success = right / len(chosen)
        guess = float(prior.max())
        noisy = best_guess(prior.tolist(), noise_sum(self.epsilon, ANSWERS))
        single = int(np.count_nonzero(classes.sizes[chosen] == 1))
        return Findings(
            success,
            guess,
            said(N_("{share} of small counts found"), share=share_text(success)),
            (
                Remedy(
                    said(N_("noise at ε = {epsilon} on every count"), epsilon=f"{self.epsilon:g}"),
                    noisy,
                ),
            ),
            (
                said(
                    N_(
                        "{hidden} counts of “{answer}” to {column} by {number} columns ({names}) "
                        "lie below {least} and are suppressed. {tried} of them were asked for "
                        "directly: {refused} were refused."
                    ),
                    answer=secret.answer,
                    column=secret.column,
                    names=names,
                    hidden=len(hidden),
                    number=len(known),
                    least=self.least,
                    tried=len(chosen),
                    refused=refused,
                ),
                said(
                    N_(
                        "Padded with an answer that many gave, {share} of them were found exactly; "
                        "every padded count was large enough to be answered."
                    ),
                    share=share_text(success),
                ),
                said(
                    N_(
                        "{single} of these counts are about one person who is alone with what the "
                        "attacker knows: the count is that person's answer."
                    ),
                    single=single,
                ),
            ),
            self._picture(prior.tolist(), guess, success),
            said(
                N_("“{answer}” to {column} by {names}, {rows} respondents"),
                answer=secret.answer,
                column=secret.column,
                names=names,
                rows=rows,
            ),
            severity_of(success, guess),
            {
                "suppressed": len(hidden),
                "tried": len(chosen),
                "refused_directly": refused,
                "refused_padded": office.refused - refused - refused_before,
                "about_one_person": single,
            },
        )

    def _picture(self, prior: list[float], guess: float, success: float) -> Picture:
        grid = np.geomspace(0.05, 10, 40)
        noisy = tuple(best_guess(prior, noise_sum(float(one), ANSWERS)) for one in grid)
        return Picture(
            said(N_("How many suppressed counts are found, with noise")),
            said(N_("ε of each count")),
            said(N_("Found (%)")),
            tuple(float(one) for one in grid),
            (
                Series(said(N_("with noise on every count")), noisy),
                Series(said(N_("with suppression alone")), (success,) * len(grid)),
                Series(said(N_("guess")), (guess,) * len(grid), "dashed"),
            ),
            log_x=True,
        )
