"""Filter questions: "asked only where smoker = yes", as the curator declares it or data suggest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, model_validator

from dpdesk.data.quotation_marks import quoted
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers import PlainDigits, exact_number

_LISTED = 3

_IT_TELLS = N_(
    "It seems to have been asked only where {condition}. A blank that is passed through tells an "
    "answer to {column}."
)
_THROUGH = N_(
    "It seems to have been asked only because of {through}, and that only where {condition}. A "
    "blank that is passed through tells an answer to {column}."
)
_BUT_FOR = N_("{condition} (exceptions: {count} of {records} records)")
_EQUALS = N_("{column} = {answers}")
_DIFFERS = N_("{column} is not {answers}")
_TICKED = N_("{column} has {answers} ticked")
_NOT_TICKED = N_("{column} has {answers} not ticked")
_FROM = N_("{column} is {lower} or more")
_UP_TO = N_("{column} is {upper} or less")
_BETWEEN = N_("{column} is from {lower} to {upper}")
_OUTSIDE = N_("{column} is not from {lower} to {upper}")
_OR = N_("{first} or {last}")
_MORE = N_("{first} or {count} more")
_EITHER = N_("{first}, or {last}")
_BOTH = N_("{first} and {last}")
CONDITIONS_MOST = 5
"""Most conditions of which any one lets a respondent be asked."""

_Short = Annotated[str, Field(max_length=1000)]
_SOME = Decimal("0.5")


class AskedIf(BaseModel):
    """Who was asked, by the answer to another question: a rule of the questionnaire.

    It is declared by the curator, is part of the plan, and stands in a report.

    Attributes:
        column: Name of the filter question.
        answers: Its answers whose respondents were asked.
        options: The same of a question with several answers: who ticked one of them was asked.
        lower: Least number whose respondents were asked; empty where there is no lower end.
        upper: Largest number, alike.
        inside: Whether those with such an answer were asked, or all with another one.
        either: Another condition, where either of both will do; None where there is this one alone.
        supposed_share: Share of all respondents who were asked that the error of a plan is worked
            out for. It is never taken from the data.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    column: Annotated[str, Field(min_length=1, max_length=1000)]
    answers: Annotated[
        tuple[_Short, ...], Field(max_length=1000, exclude_if=lambda texts: not texts)
    ] = ()
    options: Annotated[
        tuple[_Short, ...], Field(max_length=1000, exclude_if=lambda texts: not texts)
    ] = ()
    lower: Annotated[_Short, Field(exclude_if=lambda end: not end)] = ""
    upper: Annotated[_Short, Field(exclude_if=lambda end: not end)] = ""
    inside: Annotated[bool, Field(exclude_if=lambda inside: inside)] = True
    either: Annotated[AskedIf | None, Field(exclude_if=lambda other: other is None)] = None
    supposed_share: Annotated[
        Decimal,
        Field(gt=0, lt=1, max_digits=7, decimal_places=6, allow_inf_nan=False),
        PlainDigits,
        PlainSerializer(lambda share: format(share.normalize(), "f"), return_type=str),
    ] = _SOME

    @model_validator(mode="after")
    def _is_one_condition(self) -> AskedIf:
        ends = [exact_number(end) for end in (self.lower, self.upper) if end]
        if sum(map(bool, (self.answers, self.options, ends))) != 1:
            raise ParameterError(
                "Who was asked is not said by one condition.",
                remedy="Name answers, or options, or the ends of an interval of numbers.",
            )
        numbers = [end for end in ends if end is not None]
        if len(numbers) < len(ends) or numbers != sorted(numbers):
            raise ParameterError(
                "The ends of an interval are two numbers, the smaller one first.",
                remedy="Write it as 16..99, 16.. or ..15.",
            )
        if len(self.conditions) > CONDITIONS_MOST:
            raise ParameterError(
                "Who was asked is said by too many conditions.",
                remedy=f"Name {CONDITIONS_MOST} of them at most.",
            )
        return self

    @classmethod
    def found(cls, **fields: Any) -> AskedIf:
        """Returns a rule that data suggest, not validated: a cell may be longer than a rule's."""
        return cls.model_construct(**{"supposed_share": _SOME, "either": None} | fields)

    @property
    def conditions(self) -> tuple[AskedIf, ...]:
        """This condition, and the others of which any one will do."""
        if self.either is None:
            return (self,)
        return (self.model_copy(update={"either": None}), *self.either.conditions)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the filter questions, each once."""
        return tuple(dict.fromkeys(one.column for one in self.conditions))

    def or_if(self, other: AskedIf) -> AskedIf:
        """Returns the rule by which either this condition or another will do."""
        both_ticked = bool(self.options and other.options) and self.inside and other.inside
        if both_ticked and other.column == self.column:
            return self.model_copy(update={"options": (*self.options, *other.options)})
        return self.model_copy(update={"either": other})

    def changed(self, share: Decimal) -> AskedIf:
        """Returns the same rule with another supposed share of those asked.

        Raises:
            pydantic.ValidationError: The share is not above 0 and below 1.
        """
        return type(self).model_validate(self.model_dump() | {"supposed_share": share})

    @property
    def written(self) -> str:
        """The rule as it is typed, such as "smoker=daily|sometimes" or "age!=17..64"."""
        listed = "|".join(_marked(text) for text in (*self.answers, *self.options))
        ends = listed or f"{self.lower}..{self.upper}"
        own = f"{self.column}{'=' if self.inside else '!='}{ends}"
        return own if self.either is None else f"{own} or {self.either.written}"

    def condition(self, say: Callable[[str], str] = str) -> str:
        """Returns who was asked, such as "smoker = daily or sometimes", translated by `say`."""
        own = say(self._words).format(
            column=self.column,
            answers=_listed(self.answers or self.options, say),
            lower=self.lower,
            upper=self.upper,
        )
        if self.either is None:
            return own
        return say(_EITHER).format(first=own, last=self.either.condition(say))

    @property
    def _words(self) -> str:
        if self.options:
            return _TICKED if self.inside else _NOT_TICKED
        if self.answers:
            return _EQUALS if self.inside else _DIFFERS
        if not self.inside:
            return _OUTSIDE
        if not self.upper:
            return _FROM
        return _BETWEEN if self.lower else _UP_TO

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
        others: The answers of a filter with listed answers whose respondents were not asked where
            the rule names those asked, and the reverse; empty for options and intervals.
        exceptions: Number of respondents who have an answer and should not have been asked.
        skipped: Number of respondents who should not have been asked.
        through: Name of the question between, where this is the filter of a filter; else empty.
    """

    rule: AskedIf
    others: tuple[str, ...] = ()
    exceptions: int = 0
    skipped: int = 0
    through: str = ""

    @classmethod
    def of_answers(cls, column: str, asked: tuple[str, ...], others: tuple[str, ...]) -> Filter:
        """Returns a filter with listed answers; its rule names those of which there are fewer."""
        inside = len(asked) <= max(_LISTED, len(others))
        answers = asked if inside else others
        rule = AskedIf.found(column=column, answers=answers, inside=inside)
        return cls(rule, others if inside else asked)

    def behind(self, through: str) -> Filter:
        """Returns it as the filter of a filter."""
        return replace(self, through=through)

    def condition(self, say: Callable[[str], str] = str) -> str:
        """Returns who was asked, such as "smoker = daily or sometimes", translated by `say`."""
        return self.rule.condition(say)

    def sentence(self, say: Callable[[str], str] = str) -> str:
        """Returns what the curator should know, as sentences translated by `say`."""
        condition = self.condition(say)
        if self.exceptions:
            condition = say(_BUT_FOR).format(
                condition=condition, count=f"{self.exceptions:,}", records=f"{self.skipped:,}"
            )
        *before, last = self.rule.columns
        column = say(_BOTH).format(first=", ".join(before), last=last) if before else last
        return say(_THROUGH if self.through else _IT_TELLS).format(
            condition=condition, column=column, through=self.through
        )


def _marked(text: str) -> str:
    """Returns an answer as it is typed: in quotation marks where it would be read otherwise."""
    has_marks = set(text) & set('|:"') or any(mark in text for mark in ("..", " or "))
    has_marks = has_marks or text != text.strip() or not text
    return quoted(text) if has_marks else text


def _listed(answers: tuple[str, ...], say: Callable[[str], str]) -> str:
    if len(answers) > _LISTED + 1:
        more = len(answers) - _LISTED
        return say(_MORE).format(first=", ".join(answers[:_LISTED]), count=f"{more:,}")
    if len(answers) < 2:
        return "".join(answers)
    return say(_OR).format(first=", ".join(answers[:-1]), last=answers[-1])


def first_sentences(
    filters: tuple[Filter, ...], say: Callable[[str], str] = str
) -> tuple[str, ...]:
    """Returns what the curator should know of the first few filters, translated by `say`."""
    return tuple(one.sentence(say) for one in islice(filters, _LISTED))
