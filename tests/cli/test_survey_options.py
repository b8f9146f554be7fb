"""Every option of `dpdesk survey` does what it says, by numbers that the test works out."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import ceil, exp, log, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from dpdesk.cli.main import main
from dpdesk.cli.run import runnable
from tests.cli.test_survey_estimate_options import ESTIMATES, paper_of

Z = NormalDist().inv_cdf(0.975)
WARNER = "--design warner --set p=3/4 "
TENTH = WARNER + "--prevalence 0.1 "
V = 0.09 + 0.75
"""n times the variance at a share of 10 %: pi (1 - pi) + x / (x - 1)^2 with x = 3."""
MATRIX = "--design matrix --set rows=8/10,1/10,1/10;2/10,6/10,2/10;1/10,3/10,6/10 "
NUMBER = "--design additive --set scale=2 --set lower=0 --set upper=10 "
OF_EVERY_COMMAND = {"--json", "--quiet", "--overwrite", "--help"}

Ask = Callable[[str], Any]
EFFECTS: dict[tuple[str, str], Callable[[Ask, Path], None]] = {}


def effect(
    command: str, *options: str
) -> Callable[[Callable[[Ask, Path], None]], Callable[[Ask, Path], None]]:
    def register(check: Callable[[Ask, Path], None]) -> Callable[[Ask, Path], None]:
        for option in options:
            EFFECTS[command, option] = check
        return check

    return register


def near(value: float, rel: float = 1e-6) -> Any:
    return pytest.approx(value, rel=rel)


@effect("plan", "--design", "--set", "--prevalence", "--respondents", "--confidence")
def _margin(ask: Ask, place: Path) -> None:
    plan = "plan --prevalence 0.2 --respondents 900 --design warner --set p=4/5 "
    variance = 0.16 + 0.16 / 0.36
    assert ask(plan)["margin"] == near(Z * sqrt(variance / 900))
    z = NormalDist().inv_cdf(0.95)
    assert ask(plan + "--confidence 0.9")["margin"] == near(z * sqrt(variance / 900))


@effect("plan", "--margin", "--population", "--weights-cv")
def _respondents(ask: Ask, place: Path) -> None:
    plan, target = f"plan {TENTH}--margin 0.05 ", (0.05 / Z) ** 2
    assert ask(plan)["n"] == ceil(V / target)
    assert ask(plan + "--weights-cv 0.5")["n"] == ceil(1.25 * V / target)
    spread = 0.09 * 3000 / 2999
    assert ask(plan + "--population 3000")["n"] == ceil((spread + 0.75) / (target + spread / 3000))


@effect("plan", "--epsilon", "--device")
def _epsilon(ask: Ask, place: Path) -> None:
    plan = "plan --prevalence 0.1 --respondents 900 --epsilon 1.7 "
    x = exp(1.7)
    assert ask(plan)["margin"] == near(Z * sqrt((0.09 + x / (x - 1) ** 2) / 900), 1e-4)
    die = ask(plan + "--device die")
    assert die["design"]["p"] == "5/6"
    assert die["margin"] == near(Z * sqrt((0.09 + 5 / 16) / 900))


@effect("plan", "--against", "--power", "--alpha", "--two-sided", "--second-group")
def _power(ask: Ask, place: Path) -> None:
    def needed(alpha: float, power: float = 0.8) -> float:
        # Both lambdas: .25 + .5 pi.
        first, second = (2 * sqrt(share * (1 - share)) for share in (0.35, 0.3))
        z_alpha, z_beta = NormalDist().inv_cdf(1 - alpha), NormalDist().inv_cdf(power)
        return ((z_alpha * first + z_beta * second) / 0.1) ** 2

    plan = f"plan {TENTH}--against 0.2 --power 0.8 "
    assert ask(plan)["n"] == pytest.approx(ceil(needed(0.05)), abs=1)
    assert ask(plan + "--alpha 0.01")["n"] == pytest.approx(ceil(needed(0.01)), abs=1)
    assert ask(plan + "--two-sided")["n"] == pytest.approx(ceil(needed(0.025)), abs=1)
    assert ask(f"plan {TENTH}--against 0.2 --power 0.9")["n"] == pytest.approx(
        ceil(needed(0.05, 0.9)), abs=1
    )
    z = NormalDist().inv_cdf(0.95), NormalDist().inv_cdf(0.8)
    both = {}
    for group, other in (("device", 0.16 + 0.75), ("direct", 0.16)):
        (both[group],) = {ask(plan + f"--second-group {group}")["n"]}
        alone = (sum(z) / 0.1) ** 2 * (V + other)
        assert both[group] == pytest.approx(alone, rel=0.05)
    assert both["direct"] < both["device"]


@effect("plan", "--belief", "--odds")
def _beliefs(ask: Ask, place: Path) -> None:
    found = ask("plan --prevalence 0.1 --belief 0.5")["epsilon_for_belief"]
    assert found == near(log(0.5 * 0.9 / (0.5 * 0.1)))
    assert ask("plan --odds 5")["epsilon_for_odds"] == near(log(5))


@effect("plan", "--denial")
def _denial(ask: Ask, place: Path) -> None:
    found = ask(f"plan {TENTH}--margin 0.05 --denial 0.5")["beats_direct_from"]
    # (V_RR - V_DQ) / (pi u)^2, direct questions showing a share of 5 %.
    assert found == pytest.approx((V - 0.05 * 0.95) / 0.05**2, abs=1)


@effect("plan", "--stratum", "--allocation")
def _strata(ask: Ask, place: Path) -> None:
    plan = f"plan {WARNER}--stratum 0.3:0.1 --stratum 0.7:0.5 --respondents 1000 "
    shares, variances = np.array([0.3, 0.7]), np.array([V, 1.0])
    for word, weights in (("proportional", shares), ("neyman", shares * np.sqrt(variances))):
        found = ask(f"{plan}--allocation {word}")
        people = np.array([stratum["n"] for stratum in found["strata"]])
        assert people == pytest.approx(1000 * weights / weights.sum(), abs=1)
        assert found["margin"] == near(Z * sqrt((shares**2 * variances / people).sum()))
        assert found["prevalence"] == near(0.38)


@effect("plan", "--question", "--split")
def _questions(ask: Ask, place: Path) -> None:
    plan = "plan --question 0.1:0.05 --question 0.3:0.1:2 --epsilon 2 --split "
    found = {word: ask(plan + word) for word in ("equal", "weighted", "least")}
    epsilons = {key: [q["epsilon"] for q in one["questions"]] for key, one in found.items()}
    assert epsilons["equal"] == pytest.approx([1, 1], abs=1e-4)
    assert epsilons["weighted"] == pytest.approx([2 / 3, 4 / 3], abs=1e-4)
    assert sum(epsilons["least"]) <= 2
    for key, one in found.items():
        needed = []
        for epsilon, share, margin in zip(epsilons[key], (0.1, 0.3), (0.05, 0.1), strict=True):
            noise = exp(epsilon) / (exp(epsilon) - 1) ** 2
            needed.append((share * (1 - share) + noise) / (margin / Z) ** 2)
        assert one["n"] == pytest.approx(max(needed), rel=2e-3)
    assert found["least"]["n"] < min(found["equal"]["n"], found["weighted"]["n"])


@effect("plan", "--shares", "--look")
def _answers(ask: Ask, place: Path) -> None:
    law = np.array([[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]])
    shares, scores = np.array([0.5, 0.3, 0.2]), np.linalg.inv(law)
    spread = shares @ law @ scores**2 - shares**2
    plan = f"plan {MATRIX}--shares 0.5,0.3,0.2 --respondents 900 "
    for look, place_of in (("", 2), ("--look 1", 0), ("--look 2", 1)):
        assert ask(plan + look)["margin"] == near(Z * sqrt(spread[place_of] / 900))


@effect("plan", "--mean", "--deviation")
def _numbers(ask: Ask, place: Path) -> None:
    plan = f"plan {NUMBER}--mean 5 --respondents 400 --deviation "
    for deviation in (2, 3):
        assert ask(plan + str(deviation))["margin"] == near(Z * sqrt((deviation**2 + 8) / 400))
    tested = f"plan {NUMBER}--deviation 2 --against 4 --power 0.8 --mean "
    z = NormalDist().inv_cdf(0.95) + NormalDist().inv_cdf(0.8)
    for mean in (5, 6):
        assert ask(tested + str(mean))["n"] == pytest.approx((z / (mean - 4)) ** 2 * 12, abs=1)


@effect("plan", "--memo", "--wording", "--paper")
def _memo(ask: Ask, place: Path) -> None:
    memo = place / "memo.html"
    ask(f"plan {TENTH}--respondents 900 --memo {memo} --wording Stolen?")
    text = memo.read_text(encoding="utf-8")
    assert "Stolen?" in text
    assert f"± {100 * Z * sqrt(V / 900):.1f}" in text.replace("\u00a0", " ")
    papers = _papers(lambda pdf: f"plan {TENTH}--respondents 900 --memo {pdf} --paper ", ask, place)
    assert papers == ["a4", "letter"]


def _papers(words: Callable[[Path], str], ask: Ask, place: Path) -> list[str]:
    papers = []
    for paper in ("a4", "letter"):
        pdf = place / f"{paper}.pdf"
        ask(words(pdf) + paper)
        papers.append(paper_of(pdf))
    return papers


@effect("sheet", "--design", "--set", "--question", "--innocent", "--answer", "--out", "--paper")
def _sheet(ask: Ask, place: Path) -> None:
    page = place / "sheet.html"
    ask(f"sheet --design crosswise --set p=1/6 --question Stolen? --innocent Rain? -o {page}")
    text = page.read_text(encoding="utf-8")
    assert "Stolen?" in text
    assert "Rain?" in text
    page = place / "answers.html"
    names = "".join(f"--answer {name} " for name in ("Red", "Green", "Blue"))
    ask(f"sheet --design forced_categories --set orders=1/6,1/6,1/6 {names}-o {page}")
    text = page.read_text(encoding="utf-8")
    assert all(name in text for name in ("Red", "Green", "Blue"))
    papers = _papers(lambda pdf: f"sheet {WARNER}-o {pdf} --paper ", ask, place)
    assert papers == ["a4", "letter"]


@effect("sheet", "--epsilon", "--device")
def _sheet_of_epsilon(ask: Ask, place: Path) -> None:
    found = ask(f"sheet --epsilon 1.7 --device die -o {place / 'die.html'}")
    assert found["design"]["p"] == "5/6"
    assert found["epsilon"] == near(log(5))


@effect("simulate", "--design", "--set", "--prevalence", "--respondents", "--exact", "--confidence")
def _exact(ask: Ask, place: Path) -> None:
    found = ask("simulate --design warner --set p=4/5 --prevalence 0.2 --respondents 50 --exact")
    assert (found["mean_estimate"], found["bias"]) == pytest.approx((0.2, 0), abs=1e-9)
    assert found["standard_deviation"] == near(sqrt((0.16 + 0.16 / 0.36) / 50))
    wide, narrow = (
        ask(f"simulate {TENTH}--respondents 50 --exact --confidence {level}")["coverage"]
        for level in (0.95, 0.8)
    )
    assert (wide, narrow) == pytest.approx((0.95, 0.8), abs=0.04)


@effect("simulate", "--deny", "--refuse", "--careless")
def _departures(ask: Ask, place: Path) -> None:
    base = f"simulate {TENTH}--respondents 50 --exact "
    # Carriers who deny say no: -c pi p / (2 p - 1). Others who never say yes: -(1 - pi) r b / gap.
    assert ask(base + "--deny 0.3")["bias"] == near(-0.3 * 0.1 * 0.75 / 0.5)
    assert ask(base + "--refuse 0.2")["bias"] == near(-0.2 * 0.9 * 0.25 / 0.5)
    assert ask(base + "--careless 0.2")["bias"] == near(0.2 * (0.5 - 0.1))


@effect("simulate", "--repetitions", "--seed")
def _draws(ask: Ask, place: Path) -> None:
    base = f"simulate {TENTH}--respondents 90 --repetitions 4000 --seed "
    first, again, other = (ask(base + seed) for seed in ("1", "1", "2"))
    assert first == again
    assert first["mean_estimate"] != other["mean_estimate"]
    assert first["repetitions"] == 4000
    assert first["standard_deviation"] == near(sqrt(V / 90), 0.06)


@effect("simulate", "--shares", "--look")
def _simulated_answers(ask: Ask, place: Path) -> None:
    base = f"simulate {MATRIX}--shares 0.5,0.3,0.2 --respondents 500 --seed 1 --repetitions 2000 "
    found = {look: ask(base + look + "--deny 0.5") for look in ("", "--look 1 ")}
    assert found[""] != found["--look 1 "]
    assert (found[""]["look"], found["--look 1 "]["look"]) == (3, 1)


@effect("simulate", "--mean", "--deviation")
def _simulated_numbers(ask: Ask, place: Path) -> None:
    base = f"simulate {NUMBER}--mean 6 --respondents 400 --seed 1 --repetitions 4000 --deviation "
    for deviation in (1, 2):
        found = ask(base + str(deviation))
        assert found["mean_estimate"] == near(6, 0.01)
        assert found["standard_deviation"] == near(sqrt((deviation**2 + 8) / 400), 0.08)


@effect("simulate", "--device")
def _simulated_device(ask: Ask, place: Path) -> None:
    five = "--design warner --set p=5/6 --prevalence 0.1 --respondents 50 --exact --device die"
    assert ask(f"simulate {five}")["device"]["name"] == "die"


def test_that_every_option_of_the_survey_commands_has_its_effect_tested() -> None:
    tested = {*EFFECTS, *(("estimate", option) for option in ESTIMATES)}
    seen = 0
    for command in runnable():
        for action in command.parser()._actions if command.words[0] == "survey" else ():
            names = set(action.option_strings)
            if names and not names & OF_EVERY_COMMAND:
                seen += 1
                assert any((command.name, name) in tested for name in names), (command, names)
    assert seen > 80


@pytest.mark.parametrize("check", dict.fromkeys(EFFECTS.values()), ids=lambda one: one.__name__)
def test_that_an_option_does_what_it_says(
    check: Callable[[Ask, Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def ask(words: str) -> Any:
        assert main(["survey", *words.split(), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    check(ask, tmp_path)
