"""The list of mechanisms. To add one, write a class in this folder and add it to the tuple."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from dpdesk.domains import AnyDomain
from dpdesk.errors import ParameterError
from dpdesk.mechanisms.base import Mechanism
from dpdesk.mechanisms.bounded_noise import BoundedLaplace, BoundedStaircase
from dpdesk.mechanisms.direct_encoding import Grr, Warner
from dpdesk.mechanisms.duchi import Duchi
from dpdesk.mechanisms.hadamard import Hadamard
from dpdesk.mechanisms.hybrid import Hybrid
from dpdesk.mechanisms.local_hashing import Blh, Olh
from dpdesk.mechanisms.pram import Pram
from dpdesk.mechanisms.rappor import Rappor
from dpdesk.mechanisms.set_response import SetResponse
from dpdesk.mechanisms.subset_selection import SubsetSelection
from dpdesk.mechanisms.texts import T
from dpdesk.mechanisms.unary_encoding import Oue, Sue
from dpdesk.mechanisms.unbounded_noise import Laplace, Staircase
from dpdesk.mechanisms.window_noise import Piecewise, SquareWave

MECHANISMS: tuple[type[Mechanism], ...] = (
    Warner,
    Grr,
    Sue,
    Oue,
    SubsetSelection,
    Olh,
    Blh,
    Hadamard,
    Rappor,
    Pram,
    BoundedLaplace,
    BoundedStaircase,
    Laplace,
    Staircase,
    Duchi,
    Piecewise,
    Hybrid,
    SquareWave,
    SetResponse,
)
"""Every mechanism, in the order in which lists show them."""

if TYPE_CHECKING:
    AnyMechanism = Mechanism
else:
    AnyMechanism = Annotated[Union[MECHANISMS], Field(discriminator="kind")]  # noqa: UP007 - of a tuple
"""Any mechanism, as a plan stores it; the tag is `kind`."""


def kind_of(mechanism: type[Mechanism]) -> str:
    """Returns the tag of a mechanism, such as "grr"."""
    return str(mechanism.model_fields["kind"].default)


def mechanism_named(kind: str) -> type[Mechanism]:
    """Returns the mechanism of a kind.

    Raises:
        ParameterError: There is no mechanism of this name.
    """
    for mechanism in MECHANISMS:
        if kind_of(mechanism) == kind:
            return mechanism
    raise ParameterError(T.NO_MECHANISM(name=kind, known=[*map(kind_of, MECHANISMS)]))


def fitting(domain: AnyDomain) -> tuple[type[Mechanism], ...]:
    """Returns the mechanisms that can serve a domain."""
    return tuple(m for m in MECHANISMS if m.misfit(domain) is None)
