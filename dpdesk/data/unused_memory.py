"""Memory that nothing is held in any longer, and that libraries keep for later use."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

import pyarrow as pa


def release_unused() -> None:
    """Gives back to the system the memory that Arrow and the C library keep for later use.

    What threads parse side by side lies in a heap of each of them. What one of them gives up the
    others do not use, and what lies behind something that is still needed is not given back by
    itself: the longer a file is, the more of it comes together.
    """
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        # Other C libraries than that of GNU have no such function.
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
