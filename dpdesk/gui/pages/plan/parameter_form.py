"""The parameters of a mechanism beyond its epsilon, as a form made from their declaration."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache, partial
from typing import Literal, get_args, get_origin

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.gui.widgets.declared_form import DeclaredForm, FormField, bare_type
from dpdesk.mechanisms import Mechanism
from dpdesk.plan.column import plain_decimal

_DECLARED_BY_ALL = frozenset({"kind", "epsilon"})


@lru_cache(maxsize=64)
def parameter_fields(mechanism: type[Mechanism]) -> tuple[FormField, ...]:
    """Returns the parameters of a mechanism beyond kind and epsilon, in their order."""
    return tuple(
        _field(mechanism, name) for name in mechanism.model_fields if name not in _DECLARED_BY_ALL
    )


def _field(mechanism: type[Mechanism], name: str) -> FormField:
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

    def read(text: str) -> object:
        typed = text.strip().replace(",", "" if bare is int else ".")
        return typed if typed or not automatic else None

    return make("line", hint=left_to_it, read=read)


def parameter_text(value: object) -> str:
    """Returns a value as it is typed; empty for one that is left to the mechanism."""
    if value is None:
        return ""
    return plain_decimal(value) if isinstance(value, Decimal) else str(value)


class ParameterForm(DeclaredForm):
    """Empty, and without height, where a mechanism has epsilon alone.

    Args:
        replace: Tries another value of a parameter and returns why it was refused, or "".
        parent: Qt's owner.
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
        return parameter_text(value)
