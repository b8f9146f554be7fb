"""Faults in RAPPOR, for the kill matrix."""

from __future__ import annotations

from tests.mechanisms import rappor_checks as rappor
from tests.mechanisms.mutation import Fault

LAW = "dpdesk.channel.bits:MemoizedBitsLaw."
DESIGN = "dpdesk.mechanisms.bloom_filters:"
BOUND = "dpdesk.mechanisms.rappor:BoundRappor."

FAULTS = (
    Fault("RAPPOR: permanent flip rounded down", LAW + "at",
          (("a = ceil(n / (", "a = int(n / ("),),
          rappor.both_losses_are_certified_and_nearly_used_up),
    Fault("RAPPOR: instantaneous flip rounded down", LAW + "at",
          (("ceil((wanted", "int((wanted"),), rappor.both_losses_are_certified_and_nearly_used_up),
    Fault("RAPPOR: h bits for 2 h", "dpdesk.mechanisms.rappor:BoundRappor.__init__",
          (("at(2 * design.hashes", "at(design.hashes"),),
          rappor.no_two_answers_are_told_apart_by_more),
    Fault("RAPPOR: <= for <", "dpdesk.channel.bits:_below",
          (("words < np", "words <= np"),), rappor.bits_turn_at_their_thresholds),
    Fault("RAPPOR: permanent step twice", LAW + "reported_bits",
          (("self.instantaneous", "self.permanent"),), rappor.bits_turn_at_their_thresholds),
    Fault("RAPPOR: hashes that may agree", DESIGN + "bloom_positions",
          (("position += position >= taken[..., earlier]", "pass"),),
          rappor.bloom_filters_never_change),
    Fault("RAPPOR: debiased by the wrong chance", BOUND + "_debiased",
          (("(1 - 2 * self._flip)", "(1 - self._flip)"),),
          rappor.estimates_are_unbiased_with_their_variance),
    Fault("RAPPOR: noise without the cohorts", "dpdesk.mechanisms.bloom_filters:noise_variances",
          (("noise + design.cohort_squares @ shares - shares", "noise"),),
          rappor.errors_are_the_exact_ones_on_expected_counts),
    Fault("RAPPOR: cohorts that are mixed up", BOUND + "counts",
          (("copy=False)[order]", "copy=True)"),), rappor.weighted_counts_are_those_of_each_cohort),
    Fault("RAPPOR: everything selected", "dpdesk.mechanisms.rappor:lasso_shares",
          (("_SIGNIFICANCE / size", "_SIGNIFICANCE * 9"), ("2 * log(size))", "1e-9)")),
          rappor.categories_that_do_not_occur_are_not_selected),
    Fault("RAPPOR: a lasso of any sign", "dpdesk.mechanisms.rappor:positive_lasso",
          (("weights < 0, gradient", "weights == np.inf, gradient"),),
          rappor.the_lasso_ends_where_no_share_can_move),
    Fault("RAPPOR: a lasso of another penalty", "dpdesk.mechanisms.rappor:positive_lasso",
          (("product - penalty", "product - 2 * penalty"),),
          rappor.the_lasso_ends_where_no_share_can_move),
    Fault("RAPPOR: the answer itself for a permanent response", BOUND + "permanent",
          (("self.law.permanent_bits(filters, drawn)", "filters"),),
          rappor.many_reports_show_the_permanent_response_and_no_more),
    Fault("RAPPOR: one word for all bits of a report", BOUND + "instantaneous",
          (("drawn = words.take(permanent.bits.size)",
            "drawn = words.take(permanent.cohorts.size).repeat(self.design.bits)"),),
          rappor.the_loss_that_can_be_shown_is_epsilon),
)  # fmt: skip
