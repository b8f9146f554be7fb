"""Unbiased estimates with their errors, from released records and from answers of a survey."""

from dpdesk.callable_package import make_callable
from dpdesk.estimate.from_records import (
    released_by_group,
    released_from_file,
    released_from_records,
)
from dpdesk.estimate.released import Released, ReleasedAttribute, bind_attributes
from dpdesk.estimate.rows import EstimateRow, estimate_rows

make_callable(__name__)
