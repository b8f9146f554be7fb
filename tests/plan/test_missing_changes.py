"""Codes of no answer that are declared or decided on, and the domain that they leave."""

from __future__ import annotations

from decimal import Decimal

from dpdesk.data.missing_codes import TypedCodes, read_codes
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.plan import Plan, confirm_domains, declare_missing, draft_table, protect
from dpdesk.plan.column_changes import set_kind
from dpdesk.plan.missing_changes import set_codes
from tests.refusals import refused

AGES = [str(age) for age in range(18, 91)] * 3
TABLE = table_from_texts({"age": [*AGES, "150", "150"], "rating": [*"12345" * 44, "-7"]})


def with_codes(plan: Plan, name: str, typed: str, table: SurveyTable | None = TABLE) -> Plan:
    missing = plan.column(name).missing.with_codes(read_codes(typed))
    return set_codes(plan, name, missing, table)


def test_that_a_suggested_domain_loses_the_codes_and_gets_them_back() -> None:
    plan = draft_table(TABLE)
    assert plan.column("age").domain == Integer(lower=18, upper=150)
    coded = with_codes(plan, "age", "100 to 200 = wrong")
    assert coded.column("age").domain == Integer(lower=18, upper=90)
    assert with_codes(coded, "age", "").column("age").domain == Integer(lower=18, upper=150)
    assert with_codes(plan, "age", "150", None).column("age").domain == plan.column("age").domain


def test_that_a_confirmed_domain_stays_whatever_codes_are_declared() -> None:
    plan = confirm_domains(draft_table(TABLE))
    for changed in (
        with_codes(plan, "age", "150"),
        declare_missing(plan, TABLE, "age", read_codes("150"), "", ""),
    ):
        column = changed.column("age")
        assert column.domain == Integer(lower=18, upper=150)
        assert column.confirmed


def test_that_a_kind_follows_the_suggestion_unless_somebody_chose_it() -> None:
    plan = draft_table(TABLE)
    assert plan.column("rating").kind == "ordinal"
    chosen = with_codes(set_kind(plan, "rating", "integer", TABLE), "rating", "-7")
    assert chosen.column("rating").kind == "integer"
    assert chosen.column("rating").domain == Integer(lower=1, upper=5)
    gone = with_codes(plan, "rating", "-7; 3")
    assert gone.column("rating").kind == "nominal"
    assert gone.column("rating").domain == Categorical(values=("1", "2", "4", "5"))


def test_that_a_protected_column_gets_a_mechanism_that_fits_the_domain_left() -> None:
    table = table_from_texts({"score": [str(score) for score in range(1, 14)] * 9})
    plan = protect(draft_table(table), "score")
    assert plan.column("score").kind == "integer"
    left = with_codes(plan, "score", "11 to 13", table).column("score")
    assert left.kind == "ordinal"
    assert left.role == "protect"
    assert left.mechanism is not None
    assert left.effective_domain is not None
    assert left.mechanism.objection(left.effective_domain) is None


def test_that_too_many_or_too_long_codes_are_refused_in_a_sentence() -> None:
    long = TypedCodes(tokens=("x" * 1001,))
    with refused("plan.bad-codes", name="age"):
        declare_missing(draft_table(TABLE), TABLE, "age", long, "", "")


def test_that_the_supposed_share_is_declared_with_the_policy_and_in_per_cent() -> None:
    plan = draft_table(TABLE)
    share = Decimal("0.75")
    declared = declare_missing(plan, TABLE, "age", read_codes("150"), "protect", "75%")
    assert declared.column("age").missing.supposed_share == share
    again = declare_missing(declared, TABLE, "age", read_codes("150"), "", "")
    assert again.column("age").missing.supposed_share == share
    for wrong in ("75", "0%", "100%", "many"):
        with refused("plan.bad-share", name="age"):
            declare_missing(plan, TABLE, "age", read_codes("150"), "protect", wrong)


def test_that_missing_answers_become_no_category_that_the_list_has() -> None:
    with refused("plan.category-exists", name="3"):
        declare_missing(draft_table(TABLE), TABLE, "rating", read_codes("-7"), "category", "3")


def test_that_the_empty_cell_can_have_a_label_that_is_typed_again() -> None:
    codes = read_codes("= not asked; 150")
    declared = declare_missing(draft_table(TABLE), TABLE, "age", codes, "", "")
    missing = declared.column("age").missing
    assert missing.labels == {"": "not asked"}
    assert missing.codes == "= not asked; 150"
    assert with_codes(declared, "age", missing.codes).column("age").missing == missing
    # Where the empty cell is an answer, its label goes.
    assert missing.with_codes(codes, empty=False).labels == {}
