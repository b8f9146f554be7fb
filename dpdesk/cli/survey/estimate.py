"""`dpdesk survey estimate`: the share of carriers from counts of answers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from math import exp, isfinite

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.given import refuse_all_but, refuse_ignored
from dpdesk.cli.survey.design_choice import design_of, taken_lines
from dpdesk.cli.terminal import print_json
from dpdesk.designs import Loss, SurveyEstimate, YesNoDesign, design_named, loss_of
from dpdesk.designs.direct import Direct
from dpdesk.designs.inference import Adherence, adherence_of
from dpdesk.designs.planning import require_share
from dpdesk.designs.sample_design import Contrast, ScoreMean, contrast_of
from dpdesk.designs.yes_no import parse_counts
from dpdesk.errors import ParameterError

_SAMPLE = frozenset({"weights", "strata", "clusters", "population", "lonely_psu"})
_FILE = _SAMPLE | {"data", "answer", "missing", "by", "scores", "confidence"}
_TRAIT = _FILE | {"yes", "formula", "direct", "memo", "wording"}
_DEVICE = frozenset({"design", "set"})


def estimate(options: argparse.Namespace) -> int:
    """Prints the estimate with its errors, its intervals and what each answer betrays."""
    confidence = require_share(options.confidence, "confidence")
    if options.memo is None:
        refuse_ignored(options, {"wording"}, "without --memo")
    if not options.strata:
        refuse_ignored(options, {"lonely_psu"}, "without --strata")
    if options.design is None:
        return _own_chances(options)
    if not design_named(options.design).counted:
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

        _check_file(options, design)
        return estimate_records(options, design)
    if options.counts is None:
        raise ParameterError(
            "There is nothing to estimate from.",
            remedy="Give --counts YES/N, or a file with --answer COLUMN.",
        )
    counted = _DEVICE | {"counts", "direct_counts", "confidence"}
    refuse_all_but(options, counted, "beside --counts, without a file of answers")
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


def _check_file(options: argparse.Namespace, design: YesNoDesign) -> None:
    """Refuses options that mean nothing with a file of answers through a design."""
    used = _DEVICE | _TRAIT
    if design.same_respondents:
        used |= {"anchor"}
    elif design.group_count > 1:
        used |= {"group", "groups"}
    else:
        # These have sentences of their own.
        used |= {"anchor", "group"}
    refuse_all_but(options, used, "with a file of answers through this design")
    if not options.group:
        refuse_ignored(options, {"groups"}, "without --group")
    if any(group.answers != ("yes", "no") for group in design.asked):
        refuse_ignored(options, {"yes"}, "where answers are numbers")


def _own_chances(options: argparse.Namespace) -> int:
    if options.data is None or not (options.a and options.b):
        raise ParameterError(
            "The design of the survey is missing.",
            remedy="Add --design NAME; or a file with --a COLUMN and --b COLUMN.",
        )
    from dpdesk.cli.survey.records import estimate_records

    refuse_all_but(options, _TRAIT | {"a", "b"}, "beside --a and --b")
    return estimate_records(options, None)


def check_several(
    options: argparse.Namespace, counted: frozenset[str], in_file: frozenset[str]
) -> None:
    """Refuses options that mean nothing with a design of several answers or of numbers.

    Args:
        options: The options.
        counted: Options that say what was counted, where there is no file.
        in_file: Further options of a file.
    """
    if options.data is None:
        refuse_all_but(options, _DEVICE | counted | {"confidence"}, "without a file of answers")
        return
    # These have sentences of their own.
    named = {"formula", "group", "a", "b", "direct", "anchor"}
    refuse_all_but(options, _DEVICE | _FILE | in_file | named, "with a file of these answers")


def _contrast(
    direct_counts: str, found: SurveyEstimate, respondents: int, confidence: float
) -> Contrast | None:
    """The device against direct questions to another, independent group; None without counts."""
    if not direct_counts:
        return None
    (count,) = parse_counts(direct_counts, 1)
    asked = ((found, respondents), (Direct().estimate([count]), count.respondents))
    randomized, direct = (
        ScoreMean(each.estimate, each.standard_error, each.lower, each.upper, people)
        for each, people in asked
    )
    return contrast_of(randomized, direct, confidence=confidence)


def contrast_entry(contrast: Contrast) -> dict[str, object]:
    """Returns a contrast as it stands in JSON."""
    return {
        "randomized": mean_entry(contrast.randomized),
        "direct": mean_entry(contrast.direct),
        "difference": mean_entry(contrast.difference),
        "p_value": contrast.p_value,
    }


def mean_entry(mean: ScoreMean) -> dict[str, object]:
    """Returns an estimate as it stands in JSON."""
    return {
        "estimate": mean.estimate,
        "se": mean.standard_error,
        "interval": [mean.lower, mean.upper],
        "df": mean.freedom,
        "n": mean.respondents,
    }


def contrast_lines(contrast: Contrast, confidence: float) -> Iterator[str]:
    """Yields the device against direct questions, as lines."""
    percent = f"{100 * confidence:g} %"
    yield f"asked with the device: {mean_words(contrast.randomized, confidence)}"
    yield f"asked directly: {mean_words(contrast.direct, confidence)}"
    gap = contrast.difference
    chance = "" if contrast.p_value is None else f", p = {contrast.p_value:.4g}"
    yield (
        f"device less direct: {100 * gap.estimate:.2f} pp, error {100 * gap.standard_error:.2f} "
        f"pp, {percent} interval {100 * gap.lower:.2f} to {100 * gap.upper:.2f} pp{chance}"
    )


def mean_words(mean: ScoreMean, confidence: float) -> str:
    """Returns a share with its error and its interval in words."""
    return (
        f"{100 * mean.estimate:.2f} %, error {100 * mean.standard_error:.2f} pp, "
        f"{100 * confidence:g} % interval {100 * mean.lower:.2f} % to {100 * mean.upper:.2f} %"
    )


def adherence_lines(found: Adherence) -> list[str]:
    """Returns in words whether respondents follow the instruction."""
    law, freedom = "z", ""
    if found.freedom is not None:
        law, freedom = "t", f" with {found.freedom:,} degrees of freedom"
    return [
        f"adherence: {found.title} {100 * found.value:.2f} %, expected {100 * found.expected:g} %; "
        f"{law} = {found.statistic:.3f}{freedom}, p = {found.p_value:.4g}"
    ]


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
