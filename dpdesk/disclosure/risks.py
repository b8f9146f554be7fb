"""The chance that somebody who knows some columns of a person finds that person's record.

Prosecutor: the person is known to be in the sample; the chance is 1/f. Journalist: the person is
one of F in the population. Marketer: the expected share of all records that are found. F is not
known; survey weights estimate it, and f given, F is taken to be negative binomial (Benedetti &
Franconi 1998; Franconi & Polettini 2004).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesk.disclosure.classes import Classes
from dpdesk.numbers.arrays import Counts, Floats, RowNumbers

_FORWARD_MOST = 40
"""Classes up to this size take the recurrence; the series of larger ones ends within 80 terms."""

_TERMS_MOST = 200


def individual_risk(frequency: Counts, pi: Floats) -> Floats:
    """Returns the expected 1/F of classes, given how many of them are in the sample.

    With pi = f / (sum of weights) the chance to be in the sample, and F negative binomial,
    E(1/F | f) = pi^f / f * 2F1(f, f; f + 1; 1 - pi). Put w = pi s / (1 - (1 - pi) s) into its
    integral: the risk is the integral of w^(f-1) / (1 + a w) over 0 <= w <= 1, a = (1 - pi) / pi.
    So r(1) = ln(1 + a) / a, and r(f + 1) = (1/f - r(f)) / a. Up that recurrence an error grows as
    1/a per step: it serves a >= 1. Else, and for large f, Pfaff's form
    pi / f * 2F1(1, 1; f + 1; 1 - pi) has nothing but positive terms.

    Args:
        frequency: f of each class, at least 1; shape (m,).
        pi: f over the sum of weights of each class, above 0 and at most 1; shape (m,).

    Returns:
        The risks, between 0 and 1; shape (m,).
    """
    f = np.asarray(frequency, dtype=np.float64)
    pi = np.asarray(pi, dtype=np.float64)
    risk = np.empty_like(pi)
    forward = (pi <= 0.5) & (f <= _FORWARD_MOST)
    risk[forward] = _by_recurrence(f[forward], pi[forward])
    risk[~forward] = _by_series(f[~forward], pi[~forward])
    return risk


def _by_recurrence(f: Floats, pi: Floats) -> Floats:
    # ln(1 + a) = ln(1 / pi): nothing cancels, however small pi is.
    over = pi / (1 - pi)
    risk = -np.log(pi) * over
    for below in range(1, int(f.max(initial=1))):
        risk = np.where(f > below, (1 / below - risk) * over, risk)
    return risk


def _by_series(f: Floats, pi: Floats) -> Floats:
    q = 1 - pi
    term = np.ones_like(pi)
    total = np.ones_like(pi)
    for n in range(_TERMS_MOST):
        term = term * q * (n + 1) / (f + 1 + n)
        total = total + term
        if not np.any(term > 1e-17 * total):
            break
    return pi / f * total


@dataclass(frozen=True)
class PopulationRisk:
    """Risks where survey weights say how many people each record stands for.

    Attributes:
        population: Sum of all weights, the size of the population.
        journalist_highest: Largest 1/F of a class, F being its sum of weights.
        journalist_average: Mean of 1/F over the records.
        individual_highest: Largest individual risk of Benedetti & Franconi.
        individual_average: Its mean over the records.
        expected_found: Its sum over the records: how many are expected to be re-identified, the
            global risk.
    """

    population: float
    journalist_highest: float
    journalist_average: float
    individual_highest: float
    individual_average: float
    expected_found: float


def population_risk(classes: Classes, weights: RowNumbers) -> PopulationRisk:
    """Returns the risks under survey weights.

    A class cannot have fewer people than records: F is at least f.

    Args:
        classes: The classes; there is a record.
        weights: Weight of each record, above 0.
    """
    total = journalist = found = 0.0
    journalist_highest = individual_highest = 0.0
    for f, sums in classes.sums(weights):
        population = np.maximum(sums, f)
        own = individual_risk(f, f / population)
        total += float(sums.sum())
        journalist += float((f / population).sum())
        found += float((f * own).sum())
        journalist_highest = max(journalist_highest, float((1 / population).max()))
        individual_highest = max(individual_highest, float(own.max()))
    return PopulationRisk(
        population=total,
        journalist_highest=journalist_highest,
        journalist_average=journalist / classes.rows,
        individual_highest=individual_highest,
        individual_average=found / classes.rows,
        expected_found=found,
    )
