"""The forms of a mechanism's parameters and of a query, made from what their kinds declare."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any, Literal, get_args, get_origin

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.plan.words import noise_kinds_for, noise_name
from dpdesk.gui.widgets.declared_form import DeclaredForm, FormField, bare_type
from dpdesk.mechanisms import Mechanism
from dpdesk.numbers import without_groups
from dpdesk.plan import Plan
from dpdesk.plan.checks.statistics import statistics_domains
from dpdesk.plan.column import plain_decimal
from dpdesk.queries import Condition, PrivacyUnit, Query
from dpdesk.queries.condition import columns_holding
from dpdesk.queries.noise import GAUSSIAN_KINDS
from dpdesk.queries.unit import YesNo

_DECLARED_BY_ALL = frozenset({"kind", "epsilon"})


@lru_cache(maxsize=64)
def parameter_fields(mechanism: type[Mechanism]) -> tuple[FormField, ...]:
    """Returns the parameters of a mechanism beyond kind and epsilon, in their order."""
    return tuple(
        _parameter(mechanism, name)
        for name in mechanism.model_fields
        if name not in _DECLARED_BY_ALL
    )


def _parameter(mechanism: type[Mechanism], name: str) -> FormField:
    def tr(text: str) -> str:
        return QCoreApplication.translate("Mechanism", text)

    declared = mechanism.model_fields[name]
    bare, automatic = bare_type(declared.annotation)
    make = partial(
        FormField, name, tr(declared.title or name), tr(declared.description or ""), spoken=""
    )
    left_to_it = QCoreApplication.translate("ParameterForm", "automatic") if automatic else ""
    if get_origin(bare) is Literal:
        words = tuple((tr(str(word)), word) for word in get_args(bare))
        return make("list", choices=((left_to_it, None), *words) if automatic else words)
    if get_origin(bare) is tuple:
        return make("button")
    if bare not in (Decimal, float, int):
        raise TypeError(f"There is no field of a form for the parameter {name}.")

    return make("line", hint=left_to_it, read=partial(typed_value, declared.annotation))


def typed_value(annotation: Any, text: str) -> Any:
    """Returns what a typed text stands for in a field of that type.

    An empty one is None where the mechanism or the domain can decide it.
    """
    typed, (bare, automatic) = text.strip(), bare_type(annotation)
    if get_origin(bare) is tuple:
        return tuple(part for part in typed.replace(";", " ").replace(",", " ").split() if part)
    number = without_groups(typed) if bare is int else typed.replace(",", ".")
    return number or (None if automatic else "")


def shown_text(value: object) -> str:
    """Returns a value of a field as it would be typed; empty for None."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(shown_text(part) for part in value)
    return plain_decimal(value) if isinstance(value, Decimal) else str(value)


class ParameterForm(DeclaredForm):
    """Empty, and without height, where a mechanism has epsilon alone.

    Args:
        replace: Tries another value of a parameter and returns why it was refused, or "".
    """

    def __init__(
        self, replace: Callable[[str, object], str], *, parent: QWidget | None = None
    ) -> None:
        super().__init__(replace, parent=parent)
        self._mechanism: Mechanism | None = None
        self.hide()

    def show_mechanism(self, mechanism: Mechanism) -> None:
        """Shows the parameters in force."""
        if mechanism == self._mechanism:
            return
        self._mechanism = mechanism
        fields = parameter_fields(type(mechanism))
        values = {field.name: self._shown(field, mechanism) for field in fields}
        self.show_fields(type(mechanism), fields, values)
        if self.isHidden() == bool(fields):
            self.setVisible(bool(fields))

    def _shown(self, field: FormField, mechanism: Mechanism) -> object:
        value = getattr(mechanism, field.name)
        if field.form == "list":
            return value
        if field.form == "button":
            return self.tr("{count} × {count} chances…").format(count=f"{len(value):,}")
        return shown_text(value)


def fields_of(query: Query, unit: PrivacyUnit) -> tuple[str, ...]:
    """Returns the fields that a query has under a privacy unit.

    A delta is asked for where the noise needs one; that every row has an answer matters only
    where the number of rows is public and nothing splits them.
    """
    found = list(query.form)
    if query.noise in GAUSSIAN_KINDS and "noise" in found:
        found.insert(found.index("noise") + 1, "delta")
    whole = not query.where and not getattr(query, "by", ())
    if "complete" in type(query).model_fields and unit.rows_are_public and whole:
        found.append("complete")
    return tuple(found)


def field_title(kind: type[Query], name: str) -> str:
    """Returns what stands above a field."""
    return _translated(kind.model_fields[name].title or name)


def _translated(text: str) -> str:
    return QCoreApplication.translate("Query", text) if text else ""


def _yes_no(kind: type[Query], name: str) -> YesNo:
    """Returns the words of a field that is true or false."""
    said = (one for one in kind.model_fields[name].metadata if isinstance(one, YesNo))
    return next(said, YesNo(kind.model_fields[name].title or name))


class QueryForm(DeclaredForm):
    """Edits everything of a query but its epsilon and its name."""

    _shown: tuple[object, ...] = ()

    def show_query(self, plan: Plan, index: int) -> None:
        """Shows a query of a plan."""
        query, unit = plan.statistics.queries[index], plan.statistics.unit
        shown = (index, query.changed(epsilon=1, locked=False, name=""), unit, plan.columns)
        if shown == self._shown:
            return
        self._shown = shown
        fields = [self._field(name, query, plan) for name in fields_of(query, unit)]
        values = {field.name: self._value(field, query) for field in fields}
        self.show_fields((index, query.kind, [c.name for c in plan.columns]), fields, values)

    def _value(self, field: FormField, query: Query) -> object:
        value = getattr(query, field.name)
        if field.form == "line":
            return shown_text(value)
        if field.form != "words":
            return value
        if field.name == "by":
            return ", ".join(value) or self.tr("all rows together")
        return " and ".join(condition.description for condition in value) or self.tr("any row")

    def _field(self, name: str, query: Query, plan: Plan) -> FormField:
        kind = type(query)
        meaning = _translated(kind.model_fields[name].description or "")
        make = partial(FormField, name, field_title(kind, name), meaning)
        annotation = kind.model_fields[name].annotation
        bare, _ = bare_type(annotation)
        said = _yes_no(kind, name)
        if name == "by" or get_args(bare)[:1] == (Condition,):
            return make("words")
        if bare is bool and not said.no:
            return make("box", hint=_translated(said.yes), spoken=_translated(said.spoken))
        if name == "column" or bare is bool or get_origin(bare) is Literal:
            return make("list", choices=_choices(name, query, plan))
        hint = _translated(query.placeholder(name, statistics_domains(plan)))
        return make("line", hint=hint, read=partial(typed_value, annotation))

    def _take(self, name: str, value: object) -> None:
        super()._take(name, value)
        if name == "column" and not self.refusal():
            # Bounds belong to the column that they were declared for.
            for bound in ("lower", "upper"):
                if bound in self.fields:
                    self._replace(bound, None)


def _choices(name: str, query: Query, plan: Plan) -> tuple[tuple[str, object], ...]:
    """The words of a list, each with its value."""
    if name == "column":
        listed = columns_holding(statistics_domains(plan), query.column_holds)
        return tuple((column, column) for column in listed)
    if name == "noise":
        return tuple((noise_name(kind), kind) for kind in noise_kinds_for(plan, query))
    bare, _ = bare_type(type(query).model_fields[name].annotation)
    if bare is bool:
        said = _yes_no(type(query), name)
        return (_translated(said.no), False), (_translated(said.yes), True)
    return tuple((_translated(str(one)), one) for one in get_args(bare))
