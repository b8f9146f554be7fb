"""Which declared category is the most frequent, or the k most frequent ones, without counts.

With a declared worth of each category, options are compared by worth times count: any utility that
adds up over the rows of a category.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from dpdesk.composition import Loss
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, in_a_row
from dpdesk.numbers import PlainDigits
from dpdesk.numbers.arrays import Counts
from dpdesk.numbers.digits import percent_text
from dpdesk.queries.base import ExpectedError, ExpectedSize, Query, Statistic
from dpdesk.queries.bound import ChoosingQuery
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.columns import ColumnQuery
from dpdesk.queries.condition import Domains, categories_in, require_conditions
from dpdesk.queries.contribution import Contribution
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.released_law import Lead, ReleasedLaw
from dpdesk.queries.selection import CalibratedChoice, calibrate_choice
from dpdesk.queries.texts import T
from dpdesk.queries.unit import PrivacyUnit, sensitivity_text
from dpdesk.queries.written import write_phrase, written

Worth = Annotated[int, Field(ge=0, le=1_000_000), PlainDigits]
"""What a row of one category counts for."""


class MostCommon(ColumnQuery):
    """The k most frequent categories, in their order; their counts are not released.

    Attributes:
        column: The column of categories.
        k: How many categories are chosen.
        worth: What a row of each category counts for, in the order of its domain; none counts
            every row as 1.
    """

    chooses = True
    title = N_("Most frequent category")
    summary = N_("Which categories are the most frequent, without their counts.")
    words = ("most", "frequent", "the", "worth")
    examples = (
        "most frequent occupation",
        "3 most frequent of occupation",
        "most frequent reason worth 3, 1, 2",
    )
    form = ("column", "k", "worth", "where")
    how_chosen = N_("Chosen by noisy counts; the counts themselves are not released.")
    column_holds = "categories"

    kind: Literal["most_common"] = "most_common"
    k: Annotated[int, Field(ge=1, le=100, title=N_("How many")), PlainDigits] = 1
    worth: Annotated[
        tuple[Worth, ...],
        Field(
            max_length=100_000,
            title=N_("Worth of a row of each"),
            description=N_(
                "What a row of each category counts for, one whole number per category in the "
                "order of its domain; empty counts every row as 1"
            ),
        ),
    ] = ()

    @classmethod
    def read(cls, phrase: PhraseReader, fields: dict[str, Any]) -> Query | None:
        phrase.take("the")
        k = phrase.whole()
        if not phrase.take("most", "frequent") and not phrase.take("most", "common"):
            return None
        phrase.take("of")
        column = phrase.column_name()
        worth: list[Any] = list(phrase.numbers()) if phrase.take("worth") else []
        return cls(column=column, k=k or 1, worth=tuple(worth), **phrase.where(fields))

    @property
    def subject(self) -> str:
        chosen = ("most frequent",) if self.k == 1 else ("the", str(self.k), "most frequent of")
        worth = write_phrase("worth", ", ".join(map(str, self.worth))) if self.worth else ""
        return write_phrase(*chosen, written(self.column), worth)

    @property
    def error_caption(self) -> str:
        if self.worth:
            return N_("so far behind the best, at most ({level})")
        return N_("so much rarer than the most frequent, at most ({level})")

    def bind(self, domains: Domains, unit: PrivacyUnit) -> BoundMostCommon:
        categories = categories_in(domains, self.column)
        require_conditions(domains, self.where)
        if self.k >= categories.size:
            raise ParameterError(T.FEW_CATEGORIES(column=self.column, categories=categories.size))
        if self.worth and (len(self.worth) != categories.size or not any(self.worth)):
            raise ParameterError(T.WORTH(column=self.column, categories=categories.size))
        contribution = Contribution(1, 1, categories.size, may_skip=True)
        choice = calibrate_choice(
            contribution.sensitivity(unit).linf * max(self.worth, default=1),
            # Scores can only grow when a respondent is added; other answers move them both ways.
            unit.relation == "add_remove",
            self.epsilon,
            categories.size,
            self.k,
        )
        keys = tuple((str(place),) if self.k > 1 else () for place in range(1, self.k + 1))
        return BoundMostCommon(self, domains, unit, keys, (), choice, contribution)


@dataclass(frozen=True)
class BoundMostCommon(ChoosingQuery):
    """A choice among declared categories by their noisy counts.

    Attributes:
        keys: The place of each chosen category.
        choice: The calibrated choice.
        contribution: What a row adds to the counts that are compared.
    """

    query: MostCommon
    choice: CalibratedChoice
    contribution: Contribution

    @property
    def derivations(self) -> tuple[str, ...]:
        unit, score = self.unit, T.SCORE_OF_WORTH() if self.query.worth else T.SCORE_OF_COUNT()
        moved = sensitivity_text(unit.relation, unit.rows_per_respondent, self.choice.linf)
        return (in_a_row((score, moved)),)

    @property
    def score_unit(self) -> str:
        """What the scores that are compared count: rows, or points of worth."""
        return "points" if self.query.worth else "rows"

    @property
    def epsilon_run(self) -> Decimal:
        return self.choice.epsilon_run

    @property
    def losses(self) -> tuple[Loss, ...]:
        # As asked: what is run is less by a last digit alone.
        return (Loss.of_cost(self.query.subject, replace(self.cost, epsilon=self.query.epsilon)),)

    def released_law(self, rows: int, confidence: float = 0.95) -> ReleasedLaw:
        needed = float(self.choice.lead_for(confidence))
        return Lead(self.choice.chance_of_lead, needed, self.score_unit)

    def assurance(self, confidence: float) -> str:
        text = T.CATEGORY_SHORTFALL_OF_WORTH if self.query.worth else T.CATEGORY_SHORTFALL
        return text(confidence=percent_text(confidence), count=self.choice.shortfall(confidence))

    def expected_error(self, respondents: int, confidence: float = 0.95) -> ExpectedError:
        return ExpectedError(
            float(self.choice.shortfall(confidence)),
            self.score_unit,
            T.BEHIND_BEST(),
            is_shortfall=True,
        )

    def expected_size(self, rows: int) -> ExpectedSize:
        of_each = rows * self._selected(self.query.where) / self.choice.options
        size = of_each * max(self.query.worth, default=1)
        return ExpectedSize(T.SIZE_OF_CATEGORY(count=round(of_each)), size, is_itself=True)

    def _counts(self, rows: CodedRows) -> Counts:
        counts = rows.count((self.query.column,), self.query.where)
        return counts * np.asarray(self.query.worth, np.int64) if self.query.worth else counts

    def _statistics(self, codes: tuple[int, ...]) -> tuple[Statistic, ...]:
        texts = categories_in(self.domains, self.query.column).texts
        return tuple(
            Statistic(key, None, chosen=texts[code])
            for key, code in zip(self.keys, codes, strict=True)
        )

    def exact(self, rows: CodedRows) -> tuple[Statistic, ...]:
        order = np.argsort(-self._counts(rows), kind="stable")
        return self._statistics(tuple(int(code) for code in order[: self.query.k]))

    def release(self, rows: CodedRows, confidence: float = 0.95) -> tuple[Statistic, ...]:
        return self._statistics(self.choice.draw(self._counts(rows)))
