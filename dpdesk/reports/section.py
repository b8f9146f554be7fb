"""The base of every section of a report."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainSerializer

from dpdesk.cost import format_epsilon

ExactEpsilon = Annotated[Decimal, PlainSerializer(format_epsilon, return_type=str)]
"""An epsilon or a sum of epsilons; an exact decimal, in JSON written as text."""


class Section(BaseModel):
    """A frozen part of a report; JSON knows no more and no fewer fields than it declares."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        # A reader of the file can rely on every field being there.
        json_schema_serialization_defaults_required=True,
    )


class Named(Section):
    """A part of a report that has a name."""

    name: str
    """Its name."""


def schema_of(report: type[Section], title: str) -> dict[str, object]:
    """Returns the JSON schema of a kind of report, as its file is written."""
    schema = report.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": title}
