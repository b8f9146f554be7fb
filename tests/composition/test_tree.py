from __future__ import annotations

import json
from decimal import Decimal

import pytest

from dpdesk.composition import Composed, Loss, max_ratio, release_node, sequence_node
from dpdesk.errors import ParameterError
from tests.composition.enumerated import (
    joint,
    randomized_response,
    side_by_side,
)
from tests.refusals import refused

MOST = 4


def leaf(epsilon: str, delta: str = "0", name: str = "a count", **kwargs: str) -> Composed:
    return release_node(Loss(name, Decimal(epsilon), Decimal(delta), **kwargs))


def test_that_a_sequence_says_its_sum_in_words() -> None:
    counts = sequence_node(
        (leaf("0.5"), leaf("0.25"), leaf("0.25")), "Three counts of the same respondents"
    )
    assert counts.cost.epsilon == 1
    assert counts.explanation == "Three counts of the same respondents: 0.5 + 0.25 + 0.25 = 1."


def test_that_many_equal_terms_are_counted_and_deltas_are_added_too() -> None:
    node = sequence_node((*[leaf("0.1", "1e-7")] * 12, leaf("1")), "all")
    assert node.cost.epsilon == Decimal("2.2")
    assert node.cost.delta == Decimal("1.2e-6")
    assert node.explanation == ("all: 12 × 0.1 + 1 = 2.2; δ: 12 × 1e-7 + 0 = 1.2e-6.")


def test_that_a_sum_of_many_digits_is_exact() -> None:
    tiny = "0." + "0" * 60 + "1"
    node = sequence_node((leaf("40", tiny), leaf("0.000000000001", "0.1")), "both")
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
    total = sequence_node((leaf("2"), leaf("1")), "both").cost.epsilon
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


def test_that_a_postprocessed_report_is_never_told_apart_better() -> None:
    yes, no = randomized_response(4)
    p, q = side_by_side(joint(yes, yes), joint(no, no))
    merged = [(0, 1), (2,), (3,)]
    together = [[sum(law[i] for i in group) for group in merged] for law in (p, q)]
    assert max_ratio(*together) <= max_ratio(p, q)


def test_that_local_and_central_losses_never_add() -> None:
    with refused("numbers.costs-differ"):
        sequence_node((leaf("1"), leaf("1", model="local")), "both")


@pytest.mark.parametrize(
    "build",
    [
        lambda: sequence_node((), "none"),
        lambda: leaf("-1"),
        lambda: leaf("1", "1"),
        lambda: leaf("NaN"),
    ],
)
def test_that_what_has_no_meaning_is_refused(build) -> None:
    with pytest.raises(ParameterError):
        build()


def test_that_the_plain_form_is_json_and_holds_the_whole_tree() -> None:
    mean = sequence_node((leaf("0.5", name="sum"), leaf("0.5", "1e-6", name="count")), "a mean")
    plain = json.loads(json.dumps(sequence_node((leaf("0.25"), mean), "all").plain()))
    assert (plain["rule"], plain["epsilon"], plain["delta"]) == ("sequential", "1.25", "1e-6")
    count, inner = plain["parts"]
    assert [part["rule"] for part in plain["parts"]] == ["release", "sequential"]
    assert (count["title"], count["epsilon"]) == ("a count", "0.25")
    assert [part["title"] for part in inner["parts"]] == ["sum", "count"]
    assert all(part["explanation"].endswith(".") for part in plain["parts"])
