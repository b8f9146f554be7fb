from __future__ import annotations

import datetime
import uuid

from dpdesk.reports import identity
from dpdesk.reports.identity import new_identity
from tests.reports.cases import COLUMNS, plan_of


def test_that_every_release_has_an_identifier_of_its_own() -> None:
    plan = plan_of(COLUMNS[0])
    ids = {new_identity(plan).release_id for _ in range(100)}
    assert len(ids) == 100
    assert {uuid.UUID(text).version for text in ids} == {4}


def test_that_the_date_is_the_day_in_universal_time(monkeypatch) -> None:
    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            # Still the 29th in New York, already the 1st in Tokyo.
            assert tz is datetime.UTC
            return datetime.datetime(2024, 2, 29, 23, 59, tzinfo=tz)

    monkeypatch.setattr(identity.datetime, "datetime", Clock)
    assert new_identity(plan_of(COLUMNS[0])).date == datetime.date(2024, 2, 29)


def test_that_the_head_of_the_report_is_that_of_the_plan() -> None:
    made = new_identity(plan_of(COLUMNS[0]))
    assert (made.title, made.curator, made.mode) == ("A survey", "An office", "release")
    assert made.product_type == "Sanitized survey records"
