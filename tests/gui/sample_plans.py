"""The bundled sample without the plan that it opens with."""

from __future__ import annotations

from dpdesk.data.sample import sample_codebook
from dpdesk.gui.document import Document
from dpdesk.plan import draft_table


def unplan(document: Document) -> None:
    """Replaces the plan of the open sample by one in which everything is still to be decided."""
    table = document.table
    assert table is not None
    plan = draft_table(table, sample_codebook())
    document.reset(plan.with_columns(tuple(c.changed(confirmed=False) for c in plan.columns)))
