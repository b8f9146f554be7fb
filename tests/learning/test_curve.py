"""Curves of what is learnt: the published experiment, what is refused, and what repeats."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from dpdesk.cli.main import main
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Domain, Integer, OptionSet
from dpdesk.engine.jobs import Tracker, untracked
from dpdesk.errors import Cancelled, DpdeskError, ParameterError
from dpdesk.learning import learners
from dpdesk.learning.curve import TESTED, LearningResult, SeededWords, run_learning
from dpdesk.learning.example import EXAMPLES, LABEL, example_named
from dpdesk.learning.learners import LEARNERS, Learner, Lesson, Model, NaiveBayes
from dpdesk.learning.measures import measure
from dpdesk.learning.survey import learning_survey
from dpdesk.learning.traits import trait_of
from dpdesk.mechanisms import MECHANISMS, kind_of, mechanism_named
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan
from dpdesk.requests.simulations import LearningRequest
from tests.refusals import refused

PUBLISHED = {0.1: (0.493, 0.038), 1: (0.558, 0.031), 2: (0.633, 0.030), 5: (0.716, 0.024)}
"""Accuracy on sanitized answers by bounded Laplace, mean and deviation of 30 repetitions."""

STAIRCASE = {0.1: (0.505, 0.040), 1: (0.561, 0.035), 2: (0.652, 0.034), 5: (0.765, 0.021)}
"""The same by a staircase that is bounded by redrawing."""


FEW = ("--epsilons", "1", "--repetitions", "2")


def learnt(name: str = "pima", **changes: object) -> LearningResult:
    table, plan = example_named(name).load()
    request = LearningRequest(LABEL, **({"epsilons": (1.0,), "repetitions": 3} | changes))  # type: ignore[arg-type]
    return run_learning(table, plan, request, untracked())


@pytest.mark.parametrize("name", [example.name for example in EXAMPLES])
def test_that_the_published_baseline_is_had_to_the_last_digit(name: str) -> None:
    result = learnt(name, repetitions=2)
    assert result.true.accuracy.mean == 0.7857142857142857
    assert result.true.f1.mean == 0.6373626373626373
    assert (result.trained, result.tested, result.positive) == (614, 154, "1")
    assert result.guess.accuracy.mean == 107 / 154


def test_that_the_baseline_is_that_of_scikit_learn() -> None:
    from sklearn.model_selection import train_test_split
    from sklearn.naive_bayes import GaussianNB

    table, plan = example_named("pima").load()
    survey = learning_survey(table, plan, LABEL, 0, TESTED)
    numbers = np.column_stack(
        [a.domain.values[a.codes] for a in survey.attributes]  # type: ignore[union-attr]
    )
    trained, tested = train_test_split(np.arange(768), random_state=0, test_size=0.20)
    assert np.array_equal(trained, survey.trained)
    assert np.array_equal(tested, survey.tested)
    label = survey.label.codes
    library = GaussianNB().fit(numbers[trained], label[trained])
    seen = [a.trait.seen(a.codes) for a in survey.attributes]
    lesson = Lesson(
        [a.trait for a in survey.attributes],
        [s[trained] for s in seen],
        label[trained].astype(np.int64),
        2,
        0,
    )
    ours = NaiveBayes.fit(lesson)([s[tested] for s in seen])
    assert np.array_equal(ours.argmax(axis=1), library.predict(numbers[tested]))


def test_that_zeros_become_the_median_of_the_others() -> None:
    table, plan = example_named("pima").load()
    survey = learning_survey(table, plan, LABEL, 0, TESTED)
    for attribute in survey.attributes:
        raw = np.array([float(x) for x in table.column(attribute.name).texts()])
        if attribute.name in ("Glucose", "BloodPressure", "SkinThickness", "Insulin", "BMI"):
            raw[raw == 0] = np.median(raw[raw != 0])
        step = float(attribute.domain.grid_step)  # type: ignore[union-attr]
        values = attribute.domain.values[attribute.codes]  # type: ignore[union-attr]
        assert np.abs(values - raw).max() < 0.51 * step


@pytest.mark.slow
def test_that_the_published_table_is_had_within_its_errors() -> None:
    result = learnt(epsilons=tuple(PUBLISHED), repetitions=30)
    for point in result.points[1:]:
        found = point.line("naive", "sanitized")
        assert found is not None
        mean, deviation = PUBLISHED[point.epsilon]
        error = np.hypot(deviation, found.accuracy.deviation) / 30**0.5
        assert abs(found.accuracy.mean - mean) < 3.5 * error
        assert 0.6 < found.accuracy.deviation / deviation < 1.6


def redrawn_staircase(
    numbers: np.ndarray, epsilon: float, generator: np.random.Generator
) -> np.ndarray:
    """Numbers from 0 to 1 with staircase noise that is drawn again until they stay there."""
    gamma, decay = 1 / (1 + np.exp(epsilon / 2)), np.exp(-epsilon)
    out, left = numbers.copy(), np.arange(numbers.size)
    while left.size:
        sign = generator.choice([-1.0, 1.0], left.size)
        period = generator.geometric(1 - decay, left.size) - 1
        near = generator.random(left.size) < gamma / (gamma + (1 - gamma) * decay)
        place = generator.random(left.size)
        moved = np.where(near, gamma * place, gamma + (1 - gamma) * place) + period
        drawn = numbers[left] + sign * moved
        inside = (drawn >= 0) & (drawn <= 1)
        out[left[inside]] = drawn[inside]
        left = left[~inside]
    return out


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", STAIRCASE)
def test_that_the_published_staircase_is_had_within_its_errors(epsilon: float) -> None:
    table, plan = example_named("pima").load()
    survey = learning_survey(table, plan, LABEL, 0, TESTED)
    generator = np.random.default_rng(7)
    truth = 1 / (1 + np.exp(-epsilon))
    found = []
    for _ in range(30):
        seen = [
            redrawn_staircase(a.trait.seen(a.codes)[:, 0], epsilon, generator)[:, None]
            for a in survey.attributes
        ]
        lies = generator.random(768) > truth
        label = np.where(lies, 1 - survey.label.codes, survey.label.codes).astype(np.int64)
        rows = survey.trained
        traits = [a.trait for a in survey.attributes]
        model = NaiveBayes.fit(Lesson(traits, [s[rows] for s in seen], label[rows], 2, 0))
        likely = model([s[survey.tested] for s in seen])
        found.append(measure(likely, label[survey.tested], 1)[0])
    mean, deviation = STAIRCASE[epsilon]
    error = np.hypot(deviation, np.std(found, ddof=1)) / 30**0.5
    assert abs(np.mean(found) - mean) < 3.5 * error


@pytest.mark.parametrize("name", [example.name for example in EXAMPLES])
def test_that_taking_the_noise_out_finds_more_than_the_records_as_they_are(name: str) -> None:
    result = learnt(name, epsilons=(2.0,), repetitions=30)
    point = result.points[1]
    naive, corrected = point.line("naive", "true"), point.line("corrected", "true")
    assert naive is not None
    assert corrected is not None
    assert corrected.accuracy.mean > naive.accuracy.mean + 0.02
    assert corrected.f1.mean > naive.f1.mean + 0.3


@pytest.mark.parametrize("learner", [learner.word for learner in LEARNERS])
def test_that_every_learner_learns_more_from_true_answers_than_a_guess(learner: str) -> None:
    result = learnt(learner=learner, epsilons=(30.0,), repetitions=2)
    assert result.true.accuracy.mean > result.guess.accuracy.mean
    nearly = result.points[1].line("naive", "true")
    assert nearly is not None
    assert nearly.auc.mean == pytest.approx(result.true.auc.mean, abs=0.05)


def test_that_a_made_up_learner_is_used_by_being_registered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Optimist(Learner):
        word, title, summary = "optimist", "Optimist", "Sees the positive class everywhere."

        @classmethod
        def fit(cls, lesson: Lesson) -> Model:
            return lambda seen: np.tile([0.0, 1.0], (len(seen[0]), 1))

    with pytest.raises(ParameterError, match="has no such choice"):
        learnt(learner="optimist")
    monkeypatch.setattr(learners, "LEARNERS", (*LEARNERS, Optimist))
    result = learnt(learner="optimist")
    assert result.true.accuracy.mean == 47 / 154
    assert main(["learn", "--example", "pima-staircase", "--learner", "optimist", *FEW]) == 0


def test_that_an_epsilon_does_not_depend_on_the_others() -> None:
    alone, beside = learnt(epsilons=(2.0,)), learnt(epsilons=(0.5, 2.0))
    assert alone.points[1] == beside.points[2]
    assert alone == learnt(epsilons=(2.0,))
    assert all(line.measured.auc.deviation > 0 for line in alone.points[1].lines)
    assert alone.points[1] != learnt(epsilons=(2.0,), seed=2).points[1]


def test_that_the_epsilon_of_a_record_is_split_as_in_the_plan() -> None:
    result = learnt(epsilons=(18.0,), scale="record")
    assert result.points[0].record_epsilon == 9
    assert result.points[1].record_epsilon == pytest.approx(18)
    assert learnt(epsilons=(2.0,)).points[1].record_epsilon == pytest.approx(18)


def test_that_a_cancel_stops_at_once() -> None:
    table, plan = example_named("pima").load()
    seen: list[float] = []
    tracker = Tracker(lambda told: seen.append(getattr(told, "done", 0.0)), lambda: len(seen) > 4)
    with pytest.raises(Cancelled):
        run_learning(table, plan, LearningRequest(LABEL, epsilons=(1.0,)), tracker)
    assert len(seen) < 8
    assert max(seen) < 0.2


def column(name: str, domain: Domain, mechanism: str, **more: object) -> ColumnPlan:
    kind = domain.kinds[0]
    return ColumnPlan(
        name=name,
        kind=kind,
        domain=domain,
        role="protect",
        mechanism=mechanism_named(mechanism).starting(domain, Decimal(3)),
        **more,  # type: ignore[arg-type]
    )


def small_survey(rows: int = 400) -> SurveyTable:
    generator = np.random.default_rng(1)
    label = generator.integers(0, 3, rows)
    age = np.clip(30 + 15 * label + generator.normal(0, 8, rows), 18, 90).astype(int)
    job = np.where(generator.random(rows) < 0.7, label, generator.integers(0, 3, rows))
    media = [";".join(["tv"] * int(c > 0) + ["web"] * int(c < 2)) or "(none)" for c in label]
    return table_from_texts(
        {
            "group": ["abc"[c] for c in label],
            "age": ["" if i % 7 == 0 else str(a) for i, a in enumerate(age)],
            "job": ["" if i % 9 == 0 else "xyz"[j] for i, j in enumerate(job)],
            "media": media,
            "place": ["ns"[i % 2] for i in range(rows)],
        }
    )


GROUP = column("group", Categorical(values=("a", "b", "c")), "grr")
AGE = Integer(lower=18, upper=90)
JOB = Categorical(values=("x", "y", "z"))
MEDIA = OptionSet(values=("tv", "web"))
BLANK = MissingPolicy(policy="blank")


def small_plan(*columns: ColumnPlan, **more: object) -> Plan:
    return Plan(columns=columns, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("learner", [learner.word for learner in LEARNERS])
@pytest.mark.parametrize("policy", ["blank", "protect"])
def test_that_missing_answers_sets_kept_columns_and_three_classes_are_learnt(
    learner: str, policy: str
) -> None:
    plan = small_plan(
        GROUP,
        column("age", AGE, "piecewise", missing=MissingPolicy(policy=policy)),  # type: ignore[arg-type]
        column("job", JOB, "oue", missing=BLANK),
        column("media", MEDIA, "set_response"),
        ColumnPlan(
            name="place", kind="nominal", domain=Categorical(values=("n", "s")), role="keep"
        ),
    )
    request = LearningRequest("group", learner, (6.0,), repetitions=3)
    result = run_learning(small_survey(), plan, request, untracked())
    assert result.classes == ("a", "b", "c")
    assert not result.positive
    assert result.true.accuracy.mean > 0.7
    for line in ("naive", "corrected"):
        found = result.points[1].line(line, "true")
        assert found is not None
        assert found.accuracy.mean > 0.5
        assert result.points[1].line(line, "sanitized") is not None


def test_that_reports_that_are_no_answers_are_used_with_the_noise_taken_out_alone() -> None:
    job = column("job", JOB, "olh", missing=MissingPolicy(policy="category", value="none"))
    hashed = job.effective_domain
    assert hashed is not None
    plan = small_plan(GROUP, job)
    request = LearningRequest("group", epsilons=(6.0,), repetitions=3)
    result = run_learning(small_survey(), plan, request, untracked())
    assert result.unreadable == ("job",)
    point = result.points[1]
    assert [(line.learnt, line.tested) for line in point.lines] == [("corrected", "true")]
    assert point.lines[0].measured.accuracy.mean > 0.5


@pytest.mark.parametrize("kind", [kind_of(mechanism) for mechanism in MECHANISMS])
def test_that_every_mechanism_is_learnt_from_at_any_epsilon(kind: str) -> None:
    domains = {"job": JOB, "age": AGE, "media": MEDIA, "place": Categorical(values=("n", "s"))}
    fits = {n: d for n, d in domains.items() if mechanism_named(kind).misfit(d) is None}
    assert fits
    for name, domain in fits.items():
        policy = BLANK if name in ("job", "age") else MissingPolicy()
        plan = small_plan(GROUP, column(name, domain, kind, missing=policy))
        request = LearningRequest("group", epsilons=(0.01, 20.0), repetitions=2)
        result = run_learning(small_survey(), plan, request, untracked())
        nearly = result.points[-1].line("corrected", "true")
        assert nearly is not None
        if name != "place":
            assert nearly.accuracy.mean > result.guess.accuracy.mean + 0.1


def test_that_bits_of_a_label_name_no_class_and_are_learnt_with_the_noise_taken_out() -> None:
    group = column("group", Categorical(values=("a", "b", "c")), "oue")
    plan = small_plan(group, column("media", MEDIA, "set_response"))
    request = LearningRequest("group", epsilons=(6.0,), repetitions=3)
    result = run_learning(small_survey(), plan, request, untracked())
    assert [line.learnt for line in result.points[1].lines] == ["corrected"]
    assert result.points[1].lines[0].measured.accuracy.mean > 0.5


@pytest.mark.parametrize(
    ("label", "plan", "said"),
    [
        (
            "age",
            small_plan(GROUP, column("age", AGE, "duchi", missing=BLANK)),
            "learning.holds-numbers",
        ),
        ("media", small_plan(GROUP, column("media", MEDIA, "set_response")), "learning.holds-sets"),
        ("nobody", small_plan(GROUP), "learning.no-column"),
        ("group", small_plan(GROUP), "learning.no-predictors"),
        (
            "place",
            small_plan(GROUP, ColumnPlan(name="place", kind="nominal")),
            "learning.not-released",
        ),
        (
            "group",
            small_plan(GROUP, column("media", MEDIA, "set_response"), strategy="smp"),
            "learning.one-report",
        ),
        (
            "group",
            small_plan(GROUP, column("job", JOB, "grr")),
            "engine.not-declared",
        ),
        (
            "group",
            small_plan(
                column("group", Categorical(values=("a", "b", "c")), "olh"),
                column("media", MEDIA, "set_response"),
            ),
            "learning.no-classes",
        ),
    ],
)
def test_that_what_cannot_be_learnt_is_refused_with_what_to_do(
    label: str, plan: Plan, said: str
) -> None:
    with refused(said) as caught:
        run_learning(small_survey(), plan, LearningRequest(label), untracked())
    assert caught.value.remedy


@pytest.mark.parametrize(
    "wrong",
    [
        {"learner": "oracle"},
        {"epsilons": ()},
        {"epsilons": (0.0,)},
        {"epsilons": (50.0,)},
        {"scale": "person"},
        {"repetitions": 1},
        {"seed": -1},
        {"seed": 1 << 40},
    ],
)
def test_that_impossible_requests_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(DpdeskError):
        LearningRequest("group", **wrong)  # type: ignore[arg-type]


def test_that_guessing_is_tested_on_sanitized_answers_where_models_are() -> None:
    result = learnt(epsilons=(0.001, 30.0), repetitions=10)
    _, noise, answers = result.points
    assert noise.guess is not None
    assert answers.guess is not None
    # Without an answer left in them the two classes are equal; without noise they are as they were.
    assert noise.guess.accuracy.mean == pytest.approx(0.5, abs=0.05)
    assert answers.guess.accuracy.mean == pytest.approx(result.guess.accuracy.mean, abs=1e-9)
    assert result.guess.accuracy.mean > 0.69


def test_that_kept_answers_are_learnt_as_they_are() -> None:
    plan = small_plan(
        replace_role(GROUP, "keep"),
        replace_role(column("media", MEDIA, "set_response"), "keep"),
        column("job", JOB, "grr", missing=BLANK),
    )
    request = LearningRequest("group", epsilons=(30.0,), repetitions=2)
    result = run_learning(small_survey(), plan, request, untracked())
    for line in result.points[1].lines:
        assert line.measured.accuracy.mean == pytest.approx(result.true.accuracy.mean, abs=0.06)


def replace_role(planned: ColumnPlan, role: str) -> ColumnPlan:
    return planned.changed(role=role, mechanism=None)


def test_that_seeded_words_repeat() -> None:
    assert np.array_equal(SeededWords(1, 2, 3).take(5), SeededWords(1, 2, 3).take(5))
    assert not np.array_equal(SeededWords(1, 2, 3).take(5), SeededWords(1, 2, 4).take(5))
    assert trait_of(AGE) == trait_of(AGE)
    assert replace(LearningRequest("x"), seed=2).seed == 2
