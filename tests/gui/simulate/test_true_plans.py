"""Strata, questionnaires and denials on the planning tab, against plans worked out by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from math import exp, log, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from dpdesk.designs.crosswise import Crosswise
from dpdesk.designs.devices import BIRTHDAY, another_for_each
from dpdesk.designs.kuk import Kuk
from dpdesk.designs.planning import Goal, Wanted
from dpdesk.gui.pages.simulate.planning.questions_pane import QuestionsPane
from dpdesk.gui.pages.simulate.planning.strata_pane import StrataPane
from dpdesk.gui.pages.simulate.planning.words import PlanWords, found
from dpdesk.gui.pages.simulate.scenario_kinds import ShareScenario
from dpdesk.reports.survey import ShareMemo, memo_html
from tests.gui.simulate.planning_steps import DIE, TWO_COINS, type_into, write
from tests.reports.test_true_survey_papers import words
from tests.reports.true_numbers import is_rounded_up, number, numbers_after, only
from tests.strength import strength_by_odds, strength_in

RULES = {"margin": "neyman"}
CONFIDENCES = (0.9, 0.95)


def z_of(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)


def variance_of(design: object, share: float) -> float:
    """n times the variance of the share, by the chances of yes of a carrier and of another."""
    high, low = {TWO_COINS: (0.75, 0.25), DIE: (5 / 6, 1 / 6)}[design]
    yes = share * high + (1 - share) * low
    return yes * (1 - yes) / (high - low) ** 2


def points(text: str) -> float:
    """A margin such as ± 2.1 pp."""
    return number(text.removeprefix("± ").removesuffix(" pp")) / 100


def told(text: str, exact: float, digits: int) -> bool:
    """Whether a number is told with so many digits, to the nearest."""
    return number(text) == pytest.approx(exact, rel=0.501 * 10.0 ** (1 - digits), abs=1e-12)


def cells(outcome: PlanWords) -> list[dict[str, str]]:
    return [dict(zip(outcome.table.headers, row, strict=True)) for row in outcome.table.rows]


def check_picture(pane: StrataPane | QuestionsPane, expected: list[tuple[str, float, float]]):
    """Names, shares and margins of the picture, of its table and of its description."""
    table = pane.picture.table_data()
    for row, (name, share, margin) in zip(table.rows, expected, strict=True):
        assert row[0] == name
        assert told(row[1].removesuffix(" %"), 100 * share, 3)
        assert points(row[2]) == pytest.approx(margin, rel=0.051)
    assert pane.picture.accessibleDescription().split("; ") == [" ".join(r) for r in table.rows]
    (line,) = pane.picture.getPlotItem().listDataItems()
    y = line.getOriginalDataset()[1]
    drawn = [h for h, after in pairwise(y) if h == after]
    exact = [100 * e for _, s, m in expected for e in (s - m, s, s + m)]
    assert drawn == pytest.approx(exact, rel=1e-6)
    low, high = pane.picture.getPlotItem().getViewBox().viewRange()[1]
    assert low <= min(exact)
    assert high >= max(exact)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("rule", ["neyman", "proportional", "by_hand", "margin"])
@pytest.mark.parametrize("design", [TWO_COINS, DIE], ids=["coins", "die"])
def test_that_strata_come_to_what_is_shown(
    qtbot: QtBot, design: object, rule: str, confidence: float
) -> None:
    pane = StrataPane(ShareScenario())
    qtbot.addWidget(pane)
    people, shares = (6000, 3000, 1000), (0.02, 0.4, 0.00125)
    by_hand = (50, 1000, 450)
    pane.allocation.setCurrentIndex(pane.allocation.findData(RULES.get(rule, rule)))
    pane.allocation.activated.emit(0)
    for row, (size, share, n) in enumerate(zip(people, shares, by_hand, strict=True)):
        write(pane.table, row, 1, f"{size:,}")
        write(pane.table, row, 2, f"{100 * share:g}")
        if rule == "by_hand":
            write(pane.table, row, 3, f"{n}")
    if rule == "margin":
        pane.wanted.setCurrentIndex(1)
        type_into(pane.margin, "2.5", qtbot)
    scenario = ShareScenario().changed(design=design, prevalence=0.1, respondents=1500)
    outcome = pane.plan(scenario, confidence)
    assert isinstance(outcome, PlanWords)

    z = z_of(confidence)
    parts = [size / sum(people) for size in people]
    variances = [variance_of(design, share) for share in shares]
    texts = pane.model.texts()
    counts = [int(number(row[3])) for row in texts]
    each = [z * sqrt(v / n) for v, n in zip(variances, counts, strict=True)]
    whole = z * sqrt(sum(p * p * v / n for p, v, n in zip(parts, variances, counts, strict=True)))
    share = sum(p * s for p, s in zip(parts, shares, strict=True))
    total = sum(counts)
    alike = z * sqrt(variance_of(design, share) / total)
    weights = [p if rule == "proportional" else p * sqrt(v)
               for p, v in zip(parts, variances, strict=True)]  # fmt: skip
    if rule == "by_hand":
        assert tuple(counts) == by_hand
    else:
        ideal = [total * weight / sum(weights) for weight in weights]
        assert np.abs(np.array(counts) - ideal).max() < 1
    if rule == "margin":
        assert whole <= 0.025
        # The best allocation of one less is too wide.
        assert (
            z * sum(p * sqrt(v) for p, v in zip(parts, variances, strict=True)) / sqrt(total - 3)
            > 0.025
        )
    elif rule != "by_hand":
        assert total == 1500

    sure = f"{100 * confidence:g} %"
    said = outcome.sentence.replace("\N{NO-BREAK SPACE}", " ")
    assert said.startswith(f"{total:,} respondents in 3 strata give a margin of ± ")
    assert f"for all ({sure})" in said
    (stated,) = re.findall(r"margin of (± \S+ pp)", said)
    assert points(stated) == pytest.approx(whole, rel=0.051)
    (note,) = outcome.notes
    assert strength_in(outcome.text()) == strength_by_odds(exp(design.loss.epsilon))
    (stated,) = re.findall(r"Without strata as many respondents would give (± \S+ pp)\.", note)
    assert points(stated) == pytest.approx(alike, rel=0.051)
    people_told, margin_told, share_told, saved = outcome.figures
    assert people_told.value == f"{total:,}"
    assert points(margin_told.value) == pytest.approx(whole, rel=0.051)
    assert sure in margin_told.caption.replace("\N{NO-BREAK SPACE}", " ")
    assert told(share_told.value.removesuffix(" %"), 100 * share, 3)
    # Of the respondents that the same margin needs without strata.
    gain = 1 - total / (variance_of(design, share) * (z / whole) ** 2)
    assert told(saved.value.removesuffix(" %"), 100 * abs(gain), 2)
    assert (gain < 0) == (rule == "by_hand")
    assert ("more respondents needed than without" in saved.caption) == (gain < 0)
    assert ("of the respondents saved by strata" in saved.caption) == (gain > 0)
    assert saved.detail == note
    for text, margin in zip(texts, each, strict=True):
        assert points(text[4]) == pytest.approx(margin, rel=0.051)
    names = [text[0] for text in texts]
    check_picture(pane, [*zip(names, shares, each, strict=True), ("All", share, whole)])
    rows = cells(outcome)
    expected = [*zip(names, parts, shares, counts, each, strict=True),
                ("all", 1.0, share, total, whole)]  # fmt: skip
    for row, (name, part, supposed, n, margin) in zip(rows, expected, strict=True):
        assert row["stratum"] == name
        assert [float(row[key]) for key in (
            "share_of_population", "supposed_share", "respondents", "margin", "confidence"
        )] == pytest.approx([part, supposed, n, margin, confidence], rel=1e-8)  # fmt: skip
        assert row["allocation"] == RULES.get(rule, rule)
        assert row["design"] == design.kind
        written = dict(pair.split("=") for pair in row["parameters"].split(", "))
        assert written == {p.name: str(getattr(design, p.name)) for p in design.parameters()}


def test_that_questions_asked_by_a_birthday_say_that_it_serves_one_of_them(qtbot: QtBot) -> None:
    pane = QuestionsPane(ShareScenario())
    qtbot.addWidget(pane)
    for design, told in ((Crosswise(p="1/4"), True), (TWO_COINS, False)):
        outcome = pane.plan(ShareScenario().changed(design=design), 0.95)
        assert isinstance(outcome, PlanWords)
        assert (another_for_each(BIRTHDAY) in outcome.notes) == told


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("split", ["least", "equal", "weighted"])
@pytest.mark.parametrize("budget", ["2", "3.3333"])
@pytest.mark.parametrize("design", [TWO_COINS, DIE, Kuk(p1="7/10", p2="1/5")],
                         ids=["coins", "die", "cards"])  # fmt: skip
def test_that_a_questionnaire_comes_to_what_is_shown(
    qtbot: QtBot, design: object, budget: str, split: str, confidence: float
) -> None:
    pane = QuestionsPane(ShareScenario())
    qtbot.addWidget(pane)
    pane.table.add.click()
    pane.split.setCurrentIndex(pane.split.findData(split))
    type_into(pane.budget, budget, qtbot)
    asked = ((0.1, 0.04, 1.0), (0.3, 0.06, 2.5), (0.0725, 0.09, 0.75))
    for row, (share, margin, weight) in enumerate(asked):
        for column, text in ((1, f"{100 * share:g}"), (2, f"{100 * margin:g}"), (3, f"{weight:g}")):
            write(pane.table, row, column, text)
    scenario = ShareScenario().changed(
        design=design, prevalence=0.5, respondents=1500, question="Have you?"
    )
    pane.plan(scenario, confidence)
    # The page's question and share are there until they are typed over.
    assert pane.model.texts()[0][:2] == ("Have you?", "50 %")
    write(pane.table, 0, 1, "10")
    outcome = pane.plan(scenario, confidence)
    assert isinstance(outcome, PlanWords)

    z, rows, texts = z_of(confidence), cells(outcome), pane.model.texts()
    people, spent, margins = outcome.respondents, 0.0, []
    assert people is not None
    for row, text, (share, wanted, weight) in zip(rows, texts, asked, strict=True):
        epsilon = float(row["epsilon"])
        spent += epsilon
        truth = exp(epsilon) / (1 + exp(epsilon))
        yes = share * truth + (1 - share) * (1 - truth)
        # With the least variance that an epsilon allows, which all of these devices have.
        margin = z * sqrt(yes * (1 - yes) / people) / (2 * truth - 1)
        if design.kind == "kuk":
            written = dict(pair.split("=") for pair in row["parameters"].split(", "))
            (a, b), (c, d) = (map(int, written[k].split("/")) for k in ("p1", "p2"))
            high, low = a / b, c / d
            assert max(log(high / low), log((1 - low) / (1 - high))) == pytest.approx(epsilon)
        margins.append(margin)
        assert is_rounded_up(float(text[4]), epsilon, 0.001)
        assert points(text[5]) == pytest.approx(margin, rel=0.051)
        assert margin <= wanted * (1 + 1e-9)
        assert [float(row[key]) for key in (
            "supposed_share", "margin_wanted", "margin", "respondents", "confidence", "weight"
        )] == pytest.approx(
            [share, wanted, margin, people, confidence, weight if split == "weighted" else 1],
            rel=1e-6,
        )  # fmt: skip
        assert row["design"] == design.kind
    asked_for = float(budget)
    assert spent <= asked_for
    assert spent == pytest.approx(asked_for, abs=2e-4)
    said = outcome.sentence
    assert said.startswith(f"{people:,} respondents reach the margins of all 3 questions")
    (stated,) = numbers_after("more than ε = ", said)
    assert is_rounded_up(stated, spent, 0.001)
    first, second, third, decides = outcome.figures
    assert (first.value, second.value, third.value) == (
        f"{people:,}",
        f"ε {stated:.3f}".removesuffix("0"),
        "3",
    )
    ratios = [m / wanted for m, (_, wanted, _) in zip(margins, asked, strict=True)]
    sure = f"{100 * confidence:g} %"
    caption = decides.caption.replace("\N{NO-BREAK SPACE}", " ")
    assert caption.endswith(sure)
    place = int(numbers_after("margin of question ", caption)[0]) - 1
    assert points(decides.value) == pytest.approx(margins[place], rel=0.051)
    assert ratios[place] == pytest.approx(max(ratios), rel=1e-6)
    # Where it alone decides, it has no room for one respondent less, and the others have.
    assert ("all decide n" in caption, "it decides n" in caption) == (
        split == "least",
        split != "least",
    )
    for ratio in [ratios[place]] if split != "least" else ratios:
        assert ratio * sqrt(people / (people - 1)) > 1 - (2e-3 if split == "least" else 0)
    names = {"equal": "an equal part", "weighted": "by the weights", "least": "the fewest"}
    (note,) = outcome.notes
    assert strength_in(outcome.text()) == strength_by_odds(exp(spent))
    assert only(list(names.values()), [names[split]], note)
    epsilons = [float(row["epsilon"]) for row in rows]
    if split != "least":
        weights = [1.0 if split == "equal" else weight for *_, weight in asked]
        assert epsilons == pytest.approx([asked_for * w / sum(weights) for w in weights], abs=1e-4)
    assert f"Devices: {type(design).title}." in note
    check_picture(pane, [(text[0], share, margin) for text, (share, *_), margin
                         in zip(texts, asked, margins, strict=True)])  # fmt: skip


def errors_at(
    design: object, share: float, denial: float, n: int, population: int | None, cv: float
) -> tuple[float, float]:
    """Root mean squared errors of the design and of a direct question that is denied."""
    left = 1.0 if population is None else (population - n) / (population - 1)
    device = variance_of(design, share) - share * (1 - share)
    seen = share * (1 - denial)
    weighted = 1 + cv**2
    own = weighted * (left * share * (1 - share) + device) / n
    direct = weighted * left * seen * (1 - seen) / n + (share * denial) ** 2
    return sqrt(own), sqrt(direct)


@pytest.mark.parametrize(
    ("population", "cv"), [(None, 0.0), (None, 0.8), (400, 0.0), (5000, 0.0), (150, 0.0), (60, 0.0)]
)
@pytest.mark.parametrize("denial", [0.5, 0.225, 0.96])
@pytest.mark.parametrize("share", [0.1, 0.9])
@pytest.mark.parametrize("design", [TWO_COINS, DIE], ids=["coins", "die"])
def test_that_the_design_errs_less_from_the_number_that_is_told(
    design: object, share: float, denial: float, population: int | None, cv: float
) -> None:
    people = 50
    scenario = ShareScenario().changed(design=design, prevalence=share, respondents=people)
    sample = replace(scenario.survey.sample, population=population, weights_cv=cv)
    outcome = found(scenario, Wanted(Goal.MARGIN, denial=denial), sample)
    note = outcome.notes[-1]
    case = (design, share, denial)
    assert f"If {100 * denial:g} % of the carriers deny" in note
    (low,) = re.findall(r"it is (\S+) pp too low", note)
    assert told(low, 100 * share * denial, 2)
    ((own, direct),) = re.findall(r"n = 50: (\S+) pp against (\S+) pp", note)
    exact = errors_at(*case, people, population, cv)
    assert told(own, 100 * exact[0], 2)
    assert told(direct, 100 * exact[1], 2)
    rows = {row["quantity"]: row["value"] for row in cells(outcome)}
    assert [
        float(rows[f"root mean squared error{of}"]) for of in ("", " of a direct question")
    ] == (pytest.approx(exact, rel=1e-8))
    every = range(2, population + 1 if population else 20_000)
    less = [
        n
        for n in every
        for own, direct in [errors_at(*case, n, population, cv)]
        # At 317 of the coins, both err alike.
        if own <= direct * (1 + 1e-12)
    ]
    (memo,) = re.findall(
        r"deny it when asked directly (the design errs .*?) (?=What|The|Power|$)",
        words(
            memo_html(
                ShareMemo(
                    question="",
                    design=design,
                    prevalence=share,
                    respondents=people,
                    denial=denial,
                    population=population,
                    weights_cv=cv,
                )
            )
        ),
    )
    if less:
        assert less[-1] == every[-1]
        assert less == list(range(less[0], every[-1] + 1))
        assert f"from n = {less[0]:,} on the design errs less" in note
        assert rows["beats a direct question from"] == str(less[0])
        assert memo == f"the design errs less from {less[0]:,} respondents on"
    else:
        assert f"errs more even if all {population:,} people are asked" in note
        assert rows["beats a direct question from"] == "at no number"
        assert memo == f"the design errs more even if all {population:,} people are asked"
