"""The field of combinations that cannot be: what is refused is said below it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.domains import Categorical, Integer
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.synthetic_pane import ImpossibleField
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.queries.texts import T


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("age is between 60 and 20 and work is yes", T.CROSSED_CONDITION.remedy),
        ("work is yes and work is no", "No record can have this in any case"),
        ("age is at least 500 and work is yes", "No record can have this in any case"),
    ],
)
def test_that_what_no_row_can_have_is_refused_below_the_field(
    qtbot: QtBot, document: Document, typed: str, told: str
) -> None:
    age, work = Integer(lower=0, upper=99), Categorical(values=("yes", "no"))
    columns = (
        ColumnPlan(name="age", kind="integer", role="protect", domain=age, confirmed=True),
        ColumnPlan(name="work", kind="binary", role="protect", domain=work, confirmed=True),
    )
    document.reset(Plan(respondents=9, columns=columns))
    field = ImpossibleField(document)
    qtbot.addWidget(field)
    field.show()
    field._add(typed)
    (label,) = field.findChildren(RefusalLabel)
    assert told in label.text()
    assert not document.plan.synthesis.impossible
    field._add("age is at most 14 and work is yes")
    assert len(document.plan.synthesis.impossible) == 1
