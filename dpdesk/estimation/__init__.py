"""Unbiased estimates with their errors, from released records and from answers of a survey."""

from dpdesk.estimation.from_records import (
    released_by_group,
    released_from_file,
    released_from_records,
)
from dpdesk.estimation.released import Released, ReleasedAttribute, bind_attributes
from dpdesk.estimation.rows import EstimateRow, estimate_rows
