"""Whether an attribute was answered speaks for a class, from true answers and from reports."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.engine import untracked
from dpdesk.learning.answered import WhetherAnswered, _AnsweredReader
from dpdesk.learning.curve import SeededWords, run_learning
from dpdesk.learning.parts import Shares
from dpdesk.learning.traits import LabelScores
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan
from dpdesk.plan.protection import protect
from dpdesk.requests.simulations import LearningRequest
from tests.mechanisms.test_missing_answer import KINDS, _bind, _row

ROWS = 3_000
WORK, HOURS = Categorical(values=("yes", "no")), Integer(lower=1, upper=60)
HOW = Categorical(values=("car", "bus", "foot"))


def people() -> SurveyTable:
    """Hours and way to work blank exactly where work is no; otherwise they say nothing of it."""
    generator = np.random.default_rng(5)
    works = generator.random(ROWS) < 0.57
    hours, how = generator.integers(1, 61, ROWS), generator.integers(0, 3, ROWS)
    return table_from_texts(
        {
            "work": ["yes" if yes else "no" for yes in works],
            "hours": [str(n) if yes else "" for yes, n in zip(works, hours, strict=True)],
            "how": [HOW.values[n] if yes else "" for yes, n in zip(works, how, strict=True)],
        }
    )


def plan_of(name: str, policy: str, *, kept: bool = False) -> Plan:
    domain, kind = (HOURS, "integer") if name == "hours" else (HOW, "nominal")
    missing = MissingPolicy(policy=policy)  # type: ignore[arg-type]
    other = ColumnPlan(name=name, kind=kind, domain=domain, confirmed=True, missing=missing)
    work = ColumnPlan(name="work", kind="binary", domain=WORK, confirmed=True)
    plan = protect(Plan(respondents=ROWS, columns=(work, other)), "work")
    plan = plan.with_column(name, role="keep") if kept else protect(plan, name)
    for column in plan.protected:
        assert column.mechanism is not None
        stronger = column.mechanism.model_copy(update={"epsilon": Decimal(4)})
        plan = plan.with_column(column.name, mechanism=stronger)
    return plan


@pytest.mark.parametrize(
    ("name", "policy", "kept"),
    [
        ("hours", "blank", False),
        ("hours", "protect", False),
        ("hours", "blank", True),
        ("how", "blank", False),
        ("how", "blank", True),
    ],
)
@pytest.mark.parametrize("learner", ["naive_bayes", "logistic", "tree"])
def test_that_who_was_not_asked_is_told_apart(
    name: str, policy: str, kept: bool, learner: str
) -> None:
    request = LearningRequest("work", learner=learner, epsilons=(6.0,), repetitions=2)
    found = run_learning(people(), plan_of(name, policy, kept=kept), request, untracked())
    assert found.true.accuracy.mean == pytest.approx(1.0)
    (point,) = found.points[1:]
    for learnt in ("naive", "corrected"):
        for tested in ("true", "sanitized"):
            measured = point.line(learnt, tested)
            assert measured is not None
            assert measured.accuracy.mean > 0.93, (learnt, tested)
    # What stands for an attribute is no attribute, and costs nothing.
    assert found.attributes == (name,)
    assert point.record_epsilon == pytest.approx(6.0 if kept else 12.0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("epsilon", ["0.5", "2"])
def test_that_scores_of_reports_expect_whether_there_is_an_answer(kind: str, epsilon: str) -> None:
    domain = Integer(lower=0, upper=9).with_missing(0.2)
    bound = _bind(kind, domain, epsilon)
    state = WhetherAnswered(0, np.zeros(1, dtype=np.int32), is_protected=True)
    reader = state.reader(bound)
    assert isinstance(reader, _AnsweredReader)
    for code in range(domain.size + 1):
        chances = _row(bound, code)
        assert chances.sum() == pytest.approx(1)
        answered = float(code < domain.size)
        assert chances @ reader.table == pytest.approx([answered, 1 - answered], abs=1e-7)
    # The last report alone says that there is no answer.
    said = reader.seen(np.arange(len(reader.table)))[:, 1]
    assert said.tolist() == [0.0] * (len(said) - 1) + [1.0]


def test_that_shares_with_the_noise_taken_out_are_those_of_each_class() -> None:
    rows, generator = 60_000, np.random.default_rng(8)
    label = (generator.random(rows) < 0.4).astype(np.int32)
    missing = generator.random(rows) < np.where(label == 1, 0.7, 0.2)
    domain = Integer(lower=0, upper=20).with_missing(0.4)
    codes = np.where(missing, domain.size, generator.integers(0, 21, rows)).astype(np.int32)
    bound = mechanism_named("piecewise").starting(domain, Decimal(2)).bind(domain)
    state = WhetherAnswered(0, missing.astype(np.int32), is_protected=True)
    reports = state.reports(bound, bound.randomize(codes, SeededWords(1)))
    scores = LabelScores(np.stack((1.0 - label, label)), np.array([0.6, 0.4]))
    part = state.reader(bound).learn(reports, scores)
    assert isinstance(part, Shares)
    assert part.shares[:, 1] == pytest.approx([0.2, 0.7], abs=0.03)
