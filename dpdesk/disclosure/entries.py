"""The figures of disclosure risk as JSON has them, on the command line and in private reports."""

from __future__ import annotations

from typing import Any

from dpdesk.disclosure.changes import Change
from dpdesk.disclosure.measure import DisclosureRisk
from dpdesk.disclosure.special_uniques import SpecialUniques

SETS_SHOWN = 10
"""How many sets of columns are listed."""


def risk_entry(risk: DisclosureRisk) -> dict[str, Any]:
    """Returns the figures as JSON has them: sensitive columns by name, and plain names."""
    population = risk.population
    return {
        "rows": risk.rows,
        "quasi_identifiers": list(risk.quasi_identifiers),
        "missing_cells": risk.missing_cells,
        "missing_cells_are": {"value": "a value of their own", "any": "any value"}[risk.missing],
        "classes": risk.classes,
        "k": risk.k,
        "unique_rows": risk.unique_rows,
        "rows_below_5": risk.rows_below_5,
        "threshold": risk.threshold,
        "rows_below_threshold": risk.rows_below,
        "prosecutor_highest_risk": risk.prosecutor_highest,
        "prosecutor_average_risk": risk.prosecutor_average,
        "marketer_risk": risk.prosecutor_average
        if population is None
        else population.journalist_average,
        "population": None
        if population is None
        else {
            "size": population.population,
            "journalist_highest_risk": population.journalist_highest,
            "journalist_average_risk": population.journalist_average,
            "individual_highest_risk": population.individual_highest,
            "individual_average_risk": population.individual_average,
            "expected_reidentifications": population.expected_found,
        },
        "sensitive": {
            one.column: {
                "l_distinct": one.l_distinct,
                "l_entropy": one.l_entropy,
                "recursive_c": one.recursive_c,
                "recursive_l": one.l_distinct,
                "alpha": one.alpha,
                "t_closeness": one.t_closeness,
                "t_closeness_distance": "ordered" if one.is_ordered else "total variation",
                "rows_disclosed": one.rows_disclosed,
                "classes_disclosed": one.classes_disclosed,
            }
            for one in risk.sensitive
        },
        "as_columns_are_added": [
            {
                "column": step.column,
                "unique_rows": step.groups.unique_rows,
                "rows_below_threshold": step.groups.rows_below,
            }
            for step in risk.steps
        ],
        "columns": [
            {
                "column": one.column,
                "distinct": one.distinct,
                "unique_rows_alone": one.alone.unique_rows,
                "unique_rows_without": one.without.unique_rows,
                "rows_below_threshold_without": one.without.rows_below,
            }
            for one in risk.effects
        ],
    }


def special_entry(special: SpecialUniques, most: int) -> dict[str, Any]:
    """Returns which few columns make records unique, and the riskiest records by number, from 1."""
    return {
        "special_uniques": {
            "columns_at_most": special.depth,
            "sets": [
                {"columns": list(one.columns), "records": one.rows}
                for one in special.sets[:SETS_SHOWN]
            ],
            "sets_in_all": len(special.sets),
        },
        "riskiest_records": [
            {
                "record": one.row + 1,
                "suda_score": one.suda,
                "unique_on": [list(columns) for columns in one.sets],
                "rarity": one.rarity,
            }
            for one in special.riskiest(most)
        ],
    }


def change_entry(change: Change) -> dict[str, Any]:
    """Returns who stands out after a change of one column."""
    coarser = change.coarser
    return {
        "change": change.kind,
        "column": change.column,
        "band_width": coarser.width if coarser and coarser.kind == "bands" else None,
        "categories_merged": coarser.merged if coarser and coarser.kind == "merge" else None,
        "unique_rows": change.groups.unique_rows,
        "rows_below_threshold": change.groups.rows_below,
    }
