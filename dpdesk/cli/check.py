"""`dpdesk check`: every problem of a plan."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.plain import plain
from dpdesk.cli.reading import load_survey
from dpdesk.plan import check as check_plan
from dpdesk.plan import check_table, errors_of, load_plan


def check(options: argparse.Namespace) -> int:
    """Prints the problems; the exit code says whether one of them blocks a release."""
    plan = load_plan(options.plan)
    problems = check_plan(plan)
    if options.data is not None:
        problems = (*problems, *check_table(plan, load_survey(options)))
    errors = errors_of(problems)
    if options.json:
        print(json.dumps({"problems": [asdict(problem) for problem in problems]}, indent=2))
    else:
        for problem in problems:
            print(f"{problem.severity}: {plain(problem.path)}: {plain(str(problem))}")
        print(f"{len(errors)} errors, {len(problems) - len(errors)} warnings")
    return ExitCode.PROBLEMS if errors else ExitCode.OK
