"""Exact integer laws: what is really run, its certificate and its sampler.

Every law here turns random words of 64 bits into reports, a fixed number of words for each draw. A
weight w means the probability w / 2^64, exactly; so the loss of a law is the logarithm of a
rational and can be certified at every run.
"""

from dpdesk.channel.bits import ThresholdLaw, UnaryLaw
from dpdesk.channel.certificate import WORD_TOTAL, Certificate, certify
from dpdesk.channel.dense import DenseLaw
from dpdesk.channel.fixed import FixedLaw
from dpdesk.channel.geometric_kernel import GeometricKernel
from dpdesk.channel.grr import GrrLaw
from dpdesk.channel.rounding import geometric_weights, rounded_rows
from dpdesk.channel.window import HybridLaw, WindowKernel, WindowLaw
