"""From the words of `dpdesk survey` to its task."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def survey(options: argparse.Namespace) -> int:
    """Runs the task that was named."""
    if options.task == "designs":
        from dpdesk.cli.survey.designs import designs as task
    elif options.task == "estimate":
        from dpdesk.cli.survey.estimate import estimate as task
    elif options.task == "plan":
        from dpdesk.cli.survey.plan import plan as task
    elif options.task == "sheet":
        from dpdesk.cli.survey.papers import sheet as task
    else:
        from dpdesk.cli.survey.simulate import simulate as task
    run_task: Callable[[argparse.Namespace], int] = task
    return run_task(options)
