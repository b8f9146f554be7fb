"""A command of dpdesk in words, so that what a window does can be done again as a script."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from dpdesk.errors import ParameterError
from dpdesk.preview.texts import T
from dpdesk.requests.request import Request

Value = str | int | float | bool | tuple[str, ...]

_RUN = "from dpdesk.cli.main import main\n\nmain([\n    {words},\n])\n"
_CALL = "import dpdesk\n\nfound = dpdesk.{function}(\n{arguments})\n"
_DRAFT = """\
from pathlib import Path

import dpdesk
from dpdesk.plan import save_plan

plan = dpdesk.{function}(
{arguments})
save_plan(plan, Path({out}), overwrite=False)
"""


@dataclass(frozen=True, slots=True)
class CommandWords:
    """A command with its operands and options.

    Attributes:
        command: Its name, such as "release" or "survey simulate".
        operands: The words behind it: files, and options that are words already.
        options: The options by the names of their words, with underscores; True for a word alone,
            several texts for one that is repeated, or that lists names.
        request: What is asked of a tool that has a declared request.
    """

    command: str
    operands: tuple[str, ...] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    request: Request | None = None

    functions: ClassVar[Mapping[str, str]] = {
        "check": "check",
        "draft": "draft",
        "estimate": "estimate",
        "release": "release",
        "query": "query",
        "risk": "risk",
        "survey simulate": "survey",
    }
    """The function of the Python interface that each command is."""
    lists: ClassVar[frozenset[str]] = frozenset({"quasi", "cross", "by", "test"})
    """Options that list names in one word; a name with a comma stands in quotation marks."""

    def words(self) -> tuple[str, ...]:
        """Returns the words behind "dpdesk"."""
        found = [*self.command.split(), *self.operands]
        for name, value in self.options.items():
            word = f"--{name.replace('_', '-')}"
            if isinstance(value, bool):
                found += [word] * value
            elif name in self.lists and isinstance(value, tuple):
                found.append(f"{word}={','.join(map(_listed, value))}")
            else:
                several = value if isinstance(value, tuple) else (value,)
                found += [f"{word}={one}" for one in several]
        return (*found, *(() if self.request is None else self.request.typed_options()))

    def as_command(self) -> str:
        """Returns the command as it is typed in a terminal.

        Raises:
            ParameterError: A terminal of Windows would run or replace a part of a name.
        """
        words = ("dpdesk", *self.words())
        return windows_line(words) if os.name == "nt" else shlex.join(words)

    def as_python(self) -> str:
        """Returns a script that does the same."""
        function = self.functions.get(self.command)
        if self.request is not None:
            function = self.command.replace(" ", "_")
        if function is None:
            words = ",\n    ".join(map(repr, self.words()))
            return _RUN.format(words=words)
        files, options = self._keywords()
        out = options.pop("out", None) if function == "draft" else None
        told = [repr(file) for file in files]
        for name, value in options.items():
            told.append(f"{name}={list(value) if isinstance(value, tuple) else value!r}")
        if self.request is not None:
            told += self.request.python_keywords()
        inner = "".join(f"    {one},\n" for one in told)
        # The function of `draft` returns the plan, which the command writes.
        template = _CALL if out is None else _DRAFT
        return template.format(function=function, arguments=inner, out=repr(out))

    def _keywords(self) -> tuple[list[str], dict[str, Value]]:
        """The files, and all options by their names: also those that are words already."""
        files: list[str] = []
        typed: dict[str, tuple[str, ...]] = {}
        words = iter(self.operands)
        for word in words:
            if not word.startswith("--"):
                files.append(word)
                continue
            name, is_whole, value = word.removeprefix("--").partition("=")
            key = name.replace("-", "_")
            typed[key] = (*typed.get(key, ()), value if is_whole else next(words))
        single = {name: values[0] if len(values) == 1 else values for name, values in typed.items()}
        return files, {**single, **self.options}


def windows_line(words: Iterable[str]) -> str:
    """Returns words as both terminals of Windows, cmd and PowerShell, read them.

    Args:
        words: The words.

    Raises:
        ParameterError: One has a character that no quotation marks keep from its effect there.
    """
    line = []
    for word in words:
        if not word.isprintable() or _UNQUOTABLE & set(word):
            raise ParameterError(T.UNQUOTABLE())
        # A backslash before a quotation mark would take its effect away.
        end = "\\" * (len(word) - len(word.rstrip("\\")))
        line.append(word if _PLAIN.fullmatch(word) else f'"{word}{end}"')
    return " ".join(line)


_PLAIN = re.compile(r"[\w+=:./\\-]+")
_UNQUOTABLE = frozenset('"%$`!“”„')


def _listed(name: str) -> str:
    """Returns a name as it stands among others in one word."""
    is_plain = not set(name) & set(',"\r\n') and name == name.strip()
    return name if is_plain else '"' + name.replace('"', '""') + '"'
