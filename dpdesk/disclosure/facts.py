"""What is found of disclosure risk, as facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from dpdesk.disclosure.changes import Change
from dpdesk.disclosure.diversity import Diversity
from dpdesk.disclosure.measure import DisclosureRisk
from dpdesk.disclosure.risks import PopulationRisk
from dpdesk.disclosure.special_uniques import SpecialUniques
from dpdesk.disclosure.texts import T
from dpdesk.facts import Fact, Facts, several
from dpdesk.i18n import joined
from dpdesk.numbers.digits import chance_percent

SETS_SHOWN = 10
"""How many sets of columns are listed."""


def _same(words: str, _: object) -> str:
    """Words that are made elsewhere, for `Fact.in_words`."""
    return words


def _count(number: float) -> str:
    return f"{number:,.0f}"


def _digits(count: int) -> Callable[[float], str]:
    return lambda number: f"{number:,.{count}f}"


def _rows_of(rows: int) -> Callable[[int], str]:
    return lambda count: f"{count:,} ({chance_percent(count / rows)})"


def risk_facts(risk: DisclosureRisk) -> Facts:
    """Returns how recognisable records are, in total, by sensitive column and by known column."""
    below, of_all = T.BELOW(k=risk.threshold), _rows_of(risk.rows)
    population = risk.population
    marketer = risk.prosecutor_average if population is None else population.journalist_average
    is_value = risk.missing == "value"
    missing = {"value": "a value of their own", "any": "any value"}[risk.missing]
    words = T.VALUE_OF_THEIR_OWN() if is_value else T.ANY_VALUE()
    has_gaps = bool(risk.missing_cells)
    return Facts.of(
        Fact("rows", risk.rows, T.ROWS(), _count),
        Fact("quasi_identifiers", list(risk.quasi_identifiers), T.KNOWN(), joined),
        Fact("missing_cells", risk.missing_cells, T.MISSING_CELLS() * has_gaps, _count),
        Fact("missing_cells_are", missing, T.MISSING_ARE() * has_gaps, partial(_same, words)),
        Fact("classes", risk.classes, T.CLASSES(), _count),
        Fact("k", risk.k, T.K(), _count),
        Fact("unique_rows", risk.unique_rows, T.UNIQUE(), of_all),
        Fact("rows_below_5", risk.rows_below_5),
        Fact("threshold", risk.threshold),
        Fact("rows_below_threshold", risk.rows_below, below, of_all),
        Fact("prosecutor_highest_risk", risk.prosecutor_highest, T.RISK_HIGHEST(), chance_percent),
        Fact("prosecutor_average_risk", risk.prosecutor_average, T.RISK_AVERAGE(), chance_percent),
        Fact("marketer_risk", marketer),
        Fact("population", None if population is None else _population_facts(population)),
        Fact(
            "sensitive",
            {one.column: _diversity_facts(one, of_all) for one in risk.sensitive},
            T.GROUPS_REVEAL(),
        ),
        Fact(
            "as_columns_are_added",
            several(
                Facts.of(
                    Fact("column", step.column, T.COLUMN()),
                    Fact("unique_rows", step.groups.unique_rows, T.UNIQUE_SHORT(), _count),
                    Fact("rows_below_threshold", step.groups.rows_below, below, _count),
                )
                for step in risk.steps
            ),
            T.STEPS(),
        ),
        Fact(
            "columns",
            several(
                Facts.of(
                    Fact("column", one.column),
                    Fact("distinct", one.distinct),
                    Fact("unique_rows_alone", one.alone.unique_rows),
                    Fact("unique_rows_without", one.without.unique_rows),
                    Fact("rows_below_threshold_without", one.without.rows_below),
                )
                for one in risk.effects
            ),
        ),
    )


def _population_facts(population: PopulationRisk) -> Facts:
    highest, average = population.individual_highest, population.individual_average
    return Facts.of(
        Fact("size", population.population, T.PEOPLE(), _count),
        Fact("journalist_highest_risk", population.journalist_highest),
        Fact("journalist_average_risk", population.journalist_average),
        Fact("individual_highest_risk", highest, T.PEOPLE_HIGHEST(), chance_percent),
        Fact("individual_average_risk", average, T.PEOPLE_AVERAGE(), chance_percent),
        Fact("expected_reidentifications", population.expected_found, T.FOUND(), _digits(1)),
    )


def _diversity_facts(found: Diversity, of_all: Callable[[int], str]) -> Facts:
    distance = "ordered" if found.is_ordered else "total variation"
    return Facts.of(
        Fact("l_distinct", found.l_distinct, T.L_DISTINCT(), _count),
        Fact("l_entropy", found.l_entropy, T.L_ENTROPY(), _digits(3)),
        Fact("recursive_c", found.recursive_c, T.RECURSIVE(), _digits(3)),
        Fact("recursive_l", found.l_distinct),
        Fact("alpha", found.alpha, T.ALPHA(), chance_percent),
        Fact("t_closeness", found.t_closeness, T.T_CLOSENESS(), _digits(4)),
        Fact("t_closeness_distance", distance),
        Fact("rows_disclosed", found.rows_disclosed, T.FOLLOWS(), of_all),
        Fact("classes_disclosed", found.classes_disclosed),
    )


def special_facts(special: SpecialUniques, most: int) -> Facts:
    """Returns which few columns make records unique, and the riskiest records by number, from 1."""
    sets = several(
        Facts.of(
            Fact("columns", list(one.columns), T.COLUMN(), " + ".join),
            Fact("records", one.rows, T.RECORDS(), _count),
        )
        for one in special.sets[:SETS_SHOWN]
    )
    riskiest = several(
        Facts.of(
            Fact("record", one.row + 1, T.RECORD(), _count),
            Fact("suda_score", one.suda, T.SCORE(), partial(_same, one.score_text)),
            Fact(
                "unique_on",
                [list(columns) for columns in one.sets],
                T.UNIQUE_ON(),
                partial(_same, one.sets_text),
            ),
            Fact("rarity", one.rarity),
        )
        for one in special.riskiest(most)
    )
    return Facts.of(
        Fact(
            "special_uniques",
            Facts.of(
                Fact("columns_at_most", special.depth),
                Fact("sets", sets, T.SETS(depth=special.depth)),
                Fact("sets_in_all", len(special.sets)),
            ),
        ),
        Fact("riskiest_records", riskiest, T.RISKIEST()),
    )


def change_facts(changes: Iterable[Change], threshold: int) -> Facts:
    """Returns who stands out after each of some changes of one column.

    A column is dropped or protected with the same effect: both are JSON, one is shown.
    """
    changes = tuple(changes)
    dropped = {one.column for one in changes if one.kind == "drop"}
    return Facts.of(
        Fact(
            "changes",
            several(
                _change_facts(
                    one, threshold, is_shown=one.kind != "protect" or one.column not in dropped
                )
                for one in changes
            ),
            T.CHANGES(),
        ),
    )


def _change_facts(change: Change, threshold: int, *, is_shown: bool) -> Facts:
    coarser = change.coarser
    width = coarser.width if coarser and coarser.kind == "bands" else None
    merged = coarser.merged if coarser and coarser.kind == "merge" else None
    column = change.column
    words = T.DROP(column=column)
    if width is not None:
        words = T.BANDS(column=column, width=f"{width:g}")
    if merged is not None:
        words = T.MERGE(column=column, count=merged)
    below = T.BELOW_SHORT(k=threshold)
    return Facts.of(
        Fact("change", change.kind, T.CHANGE() * is_shown, partial(_same, words)),
        Fact("column", column),
        Fact("band_width", width),
        Fact("categories_merged", merged),
        Fact("unique_rows", change.groups.unique_rows, T.UNIQUE_SHORT() * is_shown, _count),
        Fact("rows_below_threshold", change.groups.rows_below, below * is_shown, _count),
    )
