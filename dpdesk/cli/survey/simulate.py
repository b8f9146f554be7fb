"""`dpdesk survey simulate`: what surveys like this one would show."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import refuse_ignored
from dpdesk.cli.survey.options import add_design, add_supposed
from dpdesk.cli.terminal import print_json
from dpdesk.cli.words import confidence, real, seed, whole
from dpdesk.errors import ParameterError

if TYPE_CHECKING:
    from dpdesk.designs import YesNoDesign
    from dpdesk.designs.estimator_law import SurveyOutcomes


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk survey simulate`."""
    add_design(parser)
    parser.add_argument("--prevalence", type=real, metavar="PI", help="the true share of carriers")
    add_supposed(parser)
    parser.add_argument("--respondents", type=whole, required=True, metavar="N")
    parser.add_argument("--repetitions", type=whole, default=1000, metavar="R")
    parser.add_argument("--seed", type=seed, default=1, metavar="S", help="the same seed repeats")
    parser.add_argument(
        "--exact", action="store_true", help="go through all outcomes instead: one group, n to 5000"
    )
    parser.add_argument(
        "--deny",
        type=real,
        default=0.0,
        metavar="SHARE",
        help="carriers who deny in any case; with --shares, who hide the answer of --look; with "
        "--mean, who act as if the least number were theirs",
    )
    parser.add_argument(
        "--refuse",
        type=real,
        default=0.0,
        metavar="SHARE",
        help="non-carriers who never say yes, even when the device orders it",
    )
    parser.add_argument(
        "--careless",
        type=real,
        default=0.0,
        metavar="SHARE",
        help="respondents who answer at random",
    )
    parser.add_argument("--confidence", type=confidence, default=0.95, metavar="SHARE")


def run(options: argparse.Namespace) -> int:
    """Prints the bias, the errors and the coverage of hypothetical surveys."""
    from dpdesk.cli.survey.further_request import is_further

    if is_further(options):
        from dpdesk.cli.survey.further_simulate import simulate_further

        return simulate_further(options)
    from dpdesk.cli.survey.design_choice import design_of, taken_lines

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
    from dpdesk.designs.behaviour import Behaviour
    from dpdesk.designs.estimator_law import EXACT_MAX, exact_outcomes, has_exact_law
    from dpdesk.engine.simulate.surveys import simulate_surveys

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
