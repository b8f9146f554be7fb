"""Faults in what several attributes share, for the kill matrix."""

from __future__ import annotations

from tests.mechanisms import fake_data_checks as checks
from tests.mechanisms.mutation import Fault

FAKE = "dpdesk.mechanisms.fake_data:"
ORACLE = "dpdesk.mechanisms.fake_data:FakeDataOracle."
GROUP = "dpdesk.mechanisms.sampling:"
DRAW = "dpdesk.engine.attribute_draw:AttributeDraw."
FIXED = "dpdesk.channel.fixed:FixedLaw."

FAULTS = (
    Fault("RS+FD: the papers' epsilon for the whole record", FAKE + "record_epsilon",
          (("attributes * expm1(nominal)", "expm1(nominal)"),),
          checks.the_whole_record_loses_the_epsilon_of_the_drawn_attribute),
    Fault("RS+FD: the rarest fake hides best", FAKE + "_Quotients.of",
          (("q / commonest", "q / rarest"),),
          checks.one_attribute_loses_what_enumeration_finds),
    Fault("RS+FD: fakes of zeros weighed like random ones", FAKE + "_Quotients.of",
          (('attribute.fakes == "zeros"', 'attribute.fakes == "none"'),),
          checks.losses_of_one_attribute_are_the_published_nominal_ones_in_two_cases_only),
    Fault("RS+FD: the attribute counted among the others", FAKE + "attribute_losses",
          (("least - quotient.least", "least"),),
          checks.one_attribute_loses_what_enumeration_finds),
    Fault("RS+FD: too few fakes taken off", FAKE + "effective_chances",
          (("(q + faked)", "(q + 0.9 * faked)"),),
          checks.estimates_under_fakes_are_unbiased_with_their_variance),
    Fault("RS+FD: random fakes estimated as zeros", FAKE + "fake_support",
          (("(p - q) * prior + q", "q + 0 * prior"),),
          checks.estimates_under_fakes_are_unbiased_with_their_variance),
    Fault("RS+FD: d fakes for d - 1", FAKE + "effective_chances",
          (("(attributes - 1) * support", "attributes * support"),),
          checks.errors_at_equal_loss_are_least_where_one_attribute_is_sampled),
    Fault("RS+FD: the drawn attribute is faked and the others are real",
          ORACLE + "randomize_drawn", (("np.where(drawn, self", "np.where(~drawn, self"),),
          checks.the_drawn_reports_are_real_and_the_others_are_fakes),
    Fault("RS+FD: bits of fakes encode the truth", ORACLE + "randomize_drawn",
          (("np.where(drawn, codes, faked)", "codes"),),
          checks.the_drawn_reports_are_real_and_the_others_are_fakes),
    Fault("RS+FD: fakes of zeros encode the truth", ORACLE + "randomize_drawn",
          (("encoded=drawn", "encoded=None"),), checks.reports_under_fakes_follow_their_law),
    Fault("RS+FD: only fakes take words for fakes", ORACLE + "randomize_drawn",
          (("faked = self.fake.sample(words.take(codes.size))",
            "faked = np.zeros(codes.size, np.int32)\n"
            "    faked[~drawn] = self.fake.sample(words.take(int((~drawn).sum())))"),),
          checks.real_and_fake_reports_take_the_same_words),
    Fault("RS+FD: fake categories in reverse order", ORACLE + "randomize_drawn",
          (("faked = self.fake.sample(words.take(codes.size))",
            "faked = self.size - 1 - self.fake.sample(words.take(codes.size))"),),
          checks.a_fake_category_is_the_one_that_its_word_deals),
    Fault("RS+FD: fakes dealt from the last word on", ORACLE + "randomize_drawn",
          (("words.take(codes.size)", "words.take(codes.size)[::-1]"),),
          checks.reports_under_fakes_from_fixed_words_never_change),
    Fault("the attributes that were not drawn are real", DRAW + "randomize",
          (("self._attribute == position", "self._attribute != position"),),
          checks.the_attribute_that_is_drawn_is_the_one_that_is_real),
    Fault("RS+FD: the drawn attribute is released", DRAW + "__init__",
          (('if plan.strategy == "smp"', 'if plan.strategy != "spl"'),),
          checks.the_attribute_that_is_drawn_is_the_one_that_is_real),
    Fault("SMP: everybody's report is counted",
          "dpdesk.engine.attribute_draw:AttributeReports.tally",
          (("self.reports[self.present]", "self.reports"), ("weights[self.present]", "weights")),
          checks.the_attribute_that_is_drawn_is_the_one_that_is_real),
    Fault("one attribute drawn for two respondents", DRAW + "__init__",
          (("words.take(part.size)", "np.repeat(words.take(part.size)[::2], 2)[: part.size]"),),
          checks.attributes_are_drawn_equally_often_by_everybody_anew),
    Fault("SMP: the drawing of the group left out of the noise", GROUP + "split_error",
          (("sampling * share**0.5", "sampling"),),
          checks.a_group_has_the_errors_of_its_size_and_of_its_drawing),
    Fault("SMP: every respondent counted as a report", GROUP + "SampledForecast.noise_constant",
          (("self.attributes * self", "self"),),
          checks.errors_at_equal_loss_are_least_where_one_attribute_is_sampled),
    Fault("declared fakes: <= for < at a threshold", FIXED + "sample",
          (('side="right"', 'side="left"'),), checks.fixed_laws_deal_every_stretch_of_words),
    Fault("even fakes: a value beyond the last", FIXED + "sample",
          (("np.int32(self.size - 1)", "np.int32(self.size)"),),
          checks.fixed_laws_deal_every_stretch_of_words),
    Fault("declared fakes: a small share is never dealt", FIXED + "of",
          (("int(weight > 0)", "0"),), checks.fixed_laws_deal_every_stretch_of_words),
)  # fmt: skip
