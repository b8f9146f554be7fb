"""Cross-tables, means and shares by group from sanitized records."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import isnan, nan, sqrt
from pathlib import Path

import numpy as np
import pytest

from dpdesk.domains import Categorical
from dpdesk.engine.tables_and_models import Asked, TestAnswer
from dpdesk.engine.texts import T
from dpdesk.estimation.independence import independence
from dpdesk.estimation.joint import JointCell, cross_table, means_by_group, shares_by_group
from dpdesk.estimation.released_columns import released_columns
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.plan import ColumnPlan, Plan
from tests.plan.plans import mechanism

TRUE = {
    (u, v): Fraction(n, 12)
    for (u, v), n in zip(product("abc", "xy"), (1, 2, 3, 1, 1, 4), strict=True)
}
"""The joint table of the worked example."""


def _column(name: str, values: str, **fields: object) -> ColumnPlan:
    return ColumnPlan(
        name=name,
        kind="nominal",
        domain=Categorical(values=tuple(values)),
        confirmed=True,
        **fields,
    )


def _protected(name: str, values: str, epsilon: str) -> ColumnPlan:
    return _column(name, values, role="protect", mechanism=mechanism("grr", epsilon))


def _column_kept(name: str, values: str) -> ColumnPlan:
    return _column(name, values, role="keep", keep_confirmed=True)


def example(kept: str = "") -> Plan:
    """Two attributes: GRR of three categories at ln 3, and of two at ln 2."""
    columns = [
        _column_kept(name, values) if name in kept else _protected(name, values, epsilon)
        for name, values, epsilon in (("A", "abc", "1.098612288668"), ("B", "xy", "0.69314718056"))
    ]
    return Plan(columns=tuple(columns))


def _grr(true: str, said: str, values: str, growth: int) -> Fraction:
    return Fraction(growth if true == said else 1, growth + len(values) - 1)


def expected_records(times: int = 1, kept: str = "") -> list[tuple[str, str]]:
    """Records with exactly the frequencies that are expected of the reports, 180 times `times`."""
    found = []
    for y, z in product("abc", "xy"):
        chance = sum(
            share
            * (Fraction(u == y) if "A" in kept else _grr(u, y, "abc", 3))
            * (Fraction(v == z) if "B" in kept else _grr(v, z, "xy", 2))
            for (u, v), share in TRUE.items()
        )
        count = 180 * times * chance
        assert count.denominator == 1
        found += [(y, z)] * int(count)
    return found


def write(path: Path, records: list[tuple[str, ...]], header: str = "A,B") -> Path:
    path.write_text("\n".join([header, *(",".join(record) for record in records)]) + "\n")
    return path


def test_that_a_cross_table_has_the_shares_and_the_error_of_the_worked_example(
    tmp_path: Path,
) -> None:
    records = write(tmp_path / "records.csv", expected_records(10))
    found = cross_table(ScoredRecords(records, example()), ("A", "B"))
    wanted = np.array([[float(TRUE[u, v]) for v in "xy"] for u in "abc"])
    assert found.value == pytest.approx(wanted, abs=1e-9)
    assert found.records == 1800
    assert found.standard_error[0, 0] ** 2 * (1800 - 1) == pytest.approx(473 / 144, rel=1e-9)
    # Where the unbiased table is possible, it is the most likely one.
    assert found.most_likely == pytest.approx(wanted, abs=1e-4)
    # Counted together, reports are drawn towards independence.
    naive = expected_records().count(("a", "x")) / 180
    assert naive == pytest.approx(5 / 36)
    assert wanted[0, 0] == pytest.approx(3 / 36)


def test_that_kept_columns_have_no_noise(tmp_path: Path) -> None:
    records = write(tmp_path / "records.csv", expected_records(kept="AB"))
    found = cross_table(ScoredRecords(records, example("AB")), ("A", "B"))
    wanted = np.array([[float(TRUE[u, v]) for v in "xy"] for u in "abc"])
    assert found.value == pytest.approx(wanted)
    assert found.standard_error == pytest.approx(np.sqrt(wanted * (1 - wanted) / 179))
    assert (found.noise_error == 0).all()


def test_that_the_test_of_independence_of_kept_columns_is_pearsons(tmp_path: Path) -> None:
    from scipy.stats import chi2_contingency

    listed = expected_records(kept="AB")
    records = write(tmp_path / "records.csv", listed)
    found = independence(ScoredRecords(records, example("AB")), "A", "B")
    counts = np.array([[listed.count((u, v)) for v in "xy"] for u in "abc"])
    wanted = chi2_contingency(counts, correction=False)
    assert found.test is not None
    assert found.test.statistic == pytest.approx(wanted.statistic)
    assert (found.test.freedom, found.test.p_value) == (wanted.dof, pytest.approx(wanted.pvalue))
    n = counts.sum()
    down, across = counts.sum(axis=1, keepdims=True) / n, counts.sum(axis=0, keepdims=True) / n
    assert found.observed == pytest.approx(counts / n)
    assert found.expected == pytest.approx(down * across)
    # Haberman 1973: Pearson's residuals over their standard errors.
    spread = np.sqrt(down * across * (1 - down) * (1 - across) / n)
    assert found.residual == pytest.approx((counts / n - down * across) / spread)
    most = max(found.cells(), key=lambda cell: abs(cell.residual))
    assert found.strongest == most


def test_that_a_test_that_shows_dependence_names_the_answers_that_tell_most(tmp_path: Path) -> None:
    records = write(tmp_path / "records.csv", expected_records(100, kept="AB"))
    plan = example("AB")
    found = independence(ScoredRecords(records, plan), "A", "B")
    most = found.strongest
    assert most is not None
    said = TestAnswer(Asked(plan), found).verdict
    share, expected = f"{100 * most.observed:.1f} %", f"{100 * most.expected:.1f} %"
    pair = [f"A {most.labels[0]}", f"B {most.labels[1]}"]
    assert said == T.DEPENDENT(pair=pair, share=share, expected=expected)


@pytest.mark.parametrize("weights", [("1", "1"), ("1", "2")])
def test_that_an_answer_of_which_no_report_tells_does_not_stand_out(
    tmp_path: Path, weights: tuple[str, str]
) -> None:
    # At epsilon 12 nearly every report is true, and nobody said c.
    weighted = ColumnPlan(name="w", kind="weight", role="keep", keep_confirmed=True)
    plan = Plan(columns=(_protected("A", "abc", "12"), _column_kept("B", "xy"), weighted))
    rows = [("ab"[row % 2], "xy"[row % 3 == 0], weights[row % 2]) for row in range(3000)]
    records = ScoredRecords(write(tmp_path / "records.csv", rows, "A,B,w"), plan)
    found = independence(records, "A", "B")
    assert np.abs(found.residual[2]).max() < 0.1
    assert np.abs(found.residual[:2]).max() < 4


def test_that_shares_within_groups_are_the_true_ones(tmp_path: Path) -> None:
    records = write(tmp_path / "records.csv", expected_records(100, kept="A"))
    found = shares_by_group(ScoredRecords(records, example("A")), "B", ("A",))
    for group, u in enumerate("abc"):
        inside = TRUE[u, "x"] + TRUE[u, "y"]
        share = float(TRUE[u, "x"] / inside)
        assert found.value[group, 0] == pytest.approx(share, abs=1e-9)
        # Of the people of a group alone: the randomized response of two answers.
        said = Fraction(1, 3) + Fraction(1, 3) * TRUE[u, "x"] / inside
        alone = sqrt(9 * float(said * (1 - said)) / (18000 * float(inside)))
        assert found.standard_error[group, 0] == pytest.approx(alone, rel=1e-3)


def test_that_kept_numbers_without_a_domain_have_a_mean_by_group(tmp_path: Path) -> None:
    number = ColumnPlan(name="N", kind="real", role="keep", keep_confirmed=True)
    plan = Plan(columns=(_column("A", "abc", role="keep", keep_confirmed=True), number))
    rows = [("a", "1.5"), ("a", "2.5"), ("b", "7"), ("b", ""), ("c", "-1")] * 100
    records = ScoredRecords(write(tmp_path / "records.csv", rows, "A,N"), plan)
    means = {cell.labels[0]: cell.value for cell in means_by_group(records, "N", ("A",)).cells()}
    assert means == pytest.approx({"a": 2.0, "b": 7.0, "c": -1.0})
    assert released_columns(plan)[1].are_numbers


def test_that_an_error_stands_beside_an_interval_only_where_it_is_half_of_it() -> None:
    even = JointCell(("a",), ("a",), 40.0, 1.5, nan, 37.0, 43.1, None, None)
    assert even.half_width == pytest.approx(3.05)
    uneven = JointCell(("b",), ("b",), 42.3, 6.7, nan, 28.8, 58.3, None, None)
    assert not uneven.is_even
    assert isnan(uneven.half_width)
    untold = JointCell(("c",), ("c",), nan, nan, nan, 0.0, 1.0, None, None)
    assert untold.is_even
    assert isnan(untold.half_width)
