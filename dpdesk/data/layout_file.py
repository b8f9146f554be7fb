"""Reads the layout of a file of fixed width: a table with a row for each column."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from dpdesk.data.read_file import load
from dpdesk.data.reading import LayoutField
from dpdesk.data.texts import T
from dpdesk.errors import DpdeskError, InputError, invalid_fields
from dpdesk.numbers import whole_number

_NAMES = ("name", "column", "variable", "attribute")


def read_layout(path: Path) -> tuple[LayoutField, ...]:
    """Reads a layout.

    Args:
        path: A table whose first row names the columns `name`, `start` (from 1), `width` or `end`,
            and `label`, which may be left out.

    Raises:
        InputError: The file is no layout; the message says which row is not.
    """
    try:
        table = load(path)
    except InputError as error:
        raise _refusal(path, error.message) from None
    texts = {column.name.strip().lower(): column.texts() for column in table.columns}
    names = next((texts[name] for name in _NAMES if name in texts), None)
    size = "width" if "width" in texts else "end"
    if names is None or "start" not in texts or size not in texts:
        raise _refusal(path, T.NO_LAYOUT())
    labels = texts.get("label", [""] * table.rows)
    rows = zip(names, texts["start"], texts[size], labels, strict=True)
    fields: list[LayoutField] = []
    for number, (name, first, last, label) in enumerate(rows, start=2):
        start, end = whole_number(first.strip()), whole_number(last.strip())
        try:
            if start is None or end is None:
                raise InputError(T.NO_WHOLE_NUMBERS())
            width = end if size == "width" else end - start + 1
            fields.append(LayoutField(name=name.strip(), start=start, width=width, label=label))
        except ValidationError as error:
            reason = invalid_fields(error)[0].sentence
        except DpdeskError as error:
            reason = error.message
        else:
            continue
        raise _refusal(path, T.BAD_LAYOUT_ROW(row=number, reason=reason))
    if len({field.name for field in fields}) < len(fields):
        raise _refusal(path, T.LAYOUT_REPEATS())
    return tuple(fields)


def _refusal(path: Path, reason: str) -> InputError:
    return InputError(T.BAD_LAYOUT(file=path.name, reason=reason))
