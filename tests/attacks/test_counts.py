"""Attacks on many counts: the tracker, reconstruction, membership."""

from __future__ import annotations

from itertools import product
from math import exp, sqrt, tanh
from statistics import NormalDist

import numpy as np
import pytest

from dpdesk.attacks.averaging import Averaging
from dpdesk.attacks.findings import in_words
from dpdesk.attacks.membership import (
    Membership,
    membership_scores,
    noise_of_counts,
    one_study,
    usual_shares,
)
from dpdesk.attacks.reconstruction import Reconstruction, reconstruct, share_recovered
from dpdesk.attacks.target import Target
from dpdesk.attacks.tracker import (
    SuppressedCounts,
    TrackerAttack,
    count_by_tracker,
    find_tracker,
)
from dpdesk.data.sample import load_sample
from dpdesk.data.table import table_from_texts
from dpdesk.disclosure.classes import CodedColumn
from dpdesk.numbers.ranking import chance_above
from dpdesk.queries.noise.calibrated import GeometricLaw
from tests.refusals import refused


def test_that_suppression_refuses_small_counts_and_their_complements() -> None:
    office = SuppressedCounts(20, 3)
    numbers = {size: office.ask(np.arange(20) < size) for size in (0, 2, 3, 17, 18, 20)}
    assert numbers == {0: None, 2: None, 3: 3, 17: 17, 18: None, 20: None}
    assert (office.asked, office.refused) == (6, 4)


def test_that_a_tracker_finds_every_small_count_and_asks_nothing_that_is_refused() -> None:
    generator = np.random.default_rng(3)
    rows, least = 60, 6
    for size in range(2 * least, rows - 2 * least + 1):
        padding = np.arange(rows) < size
        for number in range(least):
            who = np.zeros(rows, dtype=np.bool_)
            who[generator.permutation(rows)[:number]] = True
            office = SuppressedCounts(rows, least)
            assert count_by_tracker(office, who, padding) == number
            assert office.refused == 0


def test_that_a_tracker_is_found_only_where_one_exists() -> None:
    column = CodedColumn("job", np.repeat([0, 1], [3, 17]), 2)
    with refused("attacks.no-tracker"):
        find_tracker(SuppressedCounts(20, 3), (column,))
    wider = CodedColumn("region", np.repeat([0, 1, 2, 3], 5), 4)
    office = SuppressedCounts(20, 4)
    assert 8 <= int(find_tracker(office, (column, wider)).sum()) <= 12


def test_that_the_tracker_needs_its_padding(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target(load_sample())
    found = TrackerAttack(tried=50).run(target)
    assert found.success == 1
    assert found.figures["refused_directly"] == found.figures["tried"] == 50
    assert found.figures["refused_padded"] == 0
    assert 0 < found.figures["about_one_person"] <= 50
    monkeypatch.setattr("dpdesk.attacks.tracker.count_by_tracker", lambda office, who, padding: 0)
    assert TrackerAttack(tried=50).run(target).success < 0.8


def test_that_guessing_a_suppressed_count_is_as_good_as_the_most_frequent_one() -> None:
    # Four kinds of people; the counts of "yes" are 0, 1, 1 and 12 of 20 each.
    kinds = [kind for kind in "abcd" for _ in range(20)]
    yes = {"a": 0, "b": 1, "c": 1, "d": 12}
    answers = ["yes" if i % 20 < yes[kind] else "no" for i, kind in enumerate(kinds)]
    table = table_from_texts({"kind": kinds, "secret": answers})
    attack = TrackerAttack(columns=("kind",), column="secret", answer="yes", least=5)
    found = attack.run(Target(table))
    assert found.figures["suppressed"] == 3
    assert found.baseline == pytest.approx(2 / 3)
    assert found.success == 1
    loud = TrackerAttack(columns=("kind",), column="secret", answer="yes", epsilon=3)
    law = {0: 1.0}
    for _ in range(4):
        added: dict[int, float] = {}
        for (a, p), b in product(law.items(), range(-12, 13)):
            added[a + b] = added.get(a + b, 0.0) + p * tanh(1.5) * exp(-3 * abs(b))
        law = added
    right = sum(max(law.get(d, 0) / 3, law.get(d - 1, 0) * 2 / 3) for d in range(-40, 41))
    assert loud.run(Target(table)).remedies[0].success == pytest.approx(right, abs=1e-9)


def test_that_exact_counts_of_all_groups_give_every_answer() -> None:
    groups = np.array(list(product((0.0, 1.0), repeat=6)))
    for bits in product((False, True), repeat=6):
        true = np.array(bits)
        found = reconstruct(groups, groups @ true, float(true.mean()), 0.0)
        assert (found == true).all()


def test_that_without_noise_the_answers_are_those_of_plain_least_squares() -> None:
    generator = np.random.default_rng(8)
    groups = generator.integers(0, 2, (30, 12)).astype(np.float64)
    true = generator.integers(0, 2, 12).astype(np.bool_)
    plain = np.linalg.lstsq(groups, groups @ true, rcond=None)[0]
    assert (reconstruct(groups, groups @ true, 0.5, 0.0) == (plain > 0.5)).all()


def test_that_the_pull_to_the_share_is_the_best_linear_estimate() -> None:
    # One person, one question about it: f + (y - f) v / (v + noise^2) crosses 1/2 at one y.
    share, noise = 0.3, 0.7
    variance = share * (1 - share)
    edge = share + (0.5 - share) * (variance + noise**2) / variance
    one = np.ones((1, 1))
    assert not reconstruct(one, np.array([edge - 1e-6]), share, noise)[0]
    assert reconstruct(one, np.array([edge + 1e-6]), share, noise)[0]


def test_that_reconstruction_dies_of_noise_and_of_too_few_counts() -> None:
    generator = np.random.default_rng(1)
    bits = generator.random(80) < 0.5
    guess = max(bits.mean(), 1 - bits.mean())
    assert share_recovered(bits, 160, 0.0, generator) == 1
    assert share_recovered(bits, 320, 1.0, generator) > 0.97
    assert share_recovered(bits, 320, 500.0, generator) < guess + 0.1
    assert share_recovered(bits, 4, 0.0, generator) < 0.75


def test_that_reconstruction_reports_its_remedy_with_the_noise_of_the_split_epsilon() -> None:
    found = Reconstruction(people=40, questions=160).run(Target(load_sample()))
    # sqrt(2) m / epsilon but for the discreteness of the noise.
    assert found.figures["noise_of_remedy"] == pytest.approx(sqrt(2) * 160, rel=1e-3)
    assert found.success > found.baseline + 0.2
    assert found.remedies[0].success == pytest.approx(found.baseline, abs=0.05)


def test_that_pairs_are_compared_one_by_one_with_ties_by_half() -> None:
    generator = np.random.default_rng(2)
    members = generator.integers(0, 6, 30).astype(np.float64)
    others = generator.integers(0, 5, 20).astype(np.float64)
    wins = sum((a > b) + (a == b) / 2 for a, b in product(members, others))
    assert chance_above(members, others) == pytest.approx(wins / 600)


def test_that_a_member_scores_its_free_shares_by_size_and_another_person_nothing() -> None:
    # All studies of three people and one question of three answers, with their chances.
    shares = np.array([0.5, 0.3, 0.2])
    member = other = 0.0
    for study in product(range(3), repeat=3):
        chance = float(np.prod(shares[list(study)]))
        published = np.bincount(study, minlength=3) / 3
        scores = membership_scores([np.arange(3)], [published], [shares])
        member += chance * scores[study[0]]
        other += chance * float(shares @ scores)
    assert member == pytest.approx((3 - 1) / 3)
    assert other == pytest.approx(0)


def test_that_membership_succeeds_as_often_as_the_normal_law_says() -> None:
    generator = np.random.default_rng(5)
    columns = [CodedColumn(str(place), generator.integers(0, 2, 4000), 2) for place in range(200)]
    found = np.mean([one_study(columns, 4000, 100, None, generator) for _ in range(20)])
    assert found == pytest.approx(NormalDist().cdf(sqrt(200 / 100 / 2)), abs=0.02)
    noisy = np.mean([one_study(columns, 4000, 100, 1.0, generator) for _ in range(20)])
    assert noisy <= exp(1) / (1 + exp(1)) + 0.02
    assert noisy == pytest.approx(0.5, abs=0.05)


def test_that_noise_for_all_shares_is_split_over_questions_and_both_counts_of_a_person() -> None:
    noise = noise_of_counts(1.5, 5, 200_000, np.random.default_rng(6))
    assert noise.var() == pytest.approx(GeometricLaw(2 * 5 / 1.5).variance, rel=0.03)
    assert noise.mean() == pytest.approx(0, abs=0.1)


def test_that_what_is_usual_holds_nobody_who_is_compared() -> None:
    column = CodedColumn("a", np.array([0, 0, 0, 1, 1, 2]), 3)
    shares = usual_shares(column, np.array([0, 3, 5]))
    assert shares == pytest.approx(np.array([2.5, 1.5, 0.5]) / 4.5)


def test_that_membership_falls_with_the_size_of_the_study() -> None:
    found = Membership(people=40).run(Target(load_sample()))
    exact = found.picture.series[0].y
    assert found.success > 0.7
    assert exact[0] > exact[-1] > 0.5
    assert found.baseline == 0.5


def test_that_an_answer_which_is_counted_is_not_said_to_be_taken_for_none() -> None:
    """It looks like a code of no answer, and was named all the same."""
    target = Target(table_from_texts({"vote": list("1112244") + ["99"] * 5}))
    for answer, taken_for_none in (("99", False), ("1", True), ("", True)):
        found = Averaging(column="vote", answer=answer).run(target)
        assert ("are taken for none" in in_words(found.sentences[-1])) == taken_for_none, answer
