"""A problem of a plan: its place, its message and its remedy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from dpdesk.i18n import first_names

# A name may contain points; behind it come a field, and perhaps a field of that.
_COLUMN_PATH = re.compile(
    r"columns\.(?P<name>.+?)\.((mechanism|domain|missing)(\.[a-z_0-9.]+)?|[a-z_]+)", re.DOTALL
)

# A parenthesis of its own, or the end of one that begins with what the window calls it.
_OPTIONS = re.compile(
    r" \((?:such as )?(?:draft --|coarsen --|dpdesk )[^)]*\)|; (?:--|dpdesk )[^)]*(?=\))"
)

_LISTED = 5
"""Most columns that a problem names."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding of a check.

    Attributes:
        path: Place in the plan, such as "columns.age.domain".
        severity: "error" blocks a release, "warning" never does.
        code: Stable name of the kind of problem.
        message: What is wrong, as a sentence; never holds a value of the data.
        advice: What to do, as a sentence; or what finds it, where that takes too long for each
            step of a slider.
        several: The message where several columns have the same problem; holds {count} and
            {names}. Empty where each is told by itself.
    """

    path: str
    severity: Literal["error", "warning"]
    code: str
    message: str
    # Two problems that say the same are one; what finds a remedy is another object each time.
    advice: str | Callable[[], str] = field(compare=False)
    several: str = ""

    @property
    def is_advised(self) -> bool:
        """Whether the advice is known, and need not be searched for."""
        return isinstance(self.advice, str)

    @property
    def remedy(self) -> str:
        """What to do, as a sentence."""
        return self.advice if isinstance(self.advice, str) else self.advice()

    @property
    def remedy_in_window(self) -> str:
        """The same without the options of the command line, which stand in parentheses."""
        return _OPTIONS.sub("", self.remedy)

    @property
    def in_window(self) -> str:
        """The message and the remedy as the window tells them."""
        return f"{self.message} {self.remedy_in_window}".strip()

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()

    @property
    def column(self) -> str | None:
        """Name of the column that the problem belongs to, if it belongs to one."""
        match = _COLUMN_PATH.fullmatch(self.path)
        return match["name"] if match else None


def errors_of(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Returns the problems that block a release."""
    return tuple(problem for problem in problems if problem.severity == "error")


def grouped(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Returns problems for a list that people read: what many columns share is told once.

    It stands at the place of the first of them, and leads there.
    """
    alike: dict[tuple[str, ...], list[Problem]] = {}
    for number, problem in enumerate(problems):
        own = problem.several or str(number)
        alike.setdefault((problem.severity, problem.code, own), []).append(problem)
    return tuple(_joined(same) for same in alike.values())


def _joined(same: list[Problem]) -> Problem:
    if len(same) == 1:
        return same[0]
    names = [problem.column or problem.path for problem in same]
    listed = first_names(names, _LISTED)
    message = same[0].several.format(count=f"{len(same):,}", names=listed)
    return replace(same[0], message=message)


def errors_first(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Returns the problems with errors before warnings, otherwise in their order."""
    return tuple(sorted(problems, key=lambda problem: problem.severity != "error"))
