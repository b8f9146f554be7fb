"""`dpdesk survey estimate` from what was counted, without a file of answers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from dpdesk.cli.options import refuse_all_but
from dpdesk.cli.survey.design_choice import taken_lines
from dpdesk.cli.survey.options import DEVICE
from dpdesk.cli.survey.results import (
    Output,
    adherence_lines,
    below,
    contrast_entry,
    contrast_lines,
    epsilon_entry,
    error_words,
    loss_lines,
    mean_misfit,
    mean_output,
    share_misfit,
    share_words,
    shares_output,
)
from dpdesk.designs import Loss, SurveyEstimate, YesNoDesign, loss_of
from dpdesk.designs.direct import Direct
from dpdesk.designs.inference import adherence_of
from dpdesk.designs.yes_no import parse_counts
from dpdesk.errors import InputError, ParameterError
from dpdesk.numbers import whole_number
from dpdesk.numbers.intervals import stated_error

if TYPE_CHECKING:
    from dpdesk.designs.matrix_categories import CategoryDesign
    from dpdesk.designs.number_design import NumberDesign
    from dpdesk.designs.sample_design import Contrast


def share(options: argparse.Namespace, design: YesNoDesign) -> Output:
    """Returns the share of carriers from counts of answers, and what each answer discloses.

    Raises:
        DpdeskError: There are no counts, or they cannot be.
    """
    if options.counts is None:
        raise ParameterError(
            "There is nothing to estimate from.",
            remedy="Give --counts YES/N, or a file with --answer COLUMN.",
        )
    used = DEVICE | {"counts", "direct_counts", "confidence"}
    refuse_all_but(options, used, "beside --counts, without a file of answers")
    confidence = options.confidence
    counts = parse_counts(options.counts, design.group_count)
    found = design.estimate(counts, confidence)
    design = design.with_answers([count.share for count in counts])
    loss = loss_of(design.groups)
    adherence = adherence_of(found)
    respondents = counts[0].respondents
    if not design.same_respondents:
        respondents = sum(count.respondents for count in counts)
    contrast = _contrast(options.direct_counts, found, respondents, confidence)
    content = _content(design, found, loss)
    lines = [*_lines(design, found, loss, confidence)]
    if adherence is not None:
        content["adherence"] = asdict(adherence)
        lines += adherence_lines(adherence)
    if contrast is not None:
        content["contrast"] = contrast_entry(contrast)
        lines += contrast_lines(contrast, confidence)
    lines = [*share_misfit((found.lower, found.upper), confidence, design), *lines]
    title = f"{design.title}: share of carriers {100 * found.estimate:.2f} %"
    return Output(content, below(title, lines))


def _contrast(
    direct_counts: str, found: SurveyEstimate, respondents: int, confidence: float
) -> Contrast | None:
    """The device against direct questions to another, independent group; None without counts."""
    if not direct_counts:
        return None
    from dpdesk.designs.sample_design import ScoreMean, contrast_of

    (count,) = parse_counts(direct_counts, 1)
    asked = ((found, respondents), (Direct().estimate([count], confidence), count.respondents))
    randomized, direct = (
        ScoreMean(each.estimate, each.standard_error, each.lower, each.upper, people)
        for each, people in asked
    )
    return contrast_of(randomized, direct)


def _content(design: YesNoDesign, found: SurveyEstimate, loss: Loss) -> dict[str, object]:
    binary = all(group.answers == ("yes", "no") for group in design.groups)
    return {
        "design": design.model_dump(mode="json"),
        "estimate": found.estimate,
        "se": found.stated_error,
        "se_is_upper_bound": design.error_is_bound,
        "truncated": found.truncated,
        "sampling_error": found.sampling_error,
        "privacy_error": found.privacy_error,
        "interval": [found.lower, found.upper],
        "clopper_pearson": None if found.conservative is None else list(found.conservative),
        "further": {
            name: {"estimate": value, "se": error or None}
            for name, (value, error) in found.other_shares.items()
        },
        **epsilon_entry(loss.epsilon),
        "a": [float(group.law[0][0]) for group in design.groups] if binary else None,
        "b": [float(group.law[1][0]) for group in design.groups] if binary else None,
        "jeopardy": [
            asdict(answer) | {"ratio": None if answer.ratio is None else float(answer.ratio)}
            for answer in loss.answers
        ],
    }


def _lines(
    design: YesNoDesign, found: SurveyEstimate, loss: Loss, confidence: float
) -> Iterator[str]:
    percent = f"{100 * confidence:g} %"
    if found.estimate != found.truncated:
        yield f"moved into the possible range: {100 * found.truncated:.2f} %"
    yield from taken_lines(design)
    bound = ""
    if design.error_is_bound:
        bound = " at most: an upper bound, since sums do not show how answers spread"
    if found.stated_error is not None:
        yield f"standard error {100 * found.stated_error:.2f} pp{bound}"
    wide = " at the widest" if bound else ""
    yield f"{percent} interval{wide} {100 * found.lower:.2f} % to {100 * found.upper:.2f} %"
    if found.conservative is not None:
        low, high = found.conservative
        yield f"conservative (Clopper and Pearson) {100 * low:.2f} % to {100 * high:.2f} %"
    for name, (value, error) in found.other_shares.items():
        yield f"{name.replace('_', ' ')}: {100 * value:.2f} %{error_words(error or None)}"
    yield from loss_lines(loss)
    if design.caution:
        yield design.caution


def shares(options: argparse.Namespace, design: CategoryDesign) -> Output:
    """Returns the shares of several answers from how often each was given.

    Raises:
        DpdeskError: The numbers are missing, or they cannot be.
    """
    _check_words(options, {"answers"})
    if options.answers is None:
        raise ParameterError(
            "There is nothing to estimate from.",
            remedy="Give --answers N1,N2,…: the number of respondents of each answer; or a file "
            "with --answer COLUMN.",
        )
    found = design.estimate(_numbers(options.answers), options.confidence)
    ends = found.lower.tolist(), found.upper.tolist()
    rows = list(
        zip(
            found.shares.tolist(),
            map(stated_error, found.standard_errors.tolist(), *ends),
            found.truncated.tolist(),
            found.sampling_errors.tolist(),
            found.privacy_errors.tolist(),
            zip(*ends, strict=True),
            strict=True,
        )
    )
    names = ("estimate", "se", "truncated", "sampling_error", "privacy_error", "interval")
    return shares_output(
        design,
        {
            "shares": [dict(zip(names, row, strict=True)) for row in rows],
            "covariance": found.covariance.tolist(),
        },
        [
            line
            for number, (share, error, *_, interval) in enumerate(rows, 1)
            for line in (
                f"answer {number}: {share_words(share, error, interval, options.confidence)}",
                *share_misfit(interval, options.confidence),
            )
        ],
    )


def mean(options: argparse.Namespace, design: NumberDesign) -> Output:
    """Returns the mean of a number from the mean and the variance of what was said.

    Raises:
        DpdeskError: One of them is missing, or they cannot be.
    """
    _check_words(options, {"mean", "variance", "respondents"})
    if options.mean is None or options.variance is None or options.respondents is None:
        raise ParameterError(
            "There is nothing to estimate from.",
            remedy="Give --mean, --variance and --respondents of what was said; or a file with "
            "--answer COLUMN.",
        )
    confidence = options.confidence
    found = design.estimate(options.mean, options.variance, options.respondents, confidence)
    return mean_output(
        design,
        {
            "estimate": found.estimate,
            "se": found.standard_error,
            "sampling_error": found.sampling_error,
            "privacy_error": found.privacy_error,
            "interval": [found.lower, found.upper],
            "standard_deviation": found.spread,
            "delta": design.loss.delta,
        },
        [
            f"mean of the true answers {found.estimate:.6g}, standard error "
            f"{found.standard_error:.4g}",
            f"{100 * confidence:g} % interval {found.lower:.6g} to {found.upper:.6g}",
            *mean_misfit((found.lower, found.upper), confidence, design),
            f"standard deviation of the true answers {found.spread:.4g}",
        ],
    )


def _check_words(options: argparse.Namespace, counted: set[str]) -> None:
    """Refuses words that mean nothing beside what was counted of answers other than yes and no."""
    used = DEVICE | counted | {"confidence"}
    refuse_all_but(options, used, "without a file of answers")


def _numbers(text: str) -> list[int]:
    numbers = [whole_number(part.strip()) for part in text.split(",")]
    counts = [number for number in numbers if number is not None and 0 <= number < 10**15]
    if len(counts) < len(numbers):
        raise InputError(
            "The numbers of respondents are not whole numbers.",
            remedy="Write one for each answer with commas between them, such as 120,45,30.",
        )
    return counts
