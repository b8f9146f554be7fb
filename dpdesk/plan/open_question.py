"""A question about a column's answers that the curator has to decide on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.i18n import Message
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem


@dataclass(frozen=True, slots=True)
class OpenQuestion(ABC):
    """A question with two answers, and what each answer makes of a plan.

    Attributes:
        edit: Name of the step that decides.
        place: The part of the plan that it is about.
        name: Name of the column.
        respondents: Number of respondents whose answers it is about.
    """

    edit: ClassVar[str]
    place: ClassVar[str]

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
    @abstractmethod
    def sentence(self) -> Message:
        """What the curator is asked; its command says how `dpdesk draft` decides on it."""

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
