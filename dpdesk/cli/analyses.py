"""`--analysis`: what people will look at together, named in a plan."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dpdesk.cli.options import Refusal, add_repeated
from dpdesk.cli.terminal import plain

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
        'in groups) or "Y ~ X" (a slope; of "Y ~ A + B" each by itself); the checks say what it '
        "will be worth; may be repeated"
    )
    add_repeated(parser, "--analysis", "COLUMNS", analysis, **refusal)


def with_analyses(plan: Plan, texts: Sequence[str]) -> Plan:
    """Returns a plan that names more analyses.

    Raises:
        ParameterError: One of them is none of the columns of the plan, or there are too many.
    """
    from dpdesk.plan.joint_errors import with_analysis

    for text in texts:
        for one in _one_by_one(plan, text):
            plan = with_analysis(plan, one)
    return plan


def _one_by_one(plan: Plan, text: str) -> Iterator[str]:
    """Yields an analysis; a formula of several predictors as one for each of them.

    What a slope will be worth is known before a release for one predictor alone.
    """
    from dpdesk.plan.joint_errors import JointQuestion

    outcome, tilde, terms = text.partition("~")
    predictors = [term.strip() for term in terms.split("+")]
    if JointQuestion.read(text, plan) or not tilde or len(predictors) == 1:
        yield text
        return
    print(
        f"note: {plain(text.strip())} is judged as {len(predictors)} slopes, each by itself; that "
        "of a predictor beside the others is mostly less exact.",
        file=sys.stderr,
    )
    for predictor in predictors:
        yield f"{outcome.strip()} ~ {predictor}"
