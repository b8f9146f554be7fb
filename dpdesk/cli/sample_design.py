"""The options that say how respondents were drawn: strata, clusters, and strata of one cluster."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from dpdesk.cli.options import add_choice, add_text
from dpdesk.requests.unused import Unused

_NO_STRATA = Unused(lambda options: not options.strata, "without --strata")


def add_sample_design(
    parser: argparse._ActionsContainer, of_which: str = "", *, unused: Sequence[Unused] = ()
) -> None:
    """Adds `--strata`, `--clusters` and `--lonely-psu`.

    Args:
        parser: The parser of a command, or a group of its options.
        of_which: What columns these can be, for the help: "that was released as it is".
        unused: The cases in which they have no effect.
    """
    says = f"a column {f'{of_which} and ' if of_which else 'that '}says in which"
    strata, clusters = (f"{says} {what} respondents were drawn" for what in ("stratum", "cluster"))
    add_text(parser, "--strata", "COLUMN", strata, unused=unused)
    add_text(parser, "--clusters", "COLUMN", clusters, unused=unused)
    lonely = (
        "what a stratum with a single cluster adds to errors: nothing can be told (fail, the "
        "default), nothing (certainty), its distance from the mean of all (centred), as much as "
        "the other strata (average)"
    )
    ways = ("fail", "certainty", "centred", "average")
    add_choice(parser, "--lonely-psu", ways, lonely, default="fail", unused=(*unused, _NO_STRATA))
