"""A result as declared facts: JSON, printed lines, tables and tiles are renderings of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a tool finds.

    Attributes:
        key: Its name in JSON; empty for a fact that is only shown.
        value: A value of JSON; or `Facts`; or several `Facts`, in a row or by names.
        label: What it is, in words; empty for a fact of JSON alone. Of several facts their heading.
        in_words: Puts the value into words.
    """

    key: str
    value: Any
    label: str = ""
    in_words: Callable[[Any], str] = str

    @property
    def words(self) -> str:
        """The value in words; empty where there is none."""
        return "" if self.value is None or self.value == () else self.in_words(self.value)


class Facts(tuple[Fact, ...]):
    """Facts in the order in which they are shown; `Facts["k"]` is the one of a key."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return super().__getitem__(key)
        return next(fact for fact in self if fact.key == key)

    @classmethod
    def of(cls, *facts: Fact) -> Facts:
        """Returns these facts."""
        return cls(facts)

    def entry(self) -> dict[str, Any]:
        """Returns the facts as JSON has them."""
        return {fact.key: _entry(fact.value) for fact in self if fact.key}

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yields label and value in words of each fact that has both, and is one value."""
        for fact in self:
            if fact.label and fact.value is not None and not is_several(fact.value):
                yield fact.label, fact.words


def several(facts: Iterable[Facts]) -> tuple[Facts, ...]:
    """Returns facts of several things, as the value of one fact."""
    return tuple(facts)


def compared(before: Facts, after: Facts) -> Iterator[tuple[str, str, str]]:
    """Yields each line of two results side by side: its label and both values in words.

    Facts by names are among them, each label behind its name; lists are the same in both.
    """
    others = dict(after.lines())
    lists = {fact.label for fact in before if isinstance(fact.value, list)}
    for label, words in before.lines():
        if label not in lists:
            yield label, words, others.get(label, "")
    for fact in before:
        if isinstance(fact.value, Mapping):
            for name, own in fact.value.items():
                lines = compared(own, after[fact.key].value[name])
                yield from ((f"{name}: {label}", one, other) for label, one, other in lines)


def is_several(value: Any) -> bool:
    """Returns whether a value consists of facts: one thing, things in a row, or by names."""
    if isinstance(value, Mapping):
        return all(isinstance(each, Facts) for each in value.values())
    is_row = isinstance(value, tuple) and all(isinstance(each, Facts | Fact) for each in value)
    # A row of nothing says nothing.
    return isinstance(value, Facts) or is_row


def _entry(value: Any) -> Any:
    if isinstance(value, Facts):
        return value.entry()
    if isinstance(value, Mapping):
        return {name: _entry(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_entry(each) for each in value]
    return value
