"""Survey weights in learning: a record of weight 2 counts as two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer, OptionSet
from dpdesk.engine.jobs import untracked
from dpdesk.learning.curve import run_learning
from dpdesk.learning.learners import LEARNERS, Learner, Lesson
from dpdesk.learning.measures import measure
from dpdesk.learning.traits import LabelScores, trait_of
from dpdesk.numbers.ranking import chance_above
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.requests.simulations import LearningRequest
from tests.learning.test_curve import AGE, BLANK, GROUP, JOB, column, small_survey
from tests.refusals import refused

ROWS = 400
DOMAINS = (
    Categorical(values=("x", "y", "z")),
    Integer(lower=0, upper=50),
    OptionSet(values=("u", "v")),
)


def lesson(seed: int) -> Lesson:
    generator = np.random.default_rng(seed)
    label = generator.integers(0, 2, ROWS)
    codes = [
        (label + generator.integers(0, 2, ROWS)).astype(np.int32),
        np.clip(generator.normal(20 + 8 * label, 6), -1, 50).astype(np.int32),
        generator.integers(0, 4, ROWS).astype(np.int32),
    ]
    traits = [trait_of(domain) for domain in DOMAINS]
    seen = [trait.seen(code) for trait, code in zip(traits, codes, strict=True)]
    # Whole weights with mean 1, so that repeated rows are as many.
    weights = generator.permutation(np.repeat([0.0, 1.0, 2.0, 3.0], [200, 50, 100, 50]))
    return Lesson(traits, seen, label.astype(np.int64), 2, 0, weights)


def repeated(one: Lesson) -> Lesson:
    assert one.weights is not None
    rows = np.repeat(np.arange(ROWS), one.weights.astype(int))
    assert rows.size == ROWS
    return replace(one, seen=[s[rows] for s in one.seen], label=one.label[rows], weights=None)


@pytest.mark.parametrize("learner", LEARNERS, ids=[learner.word for learner in LEARNERS])
def test_that_a_weight_is_as_many_rows(learner: type[Learner]) -> None:
    weighted = lesson(3)
    found, expected = (learner.fit(one)(weighted.seen) for one in (weighted, repeated(weighted)))
    unweighted = learner.fit(replace(weighted, weights=None))(weighted.seen)
    difference = np.abs(found - expected).max()
    if learner.word == "boosting":
        # Its smallest groups and steps of numbers count records, not weights.
        assert np.abs(found - expected).mean() < 0.5 * np.abs(unweighted - expected).mean()
        return
    assert difference < 1e-4
    assert np.abs(unweighted - expected).max() > 0.01


def test_that_measures_count_a_record_by_its_weight() -> None:
    generator = np.random.default_rng(4)
    true = generator.integers(0, 2, 90)
    likely = np.round(generator.random((90, 2)), 1)
    weights = generator.integers(1, 5, 90)
    rows = np.repeat(np.arange(90), weights)
    for positive in (1, None):
        found = measure(likely, true, positive, weights.astype(float))
        assert found == pytest.approx(measure(likely[rows], true[rows], positive))
        assert found != pytest.approx(measure(likely, true, positive), abs=1e-3)


def test_that_pairs_count_by_the_product_of_their_weights() -> None:
    first, second = np.array([1.0, 2.0, 2.0]), np.array([0.0, 2.0])
    weights, others = np.array([1.0, 2.0, 3.0]), np.array([4.0, 1.0])
    wins = (1 * 4 + 2 * (4 + 1 / 2) + 3 * (4 + 1 / 2)) / (6 * 5)
    assert chance_above(first, second, weights, others) == pytest.approx(wins)


@pytest.mark.parametrize("domain", DOMAINS, ids=["category", "number", "options"])
def test_that_what_is_learnt_without_noise_is_that_of_repeated_rows(domain: object) -> None:
    one = lesson(5)
    assert one.weights is not None
    place = DOMAINS.index(domain)  # type: ignore[arg-type]
    reader = one.traits[place].reader(None)
    generator = np.random.default_rng(6)
    codes = generator.integers(0, (3, 51, 4)[place], ROWS).astype(np.int32)
    rows = np.repeat(np.arange(ROWS), one.weights.astype(int))
    scores = np.eye(2)[one.label].T
    shares = np.average(scores, axis=1, weights=one.weights)
    kept, many = (
        reader.learn(codes[i], LabelScores(scores[:, i], shares, w))
        for i, w in ((np.arange(ROWS), one.weights), (rows, None))
    )
    both = [part.log_likelihood(one.seen[place]) for part in (kept, many)]
    # Fewer different records tell less: the estimates are the same before they are shrunk.
    assert np.abs(both[0] - both[1]).max() < 0.1


def test_that_the_error_of_weighted_scores_is_that_of_the_records_that_count() -> None:
    generator = np.random.default_rng(7)
    scores, shares = generator.normal(size=(2, 100)), np.array([0.4, 0.6])
    half = np.arange(100) % 2 == 0
    kept = LabelScores(scores[:, half], shares)
    weighted = LabelScores(scores, shares, np.where(half, 2.0, 0.0))
    assert weighted.effective_rows == kept.effective_rows == 50
    assert weighted.spread == pytest.approx(kept.spread)
    part = weighted.of(np.arange(100) < 50)
    assert part.weights is not None
    assert part.weights.mean() == 1
    assert LabelScores(scores, shares, np.ones(100)).spread == pytest.approx(
        LabelScores(scores, shares).spread
    )


def weighted_survey() -> tuple[SurveyTable, Plan]:
    table = small_survey()
    texts = {name: table.column(name).texts() for name in table.names}
    # Group c is nine in ten of the people whom the respondents stand for.
    texts["w"] = ["9" if group == "c" else "0.5" for group in texts["group"]]
    plan = Plan(
        columns=(
            GROUP,
            column("age", AGE, "piecewise", missing=BLANK),
            column("job", JOB, "grr", missing=BLANK),
            ColumnPlan(name="w", kind="weight", role="keep"),
        )
    )
    return table_from_texts(texts), plan


def test_that_the_weights_of_a_plan_count_in_learning_and_testing() -> None:
    table, plan = weighted_survey()
    request = LearningRequest("group", epsilons=(6.0,), repetitions=2)
    result = run_learning(table, plan, request, untracked())
    assert result.weighted_by == "w"
    assert "w" not in (*result.left_out, *result.attributes)
    assert result.guess.accuracy.mean > 0.85
    plain = run_learning(table, plan.with_column("w", role="drop"), request, untracked())
    assert plain.weighted_by == ""
    assert plain.guess.accuracy.mean < 0.5
    for line in result.points[1].lines:
        assert line.measured.accuracy.mean > 0.8


def test_that_weights_that_are_no_weights_are_refused() -> None:
    table, plan = weighted_survey()
    texts = {name: table.column(name).texts() for name in table.names}
    texts["w"] = ["0", *texts["w"][1:]]
    with refused("disclosure.bad-weights", count=1):
        run_learning(table_from_texts(texts), plan, LearningRequest("group"), untracked())


@pytest.mark.parametrize("learner", [learner.word for learner in LEARNERS])
@pytest.mark.parametrize("kind", ["grr", "piecewise", "set_response"])
def test_that_a_column_that_nobody_answered_is_left_out(learner: str, kind: str) -> None:
    table = small_survey()
    texts = {name: table.column(name).texts() for name in table.names} | {"no": [""] * table.rows}
    domain = {"grr": JOB, "piecewise": AGE, "set_response": OptionSet(values=("u", "v"))}[kind]
    nobody = column("no", domain, kind, missing=BLANK)  # type: ignore[arg-type]
    plan = Plan(columns=(GROUP, nobody, column("job", JOB, "grr", missing=BLANK)))
    request = LearningRequest("group", learner, (6.0,), repetitions=2)
    result = run_learning(table_from_texts(texts), plan, request, untracked())
    assert result.left_out == ("no",)
    assert result.attributes == ("job",)
