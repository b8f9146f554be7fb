"""Questions with several answers in a plan: drafted, joined, checked and read."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest

from dpdesk.data.joined_columns import joined, questions_in
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, OptionSet
from dpdesk.plan import (
    ColumnPlan,
    MissingPolicy,
    Plan,
    check,
    check_table,
    draft_table,
    encode_column,
    errors_of,
    plan_from_json,
    plan_to_json,
    protect,
    protect_unassigned,
    total_epsilon,
)
from dpdesk.plan.checks.statistics import check_statistics
from dpdesk.plan.checks.texts import T
from dpdesk.plan.draft import join_columns, part_columns
from dpdesk.plan.missing import protecting
from dpdesk.plan.open_questions import (
    SetBlanks,
    SuspectedCodes,
    WholeOptions,
    decide,
    open_questions,
)
from dpdesk.queries.phrase import parse_query
from tests.refusals import refused

CELLS = ["TV;Web", "Web", "(none)", "", "Radio", "TV;Web;Radio", "TV;Radio"] * 5


def apart() -> SurveyTable:
    ticks = ["100", "011", "000", "...", "111", "010", "001"] * 6
    names = ("media_tv", "media_web", "media_radio")
    cells = {n: [t[i].replace(".", "") for t in ticks] for i, n in enumerate(names)}
    return table_from_texts({"sex": ["f", "m"] * 21} | cells)


def column(plan: Plan, name: str = "media") -> ColumnPlan:
    return plan.column(name)


def test_that_cells_with_several_texts_are_drafted_as_a_set() -> None:
    table = table_from_texts({"media": CELLS, "sex": ["f", "m", "x"] * 11 + ["f", "m"]})
    plan = draft_table(table)
    assert column(plan).kind == "several"
    assert column(plan).domain == OptionSet(values=("Radio", "TV", "Web"))
    assert not column(plan).confirmed
    assert column(plan).missing == protecting(column(plan).domain)
    assert column(plan, "sex").kind == "nominal"


@pytest.mark.parametrize(
    "cells",
    [
        # Categories with a comma in them, free text, and one cell with a separator.
        ["Yes, often", "Yes, rarely", "No"],
        ["TV", "Web", "Radio;TV"],
        ["a;b", "c;d", "e;f"],
    ],
)
def test_that_cells_whose_parts_do_not_recur_are_no_sets(cells: list[str]) -> None:
    assert draft_table(table_from_texts({"media": cells * 9})).columns[0].kind == "nominal"


def test_that_a_question_made_of_columns_is_declared_with_them() -> None:
    table = apart()
    together = joined(table, questions_in(table))
    drafted = column(draft_table(together))
    assert (drafted.kind, drafted.provenance) == ("several", "declared")
    assert drafted.domain == OptionSet(values=("tv", "web", "radio"))


def test_that_joining_keeps_the_loss_and_taking_apart_gives_the_columns_back() -> None:
    table = apart()
    plan = protect_unassigned(draft_table(table), Decimal(4))
    (question,) = questions_in(table)
    joint, together = join_columns(plan, table, question)
    assert [c.name for c in joint.columns] == ["sex", "media"] == list(together.names)
    assert total_epsilon(joint) == total_epsilon(plan) == 4
    mechanism = column(joint).mechanism
    assert mechanism is not None
    assert (mechanism.kind, mechanism.epsilon) == ("set_response", Decimal(3))
    assert joint.reading == together.reading
    assert plan_from_json(plan_to_json(joint)) == joint
    again, parts = part_columns(joint, together, "media")
    assert [c.name for c in again.columns] == list(table.names) == list(parts.names)
    assert again.reading == plan.reading
    assert "questions" not in plan_to_json(again)


def test_that_a_code_of_all_columns_is_asked_about_or_stays_decided() -> None:
    codes = {f"q5_{option}": ["1", "0", "1", "9", "9"] for option in ("1", "2", "9")}
    table = table_from_texts(codes)
    plan, (question,) = draft_table(table), questions_in(table)
    joint, together = join_columns(plan, table, question)
    (asked,) = open_questions(joint.column("q5"), together.column("q5"), together.reading)
    assert isinstance(asked, SuspectedCodes)
    assert (asked.codes, asked.respondents) == (("(code 9)",), 2)
    assert "codes_undecided" in {
        problem.code for problem in check_table(protect(joint, "q5"), together)
    }
    decided = asked.decided(joint, together, first=True)
    for name in codes:
        labelled = MissingPolicy(tokens=("", "9"), labels={"9": "refused"})
        plan = plan.with_column(name, missing=labelled)
    kept, _ = join_columns(plan, table, question)
    missing = kept.column("q5").missing
    assert missing.tokens == decided.column("q5").missing.tokens == ("", "(code 9)")
    assert missing.labels == {"(code 9)": "refused"}
    assert open_questions(kept.column("q5"), together.column("q5"), together.reading) == ()
    # What means no answer in one column alone says nothing of the others.
    some = plan.with_column("q5_2", missing=MissingPolicy())
    assert join_columns(some, table, question)[0].column("q5").missing.tokens == ("",)


def test_that_no_option_and_no_answer_are_told_apart() -> None:
    table = table_from_texts({"media": CELLS})
    protected = column(protect(draft_table(table), "media"))
    domain = protected.effective_domain
    assert isinstance(domain, OptionSet)
    assert domain.values == ("Radio", "TV", "Web", "(no answer)")
    encoded = encode_column(protected, table.column("media"))
    codes = [int(encoded.code_of[c]) for c in table.column("media").codes[:5]]
    assert codes == [0b110, 0b100, 0, 0b1000, 0b001]
    assert encoded.missing == 5
    # Where an empty cell means that nothing was ticked, it is an answer.
    blank = protected.changed(domain=OptionSet(values=("Radio", "TV", "Web"), nothing=""))
    assert encode_column(blank, table.column("media")).missing == 0
    taken = protected.changed(missing=MissingPolicy(policy="value", value="TV;Web"))
    assert encode_column(taken, table.column("media")).code_of[3] == 0b110


def problem_codes(plan: Plan) -> set[str]:
    return {problem.code for problem in errors_of(check(plan))}


def test_that_what_does_not_suit_a_set_is_a_problem() -> None:
    plan = protect(draft_table(table_from_texts({"media": CELLS})), "media")
    assert "other_of_set" in problem_codes(plan.with_column("media", other="else"))
    separated = MissingPolicy(policy="category", value="none; refused")
    assert "missing_policy_unfit" in problem_codes(plan.with_column("media", missing=separated))
    outside = MissingPolicy(policy="value", value="TV;Paper")
    assert "missing_value_outside" in problem_codes(plan.with_column("media", missing=outside))
    twice = MissingPolicy(policy="category", value="TV")
    assert "category_twice" in problem_codes(plan.with_column("media", missing=twice))
    faked = plan.with_fields(strategy="rsfd")
    assert "cannot_be_faked" in problem_codes(faked)


def test_that_a_plan_whose_questions_were_not_read_is_refused_on_the_table() -> None:
    table = apart()
    joint, together = join_columns(draft_table(table), table, questions_in(table)[0])
    assert "reading_differs" in {p.code for p in check_table(joint, table)}
    assert "reading_differs" not in {p.code for p in check_table(joint, together)}


def test_that_statistics_refuse_groups_of_several_answers_and_name_an_option_to_ask_for() -> None:
    plan = draft_table(table_from_texts({"media": CELLS}))
    for phrase, is_refused in (("count by media", True), ("count where media has Web", False)):
        query = parse_query(phrase).changed(epsilon=Decimal(1))
        asked = plan.with_fields(statistics=plan.statistics.with_queries([query]))
        found = [p for p in check_statistics(asked) if p.code == "query_does_not_suit"]
        assert [p.severity for p in found] == ["error"] * is_refused
        assert all("count where media has" in p.remedy for p in found)


def test_that_a_kind_and_its_domain_go_together() -> None:
    with pytest.raises(ValueError, match="of kind"):
        ColumnPlan(name="q", kind="several", domain=Categorical(values=("a", "b")))
    with pytest.raises(ValueError, match="of kind"):
        ColumnPlan(name="q", kind="nominal", domain=OptionSet(values=("a", "b")))


def test_that_few_reports_of_each_option_are_a_warning() -> None:
    def told(rows: int, strategy: str) -> list[str]:
        table = table_from_texts({"media": (CELLS * 20)[:rows], "sex": (["f", "m"] * rows)[:rows]})
        drafted = draft_table(table).with_fields(budget=None)
        plan = protect_unassigned(drafted).with_fields(strategy=strategy)
        found = [p for p in check(plan) if p.code == "few_reports"]
        return [p.message for p in found if p.path == "columns.media.mechanism"]

    # Of four options, one of them for no answer, each respondent is asked one.
    assert told(119, "spl") == [T.FEW_REPORTS__OPTIONS(expected=30, name="media")]
    assert told(120, "spl") == []
    assert told(200, "smp") == [T.FEW_REPORTS__OPTIONS(expected=25, name="media")]


BLANK = ["TV;Web", "Web", "", "TV", "Radio;TV"] * 20
MARKS = {"m_tv": ["x", "", ""] * 20, "m_web": ["x", "x", ""] * 20, "m_paper": ["", "x", ""] * 20}


def blanks(plan: Plan, table: SurveyTable, name: str) -> int:
    asked = SetBlanks.of(plan.column(name), table.column(name), table.reading)
    return 0 if asked is None else asked.respondents


def decided_blanks(plan: Plan, table: SurveyTable, name: str, *, mean_nothing: bool) -> Plan:
    return decide(plan, table, name, SetBlanks, first=not mean_nothing)


def options_of_blanks(plan: Plan, table: SurveyTable, name: str) -> tuple[tuple[str, str], ...]:
    asked = SetBlanks.of(plan.column(name), table.column(name), table.reading)
    assert asked is not None
    return asked.options


def warned(plan: Plan, table: SurveyTable) -> list[str]:
    return [p.message for p in check_table(plan, table) if p.code == "blanks_undecided"]


def test_that_blanks_of_cells_are_asked_about_until_somebody_decides() -> None:
    table = table_from_texts({"media": BLANK})
    plan = protect(draft_table(table), "media")
    assert blanks(plan, table, "media") == 20
    assert warned(plan, table)[0].values["meaning"].id == "plan.no-answer-given"
    missing = decided_blanks(plan, table, "media", mean_nothing=False)
    assert column(missing).missing.empty_decided
    assert column(missing).missing.policy == "category"
    assert plan_from_json(plan_to_json(missing)) == missing
    nothing = decided_blanks(plan, table, "media", mean_nothing=True)
    domain = column(nothing).domain
    assert isinstance(domain, OptionSet)
    assert (domain.nothing, column(nothing).missing.policy) == ("", "none")
    encoded = encode_column(column(nothing), table.column("media"))
    assert (encoded.missing, encoded.uncoded) == (0, 0)
    for decided in (missing, nothing):
        assert blanks(decided, table, "media") == 0
        assert warned(decided, table) == []
        with refused("plan.nothing-open", name="media"):
            decided_blanks(decided, table, "media", mean_nothing=True)


def test_that_a_single_respondent_is_asked_about_as_one() -> None:
    table = table_from_texts({"media": [*(cell or "TV" for cell in BLANK), ""]})
    one = SetBlanks.of(column(draft_table(table)), table.column("media"), table.reading)
    assert one is not None
    assert one.sentence.values["count"] == 1
    assert one.problem.message.values["names"] == "media"


@pytest.mark.parametrize("cell", ["(none)", "TV"])
def test_that_a_file_that_writes_none_or_has_no_blanks_is_not_asked_about(cell: str) -> None:
    told = table_from_texts({"media": [one or cell for one in BLANK] + ["" * (cell != "TV")]})
    assert blanks(draft_table(told), told, "media") == (0 if cell == "(none)" else 1)


def test_that_blanks_of_columns_are_asked_about_until_somebody_decides() -> None:
    table = table_from_texts(MARKS)
    joint, together = join_columns(draft_table(table), table, questions_in(table)[0])
    joint = protect(joint, "m")
    assert blanks(joint, together, "m") == 20
    assert warned(joint, together)[0].values["meaning"].id == "plan.nothing-ticked"
    for mean_nothing, missing in ((True, 0), (False, 20)):
        decided = decided_blanks(joint, together, "m", mean_nothing=mean_nothing)
        assert decided.reading is not None
        read = joined(table, decided.reading.questions)
        assert blanks(decided, read, "m") == 0
        assert encode_column(decided.column("m"), read.column("m")).missing == missing
        assert decided.column("m").missing.policy == ("none" if mean_nothing else "category")
        assert not errors_of(check_table(decided, read))
    # Zeros say that an option was not ticked: nobody is asked.
    zeros = {name: [one or "0" for one in cells] for name, cells in MARKS.items()}
    table = table_from_texts(zeros)
    joint, together = join_columns(draft_table(table), table, questions_in(table)[0])
    assert blanks(joint, together, "m") == 0


def test_that_declarations_of_blanks_are_read_as_they_are_written() -> None:
    table = table_from_texts({"media": BLANK})
    first, second = options_of_blanks(draft_table(table), table, "media")
    assert first == ("--declare", "media=set(Radio|TV|Web):;:")
    assert OptionSet.read(first[1].removeprefix("media=")) == OptionSet(
        values=("Radio", "TV", "Web"), nothing=""
    )
    assert second == ("--missing", "media=:category")
    table = table_from_texts(MARKS)
    joint, together = join_columns(draft_table(table), table, questions_in(table)[0])
    written = [value for _, value in options_of_blanks(joint, together, "m")]
    assert written == [f"m=m_tv,m_web,m_paper:x::{word}" for word in ("none", "missing")]


def _ticked(options: Sequence[str], between: str) -> list[str]:
    """Cells of 320 respondents who tick each of five options, all sets alike often."""
    sets = [[one for bit, one in enumerate(options) if row >> bit & 1] for row in range(1, 32)]
    return [between.join(chosen) for chosen in sets * 10]


@pytest.mark.parametrize(
    ("options", "between"),
    [
        (("Newspapers, magazines", "Radio", "TV (public, private)", "Web", "None of it"), ", "),
        (("Radio, e.g. news, talk", "TV", "Web [own, other]", "Paper", "Friends"), ","),
        (("Car/bus", "Bike", "On foot", "Train", "Plane"), "/"),
    ],
)
def test_that_options_that_hold_the_separator_are_suggested_whole_and_asked_about(
    options: tuple[str, ...], between: str
) -> None:
    table = table_from_texts({"q": _ticked(options, between)})
    plan = draft_table(table)
    domain = plan.column("q").domain
    assert isinstance(domain, OptionSet)
    assert set(domain.values) == set(options)
    texts = table.column("q")
    for option in options:
        place = domain.values.index(option)
        # Each is ticked in 16 of 31 sets.
        assert texts.counts @ domain.ticked_in(texts.distinct)[:, place] == 160
    (asked,) = open_questions(plan.column("q"), texts, table.reading)
    assert isinstance(asked, WholeOptions)
    assert asked.problem.code == "options_undecided"
    kept = decide(plan, table, "q", WholeOptions, first=True)
    assert kept.column("q").domain == domain
    assert open_questions(kept.column("q"), texts, table.reading) == ()
    split = decide(plan, table, "q", WholeOptions, first=False).column("q").domain
    assert isinstance(split, OptionSet)
    assert not split.joined_values
    assert split.size > domain.size


def test_that_options_that_stand_alone_are_not_joined() -> None:
    table = table_from_texts({"q": _ticked(("a", "b", "c", "d", "e"), ", ")})
    plan = draft_table(table)
    assert isinstance(plan.column("q").domain, OptionSet)
    assert plan.column("q").domain.values == ("a", "b", "c", "d", "e")
    assert not open_questions(plan.column("q"), table.column("q"), table.reading)
