"""How dates and numbers are written is an open question until the curator decides."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dpdesk.data.suggest import suggest_column
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.data.texts import T
from dpdesk.domains import Categorical, Date, Integer, NumericDomain, Real
from dpdesk.i18n import Message
from dpdesk.plan import ColumnPlan, check_table, encode_column
from dpdesk.plan.checks.table import AnswerChecks
from dpdesk.plan.column_changes import set_kind, set_role
from dpdesk.plan.draft import draft_table
from dpdesk.plan.missing import MissingPolicy, protecting
from dpdesk.plan.open_questions import decide, open_questions
from dpdesk.plan.texts import T as PlanT
from dpdesk.plan.writing_questions import DateOrder, MarkedCells, WrittenOtherwise

AMBIGUOUS = [f"{1 + i % 12:02}/{1 + i % 11:02}/{1990 + i % 20}" for i in range(500)]
WEIGHTS = [f"{45 + i % 60}.{i % 10} kg" for i in range(500)]
HOSTILE = ["31/04/2024", "2023-02-29", "45356", "05.03.24", "2024-03-05Z"]
TWO_WAYS = [f"{1 + i % 9},{100 + i % 899}" for i in range(500)]


def table_of(cells: list[str]) -> SurveyTable:
    return table_from_texts({"q": cells})


def asked(table: SurveyTable):
    column = draft_table(table).column("q")
    return open_questions(column, table.column("q"), table.reading)


@pytest.mark.parametrize(("first", "pattern"), [(True, "DD/MM/YYYY"), (False, "MM/DD/YYYY")])
def test_that_the_curator_says_whether_the_day_comes_first(first: bool, pattern: str) -> None:
    table = table_of(AMBIGUOUS)
    (question,) = asked(table)
    assert isinstance(question, DateOrder)
    assert question.respondents == 500
    plan = decide(draft_table(table), table, "q", DateOrder, first=first)
    domain = plan.column("q").domain
    assert isinstance(domain, Date)
    assert (domain.pattern, plan.column("q").provenance) == (pattern, "suggested")
    assert domain.texts[domain.encode(["02/02/1991"])[0]] == "1991-02"
    apart = domain.texts[domain.encode(["03/05/1991"])[0]]
    assert apart == ("1991-05" if first else "1991-03")
    assert not open_questions(plan.column("q"), table.column("q"), table.reading)


def test_that_an_order_that_is_open_blocks_a_release_and_names_no_cell() -> None:
    table = table_of(AMBIGUOUS)
    plan = draft_table(table).with_column("q", role="unassigned")
    found = [problem for problem in check_table(plan, table) if problem.code == "writing_undecided"]
    assert len(found) == 1
    assert found[0].severity == "error"
    assert not any(cell in found[0].message for cell in AMBIGUOUS)


def test_that_numbers_with_a_unit_become_numbers_as_decided() -> None:
    table = table_of([*WEIGHTS, "heavy"])
    (question,) = asked(table)
    assert isinstance(question, MarkedCells)
    assert question.respondents == 500
    plan = decide(draft_table(table), table, "q", MarkedCells, first=True)
    column = plan.column("q")
    assert isinstance(column.domain, NumericDomain)
    assert (column.kind, column.domain.unit, column.domain.size) == ("real", "kg", 600)
    encoded = encode_column(column, table.column("q"), table.reading)
    assert (encoded.unreadable, encoded.outside) == (1, 1)
    assert not open_questions(column, table.column("q"), table.reading)


def test_that_numbers_with_a_unit_become_texts_as_decided() -> None:
    table = table_of(WEIGHTS)
    plan = decide(draft_table(table), table, "q", MarkedCells, first=False)
    assert isinstance(plan.column("q").domain, Categorical)
    assert not open_questions(plan.column("q"), table.column("q"), table.reading)


@pytest.mark.parametrize(("first", "largest"), [(True, None), (False, None)])
def test_that_a_mark_with_two_meanings_has_two_answers(first: bool, largest: None) -> None:
    table = table_of(TWO_WAYS)
    (question,) = asked(table)
    assert isinstance(question, MarkedCells)
    assert {question.answers[0], question.answers[1]} == {"1234,5", "1,234.5"}
    plan = decide(draft_table(table), table, "q", MarkedCells, first=first)
    domain = plan.column("q").domain
    assert isinstance(domain, NumericDomain)
    chosen = question.answers[0] if first else question.answers[1]
    assert domain.written == chosen  # type: ignore[union-attr]
    assert (domain.span > 1000) == (chosen == "1,234.5")


def test_that_a_column_of_dates_can_be_made_one_by_hand() -> None:
    table = table_of([str(1930 + i % 70) for i in range(300)])
    plan = set_kind(draft_table(table), "q", "date", table)
    assert plan.column("q").domain == Date.of("1930", "1999")
    back = set_kind(plan, "q", "integer", table)
    assert back.column("q").domain == draft_table(table).column("q").domain


def test_that_answers_that_are_no_dates_are_counted_in_a_sentence() -> None:
    cells = ["2024-03-05"] * 90 + HOSTILE * 2
    table = table_of(cells)
    plan = draft_table(table).with_column(
        "q", kind="date", domain=Date.of("2024-01-01", "2024-12-31"), provenance="declared"
    )
    encoded = encode_column(plan.column("q"), table.column("q"), table.reading)
    assert encoded.unreadable == 10
    plan = set_role(plan, "q", "protect")
    refused = [one.message for one in check_table(plan, table)]
    # The holder of the data finds them by their rows.
    where = PlanT.IN_ROWS(rows="91, 92, 93 and 7 more")
    (values,) = (message.values for message in refused)
    assert (values["unknown"], values["answers"], values["rows"]) == (10, 100, where)
    plan = plan.with_column("q", missing=protecting(plan.column("q").domain))
    told = [one.message for one in check_table(plan, table) if one.code == "too_many_unfit"]
    values = told[0].values
    assert (values["unread"], values["answers"], values["rows"]) == (10, 100, where)
    assert not any(cell in told[0] for cell in cells)


def test_that_codes_of_dates_are_asked_about_and_left_out() -> None:
    cells = [f"19{50 + i % 40}-{1 + i % 12:02}" for i in range(400)] + ["9999-99"] * 10 + ["-9"] * 5
    table = table_of(cells)
    column = draft_table(table).column("q")
    assert column.domain == Date.of("1950-01", "1989-12")
    codes = list(open_questions(column, table.column("q"), table.reading))
    assert [set(one.codes) for one in codes] == [{"9999-99", "-9"}]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("cells", "declared", "written"),
    [
        (WEIGHTS, Real(lower="30", upper="120", resolution="0.1"), "30..120/0.1 kg as 1234.5 kg"),
        (
            [f"05.03.{1960 + i % 40}" for i in range(500)],
            Date.of("1960", "1999", "year"),
            "1960..1999 by year as DD.MM.YYYY",
        ),
        (
            [f"{1960 + i % 40}-03-05" for i in range(500)],
            Date.of("1960", "1999", "year", "DD.MM.YYYY"),
            "1960..1999 by year",
        ),
    ],
    ids=["unit", "pattern", "iso"],
)
@pytest.mark.parametrize("role", ["protect", "keep"])
def test_that_a_domain_that_reads_cells_in_another_way_is_told_with_its_remedy(
    cells: list[str], declared: NumericDomain, written: str, role: str
) -> None:
    table = table_of(cells)
    plan = draft_table(table).with_column(
        "q", kind=declared.kinds[0], domain=declared, provenance="declared"
    )
    plan = set_role(plan, "q", role)
    (found,) = [one for one in check_table(plan, table) if one.code == "answers_outside_domain"]
    assert found.message.id == "plan.answers-outside-domain--written"
    assert f"draft --declare 'q={written}'" in found.command_remedy
    assert found.severity == ("error" if role == "protect" else "warning")
    assert not any(cell in found.message for cell in cells)


@pytest.mark.parametrize("policy", ["none", "category"])
def test_that_categories_that_the_file_writes_as_other_numbers_are_told(policy: str) -> None:
    table = table_of(["1.0", "2.0", "3.0"] * 100)
    domain = Categorical(values=("1", "2"))
    missing = MissingPolicy() if policy == "none" else protecting(domain)
    plan = draft_table(table).with_column(
        "q", kind="nominal", domain=domain, provenance="declared", missing=missing
    )
    plan = set_role(plan, "q", "protect")
    (found,) = [one for one in check_table(plan, table) if one.severity == "error"]
    assert found.message.id == "plan.checks.answers-outside-domain--alike"
    assert found.message.values["answers"] == 200
    assert "draft --declare q=1.0|2.0" in found.command_remedy.replace("'", "")
    plan = plan.with_column("q", domain=Categorical(values=("1.0", "2.0")))
    (left,) = [one for one in check_table(plan, table) if one.severity == "error"]
    values = left.message.values
    assert 100 in (values.get("unknown"), values.get("unfit"))


def test_that_of_a_long_column_the_beginning_tells_how_it_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_of([f"{number}.5 kg" for number in range(300)])
    column = ColumnPlan(name="q", kind="real", domain=Real(lower=0, upper=300, resolution="0.5"))
    monkeypatch.setattr("dpdesk.data.table.SAMPLE_ROWS", 100)
    found = WrittenOtherwise.of(column, table.column("q"), table.reading)
    assert found is not None
    assert found.respondents == 100
    assert [domain.written_how for domain in found.domains] == ["1234.5 kg"]


def thousands(i: int) -> str:
    return f"{1 + i % 90}.{10 * (i * 37 % 100):03}"


GROUPED = [*map(thousands, range(400)), "-379", "50"]


@pytest.mark.parametrize(("first", "largest"), [(True, 90.73), (False, 90_730)])
def test_that_a_decimal_mark_that_may_part_thousands_is_asked_about(
    first: bool, largest: float
) -> None:
    table = table_of(GROUPED)
    (question,) = asked(table)
    assert isinstance(question, MarkedCells)
    assert [one.example for one in question.writings] == ["1234.5", "1.234,5"]
    plan = decide(draft_table(table), table, "q", MarkedCells, first=first)
    domain = plan.column("q").domain
    assert isinstance(domain, Integer | Real)
    assert float(domain.upper) == pytest.approx(largest, rel=0.05)
    # Who declares bounds alone is not told that nothing is read.
    bounds = Real(lower=-400, upper=91, resolution="0.001")
    declared = ColumnPlan(name="q", kind="real", domain=bounds)
    assert WrittenOtherwise.of(declared, table.column("q"), table.reading) is None


@pytest.mark.parametrize(
    "cells",
    [
        # Fractions of one length behind every number; with their last zeros taken off; below one;
        # numbers of a thousand and more without a mark; no last zero.
        [thousands(i) for i in range(400)],
        [*(thousands(i).rstrip("0") for i in range(400)), "50"],
        [*GROUPED, "0.250"],
        [*GROUPED, "1000"],
        [*(thousands(i)[:-1] + "1" for i in range(400)), "50"],
    ],
)
def test_that_of_real_decimals_nothing_is_asked(cells: list[str]) -> None:
    table = table_of(cells)
    assert not asked(table)
    assert isinstance(draft_table(table).column("q").domain, NumericDomain)


@pytest.mark.parametrize("share", [0.1, 0.5, 1])
def test_that_a_minus_sign_that_is_no_hyphen_is_told_to_be_one(share: float) -> None:
    losses = [f"\u2212{i}.5" for i in range(1, 1 + int(100 * share))]
    cells = [*losses, *(f"{i}.25" for i in range(100))]
    table = table_of(cells)
    column = draft_table(table).column("q")
    # No bounds that leave out all that is below zero.
    assert (column.kind, column.domain) == ("real", None)
    reason = suggest_column(table.column("q")).reason
    assert isinstance(reason, Message)
    assert (reason.id, reason.values["count"]) == ("data.minus-signs", len(losses))
    assert "decimal mark" not in reason
    bounds = Real(lower=-200, upper=200, resolution="0.01")
    for domain, unread in ((bounds, len(losses)), (bounds.written_as("1234.5"), 0)):
        declared = ColumnPlan(name="q", kind="real", domain=domain, confirmed=True, role="protect")
        assert encode_column(declared, table.column("q"), table.reading).unreadable == unread
        told = "".join(
            map(
                str, AnswerChecks().problems(declared, table.column("q"), table.reading, Decimal(0))
            )
        )
        assert (PlanT.NUMBERS_UNLIKE(count=unread, declared="“1234.5”") in told) == bool(unread)


def test_that_a_check_says_why_a_column_of_numbers_has_no_bounds() -> None:
    amounts = [1_000 + i * 37.13 % 8_000 for i in range(300)]
    cells = [f"{amount:.2f}".replace(".", ".,"[i % 2]) for i, amount in enumerate(amounts)]
    table = table_of(cells)
    plan = draft_table(table)
    found = {one.code: one.message for one in check_table(plan, table)}
    assert T.NUMBERS_UNLIKE(count=150, answers=300) in found["no_bounds"]
    assert not any(cell in found["no_bounds"] for cell in cells)
    # What is asked about is told by the question alone, and other marks are among what it names.
    table = table_of([*(cell.replace(".", ",") for cell in cells), *cells[:6:2]])
    found = {one.code: one.message for one in check_table(draft_table(table), table)}
    assert "no_bounds" not in found
    assert found["writing_undecided"].id == "plan.writing-undecided--numbers"
