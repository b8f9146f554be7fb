"""What a plan of records promises, by enumerating all records that it can give."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import exp, log

import numpy as np

from dpdesk.estimation.released import Released, bind_attributes, released_from_tallies
from dpdesk.plan import ColumnPlan, Plan
from tests.randomness.word_sources import ShakeWords

SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


@dataclass(frozen=True)
class Losses:
    """Exact losses of a plan.

    Attributes:
        record: Of records that may differ in every attribute.
        alone: For each attribute, of records that differ in it alone.
    """

    record: float
    alone: tuple[float, ...]

    @property
    def largest_alone(self) -> float:
        """The largest loss of records that differ in one attribute only."""
        return max(self.alone)


def law_of(column: ColumnPlan) -> np.ndarray:
    """Chance of each report (column) under each answer (row), from the papers' formulas."""
    assert column.mechanism is not None
    k, e = column.effective_domain.size, exp(float(column.mechanism.epsilon))
    if column.mechanism.kind in {"warner", "grr"}:
        return (np.eye(k) * (e - 1) + 1) / (e + k - 1)
    root = e**0.5
    p, q = {"sue": (root / (root + 1), 1 / (root + 1)), "oue": (0.5, 1 / (e + 1))}[
        column.mechanism.kind
    ]
    bits = np.array(list(product((0, 1), repeat=k)))
    chance = np.where(np.eye(k, dtype=bool)[:, None, :], p, q)
    return np.prod(np.where(bits == 1, chance, 1 - chance), axis=2)


def fake_of(column: ColumnPlan, plan: Plan) -> np.ndarray:
    """Chance of each fake report."""
    law, k = law_of(column), column.effective_domain.size
    weights = [float(weight) for weight in column.expected]
    if plan.strategy == "rsfd":
        weights = [1.0] * k
    prior = np.array(weights) / sum(weights)
    if column.mechanism.kind in {"warner", "grr"}:
        return prior
    if plan.strategy == "rsrfd" or plan.fakes == "random":
        return prior @ law
    # No category is true: every bit has the chance of a category that is not.
    e = exp(float(column.mechanism.epsilon))
    q = 1 / (e**0.5 + 1) if column.mechanism.kind == "sue" else 1 / (e + 1)
    bits = np.array(list(product((0, 1), repeat=k)))
    return np.prod(np.where(bits == 1, q, 1 - q), axis=1)


def records_of(plan: Plan) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """Chance of each record that can be released (column) under all answers (row)."""
    columns = plan.protected
    laws = [law_of(column) for column in columns]
    truths = list(product(*(range(law.shape[0]) for law in laws)))
    if plan.strategy == "smp":
        rows = [np.concatenate([law[v] for law, v in zip(laws, x, strict=True)]) for x in truths]
        return np.array(rows) / len(laws), truths
    if plan.strategy == "spl":
        return np.array(
            [_outer([w[v] for w, v in zip(laws, x, strict=True)]) for x in truths]
        ), truths
    fakes = [fake_of(column, plan) for column in columns]
    rows = []
    for x in truths:
        mixed = [
            _outer([laws[i][x[i]] if i == real else fakes[i] for i in range(len(laws))])
            for real in range(len(laws))
        ]
        rows.append(sum(mixed) / len(laws))
    return np.array(rows), truths


def losses_of(plan: Plan) -> Losses:
    """The losses, as the largest ratio of chances over all records and all pairs of answers."""
    chances, truths = records_of(plan)
    logs = np.log(chances)
    ratio = np.max(logs[:, None, :] - logs[None, :, :], axis=2)
    answers = np.array(truths)
    alone = []
    for j in range(answers.shape[1]):
        others = np.delete(answers, j, axis=1)
        same = np.all(others[:, None, :] == others[None, :, :], axis=2)
        alone.append(float(ratio[same].max()))
    return Losses(float(ratio.max()), tuple(alone))


def papers_epsilon(record: float, attributes: int) -> float:
    """The epsilon whose ln(d (e^epsilon - 1) + 1) is the loss of the whole record."""
    low, high = 0.0, record
    for _ in range(100):
        middle = (low + high) / 2
        if log(attributes * (exp(middle) - 1) + 1) < record:
            low = middle
        else:
            high = middle
    return high


def released_by(plan: Plan, rows: int = 60) -> Released:
    """A release of answers that go through each domain in turn; attributes in turn under SMP."""
    several = len(plan.protected)
    counted = []
    for j, (column, bound) in enumerate(bind_attributes(plan)):
        codes = (np.arange(rows) % bound.size).astype(np.int32)
        reports = bound.randomize(codes, ShakeWords("sentences"))
        group = np.arange(rows) % several == j if plan.strategy == "smp" else slice(None)
        counted.append((column, bound, bound.tally(reports[group])))
    return released_from_tallies(plan, rows, tuple(counted))


def plain(text: str) -> str:
    """A text with usual spaces."""
    return text.replace("\u00a0", " ")


def number(text: str) -> float:
    """A number as reports print it: "6,320", "1.23 × 10⁹"."""
    mantissa, _, power = text.replace(",", "").partition(" × 10")
    return float(mantissa) * 10.0 ** int(power.translate(SUPERSCRIPT) or 0)


NUMBER = r"((?:\d[\d,]*\d|\d)(?:\.\d+)?(?: × 10[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)"


def numbers_after(words: str, text: str) -> list[float]:
    """Every number that follows these words, which is a text and no pattern."""
    return [number(found) for found in re.findall(re.escape(words) + NUMBER, plain(text))]


def is_rounded_up(stated: float, exact: float, room: float) -> bool:
    """Whether a bound is stated as not less than it is, and as no more than the room above."""
    return exact * (1 - 1e-12) <= stated <= exact + room


def only(phrases: Sequence[str], chosen: Sequence[str], text: str) -> bool:
    """Whether a text has the chosen ones of these phrases and no other."""
    return [phrase for phrase in phrases if phrase in plain(text)] == list(chosen)


def _outer(vectors: Sequence[np.ndarray]) -> np.ndarray:
    whole = np.ones(1)
    for vector in vectors:
        whole = np.multiply.outer(whole, vector).ravel()
    return whole


def texts_in(value: object) -> Iterator[str]:
    """Every text in plain data of lists and mappings."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from texts_in(inner)
