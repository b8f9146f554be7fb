from __future__ import annotations

from dpdesk.estimation.released import bind_attributes
from dpdesk.plan import plan_to_json
from dpdesk.plan.model import public_plan
from tests.reports.cases import COLUMNS, DROPPED, KEPT, SCALE, plan_of


def test_that_a_public_plan_says_nothing_of_dropped_columns() -> None:
    answers = DROPPED.model_copy(update={"kind": "nominal", "domain": SCALE})
    public = public_plan(plan_of(*COLUMNS, answers, KEPT))
    assert "canary" not in plan_to_json(public)
    assert [column.name for column in public.columns] == [c.name for c in (*COLUMNS, KEPT)]


def test_that_a_public_plan_still_reads_the_records() -> None:
    plan = plan_of(DROPPED, *COLUMNS)
    mine, public = bind_attributes(plan), bind_attributes(public_plan(plan))
    laws = [[bound.certificate.fingerprint for _, bound in side] for side in (mine, public)]
    assert laws[0] == laws[1]
