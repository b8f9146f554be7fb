"""What all queries share: what is asked, the parts that are measured, and what comes back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import floor, prod
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from dpdesk.composition import Loss
from dpdesk.cost import Epsilon, PrivacyCost
from dpdesk.domains import NumericDomain
from dpdesk.i18n import N_
from dpdesk.numbers import DecimalText, PlainDigits
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.condition import (
    Condition,
    Domains,
    columns_holding,
    domain_in,
    first_unasked,
)
from dpdesk.queries.contribution import Contribution
from dpdesk.queries.noise import GAUSSIAN_KINDS, CalibratedNoise, NoiseKind
from dpdesk.queries.noise.measurement import FLOAT_REACH, INTEGER_REACH
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.released_law import ReleasedLaw
from dpdesk.queries.unit import PrivacyUnit
from dpdesk.queries.written import reserve

LocalForm = Literal["count", "share", "mean", "sum"]
"""The kind of question that respondents can be asked if they add noise themselves."""


Delta = Annotated[
    Decimal,
    Field(ge=0, lt=Decimal("0.01"), max_digits=32, decimal_places=30, allow_inf_nan=False),
    PlainDigits,
    DecimalText,
]
"""The chance that the bound of epsilon fails; stored as text. 0 with pure noise."""


@dataclass(frozen=True, slots=True)
class Part:
    """One vector of sums that a query measures.

    Attributes:
        name: What is summed, such as "rows" or "sum of age".
        cells: Length of the vector.
        step: What one whole number stands for, in the unit of the statistic.
        contribution: What a row adds.
        noise: The noise, calibrated to the sensitivity.
        derivation: Where the sensitivity comes from.
    """

    name: str
    cells: int
    step: float
    contribution: Contribution
    noise: CalibratedNoise
    derivation: str

    def half_width(self, confidence: float = 0.95) -> float:
        """Half-width that holds the noise of one cell with this chance, in the unit."""
        return self.step * self.noise.half_width(confidence)

    def holds(self, rows: int) -> bool:
        """Whether sums over so many rows stay where they and their noise are exact."""
        most = rows * max(abs(self.contribution.least), abs(self.contribution.largest))
        return most <= (INTEGER_REACH if self.noise.whole else FLOAT_REACH)


@dataclass(frozen=True, slots=True)
class Statistic:
    """One released number, or one chosen category.

    Attributes:
        key: The cell it belongs to: one text per column that is grouped by; () for the whole.
        value: The estimate, not forced into its possible range; None for a category.
        lower, upper: Interval for what the table holds, from the noise alone; None if there is
            none.
        total_lower, total_upper: Interval for the population that the table is a sample of, from
            noise and sampling; None if sampling has no meaning or its error is unknown.
        possible: Smallest and largest number that the statistic can be.
        chosen: The category that was chosen; "" for a number.
        answers: Number of answers that a mean is of, as released; None for other statistics.
        spread: The released standard deviation of these answers, where the interval for the
            population goes by it; else None.
    """

    key: tuple[str, ...]
    value: float | None
    lower: float | None = None
    upper: float | None = None
    total_lower: float | None = None
    total_upper: float | None = None
    possible: tuple[float, float] = (-np.inf, np.inf)
    chosen: str = ""
    answers: float | None = None
    spread: float | None = None

    @property
    def clipped(self) -> float | None:
        """The estimate moved into its possible range."""
        if self.value is None:
            return None
        return min(max(self.value, self.possible[0]), self.possible[1])

    @property
    def is_outside(self) -> bool:
        """Whether noise put the estimate where the statistic cannot be."""
        return self.value is not None and self.clipped != self.value


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """The error to expect of a release, known before it.

    Attributes:
        half_width: Half-width of the interval of one cell, from the noise alone, in `unit`.
        unit: Its unit: "rows", "pp", the unit of the column.
        basis: What the half-width supposes, as a sentence; "" when it supposes nothing.
        is_shortfall: Whether it can be off in one direction alone.
        of: What has the error, in a word, if not the released number itself; else empty.
        if_even: The error in the unit of the number, where it depends on how the answers are
            spread, as a clause: with answers spread evenly between the bounds.
    """

    half_width: float
    unit: str
    basis: str = ""
    is_shortfall: bool = False
    of: str = ""
    if_even: str = ""


@dataclass(frozen=True, slots=True)
class ExpectedSize:
    """What the error of one number is compared with to tell whether it will be useful.

    Attributes:
        what: What is estimated, such as "a count of about 40 rows".
        size: Its size, or a medium difference of it, in the unit of the error.
        is_itself: Whether it is the size itself.
        mean_of: The numbers whose mean it is, between their declared bounds; None for everything
            else.
    """

    what: str
    size: float
    is_itself: bool = False
    mean_of: NumericDomain | None = None


class Query(BaseModel, ABC):
    """What is asked of a trusted table, and at which epsilon.

    Attributes:
        name: The curator's name for the statistic; may be empty.
        where: Conditions that a row must meet, all of them.
        epsilon: What this query costs a respondent.
        noise: The kind of noise.
        delta: Chance that the bound fails; above 0 for Gaussian noise, else 0.
        locked: Whether a new split of the budget leaves its epsilon alone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    title: ClassVar[str]
    """The kind of statistic, for lists."""
    summary: ClassVar[str]
    """What it tells, in one sentence."""
    words: ClassVar[tuple[str, ...]]
    """Words of its phrases beyond those of all kinds; a column of such a name is quoted."""
    synonyms: ClassVar[tuple[str, ...]] = ()
    """Other words for the first of those, which a phrase may begin with; none is reserved."""
    examples: ClassVar[tuple[str, ...]]
    """Phrases of this kind, for help."""
    form: ClassVar[tuple[str, ...]]
    """The fields of its form in reading order; epsilon, name and delta stand elsewhere."""
    column_holds: ClassVar[Literal["numbers", "categories"]] = "numbers"
    """What the column that it is about must hold."""
    chooses: ClassVar[bool] = False
    """Whether it is a choice among declared options, to which no noise of a kind is added."""
    how_chosen: ClassVar[str] = ""
    """For a choice, how it was made, in one sentence."""
    averages: ClassVar[bool] = False
    """Whether a number is an average over rows, so that more of them make its error smaller."""
    counts_rows: ClassVar[bool] = False
    """Whether a number is a count or a share of rows, so that its axis begins at 0."""
    local: ClassVar[LocalForm | None] = None
    """The same question if each respondent adds noise; None without such a counterpart."""

    @property
    def group_column(self) -> str | None:
        """The one column whose groups, as large as in the file, it averages over.

        None for no or for several columns, and with conditions: how many rows of each group meet
        them is not counted.
        """
        by: tuple[str, ...] = getattr(self, "by", ())
        return by[0] if self.averages and len(by) == 1 and not self.where else None

    @property
    def averaged_column(self) -> str | None:
        """The column of numbers that it averages over all rows; None for none."""
        if not self.averages or self.where or self.column_holds != "numbers":
            return None
        return getattr(self, "column", None)

    kind: str
    name: Annotated[str, Field(max_length=1000)] = ""
    where: Annotated[tuple[Condition, ...], Field(max_length=20, title=N_("Only rows where"))] = ()
    epsilon: Epsilon = Decimal(1)
    noise: Annotated[NoiseKind, Field(title=N_("Noise"))] = "geometric"
    delta: Annotated[
        Delta,
        Field(
            title=N_("δ of this noise"),
            description=N_(
                "The chance that the bound of ε fails: well below 1 / the number of people"
            ),
        ),
    ] = Decimal(0)
    locked: bool = False

    def __init_subclass__(cls, **options: Any) -> None:
        """Reserves the words of a kind: a column of that name is put in quotation marks."""
        super().__init_subclass__(**options)
        reserve(getattr(cls, "words", ()))

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Every column that the query reads, each once."""

    @property
    @abstractmethod
    def subject(self) -> str:
        """What is asked in words, without the conditions: "mean of age by sex"."""

    @abstractmethod
    def bind(self, domains: Domains, unit: PrivacyUnit) -> BoundQuery:
        """Calibrates the query to declared domains and a privacy unit.

        Raises:
            ParameterError: A column, category, bound or noise does not suit.
        """

    @classmethod
    @abstractmethod
    def read(cls, phrase: PhraseReader, fields: dict[str, Any]) -> Query | None:
        """Reads a phrase of this kind; returns None if it begins like another kind.

        Args:
            phrase: The words, from the first on.
            fields: Fields that are given besides the phrase.

        Raises:
            ParameterError: The phrase does not go on as one of this kind.
        """

    @classmethod
    def starting(
        cls, domains: Domains, unit: PrivacyUnit, epsilon: Decimal, asked: Container[str]
    ) -> Query | None:
        """Returns a query to begin with; None where no column can be asked about.

        Args:
            domains: The declared domains, in the order of the columns.
            unit: Whom it protects.
            epsilon: Of the query.
            asked: Columns that queries of this kind already ask about; others are preferred.
        """
        column = first_unasked(columns_holding(domains, cls.column_holds), asked)
        return None if column is None else cls(column=column, epsilon=epsilon)  # type: ignore[call-arg]

    @classmethod
    def tag(cls) -> str:
        """Returns the tag of the kind, such as "mean"."""
        return str(cls.model_fields["kind"].default)

    @property
    def statistic(self) -> str:
        """What is asked without its groups: "mean of age"."""
        return self.changed(by=()).subject if getattr(self, "by", ()) else self.subject

    @property
    def error_caption(self) -> str:
        """What the error is of, with {level} for the confidence; "" for the error of a number."""
        return ""

    def unit_in(self, domains: Domains) -> str:
        """Returns the unit of its numbers: that of the column, "" without one."""
        domain = domains.get(getattr(self, "column", ""))
        return "" if domain is None else domain.unit

    def placeholder(self, field: str, domains: Domains) -> str:
        """Returns what an empty field of the form means: the ends of the declared grid."""
        domain = domains.get(getattr(self, "column", ""))
        if domain is None or field not in ("lower", "upper"):
            return ""
        return domain.texts[0 if field == "lower" else -1]

    @property
    def charged_delta(self) -> Decimal:
        """The delta that it costs: 0 but for Gaussian noise."""
        return self.delta if self.noise in GAUSSIAN_KINDS and not self.chooses else Decimal(0)

    @property
    def description(self) -> str:
        """What is asked in words, with the conditions."""
        if not self.where:
            return self.subject
        return f"{self.subject} where {' and '.join(c.description for c in self.where)}"

    @property
    def heading(self) -> str:
        """The curator's name where there is one, else what is asked."""
        return self.name or self.description

    def _conditioned(self) -> tuple[str, ...]:
        return tuple(condition.column for condition in self.where)

    def changed(self, **changes: Any) -> Query:
        """Returns this query with fields changed, all of them validated anew."""
        fields = {key: getattr(self, key) for key in type(self).model_fields}
        return type(self)(**(fields | changes))


@dataclass(frozen=True)
class BoundQuery(ABC):
    """A query calibrated to domains and a unit: what it costs, how good it is, and its release.

    Attributes:
        query: What is asked.
        domains: The declared domains.
        unit: Whom it protects.
        keys: The key of each cell, declared before any data are seen; ((),) for one number.
        parts: What is measured by adding noise; () for a choice.
    """

    query: Query
    domains: Domains
    unit: PrivacyUnit
    keys: tuple[tuple[str, ...], ...]
    parts: tuple[Part, ...]

    @property
    @abstractmethod
    def derivations(self) -> tuple[str, ...]:
        """Where each sensitivity comes from."""

    @property
    @abstractmethod
    def cost(self) -> PrivacyCost:
        """What is run: the sum of the calibrated parts, at most what is asked."""

    @property
    @abstractmethod
    def losses(self) -> tuple[Loss, ...]:
        """What each part loses by itself, with the law behind it."""

    @abstractmethod
    def released_law(self, rows: int, confidence: float = 0.95) -> ReleasedLaw:
        """The law of what is released from a table, or a group, of so many rows."""

    def sampling_error(self, rows: int) -> float | None:
        """Standard error of a number from drawing so many rows; None if that has no meaning."""
        return None

    def sampling_note(self, statistics: Sequence[Statistic]) -> str:
        """What the intervals with sampling suppose, as a sentence; "" for nothing."""
        return ""

    def informed(
        self,
        statistics: tuple[Statistic, ...],
        others: Sequence[tuple[BoundQuery, tuple[Statistic, ...]]],
        confidence: float,
    ) -> tuple[Statistic, ...]:
        """Returns its statistics with what the others that were released beside it tell of them.

        Args:
            statistics: What it released.
            others: Every query with what it released.
            confidence: Coverage of each interval.
        """
        return statistics

    @abstractmethod
    def assurance(self, confidence: float) -> str:
        """What holds of a choice with this confidence, as a sentence; "" for numbers."""

    @abstractmethod
    def expected_error(self, respondents: int, confidence: float = 0.95) -> ExpectedError:
        """The error to expect of a release from a table of this many rows."""

    @abstractmethod
    def expected_size(self, rows: int) -> ExpectedSize:
        """What the expected error is compared with, where answers are spread evenly.

        Args:
            rows: Rows of the whole table.
        """

    def rows_of_cell(self, rows: int, group: float | None = None, met: float | None = None) -> int:
        """Returns the rows behind one number: those that meet its conditions.

        Args:
            rows: Rows of the whole table.
            group: The share of them that a group has; of equal groups if None.
            met: The share of them that meets all conditions; as of even answers if None.
        """
        met = self._selected(self.query.where) if met is None else met
        if group is None:
            group = 1 / len(self.keys) if self.query.averages else 1.0
        # Floating point must not lose a row.
        return max(floor(rows * met * group + 1e-9), 1)

    def _selected(self, conditions: Iterable[Condition]) -> float:
        """The share of rows that meet all conditions, if answers are spread evenly."""
        return prod(
            each.expected_share(domain_in(self.domains, each.column)) for each in conditions
        )

    @abstractmethod
    def exact(self, rows: CodedRows) -> tuple[Statistic, ...]:
        """The true statistics, for private comparison only; intervals have no meaning."""

    @abstractmethod
    def release(self, rows: CodedRows, confidence: float = 0.95) -> tuple[Statistic, ...]:
        """Draws noise, once, and returns what may be published."""
