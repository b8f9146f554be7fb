"""What can be solved for in surveys of several answers and of numbers."""

from __future__ import annotations

from dataclasses import replace

from dpdesk.designs.planning import epsilon_for_posterior
from dpdesk.domains import parse_number
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.scales import epsilon_words, percent_text, respondents_text
from dpdesk.gui.pages.simulate.scenario import ManyValuedScenario, SharesScenario
from dpdesk.gui.pages.simulate.solve_rows import Question, margin_text
from dpdesk.i18n import N_
from dpdesk.preview.survey import epsilon_for_margin, people_for_margin


def _people(scenario: ManyValuedScenario, margin: float) -> float:
    return people_for_margin(scenario.survey, margin)


def _epsilon(scenario: ManyValuedScenario, margin: float) -> float:
    return epsilon_for_margin(scenario.survey, margin)


def _epsilon_under(scenario: ManyValuedScenario, cap: float) -> float:
    assert isinstance(scenario, SharesScenario)  # noqa: S101 - asked of shares alone
    return epsilon_for_posterior(scenario.shares[scenario.looked], cap)


def _amount_text(margin: float) -> str:
    return f"± {margin:.6g}"


def _read_amount(text: str) -> float:
    number = parse_number(text.replace("±", "").replace(",", "").strip())
    if number is None or not 0 < number < float("inf"):
        raise ParameterError("This is not a number above 0.", remedy="Type a margin such as 50.")
    return float(number)


_PEOPLE = Question(
    N_("n for a margin of"),
    N_("Least number of respondents whose 95 % interval is no wider"),
    0.03,
    margin_text,
    _people,
    respondents_text,
    False,
)
_LEAST_EPSILON = Question(
    N_("ε for a margin of"),
    N_("Least epsilon at which the respondents in force reach the margin"),
    0.03,
    margin_text,
    _epsilon,
    epsilon_words,
    True,
)

SEVERAL_QUESTIONS = (
    _PEOPLE,
    _LEAST_EPSILON,
    Question(
        N_("ε if no belief may pass"),
        N_("Largest epsilon at which no report makes this answer likelier than this"),
        0.5,
        percent_text,
        _epsilon_under,
        epsilon_words,
        True,
    ),
)
NUMBER_QUESTIONS = (
    replace(_PEOPLE, wanted=50.0, text=_amount_text, read=_read_amount),
    replace(_LEAST_EPSILON, wanted=50.0, text=_amount_text, read=_read_amount),
)
