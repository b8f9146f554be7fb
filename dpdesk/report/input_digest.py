"""The digest of a table of answers, by which its holder recognises it."""

from __future__ import annotations

import hashlib

import numpy as np

from dpdesk.data.table import SurveyTable


def digest_of(table: SurveyTable) -> str:
    """Returns SHA-256 over a table's names and answers, whatever the format of its file was."""
    digest = hashlib.sha256()
    for column in table.columns:
        digest.update(_counted(column.name))
        # The order of a column's dictionary depends on how the file was read; that of the sorted
        # answers does not.
        occurring = np.flatnonzero(column.counts > 0)
        texts = [column.distinct[code] for code in occurring]
        order = sorted(range(len(texts)), key=texts.__getitem__)
        code_of = np.zeros(column.distinct_count, dtype="<i4")
        code_of[occurring[order]] = np.arange(len(order), dtype="<i4")
        for position in order:
            digest.update(_counted(texts[position]))
        digest.update(code_of[column.codes].tobytes())
    return digest.hexdigest()


def _counted(text: str) -> bytes:
    content = text.encode("utf-8")
    return len(content).to_bytes(8, "little") + content
