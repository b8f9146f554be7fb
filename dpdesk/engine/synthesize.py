"""The release of synthetic rows: codes of a trusted file in, rows that are nobody's out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from dpdesk.data.output_fields import Numeric, SymbolField
from dpdesk.data.record_files import RecordWriter, most_bytes, record_files, require_writable
from dpdesk.data.table import SurveyTable
from dpdesk.data.written_column import WrittenColumn
from dpdesk.domains import NumericDomain, OptionSet
from dpdesk.engine.counted_rows import rows_that_count
from dpdesk.engine.jobs import Tracker
from dpdesk.estimation.released import SyntheticRows
from dpdesk.numbers.arrays import Codes
from dpdesk.plan.checks.synthesis import require_synthesizable
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.model import Plan, synthesis_plan
from dpdesk.plan.problem import grouped
from dpdesk.plan.record_columns import answers_column
from dpdesk.plan.synthetic_columns import (
    most_rows,
    synthesis_budget,
    synthetic_states,
    synthetic_table,
)
from dpdesk.randomness import SystemWords, WordSource
from dpdesk.synthesis.states import set_text
from dpdesk.synthesis.synthesis import synthesize
from dpdesk.synthesis.trusted_counts import TrustedCounts


def synthesize_rows(
    table: SurveyTable,
    plan: Plan,
    folder: Path | None,
    tracker: Tracker,
    charge: Callable[[int], object] | None = None,
) -> SyntheticRows:
    """Makes synthetic rows of a trusted file and writes them.

    Args:
        table: The trusted file.
        plan: The plan.
        folder: An existing folder for the rows, to be deleted if this fails; None to write nothing.
        tracker: Progress and cancel; a cancel does not undo the charge.
        charge: Called once, after every check and before anything is drawn, with the most bytes
            that the rows can take; may raise to stop.

    Returns:
        The public result.

    Raises:
        PlanError: The plan has errors, by itself or on this table; nothing was drawn.
        ReleaseError: The rows cannot be written.
        Cancelled: The user cancelled.
    """
    tracker.progress("Checking the plan", 0.0)
    for problem in grouped(require_synthesizable(plan, table, tracker.tick)):
        tracker.warn(str(problem))
    design = synthetic_table(plan)
    columns = design.states
    budget = synthesis_budget(plan, columns)
    files = record_files(plan.formats)
    if charge is not None:
        tracker.tick()
        rows = most_rows(plan, table.rows)
        longest = [_WrittenColumn(column).longest() for column in plan.synthetic]
        size = 0
        if folder is not None:
            described = _described(plan, longest)
            require_writable(files, longest, described, rows)
            size = sum(most_bytes(field, rows, files) for field in longest)
        charge(size)
    words = SystemWords()
    states = coded_states(table, plan, tracker)
    public = states[0].size if plan.statistics.unit.rows_are_public else None
    made = synthesize(
        TrustedCounts(states, design.sizes, budget),
        design.sizes,
        words,
        zeros=design.zeros,
        public_rows=public,
        rows=plan.synthesis.rows,
        tell=lambda done: tracker.progress("Measuring and fitting tables", 0.1 + 0.75 * done),
    )
    released = SyntheticRows(synthesis_plan(plan, public), columns, budget, made, public)
    if folder is not None:
        tracker.progress("Writing the rows", 0.88)
        fields, chunks = zip(
            *(
                _WrittenColumn(column).field_of(_codes_of(column, released, words))
                for column in plan.synthetic
            ),
            strict=True,
        )
        described = _described(plan, fields)
        with RecordWriter(folder, fields, described, files, tick=tracker.tick) as writer:
            writer.append(chunks)
    return released


def _described(plan: Plan, fields: Sequence[SymbolField]) -> tuple[WrittenColumn, ...]:
    """What is said of the columns of the rows."""
    return tuple(
        answers_column(column, field.texts, field.numeric)
        for column, field in zip(plan.synthetic, fields, strict=True)
    )


def _codes_of(column: ColumnPlan, released: SyntheticRows, words: WordSource) -> Codes:
    """The code of each synthetic row in a column of the plan, from all of its states."""
    return sum(
        (
            states.drawn_codes(own, words)
            for states, own in zip(released.columns, released.synthesized.states, strict=True)
            if states.column == column.name
        ),
        start=np.zeros(released.rows, dtype=np.int32),
    )


class _WrittenColumn:
    """A column of the rows as the file writes it.

    Args:
        column: The column of the plan, with a domain.
    """

    def __init__(self, column: ColumnPlan) -> None:
        domain = column.effective_domain
        assert domain is not None  # noqa: S101 - columns of synthetic rows have a domain
        self._column, self._domain = column, domain

    def field_of(self, codes: Codes) -> tuple[SymbolField, Codes]:
        """Returns the field of some codes, and the codes as it has them.

        Of sets only those that occur are listed: there may be two to the power of 30.
        """
        if not isinstance(self._domain, OptionSet):
            return self._field((*self._domain.texts, "")), codes
        own, places = np.unique(codes, return_inverse=True)
        texts = [set_text(self._domain, int(code), self._no_answer()) for code in own]
        return self._field(texts), places.astype(np.int32)

    def longest(self) -> SymbolField:
        """Returns a field that no field of this column is longer than."""
        if not isinstance(self._domain, OptionSet):
            return self._field((*self._domain.texts, ""))
        domain = self._domain
        every = domain.separator.join(domain.listed)
        return self._field((every, domain.nothing, self._no_answer()))

    def _field(self, texts: Sequence[str]) -> SymbolField:
        domain = self._domain
        numeric: Numeric = "no"
        if isinstance(domain, NumericDomain):
            numeric = domain.numeric_cells(domain.texts)
        return SymbolField(self._column.name, tuple(texts), numeric)

    def _no_answer(self) -> str:
        """What a missing answer is, where an empty cell may say that nothing was ticked."""
        missing = self._column.missing
        never = self._domain.never_missing
        codes = [token for token in missing.tokens if token not in never]
        codes += [f"{one.upper if one.lower is None else one.lower:f}" for one in missing.ranges]
        # The shortest is the empty cell, where it says nothing else.
        return min(codes, key=len, default="")


def coded_states(table: SurveyTable, plan: Plan, tracker: Tracker) -> list[Codes]:
    """Returns the state of each row that counts, by column.

    Args:
        table: The trusted file.
        plan: The plan.
        tracker: Cancel.
    """
    kept = rows_that_count(table, plan)
    codes = {}
    for column in plan.synthetic:
        tracker.tick()
        texts = table.column(column.name)
        codes[column.name] = (encode_column(column, texts, table.reading).code_of, texts.codes)
    states = []
    for own in synthetic_states(plan):
        code_of, rows = codes[own.column]
        places = rows if kept is None else kept.of(rows, own.column)
        states.append(np.ascontiguousarray(own.of_codes(code_of)[places]))
    return states
