"""Faults put into dpdesk on purpose, one at a time, by editing the source of a function."""

from __future__ import annotations

import importlib
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest

from dpdesk.errors import DpdeskError

Check = Callable[[], None]

# How a check says no. Any other exception means that the edit broke the program, which would be
# found without a test; it does not count.
NO = (AssertionError, DpdeskError, pytest.fail.Exception)


@dataclass(frozen=True)
class Fault:
    """An edit of one function of dpdesk, and the check that must notice it.

    Attributes:
        name: What is wrong, in words.
        place: Module and function or method, such as "dpdesk.channel.grr:GrrLaw.sample".
        edits: Text of the source and what takes its place; each text occurs exactly once.
        check: The check that must fail.
    """

    name: str
    place: str
    edits: tuple[tuple[str, str], ...]
    check: Check

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Within this context dpdesk has the fault."""
        module_name, _, path = self.place.partition(":")
        module = importlib.import_module(module_name)
        # A package may export a function by the name of its module.
        module = sys.modules[module_name]
        owner: Any = module
        *outer, name = path.split(".")
        for part in outer:
            owner = getattr(owner, part)
        original = inspect.getattr_static(owner, name)
        faulty = self._compiled(original, name, module.__dict__)
        places = [(owner, name)] if outer else list(_holders(original))
        for holder, attribute in places:
            setattr(holder, attribute, faulty)
        try:
            yield
        finally:
            for holder, attribute in places:
                setattr(holder, attribute, original)

    def _compiled(self, original: Any, name: str, names: dict[str, Any]) -> Any:
        function = getattr(original, "__func__", getattr(original, "fget", original))
        if isinstance(original, cached_property):
            function = original.func
        source = textwrap.dedent(inspect.getsource(function))
        for before, after in self.edits:
            assert source.count(before) == 1, f"{self.name}: {before!r} is not in {self.place} once"
            source = source.replace(before, after)
        made: dict[str, Any] = {}
        # The function's names stay those of its module, so that everything else is as it was.
        exec(compile(source, f"<{self.name}>", "exec"), names, made)  # noqa: S102
        if isinstance(original, cached_property):
            made[name].__set_name__(None, name)
        return made[name]

    def is_noticed(self, check: Check | None = None) -> bool:
        """Whether a check (the named one) fails while the fault is in place."""
        with self.in_place():
            try:
                (check or self.check)()
            except NO:
                return True
        return False


def _holders(original: Any) -> Iterator[tuple[Any, str]]:
    """Every module of dpdesk and its tests that holds a function under some name."""
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] in ("dpdesk", "tests"):
            for attribute, value in list(vars(module).items()):
                if value is original:
                    yield module, attribute
