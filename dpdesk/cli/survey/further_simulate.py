"""`dpdesk survey simulate` for questions with several answers and for numbers."""

from __future__ import annotations

import argparse
from math import isfinite

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import refuse_ignored
from dpdesk.cli.survey.design_choice import taken_lines
from dpdesk.cli.survey.further_request import request_of
from dpdesk.cli.terminal import print_json
from dpdesk.engine.simulate.surveys import draws_everybody
from dpdesk.preview.survey import SupposedMean, SupposedShares, belief_table


def simulate_further(options: argparse.Namespace) -> int:
    """Prints bias, errors and coverage of hypothetical surveys."""
    request = request_of(options)
    if not options.deny:
        refuse_ignored(options, {"look"}, "without --deny: no answer is hidden")
    if isinstance(request, SupposedShares):
        content, lines = _several(request)
    else:
        content, lines = _number(request)
    epsilon = request.epsilon
    content = {
        "simulation": True,
        "seed": request.seed,
        "design": request.design.model_dump(mode="json"),
        "epsilon": epsilon if isfinite(epsilon) else None,
        "epsilon_infinite": not isfinite(epsilon),
        "n": request.respondents,
        "repetitions": request.repetitions,
        "confidence": request.confidence,
        "deny": options.deny,
    } | content
    if options.json:
        print_json(content)
        return ExitCode.OK
    print(f"Simulation, not data (seed {request.seed}): {request.repetitions:,} surveys")
    for line in [*taken_lines(request.design), *lines]:
        print(f"  {line}")
    return ExitCode.OK


def _several(request: SupposedShares) -> tuple[dict[str, object], list[str]]:
    found, theory = request.all_outcomes(), request.shares_theory
    table = belief_table(request.design, request.shares)
    entries = [
        {
            "share": request.shares[index],
            "mean_estimate": float(found.means[index]),
            "bias": float(found.means[index]) - request.shares[index],
            "planned_bias": float(theory.means[index]) - request.shares[index],
            "standard_deviation": float(found.spreads[index]),
            "planned_error": float(theory.errors[index]),
            "coverage": float(found.coverage[index]),
            "negative_estimates": float(found.negative[index]),
        }
        for index in range(len(request.shares))
    ]
    reports = [
        {
            "answer": report.answer + 1,
            "chance": report.chance,
            "beliefs": list(report.beliefs),
            "ratio": report.ratio,
            "rules_out": [index + 1 for index in report.ruled_out],
        }
        for report in table.reports
    ]
    content: dict[str, object] = {
        "look": request.looked + 1,
        "careless": request.careless,
        "answers": entries,
        "reports": reports,
        "reports_are_of_one_answer": table.alone,
    }
    lines = [
        f"answer {number}: true share {100 * share:.3f} %, estimates {100 * mean:.3f} %, standard "
        f"deviation {100 * spread:.3f} pp, by theory {100 * error:.3f} pp, intervals that hold it "
        f"{100 * held:.1f} %, negative {100 * negative:.1f} %"
        for number, (share, mean, spread, error, held, negative) in enumerate(
            zip(
                request.shares,
                found.means.tolist(),
                found.spreads.tolist(),
                theory.errors.tolist(),
                found.coverage.tolist(),
                found.negative.tolist(),
                strict=True,
            ),
            start=1,
        )
    ]
    for report in table.proofs:
        ruled = ", ".join(str(index + 1) for index in report.ruled_out)
        lines.append(f"epsilon is infinite: answer {report.answer + 1} rules out {ruled}")
    return content, lines


def _number(request: SupposedMean) -> tuple[dict[str, object], list[str]]:
    found, loss = request.outcomes(), request.design.loss
    content: dict[str, object] = {
        "delta": loss.delta,
        "mean": request.mean,
        "deviation": request.deviation,
        "every_respondent_drawn": draws_everybody(request.respondents, request.repetitions),
        "mean_estimate": found.mean,
        "bias": found.mean - request.mean,
        "planned_bias": found.theory.mean - request.mean,
        "standard_deviation": found.spread,
        "planned_error": found.theory.error,
        "coverage": found.coverage,
        "outside_estimates": found.beyond,
    }
    lines = [
        f"estimates: mean {found.mean:.6g}, by theory {found.theory.mean:.6g}, true mean "
        f"{request.mean:.6g}",
        f"standard deviation {found.spread:.4g}, by theory {found.theory.error:.4g}",
        f"{100 * request.confidence:g} % intervals that hold the true mean: "
        f"{100 * found.coverage:.1f} %",
        f"estimates outside of the bounds: {100 * found.beyond:.1f} %",
        loss.sentence,
    ]
    return content, lines
