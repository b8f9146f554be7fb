"""JSON: a list of records, a record on each line, or one object with the records within it."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from itertools import chain, islice
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
from dpdesk.data.formats.texts import T
from dpdesk.data.strict_json import no_constant, no_repetition
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
        head = raw[:4096].removeprefix(codecs.BOM_UTF8)
        if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            head = head.replace(b"\0", b"")[2:]
        return _FIRST.match(head) is not None

    @classmethod
    def cells(cls, file: FileContent) -> FileTable:
        records, notices = _unpacked(file)
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
            raise InputError(T.EMPTY(file=file.name))
        columns = tuple(
            column_of(name, found, file.name, place)
            for place, (name, found) in enumerate(pieces.items(), start=1)
        )
        return FileTable(columns, rows, notices=notices)


def _unpacked(file: FileContent) -> tuple[Iterator[dict[str, Any]], tuple[str, ...]]:
    """Returns the records of a file, and notices; one object may hold a table."""
    records = _records(file)
    first = list(islice(records, 2))
    if len(first) != 1 or _is_list(file):
        return chain(first, records), ()
    (whole,) = first
    if {"columns", "data"} <= whole.keys() <= _SPLIT and isinstance(whole["columns"], list):
        return _joined(whole["columns"], whole["data"], file.name), (T.ROWS_READ(),)
    lists = [name for name, value in whole.items() if _is_list_of(value, dict)]
    if len(lists) == 1 and whole.keys() - lists <= _BESIDE:
        return iter(whole[lists[0]]), (T.LIST_READ(name=lists[0]),)
    if lists:
        raise InputError(T.VALUES_BESIDE_LIST(file=file.name, name=lists[0]))
    lengths = {len(value) if isinstance(value, list) else -1 for value in whole.values()}
    are_columns = len(whole) > 1 and len(lengths) == 1 and lengths.isdisjoint({-1, 0, 1})
    if are_columns or (whole and all(isinstance(value, dict) for value in whole.values())):
        raise InputError(T.NOT_RECORDS(file=file.name))
    return iter(first), ()


_SPLIT = {"columns", "index", "data", "index_names", "column_names"}
_BESIDE = {"schema"}
"""Keys that the table formats of pandas have: orient "split" and "tight", and orient "table"."""


def _is_list(file: FileContent) -> bool:
    return file.raw.lstrip(codecs.BOM_UTF8 + codecs.BOM_UTF16_LE + _BLANK_BYTES).startswith(b"[")


_BLANK_BYTES = b" \t\r\n\0"


def _is_list_of(value: object, kind: type) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, kind) for one in value)


def _joined(names: list[Any], rows: object, file: str) -> Iterator[dict[str, Any]]:
    """Returns the records of names and rows apart."""
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise InputError(T.BAD_NAMES(file=file))
    if not isinstance(rows, list):
        raise InputError(T.NOT_RECORDS(file=file))
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, list) or len(row) != len(names):
            raise InputError(T.WRONG_ROW(row=number, file=file, columns=len(names)))
    return (dict(zip(names, row, strict=True)) for row in rows)


def _blank(rows: int) -> pa.DictionaryArray:
    return encoded_codes([""], np.zeros(rows, dtype=np.int64))


def _records(file: FileContent) -> Iterator[dict[str, Any]]:
    """Yields the records."""
    try:
        text = file.raw.decode(json.detect_encoding(file.raw))
    except UnicodeDecodeError:
        refused = T.NOT_UNICODE(file=file.name)
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
            refused = T.NOT_JSON(record=number, file=file.name)
            try:
                record, at = decoder.raw_decode(text, at)
                if has_surrogates:
                    # Half of a pair is no letter.
                    json.dumps(record, ensure_ascii=False).encode()
            except RecursionError:
                refused = T.NESTED(record=number, file=file.name)
                break
            except ValueError:
                break
            if not isinstance(record, dict):
                refused = T.NO_OBJECT(record=number, file=file.name)
                break
            yield record
            end, at = at, _skipped(text, at)
            if is_list and text.startswith(",", at):
                at = _skipped(text, at + 1)
            elif not _ends_record(text, end, at, is_list=is_list):
                break
        else:
            if not is_list or _skipped(text, at + 1) == len(text):
                return
            refused = T.NOT_JSON(record=number + 1, file=file.name)
    raise InputError(refused)


def _ends_record(text: str, end: int, at: int, *, is_list: bool) -> bool:
    """Whether a record may end where it does: before the end of its list, or of its line."""
    if is_list:
        return text.startswith("]", at)
    return at == len(text) or "\n" in text[end:at]


def _skipped(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


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
            refused = T.NO_OPTIONS(record=record, file=name)
        case _:
            refused = T.NESTED(record=record, file=name)
    raise InputError(refused, column=column)
