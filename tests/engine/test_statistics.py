"""Rows of respondents are bounded at random; noise is OpenDP's alone; ratios keep epsilon."""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from math import exp
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from dpdesk.data.read_file import load_declared
from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn, table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.engine import statistics as engine
from dpdesk.engine import untracked
from dpdesk.engine.counted_rows import CountedRows, bounded_rows
from dpdesk.engine.statistics import coded_rows, release_statistics
from dpdesk.errors import PlanError
from dpdesk.numbers import arrays
from dpdesk.plan import Plan
from dpdesk.plan.checks.statistics import check_statistics_table
from dpdesk.queries import (
    QUERIES,
    CodedRows,
    Condition,
    Count,
    Mean,
    MeasuredQuery,
    MostCommon,
    PrivacyUnit,
    Quantile,
    Query,
    Share,
    Sum,
    Variance,
)
from dpdesk.queries.most_common import BoundMostCommon
from dpdesk.queries.noise import measurement
from dpdesk.queries.quantile import BoundQuantile
from dpdesk.queries.selection import choice
from dpdesk.randomness import SystemWords
from tests.reports.asked import asked_plan, asked_table

ALPHA = 1e-9
DRAWS = 3_000


def positions(counted: CountedRows) -> NDArray[np.int64]:
    """Where the rows that count stand."""
    return np.concatenate([rows.start + np.flatnonzero(own) for rows, own in counted.flags()])


class TestContributions:
    """At most so many rows of a respondent count."""

    @pytest.mark.parametrize("most", [1, 2, 3])
    @pytest.mark.parametrize("together", [2, 4, 1 << 20])
    def test_that_the_first_rows_of_each_count(
        self, most: int, together: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # A large table is looked at piece by piece.
        monkeypatch.setattr(arrays, "ROWS_TOGETHER", together)
        # Respondent 0 has four rows, 1 has one, 2 has three, 3 is nobody.
        people = np.array([0, 2, 3, 0, 1, 2, 0, 3, 2, 0] * 3, dtype=np.int32)[:10]
        column = TextColumn("id", people, pa.array(["a", "b", "c", ""]))
        kept = positions(bounded_rows(column, column.blank, most))
        wanted = [
            row
            for row, whose in enumerate(people)
            if whose < 3 and (people[:row] == whose).sum() < most
        ]
        assert kept.tolist() == wanted

    def test_that_of_no_rows_none_counts(self) -> None:
        column = TextColumn.from_texts("id", ())
        assert bounded_rows(column, column.blank, 1).count == 0

    @pytest.mark.parametrize("most", [1, 2])
    def test_that_a_release_counts_no_more_and_leaves_unknown_respondents_out(
        self, most: int
    ) -> None:
        table = table_from_texts(
            {"id": ["a", "a", "a", "b", "", "?"], "sex": ["f", "f", "f", "m", "m", "m"]}
        )
        unit = PrivacyUnit(respondent_column="id", rows_per_respondent=most)
        plan = asked_plan(unit, "count by sex").with_column(
            "id", missing={"tokens": ("", "?"), "policy": "none"}
        )
        rows = coded_rows(table, plan)
        assert rows.rows == most + 1
        assert rows.count(("sex",)).tolist() == [most, 1]

    def test_that_respondents_whose_names_cannot_be_read_are_nobody(self, tmp_path: Path) -> None:
        # Two of them would be taken for one, and a new one would displace the answer of another.
        (tmp_path / "t.csv").write_bytes(b"id,sex\nJos\xe9,f\nJos\xe8,m\nAnna,m\n")
        table = load_declared(tmp_path / "t.csv", Reading())
        unit = PrivacyUnit(respondent_column="id", rows_per_respondent=1)
        rows = coded_rows(table, asked_plan(unit, "count by sex"))
        assert rows.count(("sex",)).tolist() == [0, 1]


class TestRandomness:
    """Where noise comes from."""

    @pytest.fixture
    def calls(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Counts draws of OpenDP; any other source of randomness fails."""
        found: list[str] = []
        adds, chooses = measurement.add_noise, choice.choice_measurement

        def adding(*given: object) -> object:
            found.append("noise")
            return adds(*given)  # type: ignore[arg-type]

        def choosing(*given: object) -> object:
            found.append("choice")
            return chooses(*given)  # type: ignore[arg-type]

        def forbidden(*_: object, **__: object) -> None:
            raise AssertionError("another source of randomness")

        monkeypatch.setattr("dpdesk.queries.noise.calibrated.add_noise", adding)
        monkeypatch.setattr(choice, "choice_measurement", choosing)
        monkeypatch.setattr(SystemWords, "take", forbidden)
        monkeypatch.setattr(np.random, "default_rng", forbidden)
        monkeypatch.setattr(random, "random", forbidden)
        return found

    def test_that_opendp_alone_draws_noise_and_choices(self, calls: list[str]) -> None:
        plan, table = asked_plan(), asked_table()
        # Calibration reads maps of the same measurements.
        engine.bind_queries(plan)
        calls.clear()
        release_statistics(table, plan, untracked())
        # A share is one vector, a mean two, a deviation three.
        assert calls.count("noise") == 1 + 1 + 1 + 2 + 1 + 3 + 1
        assert calls.count("choice") == 2

    def test_that_nothing_takes_a_seed(self) -> None:
        functions = [release_statistics, measurement.add_noise, choice.CalibratedChoice.draw]
        functions += [MeasuredQuery.release, BoundQuantile.release, BoundMostCommon.release]
        for function in functions:
            assert not {"seed", "rng", "random_state"} & set(inspect.signature(function).parameters)
        for query in QUERIES:
            assert not {"seed", "rng"} & set(query.model_fields)


DOMAINS = {"sex": Categorical(values=("f", "m")), "score": Integer(lower=0, upper=2)}
ROWS = tuple(product((-1, 0, 1), (-1, 0, 2)))
FEMALE = Condition(column="sex", values=("f",))
EPSILON = Decimal("0.8")
ASKED: tuple[Query, ...] = (
    Count(where=(FEMALE,), epsilon=EPSILON),
    Count(by=("sex",), epsilon=EPSILON),
    Share(meeting=(FEMALE,), epsilon=EPSILON),
    Sum(column="score", by=("sex",), epsilon=EPSILON),
    Mean(column="score", epsilon=EPSILON),
    Variance(column="score", epsilon=EPSILON),
)


def coded(*rows: tuple[int, int]) -> CodedRows:
    codes = np.asarray(rows, dtype=np.int32).reshape(-1, 2)
    return CodedRows(len(rows), {"sex": codes[:, 0], "score": codes[:, 1]}, DOMAINS)


def neighbours(unit: PrivacyUnit) -> Iterator[tuple[CodedRows, CodedRows]]:
    others = ((0, 2), (1, 0))
    for row in ROWS:
        if unit.relation == "add_remove":
            yield coded(*others), coded(*others, row)
        else:
            yield from ((coded(*others, row), coded(*others, other)) for other in ROWS)


class TestRatio:
    """The chance of no result is more than e^epsilon times as large for a neighbour."""

    @pytest.mark.parametrize("unit", [PrivacyUnit(), PrivacyUnit(relation="replace")])
    @pytest.mark.parametrize("query", ASKED, ids=lambda q: q.description)
    def test_of_sums_by_the_law_of_their_noise(self, query: Query, unit: PrivacyUnit) -> None:
        """Cells and parts are independent: the largest ratio is the product of theirs."""
        bound = query.bind(DOMAINS, unit)
        assert isinstance(bound, MeasuredQuery)
        assert bound.cost.epsilon <= EPSILON
        results = np.arange(-60, 61)
        worst = 0.0
        for one, other in neighbours(unit):
            loss = 0.0
            for part, first, second in zip(
                bound.parts, bound.sums(one), bound.sums(other), strict=True
            ):
                for a, b in zip(first.reshape(-1), second.reshape(-1), strict=True):
                    ratio = part.noise.law(results - a) / part.noise.law(results - b)
                    loss += float(np.log(ratio).max())
            worst = max(worst, loss)
        assert worst <= float(bound.cost.epsilon) * (1 + 1e-9)
        assert worst >= 0.3 * float(EPSILON)

    @pytest.mark.parametrize("unit", [PrivacyUnit(), PrivacyUnit(relation="replace")])
    def test_of_choices_by_their_exact_law(self, unit: PrivacyUnit) -> None:
        common = MostCommon(column="sex", epsilon=EPSILON).bind(DOMAINS, unit)
        median = Quantile(column="score", epsilon=EPSILON).bind(DOMAINS, unit)
        worst = 0.0
        for one, other in neighbours(unit):
            for bound, draw in (
                (common, lambda rows: common.choice.law(rows.count(("sex",)))),
                (median, lambda rows: median.choices[0].law(rows.count(("score",)))),
            ):
                loss = float(np.abs(np.log(draw(one) / draw(other))).max())
                worst = max(worst, loss)
                assert loss <= float(bound.cost.epsilon) * (1 + 1e-9)
                assert bound.cost.epsilon <= EPSILON
        assert worst >= 0.5 * float(EPSILON)


class TestDifferencing:
    """Two counts that differ by one person tell little about that person."""

    def test_that_the_best_guess_is_right_no_more_often_than_the_stated_odds(self) -> None:
        # All rows, and all but one's: the difference of both counts is the person's answer.
        everybody = Count(where=(FEMALE,), epsilon=Decimal("0.5"))
        bound = everybody.bind(DOMAINS, PrivacyUnit())
        noise = bound.parts[0].noise
        epsilon = 2 * float(bound.cost.epsilon)
        odds = exp(epsilon) / (1 + exp(epsilon))
        # The person's answer is in both counts or in one; the guesser knows all others.
        points = np.arange(-80, 81)
        law = noise.law(points)
        truth, lie = np.outer(noise.law(points - 1), law), np.outer(law, law)
        exactly = np.maximum(truth, lie).sum() / 2
        assert 0.5 < exactly <= odds
        draws, right = 2_000, 0
        for turn in range(draws):
            answer = turn % 2
            with_them, without = noise.draw([7 + answer])[0], noise.draw([7])[0]
            gap = with_them - without
            guess = gap > 0.5 or (gap == 0.5 and turn % 4 < 2)
            right += guess == bool(answer)
        assert binom.sf(right - 1, draws, odds) > ALPHA


class TestTable:
    """Checks against the data, before anything is drawn."""

    def test_that_sums_that_could_be_inexact_are_refused_before_the_charge(self) -> None:
        table = asked_table(900)
        plan = asked_plan(None, "variance of age; noise=laplace").with_column(
            "age", domain=Integer(lower=0, upper=900_000)
        )
        charged: list[bool] = []
        # 900,000 squared is within 2^53; 900 rows of it are in doubles no more than that.
        assert {p.code for p in check_statistics_table(plan, table)} == {"respondents_differ"}
        large = table_from_texts({"age": ["5"] * 12_000})
        problems = check_statistics_table(plan, large)
        assert [problem.code for problem in problems] == ["sums_too_large", "respondents_differ"]
        with pytest.raises(PlanError, match="range of exact numbers"):
            release_statistics(large, plan, untracked(), lambda: charged.append(True))
        assert not charged

    def test_that_undeclared_others_and_missing_values_are_refused(self) -> None:
        plan: Plan = asked_plan(None, "mean of age").with_column(
            "age", missing={"policy": "value", "value": "many"}
        )
        with pytest.raises(PlanError, match="is not among its possible answers"):
            release_statistics(asked_table(), plan, untracked())


@pytest.mark.parametrize("most", [1, 2])
def test_that_rows_of_one_person_are_no_sample_of_people(most: int) -> None:
    table = table_from_texts(
        {"id": [f"p{row // 2}" for row in range(80)], "sex": ["f", "m", "m", "m"] * 20}
    )
    unit = PrivacyUnit(respondent_column="id", rows_per_respondent=most)
    plan = asked_plan(unit, "share with sex is f")
    released = release_statistics(table, plan, untracked(), has_report=False)
    known = {
        one.total_lower is not None for result in released.results for one in result.statistics
    }
    assert known == {most == 1}
