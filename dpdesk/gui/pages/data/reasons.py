"""Why a column was taken for what it is."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from dpdesk.data.suggest import suggest_column
from dpdesk.data.table import SurveyTable
from dpdesk.plan import ColumnPlan

_KNOWN: WeakKeyDictionary[SurveyTable, dict[str, str]] = WeakKeyDictionary()


def reason_of(column: ColumnPlan, table: SurveyTable | None) -> str:
    """The reason of the suggestion that a column still follows, as a sentence; else "".

    Args:
        column: The column as it is planned.
        table: The data.
    """
    if table is None or column.provenance != "suggested" or column.name not in table.names:
        return ""
    known = _KNOWN.setdefault(table, {})
    if column.name not in known:
        suggestion = suggest_column(table.column(column.name), table.source.decimal)
        known[column.name] = suggestion.reason
    return known[column.name]
