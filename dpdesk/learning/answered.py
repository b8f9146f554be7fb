"""Whether an attribute was answered, as a state of its own that speaks for a class.

A missing answer is evidence: who does not work was not asked for the hours. Naive Bayes leaves out
what is not there, so that this takes part beside the attribute: the likelihood of an answer in a
class is the share that answered there, times that of the answer among them.

Blanks that a release passes through are seen as they are. A protected missing answer of a number is
one of its reports, drawn with the others. What each report adds to the number of those who answered
(`NumberReports.scores`) has expectation 1 under every answer and 0 under none, so that the product
with a score of the label is unbiased as for categories (`traits`). Missing answers of categories
are a category of their own, where they are protected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import Categorical
from dpdesk.learning.parts import Shares
from dpdesk.learning.traits import Category, LabelScores, ListedReader, Reader, one_hot
from dpdesk.mechanisms import BoundMechanism
from dpdesk.numbers.arrays import Floats

TRAIT = Category(Categorical(values=("answered", "no answer")))
"""How it takes part: two states, of which each record has one."""


@dataclass(frozen=True, slots=True, eq=False)
class WhetherAnswered:
    """Whether one attribute of a survey was answered.

    Attributes:
        place: Which attribute.
        codes: 0 for an answer, 1 for none, shape (n,).
        is_protected: Whether a mechanism hides it: no answer is one of its reports.
    """

    place: int
    codes: NDArray[np.int32]
    is_protected: bool

    def reader(self, bound: BoundMechanism | None) -> Reader[Shares]:
        """Returns what reads it off the attribute's reports, or off the records.

        Args:
            bound: What protects the attribute; None where it is released as it is.
        """
        if bound is None or not self.is_protected:
            return TRAIT.reader(None)
        law = bound.number_reports(np.zeros(1, dtype=np.int32))
        assert law is not None  # noqa: S101 - numbers alone have a code for no answer
        given = law.scores[:, :1]
        told = np.arange(len(given)) >= len(law.places)
        return _AnsweredReader(TRAIT, None, np.hstack((given, 1 - given)), told)

    def reports(self, bound: BoundMechanism | None, drawn: NDArray[Any]) -> NDArray[Any]:
        """Returns what is read: reports of the attribute, or the codes, shape (n,).

        Args:
            bound: As for `reader`.
            drawn: The reports of the attribute.
        """
        return self.codes if bound is None or not self.is_protected else drawn


@dataclass(frozen=True, slots=True, eq=False)
class _AnsweredReader(ListedReader):
    """Reads it off the reports of a number.

    Attributes:
        table: What each report adds to the number of those who answered, and of those who did
            not, shape (outputs, 2).
        is_none: Which reports say that there is no answer, shape (outputs,).
    """

    table: Floats
    is_none: NDArray[np.bool_]

    def seen(self, reports: NDArray[Any]) -> Floats:
        return one_hot(self.is_none[reports].astype(np.int64), 2)

    def totals(self, reports: NDArray[Any], label: LabelScores) -> tuple[Floats, Floats, Floats]:
        scores = self.table[reports]
        value = np.average(scores, axis=0, weights=label.weights)
        variance = np.average((scores - value) ** 2, axis=0, weights=label.weights)
        return value, variance, label.weighted @ scores

    def evidence(self, part: Shares, reports: NDArray[Any], shares: Floats) -> Floats:
        usual = shares @ part.shares @ part.slopes
        return np.asarray(self.table[reports] @ part.slopes - usual)
