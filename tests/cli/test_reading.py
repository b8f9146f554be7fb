"""A release reads by what is declared; what a file seems to be written like is only suggested."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.reading_texts import ReadingTexts as Texts
from dpdesk.data.reading import Reading
from dpdesk.ledgers import Ledger
from dpdesk.plan import load_plan, save_plan
from dpdesk.plan.texts import T

Ask = Callable[..., int]

EUROPEAN = ("--delimiter", "semicolon", "--decimal", ",")
INCOME = ("--declare", "income=0..100/0.1", "--query", "sum of income")


def answers(rows: int = 1000) -> str:
    return "id;income;temp;note\n" + "".join(f"{i};{40 + i % 20},5;36;ok\n" for i in range(rows))


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Asks statistics of a file with this content, at an epsilon without noise to speak of."""

    def ask(content: str | bytes, *words: str) -> int:
        path = tmp_path / "D.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        capsys.readouterr()
        return main(["query", str(path), *words, "--epsilon", "40", "--json"])

    return ask


def charged() -> int:
    return sum(len(people.releases) for people in Ledger.open().book().populations())


def value(capsys: pytest.CaptureFixture[str], place: int = 0) -> float:
    report = json.loads(capsys.readouterr().out)
    return float(report["queries"][0]["results"][place]["value"])


EXACT = sum(40.5 + i % 20 for i in range(1000))


@pytest.mark.parametrize(
    ("record", "change"),
    [
        (b"1000;50,5;36.6;ok\n", 50.5),
        (b"1000;50,5;36;none\n", 50.5),
        (b"1000;none;36;ok\n", 0),
        (b"1000;50.5;36;ok\n", 0),
        (b"1000;50,5;36;caf\xe9\n", 50.5),
        (b"1000;5\xe9;36;ok\n", 0),
        (b"1000;1e9;36;ok\n", 100),
        (b'1000;"50,5";"a;b";"x, ""y"""\n', 50.5),
    ],
)
def test_that_one_record_moves_a_sum_by_no_more_than_it_may(
    ask: Ask, capsys: pytest.CaptureFixture[str], record: bytes, change: float
) -> None:
    assert ask(answers(), *EUROPEAN, *INCOME) == 0
    assert value(capsys) == pytest.approx(EXACT, abs=60)
    words = (*EUROPEAN, *INCOME, "--population", "others")
    assert ask(answers().encode() + record, *words) == 0
    assert value(capsys) == pytest.approx(EXACT + change, abs=60)


def test_that_a_file_that_does_not_fit_stops_before_the_charge_with_the_options_that_would(
    ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(answers(), *INCOME) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert "semicolon-separated, UTF-8, decimal comma" in said.err
    assert "--encoding utf-8 --delimiter semicolon --decimal ," in said.err
    assert ask(answers(), "--delimiter", "semicolon", *INCOME) == 1
    said = capsys.readouterr()
    assert "1,000 of 1,000, 1,000 of them unreadable" in said.err
    assert "--delimiter semicolon --decimal ," in said.err
    assert ask("größe\n1\n".encode("cp1252"), "--query", "count") == 3
    assert "--encoding cp1252" in capsys.readouterr().err
    assert charged() == 0


def test_that_categories_that_no_answer_has_are_not_answered_with_zeros(
    ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    votes = "vote\n" + "0.0\n1.0\n" * 50
    assert ask(votes, "--declare", "vote=0|1", "--query", "count by vote") == 1
    said = capsys.readouterr()
    assert "“vote”" in said.err
    assert "100 of 100" in said.err
    assert said.out == ""
    assert charged() == 0


def test_that_few_unfit_answers_are_told_before_the_charge_and_more_of_them_can_be_allowed(
    ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    table = "age\n" + "30\n" * 96 + "x\n" * 3 + "200\n"
    words = ("--declare", "age=18..99", "--query", "mean of age")
    assert ask(table, *words) == 1
    said = capsys.readouterr()
    assert "4 of 100, 3 of them unreadable" in said.err
    assert said.err.endswith(" --allow-unread SHARE allows more.\n")
    assert charged() == 0
    assert ask(table, *words, "--allow-unread", "0.04") == 0
    said = capsys.readouterr()
    assert said.err.index("warning: Answers of “age”") < said.err.index("ledger:")
    one = table.replace("x\n" * 3 + "200\n", "x\n")
    assert ask(one, *words, "--population", "others") == 0
    assert ask(one, *words, "--population", "others", "--allow-unread", "0") == 1
    for wrong in ("2", "-0.1", "1_0", "0,1", "", "١"):
        assert ask(table, *words, f"--allow-unread={wrong}") == 2


def draft(tmp_path: Path, content: str, *words: str) -> tuple[Path, Path]:
    data, plan = tmp_path / "d.csv", tmp_path / "plan.json"
    data.write_text(content, encoding="utf-8")
    assert (
        main(["draft", "--strategy", "spl", str(data), "-o", str(plan), "--overwrite", *words]) == 0
    )
    return data, plan


ADULTS = "sex;pay\n" + "".join(f"{'fm'[i % 2]};{i % 7},5\n" for i in range(60))


def test_that_a_plan_keeps_how_its_file_is_read_and_a_release_reads_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, plan = draft(tmp_path, ADULTS, "--epsilon", "4", "--confirm-domains")
    assert load_plan(plan).reading == Reading(delimiter=";", decimal=",")
    # As it seems to be written, this file has decimal points from now on.
    data.write_text(ADULTS.replace("f;0,5", "f;0.5", 1), encoding="utf-8")
    assert main(["release", str(data), "--plan", str(plan), "--out", str(tmp_path / "out")]) == 1
    assert "“pay” are not among its possible answers: 1 of 60" in capsys.readouterr().err
    data.write_text(ADULTS, encoding="utf-8")
    assert main(["release", str(data), "--plan", str(plan), "--out", str(tmp_path / "out")]) == 0
    published = load_plan(tmp_path / "out" / "plan.json")
    assert published.reading == Reading(delimiter=";", decimal=",")


def test_that_how_a_file_is_read_must_be_confirmed_like_a_domain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, plan = draft(tmp_path, ADULTS, "--epsilon", "4", "--confirm-domains")
    save_plan(load_plan(plan).with_fields(reading_confirmed=False), plan)
    words = ["release", str(data), "--plan", str(plan), "--out", str(tmp_path / "out")]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "How the file is read was detected from its answers" in said
    assert "add: --encoding utf-8 --delimiter semicolon --decimal ," in said
    assert main([*words, *EUROPEAN]) == 0
    published = load_plan(tmp_path / "out" / "plan.json")
    assert published.reading_confirmed


def test_that_a_plan_without_a_reading_is_completed_by_one_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, plan = draft(tmp_path, ADULTS, "--epsilon", "4", "--confirm-domains")
    content = json.loads(plan.read_text(encoding="utf-8"))
    for name in ("reading", "reading_confirmed", "allowed_unfit"):
        del content[name]
    plan.write_text(json.dumps(content | {"version": 3}), encoding="utf-8")
    words = ["release", str(data), "--plan", str(plan), "--out"]
    assert main([*words, str(tmp_path / "no")]) == 1
    said = capsys.readouterr().err
    assert "seems to be written like this: semicolon-separated, UTF-8, decimal comma" in said
    assert "--encoding utf-8 --delimiter semicolon --decimal ," in said
    assert not (tmp_path / "no").exists()
    assert main([*words, str(tmp_path / "said"), *EUROPEAN]) == 0
    for reply, status in ((False, 1), (True, 0)):
        monkeypatch.setattr("dpdesk.cli.reading.ask", lambda _question, reply=reply: reply)
        assert main([*words, str(tmp_path / f"asked-{reply}")]) == status
    for name in ("said", "asked-True"):
        published = load_plan(tmp_path / name / "plan.json")
        assert published.reading == Reading(delimiter=";", decimal=",")
        assert published.allowed_unfit == Decimal("0.01")


def test_that_a_weight_with_a_decimal_comma_is_read_back_from_the_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = "sex;wgt\n" + "".join(f"{'fm'[i % 2]};{1 + i % 3},5\n" for i in range(60))
    data, plan = draft(tmp_path, content, "--epsilon", "4", "--confirm-domains", "--drop", "wgt")
    kept = load_plan(plan).with_column("wgt", kind="weight", role="keep", keep_confirmed=True)
    save_plan(kept.with_column("wgt", domain=None), plan)
    out = tmp_path / "out"
    assert main(["release", str(data), "--plan", str(plan), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["estimate", str(out), "--json"]) == 0
    again = json.loads(capsys.readouterr().out)["estimates"]
    with (out / "estimates.csv").open(encoding="utf-8", newline="") as written:
        made = [float(row["estimate"]) for row in csv.DictReader(written)]
    assert [row["estimate"] for row in again] == pytest.approx(made)


@pytest.mark.parametrize(
    "words",
    [
        ("--header-rows", "21"),
        ("--header-rows", "x"),
        ("--header-rows", "1_0"),
        ("--no-header", "--header-rows", "2"),
        ("--delimiter", "::"),
        ("--encoding", "klingon"),
        ("--missing-code", ""),
        ("--missing-code=97..99",),
        ("--missing-code=-9=refused",),
        ("--together", "q=a"),
        ("--together", "q=a,a"),
        ("--together", "q=a,b:1:1"),
        ("--together", "a,b"),
    ],
)
def test_that_an_impossible_reading_is_refused_in_a_sentence(
    ask: Ask, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert ask("a\n1\n", *words, "--query", "count") == 2
    assert capsys.readouterr().err.startswith("dpdesk: ")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--missing-code", ","), Texts.NO_CODE()),
        (("--together", "q=a"), "is not of the form"),
        (("--together", "q=a,b:1:0:b"), "is not of the form"),
        (("--together", "q=a,b:1:1"), "the same cell means ticked and not ticked"),
    ],
)
def test_that_a_reading_that_lacks_something_is_told_what(
    ask: Ask, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], reason: str
) -> None:
    assert ask("a\n1\n", *words, "--query", "count") == 2
    assert reason in capsys.readouterr().err


def test_that_records_before_the_first_answer_are_as_many_as_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "s.csv"
    data.write_text("sex\nWhat is your sex?\n" + "f\nm\n" * 30, encoding="utf-8")
    asked = ["query", str(data), "--declare", "sex=f|m", "--query", "count", "--epsilon", "40"]
    asked += ["--population", "People"]
    for rows, count in (("1", 61), ("2", 60)):
        assert main([*asked, "--header-rows", rows, "--allow-unread", "0.1", "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["queries"][0]["results"][0]["value"] == count
    assert main([*asked, "--header-rows", "21"]) == 2
    assert Texts.BAD_HEADER(most=20) in capsys.readouterr().err


def checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, *words: str
) -> list[str]:
    """Returns the lines of a check on which the column pay is told, and notes."""
    data, plan = draft(tmp_path, content, "--confirm-domains", *words)
    capsys.readouterr()
    main(["check", str(plan), str(data)])
    lines = capsys.readouterr().out.splitlines()
    return [line for line in lines if ".pay.domain" in line or line.startswith("note: ")]


PAY = ("--declare", "pay=0..1000/0.1")


@pytest.mark.parametrize(("mark", "rows"), [(".", "1, 4, 7 and 17"), (",", "2, 3, 5 and 37")])
def test_that_mixed_decimal_marks_are_told_and_no_option_is_advised_that_does_not_help(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mark: str, rows: str
) -> None:
    content = "sex;pay\n" + "".join(f"f;{i}{',..'[i % 3]}5\n" for i in range(60))
    told = checked(tmp_path, capsys, content, "--decimal", mark, *PAY)
    assert len(told) == 1
    many = 20 if mark == "." else 40
    assert T.IN_ROWS(rows=f"{rows} more") in told[0]
    unlike = T.NUMBERS_UNLIKE(count=many, declared=f"“1234{mark}5”")
    assert f"{unlike} {unlike.remedy}" in told[0]


@pytest.mark.parametrize("cell", ["1.{:03},5", "1,{:03}.5", "1 {:03},5"])
@pytest.mark.parametrize("mark", [".", ","])
def test_that_grouped_digits_are_declared_and_no_decimal_mark_is_advised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cell: str, mark: str
) -> None:
    content = "sex;pay\n" + "".join(f"f;{cell.format(i * 7)}\n" for i in range(60))
    told = checked(tmp_path, capsys, content, "--decimal", mark, *PAY)
    example = cell.format(234)
    assert len(told) == 1
    assert f"writes “{example}”, but “1234{mark}5” is declared" in told[0]
    assert f"draft --declare 'pay=0..1000/0.1 as {example}'" in told[0]


def test_that_another_decimal_mark_is_advised_where_it_reads_every_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = "sex;pay\n" + "".join(f"f;{i},5\n" for i in range(60))
    told = checked(tmp_path, capsys, content, "--decimal", ".", *PAY)
    assert "--decimal ," in told[-1]
    assert checked(tmp_path, capsys, content, "--decimal", ",", *PAY) == []
    # Of two columns with a mark each, either mark would lose one.
    both = "sex;pay;rent\n" + "".join(f"f;{i},5;{i}.5\n" for i in range(60))
    assert len(checked(tmp_path, capsys, both, "--decimal", ".", *PAY)) == 1
    rent = ("--declare", "rent=0..1000/0.1")
    assert checked(tmp_path, capsys, both, "--decimal", ",", *PAY, *rent) == []


def test_that_more_than_a_decimal_mark_is_advised_whatever_numbers_it_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = "sex;pay\n" + "".join(f"f;{i}\n" for i in range(60))
    assert checked(tmp_path, capsys, content, *PAY) == []
    (tmp_path / "d.csv").write_text(content.replace(";", ","), encoding="utf-8")
    main(["check", str(tmp_path / "plan.json"), str(tmp_path / "d.csv")])
    assert (
        "note: The file seems to be written like this: comma-separated" in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("at", "where"),
    [
        ((11,), "12"),
        ((11, 39), "12 and 40"),
        ((11, 39, 40), "12, 40 and 41"),
        ((11, 39, 40, 50, 59), "12, 40, 41 and 2 more"),
    ],
)
def test_that_texts_among_numbers_are_told_by_their_rows_to_the_holder_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], at: tuple[int, ...], where: str
) -> None:
    where = T.IN_ROWS(rows=where)
    cells = ["unknown" if i in at else f"{i}.5" for i in range(60)]
    content = "sex;pay\n" + "".join(f"f;{cell}\n" for cell in cells)
    (told,) = checked(tmp_path, capsys, content, *PAY)
    assert where in told
    assert "unknown" not in told
    words = ("--kind", "sex=nominal", "--declare", "sex=f|m", "--missing", "pay=:protect:20%")
    (told,) = checked(tmp_path, capsys, content, *PAY, *words)
    assert where in told
    data, plan, out = tmp_path / "d.csv", tmp_path / "plan.json", tmp_path / "out"
    allowed = ("--allow-unread", "0.5")
    assert main(["release", str(data), "--plan", str(plan), "--out", str(out), *allowed]) == 0
    assert where in capsys.readouterr().err
    published = [file for file in out.rglob("*") if file.is_file()]
    assert published
    assert not any(where.encode() in file.read_bytes() for file in published)


def test_that_rows_of_unread_answers_are_not_taken_for_those_of_moved_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (*PAY, "--missing", "pay=:protect:20%")
    for texts, where in (
        (("x",), "61"),
        (("x", "x"), "61 and 62"),
    ):
        cells = [*(f"{i}.5" for i in range(60)), *texts, "99999.5", "99999.5"]
        content = "sex;pay\n" + "".join(f"f;{cell}\n" for cell in cells)
        (told,) = checked(tmp_path, capsys, content, *words)
        assert f"{len(texts)} of them unreadable. {T.IN_ROWS(rows=where)}" in told
