"""The hypothetical survey that the words of `dpdesk survey plan` and `simulate` describe."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

from dpdesk.cli.options import refuse_ignored
from dpdesk.cli.survey.design_choice import any_design_of, design_of, one_share
from dpdesk.cli.survey.options import finds_epsilon, names_design
from dpdesk.cli.survey.texts import T
from dpdesk.designs import Design, YesNoDesign, design_named
from dpdesk.designs.base import Departure
from dpdesk.designs.behaviour import Behaviour, require_departures
from dpdesk.designs.cases import Cases
from dpdesk.designs.estimator_law import EXACT_MAX
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.several_answers import SeveralDesign, require_shares
from dpdesk.designs.warner import WarnerDesign
from dpdesk.errors import ParameterError
from dpdesk.numbers import real_share
from dpdesk.preview.survey import SupposedMean, SupposedShare, SupposedShares

Result = TypeVar("Result")
Kind = TypeVar("Kind", bound=Design)

_FOR_A_TRAIT = ("prevalence", "exact")
"""Words that mean nothing where the answer is one of several or a number."""


def by_quantity(
    options: argparse.Namespace,
    share: Callable[[argparse.Namespace], Result],
    shares: Callable[[argparse.Namespace, SupposedShares], Result],
    mean: Callable[[argparse.Namespace, SupposedMean], Result],
) -> Result:
    """Returns what one of three functions finds: the one for what the words ask.

    Args:
        options: The words of `dpdesk survey plan` or `simulate`.
        share: For the share of carriers; with the words alone, as a plan may have no design.
        shares: For a question with several answers, with the survey that the words describe.
        mean: For a question whose answer is a number, likewise.
    """
    named = options.shares is not None or options.mean is not None
    if not named and (options.design is None or design_named(options.design).counted):
        return share(options)
    if options.design is None:
        raise ParameterError(T.NO_DESIGN(other="--prevalence PI"))
    for name, word in options.given.items():
        if name in _FOR_A_TRAIT:
            raise ParameterError(T.FOR_YES_NO(option=word))
    design = any_design_of(options)

    def of_trait(_: YesNoDesign) -> Result:
        raise ParameterError(T.DESIGN_FOR_YES_NO())

    def of_several(several: SeveralDesign) -> Result:
        refuse_ignored(options, {"mean", "deviation"}, "where there are several answers")
        return shares(options, _supposed_shares(options, several))

    def of_numbers(number: NumberDesign) -> Result:
        refuse_ignored(options, {"shares", "look"}, "where the answer is a number")
        return mean(options, _supposed_mean(options, number))

    return Cases(of_trait, of_several, of_numbers, single=False).of(design)


def supposed_share(options: argparse.Namespace) -> SupposedShare:
    """Returns the survey of a trait that the words of `dpdesk survey simulate` describe."""
    if options.prevalence is None:
        raise ParameterError(T.NO_SHARE())
    _refuse_of_other_questions(options)
    if options.exact:
        refuse_ignored(options, {"repetitions", "seed"}, "beside --exact: nothing is drawn")
    survey = SupposedShare(
        design=design_of(options),
        prevalence=options.prevalence,
        respondents=options.respondents,
        repetitions=options.repetitions,
        seed=options.seed,
        deny=options.deny,
        refuse=options.refuse,
        careless=options.careless,
        confidence=options.confidence,
        simulated=not options.exact,
    )
    # Refuses shares that are not from 0 to 1, whatever the outcomes are.
    Behaviour(options.deny, options.refuse, options.careless)
    _require_departures(options, survey.design)
    if options.exact and not survey.can_be_exact:
        raise ParameterError(T.TOO_MANY_OUTCOMES(most=EXACT_MAX))
    return survey


def planned_share(options: argparse.Namespace) -> SupposedShare:
    """Returns the survey of a trait that the words of `dpdesk survey plan` describe.

    It is asked through Warner's device where none is named. Where the share has no effect, as
    where every stratum has its own, it may be left out.
    """
    _refuse_of_other_questions(options)
    design, parts = _planned_design(options), options.question or options.stratum
    whole = not parts and (names_design(options) or finds_epsilon(options))
    if options.prevalence is None and (whole or options.belief is not None):
        raise ParameterError(T.NO_SHARE())
    return SupposedShare(
        design,
        0.5 if options.prevalence is None else options.prevalence,
        2 if options.respondents is None else options.respondents,
        confidence=options.confidence,
    )


def _planned_design(options: argparse.Namespace) -> YesNoDesign:
    """The design that was named, with the parameters that were given or that epsilon decides."""
    if options.question:
        return one_share(design_named(options.design or "warner").example())
    if not names_design(options):
        if options.stratum:
            raise ParameterError(T.NO_DESIGN(other="--epsilon E"))
        return WarnerDesign()
    if options.design is None and not options.set:
        return WarnerDesign().at_epsilon(options.epsilon)
    solved = options.epsilon is not None or finds_epsilon(options)
    design = design_of(options, usual=solved)
    return design if options.epsilon is None else design.at_epsilon(options.epsilon)


def _refuse_of_other_questions(options: argparse.Namespace) -> None:
    """Refuses words that mean nothing where one trait is asked for."""
    refuse_ignored(options, {"look"}, "without --shares")
    refuse_ignored(options, {"deviation"}, "without --mean")


def _shares(options: argparse.Namespace) -> tuple[float, ...]:
    """The supposed shares of the answers."""
    if options.shares is None:
        raise ParameterError(T.NO_SHARES())
    numbers = [real_share(part.strip()) for part in options.shares.split(",")]
    shares = tuple(number for number in numbers if number is not None)
    if len(shares) < len(numbers):
        raise ParameterError(T.BAD_SHARES())
    return shares


def _require_departures(
    options: argparse.Namespace, design: Design, *, denying: Departure = "denial"
) -> None:
    """Refuses departures that the design does not have; `denying` is what --deny means."""
    words: dict[Departure, str] = {
        denying: "deny",
        "refusal": "refuse",
        "carelessness": "careless",
    }
    require_departures(design, {way: getattr(options, word, 0.0) for way, word in words.items()})


def _supposed_shares(options: argparse.Namespace, design: SeveralDesign) -> SupposedShares:
    _require_departures(options, design)
    shares = _shares(options)
    if design.program is not None and not _was_set(options, "categories"):
        design = design.resized(len(shares))
    adjusted = _at_epsilon(options, design)
    true = tuple(require_shares(adjusted, shares).tolist())
    looked = _rarest(true) if options.look is None else options.look - 1
    if not 0 <= looked < adjusted.size:
        raise ParameterError(T.NO_ANSWER(answer=looked + 1, last=adjusted.size))
    others = [index for index in range(len(true)) if index != looked]
    return SupposedShares(
        design=adjusted,
        shares=true,
        respondents=2 if options.respondents is None else options.respondents,
        looked=looked,
        instead=max(others, key=lambda index: true[index]),
        deny=getattr(options, "deny", 0.0),
        careless=getattr(options, "careless", 0.0),
        repetitions=getattr(options, "repetitions", 1),
        seed=getattr(options, "seed", 1),
        confidence=options.confidence,
    )


def _supposed_mean(options: argparse.Namespace, design: NumberDesign) -> SupposedMean:
    _require_departures(options, design, denying="understatement")
    mean = options.mean
    if getattr(options, "stratum", None) or getattr(options, "question", None):
        refuse_ignored(options, {"mean"}, "where every stratum or question has its own")
        # Any mean between the bounds will do: that of each part takes its place.
        mean = (design.lower + design.upper) / 2
    if mean is None or options.deviation is None:
        raise ParameterError(T.NO_SUPPOSED_MEAN())
    adjusted = _at_epsilon(options, design)
    return SupposedMean(
        design=adjusted,
        mean=mean,
        deviation=options.deviation,
        respondents=2 if options.respondents is None else options.respondents,
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
        raise ParameterError(T.NOT_BY_EPSILON())
    return design.at_epsilon(epsilon)


def _rarest(shares: tuple[float, ...]) -> int:
    """The answer with the smallest share above 0: the one that is hardest to estimate."""
    known = [index for index, share in enumerate(shares) if share > 0]
    return min(known, key=lambda index: shares[index])


def _was_set(options: argparse.Namespace, name: str) -> bool:
    return any(setting.partition("=")[0] == name for setting in options.set)
