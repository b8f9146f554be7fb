"""The first page of a report of statistics, which a respondent can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from dpdesk.composition import group_privacy
from dpdesk.composition.strength import strength_of
from dpdesk.cost import PrivacyCost
from dpdesk.estimation.released import ReleasedStatistics
from dpdesk.i18n import in_a_row
from dpdesk.queries.unit import Relation
from dpdesk.reports.number_text import significant_text
from dpdesk.reports.respondent_page import (
    HOUSEHOLD,
    ROWS_MOST,
    DoneToAnswers,
    RespondentPage,
    even_odds,
    exceptions,
)
from dpdesk.reports.statistics.facts import QueryFacts
from dpdesk.reports.texts import T


def page_of_statistics(
    released: ReleasedStatistics, queries: Sequence[QueryFacts], not_protected: tuple[str, ...]
) -> RespondentPage:
    """Returns the page of released statistics.

    Args:
        released: What was released; holds no true statistic.
        queries: The facts of each query.
        not_protected: What the guarantee does not cover, as sentences.
    """
    statistics, count = released.plan.statistics, len(queries)
    rows = T.ROWS_PROTECTED() if released.rows is None else T.ROWS_IN_FILE(rows=released.rows)
    answers = [
        DoneToAnswers(of=query.name or query.asked, what=_noise(query, statistics.confidence))
        for query in queries[:ROWS_MOST]
    ]
    if count > ROWS_MOST:
        answers.append(DoneToAnswers(of=T.MORE(count=count - ROWS_MOST), what=T.SEE_RESULTS()))
    sure = in_a_row((T.STATISTICS_CERTAINTY(), *exceptions(statistics.cost.delta)))
    return RespondentPage(
        asked=(rows, T.STATISTICS_RELEASED(count=count)),
        done=T.STATISTICS_DONE(),
        answers=tuple(answers),
        worst=tuple(worst_of_central(statistics.cost, statistics.unit.relation)),
        hidden=(sure, T.NO_ROW_RELEASED()),
        not_hidden=(*not_protected, T.CURATOR_KNOWS()),
        good_for=(T.RESULTS_OF_ALL(),),
    )


def _noise(query: QueryFacts, confidence: Decimal) -> str:
    """Returns what chance did to a statistic."""
    if query.noise == "permute_and_flip":
        return T.CHOSEN()
    of_hundred = f"{100 * confidence:f}".rstrip("0").rstrip(".")
    moved = [f"± {significant_text(part.half_width, 3)} ({part.name})" for part in query.parts]
    return T.NOISE_WITHIN(cases=of_hundred, amounts=moved)


def worst_of_central(cost: PrivacyCost, relation: Relation) -> Iterator[str]:
    """Yields what can be learnt about one person at worst from a release of a trusted file.

    Args:
        cost: Its loss.
        relation: Which change of the data the loss bounds.
    """
    epsilon, delta, adds = cost.epsilon, cost.delta, relation == "add_remove"

    def limited(sentence: str, members: int) -> str:
        of_all = group_privacy(epsilon, delta, members)[1] if delta else delta
        return in_a_row((sentence, *exceptions(of_all)))

    worst = T.WORST_OF_MEMBER if adds else T.WORST_OF_ANSWERS
    yield limited(worst(strength=strength_of(epsilon), belief=even_odds(epsilon)), 1)
    if adds:
        yield limited(T.WORST_OF_KNOWN_MEMBER(belief=even_odds(2 * epsilon)), 2)
    household = T.HOUSEHOLD_IN_FILE if adds else T.HOUSEHOLD
    belief = even_odds(HOUSEHOLD * epsilon)
    yield limited(household(members=HOUSEHOLD, belief=belief), HOUSEHOLD)
    yield T.MORE_RELEASES()
