"""`dpdesk survey simulate`: what surveys like this one would show."""

from __future__ import annotations

import argparse

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.given import refuse_ignored
from dpdesk.cli.survey.design_choice import design_of, taken_lines
from dpdesk.cli.survey.further_request import is_further
from dpdesk.cli.terminal import print_json
from dpdesk.designs import YesNoDesign
from dpdesk.designs.behaviour import Behaviour
from dpdesk.designs.estimator_law import EXACT_MAX, SurveyOutcomes, exact_outcomes, has_exact_law
from dpdesk.engine.simulate.surveys import simulate_surveys
from dpdesk.errors import ParameterError


def simulate(options: argparse.Namespace) -> int:
    """Prints the bias, the errors and the coverage of hypothetical surveys."""
    if is_further(options):
        from dpdesk.cli.survey.further_simulate import simulate_further

        return simulate_further(options)
    if options.prevalence is None:
        raise ParameterError(
            "This needs the true share of carriers.", remedy="Add --prevalence PI."
        )
    refuse_ignored(options, {"look"}, "without --shares")
    refuse_ignored(options, {"deviation"}, "without --mean")
    if options.exact:
        refuse_ignored(options, {"repetitions", "seed"}, "beside --exact: nothing is drawn")
    design = design_of(options)
    found = _outcomes(options, design)
    content = {
        "simulation": True,
        "exact": found.exact,
        "seed": found.seed,
        "design": design.model_dump(mode="json"),
        "prevalence": options.prevalence,
        "n": options.respondents,
        "repetitions": None if found.exact else options.repetitions,
        "deny": options.deny,
        "refuse": options.refuse,
        "careless": options.careless,
        "confidence": options.confidence,
        "mean_estimate": found.mean,
        "bias": found.bias,
        "planned_bias": found.theory.mean - found.truth,
        "standard_deviation": found.spread,
        "planned_error": found.planned_error,
        "coverage": found.coverage,
        "negative_estimates": found.beyond,
    }
    if options.json:
        print_json(content)
        return ExitCode.OK
    if found.exact:
        print("Theory, not data: all outcomes of such a survey, with their chances")
    else:
        print(f"Simulation, not data (seed {found.seed}): {options.repetitions:,} surveys")
    for line in taken_lines(design):
        print(f"  {line}")
    print(
        f"  estimates: mean {100 * found.mean:.3f} %, by theory {100 * found.theory.mean:.3f} %, "
        f"true share {100 * found.truth:.3f} %"
    )
    print(
        f"  standard deviation {100 * found.spread:.3f} pp, by theory "
        f"{100 * found.planned_error:.3f} pp"
    )
    print(
        f"  {100 * options.confidence:g} % intervals that hold the true share: "
        f"{100 * found.coverage:.1f} %"
    )
    print(f"  negative estimates: {100 * found.beyond:.1f} %")
    return ExitCode.OK


def _outcomes(options: argparse.Namespace, design: YesNoDesign) -> SurveyOutcomes:
    behaviour = Behaviour(options.deny, options.refuse, options.careless)
    where = (design, options.prevalence, options.respondents)
    if not options.exact:
        return simulate_surveys(
            *where, options.repetitions, options.seed, behaviour, options.confidence
        )
    if not has_exact_law(design, options.respondents):
        raise ParameterError(
            "This survey has too many outcomes to go through them all.",
            remedy=f"Leave out --exact; it is for one group and sums of answers to {EXACT_MAX:,}.",
        )
    return exact_outcomes(*where, behaviour, options.confidence)
