"""What is attacked: data, with the plan and the outside list that belong to them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpdesk.attacks.findings import Phrase, said
from dpdesk.attacks.texts import T
from dpdesk.data.column_names import may_name_a_weight, names_a_person, names_a_weight
from dpdesk.data.missing_codes import codes_text
from dpdesk.data.suspected_codes import suspected_codes
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.disclosure import chosen_columns
from dpdesk.disclosure.classes import CodedColumn
from dpdesk.disclosure.columns import MissingOf
from dpdesk.disclosure.suggest import suggested_by_name, suggested_of
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.plan import Plan
from dpdesk.plan.kept_texts import as_kept
from dpdesk.plan.open_questions import SuspectedCodes
from dpdesk.plan.recognisable import kept_answers, missing_of

Bits = NDArray[np.bool_]

_DISTINCT_MOST = 50


@dataclass(frozen=True, eq=False)
class Target:
    """What is attacked.

    Attributes:
        table: The data, of the user or an example.
        plan: Their plan, if there is one: what it keeps is what outsiders can compare.
        register: An outside list with names, if the user has one.
        explanation: What a bundled example shows, which may name its values.
    """

    table: SurveyTable
    plan: Plan | None = None
    register: SurveyTable | None = None
    explanation: tuple[Phrase, ...] = ()

    @property
    def question(self) -> tuple[object, ...]:
        """All that an answer depends on beside the attack's parameters: the data and the plan.

        A mechanism and its epsilon are not part of it: what is protected is not compared.
        """
        plan = self.plan
        columns = () if plan is None else plan.columns
        told = ((c.name, c.kind, c.role, c.domain, c.confirmed) for c in columns)
        missing = ((c.missing, c.other, c.kept_coarser) for c in columns)
        strategy = None if plan is None else plan.strategy
        return (self.table, strategy, tuple(told), tuple(missing))

    def columns(self, names: tuple[str, ...]) -> tuple[CodedColumn, ...]:
        """Returns columns as codes.

        Raises:
            ParameterError: There is no such column, or nobody answered it.
        """
        return chosen_columns(self.table, names, self._missing_of)

    @cached_property
    def _missing_of(self) -> MissingOf:
        """What means "no answer": what is declared, and what looks like a code of it.

        Nobody has decided on the latter. It is taken for none here, since an attack on who refused
        would be told as one on the answers; `suspected_codes_told` says so.
        """
        declared = missing_of(self.plan, self.table.reading)

        def found(column: TextColumn) -> Flags:
            flags = declared(column).copy()
            flags[self._suspected_places(column, flags)] = True
            return flags

        return found

    def _suspected_places(self, column: TextColumn, missing: Flags) -> NDArray[np.int64]:
        """The places of distinct answers that look like codes on which nobody decided."""
        own = {one.name: one for one in (() if self.plan is None else self.plan.columns)}
        reading = self.table.reading
        if column.name not in own:
            return suspected_codes(column, reading.decimal, missing)
        question = SuspectedCodes.of(own[column.name], column, reading)
        return np.flatnonzero(column.among(() if question is None else question.codes))

    def suspected_codes_told(self, name: str, counted: tuple[str, ...] = ()) -> tuple[Phrase, ...]:
        """Returns a sentence on answers to a question that are taken for none, or nothing.

        Args:
            name: The column.
            counted: Answers that the attack was told to count, whatever they look like.
        """
        column = self.table.column(name)
        found = self._suspected_places(column, missing_of(self.plan, self.table.reading)(column))
        texts = tuple(column.distinct[code] for code in found)
        texts = tuple(text for text in texts if text not in counted)
        if not texts:
            return ()
        codes = codes_text(texts)
        return (
            said(
                N_(
                    "{codes} of {column} look like codes of no answer and are taken for none. "
                    "Declare them, or declare that they are answers."
                ),
                codes=codes,
                column=name,
            ),
        )

    def answer_of(self, column: CodedColumn, code: int) -> str:
        """Returns the text of an answer, as it stands in the file, from the code of a column."""
        text = self.table.column(column.name)
        return str(text.distinct[int(text.codes[int(np.argmax(column.codes == code))])]).strip()

    def known(self, names: tuple[str, ...]) -> tuple[CodedColumn, ...]:
        """Returns the quasi-identifiers: those named, else those the plan keeps, else suggested."""
        kept = () if self.plan is None else kept_answers(self.plan)
        names = names or kept
        # What outsiders compare is what is released: coarser where the plan says so.
        released = replace(self, table=as_kept(self.table, self.plan))
        return released.columns(names or self._suggested_known())

    def secret(self, name: str) -> CodedColumn:
        """Returns the column that an outsider wants to learn: the one named, else a suggested one.

        Raises:
            ParameterError: There is no such column, or everybody gave the same answer.
        """
        column = self.columns((name or self.supposed_secret,))[0]
        if column.occurring < 2:
            raise ParameterError(T.ONE_ANSWER(column=column.name))
        return column

    @property
    def supposed_secret(self) -> str:
        """Name of the column that outsiders are supposed to want to learn where nobody names one.

        One whose name is that of a secret, else the last question of a few answers.
        """
        names = self._questions
        named = [one.name for one in suggested_by_name(names) if one.use == "sensitive"]
        plain = [name for name in names if not may_name_a_weight(name)] or list(names)
        columns = (self.table.column(name) for name in plain)
        few = [c.name for c in columns if 2 <= c.distinct_count <= _DISTINCT_MOST]
        return next(iter(named), (few or plain)[-1])

    def secret_bit(self, name: str, answer: str) -> SecretBit:
        """Returns who gave one answer of a column.

        Args:
            name: The column; suggested if empty.
            answer: The answer as it stands in the file; the most frequent one if empty.

        Raises:
            ParameterError: There is no such column, or no such answer.
        """
        column = self.secret(name)
        if not answer:
            most = column.most_frequent
            return SecretBit(column.name, column.codes == most, self.answer_of(column, most))
        text = self.table.column(column.name)
        if answer not in text.distinct:
            raise ParameterError(T.NO_SUCH_ANSWER(column=column.name))
        return SecretBit(column.name, text.codes == text.distinct.index(answer), answer)

    def _suggested_known(self) -> tuple[str, ...]:
        aside = [name for name in self.table.names if not self._is_answered(name)]
        if len(aside) == len(self.table.names):
            aside = []
        found = suggested_of(self.table, aside, self._missing_of)
        known = tuple(one.name for one in found if one.use == "quasi-identifier")
        return known or self._questions[:1]

    @property
    def _questions(self) -> tuple[str, ...]:
        """The names of the columns that hold answers; all if none does."""
        return tuple(filter(self._is_question, self.table.names)) or self.table.names

    def _is_question(self, name: str) -> bool:
        """Whether a column holds answers, by the plan or its name: no identifier, no weight."""
        columns = () if self.plan is None else self.plan.columns
        kind = next((column.kind for column in columns if column.name == name), None)
        if kind is not None:
            return kind not in {"identifier", "weight"}
        return not names_a_person(name) and not names_a_weight(name)

    def _is_answered(self, name: str) -> bool:
        column = self.table.column(name)
        return self._is_question(name) and not bool(column.blank[column.counts > 0].all())


@dataclass(frozen=True, eq=False)
class SecretBit:
    """Who gave one answer.

    Attributes:
        column: Name of the column.
        bits: Whether each respondent gave the answer; shape (n,).
        answer: The answer.
    """

    column: str
    bits: Bits
    answer: str

    @property
    def share(self) -> float:
        """The share of those who gave it."""
        return float(self.bits.mean())

    @property
    def baseline(self) -> float:
        """How often a guess is right that names the more frequent case for everybody."""
        return max(self.share, 1 - self.share)
