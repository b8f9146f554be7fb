"""The four figures above the Risk page."""

from __future__ import annotations

from dpdesk.disclosure.facts import risk_facts
from dpdesk.disclosure.texts import T
from dpdesk.facts import Facts
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.preview.recognisable import Measured


def show_figures(row: FigureRow, answer: Measured | None, *, supposed: bool = False) -> None:
    """Shows the figures of an answer, or dashes.

    Args:
        row: Where they are shown.
        answer: The answer; None while there is none.
        supposed: Whether the sensitive columns are a suggestion.
    """
    for tile in row.tiles:
        tile.set_figure("—", "")
        tile.set_severity("")
    if answer is None:
        return
    unique, smallest, chance, follows = row.tiles
    facts = risk_facts(answer.risk)
    average, below = facts["prosecutor_average_risk"], facts["rows_below_threshold"]
    unique.set_figure(facts["unique_rows"].words, facts["unique_rows"].label)
    # Where no answer is released unprotected, this is no danger.
    unique.set_severity("danger" if answer.risk.unique_rows and not answer.keeps_none else "")
    smallest.set_figure(facts["k"].words, T.K_AND_BELOW(k=answer.risk.threshold, rows=below.words))
    population = facts["population"].value
    chance.set_figure(average.words, average.label, _lines(population) if population else "")
    sensitive: dict[str, Facts] = facts["sensitive"].value
    if not sensitive:
        has_groups = answer.risk.missing == "value"
        follows.set_figure("—", T.NO_SENSITIVE() if has_groups else T.NO_GROUPS())
        return
    column = max(sensitive, key=lambda name: sensitive[name]["rows_disclosed"].value)
    worst = sensitive[column]
    label = T.FOLLOWS_SUPPOSED if supposed else T.FOLLOWS_OF
    details = "\n".join(f"{name}\n{_lines(own)}" for name, own in sensitive.items())
    follows.set_figure(worst["rows_disclosed"].words, label(column=column), details)
    discloses = worst["rows_disclosed"].value and not answer.keeps_none
    follows.set_severity("warning" if discloses else "")


def _lines(facts: Facts) -> str:
    return "\n".join(f"{label}: {words}" for label, words in facts.lines())
