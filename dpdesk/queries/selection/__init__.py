"""Choosing with differential privacy: the largest category, the k largest, a quantile."""

from dpdesk.queries.selection.choice import OPTIONS_MAX, CalibratedChoice, calibrate_choice
from dpdesk.queries.selection.laws import CHOICE_MECHANISMS, ChoiceMechanism
from dpdesk.queries.selection.quantile import (
    CalibratedQuantile,
    calibrate_quantile,
    rank_scores,
    rank_sensitivity,
)
