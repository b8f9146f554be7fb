"""Words that a shell completes for options that read them in their own way.

An option of few words has `choices`, which a shell completes, too. Others read their words in any
case, or say themselves what is wrong with one: they declare here what is offered.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any

# Each word list is imported where a shell's script is made alone: commands start without them.


def offer(action: argparse.Action, words: Callable[[], Iterable[str]]) -> None:
    """Says which words a shell completes for an option.

    Args:
        action: The option.
        words: Returns the words; called only where a shell's script is made.
    """
    told: Any = action
    told.offered = words


def written_formats() -> tuple[str, ...]:
    """The formats of records that are written where they are asked for."""
    from dpdesk.data.record_files import RECORD_FILES

    return tuple(kind.word() for kind in RECORD_FILES if kind.is_asked)


def formats_read() -> tuple[str, ...]:
    """The formats of files that are read."""
    from dpdesk.data.table_format import TABLE_FORMATS, word_of

    return tuple(word_of(kind).lower() for kind in TABLE_FORMATS)


def platforms() -> tuple[str, ...]:
    """The programs whose headers are known, and the word for none."""
    from dpdesk.data.survey_platforms import NO_PLATFORM, PLATFORMS, word_of

    return (*(word_of(kind).lower() for kind in PLATFORMS), NO_PLATFORM)


def designs() -> tuple[str, ...]:
    """The designs of randomized response."""
    from dpdesk.designs.registry import DESIGNS

    return tuple(design.tag() for design in DESIGNS)


def devices() -> tuple[str, ...]:
    """The devices that exist, and the word for the best one."""
    from dpdesk.designs.devices import CATALOGUE

    return (*(device.word for device in CATALOGUE), "any")


def handouts() -> tuple[str, ...]:
    """The demonstrations that have a handout."""
    from dpdesk.demonstrations import demonstrations

    return tuple(one.key for one in demonstrations())
