"""Attacks on records: linkage and homogeneity; and the two cautionary tales."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from math import exp, log
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

from dpdesk.attacks import sampled_attribute
from dpdesk.attacks.findings import Remedy, effect, in_words
from dpdesk.attacks.homogeneity import (
    Homogeneity,
    right_after_response,
    right_by_reports,
    right_by_shares,
    right_by_some_columns,
)
from dpdesk.attacks.largest_value import LargestValue, total_variation
from dpdesk.attacks.linkage import Linkage, link_protected, randomized
from dpdesk.attacks.sampled_attribute import SampledAttribute
from dpdesk.attacks.swapped_coin import SwappedCoin
from dpdesk.attacks.target import Target
from dpdesk.data.sample import load_sample
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.disclosure.classes import Classes, CodedColumn
from dpdesk.domains import Categorical, Integer
from dpdesk.engine.jobs import Tracker, untracked
from dpdesk.engine.simulate.attack import AttackRequest, run_attack
from dpdesk.plan import ColumnPlan, Plan
from tests.refusals import refused

KNOWN = ("age", "religious", "educ", "occupation")


def rows_of(table: SurveyTable, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    return list(zip(*(table.column(name).texts() for name in names), strict=True))


def test_that_no_answer_is_named_that_is_a_code_of_none() -> None:
    # Most refused; -8 is not declared. In "x" all who answered said no, and one of them refused.
    town, vote = (
        list("xxxxyyyyyyzz"),
        ["1", "1", "1", "-8", "1", "2", "2", "-8", "-8", "-8", "2", "2"],
    )
    target = Target(table_from_texts({"town": town, "vote": vote}))
    attack = Homogeneity(columns=("town",), column="vote")
    found = attack.run(target)
    assert found.figures == {"certain": 2, "groups": 1, "classes": 3, "k": 2}
    # Eight answered, four of them 1 and four 2; x and z name their answer for 3 and 2, y for 2.
    assert (found.baseline, found.success) == (4 / 8, 7 / 8)
    words = " ".join(map(in_words, (found.subject, *found.sentences)))
    assert "-8 of vote look" in words
    assert "“-8”" not in words
    assert "By 1 known columns (town) 12 records" in words
    declared = Target(
        replace(target.table, reading=target.table.reading.model_copy(update={"missing": ("-8",)}))
    )
    told = attack.run(declared)
    assert (told.success, told.baseline, told.figures) == (
        found.success,
        found.baseline,
        found.figures,
    )
    assert "look like codes" not in " ".join(map(in_words, told.sentences))


def test_that_an_answer_which_looks_like_a_code_is_one_where_a_plan_says_so() -> None:
    vote = ["1", "1", "1", "99", "1", "2", "2", "99", "99", "99", "99", "2"]
    table = table_from_texts({"town": list("xxxxyyyyyyzz"), "vote": vote})
    domain = Categorical(values=("1", "2", "99"))
    column = ColumnPlan(name="vote", kind="nominal", domain=domain, confirmed=True)
    town = ColumnPlan(name="town", kind="nominal", domain=Categorical(values=("x", "y", "z")))
    decided = Target(table, Plan(columns=(town, column)))
    assert decided.secret_bit("vote", "").answer == "99"
    open_ = Target(table)
    assert open_.secret_bit("vote", "").answer == "1"
    assert decided.suspected_codes_told("vote") == ()
    assert in_words(open_.suspected_codes_told("vote")[0]).startswith("99 of vote")


def test_that_a_list_of_everybody_finds_exactly_those_who_are_alone() -> None:
    table = load_sample()
    kinds = Counter(rows_of(table, KNOWN))
    alone = sum(number == 1 for number in kinds.values())
    found = Linkage(columns=KNOWN, share=1).run(Target(table))
    assert found.figures["found"] == found.figures["unique_matches"] == alone
    assert found.success == alone / table.rows
    assert found.baseline == 1 / table.rows


def test_that_people_who_are_not_in_the_release_make_finds_wrong() -> None:
    table = load_sample()
    found = Linkage(columns=KNOWN, share=0.5, absent=0.4, seed=7).run(Target(table))
    rows = rows_of(table, KNOWN)
    listed = np.random.default_rng(7).permutation(table.rows)[: table.rows // 2]
    out = set(listed[: round(0.4 * len(listed))].tolist())
    released = Counter(row for i, row in enumerate(rows) if i not in out)
    unique = [i for i in listed.tolist() if released[rows[i]] == 1]
    assert found.figures["unique_matches"] == len(unique)
    assert found.figures["found"] == sum(i not in out for i in unique)
    assert found.figures["found"] < len(unique)


def test_that_leaving_a_column_out_and_noise_are_the_same_attack_again() -> None:
    table = load_sample()
    found = Linkage(columns=KNOWN, share=1).run(Target(table))
    without = [
        sum(n == 1 for n in Counter(rows_of(table, tuple(set(KNOWN) - {name}))).values())
        for name in KNOWN
    ]
    assert found.remedies[0].success == min(without) / table.rows
    after = found.remedies[1].success
    assert after is not None
    # Who ignores the noisy column has the records without it.
    assert min(without) / table.rows <= after < found.success


def test_that_the_likeliest_candidate_is_named_beside_a_randomized_column() -> None:
    def column(name: str, *codes: int) -> CodedColumn:
        return CodedColumn(name, np.array(codes, dtype=np.int32), 3)

    # The first is alone by place, whatever its noisy age; of the others one age still agrees.
    records = (column("age", 2, 1, 1, 0), column("place", 0, 1, 1, 1))
    entries = (column("age", 0, 0, 1), column("place", 0, 1, 1))
    links = link_protected(records, entries, 0, np.array([0, 3, 2]))
    assert links.record.tolist() == [0, 3, -1]
    assert links.found == 2


def test_that_randomized_answers_follow_their_law() -> None:
    column = CodedColumn("a", np.zeros(200_000, dtype=np.int32), 5)
    codes = randomized(column, 1.0, np.random.default_rng(1)).codes
    shares = np.bincount(codes, minlength=5) / len(codes)
    lie = 1 / (exp(1) + 4)
    assert shares == pytest.approx([exp(1) * lie, lie, lie, lie, lie], abs=0.005)


def test_that_a_list_of_the_user_is_compared_by_the_names_of_columns() -> None:
    data = table_from_texts({"age": ["30", "30", "41", "52"], "zip": ["1", "2", "1", "1"]})
    people = table_from_texts({"name": ["A", "B", "C"], "age": ["30", "41", "99"]})
    found = Linkage().run(Target(data, register=people))
    assert found.figures == {
        "entries": 3,
        "exact_matches": 2,
        "unique_matches": 1,
        "found": 1,
    }
    assert "may be wrong" in in_words(found.sentences[2])
    # Nobody knows what is right, and no match is no guess.
    told = [found.headline, found.picture.title, found.picture.y_title, *found.sentences[:3]]
    told += [told_of for told_of in (effect(found, one) for one in found.remedies) if told_of]
    assert "found by name" not in " ".join(map(in_words, told))
    assert "Unique matches" in found.rates
    none = Linkage().run(Target(data, register=table_from_texts({"age": ["1"], "zip": ["9"]})))
    assert none.success == 0
    for one in none.remedies:
        words = in_words(effect(none, one) or ("", {}))
        assert words == "no unique match" if not one.success else words.startswith("unique")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (("age", "zip"), "attacks.list-lacks"),
        (("age", "foo"), "disclosure.no-column"),
        (("name",), "disclosure.no-column--near"),
    ],
)
def test_that_a_named_column_that_is_missing_is_never_dropped(
    columns: tuple[str, ...], message: str
) -> None:
    data = table_from_texts({"age": ["30", "41"], "zip": ["1", "2"]})
    people = table_from_texts({"name": ["A", "B"], "age": ["30", "41"]})
    with refused(message):
        Linkage(columns=columns).run(Target(data, register=people))


def test_that_a_list_without_common_columns_is_refused_in_one_sentence() -> None:
    data = table_from_texts({"age": ["30", "41"]})
    people = table_from_texts({"name": ["Secret Name", "B"]})
    with refused("attacks.nothing-in-common") as error:
        Linkage().run(Target(data, register=people))
    assert "Secret Name" not in str(error.value)


def test_that_sweeneys_table_discloses_what_was_published() -> None:
    target = Homogeneity.example()
    rows = rows_of(target.table, ("Race", "Birth", "Gender", "ZIP", "Problem"))
    assert len(rows) == 11
    kinds = Counter(row[:4] for row in rows)
    assert min(kinds.values()) == 2
    problems = {kind: {row[4] for row in rows if row[:4] == kind} for kind in kinds}
    assert problems["White", "1967", "m", "0213*"] == {"chest pain"}
    assert problems["Black", "1964", "f", "0213*"] - {"obesity"} == {"chest pain"}
    found = Homogeneity().run(target)
    assert found.figures == {"certain": 4, "groups": 2, "classes": 5, "k": 2}
    # Two, two, one, one and one of the five groups' records are their main answer.
    assert found.success == pytest.approx(7 / 11)
    assert found.baseline == pytest.approx(5 / 11)
    more = Homogeneity(excluded="obesity").run(target)
    assert "5 have an answer that follows, and 1 of these" in in_words(more.sentences[2])


def test_that_small_groups_are_taken_out_first() -> None:
    found = Homogeneity(least=3).run(Homogeneity.example())
    # White, 1964, m, 0213* alone is left, with three different problems.
    assert found.figures == {"certain": 0, "groups": 0, "classes": 1, "k": 3}
    assert found.severity == "success"


def test_that_people_disclosed_are_counted_one_by_one() -> None:
    table = load_sample()
    found = Homogeneity(columns=KNOWN, column="rate_marriage").run(Target(table))
    rows = rows_of(table, (*KNOWN, "rate_marriage"))
    answers: dict[tuple[str, ...], Counter[str]] = {}
    for *kind, answer in rows:
        answers.setdefault(tuple(kind), Counter())[answer] += 1
    assert found.figures["certain"] == sum(
        counts.total() for counts in answers.values() if len(counts) == 1
    )
    assert found.success == sum(max(c.values()) for c in answers.values()) / table.rows
    assert found.baseline == max(Counter(row[-1] for row in rows).values()) / table.rows


def test_that_a_protected_answer_is_guessed_as_often_as_enumeration_says() -> None:
    shares, epsilon = np.array([0.5, 0.3, 0.2]), 1.2
    lie = 1 / (exp(epsilon) + 2)
    right = sum(
        max(
            share * (exp(epsilon) * lie if answer == report else lie)
            for answer, share in enumerate(shares)
        )
        for report in range(3)
    )
    assert right_after_response(shares, epsilon) == pytest.approx(right)
    assert right_after_response(shares, 1e-6) == pytest.approx(0.5, abs=1e-5)


def test_that_the_main_report_of_a_group_is_compared_with_each_true_answer() -> None:
    generator = np.random.default_rng(9)
    kind = CodedColumn("kind", generator.integers(0, 6, 80), 6)
    truth = CodedColumn("answer", generator.integers(0, 3, 80), 3)
    reports = randomized(truth, 1.0, generator)
    right = 0
    for group in range(6):
        inside = kind.codes == group
        counts = np.bincount(reports.codes[inside], minlength=3)
        # Of answers that are equally frequent the last one is named.
        main = 2 - int(counts[::-1].argmax())
        right += int((truth.codes[inside] == main).sum())
    assert right_by_reports(Classes([kind], 80), reports, truth) == right


def test_that_a_protected_answer_is_told_by_the_column_that_goes_with_it() -> None:
    generator = np.random.default_rng(2)
    truth = CodedColumn("answer", generator.integers(0, 2, 4000), 2)
    helpful = CodedColumn("helpful", truth.codes, 2)
    noise = CodedColumn("noise", generator.integers(0, 2000, 4000), 2000)
    reports = randomized(truth, 0.5, generator)
    known = (noise, helpful)
    # Groups by all columns hardly exist; those by the helpful one give all answers away.
    assert right_by_reports(Classes(known, 4000), reports, truth) < 0.75 * 4000
    assert right_by_some_columns(known, reports, truth, 0.5) == 1
    table = table_from_texts(
        {one.name: [str(code) for code in one.codes] for one in (noise, helpful, truth)}
    )
    found = Homogeneity(columns=("noise", "helpful"), column="answer").run(Target(table))
    assert found.remedies[0].success == 1
    assert "hardly helps" in in_words(effect(found, found.remedies[0]) or ("", {}))


def test_that_the_guess_by_shares_is_that_of_bayes_rule() -> None:
    generator = np.random.default_rng(4)
    kind = CodedColumn("kind", generator.integers(0, 5, 60), 5)
    truth = CodedColumn("answer", generator.integers(0, 3, 60), 3)
    reports, q = randomized(truth, 1.0, generator), 1 / (exp(1) + 2)
    right = 0
    overall = [max((np.mean(reports.codes == a) - q) / (q * (exp(1) - 1)), 0) for a in range(3)]
    for row in range(60):
        inside = reports.codes[kind.codes == kind.codes[row]]
        shares = [
            max((int((inside == a).sum()) - len(inside) * q) / (q * (exp(1) - 1)), 0)
            + 2 * overall[a]
            for a in range(3)
        ]
        belief = [
            share * (exp(1) if a == reports.codes[row] else 1) for a, share in enumerate(shares)
        ]
        right += int(np.argmax(belief)) == int(truth.codes[row])
    assert right_by_shares(Classes([kind], 60), reports, truth, 1.0) == pytest.approx(right / 60)


@pytest.mark.parametrize("weight", ["weight", "pspwght", "income_wgt"])
def test_that_a_survey_weight_is_no_secret(weight: str) -> None:
    table = table_from_texts(
        {"age": ["1", "1", "2"], "likes": ["a", "b", "a"], weight: ["1.5", "1", "1"]}
    )
    assert Target(table).secret("").name == "likes"


def test_that_people_who_are_alone_are_counted_apart() -> None:
    table = table_from_texts({"a": ["1", "1", "2", "3", "3"], "b": list("xxxxy")})
    found = Homogeneity(columns=("a",), column="b").run(Target(table))
    assert in_words(found.headline) == "3 people disclosed: 2 in groups of several, 1 alone"
    assert "cannot be ruled out" in in_words(found.remedies[1].words)


@pytest.mark.parametrize(
    ("after", "words"),
    [(0.5, "no better than guessing"), (0.88, "hardly helps"), (0.6, "right in 60.0 %")],
)
def test_that_a_remedy_says_what_it_does(after: float, words: str) -> None:
    found = replace(LargestValue().run(LargestValue.example()), success=0.9, baseline=0.5)
    told = effect(found, Remedy(("x", {}), after))
    assert told is not None
    assert words in in_words(told)


def test_that_a_protected_answer_is_judged_by_what_the_same_attacker_has_without() -> None:
    generator = np.random.default_rng(7)
    rows = 3_000
    smokes = np.where(generator.random(rows) < 0.43, "yes", "no")
    table = table_from_texts(
        {"town": [str(row % 5) for row in range(rows)], "smoke": smokes.tolist()}
    )
    attack = Homogeneity(columns=("town",), column="smoke", epsilon=1.0)
    found = attack.run(Target(table))
    protect = found.remedies[0]
    # Who sees the report is right more often than who knows the group alone, and would be right
    # of everybody without the protection.
    assert protect.success is not None
    assert protect.success > found.success
    assert protect.before == 1
    told = in_words(effect(found, protect) or ("", {}))
    assert "hardly helps" not in told
    assert told.startswith("right in ")
    assert "own record is right in 100 %" in in_words(protect.words)
    # Where protection is all but none, that is said.
    weak = Homogeneity(columns=("town",), column="smoke", epsilon=6.0).run(Target(table))
    assert "hardly helps" in in_words(effect(weak, weak.remedies[0]) or ("", {}))


def test_that_realistic_fakes_are_tried_by_the_same_attacker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[AttackRequest] = []
    real = sampled_attribute.run_attack

    def noted(table: SurveyTable, plan: Plan, request: AttackRequest, tracker: Tracker) -> Any:
        asked.append(request)
        return real(table, plan, request, tracker)

    monkeypatch.setattr(sampled_attribute, "run_attack", noted)
    table = table_from_texts({"a": ["x", "y", "z"] * 40, "b": ["u", "v"] * 60})
    attack = SampledAttribute(
        variants=("grr",), epsilons=(2.0,), knowledge="partial", compromised=0.3, seed=4
    )
    attack.run(Target(table))
    first, second = asked
    assert second == replace(first, variants=second.variants)


def test_that_one_column_cannot_be_known_and_wanted() -> None:
    with refused("attacks.known-and-sensitive", column="age"):
        Homogeneity.made({"columns": ("age",), "column": "age"})


def enumerated_estimate(attack: SwappedCoin, *, swapped: bool) -> float:
    """The expected estimate from every coin and every respondent, by the words of the design."""
    p = attack.truth
    yes = 0.0
    for person in range(attack.people):
        true = person < attack.count
        for first, coin in product((True, False), repeat=2):
            chance = (p if first else 1 - p) / 2
            lies = coin if swapped else not true
            yes += chance * ((lies if first else true) if swapped else (true if first else lies))
    n = attack.people
    return (yes - (1 - p) * n) / (2 * p - 1)


def test_that_the_swapped_coin_misses_34_and_the_right_one_does_not() -> None:
    attack = SwappedCoin()
    found = attack.run(SwappedCoin.example())
    assert attack.truth == pytest.approx(0.62246, abs=1e-5)
    for swapped, name in ((True, "expected_wrong"), (False, "expected_right")):
        assert found.figures[name] == pytest.approx(enumerated_estimate(attack, swapped=swapped))
    assert found.figures["expected_wrong"] == pytest.approx(25.3, abs=0.05)
    assert found.figures["expected_right"] == pytest.approx(34)
    p = attack.truth
    assert found.figures["actual_epsilon"] == pytest.approx(log((1 - p + p / 2) / (p / 2)))
    assert "25.3 instead of 34" in in_words(found.headline)
    assert "no more than was promised" in in_words(effect(found, found.remedies[0]) or ("", {}))


def test_that_the_law_of_the_estimate_is_that_of_all_answers() -> None:
    attack = SwappedCoin(count=2, people=4, epsilon=1)
    p = attack.truth
    _, law = attack.law(swapped=False)
    expected = np.zeros(5)
    for answers in product((0, 1), repeat=4):
        chances = [p if (a == 1) == (i < 2) else 1 - p for i, a in enumerate(answers)]
        expected[sum(answers)] += np.prod(chances)
    assert law == pytest.approx(expected)


@pytest.mark.parametrize(
    ("first", "second"),
    [((0, 1), (1, 1)), ((0, 1), (0, 2)), ((0, 1), (1.5, 2)), ((3, 2.5), (-1, 0.5))],
)
def test_that_the_distance_of_two_laplace_laws_is_their_integral(
    first: tuple[float, float], second: tuple[float, float]
) -> None:
    def density(x: float, law: tuple[float, float]) -> float:
        return exp(-abs(x - law[0]) / law[1]) / (2 * law[1])

    integral, _ = quad(
        lambda x: abs(density(x, first) - density(x, second)) / 2,
        -60,
        60,
        points=[0, 1, 3, -1],
        limit=400,
    )
    assert total_variation(first, second) == pytest.approx(integral, abs=1e-6)


def test_that_the_largest_income_is_told_by_the_scale_of_the_noise() -> None:
    found = LargestValue().run(LargestValue.example())
    assert found.figures["scale"] * 10 == 9500
    assert found.success == 1
    mean, without = 2795.0, 2795.0 - 640.0
    told = (1 + total_variation((mean, 950.0), (without, 310.0))) / 2
    assert found.figures["told_from_one_mean"] == pytest.approx(told)
    assert told > found.figures["promised"]
    assert found.figures["loss_with_larger_value"] == pytest.approx((95_000 - 1400) / 9500)
    # A declared bound of 95,000: the mean moves by 640 and the scale is 9,500.
    sound = (1 + total_variation((0.0, 9500.0), (640.0, 9500.0))) / 2
    assert found.remedies[0].success == pytest.approx(sound)


def test_that_the_scale_of_the_exercise_follows_from_its_epsilon() -> None:
    found = LargestValue(epsilon=0.5).run(LargestValue.example())
    assert found.figures["scale"] == 1900
    told = (1 + total_variation((2795.0, 1900.0), (2155.0, 620.0))) / 2
    assert found.figures["told_from_one_mean"] == pytest.approx(told)


def test_that_a_largest_value_of_several_people_is_not_said_to_tell_one() -> None:
    table = table_from_texts({"age": ["20", "35", "35"]})
    found = LargestValue().run(Target(table))
    assert found.success == 0.5
    assert found.severity == "warning"


@pytest.mark.parametrize(
    ("domain", "confirmed", "answers", "severity"),
    [
        (Integer(lower=1, upper=5), True, "1 5 5", "success"),
        (Categorical(values=("1", "2", "3", "4", "5")), True, "1 5 5", "success"),
        # Nobody has vouched that the scale is public.
        (Integer(lower=1, upper=5), False, "1 5 5", "warning"),
        # The scale of the noise says that nobody answered 5.
        (Integer(lower=1, upper=5), True, "1 4 4", "warning"),
        (Categorical(values=("1", "5", "often")), True, "1 5 5", "warning"),
        # It changes with one person, whatever was declared.
        (Integer(lower=1, upper=5), True, "1 4 5", "danger"),
    ],
)
def test_that_the_top_of_a_declared_scale_tells_nothing_where_several_have_it(
    domain: Integer | Categorical, confirmed: bool, answers: str, severity: str
) -> None:
    kind = "integer" if domain.holds_numbers else "ordinal"
    column = ColumnPlan(name="mood", kind=kind, domain=domain, confirmed=confirmed)
    table = table_from_texts({"mood": answers.split()})
    found = LargestValue().run(Target(table, Plan(columns=(column,))))
    assert found.severity == severity
    declared = severity == "success"
    assert ("declared" in in_words(found.headline)) is declared
    # Nobody can answer more than the top of the scale.
    assert (found.figures["loss_with_larger_value"] <= LargestValue().epsilon) is declared


def test_that_the_sampled_attribute_is_the_attack_on_rs_fd() -> None:
    target = Target(load_sample())
    attack = SampledAttribute(variants=("grr", "sue-z"), epsilons=(1.0, 4.0), seed=3)
    found = attack.run(target)
    result = run_attack(target.table, None, attack.request(target), untracked())
    assert found.success == max(one.accuracy for one in result.outcomes)
    assert found.baseline == 1 / 9
    assert found.picture.series[0].y == tuple(
        result.outcome(name, 1.0).accuracy for name in ("grr", "sue-z")
    )
