"""Marks of translatable text in the parts of dpdesk that know nothing of Qt, and lists of names."""

from __future__ import annotations

from collections.abc import Sequence


def N_(text: str) -> str:  # noqa: N802 - the gettext convention for "mark, do not translate yet"
    """Returns `text` unchanged; the extractor of translations finds the mark."""
    return text


AND_MORE = N_("{names} and {count} more")
"""The first names of a long list, and the number of the others."""


def joined(names: Sequence[str], most: int | None = None, *, more: str = AND_MORE) -> str:
    """Returns names as a list in a sentence, "a, b and c"; of more than `most` as `first_names`."""
    if most is not None and len(names) > most:
        return first_names(names, most, more=more)
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def quoted(names: Sequence[str], most: int | None = None, *, more: str = AND_MORE) -> str:
    """Returns names of the user as a list in a sentence, as `joined`: “a”, “b, c” and “d”."""
    return joined([f"“{name}”" for name in names], most, more=more)


def first_names(
    names: Sequence[str], most: int, *, more: str = AND_MORE, between: str = ", "
) -> str:
    """Returns names in a list, of many the first ones and the number of the others: "a, b".

    Args:
        names: The names.
        most: How many are named at the most.
        more: The phrase for longer lists, with {names} and {count}, translated where it is shown.
        between: What stands between two names.
    """
    listed = between.join(names[:most])
    rest = len(names) - most
    return more.format(names=listed, count=f"{rest:,}") if rest > 0 else listed
