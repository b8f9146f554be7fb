"""The hypothetical survey of several answers or of a number that words of the command describe."""

from __future__ import annotations

import argparse
from typing import TypeVar

from dpdesk.cli.options import refuse_ignored
from dpdesk.cli.survey.design_choice import any_design_of
from dpdesk.designs import Design, design_named
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.several_answers import SeveralDesign, require_shares
from dpdesk.errors import ParameterError
from dpdesk.numbers import real_number
from dpdesk.preview.survey import SupposedMean, SupposedShares

Kind = TypeVar("Kind", bound=Design)

_FOR_A_TRAIT = (
    "prevalence",
    "against",
    "power",
    "belief",
    "odds",
    "denial",
    "population",
    "exact",
    "refuse",
    "two_sided",
    "stratum",
    "question",
    "weights_cv",
    "alpha",
    "second_group",
    "allocation",
    "split",
)
"""Words that mean nothing where the answer is one of several or a number."""


def is_further(options: argparse.Namespace) -> bool:
    """Returns whether the words are of a question with several answers, or of a number."""
    if options.shares is not None or options.mean is not None:
        return True
    if options.design is None:
        return False
    return not design_named(options.design).counted


def request_of(options: argparse.Namespace) -> SupposedShares | SupposedMean:
    """Returns the survey that the words describe.

    Raises:
        ParameterError: A word is missing, impossible, or of another kind of question.
    """
    if options.design is None:
        raise ParameterError(
            "A question with several answers, or a number, needs a design.",
            remedy="Add --design NAME, such as mechanism, forced_categories or additive.",
        )
    for name, word in options.given.items():
        if name in _FOR_A_TRAIT:
            raise ParameterError(
                f"{word} is for questions answered with yes or no.", remedy="Leave it out."
            )
    design = any_design_of(options)
    if (number := design.as_mean) is not None:
        refuse_ignored(options, {"shares", "look"}, "where the answer is a number")
        return _number(options, number)
    if (several := design.as_shares) is not None:
        refuse_ignored(options, {"mean", "deviation"}, "where there are several answers")
        return _several(options, several)
    raise ParameterError(
        "This design is for questions answered with yes or no.",
        remedy="Give --prevalence instead of --shares or --mean, or choose another design.",
    )


def shares_of(options: argparse.Namespace) -> tuple[float, ...]:
    """Returns the supposed shares of the answers.

    Raises:
        ParameterError: They are missing, or no numbers.
    """
    if options.shares is None:
        raise ParameterError(
            "This needs the supposed shares of the answers.", remedy="Add --shares 0.6,0.3,0.1."
        )
    numbers = [real_number(part.strip()) for part in options.shares.split(",")]
    shares = tuple(number for number in numbers if number is not None)
    if len(shares) < len(numbers):
        raise ParameterError(
            "The supposed shares are not numbers.", remedy="Write them as in --shares 0.6,0.3,0.1."
        )
    return shares


def _several(options: argparse.Namespace, design: SeveralDesign) -> SupposedShares:
    shares = shares_of(options)
    if design.program is not None and not _was_set(options, "categories"):
        design = design.resized(len(shares))
    adjusted = _at_epsilon(options, design)
    true = tuple(require_shares(adjusted, shares).tolist())
    looked = (options.look or _rarest(true) + 1) - 1
    if not 0 <= looked < adjusted.size:
        raise ParameterError(
            f"There is no answer {looked + 1}.",
            remedy=f"Give --look a number from 1 to {adjusted.size}.",
        )
    others = [index for index in range(len(true)) if index != looked]
    return SupposedShares(
        design=adjusted,
        shares=true,
        respondents=options.respondents or 2,
        looked=looked,
        instead=max(others, key=lambda index: true[index]),
        deny=getattr(options, "deny", 0.0),
        careless=getattr(options, "careless", 0.0),
        repetitions=getattr(options, "repetitions", 1),
        seed=getattr(options, "seed", 1),
        confidence=options.confidence,
    )


def _number(options: argparse.Namespace, design: NumberDesign) -> SupposedMean:
    if options.mean is None or options.deviation is None:
        raise ParameterError(
            "This needs the supposed mean and standard deviation of the true numbers.",
            remedy="Add --mean M and --deviation SD.",
        )
    if getattr(options, "careless", 0.0):
        raise ParameterError(
            "Nobody can say any number at random: there is no end to them.",
            remedy="Leave out --careless; --deny is the share of those who act as if the least "
            "number were theirs.",
        )
    adjusted = _at_epsilon(options, design)
    return SupposedMean(
        design=adjusted,
        mean=options.mean,
        deviation=options.deviation,
        respondents=options.respondents or 2,
        understating=getattr(options, "deny", 0.0),
        repetitions=getattr(options, "repetitions", 1),
        seed=getattr(options, "seed", 1),
        confidence=options.confidence,
    )


def _at_epsilon(options: argparse.Namespace, design: Kind) -> Kind:
    epsilon = getattr(options, "epsilon", None)
    if epsilon is None:
        return design
    if not design.epsilon_decides:
        raise ParameterError(
            "An epsilon does not decide the parameters of this design.",
            remedy="Leave out --epsilon, and look at the epsilon that follows.",
        )
    return design.at_epsilon(epsilon)


def _rarest(shares: tuple[float, ...]) -> int:
    """The answer with the smallest share above 0: the one that is hardest to estimate."""
    known = [index for index, share in enumerate(shares) if share > 0]
    return min(known, key=lambda index: shares[index])


def _was_set(options: argparse.Namespace, name: str) -> bool:
    return any(setting.partition("=")[0] == name for setting in options.set)
