"""What is told of every table before any row is made, and whether it holds afterwards."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations

import numpy as np
import pytest

from dpdesk.domains import Categorical
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.checks.synthesis import check_synthesis
from dpdesk.plan.release_usefulness import usefulness_of_synthesis
from dpdesk.plan.synthesis import Synthesis
from dpdesk.queries import PrivacyUnit
from dpdesk.randomness import SystemWords
from dpdesk.synthesis.budget import SynthesisBudget
from dpdesk.synthesis.forecast import dependent_most, forecast
from dpdesk.synthesis.released_error import supposed_errors
from dpdesk.synthesis.synthesis import synthesize
from dpdesk.synthesis.trusted_counts import TrustedCounts
from tests.synthesis.test_distances import PAIRS, ROWS, SIZES, distances, people

CENSUS = (16, 7, 16, 7, 14, 6, 5, 2, 41, 2)
"""States of the columns of the census extract Adult, which has 45,222 rows."""


def census_plan(epsilon: str, rows: int | None = 45_222) -> Plan:
    columns = tuple(
        ColumnPlan(
            name=f"c{at}",
            kind="nominal",
            domain=Categorical(values=tuple(f"v{code}" for code in range(size))),
            confirmed=True,
            role="protect",
        )
        for at, size in enumerate(CENSUS)
    )
    return Plan(columns=columns, respondents=rows, synthesis=Synthesis(epsilon=Decimal(epsilon)))


def test_that_every_table_of_two_columns_has_a_forecast() -> None:
    budget = SynthesisBudget(Decimal(1), Decimal(0), PrivacyUnit(), len(CENSUS))
    said = forecast(supposed_errors(budget, CENSUS, 45_222))
    assert [pair.columns for pair in said.by_pair] == list(combinations(range(10), 2))
    for pair in said.by_pair:
        one, other = (CENSUS[column] for column in pair.columns)
        assert pair.cells == one * other
        noise = budget.noise_distance(pair.cells, said.rounds, 45_222)
        assert pair.measured is not None
        # Drawing whole rows adds to tables of few cells, of which noise moves little.
        assert 0.5 * noise < pair.measured < 1.3 * noise + 0.002
        assert pair.independent == sum(said.one_way[column] for column in pair.columns)
        assert pair.dependent == min(1, pair.independent + 1 - 1 / min(one, other))


def test_that_a_table_of_too_many_cells_is_said_not_to_be_measured() -> None:
    budget = SynthesisBudget(Decimal(1), Decimal(0), PrivacyUnit(), 3)
    said = forecast(supposed_errors(budget, (10_000, 20, 3), 50_000))
    assert [pair.measured is None for pair in said.by_pair] == [True, False, False]


@pytest.mark.parametrize("seed", range(30))
def test_that_no_joint_distribution_is_further_from_independence_than_is_said(seed: int) -> None:
    generator = np.random.default_rng(seed)
    one, other = generator.integers(2, 6, 2)
    # From nearly independent to nearly determined.
    joint = generator.dirichlet(np.full(one * other, 10.0 ** generator.uniform(-3, 1)))
    joint = joint.reshape(one, other)
    apart = np.abs(joint - np.outer(joint.sum(1), joint.sum(0))).sum() / 2
    assert apart <= dependent_most(0.0, int(one), int(other)) + 1e-12


def test_that_the_bound_of_dependence_is_reached() -> None:
    joint = np.eye(4) / 4
    apart = np.abs(joint - np.outer(joint.sum(1), joint.sum(0))).sum() / 2
    assert apart == pytest.approx(dependent_most(0.0, 4, 4)) == 0.75


@pytest.mark.parametrize("epsilon", ["0.3", "1"])
def test_that_tables_are_as_far_off_as_was_said(epsilon: str) -> None:
    true = people()
    budget = SynthesisBudget(Decimal(epsilon), Decimal(0), PrivacyUnit(), len(SIZES))
    said = {pair.columns: pair for pair in forecast(supposed_errors(budget, SIZES, ROWS)).by_pair}
    made = synthesize(TrustedCounts(true, SIZES, budget), SIZES, SystemWords())
    seen = dict(zip(PAIRS, distances(true, made, PAIRS), strict=True))
    of_measured = [seen[pair] / (said[pair].measured or 1) for pair in made.pairs]
    assert 1 / 1.5 < np.median(of_measured) < 1.2
    assert all(seen[pair] <= said[pair].dependent for pair in PAIRS if pair not in made.pairs)


@pytest.mark.parametrize(
    ("epsilon", "verdict"), [("0.001", "useless"), ("0.01", "useless"), ("3", "coarse")]
)
def test_that_the_verdict_on_a_census_is_one_to_be_signed(epsilon: str, verdict: str) -> None:
    found = usefulness_of_synthesis(census_plan(epsilon))
    assert found.verdict == verdict
    # 25 of 45 tables are not measured even at a large epsilon: nobody knows of all of them.
    assert found.untold >= 25


def test_that_useful_tables_are_named() -> None:
    found = usefulness_of_synthesis(census_plan("3"))
    assert found.named("useless") == ()
    assert found.named("coarse") == ("c2 × c8", "c0 × c8")
    assert {"c0", "c8", "c0 × c1", "c7 × c9"} <= set(found.named("useful"))
    codes = {problem.code for problem in check_synthesis(census_plan("3"))}
    assert {"coarse", "tables_not_measured"} <= codes


def test_that_few_columns_of_many_rows_are_useful_as_a_whole() -> None:
    plan = census_plan("3")
    few = plan.with_columns(plan.columns[5:8])
    assert usefulness_of_synthesis(few).verdict == "useful"
    assert "tables_not_measured" not in {problem.code for problem in check_synthesis(few)}


def test_that_a_remedy_gives_what_it_says() -> None:
    plan = census_plan("0.01").with_columns(census_plan("1").columns[:4])
    (problem,) = (p for p in check_synthesis(plan) if p.code == "useless")
    words = problem.remedy.split("Set epsilon ")[1]
    epsilon = words.split()[0]
    name = problem.remedy.removeprefix("For ").split(":")[0]
    changed = plan.with_fields(synthesis=plan.synthesis.with_fields(epsilon=Decimal(epsilon)))
    assert usefulness_of_synthesis(changed).by_name[name].verdict == "useful"


def test_that_useful_cells_of_measured_tables_are_as_exact_as_the_verdict_says() -> None:
    true = people()
    names = [f"c{at}" for at in range(len(SIZES))]
    columns = tuple(
        ColumnPlan(
            name=name,
            kind="nominal",
            domain=Categorical(values=tuple(f"v{code}" for code in range(size))),
            confirmed=True,
            role="protect",
        )
        for name, size in zip(names, SIZES, strict=True)
    )
    wanted = Synthesis(epsilon=Decimal(2))
    found = usefulness_of_synthesis(Plan(columns=columns, respondents=ROWS, synthesis=wanted))
    budget = SynthesisBudget(Decimal(2), Decimal(0), PrivacyUnit(), len(SIZES))
    made = synthesize(TrustedCounts(true, SIZES, budget), SIZES, SystemWords())
    within = []
    for one, other in made.pairs:
        worth = found.by_name[f"c{one} × c{other}"]
        if worth.verdict != "useful":
            continue
        wide = SIZES[other]
        shares = [
            np.bincount(each[one] * wide + each[other], minlength=SIZES[one] * wide) / each[0].size
            for each in (true, made.states)
        ]
        common = shares[0] >= 1 / shares[0].size
        within += (100 * np.abs(shares[0] - shares[1])[common] <= worth.size / 3).tolist()
    assert len(within) > 20
    assert np.mean(within) >= 0.95
