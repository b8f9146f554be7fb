"""Warnings of a command that releases: what will be coarse or useless in it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from dpdesk.cli.terminal import plain

if TYPE_CHECKING:
    from dpdesk.plan import Problem


def warn_of_use(problems: Iterable[Problem]) -> None:
    """Warns on stderr of what will be coarse or useless in a release; a script goes on."""
    from dpdesk.plan.check_usefulness import RECORDS_PATH, STATISTICS_PATH

    for problem in problems:
        if problem.path in (RECORDS_PATH, STATISTICS_PATH):
            print(f"warning: {plain(str(problem))}", file=sys.stderr)
