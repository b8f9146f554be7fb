"""Strata and the questions of a questionnaire, as sections of the planning memo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

from dpdesk.designs.devices import AT_HAND
from dpdesk.designs.people import People
from dpdesk.designs.planning import QuestionnairePlan, Sample, Split, StratifiedPlan, Stratum, built
from dpdesk.i18n import N_, in_a_row
from dpdesk.numbers.digits import epsilon_up
from dpdesk.reports.number_text import half_width_text, typed_share_text
from dpdesk.reports.survey.texts import T

_DEVICES_SHOWN = 4
_ALLOCATIONS = {
    "neyman": T.BY_NEYMAN,
    "proportional": T.IN_PROPORTION,
    "by_hand": T.BY_HAND,
}
SPLITS: dict[Split, str] = {
    "equal": N_("Every question has an equal part of the budget."),
    "weighted": N_("The budget is split by the weights of the questions."),
    "least": N_("The budget is split so that the fewest respondents will do."),
}


@dataclass(frozen=True, slots=True)
class PlannedStrata:
    """A plan of strata with their names.

    Attributes:
        names: The names in their order.
        strata: The strata.
        plan: Their respondents and margins.
        allocation: "neyman", "proportional" or "by_hand".
        confidence: Coverage of the intervals.
        unit: The unit of the answers, where they are numbers; None of shares.
    """

    names: tuple[str, ...]
    strata: tuple[Stratum, ...]
    plan: StratifiedPlan
    allocation: str
    confidence: float
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class PlannedQuestions:
    """A plan of several questions with their wording.

    Attributes:
        names: The questions in their order, as they were written.
        plan: Respondents, and the epsilon and margin of each question.
        split: How the budget is split.
        budget: Epsilon of all answers of a respondent.
        confidence: Coverage of the intervals.
        unit: The unit of the answers, where they are numbers; None of shares.
        note: Why the devices are of another design than was chosen; empty where they are not.
    """

    names: tuple[str, ...]
    plan: QuestionnairePlan
    split: Split
    budget: float
    confidence: float
    unit: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class PlanSection:
    """A heading, sentences and a table, as texts.

    Attributes:
        heading: The heading.
        sentences: What the table says, in words.
        heads: The heads of the columns.
        rows: One tuple of texts for each row; the last row may be the total.
    """

    heading: str
    sentences: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def strata_section(found: PlannedStrata) -> PlanSection:
    """Returns the strata with their respondents and margins; the last row is the total."""
    plan = found.plan
    percent = f"{100 * found.confidence:g}\u00a0%"
    margin, without = (
        _margin(plan.margin, found.unit),
        _margin(plan.unstratified_margin, found.unit),
    )
    rows = [
        (
            name or f"Stratum {number}",
            typed_share_text(stratum.share),
            supposed_text(stratum.people, found.unit),
            f"{people:,}",
            _margin(own, found.unit),
        )
        for number, (name, stratum, people, own) in enumerate(
            zip(found.names, found.strata, plan.respondents, plan.margins, strict=True), start=1
        )
    ]
    rows.append(
        (
            "All",
            typed_share_text(1.0),
            supposed_text(plan.people, found.unit),
            f"{plan.total:,}",
            margin,
        )
    )
    return PlanSection(
        heading="Strata",
        sentences=(
            in_a_row(
                (
                    T.STRATA(
                        count=plan.total,
                        strata=len(plan.respondents),
                        margin=margin,
                        percent=percent,
                    ),
                    T.UNSTRATIFIED(margin=without),
                )
            ),
            in_a_row((_ALLOCATIONS[found.allocation](), *_exception(found))),
        ),
        heads=("Stratum", "Part of the population", _supposed(found.unit), "Respondents", "Margin"),
        rows=tuple(rows),
    )


def questions_section(found: PlannedQuestions) -> PlanSection:
    """Returns the questions with their shares of the budget, devices and margins."""
    plan = found.plan
    percent = f"{100 * found.confidence:g}\u00a0%"
    rows = [
        (
            name or f"Question {number}",
            supposed_text(planned.question.people, found.unit),
            _margin(planned.question.margin, found.unit),
            epsilon_up(planned.epsilon),
            planned.design.setting,
            _margin(planned.margin, found.unit),
        )
        for number, (name, planned) in enumerate(
            zip(found.names, plan.questions, strict=True), start=1
        )
    ]
    kind = type(plan.questions[0].design).title
    return PlanSection(
        heading="Questionnaire",
        sentences=(
            T.QUESTIONNAIRE(count=plan.respondents, questions=len(plan.questions), percent=percent),
            T.ALL_ANSWERS_LOSE(epsilon=epsilon_up(plan.epsilon), budget=f"{found.budget:.12g}"),
            in_a_row((SPLITS[found.split], T.OWN_DEVICE(kind=kind))),
            *(() if plan.device is None else (T.ROUNDED_DOWN(device=plan.device.title.lower()),)),
            *plan.once_each,
            *((found.note,) if found.note else ()),
        ),
        heads=("Question", _supposed(found.unit), "Margin wanted", "ε", "Parameters", "Margin"),
        rows=tuple(rows),
    )


def devices_sections(sample: Sample) -> tuple[PlanSection, ...]:
    """Returns the devices that exist near a design; nothing where one has its chances."""
    design = sample.design
    if any(design.served_by(device) for device in AT_HAND):
        return ()
    found = built(design)[:_DEVICES_SHOWN]
    if not found:
        return ()
    rows = tuple(
        (
            one.device.title,
            one.tool,
            one.design.setting,
            epsilon_up(one.epsilon),
            _margin(sample.asked_by(one.design).margin, None),
        )
        for one in found
    )
    lacking = T.NO_BIRTHDAY() if design.asked_parameters else T.NO_CHANCES()
    given = T.WITH_DESIGN(count=sample.respondents, margin=_margin(sample.margin, None))
    return (
        PlanSection(
            heading="Devices that exist",
            sentences=(in_a_row((lacking, given)),),
            heads=("Device", "Needed", "Parameters", "ε", "Margin"),
            rows=rows,
        ),
    )


def _exception(found: PlannedStrata) -> Iterator[str]:
    """Yields the exception to the allocation: small strata get what an estimate needs."""
    plan = found.plan
    shares = [stratum.share for stratum in found.strata]
    if found.allocation == "by_hand":
        return
    if found.allocation == "neyman":
        # The standard deviations, but for a common factor.
        spreads = [m * sqrt(n) for m, n in zip(plan.margins, plan.respondents, strict=True)]
        shares = [share * spread for share, spread in zip(shares, spreads, strict=True)]
    parts = [plan.total * share / sum(shares) for share in shares]
    least = min(plan.respondents)
    if any(n > part + 1 for n, part in zip(plan.respondents, parts, strict=True)):
        yield T.NOT_FEWER(least=least)


def _supposed(unit: str | None) -> str:
    return "Supposed share" if unit is None else "Supposed mean"


def supposed_text(people: People, unit: str | None) -> str:
    """Returns what is supposed of people: a share, or a mean with its standard deviation."""
    told = value_text(people.value, unit)
    deviation = people.supposed().get("deviation")
    return told if deviation is None else f"{told}, SD {deviation:,.9g}"


def value_text(value: float, unit: str | None) -> str:
    """Returns a supposed value: a share in per cent, or a number in its unit."""
    if unit is None:
        return typed_share_text(value)
    return f"{value:,.9g} {unit}".strip()


def _margin(margin: float, unit: str | None) -> str:
    return f"± {half_width_text(margin, unit or '', share=unit is None)}"
