"""`dpdesk survey plan` for questions answered with yes or no."""

from __future__ import annotations

import argparse
from math import isfinite

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import refuse_all_but, refuse_ignored
from dpdesk.cli.survey.design_choice import design_of, one_share, taken_lines
from dpdesk.cli.survey.plan_several import plan_questions, plan_strata
from dpdesk.cli.terminal import print_json
from dpdesk.data.write_file import write_file
from dpdesk.designs import YesNoDesign, design_named, loss_of
from dpdesk.designs.direct import Direct
from dpdesk.designs.planning import (
    SamplePlan,
    epsilon_for_margin,
    epsilon_for_odds,
    epsilon_for_posterior,
    plan_of_sample,
    posterior_range,
    power,
    respondents_for_margin,
    respondents_for_power,
    respondents_to_beat_direct,
)
from dpdesk.errors import ParameterError
from dpdesk.numbers import rounded_down, rounded_up
from dpdesk.report.survey import MemoRequest, memo_html

_TITLES = {
    "n": "respondents",
    "margin": "margin (half-width of the interval)",
    "design_effect": "design effect: respondents as a multiple of direct questions",
    "effective_n": "direct, truthful answers that tell as much",
    "power": "power",
    "epsilon": "epsilon",
    "epsilon_for_margin": "least epsilon that reaches the margin (Warner's design)",
    "epsilon_for_belief": "largest epsilon that keeps beliefs under the cap",
    "epsilon_for_odds": "largest epsilon that changes no odds by more",
    "prevalence": "expected share of carriers",
    "share": "share of the population",
    "unstratified_margin": "margin of as many respondents without strata",
    "design": "design",
    "strata": "stratum",
    "questions": "question",
    "lowest_belief": "least that an answer can make of the belief",
    "highest_belief": "most that an answer can make of the belief",
    "beats_direct_from": "respondents from which on the design errs less than direct questions",
}

_NONE = {"beats_direct_from": "none, it errs more even if the whole population is asked"}
"""What is told where there is no number; an epsilon is infinite then."""

_ROUNDED = {
    "epsilon": rounded_up,
    "epsilon_for_margin": rounded_up,
    "epsilon_for_belief": rounded_down,
    "epsilon_for_odds": rounded_down,
    "lowest_belief": rounded_down,
    "highest_belief": rounded_up,
}
"""How bounds are rounded, so that what is printed is one as well; other numbers to the nearest."""

_SAMPLE = frozenset({"population", "weights_cv"})
"""Options of a sample, which its margin and what denials do depend on."""

_TEST = frozenset({"power", "alpha", "two_sided", "second_group"})
"""Options of a test, beside the share that it is against."""


def plan_sample(options: argparse.Namespace) -> int:
    """Prints what follows from the numbers that were given."""
    _check_words(options)
    found: dict[str, object] = {}
    design = None
    if options.question:
        found |= plan_questions(options)
    elif options.stratum:
        found |= plan_strata(options, _design(options))
    elif options.design is not None or options.epsilon is not None:
        design = _design(options)
        found |= _with_design(options, design)
    elif options.margin is not None and options.respondents is not None:
        found["epsilon_for_margin"] = epsilon_for_margin(
            _prevalence(options),
            options.margin,
            options.respondents,
            options.confidence,
            options.population,
            options.weights_cv,
        )
    if options.belief is not None:
        found["epsilon_for_belief"] = epsilon_for_posterior(_prevalence(options), options.belief)
    if options.odds is not None:
        found["epsilon_for_odds"] = epsilon_for_odds(options.odds)
    if not found:
        raise ParameterError(
            "There is nothing to find with these numbers.",
            remedy="Give --design or --epsilon with --margin, --respondents or --against; or "
            "--margin and --respondents without a design; or --belief, --odds, --stratum or "
            "--question.",
        )
    if options.memo is not None:
        second = None if design is None else second_design(options, design)
        _write_memo(options, design, found.get("n", options.respondents), second)
    if options.json:
        print_json(found)
        return ExitCode.OK
    for line in [] if design is None or "design" in found else taken_lines(design):
        print(line)
    for name, value in found.items():
        _print(name, value)
    return ExitCode.OK


def _check_words(options: argparse.Namespace) -> None:
    """Refuses options that would have no effect on what is found.

    Raises:
        ParameterError: There is one of them.
    """
    if options.against is not None:
        refuse_ignored(options, _SAMPLE, "beside --against: a test supposes many people alike")
    refuse_ignored(options, {"look"}, "without --shares")
    refuse_ignored(options, {"deviation"}, "without --mean")
    if options.memo is None:
        refuse_ignored(options, {"wording"}, "without --memo")
    if not options.question:
        refuse_ignored(options, {"split"}, "without --question")
    if not options.stratum:
        refuse_ignored(options, {"allocation"}, "without --stratum")
    believed = set() if options.belief is None else {"prevalence"}
    both = {"belief", "odds", *believed}
    if options.question:
        used = {"question", "split", "epsilon", "design", "set", "confidence", "memo", *both}
        refuse_all_but(options, used, "beside --question")
    elif options.stratum:
        used = {"stratum", "design", "set", "epsilon", "confidence", "memo"}
        # These have sentences of their own.
        used |= {"population", "weights_cv", *both}
        if not any(text.count(":") > 1 for text in options.stratum):
            used |= {"allocation", "margin"} | (set() if options.margin else {"respondents"})
        refuse_all_but(options, used, "beside --stratum")
    elif options.design is None and options.epsilon is None:
        of_design = {"set", "against", "denial", *_TEST}
        refuse_ignored(options, of_design, "without a design or an epsilon")
        if options.margin is None or options.respondents is None:
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
    if options.margin is not None and options.against is None:
        refuse_ignored(options, {"respondents"}, "beside --margin, which finds the respondents")


def _print(name: str, value: object) -> None:
    if isinstance(value, list):
        for number, row in enumerate(value, start=1):
            print(f"{_TITLES[name]} {number}:")
            for key, part in row.items():
                print("  ", end="")
                _print(key, part)
        return
    shown = _NONE.get(name, "infinite") if value is None else value
    if isinstance(value, dict):
        shown = ", ".join(f"{key} {part}" for key, part in value.items() if key != "kind")
        shown = f"{value['kind']}, {shown}" if shown else str(value["kind"])
    elif isinstance(value, float):
        shown = f"{_ROUNDED[name](value, 6) if name in _ROUNDED else value:,.6g}"
    elif isinstance(value, int):
        shown = f"{value:,}"
    print(f"{_TITLES[name]}: {shown}")


def _prevalence(options: argparse.Namespace) -> float:
    if options.prevalence is None:
        raise ParameterError(
            "This needs the expected share of carriers.", remedy="Add --prevalence PI."
        )
    return float(options.prevalence)


def _design(options: argparse.Namespace) -> YesNoDesign:
    """The design that was named, with the parameters that were given or that epsilon decides."""
    if options.epsilon is None:
        if options.design is None:
            raise ParameterError(
                "Strata need a design.", remedy="Add --design NAME or --epsilon E."
            )
        return design_of(options)
    if options.set:
        return design_of(options).at_epsilon(options.epsilon)
    return one_share(design_named(options.design or "warner").usual_at(options.epsilon))


def _with_design(options: argparse.Namespace, design: YesNoDesign) -> dict[str, object]:
    found: dict[str, object] = {}
    prevalence = _prevalence(options)
    if options.epsilon is not None:
        found["design"] = design.model_dump(mode="json")
    respondents = options.respondents
    if options.against is not None:
        found |= _power(options, design)
    if options.margin is not None:
        sample = respondents_for_margin(
            design,
            prevalence,
            options.margin,
            options.confidence,
            options.population,
            options.weights_cv,
        )
        found |= _sample(sample)
    elif respondents is not None:
        sample = plan_of_sample(
            design,
            prevalence,
            respondents,
            options.confidence,
            options.population,
            options.weights_cv,
        )
        found |= _sample(sample)
    if options.denial is not None:
        found["beats_direct_from"] = respondents_to_beat_direct(
            design, prevalence, options.denial, options.population, options.weights_cv
        )
    epsilon = loss_of(design.groups).epsilon
    lowest, highest = posterior_range(prevalence, epsilon)
    found["epsilon"] = epsilon if isfinite(epsilon) else None
    return found | {"lowest_belief": lowest, "highest_belief": highest}


def _sample(sample: SamplePlan) -> dict[str, object]:
    return {
        "n": sample.respondents,
        "margin": sample.margin,
        "design_effect": sample.design_effect,
        "effective_n": sample.effective_respondents,
    }


def second_design(options: argparse.Namespace, design: YesNoDesign) -> YesNoDesign | None:
    """Returns the design of a second group, where one is named."""
    return {None: None, "device": design, "direct": Direct()}[options.second_group]


def _power(options: argparse.Namespace, design: YesNoDesign) -> dict[str, object]:
    shares = (options.against, options.prevalence)
    second = second_design(options, design)
    if options.power is not None:
        needed = respondents_for_power(
            design,
            *shares,
            options.power,
            options.alpha,
            two_sided=options.two_sided,
            second=second,
        )
        return {"n": needed, "power": options.power}
    if options.respondents is None:
        raise ParameterError(
            "A power needs the number of respondents, or the other way round.",
            remedy="Add --respondents N or --power SHARE.",
        )
    return {
        "power": power(
            design,
            *shares,
            options.respondents,
            options.alpha,
            two_sided=options.two_sided,
            second=second,
        )
    }


def _write_memo(
    options: argparse.Namespace,
    design: YesNoDesign | None,
    respondents: object,
    second: YesNoDesign | None = None,
) -> None:
    """Writes the memo of what was planned.

    Args:
        options: The words of `dpdesk survey plan`.
        design: The design that was planned with.
        respondents: The number of respondents that was given or found.
        second: The design of a second group, if there is one.

    Raises:
        ParameterError: The plan has no design, no expected share or no number of respondents.
    """
    if design is None or not isinstance(respondents, int) or options.prevalence is None:
        raise ParameterError(
            "A memo needs a design, an expected share and a number of respondents.",
            remedy="Give --design, --prevalence, and --margin or --respondents.",
        )
    request = MemoRequest(
        question=options.wording,
        design=design,
        prevalence=options.prevalence,
        respondents=respondents,
        confidence=options.confidence,
        population=options.population,
        weights_cv=options.weights_cv,
        against=options.against,
        alpha=options.alpha,
        two_sided=options.two_sided,
        second=second,
        denial=options.denial,
    )
    write_file(options.memo, memo_html(request), overwrite=options.overwrite)
