"""Who is recognisable by the columns that a plan keeps as they are."""

from __future__ import annotations

from dpdesk.data.reading import Reading
from dpdesk.data.table import Flags, TextColumn
from dpdesk.disclosure.columns import MissingOf, missing_by
from dpdesk.plan.encoding import missing_texts
from dpdesk.plan.model import Plan


def kept_answers(plan: Plan) -> tuple[str, ...]:
    """Returns the names of the answers that a plan keeps as they are; weights are no answers."""
    return tuple(column.name for column in plan.kept if column.kind != "weight")


def missing_of(plan: Plan | None, reading: Reading) -> MissingOf:
    """Returns what means "no answer" by a plan, for columns that it has, else by the reading."""
    names = {} if plan is None else {column.name: column for column in plan.columns}
    by_reading = missing_by(reading)

    def found(column: TextColumn) -> Flags:
        own = names.get(column.name)
        return by_reading(column) if own is None else missing_texts(own, column, reading)

    return found
