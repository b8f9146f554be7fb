from __future__ import annotations

import json
from decimal import Decimal

import pytest

from dpdesk.composition import (
    Group,
    Loss,
    Parallel,
    Postprocessed,
    Release,
    Sequential,
    Stable,
    max_ratio,
)
from dpdesk.errors import ParameterError
from tests.composition.enumerated import (
    joint,
    neighbours,
    noisy_count,
    randomized_response,
    side_by_side,
    worst_ratio,
)

MOST = 4


def leaf(epsilon: str, delta: str = "0", name: str = "a count", **kwargs: str) -> Release:
    return Release(Loss(name, Decimal(epsilon), Decimal(delta), **kwargs))


def test_that_a_sequence_says_its_sum_in_words() -> None:
    counts = Sequential(
        (leaf("0.5"), leaf("0.25"), leaf("0.25")), "Three counts of the same respondents"
    )
    assert counts.cost.epsilon == 1
    assert counts.explanation == "Three counts of the same respondents: 0.5 + 0.25 + 0.25 = 1."


def test_that_many_equal_terms_are_counted_and_deltas_are_added_too() -> None:
    node = Sequential((*[leaf("0.1", "1e-7")] * 12, leaf("1")))
    assert node.cost.epsilon == Decimal("2.2")
    assert node.cost.delta == Decimal("1.2e-6")
    assert node.explanation == (
        "13 releases about the same respondents: 12 × 0.1 + 1 = 2.2; δ: 12 × 1e-7 + 0 = 1.2e-6."
    )


def test_that_a_sum_of_many_digits_is_exact() -> None:
    tiny = "0." + "0" * 60 + "1"
    node = Sequential((leaf("40", tiny), leaf("0.000000000001", "0.1")))
    assert node.cost.epsilon == Decimal("40.000000000001")
    assert node.cost.delta == Decimal("0.1" + tiny[3:])


def test_that_two_enumerated_mechanisms_lose_the_sum_on_the_right_pair_and_never_more() -> None:
    (yes_4, no_4), (yes_2, no_2) = randomized_response(4), randomized_response(2)
    worst = []
    for first in ((yes_4, no_4), (no_4, yes_4), (yes_4, yes_4)):
        for second in ((yes_2, no_2), (no_2, yes_2), (yes_2, yes_2)):
            p, q = side_by_side(joint(first[0], second[0]), joint(first[1], second[1]))
            worst.append(max_ratio(p, q))
    # In units of ln 2 the losses are 2 and 1.
    total = Sequential((leaf("2"), leaf("1"))).cost.epsilon
    assert max(worst) == 2**total
    assert worst.count(8) == 4
    assert min(worst) == 1


def test_that_a_mechanism_chosen_by_the_first_report_adds_no_more_than_its_bound() -> None:
    (yes_4, no_4), (yes_2, no_2) = randomized_response(4), randomized_response(2)

    # After "yes" the second question is asked by a milder randomized response, after "no" by
    # none at all; the answers are those of one respondent.
    def adaptive(first: dict, milder: dict) -> dict:
        law = {("yes", report): first["yes"] * milder[report] for report in milder}
        return law | {("no", ""): first["no"]}

    p, q = side_by_side(adaptive(yes_4, yes_2), adaptive(no_4, no_2))
    assert max(max_ratio(p, q), max_ratio(q, p)) == 8


@pytest.mark.parametrize("relation", ["add_remove", "replace"])
def test_that_disjoint_parts_lose_what_enumeration_over_all_small_tables_says(relation) -> None:
    growths, most = {"north": 8, "south": 4, "west": 2}, 2
    rows = tuple((part, answer) for part in growths for answer in (False, True))

    def mechanism(table: tuple) -> dict:
        counts = {part: sum(row == (part, True) for row in table) for part in growths}
        return joint(*(noisy_count(counts[part], most, growth) for part, growth in growths.items()))

    node = Parallel((leaf("3"), leaf("2"), leaf("1")), relation)
    assert worst_ratio(mechanism, neighbours(rows, most, relation)) == 2**node.cost.epsilon
    assert node.cost.epsilon == (3 if relation == "add_remove" else 5)


@pytest.mark.parametrize("relation", ["add_remove", "replace"])
def test_that_tables_of_four_rows_lose_no_more_in_two_parts(relation) -> None:
    rows = ("north", "south", "elsewhere")

    def mechanism(table: tuple) -> dict:
        return joint(
            noisy_count(table.count("north"), MOST, 4), noisy_count(table.count("south"), MOST, 2)
        )

    node = Parallel((leaf("2"), leaf("1")), relation)
    assert worst_ratio(mechanism, neighbours(rows, MOST, relation)) == 2**node.cost.epsilon


def test_that_a_respondent_in_two_parts_counts_twice() -> None:
    parts = tuple(leaf(epsilon) for epsilon in ("0.1", "0.4", "0.2", "0.3"))
    assert Parallel(parts, "add_remove", parts_per_respondent=2).cost.epsilon == Decimal("0.7")
    assert Parallel(parts, "replace", parts_per_respondent=2).cost.epsilon == 1
    assert Parallel(parts[:1], "replace").cost.epsilon == Decimal("0.1")


def test_that_parallel_parts_say_how_many_a_change_reaches() -> None:
    parts = (leaf("0.5"), leaf("0.25"), leaf("0.1"))
    assert Parallel(parts, "add_remove").explanation == (
        "Three disjoint parts: adding or removing a respondent changes one of them, and the "
        "largest of 0.5, 0.25 and 0.1 is 0.5."
    )
    assert Parallel(parts, "replace").explanation == (
        "Three disjoint parts: replacing a respondent changes at most two of them, and the two "
        "largest are 0.5 + 0.25 = 0.75."
    )


def test_that_the_largest_deltas_count_even_where_they_belong_to_other_parts() -> None:
    parts = (leaf("0.5"), leaf("0.25", "1e-6"), leaf("0.1", "3e-6"))
    assert Parallel(parts, "add_remove").cost.delta == Decimal("3e-6")
    assert Parallel(parts, "replace").cost.delta == Decimal("4e-6")


def test_that_a_group_of_enumerated_tables_loses_g_times_as_much() -> None:
    def mechanism(table: tuple) -> dict:
        return noisy_count(len(table), MOST, 2)

    for g in (1, 2, 3, 4):
        pairs = iter([(("x",) * g, ()), ((), ("x",) * g)])
        assert worst_ratio(mechanism, pairs) == 2 ** Group(leaf("1"), g).cost.epsilon


def test_that_a_group_has_a_cost_of_its_own_kind() -> None:
    with pytest.raises(ParameterError, match="cannot be added"):
        Sequential((leaf("1"), Group(leaf("1"), 2)))


def test_that_a_preparation_multiplies_and_keeps_the_unit() -> None:
    prepared = Stable(leaf("0.5"), 3, "Each respondent counted under three headings")
    assert prepared.cost.epsilon == Decimal("1.5")
    assert Sequential((prepared, leaf("1"))).cost.epsilon == Decimal("2.5")
    assert prepared.explanation == (
        "Each respondent counted under three headings: one respondent stands behind up to 3 "
        "rows, 3 × 0.5 = 1.5."
    )


def test_that_postprocessing_is_free() -> None:
    counts = Sequential((leaf("0.5"), leaf("0.25", "1e-6")))
    rounded = Postprocessed(counts, "Shares in per cent")
    assert rounded.cost == counts.cost
    assert rounded.explanation == (
        "Shares in per cent: it looks at the release alone, so it stays at 0.75 with δ = 1e-6."
    )


def test_that_a_postprocessed_report_is_never_told_apart_better() -> None:
    yes, no = randomized_response(4)
    p, q = side_by_side(joint(yes, yes), joint(no, no))
    merged = [(0, 1), (2,), (3,)]
    together = [[sum(law[i] for i in group) for group in merged] for law in (p, q)]
    assert max_ratio(*together) <= max_ratio(p, q)


def test_that_local_and_central_losses_never_add() -> None:
    local = leaf("1", model="local")
    for build in (Sequential, lambda parts: Parallel(parts, "replace")):
        with pytest.raises(ParameterError, match="cannot be added"):
            build((leaf("1"), local))


@pytest.mark.parametrize(
    "build",
    [
        lambda: Sequential(()),
        lambda: Parallel((), "replace"),
        lambda: Parallel((leaf("1"),), "replace", parts_per_respondent=0),
        lambda: Group(leaf("1"), 0),
        lambda: Stable(leaf("1"), 0),
        lambda: leaf("-1"),
        lambda: leaf("1", "1"),
        lambda: leaf("NaN"),
    ],
)
def test_that_what_has_no_meaning_is_refused(build) -> None:
    with pytest.raises(ParameterError):
        build()


def test_that_the_plain_form_is_json_and_holds_the_whole_tree() -> None:
    tree = Postprocessed(
        Sequential(
            (
                Parallel((leaf("0.5", name="women"), leaf("0.5", name="men")), "add_remove"),
                Stable(leaf("0.25", "1e-6"), 2),
            )
        )
    )
    plain = json.loads(json.dumps(tree.plain()))
    assert plain["rule"] == "postprocessed"
    assert plain["epsilon"] == "1"
    (sequence,) = plain["parts"]
    assert [part["rule"] for part in sequence["parts"]] == ["parallel", "stable"]
    assert [part["title"] for part in sequence["parts"][0]["parts"]] == ["women", "men"]
    assert sequence["parts"][1]["epsilon"] == "0.5"
    assert sequence["parts"][1]["delta"].startswith("2.28402541")
    assert all(part["explanation"].endswith(".") for part in sequence["parts"])
