"""Laws on words of 16 bits, whose every word can be tried."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest import mock

import numpy as np

from dpdesk.channel import bits, certificate, dense, grr, missing, rounding, shift, window

SMALL_TOTAL = 1 << 16
ALL_SMALL_WORDS = np.arange(SMALL_TOTAL, dtype=np.uint64)


@contextmanager
def small_words() -> Iterator[None]:
    """Within this context every law divides 2^16 words instead of 2^64, by the same code."""
    with ExitStack() as stack:
        for module in (bits, certificate, dense, grr, missing, rounding, shift, window):
            stack.enter_context(mock.patch.object(module, "WORD_TOTAL", SMALL_TOTAL))
        yield
