"""Bounds of attacks: sizes they are cut to, when a success is severe, and files they cannot use."""

from __future__ import annotations

import numpy as np
import pytest

from dpdesk.attacks.averaging import Averaging
from dpdesk.attacks.differencing import Differencing
from dpdesk.attacks.findings import in_words, severity_of
from dpdesk.attacks.homogeneity import AnswersByClass, Homogeneity, right_by_shares
from dpdesk.attacks.linkage import Linkage, randomized
from dpdesk.attacks.membership import Membership
from dpdesk.attacks.reconstruction import Reconstruction
from dpdesk.attacks.swapped_coin import SwappedCoin
from dpdesk.attacks.target import Target
from dpdesk.data.sample import load_sample
from dpdesk.data.table import table_from_texts
from dpdesk.disclosure.classes import Classes, CodedColumn
from tests.refusals import refused


@pytest.mark.parametrize(
    ("success", "severity"),
    [(0.9, "danger"), (0.71, "danger"), (0.69, "warning"), (0.413, "warning"), (0.411, "success")],
)
def test_that_a_success_is_severe_by_what_guessing_leaves_open(
    success: float, severity: str
) -> None:
    # Half, and a fiftieth, of what lies above a guess that is right in 40 %.
    assert severity_of(success, 0.4) == severity
    assert severity_of(0.8, 1.0) == "success"


def test_that_a_study_is_a_quarter_of_the_respondents_at_most() -> None:
    generator = np.random.default_rng(1)
    table = table_from_texts({n: list(map(str, generator.integers(0, 3, 100))) for n in "abc"})
    found = Membership(people=50).run(Target(table))
    assert found.figures["people"] == 25
    assert found.picture.x[-1] == 25


def test_that_the_run_of_averaging_says_how_far_off_it_ended() -> None:
    target = Target(load_sample())
    for seed in range(4):
        attack = Averaging(times=2, epsilon=0.05, seed=seed)
        true = int(target.secret_bit("", "").bits.sum())
        off = abs(round(float(attack.draw(true).mean())) - true)
        words = in_words(attack.run(target).sentences[1])
        assert words.endswith("exactly." if not off else f"off by {off:,}.")


def test_that_groups_of_just_the_smallest_size_stay() -> None:
    table = table_from_texts({"a": list("xxyyz"), "b": list("12111")})
    found = Homogeneity(columns=("a",), column="b", least=2).run(Target(table))
    assert found.figures == {"certain": 2, "groups": 1, "classes": 2, "k": 2}


@pytest.mark.parametrize("answers", ["", "1"])
def test_that_groups_of_which_nobody_or_one_answered_are_refused_in_a_sentence(
    answers: str,
) -> None:
    # The only other answer is that of a group that is taken out.
    table = table_from_texts({"town": list("xxxy"), "vote": ["", "", answers, "2"]})
    with refused("attacks.few-answers", column="vote"):
        Homogeneity(columns=("town",), column="vote", least=2).run(Target(table))


@pytest.mark.parametrize(("alone", "severity"), [(0, "success"), (1, "warning"), (3, "danger")])
def test_that_one_person_in_a_hundred_makes_homogeneity_severe(alone: int, severity: str) -> None:
    rows = 298 - 2 * alone
    kinds = ["many"] * rows + [f"k{i}" for i in range(alone)]
    answers = ["12"[i % 2] for i in range(len(kinds))]
    target = Target(table_from_texts({"kind": kinds, "answer": answers}))
    assert Homogeneity(columns=("kind",), column="answer").run(target).severity == severity
    found = Linkage(columns=("kind",), share=1).run(target)
    assert found.severity == severity
    assert found.baseline == 1 / len(kinds)


def test_that_the_guess_beside_reconstruction_is_the_commoner_case() -> None:
    table = table_from_texts({"a": ["yes"] * 90 + ["no"] * 10})
    found = Reconstruction(column="a", people=100, questions=10).run(Target(table))
    assert found.baseline == pytest.approx(0.9)


def test_that_an_answer_that_is_named_is_the_one_that_is_counted() -> None:
    table = table_from_texts({"a": ["yes"] * 7 + ["no"] * 3})
    bits = Target(table).secret_bit("a", "no").bits
    assert bits.tolist() == [False] * 7 + [True] * 3


def test_that_answers_are_counted_by_class_in_a_table_and_in_pairs() -> None:
    generator = np.random.default_rng(2)
    known = CodedColumn("k", generator.integers(0, 4, 60), 5)
    secret = CodedColumn("s", generator.integers(0, 3, 60), 4)
    classes = Classes((known,), 60)
    answers = AnswersByClass(classes, secret)
    assert answers.table.shape == (4, 4)
    expected = np.zeros((4, 4), dtype=int)
    np.add.at(expected, (classes.of_row, secret.codes), 1)
    assert (answers.table == expected).all()
    assert (answers.table[answers.pairs, answers.answers] == answers.counts).all()
    assert answers.counts.sum() == 60
    assert (expected[np.arange(4), answers.main] == expected.max(axis=1)).all()


def test_that_bayes_rule_adds_two_records_of_everybody_to_a_class() -> None:
    generator = np.random.default_rng(4)
    truth = CodedColumn("s", generator.choice(3, 300, p=[0.6, 0.3, 0.1]), 3)
    kinds = generator.integers(0, 60, 300)
    reports = randomized(truth, 1.0, generator).codes
    truthful, lie = np.exp([1, 0]) / (np.e + 2)

    def shares(seen: np.ndarray) -> np.ndarray:
        counts = np.bincount(seen, minlength=3)
        return np.maximum((counts - len(seen) * lie) / (truthful - lie), 0)

    right = 0
    for person in range(300):
        found = shares(reports[kinds == kinds[person]]) + 2 * shares(reports) / 300
        likely = found * np.where(np.arange(3) == reports[person], np.e, 1)
        right += int(likely.argmax() == truth.codes[person])
    classes = Classes((CodedColumn("k", kinds, 60),), 300)
    again = CodedColumn("s", reports, 3)
    assert right_by_shares(classes, again, truth, 1.0) == pytest.approx(right / 300, abs=1e-9)


def test_that_an_empty_list_is_refused() -> None:
    data = table_from_texts({"a": ["x", "y"]})
    with refused("attacks.empty-list"):
        Linkage().run(Target(data, register=table_from_texts({"a": []})))


def test_that_an_exercise_without_data_needs_no_respondents() -> None:
    one = Target(table_from_texts({"a": ["x"]}))
    assert SwappedCoin().run(one).success > 0.5
    with refused("attacks.few-respondents", least=2):
        Differencing().run(one)


@pytest.mark.parametrize("columns", [200, 500])
def test_that_wide_files_are_attacked(columns: int) -> None:
    generator = np.random.default_rng(3)
    texts = {f"c{i}": list(map(str, generator.integers(0, 3, 60))) for i in range(columns)}
    target = Target(table_from_texts(texts | {"age": list(map(str, range(60)))}))
    assert "age" in [column.name for column in target.known(())]
    assert Linkage().run(target).success == 1


def test_that_columns_that_nobody_answered_are_not_suggested() -> None:
    texts = {"age": [""] * 30, "sex": ["f", "m"] * 15, "salary": ["1", "2", "3"] * 10}
    names = [column.name for column in Target(table_from_texts(texts)).known(())]
    assert "age" not in names
