"""`dpdesk survey plan`: the unknown one of respondents, margin, power and epsilon."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isfinite
from typing import Any, Generic, TypeVar

from dpdesk.cli.survey.design_choice import nearly_lines
from dpdesk.cli.survey.device_rows import asked_with, chosen_device, with_devices
from dpdesk.cli.survey.entry_words import device_notes, plan_facts
from dpdesk.cli.survey.options import check_plan_words, finds_epsilon, names_design
from dpdesk.cli.survey.request import by_quantity, planned_share
from dpdesk.cli.survey.results import Output, epsilon_facts
from dpdesk.cli.survey.texts import T
from dpdesk.composition.strength import protection_words, strength_of
from dpdesk.data.write_file import write_file
from dpdesk.designs import Design
from dpdesk.designs.planning import (
    Goal,
    Outcome,
    People,
    Question,
    Sample,
    Shares,
    Stratum,
    Wanted,
    allocate,
    plan_of_questionnaire,
    plan_of_strata,
    posterior_range,
    respondents_for_strata,
    respondents_to_beat_direct,
    solve,
    tool_of,
)
from dpdesk.errors import ParameterError
from dpdesk.facts import Fact, Facts
from dpdesk.numbers import real_share
from dpdesk.preview.survey import SupposedMean, SupposedShare, SupposedShares, SupposedSurvey
from dpdesk.reports.pdf import content_for
from dpdesk.reports.survey import (
    MeanMemo,
    PlannedStrata,
    PlanningMemo,
    ShareMemo,
    SharesMemo,
    memo_html,
)

Survey = TypeVar("Survey", bound=SupposedSurvey)


def plan(options: argparse.Namespace) -> Output:
    """Returns what follows from the numbers that were given, and writes the memo."""
    found = by_quantity(options, _share, _shares, _mean)
    content = found.facts.entry()
    losses = [content[key] for key in _LOSSES if key in content]
    if not losses:
        return found
    # JSON has no infinite numbers.
    loss = inf if losses[0] is None else losses[0]
    strength = () if "strength" in content else (Fact("strength", strength_of(loss)),)
    notes = [*found.notes, protection_words(loss)]
    return Output(Facts.of(*found.facts, *strength), notes=notes)


_LOSSES = ("epsilon", "epsilon_for_margin", "epsilon_for_belief", "epsilon_for_odds")
"""The entries that hold the loss of a plan; the first of them that it has counts."""


@dataclass(frozen=True)
class _Planned(Generic[Survey]):
    """What was found, in the parts that plans of all kinds consist of; each may be empty.

    Attributes:
        survey: The survey, with the design and the respondents that were found.
        sample: Its sample.
        parts: Strata or questions.
        margin: Respondents, margin and design effect, and the epsilon that reaches the margin.
        test: Power, and the respondents that have it.
        denial: From when on the design errs less than a direct question.
        caps: Epsilons that keep below a cap.
        devices: Devices that exist, beside the exact parameters.
        strata: Strata as a memo has them; None where there are none.
    """

    survey: Survey
    sample: Sample
    parts: dict[str, object]
    margin: dict[str, object]
    test: dict[str, object]
    denial: dict[str, object]
    caps: dict[str, object]
    devices: dict[str, object]
    strata: PlannedStrata | None = None

    @property
    def whole(self) -> float | None:
        """The share or mean of all strata together; None without strata."""
        return None if self.strata is None else self.strata.plan.people.value

    @property
    def design(self) -> dict[str, object]:
        """The design as it stands in JSON."""
        return {"design": self.survey.design.model_dump(mode="json")}


def _share(options: argparse.Namespace) -> Output:
    """The plan of questions answered with yes or no."""
    check_plan_words(options, of_trait=True)
    planned = _planned(options, planned_share(options))
    content, head, hidden = planned.parts, list[Fact](), set[str]()
    notes: list[str] = []
    if not content and names_design(options):
        design = planned.survey.design
        if options.epsilon is not None or finds_epsilon(options):
            content = planned.design
        else:
            head.append(Fact("", design.setting, T.PARAMETERS() if design.setting else ""))
            notes += nearly_lines(design)
        content = content | planned.test | _with_bounds(planned) | planned.denial
        content |= _disclosed(planned.sample) | planned.devices
        # The epsilon of the design says it.
        hidden = {"epsilon_for_margin"}
    elif "epsilon_for_margin" in planned.margin:
        content = {"epsilon_for_margin": planned.margin["epsilon_for_margin"]}
    content = content | planned.caps
    if not content:
        raise ParameterError(T.NOTHING_TO_FIND())
    if options.memo is not None:
        known, survey = _of_memo(options, planned, content), planned.survey
        share = survey.prevalence if planned.whole is None else planned.whole
        _write_memo(options, ShareMemo(**known, design=survey.design, prevalence=share))
    facts = (*head, *plan_facts(content, hidden))
    return Output(Facts(facts), notes=[*notes, *device_notes(content)])


def _with_bounds(planned: _Planned[SupposedShare]) -> dict[str, object]:
    """The margin of a share, whether it is a bound, and what it is worth in direct answers."""
    if not planned.margin:
        return {}
    found, sample = dict(planned.margin), planned.sample
    effect, widest = found.pop("design_effect"), sample.margin_of_sums
    return {
        **found,
        **({} if widest is None else {"margin_from_sums": widest}),
        "design_effect": effect,
        "effective_n": sample.effective_respondents,
    }


def _disclosed(sample: Sample) -> dict[str, object]:
    """The epsilon of a design for a share, and between what an answer can move a belief."""
    epsilon = sample.design.loss.epsilon
    lowest, highest = posterior_range(sample.people.value, epsilon)
    known = epsilon if isfinite(epsilon) else None
    return {"epsilon": known, "lowest_belief": lowest, "highest_belief": highest}


def _shares(options: argparse.Namespace, survey: SupposedShares) -> Output:
    """The plan of a question with several answers."""
    check_plan_words(options, of_trait=False)
    planned = _planned(options, survey)
    survey, sample, content = planned.survey, planned.sample, _content(options, planned)
    look = survey.looked + 1
    if "design_effect" in content:
        answers = [Shares(survey.shares, index) for index in range(len(survey.shares))]
        each = [replace(sample, people=people).margin for people in answers]
        content |= {"look": look, "margins": each}
    if options.memo is not None:
        memo = SharesMemo(
            **_of_memo(options, planned, content),
            design=survey.design,
            shares=survey.shares,
            looked=survey.looked,
        )
        _write_memo(options, memo)
    # A cap is on one answer: of others most respondents may be believed without harm.
    labels = {"epsilon_for_belief": T.EPSILON_FOR_BELIEF_IN(answer=look)}
    loss = () if isfinite(survey.epsilon) else (T.CAN_RULE_OUT(),)
    return _output(content, loss, labels)


def _mean(options: argparse.Namespace, survey: SupposedMean) -> Output:
    """The plan of a question whose answer is a number."""
    check_plan_words(options, of_trait=False)
    planned = _planned(options, survey)
    survey, content = planned.survey, _content(options, planned)
    loss = survey.design.loss
    if "epsilon_infinite" in content:
        content["delta"] = loss.delta
    if options.memo is not None:
        memo = MeanMemo(
            **_of_memo(options, planned, content),
            design=survey.design,
            mean=survey.mean if planned.whole is None else planned.whole,
            deviation=survey.deviation,
        )
        _write_memo(options, memo)
    return _output(content, (loss.sentence,))


def _planned(options: argparse.Namespace, survey: Survey) -> _Planned[Survey]:
    """What was to be found, of a survey of any kind of answer."""
    sample = replace(survey.sample, population=options.population, weights_cv=options.weights_cv)
    parts: dict[str, object] = {}
    margin: dict[str, object] = {}
    strata = None
    devices: dict[str, object] = {}
    if names_design(options) and not (options.question or options.stratum):
        sample, devices = with_devices(options, sample, partial(_cost, options))
    if options.question:
        parts = _questions(options, survey.design, survey.people)
    elif options.stratum:
        if options.device is not None:
            # What the strata come to stands below; without them a sample would cost otherwise.
            sample, devices = with_devices(options, sample, lambda _: {})
        parts, strata = _strata(options, sample.design, survey.people)
        parts |= devices
    elif options.margin is not None or options.respondents is not None:
        goal = Goal.MARGIN if options.margin is None else Goal.RESPONDENTS_FOR_MARGIN
        if finds_epsilon(options):
            goal = Goal.EPSILON_FOR_MARGIN
        outcome = _found(options, goal, sample)
        sample = outcome.sample
        if outcome.epsilon is not None:
            sample, devices = with_devices(options, sample, partial(_cost, options))
        effect = sample.design_effect
        if outcome.note:
            margin["note"] = outcome.note
        if outcome.epsilon is not None:
            margin["epsilon_for_margin"] = outcome.epsilon
        margin |= {
            "n": sample.respondents,
            "margin": sample.margin,
            "design_effect": effect if isfinite(effect) else None,
        }
    test = {} if options.against is None else _power(options, sample)
    denial: dict[str, object] = {}
    if options.denial is not None:
        denial["beats_direct_from"] = respondents_to_beat_direct(sample, options.denial)
    caps: dict[str, object] = {
        f"epsilon_for_{name}": _found(options, goal, sample).epsilon
        for name, goal in (("belief", Goal.EPSILON_FOR_BELIEF), ("odds", Goal.EPSILON_FOR_ODDS))
        if getattr(options, name) is not None
    }
    survey = survey.changed(design=sample.design, respondents=sample.respondents)
    return _Planned(survey, sample, parts, margin, test, denial, caps, devices, strata)


def _content(
    options: argparse.Namespace, planned: _Planned[SupposedShares] | _Planned[SupposedMean]
) -> dict[str, object]:
    """All numbers of a plan for several answers or for a number."""
    found = planned.parts | planned.margin | planned.test | planned.denial | planned.caps
    if not found:
        raise ParameterError(T.NOTHING_TO_FIND())
    if options.question:
        return found
    loss = Facts(epsilon_facts(planned.survey.epsilon)).entry()
    return found | planned.design | loss | planned.devices


def _cost(options: argparse.Namespace, sample: Sample) -> dict[str, object]:
    """What a sample asked through some device comes to: respondents, margin or power."""
    if options.against is not None:
        return _power(options, sample)
    if options.margin is not None and not finds_epsilon(options):
        sample = _found(options, Goal.RESPONDENTS_FOR_MARGIN, sample).sample
    elif options.respondents is None:
        return {}
    else:
        sample = sample.of(options.respondents)
    return {"n": sample.respondents, "margin": sample.margin}


def _output(
    content: dict[str, object], loss: Iterable[str], labels: Mapping[str, str] | None = None
) -> Output:
    """A plan for several answers or for a number."""
    # Where the margin decided the design, its parameters are not those that were typed.
    hidden = {"epsilon_for_margin" if "epsilon_for_margin" in content else "design"}
    notes = loss if "epsilon_infinite" in content else ()
    facts = Facts(plan_facts(content, hidden, labels))
    return Output(facts, notes=[*device_notes(content), *notes])


def _of_memo(
    options: argparse.Namespace, planned: _Planned[Any], content: dict[str, object]
) -> dict[str, Any]:
    """The fields that memos of all kinds have, but for the design."""
    respondents = content.get("n", options.respondents)
    if options.question:
        raise ParameterError(T.MEMO_OF_QUESTIONS())
    if not (names_design(options) and isinstance(respondents, int)):
        raise ParameterError(T.NO_MEMO())
    return {
        "question": options.wording,
        "respondents": respondents,
        "confidence": options.confidence,
        "population": options.population,
        "weights_cv": options.weights_cv,
        "against": options.against,
        "alpha": options.alpha,
        "two_sided": options.two_sided,
        "second": options.second_group or "",
        "denial": options.denial,
        "strata": planned.strata,
        "note": str(planned.margin.get("note", "")),
        "choice": chosen_device(options, planned.devices),
    }


def _write_memo(options: argparse.Namespace, memo: PlanningMemo) -> None:
    written = content_for(options.memo, memo_html(memo), options.paper)
    write_file(options.memo, written, overwrite=options.overwrite)


def _found(options: argparse.Namespace, goal: Goal, sample: Sample) -> Outcome:
    """What a goal comes to with the wishes that were typed."""
    given = {
        name: getattr(options, name) for name in ("margin", "against", "power", "belief", "odds")
    }
    wanted = Wanted(
        goal,
        **{name: value for name, value in given.items() if value is not None},
        alpha=options.alpha,
        two_sided=options.two_sided,
        second=options.second_group or "",
    )
    return solve(wanted, sample)


def _power(options: argparse.Namespace, sample: Sample) -> dict[str, object]:
    if options.power is not None:
        found = _found(options, Goal.RESPONDENTS_FOR_POWER, sample)
        return {"n": found.sample.respondents, "power": options.power}
    if options.respondents is None:
        raise ParameterError(T.NO_GOAL(goal="--power SHARE"))
    asked = sample.of(options.respondents)
    return {"power": _found(options, Goal.POWER, asked).power}


def _strata(
    options: argparse.Namespace, design: Design, people: People
) -> tuple[dict[str, object], PlannedStrata]:
    """Respondents and margins of strata and of the whole, of people who differ in the value."""
    rows = [_numbers(text, "--stratum", "SHARE:PI[:N]") for text in options.stratum]
    strata = [Stratum(row[0], people.at(row[1])) for row in rows]
    given = [int(row[2]) for row in rows if len(row) > 2]
    if options.weights_cv or options.population is not None:
        raise ParameterError(T.STRATA_ALONE())
    if given:
        if len(given) < len(rows) or any(len(row) > 2 and row[2] != int(row[2]) for row in rows):
            raise ParameterError(T.SOME_STRATA())
        found = plan_of_strata(design, strata, given, options.confidence)
    elif options.margin is not None:
        found = respondents_for_strata(
            design, strata, options.margin, options.allocation, options.confidence
        )
    elif options.respondents is not None:
        counts = allocate(design, strata, options.respondents, options.allocation)
        found = plan_of_strata(design, strata, counts, options.confidence)
    else:
        raise ParameterError(T.NO_GOAL(goal="--margin M"))
    allocation = "by_hand" if given else options.allocation
    unit, names = "" if design.quantity == "mean" else None, ("",) * len(strata)
    told: dict[str, object] = {
        "n": found.total,
        people.word: found.people.value,
        "margin": found.margin,
        "unstratified_margin": found.unstratified_margin,
        "strata": [
            {"share": s.share, people.word: s.people.value, "n": n, "margin": margin}
            for s, n, margin in zip(strata, found.respondents, found.margins, strict=True)
        ],
    }
    return told, PlannedStrata(names, tuple(strata), found, allocation, options.confidence, unit)


def _questions(options: argparse.Namespace, design: Design, people: People) -> dict[str, object]:
    """The respondents that several questions need within one budget, of people as in strata."""
    if options.epsilon is None:
        raise ParameterError(T.NO_BUDGET())
    if options.set and design.quantity == "share":
        raise ParameterError(T.NO_PARAMETERS())
    rows = [_numbers(text, "--question", "PI:MARGIN[:WEIGHT]") for text in options.question]
    questions = [Question(people.at(row[0]), *row[1:]) for row in rows]
    device, found = asked_with(
        options.device,
        design,
        lambda device: plan_of_questionnaire(
            design, questions, options.epsilon, options.split, options.confidence, device
        ),
    )
    return {
        "n": found.respondents,
        "epsilon": found.epsilon,
        "questions": [
            {
                people.word: planned.question.people.value,
                "epsilon": planned.epsilon,
                "margin": planned.margin,
                "design": planned.design.model_dump(mode="json"),
                **({} if device is None else {"needed": tool_of(device, planned.design)}),
            }
            for planned in found.questions
        ],
        **({"needs": list(found.once_each)} if found.once_each else {}),
    }


def _numbers(text: str, word: str, form: str) -> list[float]:
    parts = [real_share(part.strip()) for part in text.split(":")]
    numbers = [number for number in parts if number is not None]
    if len(numbers) < len(parts) or len(numbers) not in {2, 3}:
        raise ParameterError(T.BAD_PART(option=word, part=text, form=form))
    return numbers
