"""Who was asked, as the curator declares it: typed, checked, and what a plan supposes by it."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import ValidationError

from dpdesk.cli.main import main
from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical, Integer, OptionSet
from dpdesk.errors import ParameterError
from dpdesk.plan import (
    ColumnPlan,
    MissingPolicy,
    Plan,
    check,
    check_table,
    draft_table,
    plan_from_json,
    plan_to_json,
    protect_unassigned,
)
from dpdesk.plan.declared_routing import declare_asked, read_asked, set_asked
from dpdesk.plan.filter_question import AskedIf
from dpdesk.queries.condition import Condition
from dpdesk.queries.texts import T

PLAN = Plan(
    columns=(
        ColumnPlan(
            name="smoker", kind="nominal", domain=Categorical(values=("daily", "now..then", "no"))
        ),
        ColumnPlan(name="age", kind="integer", domain=Integer(lower=0, upper=99)),
        ColumnPlan(name="media", kind="several", domain=OptionSet(values=("TV", "Web"))),
        ColumnPlan(name="many", kind="integer", domain=Integer(lower=1, upper=40)),
    )
)


@pytest.mark.parametrize(
    ("typed", "condition", "share"),
    [
        ("smoker=daily", "smoker is daily", "0.33"),
        (' smoker = daily | "now..then" ', "smoker is daily or now..then", "0.67"),
        ("smoker!=no", "smoker is not no", "0.67"),
        ("age=16..", "age is at least 16", "0.84"),
        ("age=..15", "age is at most 15", "0.16"),
        ("age=15..49", "age is from 15 to 49", "0.35"),
        ("age!=17..64", "age is not from 17 to 64", "0.52"),
        ("age=17|18", "age is 17 or 18", "0.02"),
        ("media=TV", "media has TV", "0.5"),
        ("media!=TV|Web", "media does not have TV or Web", "0.25"),
        ("smoker = daily or now..then", "smoker is daily or now..then", "0.67"),
        ("smoker is not no", "smoker is not no", "0.67"),
        ("age is 60 or more", "age is at least 60", "0.4"),
        ("age is 15 or less", "age is at most 15", "0.16"),
        ("age >= 60", "age is at least 60", "0.4"),
        ("age is not from 17 to 64", "age is not from 17 to 64", "0.52"),
        ("media has TV or Web", "media has TV or Web", "0.75"),
        ("media does not have TV", "media does not have TV", "0.5"),
        ("smoker=no or age=50..", "smoker is no, or age is at least 50", "0.67"),
        (
            "smoker is daily or no, or age is 50 or more or media=TV",
            "smoker is daily or no, or age is at least 50, or media has TV",
            "0.92",
        ),
    ],
)
def test_that_who_was_asked_is_read_as_it_is_written(
    typed: str, condition: str, share: str
) -> None:
    asked = read_asked(PLAN, typed)
    assert (asked.condition(), asked.supposed_share) == (condition, Decimal(share))
    assert read_asked(PLAN, asked.written) == asked
    plan = set_asked(PLAN, "many", asked)
    assert plan_from_json(plan_to_json(plan)) == plan


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("nobody=1", "plan.no-filter"),
        ("smoker", "plan.no-filter"),
        ("smoker=never", "queries.not-declared"),
        ("smoker=1..2", "not numbers"),
        ("age=old", "holds numbers"),
        ("age=99..16", T.CROSSED_CONDITION(column="age")),
        ("age=x..", "plan.bad-interval"),
        ("age=..", T.EMPTY_CONDITION(column="age")),
        ("media=Radio", "queries.not-declared"),
        ("age=200..", "plan.no-answer-meets"),
        ("smoker is answered", "plan.asked-by-answer"),
        ("many=1..2", "plan.asked-by-itself"),
        ("smoker=daily:0%", "plan.bad-share-asked"),
        ("smoker=daily:1.5", "queries.not-declared"),
    ],
)
def test_that_a_rule_that_cannot_be_one_is_refused_in_a_sentence(typed: str, words: str) -> None:
    with pytest.raises(ParameterError) as refused:
        declare_asked(PLAN, "many", typed)
    assert words in f"{refused.value.id} {refused.value} {refused.value.remedy}"


@pytest.mark.parametrize("share", ["40%", "40 %", "0.4", "4e-1"])
def test_that_the_supposed_share_of_missing_answers_follows_from_that_of_those_asked(
    share: str,
) -> None:
    plan = declare_asked(PLAN, "many", f"smoker=daily:{share}")
    missing = plan.column("many").missing
    # Of 40 % who are asked one in ten gives no answer.
    assert missing.policy == "protect"
    assert missing.supposed_missing == Decimal("0.64")
    domain = plan.column("many").effective_domain
    assert domain is not None
    assert domain.missing_share == pytest.approx(0.64)
    again = set_asked(plan, "many", None).column("many").missing
    assert again.supposed_missing == Decimal("0.1")


def test_that_the_share_to_begin_with_is_that_of_the_expected_answers_and_of_filters_before() -> (
    None
):
    plan = PLAN.with_column("smoker", expected=(Decimal(1), Decimal(1), Decimal(8)))
    assert read_asked(plan, "smoker=daily").supposed_share == Decimal("0.1")
    plan = declare_asked(PLAN, "smoker", "age=..49:50%")
    assert read_asked(plan, "smoker=daily").supposed_share == Decimal("0.17")


SMOKER = ["no", "yes", "no", "yes", "yes"] * 40
MANY = ["" if one == "no" else str(1 + row % 30) for row, one in enumerate(SMOKER)]


def test_that_a_declared_filter_refuses_blanks_without_a_look_at_the_data() -> None:
    table = table_from_texts({"smoker": SMOKER, "many": MANY})
    plan = protect_unassigned(draft_table(table))
    plan = declare_asked(plan, "many", "smoker=yes")

    def found(plan: Plan) -> list[str]:
        return [p.severity for p in check(plan) if p.code == "blanks_tell_filter"]

    assert found(plan) == []
    asked = plan.column("many").missing.asked
    blank = plan.with_column("many", missing=MissingPolicy(policy="blank", asked=asked))
    assert found(blank) == ["error"]
    assert found(blank.with_column("smoker", role="drop")) == ["warning"]
    assert found(blank.with_column("smoker", role="keep")) == []
    assert found(plan.with_column("many", role="keep")) == ["error"]
    # The check of the plan says it; that of the data does not repeat it.
    assert "blanks_tell_filter" not in {problem.code for problem in check_table(blank, table)}


def test_that_filters_of_declared_filters_refuse_blanks_too() -> None:
    columns = (
        ColumnPlan(name=name, kind="binary", domain=Categorical(values=("yes", "no")), role="drop")
        for name in ("q1", "q2", "q3")
    )
    plan = Plan(columns=tuple(columns))
    plan = declare_asked(declare_asked(plan, "q2", "q1=yes"), "q3", "q2=yes")
    plan = plan.with_column("q3", role="keep").with_column("q1", role="protect")
    told = [p for p in check(plan) if p.code == "blanks_tell_filter"]
    assert {(p.severity, p.message.values["other"]) for p in told} == {
        ("error", "q1"),
        ("warning", "q2"),
    }
    with pytest.raises(ParameterError):
        declare_asked(plan, "q1", "q3=yes")


def test_that_a_rule_of_no_column_or_answer_of_the_plan_is_an_error() -> None:
    plan = declare_asked(PLAN, "many", "smoker=daily")
    without = Plan(columns=plan.columns[1:])
    assert "asked_of_none" in {problem.code for problem in check(without)}
    renamed = plan.with_column("smoker", domain=Categorical(values=("yes", "no")))
    assert "asked_misfit" in {problem.code for problem in check(renamed)}
    circle = plan.with_column(
        "smoker",
        missing=MissingPolicy(asked=AskedIf(any_of=(Condition(column="many", values=("1",)),))),
    )
    assert "asked_of_none" in {problem.code for problem in check(circle)}


def test_that_a_file_that_contradicts_the_rule_is_told_and_one_that_keeps_it_is_not() -> None:
    table = table_from_texts(
        {
            "smoker": SMOKER,
            "many": MANY,
            "age": [str(row % 90) for row in range(200)],
            "media": [("TV", "TV;Web", "Web", "none")[row % 4] for row in range(200)],
            "asked_old": [str(1 + row % 3) if row % 90 >= 30 else "" for row in range(200)],
            "asked_tv": [str(1 + row % 3) if row % 4 < 2 else "" for row in range(200)],
        }
    )
    plan = protect_unassigned(draft_table(table))
    media = OptionSet(values=("TV", "Web"), nothing="none")
    plan = plan.with_column("media", kind="several", domain=media, mechanism=None)

    def told(name: str, typed: str) -> list[str]:
        problems = check_table(declare_asked(plan, name, typed), table)
        return [p.message for p in problems if p.code == "asked_differs"]

    assert not told("many", "smoker=yes")
    assert not told("asked_old", "age=30..")
    assert not told("asked_old", "age!=..29")
    assert not told("asked_tv", "media=TV")
    (wrong,) = told("many", "smoker=no")
    assert (wrong.values["answers"], wrong.values["skipped"]) == (120, 120)
    assert told("asked_old", "age=40..")
    assert told("asked_tv", "media=Web")
    assert told("asked_tv", "media!=TV")


def test_that_a_share_that_a_declared_filter_explains_is_not_far() -> None:
    table = table_from_texts({"smoker": SMOKER, "many": MANY})
    plan = protect_unassigned(draft_table(table))

    def far(plan: Plan) -> list[str]:
        return [p.message for p in check_table(plan, table) if p.code == "supposed_share_far"]

    assert len(far(plan)) == 1
    assert far(declare_asked(plan, "many", "smoker=yes:65%")) == []
    assert len(far(declare_asked(plan, "many", "smoker=yes:20%"))) == 1


def test_that_a_release_says_who_was_asked_and_how_many_of_them_answered(tmp_path: Path) -> None:
    survey, plan, folder = tmp_path / "s.csv", tmp_path / "p.json", tmp_path / "released"
    rows = "".join(f"{s},{m}\n" for s, m in zip(SMOKER * 20, MANY * 20, strict=True))
    survey.write_text("smoker,many\n" + rows, encoding="utf-8")
    draft = ["draft", str(survey), "-o", str(plan), "--confirm-domains", "--epsilon", "8"]
    assert not main([*draft, "--declare", "many=1..40", "--asked", "many=smoker=yes:60%"])
    assert not main(["release", str(survey), "--plan", str(plan), "--out", str(folder)])
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    (many,) = (a for a in report["results"]["attributes"] if a["attribute"] == "many")
    assert many["asked"] == "smoker is yes"
    assert many["answered"]["estimate"] == pytest.approx(0.6, abs=0.2)
    assert many["answered_of_asked"]["estimate"] == pytest.approx(1, abs=0.3)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Asked only where smoker is yes" in page
    assert "Share answered among those asked" in page
    assert "share answered among those asked" in (folder / "estimates.csv").read_text("utf-8")


ODD = Plan(
    columns=(
        ColumnPlan(
            name="this or that",
            kind="nominal",
            domain=Categorical(values=("a or b", "x=y", "16..")),
        ),
        ColumnPlan(
            name="that", kind="nominal", domain=Categorical(values=("a|b", "not", "a", "b"))
        ),
        ColumnPlan(
            name="that is=it",
            kind="nominal",
            domain=Categorical(values=("60 or more", 'so"', "60")),
        ),
        ColumnPlan(
            name="is", kind="nominal", domain=Categorical(values=("answered", "5", "more", "q"))
        ),
        ColumnPlan(name="code", kind="ordinal", domain=Categorical(values=tuple("12345"))),
        ColumnPlan(name="q", kind="nominal", domain=Categorical(values=("1", "2"))),
    )
)


@pytest.mark.parametrize("negated", [False, True])
def test_that_any_names_and_answers_that_are_shown_can_be_typed(negated: bool) -> None:
    for column in ODD.columns[:4]:
        assert isinstance(column.domain, Categorical)
        values = column.domain.values
        for named in [*((one,) for one in values), values[:2], values[1:3]]:
            one = Condition(column=column.name, values=named, negated=negated)
            other = Condition(column="code", lower=Decimal(3))
            for any_of in ((one,), (one, other), (other, one)):
                written = AskedIf(any_of=any_of).written
                assert read_asked(ODD, written).any_of == any_of


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("this or that=a or b", '"this or that" is "a or b"'),
        ("this or that=16..", '"this or that" is 16..'),
        ("that=a|b", "that is a or b"),
        ('that="a|b"', "that is a|b"),
        ("that=a or this or that=x=y", 'that is a, or "this or that" is "x=y"'),
        ("that is=it is 60 or more", '"that is=it" is "60 or more"'),
        ("code=3..", "code is at least 3"),
        ("code >= 3 or that != b", "code is at least 3, or that is not b"),
    ],
)
def test_that_names_within_names_and_odd_answers_are_read(typed: str, written: str) -> None:
    asked = read_asked(ODD, typed)
    assert asked.written == written
    assert read_asked(ODD, written) == asked


def test_that_a_rule_of_the_model_has_at_most_five_conditions() -> None:
    one = Condition(column="code", values=("1",))
    assert len(AskedIf(any_of=(one,) * 5).any_of) == 5
    for many in (0, 6):
        with pytest.raises(ValidationError):
            AskedIf(any_of=(one,) * many)


def test_that_who_did_not_answer_the_filter_was_not_asked_whatever_a_blank_becomes() -> None:
    smoker = ["yes", "no", ""] * 60
    for policy in ({"policy": "category", "value": "none"}, {"policy": "value", "value": "yes"}):
        for rule in ("smoker=yes", "smoker!=no"):
            more = [str(1 + row % 4) if one == "yes" else "" for row, one in enumerate(smoker)]
            for asked_blanks in (False, True):
                if asked_blanks:
                    more = ["2" if one == "" else m for one, m in zip(smoker, more, strict=True)]
                table = table_from_texts({"smoker": smoker, "more": more})
                plan = protect_unassigned(draft_table(table))
                plan = plan.with_column("smoker", missing=MissingPolicy.model_validate(policy))
                codes = [p.code for p in check_table(declare_asked(plan, "more", rule), table)]
                assert ("asked_differs" in codes) == asked_blanks
