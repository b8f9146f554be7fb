"""Survey files of a size and shape that people have, with the truth about everybody in them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Key = tuple[str, str, str]
"""An attribute, a quantity such as "mean", and a category or nothing, as in estimates.csv."""

REGIONS = ("East", "North", "South", "West")
CONDITIONS = ("asthma", "diabetes", "heart")
NO_ANSWER, AMONG_ANSWERED = "(no answer)", "share among those who answered"


@dataclass(frozen=True)
class HealthSurvey:
    """A sample in which the north has too many respondents, so that it needs its weights.

    Attributes:
        path: The file.
        rows: Its cells by column.
        weights: The weight of each respondent.
    """

    path: Path
    rows: dict[str, list[str]]
    weights: NDArray[np.float64]

    def truth(self, region: str | None = None) -> dict[Key, float]:
        """The weighted shares and means of everybody, or of a region: shares from 0 to 1."""
        here = np.array([region in (None, one) for one in self.rows["region"]])
        weights = self.weights * here

        def share(column: str, holds: Callable[[str], bool]) -> float:
            chosen = np.array([holds(cell) for cell in self.rows[column]])
            return float(weights @ chosen / weights.sum())

        found: dict[Key, float] = {}
        for name, codes in (("age", {"99"}), ("cigarettes", {"", "-9"})):
            answered = np.array([cell not in codes for cell in self.rows[name]])
            numbers = np.array([0 if c in codes else int(c) for c in self.rows[name]])
            of_who_answered = weights * answered
            found[name, "mean", ""] = float(of_who_answered @ numbers / of_who_answered.sum())
            found[name, "share answered", ""] = float(of_who_answered.sum() / weights.sum())
        for category in ("female", "male"):
            found["sex", "share", category] = share("sex", category.__eq__)
        for name, code, categories in (
            ("smoker", "refused", ("no", "yes")),
            ("health", "-9", tuple("12345")),
        ):
            missing = share(name, code.__eq__)
            found[name, "share", NO_ANSWER] = missing
            for category in categories:
                of_all = share(name, category.__eq__)
                found[name, "share", category] = of_all
                found[name, AMONG_ANSWERED, category] = of_all / (1 - missing)
        for condition in CONDITIONS:
            found["cond", "share", condition] = share(f"cond_{condition}", "1".__eq__)
        return found


def write_health(path: Path, respondents: int = 6_000) -> HealthSurvey:
    """Writes a health survey: codes of no answer, a skipped question, one of several, weights."""
    draw = np.random.default_rng(20_311)
    region = draw.choice(REGIONS, respondents, p=(0.3, 0.4, 0.2, 0.1))
    sex = draw.choice(("female", "male"), respondents)
    age = np.clip(np.rint(draw.gamma(9, 5.4, respondents)), 18, 85).astype(int)
    smokes = draw.random(respondents) < np.where(sex == "male", 0.32, 0.22)
    cigarettes = np.clip(draw.poisson(12, respondents), 2, 30)
    health = np.clip(np.rint(draw.normal(3.4 - (age - 48) / 40, 0.9)), 1, 5).astype(int)

    def unless(answers: NDArray[Any], code: str, part: float) -> NDArray[np.str_]:
        return np.where(draw.random(respondents) < part, code, answers.astype(str))

    smoker = unless(np.where(smokes, "yes", "no"), "refused", 0.06)
    weights = np.select([region == one for one in REGIONS], [1.0, 0.7, 1.2, 1.8])
    weights = np.round(weights * draw.choice((0.9, 1.0, 1.1), respondents), 2)
    columns: dict[str, NDArray[Any]] = {
        "region": region,
        "sex": sex,
        "age": unless(age, "99", 0.04),
        "smoker": smoker,
        # Only who smokes is asked how much.
        "cigarettes": np.where(smoker == "yes", unless(cigarettes, "-9", 0.05), ""),
        "health": unless(health, "-9", 0.08),
    }
    chances = (0.12 + 0 * age, 0.09 + 0.002 * (age - 48), 0.06 + 0 * age)
    for name, chance in zip(CONDITIONS, chances, strict=True):
        columns[f"cond_{name}"] = (draw.random(respondents) < chance).astype(int)
    columns["weight"] = weights
    rows = {name: [str(cell) for cell in cells] for name, cells in columns.items()}
    _write(path, rows)
    return HealthSurvey(path, rows, weights)


# Shares of the Adult census extract (UCI), in per mille, and ages as its quantiles.
_MARGINALS: dict[str, Sequence[int]] = {
    "workclass": (31, 68, 736, 36, 83, 1, 43),
    "education": (27, 38, 13, 5, 18, 13, 15, 33, 45, 167, 12, 325, 55, 2, 18, 214),
    "marital_status": (139, 1, 466, 12, 323, 31, 28),
    "occupation": (122, 133, 132, 33, 45, 66, 106, 5, 132, 21, 120, 32, 51, 2),
    "relationship": (413, 259, 30, 147, 105, 46),
    "race": (10, 29, 93, 8, 860),
    "sex": (325, 675),
    "born": (913, 20, 15, 12, 10, 8, 7, 6, 5, 4),
    "earnings": (752, 248),
}
BLOCKS = ("household", "person", "work", "school", "health", "moving", "language", "income")


def write_census(path: Path, respondents: int, columns: int = 200) -> dict[str, list[str]]:
    """Writes a census extract of many columns with the marginals of a real one; returns them."""
    draw = np.random.default_rng(1994)
    rows = {"person_id": [f"P{100_000 + number}" for number in range(respondents)]}
    per_block = len(_MARGINALS) + 1
    for number in range(columns - 1):
        block = BLOCKS[number // per_block % len(BLOCKS)]
        again = number // (per_block * len(BLOCKS)) + 1
        tail = "" if again == 1 else f"_{again}"
        kind = number % per_block
        if kind == 0:
            ages = np.clip(np.rint(draw.gamma(8.4, 4.6, respondents)), 17, 90).astype(int)
            rows[f"{block}_age{tail}"] = [str(age) for age in ages]
            continue
        name, shares = list(_MARGINALS.items())[kind - 1]
        chances = np.array(shares) / sum(shares)
        cells = draw.choice(len(shares), respondents, p=chances)
        rows[f"{block}_{name}{tail}"] = [f"{name} {cell}" for cell in cells]
    _write(path, rows)
    return rows


def _write(path: Path, rows: dict[str, list[str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(rows)
        writer.writerows(zip(*rows.values(), strict=True))
