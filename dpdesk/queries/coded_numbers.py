"""Categories that are numbers, such as codes of a scale or midpoints of age groups."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from pydantic import ValidationError

from dpdesk.domains import Categorical, Real

_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,9})?")


@lru_cache(maxsize=1024)
def number_grid(domain: Categorical) -> tuple[Real, tuple[int, ...]] | None:
    """Returns the grid on which the numbers among some categories lie.

    Args:
        domain: The categories.

    Returns:
        The coarsest grid that has every number, and the place of each category on it, -1 for one
        that is no number; None where fewer than two categories are numbers or no grid holds them.
    """
    numbers = [Decimal(text) if _NUMBER.fullmatch(text) else None for text in domain.values]
    known = sorted({number for number in numbers if number is not None})
    if len(known) < 2:
        return None
    gaps = [Fraction(number) - Fraction(known[0]) for number in known[1:]]
    common = lcm(*(gap.denominator for gap in gaps))
    step = Fraction(gcd(*(int(gap * common) for gap in gaps)), common)
    resolution = Decimal(step.numerator) / Decimal(step.denominator)
    try:
        grid = Real(lower=known[0], upper=known[-1], resolution=resolution)
    except ValidationError:
        return None
    places = tuple(
        -1 if number is None else int((number - known[0]) / resolution) for number in numbers
    )
    return grid, places
