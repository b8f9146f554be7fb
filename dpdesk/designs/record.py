"""What designs of every kind are: a record of parameters in the designer's words."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a design, for lists and forms.

    Attributes:
        name: Its name on the command line.
        title: What it is, in the designer's words.
        default: Its usual value as text; empty where it must be given.
    """

    name: str
    title: str
    default: str


class DesignRecord(BaseModel, ABC):
    """Parameters of a randomized-response design; the tag is `kind`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: ClassVar[str]
    """The name in full."""
    summary: ClassVar[str]
    """What a respondent does, in one sentence."""
    reference: ClassVar[str]
    """The publication that the formulas come from."""
    group_count: ClassVar[int] = 1
    """Number of groups that get different devices."""
    caution: ClassVar[str] = ""
    """What the epsilon of the design rests on, where that is not the device alone."""

    kind: str

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Returns the parameters, in the order in which they are asked for."""
        found = []
        for name, field in cls.model_fields.items():
            if name == "kind":
                continue
            default = "" if field.is_required() else str(field.default)
            found.append(Parameter(name, field.description or field.title or name, default))
        return tuple(found)
