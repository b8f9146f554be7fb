"""A kind is there while it is registered, and leaves nothing behind."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

import dpdesk.mechanisms as mechanisms
from dpdesk.errors import ParameterError, PlanError
from dpdesk.mechanisms import MECHANISMS, mechanism_named
from dpdesk.plan.file import plan_from_json, plan_schema, plan_to_json
from tests.kinds.registered import registered
from tests.kinds.timid_response import TimidResponse
from tests.plan.plans import small_plan


def test_that_a_kind_is_there_while_it_is_registered_and_gone_afterwards() -> None:
    before = json.dumps(plan_schema())
    with registered(MECHANISMS, TimidResponse):
        assert (*MECHANISMS, TimidResponse) == mechanisms.MECHANISMS
        plan = small_plan().with_column("mood", mechanism=TimidResponse(epsilon=Decimal(1)))
        stored = plan_to_json(plan)
        assert plan_from_json(stored) == plan
        assert json.dumps(plan_schema()) != before
    assert mechanisms.MECHANISMS is MECHANISMS
    assert json.dumps(plan_schema()) == before
    with pytest.raises(PlanError, match="timid_response"):
        plan_from_json(stored)
    with pytest.raises(ParameterError):
        mechanism_named("timid_response")
