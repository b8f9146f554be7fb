"""Statistics of a trusted file: what is asked, how far one respondent moves it, and its noise."""

from dpdesk.queries.base import BoundQuery, ExpectedError, Query, Statistic
from dpdesk.queries.bound import MeasuredQuery
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.condition import Condition, Domains
from dpdesk.queries.count import Count
from dpdesk.queries.histogram import Histogram
from dpdesk.queries.mean import Mean
from dpdesk.queries.most_common import MostCommon
from dpdesk.queries.quantile import Quantile
from dpdesk.queries.registry import QUERIES, AnyQuery
from dpdesk.queries.share import Share
from dpdesk.queries.sum import Sum
from dpdesk.queries.unit import PrivacyUnit
from dpdesk.queries.variance import Variance
