"""`dpdesk survey estimate` from what was counted, without a file of answers."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from dpdesk.cli.options import refuse_all_but
from dpdesk.cli.survey.options import DEVICE
from dpdesk.cli.survey.results import (
    Output,
    adherence_note,
    between,
    contrast_fact,
    count_words,
    digits,
    epsilon_facts,
    estimate_output,
    interval_label,
    loss_lines,
    mean_misfit,
    mean_output,
    percent,
    share_misfit,
    shares_output,
)
from dpdesk.cli.survey.texts import T
from dpdesk.designs import SurveyEstimate, YesNoDesign, loss_of
from dpdesk.designs.direct import Direct
from dpdesk.designs.inference import adherence_of
from dpdesk.designs.yes_no import parse_counts
from dpdesk.errors import InputError, ParameterError
from dpdesk.facts import Fact, Facts, several
from dpdesk.numbers import whole_number
from dpdesk.numbers.digits import percent_text, points_text
from dpdesk.numbers.intervals import stated_error

if TYPE_CHECKING:
    from dpdesk.designs.matrix_categories import CategoryDesign
    from dpdesk.designs.number_design import NumberDesign
    from dpdesk.designs.sample_design import Contrast


def share(options: argparse.Namespace, design: YesNoDesign) -> Output:
    """Returns the share of people with the trait, and what each answer discloses."""
    if options.counts is None:
        raise ParameterError(T.NO_COUNTS(counted="--counts YES/N"))
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
    binary = all(group.answers == ("yes", "no") for group in design.groups)
    answers = [
        asdict(answer) | {"ratio": None if answer.ratio is None else float(answer.ratio)}
        for answer in loss.answers
    ]
    facts = [
        *_estimate_facts(design, found, confidence),
        *epsilon_facts(loss.epsilon),
        Fact("a", [float(group.law[0][0]) for group in design.groups] if binary else None),
        Fact("b", [float(group.law[1][0]) for group in design.groups] if binary else None),
        Fact("jeopardy", answers),
    ]
    notes = [*share_misfit((found.lower, found.upper), confidence, design), *loss_lines(loss)]
    if adherence is not None:
        facts.append(Fact("adherence", asdict(adherence)))
        notes.append(adherence_note(adherence))
    if contrast is not None:
        facts.append(contrast_fact(contrast, confidence))
    return estimate_output(design, facts, notes)


def _estimate_facts(
    design: YesNoDesign, found: SurveyEstimate, confidence: float
) -> tuple[Fact, ...]:
    error, interval, is_moved = T.ERROR(), interval_label(confidence), ""
    if design.error_is_bound:
        error, interval = T.ERROR_AT_MOST(), T.INTERVAL_AT_MOST(level=percent_text(confidence))
    if found.estimate != found.truncated:
        is_moved = T.IN_RANGE()
    others = {
        name: Facts.of(
            Fact("estimate", value, T.ESTIMATE(), percent),
            Fact("se", other_error or None, T.ERROR(), points_text),
        )
        for name, (value, other_error) in found.other_shares.items()
    }
    conservative = None if found.conservative is None else list(found.conservative)
    return (
        Fact("estimate", found.estimate, T.TRAIT_SHARE(), percent),
        Fact("se", found.stated_error, error, points_text),
        Fact("se_is_upper_bound", design.error_is_bound),
        Fact("truncated", found.truncated, is_moved, percent),
        Fact("sampling_error", found.sampling_error),
        Fact("privacy_error", found.privacy_error),
        Fact("interval", [found.lower, found.upper], interval, between(percent)),
        Fact("clopper_pearson", conservative, T.CONSERVATIVE(), between(percent)),
        Fact("further", others, T.ALSO()),
    )


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


def shares(options: argparse.Namespace, design: CategoryDesign) -> Output:
    """Returns the shares of several answers from how often each was given."""
    _check_words(options, {"answers"})
    if options.answers is None:
        raise ParameterError(T.NO_COUNTS(counted="--answers N1,N2,…"))
    confidence = options.confidence
    found = design.estimate(_numbers(options.answers), confidence)
    rows, notes = [], []
    for index, share in enumerate(found.shares.tolist()):
        interval = (float(found.lower[index]), float(found.upper[index]))
        error = stated_error(float(found.standard_errors[index]), *interval)
        rows.append(
            Facts.of(
                Fact("", index + 1, T.ANSWER(), count_words),
                Fact("estimate", share, T.ESTIMATE(), percent),
                Fact("se", error, T.ERROR(), points_text),
                Fact("truncated", float(found.truncated[index])),
                Fact("sampling_error", float(found.sampling_errors[index])),
                Fact("privacy_error", float(found.privacy_errors[index])),
                Fact("interval", list(interval), interval_label(confidence), between(percent)),
            )
        )
        notes += share_misfit(interval, confidence)
    facts = (
        Fact("shares", several(rows), T.SHARES()),
        Fact("covariance", found.covariance.tolist()),
    )
    return shares_output(design, facts, notes)


def mean(options: argparse.Namespace, design: NumberDesign) -> Output:
    """Returns the mean of a number from the mean and the variance of what was said."""
    _check_words(options, {"mean", "variance", "respondents"})
    if options.mean is None or options.variance is None or options.respondents is None:
        raise ParameterError(T.NO_COUNTS(counted=["--mean", "--variance", "--respondents"]))
    confidence = options.confidence
    found = design.estimate(options.mean, options.variance, options.respondents, confidence)
    interval = (found.lower, found.upper)
    facts = (
        Fact("estimate", found.estimate, T.MEAN(), digits(6)),
        Fact("se", found.standard_error, T.ERROR(), digits(4)),
        Fact("sampling_error", found.sampling_error),
        Fact("privacy_error", found.privacy_error),
        Fact("interval", list(interval), interval_label(confidence), between(digits(6))),
        Fact("standard_deviation", found.spread, T.SPREAD(), digits(4)),
    )
    return mean_output(design, facts, mean_misfit(interval, confidence, design))


def _check_words(options: argparse.Namespace, counted: set[str]) -> None:
    """Refuses words that mean nothing beside what was counted of answers other than yes and no."""
    used = DEVICE | counted | {"confidence"}
    refuse_all_but(options, used, "without a file of answers")


def _numbers(text: str) -> list[int]:
    numbers = [whole_number(part.strip()) for part in text.split(",")]
    counts = [number for number in numbers if number is not None and 0 <= number < 10**15]
    if len(counts) < len(numbers):
        raise InputError(T.BAD_NUMBERS())
    return counts
