"""A question about a column's answers that the curator has to decide on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self

from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem


@dataclass(frozen=True, slots=True)
class OpenQuestion(ABC):
    """A sentence, the words of two answers, and what each answer makes of a plan.

    Attributes:
        edit: Name of the step that decides.
        place: The part of the plan that it is about.
        none_open: Why there is nothing to decide, and what to do.
        hints: What is said of one of the cells that it is about, and of several.
        name: Name of the column.
        respondents: Number of respondents whose answers it is about.
    """

    edit: ClassVar[str]
    place: ClassVar[str]
    none_open: ClassVar[tuple[str, str]]
    hints: ClassVar[tuple[str, str]]

    name: str
    respondents: int

    @classmethod
    @abstractmethod
    def of(cls, column: ColumnPlan, texts: TextColumn, reading: Reading) -> Self | None:
        """Returns what is open in a column; None where it is decided.

        Args:
            column: The column of the plan.
            texts: Its answers.
            reading: How the file is read.
        """

    @property
    @abstractmethod
    def answers(self) -> tuple[str, str]:
        """The words of both buttons."""

    @property
    def people(self) -> str:
        """Whose answers it is about: "1 respondent", or their number."""
        return "1 respondent" if self.respondents == 1 else f"{self.respondents:,} respondents"

    @property
    def cells(self) -> int:
        """How many cells the hint is about."""
        return self.respondents

    @property
    def hint(self) -> tuple[int, str, str]:
        """How many cells it is about, and what is said of one of them and of several."""
        return (self.cells, *self.hints)

    @abstractmethod
    def sentence(self, say: Callable[[str], str]) -> str:
        """Returns what the curator is asked, translated by `say`."""

    @abstractmethod
    def drafting(self, column: ColumnPlan, word: Callable[[str], str]) -> str:
        """Returns with which options `dpdesk draft` decides on it, as a sentence or two.

        Args:
            column: The column of the plan.
            word: Writes a text as one word of a command.
        """

    @property
    def code_word(self) -> str:
        """What `draft --missing-code` would take for no answer in every column; "" for nothing."""
        return ""

    @property
    @abstractmethod
    def problem(self) -> Problem:
        """The problem of a plan that leaves it open."""

    @abstractmethod
    def decided(self, plan: Plan, table: SurveyTable, *, first: bool) -> Plan:
        """Returns the plan with the first answer, or with the second one."""
