"""Faults in the possible estimates, for the kill matrix."""

from __future__ import annotations

from tests.mechanisms import possible_shares_checks as checks
from tests.mechanisms.mutation import Fault

PROJECTIONS = "dpdesk.mechanisms.possible_shares:"
LIKELY = "dpdesk.mechanisms.possible_shares:"

FAULTS = (
    Fault("projection: clipped and rescaled", PROJECTIONS + "simplex_projection",
          (("shares - amount, 0.0", "shares, 0.0"),),
          checks.the_projection_is_the_nearest_possible_distribution),
    Fault("Norm-Sub: nothing taken, only clipped and rescaled", PROJECTIONS + "norm_sub",
          (("simplex_projection(shares[positive])", "shares[positive] / shares[positive].sum()"),),
          checks.norm_sub_is_its_iteration),
    Fault("Norm-Sub: the projection for it", PROJECTIONS + "norm_sub",
          (("positive = shares > 0", "positive = shares > -9"),),
          checks.norm_sub_is_its_iteration),
    Fault("shares: clipped and rescaled in place of projected",
          "dpdesk.mechanisms.possible_shares:projections_of",
          (('"simplex": lambda: simplex_projection(value)',
            '"simplex": lambda: np.maximum(value, 0) / np.maximum(value, 0).sum()'),),
          checks.a_half_is_found_where_clipping_alone_loses_it),
    Fault("iterative Bayes: least reports first", LIKELY + "most_likely_of_symbols",
          (("[::-1]", "[:]"),), checks.the_likeliest_symbols_are_the_limit_of_iterative_bayes),
    Fault("iterative Bayes: symbols read as bits",
          "dpdesk.mechanisms.possible_shares:possible_of_support",
          (("most_likely_of_symbols if one_symbol", "most_likely_of_symbols if not one_symbol"),),
          checks.the_likeliest_symbols_are_the_limit_of_iterative_bayes),
    Fault("iterative Bayes: p and q taken for all from the first", LIKELY
          + "most_likely_of_supports", (("gap = np.asarray(p - q)",
                                         "gap = np.asarray(p - q).flat[0]"),),
          checks.chances_of_their_own_for_each_category_are_taken),
    Fault("iterative Bayes: the wrong root", LIKELY + "most_likely_of_supports",
          (("(middle + root)", "(middle + 2 * root)"),),
          checks.the_likeliest_supports_beat_every_other_distribution),
    Fault("iterative Bayes: q in place of its odds", LIKELY + "most_likely_of_symbols",
          (("np.maximum(factor * reported - floor", "np.maximum(factor * reported - q"),),
          checks.expected_reports_give_the_truth_back),
)  # fmt: skip
