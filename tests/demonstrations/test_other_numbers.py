"""Numbers of the other scenes: published values, formulas of the papers, and counting."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from math import exp, log, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from dpdesk.data.sample import sample_path
from tests.demonstrations.scene_numbers import mean_over, numbers, shown

Z = NormalDist().inv_cdf(0.975)
KNOWN = ("age", "yrs_married", "children", "religious", "educ", "occupation", "occupation_husb")


def half_width(p: float, q: float, people: float, share: float) -> float:
    """The 95 % error of a share in percentage points, by Wang et al. 2017."""
    supported = share * p + (1 - share) * q
    return 100 * Z * sqrt(supported * (1 - supported) / people) / (p - q)


def chances(kind: str, epsilon: float, answers: int) -> tuple[float, float]:
    e, half = exp(epsilon), exp(epsilon / 2)
    buckets = round(e) + 1
    return {
        "GRR": (e / (e + answers - 1), 1 / (e + answers - 1)),
        "SUE": (half / (half + 1), 1 / (half + 1)),
        "OUE": (0.5, 1 / (e + 1)),
        "OLH": (e / (e + buckets - 1), 1 / buckets),
    }[kind]


def errors(epsilon: float, answers: int) -> dict[str, float]:
    return {
        kind: half_width(*chances(kind, epsilon, answers), 10_000, 0.1)
        for kind in ("GRR", "SUE", "OUE", "OLH")
    }


@pytest.mark.parametrize("answers", [2, 5, 16, 64])
def test_that_mechanisms_are_compared_by_their_formulas(answers: int) -> None:
    found = numbers("mechanisms", answers=answers, epsilon=1.0, people=10_000)
    expected = errors(1.0, answers)
    assert found["least"] == pytest.approx(min(expected.values()), rel=2e-3)
    assert found["most"] == pytest.approx(max(expected.values()), rel=2e-3)


def test_that_the_lines_cross_where_a_scan_says() -> None:
    for epsilon in (0.5, 1.0, 2.0):
        scan = next(
            k for k in range(2, 300) if errors(epsilon, k)["GRR"] > min(errors(epsilon, k).values())
        )
        found = numbers("error_by_answers", answers=16, epsilon=epsilon, people=10_000)
        assert abs(found["crossing"] - scan) <= 1


def test_that_a_report_is_true_as_often_as_grr_says() -> None:
    found = numbers("reports", epsilon=1.0, kinds=["grr"])
    assert found["truth_grr"] == pytest.approx(100 * exp(1) / (exp(1) + 4))
    assert found["other_grr"] == pytest.approx(100 / (exp(1) + 4))


def test_that_strategies_have_the_errors_of_their_papers() -> None:
    settings = {"questions": 5, "answers": 4, "epsilon": 2.0, "people": 10_000}
    found = numbers("strategies", **settings)
    p, q = chances("GRR", 2.0, 4)
    assert found["split"] == pytest.approx(half_width(*chances("GRR", 0.4, 4), 10_000, 0.2))
    assert found["one"] == pytest.approx(half_width(p, q, 2000, 0.2))
    # A fake is each answer with chance 1/4 (Arcolezi et al. 2021).
    fake = half_width((p + 4 / 4) / 5, (q + 4 / 4) / 5, 10_000, 0.2)
    assert found["fakes"] == pytest.approx(fake)


def test_that_fakes_lose_what_the_whole_record_loses() -> None:
    found = numbers("fake_loss", questions=10, stated=1.0)
    assert found["record"] == pytest.approx(log(10 * (exp(1) - 1) + 1), rel=1e-9)
    assert found["one"] == pytest.approx(1.0, rel=1e-9)
    assert found["raised"] == pytest.approx(100 * found["odds"] / (1 + found["odds"]))


def geometric(epsilon: float, reach: int = 400) -> np.ndarray:
    r = exp(-epsilon)
    return (1 - r) / (1 + r) * r ** np.abs(np.arange(-reach, reach + 1))


def test_that_local_errors_grow_with_the_root() -> None:
    found = numbers("local_central", people=10_000, epsilon=1.0)
    assert found["local"] == pytest.approx(Z * sqrt(10_000 * exp(1)) / (exp(1) - 1), rel=1e-6)
    law = geometric(1.0)
    within = [law[400 - h : 401 + h].sum() for h in range(20)]
    assert found["central"] == next(h for h, chance in enumerate(within) if chance >= 0.95)
    assert found["root"] == 100


def test_that_one_count_is_right_on_average() -> None:
    draws = 300
    for name, error in (("central", "central_error"), ("local", "local_error")):
        found = numbers("one_count", people=1000, epsilon=1.0)
        mean = mean_over(draws, name, lambda: numbers("one_count", people=1000, epsilon=1.0))
        assert abs(mean - 300) < 6 * max(found[error], 2) / Z / sqrt(draws)


def test_that_an_average_comes_nearer_as_its_law_says() -> None:
    found = numbers("asked_again", truth=34, epsilon=0.5, times=10)
    law = geometric(0.5)
    deviation = sqrt(float(law @ np.arange(-400, 401) ** 2))
    assert found["error_once"] == pytest.approx(deviation)
    assert found["error"] == pytest.approx(deviation / sqrt(10))
    assert found["right_once"] == pytest.approx(100 * law[400])
    total = law
    for _ in range(9):
        total = np.convolve(total, law)
    middle = len(total) // 2
    near = total[middle - 4 : middle + 5].sum() + total[[middle - 5, middle + 5]].sum() / 2
    assert found["right"] == pytest.approx(100 * near)


@pytest.mark.parametrize(("asked", "allowed"), [(3, 3), (4, 4), (6, 4)])
def test_that_the_ledger_stops_at_its_cap(asked: int, allowed: int) -> None:
    found = numbers("ledger", epsilon=0.5, cap=2.0, asked=asked)
    assert (found["allowed"], found["total"], found["left"]) == (
        allowed,
        allowed * 0.5,
        2 - allowed * 0.5,
    )


def test_that_two_noisy_counts_tell_a_person_as_often_as_enumeration_says() -> None:
    found = numbers("two_counts", people=100, count=34, epsilon=1.0)
    both = np.convolve(geometric(1.0), geometric(1.0))
    # The difference is the noise, or one more: the likelier of both is guessed.
    right = np.maximum(np.append(both, 0), np.append(0, both)).sum() / 2
    assert found["right"] == pytest.approx(100 * right)


@pytest.fixture(scope="module")
def survey() -> list[dict[str, str]]:
    with sample_path().open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def groups_of(survey: list[dict[str, str]], known: int) -> dict[tuple[str, ...], list[str]]:
    found = defaultdict(list)
    for row in survey:
        found[tuple(row[name] for name in KNOWN[:known])].append(row["rate_marriage"])
    return found


@pytest.mark.parametrize("known", [3, 7])
def test_that_people_who_are_alone_are_counted(survey, known: int) -> None:
    alone = sum(len(group) == 1 for group in groups_of(survey, known).values())
    found = numbers("unique", known=known)
    assert (found["rows"], found["unique"]) == (len(survey), alone)
    share = mean_over(8, "share", lambda: numbers("found_by_name", known=known))
    # A person of the list is found where nobody else is like them.
    assert abs(share - 100 * alone / len(survey)) < 100 * 6 * sqrt(0.25 / 1273 / 8)


@pytest.mark.parametrize("least", [1, 2, 5])
def test_that_answers_that_follow_are_counted(survey, least: int) -> None:
    kept = [group for group in groups_of(survey, 5).values() if len(group) >= least]
    found = numbers("answers_follow", least=least, known=5)
    assert found["kept"] == sum(map(len, kept))
    assert found["certain"] == sum(len(group) for group in kept if len(set(group)) == 1)
    right = sum(max(Counter(group).values()) for group in kept)
    assert found["majority"] == pytest.approx(100 * right / found["kept"])


def test_that_the_published_table_tells_what_was_published() -> None:
    # Hypertension twice and chest pain twice; who is not obese has chest pain, too.
    assert numbers("small_table", marks=True)["certain"] == 4
    found = numbers("small_table", marks=True, excluded="obesity")
    assert (found["certain"], found["more"], found["smallest"], found["rows"]) == (5, 1, 2, 11)
    (table,) = shown("small_table", marks=True, excluded="obesity").pictures
    assert {row for row, _ in table.marked} == {2, 3, 5, 9, 10}


def test_that_a_protected_answer_is_guessed_as_bayes_does(survey) -> None:
    shares = np.array(list(Counter(row["rate_marriage"] for row in survey).values())) / len(survey)
    found = numbers("answer_protected", epsilon=1.0)
    truth, lie = exp(1) / (exp(1) + 4), 1 / (exp(1) + 4)
    law = np.where(np.eye(5, dtype=bool), truth, lie)
    assert found["right"] == pytest.approx(100 * (shares[:, None] * law).max(axis=0).sum())
    assert found["guess"] == pytest.approx(100 * shares.max())


def test_that_the_model_s_record_costs_every_column() -> None:
    found = numbers("learnt", epsilon=2.0)
    assert (found["people"], found["tested"]) == (614, 154)
    assert found["record"] == 4 * 2.0
    # 107 of the 154 women that are tested are healthy.
    assert found["guess"] == pytest.approx(100 * 107 / 154)
    assert found["guess"] < found["corrected"] < found["true"]
    assert found["gained"] == pytest.approx(found["corrected"] - found["naive"])


def test_that_the_swapped_coin_prints_what_was_published() -> None:
    found = numbers("swapped_coin", people=100, share=0.34, epsilon=0.5)
    p = exp(0.5) / (1 + exp(0.5))
    yes = 34 * (1 - p + p / 2) + 66 * p / 2
    assert found["wrong"] == pytest.approx((yes - (1 - p) * 100) / (2 * p - 1))
    assert round(found["wrong"], 1) == 25.3
    assert found["right"] == pytest.approx(34)
    assert abs(found["mean_of_runs"] - found["wrong"]) < 6 * found["error_of_runs"]
    broken = numbers("broken_promise", epsilon=0.5)
    assert broken["actual"] == pytest.approx(log((1 - p / 2) / (p / 2)))
    assert broken["promised"] == pytest.approx(100 * p)


def test_that_the_scale_is_somebody_s_income() -> None:
    found = numbers("scaled_by_data", epsilon=2.0)
    assert found["scale"] * found["people"] * 2 == pytest.approx(9500)
    assert found["largest"] == pytest.approx(9500)
    assert found["declared"] < found["promised"] == pytest.approx(100 * exp(2) / (1 + exp(2)))
