"""What hypothetical surveys of several answers and of numbers show: no Qt, remembered."""

from dpdesk.designs.beliefs import BeliefTable, ReportBelief, belief_table
from dpdesk.preview.survey.further.curves import ErrorCurves, error_curves
from dpdesk.preview.survey.further.figures import (
    NumberFigures,
    ShareFigures,
    figures_of_number,
    figures_of_share,
)
from dpdesk.preview.survey.further.pile import EstimatesPile, pile_of_number, pile_of_share
from dpdesk.preview.survey.further.request import NumberRequest, SeveralRequest, margin_of
from dpdesk.preview.survey.further.solve import epsilon_for_margin, people_for_margin

__all__ = [
    "BeliefTable",
    "ErrorCurves",
    "EstimatesPile",
    "NumberFigures",
    "NumberRequest",
    "ReportBelief",
    "SeveralRequest",
    "ShareFigures",
    "belief_table",
    "epsilon_for_margin",
    "error_curves",
    "figures_of_number",
    "figures_of_share",
    "margin_of",
    "people_for_margin",
    "pile_of_number",
    "pile_of_share",
]
