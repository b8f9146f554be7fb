"""What `dpdesk draft --set` says of a column: a mechanism with its epsilon and its parameters."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import ValidationError

from dpdesk.cost import parse_epsilon
from dpdesk.data.matrix_file import read_matrix
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import Mechanism, mechanism_named
from dpdesk.plan import Plan

FORM = "COLUMN=MECHANISM:EPSILON[,NAME=VALUE...]"

_CHOICE = re.compile(r"([a-z_]+)(?::([^,]*))?((?:,[a-z_]+=[^,]*)*)")


def with_setting(plan: Plan, setting: str) -> Plan:
    """Returns the plan with a column protected as a setting says, locked against later splits.

    Args:
        plan: The plan.
        setting: A column's name, a mechanism, its epsilon (left out where it follows from the
            other parameters) and other parameters, such as "age=duchi:1.5",
            "region=rappor:2,hashes=1" or "region=pram,matrix=@matrix.csv". A value that begins
            with @ names a CSV file of rows.

    Raises:
        ParameterError: The setting is not of this form, or names no column, mechanism or
            parameter, or a value is not possible.
        InputError: A file cannot be read.
    """
    name, choice = _parted(plan, setting)
    column = plan.column(name)
    mechanism = _mechanism(choice, setting)
    domain = column.effective_domain
    if domain is None:
        raise ParameterError(
            f"{name} is of kind {column.kind} and has no domain, so no mechanism can protect it.",
            remedy="Drop it, or give it a domain in the plan's file or in the window.",
        )
    mechanism.require_fit(domain)
    return plan.with_column(name, role="protect", mechanism=mechanism, locked=True)


def _parted(plan: Plan, setting: str) -> tuple[str, str]:
    """Returns the column's name, which may hold any sign, and what follows it."""
    names = [c.name for c in plan.columns if setting.startswith(f"{c.name}=")]
    if names:
        name = max(names, key=len)
        return name, setting[len(name) + 1 :]
    name, equals, _ = setting.partition("=")
    if not name or not equals:
        raise _not_of_form(setting)
    raise ParameterError(
        f"The survey has no column {name}.",
        remedy="Write the name exactly as in the file's first line.",
    )


def _mechanism(choice: str, setting: str) -> Mechanism:
    parts = _CHOICE.fullmatch(choice)
    if parts is None:
        raise _not_of_form(setting)
    kind, epsilon, more = parts.groups()
    declared = mechanism_named(kind)
    if epsilon is None and declared.adjustable:
        raise _not_of_form(setting)
    fields: dict[str, object] = {"kind": kind}
    if epsilon is not None:
        fields["epsilon"] = parse_epsilon(epsilon)
    for assignment in more.split(",")[1:]:
        name, _, value = assignment.partition("=")
        if name in fields or name not in declared.model_fields:
            others = [n for n in declared.model_fields if n not in {"kind", "epsilon"}]
            raise ParameterError(
                f"{declared.short} has no further parameter {name}, or it was given before.",
                remedy=f"There are: {', '.join(others)}." if others else "There is none.",
            )
        fields[name] = read_matrix(Path(value[1:])) if value.startswith("@") else value
    try:
        return declared.model_validate(fields)
    except ValidationError as error:
        raise _refusal(declared, error) from None


def _refusal(declared: type[Mechanism], error: ValidationError) -> ParameterError:
    """Says what pydantic refused, with the parameter's name and without what was typed."""
    found = error.errors(include_input=False, include_url=False)
    # An epsilon that follows from a parameter is missing only because the parameter is.
    first = min(found, key=lambda one: one["loc"] == ("epsilon",))
    place = f", parameter {first['loc'][0]}" if first["loc"] else ""
    reason = first["msg"].removeprefix("Value error, ")
    end = "" if reason.endswith(".") else "."
    return ParameterError(f"{declared.short}{place}: {reason}{end}")


def _not_of_form(setting: str) -> ParameterError:
    return ParameterError(
        f"--set {setting} is not of the form {FORM}.",
        remedy="Write, for example, --set age=duchi:1.5 or --set region=rappor:2,hashes=1",
    )
