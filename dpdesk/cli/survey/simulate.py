"""`dpdesk survey simulate`: what surveys like this one would show."""

from __future__ import annotations

import argparse
import json

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.survey.design_choice import design_of
from dpdesk.engine.simulate.surveys import simulate_surveys


def simulate(options: argparse.Namespace) -> int:
    """Prints the bias, the errors and the coverage of hypothetical surveys."""
    design = design_of(options)
    found = simulate_surveys(
        design, options.prevalence, options.respondents, options.repetitions, options.seed
    )
    content = {
        "simulation": True,
        "seed": found.seed,
        "design": design.model_dump(mode="json"),
        "prevalence": options.prevalence,
        "n": options.respondents,
        "repetitions": options.repetitions,
        "mean_estimate": found.prevalence + found.bias,
        "bias": found.bias,
        "standard_deviation": found.spread,
        "planned_error": found.planned_error,
        "coverage": found.coverage,
        "negative_estimates": found.negative,
    }
    if options.json:
        print(json.dumps(content, indent=2, allow_nan=False))
        return ExitCode.OK
    print(f"Simulation, not data (seed {found.seed}): {options.repetitions:,} surveys")
    print(
        f"  estimates: mean {100 * (found.prevalence + found.bias):.3f} %, true share "
        f"{100 * found.prevalence:.3f} %"
    )
    print(
        f"  standard deviation {100 * found.spread:.3f} pp, by theory "
        f"{100 * found.planned_error:.3f} pp"
    )
    print(f"  95 % intervals that hold the true share: {100 * found.coverage:.1f} %")
    print(f"  negative estimates: {100 * found.negative:.1f} %")
    return ExitCode.OK
