"""The reason why an edit was refused, as a sentence to show beside the field."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError
from PySide6.QtCore import QCoreApplication

from dpdesk.errors import DpdeskError, invalid_fields

Refused = (DpdeskError, ValidationError)
"""The errors of an edit of a plan whose result is invalid."""


def refusal_of(error: DpdeskError | ValidationError) -> str:
    """The sentence of an error; it never quotes the user's input."""
    if isinstance(error, DpdeskError):
        return str(error)
    first = invalid_fields(error)[0]
    return _sentence(first.kind, first.context) if first.cause is None else str(first.cause)


def _sentence(kind: str, context: Mapping[str, object]) -> str:
    def tr(text: str) -> str:
        return QCoreApplication.translate("Refusal", text)

    def limit(name: str) -> str:
        bound = context.get(name, "")
        return f"{bound:,}" if isinstance(bound, (int, float)) else str(bound)

    if kind == "string_too_short":
        return tr("This must not be empty. Type a text.")
    if kind == "string_too_long":
        return tr("This is too long. Use {count} characters at the most.").format(
            count=limit("max_length")
        )
    if kind == "too_short":
        return tr("A list of answers needs at least {count} categories. Add one first.").format(
            count=limit("min_length")
        )
    if kind == "too_long":
        return tr("The list is too long. It may have {count} entries.").format(
            count=limit("max_length")
        )
    if kind in ("int_parsing", "int_from_float", "int_type", "int_parsing_size"):
        return tr("This is not a whole number. Type digits, as in 18.")
    if kind in ("decimal_parsing", "decimal_type", "finite_number"):
        return tr("This is not a number. Type digits, with a point before the fraction.")
    if kind in ("decimal_max_digits", "decimal_max_places", "decimal_whole_digits"):
        return tr("This number has too many digits. Use at most 9 after the point.")
    if kind in ("greater_than_equal", "greater_than"):
        return tr("This number is too small. Type {least} or more.").format(
            least=limit("ge") or limit("gt")
        )
    if kind in ("less_than_equal", "less_than"):
        return tr("This number is too large. Type {most} or less.").format(
            most=limit("le") or limit("lt")
        )
    return tr("This cannot be part of a plan. Correct it.")
