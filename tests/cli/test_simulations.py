from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.progress import ProgressLines, progress_bar
from dpdesk.cli.texts import T as Cli
from dpdesk.releases.texts import T


@pytest.fixture
def data(tmp_path: Path) -> str:
    rows = [
        f"{'yes' if i % 4 else 'no'},{i * i % 5},{'rare' if i % 11 == 0 else 'common'}"
        for i in range(600)
    ]
    path = tmp_path / "survey.csv"
    path.write_text("\n".join(["smokes,class,kind", *rows]) + "\n", encoding="utf-8")
    return str(path)


def test_that_an_attack_says_that_it_is_private_and_prints_each_variant(
    data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["attack", data, "--variants", "grr,sue-z", "--epsilons", "1,ln2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "PRIVATE" in lines[0]
    assert "not a release" in lines[0]
    assert "33.33 %" in lines[7]
    assert [line.split()[:2] for line in lines[9:]] == [
        ["RS+FD[GRR]", "1"],
        ["RS+FD[GRR]", "ln"],
        ["RS+FD[SUE-z]", "1"],
        ["RS+FD[SUE-z]", "ln"],
    ]


def test_that_an_attack_as_json_holds_every_outcome(
    data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--epsilons", "4", "--knowledge", "full", "--compromised", "0.5", "--seed", "3"]
    assert main(["attack", data, "--json", "--drop", "class", *words]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["private"] is True
    assert content["attributes"] == ["smokes", "kind"]
    assert content["request"]["knowledge"] == "full"
    assert [o["variant"] for o in content["outcomes"]] == [
        "grr",
        "sue-z",
        "oue-z",
        "sue-r",
        "oue-r",
    ]
    assert all(o["attacked"] == 300 for o in content["outcomes"])
    assert all(o["lower"] <= o["accuracy"] <= o["upper"] for o in content["outcomes"])


def test_that_a_plan_that_hides_nothing_is_not_attacked_but_variants_on_its_columns_are(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = str(tmp_path / "plan.json")
    assert main(["draft", data, "-o", plan, "--confirm-domains"]) == 0
    assert main(["attack", data, "--plan", plan]) == 1
    assert "nothing is hidden" in capsys.readouterr().err
    assert main(["attack", data, "--plan", plan, "--variants", "rfd-grr"]) == 0
    assert "RS+RFD[GRR]" in capsys.readouterr().out


def test_that_an_experiment_prints_a_line_for_each_strategy_raw_and_projected(
    data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--strategies", "spl,smp,oue-z", "--repetitions", "5"]
    assert main(["experiment", data, *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "PRIVATE" in lines[0]
    titles = [line.split()[0] for line in lines if line.startswith(("SPL[", "SMP[", "RS+FD["))]
    assert titles == ["SPL[ADP]", "SMP[ADP]", "RS+FD[OUE-z]"] * 2
    assert sum(line.startswith("epsilon") and "ln 7" in line for line in lines) == 2
    # d = 3: ln(3 (2 - 1) + 1) = ln 4.
    assert "ln 2: 1.387" in lines[5]


def test_that_an_experiment_as_json_holds_every_point(
    data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--strategies", "grr", "--epsilons", "1,2.5", "--repetitions", "4", "--json"]
    assert main(["experiment", data, *words]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["private"] is True
    assert (content["respondents"], content["sizes"]) == (600, [2, 3, 2])
    assert [point["epsilon"] for point in content["points"]] == [1, 2.5]


@pytest.mark.parametrize(
    "words",
    [
        ["attack", "--epsilons", "0"],
        ["attack", "--epsilons", "lnx"],
        ["attack", "--epsilons", ","],
        ["attack", "--knowledge", "some"],
        ["attack", "--seed", "-1"],
        ["experiment", "--epsilons", "nan"],
    ],
)
def test_that_words_without_a_meaning_are_a_mistake_of_usage(words: list[str], data: str) -> None:
    command, *options = words
    assert main([command, data, *options]) == 2


@pytest.mark.parametrize(
    "words",
    [
        ["attack", "--variants", "olh"],
        ["attack", "--drop", "nowhere"],
        ["experiment", "--strategies", "best"],
        ["experiment", "--repetitions", "1"],
        ["experiment", "--epsilons", "50"],
    ],
)
def test_that_values_out_of_range_are_refused_in_a_sentence(
    words: list[str], data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *options = words
    assert main([command, data, *options]) == 2
    assert capsys.readouterr().err.startswith("dpdesk: ")


def test_that_neither_command_writes_a_file(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(data).parent
    assert main(["attack", data, "--epsilons", "1"]) == 0
    assert main(["experiment", data, "--repetitions", "2"]) == 0
    assert [path.name for path in folder.iterdir()] == ["survey.csv"]
    assert capsys.readouterr().err == ""


def test_that_an_example_is_learnt_and_its_curve_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "curve.csv"
    words = ["learn", "--example", "pima-staircase", "--epsilons", "2", "--repetitions", "2"]
    assert main([*words, "-o", str(out)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("SIMULATION")
    (line,) = (line for line in told.splitlines() if "true data" in line)
    assert [line.split()[place] for place in (-4, -2)] == ["0.7857", "0.6374"]
    assert "noise of the test" in told
    assert "bounds are those of the data" in told
    head, *rows = out.read_text("utf-8").splitlines()
    assert head.startswith("epsilon,record_epsilon,learnt,tested,accuracy_mean")
    # Two levels by two ways to learn by two tests, and two lines that stay.
    assert len(rows) == 10
    # Anybody who meets the file is told whose it is, and nobody else can read it.
    assert head.endswith(",private")
    assert all(row.endswith(",for the holder of the data only") for row in rows)
    assert os.name == "nt" or out.stat().st_mode & 0o777 == 0o600
    assert main([*words, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["private"] is True
    assert [point["is_plan"] for point in content["points"]] == [True, False]


def test_that_learning_names_its_repetitions_and_how_to_ask_for_fewer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["learn", "--example", "pima", "--epsilons", "2"]
    hint = Cli.HOW_OFTEN(count=30)
    assert main([*words, "--json"]) == 0
    told = capsys.readouterr()
    assert hint in told.err
    assert hint not in told.out
    for more in (["--quiet"], ["--repetitions", "2"]):
        assert main([*words, *more]) == 0
        assert "--repetitions" not in capsys.readouterr().err


def test_that_progress_in_lines_is_sparse_and_estimates_the_time_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seconds = [0.0]
    lines = ProgressLines(lambda: seconds[0])
    with progress_bar(lines=lines) as tracker:
        for now, done in ((1, 0.01), (4, 0.02), (10, 0.05), (11, 0.06), (39, 0.2), (90, 0.9)):
            seconds[0] = now
            tracker.progress("Learning", done)
    assert capsys.readouterr().err.splitlines() == [
        # 19 times the 10 seconds that a twentieth took; none before, and none so soon behind it.
        "Learning: 5 %, about 4 min left",
        "Learning: 90 %, about 10 s left",
    ]


def test_that_a_curve_of_true_answers_is_not_written_into_a_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifest.json").write_text("{}", "utf-8")
    words = ["learn", "--example", "pima", "--epsilons", "2", "--repetitions", "2"]
    assert main([*words, "-o", str(tmp_path / "curve.csv")]) != 0
    assert T.INTO_RELEASE() in capsys.readouterr().err
    assert not (tmp_path / "curve.csv").exists()


def test_that_a_label_of_one_class_is_not_learnt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, plan = tmp_path / "same.csv", str(tmp_path / "plan.json")
    lines = [f"{'ab'[i % 2]},yes" for i in range(200)]
    data.write_text("\n".join(["kind,smokes", *lines]) + "\n", "utf-8")
    words = [
        "draft",
        "--strategy",
        "spl",
        str(data),
        "-o",
        plan,
        "--epsilon",
        "6",
        "--confirm-domains",
    ]
    assert main([*words, "--declare", "smokes=yes|no"]) == 0
    capsys.readouterr()
    words = ["learn", str(data), "--plan", plan, "--epsilons", "6", "--repetitions", "2"]
    assert main([*words, "--label", "smokes"]) != 0
    told = capsys.readouterr().err
    assert "All respondents gave the same answer to “smokes”" in told
    assert main([*words, "--label", "kind"]) == 0


def test_that_a_survey_is_learnt_by_its_plan(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = str(tmp_path / "plan.json")
    assert (
        main(
            ["draft", "--strategy", "spl", data, "-o", plan, "--confirm-domains", "--epsilon", "6"]
        )
        == 0
    )
    words = ["learn", data, "--plan", plan, "--epsilons", "6", "--of", "record"]
    assert main([*words, "--label", "class", "--repetitions", "2"]) == 0
    told = capsys.readouterr().out
    settings = [tuple(line.split()) for line in told.splitlines()]
    assert {("classes", "3"), ("other", "columns", "2")} <= set(settings)
    assert main([*words, "--label", "nobody", "--repetitions", "2"]) == 2
    assert "no column" in capsys.readouterr().err
    assert main([*words, "--repetitions", "2"]) == 2
    assert "--example pima" in capsys.readouterr().err
    assert main([*words, "--label", "class", "--learner", "oracle"]) == 2
    assert "naive_bayes, logistic" in capsys.readouterr().err
    assert main([*words, "--label", "class", "--example", "pima"]) == 2
    assert main(["learn", "--example", "apple"]) == 2
    assert "pima-staircase" in capsys.readouterr().err
