"""`--analysis`: what people will look at together, named in a plan."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dpdesk.cli.options import Refusal, add_repeated

if TYPE_CHECKING:
    from typing import Unpack

    from dpdesk.plan import Plan


def add_analyses(parser: argparse._ActionsContainer, **refusal: Unpack[Refusal]) -> None:
    """Adds `--analysis`.

    Args:
        parser: The parser of a command.
        **refusal: When the option is refused.
    """
    analysis = (
        'what people will look at together: "A x B" (cells of a table), "X by A" (means or shares '
        'in groups) or "Y ~ A + B" (slopes, judged by the worst); the checks say what it will be '
        "worth; may be repeated"
    )
    add_repeated(parser, "--analysis", "COLUMNS", analysis, **refusal)


def with_analyses(plan: Plan, texts: Sequence[str]) -> Plan:
    """Returns a plan that names more analyses.

    Raises:
        ParameterError: One of them is none of the columns of the plan, or there are too many.
    """
    from dpdesk.plan.joint_errors import with_analysis

    for text in texts:
        plan = with_analysis(plan, text)
    return plan
