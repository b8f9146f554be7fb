"""`dpdesk survey estimate`: shares and means from the answers that respondents gave."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dpdesk.cli.options import add_input, add_output, add_paper, add_text, refuse_ignored
from dpdesk.cli.sample_design import add_sample_design
from dpdesk.cli.survey.options import add_design, add_device, no_pdf
from dpdesk.cli.survey.texts import T
from dpdesk.cli.values import confidence, real, whole
from dpdesk.errors import ParameterError

if TYPE_CHECKING:
    from dpdesk.cli.survey.results import Output
    from dpdesk.designs import YesNoDesign
    from dpdesk.designs.several_answers import SeveralDesign


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk survey estimate`."""
    add_design(parser, required=False)
    add_device(parser)
    _add_records(parser)
    _add_devices(parser)
    parser.add_argument(
        "--counts",
        metavar="YES/N[,YES/N]",
        help="answers yes and respondents of each group, such as 831/2435",
    )
    add_text(
        parser,
        "--direct-counts",
        "YES/N",
        "the same of an independent group who was asked directly, to compare with --counts",
    )
    _add_counted(parser)
    parser.add_argument("--confidence", type=confidence, default=0.95, metavar="SHARE")


def _add_records(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "From --counts, or from a file of answers with one row per respondent: the share of "
        "carriers of all, of groups (--by), and its logistic regression on covariates (--formula)."
    )
    add_input(parser, "data", table=True, nargs="?", metavar="DATA", help="answers")
    parser.add_argument("--answer", metavar="COLUMN", help="the column of the answers")
    parser.add_argument("--yes", default="1", metavar="TEXT", help="what means yes (default: 1)")
    add_text(
        parser,
        "--missing",
        "TEXT1,TEXT2,…",
        "codes of missing answers, such as -9,refused; empty cells, NA and NaN are missing anyway",
    )
    parser.add_argument("--by", metavar="COLUMN", help="estimate for each group")
    parser.add_argument("--formula", metavar="TERMS", help="covariates, such as 'age + C(region)'")
    add_text(parser, "--weights", "COLUMN")
    add_sample_design(parser)
    add_text(
        parser,
        "--population",
        "N|STRATUM=N,…|COLUMN",
        "people that a simple random sample was drawn from; with --strata the people of each "
        "stratum (its clusters with --clusters), or the column that holds them",
    )
    add_output(
        parser, "--scores", metavar="FILE.csv", help="write each respondent's unbiased score"
    )
    add_output(
        parser,
        "--memo",
        metavar="FILE",
        help="write what was found as a page to print, .html or .pdf",
    )
    add_paper(parser, no_pdf("memo", "--memo"))
    add_text(parser, "--wording", "TEXT", "the question itself, for the memo")


def _add_devices(parser: argparse.ArgumentParser) -> None:
    add_text(parser, "--group", "COLUMN", "the column of the group, for designs of two groups")
    add_text(
        parser,
        "--groups",
        "FIRST,SECOND",
        "the texts of the first and the second group (default: in alphabetical order)",
    )
    add_text(
        parser,
        "--a",
        "COLUMN",
        "each respondent's own chance of yes as a carrier; with --b in place of --design",
    )
    add_text(parser, "--b", "COLUMN", "the same of respondents who are not carriers")
    add_text(
        parser,
        "--anchor",
        "COLUMN",
        "the column of the answers to the anchor, for crosswise with anchor",
    )
    add_text(parser, "--direct", "COLUMN=TEXT", "who was asked directly, to be pooled")


def _add_counted(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--answers",
        metavar="N1,N2,…",
        help="respondents who gave each answer, for a design of several answers",
    )
    add_text(
        parser,
        "--categories",
        "TEXT1,TEXT2,…",
        "texts of the answers in the order of the design (default: alphabetical)",
    )
    parser.add_argument(
        "--mean", type=real, metavar="M", help="mean of what was said, for a design of numbers"
    )
    parser.add_argument(
        "--variance", type=real, metavar="V", help="its variance, with n - 1; beside --mean"
    )
    parser.add_argument("--respondents", type=whole, metavar="N", help="beside --mean")


def run(options: argparse.Namespace) -> int:
    """Prints the estimate with its errors, its intervals and what each answer discloses."""
    from dpdesk.cli.survey.design_choice import any_design_of
    from dpdesk.cli.survey.results import tell, with_device

    if options.memo is None:
        refuse_ignored(options, {"wording"}, "without --memo")
    if options.design is None:
        return tell(options, _own_chances(options))
    from dpdesk.designs.cases import Cases
    from dpdesk.designs.matrix_categories import CategoryDesign

    design = any_design_of(options, held=True)
    if options.data is None:
        from dpdesk.cli.survey.counts import mean, share, shares
    else:
        from dpdesk.cli.survey.records import mean, share, shares

    def of_trait(trait: YesNoDesign) -> Output:
        if options.a or options.b:
            raise ParameterError(T.CHANCES_AND_DESIGN())
        return share(options, trait)

    def of_several(several: SeveralDesign) -> Output:
        if not isinstance(several, CategoryDesign):
            raise TypeError(several.kind)
        return shares(options, several)

    found = Cases(of_trait, of_several, lambda number: mean(options, number)).of(design)
    return tell(options, with_device(options, design, found))


def _own_chances(options: argparse.Namespace) -> Output:
    if options.data is None or not (options.a and options.b):
        raise ParameterError(T.NO_DESIGN(other="a file with --a COLUMN and --b COLUMN"))
    from dpdesk.cli.survey.records import share_by_chances

    return share_by_chances(options)
