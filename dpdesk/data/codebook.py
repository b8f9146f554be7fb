"""Codebooks: the columns of a survey as its documentation describes them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from dpdesk.data.regular_file import TEXT_MAX, FileRefusedError, read_regular
from dpdesk.data.strict_json import JsonRefusedError, parse_strict
from dpdesk.domains import Domain
from dpdesk.errors import InputError


class CodebookEntry(BaseModel):
    """One column as the documentation describes it.

    Attributes:
        name: The column's name in the file.
        label: The question, or a longer name.
        kind: The kind of answer.
        domain: What an answer can be; None for identifiers and weights.
        source: Where this is documented.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=1000)]
    label: Annotated[str, Field(max_length=1000)] = ""
    kind: Literal[
        "nominal", "ordinal", "binary", "several", "integer", "real", "identifier", "weight"
    ]
    domain: Domain | None = None
    source: str = ""


_ENTRIES = TypeAdapter(tuple[CodebookEntry, ...])


def load_codebook(path: Path) -> Mapping[str, CodebookEntry]:
    """Reads a codebook, a JSON list of entries, and returns its entries by column name.

    Raises:
        InputError: The file is missing, is not such a list, or describes a column twice.
    """
    reason = "it is not a list of entries in JSON"
    try:
        entries = _ENTRIES.validate_python(parse_strict(read_regular(path, TEXT_MAX)))
        by_name = {entry.name: entry for entry in entries}
        if len(by_name) == len(entries):
            return by_name
        reason = "it describes a column twice"
    except FileRefusedError as refused:
        reason = str(refused)
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors(include_input=False)[0]["loc"])
        reason = f"entry {place or 'list'} is not valid"
    except JsonRefusedError as error:
        reason = f"it is not a list of entries; it {error}"
    raise InputError(
        f"The codebook {path.name} cannot be read: {reason}.",
        remedy="Correct the file, or load the table without a codebook.",
    )
