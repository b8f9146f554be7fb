"""A small validator for the part of JSON Schema that the published schemas use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}
_KNOWN = {
    "$defs", "$ref", "$schema", "additionalProperties", "anyOf", "const", "description", "enum",
    "default", "format", "items", "pattern", "properties", "required", "title", "type",
}  # fmt: skip


def faults(
    value: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "$"
) -> Iterator[str]:
    """Yields the place and kind of every disagreement; an unknown keyword is one."""
    unknown = set(schema) - _KNOWN
    if unknown:
        yield f"{at}: the validator does not know {sorted(unknown)}"
    if "$ref" in schema:
        target = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        yield from faults(value, target, root, at)
    if "anyOf" in schema and all(any(faults(value, s, root, at)) for s in schema["anyOf"]):
        yield f"{at}: none of anyOf"
    if "const" in schema and value != schema["const"]:
        yield f"{at}: not the constant"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: not of the enum"
    wanted = schema.get("type")
    if wanted is not None:
        boolean = isinstance(value, bool) and wanted != "boolean"
        if boolean or not isinstance(value, _TYPES[wanted]):
            yield f"{at}: not of type {wanted}"
            return
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{at}: not of the pattern"
    if isinstance(value, dict):
        fields = schema.get("properties", {})
        yield from (
            f"{at}: lacks {name}" for name in schema.get("required", ()) if name not in value
        )
        if schema.get("additionalProperties") is False:
            yield from (f"{at}: has {name}" for name in value if name not in fields)
        for name in fields.keys() & value.keys():
            yield from faults(value[name], fields[name], root, f"{at}.{name}")
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from faults(item, schema["items"], root, f"{at}[{index}]")
