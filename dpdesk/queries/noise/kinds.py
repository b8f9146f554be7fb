"""The kinds of noise that a statistic can be given, and what they are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from dpdesk.i18n import N_

NoiseKind = Literal["geometric", "laplace", "discrete_gaussian", "gaussian", "staircase"]
"""How a kind of noise is written in plans and on the command line."""

NOISE_KINDS: tuple[NoiseKind, ...] = (
    "geometric",
    "laplace",
    "discrete_gaussian",
    "gaussian",
    "staircase",
)
GAUSSIAN_KINDS: frozenset[NoiseKind] = frozenset(("discrete_gaussian", "gaussian"))
"""The kinds that promise (epsilon, delta), with a delta above 0."""

INTEGER_KINDS: frozenset[NoiseKind] = frozenset(("geometric", "discrete_gaussian", "staircase"))
"""The kinds that add whole grid steps."""


@dataclass(frozen=True, slots=True)
class NoiseWords:
    """What a kind of noise is called; every text is marked for translation.

    Attributes:
        title: Its name.
        summary: One plain sentence.
        use: When it is the right choice.
        reference: Where it was published.
    """

    title: str
    summary: str
    use: str
    reference: str


NOISE_WORDS: Mapping[NoiseKind, NoiseWords] = MappingProxyType(
    {
        "geometric": NoiseWords(
            N_("Discrete Laplace"),
            N_("Whole numbers are added whose chance falls by the same factor with every step."),
            N_("For counts and sums of few numbers: results stay on their grid and delta is 0."),
            "Ghosh, Roughgarden & Sundararajan 2009",
        ),
        "laplace": NoiseWords(
            N_("Laplace"),
            N_("Real numbers are added whose chance falls exponentially on both sides of 0."),
            N_("Where results need not stay on the grid; otherwise discrete Laplace is as good."),
            "Dwork, McSherry, Nissim & Smith 2006",
        ),
        "discrete_gaussian": NoiseWords(
            N_("Discrete Gaussian"),
            N_("Whole numbers are added that follow a bell curve; epsilon holds up to delta."),
            N_("For many numbers that one respondent moves together, where a delta is accepted."),
            "Canonne, Kamath & Steinke 2020",
        ),
        "gaussian": NoiseWords(
            N_("Gaussian"),
            N_("Real numbers are added that follow a bell curve; epsilon holds up to delta."),
            N_("As the discrete Gaussian, where results need not stay on the grid."),
            "Dwork & Roth 2014; Balle & Wang 2018",
        ),
        "staircase": NoiseWords(
            N_("Staircase"),
            N_("Whole numbers are added whose chance falls in steps as wide as the sensitivity."),
            N_("For a single number at a large epsilon: the least variance without a delta."),
            "Geng & Viswanath 2016",
        ),
    }
)
