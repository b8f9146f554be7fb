"""What ran a release and how it read the file, as every public report says it."""

from __future__ import annotations

import ssl
import sys
from importlib.metadata import version

import numpy as np

from dpdesk import __version__
from dpdesk.plan.model import Plan
from dpdesk.report.section import Section


class SoftwareVersion(Section):
    """A program that took part."""

    name: str
    """Its name."""
    version: str
    """Its version."""


def software(*libraries: str) -> tuple[SoftwareVersion, ...]:
    """Returns dpdesk and what it computes with.

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
    one = ", if these are more than one" if plan.allowed_unfit else ""
    unfit = (
        "A release stops where the domain of a column has no place for more than "
        f"{percent} of its answers{one}."
    )
    if plan.reading is None:
        return unfit
    return f"The file was read as declared: {plan.reading.words}. {unfit}"
