"""Integer laws held as a full table, sampled by an inverse distribution function with a guide."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import (
    WORD_TOTAL,
    Certificate,
    certify,
    fingerprint_of,
    require_draw,
)
from dpdesk.channel.texts import T
from dpdesk.errors import CertificateError

Reports = NDArray[np.unsignedinteger[Any]]

DENSE_MAX = 2_000
"""Largest number of values held as a table: 2,000 by 2,000 weights are 32 MB."""


class DenseLaw:
    """A table of integer weights w[x, y], each at least 1, each row summing to 2^64.

    A draw reports y = number of interior cumulative thresholds <= U. The top bits of U look up
    the few thresholds that are still open (a guide table, Chen and Asau 1974), so a draw costs a
    look-up and usually one comparison; the result is that of the plain inverse.
    """

    def __init__(self, weights: NDArray[np.uint64], tick: Callable[[], None] | None = None) -> None:
        """Takes the weights, shape (inputs, outputs), and builds the sampling tables.

        Args:
            weights: The law, row x for the true value x.
            tick: Called now and then; may raise to stop the work.

        Raises:
            CertificateError: A weight is 0 or a row does not sum to 2^64.
        """
        assert weights.dtype == np.uint64  # noqa: S101 - a guard of exactness, not of input
        self.weights = np.ascontiguousarray(weights)
        self.inputs, self.outputs = weights.shape
        self._tick = tick
        for row in self.weights:
            self._check_stop()
            if not row.all() or sum(row.tolist()) != WORD_TOTAL:
                raise CertificateError(T.NO_LAW())
        self.thresholds = np.cumsum(self.weights[:, :-1], axis=1, dtype=np.uint64)
        self._guide_bits = max(1, self.outputs - 1).bit_length() + 1
        self._first, self._last = self._build_guide()
        self._tick = None

    def _check_stop(self) -> None:
        if self._tick is not None:
            self._tick()

    def _build_guide(self) -> tuple[Reports, Reports]:
        """Returns the reports of the first and the last word of each guide cell, as flat arrays."""
        cells = 1 << self._guide_bits
        starts = np.arange(cells, dtype=np.uint64) << np.uint64(64 - self._guide_bits)
        ends = starts | np.uint64((1 << (64 - self._guide_bits)) - 1)
        # The narrower the table, the more of it stays in the processor's cache.
        narrow = np.uint16 if self.outputs <= 1 << 16 else np.uint32
        first = np.empty((self.inputs, cells), dtype=narrow)
        last = np.empty_like(first)
        for x in range(self.inputs):
            self._check_stop()
            first[x] = self.thresholds[x].searchsorted(starts, side="right")
            last[x] = self.thresholds[x].searchsorted(ends, side="right")
        return first.ravel(), last.ravel()

    def sample(self, codes: NDArray[np.int32], words: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Draws one report per true code.

        Args:
            codes: True codes, shape (n,).
            words: One word per draw, shape (n,).

        Returns:
            Reported codes, shape (n,).

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
        """
        require_draw(codes, words, self.inputs)
        cell = (words >> np.uint64(64 - self._guide_bits)).astype(np.int64)
        cell += codes.astype(np.int64) << self._guide_bits
        reports = self._first[cell].astype(np.int32)
        last = self._last[cell].astype(np.int32)
        flat = self.thresholds.ravel()
        still_open = np.flatnonzero(reports < last)
        while still_open.size:
            low, high = reports[still_open], last[still_open]
            middle = (low + high) >> 1
            at = codes[still_open].astype(np.int64) * (self.outputs - 1) + middle
            above = words[still_open] >= flat[at]
            low = np.where(above, middle + 1, low)
            high = np.where(above, high, middle)
            reports[still_open], last[still_open] = low, high
            still_open = still_open[low < high]
        return reports

    def extremes(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Returns the largest and the smallest weight of each report, shapes (outputs,)."""
        return self.weights.max(axis=0), self.weights.min(axis=0)

    def likelihood_ratio(self) -> Fraction:
        """Returns the largest ratio within a column: the exact e^loss of the law."""
        largest, smallest = (weights.tolist() for weights in self.extremes())
        return max(Fraction(a, b) for a, b in zip(largest, smallest, strict=True))

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law against a nominal epsilon."""
        return certify(self.likelihood_ratio(), epsilon, self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Digest of the table, words in little-endian order."""
        kind = f"dense {self.inputs} {self.outputs}"
        return fingerprint_of(kind, self.weights.astype("<u8").tobytes())
