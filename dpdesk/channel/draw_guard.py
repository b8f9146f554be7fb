"""What every sampler demands before it draws: whole words, and codes of the domain."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import ReleaseError


def require_draw(codes: NDArray[Any], words: NDArray[Any], size: int, words_each: int = 1) -> None:
    """Refuses codes and words that a law of `size` values cannot be drawn with.

    Args:
        codes: True codes, shape (n,), each to be in 0..size-1. A code outside would be answered
            by the law of another value, or by none.
        words: Random words, shape (n * words_each,), to be uint64: against a signed type they
            would silently pass through float64 and lose bits.
        size: Number of values of the domain.
        words_each: Words per draw.

    Raises:
        ReleaseError: The codes or the words are not of this kind.
    """
    if words.dtype != np.uint64 or words.shape != (codes.size * words_each,):
        raise ReleaseError("The random words do not have 64 bits each, or not one per draw.")
    # Seen as unsigned, a negative code is larger than any size: one pass checks both ends.
    if codes.dtype != np.int32 or (codes.size and int(codes.view(np.uint32).max()) >= size):
        raise ReleaseError("An answer lies outside the domain of its attribute.")
