"""Losses that commands print, against the losses themselves: no bound is printed below it."""

from __future__ import annotations

import json
import re
from math import exp, log, sqrt
from pathlib import Path
from statistics import NormalDist

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.survey.results import loss_lines
from dpdesk.cli.survey.texts import T
from dpdesk.designs import YesNoDesign, design_named, loss_of
from dpdesk.designs.scrambling import Additive, BarLev, Multiplicative
from dpdesk.i18n import Text
from dpdesk.numbers import bound_text, rounded_down
from dpdesk.numbers.digits import epsilon_up
from dpdesk.plan import load_plan
from tests.cli.sentences import told_by_label
from tests.designs.cases import ALL
from tests.reports.true_numbers import is_rounded_up, losses_of, numbers_after

EPSILONS = ("0.3", "1", "ln2", "ln3", "ln7", "2.7", "4.4")
BOUNDED = [design for design in ALL if loss_of(design.groups).ratio is not None]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    rows = [
        f"{'yes' if i % 4 else 'no'},{i * i % 5},{'rare' if i % 11 == 0 else 'common'}"
        for i in range(200)
    ]
    path = tmp_path_factory.mktemp("losses") / "survey.csv"
    path.write_text("\n".join(["smokes,class,kind", *rows]) + "\n", encoding="utf-8")
    return str(path)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def nominal(word: str) -> float:
    return log(int(word[2:])) if word.startswith("ln") else float(word)


@pytest.mark.parametrize("strategy", ["rsfd", "rsrfd"])
@pytest.mark.parametrize("total", ["0.3", "1", "2.345678901234"])
def test_that_a_draft_prints_no_less_than_its_plan_loses(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], strategy: str, total: str
) -> None:
    plan = tmp_path / "plan.json"
    said = printed(
        capsys, "draft", data, "-o", str(plan), "--strategy", strategy, "--drop", "class",
        "--epsilon", total, "--expected", "smokes=1,3", "--expected", "kind=1,10",
    )  # fmt: skip
    losses = losses_of(load_plan(plan))
    (total,) = numbers_after("Total epsilon: ", said)
    # Four decimals, rounded up.
    assert is_rounded_up(total, losses.record, 1e-4)
    (alone,) = numbers_after("of a single attribute: ", said)
    assert is_rounded_up(alone, losses.largest_alone, 0.001003)


@pytest.mark.parametrize("command", ["attack", "experiment"])
def test_that_a_simulation_prints_no_less_than_a_whole_record_loses(
    data: str, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    few = {
        "attack": ("--variants", "grr"),
        "experiment": ("--strategies", "spl,smp,grr", "--repetitions", "2"),
    }[command]
    said = printed(capsys, command, data, *few, "--epsilons", ",".join(EPSILONS))
    # Three attributes, one of which is real, run at ln(d (e^epsilon - 1) + 1).
    exact = [log(3 * (exp(nominal(word)) - 1) + 1) for word in EPSILONS]
    if command == "attack":
        lines = [line for line in said.splitlines() if line.startswith("RS+FD")]
        stated = [float(re.split(r"\s{2,}", line)[2]) for line in lines]
    else:
        stated = [
            numbers_after(f"{word.replace('ln', 'ln ')}: ", said)[0] for word in EPSILONS
        ]  # fmt: skip
    assert len(stated) == len(exact)
    for bound, loss in zip(stated, exact, strict=True):
        assert is_rounded_up(bound, loss, 0.001)


def beside(label: Text, said: str) -> float:
    """The number that stands beside a label."""
    return float(told_by_label(said)[label()])


@pytest.mark.parametrize("design", BOUNDED, ids=repr)
def test_that_what_an_answer_discloses_is_never_printed_as_less(
    design: YesNoDesign,
) -> None:
    laws = [(row, group) for group in design.groups for row in zip(*group.law, strict=True)]
    ratios = [float(max(chances) / min(chances)) for chances, _ in laws if max(chances)]
    _, loss, *answers = [line.values for line in loss_lines(loss_of(design.groups))]
    assert is_rounded_up(float(loss["epsilon"]), log(max(ratios)), 1e-3)
    factor = float(loss["factor"].replace(",", ""))
    assert is_rounded_up(factor, max(ratios), 1.1e-3 * max(ratios))
    stated = [float(answer["factor"].replace(",", "")) for answer in answers]
    for one, ratio in zip(stated, [r for r in ratios if r > 1], strict=True):
        assert is_rounded_up(one, ratio, 1.1e-3 * ratio)


@pytest.mark.parametrize("prevalence", ["0.07", "0.3"])
@pytest.mark.parametrize("word", ["warner", "forced", "singh_joarder", "unrelated"])
def test_that_beliefs_of_a_plan_hold_what_answers_make_of_them(
    capsys: pytest.CaptureFixture[str], word: str, prevalence: str
) -> None:
    example = design_named(word).example()
    settings = [
        part
        for parameter in example.parameters()
        for part in ("--set", f"{parameter.name}={getattr(example, parameter.name)}")
    ]
    said = printed(
        capsys, "survey", "plan", "--design", word, *settings, "--prevalence", prevalence,
        "--respondents", "700",
    )  # fmt: skip
    carrier, other = example.groups[0].law[:2]
    share = float(prevalence)
    epsilon = max(abs(log(a / b)) for a, b in zip(carrier, other, strict=True))
    beliefs = [share * x / (share * x + 1 - share) for x in (exp(-epsilon), exp(epsilon))]
    assert is_rounded_up(beside(T.EPSILON, said), epsilon, 1e-3)
    most, least = beside(T.HIGHEST_BELIEF, said), beside(T.LOWEST_BELIEF, said)
    assert is_rounded_up(most, beliefs[1], 1.1e-5)
    assert beliefs[0] - 1.1e-5 <= least <= beliefs[0] * (1 + 1e-12)


@pytest.mark.parametrize("cap", ["0.2", "0.37", "0.5", "0.9"])
def test_that_an_epsilon_under_a_cap_stays_under_it_as_printed(
    capsys: pytest.CaptureFixture[str], cap: str
) -> None:
    odds = str(10 * float(cap))
    said = printed(
        capsys, "survey", "plan", "--belief", cap, "--odds", odds, "--prevalence", "0.07"
    )  # fmt: skip
    epsilon = beside(T.EPSILON_FOR_BELIEF, said)
    believed, more = (0.07 * exp(e) / (0.07 * exp(e) + 0.93) for e in (epsilon, epsilon + 1e-3))
    assert believed <= float(cap) * (1 + 1e-12) < more
    epsilon = beside(T.EPSILON_FOR_ODDS, said)
    assert float(odds) * exp(-1e-3) < exp(epsilon) <= float(odds) * (1 + 1e-12)


@pytest.mark.parametrize("margin", ["0.02", "0.03", "0.041", "0.05"])
def test_that_the_least_epsilon_reaches_its_margin_as_printed(
    capsys: pytest.CaptureFixture[str], margin: str
) -> None:
    said = printed(
        capsys, "survey", "plan", "--margin", margin, "--respondents", "5000",
        "--prevalence", "0.1",
    )  # fmt: skip
    epsilon = beside(T.EPSILON_FOR_MARGIN, said)

    def margin_at(epsilon: float) -> float:
        yes = exp(epsilon) / (1 + exp(epsilon))
        said_yes = 0.1 * yes + 0.9 * (1 - yes)
        variance = said_yes * (1 - said_yes) / (2 * yes - 1) ** 2
        return NormalDist().inv_cdf(0.975) * sqrt(variance / 5000)

    assert margin_at(epsilon) <= float(margin) * (1 + 1e-9) < margin_at(epsilon - 1e-3)


@pytest.mark.parametrize("upper", [10, 17, 23.7, 99])
def test_that_a_device_for_numbers_is_said_to_lose_no_less_than_it_does(upper: float) -> None:
    laplace = Additive(lower=1, upper=upper, scale=7)
    factors = Multiplicative(lower=1, upper=upper, scale=0.21)
    mixed = BarLev(lower=1, upper=upper, scale=0.21)
    exact = {laplace: (upper - 1) / 7, factors: log(upper) / 0.21, mixed: log(upper) / 0.21}
    for design, epsilon in exact.items():
        (stated,) = [
            *numbers_after("epsilon ", design.loss.sentence),
            *numbers_after("epsilon is ", design.loss.sentence),
        ]
        assert is_rounded_up(stated, epsilon, 1e-3)
    # Noise around the two ends overlaps but for a part as wide as the range.
    uniform = Additive(lower=1, upper=upper, scale=111, noise="uniform")
    (stated,) = numbers_after("delta ", uniform.loss.sentence)
    assert is_rounded_up(stated, (upper - 1) / 222, 1.1e-5)


@pytest.mark.parametrize("epsilon", ["0.7", "1", "2.345678901"])
def test_that_certified_epsilons_are_printed_as_no_less_than_they_are(
    capsys: pytest.CaptureFixture[str], epsilon: str
) -> None:
    words = ("mechanisms", "--domain-size", "5", "--epsilon", epsilon)
    entries = json.loads(printed(capsys, *words, "--json"))
    lines = [line for line in printed(capsys, *words).splitlines() if line.startswith(" ")]
    assert len(lines) == len(entries)
    compared = 0
    for line, entry in zip(lines, entries, strict=True):
        for key in (key for key in entry if key.endswith("epsilon") and f" {key} " in line):
            compared += 1
            (stated,) = numbers_after(f" {key} ", line)
            assert is_rounded_up(stated, float(entry[key]), 1e-5)
    assert compared >= len(entries)


@pytest.mark.parametrize("loss", [0.75, 0.7500000004, 1.0000000001, 0.1 + 0.2, log(3), 11.9999])
def test_that_no_rounding_takes_a_loss_below_itself(loss: float) -> None:
    for stated, room in ((epsilon_up(loss), 0.001), (bound_text(loss), 1e-5 * loss)):
        assert is_rounded_up(float(stated), loss, room)
    assert loss * (1 - 1e-5) <= rounded_down(loss, 6) <= loss * (1 + 1e-12)
    assert (epsilon_up(0.75), bound_text(0.1 + 0.2)) == ("0.75", "0.3")
