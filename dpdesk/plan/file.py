"""The file format of plans: versioned JSON that refuses unknown content."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from dpdesk.data.regular_file import TEXT_MAX, FileRefusedError, read_regular
from dpdesk.data.strict_json import JsonRefusedError, parse_strict
from dpdesk.data.write_file import name_of, write_file
from dpdesk.errors import PlanError, escape_controls, invalid_fields
from dpdesk.i18n import first_names
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem
from dpdesk.plan.texts import T

PLAN_VERSION = 4


def plan_to_json(plan: Plan) -> str:
    """Returns the plan as JSON text with a final newline."""
    text = json.dumps(plan.model_dump(mode="json"), indent=2, ensure_ascii=False)
    return escape_controls(text) + "\n"


def plan_from_json(text: str, source: str = "the plan") -> Plan:
    """Reads a plan.

    Args:
        text: JSON.
        source: Name of the source, for errors.

    Raises:
        PlanError: The text is not JSON, of a newer version, or has unknown or invalid content;
            `problems` names each place.
    """
    content = _parse(text, source)
    if not isinstance(content, dict) or content.get("format") != "dpdesk-plan":
        raise PlanError(T.NOT_A_PLAN(file=source))
    version = content.get("version")
    if type(version) is not int:
        raise PlanError(T.NO_VERSION(file=source))
    if version > PLAN_VERSION:
        raise PlanError(T.NEWER(file=source, version=version))
    # A plan of an earlier version is valid in this one; it only uses nothing new.
    if version in (1, 2, 3):
        content = {**content, "version": PLAN_VERSION}
    try:
        return Plan.model_validate(content)
    except ValidationError as error:
        problems = tuple(_problems(error, content))
        places = [f"{problem.path}: {problem.message}" for problem in problems]
        listed = first_names(places, 5, between="; ")
        raise PlanError(
            T.INVALID(file=source, places=listed.removesuffix(".")), problems=problems
        ) from None


def load_plan(path: Path) -> Plan:
    """Reads a plan from a file.

    Raises:
        PlanError: As for `plan_from_json`, or the file cannot be read.
    """
    try:
        text = read_regular(path, TEXT_MAX).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PlanError(T.NOT_UTF8(file=path.name)) from None
    except FileRefusedError as refused:
        raise PlanError(T.UNREADABLE(file=name_of(path), reason=str(refused))) from None
    return plan_from_json(text, path.name)


def save_plan(plan: Plan, path: Path, *, overwrite: bool = True) -> None:
    """Writes a plan to a file, whole or not at all, and durably.

    Raises:
        ReleaseError: The file cannot be written; an existing file of this name is unchanged.
    """
    write_file(path, plan_to_json(plan), overwrite=overwrite)


def plan_schema() -> dict[str, Any]:
    """Returns the JSON schema of the file format."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Plan.model_json_schema(mode="validation"),
        "title": "Plan of dpdesk",
    }


def _parse(text: str, source: str) -> object:
    try:
        return parse_strict(text)
    except JsonRefusedError as refused:
        raise PlanError(T.NOT_JSON(file=source, reason=str(refused))) from None


def _problems(error: ValidationError, content: dict[str, Any]) -> list[Problem]:
    return [
        Problem(_path(item.place, content), "error", item.sentence, item.kind)
        for item in invalid_fields(error)
    ]


def _path(place: tuple[int | str, ...], content: dict[str, Any]) -> str:
    """Writes a place with the column's name instead of its number, if it has one."""
    # pydantic puts the tag of a union behind its field; the file has no such level.
    tagged = {"mechanism", "domain"}
    parts = [str(part) for i, part in enumerate(place) if i == 0 or place[i - 1] not in tagged]
    if len(place) > 1 and place[0] == "columns" and isinstance(place[1], int):
        try:
            parts[1] = str(content["columns"][place[1]]["name"])
        except (KeyError, IndexError, TypeError):
            parts[1] = str(place[1] + 1)
    return ".".join(parts) or "plan"
