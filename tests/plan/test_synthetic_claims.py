"""Verdicts on the tables of synthetic rows as claims: each cell counted again by the test."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations

import numpy as np
import pytest

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer, OptionSet
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.given_answers import with_counts_of
from dpdesk.plan.missing import MissingPolicy
from dpdesk.plan.release_usefulness import usefulness_of_synthesis, usefulness_of_table
from dpdesk.plan.synthesis import Synthesis
from dpdesk.plan.synthetic_columns import judged_shares, synthesis_budget, synthetic_states
from dpdesk.plan.texts import T
from dpdesk.synthesis.released_error import supposed_errors
from tests.plan.test_verdict_claims import of_all, random_shares, size_of, verdict

SEEDS = range(8)


def category(name: str, size: int, **more: object) -> ColumnPlan:
    domain = Categorical(values=tuple(f"v{code}" for code in range(size)))
    return ColumnPlan(
        name=name, kind="nominal", domain=domain, confirmed=True, role="protect", **more
    )


def surveyed(seed: int) -> tuple[Plan, SurveyTable]:
    """A plan of a few categories, one of them kept, and a table of skewed answers."""
    generator = np.random.default_rng(seed)
    rows, columns, texts = int(generator.integers(500, 20_000)), [], {}
    for at in range(int(generator.integers(2, 5))):
        size = int(generator.integers(2, 9))
        role = {"role": "keep", "keep_confirmed": True} if at == 1 else {}
        columns.append(category(f"c{at}", size).changed(**role))
        given = generator.choice(size, rows, p=random_shares(generator, size))
        texts[f"c{at}"] = [f"v{code}" for code in given]
    epsilon = Decimal(str(generator.choice(["0.3", "1", "5"])))
    return Plan(columns=tuple(columns), synthesis=Synthesis(epsilon=epsilon)), table_from_texts(
        texts
    )


def shares_in(table: SurveyTable, column: ColumnPlan) -> list[float]:
    texts = table.column(column.name)
    given = [texts.distinct[code] for code in texts.codes[:].tolist()]
    return [given.count(value) / table.rows for value in column.domain.values]


@pytest.mark.parametrize("seed", SEEDS)
def test_that_every_cell_of_synthetic_rows_is_judged_by_its_share_of_the_file(seed: int) -> None:
    plan, table = surveyed(seed)
    judged = with_counts_of(plan, table)
    found, states = usefulness_of_synthesis(judged), synthetic_states(judged)
    sizes, names = tuple(each.size for each in states), [column.name for column in plan.columns]
    errors = supposed_errors(synthesis_budget(judged, states), sizes, table.rows)
    shares = {column.name: shares_in(table, column) for column in plan.columns}
    tables = [((at,), [name]) for at, name in enumerate(names)]
    if errors.rounds:
        tables += [((a, b), [names[a], names[b]]) for a, b in combinations(range(len(names)), 2)]
    assert len(found.by_name) == len(tables)
    counts = np.zeros(3, dtype=int)
    for places, of in tables:
        (error,) = errors.half_widths([places]).tolist()
        cells = np.ones(1)
        for name in of:
            cells = np.outer(cells, shares[name]).ravel()
        verdicts = [verdict(error, size_of(share)) for share in cells.tolist()]
        own = found.by_name[" × ".join(of)]
        expected = tuple(verdicts.count(word) for word in ("useful", "coarse", "useless"))
        assert tuple(own.shares) == expected
        assert own.verdict == of_all(verdicts)
        assert own.of_file
        # A product of shares is expected in a cell; the file may have none like it.
        assert own.what.endswith(T.IN_FILE(what="").strip()) == (len(of) == 1)
        assert " × ".join(of) in found.named(own.verdict)
        assert usefulness_of_table(judged, " × ".join(of)) == own
        counts += expected
    assert tuple(found.counts) == tuple(counts.tolist())
    # By itself the plan knows nothing of the file.
    assert not any(worth.of_file for worth in usefulness_of_synthesis(plan).by_name.values())


def test_that_rare_answers_of_a_file_are_not_useful_because_even_ones_would_be() -> None:
    rows = 30_000
    plan = Plan(columns=(category("q", 2),), synthesis=Synthesis(epsilon=Decimal("0.002")))
    table = table_from_texts({"q": ["v0"] * (rows // 100) + ["v1"] * (rows - rows // 100)})
    assert usefulness_of_synthesis(plan.with_rows(rows)).verdict == "useful"
    assert usefulness_of_synthesis(with_counts_of(plan, table)).by_name["q"].verdict == "useless"
    expected = plan.with_column("q", expected=(Decimal(1), Decimal(99))).with_rows(rows)
    assert usefulness_of_synthesis(expected).by_name["q"].verdict == "useless"


def test_that_classes_sets_and_blanks_have_their_shares_of_the_file() -> None:
    blank = MissingPolicy(policy="blank")
    ages = ColumnPlan(
        name="age", kind="integer", domain=Integer(lower=0, upper=99), confirmed=True,
        role="protect", missing=blank,
    )  # fmt: skip
    news, few = OptionSet(values=("tv", "web", "paper")), OptionSet(values=tuple("abcdef"))
    columns = (
        ages,
        ColumnPlan(name="news", kind="several", domain=news, confirmed=True, role="protect"),
        ColumnPlan(name="many", kind="several", domain=few, confirmed=True, role="protect"),
    )
    plan = Plan(columns=columns, synthesis=Synthesis(epsilon=Decimal(1), classes=10))
    table = table_from_texts({
        "age": ["", "3", "3", "57", "58", "95", "3", "3", "57", ""],
        "news": ["tv;web"] * 6 + ["tv"] * 3 + ["paper"],
        "many": ["a;b"] * 4 + ["f"] * 5 + ["a"],
    })  # fmt: skip
    judged = with_counts_of(plan, table)
    states = synthetic_states(judged)
    found = dict(zip((each.name for each in states), judged_shares(judged, states), strict=True))
    assert found["age"] == pytest.approx((0.4, 0, 0, 0, 0, 0.3, 0, 0, 0, 0.1, 0.2))
    texts = next(each.texts for each in states if each.name == "news")
    by_set = dict(zip(texts, found["news"], strict=True))
    assert {text: share for text, share in by_set.items() if share} == pytest.approx(
        {"tv;web": 0.6, "tv": 0.3, "paper": 0.1}
    )
    assert found["many has a"] == pytest.approx((0.5, 0.5))
    assert found["many has b"] == pytest.approx((0.6, 0.4))
    assert found["many has c"] == pytest.approx((1, 0))
