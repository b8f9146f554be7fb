"""`dpdesk survey estimate DATA` for designs of several answers and of numbers."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from dpdesk.cli.survey.records import (
    sample_entry,
    sample_lines,
    sample_of,
    texts_of,
)
from dpdesk.cli.survey.results import mean_entry
from dpdesk.cli.terminal import plain
from dpdesk.data.read_delimited import load
from dpdesk.designs.matrix_categories import CategoryDesign
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.sample_design import ScoreMean
from dpdesk.engine.collected import write_scores
from dpdesk.errors import ParameterError
from dpdesk.estimate.categories_and_numbers import CategoryAnswers, NumberAnswers

Found = tuple[dict[str, object], list[str]]


def category_records(
    options: argparse.Namespace, design: CategoryDesign, confidence: float
) -> Found:
    """Returns the shares of the answers of all respondents and of groups, as JSON and lines."""
    answers = CategoryAnswers(
        load(options.data),
        design,
        _answer(options),
        texts_of(options.categories),
        sample_of(options),
        texts_of(options.missing),
    )
    content: dict[str, object] = {
        "missing": answers.missing,
        "sample": sample_entry(answers.sample),
    }
    lines = [*sample_lines(answers.sample)]
    percent = f"{100 * confidence:g} %"

    def told(means: Iterable[ScoreMean], where: str) -> list[dict[str, object]]:
        entries = []
        for name, mean in zip(answers.categories, means, strict=True):
            entries.append({"answer": name} | mean_entry(mean))
            lines.append(
                f"{where}{plain(name)}: {100 * mean.estimate:.2f} %, error "
                f"{100 * mean.standard_error:.2f} pp, {percent} interval "
                f"{100 * mean.lower:.2f} % to {100 * mean.upper:.2f} %"
            )
        return entries

    content["shares"] = told(answers.overall(confidence), "")
    if options.by:
        content["groups"] = [
            {"group": group, "shares": told(means, f"{plain(group)}, ")}
            for group, means in answers.by(options.by, confidence)
        ]
    if options.scores is not None:
        heads = tuple(f"score of {name}" for name in answers.categories)
        write_scores(options.scores, heads, answers.scores, overwrite=options.overwrite)
    return content, lines


def number_records(options: argparse.Namespace, design: NumberDesign, confidence: float) -> Found:
    """Returns the means of all respondents and of groups, as JSON and lines."""
    answers = NumberAnswers(
        load(options.data), design, _answer(options), sample_of(options), texts_of(options.missing)
    )
    overall = answers.overall(confidence)
    groups = list(answers.by(options.by, confidence)) if options.by else []
    sample = sample_entry(answers.sample)
    content: dict[str, object] = {"missing": answers.missing, "sample": sample} | mean_entry(
        overall
    )
    if groups:
        content["groups"] = [{"group": name} | mean_entry(mean) for name, mean in groups]
    if options.scores is not None:
        scores = answers.scores[:, None]
        write_scores(options.scores, ("score",), scores, overwrite=options.overwrite)
    percent = f"{100 * confidence:g} %"
    lines = [
        *sample_lines(answers.sample),
        *(
            f"{plain(name)}: mean {mean.estimate:.6g}, error {mean.standard_error:.4g}, "
            f"{percent} interval {mean.lower:.6g} to {mean.upper:.6g} "
            f"({mean.respondents:,} respondents)"
            for name, mean in [("all respondents", overall), *groups]
        ),
    ]
    return content, lines


def _answer(options: argparse.Namespace) -> str:
    if options.answer is None:
        raise ParameterError(
            "A file of answers needs the column of the answers.", remedy="Add --answer COLUMN."
        )
    for name in ("formula", "group", "a", "b", "direct", "anchor"):
        if getattr(options, name):
            raise ParameterError(
                f"--{name} is for designs of one sensitive trait.", remedy="Leave it out."
            )
    return str(options.answer)
