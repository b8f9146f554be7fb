"""What the page of hypothetical surveys shows, as arrays and values: without Qt, cached."""

from dpdesk.designs.beliefs import Belief, BeliefTable, ReportBelief, belief_table, beliefs_after
from dpdesk.preview.survey.estimates import (
    BINS,
    EstimatesView,
    estimates_view,
    stepped_up,
    theory_curve,
)
from dpdesk.preview.survey.figures import SurveyFigures, figures_of_survey
from dpdesk.preview.survey.margins import ErrorCurves, error_curves
from dpdesk.preview.survey.supposed import (
    QuantityResult,
    SupposedMean,
    SupposedShare,
    SupposedShares,
    SupposedSurvey,
)
from dpdesk.preview.survey.surface import ErrorSurface, error_surface
