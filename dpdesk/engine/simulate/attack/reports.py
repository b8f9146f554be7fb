"""Every respondent's reports under RS+FD or RS+RFD, drawn one by one from a seeded generator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.mechanisms.fake_data import FakeDataForecast

Codes = NDArray[np.int32]
Profiles = list[NDArray[Any]]
"""The reports of each attribute: codes of shape (n,), or bits, uint8 of shape (n, k)."""

# Bits that are drawn side by side: 32 MB of random numbers.
_SIDE_BITS = 1 << 22


def draw_sampled(
    respondents: int, attributes: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Draws which attribute of each respondent is real, with equal chances, shape (n,)."""
    return generator.integers(0, attributes, respondents)


def draw_profiles(
    answers: Sequence[Codes],
    sampled: NDArray[np.int64],
    laws: Sequence[FakeDataForecast],
    generator: np.random.Generator,
    tick: Callable[[], None],
) -> Profiles:
    """Draws what each respondent sends: the sampled attribute's report real, the others fake.

    Args:
        answers: True codes of each attribute, shape (n,).
        sampled: Which attribute is real, shape (n,).
        laws: Law of each attribute's report.
        generator: The source of chance.
        tick: Called now and then; may raise to stop.
    """
    profiles: Profiles = []
    for j, (codes, law) in enumerate(zip(answers, laws, strict=True)):
        tick()
        real = sampled == j
        fakes = generator.choice(law.size, codes.size, p=law.faked).astype(np.int32)
        if law.form == "symbol":
            profiles.append(np.where(real, _randomized(codes, law, generator), fakes))
        else:
            # -1: a vector of zeros, whose bits are all lies.
            faked = fakes if law.fakes == "random" else np.int32(-1)
            profiles.append(_bits(np.where(real, codes, faked), law, generator, tick))
    return profiles


def _randomized(
    codes: Codes, law: FakeDataForecast, generator: np.random.Generator
) -> NDArray[np.int32]:
    kept = generator.random(codes.size) < law.real.p - law.real.q
    others = generator.integers(0, law.size, codes.size, dtype=np.int32)
    return np.where(kept, codes, others)


def _bits(
    encoded: NDArray[np.int32],
    law: FakeDataForecast,
    generator: np.random.Generator,
    tick: Callable[[], None],
) -> NDArray[np.uint8]:
    bits = np.empty((encoded.size, law.size), dtype=np.uint8)
    step = max(1, _SIDE_BITS // law.size)
    for start in range(0, encoded.size, step):
        tick()
        block = encoded[start : start + step]
        drawn = generator.random((block.size, law.size))
        out = bits[start : start + step]
        np.less(drawn, law.real.q, out=out.view(np.bool_))
        rows = np.flatnonzero(block >= 0)
        true = block[rows]
        out[rows, true] = drawn[rows, true] < law.real.p
    return bits
