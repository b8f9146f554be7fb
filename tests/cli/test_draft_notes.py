"""What `dpdesk draft` and `check` say of columns that tell of single respondents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.texts import T as Cli
from dpdesk.data.texts import T
from dpdesk.domains import Real
from dpdesk.plan import check, load_plan
from dpdesk.plan.checks.texts import T as ChecksT

IDENTIFIER = "differ, like those of an identifier"


def drafted(path: Path, *options: str) -> None:
    out = path.with_name("drafted.json")
    assert main(["draft", str(path), "-o", str(out), "--overwrite", *options]) == 0


def test_that_confirming_all_domains_says_which_of_them_a_few_respondents_decide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.csv"
    lines = [
        f"{'ab'[i % 2]},{'xyz'[i % 3]},{20 + i % 40},{10_003 + i % 30 * 1_000}" for i in range(120)
    ]
    odd = ["a,odd,81,30003", "a,even,82,84567", "a,even,83,5123"]
    path.write_text("\n".join(["one,two,age,pay", *lines, *odd]) + "\n", encoding="utf-8")
    capsys.readouterr()
    drafted(path)
    assert "note: Fewer than" not in capsys.readouterr().err
    drafted(path, "--confirm-domains")
    said = capsys.readouterr()
    told = next(line for line in said.err.splitlines() if line.startswith("note: Fewer than 5"))
    answers = [
        Cli.CATEGORIES_OF(count=2, name="two"),
        Cli.BOUNDS_OF(count=2, name="age"),
        Cli.BOUNDS_OF(count=2, name="pay"),
    ]
    assert Cli.FEW_GAVE(few=5, answers=answers) in told
    assert "dpdesk confirm PLAN.json --data DATA" in told
    # Counts alone: of whoever is told here the answers are not.
    # The number of a temporary folder may be one of them.
    shown = (said.out + told).replace(str(tmp_path), "")
    assert not any(answer in shown for answer in ("odd", "even", "83", "84", "5123"))
    words = ("--declare", "two=x|y|z|even|odd", "--drop", "pay")
    drafted(path, "--confirm-domains", *words, "--declare", "age=18..99")
    assert "note: Fewer than" not in capsys.readouterr().err
    # What was declared was not read off the data, whoever gave its bounds.
    drafted(path, "--confirm-domains", *words, "--declare", "age=20..83")
    assert "note: Fewer than" not in capsys.readouterr().err


def test_that_an_identifier_is_told_to_be_one_whatever_kind_it_is_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "s.csv", tmp_path / "drafted.json"
    rows = [f"X{i * 37:05},{'ab'[i % 2]}" for i in range(300)]
    path.write_text("\n".join(["who,one", *rows]) + "\n", encoding="utf-8")
    drafted(path)
    told = f"who: {T.FREE_TEXT(count=300, answers=300)} It is left out."
    assert told in capsys.readouterr().err
    drafted(path, "--drop", "who")
    assert "answers differ" not in capsys.readouterr().err
    drafted(path, "--kind", "who=nominal", "--confirm-domains")
    # What single respondents wrote is confirmed by its own name alone.
    assert [column.name for column in load_plan(out).columns if not column.confirmed] == ["who"]
    assert main(["check", str(out), str(path)]) == 1
    drafted_plan, out = out, tmp_path / "confirmed.json"
    assert main(["confirm", str(drafted_plan), "who", "-o", str(out)]) == 0
    capsys.readouterr()
    assert main(["check", str(out), str(path)]) == 0
    said = capsys.readouterr().out
    assert (
        f"warning: columns.who.role: {ChecksT.ANSWERS_ALL_DIFFER(answers=300, name='who')}" in said
    )
    assert "(draft --drop)" in said
    assert "X00037" not in said
    # One who gave what another gave: nobody is told to be identified.
    path.write_text("\n".join(["who,one", *rows, rows[0]]) + "\n", encoding="utf-8")
    assert main(["check", str(out), str(path)]) == 0
    assert IDENTIFIER not in capsys.readouterr().out


def test_that_a_year_that_one_respondent_alone_gave_decides_a_bound_of_dates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.csv"
    days = [f"20{i % 5 + 10}-0{i % 9 + 1}-11" for i in range(200)]
    path.write_text("\n".join(["born", *days, "1911-05-03"]) + "\n", encoding="utf-8")
    drafted(path, "--confirm-domains")
    told = capsys.readouterr().err
    assert Cli.FEW_GAVE(few=5, answers=Cli.BOUNDS_OF(count=1, name="born")) in told
    # An end that is declared within a year is no rounded one.
    drafted(path, "--declare", "born=1911-02..2014-12", "--confirm-domains")
    assert "note: Fewer than" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rows", "words", "told"),
    [
        (20, (), True),
        # Of few answers nothing can be said.
        (19, (), False),
        # Of answers that are no categories another problem is told.
        (300, ("--declare", "who=X00000|X00037"), False),
    ],
)
def test_that_few_answers_and_those_outside_a_domain_are_not_told_to_be_identifiers(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    rows: int,
    words: tuple[str, ...],
    told: bool,
) -> None:
    path = tmp_path / "s.csv"
    lines = [f"X{i * 37:05},{'ab'[i % 2]}" for i in range(rows)]
    path.write_text("\n".join(["who,one", *lines]) + "\n", encoding="utf-8")
    drafted(path, "--kind", "who=nominal", *words, "--confirm-domains")
    capsys.readouterr()
    main(["check", str(tmp_path / "drafted.json"), str(path)])
    assert (IDENTIFIER in capsys.readouterr().out) == told


def test_that_a_kind_that_is_given_stands_where_codes_are_answers(tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    texts = ["refused", "don't know", "n/a", "see note", "unclear", "hardly any", "-9"]
    cells = [*(f"{1_000 + i * 37.13 % 8_000:.2f}" for i in range(300)), *texts]
    path.write_text("\n".join(["pay", *cells]) + "\n", encoding="utf-8")
    out = path.with_name("drafted.json")
    drafted(path, "--answers", "pay", "--kind", "pay=real")
    column = load_plan(out).column("pay")
    assert (column.kind, column.role) == ("real", "protect")
    assert isinstance(column.domain, Real)
    assert -100 < column.domain.lower <= -9
    assert set(texts) & set(column.missing.answers)
    # Without a kind it is one of nearly as many texts as there are rows: nobody invites to keep it.
    drafted(path, "--answers", "pay")
    (open_one,) = (one for one in check(load_plan(out)) if one.path == "columns.pay.role")
    assert open_one.message == ChecksT.UNASSIGNED__NO_DOMAIN(count=1, names="pay")


def test_that_texts_that_somebody_may_have_written_are_named_before_they_are_public(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, plan = tmp_path / "t.csv", tmp_path / "p.json"
    lines = [f"{'fm'[i % 2]},{('phone me at 06 12', 'no')[i % 2]}" for i in range(60)]
    data.write_text("\n".join(["sex,note", *lines]))
    assert main(["draft", str(data), "-o", str(plan), "--confirm-domains"]) == 0
    told = capsys.readouterr().err
    assert Cli.FREE_TEXT(names="“note”") in told
    assert "06 12" not in told
    assert main(["confirm", str(plan), "--data", str(data), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["columns"]
    assert {one["column"]: one["sentences"] for one in told} == {"sex": 0, "note": 1}


@pytest.mark.parametrize(("times", "counted"), [(3, True), (3, False), (30, True), (30, False)])
def test_that_texts_of_few_are_confirmed_by_name_alone_by_draft_and_by_confirm(
    tmp_path: Path, times: int, counted: bool
) -> None:
    data, plan, new = (tmp_path / name for name in ("t.csv", "p.json", "n.json"))
    lines = [f"{'fm'[i % 2]},{'no' if i >= times else 'phone me at 06'}" for i in range(60)]
    data.write_text("\n".join(["sex,note", *lines]))
    drafted(data, "--confirm-domains")
    by_draft = load_plan(tmp_path / "drafted.json").column("note").confirmed
    assert by_draft == (times >= 5)
    assert main(["draft", str(data), "-o", str(plan)]) == 0
    seen = ["--data", str(data)] if counted else []
    assert main(["confirm", str(plan), "-o", str(new), *seen]) == 0
    assert load_plan(new).column("sex").confirmed
    # Without the survey nobody knows how many gave it.
    assert load_plan(new).column("note").confirmed == (by_draft and counted)
    assert main(["confirm", str(plan), "note", "-o", str(new), "--overwrite"]) == 0
    assert load_plan(new).column("note").confirmed
