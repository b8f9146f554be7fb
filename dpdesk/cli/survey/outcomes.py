"""`dpdesk survey simulate`: what surveys like this one would show, as facts."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from dpdesk.cli.options import refuse_ignored
from dpdesk.cli.survey.design_choice import nearly_lines
from dpdesk.cli.survey.request import supposed_share
from dpdesk.cli.survey.results import (
    Output,
    Words,
    count_words,
    design_fact,
    digits,
    epsilon_facts,
    percent,
)
from dpdesk.cli.survey.texts import T
from dpdesk.composition.strength import protection_words, strength_of
from dpdesk.designs.estimator_law import SurveyOutcomes
from dpdesk.engine.simulate.surveys import draws_everybody
from dpdesk.facts import Fact, Facts, several
from dpdesk.numbers.digits import percent_text, points_text
from dpdesk.preview.survey import SupposedMean, SupposedShares, SupposedSurvey, belief_table


def share(options: argparse.Namespace) -> Output:
    """Returns what surveys of one sensitive trait would show."""
    survey = supposed_share(options)
    found = survey.outcomes()
    facts = (
        Fact("simulation", True),
        Fact("exact", found.exact),
        Fact("seed", found.seed),
        design_fact(survey.design),
        Fact("prevalence", survey.prevalence, T.TRUE_SHARE(), percent),
        Fact("n", survey.respondents),
        Fact("repetitions", None if found.exact else survey.repetitions),
        Fact("deny", survey.deny),
        Fact("refuse", survey.refuse),
        Fact("careless", survey.careless),
        Fact("confidence", survey.confidence),
        *_outcome_facts(found, survey, percent, points_text),
        Fact("negative_estimates", found.beyond, T.NEGATIVE(), percent),
    )
    return _output(survey, facts)


def shares(options: argparse.Namespace, survey: SupposedShares) -> Output:
    """Returns what surveys of several answers would show."""
    if not options.deny:
        refuse_ignored(options, {"look"}, "without --deny: no answer is hidden")
    found, theory = survey.all_outcomes(), survey.shares_theory
    table = belief_table(survey.design, survey.shares)
    answers = several(
        Facts.of(
            Fact("", index + 1, T.ANSWER(), count_words),
            Fact("share", share, T.TRUE_SHARE(), percent),
            Fact("mean_estimate", float(found.means[index]), T.MEAN_ESTIMATE(), percent),
            Fact("bias", float(found.means[index]) - share),
            Fact("planned_bias", float(theory.means[index]) - share),
            Fact("standard_deviation", float(found.spreads[index]), T.DEVIATION(), points_text),
            Fact("planned_error", float(theory.errors[index]), T.BY_THEORY(), points_text),
            Fact("coverage", float(found.coverage[index]), T.COVERED(), percent),
            Fact("negative_estimates", float(found.negative[index]), T.NEGATIVE(), percent),
        )
        for index, share in enumerate(survey.shares)
    )
    reports = [
        {
            "answer": report.answer + 1,
            "chance": report.chance,
            "beliefs": list(report.beliefs),
            "ratio": report.ratio,
            "rules_out": [index + 1 for index in report.ruled_out],
        }
        for report in table.reports
    ]
    facts = (
        *_head(survey, survey.deny),
        Fact("look", survey.looked + 1),
        Fact("careless", survey.careless),
        Fact("answers", answers, T.ESTIMATES()),
        Fact("reports", reports),
        Fact("reports_are_of_one_answer", table.alone),
    )
    notes = (
        T.RULES_OUT(answer=report.answer + 1, others=[str(index + 1) for index in report.ruled_out])
        for report in table.proofs
    )
    return _output(survey, facts, notes)


def mean(_: argparse.Namespace, survey: SupposedMean) -> Output:
    """Returns what surveys of a number would show."""
    found, loss = survey.outcomes(), survey.design.loss
    facts = (
        *_head(survey, survey.understating),
        Fact("delta", loss.delta),
        Fact("mean", survey.mean, T.TRUE_MEAN(), digits(6)),
        Fact("deviation", survey.deviation),
        Fact("every_respondent_drawn", draws_everybody(survey.respondents, survey.repetitions)),
        *_outcome_facts(found, survey, digits(6), digits(4)),
        Fact("outside_estimates", found.beyond, T.OUTSIDE(), percent),
    )
    return _output(survey, facts, (loss.sentence,))


def _output(survey: SupposedSurvey, facts: Iterable[Fact], notes: Iterable[str] = ()) -> Output:
    """What was found, beneath what says that it is no data."""
    head = T.SIMULATION(seed=survey.seed, count=survey.repetitions)
    if survey.is_exact:
        head = T.THEORY()
    notes = (*nearly_lines(survey.design), *notes, protection_words(survey.epsilon))
    strength = Fact("strength", strength_of(survey.epsilon))
    return Output(Facts.of(*facts, strength), head, notes)


def _head(survey: SupposedShares | SupposedMean, deny: float) -> tuple[Fact, ...]:
    """What is supposed of a survey of several answers or of a number."""
    epsilon, infinite, _ = epsilon_facts(survey.epsilon)
    return (
        Fact("simulation", True),
        Fact("seed", survey.seed),
        design_fact(survey.design),
        epsilon,
        infinite,
        Fact("n", survey.respondents),
        Fact("repetitions", survey.repetitions),
        Fact("confidence", survey.confidence),
        Fact("deny", deny),
    )


def _outcome_facts(
    found: SurveyOutcomes, survey: SupposedSurvey, words: Words, error_words: Words
) -> tuple[Fact, ...]:
    """The estimates of one quantity."""
    covered = T.COVERED_AT_MOST if survey.design.error_is_bound else T.COVERED_BY
    return (
        Fact("mean_estimate", found.mean, T.MEAN_ESTIMATE(), words),
        Fact("bias", found.bias),
        Fact("planned_bias", found.theory.mean - found.truth, T.PLANNED_BIAS(), error_words),
        Fact("standard_deviation", found.spread, T.DEVIATION(), error_words),
        Fact("planned_error", found.planned_error, T.BY_THEORY(), error_words),
        Fact("coverage", found.coverage, covered(level=percent_text(survey.confidence)), percent),
    )
