"""One column of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PrivateAttr, model_validator

from dpdesk.data.column_description import ColumnDescription
from dpdesk.domains import (
    AnyDomain,
    ColumnKind,
    Domain,
    ListedDomain,
    NumericDomain,
    domain_type,
)
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import AnyMechanism
from dpdesk.mechanisms.estimates import Answers
from dpdesk.numbers import PlainDigits
from dpdesk.numbers.digits import percent_text
from dpdesk.plan.coarsening import Coarsening
from dpdesk.plan.missing import MissingPolicy
from dpdesk.plan.texts import T
from dpdesk.queries.condition import Condition

Role = Literal["unassigned", "protect", "keep", "drop"]
Provenance = Literal["declared", "codebook", "suggested"]

SOURCES: dict[Provenance, str] = {
    "declared": "declared",
    "codebook": "taken from a codebook",
    "suggested": "read off the data",
}
"""Where a domain comes from, in words of a report."""

NAME_MAX = 1000
"""Most characters of a column's name, and of any other short text of a plan."""

ShortText = Annotated[str, Field(max_length=NAME_MAX)]


def plain_decimal(number: Decimal) -> str:
    """Returns a number with all its digits, without an exponent and zeros at its end."""
    # `normalize` would round to the precision of the decimal context.
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


Weight = Annotated[
    Decimal,
    Field(ge=0, le=Decimal(10**12), max_digits=42, decimal_places=30, allow_inf_nan=False),
    PlainDigits,
    PlainSerializer(plain_decimal, return_type=str),
]
"""A weight of a declared distribution, not negative; stored as text."""

LongText = Annotated[str, Field(max_length=20_000)]


_DOMAIN_FIELDS = frozenset({"domain", "missing", "other", "expected"})

_CACHED = ("effective_domain", "judged_domain", "expected_shares")
"""Cached properties that depend on `_DOMAIN_FIELDS` alone.

A change of other fields keeps the same objects, since views compare domains by identity.
"""

LEAST_SHARE = 1e-6
"""Of missing answers, and of given ones: laws are worked out for shares above 0 and below 1."""


class SeenInFile:
    """What the file tells beside a plan; for the curator's screen alone, never stored.

    Plans that differ in what was seen hold the same decisions, and are equal.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return other is None or type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


@dataclass(frozen=True, slots=True, eq=False)
class Counted(SeenInFile):
    """What the file tells of the errors of a column.

    Attributes:
        missing: Share of missing answers.
        worth: Unweighted respondents that a respondent tells as much as, at most 1: by Kish's
            design effect of the weights, 1 / worth.
        answers: How the answers are spread, weighted where there are weights; None where nobody
            answered.
        sets: The share of each set of options of a question with several answers, by its code; ()
            for others.
    """

    missing: float
    worth: float
    answers: Answers | None = None
    sets: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class GroupSizes(SeenInFile):
    """What part of the rows the groups hold that a column makes.

    Groups that do not occur are left out.

    Attributes:
        smallest, middle, largest: Shares of all rows, above 0. Of an even number of groups the
            middle one is the smaller of both.
    """

    smallest: float
    middle: float
    largest: float

    @property
    def shares(self) -> tuple[float, float, float]:
        """All three."""
        return self.smallest, self.middle, self.largest


@dataclass(frozen=True, slots=True, eq=False)
class MetConditions(SeenInFile):
    """What part of the rows meets each condition that statistics set on a column.

    Attributes:
        shares: The share of all rows, by the condition.
    """

    shares: Mapping[Condition, float]


@dataclass(frozen=True, slots=True, eq=False)
class RowsOfFile(SeenInFile):
    """How many rows the file has that a plan is judged by.

    Attributes:
        rows: Number of rows, at least 1.
    """

    rows: int


class ColumnPlan(BaseModel):
    """One column of the survey: what it is, and what is done with it.

    Attributes:
        name: The column's name in the file.
        label: The question's text or a longer name.
        kind: The kind of answer.
        domain: What an answer can be; None for identifiers and weights.
        provenance: Where the domain comes from; "suggested" was read off the data.
        confirmed: Whether the user confirmed that the domain is public knowledge.
        role: What happens to the column.
        keep_confirmed: Whether the user confirmed to release the column unprotected.
        coarsening: The level on which a kept column is released; None for its answers as they are.
        mechanism: How its answers are protected, for the role "protect".
        missing: What happens to missing answers.
        meanings: What single values mean, such as "97 or more" of 97, by their texts; those of a
            list stand in its domain.
        other: Category for answers outside the list; empty for none.
        expected: Expected distribution of the answers: a weight for each category of the
            effective domain, in its order; empty if not declared. It is never taken from the data.
        locked: Whether a new split of the budget leaves its epsilon unchanged.
        note: Why this mechanism and this epsilon.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    name: Annotated[str, Field(min_length=1, max_length=NAME_MAX)]
    label: ShortText = ""
    kind: ColumnKind
    domain: Domain | None = None
    provenance: Provenance = "declared"
    confirmed: bool = False
    role: Role = "unassigned"
    keep_confirmed: bool = False
    coarsening: Annotated[
        Coarsening | None, Field(exclude_if=lambda coarsening: coarsening is None)
    ] = None
    mechanism: AnyMechanism | None = None
    missing: MissingPolicy = MissingPolicy()
    meanings: Annotated[
        Mapping[ShortText, ShortText], Field(max_length=1000, exclude_if=lambda told: not told)
    ] = {}
    other: ShortText = ""
    expected: tuple[Weight, ...] = ()
    locked: bool = False
    note: LongText = ""

    _counted: Counted | None = PrivateAttr(default=None)
    _groups: GroupSizes | None = PrivateAttr(default=None)
    _met: MetConditions | None = PrivateAttr(default=None)

    @model_validator(mode="after")
    def _domain_suits_kind(self) -> ColumnPlan:
        wanted = domain_type(self.kind)
        if self.domain is not None and (wanted is None or not isinstance(self.domain, wanted)):
            raise ParameterError(T.KIND_WITHOUT_DOMAIN(kind=self.kind))
        return self

    def __hash__(self) -> int:
        # A plan's checks are cached by column, at each step of a slider.
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Pydantic hashes no mapping.
        return hash(tuple(getattr(self, key) for key in _HASHED))

    def __getstate__(self) -> dict[Any, Any]:
        # Texts have other hashes in another process.
        state = super().__getstate__()
        own = {key: value for key, value in self.__dict__.items() if key != "_hash"}
        return {**state, "__dict__": own}

    def changed(self, **changes: Any) -> ColumnPlan:
        """Returns this column with fields changed and validated again.

        Raises:
            pydantic.ValidationError: A change is invalid.
        """
        fields = {key: getattr(self, key) for key in ColumnPlan.model_fields}
        column = ColumnPlan(**(fields | changes))
        if _DOMAIN_FIELDS.isdisjoint(changes):
            column._counted, column._groups = self._counted, self._groups
            column.__dict__.update((c, self.__dict__[c]) for c in _CACHED if c in self.__dict__)
        return column

    @property
    def groups(self) -> GroupSizes | None:
        """The sizes of the groups that its answers make in the file; None if not known."""
        return self._groups

    def with_groups(self, groups: GroupSizes | None) -> ColumnPlan:
        """Returns this column with the sizes of its groups; None if they are not known."""
        old = self._groups
        if old is groups or (old is not None and groups and old.shares == groups.shares):
            return self
        column = self.model_copy()
        column._groups = groups
        return column

    def share_met(self, condition: Condition) -> float | None:
        """Returns what part of the rows meets a condition on it; None without a domain.

        That of the file that is open, else that of the expected answers, else of even ones.
        """
        if self._met is not None and condition in self._met.shares:
            return self._met.shares[condition]
        domain = self.effective_domain
        if domain is None:
            return None
        expected = self.expected_shares if domain.picks_one else ()
        return condition.expected_share(domain, expected)

    def with_conditions(self, met: Mapping[Condition, float]) -> ColumnPlan:
        """Returns this column with the shares of rows that meet conditions; {} for none known."""
        if met == (self._met.shares if self._met else {}):
            return self
        column = self.model_copy()
        column._met = MetConditions(met) if met else None
        return column

    def with_counts(self, counted: Counted | None) -> ColumnPlan:
        """Returns this column with what the file tells of its errors; None for nothing."""
        old = self._counted
        if counted is None or old is None:
            is_known = counted is old
        else:
            is_known = astuple(counted) == astuple(old)
        if is_known:
            return self
        column = self.model_copy()
        column._counted = counted
        column.__dict__.pop("judged_domain", None)
        return column

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Returns a copy whose cached domain and shares are those of its own fields."""
        copied = super().model_copy(update=update, deep=deep)
        copied.__dict__.pop("_hash", None)
        if update and not _DOMAIN_FIELDS.isdisjoint(update):
            for cached in _CACHED:
                copied.__dict__.pop(cached, None)
            copied._counted = copied._groups = copied._met = None
        return copied

    @property
    def labels(self) -> Mapping[str, str]:
        """What single values mean, those of a list and others."""
        listed = getattr(self.domain, "labels", {})
        return {**self.meanings, **listed} if listed else self.meanings

    def labelled_by(self, said: ColumnDescription | None) -> ColumnPlan:
        """Returns this column with the labels of a file, where it has none itself.

        Args:
            said: What the file says of the column, if it says something.
        """
        if said is None or not said.values or self.labels:
            return self
        return self.model_copy(update={"meanings": said.values})

    @property
    def title(self) -> str:
        """The label if there is one, else the name."""
        return self.label or self.name

    @property
    def sentences(self) -> int:
        """Number of its categories that were read off the data and may be what somebody wrote."""
        domain, is_read = self.domain, self.provenance == "suggested"
        return domain.sentences if is_read and isinstance(domain, ListedDomain) else 0

    @property
    def waits(self) -> bool:
        """Whether its domain has to be confirmed: nobody did, and the column is not left out."""
        return self.domain is not None and not self.confirmed and self.role != "drop"

    @property
    def keep_waits(self) -> bool:
        """Whether it has to be confirmed that everybody may read it: it is kept as it is."""
        return self.role == "keep" and not self.keep_confirmed

    @property
    def kept_coarser(self) -> Coarsening | None:
        """The level on which it is released, if it is kept and made coarser."""
        return self.coarsening if self.role == "keep" else None

    @property
    def kept_as_numbers(self) -> bool:
        """Whether its answers, released as they are, are numbers or dates.

        Coarser answers are texts such as "18-30".
        """
        if self.kept_coarser is not None:
            return False
        return self.kind in {"integer", "real"} or isinstance(self.domain, NumericDomain)

    @cached_property
    def effective_domain(self) -> AnyDomain | None:
        """The domain of the mechanism: with what "other" and missing answers become."""
        domain = self.domain
        if domain is None:
            return None
        if self.other and domain.picks_one:
            domain = domain.with_listed(self.other)
        return self.missing.treatment.effective(domain, self.missing)

    @cached_property
    def judged_domain(self) -> AnyDomain | None:
        """That domain with the share of missing answers that errors go by: counted, or supposed."""
        domain, counted = self.effective_domain, self._counted
        if domain is None or counted is None or not domain.missing_share:
            return domain
        # Only numbers have one.
        return domain.with_missing(self.judged_missing)

    @property
    def judged_missing(self) -> float:
        """The share of missing answers that errors go by."""
        if self._counted is None:
            return float(self.missing.supposed_missing)
        return min(max(self._counted.missing, LEAST_SHARE), 1 - LEAST_SHARE)

    @property
    def judged_words(self) -> str:
        """What errors suppose of missing answers; empty where they suppose nothing."""
        if not self.missing.treatment.supposes_share:
            return ""
        if self._counted is None:
            return self.missing.supposed_words
        if not self._counted.missing:
            return T.ALL_ANSWERED()
        share = percent_text(self.judged_missing)
        return (T.NOT_ANSWERED if self.missing.asked is None else T.NO_ANSWER)(share=share)

    @property
    def worth(self) -> float:
        """Unweighted respondents that one with a weight tells as much as; 1 if not known."""
        return 1.0 if self._counted is None else self._counted.worth

    @property
    def judged_numbers(self) -> tuple[float, float] | None:
        """Mean and standard deviation of the numbers in the file, which verdicts go by.

        None if they are not known.
        """
        counted = None if self._counted is None else self._counted.answers
        return None if counted is None or not counted.codes else (counted.mean, counted.spread)

    @property
    def is_counted(self) -> bool:
        """Whether errors and verdicts go by its answers in the file."""
        return self._counted is not None and self._counted.answers is not None

    @property
    def judged_answers(self) -> Answers | None:
        """How the answers are spread that errors and verdicts go by: counted, or expected.

        None if nothing is known.
        """
        if self._counted is not None and self._counted.answers is not None:
            return self._counted.answers
        return Answers(self.expected_shares) if self.expected_shares else None

    @property
    def judged_codes(self) -> Mapping[int, float]:
        """Share of each code of the domain that verdicts go by, -1 for no answer; {} if unknown."""
        answers, counted = self.judged_answers, self._counted
        if answers is None:
            return {}
        codes = answers.codes or range(len(answers.shares))
        sets = counted is not None and counted.sets
        missing = 0.0
        if self.missing.treatment.supposes_share:
            missing = self.judged_missing if counted is None else counted.missing
        each = sets or zip(codes, answers.shares, strict=True)
        return {-1: missing, **{code: (1 - missing) * share for code, share in each}}

    def reports(self, respondents: int) -> int:
        """Returns how many unweighted reports the reports of so many respondents are worth."""
        number = self.missing.treatment.reports(respondents, self.judged_missing)
        return max(1, round(number * self.worth))

    @cached_property
    def expected_shares(self) -> tuple[float, ...]:
        """Expected share of each category, shape (k,); empty unless declared for all."""
        domain, total = self.effective_domain, sum(self.expected)
        if domain is None or len(self.expected) != domain.size or total <= 0:
            return ()
        if not domain.picks_one:
            return ()
        return tuple(float(weight / total) for weight in self.expected)


_HASHED = tuple(key for key in ColumnPlan.model_fields if key != "meanings")
