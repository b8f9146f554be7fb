"""A mechanism as it is typed: kind, epsilon and further parameters (`dpdesk draft --set`)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from dpdesk.cli.column_settings import MECHANISM
from dpdesk.cli.texts import T
from dpdesk.errors import ParameterError, invalid_fields

if TYPE_CHECKING:
    from pydantic import ValidationError

    from dpdesk.mechanisms import Mechanism

_CHOICE = re.compile(r"([a-z_]+)(?::([^,]*))?((?:,[a-z_]+=[^,]*)*)")


def read_mechanism(choice: str, setting: str) -> Mechanism:
    """Returns a mechanism by what is typed behind the column.

    Args:
        choice: As MECHANISM:EPSILON[,NAME=VALUE...].
        setting: The whole setting, for messages.
    """
    from pydantic import ValidationError

    from dpdesk.cost import parse_epsilon
    from dpdesk.data.matrix_file import read_matrix
    from dpdesk.mechanisms import mechanism_named

    parts = _CHOICE.fullmatch(choice)
    if parts is None:
        raise MECHANISM.refused(setting)
    kind, epsilon, more = parts.groups()
    declared = mechanism_named(kind)
    if epsilon is None and declared.adjustable:
        raise MECHANISM.refused(setting)
    fields: dict[str, object] = {"kind": kind}
    if epsilon is not None:
        fields["epsilon"] = parse_epsilon(epsilon)
    for assignment in more.split(",")[1:]:
        name, _, value = assignment.partition("=")
        if name in fields:
            raise ParameterError(T.SAME_PARAMETER(name=name, kind=declared.short))
        if name not in declared.model_fields:
            others = [n for n in declared.model_fields if n not in {"kind", "epsilon"}]
            known = others or T.EPSILON_ALONE()
            raise ParameterError(T.NO_SUCH_PARAMETER(kind=declared.short, name=name, known=known))
        fields[name] = read_matrix(Path(value[1:])) if value.startswith("@") else value
    try:
        return declared.model_validate(fields)
    except ValidationError as error:
        raise _refusal(declared, error) from None


def _refusal(declared: type[Mechanism], error: ValidationError) -> ParameterError:
    """Says what pydantic refused, with the parameter's name and without what was typed."""
    # An epsilon that follows from a parameter is missing only because the parameter is.
    first = min(invalid_fields(error), key=lambda one: one.place == ("epsilon",))
    kind, problem = declared.short, f"{first.sentence.removesuffix('.')}."
    if not first.place:
        return ParameterError(T.IN_KIND(kind=kind, problem=problem))
    name = str(first.place[0])
    return ParameterError(T.IN_KIND_PARAMETER(kind=kind, name=name, problem=problem))
