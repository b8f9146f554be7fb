"""Codebooks: what is known of a survey's columns from its documentation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from dpdesk.domains import Domain


class CodebookEntry(BaseModel):
    """What the documentation says of one column.

    Attributes:
        name: The column's name in the file.
        label: The question, or a longer name.
        kind: The kind of answer.
        domain: What an answer can be; None for identifiers and weights.
        source: Where this is documented.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    label: str = ""
    kind: Literal["nominal", "ordinal", "binary", "integer", "real", "identifier", "weight"]
    domain: Domain | None = None
    source: str = ""


def load_codebook(path: Path) -> Mapping[str, CodebookEntry]:
    """Reads a codebook, a JSON list of entries, and returns its entries by column name.

    Raises:
        pydantic.ValidationError: An entry is not valid.
    """
    content = json.loads(path.read_text(encoding="utf-8"))
    entries = (CodebookEntry.model_validate(entry) for entry in content)
    return {entry.name: entry for entry in entries}
