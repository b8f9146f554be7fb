"""Verdicts on what is to be released, in words."""

from __future__ import annotations

from collections.abc import Iterable

from dpdesk.gui.strategy_words import tr_plan
from dpdesk.i18n import AND_MORE, N_, first_names
from dpdesk.plan.usefulness import Usefulness
from dpdesk.plan.verdicts import RATINGS, VERDICTS, PartVerdicts

_VERDICT_MEANINGS = {
    "useful": N_("Useful: the 95 % error is at most a third of {size}."),
    "coarse": N_("Rough: the 95 % error is more than a third of {size}."),
    "useless": N_("Too noisy: the 95 % error is larger than {size}."),
}
_ITSELF = N_("what is estimated")
_MEDIUM = N_("a medium difference of it, half a standard deviation")
_OF_BOUNDS = N_(
    "a medium difference of it, half a standard deviation of answers spread evenly between the "
    "declared bounds"
)
_NEAR = N_("what the mean of this file is away from {bound}, the nearest declared bound")
_MEAN_OF_FILE = N_("the mean of this file")
_SPREAD_OF_FILE = N_("half a standard deviation of the numbers in this file, a medium difference")
_EITHER = N_("what is estimated, or of a medium difference of it if that is less")
_SEEN_BY_YOU = N_("This verdict goes by your file and is shown to you only: no report holds it.")
_NAMED = 5
"""Most parts that a sentence names."""

_NOT_ITSELF = N_("An estimate that is smaller than its error cannot be told from 0 all the same.")


def verdict_word(verdict: str) -> str:
    """The verdict on an error, in words."""
    return {str(each): rating for each, rating in RATINGS.items()}[verdict]()


def verdict_meaning(verdict: str) -> str:
    """What a verdict on several numbers means, in a sentence."""
    return tr_plan(_VERDICT_MEANINGS[verdict]).format(size=tr_plan(_EITHER))


def seen_by_you() -> str:
    """That a verdict goes by the file, in a sentence."""
    return tr_plan(_SEEN_BY_YOU)


def verdicts_words(verdicts: PartVerdicts) -> str:
    """Which parts are too noisy, and which rough; "" where one verdict holds for all."""
    if all(each == verdicts.worst for _, each in verdicts.parts):
        return ""
    told = tr_plan("{verdict}: {names}.")
    return " ".join(
        told.format(
            verdict=verdict_word(each).capitalize(),
            names=first_names(names, _NAMED, more=tr_plan(AND_MORE)),
        )
        for each in reversed(VERDICTS)
        if each != "useful" and (names := verdicts.named(each))
    )


def usefulness_meaning(found: Usefulness) -> str:
    """What the verdict on a number means, by what its error is compared with, and its numbers.

    A share is compared with itself, a mean with a part of its declared range: without data nobody
    knows how large it is. Of a file that was counted it is compared with the numbers of the
    file, if that is less.
    """
    size = tr_plan(_ITSELF if found.is_itself else _OF_BOUNDS if found.of_bounds else _MEDIUM)
    said = ""
    if found.of_file:
        size = tr_plan(_MEAN_OF_FILE if found.is_itself else _SPREAD_OF_FILE)
        size = tr_plan(_NEAR).format(bound=found.near) if found.near else size
        said = tr_plan(_SEEN_BY_YOU)
    elif not found.is_itself and found.verdict != "useless":
        said = tr_plan(_NOT_ITSELF)
    meant = tr_plan(_VERDICT_MEANINGS[found.verdict]).format(size=size)
    return "\n".join(filter(None, (meant, said, found.reason)))


def smaller_than_errors(pairs: Iterable[tuple[float, float]]) -> str:
    """Tells how many released shares or counts are smaller than their errors; "" if none is.

    Args:
        pairs: Estimates and the half-widths of their intervals, in the same unit.
    """
    compared = [abs(estimate) < error for estimate, error in pairs]
    few = sum(compared)
    if not few:
        return ""
    one = tr_plan("1 of {all} estimates is too noisy: it is smaller than its error.")
    many = tr_plan("{count} of {all} estimates are too noisy: they are smaller than their errors.")
    return (one if few == 1 else many).format(count=f"{few:,}", all=f"{len(compared):,}")
