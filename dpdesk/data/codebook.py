"""Codebooks: the columns of a survey as its documentation describes them.

A codebook is a JSON list of entries, or a table with a row for each answer, as in the
`codebook.csv` that dpdesk writes beside a release.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from dpdesk.data.missing_codes import TypedCodes, read_codes
from dpdesk.data.read_file import load
from dpdesk.data.regular_file import TEXT_MAX, FileRefusedError, read_regular
from dpdesk.data.strict_json import JsonRefusedError, parse_strict
from dpdesk.data.texts import T
from dpdesk.data.write_csv import restore
from dpdesk.domains import ColumnKind, Date, Domain
from dpdesk.errors import InputError, ParameterError, invalid_fields
from dpdesk.numbers import is_number
from dpdesk.numbers.calendar import iso_moment


class CodebookEntry(BaseModel):
    """One column as the documentation describes it.

    Attributes:
        name: The column's name in the file.
        label: The question, or a longer name.
        kind: The kind of answer.
        domain: What an answer can be; None for identifiers and weights.
        missing: The rules for missing answers as a plan stores them; without a "policy" the codes
            in "tokens" are protected as the answers are. None where nothing is said of them.
        meanings: What single values of a column of numbers mean.
        other: Category for answers outside the list; empty for none.
        role: What becomes of the column in a release: "keep" for one that is released as it is,
            which has to be confirmed anew, "drop" for one that is left out; None where the codebook
            does not say it.
        source: Where this is documented.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=1000)]
    label: Annotated[str, Field(max_length=1000)] = ""
    kind: ColumnKind
    domain: Domain | None = None
    missing: Mapping[str, Any] | None = None
    meanings: Mapping[str, str] = {}
    other: Annotated[str, Field(max_length=1000)] = ""
    role: Literal["keep", "drop"] | None = None
    source: str = ""


_ENTRIES = TypeAdapter(tuple[CodebookEntry, ...])


def load_codebook(path: Path) -> Mapping[str, CodebookEntry]:
    """Reads a codebook and returns its entries by column name.

    Args:
        path: A JSON list of entries, or a table (see `TABLE_HEADER`).

    Raises:
        InputError: The file is missing, is no codebook, or describes a column twice.
    """
    try:
        raw = read_regular(path, TEXT_MAX)
        if path.suffix.lower() == ".json" or raw.lstrip()[:1] in (b"", b"[", b"{"):
            entries = _ENTRIES.validate_python(parse_strict(raw))
        else:
            entries = tuple(_TableOfAnswers(path).entries())
        by_name = {entry.name: entry for entry in entries}
        if len(by_name) == len(entries):
            return by_name
        reason: str = T.DESCRIBED_TWICE()
    except FileRefusedError as refused:
        reason = refused.reason
    except ValidationError as error:
        place = ".".join(str(part) for part in invalid_fields(error)[0].place)
        reason = T.BAD_ENTRY(entry=place or "list")
    except JsonRefusedError as error:
        reason = T.NO_ENTRIES(reason=str(error))
    raise InputError(T.BAD_CODEBOOK(file=path.name, reason=reason))


TABLE_HEADER = (
    "attribute",
    "label",
    "kind",
    "role",
    "value",
    "meaning",
    "lower",
    "upper",
    "step",
    "unit",
    "missing",
    "other",
    "separator",
)
"""Columns of a codebook that is a table; all but the first may be left out."""

ANSWER = "answer"
"""Role of a row on what an answer can be; a row without a role is one."""

MISSING = "missing"
"""Role of a row whose value means that there is no answer."""

NOTHING_TICKED = "nothing"
"""Role of a row whose value, which may be empty, is the cell of somebody who ticked no option."""

ROLES: Mapping[str, Literal["keep", "drop"]] = {"kept": "keep", "weight": "keep", "dropped": "drop"}
"""Roles of rows that say what becomes of a column, as a codebook of a release has them."""

_RELEASED = "protected"
"""Role of rows that say what a release holds of a protected question."""

_NAMES = ("attribute", "column", "name", "variable")
_ALSO = {
    "value": ("code", "codes"),
    "meaning": ("value label", "value_label"),
    "label": ("question",),
    "lower": ("min", "minimum"),
    "upper": ("max", "maximum"),
}
"""Other names of columns of a codebook, where it has none of the usual name."""
_KINDS_WITHOUT_DOMAIN = ("identifier", "weight")
_DECIMALS_MAX = 9


class _TableOfAnswers:
    """A codebook as a table: what holds of a whole column stands in any of its rows.

    Raises:
        FileRefusedError: It is no table, or no column of it says what a row is about.
    """

    def __init__(self, path: Path) -> None:
        try:
            table = load(path)
        except InputError as error:
            reason = T.NO_TABLE(reason=error.message.rstrip("."))
        else:
            named = {name.strip().lower(): name for name in reversed(table.names)}
            for usual, others in _ALSO.items():
                also = next((named[other] for other in others if other in named), None)
                if also is not None:
                    named.setdefault(usual, also)
            key = next((named[name] for name in _NAMES if name in named), None)
            self._rows: dict[str, list[dict[str, str]]] = {}
            self._roles: dict[str, Literal["keep", "drop"]] = {}
            if key is not None:
                self._collect(
                    [restore(text) for text in table.column(key).texts()],
                    {
                        name: [restore(text) for text in table.column(named[name]).texts()]
                        for name in TABLE_HEADER[1:]
                        if name in named
                    },
                )
                return
            reason = T.NO_ATTRIBUTE()
        raise FileRefusedError(reason)

    def _collect(self, names: list[str], cells: dict[str, list[str]]) -> None:
        of_role: dict[str, list[dict[str, str]]] = {}
        is_release = False
        for number, name in enumerate(names):
            row = {key: column[number] for key, column in cells.items()}
            role = row.get("role", "")
            if name and role in ("", ANSWER, MISSING, NOTHING_TICKED):
                self._rows.setdefault(name, []).append(row)
            elif name and role in ROLES:
                self._roles[name] = ROLES[role]
                kind = row.get("kind") or ("weight" if role == "weight" else "")
                of_role.setdefault(name, []).append(row | {"role": "", "kind": kind})
            is_release |= role == _RELEASED
        if not is_release or self._rows:
            # What a release says of a kept column is told by its answers, too; a codebook that was
            # written by hand may say no more than the role. The order of the file stays.
            found = of_role | self._rows
            self._rows = {name: found[name] for name in dict.fromkeys(names) if name in found}
        repeated = next((name for name, rows in self._rows.items() if len(rows) > 1), None)
        if repeated is not None and "value" not in cells:
            raise FileRefusedError(T.NO_VALUES(name=repeated))
        if names and not self._rows:
            raise FileRefusedError(T.OLD_CODEBOOK())

    def entries(self) -> Iterator[CodebookEntry]:
        """Yields an entry for each column.

        Raises:
            FileRefusedError: The rows of a column do not make one.
        """
        for name, rows in self._rows.items():
            try:
                told = _entry(name, rows) | {"role": self._roles.get(name)}
                yield CodebookEntry.model_validate(told)
            except (ValidationError, JsonRefusedError, ParameterError) as error:
                reason = T.BAD_ROWS(name=name, reason=_first(error))
            else:
                continue
            raise FileRefusedError(reason)


def _first(error: ValidationError | JsonRefusedError | ParameterError) -> str:
    if isinstance(error, ParameterError):
        return error.message.rstrip(".")
    if isinstance(error, JsonRefusedError):
        return T.BAD_RULE(reason=str(error))
    first = invalid_fields(error)[0]
    place = ", ".join(str(part) for part in first.place if part not in ("integer", "real"))
    reason = first.sentence.rstrip(".")
    return f"{place}: {reason}" if place else reason


def _entry(name: str, rows: list[dict[str, str]]) -> dict[str, Any]:
    """The entry of a column as the JSON of a codebook has it."""

    def said(key: str) -> str:
        return next((row[key].strip() for row in rows if row.get(key, "").strip()), "")

    listed = [row for row in rows if row.get("role") in (None, "", ANSWER) and row.get("value")]
    lower, upper, step = said("lower"), said("upper"), said("step")
    # As it stands: in “a - b” the blanks are part of the separator.
    separator = next((row["separator"] for row in rows if row.get("separator")), "")
    kind = said("kind").lower() or _kind_of(listed, (lower, upper, step), separator)
    entry: dict[str, Any] = {"name": name, "label": said("label"), "kind": kind}
    if kind in ("integer", "real"):
        size = "step" if kind == "integer" else "resolution"
        entry["domain"] = {
            "type": kind,
            "lower": lower,
            "upper": upper,
            size: step or _last_digit(lower, upper),
            "unit": said("unit"),
        }
    elif kind == "date":
        if lower and upper:
            unit, _, pattern = step.partition(" as ")
            entry["domain"] = Date.of(lower, upper, unit, pattern.strip())
    elif kind not in _KINDS_WITHOUT_DOMAIN and listed:
        entry["domain"] = {
            "type": "several" if kind == "several" else "categorical",
            "values": [row["value"] for row in listed],
            "labels": {row["value"]: row["meaning"] for row in listed if row.get("meaning")},
        }
        if kind == "several":
            nothing = [row.get("value", "") for row in rows if row.get("role") == NOTHING_TICKED]
            entry["domain"] |= {"separator": separator} if separator else {}
            entry["domain"] |= {"nothing": nothing[0]} if nothing else {}
    if kind in ("integer", "real", "date", *_KINDS_WITHOUT_DOMAIN):
        # A kept column is described by its own rows as well, of which the first has no value.
        entry["meanings"] = {row["value"]: row["meaning"] for row in listed if row.get("meaning")}
    policy = parse_strict(said("missing").encode()) if said("missing") else None
    codes = _codes(name, [row for row in rows if row.get("role") == MISSING])
    if codes is not None and policy is None:
        # Who lists the codes of a survey by hand does not mention the empty cell.
        codes |= {"tokens": list(dict.fromkeys(("", *codes["tokens"])))}
    if policy is None or (codes is not None and isinstance(policy, dict)):
        policy = (policy or {}) | codes if codes is not None else None
    if policy is not None:
        entry["missing"] = policy
    entry["other"] = said("other")
    return entry


def _codes(name: str, rows: list[dict[str, str]]) -> dict[str, Any] | None:
    """The codes of rows that mean no answer, as a plan has them; None without such rows.

    Raises:
        FileRefusedError: A range of codes is invalid.
    """
    if not rows:
        return None
    tokens: list[str] = []
    ranges: list[dict[str, Any]] = []
    labels: dict[str, str] = {}
    for row in rows:
        typed = row.get("value", "")
        try:
            found = _typed_code(typed)
        except ParameterError as error:
            reason = T.BAD_CODE(name=name, reason=error.message.rstrip("."))
            raise FileRefusedError(reason) from None
        tokens += found.tokens
        ranges += [one.model_dump(mode="json") for one in found.ranges]
        names = (*found.tokens, *(one.text for one in found.ranges))
        labels |= dict.fromkeys(names, row["meaning"]) if row.get("meaning") else {}
    codes: dict[str, Any] = {"tokens": list(dict.fromkeys(tokens))}
    return codes | ({"ranges": ranges} if ranges else {}) | ({"labels": labels} if labels else {})


def _typed_code(cell: str) -> TypedCodes:
    """Reads one code: a range, a text in quotation marks, or any other text as it stands."""
    text = cell.strip()
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    if not quoted and not set(text) & set(';="'):
        found = read_codes(text)
        if found.ranges or len(found.tokens) > 1:
            return found
    return read_codes(text) if quoted else TypedCodes((cell,))


def _kind_of(listed: list[dict[str, str]], numbers: tuple[str, str, str], separator: str) -> str:
    """The kind of a column whose rows do not say it."""
    if separator:
        return "several"
    if any(iso_moment(end) is not None and not is_number(end) for end in numbers[:2]):
        return "date"
    if any(numbers):
        return "real" if any("." in number for number in numbers) else "integer"
    return "binary" if len(listed) == 2 else "nominal"


def _last_digit(*bounds: str) -> str:
    """The step of the last digit of some bounds, such as 0.1."""
    digits = min(max(len(bound.partition(".")[2]) for bound in bounds), _DECIMALS_MAX)
    return f"0.{'0' * (digits - 1)}1" if digits else "1"
