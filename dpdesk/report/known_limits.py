"""The known limits of dpdesk, read from the page that the window shows too."""

from __future__ import annotations

import re
from functools import cache

from dpdesk.report.section import Section
from dpdesk.resources import resource

_MARKS = re.compile(r"\*\*|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")


class LimitGroup(Section):
    """Limits of one kind."""

    heading: str
    """What they concern."""
    limits: tuple[str, ...]
    """The limits, each a sentence or more."""


OF_RECORDS, OF_STATISTICS = "What records give", "What statistics give"
"""Headings of the limits that concern one kind of release alone."""


@cache
def known_limits(others: str) -> tuple[LimitGroup, ...]:
    """Returns the limits of the page `docs/limits.md`: its second-level headings and their lists.

    Args:
        others: Heading of the limits that concern another kind of release, which are left out.

    Raises:
        FileNotFoundError: The installation is incomplete.
    """
    page = resource("docs/limits.md").read_text(encoding="utf-8")
    return tuple(group for group in limits_of(page) if group.heading != others)


def limits_of(page: str) -> tuple[LimitGroup, ...]:
    """Returns the lists of a page in Markdown under their headings, without marks of emphasis."""
    groups: list[tuple[str, list[str]]] = []
    in_item = False
    for line in page.splitlines():
        if line.startswith("## "):
            groups.append((_plain(line[3:]), []))
            in_item = False
        elif line.startswith("- ") and groups:
            groups[-1][1].append(line[2:].strip())
            in_item = True
        elif in_item and line.startswith("  "):
            groups[-1][1][-1] += " " + line.strip()
        else:
            in_item = False
    return tuple(
        LimitGroup(heading=heading, limits=tuple(map(_plain, items)))
        for heading, items in groups
        if items
    )


def _plain(text: str) -> str:
    return _MARKS.sub("", text).strip()
