"""Intervals of rare and common cells hold the truth as often as they say, drawn again and again."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.domains import Categorical, OptionSet
from dpdesk.estimation.joint import JointEstimates, cross_table, shares_by_group
from dpdesk.estimation.record_patterns import Patterns, Together
from dpdesk.estimation.released import bind_attributes
from dpdesk.estimation.report_scores import protected_variable
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.learning.curve import SeededWords
from dpdesk.mechanisms import BoundMechanism
from dpdesk.mechanisms.registry import mechanism_named
from dpdesk.plan import ColumnPlan, Plan
from tests.plan.plans import mechanism

SURVEYS = 250


def _column(name: str, size: int, kind: str, epsilon: str) -> ColumnPlan:
    return ColumnPlan(
        name=name,
        kind="nominal",
        domain=Categorical(values=tuple(f"{name}{code}" for code in range(size))),
        confirmed=True,
        role="protect",
        mechanism=mechanism(kind, epsilon),
    )


def _bound(columns: tuple[ColumnPlan, ...]) -> list[tuple[ColumnPlan, BoundMechanism]]:
    return list(bind_attributes(Plan(columns=columns)))


class Surveys:
    """Surveys that are sanitized in memory."""

    def __init__(self, columns: tuple[ColumnPlan, ...], seed: int = 5) -> None:
        self.columns = _bound(columns)
        self.draw, self.words = np.random.default_rng(seed), SeededWords(seed)
        self.shape = tuple(bound.size for _, bound in self.columns)

    def table(self) -> NDArray[np.float64]:
        """A table with shares from .0001 to about a fifth."""
        shares = self.draw.gamma(0.35, size=self.shape)
        shares = np.maximum(shares, 1e-4 * shares.max())
        return np.asarray(shares / shares.sum())

    def together(
        self, truth: NDArray[np.float64], people: int, chances: tuple[float, float] = (1, 1)
    ) -> Together:
        """Answers of people, of whom those with an even and an odd last answer differ in weight."""
        cells = self.draw.choice(truth.size, size=round(people / np.mean(chances)), p=truth.ravel())
        answers = np.unravel_index(cells, self.shape)
        chance = np.where(answers[-1] % 2 == 0, *chances)
        kept = self.draw.random(chance.size) < chance
        reports: dict[str, Any] = {}
        variables = []
        for (column, bound), codes in zip(self.columns, answers, strict=True):
            told = bound.randomize(codes[kept].astype(np.int32), self.words)
            ones = np.ones((len(told), 1), dtype=told.dtype)
            reports[column.name] = told + 1 if told.ndim == 1 else np.hstack((ones, told))
            variables.append(protected_variable(column, bound, told[:1], lacks=False))
        weights = 1 / chance[kept]
        ones = np.ones(weights.size, dtype=np.int64)
        found = Patterns(reports, {}, ones, weights, weights**2).counted()
        return Together(tuple(variables), lambda: iter((found,)), found.totals, found)

    def coverage(
        self, truth: NDArray[np.float64], people: int, **drawn: Any
    ) -> NDArray[np.float64]:
        """How often intervals hold the truth where they are told, and how often they are.

        Of cells, then of shares within groups.
        """
        names = [column.name for column, _ in self.columns]
        cells = truth.reshape(-1, self.shape[-1])
        held, told = np.zeros((2, 2, *cells.shape))
        for _ in range(SURVEYS):
            together = self.together(truth, people, **drawn)
            records = cast(ScoredRecords, SimpleNamespace(together=lambda _, of=together: of))
            tables: tuple[tuple[JointEstimates, NDArray[np.float64]], ...] = (
                (cross_table(records, names), cells),
                (
                    shares_by_group(records, names[-1], names[:-1]),
                    cells / cells.sum(axis=1, keepdims=True),
                ),
            )
            for place, (found, true) in enumerate(tables):
                is_told = ~np.isnan(found.value.reshape(true.shape))
                told[place] += is_told
                lower, upper = (end.reshape(true.shape) for end in (found.lower, found.upper))
                held[place] += is_told & (lower <= true) & (true <= upper)
        return np.stack((held / np.maximum(told, 1), told / SURVEYS), axis=1)


def _require_coverage(held: NDArray[np.float64], told: NDArray[np.float64]) -> None:
    """Between .93 and .98 but for what as many draws of a share of .95 differ by, in each cell."""
    assert told.any()
    slack = 3.3 * np.sqrt(0.95 * 0.05 / (SURVEYS * np.maximum(told, 1 / SURVEYS)))
    assert (np.abs(held - 0.955) < 0.02 + slack)[told > 0.3].all()
    assert held[told > 0.3].mean() == pytest.approx(0.953, abs=0.013)


@pytest.mark.parametrize(
    ("size", "kinds", "epsilon", "people"),
    [
        (5, ("grr", "grr"), "2", 200),
        (10, ("grr", "grr"), "2", 500),
        (5, ("oue", "subset_selection"), "1.5", 200),
        (3, ("grr", "grr", "olh"), "2", 300),
    ],
)
def test_that_each_cell_and_each_share_within_a_group_has_its_coverage(
    size: int, kinds: tuple[str, ...], epsilon: str, people: int
) -> None:
    surveys = Surveys(
        tuple(_column(name, size, kind, epsilon) for name, kind in zip("ABC", kinds, strict=False))
    )
    truth = surveys.table()
    for held, told in surveys.coverage(truth, people):
        _require_coverage(held, told)


def test_that_cells_of_weighted_respondents_have_their_coverage() -> None:
    surveys = Surveys(tuple(_column(name, 5, "grr", "2") for name in "AB"))
    truth = surveys.table()
    (held, told), _ = surveys.coverage(truth, 250, chances=(0.9, 0.25))
    assert told.all()
    assert held.min() > 0.92
    assert held.mean() < 0.98


@pytest.mark.parametrize(
    "kind", ["grr", "sue", "oue", "subset_selection", "hadamard", "olh", "pram", "rappor"]
)
def test_that_mean_squares_of_scores_are_those_of_reports(kind: str) -> None:
    domain = Categorical(values=("a", "b", "c", "d"))
    made = mechanism_named(kind).starting(domain, Decimal("1.5"))
    column = ColumnPlan(
        name="A", kind="nominal", domain=domain, confirmed=True, role="protect", mechanism=made
    )
    ((_, bound),) = _bound((column,))
    shares, draws, words = np.array([0.4, 0.3, 0.2, 0.1]), 30_000, SeededWords(3)
    one = bound.randomize(np.zeros(1, np.int32), words)
    variable = protected_variable(column, bound, one, lacks=False)
    squares = np.empty((4, 4))
    for code in range(4):
        told = bound.report_scores(bound.randomize(np.full(draws, code, np.int32), words))
        squares[code] = (told**2).mean(axis=0)
    true, false = variable.categories().squares(shares)
    assert true == pytest.approx(np.diag(squares), rel=0.04)
    of_others = (shares @ squares - shares * np.diag(squares)) / (1 - shares)
    assert false == pytest.approx(of_others, rel=0.06)


def test_that_mean_squares_of_options_are_those_of_reports() -> None:
    domain = OptionSet(values=("a", "b", "c", "d"))
    made = mechanism_named("set_response").starting(domain, Decimal("1.5"))
    column = ColumnPlan(
        name="A", kind="several", domain=domain, confirmed=True, role="protect", mechanism=made
    )
    ((_, bound),) = _bound((column,))
    variable = protected_variable(column, bound, np.empty((0, 4), np.uint8), lacks=False)
    words = SeededWords(3)
    # Nothing is ticked, and the first option alone.
    none, first = (
        (bound.report_scores(bound.randomize(np.full(40_000, code, np.int32), words)) ** 2).mean(0)
        for code in (0, 1)
    )
    true, false = variable.categories().squares(np.full(4, 0.5))
    assert false == pytest.approx(none, rel=0.05)
    assert true[0] == pytest.approx(first[0], rel=0.05)
