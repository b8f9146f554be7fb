"""What every design of a survey is: parameters in the designer's words, and what it declares.

A design declares everything that others need to know of it: the law of its answers or of its
numbers, its privacy loss, how its parameters follow from an epsilon, an example, its instruction.
Code that shows, plans or estimates a survey asks the design, and never checks its kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import isfinite
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict

from dpdesk.designs.devices import (
    ANY_DEVICE,
    AT_HAND,
    Chances,
    Device,
    DeviceChoice,
    another_for_each,
)
from dpdesk.designs.innocent_questions import Blank
from dpdesk.designs.instructions import Instruction
from dpdesk.designs.law import PrivacyLoss, require_epsilon
from dpdesk.designs.probability import parameter_text
from dpdesk.designs.texts import T
from dpdesk.errors import DpdeskError, ParameterError
from dpdesk.i18n import N_, any_of, translated

if TYPE_CHECKING:
    from dpdesk.mechanisms import Mechanism

Quantity = Literal["share", "shares", "mean"]
"""What a survey estimates: the share of carriers, of each of several answers, or a mean."""

Departure = Literal["denial", "refusal", "carelessness", "understatement"]
"""How respondents may not follow the instruction, see `Behaviour`, `Evasion` and `TrueNumbers`."""

_NEIGHBOURS = 4
"""How many neighbours of each of several chances are combined."""
_TWICE = 2
_AS_IT_IS = 1e-3
"""If a wanted epsilon differs by less than this, the usual, round parameters are kept."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a design, for lists and forms.

    Attributes:
        name: Its name on the command line.
        title: What it is, in the designer's words.
        default: Its usual value as text; empty where it must be given.
        short: The same in few words, for a label beside a field.
    """

    name: str
    title: str
    default: str
    short: str


class Design(BaseModel, ABC):
    """Parameters of a randomized-response design; the tag is `kind`.

    What follows from parameters that make no device is refused with a `ParameterError`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: ClassVar[str]
    """The name in full."""
    summary: ClassVar[str]
    """What a respondent does, in one sentence."""
    reference: ClassVar[str]
    """The publication that the formulas come from."""
    proof: ClassVar[str] = N_("an answer is a proof.")
    """What an infinite epsilon means, where there is no caution."""
    caution: ClassVar[str] = ""
    """What the epsilon of the design rests on, where that is not the device alone."""
    device: ClassVar[str] = ""
    """The things that the example needs, in a few words; empty where the title says enough."""
    usual: ClassVar[Mapping[str, object]] = {}
    """The parameters that these things have."""
    quantity: ClassVar[Quantity]
    """What is estimated."""
    departures: ClassVar[tuple[Departure, ...]]
    """The ways not to follow the instruction that change the answers."""
    group_count: ClassVar[int] = 1
    """Number of groups that get different devices."""
    in_unit: ClassVar[frozenset[str]] = frozenset()
    """Names of parameters in the unit of the answers."""
    device_parameters: ClassVar[tuple[str, ...]] = ()
    """The chances that a device must have, each for the first of two events."""
    asked_parameters: ClassVar[tuple[str, ...]] = ()
    """The shares that an innocent question must have, such as one about a birthday."""
    only_devices: ClassVar[tuple[str, ...]] = ()
    """The devices that the rule can be followed with, where these are not all."""
    device_draws: ClassVar[int] = 1
    """How often a respondent draws anew for one answer: 0, once, or 2 for twice and more."""
    asked_fact: ClassVar[str] = ""
    """The fact of a person that the proposed innocent question is about; empty where none is."""
    no_device: ClassVar[str] = ""
    """Why no device serves, as a sentence; empty where one may."""
    counted: ClassVar[bool] = False
    """Whether answers come back as counts: how many said yes, of how many."""
    supposed: ClassVar[frozenset[str]] = frozenset()
    """Parameters that a survey is planned by, and that its estimates do not depend on."""
    error_is_bound: ClassVar[bool] = False
    """Whether the interval from counts is the widest there can be: they do not show the spread."""
    unbiased: ClassVar[bool] = True
    """Whether the estimate is unbiased; if not, it is so only for large surveys."""
    often_compared: ClassVar[tuple[str, ...]] = ()
    """Words of the variants that others are compared with most often."""

    kind: str

    @classmethod
    def tag(cls) -> str:
        """Returns the tag of a design, such as "warner"."""
        return str(cls.model_fields["kind"].default)

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Returns the parameters, in the order in which they are asked for."""
        found = []
        for name, field in cls.model_fields.items():
            if name == "kind":
                continue
            default = "" if field.is_required() else str(field.default)
            title = field.description or name
            found.append(Parameter(name, title, default, field.title or title))
        return tuple(found)

    @property
    def setting(self) -> str:
        """The values of all parameters, such as "p = 3/4, innocent = 1/4"; empty without any.

        Numbers are not rounded: a device with a rounded chance would have a different epsilon.
        """
        return ", ".join(
            f"{parameter.name} = {parameter_text(getattr(self, parameter.name))}"
            for parameter in self.parameters()
        )

    @classmethod
    def example(cls) -> Self:
        """Returns the usual design of this kind, whose device is `device`."""
        return cls.model_validate(cls.usual)

    @classmethod
    def variants(cls) -> tuple[Self, ...]:
        """Returns what lists of designs offer of this kind: its usual design, or several."""
        return (cls.example(),)

    @property
    def word(self) -> str:
        """The identifier of this design in lists, different for each variant of a kind."""
        return self.kind

    @property
    def list_name(self) -> str:
        """The name in lists, with the device if the parameters are the usual ones."""
        title = translated(self.title)
        if not self.device or self != type(self).example():
            return title
        return T.WITH_DEVICE(design=title, device=translated(self.device))

    @property
    def rival_name(self) -> str:
        """The name in comparisons with other designs."""
        return self.list_name

    @property
    def doing(self) -> str:
        """What a respondent does; names an everyday device if one has exactly these chances."""
        return translated(self.summary)

    @property
    def splits(self) -> tuple[Chances, ...]:
        """The chances that a device must have, for each use of it; those of 0 are left out."""
        values = (getattr(self, name) for name in self.device_parameters)
        return tuple(possible((value, 1 - value)) for value in values)

    @classmethod
    def may_use(cls, device: Device, asked: Collection[str] | None = None) -> bool:
        """Returns whether the rule could be followed with a device, whatever chances it has."""
        return not cls.no_device and not cls.objection(device, asked)

    @classmethod
    def objection(cls, device: Device, asked: Collection[str] | None = None) -> str:
        """Returns why the rule cannot be followed with a device, as a sentence; "" if it can.

        A rule counts on draws that do not depend on each other. A fact of a person is the same
        whenever it is looked at, so that it can stand for one of them.

        Args:
            device: The device.
            asked: The facts that the innocent questions are about, see `facts_asked`; None where
                the proposed ones are asked.
        """
        title = translated(cls.title)
        if cls.only_devices and device.word not in cls.only_devices:
            return T.ONLY_DEVICES(design=title, devices=any_of(cls.only_devices))
        both = device.fact in ((cls.asked_fact,) if asked is None else asked)
        if not device.fact or cls.device_draws + both < _TWICE:
            return ""
        return (T.ASKED_TOO if both else T.DRAWN_TWICE)(design=title, fact=device.fact)

    @classmethod
    def require_rule(cls, device: Device | None, asked: Collection[str] | None = None) -> None:
        """Refuses a device that the rule cannot be followed with; the arguments of `objection`.

        Raises:
            ParameterError: It cannot; the remedy names the devices with which it can.
        """
        objection = "" if device is None else cls.objection(device, asked)
        if objection:
            words = ", ".join(other.word for other in AT_HAND if not cls.objection(other))
            other_asked = not cls.objection(device, ())  # type: ignore[arg-type]
            remedy = T.USE_DEVICES_OR_ASK if other_asked else T.USE_DEVICES
            raise ParameterError(objection, remedy=remedy(devices=words))

    def facts_asked(self, others: Sequence[str]) -> tuple[str, ...]:
        """Returns the facts of a person that the innocent questions are known to be about.

        Args:
            others: The questions that `blanks` asks for; of those in own words nothing is known.
        """
        return tuple(
            blank.fact
            for blank, text in self._asked(others)
            if blank.fact and blank.is_proposed(text)
        )

    def question_notes(self, others: Sequence[str], devices: Collection[Device]) -> tuple[str, ...]:
        """Returns what must hold of innocent questions in own words, as sentences.

        Args:
            others: The questions that `blanks` asks for; empty or missing ones are those proposed,
                or left open.
            devices: The devices that respondents get.
        """
        return tuple(
            note for blank, text in self._asked(others) for note in blank.notes(text, devices)
        )

    def _asked(self, others: Sequence[str]) -> Iterator[tuple[Blank, str]]:
        """Each blank with what was typed for it, which may be nothing."""
        given = [*others, *[""] * len(self.blanks)]
        return zip(self.blanks, given, strict=False)

    @classmethod
    def once_each(cls, device: Device | None) -> tuple[str, ...]:
        """Returns what several questions with this design need, as sentences.

        Args:
            device: The device that all of them are asked with; None where each use draws anew.
        """
        facts = [cls.asked_fact, device.fact if device is not None and cls.device_draws else ""]
        return tuple(another_for_each(fact) for fact in dict.fromkeys(filter(None, facts)))

    def _choice(self, choice: DeviceChoice, others: Sequence[str] = ()) -> DeviceChoice:
        """The choice among the devices that the rule can be followed with."""
        self.require_rule(choice.device, self.facts_asked(others))
        left = tuple(device for device in choice.among_these if not self.objection(device))
        return replace(choice, among_these=left)

    def served_by(self, device: Device, asked: Collection[str] | None = None) -> bool:
        """Returns whether respondents can follow this design with a device, exactly.

        Args:
            device: The device.
            asked: The facts that the innocent questions are about; None for the proposed ones.
        """
        if not self.may_use(device, asked):
            return False
        splits = self.splits
        if not splits and not self.asked_parameters:
            return False
        shares = (getattr(self, name) for name in self.asked_parameters)
        return all(device.draw(split) is not None for split in splits) and all(
            device.asked(share, "mother") for share in shares
        )

    def buildable(self, device: Device) -> Iterator[Self]:
        """Yields designs of this kind with chances near the own ones that a device may have."""
        names = (*self.device_parameters, *self.asked_parameters)
        near = [device.near(getattr(self, name)) for name in names]
        if len(names) > 1:
            near = [
                _nearest(found, getattr(self, name))
                for found, name in zip(near, names, strict=True)
            ]
        for chosen in product(*near):
            yield self.model_copy(update=dict(zip(names, chosen, strict=True)))

    def in_plan(self) -> tuple[Mechanism, str]:
        """Returns the mechanism by which a program can do what respondents do with this design.

        Returns:
            The mechanism, whose epsilon is not larger; and a sentence on what it does differently,
            which may be empty.

        Raises:
            ParameterError: No mechanism does what this design does.
            pydantic.ValidationError: The epsilon is larger than a mechanism can have.
        """
        if not isfinite(self.loss.epsilon):
            raise ParameterError(T.PROOF(design=translated(self.title)))
        return self._in_plan()

    @abstractmethod
    def _in_plan(self) -> tuple[Mechanism, str]:
        """The mechanism of a design whose epsilon is finite."""

    def near(self, epsilon: float) -> Self:
        """Returns this design with its parameters changed to an epsilon, or unchanged.

        It is unchanged if the epsilon is infinite, nearly its own, or impossible for the design.
        """
        if not isfinite(epsilon) or abs(self.loss.epsilon - epsilon) < _AS_IT_IS:
            return self
        try:
            return self.at_epsilon(epsilon * (1 + 1e-12))
        except DpdeskError:
            return self

    @property
    @abstractmethod
    def loss(self) -> PrivacyLoss:
        """What an answer discloses."""

    @property
    def epsilon_decides(self) -> bool:
        """Whether the parameters follow from an epsilon; those that do not affect it are kept."""
        return False

    def at_epsilon(self, epsilon: float) -> Self:
        """Returns a design of the same kind with this epsilon, or slightly less by rounding.

        Raises:
            ParameterError: The epsilon decides nothing, is not above 0, or is too small.
        """
        if not self.epsilon_decides:
            if not isfinite(self.loss.epsilon):
                raise ParameterError(T.PROOF(design=translated(self.title)))
            raise ParameterError(T.NOT_DECIDED(design=translated(self.title)))
        require_epsilon(epsilon)
        return self._at(epsilon)

    def _at(self, epsilon: float) -> Self:
        """The design at an epsilon that decides it; to be overridden with `epsilon_decides`."""
        raise NotImplementedError(self.kind)

    @property
    def blanks(self) -> tuple[Blank, ...]:
        """The innocent questions that the instruction needs beside the sensitive one."""
        return ()

    @property
    def names_taken(self) -> int:
        """How many answers the instruction needs to be named; 0 if the design names them itself."""
        return 0

    @abstractmethod
    def instructions(
        self, question: str = "", others: Sequence[str] = (), choice: DeviceChoice = ANY_DEVICE
    ) -> tuple[Instruction, ...]:
        """Returns what respondents of each group, or for each item, are told.

        Args:
            question: The sensitive question.
            others: The questions that `blanks` asks for, in that order; empty or missing ones are
                replaced by a proposal, or by a blank to fill in. If there are several answers,
                their words instead.
            choice: The device that the respondents get.

        Raises:
            ParameterError: The parameters make no device, or the chosen device lacks their
                chances, or the rule cannot be followed with it.
        """


def _nearest(chances: Chances, wanted: Fraction) -> Chances:
    """The few chances that are nearest to a wanted one."""
    return tuple(sorted(chances, key=lambda chance: abs(chance - wanted))[:_NEIGHBOURS])


def possible(chances: Sequence[Fraction]) -> Chances:
    """Returns the chances above 0."""
    return tuple(chance for chance in chances if chance)


def divided_near(device: Device, chances: Sequence[Fraction]) -> Iterator[Chances]:
    """Yields chances near the wanted ones that a device may have; those of 0 stay 0."""
    for parts in device.divided_near(possible(chances)):
        left = iter(parts)
        yield tuple(next(left) if chance else chance for chance in chances)
