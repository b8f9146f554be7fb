"""What every attack is: parameters that are declared once, and what it says of itself.

An attack says its name, its question in plain words, its example, its parameters, how often it
succeeds, how often guessing does, and what a remedy changes. Code that shows or runs one asks
the attack, and never checks its kind. Results are computed from true answers, with seeded
generators where chance is needed; they are for the holder of the data and are never released.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Self, final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dpdesk.attacks.findings import Findings
from dpdesk.attacks.parameters import IfEmpty, IsColumn, IsCounted
from dpdesk.attacks.target import Target
from dpdesk.attacks.texts import T
from dpdesk.data.sample import load_sample
from dpdesk.engine.jobs import Tracker, untracked
from dpdesk.errors import ParameterError, invalid_fields
from dpdesk.i18n import N_


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
            problem = first.sentence[:1].lower() + first.sentence[1:]
            raise ParameterError(T.BAD_PARAMETER(parameter=words, problem=problem)) from None

    @classmethod
    def column_use(cls, name: str) -> IsColumn | None:
        """Returns what a parameter names columns for; None for another parameter."""
        marks = cls.model_fields[name].metadata
        return next((mark for mark in marks if isinstance(mark, IsColumn)), None)

    @classmethod
    def if_empty(cls, name: str) -> str:
        """Returns what holds where a parameter that is a text or names columns is left empty."""
        marks = cls.model_fields[name].metadata
        suggested = N_("suggested by the data") if cls.column_use(name) is not None else ""
        return next((mark.words for mark in marks if isinstance(mark, IfEmpty)), suggested)

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
            raise ParameterError(T.FEW_RESPONDENTS(least=max(self.large_from, 2)))
        found = self._run(target, untracked() if tracker is None else tracker)
        counted = tuple(
            getattr(self, name)
            for name in self.parameters()
            if any(isinstance(mark, IsCounted) for mark in type(self).model_fields[name].metadata)
        )
        taken_for_none = (
            sentence
            for name in self.parameters()
            if (use := self.column_use(name)) is not None and use.use == "sensitive"
            for sentence in target.suspected_codes_told(
                getattr(self, name) or target.supposed_secret, counted
            )
        )
        return replace(found, sentences=(*found.sentences, *taken_for_none))

    @abstractmethod
    def _run(self, target: Target, tracker: Tracker) -> Findings:
        """Attacks a target of enough respondents.

        `run` adds which answers to the question to be learnt are taken for none.
        """


class SeededAttack(Attack):
    """An attack that draws: a simulation, repeatable by its seed."""

    seed: Annotated[
        int,
        Field(ge=0, le=2**31, title="Seed", description="seed of the simulation"),
    ] = 1

    @classmethod
    def parameters(cls) -> tuple[str, ...]:
        return (*(name for name in super().parameters() if name != "seed"), "seed")

    def generator(self) -> np.random.Generator:
        """Returns the generator of this seed."""
        return np.random.default_rng(self.seed)
