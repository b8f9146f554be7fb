"""Kinds in their registries for the length of a test, as if their files were part of dpdesk.

A registry is one tuple, and what a file may hold is a union built from it. While dpdesk runs, the
places that took the tuple at their import are given a longer one, and the records whose fields are
made of the union are built anew.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel


@contextmanager
def registered(registry: tuple[Any, ...], *kinds: Any) -> Iterator[None]:
    """Puts kinds at the end of a registry, and takes them out again.

    Args:
        registry: The tuple, such as `dpdesk.mechanisms.MECHANISMS`.
        kinds: What is registered.
    """
    longer = (*registry, *kinds)
    _exchange(registry, longer)
    try:
        yield
    finally:
        _exchange(longer, registry)


def _exchange(old: tuple[Any, ...], new: tuple[Any, ...]) -> None:
    for module in [m for name, m in sys.modules.items() if name.partition(".")[0] == "dpdesk"]:
        for name, value in list(vars(module).items()):
            if value is old:
                setattr(module, name, new)
    for record in _records(BaseModel):
        for field in record.__pydantic_fields__.values():
            if _holds(field.annotation, lambda part: get_args(part) == old):
                field.annotation = _exchanged(field.annotation, old, new)
    _build(lambda part: get_args(part) == new)


def _build(wanted: Callable[[Any], bool]) -> None:
    """Builds the records with such a field, then those that hold them."""
    for record in _records(BaseModel):
        if any(_holds(f.annotation, wanted) for f in record.__pydantic_fields__.values()):
            record.model_rebuild(force=True)
            _build(lambda part, record=record: part is record)


def _records(base: type[BaseModel]) -> list[type[BaseModel]]:
    found = [record for child in base.__subclasses__() for record in (child, *_records(child))]
    return [record for record in found if record.__module__.partition(".")[0] == "dpdesk"]


def _holds(annotation: Any, wanted: Callable[[Any], bool]) -> bool:
    return wanted(annotation) or any(_holds(part, wanted) for part in get_args(annotation))


def _exchanged(annotation: Any, old: tuple[Any, ...], new: tuple[Any, ...]) -> Any:
    """Returns an annotation with the union of the old kinds replaced by that of the new ones."""
    parts, origin = get_args(annotation), get_origin(annotation)
    if parts == old:
        return Union[new]  # noqa: UP007 - of a tuple
    if not parts or not isinstance(parts, tuple) or origin is None:
        return annotation
    inside = [_exchanged(part, old, new) for part in parts]
    if origin is Annotated:
        return Annotated[(inside[0], *parts[1:])]
    return reduce(or_, inside) if origin in (Union, UnionType) else origin[tuple(inside)]
