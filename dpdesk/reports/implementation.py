"""What ran a release, how it read the file, and its limits, as every public report says them."""

from __future__ import annotations

import re
import ssl
import sys
from functools import cache
from importlib.metadata import version

import numpy as np

from dpdesk.i18n import in_a_row
from dpdesk.plan.model import Plan
from dpdesk.reports.section import Named, Section
from dpdesk.reports.texts import T
from dpdesk.resources import resource
from dpdesk.version import __version__

_LINK = re.compile(r"\[([^]]*)]\([^)]*\)")
_MARKS = re.compile(r"\*\*|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")


class LimitGroup(Section):
    """Limits of one kind."""

    heading: str
    """What they concern."""
    limits: tuple[str, ...]
    """The limits, each a sentence or more."""


OF_RECORDS, OF_STATISTICS = "What records give", "What statistics give"
OF_SYNTHETIC_ROWS = "What synthetic rows give"
"""Headings of the limits that concern one kind of release alone."""

_OF_ONE_KIND = frozenset({OF_RECORDS, OF_STATISTICS, OF_SYNTHETIC_ROWS})


@cache
def known_limits(own: str) -> tuple[LimitGroup, ...]:
    """Returns the limits of the page `docs/limits.md`: its second-level headings and their lists.

    Args:
        own: Heading of the limits that concern this kind of release alone; those that concern
            another kind are left out.

    Raises:
        FileNotFoundError: The installation is incomplete.
    """
    page = resource("docs/limits.md").read_text(encoding="utf-8")
    return tuple(group for group in limits_of(page) if group.heading not in _OF_ONE_KIND - {own})


def limits_of(page: str) -> tuple[LimitGroup, ...]:
    """Returns the lists of a page in Markdown under their headings, without marks and links."""
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
    return _MARKS.sub("", _LINK.sub(r"\1", text)).strip()


class SoftwareVersion(Named):
    """A program that took part."""

    version: str
    """Its version."""


def software(*libraries: str) -> tuple[SoftwareVersion, ...]:
    """Returns the versions of dpdesk and of the libraries it computes with.

    Args:
        libraries: Installed distributions that take part beside Python, NumPy and OpenSSL.
    """
    versions = (
        ("dpdesk", __version__),
        *((name, version(name)) for name in libraries),
        ("Python", ".".join(map(str, sys.version_info[:3]))),
        ("NumPy", np.__version__),
        ("OpenSSL", ssl.OPENSSL_VERSION.removeprefix("OpenSSL ").split(" ")[0]),
    )
    return tuple(SoftwareVersion(name=name, version=number) for name, number in versions)


def reading_statement(plan: Plan) -> str:
    """Returns how the file of answers was read, as it was declared before the release."""
    percent = f"{(100 * plan.allowed_unfit).normalize():f} %"
    unfit = (T.STOPS_AT if plan.allowed_unfit else T.STOPS_AT_ANY)(share=percent)
    # What is not released is not named.
    reading = plan.public_reading
    return unfit if reading is None else in_a_row((T.READ_AS(words=reading.words), unfit))
