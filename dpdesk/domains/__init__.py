"""Domains: the finite public set of values that an attribute can have.

A domain is a list of categories, a list of options of which an answer ticks any number, or a public
interval of numbers or dates with a public grid. What depends on its kind, it answers itself
(`base`).
"""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import Field

from dpdesk.domains.base import SUPPOSED_MISSING
from dpdesk.domains.cell_numbers import parse_number, parse_typed
from dpdesk.domains.column_kind import COLUMN_KINDS, ColumnKind
from dpdesk.domains.dates import Date
from dpdesk.domains.grid import NumericDomain
from dpdesk.domains.listed import (
    NO_WORDS,
    NOTHING,
    OPTIONS_MAX,
    YES_WORDS,
    Categorical,
    ListedDomain,
    OptionSet,
)
from dpdesk.domains.numeric import ExactDecimal, Integer, Real

AnyGrid = Integer | Real | Date
"""A domain that is a grid of points in a row."""

AnyDomain = Categorical | OptionSet | AnyGrid

_DOMAINS: tuple[type[AnyDomain], ...] = get_args(AnyDomain)

Domain = Annotated[AnyDomain, Field(discriminator="type")]
"""Any domain, as a plan stores it; the tag is `type`."""


def domain_type(kind: ColumnKind) -> type[AnyDomain] | None:
    """Returns the type of domain that a kind of column has, or None if it has none."""
    return next((domain for domain in _DOMAINS if kind in domain.kinds), None)
