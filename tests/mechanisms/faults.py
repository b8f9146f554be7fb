"""The kill matrix: which fault is noticed by which check.

Every check that the ordinary tests share stands here at least once: a check that notices nothing
would be no check.
"""

from __future__ import annotations

from tests.channel import certificate_checks as certificates
from tests.channel import kernel_checks as kernels
from tests.channel import law_checks as laws
from tests.cost import cost_checks as costs
from tests.mechanisms import (
    added_noise_faults,
    choice_faults,
    fake_data_faults,
    possible_shares_faults,
    pram_faults,
    rappor_faults,
    simulation_faults,
    support_faults,
    weight_faults,
    window_faults,
)
from tests.mechanisms import drawn_checks as draws
from tests.mechanisms import estimator_checks as estimators
from tests.mechanisms import golden_checks as goldens
from tests.mechanisms import release_checks as releases
from tests.mechanisms.mutation import Fault
from tests.randomness import randomness_checks as words

GRR = "dpdesk.channel.grr:GrrLaw."
UNARY = "dpdesk.channel.bits:UnaryLaw."
ONE_BIT = "dpdesk.channel.bits:ThresholdLaw."
DENSE = "dpdesk.channel.dense:DenseLaw."
ORACLE = "dpdesk.mechanisms.frequency_oracle:"
CHUNK = "dpdesk.engine.sanitize:_Draws.packed"
REPORTS = "dpdesk.engine.attribute_draw:drawn_reports"
TAKE = "dpdesk.randomness:SystemWords.take"
PIECE = "dpdesk.randomness:_piece"

_REQUIRED = "require_draw(codes, words, self.size)"
_LIES = "lies = ((words - truth) // lie).astype(np.int32)"
_DRAWN = "drawn = draw.randomize(position, mechanism, own, words)"
_ALL_DRAWN = "reports = drawn_reports(self._bound, draw, codes, words, self._tick)"
_LEFT_RAW = (
    "            for chunk, own in zip(reports, codes, strict=False):\n"
    "                getattr(chunk, 'reports', chunk)[{rows}] = own[{rows}]"
)
_PIECE = "ssl.RAND_bytes(size)"
_SEEDED = '__import__("hashlib").shake_128(b"42").digest(size)'
_KEPT = "return self.law.sample(codes, words.take(codes.size))"

_SHARED = (
    # One word too many or too few.
    Fault("GRR: <= for <", GRR + "sample", (("words < truth", "words <= truth"),),
          laws.grr_turns_at_every_threshold),
    Fault("unary: <= for < at the lie", UNARY + "sample",
          (("np.less(", "np.less_equal("),),
          laws.unary_turns_at_both_thresholds),
    Fault("unary: <= for < at the truth", UNARY + "sample",
          (("words[true_bit] < ", "words[true_bit] <= "),), laws.unary_turns_at_both_thresholds),
    Fault("one bit: <= for <", ONE_BIT + "sample", (("words < self", "words <= self"),),
          laws.threshold_turns_at_every_weight),
    Fault("table: > for >=", DENSE + "sample", (("] >= flat", "] > flat"),),
          laws.dense_turns_at_every_threshold),
    Fault("table: guide ends one word early", DENSE + "_build_guide",
          (('searchsorted(ends, side="right")', 'searchsorted(ends, side="left")'),),
          laws.dense_turns_at_every_threshold),
    Fault("table: guide one bit off", DENSE + "sample",
          (("np.uint64(64 - self._guide_bits)", "np.uint64(65 - self._guide_bits)"),),
          laws.dense_is_its_law_on_every_small_word),
    Fault("table: the first row's thresholds for all rows", DENSE + "sample",
          (("at = codes[still_open]", "at = codes[:1]"),), laws.dense_draws_every_row_by_itself),
    # Rounding to the wrong side.
    Fault("GRR: floor for ceil", GRR + "at", (("ceil(Fraction", "int(Fraction"),),
          certificates.grr_certificates_hold),
    Fault("SUE: floor for ceil", UNARY + "symmetric", (("ceil(Fraction", "int(Fraction"),),
          certificates.unary_certificates_hold),
    Fault("OUE: floor for ceil", UNARY + "optimized", (("ceil(Fraction", "int(Fraction"),),
          certificates.unary_certificates_hold),
    Fault("one bit: floor for ceil", ONE_BIT + "at", (("ceil(Fraction", "int(Fraction"),),
          certificates.threshold_certificates_hold),
    Fault("padding: floor for ceil", "dpdesk.channel.rounding:padding",
          (("ceil(Fraction", "int(Fraction"),), laws.geometric_table_is_the_channel),
    Fault("table: no padding, rounded to nearest", "dpdesk.channel.rounding:rounded_rows",
          (("c = padding(epsilon)", "c = 0"),), certificates.geometric_certificates_hold),
    Fault("e^eps from above", "dpdesk.cost:exp_lower",
          (("next_minus", "next_plus"),), costs.bounds_of_the_exponential_enclose_it),
    Fault("certified epsilon rounded down", "dpdesk.cost:log_upper",
          (("ROUND_CEILING", "'ROUND_FLOOR'"),), certificates.grr_certificates_hold),
    # Another epsilon than the nominal one.
    Fault("GRR: eps + 1 %", GRR + "at",
          (("exp_lower(epsilon)", "exp_lower(epsilon * 101 / 100)"),),
          certificates.grr_certificates_hold),
    Fault("SUE: eps + 1 %", UNARY + "symmetric", (("epsilon / 2", "epsilon * 101 / 200"),),
          certificates.unary_certificates_hold),
    Fault("OUE: eps + 1 %", UNARY + "optimized",
          (("exp_lower(epsilon)", "exp_lower(epsilon * 101 / 100)"),),
          certificates.unary_certificates_hold),
    Fault("one bit: eps + 1 %", ONE_BIT + "at",
          (("exp_lower(epsilon)", "exp_lower(epsilon * 101 / 100)"),),
          certificates.threshold_certificates_hold),
    Fault("bounded Laplace: eps + 1 %", "dpdesk.channel.rounding:geometric_weights",
          (("* Fraction(epsilon))", "* Fraction(epsilon) * 101 / 100)"),),
          certificates.geometric_certificates_hold),
    Fault("bounded Laplace: scale of one step more", "dpdesk.channel.rounding:geometric_weights",
          (("Fraction(-d, size - 1)", "Fraction(-d, size)"),),
          laws.geometric_table_is_the_channel),
    Fault("GRR: drawn at eps + 10 %, certified at eps", GRR + "sample",
          ((_REQUIRED, f"{_REQUIRED}\n    epsilon = Decimal(self.truth / self.lie).ln()\n"
            "    self = GrrLaw.at(self.size, epsilon * 11 / 10)"),),
          draws.the_loss_that_can_be_shown_is_epsilon),
    Fault("GRR: drawn at eps - 10 %", GRR + "sample",
          ((_REQUIRED, f"{_REQUIRED}\n    epsilon = Decimal(self.truth / self.lie).ln()\n"
            "    self = GrrLaw.at(self.size, epsilon * 9 / 10)"),),
          draws.the_loss_that_can_be_shown_is_epsilon),
    Fault("OUE: the fair coin has 51 %", UNARY + "sample",
          (("np.uint64(self.truth)", "np.uint64(self.truth // 50 * 51)"),),
          draws.all_cells_together_fit_the_law),
    Fault("certificate accepts twice e^eps", "dpdesk.channel.certificate:certify",
          (("if ratio > exp_lower(epsilon)", "if ratio > 2 * exp_lower(epsilon)"),),
          certificates.a_ratio_above_e_to_the_epsilon_is_refused),
    Fault("certificate of the best pair", DENSE + "likelihood_ratio",
          (("return max(", "return min("),), certificates.geometric_certificates_hold),
    Fault("a weight of zero is accepted", DENSE + "__init__", (("not row.all() or ", ""),),
          certificates.a_table_that_is_no_law_is_refused),
    # Truth and lie.
    Fault("unary: p and q swapped", UNARY + "sample",
          (("np.less(words, np.uint64(self.lie)", "np.less(words, np.uint64(self.truth)"),
           ("truth = np.uint64(self.truth)", "truth = np.uint64(self.lie)")),
          laws.unary_is_its_law_on_every_small_word),
    Fault("one bit: low and high swapped", ONE_BIT + "sample", (("words < self", "words >= self"),),
          laws.threshold_is_its_law_on_every_small_word),
    Fault("one bit: a step too many", ONE_BIT + "_weights", (("self.size - 1", "self.size"),),
          laws.threshold_weights_are_the_law),
    Fault("estimator: p and q swapped", GRR + "probabilities",
          (("self.truth / WORD_TOTAL, self.lie / WORD_TOTAL",
            "self.lie / WORD_TOTAL, self.truth / WORD_TOTAL"),),
          estimators.frequency_estimates_are_unbiased_with_their_variance),
    Fault("GRR: lie drawn among k", GRR + "sample",
          (("(words - truth) // lie", "(words - truth) % np.uint64(self.size)"),
           ("lies += lies >= codes", "pass")), draws.every_cell_has_its_binomial_count),
    Fault("GRR: law of a lie among k", GRR + "at", (("+ size - 1)", "+ size)"),),
          estimators.drawing_respondents_adds_the_sampling_variance),
    Fault("GRR: lies do not skip the truth", GRR + "sample", (("lies += lies >= codes", "pass"),),
          laws.grr_is_its_law_on_every_small_word),
    Fault("GRR: lies in reverse order", GRR + "sample",
          ((_LIES, "lies = (np.uint64(self.size - 2) - (words - truth) // lie).astype(np.int32)"),),
          goldens.reports_from_fixed_words_never_change),
    # Words that are shared, narrow, repeated or counted by the data.
    Fault("GRR: float32 words", GRR + "sample",
          (("words < truth", "words.astype(np.float32) < np.float32(truth)"),),
          laws.grr_turns_at_every_threshold),
    Fault("system: float32 words", TAKE, (("return words", "return words.astype(np.float32)"),),
          words.words_are_whole_and_of_the_right_type),
    Fault("system: words of 53 bits", TAKE, (("return words", "return words >> np.uint64(11)"),),
          words.words_are_whole_and_of_the_right_type),
    Fault("samplers take signed words", "dpdesk.channel.certificate:require_draw",
          (("words.dtype != np.uint64 or ", ""),), laws.samplers_refuse_what_is_no_draw),
    Fault("samplers take negative codes", "dpdesk.channel.certificate:require_draw",
          (("codes.view(np.uint32).max()", "codes.max()"),), laws.samplers_refuse_what_is_no_draw),
    Fault("constant seed: no fresh word", PIECE, ((_PIECE, _SEEDED),),
          words.two_takes_share_no_word),
    Fault("constant seed: the same draw", PIECE, ((_PIECE, _SEEDED),), draws.two_draws_differ),
    Fault("constant seed: the same release", PIECE, ((_PIECE, _SEEDED),),
          releases.two_releases_of_the_same_answers_differ),
    Fault("constant seed: columns share words", PIECE, ((_PIECE, _SEEDED),),
          draws.columns_are_drawn_independently),
    Fault("a dead source is believed", TAKE, (("if count >= _ZERO_RUN_WORDS", "if count < 0"),),
          words.a_failing_source_aborts),
    Fault("shared words for two columns of a release", REPORTS,
          ((_DRAWN, "shared = shared if position else SystemWords().take(own.size)\n"
            "        drawn = draw.randomize(position, mechanism, own, type("
            "'Shared', (), {'take': lambda _, count: shared})())"),),
          releases.columns_of_a_release_are_independent),
    Fault("tally: sums of bits overflow", "dpdesk.mechanisms.tally:_column_sums",
          (("while rows - start >= 8 * _LANE_ROWS", "_LANE_ROWS = 300\n    "
            "while rows - start >= 8 * _LANE_ROWS"),), estimators.tallies_of_bits_are_plain_sums),
    Fault("system: a long take repeats its first piece", TAKE,
          (("for start in range(0, buffer.size", "once = _piece(_PIECE_BYTES)\n"
            "        for start in range(0, buffer.size"),
           ("_piece(stop - start), dtype", "once[: stop - start], dtype")),
          words.words_are_whole_and_of_the_right_type),
    Fault("unary: one word for all bits of a row", UNARY + "sample",
          (("require_draw(codes, words, self.size, words_each=self.size)",
            "words = np.repeat(words[:: self.size], self.size)"),),
          draws.columns_are_drawn_independently),
    Fault("GRR: one word for two rows", GRR + "sample",
          ((_REQUIRED, "words = np.repeat(words[::2], 2)[: words.size]"),),
          draws.rows_are_drawn_independently),
    Fault("GRR: one lie for all rows", GRR + "sample",
          ((_LIES, f"{_LIES}\n    lies[:] = lies[:1]"),), laws.grr_draws_every_row_by_itself),
    Fault("one word more for rare answers", ORACLE + "SymbolOracle.randomize",
          ((_KEPT, "words.take(int((codes == 0).sum()))\n    " + _KEPT),),
          draws.the_count_of_words_does_not_depend_on_the_answers),
    # Rows and answers that are left as they are.
    Fault("last row left raw", ORACLE + "SymbolOracle.randomize",
          ((_KEPT, "reports = self.law.sample(codes, words.take(codes.size))\n"
            "    reports[-1:] = codes[-1:]\n    return reports"),),
          draws.the_first_and_the_last_row_are_randomized),
    Fault("last record of a release left raw", CHUNK,
          ((_ALL_DRAWN, f"{_ALL_DRAWN}\n    if rows.stop == self._as_released.rows:\n"
            + _LEFT_RAW.format(rows="-1:")),),
          releases.every_record_of_a_release_is_randomized),
    Fault("first record of a release left raw", CHUNK,
          ((_ALL_DRAWN, f"{_ALL_DRAWN}\n    if rows.start == 0:\n" + _LEFT_RAW.format(rows=":1")),),
          releases.every_record_of_a_release_is_randomized),
    Fault("missing left missing", REPORTS,
          ((_DRAWN, f"{_DRAWN}\n        missing = own == mechanism.size - 1\n"
            "        drawn.reports[missing] = own[missing]"),),
          releases.missing_answers_are_randomized_like_others),
    Fault("k taken from the data", ORACLE + "SymbolOracle.randomize",
          ((_KEPT, "law = GrrLaw.at(max(2, int(codes.max()) + 1), self.epsilon)\n"
            "    return law.sample(codes, words.take(codes.size))"),),
          draws.rare_answers_leave_the_domain_as_it_is),
    Fault("k of a release taken from the data", ORACLE + "SymbolOracle.randomize",
          ((_KEPT, "law = GrrLaw.at(max(2, int(codes.max()) + 1), self.epsilon)\n"
            "    return law.sample(codes, words.take(codes.size))"),),
          releases.a_release_has_the_declared_domain_and_not_that_of_the_answers),
    # Estimates and errors.
    Fault("weights: n for the effective n", "dpdesk.mechanisms.tally:Tally.effective_reports",
          (("effective_size(self.weight, self.weight_squares)", "float(self.reports)"),),
          estimators.weights_enter_by_the_effective_sample_size),
    Fault("bounded Laplace: noise not corrected",
          "dpdesk.mechanisms.mean:BoundMean.estimate",
          (("self.worth**2 - self.square_worth", "self.worth**2"),),
          estimators.bounded_laplace_mean_is_unbiased_with_its_errors),
    Fault("bounded Laplace: inverse without its corners",
          "dpdesk.channel.geometric_kernel:GeometricKernel.unbiased",
          (("phi[[0, -1]] = scaled[[0, -1]]", "pass"),), kernels.inverse_undoes_the_channel),
    Fault("Duchi: mean of the reports' share", "dpdesk.mechanisms.duchi:BoundDuchi.estimate",
          (("value = self._lower + self._span * (high - self.q) / gap",
            "value = self._lower + self._span * high"),),
          estimators.duchi_mean_is_unbiased_with_its_errors),
    Fault("noise of a share with the wrong sign", ORACLE + "frequency_estimate",
          (("by_squares * (1 - p - q)", "by_squares * (p + q - 1)"),),
          estimators.frequency_errors_are_the_exact_variances),
    Fault("Duchi: forecast adds the spread",
          "dpdesk.mechanisms.duchi:DuchiForecast.noise_variances",
          (("** 2 - np.linspace", "** 2 + np.linspace"),),
          estimators.forecasts_are_the_law_that_is_run),
    Fault("n Var* with p(1-q)", ORACLE + "noise_variance", (("q * (1 - q)", "p * (1 - q)"),),
          estimators.noise_constants_are_the_published_ones),
    Fault("Wilson: half of the correction", "dpdesk.numbers.intervals:wilson_interval",
          (("4 * reports**2", "8 * reports**2"),), estimators.wilson_is_the_score_interval),
)  # fmt: skip

FAULTS = (
    *_SHARED,
    *added_noise_faults.FAULTS,
    *choice_faults.FAULTS,
    *fake_data_faults.FAULTS,
    *possible_shares_faults.FAULTS,
    *support_faults.FAULTS,
    *pram_faults.FAULTS,
    *rappor_faults.FAULTS,
    *simulation_faults.FAULTS,
    *weight_faults.FAULTS,
    *window_faults.FAULTS,
)
