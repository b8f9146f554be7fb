"""Options that several tasks of `dpdesk survey` share, and which of them go together."""

from __future__ import annotations

import argparse

from dpdesk.cli.options import add_repeated, real, whole

DEVICE = frozenset({"design", "set"})
"""Options that name a design."""

FILE = frozenset(
    {"weights", "strata", "clusters", "population", "lonely_psu"}
    | {"data", "answer", "missing", "by", "scores", "confidence"}
)
"""Options of a file of answers, whatever the question is."""


def add_design(
    parser: argparse.ArgumentParser, *, required: bool = True, json: bool = True
) -> None:
    """Adds the design and its parameters."""
    parser.add_argument("--design", required=required, metavar="NAME", help="see: survey designs")
    add_repeated(
        parser,
        "--set",
        "PARAMETER=VALUE",
        "a parameter of the design, such as p=3/4; may be repeated",
    )
    if json:
        parser.add_argument("--json", action="store_true", help="print JSON")


def add_supposed(parser: argparse.ArgumentParser) -> None:
    """Adds what is supposed of a question with several answers, or of a number."""
    parser.add_argument(
        "--shares",
        metavar="PI1,PI2,…",
        help="supposed true shares of the answers, for designs of several and for mechanism",
    )
    parser.add_argument(
        "--look",
        type=whole,
        metavar="NUMBER",
        help="the answer whose share is planned for or hidden (default: the rarest)",
    )
    parser.add_argument(
        "--mean", type=real, metavar="M", help="supposed mean, for designs of numbers"
    )
    parser.add_argument(
        "--deviation", type=real, metavar="SD", help="supposed standard deviation; beside --mean"
    )
