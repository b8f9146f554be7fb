"""Faults of weighted estimates."""

from __future__ import annotations

from tests.mechanisms import weight_checks as weights
from tests.mechanisms.mutation import Fault

_ORACLE = "dpdesk.mechanisms.frequency_oracle:frequency_estimate"
_LINEAR = "dpdesk.mechanisms.estimates:linear_share_estimate"
_TALLY = "dpdesk.mechanisms.tally:"

FAULTS = (
    Fault(
        "weights: shares by Kish's number alone",
        _TALLY + "Tally.square_shares",
        (("self.square_counts / self.weight_squares", "self.shares"),),
        weights.weighted_errors_are_those_of_a_ratio,
    ),
    Fault(
        "weights: noise of the share by weights",
        _ORACLE,
        (("by_squares * (1 - p - q)", "possible * (1 - p - q)"),),
        weights.weighted_errors_are_those_of_a_ratio,
    ),
    Fault(
        "weights: noise of a matrix at the share by weights",
        _LINEAR,
        (("noise_at(by_squares)", "noise_at(nearest)"),),
        weights.weighted_errors_are_those_of_a_ratio,
    ),
    Fault(
        "weights: drawing respondents of a matrix by Kish's number",
        _LINEAR,
        (("indicator_variance(nearest, by_squares)", "nearest * (1 - nearest)"),),
        weights.weighted_errors_are_those_of_a_ratio,
    ),
    Fault(
        "weights: mean by squared weights",
        "dpdesk.mechanisms.mean:BoundMean.estimate",
        (("tally.shares @ self.worth", "shares @ self.worth"),),
        weights.weighted_errors_are_those_of_a_ratio,
    ),
    Fault(
        "weights: spread of a mean by Kish's number",
        "dpdesk.mechanisms.mean:BoundMean.estimate",
        (("shares, reports = tally.square_shares,", "shares, reports = tally.shares,"),),
        weights.weighted_errors_are_those_of_a_ratio,
    ),
    Fault(
        "weights: Duchi's error by Kish's number",
        "dpdesk.mechanisms.duchi:BoundDuchi.estimate",
        (("indicator_variance(high, squared)", "(high * (1 - high))"),),
        weights.weighted_errors_are_those_of_a_ratio,
    ),
    Fault(
        "weights: spread of an interval by Kish's number",
        "dpdesk.mechanisms.interval_shares:IntervalReader.read",
        (("squares @ self.worth**2", "shares @ self.worth**2"),),
        weights.weighted_errors_of_intervals_are_those_of_a_ratio,
    ),
    Fault(
        "weights: more reports than there are",
        _TALLY + "effective_number",
        (("np.minimum(kish * ratio, float(tally.reports))", "kish * ratio"),),
        weights.a_share_is_worth_the_reports_that_have_its_error,
    ),
)
