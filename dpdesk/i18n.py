"""Marks of translatable text in the parts of dpdesk that know nothing of Qt."""

from __future__ import annotations


def N_(text: str) -> str:  # noqa: N802 - the gettext convention for "mark, do not translate yet"
    """Returns `text` unchanged; the extractor of translations finds the mark."""
    return text
