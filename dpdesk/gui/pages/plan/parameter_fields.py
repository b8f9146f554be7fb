"""What a mechanism declares beyond its epsilon, as fields of a form."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from dpdesk.mechanisms import Mechanism
from dpdesk.plan.column import plain_decimal

_DECLARED_BY_ALL = frozenset({"kind", "epsilon"})


@dataclass(frozen=True, slots=True)
class ParameterField:
    """One parameter of a mechanism.

    Attributes:
        name: The field of the record.
        title: Its name for people.
        description: What it means.
        form: What is typed or chosen: a whole number, a number, one of a few words, or a table.
        choices: The words, for "choice"; else empty.
        automatic: Whether it may be left to the mechanism.
    """

    name: str
    title: str
    description: str
    form: Literal["integer", "number", "choice", "matrix"]
    choices: tuple[str, ...]
    automatic: bool


@lru_cache(maxsize=64)
def parameter_fields(mechanism: type[Mechanism]) -> tuple[ParameterField, ...]:
    """Returns the parameters of a mechanism beyond kind and epsilon, in their order."""
    return tuple(
        _field(name, declared.title or name, declared.description or "", declared.annotation)
        for name, declared in mechanism.model_fields.items()
        if name not in _DECLARED_BY_ALL
    )


def _field(name: str, title: str, description: str, annotation: Any) -> ParameterField:
    bare, automatic = bare_type(annotation)
    choices: tuple[str, ...] = ()
    form: Literal["integer", "number", "choice", "matrix"]
    if get_origin(bare) is Literal:
        form, choices = "choice", tuple(map(str, get_args(bare)))
    elif get_origin(bare) is tuple:
        form = "matrix"
    elif bare in (Decimal, float):
        form = "number"
    elif bare is int:
        form = "integer"
    else:
        raise TypeError(f"There is no field of a form for the parameter {name}.")
    return ParameterField(name, title, description, form, choices, automatic)


def bare_type(annotation: Any) -> tuple[Any, bool]:
    """Returns the type below `Annotated` and `| None`, and whether None is allowed."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return bare_type(get_args(annotation)[0])
    if origin in (Union, UnionType):
        parts = [part for part in get_args(annotation) if part is not NoneType]
        if len(parts) == 1:
            return bare_type(parts[0])[0], len(parts) < len(get_args(annotation))
    return annotation, False


def parameter_text(value: object) -> str:
    """Returns a value as it is typed; empty for one that is left to the mechanism."""
    if value is None:
        return ""
    return plain_decimal(value) if isinstance(value, Decimal) else str(value)
