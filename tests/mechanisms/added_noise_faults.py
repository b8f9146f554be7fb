"""Faults in Laplace and staircase noise, for the kill matrix."""

from __future__ import annotations

from tests.mechanisms import added_noise_checks as noise
from tests.mechanisms.mutation import Fault

SHIFT = "dpdesk.channel.shift:"
KERNEL = "dpdesk.channel.staircase:"
WEIGHTS = "dpdesk.channel.staircase:"
UNBOUNDED = "dpdesk.mechanisms.unbounded_noise:"

FAULTS = (
    Fault("shifts: tails left out", SHIFT + "shift_weights",
          (("// (one - fall)", "// one"),), noise.shifts_are_the_noise_of_the_paper),
    Fault("shifts: no padding", SHIFT + "shift_weights",
          (("c, growth = padding(epsilon), exp_lower(epsilon)",
            "c, growth = 0, exp_lower(epsilon)"),
           ("c_last = ceil(Fraction(c + 2 + growth) / (growth - 1))", "c_last = 0")),
          noise.certificates_of_unbounded_noise_hold),
    Fault("shifts: eps + 1 %", SHIFT + "shift_weights",
          (("scaled_power(-Fraction(epsilon))", "scaled_power(-Fraction(epsilon) * 101 / 100)"),),
          noise.certificates_of_unbounded_noise_hold),
    Fault("shifts: certified without what is moved inward", SHIFT + "ShiftLaw.likelihood_ratio",
          (("upper[:width] += upper[width:]", "pass"),),
          noise.ends_that_disclose_an_answer_are_certified_as_such),
    Fault("shifts: one report too far out", SHIFT + "ShiftLaw.sample",
          (("reports >= self.outputs]", "reports > self.outputs]"),),
          noise.shift_is_its_law_on_every_small_word),
    Fault("shifts: windows of one answer less", SHIFT + "_largest_ratio",
          (("while reach < length:", "length -= 1\n    while reach < length:"),),
          noise.certificates_of_unbounded_noise_hold),
    Fault("shifts: clamped instead of moved", SHIFT + "ShiftLaw.sample",
          (("reports[reports >= self.outputs] -= self.width",
            "reports[reports >= self.outputs] = self.outputs - 1"),),
          noise.shift_turns_at_every_threshold),
    Fault("shifts: all by the first answer", SHIFT + "ShiftLaw.sample",
          (("codes - np.int32", "codes[:1] - np.int32"),),
          noise.rows_are_shifted_by_their_own_answer),
    Fault("shifts: drawn at half their noise", SHIFT + "ShiftLaw.sample",
          (("reports += codes", "reports[:] = (reports + reports.max()) // 2\n    "
            "reports += codes"),), noise.draws_fit_their_law),
    Fault("unbounded: what lies beyond is forgotten", UNBOUNDED + "ReportTexts.__init__",
          (("multiply(Decimal(moves), span)", "multiply(Decimal(0), span)"),),
          noise.reports_average_to_the_answer),
    Fault("unbounded: noise of moved reports not reduced",
          UNBOUNDED + "UnboundedForecast.noise_of_reports",
          (("noise[: self._width] -=", "moves ="), ("noise[-self._width :] -=", "moves =")),
          noise.reports_that_were_moved_have_less_noise),
    Fault("unbounded: forecast of the noise as if unmoved",
          UNBOUNDED + "UnboundedForecast.noise_variances",
          (("- moves * (last", "- 0 * moves * (last"),), noise.means_have_their_errors),
    Fault("unbounded: report law without what is moved",
          UNBOUNDED + "UnboundedForecast.report_law",
          (("chances[-self._width :] += beyond", "pass"),),
          noise.forecasts_are_the_laws_that_are_run),
    Fault("staircase: the steps of the other aim", "dpdesk.mechanisms.unbounded_noise:best_step",
          (('if optimize == "error"', 'if optimize != "error"'),),
          noise.steps_are_the_best_of_the_grid),
    Fault("staircase: one step too wide", "dpdesk.mechanisms.unbounded_noise:best_step",
          (("argmin()) + 1", "argmin()) + 1 + width // 100"),),
          noise.variances_are_the_published_ones),
    Fault("bounded staircase: only divisors of m", KERNEL + "invertible_widths",
          ((" or (size - 1) % p == 0", ""),), noise.widths_are_those_with_an_inverse),
    Fault("bounded staircase: the middle of the wrong chain", KERNEL + "StaircaseKernel._middle",
          (("self.width - 1 if", "0 if"),), noise.inverse_of_the_staircase_undoes_it),
    Fault("bounded staircase: the widest step", KERNEL + "StaircaseKernel.least_noise",
          (("min(kernels, key=cls._worst_noise)", "kernels[-1]"),),
          noise.the_least_noisy_width_is_taken),
    Fault("bounded staircase: not calibrated", WEIGHTS + "_near_level",
          (("rise = _DIGITS.divide(_DIGITS.subtract(root, slope), Decimal(2 * rival))",
            "rise = _DIGITS.subtract(ratio, Decimal(1))"),),
          noise.bounded_staircases_lose_exactly_epsilon),
    Fault("bounded staircase: loss of another rival", KERNEL + "near_the_rival",
          (("size - 1 - width, width - 1", "size - width, width"),),
          noise.without_calibration_a_staircase_loses_more),
)  # fmt: skip
