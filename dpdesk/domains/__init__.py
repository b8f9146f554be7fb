"""What an attribute can hold: a finite public set of values."""

from typing import Annotated

from pydantic import Field

from dpdesk.domains.categorical import Categorical
from dpdesk.domains.numeric import Integer, NumericDomain, Real
from dpdesk.domains.parse_number import parse_number

Domain = Annotated[Categorical | Integer | Real, Field(discriminator="type")]
"""Any domain, as a plan stores it; the tag is `type`."""

__all__ = ["Categorical", "Domain", "Integer", "NumericDomain", "Real", "parse_number"]
