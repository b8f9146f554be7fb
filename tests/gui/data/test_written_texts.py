"""Text that somebody may have written is looked at before it is public."""

from __future__ import annotations

from dpdesk.data.table import table_from_texts
from dpdesk.gui.pages.data.confirm_dialog import PUBLISHED, WaitingModel, waiting_domains
from dpdesk.plan import draft_table


def test_that_text_that_people_may_have_written_is_not_ticked() -> None:
    columns = {
        "sex": ["f", "m"],
        "code": ["12", "13"],
        "note": ["phone me at 06", "none"],
        "room": ["A4", "B5"],
        "often": ["very often", "seldom"],
        "range": ["18-24", "25-39"],
    }
    table = table_from_texts({name: texts * 30 for name, texts in columns.items()})
    plan = draft_table(table)
    ticks = {row.column.name: row.confirm for row in waiting_domains(plan, {})}
    said = {name for name, tick in ticks.items() if not tick}
    assert said == {"note", "room", "often"}
    # What somebody declared is known to be public.
    declared = plan.with_column("often", provenance="declared")
    ticks = {row.column.name: row.confirm for row in waiting_domains(declared, {})}
    assert ticks["often"]
    (note,) = (row for row in waiting_domains(plan, {}) if row.column.name == "note")
    assert WaitingModel().detail(note, PUBLISHED).endswith(": 1")
