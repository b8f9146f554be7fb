"""Faults in the comparison of mechanisms, for the kill matrix."""

from __future__ import annotations

from tests.mechanisms import choice_checks as choice
from tests.mechanisms.mutation import Fault

CHOICE = "dpdesk.mechanisms.choice:"
FAKES = "dpdesk.mechanisms.fake_data:"
SAMPLED = "dpdesk.mechanisms.sampling:"
COST = "dpdesk.mechanisms.choice:"

FAULTS = (
    Fault("choice: the expected distribution forgotten", CHOICE + "mean_accuracy",
          (("if answers is None", "if True"),),
          choice.mean_error_is_exact_for_every_distribution),
    Fault("choice: the sum for the mean", CHOICE + "mean_accuracy",
          (("v.mean()", "v.sum()"),),
          choice.mean_error_is_exact_for_every_distribution),
    Fault("choice: every category faked alike", FAKES + "FakeDataForecast.variances",
          (("*self.chances, shares", "*(c.mean() for c in self.chances), shares"),),
          choice.mean_error_of_realistic_fakes_is_exact),
    Fault("choice: a group as large as all", SAMPLED + "SampledForecast.variances",
          (("d * noise + (d - 1) * sampling", "noise"),),
          choice.a_sampled_attribute_has_the_error_of_its_group_and_the_sampling_of_all),
    Fault("choice: the group's sampling for that of all", SAMPLED + "SampledForecast.variances",
          (("(d - 1) * sampling, sampling", "0 * sampling, d * sampling"),),
          choice.a_sampled_attribute_has_the_error_of_its_group_and_the_sampling_of_all),
    Fault("choice: bits before symbols", CHOICE + "ordered",
          (('!= "symbol"', '== "symbol"'),),
          choice.the_order_is_by_the_figure_asked_for_and_symbols_first),
    Fault("choice: the other figure", CHOICE + "figure_of",
          (('by == "total"', 'by != "total"'),),
          choice.the_order_is_by_the_figure_asked_for_and_symbols_first),
    Fault("choice: last bits decide", CHOICE + "figure_of",
          (("{error:.9g}", "{error:.17g}"),),
          choice.the_order_is_by_the_figure_asked_for_and_symbols_first),
    Fault("bits: outputs for their logarithm", COST + "report_bits",
          (("return log2(forecast.outputs)", "return float(forecast.outputs)"),),
          choice.bits_are_those_of_the_reports_that_there_are),
    Fault("losses: only numbers below the range", COST + "_losses_of_numbers",
          (("positions.min() < -slack or positions.max() > span + slack",
            "positions.max() < -slack"),),
          choice.numbers_beyond_the_range_and_biased_averages_are_losses),
)  # fmt: skip
