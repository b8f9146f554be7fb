"""The words of `dpdesk survey`."""

from __future__ import annotations

import argparse

from dpdesk.cli.files import add_input, add_output
from dpdesk.cli.survey.planning_words import add_further_supposed, add_planning
from dpdesk.cli.words import confidence, real, seed, whole

LONELY = ("fail", "certainty", "centred", "average")
"""As in `dpdesk.designs.sample_design`, which takes long to import."""


def add_survey(parser: argparse.ArgumentParser) -> None:
    """Adds the words of `dpdesk survey` to its parser."""
    parser.description = (
        "Randomized-response designs: lists them, plans a survey with one, simulates it, and "
        "estimates from the answers that respondents gave."
    )
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK")
    designs = tasks.add_parser("designs", help="list the designs and their parameters")
    designs.add_argument("--json", action="store_true", help="print JSON")
    estimate = tasks.add_parser("estimate", help="estimate the share of carriers")
    _add_design(estimate, required=False)
    _add_records(estimate)
    _add_devices(estimate)
    estimate.add_argument(
        "--counts",
        metavar="YES/N[,YES/N]",
        help="answers yes and respondents of each group, such as 831/2435",
    )
    estimate.add_argument(
        "--direct-counts",
        default="",
        metavar="YES/N",
        help="the same of an independent group who was asked directly, to compare with --counts",
    )
    _add_further(estimate)
    estimate.add_argument("--confidence", type=confidence, default=0.95, metavar="SHARE")
    plan = tasks.add_parser("plan", help="find respondents, margin, power or epsilon")
    _add_design(plan, required=False)
    add_planning(plan)
    _add_sheet(tasks.add_parser("sheet", help="write the respondents' instruction sheet"))
    simulate = tasks.add_parser("simulate", help="hold the survey many times, hypothetically")
    _add_design(simulate)
    simulate.add_argument(
        "--prevalence", type=real, metavar="PI", help="the true share of carriers"
    )
    add_further_supposed(simulate)
    simulate.add_argument("--respondents", type=whole, required=True, metavar="N")
    simulate.add_argument("--repetitions", type=whole, default=1000, metavar="R")
    simulate.add_argument("--seed", type=seed, default=1, metavar="S", help="the same seed repeats")
    simulate.add_argument(
        "--exact", action="store_true", help="go through all outcomes instead: one group, n to 5000"
    )
    _add_behaviour(simulate)


def _add_sheet(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Writes what respondents of each group have to do, in words made from the design's own "
        "chances, as a page to print (HTML)."
    )
    _add_design(parser, json=False)
    parser.add_argument(
        "--question", default="", metavar="TEXT", help="the question, answered with yes or no"
    )
    parser.add_argument(
        "--innocent",
        action="append",
        default=[],
        metavar="TEXT",
        help="an innocent question that the design needs; may be repeated, in the sheet's order",
    )
    parser.add_argument(
        "--answer",
        action="append",
        default=[],
        metavar="TEXT",
        help="the words of an answer, for designs of several; may be repeated, in their order",
    )
    add_output(parser, "-o", "--out", required=True, metavar="FILE.html", help="the page to write")


def _add_design(
    parser: argparse.ArgumentParser, *, required: bool = True, json: bool = True
) -> None:
    parser.add_argument("--design", required=required, metavar="NAME", help="see: survey designs")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="PARAMETER=VALUE",
        help="a parameter of the design, such as p=3/4; may be repeated",
    )
    if json:
        parser.add_argument("--json", action="store_true", help="print JSON")


def _add_behaviour(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--deny",
        type=real,
        default=0.0,
        metavar="SHARE",
        help="carriers who deny in any case; with --shares, who hide the answer of --look; with "
        "--mean, who act as if the least number were theirs",
    )
    parser.add_argument(
        "--refuse",
        type=real,
        default=0.0,
        metavar="SHARE",
        help="non-carriers who never say yes, even when the device orders it",
    )
    parser.add_argument(
        "--careless",
        type=real,
        default=0.0,
        metavar="SHARE",
        help="respondents who answer at random",
    )
    parser.add_argument("--confidence", type=confidence, default=0.95, metavar="SHARE")


def _add_further(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--answers",
        metavar="N1,N2,…",
        help="respondents who gave each answer, for a design of several answers",
    )
    parser.add_argument(
        "--categories",
        default="",
        metavar="TEXT1,TEXT2,…",
        help="texts of the answers in the order of the design (default: alphabetical)",
    )
    parser.add_argument(
        "--mean", type=real, metavar="M", help="mean of what was said, for a design of numbers"
    )
    parser.add_argument(
        "--variance", type=real, metavar="V", help="its variance, with n - 1; beside --mean"
    )
    parser.add_argument("--respondents", type=whole, metavar="N", help="beside --mean")


def _add_devices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--group",
        default="",
        metavar="COLUMN",
        help="the column of the group, for designs of two groups",
    )
    parser.add_argument(
        "--groups",
        default="",
        metavar="FIRST,SECOND",
        help="the texts of the first and the second group (default: in alphabetical order)",
    )
    parser.add_argument(
        "--a",
        default="",
        metavar="COLUMN",
        help="each respondent's own chance of yes as a carrier; with --b in place of --design",
    )
    parser.add_argument(
        "--b", default="", metavar="COLUMN", help="the same of respondents who are no carriers"
    )
    parser.add_argument(
        "--anchor",
        default="",
        metavar="COLUMN",
        help="the column of the answers to the anchor, for crosswise with anchor",
    )
    parser.add_argument(
        "--direct", default="", metavar="COLUMN=TEXT", help="who was asked directly, to be pooled"
    )


def _add_records(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "From --counts, or from a file of answers with one row per respondent: the share of "
        "carriers of all, of groups (--by), and its logistic regression on covariates (--formula)."
    )
    add_input(parser, "data", nargs="?", metavar="DATA", help="answers, CSV or TSV")
    parser.add_argument("--answer", metavar="COLUMN", help="the column of the answers")
    parser.add_argument("--yes", default="1", metavar="TEXT", help="what means yes (default: 1)")
    parser.add_argument(
        "--missing",
        default="",
        metavar="TEXT1,TEXT2,…",
        help="answers that are none, such as -9,refused; empty cells, NA and NaN are none anyway",
    )
    parser.add_argument("--by", metavar="COLUMN", help="estimate for each group")
    parser.add_argument(
        "--formula", metavar="TERMS", help="covariates, such as 'age + I(age**2) + region'"
    )
    parser.add_argument("--weights", default="", metavar="COLUMN")
    parser.add_argument("--strata", default="", metavar="COLUMN")
    parser.add_argument("--clusters", default="", metavar="COLUMN")
    parser.add_argument(
        "--population",
        default="",
        metavar="N|STRATUM=N,…|COLUMN",
        help="people that a simple random sample was drawn from; with --strata the people of each "
        "stratum (its clusters with --clusters), or the column that holds them",
    )
    parser.add_argument(
        "--lonely-psu",
        choices=LONELY,
        default="fail",
        help="what a stratum with a single cluster adds to errors: nothing can be told (fail), "
        "nothing (certainty), its distance from the mean of all (centred), as much as the other "
        "strata (average)",
    )
    add_output(
        parser, "--scores", metavar="FILE.csv", help="write each respondent's unbiased score"
    )
    add_output(
        parser, "--memo", metavar="FILE.html", help="write what was found as a page to print"
    )
    parser.add_argument(
        "--wording", default="", metavar="TEXT", help="the question itself, for the memo"
    )
