"""The attack from a survey to accuracies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.simulate.attack.knowledge import (
    shares_from_both,
    shares_from_compromised,
    shares_from_reports,
    synthetic_profiles,
)
from dpdesk.engine.simulate.attack.learners import (
    Advance,
    boosting,
    features,
    require_xgboost,
    xgboost,
)
from dpdesk.engine.simulate.attack.posterior import posterior
from dpdesk.engine.simulate.attack.reports import Profiles, draw_profiles, draw_sampled
from dpdesk.engine.simulate.attack.request import AttackOutcome, AttackRequest, AttackResult
from dpdesk.engine.simulate.attack.targets import Target, targets_of
from dpdesk.engine.simulate.attributes import (
    TrueAttribute,
    attributes_of_plan,
    attributes_of_table,
)
from dpdesk.engine.simulate.variants import VARIANTS
from dpdesk.errors import ParameterError
from dpdesk.mechanisms.fake_data import FakeDataForecast
from dpdesk.numbers.intervals import wilson_interval
from dpdesk.plan import Plan

Counts = NDArray[np.int64]

CELLS_MAX = 1_000_000_000
"""Respondents times categories that are held at the most: one byte each."""


def run_attack(
    table: SurveyTable,
    plan: Plan | None,
    request: AttackRequest,
    tracker: Tracker,
    *,
    dropped: Collection[str] = (),
) -> AttackResult:
    """Simulates reports of the survey's respondents and guesses which attribute was real.

    The true answers are used to simulate the reports and to count right guesses, so that the
    result is for the holder of the data only. Nothing is written or released.

    Args:
        table: The survey.
        plan: Its protected columns of categories are attacked, encoded by their declared domains;
            without variants in the request its own strategy is. Without a plan every column is
            taken with its distinct answers as categories.
        request: What to do.
        tracker: Progress and cancel.
        dropped: Columns to leave out where there is no plan.

    Returns:
        The accuracy of each attack beside that of a blind guess.

    Raises:
        PlanError: Nothing is hidden under the plan's own strategy, or the plan does not suit the
            data.
        ParameterError: There are too few attributes or respondents, a classifier is not
            installed, or the survey is too large.
        Cancelled: The user cancelled.
    """
    tracker.progress("Encoding the answers", 0.0)
    attributes = (
        attributes_of_table(table, dropped) if plan is None else attributes_of_plan(table, plan)
    )
    _require_room(attributes, table.rows, request)
    targets = targets_of(attributes, plan, request)
    outcomes = []
    for done, target in enumerate(targets):
        advance = _advance(tracker, target, done, len(targets))
        advance(0.0)
        outcomes.append(_attack(attributes, target, request, tracker.tick, advance))
    return AttackResult(
        request,
        tuple(attribute.name for attribute in attributes),
        tuple(attribute.size for attribute in attributes),
        table.rows,
        1 / len(attributes),
        tuple(outcomes),
    )


def _advance(tracker: Tracker, target: Target, done: int, targets: int) -> Advance:
    title = f"Attacking {target.title}, epsilon {target.nominal:.4g}"
    return lambda share: tracker.progress(title, (done + share) / targets)


def _require_room(
    attributes: Sequence[TrueAttribute], respondents: int, request: AttackRequest
) -> None:
    if len(attributes) < 2 or respondents < 2:
        raise ParameterError(
            "An attack needs at least two columns of categories, and two respondents.",
            remedy="Protect more columns, or name a survey with more.",
        )
    if respondents * sum(attribute.size for attribute in attributes) > CELLS_MAX:
        raise ParameterError(
            "The survey has too many respondents and categories for an attack in memory.",
            remedy="Leave out columns with many categories, or attack a part of the file.",
        )
    if request.classifier == "xgboost":
        require_xgboost()


def _attack(
    attributes: Sequence[TrueAttribute],
    target: Target,
    request: AttackRequest,
    tick: Callable[[], None],
    advance: Advance,
) -> AttackOutcome:
    respondents = attributes[0].codes.size
    name = list(VARIANTS).index(target.variant) if target.variant in VARIANTS else len(VARIANTS)
    stream = np.random.SeedSequence(request.seed, spawn_key=(name, round(target.nominal * 10**9)))
    generator = np.random.Generator(np.random.PCG64(stream))
    sampled = draw_sampled(respondents, len(attributes), generator)
    answers = [attribute.codes for attribute in attributes]
    profiles = draw_profiles(answers, sampled, target.laws, generator, tick)
    compromised = np.empty(0, dtype=np.int64)
    if request.knowledge != "none":
        number = min(max(1, round(request.compromised * respondents)), respondents - 1)
        compromised = generator.permutation(respondents)[:number]
    guesses = _guesses(
        profiles, sampled, compromised, target.laws, request, generator, tick, advance
    )
    attacked = np.delete(sampled, compromised)
    correct = int((guesses == attacked).sum())
    accuracy = np.array([correct / attacked.size])
    lower, upper = wilson_interval(accuracy, attacked.size)
    return AttackOutcome(
        target.variant,
        target.title,
        target.nominal,
        target.record,
        attacked.size,
        correct,
        float(accuracy[0]),
        float(lower[0]),
        float(upper[0]),
    )


def _guesses(
    profiles: Profiles,
    sampled: Counts,
    compromised: Counts,
    laws: Sequence[FakeDataForecast],
    request: AttackRequest,
    generator: np.random.Generator,
    tick: Callable[[], None],
    advance: Advance,
) -> Counts:
    """Returns the guess for each respondent who is not compromised.

    Of `sampled` only the entries of the compromised are looked at.
    """
    known = [reports[compromised] for reports in profiles]
    known_real = sampled[compromised]
    attacked = profiles
    if compromised.size:
        attacked = [np.delete(reports, compromised, axis=0) for reports in profiles]
    if request.classifier == "bayes":
        if request.knowledge == "none":
            shares = shares_from_reports(profiles, laws)
        elif request.knowledge == "partial":
            shares = shares_from_compromised(known, known_real, laws)
        else:
            shares = shares_from_both(profiles, compromised, known_real, laws)
        tick()
        return np.asarray(posterior(attacked, laws, shares, tick).argmax(axis=1))
    training, real = known, known_real
    if request.knowledge != "partial":
        shares = shares_from_reports(profiles, laws)
        number = request.synthetic * len(profiles[0])
        made, made_real = synthetic_profiles(shares, laws, number, generator, tick)
        training = [_joined(pair) for pair in zip(made, known, strict=True)]
        real = np.concatenate((made_real, known_real))
    learn = boosting if request.classifier == "boosting" else xgboost
    seed = int(generator.integers(2**31))
    return learn(features(training, laws), real, features(attacked, laws), seed, advance)


def _joined(pair: tuple[NDArray[Any], NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(pair)
