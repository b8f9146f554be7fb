"""Windows of consecutive answers: a column recognised by its order (shingles, Broder 1997)."""

from __future__ import annotations

import math
import zlib

import numpy as np
from numpy.typing import NDArray

from dpdesk.ledger.coded import CodedColumn, scrambled
from dpdesk.ledger.fingerprint import Words

_BITS = 48.0
"""What a window says at least, so that equal ones are no accident among a million of them."""

_LONGEST = 256
_MEASURED = 1 << 16
_OVERHEAD = 24
_LEAST_DISTINCT = 0.2


def window_length(column: CodedColumn) -> int:
    """Returns how many answers a window needs, a power of two; 0 if the order says too little.

    What an answer adds to those before it is bounded by what a compressed column takes. So a
    sorted, constant or periodic column has no windows: every file has such ones.

    Args:
        column: A column of at most 256 answers.
    """
    start = column.codes[:_MEASURED]
    shares = column.counts[column.counts > 0] / column.codes.size
    entropy = -float((shares * np.log2(shares)).sum())
    packed = len(zlib.compress(start.astype(np.uint8).tobytes(), 9)) - _OVERHEAD
    bits = min(entropy, 8 * packed / start.size)
    if bits <= 0:
        return 0
    length = 1 << math.ceil(math.log2(max(_BITS / bits, 2)))
    return length if length <= min(_LONGEST, column.codes.size // 2) else 0


def smallest_windows(column: CodedColumn, length: int, size: int) -> Words:
    """Returns the smallest digests of the distinct windows of a column, sorted.

    Args:
        column: The column.
        length: Answers in a window, a power of two.
        size: How many digests.

    Returns:
        At most `size` digests; none if most windows of the column are equal to others.
    """
    windows = _windows(column, length)
    count = min(windows.size, 4 * size)
    smallest = np.partition(windows, count - 1)[:count] if count < windows.size else windows
    distinct = np.unique(smallest)
    if distinct.size < _LEAST_DISTINCT * smallest.size:
        return distinct[:0]
    return distinct[:size]


def _windows(column: CodedColumn, length: int) -> NDArray[np.uint64]:
    """Returns a digest of every window: a polynomial of its answers' digests, modulo 2^64."""
    windows = scrambled(column.digests)[column.codes]
    factor, width = 0x9E3779B97F4A7C15, 1
    while width < length:
        # A window of twice the width: the first half, and the second one times a power.
        windows = windows[:-width] + windows[width:] * np.uint64(factor)
        factor = factor * factor % 2**64
        width *= 2
    return scrambled(windows)
