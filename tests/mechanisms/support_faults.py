"""Faults in local hashing, subset selection and Hadamard response, for the kill matrix."""

from __future__ import annotations

from tests.mechanisms import golden_checks as goldens
from tests.mechanisms import hadamard_checks as hadamard
from tests.mechanisms import hashing_checks as hashing
from tests.mechanisms import subset_checks as subsets
from tests.mechanisms.mutation import Fault

FAMILY = "dpdesk.channel.hashing:HashFamily."
HASHED = "dpdesk.channel.hashing:LocalHashLaw."
BUCKETS = "dpdesk.mechanisms.local_hashing:least_noise_buckets"
SUBSET = "dpdesk.channel.subset:"
MEMBERS = "dpdesk.mechanisms.subset_selection:least_noise_members"
HADAMARD = "dpdesk.channel.hadamard:"

FAULTS = (
    # Local hashing.
    Fault("hash: the low bits for the high", FAMILY + "bucket_of",
          ((">> np.uint32(_WORD_BITS - self.hash_bits)",
            "& np.uint32((1 << self.hash_bits) - 1)"),),
          hashing.hashes_of_two_values_are_independent),
    Fault("hash: no seed is added", FAMILY + "bucket_of", (("a * values + b", "a * values"),),
          hashing.hashes_of_two_values_are_independent),
    Fault("hash: a bucket begins one hash late", FAMILY + "_starts",
          (("-(-bucket * hashes // self.buckets)", "bucket * hashes // self.buckets"),),
          hashing.a_report_supports_the_values_of_its_bucket),
    Fault("hash: values counted from 1", FAMILY + "support",
          (("- begin.astype(np.uint32)",
            "- begin.astype(np.uint32) + block[:, 0].astype(np.uint32)"),),
          hashing.a_report_supports_the_values_of_its_bucket),
    Fault("hash: weights left out", "dpdesk.channel.hashing:_count_by_value",
          (("if weights is None", "if True"),),
          hashing.a_report_supports_the_values_of_its_bucket),
    Fault("hash: weights of one report for all", "dpdesk.channel.hashing:_count_by_report",
          (("weights[..., row, None] *", "weights[..., 0, None] *"),),
          hashing.a_report_supports_the_values_of_its_bucket),
    Fault("hash: a byte counts too many reports", "dpdesk.channel.hashing:_count_by_report",
          (("row % _LANE_ROWS == _LANE_ROWS - 1 or ", ""),),
          hashing.a_report_supports_the_values_of_its_bucket),
    Fault("hash: blocks of rows overlap", FAMILY + "support",
          (("reports[first : first + _BLOCK_ROWS]", "reports[first : first + _BLOCK_ROWS + 1]"),),
          hashing.a_report_supports_the_values_of_its_bucket),
    Fault("hash: seeds swapped", HASHED + "sample",
          (("reports[:, 0], reports[:, 1] = a, b", "reports[:, 0], reports[:, 1] = b, a"),),
          hashing.a_report_is_two_seeds_and_a_randomized_bucket),
    Fault("hash: one word for seed and bucket", HASHED + "sample",
          (("words[1::2])", "words[0::2])"),),
          hashing.a_report_is_two_seeds_and_a_randomized_bucket),
    Fault("hash: all buckets alike", FAMILY + "collision",
          (("return Fraction(squares, hashes**2)", "return Fraction(1, self.buckets)"),),
          hashing.the_chance_to_collide_is_that_of_the_buckets),
    Fault("hash: q of equal buckets", HASHED + "probabilities",
          (("self.family.collision()", "Fraction(1, self.family.buckets)"),),
          hashing.hashed_estimates_are_unbiased_with_their_variance),
    Fault("hash: certified as if the seeds hid the bucket", HASHED + "certificate",
          (("Fraction(self.answer.truth, self.answer.lie)", "Fraction(1)"),),
          hashing.the_loss_of_hashing_is_that_of_its_buckets),
    Fault("hash: eps + 1 %", HASHED + "at",
          (("(buckets, epsilon))", "(buckets, epsilon * 101 / 100))"),),
          hashing.hashing_certificates_hold),
    Fault("OLH: E + 1 rounded down", BUCKETS, (("min(below + 1, BUCKETS_MAX)", "below"),),
          hashing.the_number_of_buckets_is_that_of_least_noise),
    # Subset selection.
    Fault("subset: <= for <", SUBSET + "SubsetLaw.sample",
          (("steps[0] < np", "steps[0] <= np"),), subsets.subsets_are_drawn_by_floyds_algorithm),
    Fault("subset: a place too many", SUBSET + "SubsetLaw.sample",
          (("- self.members + step)", "- self.members + step + 1)"),),
          subsets.subsets_are_drawn_by_floyds_algorithm),
    Fault("subset: the same member twice", SUBSET + "SubsetLaw.sample",
          (("np.copyto(place, last, where=flat[place])", "pass"),),
          subsets.subsets_are_drawn_by_floyds_algorithm),
    Fault("subset: no reserve for uneven choices", SUBSET + "SubsetLaw.at",
          ((" / unevenness(size, members)", ""),), subsets.subset_certificates_hold),
    Fault("subset: floor for ceil", SUBSET + "SubsetLaw.at", (("ceil(WORD", "int(WORD"),),
          subsets.subset_certificates_hold),
    Fault("subset: certified without the number of reports", SUBSET + "SubsetLaw.certificate",
          (("odds * reports *", "odds *"),),
          subsets.the_loss_of_subsets_is_below_the_certified_bound),
    Fault("subset: q of a set without the truth", SUBSET + "SubsetLaw.probabilities",
          (("(self.members - told)", "self.members"),),
          subsets.subset_estimates_are_unbiased_with_their_variance),
    Fault("subset: w rounded from k / (E + 1)", MEMBERS,
          (("w = np.arange(1.0, size)",
            "return max(1, round(size / (exp(epsilon) + 1)))\n    w = np.arange(1.0, size)"),),
          subsets.the_number_of_members_is_that_of_least_noise),
    Fault("subset: w of least p", MEMBERS, (("spread / (w * (size - w))", "spread / w"),),
          subsets.to_round_the_number_of_members_costs_a_sixth),
    # Hadamard response.
    Fault("Hadamard: <= for <", HADAMARD + "HadamardLaw.sample",
          (("words[0::2] < np", "words[0::2] <= np"),),
          hadamard.indices_are_drawn_from_the_half_that_is_told),
    Fault("Hadamard: the first row for the first value", HADAMARD + "HadamardLaw.sample",
          (("codes + np.int32(1)", "codes"),),
          hadamard.indices_are_drawn_from_the_half_that_is_told),
    Fault("Hadamard: p of the half", HADAMARD + "HadamardLaw.probabilities",
          (("self.truth / WORD_TOTAL, 0.5", "self.truth / WORD_TOTAL, self.lie / WORD_TOTAL"),),
          hadamard.every_report_supports_half_of_the_others),
    Fault("Hadamard: transform without its last step", HADAMARD + "support_of",
          (("while half < signed.size", "while half < signed.size // 2"),),
          hadamard.the_transform_counts_what_supports),
    Fault("Hadamard: floor for ceil", HADAMARD + "HadamardLaw.at",
          (("ceil(Fraction", "int(Fraction"),), hadamard.hadamard_certificates_hold),
    Fault("Hadamard: the sum of all for the first value", HADAMARD + "support_of",
          (("signed[1 : size + 1]", "signed[:size]"),),
          hadamard.hadamard_estimates_are_unbiased_with_their_variance),
    Fault("Hadamard: the high bits for the index", HADAMARD + "HadamardLaw.sample",
          (("(words[1::2] & np.uint64(self.outputs - 1))",
            "(words[1::2] >> np.uint64(64 - order_bits(self.size)))"),),
          goldens.reports_from_fixed_words_never_change),
)  # fmt: skip
