"""Randomized-response designs, each with its probabilities, its epsilon and its estimator.

The respondent holds the device (coins, cards, dice, a birthday); nobody else sees the true answer.
"""

from dpdesk.designs.base import Design, Parameter
from dpdesk.designs.law import Group, Jeopardy, Loss, loss_of
from dpdesk.designs.registry import DESIGNS, AnyDesign, design_named, designs_of
from dpdesk.designs.yes_no import Count, SurveyEstimate, YesNoDesign
