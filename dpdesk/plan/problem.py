"""A problem of a plan: its place, its message and its remedy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, Self

from dpdesk.errors import DpdeskError
from dpdesk.i18n import Message, first_names

# A name may contain points; behind it come a field, and perhaps a field of that.
_COLUMN_PATH = re.compile(
    r"columns\.(?P<name>.+?)\.((mechanism|domain|missing)(\.[a-z_0-9.]+)?|[a-z_]+)", re.DOTALL
)

_LISTED = 5
"""Most columns that a problem names."""

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding of a check.

    Attributes:
        path: Place in the plan, such as "columns.age.domain".
        severity: "error" blocks a release, "warning" never does.
        message: What is wrong, an entry of a table of texts; never holds a value of the data. One
            with a plural and {names} is shown once for all columns that have the problem.
        code: Stable name of the kind of problem; by default that of the entry before "--".
        advice: What to do, if the entry does not say it; or what finds it, where that takes too
            long for each step of a slider.
    """

    path: str
    severity: Severity
    message: str
    code: str = ""
    # Two problems that say the same are one; what finds a remedy is another object each time.
    advice: str | Callable[[], str] = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.code and isinstance(self.message, Message):
            entry = self.message.id.rpartition(".")[2].partition("--")[0]
            object.__setattr__(self, "code", entry.replace("-", "_"))

    @classmethod
    def of_error(cls, error: DpdeskError, path: str, code: str) -> Self:
        """Returns the problem of a plan that an error refuses."""
        return cls(path, "error", error.message, code, error.remedy)

    @property
    def is_advised(self) -> bool:
        """Whether the remedy is known, and need not be searched for."""
        return isinstance(self.advice, str)

    @property
    def remedy(self) -> str:
        """What to do, as a sentence."""
        if not isinstance(self.advice, str):
            return self.advice()
        return self.advice or (self.message.remedy if isinstance(self.message, Message) else "")

    @property
    def command_remedy(self) -> str:
        """The remedy, with the options that carry it out in parentheses."""
        command = self.message.command if isinstance(self.message, Message) else ""
        return f"{self.remedy} {f'({command})' if command else ''}".strip()

    @property
    def in_window(self) -> str:
        """The message and the remedy, without options of the command line."""
        return f"{self.message} {self.remedy}".strip()

    def __str__(self) -> str:
        return f"{self.message} {self.command_remedy}".strip()

    @property
    def column(self) -> str | None:
        """Name of the column that the problem belongs to, if it belongs to one."""
        match = _COLUMN_PATH.fullmatch(self.path)
        return match["name"] if match else None


def errors_of(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Returns the problems that block a release."""
    return tuple(problem for problem in problems if problem.severity == "error")


def grouped(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Returns problems for a list that people read: what many columns share is shown once.

    It stands at the place of the first of them, and leads there.
    """
    alike: dict[tuple[str, str], list[Problem]] = {}
    for number, problem in enumerate(problems):
        message, own = problem.message, str(number)
        if isinstance(message, Message) and message.text.plural and "names" in message.values:
            own = message.id
        alike.setdefault((problem.severity, own), []).append(problem)
    return tuple(_joined(same) for same in alike.values())


def _joined(same: list[Problem]) -> Problem:
    first = same[0]
    if len(same) == 1 or not isinstance(first.message, Message):
        return first
    names = first_names([problem.column or problem.path for problem in same], _LISTED)
    values = {**first.message.values, "count": len(same), "names": names}
    return replace(first, message=first.message.text(**values))


def errors_first(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Returns the problems with errors before warnings, otherwise in their order."""
    return tuple(sorted(problems, key=lambda problem: problem.severity != "error"))
