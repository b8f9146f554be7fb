"""The design that the words of `dpdesk survey` describe."""

from __future__ import annotations

import argparse
from typing import Any

from pydantic import ValidationError

from dpdesk.designs import Design, design_named
from dpdesk.errors import DpdeskError, ParameterError


def design_of(options: argparse.Namespace) -> Design:
    """Returns the design that the words describe.

    Raises:
        ParameterError: There is no such design, or a parameter is missing, unknown or impossible.
    """
    kind = design_named(options.design)
    names = [parameter.name for parameter in kind.parameters()]
    values: dict[str, Any] = {}
    for setting in options.set:
        name, equals, value = setting.partition("=")
        if not equals or name not in names:
            known = ", ".join(names) if names else "none"
            raise ParameterError(
                f"--set {setting} names no parameter of this design.",
                remedy=f"Its parameters are: {known}. Write, for example, --set p=3/4.",
            )
        values[name] = tuple(value.split(",")) if "," in value else value
    try:
        return kind(**values)
    except ValidationError as error:
        raise _explained(error) from None


def _explained(error: ValidationError) -> DpdeskError:
    first = error.errors(include_url=False, include_input=False)[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, DpdeskError):
        return ParameterError(f"{name}: {cause}")
    if first["type"] == "missing":
        return ParameterError(
            f"The parameter {name} is missing.", remedy=f"Add --set {name}=VALUE."
        )
    return ParameterError(f"{name}: {first['msg']}.", remedy="Correct it and try again.")
