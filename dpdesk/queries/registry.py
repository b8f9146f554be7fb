"""The list of queries. To add one, write a class in this folder and add it to the tuple."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from dpdesk.queries.base import Query
from dpdesk.queries.count import Count
from dpdesk.queries.histogram import Histogram
from dpdesk.queries.mean import Mean
from dpdesk.queries.most_common import MostCommon
from dpdesk.queries.quantile import Quantile
from dpdesk.queries.share import Share
from dpdesk.queries.sum import Sum
from dpdesk.queries.variance import Variance

QUERIES: tuple[type[Query], ...] = (
    Count,
    Share,
    Mean,
    Sum,
    Variance,
    Quantile,
    Histogram,
    MostCommon,
)
"""Every query, in the order in which lists show them."""

if TYPE_CHECKING:
    AnyQuery = Query
else:
    AnyQuery = Annotated[Union[QUERIES], Field(discriminator="kind")]  # noqa: UP007 - of a tuple
"""Any query, as a plan stores it; the tag is `kind`."""
