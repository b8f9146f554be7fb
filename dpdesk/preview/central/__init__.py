"""What the window shows of a query to a trusted file: closed form, nothing drawn, cached."""

from dpdesk.preview.central.accuracy import (
    CentralAccuracyView,
    CentralFigures,
    central_accuracy,
    central_figures,
    epsilon_for_half_width,
    local_error,
)
from dpdesk.preview.central.law import LawView, law_view, linear_error
from dpdesk.preview.central.request import QueryRequest, query_request
