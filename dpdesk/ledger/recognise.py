"""What a ledger knows a table by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from dpdesk.data.table import SurveyTable
from dpdesk.ledger.fingerprint import cell_digests, fingerprint_of
from dpdesk.ledger.key import LedgerKey
from dpdesk.ledger.sketch import TableSketch, sketch_of


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a ledger knows a table by; it means nothing without the ledger's key.

    Attributes:
        digest: Keyed digest of the multiset of rows, in hexadecimal.
        rows: Number of rows.
        columns: Number of columns.
        sketch: Sketches by which similar files are found.
    """

    digest: str
    rows: int
    columns: int
    sketch: TableSketch


_KNOWN: WeakKeyDictionary[SurveyTable, tuple[LedgerKey, Fingerprint]] = WeakKeyDictionary()
"""What was recognised already: a table does not change, and a large one takes a second."""


def recognise(table: SurveyTable, key: LedgerKey, tick: Callable[[], None]) -> Fingerprint:
    """Returns what the ledger with a key knows a table by; computed once.

    Args:
        table: The table.
        key: The ledger's key.
        tick: Called now and then; may raise to stop.
    """
    known = _KNOWN.get(table)
    if known is not None and known[0] == key:
        return known[1]
    cells = cell_digests(table, key)
    tick()
    digest = fingerprint_of(cells, key)
    tick()
    sketch = sketch_of(table, cells, tick)
    found = Fingerprint(digest, table.rows, len(table.columns), sketch)
    _KNOWN[table] = (key, found)
    return found
