"""Which fields each kind of query has in the form, and how their texts are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication

from dpdesk.queries import PrivacyUnit, Query
from dpdesk.queries.noise import GAUSSIAN_KINDS

FIELDS: dict[str, tuple[str, ...]] = {
    "count": ("by", "where", "noise"),
    "share": ("meeting", "by", "where", "noise"),
    "mean": ("column", "by", "where", "noise", "lower", "upper"),
    "sum": ("column", "by", "where", "noise", "lower", "upper"),
    "variance": ("column", "by", "where", "noise", "root", "lower", "upper"),
    "quantile": ("column", "where", "shares", "lower", "upper"),
    "histogram": ("column", "edges", "where", "noise"),
    "most_common": ("column", "k", "worth", "where"),
}
"""The fields of each kind, in reading order; epsilon and name stand elsewhere."""

_OF_CATEGORIES = frozenset({"most_common"})


def fields_of(query: Query, unit: PrivacyUnit) -> tuple[str, ...]:
    """Returns the fields that a query has under a privacy unit.

    A delta is asked for where the noise needs one; that every row has an answer matters only
    where the number of rows is public and nothing splits them.
    """
    found = list(FIELDS[query.kind])
    if query.noise in GAUSSIAN_KINDS and "noise" in found:
        found.insert(found.index("noise") + 1, "delta")
    whole = not query.where and not getattr(query, "by", ())
    if query.kind in ("share", "mean", "variance") and unit.rows_are_public and whole:
        found.append("complete")
    return tuple(found)


def asks_for_categories(kind: str) -> bool:
    """Whether the column of a kind of query holds categories; else numbers."""
    return kind in _OF_CATEGORIES


def field_title(name: str) -> str:
    """Returns what stands above a field."""

    def tr(text: str) -> str:
        return QCoreApplication.translate("QueryForm", text)

    return {
        "column": tr("Column"),
        "by": tr("In groups of"),
        "where": tr("Only rows where"),
        "meeting": tr("Share of rows where"),
        "noise": tr("Noise"),
        "delta": tr("δ of this noise"),
        "lower": tr("Smallest that counts"),
        "upper": tr("Largest that counts"),
        "shares": tr("At shares (0.5: median)"),
        "edges": tr("Edges of the bins"),
        "k": tr("How many"),
        "worth": tr("Worth of a row of each"),
        "root": tr("Given as"),
        "complete": tr("Missing answers"),
    }[name]


def field_meaning(name: str) -> str:
    """Returns what a field means, for its tooltip."""

    def tr(text: str) -> str:
        return QCoreApplication.translate("QueryForm", text)

    clamped = tr(
        "Answers beyond it are moved to it. Declare it from what you know beforehand, never from "
        "the data: closer bounds need less noise."
    )
    return {
        "lower": clamped,
        "upper": clamped,
        "delta": tr("The chance that the bound of ε fails: well below 1 / the number of people"),
        "shares": tr("Such as 0.25, 0.5, 0.75; each takes an even part of ε"),
        "edges": tr("Points of the declared grid, from the smallest to the largest"),
        "worth": tr(
            "What a row of each category counts for, one whole number per category in the order of "
            "its domain; empty counts every row as 1"
        ),
        "complete": tr(
            "Where every row has an answer and the number of rows is public, no noisy count is "
            "needed. A release is refused where an answer lacks."
        ),
    }.get(name, "")


def typed_value(name: str, text: str) -> Any:
    """Returns what a typed text stands for; an empty bound or list is the domain's own."""
    typed = text.strip()
    if name in ("shares", "edges", "worth"):
        return tuple(part for part in typed.replace(";", " ").replace(",", " ").split() if part)
    if name in ("lower", "upper"):
        return typed.replace(",", ".") or None
    return typed.replace(",", "." if name == "delta" else "")


def shown_text(value: object) -> str:
    """Returns a value of a field as it would be typed."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(shown_text(part) for part in value)
    normalize: Callable[[], object] | None = getattr(value, "normalize", None)
    return format(normalize(), "f") if normalize is not None else str(value)
