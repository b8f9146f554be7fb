"""Text that somebody may have written is looked at before it is public."""

from __future__ import annotations

from dpdesk.data.table import table_from_texts
from dpdesk.gui.pages.data.confirm_dialog import PUBLISHED, WaitingModel, waiting_domains
from dpdesk.plan import draft_table
from dpdesk.plan.given_answers import counted_columns


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


def test_that_all_rows_leave_out_texts_that_few_respondents_wrote() -> None:
    texts = {"few": ["at 06", "none"], "many": ["at 06", "none"], "sex": ["f", "m"]}
    columns = {name: own * 30 for name, own in texts.items()}
    columns["few"] = ["at 06"] * 3 + ["none"] * 57
    table = table_from_texts(columns)
    plan = draft_table(table)
    model = WaitingModel()
    model.show_rows(waiting_domains(plan, counted_columns(plan, table)))
    model.tick_all(True)
    assert {row.column.name: row.confirm for row in model.rows} == {
        "few": False,
        "many": True,
        "sex": True,
    }
    # By itself it can be ticked, and then stays so.
    model.toggle([row.column.name for row in model.rows].index("few"), 0)
    model.tick_all(True)
    assert all(row.confirm for row in model.rows)
    model.tick_all(False)
    assert not any(row.confirm for row in model.rows)
