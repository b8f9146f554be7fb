"""A checklist after NIST SP 800-226, "Guidelines for Evaluating Differential Privacy Guarantees".

Its three groups are the levels of that publication's pyramid: the direct measures, what can
undermine them, and what they rest on. What dpdesk cannot know is answered "unknown", and shown.
Records and statistics each have their own answers; those of synthetic rows stand with their report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, get_args

from dpdesk.cost import PrivacyCost
from dpdesk.estimation.released import Released, ReleasedStatistics
from dpdesk.i18n import quoted
from dpdesk.plan.losses import plan_cost
from dpdesk.plan.model import Plan
from dpdesk.report.section import Section

Answer = Literal["yes", "no", "not applicable", "unknown"]


class Check(Section):
    """One question with its answer."""

    question: str
    """The question; "yes" is the answer in favour of the respondents."""
    answer: Answer
    """The answer."""
    reason: str
    """Why, as a sentence."""


class CheckGroup(Section):
    """One level of the pyramid."""

    title: str
    """Name of the level."""
    checks: tuple[Check, ...]
    """Its questions."""


def check(question: str, answer: Answer, reason: str) -> Check:
    """Returns a question with its answer and the reason for it."""
    return Check(question=question, answer=answer, reason=reason)


def groups_of(*levels: Iterable[Check]) -> tuple[CheckGroup, ...]:
    """Returns the levels of the pyramid with their questions, the uppermost first."""
    titles = ("Direct measures", "What can undermine them", "What they rest on")
    return tuple(
        CheckGroup(title=title, checks=tuple(checks))
        for title, checks in zip(titles, levels, strict=True)
    )


def answer_counts(groups: Iterable[CheckGroup]) -> list[tuple[Answer, int]]:
    """Returns how often each answer is given."""
    counts = Counter(check.answer for group in groups for check in group.checks)
    return [(answer, counts[answer]) for answer in get_args(Answer)]


SIDE_CHANNELS = check(
    "Are side channels such as running time excluded?",
    "not applicable",
    "Nobody but the curator takes part in the run; holders of the release see no running times.",
)
RANDOM_NUMBERS = check(
    "Are the random numbers cryptographic, and is there no seed?",
    "yes",
    "They come from the operating system; dpdesk uses no seed.",
)
SMALL_GROUPS = check(
    "Are small groups served as well as large ones?",
    "no",
    "The noise is the same for all, so the relative error is largest for small groups.",
)
ORIGINALS = check(
    "Are the original answers stored safely, with access for few people, or deleted?",
    "unknown",
    "dpdesk neither changes nor guards the original file.",
)
"""The answer holds for every release; so do those of the three checks above."""


def earlier_check(*, is_counted: bool) -> Check:
    """Returns the check that the report lists the earlier releases of the same people."""
    return check(
        "Are earlier releases of the same answers counted in?",
        "yes" if is_counted else "unknown",
        "The releases that the curator's ledger has of the declared population are listed under "
        "Budget."
        if is_counted
        else "No population was declared; only the curator's ledger lists earlier releases.",
    )


def domains_check(question: str, suggested: Sequence[str]) -> Check:
    """Returns the check that domains are known without the data.

    Args:
        question: What is asked.
        suggested: Columns whose domain was read off the data.
    """
    return check(
        question,
        "no" if suggested else "yes",
        f"Read off the data and then confirmed as public knowledge: {quoted(suggested)}."
        if suggested
        else "They were declared or taken from a codebook, and confirmed as public knowledge.",
    )


def looked_check(question: str) -> Check:
    """Returns the check that choices were made without looking at the answers."""
    return check(
        question,
        "unknown",
        "dpdesk shows the answers to the curator before the plan is made and does not record what "
        "was looked at.",
    )


def checklist(released: Released, *, is_counted: bool = False) -> tuple[CheckGroup, ...]:
    """Returns the checklist of a release.

    Args:
        released: What was released.
        is_counted: Whether the report lists the earlier releases of the same people.
    """
    return groups_of(
        _direct_measures_of_records(released, is_counted),
        _undermining_of_records(released),
        _foundations_of_records(),
    )


def _direct_measures_of_records(released: Released, is_counted: bool) -> Iterator[Check]:
    kept = tuple(column.name for column in released.plan.kept)
    cost, unit = plan_cost(released.plan), released.plan.statistics.unit
    justified = _is_justified(released)
    yield check(
        "Is ε stated, for every attribute and for the whole record?",
        "yes",
        "Both are, as asked for and as run; δ is 0.",
    )
    yield check(
        "Is the choice of ε justified?",
        "yes" if justified else "no",
        "The reasons are given under Justification."
        if justified
        else "The plan gives no reasons, neither for the whole nor for every attribute.",
    )
    yield check(
        "Are the unit of privacy and the neighbouring relation stated?",
        "yes",
        f"{cost.unit.capitalize()}; any change of that respondent's protected answers.",
    )
    yield check(
        "Does the unit cover a person, whatever their rows are?",
        "yes" if unit.respondent_column else "unknown",
        released.plan.enforcement,
    )
    yield check(
        "Does the guarantee cover every column that is released?",
        "no" if kept else "yes",
        f"Released without protection: {quoted(kept)}." if kept else "No column is passed through.",
    )
    yield earlier_check(is_counted=is_counted)


def _undermining_of_records(released: Released) -> Iterator[Check]:
    suggested = tuple(
        a.column.name for a in released.attributes if a.column.provenance == "suggested"
    )
    blank = tuple(column.name for column in released.plan.left_blank)
    yield check(
        "Is the law that was run shown to keep its ε?",
        "yes",
        "Each law is a table of whole numbers; its largest likelihood ratio is computed exactly "
        "and compared with e^ε.",
    )
    yield check(
        "Are attacks through floating-point numbers prevented?",
        "yes",
        "A draw compares whole numbers of 64 bits; no floating-point number takes part in it.",
    )
    yield RANDOM_NUMBERS
    yield SIDE_CHANNELS
    yield domains_check("Are domains and bounds known without the data?", suggested)
    yield check(
        "Are missing answers protected like others?",
        "no" if blank else "yes",
        f"Who answered {quoted(blank)} is released as it is: an empty cell says that its "
        "respondent did not answer."
        if blank
        else "They are protected together with the number, become a category or a declared value "
        "before the mechanism, or stop the release; no row is left out.",
    )
    yield check(
        "Is the loss of several attributes added up, related ones included?",
        "yes",
        _added_up(released),
    )
    shuffled = released.plan.shuffle
    yield check(
        "Is the order of the rows uninformative?",
        "yes" if shuffled else "no",
        "The rows are in random order."
        if shuffled
        else "The rows are in the order of the survey, which can identify respondents.",
    )
    yield looked_check(
        "Were mechanisms, epsilons and domains chosen without looking at the answers?"
    )
    yield check(
        "Do estimates and this report use the release alone?",
        "yes",
        "They are computed from the released records; comparisons with the true answers are "
        "never part of a release.",
    )
    yield check(
        "Are estimates unbiased, and their errors stated?",
        "yes",
        "Noise and sampling errors are given apart and together. Answers moved to a bound before "
        "the mechanism bias a mean, by an amount that is not public."
        if any(a.bound.numeric_outputs for a in released.attributes)
        else "Noise and sampling errors are given apart and together.",
    )
    yield SMALL_GROUPS
    yield check(
        "Has the implementation been examined by an independent party?",
        "no",
        "Its laws are tested by enumeration; no auditor has examined it.",
    )


def _added_up(released: Released) -> str:
    if len(released.attributes) == 1:
        return "One attribute is protected: its loss is that of the record."
    if released.plan.strategy == "spl":
        return "The loss of the record is the sum, which holds however the attributes are related."
    return (
        "One attribute of each respondent is drawn without regard to the answers; the largest "
        "epsilon bounds the loss of the record, however the attributes are related."
    )


def _foundations_of_records() -> Iterator[Check]:
    yield check(
        "Is the trust model stated?",
        "yes",
        "The mechanisms are local; they were run by the curator, who is trusted with the answers.",
    )
    yield check(
        "Were the answers randomized before anybody else saw them?",
        "no",
        "The curator held the true answers when the records were sanitized.",
    )
    yield ORIGINALS
    yield check(
        "Was the computer free of spying software?",
        "unknown",
        "dpdesk trusts the computer it runs on and cannot examine it.",
    )
    yield check(
        "Were respondents told what would be collected and released?",
        "unknown",
        "dpdesk knows nothing of how the answers were collected.",
    )


def _is_justified(released: Released) -> bool:
    every_note = all(attribute.column.note.strip() for attribute in released.attributes)
    return bool(released.plan.details.justification.strip()) or every_note


def statistics_checklist(
    released: ReleasedStatistics, *, is_counted: bool = False
) -> tuple[CheckGroup, ...]:
    """Returns the checklist of a release of statistics; arguments as in `checklist`."""
    return groups_of(
        _direct_measures_of_statistics(released, is_counted),
        _undermining_of_statistics(released),
        central_foundations(),
    )


def _direct_measures_of_statistics(
    released: ReleasedStatistics, is_counted: bool
) -> Iterator[Check]:
    return central_direct_measures(
        check(
            "Are ε and δ stated, for every query and for the whole release?",
            "yes",
            "Both are, as asked for and as run.",
        ),
        released.plan,
        released.cost,
        is_counted=is_counted,
    )


def central_direct_measures(
    stated: Check, plan: Plan, cost: PrivacyCost, *, is_counted: bool
) -> Iterator[Check]:
    """Yields the direct measures of a release whose curator is trusted with the answers.

    Args:
        stated: Whether the loss is stated, for all its parts.
        plan: The plan that was released.
        cost: What it costs.
        is_counted: Whether the report lists the earlier releases of the same people.
    """
    yield stated
    yield check(
        "Is the choice of ε justified?",
        "yes" if plan.details.justification else "no",
        "The reasons are given under Justification."
        if plan.details.justification
        else "The plan gives no reasons.",
    )
    yield check(
        "Are the unit of privacy and the neighbouring relation stated?",
        "yes",
        f"{cost.unit.capitalize()}; {cost.relation}.",
    )
    yield check(
        "Is the bound on a respondent's rows enforced?",
        "yes" if plan.statistics.unit.respondent_column else "unknown",
        plan.enforcement,
    )
    yield earlier_check(is_counted=is_counted)


def suggested_columns(plan: Plan) -> tuple[str, ...]:
    """Returns the columns whose domain was read off the data and then confirmed."""
    return tuple(
        column.name
        for column in plan.columns
        if column.provenance == "suggested" and column.domain is not None
    )


def _undermining_of_statistics(released: ReleasedStatistics) -> Iterator[Check]:
    suggested = suggested_columns(released.plan)
    yield check(
        "Is the mechanism shown to keep its ε?",
        "yes",
        f"{_who_draws(released)} The sensitivity of every query is derived in this report.",
    )
    yield check(
        "Are attacks through floating-point numbers prevented?",
        "yes",
        "Statistics are sums of whole numbers; noise is drawn exactly on their grid or, for the "
        "two continuous laws, on a fine grid by OpenDP.",
    )
    yield RANDOM_NUMBERS
    yield domains_check("Are domains, bounds and keys known without the data?", suggested)
    yield check(
        "Are keys without any row released like all others?",
        "yes",
        "Every declared key has a noisy result, even if no row has it.",
    )
    yield check(
        "Are missing answers treated without a loss of their own?",
        "yes",
        "They are left out of a query, are a category of their own or take a declared value; the "
        "sensitivity allows for it.",
    )
    yield looked_check("Were queries, epsilons and bounds chosen without looking at the answers?")
    yield check(
        "Are estimates and their errors stated?",
        "yes",
        "Each number with noise has its interval; where the sampling error can be computed, "
        "another one includes it. For each choice and each quantile, a sentence says what holds "
        "with the stated confidence. Answers moved to a bound bias a sum or a mean by an amount "
        "that is not public.",
    )
    yield SMALL_GROUPS
    yield SIDE_CHANNELS


def _who_draws(released: ReleasedStatistics) -> str:
    opendp = (
        "oise and choices are those of OpenDP, whose samplers and privacy maps have proofs; the "
        "scale of Gaussian noise follows from its exact loss (Balle & Wang 2018; Canonne, Kamath "
        "& Steinke 2020)."
    )
    queries = released.plan.statistics.queries
    if all(query.chooses or query.noise != "staircase" for query in queries):
        return f"N{opendp}"
    return (
        f"Except for staircase noise, n{opendp} Staircase noise is dpdesk's own: a law of whole "
        "numbers, of which the largest likelihood ratio is computed exactly."
    )


def central_foundations() -> Iterator[Check]:
    """Yields what a release rests on whose curator is trusted with the answers."""
    yield check(
        "Is the trust model stated?",
        "yes",
        "The model is central: the curator is trusted with the answers.",
    )
    yield ORIGINALS
