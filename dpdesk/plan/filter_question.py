"""Filter questions: "asked only where smoker is yes", declared by the curator."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers import DecimalText, PlainDigits
from dpdesk.plan.texts import T
from dpdesk.queries.condition import Condition

_LISTED = 3

CONDITIONS_MOST = 5
"""Most conditions of which any one lets a respondent be asked."""

_SOME = Decimal("0.5")

SupposedShare = Annotated[
    Decimal,
    Field(gt=0, lt=1, max_digits=7, decimal_places=6, allow_inf_nan=False),
    PlainDigits,
    DecimalText,
]
"""A share of respondents that a plan supposes, above 0 and below 1."""


class AskedIf(BaseModel):
    """Who was asked, by the answers to other questions: a rule of the questionnaire.

    It is declared by the curator, is part of the plan, and stands in a report.

    Attributes:
        any_of: Conditions on filter questions of which any one will do, one to five. A missing
            answer meets none.
        supposed_share: Share of all respondents who were asked that the error of a plan is worked
            out for. It is never taken from the data.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    any_of: Annotated[tuple[Condition, ...], Field(min_length=1, max_length=CONDITIONS_MOST)]
    supposed_share: SupposedShare = _SOME

    @model_validator(mode="after")
    def _asks_for_answers(self) -> AskedIf:
        if any(one.answered is not None for one in self.any_of):
            raise ParameterError(T.ASKED_BY_ANSWER())
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the filter questions, each once."""
        return tuple(dict.fromkeys(one.column for one in self.any_of))

    def changed(self, share: Decimal) -> AskedIf:
        """Returns the same rule with another supposed share of those asked.

        Raises:
            pydantic.ValidationError: The share is not above 0 and below 1.
        """
        return type(self).model_validate(self.model_dump() | {"supposed_share": share})

    @property
    def written(self) -> str:
        """The rule as it is typed: "smoker is daily or sometimes, or age is at least 60"."""
        return ", or ".join(one.description for one in self.any_of)

    def condition(self, say: Callable[[str], str] = str) -> str:
        """Returns who was asked as it is typed; of many answers the first, translated by `say`."""
        *before, last = (one.words(partial(_listed, say=say)) for one in self.any_of)
        for one in reversed(before):
            last = say(N_("{first}, or {last}")).format(first=one, last=last)
        return last

    @property
    def sentence(self) -> str:
        """Who was asked, as a sentence of a report."""
        return T.ASKED_ONLY(condition=self.condition())


def _listed(answers: tuple[str, ...], say: Callable[[str], str]) -> str:
    if len(answers) > _LISTED + 1:
        more = len(answers) - _LISTED
        return say(N_("{first} or {count} more")).format(
            first=", ".join(answers[:_LISTED]), count=f"{more:,}"
        )
    return " or ".join(answers)
