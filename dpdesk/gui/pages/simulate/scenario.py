"""What the page supposes: a survey, the question it asks, and what it is compared with.

There is one class for each kind of answer, which says all that differs between them; cards, views,
figures, papers and tables ask all of them the same. They are frozen, like a plan.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from math import isfinite
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from dpdesk.designs import Design, designs_of
from dpdesk.designs.base import Departure
from dpdesk.designs.devices import ANY_DEVICE, AT_HAND, SCREEN, Device, DeviceChoice
from dpdesk.designs.estimator_law import EstimatorTheory
from dpdesk.designs.planning import (
    Goal,
    People,
    PlannedQuestion,
    Sample,
    require_at,
    serving,
)
from dpdesk.domains import Categorical, ColumnKind, Integer, Real
from dpdesk.engine.simulate.respondents import RespondentStream
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.design_words import tr
from dpdesk.gui.pages.simulate.scales import Percent, Quantity
from dpdesk.gui.widgets.figure_tile import Figure
from dpdesk.i18n import N_
from dpdesk.mechanisms import Mechanism
from dpdesk.numbers.digits import epsilon_up, percent_text
from dpdesk.plan import ColumnPlan
from dpdesk.preview import significant
from dpdesk.preview.survey import SupposedSurvey
from dpdesk.reports.survey import PlanningMemo

DIRECT = "direct"
"""The word of direct, truthful answers, where no design of the list asks directly."""
PERCENT = Percent()

_NEARLY = 1e-3
Survey = TypeVar("Survey", bound=SupposedSurvey)


@dataclass(frozen=True)
class Rival:
    """A design, or another survey, that the one in force is compared with.

    Attributes:
        title: Its name.
        short: The same for a legend without room; empty where there is no shorter one.
        theory: Mean and error of its estimate, in per cent or in the answers' unit.
    """

    title: str
    short: str
    theory: EstimatorTheory


COLUMN = "sensitive_question"
"""The column of a plan that a survey is taken over to."""


@dataclass(frozen=True)
class Taken:
    """A column of a plan, and what of the survey it has not.

    Attributes:
        column: The column.
        differs: What the plan does otherwise than the survey, as a sentence; may be empty.
    """

    column: ColumnPlan
    differs: str


def protected_column(
    name: str,
    question: str,
    kind: ColumnKind,
    domain: Categorical | Integer | Real,
    mechanism: Mechanism,
) -> ColumnPlan:
    """Returns the column of a question that a mechanism protects."""
    return ColumnPlan(
        name=name,
        label=question.strip(),
        kind=kind,
        domain=domain,
        confirmed=True,
        role="protect",
        mechanism=mechanism,
    )


@dataclass(frozen=True)
class Scenario(ABC, Generic[Survey]):
    """A hypothetical survey of any kind of answer, and what it is compared with.

    Attributes:
        survey: What is supposed of people, design and simulation.
        question: The question, as the respondents would hear it.
        rivals: Words of the designs to compare with.
        equal_epsilon: Whether these are shown at the epsilon of the design, where it decides their
            parameters.
        kept: Another scenario, A, that this one is compared with; it keeps no other.
        device: Name of the device that respondents get; empty for any one at hand.
        before: The scenario before the last change of its survey, a ghost in the pictures; it is
            no part of what is supposed.
    """

    survey: Survey
    question: str = ""
    rivals: tuple[str, ...] = ()
    equal_epsilon: bool = True
    kept: Self | None = None
    device: str = ""
    before: Self | None = field(default=None, compare=False, repr=False)

    family: ClassVar[type[Design]]
    """The designs of such surveys."""
    departing: ClassVar[Mapping[Departure, tuple[str, str]]]
    """Who may not follow the instruction, and a sentence on it."""
    rivals_most: ClassVar[int] = 4
    """How many designs can be compared with."""
    follows_epsilon: ClassVar[bool] = True
    """Whether a design that is chosen begins at the epsilon in force, not with its own device."""
    quantity_words: ClassVar[str] = N_("true share")
    beyond_words: ClassVar[str] = N_("Below 0: {share} of the estimates.")
    error_unit: ClassVar[str] = "pp"
    """The unit of an error; may be empty."""
    value_unit: ClassVar[str] = "%"
    """The unit of an estimate; may be empty."""
    goals: ClassVar[tuple[Goal, ...]] = tuple(Goal)
    """What can be found of a sample."""
    cap_sentences: ClassVar[Mapping[Goal, str]]
    """What the largest epsilon under a cap means."""
    deniers: ClassVar[str] = N_("of the carriers deny a direct question")
    """Who denies, after their share."""
    denying: ClassVar[str] = N_("Share of the carriers who would deny a direct question")
    """The same in a sentence."""
    deniers_word: ClassVar[str] = "carriers"
    """The same for a file."""

    def changed(self, **changes: Any) -> Self:
        """This scenario with some fields, of its own or of its survey, changed."""
        own = {name: changes.pop(name) for name in _names(self) if name in changes}
        if changes:
            own["survey"] = own.get("survey", self.survey).changed(**changes)
        return replace(self, **own)

    @property
    def same_axes(self) -> tuple[object, ...]:
        """What a picture keeps its axes for, however the survey changes."""
        return (self.estimated, self.survey.repetitions)

    @property
    def design(self) -> Design:
        """The design with its parameters."""
        return self.survey.design

    @property
    def respondents(self) -> int:
        """Number of respondents."""
        return self.survey.respondents

    @property
    def epsilon(self) -> float:
        """The privacy loss of the design; infinite where an answer is a proof."""
        return self.survey.epsilon

    @property
    def chosen_device(self) -> Device | None:
        """The device that was chosen, if designs of this kind can use it; None for any at hand."""
        offered = (*serving(type(self.design)), SCREEN)
        return next((device for device in offered if device.word == self.device), None)

    @property
    def chosen_thing(self) -> Device | None:
        """The chosen device, if it has certain chances; None for any, and for a screen."""
        device = self.chosen_device
        return None if device is None or device.for_screens else device

    @property
    def choice(self) -> DeviceChoice:
        """The device that the instruction is written for."""
        return DeviceChoice(self.chosen_device)

    @property
    def played_choice(self) -> DeviceChoice:
        """The device that respondents are played with: the chosen one, if it has the chances."""
        device = self.chosen_device
        if device is None or not (device.for_screens or self.design.served_by(device)):
            return ANY_DEVICE
        return DeviceChoice(device)

    def at_epsilon(self, epsilon: float) -> Design:
        """Returns the design at an epsilon; with a chosen device its nearest chances below.

        Of a device that has none below, the least epsilon above.

        Raises:
            ParameterError: The epsilon decides nothing, or the design cannot have it.
        """
        device = self.chosen_thing
        if device is None:
            return self.design.at_epsilon(epsilon)
        return require_at(device, self.design, epsilon).design

    def with_device(self, word: str, epsilon: float) -> Self:
        """Returns this scenario with a device, and with the chances of it for an epsilon.

        Raises:
            ParameterError: The device cannot have the design.
        """
        asked = self.changed(device=word)
        device = asked.chosen_device
        if device is None or device.for_screens or not asked.epsilon_decides:
            return asked
        return asked.changed(design=asked.at_epsilon(epsilon))

    @property
    def doing_words(self) -> str:
        """What a respondent does: with the chosen device, if it has the chances of the design."""
        device = self.chosen_device
        if device is not None and not device.for_screens and self.design.served_by(device):
            pictures = self.design.instructions(choice=self.choice)[0].pictures
            # Of several draws the first one is not the whole rule.
            if len(pictures) == 1:
                (draw, labels) = pictures[0].draw, pictures[0].labels
                rules = zip(draw.outcomes, labels, strict=True)
                return ". ".join(f"If {outcome}: {label}" for outcome, label in rules) + "."
        return self.design.doing

    @property
    def device_note(self) -> str:
        """What respondents use, for a plan; empty where no device has the chances."""
        device = self.chosen_device
        if device is None:
            device = next((at for at in AT_HAND if self.design.served_by(at)), None)
        if device is None or not (device.for_screens or self.design.served_by(device)):
            return ""
        told = f"{tr(device.title)}; {tr(self.design.title)}, {self.design.setting}"
        return tr("Device: {told}.").format(told=told)

    @property
    def epsilon_decides(self) -> bool:
        """Whether an epsilon decides the parameters of the design."""
        return self.design.epsilon_decides

    @property
    def truth(self) -> float:
        """The true value as it is shown: in per cent, or in the unit of the numbers."""
        return self.survey.scale * self.survey.truth

    @property
    def truth_words(self) -> str:
        """The same in words."""
        return f"{tr(self.quantity_words)} {percent_text(self.survey.truth)}"

    def value_words(self, value: float) -> str:
        """An estimate, or the truth, as it is shown, with its unit."""
        return f"{significant(value, 3)} {self.value_unit}".strip()

    def refuse_design(self, design: Design) -> None:
        """Refuses a design by which these people cannot be asked.

        Raises:
            ParameterError: Its parameters make no device, or one that tells nothing.
        """
        self.changed(design=design).survey.check()

    @classmethod
    def designs(cls) -> tuple[Design, ...]:
        """The designs that are offered, in the order of their list."""
        return _variants(designs_of(cls.family))

    def usual_design(self, word: str) -> Design:
        """The design of the list to start from, for these answers."""
        chosen = self._fitted(next(found for found in self.designs() if found.word == word))
        near = chosen.near(self.epsilon) if self.follows_epsilon else chosen
        asked = self.changed(design=near)
        if not near.epsilon_decides or asked.chosen_device is None:
            return near
        return asked.at_epsilon(near.loss.epsilon)

    def _fitted(self, variant: Design) -> Design:
        """The usual design of a variant for these answers."""
        return variant

    @classmethod
    def rival_titles(cls) -> dict[str, tuple[str, bool]]:
        """What can be compared with: its title, and whether it often is, by its word."""
        found = {
            variant.word: (variant.rival_name, variant.word in variant.often_compared)
            for variant in cls.designs()
        }
        return found if DIRECT in found else {DIRECT: (tr("Direct question"), True), **found}

    def rival(self, word: str) -> Design | None:
        """The design that is compared with; None for direct answers that no device takes."""
        found = {variant.word: variant for variant in self.designs()}.get(word)
        if found is None:
            return None
        fitted = self._fitted(found)
        return fitted.near(self.epsilon) if self.equal_epsilon else fitted

    @property
    def shown_rivals(self) -> tuple[Design, ...]:
        """The designs that are compared with; not the one in force, and no direct answers."""
        found = (self.rival(word) for word in self.rivals if not self.is_in_force(word))
        return tuple(rival for rival in found if rival is not None)

    def is_in_force(self, word: str) -> bool:
        """Whether a rival is the design in force, as near as a picture can tell."""
        # The word first: to make a design takes longer.
        rival = self.rival(word) if word == self.design.word else None
        if rival is None:
            return False
        try:
            parts = self.survey.asked_by(rival).parts
            return np.allclose(parts, self.survey.parts, rtol=_NEARLY)
        except DpdeskError:
            return False

    @property
    def compared(self) -> tuple[Rival, ...]:
        """The rivals by which these people could be asked."""
        found = []
        for word in self.rivals:
            if self.is_in_force(word):
                continue
            rival = self.rival(word)
            try:
                theory = (
                    self.survey.direct_theory
                    if rival is None
                    else self.survey.asked_by(rival).shown_theory
                )
            except DpdeskError:
                # There is no such device for these people: nothing to compare with.
                continue
            if rival is None:
                found.append(Rival(tr("Direct question"), "", theory))
                continue
            title, short = rival.rival_name, tr(rival.title)
            found.append(Rival(title, short if len(short) < len(title) else "", theory))
        return tuple(found)

    @property
    def kept_rival(self) -> Rival | None:
        """The survey that was kept as A."""
        theory = _theory_of(self.kept)
        if self.kept is None or theory is None:
            return None
        return Rival(kept_title(self.kept), "A", theory)

    @property
    def before_theory(self) -> EstimatorTheory | None:
        """Mean and error before the last change, as they are shown; None where there is none."""
        return _theory_of(self.before)

    @property
    def others(self) -> tuple[Self, ...]:
        """The scenarios of the designs that are compared with, and of the survey that was kept."""
        alone = self.changed(rivals=(), kept=None, before=None)
        rivals = tuple(alone.changed(design=rival) for rival in self.shown_rivals)
        return rivals if self.kept is None else (*rivals, self.kept)

    @property
    @abstractmethod
    def estimated(self) -> str:
        """What is estimated, as the title of an axis."""

    @property
    def estimate_axis(self) -> str:
        """The same in few words, for an axis that is short."""
        unit = self.value_unit
        return tr("Estimate ({unit})").format(unit=unit) if unit else tr("Estimate")

    @property
    @abstractmethod
    def quantities(self) -> tuple[str, ...]:
        """What each of the figures of the survey's estimates is about, in a table."""

    @property
    def quantity(self) -> Quantity:
        """How values of what is estimated are written and read."""
        return PERCENT

    @property
    def of_what(self) -> str:
        """Which of several quantities is planned for, after a value; empty where there is one."""
        return ""

    @property
    def looked_rows(self) -> tuple[tuple[str, str, str], ...]:
        """Quantity, value and unit of which of several is planned for, for a file."""
        return ()

    def each_margin(self, sample: Sample) -> tuple[tuple[str, float], ...]:
        """Returns the margin of every one of several quantities, by its name."""
        return ()

    @abstractmethod
    def of_people(self, people: People) -> Self:
        """Returns this scenario with other people."""

    def question_column(self, name: str, wording: str, planned: PlannedQuestion) -> ColumnPlan:
        """Returns the column of a plan for one of the questions of a questionnaire.

        Raises:
            pydantic.ValidationError: The epsilon is larger than a mechanism can have.
            ParameterError: No mechanism is like the design.
        """
        asked = self.of_people(planned.question.people)
        column = asked.changed(design=planned.design, question=wording).taken().column
        return column.model_copy(update={"name": name})

    @property
    def loss_words(self) -> str:
        """The epsilon of a design whose parameters do not follow from it, and what it means."""
        if isfinite(self.epsilon):
            return tr("Privacy ε = {epsilon}, by its parameters").format(
                epsilon=epsilon_up(self.epsilon)
            )
        return tr("Privacy ε = ∞: {caution}").format(
            caution=tr(self.design.caution) or tr(self.design.proof)
        )

    @abstractmethod
    def disclosed(self) -> Figure:
        """What an answer tells."""

    @property
    def drawn_words(self) -> str:
        """How the surveys are drawn, where that needs saying."""
        return ""

    @abstractmethod
    def stream(self) -> RespondentStream:
        """Respondents one by one.

        Raises:
            ParameterError: The survey cannot be held.
        """

    @abstractmethod
    def memo(self, others: Sequence[str]) -> PlanningMemo:
        """The planning memo.

        Args:
            others: The innocent questions of the design.
        """

    def sheet_words(self, others: Sequence[str]) -> Sequence[str]:
        """What the instruction takes beside the question."""
        return others

    @abstractmethod
    def taken(self) -> Taken:
        """The column of a plan for the question.

        Raises:
            pydantic.ValidationError: The epsilon is larger than a mechanism can have.
            ParameterError: No mechanism is like the design.
        """


@lru_cache
def _variants(kinds: tuple[type[Design], ...]) -> tuple[Design, ...]:
    return tuple(variant for kind in kinds for variant in kind.variants())


def _theory_of(scenario: Scenario[Any] | None) -> EstimatorTheory | None:
    try:
        return None if scenario is None else scenario.survey.shown_theory
    except DpdeskError:
        return None


def kept_title(kept: Scenario[Any]) -> str:
    """What was kept, in one line: A: Warner, n = 3,586, ε = 1.10."""
    return tr("A: {design}, n = {people}, ε = {epsilon}").format(
        design=tr(kept.design.title),
        people=f"{kept.respondents:,}",
        epsilon=epsilon_up(kept.epsilon),
    )


def _names(scenario: Scenario[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(scenario))
