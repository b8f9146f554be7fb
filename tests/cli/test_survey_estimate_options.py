"""Every option of `dpdesk survey estimate` does what it says, by numbers worked out apart."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from math import log, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from dpdesk.cli.main import main

WARNER = "--design warner --set p=3/4 "
ROWS = 240
ORDERS = (1 / 12, 1 / 6, 1 / 4)

Ask = Callable[[str], Any]
ESTIMATES: dict[str, Callable[[Ask, Path], None]] = {}


def effect(
    *options: str,
) -> Callable[[Callable[[Ask, Path], None]], Callable[[Ask, Path], None]]:
    def register(check: Callable[[Ask, Path], None]) -> Callable[[Ask, Path], None]:
        ESTIMATES.update(dict.fromkeys(options, check))
        return check

    return register


def near(value: Any, rel: float = 1e-9) -> Any:
    return pytest.approx(value, rel=rel, abs=1e-12)


def answers(place: Path) -> dict[str, Any]:
    """Columns of a file of answers, `answers.csv`."""
    draw = np.random.default_rng(11)
    columns: dict[str, Any] = {
        "said": draw.integers(2, size=ROWS),
        "again": (draw.random(ROWS) < 0.25).astype(int),
        "w": draw.integers(1, 5, size=ROWS),
        "s": np.arange(ROWS) // 120,
        "c": np.arange(ROWS) // 20,
        "people": np.where(np.arange(ROWS) < 120, 400, 800),
        "region": np.where(draw.random(ROWS) < 0.4, "n", "s"),
        "version": np.where(draw.random(ROWS) < 0.5, "A", "B"),
        "kind": np.array(["red", "blue", "green"])[draw.integers(3, size=ROWS)],
        "how": np.where(np.arange(ROWS) % 4 == 0, "open", "cards"),
        "a": np.where(np.arange(ROWS) % 2 == 0, 0.8, 0.7),
        "b": np.where(np.arange(ROWS) % 2 == 0, 0.1, 0.2),
        "word": draw.choice(["ja", "nein"], size=ROWS),
        "number": np.round(draw.normal(5, 3, size=ROWS), 2),
    }
    columns["coded"] = np.where(np.arange(ROWS) < 12, -9, columns["said"])
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    with (place / "answers.csv").open("w", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    return columns


def paper_of(pdf: Path) -> str:
    """The paper of a page as tests set it."""
    return re.findall(r'"paper": "(?:us-)?(\w+)"', pdf.read_bytes().decode("utf-8", "replace"))[0]


def warner(share: Any) -> Any:
    return (share - 0.25) / 0.5


@effect("--counts", "--confidence", "--design", "--set")
def _counts(ask: Ask, place: Path) -> None:
    for level in (0.95, 0.8):
        found = ask(f"--design warner --set p=4/5 --counts 60/200 --confidence {level}")
        assert found["estimate"] == near((0.3 - 0.2) / 0.6)
        z, n = NormalDist().inv_cdf((1 + level) / 2), 200
        for end in found["interval"]:
            said = 0.2 + 0.6 * end
            assert (0.3 - said) ** 2 * n == near(z**2 * said * (1 - said), 1e-6)


@effect("--direct-counts")
def _direct_counts(ask: Ask, place: Path) -> None:
    cases = {
        (WARNER, "60/100"): 100,
        ("--design extended_crosswise --set p=1/4 ", "40/100,70/120"): 220,
        # One sample answers both items.
        ("--design anchored_crosswise --set p=3/4 --set anchor=4/5 ", "50/120,40/120"): 120,
    }
    for (design, counts), people in cases.items():
        found = ask(f"{design}--counts {counts} --direct-counts 12/80")["contrast"]
        assert (found["randomized"]["n"], found["direct"]["n"]) == (people, 80)
        assert found["difference"]["n"] == people + 80
        assert found["direct"]["estimate"] == near(0.15)
        assert found["direct"]["se"] == near(sqrt(0.15 * 0.85 / 79))
        gap = found["randomized"]["estimate"] - 0.15
        assert found["difference"]["estimate"] == near(gap)
        error = sqrt(found["randomized"]["se"] ** 2 + found["direct"]["se"] ** 2)
        assert found["difference"]["se"] == near(error)
        assert found["p_value"] == near(2 * (1 - NormalDist().cdf(abs(gap) / error)), 1e-6)


@effect("--answers")
def _answers(ask: Ask, place: Path) -> None:
    # The device orders each of three answers with 1/6, else the truth.
    design = "--design forced_categories --set orders=1/6,1/6,1/6 "
    shares = [one["estimate"] for one in ask(design + "--answers 60,30,10")["shares"]]
    assert shares == near([(0.6 - 1 / 6) * 2, (0.3 - 1 / 6) * 2, (0.1 - 1 / 6) * 2])


@effect("--mean", "--variance", "--respondents")
def _numbers(ask: Ask, place: Path) -> None:
    design = "--design additive --set scale=2 --set lower=0 --set upper=10 --set noise=laplace "
    found = ask(design + "--set center=1 --mean 6 --variance 25 --respondents 400")
    assert found["estimate"] == near(5)
    assert found["se"] == near(sqrt(25 / 400))
    assert found["standard_deviation"] == near(sqrt(25 - 8))


@effect("--answer", "--yes", "--missing")
def _file(ask: Ask, place: Path) -> None:
    columns = answers(place)
    file = f"{place / 'answers.csv'} {WARNER}--answer "
    assert ask(file + "said")["estimate"] == near(warner(columns["said"].mean()))
    assert ask(file + "again")["estimate"] == near(warner(columns["again"].mean()))
    assert ask(file + "word --yes ja")["estimate"] == near(warner((columns["word"] == "ja").mean()))
    found = ask(file + "coded --missing -9")
    assert (found["n"], found["missing"]) == (ROWS - 12, 12)
    assert found["estimate"] == near(warner(columns["said"][12:].mean()))


@effect("--weights", "--strata", "--clusters", "--population", "--lonely-psu")
def _sample(ask: Ask, place: Path) -> None:
    columns = answers(place)
    file = f"{place / 'answers.csv'} {WARNER}--answer said "
    scores, weights = warner(columns["said"]), columns["w"].astype(float)
    mean = (weights @ scores) / weights.sum()
    rest = weights * (scores - mean) / weights.sum()

    def error(parts: list[Any]) -> float:
        return sqrt(sum(len(p) / (len(p) - 1) * ((p - p.mean()) ** 2).sum() for p in parts))

    found = ask(file + "--weights w")
    assert (found["estimate"], found["se"]) == near((mean, error([rest])))
    strata = [rest[:120], rest[120:]]
    assert ask(file + "--weights w --strata s")["se"] == near(error(strata))
    clusters = [part.reshape(-1, 20).sum(axis=1) for part in strata]
    found = ask(file + "--weights w --strata s --clusters c")
    assert (found["se"], found["df"]) == (near(error(clusters)), 10)
    assert found["sample"]["psus"] == 12
    # Of 480 people half were asked: only the sampling part, pi (1 - pi), is halved.
    plain, of_few = ask(file), ask(file + "--population 480")
    device = (scores * (scores - 1)).mean() / ROWS
    assert of_few["se"] ** 2 == near(plain["se"] ** 2 / 2 + device / 2, 1e-6)
    assert ask(file + "--strata s --population people")["sample"]["population"] == 1200
    alone = place / "alone.csv"
    alone.write_text((place / "answers.csv").read_text() + "1,1,1,9,99," + "," * 9 + "\n")
    lonely = f"{alone} {WARNER}--answer said --strata s --lonely-psu "
    errors = {how: ask(lonely + how)["se"] for how in ("certainty", "centred", "average")}
    assert errors["certainty"] < min(errors["centred"], errors["average"])
    assert len(set(errors.values())) == 3


@effect("--by", "--formula")
def _groups(ask: Ask, place: Path) -> None:
    columns = answers(place)
    file = f"{place / 'answers.csv'} {WARNER}--answer said "
    means = {name: columns["said"][columns["region"] == name].mean() for name in "ns"}
    found = {one["group"]: one["estimate"] for one in ask(file + "--by region")["groups"]}
    assert found == near({name: warner(mean) for name, mean in means.items()})
    terms = ask(file + "--formula region")["regression"]["terms"]
    inner = {name: warner(mean) for name, mean in means.items()}
    if all(0 < share < 1 for share in inner.values()):
        north, south = (log(share / (1 - share)) for share in (inner["n"], inner["s"]))
        assert terms[0]["coefficient"] == near(north, 1e-5)
        assert terms[1]["coefficient"] == near(south - north, 1e-5)


@effect("--group", "--groups")
def _two_groups(ask: Ask, place: Path) -> None:
    columns = answers(place)
    file = f"{place / 'answers.csv'} --design unrelated_two_samples --set p1=3/4 --set p2=1/4 "
    first, second = (columns["said"][columns["version"] == name].mean() for name in "AB")
    words = file + "--answer said --group version "
    # pi = ((1 - p2) l1 - (1 - p1) l2) / (p1 - p2).
    assert ask(words)["estimate"] == near((0.75 * first - 0.25 * second) / 0.5)
    assert ask(words + "--groups B,A")["estimate"] == near((0.75 * second - 0.25 * first) / 0.5)


@effect("--anchor")
def _anchor(ask: Ask, place: Path) -> None:
    columns = answers(place)
    file = f"{place / 'answers.csv'} --design anchored_crosswise --set p=3/4 --set anchor=4/5 "
    counts = ",".join(f"{columns[name].sum()}/{ROWS}" for name in ("said", "again"))
    found = ask(file + "--answer said --anchor again")
    counted = ask(f"--design anchored_crosswise --set p=3/4 --set anchor=4/5 --counts {counts}")
    assert found["estimate"] == near(counted["estimate"])


@effect("--a", "--b")
def _own_chances(ask: Ask, place: Path) -> None:
    columns = answers(place)
    found = ask(f"{place / 'answers.csv'} --answer said --a a --b b")
    scores = (columns["said"] - columns["b"]) / (columns["a"] - columns["b"])
    assert found["estimate"] == near(scores.mean())
    assert found["epsilon"] == near(log(8))


@effect("--direct")
def _direct(ask: Ask, place: Path) -> None:
    columns = answers(place)
    found = ask(f"{place / 'answers.csv'} {WARNER}--answer said --direct how=open")
    direct = columns["how"] == "open"
    assert found["asked_directly"] == direct.sum()
    assert found["contrast"]["direct"]["estimate"] == near(columns["said"][direct].mean())
    randomized = warner(columns["said"][~direct].mean())
    assert found["contrast"]["randomized"]["estimate"] == near(randomized)


@effect("--categories")
def _categories(ask: Ask, place: Path) -> None:
    columns = answers(place)
    file = f"{place / 'answers.csv'} --design forced_categories --set orders=1/12,1/6,1/4 "
    for names in (("blue", "green", "red"), ("red", "blue", "green")):
        found = ask(f"{file}--answer kind --categories {','.join(names)}")
        said = [(columns["kind"] == name).mean() for name in names]
        wanted = [2 * (share - order) for share, order in zip(said, ORDERS, strict=True)]
        assert [one["estimate"] for one in found["shares"]] == near(wanted)


@effect("--scores", "--memo", "--wording", "--paper")
def _files(ask: Ask, place: Path) -> None:
    columns = answers(place)
    scores, memo = place / "scores.csv", place / "memo.html"
    file = f"{place / 'answers.csv'} {WARNER}--answer said "
    ask(f"{file}--scores {scores} --memo {memo} --wording Stolen?")
    with scores.open(newline="") as read:
        found = [float(row["score"]) for row in csv.DictReader(read)]
    assert found == near(warner(columns["said"]).tolist())
    assert "Stolen?" in memo.read_text(encoding="utf-8")
    for paper in ("a4", "letter"):
        ask(f"{file}--memo {place / paper}.pdf --paper {paper}")
        assert paper_of(place / f"{paper}.pdf") == paper


@effect("--device")
def _device(ask: Ask, place: Path) -> None:
    found = ask("--design warner --set p=5/6 --counts 60/200 --device die")
    assert found["device"]["name"] == "die"


@pytest.mark.parametrize("check", dict.fromkeys(ESTIMATES.values()), ids=lambda one: one.__name__)
def test_that_an_option_does_what_it_says(
    check: Callable[[Ask, Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def ask(words: str) -> Any:
        assert main(["survey", "estimate", *words.split(), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    check(ask, tmp_path)
