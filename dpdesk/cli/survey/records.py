"""`dpdesk survey estimate DATA`: from answers of respondents, one row each."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from math import exp, isfinite
from pathlib import Path

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.plain import plain
from dpdesk.cli.survey.estimate import adherence_lines
from dpdesk.data.read_delimited import load
from dpdesk.data.whole_file import name_of
from dpdesk.data.write_csv import write_table_csv
from dpdesk.designs import Design, loss_of
from dpdesk.designs.regression import SHARES, LogisticFit
from dpdesk.designs.scores import ScoreMean
from dpdesk.errors import ParameterError, ReleaseError
from dpdesk.estimate.answer_sample import Floats
from dpdesk.estimate.survey_answers import DeviceColumns, SampleColumns, SurveyAnswers

_STEEPEST = 700.0
"""Largest log odds ratio whose exponential is a number."""


def estimate_records(options: argparse.Namespace, design: Design | None) -> int:
    """Prints the estimates of all respondents, of groups, and the regression."""
    if options.answer is None:
        raise ParameterError(
            "A file of answers needs the column of the answers.", remedy="Add --answer COLUMN."
        )
    sample = SampleColumns(options.weights, options.strata, options.clusters, options.population)
    devices = DeviceColumns(
        options.group,
        texts_of(options.groups),
        options.a,
        options.b,
        *_direct(options.direct),
        options.anchor,
    )
    table, missing = load(options.data), texts_of(options.missing)
    answers = SurveyAnswers(table, design, options.answer, options.yes, sample, devices, missing)
    overall = answers.overall(options.confidence)
    groups = list(answers.by(options.by, options.confidence)) if options.by else []
    fit = answers.regression(options.formula) if options.formula else None
    if options.scores is not None:
        write_scores(options.scores, ("score",), answers.scores[:, None])
    epsilon = _epsilon(design, answers)
    content: dict[str, object] = {
        "design": None if design is None else design.model_dump(mode="json"),
        "epsilon": epsilon if isfinite(epsilon) else None,
        "epsilon_infinite": not isfinite(epsilon),
        "missing": answers.missing,
        "asked_directly": answers.asked_directly,
        **_share(overall),
    }
    if groups:
        content["groups"] = [{"group": name} | _share(mean) for name, mean in groups]
    difference = answers.difference(options.by, options.confidence) if groups else None
    if difference is not None:
        statistic, freedom, chance = difference
        content["chi_square"] = {"statistic": statistic, "df": freedom, "p_value": chance}
    adherence = answers.adherence()
    if adherence is not None:
        content["adherence"] = asdict(adherence)
    if fit is not None:
        content["regression"] = _regression(fit)
    if options.json:
        print(json.dumps(content, indent=2, allow_nan=False))
    else:
        _print(overall, groups, fit, content)
        for line in [] if adherence is None else adherence_lines(adherence):
            print(line)
    return ExitCode.OK


def texts_of(text: str) -> tuple[str, ...]:
    """Returns the texts between commas; none of an empty one."""
    return tuple(part.strip() for part in text.split(",")) if text else ()


def _direct(text: str) -> tuple[str, str]:
    column, equals, direct = text.rpartition("=")
    if text and not equals:
        raise ParameterError(
            "--direct names no column with a text.", remedy="Write --direct COLUMN=TEXT."
        )
    return column.strip(), direct.strip()


def _epsilon(design: Design | None, answers: SurveyAnswers) -> float:
    """The largest loss of a respondent who used a device."""
    if design is not None:
        return loss_of(design.groups).epsilon
    return answers.largest_epsilon


def entry(mean: ScoreMean) -> dict[str, object]:
    """Returns an estimate as it stands in JSON."""
    entry = asdict(mean)
    return {
        "estimate": entry["estimate"],
        "se": entry["standard_error"],
        "interval": [entry["lower"], entry["upper"]],
        "n": entry["respondents"],
    }


def _share(mean: ScoreMean) -> dict[str, object]:
    """An estimated share, also moved between 0 and 1."""
    return entry(mean) | {"truncated": min(max(mean.estimate, 0.0), 1.0)}


def _regression(fit: LogisticFit) -> dict[str, object]:
    share = fit.open_share
    opened = {} if share is None else {share.name: [share.value, share.standard_error]}
    return {
        "n": fit.respondents,
        "errors": "design-based" if fit.by_sample else "observed information",
        "further": {
            name: {"estimate": value, "se": error} for name, (value, error) in opened.items()
        },
        "log_likelihood": fit.log_likelihood,
        "gradient_norm": fit.gradient_norm,
        "terms": [
            {"term": name, "coefficient": value, "se": error}
            for name, value, error in zip(
                fit.names, fit.coefficients.tolist(), fit.standard_errors.tolist(), strict=True
            )
        ],
    }


def write_scores(path: Path, heads: tuple[str, ...], scores: Floats) -> None:
    """Writes the scores of each respondent, empty cells without an answer.

    Args:
        path: The file.
        heads: Names of the scores.
        scores: NaN without an answer, shape (n, scores).

    Raises:
        ReleaseError: The file cannot be written.
    """
    listed: list[list[float]] = scores.tolist()
    rows = ((i, *(None if x != x else x for x in row)) for i, row in enumerate(listed, 1))
    try:
        write_table_csv(path, ("row", *heads), rows)
    except OSError as error:
        raise ReleaseError(
            f"{name_of(path)} cannot be written: {error.strerror}.",
            remedy="Choose another place.",
        ) from None


def _print(
    overall: ScoreMean,
    groups: list[tuple[str, ScoreMean]],
    fit: LogisticFit | None,
    content: dict[str, object],
) -> None:
    if content["missing"]:
        print(f"{content['missing']:,} respondents without an answer are left out")
    if content["asked_directly"]:
        print(f"{content['asked_directly']:,} respondents were asked directly")
    for name, mean in [("all respondents", overall), *groups]:
        ends = f"{100 * mean.lower:.2f} % to {100 * mean.upper:.2f} %"
        print(
            f"{plain(name)}: {100 * mean.estimate:.2f} %, error "
            f"{100 * mean.standard_error:.2f} pp, interval {ends} ({mean.respondents:,} "
            "respondents)"
        )
        if not 0 <= mean.estimate <= 1:
            print(f"  moved into the possible range: {100 * (mean.estimate > 1):.2f} %")
    found = content.get("chi_square")
    if isinstance(found, dict):
        print(
            f"difference of groups: chi-square {found['statistic']:.3f} with {found['df']} degrees "
            f"of freedom, p = {found['p_value']:.4g}"
        )
    if fit is not None:
        print(f"logistic regression, {fit.respondents:,} complete respondents:")
        for name, value, error in zip(
            fit.names, fit.coefficients.tolist(), fit.standard_errors.tolist(), strict=True
        ):
            print(f"  {plain(name)}: {value:.5g} (error {error:.4g}), odds ratio {_odds(value)}")
        share = fit.open_share
        if share is not None:
            told = "at its bound" if share.standard_error is None else ""
            told = told or f"error {100 * (share.standard_error or 0.0):.2f} pp"
            print(f"  {SHARES[share.name]}: {100 * share.value:.2f} % ({told})")


def _odds(log_ratio: float) -> str:
    return f"{exp(log_ratio):.4g}" if log_ratio < _STEEPEST else "beyond all numbers"
