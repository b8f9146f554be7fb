"""Faults in the comparison of mechanisms, for the kill matrix."""

from __future__ import annotations

from tests.mechanisms import choice_checks as choice
from tests.mechanisms.mutation import Fault

CHOICE = "dpdesk.mechanisms.choice:"
COST = "dpdesk.mechanisms.choice:"

FAULTS = (
    Fault("choice: the expected distribution forgotten", CHOICE + "mean_accuracy",
          (("(shares * (1 - shares)).mean()", "(1 / shares.size - shares.mean() ** 2)"),),
          choice.mean_error_is_exact_for_every_distribution),
    Fault("choice: the sum for the mean", CHOICE + "mean_accuracy",
          (("(shares * (1 - shares)).mean()", "(shares * (1 - shares)).sum()"),),
          choice.mean_error_is_exact_for_every_distribution),
    Fault("choice: every category faked alike", CHOICE + "mean_accuracy",
          (("and forecast.prior", "and not forecast.prior"),),
          choice.mean_error_of_realistic_fakes_is_exact),
    Fault("choice: a group as large as all", CHOICE + "mean_accuracy",
          (("reports / forecast.attributes", "reports"),),
          choice.a_sampled_attribute_has_the_error_of_its_group_and_the_sampling_of_all),
    Fault("choice: the group's sampling for that of all", CHOICE + "mean_accuracy",
          (("group.sampling / sqrt(forecast.attributes)", "group.sampling"),),
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
