"""Filter questions: "asked only where smoker is yes", declared by the curator or found in data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers import DecimalText, PlainDigits
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
            raise ParameterError(
                "Who was asked is said by an answer, not by whether there is one.",
                remedy="Name the answers whose respondents were asked.",
            )
        return self

    @classmethod
    def found(cls, *conditions: Condition) -> AskedIf:
        """Returns a rule that data suggest, not validated: a cell may be longer than a rule's."""
        return cls.model_construct(any_of=conditions, supposed_share=_SOME)

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
        return (
            f"It was asked only where {self.condition()}: a rule of the questionnaire that the "
            "curator declared. Who was not asked counts among those without an answer."
        )


@dataclass(frozen=True, slots=True)
class Filter:
    """Another question, because of whose answer some respondents seem not to have been asked.

    Answers and bounds are as in the file; for the curator's eyes only.

    Attributes:
        rule: Who was asked.
        others: For each condition of the rule, the answers of a filter with listed answers whose
            respondents were not asked where it names those asked, and the reverse; empty for
            options and intervals.
        exceptions: Number of respondents who have an answer and should not have been asked.
        skipped: Number of respondents who should not have been asked.
        through: Name of the question between, where this is the filter of a filter; else empty.
    """

    rule: AskedIf
    others: tuple[tuple[str, ...], ...] = ((),)
    exceptions: int = 0
    skipped: int = 0
    through: str = ""

    @classmethod
    def of(cls, condition: Condition, others: tuple[str, ...] = ()) -> Filter:
        """Returns a filter with one condition."""
        return cls(AskedIf.found(condition), (others,))

    @classmethod
    def of_answers(cls, column: str, asked: tuple[str, ...], others: tuple[str, ...]) -> Filter:
        """Returns a filter with listed answers; its rule names those of which there are fewer."""
        negated = len(asked) > max(_LISTED, len(others))
        named, rest = (others, asked) if negated else (asked, others)
        return cls.of(condition_found(column=column, values=named, negated=negated), rest)

    def or_if(self, other: Filter) -> Filter:
        """Returns the pair, with the counts of the other one, of which either lets in."""
        rule = AskedIf.found(*self.rule.any_of, *other.rule.any_of)
        return replace(other, rule=rule, others=(*self.others, *other.others))

    def behind(self, through: str) -> Filter:
        """Returns it as the filter of a filter."""
        return replace(self, through=through)

    def condition(self, say: Callable[[str], str] = str) -> str:
        """Returns who was asked, such as "smoker is daily or sometimes", translated by `say`."""
        return self.rule.condition(say)

    def sentence(self, say: Callable[[str], str] = str) -> str:
        """Returns what the curator should know, as sentences translated by `say`."""
        condition = self.condition(say)
        if self.exceptions:
            condition = say(N_("{condition} (exceptions: {count} of {records} records)")).format(
                condition=condition, count=f"{self.exceptions:,}", records=f"{self.skipped:,}"
            )
        *before, last = self.rule.columns
        both = say(N_("{first} and {last}"))
        column = both.format(first=", ".join(before), last=last) if before else last
        told = N_(
            "It seems to have been asked only where {condition}. A blank that is passed through "
            "tells an answer to {column}."
        )
        if self.through:
            told = N_(
                "It seems to have been asked only because of {through}, and that only where "
                "{condition}. A blank that is passed through tells an answer to {column}."
            )
        return say(told).format(condition=condition, column=column, through=self.through)


def condition_found(column: str, **fields: Any) -> Condition:
    """Returns a condition that data suggest, not validated: a cell may be of any length."""
    empty = {name: field.default for name, field in Condition.model_fields.items()}
    return Condition.model_construct(**empty | fields | {"column": column})


def _listed(answers: tuple[str, ...], say: Callable[[str], str]) -> str:
    if len(answers) > _LISTED + 1:
        more = len(answers) - _LISTED
        return say(N_("{first} or {count} more")).format(
            first=", ".join(answers[:_LISTED]), count=f"{more:,}"
        )
    return " or ".join(answers)


def first_sentences(
    filters: tuple[Filter, ...], say: Callable[[str], str] = str
) -> tuple[str, ...]:
    """Returns what the curator should know of the first few filters, translated by `say`."""
    return tuple(one.sentence(say) for one in islice(filters, _LISTED))
