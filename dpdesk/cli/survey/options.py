"""Options that several tasks of `dpdesk survey` share, and which of them go together."""

from __future__ import annotations

import argparse

from dpdesk.cli.offered_words import designs, devices, offer
from dpdesk.cli.options import add_repeated, refuse_all_but, refuse_ignored
from dpdesk.cli.survey.texts import T
from dpdesk.cli.values import real, whole
from dpdesk.requests.unused import Unused

DEVICE = frozenset({"design", "set", "device"})
"""Options that name a design and its device."""

FILE = frozenset(
    {"weights", "strata", "clusters", "population", "lonely_psu"}
    | {"data", "answer", "missing", "by", "scores", "confidence"}
)
"""Options of a file of answers, whatever the question is."""

_SAMPLE = frozenset({"population", "weights_cv"})
"""Options of a sample, which its margin and what denials do depend on."""

_TEST = frozenset({"power", "alpha", "two_sided", "second_group"})
"""Options of a test, beside the value that it is against."""

_PEOPLE = frozenset({"shares", "look", "mean", "deviation"})
"""Options of what is supposed where there are several answers, or numbers."""


def add_design(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Adds the design and its parameters."""
    design = parser.add_argument(
        "--design", required=required, metavar="NAME", help="see: survey designs"
    )
    offer(design, designs)
    add_repeated(
        parser,
        "--set",
        "PARAMETER=VALUE",
        "a parameter of the design, such as p=3/4; may be repeated",
    )


def add_device(parser: argparse.ArgumentParser) -> None:
    """Adds the choice of a device that exists."""
    device = parser.add_argument(
        "--device",
        metavar="NAME",
        help="a device that exists, such as die or beads, any for the best one, or screen for the "
        "exact chances on a screen; see: survey devices",
    )
    offer(device, devices)


def add_supposed(parser: argparse.ArgumentParser) -> None:
    """Adds what is supposed of a question with several answers, or of a number."""
    parser.add_argument(
        "--shares",
        metavar="PI1,PI2,…",
        help="supposed true shares of the answers, for designs of several and for mechanism",
    )
    parser.add_argument(
        "--look",
        type=whole,
        metavar="NUMBER",
        help="the answer whose share is planned for or hidden (default: the rarest)",
    )
    parser.add_argument(
        "--mean", type=real, metavar="M", help="supposed mean, for designs of numbers"
    )
    parser.add_argument(
        "--deviation", type=real, metavar="SD", help="supposed standard deviation; beside --mean"
    )


def names_design(options: argparse.Namespace) -> bool:
    """Whether a plan for a share is of a certain device, and not of any."""
    return options.design is not None or options.epsilon is not None


def finds_epsilon(options: argparse.Namespace) -> bool:
    """Whether the least epsilon that reaches the margin is to be found."""
    both = options.margin is not None and options.respondents is not None
    return both and options.epsilon is None


def check_plan_words(options: argparse.Namespace, *, of_trait: bool) -> None:
    """Refuses options that would have no effect on what is found.

    Args:
        options: The words of `dpdesk survey plan`.
        of_trait: Whether the question is answered with yes or no.
    """
    if options.against is not None:
        refuse_ignored(options, _SAMPLE, "beside --against: a test supposes many people alike")
    if options.memo is None:
        refuse_ignored(options, {"wording"}, "without --memo")
    if not options.question:
        refuse_ignored(options, {"split"}, "without --question")
    if not options.stratum:
        refuse_ignored(options, {"allocation"}, "without --stratum")
    believed = set() if options.belief is None else {"prevalence"}
    both = {"belief", "odds", *believed, *(() if of_trait else _PEOPLE)}
    if options.question:
        used = {"question", "split", "epsilon", "design", "set", "device", *both}
        used |= {"confidence", "memo"}
        refuse_all_but(options, used, "beside --question")
    elif options.stratum:
        used = {"stratum", "design", "set", "epsilon", "device", "confidence", "memo"}
        # These have sentences of their own.
        used |= {"population", "weights_cv", *both}
        if not any(text.count(":") > 1 for text in options.stratum):
            used |= {"allocation", "margin"} | (set() if options.margin else {"respondents"})
        refuse_all_but(options, used, "beside --stratum")
    elif not names_design(options):
        of_design = {"set", "device", "against", "denial", *_TEST}
        refuse_ignored(options, of_design, "without a design or an epsilon")
        if not finds_epsilon(options):
            sampled = {"margin", "respondents", "population", "weights_cv", "confidence"}
            refuse_ignored(options, sampled, "without a design, or both --margin and --respondents")
            refuse_ignored(options, {"prevalence"} - believed, "without a design or --belief")
    else:
        _check_sample(options)


def _check_sample(options: argparse.Namespace) -> None:
    """Refuses what a plan with a design ignores, and two ways to find respondents at once."""
    if options.against is None:
        refuse_ignored(options, _TEST, "without --against")
    if options.power is not None:
        refuse_ignored(
            options, {"margin", "respondents"}, "beside --power, which finds the respondents"
        )
    sampled = options.margin is not None or options.respondents is not None
    if not sampled and options.memo is None:
        names = {"confidence"} if options.denial is not None else {*_SAMPLE, "confidence"}
        refuse_ignored(options, names, "without --margin or --respondents")
    if options.margin is not None and options.against is None and not finds_epsilon(options):
        refuse_ignored(options, {"respondents"}, "beside --margin, which finds the respondents")


def no_pdf(name: str, word: str) -> Unused:
    """Returns the case in which an option names no file that ends in .pdf.

    Args:
        name: Where the option's value is kept.
        word: The option, for the sentence.
    """

    def writes_none(options: argparse.Namespace) -> bool:
        path = getattr(options, name)
        return path is None or path.suffix.lower() != ".pdf"

    return Unused(writes_none, T.UNLESS_PDF(option=word))
