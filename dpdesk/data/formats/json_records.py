"""JSON: a list of records, or a record on each line."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa

from dpdesk.data.formats.base import (
    CellFormat,
    FileContent,
    FileTable,
    column_of,
    require_columns,
)
from dpdesk.data.formats.number_cells import encoded_codes, encoded_texts
from dpdesk.data.strict_json import JsonRefusedError, json_reason, no_constant, no_repetition
from dpdesk.domains import NOTHING
from dpdesk.errors import InputError
from dpdesk.i18n import N_

_RECORDS = 20_000
"""Records that are encoded together."""

_BLANKS = " \t\r\n"
_SEPARATOR = ";"
_FIRST = re.compile(rb'\s*(?:\[\s*[{\]]|\{\s*["}])')
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_WHOLE = re.compile(r"(-?[0-9]+)\.0+")


class JsonRecords(CellFormat):
    """Records as objects of JSON, whose keys are the names of the columns."""

    key = "JSON"
    title = N_("JSON records")
    endings = (".json", ".jsonl", ".ndjson")

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        """Looks at the first two marks."""
        head = raw[:4096].removeprefix(codecs.BOM_UTF8)
        if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            head = head.replace(b"\0", b"")[2:]
        return _FIRST.match(head) is not None

    @classmethod
    def cells(cls, file: FileContent) -> FileTable:
        """Returns the table; a record without a key has an empty cell there."""
        records = _records(file)
        pieces: dict[str, list[pa.DictionaryArray]] = {}
        rows = 0
        while block := list(islice(records, _RECORDS)):
            file.tick()
            for name in dict.fromkeys(name for record in block for name in record):
                if name not in pieces:
                    pieces[name] = [_blank(rows)]
            require_columns(len(pieces), file.name)
            for name, found in pieces.items():
                found.append(
                    encoded_texts(
                        [
                            _cell(record.get(name), name, rows + number, file.name)
                            for number, record in enumerate(block, start=1)
                        ]
                    )
                )
            rows += len(block)
        if not rows:
            raise InputError(f"{file.name} is empty.", remedy="Load the file of the answers.")
        columns = tuple(
            column_of(name, found, file.name, place)
            for place, (name, found) in enumerate(pieces.items(), start=1)
        )
        return FileTable(columns, rows)


def _blank(rows: int) -> pa.DictionaryArray:
    return encoded_codes([""], np.zeros(rows, dtype=np.int64))


def _records(file: FileContent) -> Iterator[dict[str, Any]]:
    """Yields the records.

    Raises:
        InputError: The file is no JSON, or holds something other than records.
    """
    try:
        text = file.raw.decode(json.detect_encoding(file.raw))
    except UnicodeDecodeError:
        refused = _refusal(file.name, "is not text in UTF-8", 0)
    else:
        text = text.removeprefix("\ufeff")
        decoder = json.JSONDecoder(
            parse_int=str,
            parse_float=_digits,
            parse_constant=no_constant,
            object_pairs_hook=no_repetition,
        )
        has_surrogates = _SURROGATE.search(text) is not None
        at = _skipped(text, 0)
        is_list = text.startswith("[", at)
        at = _skipped(text, at + 1) if is_list else at
        number = 0
        while at < len(text) and not (is_list and text[at] == "]"):
            number += 1
            try:
                record, at = decoder.raw_decode(text, at)
                if has_surrogates:
                    _require_letters(record)
            except json.JSONDecodeError as error:
                refused = _refusal(file.name, f"is not JSON: {json_reason(error)}", number)
                break
            except JsonRefusedError as error:
                refused = _refusal(file.name, str(error), number)
                break
            except (RecursionError, ValueError):
                refused = _refusal(file.name, "is nested too deeply", number)
                break
            if not isinstance(record, dict):
                refused = _refusal(file.name, "holds something other than an object", number)
                break
            yield record
            end, at = at, _skipped(text, at)
            if is_list and text.startswith(",", at):
                at = _skipped(text, at + 1)
            elif not _ends_record(text, end, at, is_list=is_list):
                refused = _refusal(file.name, "ends where it should go on", number)
                break
        else:
            if not is_list or _skipped(text, at + 1) == len(text):
                return
            refused = _refusal(file.name, "goes on behind the end of its list", number)
    raise refused


def _ends_record(text: str, end: int, at: int, *, is_list: bool) -> bool:
    """Whether a record may end where it does: before the end of its list, or of its line."""
    if is_list:
        return text.startswith("]", at)
    return at == len(text) or "\n" in text[end:at]


def _skipped(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _refusal(name: str, reason: str, record: int) -> InputError:
    place = f", at record {record:,}" if record else ""
    return InputError(
        f"{name} {reason}{place}.",
        remedy="Write a list of objects, or an object on each line, with one respondent each.",
    )


def _require_letters(record: object) -> None:
    """Refuses texts and keys with half of a pair of surrogates, which is no letter."""
    try:
        json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise JsonRefusedError("holds half a letter, such as \\ud83d alone") from None


def _digits(text: str) -> str:
    """The digits of a number as they stand; 3 for 3.0, as programs write a whole number so."""
    whole = _WHOLE.fullmatch(text)
    return text if whole is None else whole[1]


def _cell(value: object, column: str, record: int, name: str) -> str:
    """The text of a value; the items of a list are options that were ticked."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case list():
            items = [_cell(item, column, record, name) for item in value]
            if all(items) and not any(_SEPARATOR in item for item in items):
                return _SEPARATOR.join(items) or NOTHING
            what = f"a list whose items are empty or hold “{_SEPARATOR}”"
        case _:
            what = "an object within an object"
    raise InputError(
        f"Record {record:,} of {name} holds {what}.",
        column=column,
        remedy=f"Write the parts of “{column}” as keys of the record.",
    )
