from __future__ import annotations

import copy
import json

import numpy as np
import pytest

from dpdesk.plan import plan_schema
from dpdesk.releases.coarsened import coarsened_schema
from dpdesk.reports.public import PublicReport, report_schema
from dpdesk.reports.statistics.public import statistics_report_schema
from dpdesk.reports.synthetic.public import synthetic_report_schema
from dpdesk.resources import resource
from tests.reports.cases import COLUMNS, DROPPED, KEPT, WEIGHT, plan_of, released_of, report_of
from tests.reports.json_schema import faults

PLAN = plan_of(*COLUMNS, KEPT, DROPPED)


def published(name: str):
    return json.loads(resource(f"schema/{name}.schema.json").read_text(encoding="utf-8"))


def content(plan=PLAN, **more):
    return json.loads(report_of(released_of(plan, **more)).model_dump_json())


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("plan", plan_schema),
        ("report", report_schema),
        ("statistics-report", statistics_report_schema),
        ("synthetic-report", synthetic_report_schema),
        ("coarsened-report", coarsened_schema),
    ],
)
def test_that_the_published_schema_is_that_of_the_code(name, schema) -> None:
    assert published(name) == json.loads(json.dumps(schema()))


@pytest.mark.parametrize(
    "report",
    [
        content(),
        content(plan_of(COLUMNS[0]), rows=1),
        content(plan_of(COLUMNS[5], WEIGHT), weights=np.linspace(1, 2, 1000)),
        content(plan_of(*COLUMNS, strategy="smp")),
        content(plan_of(*COLUMNS[:4], strategy="rsfd")),
    ],
)
def test_that_a_report_keeps_to_the_published_schema(report) -> None:
    schema = published("report")
    assert list(faults(report, schema, schema)) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), "other"),
        (("version",), 2),
        (("unit", "records"), "many"),
        (("identity", "mode"), "simulation"),
        (("checklist", 0, "checks", 0, "answer"), "perhaps"),
        (("surplus",), 1),
    ],
)
def test_that_the_schema_refuses_what_no_report_holds(path, value) -> None:
    changed = copy.deepcopy(content())
    place = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    schema = published("report")
    assert list(faults(changed, schema, schema))


def test_that_every_field_of_the_schema_is_described() -> None:
    schema = published("report")
    models = [schema, *schema["$defs"].values()]
    bare = [
        f"{model['title']}.{name}"
        for model in models
        for name, field in model.get("properties", {}).items()
        # A reference without words of its own is described by what it refers to.
        if not field.get("description") and "$ref" not in field
    ]
    assert not bare
    assert all(model.get("description") for model in models)


def test_that_a_report_is_read_back_as_it_was() -> None:
    report = report_of(released_of(PLAN))
    assert PublicReport.model_validate_json(report.model_dump_json()) == report


def test_that_epsilons_are_exact_text_in_json() -> None:
    report = content()
    assert report["guarantee"]["epsilon"] == "8.75"
    assert report["parameters"]["attributes"][3]["epsilon_asked"] == "1.25"
