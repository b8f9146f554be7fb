"""The checklist after NIST SP 800-226 for released statistics."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.estimate.released_statistics import ReleasedStatistics
from dpdesk.report.checklist import Answer, Check, CheckGroup
from dpdesk.report.number_text import joined


def statistics_checklist(
    released: ReleasedStatistics, *, is_counted: bool = False
) -> tuple[CheckGroup, ...]:
    """Returns the checklist of a release of statistics.

    Args:
        released: What was released.
        is_counted: Whether the report lists the earlier releases of the same people.
    """
    groups = (
        ("Direct measures", _direct_measures(released, is_counted)),
        ("What can undermine them", _undermining(released)),
        ("What they rest on", _foundations()),
    )
    return tuple(CheckGroup(title=title, checks=tuple(checks)) for title, checks in groups)


def _check(question: str, answer: Answer, reason: str) -> Check:
    return Check(question=question, answer=answer, reason=reason)


def _direct_measures(released: ReleasedStatistics, is_counted: bool) -> Iterator[Check]:
    statistics = released.plan.statistics
    unit, cost = statistics.unit, statistics.cost
    justified = bool(released.plan.details.justification)
    yield _check(
        "Are ε and δ stated, for every query and for the whole release?",
        "yes",
        "Both are, as asked for and as run.",
    )
    yield _check(
        "Is the choice of ε justified?",
        "yes" if justified else "no",
        "The reasons are given under Justification." if justified else "The plan gives no reasons.",
    )
    yield _check(
        "Are the unit of privacy and the neighbouring relation stated?",
        "yes",
        f"{cost.unit.capitalize()}; {cost.relation}.",
    )
    yield _check(
        "Is the bound on a respondent's rows enforced?",
        "yes" if unit.respondent_column else "unknown",
        f"By the column {unit.respondent_column}: rows beyond the bound are dropped at random."
        if unit.respondent_column
        else "No column tells whose row it is; the bound is a promise of the curator.",
    )
    yield _check(
        "Are earlier releases of the same answers counted in?",
        "yes" if is_counted else "unknown",
        "The releases that the curator's ledger has of the declared population are listed under "
        "Budget."
        if is_counted
        else "No population was declared; the curator's ledger alone knows earlier releases.",
    )


def _undermining(released: ReleasedStatistics) -> Iterator[Check]:
    suggested = tuple(
        column.name
        for column in released.plan.columns
        if column.provenance == "suggested" and column.domain is not None
    )
    yield _check(
        "Is the mechanism shown to keep its ε?",
        "yes",
        f"{_who_draws(released)} The sensitivity of every query is derived in this report.",
    )
    yield _check(
        "Are attacks through floating-point numbers prevented?",
        "yes",
        "Statistics are sums of whole numbers; noise is drawn exactly on their grid or, for the "
        "two continuous laws, on a fine grid by OpenDP.",
    )
    yield _check(
        "Are the random numbers cryptographic, and is there no seed?",
        "yes",
        "They come from the operating system; there is no seed to find.",
    )
    yield _check(
        "Are domains, bounds and keys known without the data?",
        "no" if suggested else "yes",
        f"Read off the data and then confirmed as public knowledge: {joined(suggested)}."
        if suggested
        else "They were declared or taken from a codebook, and confirmed as public knowledge.",
    )
    yield _check(
        "Are keys that nobody has released like all others?",
        "yes",
        "Every declared key has a noisy result, whether a row has it or not.",
    )
    yield _check(
        "Are missing answers treated without a loss of their own?",
        "yes",
        "They are left out of a query, are a category of their own or take a declared value; the "
        "sensitivity allows for it.",
    )
    yield _check(
        "Were queries, epsilons and bounds chosen without looking at the answers?",
        "unknown",
        "dpdesk shows the answers to the curator before the plan is made and does not record what "
        "was looked at.",
    )
    yield _check(
        "Are estimates and their errors stated?",
        "yes",
        "Each number with noise has its interval; where it can be told, one with the sampling "
        "error too. Of each choice and each quantile it is said what holds with the stated "
        "confidence. Answers moved to a bound bias a sum or a mean by an amount that is not "
        "public.",
    )
    yield _check(
        "Are small groups served as well as large ones?",
        "no",
        "The noise is the same for all, so that the relative error is largest for small groups.",
    )
    yield _check(
        "Are side channels such as running time excluded?",
        "not applicable",
        "Nobody but the curator takes part in the run; whoever holds the release saw no times.",
    )


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
        f"But for staircase noise, n{opendp} Staircase noise is dpdesk's own: a law of whole "
        "numbers, of which the largest likelihood ratio is computed exactly."
    )


def _foundations() -> Iterator[Check]:
    yield _check(
        "Is the trust model stated?",
        "yes",
        "The model is central: the curator is trusted with the answers.",
    )
    yield _check(
        "Are the original answers kept safe, with access for few, or deleted?",
        "unknown",
        "dpdesk neither changes nor guards the original file.",
    )
