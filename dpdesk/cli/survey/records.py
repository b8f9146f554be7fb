"""`dpdesk survey estimate DATA`: from answers of respondents, one row each."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from math import exp, isfinite

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.survey.design_choice import taken_lines
from dpdesk.cli.survey.results import (
    adherence_lines,
    contrast_entry,
    contrast_lines,
    mean_entry,
    mean_words,
)
from dpdesk.cli.terminal import plain, print_json
from dpdesk.data.read_delimited import load
from dpdesk.data.write_file import write_file
from dpdesk.designs import YesNoDesign, loss_of
from dpdesk.designs.inference import WaldTest
from dpdesk.designs.regression import SHARES, LogisticFit, PredictedShares
from dpdesk.designs.sample_design import ScoreMean
from dpdesk.engine import untracked
from dpdesk.engine.collected import (
    CollectedRequest,
    CollectedResult,
    analyse_collected,
    write_scores,
)
from dpdesk.errors import ParameterError
from dpdesk.estimate.answer_sample import SampleFacts
from dpdesk.estimate.survey_answers import DeviceColumns, SampleColumns
from dpdesk.numbers import p_value_words

_STEEPEST = 700.0
"""Largest log odds ratio whose exponential is a number."""


def estimate_records(options: argparse.Namespace, design: YesNoDesign | None) -> int:
    """Prints the estimates of all respondents, of groups, and the regression."""
    if options.answer is None:
        raise ParameterError(
            "A file of answers needs the column of the answers.", remedy="Add --answer COLUMN."
        )
    request = CollectedRequest(
        answer=options.answer,
        yes=options.yes,
        by=options.by or "",
        formula=options.formula or "",
        sample=sample_of(options),
        devices=DeviceColumns(
            options.group,
            texts_of(options.groups),
            options.a,
            options.b,
            *_direct(options.direct),
            options.anchor,
        ),
        confidence=options.confidence,
        missing=texts_of(options.missing),
    )
    found = analyse_collected(load(options.data), design, request, untracked())
    for refusal in found.refusals.values():
        raise refusal
    if options.scores is not None:
        scores = found.scores[:, None]
        write_scores(options.scores, ("score",), scores, overwrite=options.overwrite)
    if options.memo is not None:
        from dpdesk.report.survey.collected_memo import collected_memo_html

        memo = collected_memo_html(found, options.wording)
        write_file(options.memo, memo, overwrite=options.overwrite)
    if options.json:
        print_json(_content(found))
    else:
        for line in _lines(found):
            print(line)
    return ExitCode.OK


def sample_of(options: argparse.Namespace) -> SampleColumns:
    """Returns how respondents were drawn, as the words say.

    Raises:
        ParameterError: The population is not of a form that can be read.
    """
    columns = SampleColumns(
        options.weights, options.strata, options.clusters, lonely=options.lonely_psu
    )
    return columns.with_population(options.population)


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


def _content(found: CollectedResult) -> dict[str, object]:
    """What was found, as it stands in JSON."""
    # The largest loss of a respondent who used a device.
    epsilon = (
        found.largest_epsilon if found.design is None else loss_of(found.design.groups).epsilon
    )
    content: dict[str, object] = {
        "design": None if found.design is None else found.design.model_dump(mode="json"),
        "epsilon": epsilon if isfinite(epsilon) else None,
        "epsilon_infinite": not isfinite(epsilon),
        "sample": sample_entry(found.sample),
        "missing": found.missing,
        "asked_directly": found.asked_directly,
        **_share(found.overall),
    }
    if found.groups:
        content["groups"] = [{"group": name} | _share(mean) for name, mean in found.groups]
    if found.difference is not None:
        content |= _test(found.difference)
    if found.contrast is not None:
        content["contrast"] = contrast_entry(found.contrast)
    if found.adherence is not None:
        content["adherence"] = asdict(found.adherence)
    if found.fit is not None:
        content["regression"] = _regression(found.fit, found.request.confidence)
        content["predicted"] = [
            {
                "column": predicted.column,
                "shares": [{"group": name} | mean_entry(mean) for name, mean in predicted.shares],
                **({} if predicted.test is None else _test(predicted.test)),
            }
            for predicted in found.predicted
        ]
    return content


def sample_entry(facts: SampleFacts) -> dict[str, object]:
    """Returns the design of a sample as it stands in JSON."""
    return {
        "strata": facts.strata,
        "psus": facts.clusters,
        "df": facts.freedom,
        "lonely_strata": facts.lonely_strata,
        "lonely_psu": facts.lonely,
        "weights": facts.weights or None,
        "population": facts.population,
    }


def _share(mean: ScoreMean) -> dict[str, object]:
    """An estimated share, also moved between 0 and 1."""
    return mean_entry(mean) | {"truncated": min(max(mean.estimate, 0.0), 1.0)}


def _test(test: WaldTest) -> dict[str, object]:
    found: dict[str, object] = {"statistic": test.statistic, "df": test.freedom}
    if test.denominator is not None:
        found["denominator_df"] = test.denominator
    name = "chi_square" if test.denominator is None else "f_test"
    return {name: found | {"p_value": test.p_value}}


def _regression(fit: LogisticFit, confidence: float) -> dict[str, object]:
    share = fit.open_share
    opened = {} if share is None else {share.name: [share.value, share.standard_error]}
    return {
        "n": fit.respondents,
        "errors": "design-based" if fit.by_sample else "observed information",
        "df": fit.freedom,
        "further": {
            name: {"estimate": value, "se": error} for name, (value, error) in opened.items()
        },
        "log_likelihood": fit.log_likelihood,
        "gradient_norm": fit.gradient_norm,
        "terms": [
            {
                "term": row.name,
                "coefficient": row.value,
                "se": row.standard_error,
                "interval": [row.lower, row.upper],
                "p_value": row.p_value,
            }
            for row in fit.coefficient_rows(confidence)
        ],
        "tests": [
            {"term": name, **({} if test is None else _test(test))}
            for name, test in fit.term_tests()
        ],
    }


def _lines(found: CollectedResult) -> Iterator[str]:
    """What was found, as lines."""
    confidence = found.request.confidence
    if found.design is not None:
        yield from taken_lines(found.design)
    if found.missing:
        yield f"{found.missing:,} respondents without an answer are left out"
    if found.asked_directly:
        yield f"{found.asked_directly:,} respondents were asked directly"
    yield from sample_lines(found.sample)
    for name, mean in [("all respondents", found.overall), *found.groups]:
        yield f"{plain(name)}: {mean_words(mean, confidence)} ({mean.respondents:,} respondents)"
        if not 0 <= mean.estimate <= 1:
            yield f"  moved into the possible range: {100 * (mean.estimate > 1):.2f} %"
    if found.difference is not None:
        yield f"difference of groups: {found.difference.sentence}"
    elif len(found.groups) > 1:
        yield "difference of groups: no test, the errors do not allow one for as many groups"
    if found.contrast is not None:
        yield from contrast_lines(found.contrast, confidence)
    if found.fit is not None:
        yield from _fit_lines(found.fit, found.request.confidence)
    for predicted in found.predicted:
        yield from _predicted_lines(predicted, confidence)
    if found.adherence is not None:
        yield from adherence_lines(found.adherence)


def sample_lines(facts: SampleFacts) -> Iterator[str]:
    """Yields the design of a sample in words; nothing for a simple random sample."""
    if facts.sentence:
        yield f"sample: {plain(facts.sentence)}"


def _fit_lines(fit: LogisticFit, confidence: float) -> Iterator[str]:
    errors = "errors by the sample's design" if fit.by_sample else ""
    freedom = "" if fit.freedom is None else f", {fit.freedom:,} degrees of freedom"
    told = f"; {errors}{freedom}" if errors else ""
    yield f"logistic regression, {fit.respondents:,} complete respondents{told}:"
    percent = f"{100 * confidence:g} %"
    for row in fit.coefficient_rows(confidence):
        yield (
            f"  {plain(row.name)}: {row.value:.5g} (error {row.standard_error:.4g}, {percent} "
            f"interval {row.lower:.5g} to {row.upper:.5g}, "
            f"{p_value_words(row.p_value)}), odds ratio {_odds(row.value)}"
        )
    for name, test in fit.term_tests():
        yield f"  {plain(name)}, all together: {'no test' if test is None else test.sentence}"
    share = fit.open_share
    if share is not None:
        told = "at its bound" if share.standard_error is None else ""
        told = told or f"error {100 * (share.standard_error or 0.0):.2f} pp"
        yield f"  {SHARES[share.name]}: {100 * share.value:.2f} % ({told})"


def _predicted_lines(predicted: PredictedShares, confidence: float) -> Iterator[str]:
    yield f"predicted shares if all respondents were of a group of {plain(predicted.column)}:"
    for name, mean in predicted.shares:
        yield f"  {plain(name)}: {mean_words(mean, confidence)}"
    if predicted.test is not None:
        yield f"  difference: {predicted.test.sentence}"


def _odds(log_ratio: float) -> str:
    return f"{exp(log_ratio):.4g}" if log_ratio < _STEEPEST else "beyond all numbers"
