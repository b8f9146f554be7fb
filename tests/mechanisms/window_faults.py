"""Faults in the window and hybrid laws and the mechanisms that run them, for the kill matrix."""

from __future__ import annotations

from tests.channel import window_checks as laws
from tests.mechanisms import window_checks as windows
from tests.mechanisms.mutation import Fault

WINDOW = "dpdesk.channel.window:WindowLaw."
BOTH = "dpdesk.channel.window:HybridLaw."
KERNEL = "dpdesk.channel.window:WindowKernel."
INTERVALS = "dpdesk.mechanisms.interval_shares:"
WAVE = "dpdesk.mechanisms.window_noise:"
HYBRID = "dpdesk.mechanisms.hybrid:"
FORECAST = "dpdesk.mechanisms.window_noise:WindowForecast."
PIECEWISE = "dpdesk.mechanisms.window_noise:BoundPiecewise."

FAULTS = (
    # The integer laws.
    Fault("window: <= for < at the truth", WINDOW + "sample",
          (("words < np.uint64(self.truth)", "words <= np.uint64(self.truth)"),),
          laws.windows_turn_at_every_threshold),
    Fault("window: later cells counted from the first", WINDOW + "sample",
          ((" + np.int32(more)", ""),),
          laws.windows_turn_at_every_threshold),
    Fault("window: lies do not skip it", WINDOW + "sample",
          (("(lies >= codes) * np.int32(self.width)", "np.int32(0)"),),
          laws.windows_are_their_law_on_every_small_word),
    Fault("window: one cell too late", WINDOW + "sample",
          (("window = codes +", "window = codes + 1 +"),),
          laws.windows_are_their_law_on_every_small_word),
    Fault("window: the first row's window for all rows", WINDOW + "sample",
          (("window = codes +", "window = codes[:1] +"),), laws.windows_draw_every_row_by_itself),
    Fault("window: no room for the longer cells", WINDOW + "at",
          (("Fraction(weights + width)", "Fraction(weights - width)"),),
          laws.window_certificates_hold),
    Fault("window: eps + 1 %", WINDOW + "at",
          (("exp_lower(epsilon)", "exp_lower(epsilon * 101 / 100)"),),
          windows.window_certificates_of_mechanisms_hold),
    Fault("window: eps - 1 %", WINDOW + "at",
          (("exp_lower(epsilon)", "exp_lower(epsilon * 99 / 100)"),),
          windows.window_certificates_of_mechanisms_hold),
    Fault("window: certified by its average cell", WINDOW + "likelihood_ratio",
          (("-(-self.truth // self.width)", "self.truth // self.width"),),
          laws.window_certificates_hold),
    Fault("hybrid: floor for ceil", BOTH + "at", (("ceil(Fraction", "int(Fraction"),),
          laws.window_certificates_hold),
    Fault("hybrid: certified by the window alone", BOTH + "certificate",
          (("max(self.window.likelihood_ratio, Fraction(self.rest - self.low, self.low))",
            "self.window.likelihood_ratio"),),
          laws.windows_are_their_law_on_every_small_word),
    Fault("hybrid: low and high swapped", BOTH + "sample",
          (("low + (words", "high + (words"), ("(high - low)", "(low - high)")),
          laws.windows_are_their_law_on_every_small_word),
    Fault("hybrid: cells make no room for high", BOTH + "sample",
          ((" + (cells >= high - 1).astype(np.int32)", ""),),
          laws.windows_are_their_law_on_every_small_word),
    # The kernel in floating point.
    Fault("window kernel: one lie too many", KERNEL + "at",
          (("+ size + width - 1)", "+ size + width)"),), laws.window_kernels_are_the_law),
    Fault("window kernel: bins of half a cell more", KERNEL + "binned",
          (("within * (within + 1) / 2", "within * within / 2"),),
          laws.window_kernels_are_the_law),
    Fault("window kernel: even answers of one point less", KERNEL + "even",
          (("np.minimum(cells, self.size - 1)", "np.minimum(cells, self.size - 2)"),),
          laws.window_kernels_are_the_law),
    Fault("window kernel: squares without the width", KERNEL + "_squares_of_evenly_spread",
          (("self.width**2 - 1", "self.width**2"),),
          laws.window_reports_are_worth_what_they_should),
    Fault("window kernel: means of a window one cell on", KERNEL + "expected",
          (("sums[self.width :] - sums[: self.size]",
            "np.roll(sums[self.width :] - sums[: self.size], 1, axis=0)"),),
          laws.window_reports_are_worth_what_they_should),
    Fault("window kernel: chains without their constants", KERNEL + "unbiased",
          (("constant = -(weight * known).sum(axis=0) / together",
            "constant = np.zeros_like(known[0])"),),
          laws.window_reports_are_worth_what_they_should),
    # The mechanisms.
    Fault("piecewise: worth of another slope", KERNEL + "linear",
          (("self._centred() / self.slope", "self._centred() / self.slope * 1.000001"),),
          windows.means_of_fine_grids_are_unbiased),
    Fault("window kernel: squares about the middle only", KERNEL + "squares",
          ((" + 2 * middle * cells / self.slope", ""),),
          windows.means_of_windows_are_unbiased_with_their_errors),
    Fault("hybrid: worth of high before its cells", HYBRID + "joined",
          (("cells.size - below]", "cells.size - below - 1]"),),
          windows.means_of_fine_grids_are_unbiased),
    Fault("hybrid: piecewise with e^-eps", HYBRID + "piecewise_share",
          (("-epsilon / 2", "-epsilon"),), windows.window_mechanisms_have_the_published_widths),
    Fault("square wave: reach of the whole width", WAVE + "reach",
          (("(2 * growth * (growth", "(growth * (growth"),),
          windows.window_mechanisms_have_the_published_widths),
    Fault("square wave: places from the first cell", WAVE + "SquareWaveForecast.positions",
          (("- (self.kernel.width - 1) // 2", "+ 0"),),
          windows.forecasts_of_windows_are_the_law_that_is_run),
    Fault("windows: variance without its mean", KERNEL + "linear_variances",
          (("/ self.slope**2 - squared", "/ self.slope**2"),),
          windows.worst_variances_are_the_published_ones),
    # Intervals.
    Fault("intervals: ends a step too high", INTERVALS + "interval_ends",
          (("np.minimum(edges, domain", "np.minimum(edges + 1, domain"),),
          windows.interval_shares_are_unbiased_with_their_errors),
    Fault("intervals: mean square for variance", INTERVALS + "IntervalReader.read",
          (("second - possible", "second"),), windows.interval_errors_are_those_of_one_report),
    Fault("intervals: no error where all reports are the same", INTERVALS + "IntervalReader.read",
          (("self.least_noise", "0.0"),), windows.interval_errors_are_those_of_one_report),
    Fault("intervals: bins read as points", INTERVALS + "IntervalReader._most_likely",
          (("np.repeat(bins / np.diff(inputs), np.diff(inputs))",
            "np.repeat(bins, np.diff(inputs))[: self.domain.size] / 8"),),
          windows.most_likely_intervals_find_the_truth),
)  # fmt: skip
