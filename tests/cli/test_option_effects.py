"""What options of releases and estimates do, which `test_ignored_options` cannot try."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from dpdesk.cli.main import main
from dpdesk.cli.run import runnable
from dpdesk.plan import ColumnPlan, Plan, save_plan
from dpdesk.randomness import SystemWords
from tests.estimation.test_joint import example, write
from tests.randomness.word_sources import ShakeWords

Captured = pytest.CaptureFixture[str]

PEOPLE = [f"{'mf'[i % 2]},{'abc'[i * 7 % 3]},{30 + i * 7 % 41}.5" for i in range(60)]
PLAIN = "\n".join(["sex,job,age", *PEOPLE]) + "\n"
QUOTED = "".join("'" + line.replace(",", "','") + "'\n" for line in PLAIN.splitlines())
FIXED = "".join(row.replace(",", "") + "\n" for row in PEOPLE)
CODED = PLAIN.replace(",c,", ",,")
ODDLY: dict[str, tuple[str | bytes, str]] = {
    "--delimiter": (PLAIN.replace(",", "|"), "--delimiter bar"),
    "--encoding": (PLAIN.encode("utf-16"), "--encoding utf-16"),
    "--decimal": (PLAIN.replace(",", ";").replace(".5", ",5"), "--delimiter semicolon --decimal ,"),
    "--quote": (QUOTED, "--quote single"),
    "--header-rows": (PLAIN.replace("\n", "\nSex?,Job?,Age?\n", 1), "--header-rows 2"),
    "--layout": (FIXED, "--layout LAYOUT"),
    "--missing-code": (CODED.replace(",,", ",c,"), "--missing-code c"),
}
"""A file that holds the same answers, and the options that say how it is written."""

COMMANDS = {
    "release": "release FILE --plan PLAN --population people --out OUT",
    "check": "check PLAN FILE --json",
    "query": "query FILE --declare sex=m|f --declare age=30..71/0.5 --declare job=a|b|c --before "
    "--epsilon 1 --query COUNT --json",
    "synthesize": "synthesize FILE --plan PLAN --before --json",
    "risk": "risk FILE --quasi sex,age,job --json",
    "coarsen": "coarsen FILE --quasi age,sex --sensitive job --k 6 --json",
    "attack": "attack linkage FILE --columns job,age --json",
    "experiment": "experiment FILE --strategies spl --epsilons 1 --repetitions 3 --json",
    "learn": "learn FILE --plan PLAN --label sex --epsilons 1 --repetitions 2 --json",
}
SHOWN = {
    "release": "--plan --out --private-diagnostics --overwrite --write --paper --population "
    "--other-people --cap --ledger --engine --scheduler --format --platform --sheet --no-header "
    "--together --join-rows",
    "estimate": "--plan --by --unverified --cross --mean --share --test --formula --model --table "
    "--overwrite",
}
"""Options of the two commands whose effect another test shows."""


@pytest.fixture
def result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> Callable[[str, str | bytes, str], tuple[int, str]]:
    """What a command makes of a file: the records of a release, else what is printed."""
    (tmp_path / "LAYOUT").write_text("name,start,width\nsex,1,1\njob,2,1\nage,3,4\n", "utf-8")
    tried = iter(range(9))

    def result(command: str, content: str | bytes, more: str) -> tuple[int, str]:
        data, folder = tmp_path / "people.csv", tmp_path / str(next(tried))
        plan, out = folder / "PLAN", folder / "OUT"
        # The plan is that of the plain file, and says how this one is read.
        data.write_text(CODED if "--missing-code" in more or content == CODED else PLAIN, "utf-8")
        folder.mkdir()
        draft = ["draft", str(data), "-o", str(plan), "--epsilon", "9", "--strategy", "spl"]
        assert main([*draft, "--confirm-domains"]) == 0
        data.write_bytes(content if isinstance(content, bytes) else content.encode())
        stream = ShakeWords("the same again")
        monkeypatch.setattr(SystemWords, "take", lambda _, count: stream.take(count))
        monkeypatch.setenv("DPDESK_LEDGER", str(folder / "ledger"))
        places = {"FILE": data, "PLAN": plan, "OUT": out, "LAYOUT": tmp_path / "LAYOUT"}
        words = f"{COMMANDS[command]} {more}".replace("COUNT", "count").split()
        capsys.readouterr()
        code = main([str(places.get(word, word)) for word in words])
        told = capsys.readouterr().out.replace(str(folder), "")
        if command == "check":  # says beside it that the plan has another reading
            return 0, str(json.loads(told)["usefulness"])
        return code, (out / "records.csv").read_text(
            "utf-8"
        ) if code == 0 and out.exists() else told

    return result


@pytest.mark.parametrize("option", ODDLY)
@pytest.mark.parametrize("command", COMMANDS)
def test_that_a_file_is_read_as_the_option_says(command: str, option: str, result) -> None:
    content, words = ODDLY[option]
    code, told = result(command, CODED if option == "--missing-code" else PLAIN, "")
    assert code == 0
    assert result(command, content, words) == (0, told)


def test_that_more_answers_beyond_a_bound_are_taken_where_an_option_allows_them(result) -> None:
    odd = PLAIN.replace("30.5", "900.5")
    moved = odd.count("900.5") / len(PEOPLE)
    for command in ("release", "synthesize"):
        assert result(command, odd, "")[0] == 1
        for share, code in ((moved - 0.001, 1), (moved + 0.001, 0)):
            assert result(command, odd, f"--allow-unread {share:.4f}")[0] == code, command


SCORES = {"A": (0.6, 0.2), "B": (2 / 3, 1 / 3)}
"""The chances of a true answer and of another: GRR of three categories at ln 3, of two at ln 2."""


@pytest.mark.parametrize("seed", range(3))
def test_that_strata_and_clusters_enter_the_errors_of_an_estimate(
    seed: int, tmp_path: Path, capsys: Captured
) -> None:
    drawn = np.random.default_rng(seed)
    cluster = drawn.integers(0, 12, 150)
    cluster[0] = 99
    stratum = np.where(cluster == 99, 9, cluster // 4)
    a = np.array(list("abc"))[drawn.integers(3, size=150)]
    b = np.where(drawn.random(150) < 0.2 + 0.05 * cluster, "x", "y")
    kept = (ColumnPlan(name=n, kind="nominal", role="keep", keep_confirmed=True) for n in "sc")
    save_plan(Plan(columns=(*example().columns, *kept)), tmp_path / "plan.json")
    rows = list(zip(a, b, map(str, stratum), map(str, cluster), strict=True))
    records = write(tmp_path / "records.csv", rows, "A,B,s,c")
    score = 1.0
    for said, value, (p, q) in ((a, "a", SCORES["A"]), (b, "x", SCORES["B"])):
        score = score * ((said == value) - q) / (p - q)

    def error(strata: np.ndarray, clusters: np.ndarray, lonely: str = "") -> float:
        apart, total = score - score.mean(), 0.0
        for one in np.unique(strata):
            units = np.unique(clusters[strata == one])
            sums = np.array([apart[(strata == one) & (clusters == unit)].sum() for unit in units])
            if len(units) > 1:
                total += len(units) / (len(units) - 1) * ((sums - sums.mean()) ** 2).sum()
            elif lonely == "centred":
                total += float(sums[0] ** 2)
        # As much as the three other strata.
        return sqrt(total * (4 / 3 if lonely == "average" else 1)) / len(score)

    def told(words: str) -> float:
        place = ["estimate", str(records), "--plan", str(tmp_path / "plan.json"), "--unverified"]
        assert main([*place, "--cross", "A,B", "--json", *words.split()]) == 0
        cell = json.loads(capsys.readouterr().out)["cells"][0]
        assert cell["categories"] == ["a", "x"]
        assert cell["share"] == pytest.approx(score.mean(), abs=1e-6)
        return float(cell["standard_error"])

    same, each = np.zeros(150), np.arange(150)
    assert told("") == pytest.approx(error(same, each), rel=1e-6)
    assert told("--clusters c") == pytest.approx(error(same, cluster), rel=1e-6)
    design = "--strata s --clusters c --lonely-psu "
    for lonely in ("certainty", "centred", "average"):
        expected = error(stratum, cluster, lonely)
        assert told(design + lonely) == pytest.approx(expected, rel=1e-6), lonely


def test_that_every_option_of_a_release_and_of_an_estimate_is_tested(root: Path) -> None:
    here = {"release": {*ODDLY, "--allow-unread"}}
    here["estimate"] = {"--strata", "--clusters", "--lonely-psu"}
    written = "".join(path.read_text("utf-8") for path in (root / "tests").rglob("test_*.py"))
    for name, tested in here.items():
        command = next(command for command in runnable() if command.words == (name,))
        options = {max(a.option_strings, key=len, default="") for a in command.parser()._actions}
        shown = set(SHOWN[name].split())
        assert options - {"", "--json", "--quiet", "--help"} == tested | shown
        assert [o for o in shown if f'"{o}"' not in written and f" {o} " not in written] == []
