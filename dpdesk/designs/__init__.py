"""Randomized-response designs: one file each, with its probabilities, its epsilon, its estimator.

The respondent holds the device (coins, cards, dice, a birthday); nobody else sees the true answer.
"""

from dpdesk.designs.base import Design, Group, Parameter
from dpdesk.designs.counts import Count
from dpdesk.designs.loss import Jeopardy, Loss, loss_of
from dpdesk.designs.registry import DESIGNS, AnyDesign, design_named
from dpdesk.designs.survey_estimate import SurveyEstimate

__all__ = [
    "DESIGNS",
    "AnyDesign",
    "Count",
    "Design",
    "Group",
    "Jeopardy",
    "Loss",
    "Parameter",
    "SurveyEstimate",
    "design_named",
    "loss_of",
]
