"""The attack, from a survey to accuracies: draws every respondent's reports and guesses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.simulate.attack.attackers import (
    Advance,
    Training,
    boosting,
    features,
    posterior,
    require_xgboost,
    xgboost,
)
from dpdesk.engine.simulate.attack.result import AttackOutcome, AttackResult
from dpdesk.engine.simulate.attributes import (
    TrueAttribute,
    attributes_of_plan,
    attributes_of_table,
)
from dpdesk.engine.simulate.variants import (
    VARIANTS,
    clip_and_normalise,
    prior_of,
    shares_of,
    variant_forecasts,
)
from dpdesk.engine.texts import T
from dpdesk.errors import ParameterError, PlanError
from dpdesk.mechanisms.fake_data import FakeDataForecast, paper_epsilon, record_epsilon
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast, noise_variance
from dpdesk.numbers.arrays import Codes, Counts, Floats
from dpdesk.numbers.intervals import wilson_interval
from dpdesk.plan import Plan
from dpdesk.plan.losses import record_loss
from dpdesk.requests.simulations import AttackRequest

Profiles = list[NDArray[Any]]
"""The reports of each attribute: codes of shape (n,), or bits, uint8 of shape (n, k)."""

# Bits that are drawn at a time: 32 MB of random numbers.
_SIDE_BITS = 1 << 22


def draw_sampled(
    respondents: int, attributes: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Draws which attribute of each respondent is real, with equal chances, shape (n,)."""
    return generator.integers(0, attributes, respondents)


def draw_profiles(
    answers: Sequence[Codes],
    sampled: NDArray[np.int64],
    laws: Sequence[FakeDataForecast],
    generator: np.random.Generator,
    tick: Callable[[], None],
) -> Profiles:
    """Draws each respondent's reports: the sampled attribute's is real, the others are fake.

    Args:
        answers: True codes of each attribute, shape (n,).
        sampled: Which attribute is real, shape (n,).
        laws: Law of each attribute's report.
        generator: The source of chance.
        tick: Called now and then; may raise to stop.
    """
    profiles: Profiles = []
    for j, (codes, law) in enumerate(zip(answers, laws, strict=True)):
        tick()
        real = sampled == j
        fakes = generator.choice(law.size, codes.size, p=law.faked).astype(np.int32)
        if law.form == "symbol":
            profiles.append(np.where(real, _randomized(codes, law, generator), fakes))
        else:
            # -1: a vector of zeros, whose bits are all lies.
            faked = fakes if law.fakes == "random" else np.int32(-1)
            profiles.append(_bits(np.where(real, codes, faked), law, generator, tick))
    return profiles


def _randomized(
    codes: Codes, law: FakeDataForecast, generator: np.random.Generator
) -> NDArray[np.int32]:
    kept = generator.random(codes.size) < law.real.p - law.real.q
    others = generator.integers(0, law.size, codes.size, dtype=np.int32)
    return np.where(kept, codes, others)


def _bits(
    encoded: NDArray[np.int32],
    law: FakeDataForecast,
    generator: np.random.Generator,
    tick: Callable[[], None],
) -> NDArray[np.uint8]:
    bits = np.empty((encoded.size, law.size), dtype=np.uint8)
    step = max(1, _SIDE_BITS // law.size)
    for start in range(0, encoded.size, step):
        tick()
        block = encoded[start : start + step]
        drawn = generator.random((block.size, law.size))
        out = bits[start : start + step]
        np.less(drawn, law.real.q, out=out.view(np.bool_))
        rows = np.flatnonzero(block >= 0)
        true = block[rows]
        out[rows, true] = drawn[rows, true] < law.real.p
    return bits


@dataclass(frozen=True, slots=True)
class Target:
    """The target of one attack.

    Attributes:
        variant: Short name of the variant; "plan" for the plan's own strategy.
        title: Its name for people.
        nominal: Epsilon as the publications state it.
        record: Loss of a respondent's whole record.
        laws: Law of each attribute's report.
    """

    variant: str
    title: str
    nominal: float
    record: float
    laws: tuple[FakeDataForecast, ...]


def targets_of(
    attributes: Sequence[TrueAttribute], plan: Plan | None, request: AttackRequest
) -> list[Target]:
    """Returns the targets of all requested attacks, variants first.

    Args:
        attributes: All attributes of a report.
        plan: The plan, if there is one.
        request: The request.

    Raises:
        PlanError: Nothing is hidden under the plan's own strategy, or it cannot be run.
        ParameterError: There is neither a plan nor a variant.
    """
    d = len(attributes)
    if request.variants:
        return [
            Target(
                name,
                VARIANTS[name].title,
                epsilon,
                record_epsilon(epsilon, d),
                variant_forecasts(VARIANTS[name], epsilon, attributes),
            )
            for name in request.variants
            for epsilon in request.epsilons
        ]
    if plan is None:
        raise ParameterError(T.NO_TARGET())
    return [_target_of(plan, attributes)]


def _target_of(plan: Plan, attributes: Sequence[TrueAttribute]) -> Target:
    if plan.strategy not in ("rsfd", "rsrfd"):
        raise PlanError(T.NOTHING_HIDDEN())
    if len(attributes) < len(plan.protected):
        raise PlanError(T.NUMBERS_FAKED())
    record = float(record_loss(plan))
    realistic = plan.strategy == "rsrfd"
    laws = tuple(_law_of(attribute, len(attributes), plan, realistic) for attribute in attributes)
    title = "RS+RFD of the plan" if realistic else "RS+FD of the plan"
    return Target("plan", title, paper_epsilon(record, len(attributes)), record, laws)


def _law_of(attribute: TrueAttribute, d: int, plan: Plan, realistic: bool) -> FakeDataForecast:
    column = plan.column(attribute.name)
    domain, mechanism = column.effective_domain, column.mechanism
    forecast = None if mechanism is None or domain is None else mechanism.forecast(domain)
    if not isinstance(forecast, FrequencyForecast) or forecast.form == "support":
        raise PlanError(T.NOT_FAKED(column=attribute.name))
    # Realistic fakes encode a category; a vector of zeros cannot be realistic.
    fakes = "random" if realistic else plan.fakes
    return FakeDataForecast(forecast, d, fakes, prior_of(attribute) if realistic else ())


def shares_from_reports(
    profiles: Sequence[NDArray[Any]], laws: Sequence[FakeDataForecast]
) -> list[Floats]:
    """Returns each attribute's shares as estimated from the sanitized data alone.

    They are clipped and normalised, as in the publications.
    """
    return [
        clip_and_normalise(shares_of(law, _support(reports, law), np.array(len(reports))))
        for reports, law in zip(profiles, laws, strict=True)
    ]


def shares_from_compromised(
    profiles: Sequence[NDArray[Any]], sampled: Counts, laws: Sequence[FakeDataForecast]
) -> list[Floats]:
    """Returns each attribute's shares from respondents whose real attribute is known.

    Args:
        profiles: Their reports.
        sampled: Which attribute was real, shape (compromised,).
        laws: Law of each attribute's report.
    """
    return [
        clip_and_normalise(_known_shares(reports[sampled == j], law))
        for j, (reports, law) in enumerate(zip(profiles, laws, strict=True))
    ]


def shares_from_both(
    profiles: Sequence[NDArray[Any]],
    compromised: Counts,
    sampled: Counts,
    laws: Sequence[FakeDataForecast],
) -> list[Floats]:
    """Returns each attribute's shares from the known real reports and those of all others.

    The two estimates are independent and are weighted by their inverse variances near 0.

    Args:
        profiles: The reports of all respondents.
        compromised: Positions of those whose real attribute is known.
        sampled: Their real attributes, of the same shape.
        laws: Law of each attribute's report.
    """
    shares = []
    for j, (reports, law) in enumerate(zip(profiles, laws, strict=True)):
        known = reports[compromised[sampled == j]]
        others = np.delete(reports, compromised, axis=0)
        from_others = shares_of(law, _support(others, law), np.array(len(others)))
        known_weight = len(known) / noise_variance(law.real.p, law.real.q, 0.0)
        others_weight = len(others) / law.noise_constant
        total = known_weight * _known_shares(known, law) + others_weight * from_others
        shares.append(clip_and_normalise(total / (known_weight + others_weight)))
    return shares


def synthetic_profiles(
    shares: Sequence[Floats],
    laws: Sequence[FakeDataForecast],
    number: int,
    generator: np.random.Generator,
    tick: Callable[[], None],
) -> tuple[Profiles, Counts]:
    """Draws profiles of synthetic respondents whose real attribute the attacker knows.

    Args:
        shares: Estimated shares that their answers are drawn from, independently by attribute.
        laws: Law of each attribute's report.
        number: Number of profiles.
        generator: The source of chance.
        tick: Called now and then; may raise to stop.

    Returns:
        The reports of each attribute, and which attribute is real, shape (number,).
    """
    sampled = draw_sampled(number, len(laws), generator)
    answers = [generator.choice(f.size, number, p=f).astype(np.int32) for f in shares]
    return draw_profiles(answers, sampled, laws, generator, tick), sampled


def _known_shares(reports: NDArray[Any], law: FakeDataForecast) -> Floats:
    return shares_of(law.real, _support(reports, law), np.array(len(reports)))


def _support(reports: NDArray[Any], law: FakeDataForecast) -> Counts:
    if law.form == "symbol":
        return np.bincount(reports, minlength=law.size)
    return np.asarray(reports.sum(axis=0, dtype=np.int64))


CELLS_MAX = 1_000_000_000
"""Largest product of respondents and categories: one byte of memory each."""


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
            without variants in the request, under its own strategy. Without a plan every column is
            attacked, with its distinct answers as categories.
        request: The request.
        tracker: Progress and cancel.
        dropped: Columns to leave out if there is no plan.

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
        raise ParameterError(T.FEW_COLUMNS())
    if respondents * sum(attribute.size for attribute in attributes) > CELLS_MAX:
        raise ParameterError(T.TOO_LARGE())
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

    Of `sampled` only the entries of the compromised are used.
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
    task = Training(features(training, laws), real, features(attacked, laws), seed)
    return learn(task, advance)


def _joined(pair: tuple[NDArray[Any], NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(pair)
