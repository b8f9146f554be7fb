"""The first page of a report of statistics, which a respondent can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, Context, Decimal

from dpdesk.composition import group_privacy
from dpdesk.composition.strength import strength_of
from dpdesk.composition.words import delta_text
from dpdesk.cost import PrivacyCost
from dpdesk.estimation.released import ReleasedStatistics
from dpdesk.queries.unit import Relation
from dpdesk.report.number_text import significant_text
from dpdesk.report.respondent_page import (
    CURATOR,
    HOUSEHOLD,
    MORE_RELEASES,
    ROWS_MOST,
    DoneToAnswers,
    RespondentPage,
    even_odds,
    household,
)
from dpdesk.report.statistics.facts import QueryFacts


def page_of_statistics(
    released: ReleasedStatistics, queries: Sequence[QueryFacts], not_protected: tuple[str, ...]
) -> RespondentPage:
    """Returns the page of released statistics.

    Args:
        released: What was released; holds no true statistic.
        queries: The facts of each query.
        not_protected: What the guarantee does not cover, as sentences.
    """
    statistics = released.plan.statistics
    rows = (
        "How many rows the file has is protected as well."
        if released.rows is None
        else f"The file has {released.rows:,} rows, one for each respondent."
    )
    several = len(queries) > 1
    asked = (
        f"A curator holds the answers of a survey. {rows}",
        f"{len(queries):,} {'statistics' if several else 'statistic'} of them "
        f"{'are' if several else 'is'} released, and nothing else.",
    )
    answers = [
        DoneToAnswers(of=query.name or query.asked, what=_noise(query, statistics.confidence))
        for query in queries[:ROWS_MOST]
    ]
    if len(queries) > ROWS_MOST:
        what = "likewise; see the results below"
        answers.append(DoneToAnswers(of=f"{len(queries) - ROWS_MOST:,} more", what=what))
    sure = (
        "Certainty. Whatever was released, other answers of yours could have given the same"
        f"{exceptions(statistics.cost.delta)}."
    )
    return RespondentPage(
        asked=asked,
        done="Each statistic was computed from the true answers. Before it left the curator's "
        "computer, chance changed it:",
        answers=tuple(answers),
        worst=tuple(worst_of_central(statistics.cost, statistics.unit.relation)),
        hidden=(sure, "Your answers themselves: no row of the file is released."),
        not_hidden=(*not_protected, CURATOR),
        good_for=(
            "The released numbers are those of everybody together, each with an interval that "
            "says how far chance may have moved it.",
        ),
    )


def _noise(query: QueryFacts, confidence: Decimal) -> str:
    """Returns what chance did to a statistic."""
    if query.noise == "permute_and_flip":
        return "What is released was chosen by chance, what fits better being likelier."
    of_hundred = f"{100 * confidence:f}".rstrip("0").rstrip(".")
    moved = "; ".join(
        f"{part.name}: ±\u00a0{significant_text(part.half_width, 3)}" for part in query.parts
    )
    return f"Noise was added. In {of_hundred} of 100 cases it is no larger than this: {moved}."


def exceptions(delta: Decimal) -> str:
    """Returns what a delta leaves out of a bound on beliefs; empty without one."""
    rounded = Context(prec=3, rounding=ROUND_CEILING).plus(delta)
    return f", with rare exceptions that δ = {delta_text(rounded)} bounds" if delta else ""


def worst_of_central(cost: PrivacyCost, relation: Relation) -> Iterator[str]:
    """Yields what can be learnt about one person at worst from a release of a trusted file.

    Args:
        cost: Its loss.
        relation: Which change of the data the loss bounds.
    """
    epsilon, delta = cost.epsilon, cost.delta
    but = exceptions(delta)
    if relation == "add_remove":
        yield (
            f"Protection: {strength_of(epsilon)}. Someone unsure whether you are in the file can "
            f"become {even_odds(epsilon)} sure{but}."
        )
        twice = group_privacy(epsilon, delta, 2)[1] if delta else Decimal(0)
        yield (
            "Who knows that you are in it, and holds two guesses at your answers for equally "
            f"likely, is at worst {even_odds(2 * epsilon)} sure of one of them{exceptions(twice)}."
        )
    else:
        yield (
            f"Protection: {strength_of(epsilon)}. Someone unsure between two guesses at your "
            f"answers can become {even_odds(epsilon)} sure of one{but}."
        )
    adds = relation == "add_remove"
    of = "whether all of them are in the file or none is" if adds else "at all their answers"
    together = group_privacy(epsilon, delta, HOUSEHOLD)[1] if delta else Decimal(0)
    yield f"{household(epsilon, of)}{exceptions(together)}."
    yield MORE_RELEASES
