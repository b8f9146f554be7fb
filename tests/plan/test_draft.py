from __future__ import annotations

from decimal import Decimal

import pytest

from dpdesk.data.codebook import CodebookEntry
from dpdesk.data.sample import load_sample, sample_codebook
from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical
from dpdesk.mechanisms import Sampling, best_of, mechanism_named, ranked
from dpdesk.plan import (
    ColumnPlan,
    Plan,
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
from dpdesk.plan.budget import DEFAULT_BUDGET
from dpdesk.plan.draft import merge_draft
from dpdesk.plan.model import COLUMNS_MAX
from dpdesk.plan.synthesis import Impossible
from dpdesk.queries.phrase import parse_query
from tests.plan.plans import MOODS, mechanism, small_plan, small_table
from tests.refusals import refused
from tests.strength import strength_in


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


def test_that_the_sample_is_ready_with_its_codebook_which_nobody_is_asked_for_again() -> None:
    table = load_sample()
    plan = protect_unassigned(draft_table(table, sample_codebook()), Decimal(8))
    assert {(c.provenance, c.confirmed) for c in plan.columns} == {("codebook", True)}
    assert errors_of(check(plan)) == ()
    assert not any(column.confirmed for column in draft_table(table).columns)
    plan = confirm_domains(plan, "A. Statistician")
    assert errors_of(check(plan)) == ()
    assert errors_of(check_table(plan, table)) == ()
    assert total_epsilon(plan) == Decimal(8)
    assert plan.details.confirmed_by == "A. Statistician"


def test_that_protection_starts_with_the_mechanism_of_least_error() -> None:
    plan = small_plan().with_column("mood", role="unassigned", mechanism=None)
    plan = plan.with_fields(budget=None)
    chosen = protect(plan, "mood", Decimal(1)).column("mood").mechanism
    assert chosen == mechanism("grr", "1")


def test_that_protection_keeps_a_choice_that_still_fits() -> None:
    plan = small_plan().with_column("mood", role="drop")
    assert protect(plan, "mood").column("mood").mechanism == mechanism("oue", "0.5")


def test_that_an_identifier_cannot_be_protected() -> None:
    with refused("plan.not-protectable", name="id"):
        protect(small_plan(), "id")


def test_that_the_best_choice_changes_mechanisms_but_no_epsilon() -> None:
    best = choose_best(small_plan())
    assert [c.mechanism for c in best.protected] == [
        mechanism("warner", "1"),
        mechanism("grr", "0.5"),
        mechanism("piecewise", "2.5"),
    ]
    locked = choose_best(small_plan().with_column("mood", locked=True))
    assert locked.column("mood").mechanism == mechanism("oue", "0.5")


def test_that_the_best_choice_can_be_made_by_the_worst_case() -> None:
    best = choose_best(small_plan(), "age", by="var_star")
    assert best.column("age").mechanism == mechanism("hybrid", "2.5")
    assert best.column("mood") == small_plan().column("mood")


def test_that_a_matrix_of_ones_own_stays_unless_it_is_named() -> None:
    own = mechanism_named("pram").starting(MOODS, Decimal(1))
    plan = small_plan().with_column("mood", mechanism=own)
    assert choose_best(plan).column("mood").mechanism == own
    chosen = choose_best(plan, "mood").column("mood").mechanism
    assert chosen is not None
    assert (chosen.kind, chosen.epsilon) == ("grr", own.epsilon)


def test_that_fake_data_has_its_own_best_choice_and_none_for_numbers() -> None:
    plan = small_plan().with_fields(strategy="rsfd")
    best = choose_best(plan)
    assert best.column("mood").mechanism == mechanism("grr", "0.5")
    assert best.column("age").mechanism == mechanism("duchi", "2.5")
    unassigned = plan.with_column("age", role="unassigned", mechanism=None)
    with refused("plan.no-mechanism-of-strategy", name="age"):
        protect(unassigned, "age")


def test_that_protecting_replaces_what_the_strategy_cannot_use() -> None:
    plan = small_plan().with_column("mood", role="drop", mechanism=mechanism("olh", "0.5"))
    assert protect(plan, "mood").column("mood").mechanism == mechanism("olh", "0.5")
    faked = protect(plan.with_fields(strategy="rsfd"), "mood").column("mood").mechanism
    assert faked is not None
    assert faked.kind in {"grr", "sue", "oue"}


def test_that_fake_data_is_chosen_for_all_attributes_that_there_are_in_the_end() -> None:
    moods = Categorical(values=tuple(f"mood {i}" for i in range(10)))
    columns = tuple(
        ColumnPlan(name=f"q{i}", kind="nominal", domain=moods, confirmed=True) for i in range(12)
    )
    plan = protect_unassigned(Plan(strategy="rsfd", columns=columns))
    assert {c.mechanism.kind for c in plan.protected if c.mechanism} == {"oue"}
    alone = ranked(moods, Decimal(1), sampling=Sampling("rsfd", 1))
    best = best_of(alone)
    assert best is not None
    assert best.mechanism.kind == "grr"
    assert plan == choose_best(plan)


@pytest.mark.parametrize(("others", "best"), [(0, "grr"), (1, "oue")])
@pytest.mark.parametrize("role", ["unassigned", "protect"])
def test_that_the_column_itself_counts_once_among_the_attributes(
    others: int, best: str, role: str
) -> None:
    # Of ten answers at epsilon 1, GRR is as good as any alone, and OUE beside another attribute.
    moods = Categorical(values=tuple(f"mood {i}" for i in range(10)))
    own = mechanism("olh", "1") if role == "protect" else None
    columns = [ColumnPlan(name="q", kind="nominal", domain=moods, role=role, mechanism=own)]
    for i in range(others):
        done = mechanism("grr", "1")
        more = ColumnPlan(
            name=f"q{i}", kind="nominal", domain=moods, role="protect", mechanism=done
        )
        columns.append(more)
    chosen = protect(Plan(strategy="rsfd", columns=tuple(columns)), "q", Decimal(1))
    found = chosen.column("q").mechanism
    assert found is not None
    assert found.kind == best


def test_that_expected_answers_are_shares_of_all_categories_or_nothing() -> None:
    mood = small_plan().column("mood")
    declared = mood.model_copy(update={"expected": (Decimal(1), Decimal(3), Decimal(0))})
    assert declared.expected_shares == (0.25, 0.75, 0.0)
    for weights in ((), (Decimal(1), Decimal(3)), (Decimal(0),) * 3):
        assert mood.model_copy(update={"expected": weights}).expected_shares == ()


def test_that_a_questionnaire_without_data_knows_its_expected_respondents() -> None:
    assert draft_questionnaire(500).respondents == 500


def test_that_a_table_wider_than_a_plan_is_refused_before_its_answers_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dpdesk.plan.draft.suggest_column", lambda *_: pytest.fail("looked at"))
    columns = {f"q{i}": ["1", "2"] for i in range(COLUMNS_MAX + 1)}
    with refused("plan.too-many-columns", columns=COLUMNS_MAX + 1, most=COLUMNS_MAX):
        draft_table(table_from_texts(columns))


def test_that_a_name_too_long_for_a_plan_is_refused_by_its_position() -> None:
    draft_table(table_from_texts({"x" * 1000: ["1", "2"]}))
    with refused("plan.long-name", position=2) as caught:
        draft_table(table_from_texts({"a": ["1", "2"], "x" * 1001: ["1", "2"]}))
    assert "xxx" not in str(caught.value)


def test_that_a_cell_of_many_blanks_is_a_missing_answer() -> None:
    plan = draft_table(table_from_texts({"a": ["1", "2", " " * 1500, "\t" * 1500]}))
    assert plan.column("a").missing.tokens == ("",)


@pytest.mark.parametrize(
    "texts",
    [
        ["-0", "+0", "0", "0.0"],
        ["-0", "+0", "0", "0.0"] * 10,
        ["1", "1.0"],
        ["5", "5.", "5.0", "5.00", "5e0", "50e-1", "0.5e1", "+5", "+5.0", "5.000", "5e00"] * 3,
        [f"2.{'0' * i}" for i in range(40)] * 3,
        [f"2.{'0' * i}" for i in range(40)] * 3 + ["none"],
        ["900000000000000.1", "900000000000000.2"] * 9 + [f"9{'0' * 14}.{i}5" for i in range(9)],
        ["1e-99", "2e-99", "3e-99"] * 9 + [f"{i}e-98" for i in range(1, 20)],
        ["999999999999999", "-999999999999999"] + [str(i) for i in range(30)],
    ],
)  # fmt: skip
def test_that_numbers_without_a_grid_get_no_domain_instead_of_an_error(texts: list[str]) -> None:
    for decimal in (".", ","):
        table = table_from_texts({"a": texts, "weight": texts}, decimal=decimal)
        plan = protect_unassigned(draft_table(table))
        assert [column.name for column in plan.columns] == ["a", "weight"]
        for column in plan.columns:
            assert column.domain is None or column.domain.size >= 2
            assert column.role in {"unassigned", "protect", "drop"}


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "a", "kind": "integer", "domain": {"type": "categorical", "values": ["1", "2"]}},
        {"name": "a", "kind": "identifier", "domain": {"type": "integer", "lower": 1, "upper": 2}},
    ],
)
def test_that_a_codebook_which_a_plan_cannot_hold_is_refused_by_its_column(
    entry: dict[str, object],
) -> None:
    book = {"a": CodebookEntry.model_validate(entry)}
    with refused("plan.bad-entry", name="a"):
        draft_table(table_from_texts({"a": ["1", "2"]}), book)


def test_that_who_confirms_has_a_name_that_a_plan_can_hold() -> None:
    plan = draft_table(table_from_texts({"a": ["1", "2"]}))
    assert confirm_domains(plan, "x" * 1000).details.confirmed_by
    with refused("plan.confirmed-by-long"):
        confirm_domains(plan, "x" * 1001)


def test_that_protecting_one_more_never_exceeds_the_budget() -> None:
    plan = draft_table(load_sample(), sample_codebook())
    assert plan.budget == DEFAULT_BUDGET == 4
    totals = []
    for column in plan.columns:
        plan = protect(plan, column.name)
        totals.append(total_epsilon(plan))
    assert totals == [1, 2, 3, 4, 4, 4, 4, 4, 4]
    locked = plan.with_changed({i: c.changed(locked=True) for i, c in enumerate(plan.columns)})
    more = protect(locked.with_column(plan.columns[0].name, role="drop", mechanism=None), "age")
    assert more.protected


def test_that_an_old_plan_without_a_budget_keeps_1_for_each() -> None:
    plan = draft_table(load_sample(), sample_codebook()).with_fields(budget=None)
    assert total_epsilon(protect_unassigned(plan)) == len(plan.columns)
    assert protect_unassigned(plan).budget is None


def test_that_a_large_loss_of_the_whole_record_is_named() -> None:
    plan = draft_table(load_sample(), sample_codebook())
    for total, told in (("6.9", False), ("6.91", True), ("300", True)):
        found = [p for p in check(protect_unassigned(plan, Decimal(total))) if p.code == "large"]
        assert bool(found) == told, total
    assert "1.95 × 10¹³⁰" in found[0].message
    assert strength_in(found[0].message) == "very weak"


def test_that_a_locked_column_is_protected_by_its_best_mechanism_whatever_is_split() -> None:
    # Of so many categories the first mechanism of the registry is not the best.
    many = Categorical(values=tuple(map(str, range(60))))
    changes = {"domain": many, "role": "unassigned", "mechanism": None, "locked": True}
    protected = protect_unassigned(small_plan().with_column("mood", **changes), Decimal(4))
    best = best_of(ranked(many, Decimal(1)))
    assert best is not None
    assert best.mechanism.kind != "grr"
    assert protected.column("mood").mechanism == best.mechanism


def two_drafts() -> tuple[Plan, Plan]:
    """Drafts for two files with the same columns, other answers and other numbers of rows."""
    first = {"smokes": ["yes", "no"] * 20, "mood": ["good", "bad"] * 20, "age": ["40", "31"] * 20}
    second = {"smokes": ["often", "no"] * 30, "mood": ["so", "bad"] * 30, "age": ["70", "52"] * 30}
    return draft_table(table_from_texts(first)), draft_table(table_from_texts(second))


def test_that_a_plan_takes_what_nobody_decided_on_from_the_draft_for_other_data() -> None:
    before, draft = two_drafts()
    kept = before.with_column("smokes", role="keep")
    anew = merge_draft(kept, before, draft)
    assert anew.column("smokes") == kept.column("smokes")
    assert (anew.column("mood"), anew.column("age")) == (draft.column("mood"), draft.column("age"))
    assert anew.respondents == draft.respondents == 60
    # A number that was stated is a decision.
    stated = kept.with_fields(respondents=500)
    assert merge_draft(stated, before, draft).respondents == 500
    # What was drafted from nothing was all decided.
    assert merge_draft(kept, Plan(), draft) == kept


def test_that_a_domain_that_an_impossible_combination_goes_by_stays_for_other_data() -> None:
    before, draft = two_drafts()
    conditions = tuple(
        parse_query(f"count where {text}").where[0] for text in ("smokes = yes", "mood = bad")
    )
    synthesis = before.synthesis.model_copy(update={"impossible": (Impossible(all_of=conditions),)})
    anew = merge_draft(before.with_fields(synthesis=synthesis), before, draft)
    assert anew.column("smokes") == before.column("smokes")
    assert anew.column("mood") == before.column("mood")
    assert anew.column("age") == draft.column("age")


def test_that_a_plan_as_it_was_drafted_keeps_its_columns_and_how_it_says_data_are_read() -> None:
    before, draft = two_drafts()
    before = before.with_fields(reading_confirmed=False, names_confirmed=True)
    anew = merge_draft(before, before, draft)
    assert anew.columns == draft.columns
    assert (draft.reading_confirmed, draft.names_confirmed) == (True, False)
    assert (anew.reading_confirmed, anew.names_confirmed) == (False, True)
    # Of data with other columns only the suggestions are taken.
    fewer = draft.with_columns(draft.columns[1:])
    anew = merge_draft(before, before, fewer)
    assert anew.columns == (before.columns[0], *draft.columns[1:])
