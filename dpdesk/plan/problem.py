"""A problem of a plan: where it is, what it is, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding of a check.

    Attributes:
        path: Place in the plan, such as "columns.age.domain".
        severity: "error" blocks a release, "warning" never does.
        code: Stable name of the kind of problem.
        message: What is wrong, as a sentence; never holds a value of the data.
        remedy: What to do, as a sentence.
    """

    path: str
    severity: Literal["error", "warning"]
    code: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()

    @property
    def column(self) -> str | None:
        """Name of the column that the problem belongs to, if it belongs to one."""
        if not self.path.startswith("columns."):
            return None
        return self.path.removeprefix("columns.").rpartition(".")[0]


def errors_of(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Returns the problems that block a release."""
    return tuple(problem for problem in problems if problem.severity == "error")
