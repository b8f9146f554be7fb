"""Strata and the questions of a questionnaire, as sections of the planning memo."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from dpdesk.designs.devices import AT_HAND, Device
from dpdesk.designs.people import People
from dpdesk.designs.planning import QuestionnairePlan, Sample, Split, StratifiedPlan, Stratum, built
from dpdesk.i18n import N_
from dpdesk.numbers.digits import epsilon_up
from dpdesk.report.number_text import half_width_text, typed_share_text

_DEVICES_SHOWN = 4
ALLOCATIONS = {
    "neyman": "Respondents are allocated by Neyman's rule, which gives the least error",
    "proportional": "Respondents are in proportion to the strata",
    "by_hand": "Respondents of each stratum were set by hand",
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
            f"{plan.total:,} respondents in {len(plan.respondents)} strata give a margin of "
            f"{margin} for the whole ({percent}); as many drawn without strata give {without}.",
            f"{ALLOCATIONS[found.allocation]}{_exception(found)}.",
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
            f"{plan.respondents:,} respondents, who answer all {len(plan.questions)} questions, "
            f"reach every margin ({percent}). What one of them loses by all answers together is "
            f"at most ε = {epsilon_up(plan.epsilon)}, of a budget of {found.budget:.12g}.",
            f"{SPLITS[found.split]} Each question has a device of its own: {kind}.",
            *(() if plan.device is None else (_rounded(plan.device),)),
            *plan.once_each,
            *((found.note,) if found.note else ()),
        ),
        heads=("Question", _supposed(found.unit), "Margin wanted", "ε", "Parameters", "Margin"),
        rows=tuple(rows),
    )


def _rounded(device: Device) -> str:
    """Returns how parts of a budget become those of a device."""
    return (
        f"Respondents use: {device.title.lower()}. Each part of the budget is rounded down to the "
        "next chances that it has."
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
    lacking = "No coin, die, card or bag of up to 100 beads has the chances"
    if design.asked_parameters:
        lacking = "No question about a birthday has exactly the shares"
    return (
        PlanSection(
            heading="Devices that exist",
            sentences=(
                f"{lacking} of this design, with which {sample.respondents:,} respondents give a "
                f"margin of {_margin(sample.margin, None)}. These come nearest.",
            ),
            heads=("Device", "Needed", "Parameters", "ε", "Margin"),
            rows=rows,
        ),
    )


def _exception(found: PlannedStrata) -> str:
    """Returns the exception to the allocation: small strata get what an estimate needs."""
    plan = found.plan
    shares = [stratum.share for stratum in found.strata]
    if found.allocation == "by_hand":
        return ""
    if found.allocation == "neyman":
        # The standard deviations, but for a common factor.
        spreads = [m * sqrt(n) for m, n in zip(plan.margins, plan.respondents, strict=True)]
        shares = [share * spread for share, spread in zip(shares, spreads, strict=True)]
    parts = [plan.total * share / sum(shares) for share in shares]
    least = min(plan.respondents)
    if all(n <= part + 1 for n, part in zip(plan.respondents, parts, strict=True)):
        return ""
    return f", except that no stratum has fewer than the {least} that an estimate needs"


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
