"""`dpdesk survey plan`: the unknown one of respondents, margin, power and epsilon."""

from __future__ import annotations

import argparse
import json
from math import isfinite

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.survey.design_choice import design_of
from dpdesk.designs import Design, loss_of
from dpdesk.designs.planning import (
    SamplePlan,
    epsilon_for_margin,
    epsilon_for_posterior,
    plan_of_sample,
    posterior_range,
    power,
    respondents_for_margin,
    respondents_for_power,
    respondents_to_beat_direct,
)
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
    "lowest_belief": "least that an answer can make of the belief",
    "highest_belief": "most that an answer can make of the belief",
    "beats_direct_from": "respondents from which on the design errs less than direct questions",
}


def plan(options: argparse.Namespace) -> int:
    """Prints what follows from the numbers that were given."""
    found: dict[str, object] = {}
    if options.design is not None:
        found |= _with_design(options, design_of(options))
    elif options.margin is not None and options.respondents is not None:
        found["epsilon_for_margin"] = epsilon_for_margin(
            options.prevalence, options.margin, options.respondents, options.confidence
        )
    if options.belief is not None:
        found["epsilon_for_belief"] = epsilon_for_posterior(options.prevalence, options.belief)
    if not found:
        raise ParameterError(
            "There is nothing to find with these numbers.",
            remedy="Give --design with --margin, --respondents or --against; or --margin and "
            "--respondents without a design; or --belief.",
        )
    if options.json:
        print(json.dumps(found, indent=2, allow_nan=False))
        return ExitCode.OK
    for name, value in found.items():
        shown = "infinite" if value is None else value
        shown = f"{shown:,.6g}" if isinstance(shown, float) else shown
        print(
            f"{_TITLES[name]}: {shown:,}" if isinstance(shown, int) else f"{_TITLES[name]}: {shown}"
        )
    return ExitCode.OK


def _with_design(options: argparse.Namespace, design: Design) -> dict[str, object]:
    found: dict[str, object] = {}
    respondents = options.respondents
    if options.against is not None:
        found |= _power(options, design)
    if options.margin is not None:
        sample = respondents_for_margin(
            design, options.prevalence, options.margin, options.confidence, options.population
        )
        found |= _sample(sample)
    elif respondents is not None:
        sample = plan_of_sample(
            design, options.prevalence, respondents, options.confidence, options.population
        )
        found |= _sample(sample)
    if options.denial is not None:
        found["beats_direct_from"] = respondents_to_beat_direct(
            design, options.prevalence, options.denial
        )
    epsilon = loss_of(design.groups).epsilon
    lowest, highest = posterior_range(options.prevalence, epsilon)
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
