"""The plan: all decisions of the user, immutable; its columns in the records, its public part."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_FLOOR, Decimal
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    field_validator,
    model_validator,
)

from dpdesk.data.reading import Reading
from dpdesk.data.record_files import known_word
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import EVERY_ANSWER, Sampling
from dpdesk.numbers import DecimalText, PlainDigits
from dpdesk.plan.column import ColumnPlan, LongText, RowsOfFile, ShortText
from dpdesk.plan.missing import MissingPolicy
from dpdesk.plan.purpose import PURPOSES, UNDECIDED, Purpose, PurposeName
from dpdesk.plan.statistics import BudgetTotal, Statistics
from dpdesk.plan.synthesis import Synthesis
from dpdesk.plan.texts import T

COLUMNS_MAX = 10_000
_LAST_DIGIT = Decimal("0.0001")
"""That of an epsilon that is split."""
ANALYSES_MAX = 20
"""Most analyses that a plan names."""

AnalysisText = Annotated[str, Field(min_length=1, max_length=3_100)]
"""An analysis in words, with the names of up to three columns."""

Strategy = Literal["spl", "smp", "rsfd", "rsrfd"]
"""The strategy for several attributes: see `Plan.strategy`."""

ShareText = Annotated[
    Decimal,
    Field(ge=0, le=1, max_digits=10, decimal_places=9, allow_inf_nan=False),
    PlainDigits,
    DecimalText,
]
"""A share from 0 to 1; stored as text."""


class PlanDetails(BaseModel):
    """The head of the privacy report: who releases what, and for which use."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: ShortText = ""
    curator: ShortText = ""
    intended_use: LongText = ""
    product_type: ShortText = "Sanitized survey records"
    region: ShortText = ""
    sector: ShortText = ""
    confirmed_by: ShortText = ""
    justification: LongText = ""


class Plan(BaseModel):
    """All decisions on one survey. Edits make a new plan.

    Attributes:
        format, version: Tag and version of the file format.
        details: The head of the report.
        respondents: Public number of respondents; before collection, the expected number.
        reading: How the file of answers is read; None while undecided.
        reading_confirmed: Whether the user confirmed that the reading is public knowledge: that it
            does not depend on who answered.
        names_confirmed: Whether somebody confirmed that the first line of the file holds the names
            of its columns, although it looks like a respondent's answers. A file of the plan has
            it where it is so.
        allowed_unfit: Largest share of a column's answers that may be unreadable or outside the
            domain; more of them stop a release. A single one never does, unless this is 0.
        strategy: How several attributes share the budget. "spl" (split) reports every attribute,
            so that the loss of a whole record is the exact sum; "smp" (sample) reports one
            attribute of each respondent, drawn at random, and says which; "rsfd" (random sampling
            plus fake data) reports one and fakes the others, and does not say which; "rsrfd" does
            the same with fakes drawn from each column's expected distribution. In all but the
            first the loss of a whole record is at most the largest epsilon of an attribute.
        purpose: What people will do with the records: "shares" (and means) only, "tables" and
            models across questions, or a "file" that looks like the old one. None while nobody said
            it. It decides what the best mechanism is and which strategy is proposed.
        analyses: What people will look at together, such as "education x sex" (cells of a table),
            "income by sex" (means or shares in groups) or "income ~ age" (a slope). The checks say
            what each will be worth; nothing else depends on it. A file of the plan has it where
            something is named.
        fakes: What "rsfd" encodes in the bits of a fake report: no category ("zeros"), or one
            drawn at random.
        budget: Largest loss of a respondent's whole record; None for no limit.
        shuffle: Whether the released rows are put in random order.
        formats: Formats that records are written in besides CSV and Parquet, which are always
            there: "sav", "zsav", "dta", "xlsx", "feather". A file of the plan has it where one is
            named.
        columns: One entry per column of the survey, in the file's order.
        statistics: Queries to the whole file, in addition to or instead of its records.
        synthesis: What synthetic rows of the file cost, if they are released; a file of the plan
            has it where it is not the usual.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    format: Literal["dpdesk-plan"] = "dpdesk-plan"
    version: Literal[4] = 4
    details: PlanDetails = PlanDetails()
    respondents: Annotated[int, Field(ge=1, le=10**12), PlainDigits] | None = None
    reading: Reading | None = None
    reading_confirmed: bool = False
    names_confirmed: Annotated[bool, Field(exclude_if=lambda confirmed: not confirmed)] = False
    allowed_unfit: ShareText = Decimal("0.01")
    strategy: Strategy = "spl"
    purpose: Annotated[PurposeName | None, Field(exclude_if=lambda purpose: purpose is None)] = None
    analyses: Annotated[
        tuple[AnalysisText, ...],
        Field(max_length=ANALYSES_MAX, exclude_if=lambda analyses: not analyses),
    ] = ()
    fakes: Literal["zeros", "random"] = "zeros"
    budget: BudgetTotal | None = None
    shuffle: bool = True
    formats: Annotated[
        tuple[Annotated[str, Field(max_length=10)], ...],
        Field(max_length=10, exclude_if=lambda formats: not formats),
    ] = ()
    columns: Annotated[tuple[ColumnPlan, ...], Field(max_length=COLUMNS_MAX)] = ()
    statistics: Statistics = Statistics()
    synthesis: Annotated[
        Synthesis, Field(exclude_if=lambda synthesis: synthesis == Synthesis())
    ] = Synthesis()

    _file: RowsOfFile | None = PrivateAttr(default=None)

    @field_validator("formats")
    @classmethod
    def _formats_are_known(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(known_word, words)))

    @model_validator(mode="after")
    def _names_differ(self) -> Plan:
        names = [column.name for column in self.columns]
        if len(set(names)) != len(names):
            raise ParameterError(T.SAME_NAMES())
        return self

    def column(self, name: str) -> ColumnPlan:
        """Returns the column with a name.

        Raises:
            KeyError: The plan has no such column.
        """
        return self.columns[self.index_of(name)]

    def index_of(self, name: str) -> int:
        """Returns the position of the column with a name.

        Raises:
            KeyError: The plan has no such column.
        """
        return self._positions[name]

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {column.name: index for index, column in enumerate(self.columns)}

    def with_column(self, name: str, **changes: Any) -> Plan:
        """Returns this plan with fields of one column changed and validated again.

        Raises:
            pydantic.ValidationError: A change is invalid.
        """
        return self.with_changed({self.index_of(name): self.column(name).changed(**changes)})

    def with_changed(self, changed: Mapping[int, ColumnPlan]) -> Plan:
        """Returns this plan with some columns replaced.

        The new columns were validated when they were made, and so were the others. So only the
        names are checked: validating a plan of 10,000 columns again takes as long as 10,000 steps
        of a slider.

        Args:
            changed: The new columns by the positions of those that they replace.

        Raises:
            pydantic.ValidationError: Two columns would have the same name.
        """
        columns = list(self.columns)
        renamed = False
        for index, column in changed.items():
            renamed |= column.name != columns[index].name
            columns[index] = column
        if renamed:
            return self.with_columns(tuple(columns))
        fields = {key: getattr(self, key) for key in Plan.model_fields}
        # A new object, because cached properties of the old columns must not be copied.
        plan = Plan.model_construct(**(fields | {"columns": tuple(columns)}))
        plan._file = self._file
        return plan

    def with_columns(self, columns: tuple[ColumnPlan, ...]) -> Plan:
        """Returns this plan with other columns."""
        return self.with_fields(columns=columns)

    def with_fields(self, **changes: Any) -> Plan:
        """Returns this plan with its own fields changed and validated again."""
        fields = {key: getattr(self, key) for key in Plan.model_fields}
        plan = Plan(**(fields | changes))
        plan._file = self._file
        return plan

    def of_record(self, total: Decimal) -> Decimal:
        """Returns what a record may lose where a respondent may lose a total, rounded down."""
        rows = self.statistics.unit.rows_per_respondent
        return total if rows == 1 else (total / rows).quantize(_LAST_DIGIT, ROUND_FLOOR)

    @property
    def judged_respondents(self) -> int | None:
        """The respondents that errors and verdicts go by: those of the file, else those stated."""
        return self.respondents if self._file is None else self._file.rows

    @property
    def has_file(self) -> bool:
        """Whether it is judged by a file."""
        return self._file is not None

    @property
    def is_counted(self) -> bool:
        """Whether verdicts go by answers that were counted in a file."""
        return any(column.is_counted for column in self.columns)

    def with_rows(self, rows: int | None) -> Plan:
        """Returns this plan judged by a file of so many rows; None or 0 to judge it by itself."""
        known = 0 if self._file is None else self._file.rows
        if known == (rows or 0):
            return self
        plan = self.with_changed({})
        plan._file = RowsOfFile(rows) if rows else None
        return plan

    @cached_property
    def protected(self) -> tuple[ColumnPlan, ...]:
        """The columns whose answers are randomized."""
        return tuple(column for column in self.columns if column.role == "protect")

    @cached_property
    def kept(self) -> tuple[ColumnPlan, ...]:
        """The columns that are released without protection, as they are or coarser."""
        return tuple(column for column in self.columns if column.role == "keep")

    @cached_property
    def synthetic(self) -> tuple[ColumnPlan, ...]:
        """The columns of synthetic rows: protected or kept ones that have a domain.

        One that the records would release as it is becomes synthetic like the others. The column
        that identifies respondents has no place in rows that are nobody's.
        """
        whose = self.statistics.unit.respondent_column
        return tuple(
            column
            for column in self.columns
            if column.role in {"protect", "keep"}
            and column.domain is not None
            and column.name != whose
        )

    @property
    def public_reading(self) -> Reading | None:
        """How the file is read, without the names of columns that are dropped."""
        reading = self.reading
        if reading is None or not (reading.questions or reading.joined_rows):
            return reading
        names = {column.name for column in self.columns if column.role != "drop"}
        released = {question.name for one in names if (question := reading.question_of(one))}
        own = tuple(question for question in reading.questions if question.name in released)
        joining = reading.joined_rows
        if joining is not None:
            once = tuple(name for name in joining.same if name in names)
            joining = joining.model_copy(update={"same": once})
        return reading.model_copy(update={"questions": own, "joined_rows": joining})

    @property
    def enforcement(self) -> str:
        """How the bound on a respondent's rows is kept, as sentences."""
        joining = None if self.reading is None else self.reading.joined_rows
        return self.statistics.unit.enforcement if joining is None else joining.enforcement

    @cached_property
    def left_blank(self) -> tuple[ColumnPlan, ...]:
        """The protected columns whose missing answers are released as blanks, unprotected."""
        return tuple(c for c in self.protected if c.missing.treatment.stays_blank)

    @property
    def wanted(self) -> Purpose:
        """What its purpose asks of a release."""
        return UNDECIDED if self.purpose is None else PURPOSES[self.purpose]

    @cached_property
    def sampling(self) -> Sampling:
        """The strategy and number of the protected attributes."""
        return self.sampling_of(len(self.protected))

    def sampling_of(self, attributes: int) -> Sampling:
        """The strategy with another number of attributes."""
        if self.strategy == "spl":
            return EVERY_ANSWER
        return Sampling(self.strategy, max(attributes, 1), self.fakes)

    @cached_property
    def weight_column(self) -> ColumnPlan | None:
        """The column of survey weights, if one is kept."""
        return next((column for column in self.kept if column.kind == "weight"), None)


def released_names(column: ColumnPlan) -> tuple[str, ...]:
    """Returns the names of a column's columns in the released records.

    They depend on the mechanism: one bit per category makes one indicator column for each, named
    "column=category". A kept column keeps its name; a dropped one has none.
    """
    if column.role in {"drop", "unassigned"}:
        return ()
    domain = column.effective_domain
    if column.role == "protect" and column.mechanism is not None and domain is not None:
        return column.mechanism.released_names(column.name, domain)
    return (column.name,)


def sampled_attribute_name(plan: Plan) -> str | None:
    """Returns the name of the released column that names each respondent's reported attribute.

    Only the strategy "smp" has one. It is "sampled_attribute", followed by underscores if another
    released column has this name.
    """
    if plan.strategy != "smp":
        return None
    taken = {name for column in plan.columns for name in released_names(column)}
    name = "sampled_attribute"
    while name in taken:
        name += "_"
    return name


def public_plan(plan: Plan) -> Plan:
    """Returns the part of a plan that its release of records depends on.

    Dropped columns are left out entirely: their names, labels and domains may come from the data
    (a suggested domain is a list of answers), and nothing in the release needs them. The records
    can be read back with this plan; sanitizing the survey again needs the curator's own. Statistics
    are another release, but whose rows these are is told by their unit.
    """
    released = tuple(_public(c) for c in plan.columns if c.role in {"keep", "protect"})
    unit = plan.statistics.unit
    only = {"statistics": Statistics(unit=unit), "synthesis": Synthesis()}
    return _with_own_questions(plan.with_fields(columns=released, **only))


def _with_own_questions(plan: Plan) -> Plan:
    """The plan without the questions of its reading that are not among its columns."""
    return plan.with_fields(reading=plan.public_reading)


def _public(column: ColumnPlan) -> ColumnPlan:
    """The column without what was decided on answers that occur in the data."""
    private = {"answers": (), "empty_decided": False}
    if all(getattr(column.missing, name) == usual for name, usual in private.items()):
        return column
    return column.changed(missing=column.missing.model_copy(update=private))


def statistics_plan(plan: Plan, rows: int | None = None) -> Plan:
    """Returns the part of a plan that its statistics depend on.

    Columns that no query reads are left out entirely, as in `public_plan`; of the others, their
    protection in records is left out: that is another release. The number of respondents is that
    of the rows that count, and is left out unless it is public: a draft has the number of all rows
    of the file, which discloses how many more rows a respondent has.

    Args:
        plan: The plan.
        rows: Number of rows that count, if it is public.
    """
    read = set(plan.statistics.columns)
    whose = plan.statistics.unit.respondent_column
    only_asked = {"role": "unassigned", "mechanism": None, "note": "", "coarsening": None}
    columns = tuple(
        _public(column).model_copy(update=only_asked)
        for column in plan.columns
        if column.name in read
    )
    if whose and not _is_asked(plan, whose):
        columns = tuple(_identifying(c) if c.name == whose else c for c in columns)
    return _with_own_questions(
        plan.with_fields(
            columns=columns,
            budget=None,
            shuffle=True,
            formats=(),
            respondents=rows,
            synthesis=Synthesis(),
        )
    )


def synthesis_plan(plan: Plan, rows: int | None = None) -> Plan:
    """Returns the part of a plan that its synthetic rows depend on.

    Other columns are left out entirely, as in `public_plan`, and what protects the others in
    records. The number of respondents is left out unless it is public, as in `statistics_plan`.

    Args:
        plan: The plan.
        rows: Number of rows that count, if it is public.
    """
    unit = plan.statistics.unit
    own = {column.name for column in plan.synthetic}
    made = {"role": "protect", "keep_confirmed": False, "mechanism": None, "note": ""}
    made |= {"coarsening": None}
    columns = tuple(
        _public(column).model_copy(update=made) if column.name in own else _identifying(column)
        for column in plan.columns
        if column.name in own or column.name == unit.respondent_column
    )
    return _with_own_questions(
        plan.with_fields(
            columns=columns,
            budget=None,
            strategy="spl",
            shuffle=True,
            respondents=rows,
            statistics=Statistics(unit=unit),
        )
    )


def _identifying(column: ColumnPlan) -> ColumnPlan:
    """A column that tells whose row it is, without its domain, which may list identifiers."""
    # A new object: a copy would keep the cached domain.
    missing = MissingPolicy(tokens=column.missing.tokens, ranges=column.missing.ranges)
    return ColumnPlan(name=column.name, label=column.label, kind="identifier", missing=missing)


def _is_asked(plan: Plan, name: str) -> bool:
    return any(name in query.columns for query in plan.statistics.queries)
