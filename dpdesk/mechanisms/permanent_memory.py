"""Permanent responses that are kept, for respondents who report more than once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import ReleaseError
from dpdesk.randomness import WordSource

Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class PermanentResponses:
    """What respondents keep to themselves and report from.

    Attributes:
        cohorts: The cohort of each respondent, shape (n,).
        bits: The permanent response to each respondent's answer, shape (n, m).
    """

    cohorts: NDArray[np.int64]
    bits: NDArray[np.bool_]


class PermanentLaw(Protocol):
    """A mechanism that answers in two steps."""

    def cohorts_of(self, respondents: int, words: WordSource) -> NDArray[np.int64]:
        """Draws a cohort for each respondent, shape (n,)."""

    def permanent(
        self, codes: Codes, cohorts: NDArray[np.int64], words: WordSource
    ) -> PermanentResponses:
        """Draws a permanent response to each answer."""


class PermanentMemory:
    """Keeps a cohort for each respondent and a permanent response for each of their answers.

    Whoever asks the same respondent again must report from what was drawn the first time: fresh
    permanent responses would average the noise away. The memory is as secret as the answers and
    belongs to whoever holds them.
    """

    def __init__(self, law: PermanentLaw) -> None:
        self._law = law
        self._cohort_of: dict[int, int] = {}
        self._bits_of: dict[tuple[int, int], NDArray[np.bool_]] = {}

    def responses(
        self, respondents: NDArray[np.int64], codes: Codes, words: WordSource
    ) -> PermanentResponses:
        """Returns the permanent responses to answers, drawn where they are asked the first time.

        Words are drawn for all rows, known or not, so that their number tells nothing.

        Args:
            respondents: A number for each respondent, shape (n,).
            codes: True codes, shape (n,).
            words: Source of random words.

        Raises:
            ReleaseError: There are not as many respondents as answers.
        """
        if respondents.shape != codes.shape:
            raise ReleaseError("There are not as many respondents as answers.")
        names = respondents.tolist()
        drawn = self._law.cohorts_of(codes.size, words).tolist()
        kept = [
            self._cohort_of.setdefault(name, new) for name, new in zip(names, drawn, strict=True)
        ]
        cohorts = np.array(kept, dtype=np.int64)
        bits = self._law.permanent(codes, cohorts, words).bits
        for row, key in enumerate(zip(names, codes.tolist(), strict=True)):
            bits[row] = self._bits_of.setdefault(key, bits[row].copy())
        return PermanentResponses(cohorts, bits)
