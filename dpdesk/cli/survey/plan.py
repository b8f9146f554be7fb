"""`dpdesk survey plan`: the unknown one of respondents, margin, power and epsilon."""

from __future__ import annotations

import argparse
import json
from math import isfinite

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.survey.design_choice import design_of
from dpdesk.cli.survey.further_request import is_further
from dpdesk.cli.survey.papers import write_memo
from dpdesk.cli.survey.plan_several import plan_questions, plan_strata
from dpdesk.designs import Design, design_named, loss_of
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.of_epsilon import at_epsilon, usual_at_epsilon
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
from dpdesk.designs.registry import kind_of_design
from dpdesk.errors import ParameterError

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


def plan(options: argparse.Namespace) -> int:
    """Prints what follows from the numbers that were given."""
    if is_further(options):
        from dpdesk.cli.survey.further_plan import plan_further

        return plan_further(options)
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
        write_memo(options, design, found.get("n", options.respondents))
    if options.json:
        print(json.dumps(found, indent=2, allow_nan=False))
        return ExitCode.OK
    for name, value in found.items():
        _print(name, value)
    return ExitCode.OK


def _print(name: str, value: object) -> None:
    if isinstance(value, list):
        for number, row in enumerate(value, start=1):
            print(f"{_TITLES[name]} {number}:")
            for key, part in row.items():
                print("  ", end="")
                _print(key, part)
        return
    shown = "infinite" if value is None else value
    if isinstance(value, dict):
        shown = ", ".join(f"{key} {part}" for key, part in value.items() if key != "kind")
        shown = f"{value['kind']}, {shown}" if shown else str(value["kind"])
    elif isinstance(value, float):
        shown = f"{value:,.6g}"
    elif isinstance(value, int):
        shown = f"{value:,}"
    print(f"{_TITLES[name]}: {shown}")


def _prevalence(options: argparse.Namespace) -> float:
    if options.prevalence is None:
        raise ParameterError(
            "This needs the expected share of carriers.", remedy="Add --prevalence PI."
        )
    return float(options.prevalence)


def _design(options: argparse.Namespace) -> Design:
    """The design that was named, with the parameters that were given or that epsilon decides."""
    if options.epsilon is None:
        if options.design is None:
            raise ParameterError(
                "Strata need a design.", remedy="Add --design NAME or --epsilon E."
            )
        return design_of(options)
    if options.set or options.design == kind_of_design(MechanismShare):
        return at_epsilon(design_of(options), options.epsilon)
    return usual_at_epsilon(design_named(options.design or "warner"), options.epsilon)


def _with_design(options: argparse.Namespace, design: Design) -> dict[str, object]:
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
        found["beats_direct_from"] = respondents_to_beat_direct(design, prevalence, options.denial)
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


def _power(options: argparse.Namespace, design: Design) -> dict[str, object]:
    shares = (options.against, options.prevalence)
    if options.power is not None:
        needed = respondents_for_power(
            design, *shares, options.power, options.alpha, two_sided=options.two_sided
        )
        return {"n": needed, "power": options.power}
    if options.respondents is None:
        raise ParameterError(
            "A power needs the number of respondents, or the other way round.",
            remedy="Add --respondents N or --power SHARE.",
        )
    return {
        "power": power(
            design, *shares, options.respondents, options.alpha, two_sided=options.two_sided
        )
    }
