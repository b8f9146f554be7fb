"""What becomes of missing answers: each policy, from a file to the estimates of its release."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.cli.declaration import with_declared, with_kind
from dpdesk.cli.main import main
from dpdesk.data.missing_codes import CodeRange, TypedCodes, read_codes
from dpdesk.data.table import SurveyTable, TextColumn, table_from_texts
from dpdesk.domains import Categorical, Integer, OptionSet, Real
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.sanitize import sanitize
from dpdesk.errors import ParameterError
from dpdesk.estimation.from_records import released_from_file
from dpdesk.plan import (
    ColumnPlan,
    MissingPolicy,
    Plan,
    check,
    check_table,
    declare_missing,
    draft_table,
    load_plan,
    protect_unassigned,
)
from dpdesk.plan.column_changes import set_kind
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.missing import TREATMENTS, AnyDomain, suited
from dpdesk.plan.model import public_plan
from dpdesk.plan.open_questions import SuspectedCodes, decide, open_questions
from dpdesk.plan.problem import grouped
from dpdesk.plan.texts import T

AGES = Integer(lower=18, upper=90)
TOWNS = Categorical(values=("Oslo", "Bergen"))
TEXTS = ["20", "", "-9", "90", "x", "20"]
OPEN, UNDECIDED = "--answers age", T.CODES_UNDECIDED(count=1, names="age")


def _column(policy: str, domain: AnyDomain, value: str = "") -> ColumnPlan:
    missing = MissingPolicy.model_validate({"tokens": ("", "-9"), "policy": policy, "value": value})
    kind = "nominal" if isinstance(domain, Categorical) else "integer"
    return ColumnPlan(name="q", kind=kind, domain=domain, missing=missing)


def _codes(column: ColumnPlan, texts: list[str], *, answers_only: bool = False) -> list[int]:
    cells = TextColumn.from_texts("q", texts)
    encoded = encode_column(column, cells, answers_only=answers_only)
    return [int(code) for code in encoded.code_of[cells.codes]]


@pytest.mark.parametrize(
    ("policy", "value", "codes"),
    [
        ("none", "", [2, -1, -1, 72, -1, 2]),
        ("value", "30", [2, 12, 12, 72, 12, 2]),
        ("protect", "", [2, 73, 73, 72, 73, 2]),
        ("blank", "", [2, -1, -1, 72, -1, 2]),
    ],
)
def test_that_each_policy_codes_missing_numbers(policy: str, value: str, codes: list[int]) -> None:
    assert _codes(_column(policy, AGES, value), TEXTS) == codes


def test_that_statistics_leave_out_what_is_protected_with_the_numbers() -> None:
    assert _codes(_column("protect", AGES), TEXTS, answers_only=True) == [2, -1, -1, 72, -1, 2]
    category = _column("category", TOWNS, "unknown")
    assert _codes(category, ["Oslo", "", "Rome"], answers_only=True) == [0, 2, 2]


def test_that_policies_serve_what_they_can() -> None:
    serves = {policy: (t.serves(AGES), t.serves(TOWNS)) for policy, t in TREATMENTS.items()}
    assert serves == {
        "none": (True, True),
        "category": (False, True),
        "protect": (True, False),
        "value": (True, True),
        "blank": (True, True),
    }
    for policy, treatment in TREATMENTS.items():
        for domain in (AGES, TOWNS):
            missing = _column(policy, domain, "Oslo" if treatment.has_value else "").missing
            assert treatment.sentence(missing)
            assert treatment.words.format(value=missing.value)


def test_that_a_stored_plan_keeps_policy_and_supposed_share() -> None:
    column = _column("protect", AGES)
    assert "supposed_share" not in column.missing.model_dump(mode="json")
    changed = MissingPolicy(policy="protect", supposed_share=Decimal("0.25"))
    plan = Plan(columns=(column.changed(missing=changed),))
    again = Plan.model_validate_json(plan.model_dump_json())
    assert again == plan
    domain = again.column("q").effective_domain
    assert isinstance(domain, Integer)
    assert domain.missing_share == 0.25
    for share in ("0", "1", "-0.1"):
        with pytest.raises(ValueError, match="supposed_share"):
            MissingPolicy(policy="protect", supposed_share=Decimal(share))


def _table(**columns: list[str]) -> SurveyTable:
    return table_from_texts(columns)


def test_that_a_draft_protects_missing_answers_and_takes_codes_out_of_the_domain() -> None:
    ages = [str(age) for age in range(18, 91)] * 3
    table = _table(age=[*ages, "", "-9", "999"], town=["Oslo", "", "Bergen"] * 74)
    plan = draft_table(table)
    assert plan.column("age").missing.policy == "protect"
    assert plan.column("town").missing.policy == "category"
    assert plan.column("age").domain == Integer(lower=18, upper=90)
    (asked,) = open_questions(plan.column("age"), table.column("age"), table.reading)
    assert isinstance(asked, SuspectedCodes)
    assert set(asked.codes) == {"-9", "999"}
    kept = asked.decided(plan, table, first=False)
    assert kept.column("age").domain == Integer(lower=-9, upper=999)
    assert not open_questions(kept.column("age"), table.column("age"), table.reading)
    assert public_plan(kept).columns == ()
    with pytest.raises(ParameterError):
        decide(kept, table, "age", SuspectedCodes, first=True)
    gone = decide(plan, table, "age", SuspectedCodes, first=True).column("age")
    assert gone.domain == Integer(lower=18, upper=90)
    assert set(gone.missing.tokens) == {"", "-9", "999"}
    age = declare_missing(plan, table, "age", read_codes("-9; 999"), "", "").column("age")
    assert age.domain == Integer(lower=18, upper=90)
    assert age.missing == MissingPolicy(tokens=("", "-9", "999"), policy="protect")
    for policy, value in (("category", ""), ("nothing", ""), ("protect", "3")):
        with pytest.raises(ParameterError):
            declare_missing(plan, table, "age", TypedCodes(), policy, value)


def test_that_a_copy_with_another_policy_has_its_domain() -> None:
    column = _column("category", TOWNS, "(none)")
    assert column.effective_domain.size == TOWNS.size + 1
    copied = column.model_copy(update={"missing": MissingPolicy(policy="none")})
    assert copied.effective_domain == copied.changed().effective_domain == TOWNS
    asked = copied.model_copy(update={"expected": (Decimal(1),) * TOWNS.size})
    assert len(asked.expected_shares) == TOWNS.size


def test_that_a_plan_stores_ranges_and_labels_and_old_plans_open() -> None:
    plain = MissingPolicy()
    assert set(plain.model_dump(mode="json")) == {"tokens", "policy", "value"}
    codes = read_codes("-9 = refused; 97 to 99 = not asked")
    policy = MissingPolicy(tokens=("", *codes.tokens), ranges=codes.ranges, labels=codes.labels)
    assert MissingPolicy.model_validate_json(policy.model_dump_json()) == policy
    assert policy.codes == "-9 = refused; 97 to 99 = not asked"
    assert MissingPolicy(ranges=(CodeRange(upper=Decimal(-1)),)).codes == "to -1"
    with pytest.raises(ValueError, match="A label belongs to no code"):
        MissingPolicy(labels={"-9": "refused"})


def test_that_a_range_and_a_code_are_missing_however_they_are_written() -> None:
    codes = read_codes("-9; 97 to 99")
    missing = MissingPolicy(
        tokens=("", *codes.tokens), ranges=codes.ranges, policy="value", value="18"
    )
    column = ColumnPlan(name="q", kind="integer", domain=AGES, missing=missing)
    assert _codes(column, ["20", "-9.0", " -9", "97", "98.0", "90"]) == [2, 0, 0, 0, 0, 72]


def test_that_passing_through_is_refused_where_not_every_attribute_is_reported() -> None:
    columns = tuple(
        ColumnPlan.model_validate(
            {
                "name": name,
                "kind": "nominal",
                "domain": TOWNS,
                "confirmed": True,
                "role": "protect",
                "mechanism": {"kind": "grr", "epsilon": "1"},
                "missing": {"policy": "blank"},
            }
        )
        for name in ("a", "b")
    )
    found = {
        strategy: {p.code: p.severity for p in check(Plan(columns=columns, strategy=strategy))}
        for strategy in ("spl", "smp", "rsfd")
    }
    assert found["spl"]["who_answered_public"] == "warning"
    assert "blanks_need_spl" not in found["spl"]
    assert found["smp"]["blanks_need_spl"] == "error"
    assert found["rsfd"]["blanks_need_spl"] == "error"


@pytest.mark.parametrize("mechanism", ["grr", "oue"])
def test_that_a_release_with_blank_categories_is_read_back_from_both_files(
    mechanism: str, tmp_path: Path
) -> None:
    cells = ["Oslo", "", "Bergen", "Bergen"] * 500
    column = ColumnPlan.model_validate(
        {
            "name": "town",
            "kind": "nominal",
            "domain": TOWNS,
            "confirmed": True,
            "role": "protect",
            "mechanism": {"kind": mechanism, "epsilon": "4"},
            "missing": {"policy": "blank"},
        }
    )
    table = _table(town=cells)
    plan = Plan(columns=(column,), reading=table.reading, reading_confirmed=True)
    released = sanitize(table, plan, tmp_path, Tracker(lambda _: None, lambda: False))
    assert released.attributes[0].tally.reports == 1_500
    estimate = released.attributes[0].estimate
    assert abs(estimate.value[0] - 1 / 3) < 6 * estimate.total_error[0]
    for name in ("records.csv", "records.parquet"):
        again = released_from_file(tmp_path / name, plan).attributes[0].tally
        assert again.reports == 1_500
        assert (again.counts == released.attributes[0].tally.counts).all()


def test_that_a_draft_asks_about_codes_and_check_warns_until_it_is_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    survey, plan = tmp_path / "ages.csv", str(tmp_path / "plan.json")
    ages = [str(age) for age in range(18, 91)] * 3
    survey.write_text("age\n" + "\n".join([*ages, "999", "-9"]) + "\n", encoding="utf-8")

    def drafted(*options: str) -> str:
        draft = ["draft", str(survey), "-o", plan, "--confirm-domains", "--overwrite", *options]
        assert not main(draft)
        asked = capsys.readouterr().err
        main(["check", plan, str(survey)])
        told = capsys.readouterr()
        assert (UNDECIDED in told.out + told.err) == (OPEN in asked)
        return asked

    asked = drafted()
    assert "draft --missing age=999,-9, or draft --answers age" in asked
    assert OPEN not in drafted("--missing", "age=999,-9")
    assert OPEN not in drafted("--answers", "age")


def test_that_codes_of_several_columns_are_told_once_with_the_option_that_cures_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    survey, plan = tmp_path / "three.csv", str(tmp_path / "plan.json")
    rows = ["1,2,0", "0,3,1", "1,4,1", "0,2,0"] * 20
    survey.write_text("\n".join(["a,b,c", *rows, "NA,NA,1", "NA,3,1"]) + "\n", encoding="utf-8")

    def drafted(*options: str) -> list[str]:
        draft = ["draft", str(survey), "-o", plan, "--confirm-domains", "--overwrite", *options]
        assert not main(draft)
        return capsys.readouterr().err.splitlines()

    asked = drafted()
    said = T.CODES_UNDECIDED(count=2, names="a, b")
    (problem,) = (line for line in asked if said in line)
    assert "--missing '*=CODE'" in problem
    (hint,) = (line for line in asked if "may mean no answer" in line)
    assert hint == "NA may mean no answer in 2 columns: a, b."
    assert any("--missing '*=NA'" in line and "--answers '*=NA'" in line for line in asked)
    for decided in ("--missing-code=NA", "--missing=*=NA"):
        assert not [line for line in drafted(decided) if "domain" in line or "NA" in line]
    drafted("--answers", "*=NA")
    read = load_plan(Path(plan))
    assert [read.column(name).missing.answers for name in "abc"] == [("NA",), ("NA",), ()]


def test_that_what_is_no_answer_stays_no_answer_when_a_column_gets_another_domain(
    tmp_path: Path,
) -> None:
    codes = read_codes("-9 = refused; 97 to 99 = not asked")
    missing = MissingPolicy(answers=("88", "-9"), policy="protect", supposed_share=Decimal("0.3"))
    missing = missing.with_codes(codes)
    assert missing.answers == ("88",)
    column = ColumnPlan(name="q", kind="integer", domain=AGES, missing=missing)
    plan = Plan(columns=(column,))
    table = _table(q=["20", "30", "88", "97", "-9", ""])
    category = missing.changed(policy="category", value="(no answer)")
    none = missing.changed(policy="none")

    nominal = set_kind(plan, "q", "nominal", table).column("q")
    assert (nominal.missing, nominal.domain.values) == (category, ("20", "30", "88"))
    assert set_kind(plan, "q", "nominal").column("q").missing == category
    assert set_kind(plan, "q", "identifier").column("q").missing == none
    undeclared = with_kind(plan, None, "q", "nominal")
    assert undeclared.column("q").missing == none
    assert with_declared(plan, "q", "young|old").column("q").missing == category
    entry = {"kind": "nominal", "domain": TOWNS.model_dump(mode="json"), "name": "q"}
    entry["missing"] = missing.model_dump(mode="json", exclude={"policy", "value"})
    book, drafted = tmp_path / "book.json", tmp_path / "plan.json"
    book.write_text(json.dumps([entry]), encoding="utf-8")
    assert not main(["draft", "--codebook", str(book), "-o", str(drafted)])
    assert Plan.model_validate_json(drafted.read_bytes()).column("q").missing == category


def test_that_a_set_expects_no_missing_answers_where_they_say_that_nothing_was_ticked() -> None:
    options = OptionSet(values=("tv", "web"), nothing="")
    kept = MissingPolicy(policy="category", value="(no answer)", answers=("none",))
    assert suited(kept, options) == kept.changed(policy="none", value="")
    ranged = kept.with_codes(read_codes("97 to 99"))
    assert suited(ranged, options) == ranged
    ticked = MissingPolicy(tokens=("(none)",), policy="category", value="(no answer)")
    column = ColumnPlan(name="q", kind="nominal", domain=TOWNS, missing=ticked)
    several = set_kind(Plan(columns=(column,)), "q", "several").column("q")
    assert several.missing == ticked.changed(policy="none", value="")


@pytest.mark.parametrize(
    ("policy", "supposed", "missing", "warned"),
    [
        ("protect", "0.1", 75, "more"),
        ("blank", "0.1", 16, "more"),
        ("blank", "0.1", 15, ""),
        ("protect", "0.02", 6, ""),
        ("protect", "0.5", 24, "fewer"),
        ("blank", "0.5", 25, ""),
        ("value", "0.1", 75, ""),
        # Of few who answer, some fewer or more change the error as much.
        ("protect", "0.5", 70, "more"),
        ("protect", "0.8", 58, "fewer"),
        ("protect", "0.8", 62, ""),
    ],
)
def test_that_a_file_far_from_the_supposed_share_is_told(
    policy: str, supposed: str, missing: int, warned: str
) -> None:
    ages = Integer(lower=0, upper=99)
    value = "5" if policy == "value" else ""
    rule = MissingPolicy(policy=policy, value=value, supposed_share=Decimal(supposed))
    columns = tuple(
        ColumnPlan(name=name, kind="integer", domain=ages, confirmed=True, missing=rule)
        for name in ("age", "years")
    )
    plan = protect_unassigned(Plan(columns=columns), Decimal(1))
    texts = ["30"] * (100 - missing) + [""] * missing
    made = tuple(TextColumn.from_texts(name, texts) for name in ("age", "years"))
    table = SurveyTable(made, 100)
    found = [p for p in check_table(plan, table) if p.code == "supposed_share_far"]
    assert len(found) == (2 if warned else 0)
    for problem in found:
        values = problem.message.values
        assert values["share"] == f"{100 * Decimal(supposed):.0f} %"
        assert (values["missing"], values["answers"]) == (missing, 100)
    assert len(grouped(found)) == bool(warned)


@pytest.mark.parametrize(
    ("points", "told"), [(101, True), (500, True), (501, False), (2_000, False)]
)
def test_that_rounding_is_told_by_the_steps_whatever_numbers_they_are_of(
    points: int, told: bool
) -> None:
    upper = 10 * (points - 1)
    domains = Integer(lower=0, upper=upper, step=10), Real(lower=0, upper=upper, resolution=10)
    texts = [str(5 + 7 * row % upper) for row in range(100)]
    for kind, domain in zip(("integer", "real"), domains, strict=True):
        column = ColumnPlan(name="q", kind=kind, domain=domain, confirmed=True)
        plan = protect_unassigned(Plan(columns=(column,)), Decimal(1))
        table = SurveyTable((TextColumn.from_texts("q", texts),), len(texts))
        codes = [problem.code for problem in check_table(plan, table)]
        assert ("answers_rounded" in codes) == told, kind


def test_that_undecided_codes_and_rounded_answers_are_told_once_with_their_respondents() -> None:
    ages = Integer(lower=0, upper=120, step=2)
    names = [f"age{number}" for number in range(32)]
    columns = tuple(
        ColumnPlan(name=name, kind="integer", domain=ages, confirmed=True) for name in names
    )
    plan = protect_unassigned(Plan(columns=columns), Decimal(1))
    texts = [str(age) for age in range(20, 60)] * 4 + ["999"] * 7
    table = SurveyTable(tuple(TextColumn.from_texts(name, texts) for name in names), len(texts))
    problems = check_table(plan, table)
    for code in ("codes_undecided", "answers_rounded"):
        found = [problem for problem in problems if problem.code == code]
        assert len(found) == 32
        assert found[0].message.values["names"] == "age0"
        assert found[0].message.values.get("rounded", 80) == 80
        (one,) = grouped(found)
        assert one.message.values["count"] == 32
