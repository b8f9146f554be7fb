"""Whom the guarantee of central statistics protects, and against which change of the data.

Both decide whether the number of rows that a statistic divides by is public.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, Message
from dpdesk.numbers import PlainDigits
from dpdesk.queries.condition import Condition
from dpdesk.queries.texts import T

Relation = Literal["add_remove", "replace"]
"""Which tables are neighbours: one has a respondent more, or one respondent differs."""

ROWS_PER_RESPONDENT_MAX = 1_000_000

# Stored in ledgers and releases, and so the same in every language.
_UNIT = "one respondent, at most {most:,} rows"


class PrivacyUnit(BaseModel):
    """One respondent: which rows are theirs, how many count, and what a neighbour is.

    Attributes:
        relation: "add_remove": tables that differ in the presence of one respondent; their
            number stays protected. "replace": tables that differ in one respondent's answers;
            their number is public.
        respondent_column: The column that identifies the respondent of a row; empty if every row is
            another respondent, or if the file does not identify them.
        rows_per_respondent: At most this many rows of a respondent count. With a respondent
            column it is enforced: of more rows, the first ones count. Without one it is a promise
            of the curator.
        one_row_each: Whether the curator states that every row is another respondent, although a
            column that names people repeats.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    relation: Relation = "add_remove"
    respondent_column: Annotated[str, Field(max_length=1000)] = ""
    rows_per_respondent: Annotated[int, Field(ge=1, le=ROWS_PER_RESPONDENT_MAX), PlainDigits] = 1
    one_row_each: Annotated[bool, Field(exclude_if=lambda stated: not stated)] = False

    @model_validator(mode="after")
    def _replacing_knows_respondents(self) -> PrivacyUnit:
        several = self.rows_per_respondent > 1 and not self.respondent_column
        if self.relation == "replace" and several:
            raise ParameterError(T.WHOSE_ROW())
        return self

    @property
    def rows_are_public(self) -> bool:
        """Whether the number of rows is public: one row each, and respondents only replaced."""
        return self.relation == "replace" and self.rows_per_respondent == 1

    @property
    def description(self) -> str:
        """The unit in words, as `PrivacyCost.unit`."""
        if self.rows_per_respondent == 1:
            return "one respondent, one row"
        return _UNIT.format(most=self.rows_per_respondent)

    @property
    def rows_words(self) -> str:
        """Whose rows a total is of, where it is not that of one: " for up to 3 rows of each"."""
        most = self.rows_per_respondent
        return "" if most == 1 else f" {T.ROWS_OF_EACH(rows=most)}"

    @property
    def interval_note(self) -> str:
        """What intervals of records leave out, as a sentence; empty for one row each."""
        return "" if self.rows_per_respondent == 1 else T.ROWS_ALIKE()

    @property
    def enforcement(self) -> str:
        """How the bound on a respondent's rows is kept, as sentences."""
        most = self.rows_per_respondent
        if self.respondent_column:
            return T.FIRST_ROWS(column=self.respondent_column, count=most)
        if most > 1:
            return T.PROMISED()
        return T.STATED() if self.one_row_each else T.TAKEN()

    @property
    def neighbours(self) -> str:
        """The relation in words, as `PrivacyCost.relation`."""
        if self.relation == "replace":
            return "replace one respondent's answers by any others"
        return "add or remove one respondent"


def sensitivity_text(relation: Relation, rows: int, total: int) -> Message:
    """Returns by how much one respondent changes what was named before, as a sentence.

    Args:
        relation: Which tables are neighbours.
        rows: Most rows of one respondent.
        total: The change.
    """
    text = T.SENSITIVITY_OF_ANSWERS if relation == "replace" else T.SENSITIVITY_OF_PRESENCE
    return text(count=rows, total=total)


@dataclass(frozen=True, slots=True)
class YesNo:
    """Words for the form of a field that is true or false; part of its annotation.

    Attributes:
        yes: What true means.
        no: What false means; "" where true is a box to tick.
        spoken: The box for screen readers; its title when empty.
    """

    yes: str
    no: str = ""
    spoken: str = ""


Complete = Annotated[
    bool,
    Field(
        title=N_("Missing answers"),
        description=N_(
            "Where every row has an answer and the number of rows is public, no noisy count is "
            "needed. A release is refused where an answer lacks."
        ),
    ),
    YesNo(N_("there are none"), spoken=N_("Every row has an answer")),
]
"""Whether the curator states that every row has an answer; see `counts_all_rows`."""


def counts_all_rows(
    complete: bool, where: Sequence[Condition], by: Sequence[str], unit: PrivacyUnit
) -> bool:
    """Returns whether a statistic is over all rows, and their number is public.

    Then it needs no noisy count. `complete` is the curator's statement that every row has an
    answer, and a release is refused where one has not.
    """
    return complete and unit.rows_are_public and not where and not by
