"""Sentences of strata and of a questionnaire in the planning memo, against plans done by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp, log, sqrt
from statistics import NormalDist
from typing import get_args

import pytest

from dpdesk.designs import Design
from dpdesk.designs.forced import Forced
from dpdesk.designs.kuk import Kuk
from dpdesk.designs.planning import (
    Allocation,
    Question,
    Share,
    Split,
    Stratum,
    allocate,
    plan_of_questionnaire,
    plan_of_strata,
)
from dpdesk.designs.unrelated import Unrelated
from dpdesk.designs.warner import WarnerDesign
from dpdesk.reports.survey import PlannedQuestions, PlannedStrata, ShareMemo, SharesMemo, memo_html
from dpdesk.reports.survey.sample_plan import SPLITS, PlanSection, questions_section, strata_section
from dpdesk.reports.survey.texts import T
from tests.reports.test_true_survey_papers import SEVERAL, words
from tests.reports.true_numbers import is_rounded_up, numbers_after, only, plain
from tests.texts import only_said, values_in

Z = NormalDist().inv_cdf(0.975)
P = Fraction(3, 4)
ALLOCATIONS = (*get_args(Allocation), "by_hand")
PARTS = {
    "even": (Stratum(0.5, Share(0.1)), Stratum(0.5, Share(0.1))),
    "two": (Stratum(0.6, Share(0.05)), Stratum(0.4, Share(0.325))),
    "three": (Stratum(0.5, Share(0.05)), Stratum(0.3, Share(0.1)), Stratum(0.2, Share(0.25))),
    "a small one": (Stratum(0.99, Share(0.1)), Stratum(0.01, Share(0.4))),
}
KINDS: tuple[type[Design], ...] = (WarnerDesign, Forced, Unrelated, Kuk)
# With an innocent share of one half this is Warner's channel as well.
HALF = Unrelated(p=Fraction(1, 2), q=Fraction(1, 2))
ASKED = {
    "alike": (Question(Share(0.1), 0.05), Question(Share(0.1), 0.05)),
    "unlike": (Question(Share(0.125), 0.04, 3.0), Question(Share(0.3), 0.09, 1.0)),
    "three": (
        Question(Share(0.05), 0.03),
        Question(Share(0.2), 0.06, 2.5),
        Question(Share(0.4), 0.1),
    ),
}
BUDGETS = (1.5, 2.00449, 3.3333333)


def variance_of(prevalence: float, truth: float) -> float:
    """n times the variance of the share by Warner's device, from the law of the answers yes."""
    yes = prevalence * truth + (1 - prevalence) * (1 - truth)
    return yes * (1 - yes) / (2 * truth - 1) ** 2


def margins_of(strata: tuple[Stratum, ...], counts: tuple[int, ...]) -> tuple[float, list[float]]:
    """Half-width of the whole, and of each stratum."""
    each = [variance_of(s.people.value, float(P)) / n for s, n in zip(strata, counts, strict=True)]
    whole = sum(s.share**2 * v for s, v in zip(strata, each, strict=True))
    return Z * sqrt(whole), [Z * sqrt(v) for v in each]


def points(text: str) -> float:
    return float(plain(text).removeprefix("± ").removesuffix(" pp")) / 100


def percent(text: str) -> float:
    return float(plain(text).removesuffix(" %")) / 100


def strata_of(parts: str, allocation: str, people: int = 200) -> tuple[PlannedStrata, PlanSection]:
    strata, design = PARTS[parts], WarnerDesign(p=P)
    counts = (
        tuple(20 + 7 * i for i in range(len(strata)))
        if allocation == "by_hand"
        else allocate(design, strata, people, allocation)
    )
    plan = plan_of_strata(design, strata, counts)
    found = PlannedStrata(("",) * len(strata), strata, plan, allocation, 0.95)
    return found, strata_section(found)


@pytest.mark.parametrize("allocation", ALLOCATIONS)
@pytest.mark.parametrize("parts", PARTS)
def test_that_margins_of_strata_are_those_of_their_answers(parts: str, allocation: str) -> None:
    found, section = strata_of(parts, allocation)
    counts = found.plan.respondents
    whole, each = margins_of(found.strata, counts)
    overall = sum(s.share * s.people.value for s in found.strata)
    alike = Z * sqrt(variance_of(overall, float(P)) / sum(counts))
    (planned,) = values_in(T.STRATA, section.sentences[0])
    (drawn_alike,) = values_in(T.UNSTRATIFIED, section.sentences[0])
    assert (planned["count"], planned["strata"]) == (str(sum(counts)), str(len(counts)))
    stated = [points(planned["margin"]), points(drawn_alike["margin"])]
    assert stated == pytest.approx([whole, alike], rel=0.051)
    assert planned["percent"] == "95 %"
    for row, stratum, n, own in zip(section.rows, found.strata, counts, each, strict=False):
        assert [percent(row[1]), percent(row[2])] == pytest.approx(
            [stratum.share, stratum.people.value], rel=1e-5
        )
        assert row[3] == str(n)
        assert points(row[4]) == pytest.approx(own, rel=0.051)
    assert percent(section.rows[-1][2]) == pytest.approx(overall, rel=1e-5)
    assert points(section.rows[-1][4]) == stated[0]


@pytest.mark.parametrize("allocation", ALLOCATIONS)
@pytest.mark.parametrize("parts", PARTS)
@pytest.mark.parametrize("people", [9, 41, 200])
def test_that_the_allocation_is_the_one_that_is_named(
    parts: str, allocation: str, people: int
) -> None:
    if people < 4 * len(PARTS[parts]):
        people = 2 * len(PARTS[parts]) + 1
    found, section = strata_of(parts, allocation, people)
    counts, said = found.plan.respondents, section.sentences[1]
    names = {"neyman": T.BY_NEYMAN, "proportional": T.IN_PROPORTION, "by_hand": T.BY_HAND}
    assert only_said(names.values(), said) == [names[allocation]]
    if allocation == "by_hand":
        assert said == T.BY_HAND()
        return
    weights = [
        s.share
        * (1 if allocation == "proportional" else sqrt(variance_of(s.people.value, float(P))))
        for s in found.strata
    ]
    ideal = [people * weight / sum(weights) for weight in weights]
    follows = all(abs(n - i) <= 1 for n, i in zip(counts, ideal, strict=True))
    least = [int(values["least"]) for values in values_in(T.NOT_FEWER, said)]
    assert least == ([] if follows else [min(counts)])
    # The least that an answer's variance can be told from: two of each group.
    assert least in ([], [2])
    if allocation == "neyman":
        others = (c for c in product(range(2, people), repeat=len(counts)) if sum(c) == people)
        best = min(margins_of(found.strata, c)[0] for c in others) if people < 50 else 0.0
        reached = margins_of(found.strata, counts)[0]
        # Whole numbers may be off by a part of one respondent of the smallest stratum.
        assert reached <= best * (1 + 0.02) or people >= 50


def test_that_both_kinds_of_allocation_occur() -> None:
    said = {strata_of("a small one", rule, n)[1].sentences[1] for rule in ALLOCATIONS[:2]
            for n in (41, 1000)}  # fmt: skip
    assert len(said) == 4


def questions_of(
    asked: str, split: str, kind: type[Design], budget: float
) -> tuple[PlannedQuestions, PlanSection]:
    design = HALF if kind is Unrelated else kind.example()
    plan = plan_of_questionnaire(design, ASKED[asked], budget, split)
    found = PlannedQuestions(("",) * len(ASKED[asked]), plan, split, budget, 0.95)
    return found, questions_section(found)


def needed(question: Question, epsilon: float) -> float:
    """Respondents of Warner's device at an epsilon who reach the margin."""
    truth = exp(epsilon) / (1 + exp(epsilon))
    return variance_of(question.people.value, truth) * (Z / question.margin) ** 2


def ratio_of(kind: type[Design], parameters: dict[str, Fraction]) -> float:
    """The largest ratio of the chances of an answer, by what the devices do."""
    if kind is WarnerDesign:
        yes, no = parameters["p"], 1 - parameters["p"]
    elif kind is Forced:
        yes, no = 1 - parameters["forced_no"], parameters["forced_yes"]
    elif kind is Unrelated:
        p, q = parameters["p"], parameters["q"]
        yes, no = p + (1 - p) * q, (1 - p) * q
    else:
        yes, no = parameters["p1"], parameters["p2"]
        assert parameters.get("draws", Fraction(1)) == 1
    return float(max(yes / no, (1 - no) / (1 - yes)))


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("split", get_args(Split))
@pytest.mark.parametrize("asked", ASKED)
def test_that_devices_and_losses_of_a_questionnaire_are_as_stated(
    asked: str, split: str, kind: type[Design], budget: float
) -> None:
    found, section = questions_of(asked, split, kind, budget)
    spent, people = 0.0, found.plan.respondents
    sample, lost, *_ = section.sentences
    for row, question in zip(section.rows, ASKED[asked], strict=True):
        written = dict(part.split(" = ") for part in row[4].split(", "))
        epsilon = log(ratio_of(kind, {name: Fraction(text) for name, text in written.items()}))
        # Who builds the device from the memo loses no more than the memo says.
        assert is_rounded_up(float(row[3]), epsilon, 0.001)
        spent += epsilon
        assert percent(row[1]) == pytest.approx(question.people.value, rel=1e-5)
        assert points(row[2]) == pytest.approx(question.margin, rel=0.051)
        truth = exp(epsilon) / (1 + exp(epsilon))
        margin = Z * sqrt(variance_of(question.people.value, truth) / people)
        assert margin <= question.margin * (1 + 1e-9)
        assert points(row[5]) == pytest.approx(margin, rel=0.051)
    assert sample == T.QUESTIONNAIRE(count=people, questions=len(ASKED[asked]), percent="95\u00a0%")
    (stated,) = values_in(T.ALL_ANSWERS_LOSE, lost)
    assert is_rounded_up(float(stated["epsilon"]), spent, 0.001)
    assert float(stated["budget"]) == budget
    assert spent <= budget
    assert section.sentences[2].endswith(T.OWN_DEVICE(kind=kind.title))


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("split", get_args(Split))
@pytest.mark.parametrize("asked", ASKED)
def test_that_the_budget_is_split_as_it_is_said(asked: str, split: str, budget: float) -> None:
    found, section = questions_of(asked, split, WarnerDesign, budget)
    said, questions = section.sentences[2], ASKED[asked]
    assert only(list(SPLITS.values()), [SPLITS[split]], said)
    parts = [planned.epsilon / budget for planned in found.plan.questions]
    if split != "least":
        weights = [1.0 if split == "equal" else q.weight for q in questions]
        assert parts == pytest.approx([w / sum(weights) for w in weights], abs=1e-5)
        return
    steps = range(1, 60)
    tried = (
        max(
            needed(question, budget * step / sum(chosen))
            for question, step in zip(questions, chosen, strict=True)
        )
        for chosen in product(steps, repeat=len(questions) - 1)
        for chosen in [(*chosen, 30)]
    )
    assert found.plan.respondents <= min(tried) * (1 + 1e-4) + 1


@pytest.mark.parametrize("share", [0.125, 0.0725, 1 / 3, 0.0004, 0.30005])
def test_that_a_share_that_was_typed_is_told_as_it_was(share: float) -> None:
    request = ShareMemo(
        question="",
        design=WarnerDesign(p=P),
        prevalence=share,
        respondents=500,
        against=share / 2,
        denial=share / 4,
    )
    text = words(memo_html(request))
    for before, told in (
        ("Expected share ", share),
        ("Before any answer, ", share),
        ("Power against ", share / 2),
        ("If ", share / 4),
    ):
        stated = numbers_after(before, text)
        assert any(number == pytest.approx(100 * told, rel=1e-5) for number in stated), before
    several = SharesMemo(
        question="", design=SEVERAL[0], names=(), shares=(share, 1 - share, 0.0), respondents=500
    )
    text = words(memo_html(several))
    assert f" {100 * share:.6g} % ±" in text
    assert " 0 % ±" in text
