"""How far attributes say the same, and how much naive Bayes is to believe the sum of them.

Naive Bayes adds what the attributes say as if they were independent within a class. Where they are
not (marital status and relationship, income and education) it counts the same evidence several
times: it ranks records well and is far too sure of them, and guesses a rare class too often. Its
product of likelihoods is a composite likelihood, and is adjusted as these are: raised to the power
that makes its curvature agree with its true spread (the magnitude adjustment of Pauli, Racugno &
Ventura 2011, Statistica Sinica 21, 149-164, and Ribatet, Cooley & Davison 2012, Statistica Sinica
22, 813-845),

    power = V / (V + C),

with V the variance within a class of the log-likelihoods, summed over attributes as if they were
independent, and C the sum of all their covariances: one over the design effect of the evidence.

V follows from what was learnt. C does not need true answers: attributes are randomized
independently, so that the product of the unbiased estimates of what two of them say is unbiased
for what they say together. Its error is known, too. A medium correlation between attributes
(`CORRELATION`), of either sign, is expected; C is the best linear estimate under that expectation,
so that where noise hides it the attributes count as independent. Attributes that contradict each
other (C below 0) make nothing surer than independence does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.learning.parts import Part
from dpdesk.learning.traits import LabelScores, Reader

CORRELATION = 0.3
"""The correlation between attributes within a class that is expected: a medium one (Cohen)."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Sanitized records to learn from.

    Attributes:
        readers: Of each attribute.
        reports: Of each attribute, one for every record.
        present: Which records have a report of it, shape (n,).
        label: What the reports of the label say.
    """

    readers: Sequence[Reader[Any]]
    reports: Sequence[NDArray[Any]]
    present: Sequence[NDArray[np.bool_]]
    label: LabelScores

    def parts(self) -> list[Part]:
        """Returns what is learnt from each attribute, with the noise taken out."""
        told = zip(self.readers, self.reports, self.present, strict=True)
        return [reader.learn(drawn[has], self.label.of(has)) for reader, drawn, has in told]


def power_of_evidence(evidence: Evidence, parts: Sequence[Part]) -> float:
    """Returns the power that the product of the likelihoods is raised to, above 0 and at most 1.

    Args:
        evidence: The records.
        parts: What was learnt from each attribute.
    """
    label = evidence.label
    rows, classes = label.scores.shape[1], len(label.shares)
    total, own = np.zeros((rows, classes)), np.zeros(rows)
    between, own_between = np.zeros((classes, classes)), 0.0
    variances = []
    told = zip(evidence.readers, parts, evidence.reports, evidence.present, strict=True)
    for reader, part, drawn, has in told:
        each = np.zeros((rows, classes))
        if has.any():
            each[has] = reader.evidence(part, drawn[has], label.shares)
        total += each
        own += (each**2).sum(axis=1)
        share, law = float(np.average(has, weights=label.weights)), part.evidence(label.shares)
        variances.append(share * law.within)
        of_part = share * law.between
        between += of_part
        own_between += float(label.shares @ (of_part**2).sum(axis=1))
    variance = sum(variances)
    if len(parts) < 2 or variance <= 0:
        return 1.0
    # Twice the product of every pair of attributes, record by record.
    products = (total**2).sum(axis=1) - own
    of_classes = float(label.shares @ (between**2).sum(axis=1)) - own_between
    covariance = float(np.average(products, weights=label.weights)) - of_classes
    error = float(products.var()) / label.effective_rows
    pairs = variance**2 - sum(each**2 for each in variances)
    expected = 2 * CORRELATION**2 * pairs
    known = covariance * expected / (expected + error)
    return variance / (variance + max(known, 0.0))
