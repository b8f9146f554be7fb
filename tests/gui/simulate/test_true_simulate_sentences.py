"""What the views of the Simulate page say of losses, beliefs and goals, against the laws."""

from __future__ import annotations

import re
from fractions import Fraction
from math import exp, inf, isfinite, log, sqrt
from statistics import NormalDist

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.designs import Count, Design
from dpdesk.designs.anchored_crosswise import AnchoredCrosswise
from dpdesk.designs.forced import Forced
from dpdesk.designs.planning import Goal, Wanted
from dpdesk.designs.scrambling import Additive, Multiplicative
from dpdesk.designs.warner import WarnerDesign
from dpdesk.engine.simulate.attack import AttackOutcome
from dpdesk.gui.pages.risk.results_card import RECORD, AttackModel
from dpdesk.gui.pages.simulate.beliefs_view import BeliefsView
from dpdesk.gui.pages.simulate.disclosure_view import DisclosurePanel
from dpdesk.gui.pages.simulate.number_scenario import MeanScenario
from dpdesk.gui.pages.simulate.number_view import NumberPrivacyView
from dpdesk.gui.pages.simulate.planning.words import found
from dpdesk.gui.pages.simulate.scenario import kept_title
from dpdesk.gui.pages.simulate.scenario_kinds import ShareScenario, SharesScenario
from dpdesk.gui.pages.simulate.solve_rows import QUESTIONS, SEVERAL_QUESTIONS
from dpdesk.gui.pages.simulate.survey_pane import SurveyFigureRow
from dpdesk.numbers.digits import epsilon_up
from tests.designs.cases import ALL, NAMES
from tests.reports.test_true_survey_papers import SEVERAL, answers_of
from tests.reports.true_numbers import is_rounded_up, number, numbers_after, plain

Z = NormalDist().inv_cdf(0.975)
FOLLOWING = [
    (design, name) for design, name in zip(ALL, NAMES, strict=True) if design.epsilon_decides
]
every_design = pytest.mark.parametrize("design", ALL, ids=NAMES)
of_epsilon = pytest.mark.parametrize(
    "design", [design for design, _ in FOLLOWING], ids=[name for _, name in FOLLOWING]
)


def ratio_of(design: Design) -> float:
    """The largest ratio of the chances of an answer, infinite where one is a proof."""
    return max(
        float(max(yes / no, no / yes)) if yes and no else inf
        for _, _, yes, no in answers_of(design)
    )


def belief(text: str) -> float:
    return float(text.strip(" %").lstrip("<>")) / 100


@every_design
@pytest.mark.parametrize("share", [0.02, 0.1, 0.45])
def test_that_what_answers_disclose_is_what_is_said(
    qtbot: QtBot, design: Design, share: float
) -> None:
    view = DisclosurePanel()
    qtbot.addWidget(view)
    scenario = ShareScenario().changed(
        design=design, prevalence=share, repetitions=100, respondents=100
    )
    view.show_scenario(scenario)
    ratio, sentence = ratio_of(design), view.sentence.text()
    if isfinite(ratio):
        (stated,) = numbers_after("eᵋ = ", sentence)
        assert is_rounded_up(stated, ratio, 0.0101 * ratio)
        assert is_rounded_up(float(epsilon_up(scenario.epsilon)), log(ratio), 0.001)
        (stated,) = numbers_after("ε = ", kept_title(scenario))
        assert is_rounded_up(stated, log(ratio), 0.01)
    assert ("Protection: " in sentence) == isfinite(ratio)
    assert bool(view.proofs.text()) != isfinite(ratio)
    beliefs = [
        float(share * yes / (share * yes + (1 - share) * no))
        for _, _, yes, no in ((a, g, float(y), float(n)) for a, g, y, n in answers_of(design))
    ]
    shown = [row[2] for row in view.model.table().rows]
    for text, (_, _, yes, no) in zip(shown, answers_of(design), strict=True):
        if yes and no and yes != no:
            exact = float(max(yes / no, no / yes))
            (stated,) = numbers_after(", ", text)
            assert is_rounded_up(stated, exact, 0.0101 * exact)
    (lanke,) = re.findall(r"belief after any answer: (\S+ %)", plain(view.foot.text()))
    assert belief(lanke) == pytest.approx(max(beliefs), rel=0.051, abs=2e-4)
    row = SurveyFigureRow()
    qtbot.addWidget(row)
    row.show_scenario(scenario)
    before, after = row.tiles[2].value().split(" → ")
    assert belief(before) == pytest.approx(share, rel=0.051)
    assert belief(after) == pytest.approx(max(beliefs), rel=0.051, abs=2e-4)


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_that_beliefs_are_those_after_two_answers_where_none_moves_them(
    qtbot: QtBot, share: float
) -> None:
    row = SurveyFigureRow()
    qtbot.addWidget(row)
    row.show_scenario(ShareScenario().changed(prevalence=share, repetitions=100))
    assert row.tiles[2].caption().startswith("belief after “yes”; after “no” ")


def test_that_an_estimate_is_called_unbiased_where_its_mean_is_the_truth(qtbot: QtBot) -> None:
    row = SurveyFigureRow()
    qtbot.addWidget(row)
    for design in ALL:
        row.show_scenario(ShareScenario().changed(design=design, repetitions=100, respondents=100))
        said = row.tiles[3].toolTip() + row.tiles[3].accessibleDescription()
        linear = not isinstance(design, AnchoredCrosswise)
        assert ("the estimate is unbiased" in said) == linear
        assert ("biased a little, less with more" in said) != linear
    # What is not linear in the counts is not right on the average.
    anchored = next(design for design in ALL if isinstance(design, AnchoredCrosswise))
    shares = [anchored.estimate([Count(40, 100), Count(anchor, 100)]).estimate
              for anchor in (60, 70, 80)]  # fmt: skip
    assert abs(shares[1] - (shares[0] + shares[2]) / 2) > 0.01


def margin_at(design: Design, share: float, people: int) -> float:
    return Z * sqrt(design.planned_variance(share).total / people)


@of_epsilon
@pytest.mark.parametrize("wanted", [0.03, 0.0457, 0.06])
def test_that_the_least_epsilon_reaches_the_margin_as_it_is_said(
    design: Design, wanted: float
) -> None:
    scenario = ShareScenario().changed(design=design, prevalence=0.1, respondents=4000)
    outcome = found(scenario, Wanted(Goal.EPSILON_FOR_MARGIN, margin=wanted))
    (epsilon,) = numbers_after("ε = ", outcome.sentence)
    assert margin_at(design.at_epsilon(epsilon + 1e-6), 0.1, 4000) <= wanted
    assert margin_at(design.at_epsilon(epsilon - 0.00101), 0.1, 4000) > wanted
    assert outcome.epsilon_said == f"{epsilon:.3f}".removesuffix("0")
    assert float(outcome.figures[0].value.removeprefix("ε ")) == epsilon
    (odds,) = re.findall(r"than (\S+) times", outcome.figures[0].caption)
    assert outcome.epsilon is not None
    assert is_rounded_up(number(odds), exp(outcome.epsilon), 0.0101 * exp(outcome.epsilon))
    row = QUESTIONS[1]
    assert float(row.answer_text(row.solve(scenario, wanted).number)) == epsilon


@of_epsilon
@pytest.mark.parametrize("cap", [0.2, 0.37, 0.5, 0.9])
def test_that_the_largest_epsilon_keeps_its_cap_as_it_is_said(design: Design, cap: float) -> None:
    scenario = ShareScenario().changed(design=design, prevalence=0.07, respondents=4000)
    outcome = found(scenario, Wanted(Goal.EPSILON_FOR_BELIEF, belief=cap))
    (epsilon,) = numbers_after("ε = ", outcome.sentence)
    after = [0.07 * exp(e) / (0.07 * exp(e) + 0.93) for e in (epsilon, epsilon + 0.00101)]
    assert after[0] <= cap * (1 + 1e-12)
    assert after[1] > cap
    assert outcome.epsilon_said == f"{epsilon:.3f}".removesuffix("0")
    assert float(outcome.figures[0].value.removeprefix("ε ")) == epsilon
    row = QUESTIONS[2]
    assert float(row.answer_text(row.solve(scenario, cap).number)) == epsilon
    assert SEVERAL_QUESTIONS[2].answer_text is QUESTIONS[2].answer_text
    factor = 10 * cap
    outcome = found(scenario, Wanted(Goal.EPSILON_FOR_ODDS, odds=factor))
    (epsilon,) = numbers_after("ε = ", outcome.sentence)
    assert factor * exp(-0.00101) < exp(epsilon) <= factor * (1 + 1e-12)


@of_epsilon
def test_that_the_least_epsilon_for_a_power_has_it_as_it_is_said(design: Design) -> None:
    scenario = ShareScenario().changed(design=design, prevalence=0.1, respondents=4000)
    outcome = found(scenario, Wanted(Goal.EPSILON_FOR_POWER, against=0.05, power=0.8))
    (epsilon,) = numbers_after("ε = ", outcome.sentence)

    def power_at(at: float) -> float:
        made = design.at_epsilon(at)
        null, true = (sqrt(made.planned_variance(s).total / 4000) for s in (0.05, 0.1))
        critical = 0.05 + NormalDist().inv_cdf(0.95) * null
        return 1 - NormalDist(0.1, true).cdf(critical)

    assert power_at(epsilon + 1e-6) >= 0.8 > power_at(epsilon - 0.00101)


@pytest.mark.parametrize("upper", [11.0, 37.3, 900.0])
@pytest.mark.parametrize("kind", ["additive", "factors"])
def test_that_a_device_for_numbers_loses_no_more_than_is_said(
    qtbot: QtBot, kind: str, upper: float
) -> None:
    additive = kind == "additive"
    design = Additive(lower=1, upper=upper, scale=7) if additive else Multiplicative(
        lower=1, upper=upper, scale=0.23
    )  # fmt: skip
    epsilon = (upper - 1) / 7 if additive else log(upper) / 0.23
    scenario = MeanScenario().changed(
        mean=5, deviation=2, design=design, respondents=100, repetitions=100
    )
    row, view = SurveyFigureRow(), NumberPrivacyView()
    qtbot.addWidget(row)
    qtbot.addWidget(view)
    row.show_scenario(scenario)
    view.show_scenario(scenario)
    (stated,) = numbers_after("ε = ", row.tiles[2].value())
    assert is_rounded_up(stated, epsilon, 0.0101 * epsilon)
    for said in (row.tiles[2].caption(), view.sentence.text().replace("eᵋ = ", "over ")):
        powers, ratios = numbers_after("over e^", said), numbers_after("over ", said)
        assert len(powers) + len(ratios) == 1
        assert all(is_rounded_up(power, epsilon, 0.001) for power in powers)
        assert all(is_rounded_up(r, exp(epsilon), 0.0101 * exp(epsilon)) for r in ratios)


def test_that_the_chance_of_a_device_is_told_in_full() -> None:
    for epsilon in (0.7, 1.0, 2.3):
        design = WarnerDesign(p=Fraction(3, 4)).at_epsilon(epsilon)
        assert isinstance(design, WarnerDesign)
        (told,) = re.findall(r"with chance (\S+),", design.doing)
        assert Fraction(told) == design.p


@pytest.mark.parametrize("loss", [1.0001, 2.3026, 3.00501, 0.69315])
def test_that_an_attack_shows_no_less_than_the_record_loses(loss: float) -> None:
    outcome = AttackOutcome(
        variant="grr", title="", nominal_epsilon=1.0, record_epsilon=loss, attacked=10, correct=5,
        accuracy=0.5, lower=0.4, upper=0.6,
    )  # fmt: skip
    assert is_rounded_up(float(AttackModel().text(outcome, RECORD)), loss, 0.01)


def test_that_designs_of_an_epsilon_are_among_those_compared() -> None:
    assert {type(design) for design, _ in FOLLOWING} >= {WarnerDesign, Forced, AnchoredCrosswise}


@pytest.mark.parametrize("design", SEVERAL, ids=repr)
def test_that_reports_of_several_answers_disclose_at_most_what_is_said(
    qtbot: QtBot, design
) -> None:
    view = BeliefsView()
    qtbot.addWidget(view)
    (law,) = (group.law for group in design.groups)
    size = len(law)
    shares = tuple(Fraction(i, size * (size + 1) // 2) for i in range(1, size + 1))
    view.show_scenario(
        SharesScenario().changed(
            names=tuple(map(str, range(size))),
            shares=tuple(map(float, shares)),
            design=design,
            respondents=100,
            repetitions=100,
            looked=0,
        )
    )
    columns = list(zip(*law, strict=True))
    ratios = [float(max(c) / min(c)) if min(c) else inf for c in columns]
    sentence = view.sentence.text()
    assert ("Protection: " in sentence) == isfinite(max(ratios))
    if isfinite(max(ratios)):
        (stated,) = numbers_after("eᵋ = ", sentence)
        assert is_rounded_up(stated, max(ratios), 0.0101 * max(ratios))
    rows = view.model.table().rows[1:]
    assert len(rows) == len(ratios)
    for row, ratio in zip(rows, ratios, strict=True):
        told = [number(cell.removesuffix(" ×")) for cell in row if cell.endswith(" ×")]
        assert len(told) == isfinite(ratio)
        assert all(is_rounded_up(one, ratio, 0.0101 * ratio) for one in told)


@pytest.mark.parametrize("word", ["crosswise", "extended_crosswise", "anchored_crosswise"])
def test_that_the_figure_names_answers_as_the_respondents_say_them(qtbot: QtBot, word: str) -> None:
    row = SurveyFigureRow()
    qtbot.addWidget(row)
    design = next(design for design in ALL if design.kind == word)
    row.show_scenario(ShareScenario().changed(design=design))
    caption = row.tiles[2].caption()
    assert "“yes”" not in caption
    assert "“no”" not in caption
    say = design.instructions()[0].say
    said = {say(answer) for group in design.groups for answer in group.answers}
    assert any(f"“{answer}”" in caption for answer in said)
