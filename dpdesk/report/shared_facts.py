"""What several attributes of a report share, so that its page says it once for all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

_NAMES_MOST = 8


class Shared(NamedTuple, Generic[T]):
    """A fact, and the attributes that it holds of.

    Attributes:
        fact: What they share.
        names: Their names, in the order of the columns.
        others: Whether they are all that no other fact names, too many to be listed.
        every: Whether they are all attributes.
    """

    fact: T
    names: tuple[str, ...]
    others: bool = False
    every: bool = False


def shared(facts: Iterable[tuple[str, T]]) -> tuple[Shared[T], ...]:
    """Returns each fact once, with the names of all that it holds of.

    A fact of all attributes, or the commonest one if it is of many, lists no names.

    Args:
        facts: The name of each attribute with its fact, which can be hashed.
    """
    of: dict[T, list[str]] = {}
    for name, fact in facts:
        of.setdefault(fact, []).append(name)
    found = [Shared(fact, tuple(names)) for fact, names in of.items()]
    if len(found) == 1:
        return (found[0]._replace(every=True),)
    commonest = max(found, key=lambda group: len(group.names), default=None)
    if commonest is None or len(commonest.names) <= _NAMES_MOST:
        return tuple(found)
    rest = [group for group in found if group is not commonest]
    return (*rest, commonest._replace(others=True))
