"""One list of the codes that may mean no answer: a tick decides for every column that has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from dpdesk.domains import Categorical
from dpdesk.gui.pages.data.codes_dialog import CODE, CodesDialog

COLUMNS = [f"q{number}" for number in range(30)]


@pytest.fixture
def dialog(page, qtbot, wait, tmp_path: Path) -> CodesDialog:
    """The list of a file of which each column has -99, and five have -98 as well."""
    path = tmp_path / "scales.csv"
    rows = [[str(1 + (row + number) % 5) for number in range(30)] for row in range(40)]
    rows += [["-99"] * 30] * 3 + [["-98"] * 5 + ["2"] * 25] * 3
    path.write_text("\n".join([",".join(COLUMNS), *map(",".join, rows)]) + "\n", "utf-8")
    page.open_file(path)
    wait()
    qtbot.waitUntil(page.commands.codes.isVisible)
    page.commands.codes.trigger()
    (shown,) = page.window().findChildren(CodesDialog)
    return shown


def test_that_a_code_of_many_columns_is_one_row_with_its_columns(dialog):
    found = [(one.code, len(one.columns), one.answers) for one in dialog.codes.rows]
    assert found == [("-99", 30, 90), ("-98", 5, 15)]


def test_that_one_tick_decides_for_every_column_and_is_one_step_of_undo(dialog, document, qtbot):
    index = dialog.codes.index(1, CODE)
    dialog.codes.setData(index, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    dialog.mean_missing.click()
    for name in COLUMNS:
        assert "-99" in document.plan.column(name).missing.tokens
        assert "-98" not in document.plan.column(name).missing.tokens
    assert [one.code for one in dialog.codes.rows] == ["-98"]
    dialog.codes.setData(
        dialog.codes.index(0, CODE), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole
    )
    dialog.are_answers.click()
    column = document.plan.column("q0")
    assert column.missing.answers == ("-98",)
    assert isinstance(column.domain, Categorical)
    assert column.domain.values == ("-98", "1", "2", "3", "4", "5")
    assert document.plan.column("q29").missing.answers == ()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.plan.column("q0").missing.tokens == ("",)
