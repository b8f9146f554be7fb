"""How recognisable respondents are: what the Risk page shows and its private report holds.

Everything here comes from true answers, for the holder of the data only.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from dpdesk.data.table import SurveyTable
from dpdesk.disclosure import (
    DisclosureRisk,
    RiskQuestion,
    SpecialUniques,
    chosen_columns,
    chosen_weights,
    disclosure_risk,
    special_uniques_of,
)
from dpdesk.disclosure.changes import Change, changes
from dpdesk.disclosure.measure import THRESHOLD, Missing
from dpdesk.disclosure.suggest import suggested_by_name, suggested_of
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import DpdeskError, InputError
from dpdesk.plan import Plan, draft_table
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.kept_texts import as_kept
from dpdesk.plan.protection import protect
from dpdesk.plan.recognisable import kept_answers, missing_of, order_of
from dpdesk.preview.figures import Figures, figures
from dpdesk.preview.request import request_for

Source = Literal["own", "kept", "suggested"]
"""Who chose the quasi-identifiers: the user, the plan that keeps them, or a suggestion."""

PROTECTED_AT = Decimal(1)
"""Epsilon of a column in the answer to "if you protect it"."""


@dataclass(frozen=True)
class RiskWish:
    """What the user wants to see.

    Attributes:
        quasi_identifiers: Names of columns; None for those that the plan keeps, or a suggestion.
        sensitive: Names of columns; None for a suggestion.
        weights: Name of the column of survey weights; None for that of the plan, if it has one.
        threshold: Groups of fewer records than this are counted.
        missing: What a missing cell is; where it matches any answer there are no groups, so that
            neither sensitive columns nor weights are looked at.
        in_order: Whether columns are added in the order of their names here, and not by effect.
    """

    quasi_identifiers: tuple[str, ...] | None = None
    sensitive: tuple[str, ...] | None = None
    weights: str | None = None
    threshold: int = THRESHOLD
    missing: Missing = "value"
    in_order: bool = False


@dataclass(frozen=True)
class ChangeLoss:
    """A change of one column with what is lost by it.

    Attributes:
        change: What is done, and who stands out then.
        protected: The error of the column where it is protected; None for other changes.
    """

    change: Change
    protected: Figures | None


@dataclass(frozen=True, eq=False)
class Measured:
    """The answer.

    Attributes:
        source: Who chose the quasi-identifiers.
        quasi_identifiers: Their names in the order that they were named in.
        sensitive: Names of the sensitive columns.
        weights: Name of the column of survey weights; empty without.
        risk: How recognisable the records are.
        special: Which few columns make records unique; None where a missing cell matches any.
        changes: What would help, most first; nothing that the plan does already.
    """

    source: Source
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    weights: str
    risk: DisclosureRisk
    special: SpecialUniques | None
    changes: tuple[ChangeLoss, ...]
    keeps_none: bool = False
    """Whether the plan protects columns and keeps none: what is told is of the file alone."""


def chosen(
    table: SurveyTable, plan: Plan | None, wish: RiskWish
) -> tuple[Source, tuple[str, ...], tuple[str, ...]]:
    """Returns who chose the quasi-identifiers, these, and the sensitive columns.

    Args:
        table: The survey.
        plan: Its plan; None for the one that would be drafted for it.
        wish: What the user chose. A column that is named as sensitive is not suggested as known.
    """
    plan = _drafted(table) if plan is None else plan
    source: Source = "own"
    quasi = wish.quasi_identifiers
    if quasi is None:
        quasi, source = kept_answers(plan), "kept"
        quasi = tuple(name for name in quasi if name in table.names)
        if not quasi:
            aside = [c.name for c in plan.columns if c.kind in {"identifier", "weight"}]
            found = suggested_of(table, [*aside, *(wish.sensitive or ())])
            quasi = tuple(one.name for one in found if one.use == "quasi-identifier")
            source = "suggested"
    sensitive = wish.sensitive
    if sensitive is None:
        by_name = suggested_by_name(table.names)
        sensitive = tuple(
            one.name for one in by_name if one.use == "sensitive" and one.name not in quasi
        )
    return source, quasi, sensitive


def _drafted(table: SurveyTable) -> Plan:
    """A draft for a table; of one that no plan can hold the names alone tell something."""
    try:
        return draft_table(table)
    except InputError:
        return Plan()


def measured(table: SurveyTable, plan: Plan, wish: RiskWish, tracker: Tracker) -> Measured:
    """Measures how recognisable the respondents are, by what the plan releases of their answers.

    Args:
        table: The survey.
        plan: Its plan: what it keeps, what means "no answer", and its weights.
        wish: What the user chose.
        tracker: Progress and cancel.

    Raises:
        ParameterError: Nothing is chosen, or a column is missing or without answers.
        Cancelled: The user cancelled.
    """
    tracker.progress("Reading columns", 0.0)
    source, quasi, sensitive = chosen(table, plan, wish)
    table = as_kept(table, plan)
    known = missing_of(plan, table.reading)
    has_groups = wish.missing == "value"
    weights = _weights(table, plan, wish) if has_groups else ""
    question = RiskQuestion(
        chosen_columns(table, quasi, known),
        table.rows,
        chosen_columns(table, sensitive if has_groups else (), known, order_of(plan)),
        chosen_weights(table, weights) if weights else None,
        threshold=wish.threshold,
        missing=wish.missing,
    )

    def part(first: float, width: float, stage: str, done: float) -> None:
        tracker.progress(stage, first + width * done)

    risk = disclosure_risk(
        question, in_order=wish.in_order, report=lambda s, d: part(0.05, 0.3, s, d)
    )
    special = None
    if has_groups:
        special = special_uniques_of(question, lambda s, d: part(0.35, 0.4, s, d))
    found = changes(question, lambda s, d: part(0.75, 0.2, s, d))
    columns = {column.name: column for column in plan.columns}
    protected = {column.name for column in plan.protected}
    return Measured(
        source=source,
        quasi_identifiers=quasi,
        sensitive=sensitive,
        weights=weights,
        risk=risk,
        special=special,
        changes=tuple(
            ChangeLoss(
                one,
                error_if_protected(columns.get(one.column), table.rows)
                if one.kind == "protect"
                else None,
            )
            for one in found
            if one.kind != "protect" or one.column not in protected
        ),
        keeps_none=bool(protected) and not kept_answers(plan),
    )


def _weights(table: SurveyTable, plan: Plan, wish: RiskWish) -> str:
    """Returns the name of the column of weights; empty without one."""
    if wish.weights is not None:
        return wish.weights
    weight = plan.weight_column
    return "" if weight is None or weight.name not in table.names else weight.name


def error_if_protected(
    column: ColumnPlan | None, respondents: int, epsilon: Decimal = PROTECTED_AT
) -> Figures | None:
    """Returns the error of a column that is protected by its best mechanism; None if none can.

    Args:
        column: The column of the plan; None if the plan has none.
        respondents: Number of respondents.
        epsilon: Epsilon of the column.
    """
    if column is None or column.domain is None:
        return None
    bare = column.changed(role="unassigned", mechanism=None, keep_confirmed=False, locked=False)
    try:
        plan = protect(Plan(respondents=respondents, columns=(bare,)), column.name, epsilon)
    except DpdeskError:
        return None
    request = request_for(plan.columns[0], respondents)
    return None if request is None else figures(request)
