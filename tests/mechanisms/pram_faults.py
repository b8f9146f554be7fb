"""Faults in post-randomization, for the kill matrix."""

from __future__ import annotations

from tests.mechanisms import pram_checks as pram
from tests.mechanisms.mutation import Fault

MATRIX = "dpdesk.mechanisms.pram:"
PRAM = "dpdesk.mechanisms.pram:"

FAULTS = (
    Fault("PRAM: epsilon along the rows", MATRIX + "epsilon_of",
          (("zip(*chances(matrix), strict=True)", "chances(matrix)"),),
          pram.epsilon_is_the_largest_logarithm_rounded_up),
    Fault("PRAM: columns for rows", MATRIX + "integer_rows",
          (("in chances(matrix):", "in zip(*chances(matrix), strict=True):"),),
          pram.the_law_is_the_matrix_and_its_certificate_holds),
    Fault("PRAM: rows not rounded to the padding of epsilon", PRAM + "BoundPram.__init__",
          (("mechanism.epsilon)\n    self.law", "mechanism.epsilon / 10**9)\n    self.law"),),
          pram.the_law_is_the_matrix_and_its_certificate_holds),
    Fault("PRAM: the inverse from the wrong side", PRAM + "BoundPram.estimate",
          (("tally.shares @ self._forecast.worth", "self._forecast.worth @ tally.shares"),),
          pram.estimates_are_unbiased_with_their_variance),
    Fault("PRAM: noise without its mean", PRAM + "BoundPram._noise",
          (("self._forecast.squares - shares", "self._forecast.squares"),),
          pram.errors_are_the_exact_ones_on_expected_counts),
    Fault("PRAM: a zero named by the wrong place", MATRIX + "_require_law",
          (("row=x, column=y", "row=y, column=x"),),
          pram.impossible_matrices_are_refused),
    Fault("PRAM: any sum of a row allowed", MATRIX + "_require_law",
          (("total != 1", "total > 2"),), pram.impossible_matrices_are_refused),
    Fault("PRAM: a given epsilon believed", PRAM + "_with_its_epsilon",
          (("parse_epsilon(given) != epsilon", "parse_epsilon(given) < 0"),),
          pram.impossible_matrices_are_refused),
    Fault("PRAM: the first row for all", PRAM + "BoundPram.randomize",
          (("self.law.sample(codes,", "self.law.sample(codes * 0,"),),
          pram.drawn_reports_follow_the_rows),
)  # fmt: skip
