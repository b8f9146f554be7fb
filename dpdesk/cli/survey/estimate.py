"""`dpdesk survey estimate`: the share of carriers from counts of answers."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from math import exp, isfinite

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.survey.design_choice import design_of
from dpdesk.designs import Design, Loss, SurveyEstimate, loss_of
from dpdesk.designs.adherence import Adherence, adherence_of
from dpdesk.designs.counts import parse_counts
from dpdesk.designs.further_designs import any_design_named
from dpdesk.designs.planning import require_share
from dpdesk.errors import ParameterError


def estimate(options: argparse.Namespace) -> int:
    """Prints the estimate with its errors, its intervals and what each answer betrays."""
    confidence = require_share(options.confidence, "confidence")
    if options.design is None:
        return _own_chances(options)
    if not issubclass(any_design_named(options.design), Design):
        from dpdesk.cli.survey.further import estimate_further

        return estimate_further(options, confidence)
    design = design_of(options)
    if options.a or options.b:
        raise ParameterError(
            "Chances of each respondent take the place of a design.",
            remedy="Leave out --design, or --a and --b.",
        )
    if options.data is not None:
        from dpdesk.cli.survey.records import estimate_records

        return estimate_records(options, design)
    if options.counts is None:
        raise ParameterError(
            "There is nothing to estimate from.",
            remedy="Give --counts YES/N, or a file with --answer COLUMN.",
        )
    found = design.estimate(parse_counts(options.counts, design.group_count), confidence)
    loss = loss_of(design.groups)
    adherence = adherence_of(found)
    if options.json:
        content = _content(design, found, loss)
        if adherence is not None:
            content["adherence"] = asdict(adherence)
        print(json.dumps(content, indent=2, allow_nan=False))
    else:
        _print(design, found, loss, confidence)
        for line in [] if adherence is None else adherence_lines(adherence):
            print(f"  {line}")
    return ExitCode.OK


def _own_chances(options: argparse.Namespace) -> int:
    if options.data is None or not (options.a and options.b):
        raise ParameterError(
            "The design of the survey is missing.",
            remedy="Add --design NAME; or a file with --a COLUMN and --b COLUMN.",
        )
    from dpdesk.cli.survey.records import estimate_records

    return estimate_records(options, None)


def adherence_lines(found: Adherence) -> list[str]:
    """Returns in words whether respondents follow the instruction."""
    law, freedom = "z", ""
    if found.freedom is not None:
        law, freedom = "t", f" with {found.freedom:,} degrees of freedom"
    return [
        f"adherence: {found.title} {100 * found.value:.2f} %, expected {100 * found.expected:g} %; "
        f"{law} = {found.statistic:.3f}{freedom}, p = {found.p_value:.4g}"
    ]


def _content(design: Design, found: SurveyEstimate, loss: Loss) -> dict[str, object]:
    binary = all(group.answers == ("yes", "no") for group in design.groups)
    return {
        "design": design.model_dump(mode="json"),
        "estimate": found.estimate,
        "se": found.standard_error,
        "truncated": found.truncated,
        "sampling_error": found.sampling_error,
        "privacy_error": found.privacy_error,
        "interval": [found.lower, found.upper],
        "clopper_pearson": None if found.conservative is None else list(found.conservative),
        "further": {
            name: {"estimate": value, "se": error} for name, (value, error) in found.further.items()
        },
        "epsilon": loss.epsilon if isfinite(loss.epsilon) else None,
        "epsilon_infinite": not isfinite(loss.epsilon),
        "a": [float(group.law[0][0]) for group in design.groups] if binary else None,
        "b": [float(group.law[1][0]) for group in design.groups] if binary else None,
        "jeopardy": [
            asdict(answer) | {"ratio": None if answer.ratio is None else float(answer.ratio)}
            for answer in loss.answers
        ],
    }


def _print(design: Design, found: SurveyEstimate, loss: Loss, confidence: float) -> None:
    percent = f"{100 * confidence:g} %"
    print(f"{design.title}: share of carriers {100 * found.estimate:.2f} %")
    if found.estimate != found.truncated:
        print(f"  moved into the possible range: {100 * found.truncated:.2f} %")
    print(f"  standard error {100 * found.standard_error:.2f} pp")
    print(f"  {percent} interval {100 * found.lower:.2f} % to {100 * found.upper:.2f} %")
    if found.conservative is not None:
        low, high = found.conservative
        print(f"  conservative (Clopper and Pearson) {100 * low:.2f} % to {100 * high:.2f} %")
    for name, (value, error) in found.further.items():
        print(f"  {name.replace('_', ' ')}: {100 * value:.2f} %, error {100 * error:.2f} pp")
    for line in loss_lines(loss):
        print(f"  {line}")
    if design.caution:
        print(f"  {design.caution}")


def loss_lines(loss: Loss) -> list[str]:
    """Returns in words what the answers betray."""
    lines = []
    if isfinite(loss.epsilon):
        lines.append(
            f"epsilon {loss.epsilon:.6g}: an answer is at most {exp(loss.epsilon):.4g} times "
            "likelier of one kind of respondent than of another"
        )
    else:
        lines.append("epsilon is infinite: an answer can be a proof")
    for answer in loss.answers:
        where = f" ({answer.group})" if answer.group else ""
        if answer.ratio is None:
            lines.append(f"“{answer.answer}”{where} proves: not {answer.rules_out}")
        elif answer.ratio > 1:
            lines.append(
                f"“{answer.answer}”{where} is up to {float(answer.ratio):.4g} times likelier of: "
                f"{answer.points_to}"
            )
    return lines
