"""The release of synthetic rows: codes of a trusted file in, rows that are nobody's out."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from pathlib import Path

import numpy as np

from dpdesk.data.output_fields import SymbolField
from dpdesk.data.table import SurveyTable
from dpdesk.data.write_records import RecordWriter, most_bytes
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.statistics import rows_that_count
from dpdesk.estimate.released import SyntheticRows
from dpdesk.plan.check_synthesis import require_synthesizable
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.model import Plan, synthesis_plan
from dpdesk.plan.problem import grouped
from dpdesk.plan.synthetic_columns import synthesis_budget, synthetic_states
from dpdesk.randomness import SystemWords, WordSource
from dpdesk.synthesis.states import ROWS_MAX, Codes
from dpdesk.synthesis.synthesis import synthesize
from dpdesk.synthesis.trusted_counts import TrustedCounts

_DEVIATIONS = 10
"""The file seems to have more rows than its own and so many standard deviations next to never."""


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
    columns = synthetic_states(plan)
    budget = synthesis_budget(plan, columns)
    fields = synthetic_fields(plan)
    if charge is not None:
        tracker.tick()
        noise = _DEVIATIONS * budget.rows_deviation([column.size for column in columns])
        rows = plan.synthesis.rows or min(table.rows + ceil(noise), ROWS_MAX)
        charge(0 if folder is None else sum(most_bytes(field, rows) for field in fields))
    words = SystemWords()
    states = coded_states(table, plan, words, tracker)
    public = states[0].size if plan.statistics.unit.rows_are_public else None
    sizes = [column.size for column in columns]
    made = synthesize(
        TrustedCounts(states, sizes, budget),
        sizes,
        words,
        public_rows=public,
        rows=plan.synthesis.rows,
        tell=lambda done: tracker.progress("Measuring and fitting tables", 0.1 + 0.75 * done),
    )
    released = SyntheticRows(synthesis_plan(plan, public), columns, budget, made, public)
    if folder is not None:
        tracker.progress("Writing the rows", 0.88)
        with RecordWriter(folder, fields) as writer:
            writer.append(
                [
                    column.drawn_codes(own, words)
                    for column, own in zip(columns, made.states, strict=True)
                ]
            )
    return released


def synthetic_fields(plan: Plan) -> tuple[SymbolField, ...]:
    """Returns the columns of the synthetic rows as they are written; "" is no answer."""
    fields = []
    for column, states in zip(plan.synthetic, synthetic_states(plan), strict=True):
        domain = column.effective_domain
        assert domain is not None  # noqa: S101 - they have a domain
        texts = domain.texts if states.no_answer is None else (*domain.texts, "")
        numeric = column.kind if column.kind in {"integer", "real"} else "no"
        fields.append(SymbolField(column.name, texts, numeric))
    return tuple(fields)


def coded_states(
    table: SurveyTable, plan: Plan, words: WordSource, tracker: Tracker
) -> list[Codes]:
    """Returns the state of each row that counts, by column.

    Args:
        table: The trusted file.
        plan: The plan.
        words: Random words for the choice among a respondent's rows.
        tracker: Cancel.
    """
    kept = rows_that_count(table, plan, words)
    states = []
    for column, own in zip(plan.synthetic, synthetic_states(plan), strict=True):
        tracker.tick()
        texts = table.column(column.name)
        encoded = encode_column(column, texts, table.reading)
        every = own.of_codes(encoded.code_of)[texts.codes]
        states.append(np.ascontiguousarray(every if kept is None else every[kept]))
    return states
