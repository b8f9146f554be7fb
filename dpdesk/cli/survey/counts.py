"""`dpdesk survey estimate --counts`: the share of carriers from counts of answers."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.survey.design_choice import taken_lines
from dpdesk.cli.survey.results import (
    adherence_lines,
    contrast_entry,
    contrast_lines,
    loss_lines,
)
from dpdesk.cli.terminal import print_json
from dpdesk.designs import Loss, SurveyEstimate, YesNoDesign, loss_of
from dpdesk.designs.direct import Direct
from dpdesk.designs.inference import adherence_of
from dpdesk.designs.yes_no import parse_counts

if TYPE_CHECKING:
    from dpdesk.designs.sample_design import Contrast


def estimate_counts(options: argparse.Namespace, design: YesNoDesign, confidence: float) -> int:
    """Prints the estimate with its errors, its intervals and what each answer discloses."""
    counts = parse_counts(options.counts, design.group_count)
    found = design.estimate(counts, confidence)
    loss = loss_of(design.groups)
    adherence = adherence_of(found)
    respondents = counts[0].respondents
    if not design.same_respondents:
        respondents = sum(count.respondents for count in counts)
    contrast = _contrast(options.direct_counts, found, respondents, confidence)
    if options.json:
        content = _content(design, found, loss)
        if adherence is not None:
            content["adherence"] = asdict(adherence)
        if contrast is not None:
            content["contrast"] = contrast_entry(contrast)
        print_json(content)
    else:
        _print(design, found, loss, confidence)
        for line in [] if adherence is None else adherence_lines(adherence):
            print(f"  {line}")
        for line in () if contrast is None else contrast_lines(contrast, confidence):
            print(f"  {line}")
    return ExitCode.OK


def _contrast(
    direct_counts: str, found: SurveyEstimate, respondents: int, confidence: float
) -> Contrast | None:
    """The device against direct questions to another, independent group; None without counts."""
    if not direct_counts:
        return None
    from dpdesk.designs.sample_design import ScoreMean, contrast_of

    (count,) = parse_counts(direct_counts, 1)
    asked = ((found, respondents), (Direct().estimate([count]), count.respondents))
    randomized, direct = (
        ScoreMean(each.estimate, each.standard_error, each.lower, each.upper, people)
        for each, people in asked
    )
    return contrast_of(randomized, direct, confidence=confidence)


def _content(design: YesNoDesign, found: SurveyEstimate, loss: Loss) -> dict[str, object]:
    binary = all(group.answers == ("yes", "no") for group in design.groups)
    return {
        "design": design.model_dump(mode="json"),
        "estimate": found.estimate,
        "se": found.standard_error,
        "se_is_upper_bound": design.error_is_bound,
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


def _print(design: YesNoDesign, found: SurveyEstimate, loss: Loss, confidence: float) -> None:
    percent = f"{100 * confidence:g} %"
    print(f"{design.title}: share of carriers {100 * found.estimate:.2f} %")
    if found.estimate != found.truncated:
        print(f"  moved into the possible range: {100 * found.truncated:.2f} %")
    for line in taken_lines(design):
        print(f"  {line}")
    bound = ""
    if design.error_is_bound:
        bound = " at most: an upper bound, since sums do not show how answers spread"
    print(f"  standard error {100 * found.standard_error:.2f} pp{bound}")
    wide = " at the widest" if bound else ""
    print(f"  {percent} interval{wide} {100 * found.lower:.2f} % to {100 * found.upper:.2f} %")
    if found.conservative is not None:
        low, high = found.conservative
        print(f"  conservative (Clopper and Pearson) {100 * low:.2f} % to {100 * high:.2f} %")
    for name, (value, error) in found.further.items():
        print(f"  {name.replace('_', ' ')}: {100 * value:.2f} %, error {100 * error:.2f} pp")
    for line in loss_lines(loss):
        print(f"  {line}")
    if design.caution:
        print(f"  {design.caution}")
