"""What would be a medium effect: half a standard deviation of the outcome or of a column."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from dpdesk.data.reading import Reading
from dpdesk.domains import parse_number
from dpdesk.estimate.regression import Regression
from dpdesk.estimate.scored_records import ScoredRecords
from dpdesk.plan.usefulness import spread_of

_MEDIUM_LOG_ODDS = pi / sqrt(3) / 2
"""Half a standard deviation of the logistic law, as a medium difference is of any answer."""


def medium_effects(records: ScoredRecords, found: Regression) -> tuple[float, ...]:
    """Returns a medium effect of each coefficient; NaN where there is none."""
    whole = _MEDIUM_LOG_ODDS
    if found.model == "linear":
        spread = spread_of_column(records, found.outcome)
        whole = float("nan") if spread is None else spread / 2
    known = {column.name for column in (*records.plan.protected, *records.plan.kept)}
    shares = max(len(found.categories) - 1, 1) if found.model == "multinomial" else 1
    size = len(found.names) // shares
    told = []
    for place, name in enumerate(found.names):
        # Of several categories each name begins with the category.
        text = f"{found.categories[1 + place // size]}: " if shares > 1 else ""
        own = name.removeprefix(text)
        if own in known:
            spread = spread_of_column(records, own)
            told.append(whole / (2 * spread) if spread else float("nan"))
        elif "[T." in own and "]:" not in own:
            told.append(whole)
        else:
            told.append(float("nan"))
    return tuple(told)


def spread_of_column(records: ScoredRecords, name: str) -> float | None:
    """Returns the standard deviation of a column's numbers: spread evenly, or as released."""
    column = records.plan.column(name)
    domain = column.effective_domain
    if domain is not None and domain.holds_numbers:
        return spread_of(domain)
    if domain is not None and column.role == "protect":
        values = np.array([parse_number(text, ".") or np.nan for text in domain.texts], float)
    elif column.role == "keep":
        decimal = (records.plan.reading or Reading()).decimal
        values = np.asarray(records.kept_column(name).numbers(decimal).values, dtype=np.float64)
    else:
        return None
    values = values[np.isfinite(values)]
    return float(values.std()) if values.size else None
