"""Noise for central statistics: its kinds, its scale, its exact law and its draw.

Scale and draw come from OpenDP, whose samplers and privacy maps carry proofs; the laws, and so the
errors before and the intervals after a release, are computed here.
"""

from dpdesk.queries.noise.calibrate import (
    calibrate,
    calibrate_rho,
)
from dpdesk.queries.noise.calibrated import CalibratedNoise
from dpdesk.queries.noise.kinds import (
    GAUSSIAN_KINDS,
    NOISE_KINDS,
    NOISE_WORDS,
    NoiseKind,
)
