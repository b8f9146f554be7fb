"""What the window promises of a plan, against numbers that are computed here."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from math import exp
from typing import get_args

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.domains import Categorical, Integer
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.attribute_panel import AttributeFigures
from dpdesk.gui.pages.plan.query_panel import QueryFigures
from dpdesk.gui.pages.release.population_field import AccountWatch
from dpdesk.gui.pages.release.statistics_pane import StatisticsPromise
from dpdesk.gui.strategy_words import losses_reason, losses_texts
from dpdesk.mechanisms import MECHANISMS
from dpdesk.plan.statistics import Statistics
from dpdesk.preview import at_most
from dpdesk.preview.central import QueryRequest
from dpdesk.queries import PrivacyUnit
from dpdesk.queries.noise import NOISE_KINDS
from dpdesk.queries.phrase import parse_query
from dpdesk.queries.unit import Relation
from tests.preview.every_kind import CASES as REQUESTS
from tests.preview.every_kind import asked
from tests.reports.asked import asked_plan
from tests.reports.test_true_sentences import CASES, plan_for
from tests.reports.true_numbers import (
    is_rounded_up,
    losses_of,
    number,
    numbers_after,
    only,
    papers_epsilon,
)

UNITS = [
    PrivacyUnit(relation=relation, respondent_column="id", rows_per_respondent=rows)
    for relation, rows in product(get_args(Relation), (1, 2))
]
DOMAINS = (
    ("age", Integer(lower=18, upper=80, unit="years")),
    ("sex", Categorical(values=("f", "m"))),
)
PHRASES = ("sum of age", "median of age", "most frequent sex")
every_unit = pytest.mark.parametrize(
    "unit", UNITS, ids=lambda unit: f"{unit.relation}, {unit.rows_per_respondent}"
)


@pytest.mark.parametrize("case", CASES, ids=", ".join)
def test_that_the_losses_beside_the_strategy_are_those_of_the_records(case) -> None:
    plan = plan_for(*case)
    losses, several = losses_of(plan), len(plan.protected) > 1
    long, short = losses_texts(plan)
    (record,) = numbers_after("whole record ε = ", long)
    (alone,) = numbers_after("one answer alone ε = ", long)
    assert is_rounded_up(record, losses.record, 0.0001)
    assert is_rounded_up(alone, losses.largest_alone, 0.0101)
    papers = numbers_after("the papers call this ε = ", long)
    hidden = plan.strategy in {"rsfd", "rsrfd"}
    nominal = papers_epsilon(losses.record, len(plan.protected))
    assert papers == pytest.approx([nominal] if hidden else [], abs=0.0051)
    assert (numbers_after("record ε = ", short), numbers_after("answer ", short)) == (
        [record], [alone]
    )  # fmt: skip
    told = {
        "The losses of the attributes add up": plan.strategy == "spl",
        "and says which": plan.strategy == "smp",
        "made-up answers for all others": plan.strategy == "rsfd",
        "drawn from the distribution": plan.strategy == "rsrfd",
        "counts ln(d (e^ε − 1) + 1)": hidden,
    }
    assert only(list(told), [t for t, holds in told.items() if holds], losses_reason(plan))
    if several and plan.strategy == "spl":
        assert losses.record == pytest.approx(sum(losses.alone))


@pytest.mark.parametrize("epsilon", ["0.1", "1", "1.5", "3", "9"])
def test_that_the_bound_of_one_report_is_e_to_epsilon(qtbot: QtBot, epsilon: str) -> None:
    words = AttributeFigures()
    qtbot.addWidget(words)
    kinds = {kind: (kind, domain) for kind, domain, strategy in REQUESTS}
    for kind in MECHANISMS:
        found = asked(kind, kinds[kind.model_fields["kind"].default][1], epsilon=epsilon)
        words.show_request(found)
        odds = exp(found.mechanism.epsilon)
        (stated,) = numbers_after("e^ε = ", words.sentence())
        assert is_rounded_up(stated, odds, 0.0101 * odds)
        assert "under one answer as under another" in words.sentence()
        belief = words.figures.tiles[2].value().replace(" %", "").split(" → ")
        assert belief[0] == "50"
        assert float(belief[1].lstrip(">")) == pytest.approx(100 * odds / (1 + odds), abs=0.51)


@every_unit
@pytest.mark.parametrize("noise", NOISE_KINDS)
@pytest.mark.parametrize("phrase", PHRASES)
def test_that_the_bound_of_a_statistic_is_that_of_its_relation_and_delta(
    qtbot: QtBot, phrase: str, noise: str, unit: PrivacyUnit
) -> None:
    words = QueryFigures()
    qtbot.addWidget(words)
    # A delta that was typed stays where another noise or a choice has no use for it.
    query = parse_query(phrase, epsilon=Decimal("1.5"), noise=noise, delta=Decimal("1e-6"))
    words.show_request(QueryRequest(query, DOMAINS, unit, 100))
    sentence = words.sentence()
    (stated,) = numbers_after("e^ε = ", sentence)
    assert is_rounded_up(stated, exp(1.5), 0.0101 * exp(1.5))
    adds = unit.relation == "add_remove"
    fails = "gaussian" in noise and phrase == "sum of age"
    told = {
        "with a respondent as without": adds,
        "under one respondent's answers as under others": not adds,
        "but for a chance of δ = 1e-6.": fails,
    }
    assert only(list(told), [t for t, holds in told.items() if holds], sentence)
    assert ("δ" in sentence) == fails


@every_unit
@pytest.mark.parametrize("noise", NOISE_KINDS)
def test_that_what_statistics_promise_is_the_sum_for_their_relation(
    qtbot: QtBot, document: Document, noise: str, unit: PrivacyUnit
) -> None:
    card = StatisticsPromise(document, AccountWatch(document))
    qtbot.addWidget(card)
    queries = tuple(
        parse_query(phrase, epsilon=Decimal("0.5"), noise=noise, delta=Decimal("1e-6"))
        for phrase in ("count where sex is f", "sum of age", "median of age")
    )
    plan = asked_plan(unit).with_fields(statistics=Statistics(unit=unit, queries=queries))
    card.show_plan(plan)
    said = card.promise()
    (bound,) = numbers_after("at most ", said)
    assert is_rounded_up(bound, exp(1.5), 0.0101 * exp(1.5))
    adds, one = unit.relation == "add_remove", unit.rows_per_respondent == 1
    fails = "gaussian" in noise
    told = {
        "with any one respondent than without": adds,
        "under one respondent's answers than under any others": not adds,
        "(ε = 1.5, δ = 2e-6)": fails,
        "(ε = 1.5)": not fails,
        "The number of respondents is public.": not adds and one,
        # Of several rows, a respondent may have none: the tables with and without are neighbours.
        "Who took part is protected": adds or not one,
    }
    assert only(list(told), [t for t, holds in told.items() if holds], said)


@pytest.mark.parametrize("bound", [1.0001, 2.7182818, 4.4817, 9.99001, 20.0855, 1234.5, 5.1e8])
def test_that_a_bound_in_print_is_not_below_the_bound(bound: float) -> None:
    assert is_rounded_up(number(at_most(bound)), bound, 0.01001 * bound)
    assert at_most(3.0000000000000004) == "3.00"
