"""The types of parameters that attacks share, each with its title and what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.i18n import N_


@dataclass(frozen=True)
class IsColumn:
    """Marks a parameter that names a column of the data, or several.

    Attributes:
        use: What outsiders know of a person, or want to learn; empty for neither.
    """

    use: Literal["quasi-identifier", "sensitive", ""] = ""


@dataclass(frozen=True)
class IsCounted:
    """Marks a parameter that is an answer of the data, as it stands in the file."""


@dataclass(frozen=True)
class IfEmpty:
    """Says what holds where a parameter is left empty.

    Attributes:
        words: A few words, marked for translation.
    """

    words: str


Column = Annotated[str, IsColumn()]
"""A column by its name; empty for a suggestion."""
Columns = Annotated[tuple[str, ...], IsColumn()]
"""Several columns by their names; empty for a suggestion."""
Known = Annotated[
    tuple[str, ...],
    IsColumn("quasi-identifier"),
    Field(title="Known columns", description="columns that the attacker knows of a person"),
]
"""The columns that outsiders know of a person; empty for those of the plan, or a suggestion."""
Wanted = Annotated[
    str,
    IsColumn("sensitive"),
    Field(title="Question", description="column whose answer is to be learnt"),
]
"""The column that outsiders want to learn; empty for a suggestion."""
Answer = Annotated[
    str,
    Field(max_length=200, title="Answer", description="the answer that is counted"),
    IsCounted(),
    IfEmpty(N_("the most frequent one")),
]
"""One answer of a column, as it stands in the file."""
Epsilon = Annotated[float, Field(gt=0, le=36, allow_inf_nan=False, title="Epsilon")]
"""A privacy loss; an attack says of what."""
CountEpsilon = Annotated[Epsilon, Field(description="epsilon of each count, where noise is added")]
"""The privacy loss of each count with noise, as a remedy."""
PromisedEpsilon = Annotated[Epsilon, Field(description="the epsilon that the exercise promises")]
"""The privacy loss that is promised by mistake."""
