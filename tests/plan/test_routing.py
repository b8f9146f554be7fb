"""Blanks that tell a filter question: which are found, what a check says, what is compared anew."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations
from math import comb, exp, log
from pathlib import Path
from random import Random

import pytest

from dpdesk.cli.main import main
from dpdesk.data.joined_columns import joined as join
from dpdesk.data.joined_question import JoinedColumns
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, OptionSet
from dpdesk.numbers import arrays
from dpdesk.plan import (
    ColumnPlan,
    MissingPolicy,
    Plan,
    check,
    check_table,
    draft_table,
    protect_unassigned,
    routing,
)
from dpdesk.plan.check_table import AnswerChecks
from dpdesk.plan.declared_routing import declare_asked
from dpdesk.plan.filter_question import Filter
from dpdesk.plan.routing import FilterFinder
from dpdesk.plan.routing_columns import ROWS as LOOKED_AT
from dpdesk.plan.routing_columns import Answers

# Who does not smoke was not asked how many.
SMOKER = ["no", "yes", "no", "yes", "yes"] * 40
MANY = ["" if one == "no" else str(row % 30) for row, one in enumerate(SMOKER)]


def test_that_blanks_that_tell_a_protected_filter_are_not_passed_through(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many = [MANY[0], "", *MANY[2:]]
    sex = ["f", "m", "m", "f", "m", "f"] * 40
    table = table_from_texts({"smoker": SMOKER, "many": many, "sex": sex[: len(many)]})
    plan = draft_table(table)
    filters_of = FilterFinder().filters_of
    (smoker,) = filters_of(plan, table, "many")
    assert (smoker.rule.written, smoker.others) == ("smoker is yes", (("no",),))
    assert (smoker.exceptions, smoker.skipped) == (0, 80)
    assert filters_of(plan, table, "smoker") == filters_of(plan, table, "sex") == ()
    plan = protect_unassigned(plan).with_column("many", missing=MissingPolicy(policy="blank"))

    def found(plan: Plan) -> list[str]:
        problems = check_table(plan, table)
        return [p.severity for p in problems if p.code == "blanks_tell_filter"]

    assert found(plan) == ["error"]
    assert found(plan.with_column("smoker", role="drop")) == ["warning"]
    assert found(plan.with_column("smoker", role="keep")) == []
    assert found(plan.with_column("many", missing=MissingPolicy(policy="protect"))) == []
    survey = tmp_path / "survey.csv"
    rows = "".join(f"{s},{m}\n" for s, m in zip(SMOKER, many, strict=True))
    survey.write_text("smoker,many\n" + rows, encoding="utf-8")
    assert not main(["draft", str(survey), "-o", str(tmp_path / "plan.json")])
    assert "many: It seems to have been asked only where smoker is yes." in capsys.readouterr().err


def test_that_blanks_are_compared_anew_only_with_columns_that_were_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_from_texts({"smoker": SMOKER, "many": MANY, "sex": ["f", "m"] * 100})
    plan = protect_unassigned(draft_table(table))
    plan = plan.with_column("many", missing=MissingPolicy(policy="blank"))
    compared: list[str] = []
    compare = routing._fit

    def noted(*pair: object) -> object:
        compared.append(pair[1].texts.name)  # type: ignore[attr-defined]
        return compare(*pair)

    monkeypatch.setattr(routing, "_fit", noted)
    answers = AnswerChecks()
    first = check_table(plan, table, answers=answers)
    # A glance says that sex parts no blanks, so that its records are not counted.
    assert compared == ["smoker"]
    assert "blanks_tell_filter" in {problem.code for problem in first}
    assert check_table(plan, table, answers=answers) == first
    dropped = plan.with_column("smoker", role="drop")
    of_dropped = check_table(dropped, table, answers=answers)
    assert compared == ["smoker"]
    assert of_dropped == check_table(dropped, table)
    smokers = plan.with_column("smoker", missing=MissingPolicy(tokens=("no",)))
    found = check_table(smokers, table, answers=answers)
    assert "blanks_tell_filter" not in {problem.code for problem in found}
    assert found == check_table(smokers, table)
    compared.clear()
    other = table_from_texts(
        {"smoker": ["yes", *SMOKER[1:]], "many": MANY, "sex": ["f", "m"] * 100}
    )
    assert check_table(plan, other, answers=answers) == check_table(plan, other)


def test_that_filters_far_away_are_not_looked_for_among_thousands_of_columns() -> None:
    others = {f"c{i}": ["1", "2"] * 100 for i in range(2_000)}
    near = table_from_texts(dict(**others, smoker=SMOKER, many=MANY))
    far = table_from_texts(dict(smoker=SMOKER, **others, many=MANY))
    assert [one.rule.columns[0] for one in found_in(near, "many")] == ["smoker"]
    assert found_in(far, "many") == ()


def found_in(table: SurveyTable, name: str) -> tuple[Filter, ...]:
    return FilterFinder().filters_of(draft_table(table), table, name)


def not_asked(answers: Sequence[str], is_asked: Sequence[bool]) -> list[str]:
    return [one if asked else "" for one, asked in zip(answers, is_asked, strict=True)]


ROWS = 600
AGE = [str(10 + row * 7 % 71) for row in range(ROWS)]
OFTEN = [("daily", "sometimes", "no", "never")[row % 4] for row in range(ROWS)]
SCALE = [str(1 + row % 5) for row in range(ROWS)]
"""Ages from 10 to 80, four answers of which two are asked on, and an answer of five."""


@pytest.mark.parametrize(
    ("is_asked", "condition"),
    [
        ([often in {"daily", "sometimes"} for often in OFTEN], "often is daily or sometimes"),
        ([often == "never" for often in OFTEN], "often is never"),
        ([int(age) >= 16 for age in AGE], "age is at least 16"),
        ([int(age) <= 15 for age in AGE], "age is at most 15"),
        ([15 <= int(age) <= 49 for age in AGE], "age is from 15 to 49"),
        ([not 17 <= int(age) <= 64 for age in AGE], "age is not from 17 to 64"),
    ],
)
@pytest.mark.parametrize("refusing", [0, 3])
def test_that_who_was_asked_is_said_in_words(
    is_asked: list[bool], condition: str, refusing: int
) -> None:
    # Every third of those asked refuses: the filter then has fewer than 90 % of the blanks.
    asked = [one and not (refusing and row % refusing == 1) for row, one in enumerate(is_asked)]
    blanks = not_asked(SCALE, asked)
    table = table_from_texts({"often": OFTEN, "age": AGE, "scale": SCALE, "more": blanks})
    (only,) = found_in(table, "more")
    assert only.condition() == condition
    assert only.sentence().startswith(f"It seems to have been asked only where {condition}.")


def test_that_numbers_of_respondents_are_no_filter() -> None:
    # The first half of the file was asked, as in the first of two waves.
    numbers = [str(1001 + row) for row in range(ROWS)]
    asked = not_asked(SCALE, [row < ROWS / 2 for row in range(ROWS)])
    table = table_from_texts({"respondent_id": numbers, "more": asked})
    assert draft_table(table).column("respondent_id").kind == "identifier"
    assert found_in(table, "more") == ()
    assert found_in(table_from_texts({"age": sorted(AGE), "more": asked}), "more") != ()


def test_that_a_few_errors_of_interviewers_hide_no_routing_and_are_counted() -> None:
    wrong = {row for row in range(ROWS) if row % 40 == 2}
    asked = [often in {"daily", "sometimes"} or row in wrong for row, often in enumerate(OFTEN)]
    table = table_from_texts({"often": OFTEN, "more": not_asked(SCALE, asked)})
    (only,) = found_in(table, "more")
    assert (only.exceptions, only.skipped) == (15, 300)
    assert "(exceptions: 15 of 300 records)" in only.sentence()
    more = {row for row in range(ROWS) if row % 36 == 2}
    asked = [often in {"daily", "sometimes"} or row in more for row, often in enumerate(OFTEN)]
    assert len(more) > 300 / 20
    assert (
        found_in(table_from_texts({"often": OFTEN, "more": not_asked(SCALE, asked)}), "more") == ()
    )


def test_that_records_are_counted_the_same_however_many_are_looked_at_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = [often in {"daily", "sometimes"} or row % 40 == 2 for row, often in enumerate(OFTEN)]
    smokers = (SMOKER * 3)[:ROWS]
    both = [a == "daily" or b == "yes" for a, b in zip(OFTEN, smokers, strict=True)]
    columns = {"often": OFTEN, "smoker": smokers, "more": not_asked(SCALE, asked)}
    columns["both"] = not_asked(SCALE, both)

    def told() -> list[object]:
        table = table_from_texts(columns)
        drafted = protect_unassigned(draft_table(table), Decimal(4))
        return [
            *((one.sentence(), one.exceptions, one.skipped) for one in found_in(table, "more")),
            *((one.sentence(), one.exceptions, one.skipped) for one in found_in(table, "both")),
            *map(str, check_table(drafted, table)),
        ]

    whole = told()
    monkeypatch.setattr(arrays, "ROWS_TOGETHER", 7)
    assert told() == whole


def test_that_filters_of_filters_are_told_and_refuse_blanks() -> None:
    q1 = ["yes" if row % 5 else "no" for row in range(ROWS)]
    q2 = not_asked(
        ["yes" if row % 7 == 1 else "no" for row in range(ROWS)], [a == "yes" for a in q1]
    )
    q3 = not_asked(SCALE, [answer == "yes" for answer in q2])
    table = table_from_texts({"q1": q1, "q2": q2, "q3": q3})
    second, first = found_in(table, "q3")
    assert (second.condition(), second.through) == ("q2 is yes", "")
    assert (first.condition(), first.through) == ("q1 is yes", "q2")
    assert (
        "It seems to have been asked only because of q2, and that only where q1 is yes"
        in first.sentence()
    )
    plan = protect_unassigned(draft_table(table)).with_column("q2", role="drop")
    plan = plan.with_column("q3", missing=MissingPolicy(policy="blank"))
    told = [(p.severity, p.message) for p in check_table(plan, table) if "tell" in p.code]
    assert [severity for severity, _ in told] == ["error", "warning"]
    assert "q3 was asked only where q1 is yes" in told[0][1]


def test_that_a_kept_column_does_not_show_a_protected_filter() -> None:
    plan = protect_unassigned(
        draft_table(table := table_from_texts({"smoker": SMOKER, "many": MANY}))
    )
    plan = plan.with_column("many", role="keep", keep_confirmed=True)
    (problem,) = [p for p in check_table(plan, table) if p.code == "blanks_tell_filter"]
    assert (problem.severity, problem.path) == ("error", "columns.many.role")
    assert "kept as they are" in problem.message


def test_that_answers_that_no_domain_declares_stand_in_no_problem() -> None:
    table = table_from_texts({"smoker": SMOKER, "many": MANY})
    plan = protect_unassigned(draft_table(table))
    plan = plan.with_column("many", missing=MissingPolicy(policy="blank"))
    plan = plan.with_column("smoker", domain=Categorical(values=("yes", "never")))
    (problem,) = [p for p in check_table(plan, table) if p.code == "blanks_tell_filter"]
    assert "asked only because of smoker" in problem.message


def test_that_a_number_that_only_the_data_tell_stands_in_no_problem() -> None:
    prices = [f"{row * 7 % 71}.25" for row in range(ROWS)]
    asked = not_asked(SCALE, [float(price) >= 17 for price in prices])
    table = table_from_texts({"price": prices, "more": asked})
    plan = protect_unassigned(draft_table(table))
    plan = plan.with_column("more", missing=MissingPolicy(policy="blank"))
    said = []
    for provenance in ("suggested", "codebook"):
        changed = plan.with_column("price", provenance=provenance)
        said += [p for p in check_table(changed, table) if p.code == "blanks_tell_filter"]
    assert ["17.25" in problem.message for problem in said] == [False, True]


@pytest.mark.parametrize(("drawn", "marked", "total"), [(6, 5, 14), (9, 4, 12), (3, 8, 11)])
def test_that_the_bound_on_chance_is_above_the_chance_and_near_it(
    drawn: int, marked: int, total: int
) -> None:
    for few in range(max(0, drawn + marked - total), min(drawn, marked) + 1):
        ways = sum(comb(marked, x) * comb(total - marked, drawn - x) for x in range(few + 1))
        exact = ways / comb(total, drawn)
        bound = exp(routing._log_chance_of_so_few(few, drawn, marked, total))
        assert exact <= bound * (1 + 1e-12)
        # Where it matters, far in the tail, little is given away.
        assert exact > 0.05 or bound < 1.5 * exact


@pytest.mark.parametrize("blanks", [5, 6, 7])
def test_that_chance_is_told_a_routing_as_seldom_as_is_said(blanks: int) -> None:
    # Every way in which so many of 12 respondents can be blank, for a filter of three answers.
    other = answers_of("filter", [*"aaaaabbbbccc"])
    chances = []
    for blank in combinations(range(12), blanks):
        texts = ["" if row in blank else "x" for row in range(12)]
        fit = routing._fit(answers_of("more", texts), other)
        chances.append(0.0 if fit is None else fit.log_chance)
    for at_most in (0.005, 0.02, 0.1, 0.5):
        assert sum(chance <= log(at_most) for chance in chances) <= at_most * len(chances)
    assert min(chances) < log(0.1)


def answers_of(name: str, texts: list[str], domain: OptionSet | None = None) -> Answers:
    table = table_from_texts({name: texts})
    kind = "nominal" if domain is None else "several"
    return Answers.of(
        table.column(name), ColumnPlan(name=name, kind=kind, domain=domain), Reading()
    )


@pytest.mark.parametrize("blanks", [6, 7])
@pytest.mark.parametrize(
    "cells", [["TV;Web", "TV", "Web", "none"] * 3, ["TV;Web;Print"] * 6 + ["Web"] * 6]
)
def test_that_chance_is_told_a_routing_by_options_as_seldom_as_is_said(
    cells: list[str], blanks: int
) -> None:
    # Options overlap: each is a hypothesis of its own, and so is each parting of combinations.
    domain = OptionSet(values=("TV", "Web", "Print"), nothing="none")
    other = answers_of("media", cells, domain)
    chances = []
    for blank in combinations(range(12), blanks):
        texts = ["" if row in blank else "x" for row in range(12)]
        fit = routing._fit(answers_of("more", texts), other)
        chances.append(0.0 if fit is None else fit.log_chance)
    for at_most in (0.005, 0.02, 0.1, 0.5):
        assert sum(chance <= log(at_most) for chance in chances) <= at_most * len(chances)
    assert min(chances) < log(0.5)


MEDIA = [
    ";".join(
        option
        for bit, option in enumerate(("TV", "Web", "Radio", "Print", "Games", "Books", "Cds"))
        if (row * 37 + 11) % 127 >> bit & 1
    )
    or "none"
    for row in range(ROWS)
]


@pytest.mark.parametrize("joined", [False, True])
@pytest.mark.parametrize("ticked", [True, False])
def test_that_an_option_of_a_question_with_several_answers_is_a_filter(
    joined: bool, ticked: bool
) -> None:
    assert len(set(MEDIA)) > 60
    asked = [("TV" in cell.split(";")) == ticked for cell in MEDIA]
    more = not_asked(SCALE, [one and row % 5 > 0 for row, one in enumerate(asked)])
    if joined:
        options = ("TV", "Web", "Radio", "Print", "Games", "Books", "Cds")
        columns = {f"q_{o}": [str(int(o in cell)) for cell in MEDIA] for o in options}
        question = JoinedColumns(
            name="media", columns=tuple(columns), options=options, no_tick="none"
        )
        table = join(table_from_texts({**columns, "more": more}), (question,))
        plan = draft_table(table)
    else:
        table = table_from_texts({"media": MEDIA, "more": more})
        options = tuple(dict.fromkeys(o for cell in MEDIA for o in cell.split(";") if o != "none"))
        domain = OptionSet(values=options, nothing="none")
        plan = draft_table(table).with_column("media", kind="several", domain=domain)
    (only,) = FilterFinder().filters_of(plan, table, "more")
    assert only.condition() == "media has TV" if ticked else "media does not have TV"
    # The rule that is suggested can be declared as it is, and is then told no second time.
    plan = declare_asked(plan, "more", only.rule.written)
    plan = protect_unassigned(plan)
    kept = plan.with_column("more", role="keep", keep_confirmed=True, mechanism=None)
    told = [p for p in (*check(kept), *check_table(kept, table)) if p.code == "blanks_tell_filter"]
    assert [problem.severity for problem in told] == ["error"]


def test_that_an_option_found_is_told_without_cells_and_refuses_blanks_and_kept_columns() -> None:
    more = not_asked(SCALE, ["TV" in cell.split(";") for cell in MEDIA])
    table = table_from_texts({"media": MEDIA, "more": more})
    domain = OptionSet(values=("TV", "Web"), nothing="none")
    plan = draft_table(table).with_column("media", kind="several", domain=domain)
    plan = protect_unassigned(plan)
    for changes in (
        {"missing": MissingPolicy(policy="blank")},
        {"role": "keep", "keep_confirmed": True, "mechanism": None},
    ):
        changed = plan.with_column("more", **changes)
        (problem,) = [p for p in check_table(changed, table) if p.code == "blanks_tell_filter"]
        assert problem.severity == "error"
        assert "media has TV" in problem.message


@pytest.mark.parametrize("rows", [3_000, 3 * LOOKED_AT + 17])
def test_that_a_filter_of_many_answers_is_found_and_open_answers_are_none(rows: int) -> None:
    jobs = [f"job {row * row % 211}" for row in range(rows)]
    asked = [int(job[4:]) % 3 == 0 for job in jobs]
    scale = [str(1 + row % 5) for row in range(rows)]
    table = table_from_texts(
        {
            "job": jobs,
            "open": [f"words {row // 4}" for row in range(rows)],
            "more": not_asked(scale, [one and row % 7 > 0 for row, one in enumerate(asked)]),
            "first": not_asked(scale, [row < rows / 2 for row in range(rows)]),
        }
    )
    assert len(set(jobs)) > 60
    (only,) = found_in(table, "more")
    assert only.rule.columns == ("job",)
    assert not only.rule.any_of[0].negated
    assert {int(job[4:]) % 3 for job in only.rule.any_of[0].values} == {0}
    assert "or 3" in only.condition()
    assert found_in(table, "first") == ()


@pytest.mark.parametrize("share", [0.05, 0.3, 0.7, 0.95])
def test_that_tables_without_routing_are_told_none(share: float) -> None:
    # Answers, refusals, and whoever breaks off, from a fixed generator that is no part of dpdesk.
    drawn = Random(f"routing {share}")
    for rows in (30, 200, 900):
        staying = [drawn.random() * 20 for _ in range(rows)]
        columns = {
            f"q{place}": [
                "" if drawn.random() < share or place > stays else str(drawn.randrange(many))
                for stays in staying
            ]
            for place, many in enumerate([2, 3, 5, 11, 40, 300] * 2)
        }
        table = table_from_texts(columns)
        plan, finder = draft_table(table), FilterFinder()
        assert [finder.filters_of(plan, table, name) for name in columns] == [()] * 12


def test_that_a_glance_at_some_records_misses_no_routing_of_a_large_file() -> None:
    rows = 3 * LOOKED_AT + 17
    age = [str(10 + row * 7 % 71) for row in range(rows)]
    often = [("no", "never", "daily")[row // 7 % 3] for row in range(rows)]
    scale = [str(1 + row * row % 5) for row in range(rows)]
    few = [row % 500 == 0 for row in range(rows)]
    table = table_from_texts(
        {
            "age": age,
            "often": often,
            "asked_from_12": not_asked(scale, [int(one) >= 12 for one in age]),
            "asked_daily": not_asked(scale, [one == "daily" for one in often]),
            "rare": ["yes" if one else "no" for one in few],
            "asked_rare": not_asked(scale, few),
            # Households of three: records that are evenly spaced could all be first members.
            "person": [str(row % 3) for row in range(rows)],
            "asked_head": not_asked(scale, [row % 3 == 0 for row in range(rows)]),
        }
    )
    assert [one.condition() for one in found_in(table, "asked_from_12")] == ["age is at least 12"]
    assert [one.condition() for one in found_in(table, "asked_rare")] == ["rare is yes"]
    assert "person is 0" in [one.condition() for one in found_in(table, "asked_head")]
    assert [one.condition() for one in found_in(table, "asked_daily")] == ["often is daily"]


@pytest.mark.parametrize("numbers", [False, True])
def test_that_a_block_that_was_left_out_with_a_code_is_no_routing(numbers: bool) -> None:
    left = [row % 8 == 3 for row in range(400)]
    asthma = ["-9" if no else str(row % (40 if numbers else 2)) for row, no in enumerate(left)]
    diabetes = ["" if no else str(row // 2 % 2) for row, no in enumerate(left)]
    table = table_from_texts({"asthma": asthma, "diabetes": diabetes})
    plan = draft_table(table)
    finder = FilterFinder()
    assert finder.filters_of(plan, table, "diabetes") == ()
    # Once -9 is said to be an answer, blanks do tell it.
    is_answer = plan.column("asthma").missing.changed(answers=("-9",))
    decided = plan.with_column("asthma", missing=is_answer)
    (found,) = finder.filters_of(decided, table, "diabetes")
    assert (found.rule.columns, found.skipped) == (("asthma",), sum(left))
