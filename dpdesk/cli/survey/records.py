"""`dpdesk survey estimate DATA`: from answers of respondents, one row each."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import asdict
from math import exp

from dpdesk.cli.options import refuse_all_but, refuse_ignored
from dpdesk.cli.survey.options import DEVICE, FILE
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
    mean_facts,
    mean_misfit,
    mean_output,
    percent,
    share_misfit,
    shares_output,
)
from dpdesk.cli.survey.texts import T
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
from dpdesk.facts import Fact, Facts, several
from dpdesk.numbers import p_value_text
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.digits import points_text

_TRAIT = FILE | {"yes", "formula", "direct", "memo", "wording", "paper"}
"""Options of a file of answers about one trait."""
_ALONE = ("formula", "group", "a", "b", "direct", "anchor")
"""Those that other designs refuse by a sentence of their own."""
_SCORE, _SCORE_OF = "score", "score of "
"""Heads of scores in their file."""
_STEEPEST = 700.0
"""Largest log odds ratio whose exponential is a number."""


def share(options: argparse.Namespace, design: YesNoDesign) -> Output:
    """Returns the shares of carriers of all respondents and of groups, and the regression."""
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
    """Returns the same where each respondent has chances of their own in place of a design."""
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
    _write_scores(options, (_SCORE,), found.scores[:, None])
    if options.memo is not None:
        from dpdesk.reports.pdf import content_for
        from dpdesk.reports.survey.collected_memo import collected_memo_html

        memo = collected_memo_html(found, options.wording)
        written = content_for(options.memo, memo, options.paper)
        write_file(options.memo, written, overwrite=options.overwrite)
    notes = [*_sample_notes(found), *_misfits(found)]
    facts = _facts(found)
    if found.design is not None:
        return estimate_output(found.design, facts, notes)
    return Output(Facts.of(Fact("design", None), *facts), notes=notes)


def shares(options: argparse.Namespace, design: CategoryDesign) -> Output:
    """Returns the shares of several answers, of all respondents and of groups."""
    answers = category_answers(
        load(options.data),
        design,
        _column_alone(options, {"categories"}),
        _texts(options.categories),
        _sample(options),
        _texts(options.missing),
    )

    level = options.confidence

    def facts(means: tuple[ScoreMean, ...]) -> tuple[Fact, ...]:
        rows = several(
            Facts.of(Fact("answer", name, T.ANSWER()), *mean_facts(mean, level))
            for name, mean in zip(answers.names, means, strict=True)
        )
        return (Fact("shares", rows, T.SHARES()),)

    def misfits(means: tuple[ScoreMean, ...]) -> Iterator[str]:
        for mean in means:
            yield from share_misfit((mean.lower, mean.upper), level)

    return shares_output(design, *_scored(options, answers, facts, misfits))


def mean(options: argparse.Namespace, design: NumberDesign) -> Output:
    """Returns the mean of a number, of all respondents and of groups."""
    table, column = load(options.data), _column_alone(options)
    answers = number_answers(table, design, column, _sample(options), _texts(options.missing))

    level = options.confidence

    def facts(means: tuple[ScoreMean, ...]) -> tuple[Fact, ...]:
        return mean_facts(means[0], level, digits(6), digits(4))

    def misfits(means: tuple[ScoreMean, ...]) -> list[str]:
        return mean_misfit((means[0].lower, means[0].upper), level, design)

    return mean_output(design, *_scored(options, answers, facts, misfits))


def _scored(
    options: argparse.Namespace,
    answers: ScoredAnswers,
    facts: Callable[[tuple[ScoreMean, ...]], tuple[Fact, ...]],
    misfits: Callable[[tuple[ScoreMean, ...]], Iterable[str]],
) -> tuple[list[Fact], list[str]]:
    """Returns what scores show of all respondents and of groups, and writes the scores.

    Args:
        options: The words of `dpdesk survey estimate`.
        answers: The answers.
        facts: The estimates of some respondents.
        misfits: Sentences on impossible ones.
    """
    overall = answers.overall(options.confidence)
    groups = list(answers.by(options.by, options.confidence)) if options.by else []
    found = [Fact("missing", answers.missing), _sample_fact(answers.sample), *facts(overall)]
    # A mean has no list of groups where nobody is in one.
    if groups or (options.by and answers.names):
        named = [Facts.of(Fact("group", name), *facts(means)) for name, means in groups]
        found.append(Fact("groups", named))
        found += [Fact("", own, T.IN_GROUP(name=own["group"].value)) for own in named]
    heads = tuple(_SCORE_OF + name for name in answers.names) or (_SCORE,)
    _write_scores(options, heads, answers.scores)
    return found, [
        note for means in (overall, *(own for _, own in groups)) for note in misfits(means)
    ]


def _write_scores(options: argparse.Namespace, heads: tuple[str, ...], scores: Floats) -> None:
    if options.scores is not None:
        write_scores(options.scores, heads, scores, overwrite=options.overwrite)


def _column(options: argparse.Namespace) -> str:
    """The column of the answers."""
    if options.answer is None:
        raise ParameterError(T.NO_COLUMN())
    return str(options.answer)


def _column_alone(options: argparse.Namespace, own: Set[str] = frozenset()) -> str:
    """The column of the answers, of a question that no other column belongs to."""
    # These have sentences of their own.
    used = DEVICE | FILE | own | {*_ALONE}
    refuse_all_but(options, used, "with a file of these answers")
    column = _column(options)
    for name in _ALONE:
        if getattr(options, name):
            raise ParameterError(T.FOR_A_TRAIT(option=f"--{name}"))
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
        raise ParameterError(T.BAD_DIRECT())
    return column.strip(), direct.strip()


def _facts(found: CollectedResult) -> list[Fact]:
    """What was found of one sensitive trait, below the design."""
    level = found.request.confidence
    facts = [
        *epsilon_facts(found.epsilon),
        _sample_fact(found.sample),
        Fact("missing", found.missing),
        Fact("asked_directly", found.asked_directly),
        *_share_facts(found.overall, level),
    ]
    if found.groups:
        rows = (
            Facts.of(Fact("group", name, T.GROUP()), *_share_facts(mean, level))
            for name, mean in found.groups
        )
        facts.append(Fact("groups", several(rows), T.GROUPS()))
    if found.difference is not None:
        facts.append(_test_fact(found.difference))
    if found.contrast is not None:
        facts.append(contrast_fact(found.contrast, level))
    if found.adherence is not None:
        facts.append(Fact("adherence", asdict(found.adherence)))
    if found.fit is not None:
        facts.append(Fact("regression", _regression(found.fit, level), T.REGRESSION()))
        predicted = [_predicted(each, level) for each in found.predicted]
        facts.append(Fact("predicted", predicted))
        facts += [Fact("", own, T.PREDICTED(name=own["column"].value)) for own in predicted]
    return facts


def _sample_fact(sample: SampleFacts) -> Fact:
    """The design of a sample; people read nothing of a simple random one."""
    entry = {
        "strata": sample.strata,
        "psus": sample.clusters,
        "df": sample.freedom,
        "lonely_strata": sample.lonely_strata,
        "lonely_psu": sample.lonely,
        "weights": sample.weights or None,
        "population": sample.population,
    }
    return Fact("sample", entry, T.SAMPLE() if sample.sentence else "", lambda _: sample.sentence)


def _share_facts(mean: ScoreMean, level: float) -> tuple[Fact, ...]:
    """An estimated share, also moved between 0 and 1."""
    truncated = min(max(mean.estimate, 0.0), 1.0)
    is_moved = truncated != mean.estimate
    moved = Fact("", truncated if is_moved else None, T.IN_RANGE(), percent)
    return (*mean_facts(mean, level), Fact("truncated", truncated), moved)


def _test_fact(test: WaldTest) -> Fact:
    entry: dict[str, object] = {"statistic": test.statistic, "df": test.freedom}
    if test.denominator is not None:
        entry["denominator_df"] = test.denominator
    name = "chi_square" if test.denominator is None else "f_test"
    return Fact(name, entry | {"p_value": test.p_value}, T.GROUPS_DIFFER(), lambda _: test.sentence)


def _regression(fit: LogisticFit, level: float) -> Facts:
    share = fit.open_share
    shares = (
        {}
        if share is None
        else {
            share.name: Facts.of(
                Fact("estimate", share.value, SHARES[share.name], percent),
                Fact("se", share.standard_error, T.ERROR(), points_text),
            )
        }
    )
    terms = several(
        Facts.of(
            Fact("term", row.name, T.TERM()),
            Fact("coefficient", row.value, T.COEFFICIENT(), digits(5)),
            Fact("se", row.standard_error, T.ERROR(), digits(4)),
            Fact("interval", [row.lower, row.upper], interval_label(level), between(digits(5))),
            Fact("p_value", row.p_value, T.P_VALUE(), p_value_text),
            Fact("", row.value, T.ODDS_RATIO(), _odds),
        )
        for row in fit.coefficient_rows(level)
    )
    tests = [
        Facts.of(Fact("term", name), *(() if test is None else (_test_fact(test),)))
        for name, test in fit.term_tests()
    ]
    told = several(
        Facts.of(
            Fact("", name, T.TERM()),
            Fact("", T.NO_TEST() if test is None else test.sentence, T.TEST()),
        )
        for name, test in fit.term_tests()
    )
    errors = "design-based" if fit.by_sample else "observed information"
    return Facts.of(
        Fact("n", fit.respondents, T.COMPLETE(), count_words),
        Fact("errors", errors, T.ERRORS_BY()),
        Fact("df", fit.freedom, T.FREEDOM()),
        Fact("further", shares, T.ALSO()),
        Fact("log_likelihood", fit.log_likelihood),
        Fact("gradient_norm", fit.gradient_norm),
        Fact("terms", terms, T.TERMS()),
        Fact("tests", tests),
        Fact("", told, T.TESTS() if told else ""),
    )


def _predicted(predicted: PredictedShares, level: float) -> Facts:
    rows = (
        Facts.of(Fact("group", name, T.GROUP()), *mean_facts(mean, level))
        for name, mean in predicted.shares
    )
    test = () if predicted.test is None else (_test_fact(predicted.test),)
    return Facts.of(
        Fact("column", predicted.column), Fact("shares", several(rows), T.SHARES()), *test
    )


def _sample_notes(found: CollectedResult) -> Iterator[str]:
    """Sentences on who was left out or asked directly, and on tests."""
    if found.missing:
        yield T.LEFT_OUT(count=found.missing)
    if found.asked_directly:
        yield T.ASKED_DIRECTLY(count=found.asked_directly)
    if found.difference is None and len(found.groups) > 1:
        yield T.NO_GROUP_TEST()
    if found.adherence is not None:
        yield adherence_note(found.adherence)


def _misfits(found: CollectedResult) -> Iterator[str]:
    for mean in (found.overall, *(own for _, own in found.groups)):
        yield from share_misfit((mean.lower, mean.upper), found.request.confidence, found.design)


def _odds(log_ratio: float) -> str:
    return digits(4)(exp(log_ratio)) if log_ratio < _STEEPEST else T.BEYOND_NUMBERS()
