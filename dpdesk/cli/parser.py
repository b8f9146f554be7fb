"""The words that `dpdesk` understands."""

from __future__ import annotations

import argparse

from dpdesk import __version__
from dpdesk.cli.exit_codes import MEANINGS
from dpdesk.cli.files import add_input, add_output, add_place, add_settings, path_of
from dpdesk.cli.ledger_options import add_ledger, add_population
from dpdesk.cli.query_options import add_query
from dpdesk.cli.reading import add_reading
from dpdesk.cli.simulation_options import add_attack, add_experiment
from dpdesk.cli.survey.words import add_survey
from dpdesk.cli.words import WordParser, whole

COMMANDS = (
    "draft",
    "check",
    "release",
    "query",
    "ledger",
    "estimate",
    "choose",
    "mechanisms",
    "survey",
    "attack",
    "experiment",
)


def window_parser() -> argparse.ArgumentParser:
    """Returns the parser of `dpdesk` without a command."""
    parser = WordParser(
        prog="dpdesk",
        description="Local differential privacy for surveys. Without a command, opens the window.",
        epilog=f"Commands: {', '.join(COMMANDS)}. 'dpdesk COMMAND --help' explains one.\n\n"
        + _exit_codes(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    opened = "a survey (CSV, TSV) or a plan to open"
    parser.add_argument("file", nargs="?", type=path_of, metavar="FILE", help=opened)
    parser.add_argument("--sample", action="store_true", help="open the bundled survey")
    parser.add_argument(
        "--self-test", action="store_true", help="do the main job in a window that nobody sees"
    )
    parser.add_argument("--version", action="version", version=f"dpdesk {__version__}")
    return parser


def command_parser() -> argparse.ArgumentParser:
    """Returns the parser of the commands."""
    parser = WordParser(
        prog="dpdesk",
        epilog=_exit_codes(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_draft(commands.add_parser("draft", help="suggest a plan for a survey"))
    _add_check(commands.add_parser("check", help="list every problem of a plan"))
    _add_release(commands.add_parser("release", help="sanitize a survey into a folder"))
    query = commands.add_parser("query", help="statistics of a trusted file, with noise")
    add_query(query)
    add_population(query)
    add_reading(query, releases=True)
    ledger = commands.add_parser("ledger", help="what was released before, and what is left")
    add_ledger(ledger)
    add_reading(ledger)
    _add_estimate(commands.add_parser("estimate", help="estimate from sanitized records alone"))
    _add_choose(commands.add_parser("choose", help="compare the mechanisms of each attribute"))
    _add_mechanisms(commands.add_parser("mechanisms", help="list the mechanisms"))
    add_survey(commands.add_parser("survey", help="randomized-response designs"))
    attack = commands.add_parser("attack", help="guess which attribute of a respondent was real")
    experiment = commands.add_parser("experiment", help="compare the errors of strategies")
    add_attack(attack)
    add_experiment(experiment)
    for simulation in (attack, experiment):
        add_reading(simulation)
    return parser


def _add_draft(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Writes a plan with a suggestion for every column: kind, domain, and the mechanism of "
        "least error. Columns that look like identifiers are dropped. What is suggested from the "
        "data must be confirmed as public knowledge before a release."
    )
    add_input(parser, "data", metavar="DATA", help="the survey, CSV or TSV")
    add_output(parser, "-o", "--out", required=True, metavar="PLAN.json", help="the plan to write")
    parser.add_argument(
        "--epsilon",
        metavar="TOTAL",
        help="epsilon of all protected columns together, split evenly (default: 1 for each)",
    )
    add_settings(
        parser,
        "--set",
        metavar="COLUMN=MECHANISM:EPSILON[,NAME=VALUE...]",
        help="protect a column with this mechanism, epsilon and further parameters; @FILE for "
        "VALUE reads rows from a CSV file; may be repeated",
    )
    parser.add_argument(
        "--strategy",
        choices=("spl", "smp", "rsfd", "rsrfd"),
        default="spl",
        help="what a respondent reports: every attribute (spl, the default), one drawn at random "
        "(smp), one with fakes for the others (rsfd), or with realistic fakes (rsrfd)",
    )
    parser.add_argument(
        "--fakes",
        choices=("zeros", "random"),
        default="zeros",
        help="what the bits of a fake report encode under rsfd: no category, or a random one",
    )
    parser.add_argument(
        "--expected",
        action="append",
        default=[],
        metavar="COLUMN=W1,W2,...",
        help="expected weight of each category, in the order of the domain; may be repeated",
    )
    parser.add_argument(
        "--drop", action="append", default=[], metavar="COLUMN", help="leave a column out"
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="COLUMN",
        help="release a column as it is, WITHOUT protection",
    )
    parser.add_argument(
        "--confirm-domains",
        action="store_true",
        help="confirm that every suggested domain, and how the file is read, is public knowledge",
    )
    parser.add_argument(
        "--confirmed-by", default="", metavar="NAME", help="who confirms, for the report"
    )
    add_input(parser, "--codebook", metavar="CODEBOOK.json", help="kinds, labels and domains")
    add_reading(parser)


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.description = "Lists every problem of a plan, by itself and on a survey."
    add_input(parser, "plan", metavar="PLAN.json")
    add_input(parser, "data", nargs="?", metavar="DATA", help="the survey, if any")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_reading(parser)


def _add_release(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Sanitizes a survey by a plan and writes one folder: records, estimates, codebook, plan, "
        "privacy report, manifest. The folder is written whole or not at all."
    )
    add_input(parser, "data", metavar="DATA", help="the survey, CSV or TSV")
    add_input(parser, "--plan", required=True, metavar="PLAN.json")
    add_place(parser, "--out", required=True, metavar="FOLDER", help="a new folder")
    add_output(
        parser,
        "--private-diagnostics",
        metavar="FILE",
        help="also write truth beside release; for the holder of the data ONLY (.html or .json)",
    )
    add_population(parser)
    add_reading(parser, releases=True)


def _add_estimate(parser: argparse.ArgumentParser) -> None:
    parser.description = "Estimates shares and means from sanitized records, without the survey."
    add_input(
        parser,
        "records",
        metavar="FOLDER_OR_FILE",
        help="a release, or its records as CSV or Parquet",
    )
    add_input(parser, "--plan", metavar="PLAN.json", help="the plan (default: that of the folder)")
    parser.add_argument(
        "--unverified",
        action="store_true",
        help="estimate even where records or plan are not those that the manifest lists",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_choose(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Lists the mechanisms that fit each protected attribute at its epsilon, the best one "
        "first: n Var*, 95 % error, size of a report, and what an analyst gives up. With targets, "
        "finds the least total epsilon that meets them."
    )
    add_input(parser, "plan", metavar="PLAN.json")
    parser.add_argument(
        "--by",
        choices=("total", "var-star"),
        default="total",
        help="compare total errors over the expected distribution (default), or n Var*",
    )
    parser.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="COLUMN=ERROR",
        help="largest 95 %% error of a column, in pp or in its unit; may be repeated",
    )
    add_output(
        parser, "-o", "--out", metavar="NEW.json", help="write the plan with the choice made"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_mechanisms(parser: argparse.ArgumentParser) -> None:
    parser.description = "Lists every mechanism; with a domain size and an epsilon, its numbers."
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--domain-size", type=whole, metavar="K", help="number of categories")
    parser.add_argument("--epsilon", metavar="E", help="privacy loss")


def _exit_codes() -> str:
    lines = [f"  {int(code):<4}{meaning}" for code, meaning in MEANINGS.items()]
    return "Exit codes:\n" + "\n".join(lines)
