"""Tables and models of a release with a single column of categories."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from dpdesk.gui.pages.release import ReleasePage
from tests.engine.survey import survey_plan
from tests.gui.release.test_tables_and_models import until_idle, written


def test_that_a_column_that_has_no_partner_is_not_refused_beside_itself(
    page: ReleasePage, tmp_path: Path, qtbot: QtBot
) -> None:
    plan = survey_plan()
    for column in (c for c in plan.columns if c.name != "colour"):
        plan = plan.with_column(column.name, role="drop", mechanism=None)
    page.show_release(written(tmp_path / "release", plan))
    until_idle(page.tables, qtbot)
    form = page.tables.form
    assert [part.name() for part in form.parts if part.isVisibleTo(form)].count("colour") == 1
    assert not any(part.refusal.text() for part in form.parts)
    assert form.question() is None
    assert form.lacking()
