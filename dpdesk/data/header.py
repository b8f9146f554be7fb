"""Names of the columns of a table, from its first record."""

from __future__ import annotations

import re

from dpdesk.data.texts import T

# A number or a date; behind it the number that `unique_names` gives a repeated name.
_ANSWER = re.compile(
    r"\s*([+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)(e[+-]?[0-9]+)?"
    r"|[0-9]{1,4}([-/.])[0-9]{1,2}\5[0-9]{1,4})\s*( \([0-9]+\))?",
    re.IGNORECASE,
)
_UNNAMED = re.compile(r"\s*|column [0-9]+( \([0-9]+\))?")
_ONE_IN = 3
"""Of so many names one that is a number or a date makes a header doubtful."""


def unquoted(fields: tuple[bytes, ...], quote: str = '"') -> tuple[str, ...]:
    """The texts of fields of a file, in UTF-8 and perhaps in quotation marks."""
    return tuple(_unquoted(field.decode("utf-8"), quote) for field in fields)


def _unquoted(field: str, quote: str) -> str:
    if quote and len(field) >= 2 and field.startswith(quote):
        return field[1:-1].replace(quote * 2, quote)
    return field


def unique_names(
    given: tuple[str, ...], *, is_written: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Makes the names of a table unique, without blanks around them unless dpdesk wrote them.

    An empty name becomes `column 3`, after its position; a repeated one gets a number.

    Returns:
        The names in order, and notices of what was changed.
    """
    trimmed = given if is_written else tuple(name.strip() for name in given)
    taken = set(filter(None, trimmed))
    # The next number to try: counting from 2 for each of thousands of equal names takes minutes.
    numbers: dict[str, int] = {}
    seen: set[str] = set()
    names: list[str] = []
    empty = repeated = 0
    for position, name in enumerate(trimmed, start=1):
        chosen = name or f"column {position}"
        if not name:
            empty += 1
            free = chosen not in taken
        else:
            repeated += name in seen
            free = name not in seen
        if not free:
            chosen = _numbered(chosen, taken, numbers)
        seen.add(chosen)
        taken.add(chosen)
        names.append(chosen)
    notices = []
    if empty:
        notices.append(T.NAMELESS(count=empty))
    if repeated:
        notices.append(T.REPEATED_NAMES(count=repeated))
    return tuple(names), tuple(notices)


def _numbered(wanted: str, taken: set[str], numbers: dict[str, int]) -> str:
    number = numbers.get(wanted, 2)
    while f"{wanted} ({number})" in taken:
        number += 1
    numbers[wanted] = number + 1
    return f"{wanted} ({number})"


def numbered_names(columns: int) -> tuple[str, ...]:
    """Names for a table without a header: `column 1`, `column 2` and so on."""
    return tuple(f"column {position}" for position in range(1, columns + 1))


def looks_like_answers(names: tuple[str, ...]) -> bool:
    """Whether a header may be the first respondent's answers, of a file without one.

    At least a third of the names are numbers or dates, as they are in the file or as
    `unique_names` returns them; columns without a name do not count.
    """
    named = [name for name in names if not _UNNAMED.fullmatch(name)]
    answers = sum(_ANSWER.fullmatch(name) is not None for name in named)
    return answers > 0 and _ONE_IN * answers >= len(named)
