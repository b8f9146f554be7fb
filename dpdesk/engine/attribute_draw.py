"""The reports of some respondents: which attribute each reports, and what is drawn of it.

`AttributeDraw` carries out the strategy. A worker of a cluster draws a part of a release by
`draw_part`, this computer by the same `drawn_reports`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel import FixedLaw
from dpdesk.data.output_fields import Chunk, PartialChunk, TextField
from dpdesk.data.packed_records import PackedRows, RecordLayout
from dpdesk.engine.texts import T
from dpdesk.errors import ReleaseError
from dpdesk.estimation.from_records import record_fields
from dpdesk.estimation.released import bind_attributes
from dpdesk.mechanisms import BoundMechanism, Tally
from dpdesk.mechanisms.fake_data import FakeDataOracle
from dpdesk.numbers.arrays import Codes
from dpdesk.plan.file import plan_from_json
from dpdesk.plan.model import Plan
from dpdesk.plan.record_columns import Bound
from dpdesk.randomness import SystemWords, WordSource

# Each draw covers all attributes with a chance of at least .5 if the plan passed its check.
_DRAWS_MAX = 200
_ROWS_AT_ONCE = 1 << 16
# Attributes of so many respondents are stored, in 8 or 16 bits each.
_STORED_ROWS = 1 << 23


@dataclass(frozen=True, slots=True)
class AttributeReports:
    """The reports of one attribute in a chunk.

    Attributes:
        reports: One for every respondent.
        present: Which of them are released, shape (n,); None if all are.
    """

    reports: NDArray[Any]
    present: NDArray[np.bool_] | None

    @classmethod
    def of(cls, chunk: Chunk) -> AttributeReports:
        """Returns the reports of a chunk of records."""
        if isinstance(chunk, PartialChunk):
            return cls(chunk.reports, chunk.present)
        return cls(np.asarray(chunk), None)

    def as_chunk(self) -> Chunk:
        """Returns them as a chunk of records."""
        return self.reports if self.present is None else PartialChunk(self.reports, self.present)

    def tally(self, mechanism: BoundMechanism, weights: NDArray[np.float64] | None) -> Tally:
        """Counts the released reports."""
        if self.present is None:
            return mechanism.tally(self.reports, weights)
        chosen = None if weights is None else weights[self.present]
        return mechanism.tally(self.reports[self.present], chosen)


class AttributeDraw:
    """The attribute that each of some respondents reports.

    It is drawn with one word for each respondent, independently of the answers. Whatever is drawn,
    every attribute of every respondent is randomized, so that the number of words is fixed.

    Attributes:
        released: Position of each respondent's attribute among the protected ones, shape (n,),
            if the release states it; else None.
    """

    def __init__(self, plan: Plan, rows: int, words: WordSource) -> None:
        """Draws the attributes of `rows` respondents; under "spl" there is nothing to draw."""
        self._attribute: NDArray[Any] | None = None
        if plan.strategy != "spl":
            law, kind = FixedLaw(len(plan.protected)), np.min_scalar_type(len(plan.protected))
            self._attribute = np.empty(rows, dtype=kind)
            for start in range(0, rows, _ROWS_AT_ONCE):
                part = self._attribute[start : start + _ROWS_AT_ONCE]
                part[:] = law.sample(words.take(part.size))
        self.released = self._attribute if plan.strategy == "smp" else None

    @classmethod
    def of_everybody(cls, plan: Plan, rows: int, words: WordSource) -> AttributeDraw | None:
        """Draws the attributes of all respondents of a release, unless these are very many.

        If the release states who reports what, and nobody was drawn for some attribute, all are
        drawn again: nothing could be estimated, and the release is charged already. The draw does
        not depend on the answers, so drawing again does not weaken anybody's protection. The
        plan's check makes sure that it is rare.

        Of more than `_STORED_ROWS` respondents what was drawn is not stored, and each chunk draws
        its own: that one of 10,000 attributes is left out then has a chance below 10^-300, and
        stops the release as a failure of the source.

        Args:
            plan: A plan without errors on so many respondents.
            rows: Number of respondents.
            words: Source of random words.

        Returns:
            The draw; None if each chunk draws its own.

        Raises:
            ReleaseError: The source of randomness failed.
        """
        if rows > _STORED_ROWS:
            return None
        attributes = len(plan.protected)
        for _ in range(_DRAWS_MAX):
            draw = cls(plan, rows, words)
            if draw.released is None or np.unique(draw.released).size == attributes:
                return draw
        raise no_chance()

    def of(self, rows: slice) -> AttributeDraw:
        """Returns the draw of some consecutive respondents."""
        part = copy(self)
        if self._attribute is not None:
            part._attribute = self._attribute[rows]
        part.released = None if self.released is None else self.released[rows]
        return part

    def randomize(
        self, position: int, mechanism: BoundMechanism, codes: Codes, words: WordSource
    ) -> AttributeReports:
        """Draws the reports of one attribute.

        Args:
            position: Position of the attribute among the protected ones.
            mechanism: Its mechanism, from `bind_attributes`.
            codes: True codes, shape (n,); -1 for a missing answer that stays blank, which only
                "spl" can leave so.
            words: Source of random words.
        """
        if self._attribute is None:
            blank = codes < 0
            if not blank.any():
                return AttributeReports(mechanism.randomize(codes, words), None)
            # Some answer is randomized in the place of each blank, so that the words stay in step.
            reports = mechanism.randomize(np.where(blank, 0, codes).astype(codes.dtype), words)
            return AttributeReports(reports, ~blank)
        drawn = self._attribute == position
        if isinstance(mechanism, FakeDataOracle):
            return AttributeReports(mechanism.randomize_drawn(codes, drawn, words), None)
        return AttributeReports(mechanism.randomize(codes, words), drawn)


def no_chance() -> ReleaseError:
    """Returns the refusal of what chance does not do."""
    return ReleaseError(T.RANDOMNESS_FAILED())


def drawn_reports(
    bound: Bound,
    draw: AttributeDraw,
    codes: Iterable[Codes],
    words: WordSource,
    tick: Callable[[], object] = lambda: None,
) -> list[Chunk]:
    """Draws the reports of some respondents, one chunk for each protected column.

    Behind them stands who reports which of them, where the release states it.

    Args:
        bound: The protected columns with their mechanisms.
        draw: The attribute that each respondent reports.
        codes: The true codes of each column, shape (n,).
        words: Source of random words.
        tick: Called for each column; may raise.
    """
    reports: list[Chunk] = []
    for position, ((_, mechanism), own) in enumerate(zip(bound, codes, strict=True)):
        tick()
        drawn = draw.randomize(position, mechanism, own, words)
        reports.append(drawn.as_chunk())
    return reports if draw.released is None else [*reports, draw.released]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DrawnPart:
    """Respondents whose reports a worker draws, with all that it needs.

    Attributes:
        plan: The public plan, as JSON.
        laws: The fingerprints of the laws that the plan was certified with.
        codes: The true codes of each protected column.
        attributes: The attribute that each respondent reports; drawn by the worker if None.
    """

    plan: str
    laws: tuple[str, ...]
    codes: tuple[NDArray[Any], ...]
    attributes: AttributeDraw | None


def draw_part(part: DrawnPart) -> PackedRows:
    """Draws the reports of a part with random words of the worker's system.

    Returns:
        The reports as rows of bytes (`reports_layout`).

    Raises:
        ReleaseError: The worker's laws are not those of the plan, or its source of randomness
            failed.
    """
    plan, bound = _bound_on_worker(part.plan)
    if fingerprints(bound) != part.laws:
        raise ReleaseError(T.OTHER_LAWS())
    words, size = SystemWords(), len(part.codes[0])
    draw = part.attributes or AttributeDraw(plan, size, words)
    codes = (codes.astype(np.int32, copy=False) for codes in part.codes)
    return reports_layout(plan, bound).pack(drawn_reports(bound, draw, codes, words), size)


@lru_cache(maxsize=4)
def _bound_on_worker(text: str) -> tuple[Plan, Bound]:
    plan = plan_from_json(text)
    return plan, bind_attributes(plan)


def fingerprints(bound: Bound) -> tuple[str, ...]:
    """Returns the fingerprint of the law of each protected column."""
    return tuple(mechanism.certificate.fingerprint for _, mechanism in bound)


def reports_layout(plan: Plan, bound: Bound) -> RecordLayout:
    """Returns where reports stand in the bytes that a worker returns."""
    fields = [field for field in record_fields(plan, bound) if not isinstance(field, TextField)]
    return RecordLayout(fields, {})
