"""The rules of estimation of a codebook, read and applied to the cells of released columns.

Nothing is taken from the program: numbers stand in the rule, names in the plan.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_MASK = 2**64 - 1


@dataclass(frozen=True)
class Asked:
    """What a reader of the codebook has besides the records.

    Attributes:
        rule: The rule of estimation, as the codebook has it.
        texts: The values of the domain in their order.
        expected: The weights of the categories that the plan declares.
        matrix: The matrix that the plan gives, for an attribute that has one.
    """

    rule: str
    texts: tuple[str, ...]
    expected: tuple[float, ...] = ()
    matrix: tuple[tuple[float, ...], ...] = ()

    def number(self, name: str) -> float:
        """The number that the rule gives under a name."""
        (found,) = re.findall(rf"\b{re.escape(name)} = (-?\d[\d,]*\.?\d*(?:e-?\d+)?)\b", self.rule)
        return float(found.replace(",", ""))


def apply_rule(asked: Asked, cells: NDArray[np.object_], weights: Floats) -> Floats:
    """Returns what a rule makes of records: every share, or the mean.

    Args:
        asked: The rule.
        cells: The attribute's released columns, as texts, shape (records, columns).
        weights: The weight of each record, ones where there are none.
    """
    wanted = [how for words, how in _RULES if all(word in asked.rule for word in words)]
    assert len(wanted) == 1, asked.rule
    return np.asarray(wanted[0](asked, cells, weights / weights.sum()))


def _of_supports(asked: Asked, cells: NDArray[np.object_], parts: Floats) -> Floats:
    s = parts @ _supports(asked, cells)
    return np.asarray((s - asked.number("q")) / (asked.number("p") - asked.number("q")))


def _of_fakes(asked: Asked, cells: NDArray[np.object_], parts: Floats) -> Floats:
    p, q, d = (asked.number(name) for name in ("p", "q", "d"))
    k = len(asked.texts)
    e = np.full(k, 1 / k)
    if "e is the number expected of the category, divided by the sum" in asked.rule:
        e = np.array(asked.expected) / sum(asked.expected)
    else:
        assert "expected" not in asked.rule
    (how,) = re.findall(r"phi = (.*?) is the chance", asked.rule)
    phi = {"q": np.full(k, q), "e": e, f"1 / {k}": np.full(k, 1 / k),
           "(p - q) e + q": (p - q) * e + q,
           f"(p - q) 1 / {k} + q": np.full(k, (p - q) / k + q)}[how]  # fmt: skip
    s = parts @ _supports(asked, cells)
    return np.asarray((d * s - q - (d - 1) * phi) / (p - q))


def _supports(asked: Asked, cells: NDArray[np.object_]) -> Floats:
    """Whether each record counts for each category, shape (records, categories)."""
    if "supports the categories with 1 in their column" in asked.rule:
        return (cells == "1").astype(float)
    if "supports the category that it names" in asked.rule:
        return (cells == np.array(asked.texts, dtype=object)).astype(float)
    numbers = cells.astype(np.int64).tolist()
    k = len(asked.texts)
    if "binary places" in asked.rule:
        assert "y supports r if y and r are both 1 in an even number of binary" in asked.rule
        assert "r = 1, 2, 3 and so on" in asked.rule
        return np.array(
            [[(y & r).bit_count() % 2 == 0 for r in range(1, k + 1)] for (y,) in numbers], float
        )
    assert "(seed_a x v + seed_b) mod 2^32, divided by" in asked.rule
    assert "v = 0, 1, 2 and so on" in asked.rule
    buckets, bits = map(int, re.findall(r"floor\(h x (\d+) / 2\^(\d+)\)", asked.rule)[0])
    (shift,) = map(int, re.findall(r"divided by 2\^(\d+) and rounded", asked.rule))
    return np.array(
        [
            [
                ((a * v + b) % 2**32 // 2**shift) * buckets // 2**bits == bucket
                for v in range(k)
            ]
            for a, b, bucket in numbers
        ],
        float,
    )  # fmt: skip


def _of_matrix(asked: Asked, cells: NDArray[np.object_], parts: Floats) -> Floats:
    reported = parts @ (cells == np.array(asked.texts, dtype=object)).astype(float)
    return np.asarray(reported @ np.linalg.inv(np.array(asked.matrix)))


def _of_filters(asked: Asked, cells: NDArray[np.object_], parts: Floats) -> Floats:
    (found,) = re.findall(r"has (\d+) of the (\d+) bits in each of the (\d+) cohorts", asked.rule)
    hashes, bits, cohorts = map(int, found)
    flip = asked.number("F")
    reports = cells.astype(np.int64)
    assert "n is the number of all reports" in asked.rule
    # Parts are divided by it already.
    rows, answers = [], []
    for cohort in range(cohorts):
        members = parts * (reports[:, 0] == cohort)
        filters = [bits_of(cohort, v, hashes, bits) for v in range(len(asked.texts))]
        for bit in range(bits):
            count, number = float(members @ reports[:, 1 + bit]), float(members.sum())
            answers.append((count - flip * number) / (1 - 2 * flip) * cohorts)
            rows.append([float(bit in chosen) for chosen in filters])
    shares, *_ = np.linalg.lstsq(np.array(rows), np.array(answers))
    return np.asarray(shares)


def bits_of(cohort: int, category: int, hashes: int, bits: int) -> set[int]:
    """The bits of a category in a cohort, by the rule of the help page on RAPPOR."""
    taken: set[int] = set()
    for j in range(hashes):
        output = _split_mix(2**40 * cohort + 2**8 * category + j + 1)
        free = [bit for bit in range(bits) if bit not in taken]
        taken.add(free[(output >> 32) * (bits - j) >> 32])
    return taken


def _split_mix(place: int) -> int:
    z = place * 0x9E3779B97F4A7C15 & _MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31


def _of_average(_: Asked, cells: NDArray[np.object_], parts: Floats) -> Floats:
    return np.array([parts @ cells[:, 0].astype(float)])


def _of_laplace(asked: Asked, cells: NDArray[np.object_], parts: Floats) -> Floats:
    x, r = np.array(asked.texts, dtype=float), asked.number("r")
    assert f"grid points are x_1 to x_{x.size}" in asked.rule
    places = np.arange(x.size)
    s = x * (r ** np.abs(places[:, None] - places)).sum(axis=1)
    around = np.concatenate(([0.0], s, [0.0]))
    c = np.where((places == 0) | (places == x.size - 1), 1.0, 1 + r**2)
    phi = (c * s - r * (around[:-2] + around[2:])) / (1 - r**2)
    return _average_of(phi, asked, cells, parts)


def _of_staircase(asked: Asked, cells: NDArray[np.object_], parts: Floats) -> Floats:
    x, g, u = np.array(asked.texts, dtype=float), asked.number("g"), asked.number("u")
    places = np.arange(x.size)
    near = (np.abs(places[:, None] - places) < g).astype(float)
    z = x.size + u * near.sum(axis=1)
    assert f"x_i ({x.size} + u n_i)" in asked.rule
    phi = np.linalg.solve(np.ones_like(near) + u * near, x * z)
    return _average_of(phi, asked, cells, parts)


def _average_of(phi: Floats, asked: Asked, cells: NDArray[np.object_], parts: Floats) -> Floats:
    place = {text: i for i, text in enumerate(asked.texts)}
    return np.array([parts @ phi[[place[text] for text in cells[:, 0]]]])


def _of_middle(asked: Asked, cells: NDArray[np.object_], parts: Floats) -> Floats:
    c = asked.number("c")
    return np.array([c + (parts @ cells[:, 0].astype(float) - c) / asked.number("s")])


_RULES: Sequence[tuple[tuple[str, ...], Callable[..., Floats]]] = (
    (
        (
            "Share of a category = (s - q) / (p - q)",
            "s is the share of reports that support it",
        ),
        _of_supports,
    ),
    (
        (
            "Share of a category = (d s - q - (d - 1) phi) / (p - q)",
            "s is the share of reports that support it",
        ),
        _of_fakes,
    ),
    (
        (
            "Shares of all categories = the row of their reports’ shares",
            "times the inverse of the plan’s matrix",
            "a row for each true category and a column for each reported one",
        ),
        _of_matrix,
    ),
    (
        (
            "t = (c - F N) / (1 - 2 F)",
            "c of the N reports of a cohort have the bit",
            "Shares = least squares of t times 2 / n on a table of 0 and 1",
            "a row for each cohort and bit, a column for each category, 1 for its bits",
        ),
        _of_filters,
    ),
    (("Mean = the average of the reports",), _of_average),
    (
        (
            "Mean = the average of phi(report)",
            "s_i = x_i times the sum over j of r^|i-j|",
            "s = 0 beyond the ends",
            "phi(x_i) = (c s_i - r (s_(i-1) + s_(i+1))) / (1 - r^2)",
            "c = 1 at the ends, else 1 + r^2",
        ),
        _of_laplace,
    ),
    (
        (
            "Mean = the average of phi(report)",
            "n_i is the number of points nearer to x_i than g =",
            "for every i: sum of phi + u times its sum over those points = x_i (",
        ),
        _of_staircase,
    ),
    (("Mean = c + (a - c) / s", "a is the average of the reports"), _of_middle),
)
"""What the words of a rule are, every one of them, and what they ask for."""
