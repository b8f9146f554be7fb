"""`dpdesk survey simulate`: what surveys like this one would show."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dpdesk.cli.survey.options import add_design, add_device, add_supposed
from dpdesk.cli.values import confidence, seed, share, whole

if TYPE_CHECKING:
    from dpdesk.preview.survey import SupposedSurvey


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk survey simulate`."""
    add_design(parser)
    add_device(parser)
    parser.add_argument("--prevalence", type=share, metavar="PI", help="the true share of carriers")
    add_supposed(parser)
    parser.add_argument("--respondents", type=whole, required=True, metavar="N")
    parser.add_argument("--repetitions", type=whole, default=1000, metavar="R")
    parser.add_argument("--seed", type=seed, default=1, metavar="S", help="the same seed repeats")
    parser.add_argument(
        "--exact", action="store_true", help="go through all outcomes instead: one group, n to 5000"
    )
    parser.add_argument(
        "--deny",
        type=share,
        default=0.0,
        metavar="SHARE",
        help="carriers who deny in any case; with --shares, who hide the answer of --look; with "
        "--mean, who act as if the least number were theirs",
    )
    parser.add_argument(
        "--refuse",
        type=share,
        default=0.0,
        metavar="SHARE",
        help="non-carriers who never say yes, even when the device orders it",
    )
    parser.add_argument(
        "--careless",
        type=share,
        default=0.0,
        metavar="SHARE",
        help="respondents who answer at random",
    )
    parser.add_argument("--confidence", type=confidence, default=0.95, metavar="SHARE")


def supposed(options: argparse.Namespace) -> SupposedSurvey:
    """Returns the survey that the words describe; what it would show is computed when asked for."""
    from dpdesk.cli.survey.request import by_quantity, supposed_share

    def itself(_: argparse.Namespace, survey: SupposedSurvey) -> SupposedSurvey:
        return survey

    return by_quantity(options, supposed_share, itself, itself)


def run(options: argparse.Namespace) -> int:
    """Prints the bias, the errors and the coverage of hypothetical surveys."""
    from dpdesk.cli.survey.outcomes import mean, share, shares
    from dpdesk.cli.survey.request import by_quantity
    from dpdesk.cli.survey.results import tell, with_device

    found = by_quantity(options, share, shares, mean)
    if options.device is not None:
        found = with_device(options, supposed(options).design, found)
    return tell(options, found)
