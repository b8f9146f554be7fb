"""`dpdesk survey estimate DATA`: from answers of respondents, one row each."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import asdict
from math import exp

from dpdesk.cli.options import refuse_all_but, refuse_ignored
from dpdesk.cli.survey.design_choice import taken_lines
from dpdesk.cli.survey.options import DEVICE, FILE
from dpdesk.cli.survey.results import (
    Output,
    adherence_lines,
    contrast_entry,
    contrast_lines,
    epsilon_entry,
    mean_entry,
    mean_misfit,
    mean_output,
    mean_words,
    share_misfit,
    shares_output,
)
from dpdesk.cli.terminal import plain
from dpdesk.data.read_file import load
from dpdesk.data.write_file import write_file
from dpdesk.designs import YesNoDesign
from dpdesk.designs.inference import WaldTest
from dpdesk.designs.matrix_categories import CategoryDesign
from dpdesk.designs.number_design import NumberDesign
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
from dpdesk.estimation.answer_sample import SampleFacts
from dpdesk.estimation.scored_answers import ScoredAnswers, category_answers, number_answers
from dpdesk.estimation.survey_answers import DeviceColumns, SampleColumns
from dpdesk.numbers import degrees_words, p_value_words
from dpdesk.numbers.arrays import Floats

_TRAIT = FILE | {"yes", "formula", "direct", "memo", "wording", "paper"}
"""Options of a file of answers about one trait."""
_ALONE = ("formula", "group", "a", "b", "direct", "anchor")
"""Those that other designs refuse by a sentence of their own."""
_STEEPEST = 700.0
"""Largest log odds ratio whose exponential is a number."""


def share(options: argparse.Namespace, design: YesNoDesign) -> Output:
    """Returns the shares of carriers of all respondents and of groups, and the regression.

    Raises:
        DpdeskError: The answers, the devices or the sample are not as the words say.
    """
    used = DEVICE | _TRAIT
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
    return _of_trait(options, design)


def share_by_chances(options: argparse.Namespace) -> Output:
    """Returns the same where each respondent has chances of their own in place of a design.

    Raises:
        DpdeskError: The answers, the chances or the sample are not as the words say.
    """
    refuse_all_but(options, _TRAIT | {"a", "b"}, "beside --a and --b")
    return _of_trait(options, None)


def _of_trait(options: argparse.Namespace, design: YesNoDesign | None) -> Output:
    request = CollectedRequest(
        answer=_column(options),
        yes=options.yes,
        by=options.by or "",
        formula=options.formula or "",
        sample=_sample(options),
        devices=DeviceColumns(
            options.group,
            _texts(options.groups),
            options.a,
            options.b,
            *_direct(options.direct),
            options.anchor,
        ),
        confidence=options.confidence,
        missing=_texts(options.missing),
    )
    found = analyse_collected(load(options.data), design, request, untracked())
    for refusal in found.refusals.values():
        raise refusal
    _write_scores(options, ("score",), found.scores[:, None])
    if options.memo is not None:
        from dpdesk.report.pdf import content_for
        from dpdesk.report.survey.collected_memo import collected_memo_html

        memo = collected_memo_html(found, options.wording)
        written = content_for(options.memo, memo, options.paper)
        write_file(options.memo, written, overwrite=options.overwrite)
    return Output(_content(found), _lines(found))


def shares(options: argparse.Namespace, design: CategoryDesign) -> Output:
    """Returns the shares of several answers, of all respondents and of groups.

    Raises:
        DpdeskError: The answers or the sample are not as the words say.
    """
    answers = category_answers(
        load(options.data),
        design,
        _column_alone(options, {"categories"}),
        _texts(options.categories),
        _sample(options),
        _texts(options.missing),
    )

    def entry(means: tuple[ScoreMean, ...]) -> dict[str, object]:
        named = zip(answers.names, means, strict=True)
        return {"shares": [{"answer": name} | mean_entry(mean) for name, mean in named]}

    def words(group: str, means: tuple[ScoreMean, ...]) -> Iterator[str]:
        where = f"{plain(group)}, " if group else ""
        for name, mean in zip(answers.names, means, strict=True):
            yield f"{where}{plain(name)}: {mean_words(mean, options.confidence)}"
            yield from share_misfit((mean.lower, mean.upper), options.confidence)

    return shares_output(design, *_scored(options, answers, entry, words))


def mean(options: argparse.Namespace, design: NumberDesign) -> Output:
    """Returns the mean of a number, of all respondents and of groups.

    Raises:
        DpdeskError: The answers or the sample are not as the words say.
    """
    table, column = load(options.data), _column_alone(options)
    answers = number_answers(table, design, column, _sample(options), _texts(options.missing))

    def words(group: str, means: tuple[ScoreMean, ...]) -> Iterator[str]:
        (mean,) = means
        yield (
            f"{plain(group) or 'all respondents'}: mean {mean.estimate:.6g}, standard error "
            f"{mean.standard_error:.4g}, {100 * options.confidence:g} % interval {mean.lower:.6g} "
            f"to {mean.upper:.6g} ({mean.respondents:,} respondents)"
        )
        yield from mean_misfit((mean.lower, mean.upper), options.confidence, design)

    found = _scored(options, answers, lambda means: mean_entry(*means), words)
    return mean_output(design, *found)


def _scored(
    options: argparse.Namespace,
    answers: ScoredAnswers,
    entry: Callable[[tuple[ScoreMean, ...]], dict[str, object]],
    words: Callable[[str, tuple[ScoreMean, ...]], Iterable[str]],
) -> Output:
    """Tells what scores say of all respondents and of groups, and writes them.

    Args:
        options: The words of `dpdesk survey estimate`.
        answers: The answers.
        entry: The estimates of some respondents as they stand in JSON.
        words: The same as lines; the group is empty for all respondents.
    """
    overall = answers.overall(options.confidence)
    groups = list(answers.by(options.by, options.confidence)) if options.by else []
    content: dict[str, object] = {
        "missing": answers.missing,
        "sample": _sample_entry(answers.sample),
        **entry(overall),
    }
    # A mean has no list of groups where nobody is in one.
    if groups or (options.by and answers.names):
        content["groups"] = [{"group": name} | entry(means) for name, means in groups]
    heads = tuple(f"score of {name}" for name in answers.names) or ("score",)
    _write_scores(options, heads, answers.scores)
    lines = [line for name, means in [("", overall), *groups] for line in words(name, means)]
    return Output(content, [*_sample_lines(answers.sample), *lines])


def _write_scores(options: argparse.Namespace, heads: tuple[str, ...], scores: Floats) -> None:
    if options.scores is not None:
        write_scores(options.scores, heads, scores, overwrite=options.overwrite)


def _column(options: argparse.Namespace) -> str:
    """The column of the answers."""
    if options.answer is None:
        raise ParameterError(
            "A file of answers needs the column of the answers.", remedy="Add --answer COLUMN."
        )
    return str(options.answer)


def _column_alone(options: argparse.Namespace, own: Set[str] = frozenset()) -> str:
    """The column of the answers, of a question that no other column belongs to."""
    # These have sentences of their own.
    used = DEVICE | FILE | own | {*_ALONE}
    refuse_all_but(options, used, "with a file of these answers")
    column = _column(options)
    for name in _ALONE:
        if getattr(options, name):
            raise ParameterError(
                f"--{name} is for designs of one sensitive trait.", remedy="Leave it out."
            )
    return column


def _sample(options: argparse.Namespace) -> SampleColumns:
    """How respondents were drawn, as the words say."""
    columns = SampleColumns(
        options.weights, options.strata, options.clusters, lonely=options.lonely_psu
    )
    return columns.with_population(options.population)


def _texts(text: str) -> tuple[str, ...]:
    """The texts between commas; none of an empty one."""
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
    content: dict[str, object] = {
        "design": None if found.design is None else found.design.model_dump(mode="json"),
        **epsilon_entry(found.epsilon),
        "sample": _sample_entry(found.sample),
        "missing": found.missing,
        "asked_directly": found.asked_directly,
        **_share_entry(found.overall),
    }
    if found.groups:
        content["groups"] = [{"group": name} | _share_entry(mean) for name, mean in found.groups]
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


def _sample_entry(facts: SampleFacts) -> dict[str, object]:
    """The design of a sample as it stands in JSON."""
    return {
        "strata": facts.strata,
        "psus": facts.clusters,
        "df": facts.freedom,
        "lonely_strata": facts.lonely_strata,
        "lonely_psu": facts.lonely,
        "weights": facts.weights or None,
        "population": facts.population,
    }


def _share_entry(mean: ScoreMean) -> dict[str, object]:
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
        yield (
            f"{found.missing:,} respondents without an answer (an empty cell, NA, NaN or a code "
            "that you named) are left out"
        )
    if found.asked_directly:
        yield f"{found.asked_directly:,} respondents were asked directly"
    yield from _sample_lines(found.sample)
    for name, mean in [("all respondents", found.overall), *found.groups]:
        yield f"{plain(name)}: {mean_words(mean, confidence)} ({mean.respondents:,} respondents)"
        if not 0 <= mean.estimate <= 1:
            yield f"  moved into the possible range: {100 * (mean.estimate > 1):.2f} %"
        yield from share_misfit((mean.lower, mean.upper), confidence, found.design)
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


def _sample_lines(facts: SampleFacts) -> Iterator[str]:
    """The design of a sample in words; nothing for a simple random sample."""
    if facts.sentence:
        yield f"sample: {plain(facts.sentence)}"


def _fit_lines(fit: LogisticFit, confidence: float) -> Iterator[str]:
    errors = "standard errors by the sample's design" if fit.by_sample else ""
    freedom = "" if fit.freedom is None else f", {degrees_words(fit.freedom)}"
    told = f"; {errors}{freedom}" if errors else ""
    yield f"logistic regression, {fit.respondents:,} complete respondents{told}:"
    percent = f"{100 * confidence:g} %"
    for row in fit.coefficient_rows(confidence):
        yield (
            f"  {plain(row.name)}: {row.value:.5g} (standard error {row.standard_error:.4g}, "
            f"{percent} interval {row.lower:.5g} to {row.upper:.5g}, "
            f"{p_value_words(row.p_value)}), odds ratio {_odds(row.value)}"
        )
    for name, test in fit.term_tests():
        yield f"  {plain(name)}, all together: {'no test' if test is None else test.sentence}"
    share = fit.open_share
    if share is not None:
        told = "at its bound" if share.standard_error is None else ""
        told = told or f"standard error {100 * (share.standard_error or 0.0):.2f} pp"
        yield f"  {SHARES[share.name]}: {100 * share.value:.2f} % ({told})"


def _predicted_lines(predicted: PredictedShares, confidence: float) -> Iterator[str]:
    yield f"predicted shares if all respondents were of a group of {plain(predicted.column)}:"
    for name, mean in predicted.shares:
        yield f"  {plain(name)}: {mean_words(mean, confidence)}"
    if predicted.test is not None:
        yield f"  difference: {predicted.test.sentence}"


def _odds(log_ratio: float) -> str:
    return f"{exp(log_ratio):.4g}" if log_ratio < _STEEPEST else "beyond all numbers"
