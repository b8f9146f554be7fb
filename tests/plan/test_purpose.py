"""What people will do with the file: what is best for it, and the error of a joint cell."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import product
from math import sqrt

import numpy as np
import pytest

from dpdesk.domains import Categorical
from dpdesk.mechanisms import EVERY_ANSWER, Sampling, best_of, ranked
from dpdesk.mechanisms.choice import AS_GOOD
from dpdesk.numbers.digits import error_text
from dpdesk.plan import (
    ColumnPlan,
    Plan,
    Problem,
    check,
    choose_best,
    plan_from_json,
    plan_to_json,
    resplit,
    total_epsilon,
)
from dpdesk.plan.column_changes import set_domain
from dpdesk.plan.joint_errors import joint_cell
from dpdesk.plan.outlook import outlook
from dpdesk.plan.purpose import PURPOSES
from dpdesk.plan.release_usefulness import usefulness_of_records
from dpdesk.plan.texts import T
from tests.plan.plans import mechanism
from tests.plan.test_usefulness import adult, categories, column

Z = 1.959963984540054


def test_that_the_error_of_a_joint_cell_is_that_of_every_pair_of_reports() -> None:
    """By enumeration: all answers, all reports of GRR, the product of two unbiased scores."""
    sizes, people = (2, 3), 500
    plan = Plan(
        respondents=people,
        columns=tuple(
            column(f"q{k}", categories(k), role="protect", mechanism=mechanism("grr", "1"))
            for k in sizes
        ),
    )
    laws = []
    for k in sizes:
        e = np.exp(1.0)
        p, q = e / (e + k - 1), 1 / (e + k - 1)
        law = np.full((k, k), q) + (p - q) * np.eye(k)
        scores = (np.eye(k)[0] - q) / (p - q)
        assert law @ scores == pytest.approx(np.eye(k)[0]), "unbiased for the first category"
        laws.append((law, scores))
    (one, first), (two, second) = laws
    moments = [0.0, 0.0]
    for a, b, c, d in product(range(2), range(3), range(2), range(3)):
        chance = one[a, c] * two[b, d] / 6
        for power in (1, 2):
            moments[power - 1] += chance * (first[c] * second[d]) ** power
    assert moments[0] == pytest.approx(1 / 6)
    found = joint_cell(plan)
    assert found is not None
    assert found.error == pytest.approx(
        100 * Z * sqrt((moments[1] - moments[0] ** 2) / people), rel=1e-9
    )
    assert found.unprotected == pytest.approx(100 * Z * sqrt(1 / 6 * 5 / 6 / people))


def test_that_each_purpose_has_its_strategy_and_its_mechanisms_at_the_same_total() -> None:
    plan = adult().with_fields(budget=Decimal(4))
    purposes = (plan.with_fields(purpose=purpose) for purpose in ("shares", "tables", "file"))
    shares, tables, file = (
        outlook(one, one.wanted.strategy(len(one.protected))).plan for one in purposes
    )
    assert [p.strategy for p in (shares, tables, file)] == ["smp", "spl", "spl"]
    assert {total_epsilon(p) for p in (shares, tables, file)} == {Decimal(4)}
    for each in file.protected:
        domain, chosen = each.effective_domain, each.mechanism
        assert domain is not None
        assert chosen is not None
        judged = {c.mechanism: c for c in ranked(domain, chosen.epsilon)}
        answers = [c for c in judged.values() if c.is_answer]
        assert judged[chosen].half_width == min(c.half_width for c in answers), each.name
    assert PURPOSES["shares"].strategy(1) == "spl"


def test_that_a_report_that_is_an_answer_wins_among_those_within_5_per_cent() -> None:
    """Over sizes and epsilons: never more than 5 % worse, and an answer wherever one is so near."""
    seen = set()
    samplings = (EVERY_ANSWER, Sampling("smp", 5), Sampling("rsfd", 2))
    for k, epsilon, sampling in product(range(2, 20), ("0.5", "1", "2", "3"), samplings):
        found = ranked(categories(k), Decimal(epsilon), sampling=sampling)
        best = best_of(found)
        assert best is not None
        assert best.half_width <= found[0].half_width * AS_GOOD
        near = [c for c in found if c.half_width <= found[0].half_width * AS_GOOD]
        assert best.is_answer == any(c.is_answer for c in near)
        seen.add((found[0].is_answer, best.is_answer))
    assert seen == {(True, True), (False, True), (False, False)}


def test_that_a_strategy_without_fakes_for_numbers_says_so() -> None:
    found = outlook(adult(), "rsfd")
    assert found.plan is None
    assert found.obstacle.id == "plan.checks.cannot-be-faked"
    assert found.obstacle.values["name"] == "age"


def test_that_an_outlook_is_what_the_plan_would_be() -> None:
    found = outlook(adult(), "smp")
    assert found.plan is not None
    assert found.usefulness is not None
    assert found.usefulness.by_name["q1"].error == pytest.approx(0.92, abs=0.005)
    assert found.joint is None
    assert (found.record, found.one) == (4, 4)
    split = outlook(adult(), "spl")
    assert split.joint is not None
    assert split.joint.verdict == "useless"
    assert split.one == Decimal("0.4")


def of_tables(problem: Problem) -> bool:
    return getattr(problem.message.values.get("name"), "id", "") == "plan.checks.tables-of-two"


def test_that_a_plan_for_tables_is_told_what_their_cells_are_worth() -> None:
    plan = adult().with_fields(purpose="tables")
    told = next(p for p in check(plan) if of_tables(p))
    assert told.code == "useless"
    stated = re.match(r"Protect (\d+) of 10 .* 4 to get (± .+) \(useful\)\. ", told.remedy)
    assert stated is not None
    # It keeps word: as many of the middle size, with the same total, and one more is too many.
    for more, verdict in ((0, "useful"), (1, "coarse")):
        kept = ("q5", "q2", "q0")[: int(stated[1]) + more]
        fewer = plan.with_columns(tuple(plan.column(name) for name in kept))
        cell = joint_cell(choose_best(resplit(fewer, Decimal(4))))
        assert cell is not None
        assert cell.verdict == verdict
        assert more or error_text(cell.error, cell.unit) == stated[2].replace("\u00a0", " ")
    sampled = next(p for p in check(plan.with_fields(strategy="smp")) if p.code == "no_tables")
    assert sampled.path == "strategy"
    assert not any(map(of_tables, check(plan.with_fields(purpose=None))))
    small = adult().with_fields(purpose="tables", budget=Decimal(2))
    small = resplit(small)
    told = next(p for p in check(small) if of_tables(p))
    assert told.remedy.startswith("Set epsilon")


def test_that_a_release_for_tables_is_useful_only_where_tables_are() -> None:
    shares = resplit(adult().with_fields(budget=Decimal(20)))
    assert usefulness_of_records(shares).verdict == "useful"
    for total, verdict in ((20, "useful"), (12, "coarse"), (4, "useless")):
        tables = resplit(adult().with_fields(purpose="tables", budget=Decimal(total)))
        cell = joint_cell(tables)
        assert cell is not None
        assert (cell.verdict, usefulness_of_records(tables).verdict) == (verdict, verdict)
    without = resplit(adult().with_fields(budget=Decimal(4)))
    assert usefulness_of_records(without).verdict == "coarse"


ONE_ANSWER = T.ONE_ANSWER(total="4")


def test_that_no_remedy_breaks_the_purpose() -> None:
    plan = adult()
    assert ONE_ANSWER in " ".join(p.remedy for p in check(plan))
    for purpose in ("tables", "file"):
        said = " ".join(p.remedy for p in check(plan.with_fields(purpose=purpose)))
        assert ONE_ANSWER not in said


def test_that_a_plan_without_a_purpose_is_written_as_before() -> None:
    plan = Plan(
        columns=(ColumnPlan(name="a", kind="nominal", domain=Categorical(values=("x", "y"))),)
    )
    assert "purpose" not in plan_to_json(plan)
    kept = plan.with_fields(purpose="tables")
    assert plan_from_json(plan_to_json(kept)) == kept


def test_that_a_mechanism_that_no_longer_fits_gives_way_to_one_of_the_purpose() -> None:
    """Of 40 answers at epsilon 1, unary encoding has the least error; its bits are no answers."""
    two = column("q", categories(2), role="protect", mechanism=mechanism("warner", "1"))
    plan = Plan(respondents=1000, columns=(two,))
    forms = {
        purpose: set_domain(plan.with_fields(purpose=purpose), "q", categories(40)).column("q")
        for purpose in ("shares", "file")
    }
    assert {purpose: c.mechanism.form for purpose, c in forms.items() if c.mechanism} == {
        "shares": "bits",
        "file": "symbol",
    }
