"""What every attack is: parameters that are declared once, what it attacks, and what it found.

An attack says its name, its question in plain words, its example, its parameters, how often it
succeeds, how often guessing does, and what a remedy changes. Code that shows or runs one asks
the attack, and never checks its kind. Results are computed from true answers, with seeded
generators where chance is needed; they are for the holder of the data and are never released.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, Literal, Self, final

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dpdesk.data.sample import load_sample
from dpdesk.data.suggest import may_name_a_weight, names_a_person, names_a_weight
from dpdesk.data.table import SurveyTable
from dpdesk.disclosure import chosen_columns
from dpdesk.disclosure.classes import CodedColumn
from dpdesk.disclosure.suggest import suggested_by_name, suggested_of
from dpdesk.engine.jobs import Tracker, untracked
from dpdesk.errors import ParameterError, invalid_fields
from dpdesk.i18n import N_
from dpdesk.numbers.digits import share_text
from dpdesk.plan import Plan
from dpdesk.plan.kept_texts import as_kept
from dpdesk.plan.recognisable import kept_answers, missing_of

Bits = NDArray[np.bool_]
Floats = NDArray[np.float64]

Phrase = tuple[str, Mapping[str, str]]
"""A text with placeholders in braces, marked for translation, and the values of these."""

Severity = Literal["danger", "warning", "success"]
"""How bad it is: the attack succeeds, it gains something, it gains next to nothing."""

_SUCCEEDS = 0.5
_GAINS = 0.02
_HARDLY = 0.8
"""A remedy that leaves more of the gain over guessing than this hardly helps."""
_DISTINCT_MOST = 50


def said(text: str, **values: str) -> Phrase:
    """Returns a sentence with its values; the text is marked with `N_` where it is written."""
    return text, values


def in_words(phrase: Phrase) -> str:
    """Returns a sentence in the language of the source."""
    text, values = phrase
    return text.format(**values)


@dataclass(frozen=True)
class IsColumn:
    """Marks a parameter that names a column of the data, or several.

    Attributes:
        use: What outsiders know of a person, or want to learn; empty for neither.
    """

    use: Literal["quasi-identifier", "sensitive", ""] = ""


Column = Annotated[str, IsColumn()]
"""A column by its name; empty for a suggestion."""
Columns = Annotated[tuple[str, ...], IsColumn()]
"""Several columns by their names; empty for a suggestion."""
Known = Annotated[tuple[str, ...], IsColumn("quasi-identifier")]
"""The columns that outsiders know of a person; empty for those of the plan, or a suggestion."""
Wanted = Annotated[str, IsColumn("sensitive")]
"""The column that outsiders want to learn; empty for a suggestion."""
Answer = Annotated[
    str,
    Field(
        max_length=200,
        title="Answer",
        description="the answer that is counted",
        json_schema_extra={"if_empty": N_("the most frequent one")},
    ),
]
"""One answer of a column, as it stands in the file."""
Epsilon = Annotated[float, Field(gt=0, le=36, allow_inf_nan=False)]
"""A privacy loss."""


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

        A mechanism and its epsilon are none of it: what is protected is not compared.
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
        return chosen_columns(self.table, names, missing_of(self.plan, self.table.reading))

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
        column = self.columns((name or self._suggested_wanted(),))[0]
        if column.occurring < 2:
            raise ParameterError(
                f"Everybody gave the same answer to {column.name}: there is nothing to learn.",
                remedy="Choose another column.",
            )
        return column

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
            # A missing cell is no answer, however many there are.
            among = [code for code in range(column.levels) if code != column.missing]
            most = max(among, key=lambda code: int(column.counts[code]))
            return SecretBit(column.name, column.codes == most)
        text = self.table.column(column.name)
        if answer not in text.distinct:
            raise ParameterError(
                f"Nobody gave this answer to {column.name}.",
                remedy="Type an answer as it stands in the file, or leave it out.",
            )
        return SecretBit(column.name, text.codes == text.distinct.index(answer))

    def _suggested_known(self) -> tuple[str, ...]:
        aside = [name for name in self.table.names if not self._is_answered(name)]
        if len(aside) == len(self.table.names):
            aside = []
        found = suggested_of(self.table, aside, missing_of(self.plan, self.table.reading))
        known = tuple(one.name for one in found if one.use == "quasi-identifier")
        return known or self._questions[:1]

    def _suggested_wanted(self) -> str:
        names = self._questions
        named = [one.name for one in suggested_by_name(names) if one.use == "sensitive"]
        plain = [name for name in names if not may_name_a_weight(name)] or list(names)
        columns = (self.table.column(name) for name in plain)
        few = [c.name for c in columns if 2 <= c.distinct_count <= _DISTINCT_MOST]
        return next(iter(named), (few or plain)[-1])

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
    """

    column: str
    bits: Bits

    @property
    def share(self) -> float:
        """The share of those who gave it."""
        return float(self.bits.mean())

    @property
    def baseline(self) -> float:
        """How often a guess is right that names the more frequent case for everybody."""
        return max(self.share, 1 - self.share)


@dataclass(frozen=True)
class Remedy:
    """What may stop the attack, or hardly help.

    Attributes:
        words: What it is.
        success: The success of the attack then; None where it cannot be computed.
        at_least: Whether a cleverer attacker may have more success.
        before: The success of the same attacker without the remedy; None where that is the one
            that the attack found.
    """

    words: Phrase
    success: float | None = None
    at_least: bool = False
    before: float | None = None


@dataclass(frozen=True)
class Series:
    """One line or one row of bars of a picture.

    Attributes:
        name: What it shows.
        y: Its values.
        style: How it is drawn.
    """

    name: Phrase
    y: tuple[float, ...]
    style: Literal["line", "dashed", "bars"] = "line"


@dataclass(frozen=True)
class Picture:
    """The arrays of a picture.

    Attributes:
        title: What it shows.
        x_title, y_title: Titles of the axes.
        x: Positions, one for each value of a series.
        series: Lines or bars; all of one picture are of one style, beside dashed lines.
        labels: Texts below bars; empty where x is a number.
        log_x: Whether x is drawn by its logarithm.
        in_percent: Whether the values are shares, 0..1.
    """

    title: Phrase
    x_title: Phrase
    y_title: Phrase
    x: tuple[float, ...]
    series: tuple[Series, ...]
    labels: tuple[Phrase, ...] = ()
    log_x: bool = False
    in_percent: bool = True


@dataclass(frozen=True)
class Findings:
    """What an attack found; private to the holder of the data.

    Attributes:
        success: How often it is right, 0..1.
        baseline: How often an honest guess is right that does not need the release.
        headline: What it did to these data, in a few words.
        remedies: What may stop it, the most useful first.
        sentences: What happened, for people in a workshop.
        picture: What to draw.
        subject: What was attacked: the columns, the number of people.
        severity: How bad it is; by the gain over guessing where the attack does not say.
        figures: Further numbers by name, for programs.
        no_better: What is said of a remedy that leaves no more than the baseline.
    """

    success: float
    baseline: float
    headline: Phrase
    remedies: tuple[Remedy, ...]
    sentences: tuple[Phrase, ...]
    picture: Picture
    subject: Phrase
    severity: Severity = field(default="success")
    figures: Mapping[str, float] = field(default_factory=dict)
    no_better: str = N_("right in {share}, no better than guessing")


def effect(found: Findings, remedy: Remedy) -> Phrase | None:
    """Returns what a remedy does to the rate of an attack; None where that is not computed."""
    if remedy.success is None:
        return None
    share = percent(remedy.success)
    # One attacker is compared with the same one: another may see more, with the remedy as without.
    before = found.success if remedy.before is None else remedy.before
    left, gained = remedy.success - found.baseline, before - found.baseline
    if left <= 0 or share == percent(found.baseline):
        return said(found.no_better, share=share)
    if gained > 0 and left > _HARDLY * gained:
        return said(N_("right in {share}, which hardly helps"), share=share)
    if remedy.at_least:
        return said(N_("right in {share} at least"), share=share)
    return said(N_("right in {share}"), share=share)


def severity_of(success: float, baseline: float) -> Severity:
    """Returns how bad a success is, by the share of what guessing leaves open that it closes."""
    gain = (success - baseline) / (1 - baseline) if baseline < 1 else 0.0
    if gain >= _SUCCEEDS:
        return "danger"
    return "warning" if gain >= _GAINS else "success"


class Attack(BaseModel, ABC):
    """The parameters of an attack; the tag is `kind`.

    The fields are declared once: validation, the form and the command line are built from the
    declaration.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: ClassVar[str]
    """Its name."""
    question: ClassVar[str]
    """What it asks, in plain words."""
    method: ClassVar[str]
    """How it is done, in a sentence or two."""
    reference: ClassVar[str]
    """The publication that describes it."""
    stopped_by: ClassVar[str]
    """What stops it, in a few words."""
    rates: ClassVar[str] = N_("Right in {success}; guessing is right in {baseline}.")
    """What the two rates of its findings are."""
    outside_file: ClassVar[str] = ""
    """What a second file of the user is, where one can be given."""
    only_without_file: ClassVar[frozenset[str]] = frozenset()
    """The parameters that have no effect beside that file."""
    is_tale: ClassVar[bool] = False
    """Whether it is a mistake that teaches, rather than what somebody does to a release."""
    takes_long: ClassVar[bool] = False
    """Whether it takes more than some seconds on a large file, and is run only when asked for."""
    reads_data: ClassVar[bool] = True
    """Whether it looks at data at all."""
    large_from: ClassVar[int] = 0
    """The fewest respondents that it needs."""

    kind: str

    @classmethod
    def tag(cls) -> str:
        """Returns the word of this attack on the command line, such as "linkage"."""
        return str(cls.model_fields["kind"].default)

    @classmethod
    def parameters(cls) -> tuple[str, ...]:
        """Returns the names of its parameters, in the order in which they are asked for."""
        return tuple(name for name in cls.model_fields if name != "kind")

    @classmethod
    def made(cls, values: Mapping[str, Any]) -> Self:
        """Returns the attack with parameters as they were typed or chosen.

        Raises:
            ParameterError: A parameter is unknown or out of its range.
        """
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            first = invalid_fields(error)[0]
            if first.cause is not None:
                raise first.cause from None
            name = str(first.place[0]) if first.place else ""
            words = cls.model_fields[name].title if name in cls.model_fields else name
            raise ParameterError(
                f"{words}: {first.sentence[:1].lower()}{first.sentence[1:]}.",
                remedy="Correct it, or leave it out.",
            ) from None

    @classmethod
    def column_use(cls, name: str) -> IsColumn | None:
        """Returns what a parameter names columns for; None for another parameter."""
        marks = cls.model_fields[name].metadata
        return next((mark for mark in marks if isinstance(mark, IsColumn)), None)

    @classmethod
    def if_empty(cls, name: str) -> str:
        """Returns what holds where a parameter that is a text or names columns is left empty."""
        extra = cls.model_fields[name].json_schema_extra
        if isinstance(extra, dict):
            return str(extra.get("if_empty", ""))
        return N_("suggested by the data") if cls.column_use(name) is not None else ""

    @classmethod
    def suited(cls, known: tuple[str, ...], wanted: tuple[str, ...]) -> Self:
        """Returns the usual attack of this kind on chosen columns.

        Args:
            known: What outsiders know of a person; empty for a suggestion.
            wanted: What they want to learn, of which the first is taken; empty for a suggestion.
        """
        values: dict[str, object] = {}
        for name in cls.parameters():
            use = cls.column_use(name)
            if use is not None and use.use == "quasi-identifier":
                values[name] = known
            elif use is not None and use.use == "sensitive":
                values[name] = next(iter(wanted), "")
        return cls.made(values)

    @classmethod
    def example(cls) -> Target:
        """Returns what is attacked where the user has opened nothing: the bundled survey."""
        return Target(load_sample())

    @final
    def run(self, target: Target, tracker: Tracker | None = None) -> Findings:
        """Attacks.

        Args:
            target: What is attacked.
            tracker: Progress and cancel.

        Raises:
            ParameterError: The data have no such column, or too few respondents.
            Cancelled: The user cancelled.
        """
        if self.reads_data and target.table.rows < max(self.large_from, 2):
            raise ParameterError(
                f"The attack needs {max(self.large_from, 2):,} respondents at least.",
                remedy="Open a larger file.",
            )
        return self._run(target, untracked() if tracker is None else tracker)

    @abstractmethod
    def _run(self, target: Target, tracker: Tracker) -> Findings:
        """Attacks a target of enough respondents."""


class SeededAttack(Attack):
    """An attack that draws: a simulation, repeatable by its seed."""

    seed: Annotated[
        int,
        Field(ge=0, le=2**31, title="Seed", description="seed of the simulation"),
    ] = 1

    @classmethod
    def parameters(cls) -> tuple[str, ...]:
        """Returns the names of its parameters; the seed is asked for last."""
        return (*(name for name in super().parameters() if name != "seed"), "seed")

    def generator(self) -> np.random.Generator:
        """Returns the generator of this seed."""
        return np.random.default_rng(self.seed)


def percent(share: float) -> str:
    """Returns a share as people read it: 8.12 %."""
    return share_text(share)


def people(number: int) -> str:
    """Returns a number of people with its thousands parted."""
    return f"{number:,}"
