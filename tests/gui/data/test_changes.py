from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical, Integer, Real
from dpdesk.gui.pages.data.category_dialog import categories_of_text, text_of_categories
from dpdesk.gui.pages.data.page_commands import add_missing_columns, move_column
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, protect
from dpdesk.plan.column_changes import set_domain, set_kind
from dpdesk.plan.missing_changes import set_missing, set_other
from tests.refusals import refused


def plan_of(**fields) -> Plan:
    return Plan(columns=(ColumnPlan(**({"name": "q", "kind": "nominal"} | fields)),))


@given(
    st.lists(st.text(st.characters(categories=("L", "N"))).filter(bool), min_size=2, unique=True),
    st.text(st.characters(categories=("L", "N", "Zs"))).map(str.strip),
)
def test_that_a_list_of_categories_is_read_back_as_it_was_shown(values, label):
    domain = Categorical(values=tuple(values), labels={values[0]: label} if label else {})
    assert categories_of_text(text_of_categories(domain)) == domain


def test_that_an_integer_made_real_and_back_is_the_same_domain():
    domain = Integer(lower=18, upper=99, unit="years")
    plan = plan_of(kind="integer", domain=domain)
    real = set_kind(plan, "q", "real")
    assert real.column("q").domain == Real(
        lower=Decimal(18), upper=Decimal(99), resolution=Decimal(1), unit="years"
    )
    assert set_kind(real, "q", "integer").column("q").domain == domain


def test_that_a_kind_with_the_same_domain_stays_confirmed():
    domain = Categorical(values=("a", "b"))
    plan = plan_of(kind="binary", domain=domain, confirmed=True)
    assert set_kind(plan, "q", "ordinal").column("q").confirmed


def test_that_more_different_answers_than_anybody_checks_are_not_listed():
    table = table_from_texts({"q": [f"answer {row}" for row in range(2000)]})
    with refused("plan.too-many-answers", name="q", answers=2000):
        set_kind(plan_of(kind="identifier"), "q", "nominal", table)


def test_that_missing_codes_and_blanks_are_no_categories_of_a_new_domain():
    table = table_from_texts({"q": ["10", "9", "NA", "", " "]})
    plan = plan_of(kind="identifier", missing=MissingPolicy(tokens=("", "NA")))
    assert set_kind(plan, "q", "ordinal", table).column("q").domain.values == ("9", "10")


def test_that_numbers_lose_the_categories_added_for_missing_and_other():
    plan = plan_of(
        domain=Categorical(values=("1", "2")),
        other="else",
        missing=MissingPolicy(policy="category", value="none"),
    )
    column = set_kind(plan, "q", "integer").column("q")
    assert (column.other, column.missing.policy) == ("", "protect")


@pytest.mark.parametrize("step", ["other", "missing"])
def test_that_a_category_that_is_added_brings_a_mechanism_that_fits(step):
    plan = protect(plan_of(kind="binary", domain=Categorical(values=("a", "b"))), "q")
    assert plan.column("q").mechanism.kind == "warner"
    if step == "other":
        changed = set_other(plan, "q", "else").column("q")
    else:
        missing = MissingPolicy(policy="category", value="none")
        changed = set_missing(plan, "q", missing).column("q")
    assert changed.mechanism.misfit(changed.effective_domain) is None
    assert changed.mechanism.epsilon == plan.column("q").mechanism.epsilon


def test_that_a_mechanism_that_fits_anew_is_one_that_the_strategy_can_use():
    domain = Categorical(values=("a", "b"))
    plan = plan_of(kind="nominal", domain=domain).with_fields(strategy="rsfd")
    plan = protect(plan, "q")
    assert plan.column("q").mechanism.kind == "warner"
    longer = Categorical(values=tuple(f"answer {i}" for i in range(12)))
    assert set_domain(plan, "q", longer).column("q").mechanism.kind == "oue"
    split = plan.with_fields(strategy="spl")
    assert set_domain(split, "q", longer).column("q").mechanism.kind == "subset_selection"


def test_that_the_same_domain_is_no_change():
    plan = plan_of(domain=Categorical(values=("a", "b")), confirmed=True)
    assert set_domain(plan, "q", Categorical(values=("a", "b"))) is plan


def test_that_columns_move_no_further_than_the_ends():
    columns = tuple(ColumnPlan(name=name, kind="nominal") for name in "abc")
    plan = Plan(columns=columns)
    assert [c.name for c in move_column(plan, "a", -1).columns] == ["a", "b", "c"]
    assert [c.name for c in move_column(plan, "a", 2).columns] == ["b", "c", "a"]


def test_that_adding_columns_of_the_file_keeps_what_was_planned_of_the_others():
    table = table_from_texts({"a": ["x", "y"], "q": ["1", "2"], "z": ["u", "v"]})
    plan = plan_of(label="kept", domain=Categorical(values=("1", "2")))
    grown = add_missing_columns(plan, table)
    assert [column.name for column in grown.columns] == ["a", "q", "z"]
    assert grown.column("q").label == "kept"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Categorical(values=("secret-token", "secret-token")),
        lambda: Categorical(values=("secret-token",)),
        lambda: Integer(lower="secret-token", upper=2),
        lambda: Real(lower=Decimal(0), upper="secret-token", resolution=Decimal(1)),
        lambda: plan_of(name="secret-token" * 100),
        lambda: plan_of(kind="secret-token"),
    ],
)
def test_that_a_refusal_is_a_sentence_that_quotes_nothing(qapp, make):
    with pytest.raises(Refused) as refused:
        make()
    sentence = refusal_of(refused.value)
    assert sentence.endswith(".")
    assert "secret-token" not in sentence
