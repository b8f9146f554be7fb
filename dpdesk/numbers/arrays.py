"""The types of numpy's arrays that most files name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Real numbers."""

Counts = NDArray[np.int64]
"""How often each of several things occurs."""

Codes = NDArray[np.int32]
"""Positions of answers in their domain; -1 for none."""

Flags = NDArray[np.bool_]
"""Whether something holds, of each of several things."""
