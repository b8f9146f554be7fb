"""`dpdesk draft` and `dpdesk confirm`: what the window's Data page can say."""

from __future__ import annotations

import csv
import itertools
import json
import shlex
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import ValidationError

from dpdesk.cli.declaration import declared_domain
from dpdesk.cli.main import main
from dpdesk.cli.texts import T as Cli
from dpdesk.data.suggested_grid import rounder_bounds
from dpdesk.domains import Categorical, Integer, Real
from dpdesk.domains.texts import T as DomainsT
from dpdesk.plan import MissingPolicy, Plan, load_plan
from dpdesk.plan.checks.texts import T

HEAD = "caseid,age,sex,mood,wgt"
ROWS = [f"{100 + i},{20 + i % 41},{'mf'[i % 2]},{i % 4},{0.5 + i % 3}" for i in range(200)]


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    path.write_text("\n".join([HEAD, *ROWS]) + "\n", encoding="utf-8")
    return path


def drafted(path: Path, *options: str) -> Plan:
    out = path.with_name("drafted.json")
    assert main(["draft", str(path), "-o", str(out), "--overwrite", *options]) == 0
    return load_plan(out)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(list(words)) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("strategy", ["spl", "smp", "rsfd"])
@pytest.mark.parametrize("purpose", ["shares", "tables"])
def test_that_a_strategy_that_was_typed_is_kept_whatever_the_purpose_suggests(
    survey: Path, strategy: str, purpose: str
) -> None:
    declared = ("--declare", "sex=m|f", "--declare", "mood=0|1|2|3", "--drop", "age")
    declared = (*declared, "--purpose", purpose)
    assert drafted(survey, *declared, "--strategy", strategy).strategy == strategy
    suggested = "smp" if purpose == "shares" else "spl"
    assert drafted(survey, *declared).strategy == suggested


def test_that_a_domain_is_declared_and_confirmed_by_that(survey: Path) -> None:
    plan = drafted(
        survey,
        *("--declare", "age=18..99/0.5 years", "--declare", "mood=0|1|2|3|4"),
        *("--kind", "mood=ordinal", "--declare", "sex=f|m"),
    )
    age, mood, sex = (plan.column(name) for name in ("age", "mood", "sex"))
    half = Decimal("0.5")
    assert age.domain == Real(lower=Decimal(18), upper=Decimal(99), resolution=half, unit="years")
    assert (age.kind, mood.kind, sex.kind) == ("real", "ordinal", "binary")
    assert mood.domain == Categorical(values=("0", "1", "2", "3", "4"))
    assert all(column.confirmed for column in (age, mood, sex))
    assert {column.provenance for column in (age, mood, sex)} == {"declared"}
    assert all(column.role == "protect" for column in (age, mood, sex))


def test_that_the_kind_that_the_answers_suggest_does_not_enter_a_declared_domain(
    tmp_path: Path,
) -> None:
    path = tmp_path / "s.csv"
    path.write_text("age\n" + "\n".join(str(20 + i / 2) for i in range(60)) + "\n", "utf-8")
    assert drafted(path, "--declare", "age=18..99").column("age").kind == "integer"


def test_that_a_kind_is_read_off_the_answers_anew(survey: Path) -> None:
    plan = drafted(survey, "--kind", "age=ordinal", "--kind", "sex=identifier")
    age = plan.column("age")
    assert age.domain == Categorical(values=tuple(str(20 + i) for i in range(41)))
    assert (age.provenance, age.confirmed) == ("suggested", False)
    assert plan.column("sex").role == "drop"
    back = drafted(survey, "--kind", "caseid=integer").column("caseid")
    assert (back.role, back.domain) == ("protect", Integer(lower=100, upper=299))


def test_that_codes_of_no_answer_do_not_enter_a_kind_that_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("x\n" + "\n".join([*map(str, range(30)), "-9"]) + "\n", "utf-8")
    column = drafted(path, "--missing", "x=-9:category:none", "--kind", "x=nominal").column("x")
    assert column.domain == Categorical(values=tuple(map(str, range(30))))
    assert column.missing == MissingPolicy(tokens=("", "-9"), policy="category", value="none")


def test_that_the_head_of_the_report_weights_and_respondents_are_said(survey: Path) -> None:
    plan = drafted(
        survey,
        *("--title", "A survey", "--curator", "An office", "--use", "Teaching"),
        *("--weights", "wgt", "--respondents", "5000"),
    )
    details = plan.details
    assert (details.title, details.curator) == ("A survey", "An office")
    assert details.intended_use == "Teaching"
    assert plan.respondents == 5000
    weight = plan.weight_column
    assert weight is not None
    assert (weight.name, weight.keep_confirmed) == ("wgt", True)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--kind", "sex=odd"], Cli.NO_KIND(name="sex", kinds=())),
        (["--kind", "sex"], "--kind sex is not of the form"),
        (["--declare", "sex=m"], Cli.NO_BOUNDS(name="sex", form="")),
        (["--declare", "sax=m|f"], Cli.NO_COLUMN(name="sax")),
        (
            ["--declare", "age=1..9", "--declare", "age=1..8"],
            "given twice for “age”",
        ),
        (
            ["--declare", "age=1..9", "--kind", "age=nominal"],
            "not make it nominal",
        ),
        (
            ["--declare", "mood=1|2|3", "--kind", "mood=binary"],
            "not make it binary",
        ),
        (["--weights", "nobody"], Cli.NO_COLUMN(name="nobody")),
        (["--title", "x" * 2000], "--title: "),
        (["--respondents", "0"], "--respondents: "),
    ],
)
def test_that_what_cannot_be_is_refused(
    options: list[str], told: str, survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told in refused(capsys, "draft", str(survey), "-o", str(survey) + ".json", *options)


def test_that_names_alone_make_a_plan_that_releases_the_answers_later(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = tmp_path / "head.csv"
    head.write_text(HEAD + "\n", encoding="utf-8")
    plan = drafted(
        head,
        *("--declare", "age=18..99", "--declare", "sex=m|f", "--drop", "mood"),
        *("--epsilon", "4", "--respondents", "200"),
    )
    roles = ["drop", "protect", "protect", "drop", "unassigned"]
    assert [column.role for column in plan.columns] == roles
    assert plan.respondents == 200
    plan = drafted(
        head,
        *("--declare", "age=18..99", "--declare", "sex=m|f", "--drop", "mood"),
        *("--weights", "wgt", "--epsilon", "4"),
    )
    words = [str(survey), "--plan", str(tmp_path / "drafted.json"), "--out", str(tmp_path / "out")]
    assert main(["release", *words]) == 0
    assert (tmp_path / "out" / "records.csv").is_file()


def test_that_names_alone_leave_nothing_to_split_until_something_is_declared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = tmp_path / "head.csv"
    head.write_text("age,sex\n", encoding="utf-8")
    said = refused(capsys, "draft", str(head), "-o", str(tmp_path / "p.json"), "--epsilon", "4")
    assert Cli.NOTHING_TO_SPLIT() in said
    assert "--declare" in said


def test_that_a_total_stands_where_every_epsilon_is_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = tmp_path / "head.csv"
    head.write_text("age,sex\n", encoding="utf-8")
    told = ("--declare", "age=18..99", "--declare", "sex=m|f", "--set", "age=hybrid:5")
    told = (*told, "--strategy=spl")
    both = (*told, "--set", "sex=grr:7")
    for total in ("12", "20"):
        plan = drafted(head, *both, "--epsilon", total)
        assert plan.budget == int(total)
        assert [column.mechanism.epsilon for column in plan.protected] == [5, 7]
    plan = drafted(head, *both, "--strategy", "smp", "--epsilon", "7")
    assert plan.budget == 7
    # Where something is left to split, it gets the rest.
    plan = drafted(head, *told, "--epsilon", "12")
    assert [column.mechanism.epsilon for column in plan.protected] == [5, 7]
    said = refused(capsys, "draft", str(head), "-o", str(head) + ".json", *both, "--epsilon", "8")
    assert Cli.OVER_TOTAL(used="12", total="8") in said
    assert not (tmp_path / "head.csv.json").exists()


def test_that_a_release_still_refuses_a_file_without_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = tmp_path / "head.csv"
    head.write_text("age,sex\n", encoding="utf-8")
    drafted(head, "--declare", "age=18..99", "--declare", "sex=m|f")
    words = ["--plan", str(tmp_path / "drafted.json"), "--out", str(tmp_path / "out")]
    assert main(["release", str(head), *words]) == 3
    assert "names of its columns and no answers" in capsys.readouterr().err


BOOK = """attribute,label,kind,role,value,meaning,lower,upper,step,unit
sex,Sex,nominal,,1,male,,,,
sex,,,,2,female,,,,
sex,,,missing,9,not said,,,,
age,Age in years,,,,,18,99,0.5,years
"""


def test_that_a_codebook_alone_makes_a_plan(tmp_path: Path) -> None:
    book, out = tmp_path / "book.csv", tmp_path / "plan.json"
    book.write_text(BOOK, encoding="utf-8")
    assert main(["draft", "--codebook", str(book), "-o", str(out), "--respondents", "900"]) == 0
    plan = load_plan(out)
    sex, age = plan.columns
    assert sex.domain == Categorical(values=("1", "2"), labels={"1": "male", "2": "female"})
    assert sex.missing.tokens == ("", "9")
    assert sex.missing.policy == "category"
    half = Decimal("0.5")
    assert age.domain == Real(lower=Decimal(18), upper=Decimal(99), resolution=half, unit="years")
    assert (sex.label, age.label) == ("Sex", "Age in years")
    assert (plan.respondents, age.provenance, age.confirmed) == (900, "codebook", True)


def test_that_a_draft_needs_something_to_begin_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nothing to draft" in refused(capsys, "draft", "-o", str(tmp_path / "p.json"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b\n1,2\n", "names no column “attribute”"),
        ("attribute,value\nsex,1\nsex,1\n", DomainsT.LISTED_TWICE()),
        ("attribute,kind,value\nsex,odd,1\nsex,odd,2\n", "rows of “sex”"),
        ("attribute,lower,upper\nage,9,1\n", DomainsT.BOUNDS_SWAPPED()),
        ("attribute,value,missing\nsex,1,{no\nsex,2,\n", "rule for missing answers is not JSON"),
        ("attribute,role,value\nsex,protected,1\n", "earlier dpdesk"),
        ("attribute,value\n", "neither a list of entries nor a table"),
    ],
)
def test_that_a_table_that_is_no_codebook_is_refused_with_the_reason(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = tmp_path / "book.csv"
    book.write_text(text, encoding="utf-8")
    assert main(["draft", "--codebook", str(book), "-o", str(tmp_path / "p.json")]) == 3
    said = capsys.readouterr().err
    assert "The codebook book.csv cannot be read" in said
    assert told in said


def test_that_a_released_codebook_drafts_the_next_wave(survey: Path, tmp_path: Path) -> None:
    first = drafted(
        survey,
        *("--missing", "mood=3", "--confirm-domains", "--drop", "caseid", "--weights", "wgt"),
        *("--declare", "age=18..99/0.5 years"),
    )
    plan, out = str(tmp_path / "drafted.json"), tmp_path / "out"
    assert main(["release", str(survey), "--plan", plan, "--out", str(out)]) == 0
    second = drafted(survey, "--codebook", str(out / "codebook.csv"))
    for name in ("age", "sex", "mood", "wgt"):
        before, after = first.column(name), second.column(name)
        assert (after.kind, after.domain) == (before.kind, before.domain)
        assert (after.missing, after.other, after.label) == (before.missing, "", before.label)
        assert after.provenance == "codebook"
    # What was not released is read off the answers as before.
    assert second.column("caseid").provenance == "suggested"
    with (out / "codebook.csv").open(encoding="utf-8", newline="") as file:
        assert all(row["attribute"] != "caseid" for row in csv.DictReader(file))


def confirmed(path: Path, *words: str) -> Plan:
    out = path.with_name("confirmed.json")
    assert main(["confirm", str(path), "-o", str(out), "--overwrite", *words]) == 0
    return load_plan(out)


def test_that_a_list_of_domains_confirms_nothing(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drafted(survey)
    path = tmp_path / "drafted.json"
    before = path.read_bytes()
    capsys.readouterr()
    assert main(["confirm", str(path)]) == 0
    said = capsys.readouterr().out
    assert "age: integer, 20..60/1; read off the data" in said
    assert "sex: binary, 2 categories; read off the data\n  f, m" in said
    assert "nothing is confirmed yet" in said
    assert path.read_bytes() == before
    confirmed(path)
    capsys.readouterr()
    assert main(["confirm", str(tmp_path / "confirmed.json")]) == 0
    assert capsys.readouterr().out.endswith("every domain is confirmed already\n")


def test_that_what_is_named_is_confirmed_and_nothing_else(survey: Path, tmp_path: Path) -> None:
    drafted(survey)
    plan = confirmed(tmp_path / "drafted.json", "sex", "--by", "A. Person")
    assert [c.name for c in plan.columns if c.confirmed] == ["sex"]
    assert plan.details.confirmed_by == "A. Person"
    assert not plan.reading_confirmed
    assert confirmed(tmp_path / "drafted.json", "sex", "--reading").reading_confirmed


def test_that_without_names_everything_is_confirmed(survey: Path, tmp_path: Path) -> None:
    drafted(survey)
    plan = confirmed(tmp_path / "drafted.json")
    assert all(column.confirmed for column in plan.columns if column.domain is not None)
    assert plan.reading_confirmed


def test_that_a_dropped_column_is_confirmed_only_where_it_is_named(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drafted(survey, "--drop", "sex")
    path = tmp_path / "drafted.json"
    capsys.readouterr()
    assert main(["confirm", str(path)]) == 0
    said = capsys.readouterr().out
    assert "age:" in said
    assert "sex:" not in said
    assert not confirmed(path).column("sex").confirmed
    assert confirmed(path, "sex").column("sex").confirmed


def test_that_a_confirmation_can_declare_another_domain(survey: Path, tmp_path: Path) -> None:
    drafted(survey)
    plan = confirmed(tmp_path / "drafted.json", "age", "--declare", "age=18..99")
    assert plan.column("age").domain == Integer(lower=18, upper=99)
    assert plan.column("age").confirmed


def test_that_the_plan_that_is_read_is_never_written_over(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drafted(survey)
    path = str(tmp_path / "drafted.json")
    assert main(["confirm", path, "-o", path, "--overwrite"]) == 4
    assert "would be destroyed" in capsys.readouterr().err


def test_that_with_the_data_rare_answers_stand_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.csv"
    rows = [f"{'ab'[i % 2]},{'xyz'[i % 3]},{20 + i % 40}" for i in range(120)]
    path.write_text("\n".join(["one,two,age", *rows, "a,odd,81"]) + "\n", encoding="utf-8")
    drafted(path)
    capsys.readouterr()
    words = ["confirm", str(tmp_path / "drafted.json"), "--data", str(path), "--json"]
    assert main(words) == 0
    entries = json.loads(capsys.readouterr().out)["columns"]
    assert [entry["column"] for entry in entries][-1] == "one"
    by_name = {entry["column"]: entry for entry in entries}
    assert (by_name["two"]["rare"], by_name["two"]["rare_values"]) == (1, ["odd"])
    assert by_name["age"]["at_bounds"] == 2
    assert by_name["age"]["rounder"] == "20..90/1"
    assert by_name["one"]["rare"] == 0


ENDS = [Decimal(end).scaleb(digits) for end in (-731, -40, -3, 0, 12, 999) for digits in (-1, 0, 3)]
WIDTHS = [Decimal(width) for width in ("0.4", "7", "73", "98", "4344", "250000", "93e13")]
STEPS = [Decimal(step) for step in ("0.1", "0.25", "1", "5", "7", "1000", "1e9")]


def numbers(lower: Decimal, width: Decimal, step: Decimal, unit: str) -> Integer | Real | None:
    upper = lower + width // step * step
    try:
        if all(number == int(number) for number in (lower, upper, step)):
            return Integer(lower=int(lower), upper=int(upper), step=int(step), unit=unit)
        return Real(lower=lower, upper=upper, resolution=step, unit=unit)
    except ValidationError:
        return None


def test_that_rounder_bounds_that_are_proposed_can_be_declared() -> None:
    proposed = 0
    for case in itertools.product(ENDS, WIDTHS, STEPS, ("", "% of “all”", "x" * 100)):
        domain = numbers(*case)
        rounder = None if domain is None else rounder_bounds(domain)
        if domain is None or rounder is None:
            continue
        written = rounder.declaration
        declared = declared_domain("n", written)
        assert isinstance(declared, Integer | Real)
        assert grid(declared) == grid(rounder)
        assert not any(end.is_zero() and end.is_signed() for end in grid(rounder)[:2])
        assert grid(rounder)[0] <= domain.grid_lower < domain.grid_upper <= grid(rounder)[1]
        proposed += 1
    assert proposed > 400


def grid(domain: Integer | Real) -> tuple[Decimal, Decimal, Decimal, str]:
    return domain.grid_lower, domain.grid_upper, domain.grid_step, domain.unit


@pytest.mark.parametrize(
    ("numbers", "typed", "proposed"),
    [
        (range(3, 102, 7), "3..101/7 years", ""),
        ([12, 4356, *range(20, 4000, 37)], "12..4356 years", "0..4500/5 years"),
        ([12, 87, *range(20, 80)], "12..87 years", "10..90/1 years"),
    ],
)
def test_that_a_confirmation_declares_the_rounder_bounds_that_it_proposed(
    numbers: Iterable[int],
    typed: str,
    proposed: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, plan = tmp_path / "s.csv", str(tmp_path / "drafted.json")
    path.write_text("n's\n" + "\n".join(map(str, numbers)) + "\n", encoding="utf-8")
    drafted(path, "--declare", f"n's={typed}")
    capsys.readouterr()
    assert main(["confirm", plan, "--data", str(path)]) == 0
    said = capsys.readouterr().out
    assert Cli.RARE_BOUNDS(count=2, few=5) in said
    lines = [line for line in said.splitlines() if "--declare" in line]
    assert len(lines) == bool(proposed)
    for line in lines:
        words = shlex.split(line)
        assert words == ["--declare", f"n's={proposed}"]
        changed = confirmed(tmp_path / "drafted.json", *words).column("n's").domain
        assert changed == declared_domain("n", proposed)


def test_that_columns_without_a_domain_cannot_be_confirmed(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drafted(survey)
    path = str(tmp_path / "drafted.json")
    for name in ("caseid", "nobody"):
        assert Cli.NO_DOMAIN(name=name) in refused(capsys, "confirm", path, name)


def test_that_unconfirmed_domains_are_one_line_of_a_check_and_each_an_entry_of_its_json(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drafted(survey)
    path = str(tmp_path / "drafted.json")
    capsys.readouterr()
    assert main(["check", path]) == 1
    said, out = T.DOMAIN_UNCONFIRMED(count=3, names="age, sex, mood"), capsys.readouterr().out
    assert (out.count(said), out.count(".confirmed: ")) == (1, 1)
    assert main(["check", path, "--json"]) == 1
    problems = json.loads(capsys.readouterr().out)["problems"]
    own = [p["path"] for p in problems if p["code"] == "domain_unconfirmed"]
    assert own == [f"columns.{name}.confirmed" for name in ("age", "sex", "mood")]


@pytest.mark.parametrize("command", ["check", "release", "query"])
def test_that_rounding_to_the_grid_is_told_before_anything_is_charged(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.csv"
    path.write_text("age\n" + "17.25\n18\n30\n" * 40 + "64.75\n", encoding="utf-8")
    drafted(path, "--declare", "age=17..90", "--confirm-domains")
    plan = str(tmp_path / "drafted.json")
    words = {
        "check": ["check", plan, str(path)],
        "release": ["release", str(path), "--plan", plan, "--out", str(tmp_path / "out")],
        "query": ["query", str(path), "--plan", plan, "--query", "mean of age", "--epsilon", "1"],
    }[command]
    capsys.readouterr()
    assert main(words) == 0
    told = capsys.readouterr()
    said = told.out if command == "check" else told.err
    sentence = T.ANSWERS_ROUNDED(count=1, names="age", rounded=41, answers=121, step="1")
    assert said.count(sentence) == 1
    assert "17.25" not in said
    assert "64.75" not in said
    # With the step declared nothing is rounded.
    drafted(path, "--declare", "age=17..90/0.25", "--confirm-domains")
    assert main(["check", plan, str(path)]) == 0
    assert "rounded" not in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--keep", "--drop", "--answers"])
def test_that_several_names_with_commas_are_told_to_be_given_one_by_one(
    option: str, survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("draft", str(survey), "-o", str(survey.with_name("new.json")), option)
    said = refused(capsys, *words, "age,sex")
    assert Cli.ONE_COLUMN_EACH.fill(Cli.ONE_COLUMN_EACH.remedy, {"option": option}) in said
    assert "Repeat" not in refused(capsys, *words, "agee")
