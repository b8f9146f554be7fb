"""Questions with several answers from the command line: drafted, released, estimated."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from dpdesk.cli.declaration import declared_domain
from dpdesk.cli.main import main
from dpdesk.cli.texts import T as Cli
from dpdesk.domains import OptionSet
from dpdesk.domains.texts import T
from dpdesk.plan import load_plan
from dpdesk.plan.texts import T as PlanT
from tests.refusals import refused

ROWS = 3_000


@pytest.fixture
def apart(tmp_path: Path) -> Path:
    """A survey with a column for each option: half tick the first, a quarter the second, ..."""
    rows = (f"{'fm'[i % 2]},{i % 2},{int(i % 4 == 0)},{int(i % 8 == 0)}" for i in range(ROWS))
    path = tmp_path / "apart.csv"
    path.write_text("sex,m_tv,m_web,m_radio\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def cells(tmp_path: Path) -> Path:
    """The same with all options in a cell, an empty one where nothing was ticked."""
    options = {"tv": 2, "web": 4, "radio": 8}
    rows = (
        f'{"fm"[i % 2]},"{", ".join(o for o, every in options.items() if i % every == 0)}"'
        for i in range(ROWS)
    )
    path = tmp_path / "cells.csv"
    path.write_text("sex,m\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


TOGETHER = ("--together", "m=m_tv,m_web,m_radio:1:0")
SET = ("--declare", "m=set(tv|web|radio):,:")


@pytest.mark.parametrize("kind", ["apart", "cells"])
def test_that_a_set_is_drafted_released_and_estimated(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    data, plan, out = request.getfixturevalue(kind), tmp_path / "plan.json", tmp_path / "out"
    words = TOGETHER if kind == "apart" else SET
    drafted = [
        "draft",
        "--strategy",
        "spl",
        str(data),
        "-o",
        str(plan),
        "--epsilon",
        "16",
        *words,
        "--confirm-domains",
    ]
    assert main(drafted) == 0
    domain = load_plan(plan).column("m").domain
    assert isinstance(domain, OptionSet)
    assert domain.values == ("tv", "web", "radio")
    assert main(["check", str(plan), str(data)]) == 0
    released = ["release", str(data), "--plan", str(plan), "--out", str(out)]
    private = tmp_path / "private.json"
    released += ["--private-diagnostics", str(private)]
    assert main([*released, "--population", "People"]) == 0
    with (out / "records.csv").open(encoding="utf-8", newline="") as written:
        header, *rows = csv.reader(written)
    assert header == ["sex", "m=tv", "m=web", "m=radio"]
    assert len(rows) == ROWS
    codebook = (out / "codebook.csv").read_text(encoding="utf-8")
    assert "1 if “tv” was ticked" in codebook
    capsys.readouterr()
    assert main(["estimate", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    found = found["estimates"] if isinstance(found, dict) else found
    shares = {row["category"]: row for row in found if row["attribute"] == "m"}
    # At epsilon 8 all three options are told, each truly with a chance above 0.99: with 3,000
    # respondents, five standard errors are less than 0.05.
    true = {"tv": 0.5, "web": 0.25, "radio": 0.125}
    assert list(shares) == list(true)
    for option, share in true.items():
        assert abs(shares[option]["estimate"] - share) < 0.05
        assert shares[option]["quantity"] == "share"
    compared = json.loads(private.read_text(encoding="utf-8"))["attributes"][1]["comparisons"]
    assert {c["category"]: c["truth"] for c in compared} == true
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    facts = report["parameters"]["attributes"][1]
    assert (facts["mechanism"], facts["domain"]["type"]) == ("set_response", "several")
    assert facts["epsilon_asked"] == "8"


def test_that_columns_that_look_like_a_question_are_told_and_left_alone(
    apart: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.json"
    assert main(["draft", str(apart), "-o", str(plan)]) == 0
    told = capsys.readouterr().err
    assert Cli.ONE_QUESTION(count=3, name="m", words=" ".join(TOGETHER)) in told
    assert [c.name for c in load_plan(plan).columns] == ["sex", "m_tv", "m_web", "m_radio"]
    assert main(["draft", str(apart), "-o", str(plan), *TOGETHER, "--overwrite"]) == 0
    assert "look like one question" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--together", "m=m_tv,m_paper"), "no column “m_paper”"),
        (("--together", "sex=m_tv,m_web"), "beside the question"),
        (("--together", "m=m_tv"), "not of the form"),
        (("--declare", "sex=set(f|m|f;m)"), T.SEPARATOR_IN_OPTION()),
        (("--declare", "paper=set(f|m)"), Cli.NO_COLUMN(name="paper")),
    ],
)
def test_that_what_cannot_be_a_question_is_refused_in_a_sentence(
    apart: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    sentence: str,
) -> None:
    assert main(["draft", str(apart), "-o", str(tmp_path / "plan.json"), *words]) in (2, 3)
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("declared", "between", "blank"),
    [
        ("set(tv|web|radio):/:", "/", ""),
        ("set(tv|web|radio):/:neither", "/", "neither"),
        ("set(tv|web|radio)", ";", "(none)"),
        ("set(tv|web|radio): - ", " - ", "(none)"),
        ("set(tv|web|radio):+:=no", "+", "=no"),
    ],
)
def test_that_a_released_codebook_drafts_the_next_wave_of_a_set(
    declared: str, between: str, blank: str, tmp_path: Path
) -> None:
    options = {"tv": 2, "web": 3, "radio": 5}
    rows = (between.join(o for o, n in options.items() if i % n == 0) for i in range(120))
    data, first, out = tmp_path / "s.csv", tmp_path / "first.json", tmp_path / "out"
    lines = [f'"{row or blank}",{"fm"[i % 2]}' for i, row in enumerate(rows)]
    data.write_text("\n".join(["media,sex", *lines]) + "\n", encoding="utf-8")
    words = ["draft", str(data), "-o", str(first), "--epsilon", "4", "--confirm-domains"]
    assert main([*words, "--declare", f"media={declared}"]) == 0
    assert main(["release", str(data), "--plan", str(first), "--out", str(out)]) == 0
    second, book = tmp_path / "second.json", str(out / "codebook.csv")
    assert main(["draft", str(data), "-o", str(second), "--codebook", book]) == 0
    before, after = load_plan(first).column("media"), load_plan(second).column("media")
    assert isinstance(before.domain, OptionSet)
    assert (before.domain.separator, before.domain.nothing) == (between, blank)
    assert (after.kind, after.domain, after.missing) == ("several", before.domain, before.missing)
    assert after.provenance == "codebook"


def test_that_a_codebook_typed_by_hand_describes_a_set(tmp_path: Path) -> None:
    book, plan = tmp_path / "book.csv", tmp_path / "plan.json"
    lines = ["attribute,role,value,separator", "media,,tv,|", "media,,web,", "media,nothing,,"]
    book.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["draft", "--codebook", str(book), "-o", str(plan)]) == 0
    column = load_plan(plan).column("media")
    domain = OptionSet(values=("tv", "web"), separator="|", nothing="")
    assert (column.kind, column.domain) == ("several", domain)


def test_that_a_column_of_none_is_drafted_released_and_estimated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Of 20 respondents 10 watch, 5 read, 3 tick that none applies, and 2 tick nothing at all.
    ticks = ["1,0,0"] * 10 + ["0,1,0"] * 5 + ["0,0,1"] * 3 + ["0,0,0"] * 2
    data, plan, out = tmp_path / "s.csv", tmp_path / "plan.json", tmp_path / "out"
    data.write_text("m_tv,m_web,m_none\n" + "\n".join(ticks * 150) + "\n", encoding="utf-8")
    drafted = ["draft", str(data), "-o", str(plan), "--epsilon", "16", "--confirm-domains"]
    assert main(drafted) == 0
    assert "--together m=m_tv,m_web,m_none:1:0:m_none" in capsys.readouterr().err
    together = ["--together", "m=m_tv=TV,m_web=Web,m_none:1:0:m_none", "--overwrite"]
    assert main([*drafted, *together]) == 0
    assert "left this blank" not in capsys.readouterr().err
    domain = load_plan(plan).column("m").domain
    assert isinstance(domain, OptionSet)
    assert domain.values == ("TV", "Web")
    released = ["release", str(data), "--plan", str(plan), "--out", str(out)]
    assert main([*released, "--population", "People"]) == 0
    capsys.readouterr()
    assert main(["estimate", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    found = found["estimates"] if isinstance(found, dict) else found
    shares = {row["category"]: row["estimate"] for row in found if row["quantity"] == "share"}
    # At epsilon 16 a respondent's report is true but for chances below 0.01.
    true = {"TV": 0.5, "Web": 0.25, "(no answer)": 0.1}
    assert list(shares) == list(true)
    assert all(abs(shares[option] - share) < 0.05 for option, share in true.items())


def test_that_blanks_of_a_set_are_asked_about_in_draft_and_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, plan = tmp_path / "s.csv", str(tmp_path / "plan.json")
    rows = ["tv;web", "web", "", "radio;tv", "tv", "radio;web"] * 50
    data.write_text("age,m\n" + "".join(f"{18 + i % 60},{r}\n" for i, r in enumerate(rows)))
    drafted = ["draft", str(data), "-o", plan, "--confirm-domains", "--overwrite"]
    assert main(drafted) == 0
    asked = PlanT.BLANKS_OPEN(
        count=50, nothing="--declare 'm=set(radio|tv|web):;:'", missing="--missing m=:category"
    )
    assert f"m: {asked} ({asked.command})" in capsys.readouterr().err
    assert main(["check", plan, str(data)]) == 0
    told = capsys.readouterr()
    undecided = PlanT.BLANKS_UNDECIDED(count=1, names="m", meaning=PlanT.NO_ANSWER_GIVEN())
    assert undecided in told.out + told.err
    for decided in (("--declare", "m=set(radio|tv|web):;:"), ("--missing", "m=:category")):
        assert main([*drafted, *decided]) == 0
        assert asked not in capsys.readouterr().err
        assert main(["check", plan, str(data)]) == 0
        told = capsys.readouterr()
        assert undecided not in told.out + told.err


@pytest.mark.parametrize("command", ["draft", "confirm", "query"])
def test_that_help_says_how_a_set_is_declared(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "set(A|B|C)[:SEPARATOR[:NOTHING]]" in told
    assert "[:NONE[:SEPARATOR]]" in told


@pytest.mark.parametrize("declared", ["set(A|B);x", " set(A|B)", "Set(A|B)"])
def test_that_what_nearly_declares_several_answers_is_refused(declared: str) -> None:
    with refused("cli.no-bounds", name="m"):
        declared_domain("m", declared)
