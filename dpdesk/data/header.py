"""The names of a table's columns, and which of its first lines hold them.

They can stand below a title, which fills one cell, or below names of groups, which leave cells
empty or are merged over several columns. No answer decides it: only the lines above the answers are
looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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


Lines = Sequence[Sequence[str]]
"""The first lines of a file, as cells."""

Merged = tuple[tuple[int, int], tuple[int, int]]
"""Line and column, from 0, of the first and the last of some cells that are merged."""

_LEVELS = 3
"""Most lines of names of groups, and of blank ones, above the line that names each column."""

_LEAST_GAPS = 2
"""Cells that a line of groups leaves empty at least: one alone is a column without a name."""


def find_names(lines: Lines, merged: Sequence[Merged] = ()) -> tuple[tuple[str, ...], int]:
    """Finds the names of the columns among the first lines.

    Args:
        lines: The first lines, of one width.
        merged: Cells of these lines that are merged.

    Returns:
        The names, and how many lines stand above the first answer: 1 if nothing tells otherwise.
    """
    top = title_lines(lines)
    last = _last_line(lines, top, merged, _LEAST_GAPS)
    names = _names(lines, top, last, merged)
    filled = tuple(cell for cell in lines[last] if cell.strip())
    # A name that stands below it, too, is an answer.
    is_answer = any(name.strip() and name in own for name, *own in zip(*lines[last:], strict=True))
    if not last or is_answer or looks_like_answers(filled) or _repeat(names):
        return _names(lines, 0, 0, merged), 1
    return names, last + 1


def declared_names(lines: Lines, merged: Sequence[Merged] = ()) -> tuple[str, ...]:
    """Returns the names of the columns from the lines that are declared to be the header.

    Args:
        lines: These lines alone.
        merged: Cells of these lines that are merged.
    """
    top = title_lines(lines)
    return _names(lines, top, _last_line(lines, top, merged, 1), merged)


def title_lines(lines: Lines) -> int:
    """Returns how many lines a title takes: of at most one cell, or a sentence, above another."""
    is_title = [_filled(line) < 2 or is_sentence(line) for line in lines]
    return is_title.index(False) if False in is_title else 0


def is_sentence(line: Sequence[str]) -> bool:
    """Whether cells are parts of a sentence, with a blank behind each delimiter."""
    return len(line) > 1 and all(cell[:1] == " " and cell.strip() for cell in line[1:])


def _filled(line: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in line)


def _last_line(lines: Lines, top: int, merged: Sequence[Merged], least_gaps: int) -> int:
    """Returns the place of the last line of names."""
    last = top
    for (first, left), (end, right) in sorted(merged):
        if first <= last:
            # Below what spans several columns there is a name for each of them.
            last = max(last, end + (right > left))
    if last > top:
        return min(last, len(lines) - 1)
    named = [bool(cell.strip()) for cell in lines[top]]
    if named.count(False) < least_gaps:
        return top
    for place in range(top + 1, min(len(lines), top + _LEVELS + 1)):
        cells = zip(named, lines[place], strict=True)
        named = [known or bool(cell.strip()) for known, cell in cells]
        if all(named):
            return place
    return top


def _names(lines: Lines, top: int, last: int, merged: Sequence[Merged]) -> tuple[str, ...]:
    """Returns the lowest name of each column, behind that of its group where some are alike."""
    levels = [list(line) for line in lines[top : last + 1]]
    for (first, left), (_, right) in merged:
        if first == last:
            levels[-1][left : right + 1] = [levels[-1][left]] * (right + 1 - left)
    lowest = [next(filter(str.strip, reversed(cells)), "") for cells in zip(*levels, strict=True)]
    if top == last or not _repeat(lowest):
        return tuple(lowest)
    group, names = "", []
    for above, name in zip(levels[0], lowest, strict=True):
        group = above.strip() or group
        names.append(name if name in ("", above) or not group else f"{group} - {name}")
    return tuple(names)


def _repeat(names: Sequence[str]) -> bool:
    named = [name.strip() for name in names if name.strip()]
    return len(set(named)) < len(named)
