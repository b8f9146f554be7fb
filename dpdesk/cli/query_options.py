"""The words of `dpdesk query`."""

from __future__ import annotations

import argparse

from dpdesk.cli.declare import FORM
from dpdesk.cli.files import add_input, add_output, add_place
from dpdesk.cli.words import whole


def add_query(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk query`."""
    parser.description = (
        "Answers questions about a trusted file with calibrated noise (central differential "
        "privacy). What a column can hold is declared: by a plan, or here. Everything that is "
        "answered is charged to the ledger."
    )
    add_input(parser, "data", metavar="DATA", help="the trusted file, CSV or TSV")
    what = parser.add_argument_group("what is asked")
    what.add_argument(
        "--query",
        action="append",
        default=[],
        metavar="PHRASE",
        help='such as "mean of age by sex", "count where region is North", "median of income", '
        '"share with age at least 65"; after a semicolon epsilon=, noise=, delta= or name=; may '
        "be repeated (default: the queries of the plan)",
    )
    add_input(what, "--plan", metavar="PLAN.json", help="a plan that declares the columns")
    what.add_argument(
        "--declare",
        action="append",
        default=[],
        metavar="COLUMN=DOMAIN",
        help=f"what a column can hold, as public knowledge: {FORM}; may be repeated",
    )
    cost = parser.add_argument_group("what it costs")
    cost.add_argument(
        "--epsilon",
        metavar="TOTAL",
        help="epsilon of all queries together, split evenly among those without one of their own",
    )
    cost.add_argument(
        "--noise",
        choices=("geometric", "laplace", "discrete_gaussian", "gaussian", "staircase"),
        help="the noise of queries that name none (default: geometric, whole-numbered Laplace)",
    )
    cost.add_argument(
        "--delta", metavar="DELTA", help="chance that the bound of a Gaussian query fails"
    )
    unit = parser.add_argument_group("whom it protects")
    unit.add_argument(
        "--relation",
        choices=("add-remove", "replace"),
        help="tables that differ in the presence of a respondent, or in one's answers with the "
        "number of respondents public (default: the plan's, or add-remove)",
    )
    unit.add_argument(
        "--respondent", metavar="COLUMN", help="the column that tells whose row it is"
    )
    unit.add_argument(
        "--rows-per-respondent",
        type=whole,
        metavar="N",
        help="so many rows of a respondent count, drawn at random",
    )
    result = parser.add_argument_group("what comes back")
    result.add_argument("--confidence", metavar="SHARE", help="of each interval (default: 0.95)")
    result.add_argument(
        "--before",
        action="store_true",
        help="say how far off each answer will be and why; nothing is drawn or charged",
    )
    result.add_argument(
        "--group-size",
        type=whole,
        metavar="N",
        help="rows of each group that --before supposes (default: equal parts of all rows)",
    )
    add_place(
        result, "--out", metavar="FOLDER", help="write table, plan and report into a new folder"
    )
    add_output(result, "--save-plan", metavar="PLAN.json", help="write a plan with these queries")
    result.add_argument("--json", action="store_true", help="print JSON")
