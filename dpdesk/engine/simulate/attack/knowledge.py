"""What an attacker finds out about the shares of the answers, and the profiles made from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.engine.simulate.attack.reports import Profiles, draw_profiles, draw_sampled
from dpdesk.engine.simulate.strategies import clip_and_normalise, shares_of
from dpdesk.mechanisms.fake_data import FakeDataForecast
from dpdesk.mechanisms.frequency_oracle import noise_variance

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


def shares_from_reports(
    profiles: Sequence[NDArray[Any]], laws: Sequence[FakeDataForecast]
) -> list[Floats]:
    """Returns each attribute's shares as anybody estimates them from the sanitized data.

    They are clipped and normalised, as the publications do.
    """
    return [
        clip_and_normalise(shares_of(law, _support(reports, law), np.array(len(reports))))
        for reports, law in zip(profiles, laws, strict=True)
    ]


def shares_from_compromised(
    profiles: Sequence[NDArray[Any]], sampled: Counts, laws: Sequence[FakeDataForecast]
) -> list[Floats]:
    """Returns each attribute's shares from respondents whose real attribute is known.

    Args:
        profiles: Their reports.
        sampled: Which attribute was real, shape (compromised,).
        laws: Law of each attribute's report.
    """
    return [
        clip_and_normalise(_known_shares(reports[sampled == j], law))
        for j, (reports, law) in enumerate(zip(profiles, laws, strict=True))
    ]


def shares_from_both(
    profiles: Sequence[NDArray[Any]],
    compromised: Counts,
    sampled: Counts,
    laws: Sequence[FakeDataForecast],
) -> list[Floats]:
    """Returns each attribute's shares from the known real reports and those of all others.

    The two estimates are independent and are weighted by their inverse variances near 0.

    Args:
        profiles: The reports of all respondents.
        compromised: Positions of those whose real attribute is known.
        sampled: Which attribute of theirs was real, of the same shape.
        laws: Law of each attribute's report.
    """
    shares = []
    for j, (reports, law) in enumerate(zip(profiles, laws, strict=True)):
        known = reports[compromised[sampled == j]]
        others = np.delete(reports, compromised, axis=0)
        from_others = shares_of(law, _support(others, law), np.array(len(others)))
        known_weight = len(known) / noise_variance(law.real.p, law.real.q, 0.0)
        others_weight = len(others) / law.noise_constant
        total = known_weight * _known_shares(known, law) + others_weight * from_others
        shares.append(clip_and_normalise(total / (known_weight + others_weight)))
    return shares


def synthetic_profiles(
    shares: Sequence[Floats],
    laws: Sequence[FakeDataForecast],
    number: int,
    generator: np.random.Generator,
    tick: Callable[[], None],
) -> tuple[Profiles, Counts]:
    """Draws profiles of made-up respondents whose real attribute the attacker knows.

    Args:
        shares: Estimated shares that their answers are drawn from, each attribute by itself.
        laws: Law of each attribute's report.
        number: How many profiles.
        generator: The source of chance.
        tick: Called now and then; may raise to stop.

    Returns:
        The reports of each attribute, and which attribute is real, shape (number,).
    """
    sampled = draw_sampled(number, len(laws), generator)
    answers = [generator.choice(f.size, number, p=f).astype(np.int32) for f in shares]
    return draw_profiles(answers, sampled, laws, generator, tick), sampled


def _known_shares(reports: NDArray[Any], law: FakeDataForecast) -> Floats:
    return shares_of(law.real, _support(reports, law), np.array(len(reports)))


def _support(reports: NDArray[Any], law: FakeDataForecast) -> Counts:
    if law.form == "symbol":
        return np.bincount(reports, minlength=law.size)
    return np.asarray(reports.sum(axis=0, dtype=np.int64))
