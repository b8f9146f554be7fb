from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from importlib import import_module

import pytest

from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.domains import Categorical, Integer
from dpdesk.numbers.digits import ratio_text
from dpdesk.plan import (
    ColumnPlan,
    MissingPolicy,
    Plan,
    Problem,
    check_table,
    errors_of,
    grouped,
)
from dpdesk.plan.checks.table import AnswerChecks
from dpdesk.plan.checks.texts import T
from dpdesk.plan.encoding import EncodedColumn, encode_column
from dpdesk.plan.losses import total_epsilon
from tests.plan.plans import MOODS, check_of_many, mechanism, small_plan, small_table

Change = Callable[[Plan], Plan]


def test_that_a_complete_plan_has_no_problems() -> None:
    assert check_of_many(small_plan()) == ()
    assert check_table(small_plan(), small_table()) == ()


@pytest.mark.parametrize(
    ("code", "path", "change"),
    [
        ("unassigned", "columns.age.role", lambda p: p.with_column("age", role="unassigned")),
        ("no_domain", "columns.age.domain", lambda p: p.with_column("age", domain=None)),
        (
            "domain_unconfirmed",
            "columns.age.confirmed",
            lambda p: p.with_column("age", confirmed=False),
        ),
        ("no_mechanism", "columns.age.mechanism", lambda p: p.with_column("age", mechanism=None)),
        (
            "misfit",
            "columns.age.mechanism",
            lambda p: p.with_column("age", mechanism=mechanism("grr", "1")),
        ),
        (
            "keep_unconfirmed",
            "columns.age.keep_confirmed",
            lambda p: p.with_column("age", role="keep"),
        ),
        ("cannot_protect", "columns.id.kind", lambda p: p.with_column("id", role="protect")),
        ("over_budget", "budget", lambda p: p.with_fields(budget=Decimal("3.9999"))),
        ("no_columns", "columns", lambda p: p.with_columns(())),
        ("nothing_protected", "columns", lambda p: p.with_columns(p.columns[:1])),
        (
            "missing_policy_unfit",
            "columns.age.missing",
            lambda p: p.with_column("age", missing=MissingPolicy(policy="category", value="?")),
        ),
        (
            "missing_value_outside",
            "columns.mood.missing",
            lambda p: p.with_column("mood", missing=MissingPolicy(policy="value", value="?")),
        ),
        (
            "category_twice",
            "columns.mood.missing",
            lambda p: p.with_column("mood", missing=MissingPolicy(policy="category", value="low")),
        ),
        ("other_of_numbers", "columns.age.other", lambda p: p.with_column("age", other="rest")),
    ],
)
def test_that_each_fault_is_named_with_place_and_remedy(
    code: str, path: str, change: Change
) -> None:
    errors = {problem.code: problem for problem in errors_of(check_of_many(change(small_plan())))}
    assert errors[code].path == path
    assert errors[code].message.endswith(".")
    assert errors[code].remedy.endswith(".")


def test_that_a_column_kept_as_it_is_warns_but_does_not_block() -> None:
    kept = small_plan().with_column("mood", role="keep", keep_confirmed=True)
    assert [(p.code, p.severity) for p in check_of_many(kept)] == [("kept", "warning")]


def test_that_a_large_epsilon_warns_but_does_not_block() -> None:
    plan = small_plan().with_column("age", mechanism=mechanism("duchi", "8"))
    weak = check_of_many(plan.with_fields(budget=None))
    assert [(p.code, p.severity) for p in weak] == [("weak", "warning"), ("large", "warning")]
    # One function prints e^epsilon, rounded up, wherever it stands.
    assert ratio_text(Decimal(8)) == "2,990"
    assert weak[0].message.values["epsilon"] == "8"
    assert weak[1].message.values["ratio"] == ratio_text(total_epsilon(plan))


def test_that_indicator_columns_must_not_take_another_columns_name() -> None:
    twin = ColumnPlan(name="mood=low", kind="weight", role="keep", keep_confirmed=True)
    plan = small_plan().with_columns((*small_plan().columns, twin))
    assert "released_names_clash" in {problem.code for problem in check_of_many(plan)}


@pytest.mark.parametrize(
    ("code", "table"),
    [
        ("missing_without_policy", small_table(mood=["", "low", "low", "low", "low", "low"])),
        ("answers_outside_domain", small_table(mood=["?", "low", "low", "low", "low", "low"])),
        ("answers_outside_domain", small_table(age=["old", "18", "18", "18", "18", "18"])),
        ("column_not_in_plan", small_table(extra=["1"] * 6)),
    ],
)
def test_that_data_that_do_not_fit_the_plan_block(code: str, table: SurveyTable) -> None:
    assert code in {problem.code for problem in errors_of(check_table(small_plan(), table))}


def test_that_a_planned_column_must_be_in_the_data_unless_it_is_dropped() -> None:
    table = small_table()
    without = SurveyTable(table.columns[1:], table.rows, table.reading)
    assert check_table(small_plan(), without) == ()
    without_age = SurveyTable(table.columns[:-1], table.rows, table.reading)
    codes = {problem.code for problem in check_table(small_plan(), without_age)}
    assert codes == {"column_not_in_data"}


def test_that_numbers_beyond_a_bound_are_moved_with_a_warning() -> None:
    table = small_table(age=["17", "25", "33", "47", "61", "120"])
    plan = small_plan().with_fields(allowed_unfit=Decimal("0.34"))
    problems = check_table(plan, table)
    assert [(p.code, p.severity) for p in problems] == [("answers_unfit", "warning")]
    found = problems[0].message.values
    assert (found["unfit"], found["answers"], found["unread"]) == (2, 6, 0)


def test_that_more_unfit_answers_than_are_allowed_stop_a_release() -> None:
    table = small_table(age=["17", "25", "33", "47", "61", "120"])
    for allowed, code in (("0.01", "too_many_unfit"), ("0.333333333", "too_many_unfit")):
        plan = small_plan().with_fields(allowed_unfit=Decimal(allowed))
        assert [p.code for p in errors_of(check_table(plan, table))] == [code]
    plan = small_plan().with_fields(allowed_unfit=Decimal("0.333333334"))
    assert errors_of(check_table(plan, table)) == ()


def test_that_a_table_is_read_as_the_plan_says() -> None:
    table = small_table()
    found = replace(table, is_reading_found=True)
    comma = Reading(decimal=",")
    said = [p.code for p in errors_of(check_table(small_plan(), found))]
    assert said == ["reading_missing"]
    said = [p.code for p in errors_of(check_table(small_plan().with_fields(reading=comma), table))]
    assert said == ["reading_differs"]
    plan = small_plan().with_fields(reading=Reading())
    assert errors_of(check_table(plan, found)) == ()
    assert [p.code for p in errors_of(check_of_many(plan))] == ["reading_unconfirmed"]
    assert errors_of(check_of_many(plan.with_fields(reading_confirmed=True))) == ()


def test_that_a_kept_answer_of_wrong_bytes_is_not_released() -> None:
    kept = ColumnPlan(name="note", kind="nominal", role="keep", keep_confirmed=True)
    plan = small_plan().with_columns((*small_plan().columns, kept))
    good = small_table(note=["a", "b", "c", "d", "e", "f"])
    bad = small_table(note=["a", "b\ufffd", "c", "d", "e", "f"])
    assert errors_of(check_table(plan, good)) == ()
    assert [p.code for p in errors_of(check_table(plan, bad))] == ["kept_unreadable"]


def test_that_weights_must_be_positive_numbers() -> None:
    weight = ColumnPlan(name="w", kind="weight", role="keep", keep_confirmed=True)
    plan = small_plan().with_columns((*small_plan().columns, weight))
    for bad in ("0", "-1", "x", ""):
        table = small_table(w=["1", "1", "2", "2", "3", bad])
        codes = {problem.code for problem in errors_of(check_table(plan, table))}
        assert codes == {"weights_not_positive"}
    assert errors_of(check_table(plan, small_table(w=["1", "1.5", "2", "2", "3", "3"]))) == ()


def test_that_what_weights_cost_is_told_before_a_release() -> None:
    weight = ColumnPlan(name="w", kind="weight", role="keep", keep_confirmed=True)
    plan = small_plan().with_columns((*small_plan().columns, weight))
    (told,) = (p for p in check_table(plan, small_table(w=["1"] * 3 + ["3"] * 3)))
    assert told.code == "weights_cost"
    # 12 squared over 30.
    assert told.message.values["factor"] == "1.12"
    assert "1.12 times" in told.message
    alike = small_table(w=["1", "1.1", "1", "1", "1", "1"])
    assert "weights_cost" not in {p.code for p in check_table(plan, alike)}


def test_that_no_problem_quotes_an_answer() -> None:
    planted = "planted-answer"
    table = small_table(mood=[planted, "low", "low", "low", "low", ""], age=[planted] + ["20"] * 5)
    problems = check_table(small_plan(), table)
    # One about each of the columns that hold it.
    assert {problem.path.split(".")[1] for problem in problems} == {"mood", "age"}
    for problem in problems:
        assert planted not in str(problem)


def test_that_the_effective_domain_holds_other_and_missing_behind_the_answers() -> None:
    column = small_plan().column("mood")
    assert column.effective_domain == MOODS
    widened = ColumnPlan(
        name="mood",
        kind="ordinal",
        domain=MOODS,
        other="(other)",
        missing=MissingPolicy(policy="category", value="(none)"),
    )
    assert widened.effective_domain is not None
    assert widened.effective_domain.texts == ("low", "middle", "high", "(other)", "(none)")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("columns.age.role", "age"),
        ("columns.age.mechanism.epsilon", "age"),
        ("columns.a.b.mechanism.epsilon", "a.b"),
        ("columns.a.b.keep_confirmed", "a.b"),
        ("columns.two\nlines.domain.values.0", "two\nlines"),
        ("columns", None),
        ("budget", None),
    ],
)
def test_that_a_problem_knows_the_column_it_belongs_to(path: str, name: str | None) -> None:
    assert Problem(path, "error", "X.", "x").column == name


def test_that_an_edit_of_one_column_reads_the_answers_of_that_column_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan, table, answers = small_plan(), small_table(age=["17"] + ["20"] * 5), AnswerChecks()
    read: list[str] = []

    def encode(column: ColumnPlan, texts: TextColumn, decimal: str) -> EncodedColumn:
        read.append(column.name)
        return encode_column(column, texts, decimal)

    monkeypatch.setattr(import_module("dpdesk.plan.checks.table"), "encode_column", encode)
    first = check_table(plan, table, answers=answers)
    assert read == [column.name for column in plan.protected]
    read.clear()
    assert check_table(plan, table, answers=answers) == first != ()
    finer = plan.with_column("mood", mechanism=mechanism("oue", "0.5"))
    assert check_table(finer, table, answers=answers) == first
    assert read == []
    blocked = plan.with_column("mood", domain=Categorical(values=("low", "high")))
    found = check_table(blocked, table, answers=answers)
    assert read == ["mood"]
    assert found == check_table(blocked, table)
    assert "answers_outside_domain" in {problem.code for problem in errors_of(found)}


def test_that_what_is_remembered_of_answers_holds_for_one_table() -> None:
    answers = AnswerChecks()
    assert check_table(small_plan(), small_table(), answers=answers) == ()
    other = small_table(mood=["unheard"] + ["low"] * 5)
    codes = {problem.code for problem in check_table(small_plan(), other, answers=answers)}
    assert codes == {"answers_outside_domain"}


def test_that_what_is_asked_about_answers_follows_where_the_domain_comes_from() -> None:
    answers, plan = AnswerChecks(), small_plan()
    table = small_table(mood=["refused", "low", "low", "high", "high", "low"])
    moods = Categorical(values=("low", "high", "refused"))
    asked = plan.with_column("mood", domain=moods, provenance="suggested")
    declared = asked.with_column("mood", provenance="codebook")
    for changed, is_asked in ((asked, True), (declared, False), (asked, True)):
        found = check_table(changed, table, answers=answers)
        assert found == check_table(changed, table)
        assert ("codes_undecided" in {problem.code for problem in found}) is is_asked


def test_that_codes_stop_a_release_only_where_the_domain_does_not_read_them() -> None:
    table = small_table(mood=["refused", "low", "low", "high", "high", "low"])
    for values, is_read in ((("low", "high", "refused"), True), (("low", "high"), False)):
        plan = small_plan().with_column(
            "mood", domain=Categorical(values=values), provenance="suggested"
        )
        found = {problem.code: problem for problem in check_table(plan, table)}
        asked = found["codes_undecided"]
        # What has no place in the domain stops a release, and is told once.
        assert (asked.severity == "error") is not is_read
        assert "answers_outside_domain" not in found


def test_that_what_is_asked_about_answers_is_found_once_for_the_check_and_for_a_list() -> None:
    answers, table = AnswerChecks(), small_table(mood=["refused", "low", "low", "high", "high", ""])
    moods = Categorical(values=("low", "high", "refused"))
    plan = small_plan().with_column("mood", domain=moods, provenance="suggested")
    check_table(plan, table, answers=answers)
    texts = table.column("mood")
    (asked,) = answers.open_questions(plan.column("mood"), texts, table.reading)
    again = answers.open_questions(plan.column("mood"), texts, table.reading)
    assert again[0] is asked
    decided = plan.with_column("mood", provenance="codebook").column("mood")
    assert answers.open_questions(decided, texts, table.reading) == ()
    unlike = small_table(mood=["low"] * 6).column("mood")
    assert answers.open_questions(plan.column("mood"), unlike, table.reading) == ()


def test_that_missing_answers_without_a_policy_are_a_problem_with_its_remedy() -> None:
    problems = check_table(small_plan(), small_table(age=["18", "", "33", "47", "61", "30"]))
    (problem,) = [p for p in problems if p.code == "missing_without_policy"]
    assert problem.message.values == {"name": "age"}
    assert problem.remedy


def test_that_what_many_columns_share_is_told_once_and_leads_to_the_first() -> None:
    def unconfirmed(name: str) -> Problem:
        said = T.DOMAIN_UNCONFIRMED(count=1, names=name)
        return Problem(f"columns.{name}.confirmed", "error", said)

    alone = Problem("budget", "error", T.TWO_WEIGHTS())
    names = ("a", "b{0}", "c", "d", "e", "f", "g")
    (shared, other) = grouped([unconfirmed(names[0]), alone, *map(unconfirmed, names[1:])])
    assert shared.message.values == {"count": 7, "names": "a, b{0}, c, d, e and 2 more"}
    assert (shared.column, shared.severity) == ("a", "error")
    assert shared.command_remedy == unconfirmed("a").command_remedy
    assert other == alone
    assert grouped([unconfirmed("a"), alone]) == (unconfirmed("a"), alone)
    # The same sentence without words for several is told for each.
    assert grouped([alone, alone]) == (alone, alone)
    named = T.WORTH__SEVERAL(bad=2, all=3, rating="rough", names="a, b", worst="a", reason="x.")
    several = [Problem("usefulness", "warning", named, code) for code in ("useless", "coarse")]
    assert grouped(several) == tuple(several)


def test_that_a_weight_without_a_role_is_never_told_to_be_protected() -> None:
    plan = small_plan()
    columns = [ColumnPlan(name=name, kind=kind) for name, kind in (("w", "weight"), ("k", "real"))]
    columns.append(ColumnPlan(name="n", kind="integer", domain=Integer(lower=0, upper=9)))
    problems = check_of_many(plan.with_columns((*plan.columns, *columns)))
    of_weight, of_open, of_number = (p for p in grouped(problems) if p.code == "unassigned")
    assert (of_weight.column, of_open.column, of_number.column) == ("w", "k", "n")
    ids = [problem.message.id for problem in (of_weight, of_open, of_number)]
    assert ids == [
        "plan.checks.unassigned--weights",
        "plan.checks.unassigned--no-domain",
        "plan.checks.unassigned",
    ]
    # A weight is no answer; and raw is not released what has no domain yet.
    assert "draft --weights" in of_weight.command_remedy
    assert "rotect" not in of_weight.remedy.replace("unprotected", "")
    assert "unprotected" not in of_open.remedy
    replicates = [ColumnPlan(name=f"brr_{number}", kind="weight") for number in range(32)]
    problems = check_of_many(plan.with_columns((*plan.columns, *columns, *replicates)))
    of_weights, *_ = found = [p for p in grouped(problems) if p.code == "unassigned"]
    assert (len(found), of_weights.remedy) == (3, of_weight.remedy)


@pytest.mark.parametrize(
    ("cells", "wrong"), [(["", "1", "2", "1", "1", "1"], 1), (["", "1", "-2", "1", "1", "0"], 3)]
)
def test_that_missing_weights_are_counted_and_not_to_be_protected(
    cells: list[str], wrong: int
) -> None:
    weight = ColumnPlan(name="w", kind="weight", role="keep", keep_confirmed=True)
    plan = small_plan().with_columns((*small_plan().columns, weight))
    (problem,) = errors_of(check_table(plan, small_table(w=cells)))
    assert problem.code == "weights_not_positive"
    assert (problem.message.values["wrong"], problem.message.values["rows"]) == (wrong, 6)
    assert "rotect" not in problem.remedy
