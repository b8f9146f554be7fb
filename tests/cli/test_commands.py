from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import pytest

from dpdesk.cli.attack import ATTACK_VARIANTS
from dpdesk.cli.main import main
from dpdesk.cli.reading_texts import ReadingTexts as Reading
from dpdesk.cli.run import runnable
from dpdesk.cli.texts import T as Cli
from dpdesk.data.sample import sample_path
from dpdesk.designs.planning import Allocation, Split
from dpdesk.designs.sample_design import LONELY
from dpdesk.engine.simulate.variants import VARIANTS
from dpdesk.errors import ReleaseError
from dpdesk.mechanisms import MECHANISMS, Order, kind_of
from dpdesk.mechanisms.fake_data import Fakes
from dpdesk.numbers.intervals import is_even
from dpdesk.plan.model import Strategy
from dpdesk.queries.noise.kinds import NOISE_KINDS

CODEBOOK = str(sample_path().with_name("codebook.json"))


@pytest.fixture
def plan_path(tmp_path: Path) -> Path:
    path = tmp_path / "plan.json"
    words = ["draft", str(sample_path()), "-o", str(path), "--epsilon", "9", "--codebook", CODEBOOK]
    words.append("--strategy=spl")
    assert main([*words, "--confirm-domains"]) == 0
    return path


def _json(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_that_the_main_job_runs_from_draft_to_estimates(
    plan_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "release"
    assert main(["check", str(plan_path), str(sample_path())]) == 0
    words = ["release", str(sample_path()), "--plan", str(plan_path), "--out", str(out)]
    assert main(words) == 0
    assert {path.name for path in out.iterdir()} == {
        "records.csv",
        "records.parquet",
        "estimates.csv",
        "analysis.R",
        "analysis.py",
        "codebook.csv",
        "plan.json",
        "registry-entry.yaml",
        "annex.html",
        "report.html",
        "report.json",
        "report.pdf",
        "manifest.json",
    }
    capsys.readouterr()
    assert main(["estimate", str(out), "--plan", str(plan_path), "--json"]) == 0
    content = _json(capsys)
    assert content["records"] == 6366
    assert content["epsilon_total"] == "9"
    assert {entry["attribute"] for entry in content["attributes"]} >= {"religious", "affairs"}
    assert main(["estimate", str(out / "records.csv")]) == 0


def test_that_a_draft_obeys_its_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "plan.json"
    words = [
        "draft",
        "--strategy",
        "spl",
        str(sample_path()),
        "-o",
        str(path),
        "--epsilon",
        "4",
        "--drop",
        "educ",
    ]
    words += ["--keep", "children", "--set", "affairs=bounded_laplace:1.5"]
    words += ["--set", "religious=oue:0.5"]
    assert main(words) == 0
    columns = {c["name"]: c for c in json.loads(path.read_text(encoding="utf-8"))["columns"]}
    assert columns["educ"]["role"] == "drop"
    assert (columns["children"]["role"], columns["children"]["keep_confirmed"]) == ("keep", True)
    assert columns["affairs"]["mechanism"] == {"kind": "bounded_laplace", "epsilon": "1.5"}
    assert columns["religious"]["mechanism"] == {"kind": "oue", "epsilon": "0.5"}
    rest = ("rate_marriage", "age", "yrs_married", "occupation", "occupation_husb")
    assert {columns[name]["mechanism"]["epsilon"] for name in rest} == {"0.4"}
    assert not any(column["confirmed"] for column in columns.values())
    assert "solve before a release" in capsys.readouterr().err


def test_that_a_draft_lists_what_the_check_of_its_plan_lists(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    survey, path = tmp_path / "survey.csv", tmp_path / "plan.json"
    rows = [f"{i % 2},{'' if i % 3 else 'a'},{i % 9},{'x' if i == 3 else 5}" for i in range(900)]
    survey.write_text("\n".join(["sex,vote,age,pay", *rows]) + "\n", encoding="utf-8")
    words = ["--declare", "age=0..5", "--declare", "vote=nominal(a|b)"]
    assert main(["draft", str(survey), "-o", str(path), *words]) == 0
    told = capsys.readouterr().err
    assert main(["check", str(path), str(survey)]) == 1
    checked = capsys.readouterr().out
    errors = [line for line in checked.splitlines() if line.startswith("error: ")]
    assert len(errors) > 1
    assert any("columns.age.domain" in line for line in errors)
    assert f"{len(errors)} problems to solve before a release:" in told
    for line in errors:
        # After the path in the plan.
        assert line.split(": ", 2)[2] in told


def test_that_a_release_with_unconfirmed_domains_is_refused_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plan.json"
    assert main(["draft", str(sample_path()), "-o", str(path)]) == 0
    assert main(["check", str(path)]) == 1
    capsys.readouterr()
    out = tmp_path / "release"
    assert main(["release", str(sample_path()), "--plan", str(path), "--out", str(out)]) == 1
    assert "(dpdesk confirm PLAN)" in capsys.readouterr().err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["plan.json"]


def test_that_a_release_never_overwrites(
    plan_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious").write_text("mine", encoding="utf-8")
    words = ["release", str(sample_path()), "--plan", str(plan_path)]
    assert main([*words, "--out", str(tmp_path / "out")]) == 4
    assert "not empty" in capsys.readouterr().err
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["precious"]


@pytest.mark.parametrize("asks", [False, True], ids=["no statistics", "statistics"])
@pytest.mark.parametrize("decided", [False, True], ids=["no roles", "roles"])
def test_that_records_are_checked_unless_the_plan_is_for_statistics_alone(
    asks: bool, decided: bool, plan_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.loads(plan_path.read_text(encoding="utf-8"))
    if asks:
        plan_path.unlink()
        query = ["query", str(sample_path()), "--declare", "religious=1|2|3|4", "--epsilon", "1"]
        out = plan_path.with_name("out")
        assert main([*query, "--query", "count by religious", "--out", str(out)]) == 0
        statistics = json.loads((out / "plan.json").read_text(encoding="utf-8"))["statistics"]
        content["statistics"] = statistics
    for column in content["columns"]:
        if not decided:
            column["role"] = "unassigned"
            column["mechanism"] = None
    if decided:
        content["columns"][0]["confirmed"] = False
    plan_path.write_text(json.dumps(content), encoding="utf-8")
    capsys.readouterr()
    main(["check", str(plan_path), "--json"])
    codes = {problem["code"] for problem in _json(capsys)["problems"]}
    expected = "domain_unconfirmed" if decided else "unassigned"
    assert (expected in codes) == (decided or not asks), codes


def test_that_problems_come_as_json_with_their_places(
    plan_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.loads(plan_path.read_text(encoding="utf-8"))
    content["columns"][0]["confirmed"] = False
    plan_path.write_text(json.dumps(content), encoding="utf-8")
    capsys.readouterr()
    assert main(["check", str(plan_path), "--json"]) == 1
    problems = _json(capsys)["problems"]
    assert [(p["path"], p["code"]) for p in problems] == [
        ("columns.rate_marriage.confirmed", "domain_unconfirmed"),
        ("budget", "large"),
        ("details.title", "report_unnamed"),
    ]


def test_that_the_mechanisms_are_listed_with_their_numbers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["mechanisms", "--json"]) == 0
    kinds = [entry["kind"] for entry in _json(capsys)]
    assert kinds == [kind_of(mechanism) for mechanism in MECHANISMS]
    assert main(["mechanisms", "--json", "--domain-size", "16", "--epsilon", "1"]) == 0
    numbers = {entry["kind"]: entry for entry in _json(capsys)}
    assert numbers["warner"]["fits"] is False
    assert numbers["grr"]["n_var_star"] == pytest.approx(5.6624, abs=5e-5)
    assert numbers["oue"]["n_var_star"] == pytest.approx(3.6827, abs=5e-5)
    assert numbers["oue"]["p"] == 0.5
    assert 1 - 1e-9 < numbers["grr"]["certified_epsilon"] <= 1
    assert main(["mechanisms", "--domain-size", "16", "--epsilon", "1"]) == 0
    assert "n_var_star 5.66243" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (
            ["draft", "{sample}", "-o", "{plan}", "--drop", "nobody"],
            2,
            Cli.NO_COLUMN(name="nobody"),
        ),
        (["draft", "{sample}", "-o", "{plan}", "--set", "age"], 2, "COLUMN=MECHANISM:EPSILON"),
        (["draft", "{sample}", "-o", "{plan}", "--set", "age=magic:1"], 2, "grr"),
        (["draft", "{sample}", "-o", "{plan}", "--set", "age=grr:nan"], 2, "exact|number"),
        (["draft", "{sample}", "-o", "{plan}", "--set", "age=grr:41"], 2, "between 0.0001 and 40"),
        (["draft", "{sample}", "-o", "{plan}", "--set", "age=warner:1"], 2, "exactly two"),
        (["draft", "{sample}", "-o", "{plan}", "--epsilon", "1e3"], 2, Cli.BAD_TOTAL(most=9_999)),
        (["draft", "{sample}", "-o", "{plan}", "--epsilon", "0"], 2, Cli.BAD_TOTAL(most=9_999)),
        (["draft", "{sample}", "-o", "{plan}", "--epsilon", "9999"], 2, "Each needs"),
        (["draft", "{absent}", "-o", "{plan}"], 3, "no such file"),
        (["draft", "{sample}", "-o", "{absent}/plan.json"], 4, "cannot be written"),
        (["draft", "{sample}", "-o", "{plan}", "--codebook", "{sample}"], 3, "codebook"),
        (["check", "{absent}"], 1, "cannot be read"),
        (["check", "{sample}"], 1, "not JSON"),
        (["estimate", "{absent}"], 3, "neither a folder nor a file"),
        (["mechanisms", "--epsilon", "1"], 2, Reading.SIZE_AND_EPSILON()),
        (["mechanisms", "--domain-size", "1", "--epsilon", "1"], 2, "between 2"),
    ],
)
def test_that_wrong_words_get_a_plain_sentence_and_their_exit_code(
    words: list[str], code: int, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {
        "sample": str(sample_path()),
        "plan": str(tmp_path / "plan.json"),
        "absent": str(tmp_path / "absent"),
    }
    assert main([word.format(**places) for word in words]) == code
    error = capsys.readouterr().err
    assert error.startswith("dpdesk: ")
    assert any(part in error for part in says.split("|"))
    assert "Traceback" not in error
    assert list(tmp_path.iterdir()) == []


def test_that_names_from_a_file_cannot_command_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "hostile.csv"
    data.write_text("\x1b[31mred,b\nx,y\nz,y\nx,w\n", encoding="utf-8")
    assert main(["draft", str(data), "-o", str(tmp_path / "plan.json")]) == 0
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err
    assert "\\x1b[31mred" in captured.out


def test_that_ctrl_c_leaves_nothing_behind(
    plan_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dpdesk.releases.records.write_codebook", interrupt)
    words = ["release", str(sample_path()), "--plan", str(plan_path), "--out", str(tmp_path / "o")]
    assert main(words) == 130
    assert sorted(p.name for p in tmp_path.iterdir()) == ["plan.json"]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_that_a_signal_before_the_end_leaves_no_folder_and_says_what_stays(
    plan_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: signal.Signals,
) -> None:
    written = []
    before = signal.signal(number, signal.default_int_handler)

    def write_codebook(*_: object) -> None:
        written.append(True)
        os.kill(os.getpid(), number)

    monkeypatch.setattr("dpdesk.releases.records.write_codebook", write_codebook)
    words = ["release", str(sample_path()), "--plan", str(plan_path), "--out", str(tmp_path / "o")]
    try:
        assert main(words) == 130
    finally:
        # The handler of before is in force again.
        assert signal.signal(number, before) is signal.default_int_handler
    assert written == [True]
    said = capsys.readouterr()
    assert said.err.endswith("dpdesk: cancelled; nothing was released.\n")
    assert "stays charged" in said.err
    assert said.out == ""
    assert sorted(p.name for p in tmp_path.iterdir()) == ["plan.json"]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_that_ctrl_c_which_is_ignored_on_purpose_stays_so(
    plan_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)

    def write_codebook(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr("dpdesk.releases.records.write_codebook", write_codebook)
    words = ["release", str(sample_path()), "--plan", str(plan_path), "--out", str(tmp_path / "o")]
    try:
        assert main(words) == 0
    finally:
        assert signal.signal(signal.SIGINT, before) is signal.SIG_IGN


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_that_a_signal_after_the_folder_stands_is_no_reason_to_deny_it(
    plan_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: signal.Signals,
) -> None:
    renamed = os.replace

    def replace(one: Path, other: Path) -> None:
        renamed(one, other)
        if Path(other).name == "o":
            os.kill(os.getpid(), number)

    monkeypatch.setattr("os.replace", replace)
    words = ["release", str(sample_path()), "--plan", str(plan_path), "--out", str(tmp_path / "o")]
    before = signal.signal(number, signal.default_int_handler)
    try:
        assert main(words) == 0
    finally:
        signal.signal(number, before)
    said = capsys.readouterr()
    assert "records released" in said.out
    assert "cancelled" not in said.err
    assert (tmp_path / "o" / "manifest.json").is_file()


@pytest.mark.parametrize("error", [ReleaseError("No room is left."), ValueError("a cell")])
def test_that_failed_private_diagnostics_do_not_hide_the_release(
    error: Exception,
    plan_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("dpdesk.releases.private.write_private_diagnostics", fail)
    words = ["release", str(sample_path()), "--plan", str(plan_path), "--out", str(tmp_path / "o")]
    assert main([*words, "--private-diagnostics", str(tmp_path / "truth.html")]) == 4
    said = capsys.readouterr()
    assert "records released" in said.out
    assert "The release was written to o and is charged" in said.err
    assert "a cell" not in said.err
    assert (tmp_path / "o" / "manifest.json").is_file()


def test_that_private_diagnostics_are_refused_inside_a_release_before_anything_is_drawn(
    plan_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    words = ["release", str(sample_path()), "--plan", str(plan_path), "--out", str(out)]
    inside = Cli.IN_RELEASE(file="truth.html")
    for place, said in (
        (out / "truth.html", inside),
        (tmp_path / "truth.txt", "rivate diagnostics"),
    ):
        assert main([*words, "--private-diagnostics", str(place)]) == 4
        assert said in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan.json"]
    assert main([*words, "--private-diagnostics", str(tmp_path / "truth.json")]) == 0
    assert (tmp_path / "truth.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("strategy", "more"),
    [
        ("smp", []),
        ("rsfd", ["--fakes", "random"]),
        (
            "rsrfd",
            ["--expected", "rate_marriage=1,1,2,4,6", "--expected", "occupation=1,1,6,4,2,1"],
        ),
    ],
)
def test_that_a_strategy_runs_from_draft_to_estimates(
    strategy: str, more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "plan.json", tmp_path / "release"
    words = ["draft", str(sample_path()), "-o", str(path), "--epsilon", "2", "--codebook", CODEBOOK]
    words += ["--strategy", strategy, *more, "--confirm-domains"]
    names = ["rate_marriage", "occupation"]
    for column in _columns_of_sample():
        if column not in names:
            words += ["--drop", column]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert Cli.TOTAL_EPSILON(epsilon="2") in said
    reported = Cli.ONE_REPORTED if strategy == "smp" else Cli.ONE_REPORTED_WITH_FAKES
    assert reported(strategy=strategy) in said
    assert ("Papers" in said) == (strategy != "smp")
    plan = json.loads(path.read_text(encoding="utf-8"))
    kept = [c for c in plan["columns"] if c["role"] == "protect"]
    assert [c["mechanism"]["epsilon"] for c in kept] == ["2", "2"]
    if strategy != "smp":
        assert {c["mechanism"]["kind"] for c in kept} <= {"grr", "sue", "oue"}
    assert main(["check", str(path), str(sample_path())]) == 0
    assert main(["release", str(sample_path()), "--plan", str(path), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["estimate", str(out), "--json"]) == 0
    content = _json(capsys)
    assert (content["strategy"], content["epsilon_total"]) == (strategy, "2")
    assert content["epsilon_of_one_attribute"] <= 2
    assert {entry["attribute"] for entry in content["attributes"]} == set(names)


def _columns_of_sample() -> list[str]:
    with sample_path().open(encoding="utf-8") as file:
        return file.readline().strip().replace('"', "").split(",")


@pytest.mark.parametrize("weights", ["occupation", "occupation=", "occupation=1,x", "none=1,2"])
def test_that_expected_weights_of_another_form_are_refused(
    weights: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["draft", str(sample_path()), "-o", str(tmp_path / "p.json"), "--expected", weights]
    assert main(words) == 2
    assert "dpdesk: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "option", "known"),
    [
        ("draft", "--strategy", get_args(Strategy)),
        ("draft", "--fakes", get_args(Fakes)),
        ("query", "--noise", NOISE_KINDS),
        ("query", "--relation", ["add-remove", "replace"]),
        ("choose", "--by", [name.replace("_", "-") for name in get_args(Order)]),
        ("survey plan", "--allocation", get_args(Allocation)),
        ("survey plan", "--split", get_args(Split)),
        ("survey estimate", "--lonely-psu", LONELY),
    ],
)
def test_that_an_option_offers_what_there_is(words: str, option: str, known: Sequence[str]) -> None:
    # They are written out where the options are: what they name takes long to import.
    command = next(each for each in runnable() if each.words == tuple(words.split()))
    (action,) = (a for a in command.parser()._actions if option in a.option_strings)
    assert list(action.choices or ()) == list(known)


def test_that_the_variants_of_rs_fd_are_attacked_unless_others_are_named() -> None:
    named = [name for name, variant in VARIANTS.items() if not variant.realistic]
    assert list(ATTACK_VARIANTS) == named


def test_that_half_widths_and_standard_errors_are_called_by_their_names(
    plan_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "release")
    assert main(["release", str(sample_path()), "--plan", str(plan_path), "--out", out]) == 0
    capsys.readouterr()
    assert main(["estimate", out]) == 0
    head = capsys.readouterr().out.splitlines()[0]
    assert head.index("95 % error") < head.index("standard error")
    assert main(["estimate", out, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    at_an_end = [row for row in content["estimates"] if row["sampling_standard_error"] == 0]
    assert bool(content["notes"]) == bool(at_an_end)
    for row in content["estimates"]:
        ends = row["estimate"] - row["lower"], row["upper"] - row["estimate"]
        if is_even(row["estimate"], row["lower"], row["upper"]):
            assert row["error_95"] == pytest.approx(max(ends))
        else:
            assert row["error_95"] is None
    words = ["survey", "estimate", "--design", "warner", "--set", "p=3/4", "--counts", "20/48"]
    assert main(words) == 0
    assert "standard error" in capsys.readouterr().out
