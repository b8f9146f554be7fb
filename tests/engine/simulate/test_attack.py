from __future__ import annotations

import importlib.util
from decimal import Decimal
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical
from dpdesk.engine import Failed, Finished, Job, Tracker, untracked
from dpdesk.engine.simulate.attack import AttackRequest, run_attack
from dpdesk.engine.simulate.attributes import attributes_of_table
from dpdesk.engine.simulate.variants import VARIANTS, variant_forecasts
from dpdesk.errors import Cancelled, ParameterError
from dpdesk.mechanisms import Mechanism, mechanism_named
from dpdesk.mechanisms.fake_data import record_epsilon
from dpdesk.plan import ColumnPlan, Plan
from tests.engine.simulate import simulation_checks as checks
from tests.engine.survey import survey, survey_plan
from tests.patience import HANG
from tests.refusals import refused

# Arcolezi et al. 2023, no knowledge, 5 synthetic profiles per respondent, XGBoost: right guesses
# in per cent at nominal epsilons 1, 4, 10.
PUBLISHED = {
    "adult": {
        "grr": (26.75, 38.56, 39.53),
        "sue-z": (30.10, 65.31, 96.23),
        "oue-z": (35.20, 53.36, 54.94),
        "sue-r": (23.56, 35.02, 38.91),
        "oue-r": (23.29, 27.32, 27.39),
    },
    "nursery": {
        "grr": (13.86, 15.23, 14.93),
        "sue-z": (26.50, 62.38, 97.26),
        "oue-z": (33.18, 54.05, 55.42),
        "sue-r": (12.92, 14.74, 14.99),
        "oue-r": (12.46, 12.97, 12.88),
    },
}


def answers(rows: int = 4000) -> SurveyTable:
    generator = np.random.default_rng(1)
    return table_from_texts(
        {
            name: list(generator.choice(["x", "y", "z"], rows, p=(0.8, 0.15, 0.05)))
            for name in ("a", "b", "c")
        }
    )


def attack(table: SurveyTable, plan: Plan | None = None, **request: object) -> float:
    fields = {"variants": () if plan else ("sue-z",), "epsilons": (4.0,), "seed": 5} | request
    (outcome,) = run_attack(table, plan, AttackRequest(**fields), untracked()).outcomes
    return outcome.accuracy


def best_accuracy(table: SurveyTable, variant: str, epsilon: float) -> float:
    """The largest accuracy that any attack can have, by enumeration of all reports."""
    attributes = attributes_of_table(table)
    laws = variant_forecasts(VARIANTS[variant], epsilon, attributes)
    d = len(laws)
    real, fake = [], []
    for attribute, law in zip(attributes, laws, strict=True):
        fakes = checks.fake_law(law)
        real.append(
            {
                y: sum(f * checks.real_law(law, v)[y] for v, f in enumerate(attribute.shares))
                for y in fakes
            }
        )
        fake.append(fakes)
    total = 0.0
    for output in product(*fake):
        every = np.prod([fake[i][y] for i, y in enumerate(output)])
        total += max(real[j][y] / fake[j][y] * every / d for j, y in enumerate(output))
    return float(total)


def test_that_the_posterior_is_that_of_the_joint_law_and_its_argmax_optimal() -> None:
    checks.posterior_is_that_of_the_joint_law()


def test_that_profiles_have_the_law_of_reports() -> None:
    checks.profiles_have_the_law_of_reports()


def test_that_an_attacker_estimates_what_is_true() -> None:
    checks.an_attacker_estimates_what_is_true()


@pytest.mark.parametrize("data", PUBLISHED)
def test_that_the_published_accuracies_are_reached(shared_data: Path, data: str) -> None:
    published = PUBLISHED[data]
    request = AttackRequest(variants=tuple(published), seed=1)
    result = run_attack(load(shared_data / f"{data}.csv"), None, request, untracked())
    assert result.baseline == (0.1 if data == "adult" else 1 / 9)
    for variant, accuracies in published.items():
        for epsilon, accuracy in zip(request.epsilons, accuracies, strict=True):
            outcome = result.outcome(variant, epsilon)
            assert outcome.accuracy * 100 == pytest.approx(accuracy, abs=1.5)
            assert outcome.lower < outcome.accuracy < outcome.upper


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_that_an_attack_comes_near_the_best_and_no_nearer(variant: str, epsilon: float) -> None:
    table = answers()
    best = best_accuracy(table, variant, epsilon)
    found = attack(table, variants=(variant,), epsilons=(epsilon,))
    deviation = (best * (1 - best) / 4000) ** 0.5
    assert best - 0.03 - 4 * deviation < found < best + 4 * deviation
    assert best > 1 / 3


def test_that_realistic_fakes_hide_what_uniform_ones_disclose() -> None:
    table = answers()
    uniform, realistic = (best_accuracy(table, v, 4.0) for v in ("grr", "rfd-grr"))
    assert uniform > 0.45
    # What is left is the randomization of the real report itself.
    assert 1 / 3 < realistic < 0.34


@pytest.mark.parametrize(
    ("classifier", "knowledge"),
    [
        ("bayes", "none"),
        ("bayes", "partial"),
        ("bayes", "full"),
        ("boosting", "none"),
        ("boosting", "partial"),
        ("boosting", "full"),
    ],
)
def test_that_every_attacker_does_better_than_a_blind_guess(
    classifier: str, knowledge: str
) -> None:
    table = answers(1500 if classifier == "bayes" else 500)
    best = best_accuracy(table, "sue-z", 4.0)
    found = attack(table, knowledge=knowledge, classifier=classifier, compromised=0.3, synthetic=1)
    assert 1 / 3 + 0.1 < found < best + 0.1


@pytest.mark.skipif(importlib.util.find_spec("xgboost") is None, reason="xgboost is optional")
def test_that_xgboost_learns_the_same() -> None:
    found = attack(answers(800), classifier="xgboost", synthetic=1)
    assert found == pytest.approx(attack(answers(800)), abs=0.08)


def test_that_a_missing_learner_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with refused("engine.no-xgboost"):
        attack(answers(20), classifier="xgboost")


def test_that_the_compromised_are_not_attacked() -> None:
    request = AttackRequest(("grr",), (1.0,), knowledge="partial", compromised=0.25)
    (outcome,) = run_attack(answers(), None, request, untracked()).outcomes
    assert outcome.attacked == 3000
    assert outcome.correct == round(outcome.accuracy * 3000)


def test_that_the_same_seed_gives_the_same_attack() -> None:
    table = answers(300)
    assert attack(table) == attack(table)
    one = AttackRequest(("grr", "oue-z"), (1.0, 2.0), seed=3)
    other = AttackRequest(("oue-z",), (2.0,), seed=3)
    results = [run_attack(table, None, r, untracked()).outcome("oue-z", 2.0) for r in (one, other)]
    assert results[0] == results[1]


def hidden_plan(**fields: object) -> Plan:
    def column(name: str, mechanism: Mechanism) -> ColumnPlan:
        return ColumnPlan(
            name=name,
            kind="nominal",
            domain=Categorical(values=("x", "y", "z")),
            confirmed=True,
            role="protect",
            mechanism=mechanism,
            expected=(Decimal(8), Decimal("1.5"), Decimal("0.5")),
        )

    epsilon = Decimal(f"{record_epsilon(4.0, 3):.6f}")
    columns = tuple(
        column(name, mechanism_named("sue")(kind="sue", epsilon=epsilon)) for name in "abc"
    )
    return Plan(**({"strategy": "rsfd", "columns": columns} | fields))


def test_that_a_plan_is_attacked_as_it_is() -> None:
    table = answers()
    for plan, variant in (
        (hidden_plan(), "sue-z"),
        (hidden_plan(fakes="random"), "sue-r"),
        (hidden_plan(strategy="rsrfd"), "rfd-sue-r"),
    ):
        result = run_attack(table, plan, AttackRequest(), untracked())
        (outcome,) = result.outcomes
        best = best_accuracy(table, variant, 4.0)
        assert outcome.accuracy == pytest.approx(best, abs=0.04)
        assert outcome.nominal_epsilon == pytest.approx(4.0, abs=1e-5)
        assert outcome.record_epsilon == pytest.approx(record_epsilon(4.0, 3), abs=1e-5)
        assert result.outcome("plan") is outcome


def test_that_variants_can_be_tried_on_the_columns_of_a_plan() -> None:
    result = run_attack(survey(), survey_plan(), AttackRequest(("grr",), (1.0,)), untracked())
    assert result.attributes == ("colour", "fruit")
    assert result.sizes == (3, 2)


@pytest.mark.parametrize("strategy", ["spl", "smp"])
def test_that_a_plan_that_hides_nothing_is_refused(strategy: str) -> None:
    with refused("engine.nothing-hidden"):
        run_attack(answers(50), hidden_plan(strategy=strategy), AttackRequest(), untracked())


def test_that_reports_that_cannot_be_faked_are_refused() -> None:
    plan = hidden_plan()
    hashed = mechanism_named("olh")(kind="olh", epsilon=Decimal(1))
    with refused("engine.not-faked", column="a"):
        run_attack(
            answers(50), plan.with_column("a", mechanism=hashed), AttackRequest(), untracked()
        )
    with_numbers = survey_plan().with_fields(strategy="rsfd")
    with refused("engine.numbers-faked"):
        run_attack(survey(), with_numbers, AttackRequest(), untracked())


@pytest.mark.parametrize(
    "wrong",
    [
        {"variants": ("olh",)},
        {"knowledge": "everything"},
        {"classifier": "oracle"},
        {"variants": ("grr",), "epsilons": ()},
        {"variants": ("grr",), "epsilons": (float("nan"),)},
        {"synthetic": 0},
        {"compromised": 1.0},
        {"seed": -1},
    ],
)
def test_that_a_request_out_of_range_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        AttackRequest(**wrong)  # type: ignore[arg-type]


def test_that_too_little_to_attack_is_refused() -> None:
    with refused("engine.few-columns"):
        attack(table_from_texts({"a": ["x", "y"]}))
    with refused("engine.no-target"):
        attack(answers(50), variants=())


def test_that_an_attack_is_a_job_that_can_be_cancelled() -> None:
    request = AttackRequest(("grr", "sue-z"), (1.0,))
    ticks: list[int] = []

    def is_cancelled() -> bool:
        ticks.append(1)
        return len(ticks) > 4

    with pytest.raises(Cancelled):
        run_attack(answers(50), None, request, Tracker(lambda _: None, is_cancelled))
    for table, last in ((answers(50), Finished), (table_from_texts({"a": ["x", "y"]}), Failed)):
        job = Job("Attack", lambda tracker, t=table: run_attack(t, None, request, tracker))
        job.start()
        assert job.join(HANG)
        events = [job.events.get() for _ in range(job.events.qsize())]
        assert isinstance(events[-1], last)


@pytest.mark.parametrize("classifier", ["boosting", "xgboost"])
def test_that_a_learner_shows_its_progress_and_stops_when_asked(classifier: str) -> None:
    if classifier == "xgboost":
        pytest.importorskip("xgboost", exc_type=ImportError)
    request = AttackRequest(("grr",), (1.0,), classifier=classifier, synthetic=1)
    shares: list[float] = []
    run_attack(answers(60), None, request, Tracker(lambda p: shares.append(p.done), lambda: False))
    assert shares == sorted(shares)
    assert len(set(shares)) > 8
    seen: list[float] = []
    stopping = Tracker(lambda p: seen.append(p.done), lambda: len(seen) > 5)
    with pytest.raises(Cancelled):
        run_attack(answers(60), None, request, stopping)
    assert 0 < seen[-1] < 1
