"""What the page of hypothetical surveys shows, as arrays and values: no Qt, remembered."""

from dpdesk.designs.beliefs import Belief, beliefs_after
from dpdesk.preview.survey.estimator import EstimatorView, estimator_view, stepped_up, theory_curve
from dpdesk.preview.survey.figures import SurveyFigures, figures_of_survey
from dpdesk.preview.survey.request import REPETITIONS, SurveyRequest
from dpdesk.preview.survey.surface import ErrorSurface, IsoLine, error_surface

__all__ = [
    "REPETITIONS",
    "Belief",
    "ErrorSurface",
    "EstimatorView",
    "IsoLine",
    "SurveyFigures",
    "SurveyRequest",
    "beliefs_after",
    "error_surface",
    "estimator_view",
    "figures_of_survey",
    "stepped_up",
    "theory_curve",
]
