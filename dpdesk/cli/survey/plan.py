"""`dpdesk survey plan`: the unknown one of respondents, margin, power and epsilon."""

from __future__ import annotations

import argparse

from dpdesk.cli.options import add_output, add_paper, add_repeated, add_text, add_value
from dpdesk.cli.survey.options import add_design, add_device, add_supposed, no_pdf
from dpdesk.cli.values import confidence, real, share, whole

DESCRIPTION = (
    "With --margin finds the number of respondents; with --respondents the margin; with both "
    "the least epsilon of the design, or of Warner's without one. With --against finds the "
    "power, or with --power the respondents that have it. --belief and --odds find the largest "
    "epsilon under a cap. --stratum plans for parts of the population, --question for several "
    "questions."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk survey plan`."""
    add_design(parser, required=False)
    add_value(parser, "--prevalence", "PI", "the expected share of carriers", read=share)
    solved = (
        "finds the design's parameters (Warner's without --design); with --question the budget of "
        "all answers together"
    )
    add_value(parser, "--epsilon", "E", solved, read=real)
    add_device(parser)
    add_value(parser, "--margin", "M", "half-width of the interval", read=share)
    add_value(parser, "--respondents", "N", read=whole)
    add_value(parser, "--population", "N", "size of a finite population", read=whole)
    spread = "standard deviation of the respondents' weights over their mean"
    add_value(parser, "--weights-cv", "CV", spread, read=real, default=0.0)
    add_value(parser, "--against", "PI0", "share or mean of the null hypothesis", read=share)
    add_value(parser, "--power", "SHARE", read=share)
    add_value(parser, "--alpha", "LEVEL", read=share, default=0.05)
    parser.add_argument("--two-sided", action="store_true", help="test against both sides")
    cap = "most that may be believed of anybody: the trait, or the answer looked at"
    add_value(parser, "--belief", "CAP", cap, read=share)
    parser.add_argument(
        "--second-group",
        choices=("device", "direct"),
        help="--against is the value of a second group of as many respondents, asked with the same "
        "device or directly",
    )
    add_value(
        parser, "--odds", "X", "most that an answer may change the odds, such as 3", read=real
    )
    deniers = (
        "carriers who deny when asked directly; of several answers those who hide the one looked "
        "at, of numbers those who say the least one"
    )
    add_value(parser, "--denial", "SHARE", deniers, read=share)
    add_value(parser, "--confidence", "SHARE", read=confidence, default=0.95)
    add_output(
        parser, "--memo", metavar="FILE", help="write a planning memo of the design, .html or .pdf"
    )
    add_paper(parser, no_pdf("memo", "--memo"))
    add_text(parser, "--wording", "TEXT", "the question itself, for the memo")
    _add_several(parser)
    add_supposed(parser)


def _add_several(parser: argparse.ArgumentParser) -> None:
    add_repeated(
        parser,
        "--stratum",
        "SHARE:PI[:N]",
        "a stratum's share of the population, its share of carriers or of the answer looked at or "
        "its mean, its respondents; repeat for each",
    )
    parser.add_argument(
        "--allocation",
        choices=("proportional", "neyman"),
        default="proportional",
        help="of respondents to strata, where their numbers are not given",
    )
    add_repeated(
        parser,
        "--question",
        "PI:MARGIN[:WEIGHT]",
        "a question's share or mean as in --stratum, wanted margin, and weight in the budget; "
        "repeat for each",
    )
    parser.add_argument(
        "--split",
        choices=("equal", "weighted", "least"),
        default="equal",
        help="of the budget over questions; least: so that the fewest respondents will do",
    )


def run(options: argparse.Namespace) -> int:
    """Prints what follows from the numbers that were given."""
    from dpdesk.cli.survey.results import tell
    from dpdesk.cli.survey.sample_plan import plan

    return tell(options, plan(options))
