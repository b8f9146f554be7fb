"""The edits of the Plan page: each is one step of undo, and none leaves a plan half changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpdesk.cost import format_epsilon, two_places
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.best_choice import best_choices, reasons
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.mechanisms import Mechanism, mechanism_named
from dpdesk.plan import (
    Plan,
    choose_best,
    mechanism_at,
    protect,
    resplit,
    total_epsilon,
)
from dpdesk.plan.budget import epsilon_of_another, resplit_statistics
from dpdesk.plan.checks.statistics import statistics_domains
from dpdesk.plan.outlook import better_strategy
from dpdesk.plan.protection import DEFAULT_EPSILON, protect_all
from dpdesk.plan.statistics import Statistics
from dpdesk.preview import plan_for_errors
from dpdesk.queries import Domains, Query
from dpdesk.queries.noise import GAUSSIAN_KINDS
from dpdesk.queries.phrase import parse_queries
from dpdesk.queries.phrase_offers import nearest_phrases


class PlanEdits(QObject):
    """Sends edits of a plan to the document.

    Args:
        document: What is edited.

    Attributes:
        refused: Emitted with the sentence of an edit that could not be made.
    """

    refused = Signal(str)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document

    def set_budget(self, budget: Decimal | None, *, split: bool = False) -> None:
        """Changes the budget and, if wanted, splits it in the same step."""
        raise NotImplementedError

    def resplit(self) -> None:
        """Splits the budget evenly over what is not locked."""
        raise NotImplementedError

    def end_drag(self) -> None:
        """Ends a drag: the next change of an epsilon is an edit by itself."""
        self._document.end_gesture()

    def _edit(self, text: str, change: Callable[[Plan], Plan]) -> bool:
        """Makes an edit; one that would make the plan invalid is refused with a sentence."""
        try:
            plan = change(self._document.plan)
        except Refused as error:
            self.refused.emit(refusal_of(error))
            return False
        self._document.end_gesture()
        self._document.edit(text, plan)
        return True


class Edits(PlanEdits):
    """Edits of attributes.

    Attributes:
        explained: Emitted with a sentence about an edit that was made.
        resplitWanted: Emitted with a sentence on why the budget may be split anew.
    """

    explained = Signal(str)
    resplitWanted = Signal(str)

    def set_epsilon(self, name: str, epsilon: Decimal) -> None:
        """Changes an epsilon; steps of one drag are one edit until `end_drag`."""
        mechanism = self._document.plan.column(name).mechanism
        if mechanism is None:
            return
        changed = mechanism_at(mechanism, epsilon)
        plan = self._document.plan.with_column(name, mechanism=changed)
        text = self.tr("Change epsilon of {name}").format(name=name)
        self._document.edit(text, plan, merge_key=f"epsilon:{name}")

    def set_mechanism(self, name: str, kind: str) -> None:
        """Protects a column by a mechanism, at the epsilon that it has."""
        column = self._document.plan.column(name)
        epsilon = DEFAULT_EPSILON if column.mechanism is None else column.mechanism.epsilon
        domain = column.effective_domain
        if domain is not None:
            self.take_mechanism(name, mechanism_named(kind).starting(domain, epsilon))

    def take_mechanism(self, name: str, mechanism: Mechanism) -> None:
        """Protects a column by a mechanism with its parameters."""
        self._edit(
            self.tr("Change mechanism of {name}").format(name=name),
            lambda plan: plan.with_column(name, role="protect", mechanism=mechanism),
        )

    def set_parameter(self, name: str, parameter: str, value: object) -> str:
        """Changes a parameter of a column's mechanism beyond epsilon.

        Args:
            name: The column.
            parameter: The field of the mechanism's record.
            value: Its value or, typed, the text of it; None leaves it to the mechanism.

        Returns:
            Why the value was refused, for the place where it was typed; empty if it was taken.
        """
        column = self._document.plan.column(name)
        if column.mechanism is None:
            return ""
        try:
            mechanism = mechanism_with(column.mechanism, parameter, value)
            if column.effective_domain is not None:
                mechanism.require_fit(column.effective_domain)
        except Refused as error:
            return refusal_of(error)
        self.take_mechanism(name, mechanism)
        return ""

    def solve_errors(self, targets: Mapping[str, float]) -> str:
        """Sets the least epsilons that meet the errors of some columns, in one step.

        Args:
            targets: The 95 % error of each named column, in pp or in its unit.

        Returns:
            Why they cannot be met; empty if they are.
        """
        before = self._document.plan
        try:
            plan = plan_for_errors(before, targets)
        except Refused as error:
            return refusal_of(error)
        if self._edit(self.tr("Set epsilons for errors"), lambda _: plan):
            text = self.tr(
                "The errors are met: the whole record loses ε = {new} (before: {old}), with the "
                "least epsilon and the best mechanism for each attribute."
            )
            old, new = (two_places(total_epsilon(p)) for p in (before, plan))
            self.explained.emit(text.format(old=old, new=new))
        return ""

    def set_expected(self, name: str, weights: tuple[str, ...]) -> str:
        """Declares how the answers of a column are expected to be spread.

        Args:
            name: The column.
            weights: A weight for each category, as typed; none to expect nothing.

        Returns:
            Why the weights were refused; empty if they were taken.
        """
        try:
            plan = self._document.plan.with_column(name, expected=weights)
        except Refused as error:
            return refusal_of(error)
        if weights and not any(plan.column(name).expected):
            return self.tr("At least one weight must be above 0.")
        self._edit(self.tr("Change expected answers of {name}").format(name=name), lambda _: plan)
        return ""

    def protect(self, name: str) -> None:
        """Protects a column, by the mechanism it had or by the one of least error."""
        self._edit(self.tr("Protect {name}").format(name=name), lambda plan: protect(plan, name))

    def protect_all(self) -> None:
        """Protects every unassigned column that can be; the budget is split over all of them."""
        self._edit(self.tr("Protect all unassigned"), protect_all)

    def keep(self, name: str, *, confirmed: bool = False) -> None:
        """Releases a column as it is; the check asks for a confirmation."""
        self._edit(
            self.tr("Release {name} as it is").format(name=name),
            lambda plan: plan.with_column(name, role="keep", keep_confirmed=confirmed),
        )

    def drop(self, name: str) -> None:
        """Leaves a column out of the release."""
        self._edit(
            self.tr("Drop {name}").format(name=name),
            lambda plan: plan.with_column(name, role="drop"),
        )

    def toggle_lock(self, name: str) -> None:
        """Locks an epsilon against a new split of the budget, or unlocks it."""
        locked = self._document.plan.column(name).locked
        text = self.tr("Unlock epsilon of {name}") if locked else self.tr("Lock epsilon of {name}")
        self._edit(text.format(name=name), lambda plan: plan.with_column(name, locked=not locked))

    def set_note(self, name: str, note: str) -> None:
        """Changes the note of a column."""
        self._edit(
            self.tr("Change note of {name}").format(name=name),
            lambda plan: plan.with_column(name, note=note),
        )

    def choose_best(self, name: str | None = None) -> None:
        """Chooses the mechanism of least error for one column or all, and says why."""
        before = self._document.plan
        text = self.tr("Choose best mechanisms")
        if self._edit(text, lambda plan: choose_best(plan, name)):
            after = self._document.plan
            better = better_strategy(after) if name is None else None
            self.explained.emit(reasons(best_choices(before, after), len(after.protected), better))

    def resplit(self) -> None:
        self._edit(self.tr("Split the budget"), resplit)

    def set_budget(self, budget: Decimal | None, *, split: bool = False) -> None:
        def change(plan: Plan) -> Plan:
            changed = plan.with_fields(budget=budget)
            return resplit(changed) if split else changed

        self._edit(self.tr("Change the budget"), change)

    def set_strategy(self, strategy: str) -> None:
        """Changes how several attributes share a respondent's report."""
        old = self._document.plan.strategy
        text = self.tr("Change the strategy")
        if self._edit(text, lambda plan: plan.with_fields(strategy=strategy)):
            plan = self._document.plan
            # Where the sum and the largest change places, the epsilons no longer use the budget.
            if (old == "spl") != (plan.strategy == "spl") and plan.budget is not None:
                self.resplitWanted.emit(self._words_of_resplit(plan))

    def choose_purpose(self, plan: Plan) -> str:
        """Takes over a plan for a purpose, with its strategy and mechanisms, as one step.

        Args:
            plan: This document's plan as `dpdesk.plan.outlook` changed it.
        """
        self._edit(self.tr("Choose what the file is for"), lambda _: plan)
        return ""

    def set_fakes(self, fakes: str) -> None:
        """Changes what the bits of a fake report are made from."""
        text = self.tr("Change what fakes are made from")
        self._edit(text, lambda plan: plan.with_fields(fakes=fakes))

    def _words_of_resplit(self, plan: Plan) -> str:
        if plan.strategy == "spl":
            return self.tr("The epsilons of all attributes now add up.")
        return self.tr(
            "A respondent now reports one attribute: each of them may use the whole budget."
        )


class QueryEdits(PlanEdits):
    """Edits of statistics.

    Attributes:
        explained: Emitted with a sentence about an edit that was made.
    """

    explained = Signal(str)

    @property
    def _statistics(self) -> Statistics:
        return self._document.plan.statistics

    def add(self, query: Query) -> None:
        """Puts a query at the end of the list."""
        self._change(self.tr("Add a statistic"), lambda s: s.with_queries((*s.queries, query)))

    def starting(self, kind: type[Query]) -> Query | None:
        """Returns the query that a kind begins with; None where no column suits it."""
        statistics = self._statistics
        asked = {n for query in statistics.queries if type(query) is kind for n in query.columns}
        domains, epsilon = statistics_domains(self._document.plan), epsilon_of_another(statistics)
        return kind.starting(domains, statistics.unit, epsilon, asked)

    def ask(self, phrase: str) -> str:
        """Adds the queries of a phrase; returns why it was refused, or ""."""
        if not phrase.strip():
            return ""
        epsilon = epsilon_of_another(self._statistics)
        domains = self.domains()
        try:
            queries = parse_queries(phrase, domains, epsilon=epsilon)
        except Refused as error:
            return refusal_of(error)
        known = {column.name for column in self._document.plan.columns}
        unknown = next((n for query in queries for n in query.columns if n not in known), None)
        if unknown is not None:
            refused = self.tr("The plan has no column {name}. Write such as: {phrases}.")
            offered = "; ".join(nearest_phrases(phrase, domains))
            return refused.format(name=unknown, phrases=offered)
        added = tuple(self._with_delta(query) for query in queries)
        self._change(self.tr("Add a statistic"), lambda s: s.with_queries((*s.queries, *added)))
        if len(added) > 1:
            told = self.tr(
                "One statistic for each group or option: {count} were added, which "
                "together use ε = {epsilon}."
            )
            used = format_epsilon(sum((query.epsilon for query in added), Decimal(0)))
            self.explained.emit(told.format(count=f"{len(added):,}", epsilon=used))
        return ""

    def domains(self) -> Domains:
        """The declared domains, which phrases are about."""
        return statistics_domains(self._document.plan)

    def remove(self, index: int) -> None:
        """Takes a query out of the list."""
        self._change(
            self.tr("Remove a statistic"),
            lambda s: s.with_queries((*s.queries[:index], *s.queries[index + 1 :])),
        )

    def duplicate(self, index: int) -> None:
        """Puts a copy below a query, unlocked."""
        copy = self._statistics.queries[index].changed(locked=False)
        self._change(
            self.tr("Duplicate a statistic"),
            lambda s: s.with_queries((*s.queries[: index + 1], copy, *s.queries[index + 1 :])),
        )

    def move(self, index: int, step: int) -> bool:
        """Moves a query up (-1) or down (1); returns whether it moved."""
        queries = list(self._statistics.queries)
        to = index + step
        if not 0 <= to < len(queries):
            return False
        queries[index], queries[to] = queries[to], queries[index]
        return self._change(self.tr("Move a statistic"), lambda s: s.with_queries(queries))

    def set_epsilon(self, index: int, epsilon: Decimal) -> None:
        """Changes an epsilon; steps of one drag are one edit until `end_drag`."""
        query = self._statistics.queries[index].changed(epsilon=epsilon)
        plan = self._document.plan.with_fields(statistics=self._statistics.with_query(index, query))
        text = self.tr("Change epsilon of a statistic")
        self._document.edit(text, plan, merge_key=f"query:{index}")

    def change(self, index: int, **fields: Any) -> str:
        """Changes fields of a query; returns why they were refused, or ""."""
        try:
            query = self._statistics.queries[index].changed(**fields)
            query = self._with_delta(query)
        except Refused as error:
            return refusal_of(error)
        self._change(self.tr("Change a statistic"), lambda s: s.with_query(index, query))
        return ""

    def toggle_lock(self, index: int) -> None:
        """Locks the epsilon of a query against a new split, or unlocks it."""
        self.change(index, locked=not self._statistics.queries[index].locked)

    def set_budget(self, budget: Decimal | None, *, split: bool = False) -> None:
        def change(statistics: Statistics) -> Statistics:
            changed = statistics.with_fields(budget=budget)
            return resplit_statistics(changed) if split else changed

        self._change(self.tr("Change the budget of statistics"), change)

    def resplit(self) -> None:
        self._change(self.tr("Split the budget of statistics"), resplit_statistics)

    def set_unit(self, **fields: Any) -> str:
        """Changes whom the guarantee protects; returns why that was refused, or ""."""
        unit = self._statistics.unit
        kept = {key: getattr(unit, key) for key in type(unit).model_fields}
        try:
            changed = type(unit)(**(kept | fields))
        except Refused as error:
            return refusal_of(error)
        text = self.tr("Change whom statistics protect")
        self._change(text, lambda s: s.with_fields(unit=changed))
        return ""

    def set_confidence(self, confidence: Decimal) -> str:
        """Changes the coverage of intervals; returns why that was refused, or ""."""
        try:
            changed = self._statistics.with_fields(confidence=confidence)
        except Refused as error:
            return refusal_of(error)
        self._change(self.tr("Change the confidence of intervals"), lambda _: changed)
        return ""

    def _with_delta(self, query: Query) -> Query:
        """A delta where the noise needs one, and none where it does not."""
        if query.noise in GAUSSIAN_KINDS:
            return query if query.delta else query.changed(delta=self._statistics.delta)
        return query.changed(delta=Decimal(0)) if query.delta else query

    def _change(self, text: str, change: Callable[[Statistics], Statistics]) -> bool:
        return self._edit(text, lambda plan: plan.with_fields(statistics=change(plan.statistics)))


def mechanism_with(mechanism: Mechanism, parameter: str, value: object) -> Mechanism:
    """Returns a mechanism with another value of one parameter, all of them validated anew.

    Raises:
        pydantic.ValidationError: The value is not valid.
        ParameterError: The value does not suit the others.
    """
    fields = {key: getattr(mechanism, key) for key in type(mechanism).model_fields}
    if not mechanism.adjustable:
        # It follows from what is changed.
        del fields["epsilon"]
    return type(mechanism)(**(fields | {parameter: value}))
