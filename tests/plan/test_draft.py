from __future__ import annotations

from decimal import Decimal

import pytest

from dpdesk.data.sample import load_sample, sample_codebook
from dpdesk.errors import ParameterError
from dpdesk.plan import (
    check,
    check_table,
    choose_best,
    confirm_domains,
    draft_questionnaire,
    draft_table,
    errors_of,
    protect,
    protect_unassigned,
    total_epsilon,
)
from tests.plan.plans import mechanism, small_plan, small_table


def test_that_a_draft_confirms_and_assigns_nothing_but_drops_identifiers() -> None:
    plan = draft_table(small_table())
    roles = {column.name: column.role for column in plan.columns}
    assert roles == {
        "id": "drop",
        "smokes": "unassigned",
        "mood": "unassigned",
        "age": "unassigned",
    }
    assert not any(column.confirmed for column in plan.columns)
    assert all(column.provenance == "suggested" for column in plan.columns)
    codes = {problem.code for problem in errors_of(check(protect_unassigned(plan)))}
    assert codes == {"domain_unconfirmed"}


def test_that_the_sample_is_ready_once_its_codebook_is_confirmed() -> None:
    table = load_sample()
    plan = protect_unassigned(draft_table(table, sample_codebook()), Decimal(8))
    assert {column.provenance for column in plan.columns} == {"codebook"}
    plan = confirm_domains(plan, "A. Statistician")
    assert errors_of(check(plan)) == ()
    assert errors_of(check_table(plan, table)) == ()
    assert total_epsilon(plan) == Decimal(8)
    assert plan.details.confirmed_by == "A. Statistician"


def test_that_protection_starts_with_the_mechanism_of_least_error() -> None:
    plan = small_plan().with_column("mood", role="unassigned", mechanism=None)
    chosen = protect(plan, "mood", Decimal(1)).column("mood").mechanism
    assert chosen == mechanism("grr", "1")


def test_that_protection_keeps_a_choice_that_still_fits() -> None:
    plan = small_plan().with_column("mood", role="drop")
    assert protect(plan, "mood").column("mood").mechanism == mechanism("oue", "0.5")


def test_that_an_identifier_cannot_be_protected() -> None:
    with pytest.raises(ParameterError, match="id has no domain"):
        protect(small_plan(), "id")


def test_that_the_best_choice_changes_mechanisms_but_no_epsilon() -> None:
    best = choose_best(small_plan())
    assert [c.mechanism for c in best.protected] == [
        mechanism("warner", "1"),
        mechanism("grr", "0.5"),
        mechanism("duchi", "2.5"),
    ]
    locked = choose_best(small_plan().with_column("mood", locked=True))
    assert locked.column("mood").mechanism == mechanism("oue", "0.5")


def test_that_a_questionnaire_without_data_knows_its_expected_respondents() -> None:
    assert draft_questionnaire(500).respondents == 500
