"""`dpdesk survey estimate` for designs of several answers and of numbers."""

from __future__ import annotations

import argparse
from math import isfinite

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.survey.design_choice import any_design_of, taken_lines
from dpdesk.cli.survey.options import check_several
from dpdesk.cli.survey.results import loss_lines
from dpdesk.cli.terminal import print_json
from dpdesk.designs.matrix_categories import CategoryDesign
from dpdesk.designs.number_design import NumberDesign
from dpdesk.errors import InputError, ParameterError
from dpdesk.numbers import whole_number


def estimate_further(options: argparse.Namespace, confidence: float) -> int:
    """Prints the shares of several answers, or the mean of a number, with their errors."""
    design = any_design_of(options)
    if (number := design.as_mean) is not None:
        counted = frozenset({"mean", "variance", "respondents"})
        check_several(options, counted, frozenset())
        content, lines = _number(options, number, confidence)
    elif (several := design.as_shares) is not None and (matrix := several.as_matrix) is not None:
        check_several(options, frozenset({"answers"}), frozenset({"categories"}))
        content, lines = _categories(options, matrix, confidence)
    else:
        raise TypeError(f"no estimate of {design.kind}")
    content = {"design": design.model_dump(mode="json")} | content
    if options.json:
        print_json(content)
    else:
        print(f"{design.title}:")
        for line in [*taken_lines(design), *lines, design.caution]:
            print(f"  {line}" if line else "", end="\n" if line else "")
    return ExitCode.OK


def _categories(
    options: argparse.Namespace, design: CategoryDesign, confidence: float
) -> tuple[dict[str, object], list[str]]:
    if options.data is not None:
        from dpdesk.cli.survey.further_records import category_records

        content, lines = category_records(options, design, confidence)
        loss = design.loss
        return content | _epsilon(loss.epsilon), [*lines, *loss_lines(loss)]
    if options.answers is None:
        raise ParameterError(
            "There is nothing to estimate from.",
            remedy="Give --answers N1,N2,…: the number of respondents of each answer; or a file "
            "with --answer COLUMN.",
        )
    found = design.estimate(_numbers(options.answers), confidence)
    loss = design.loss
    entries = [
        {
            "estimate": share,
            "se": error,
            "truncated": possible,
            "sampling_error": sampling,
            "privacy_error": privacy,
            "interval": [low, high],
        }
        for share, error, possible, sampling, privacy, low, high in zip(
            found.shares.tolist(),
            found.standard_errors.tolist(),
            found.truncated.tolist(),
            found.sampling_errors.tolist(),
            found.privacy_errors.tolist(),
            found.lower.tolist(),
            found.upper.tolist(),
            strict=True,
        )
    ]
    content = {
        "shares": entries,
        "covariance": found.covariance.tolist(),
    }
    percent = f"{100 * confidence:g} %"
    lines = [
        f"answer {number}: {100 * share:.2f} %, error {100 * error:.2f} pp, {percent} interval "
        f"{100 * low:.2f} % to {100 * high:.2f} %"
        for number, (share, error, low, high) in enumerate(
            zip(found.shares, found.standard_errors, found.lower, found.upper, strict=True), 1
        )
    ]
    return content | _epsilon(loss.epsilon), [*lines, *loss_lines(loss)]


def _number(
    options: argparse.Namespace, design: NumberDesign, confidence: float
) -> tuple[dict[str, object], list[str]]:
    if options.data is not None:
        from dpdesk.cli.survey.further_records import number_records

        content, lines = number_records(options, design, confidence)
        loss = design.loss
        return content | _epsilon(loss.epsilon) | {"delta": loss.delta}, [*lines, loss.sentence]
    if options.mean is None or options.variance is None or options.respondents is None:
        raise ParameterError(
            "There is nothing to estimate from.",
            remedy="Give --mean, --variance and --respondents of what was said; or a file with "
            "--answer COLUMN.",
        )
    found = design.estimate(options.mean, options.variance, options.respondents, confidence)
    loss = design.loss
    content = {
        "estimate": found.estimate,
        "se": found.standard_error,
        "sampling_error": found.sampling_error,
        "privacy_error": found.privacy_error,
        "interval": [found.lower, found.upper],
        "standard_deviation": found.spread,
        "delta": loss.delta,
    }
    lines = [
        f"mean of the true answers {found.estimate:.6g}, error {found.standard_error:.4g}",
        f"{100 * confidence:g} % interval {found.lower:.6g} to {found.upper:.6g}",
        f"standard deviation of the true answers {found.spread:.4g}",
        loss.sentence,
    ]
    return content | _epsilon(loss.epsilon), lines


def _epsilon(epsilon: float) -> dict[str, object]:
    known = isfinite(epsilon)
    return {"epsilon": epsilon if known else None, "epsilon_infinite": not known}


def _numbers(text: str) -> list[int]:
    numbers = [whole_number(part.strip()) for part in text.split(",")]
    counts = [number for number in numbers if number is not None and 0 <= number < 10**15]
    if len(counts) < len(numbers):
        raise InputError(
            "The numbers of respondents are not whole numbers.",
            remedy="Write one for each answer with commas between them, such as 120,45,30.",
        )
    return counts
