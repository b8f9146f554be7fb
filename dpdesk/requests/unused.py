"""When a field of a request, or an option, has no effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Unused(NamedTuple):
    """A case in which a field has no effect, and is refused.

    Attributes:
        when: Returns whether a request, or anything with its attributes, is this case.
        why: End of the sentence that refuses it, for example "beside --counts".
    """

    when: Callable[[Any], bool]
    why: str
