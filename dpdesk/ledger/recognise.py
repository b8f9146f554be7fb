"""Fingerprint and sketch, by which a ledger recognises a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from dpdesk.data.table import SurveyTable
from dpdesk.ledger.fingerprint import cell_digests, coded_table, fingerprint_of
from dpdesk.ledger.key import LedgerKey
from dpdesk.ledger.resemblance import Comparison
from dpdesk.ledger.sketch import NONCE, sketch_of
from dpdesk.randomness import SystemWords


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The data by which a ledger recognises a table; meaningless without the ledger's key.

    Attributes:
        digest: Keyed digest of the multiset of rows, in hexadecimal.
        rows: Number of rows.
        columns: Number of columns.
        sketch: Its sketch, by which similar files are found.
        comparison: Compares it with the sketches of other files.
    """

    digest: str
    rows: int
    columns: int
    sketch: bytes = field(repr=False)
    comparison: Comparison = field(repr=False, compare=False)


_KNOWN: WeakKeyDictionary[SurveyTable, tuple[LedgerKey, Fingerprint]] = WeakKeyDictionary()
"""Cache by table: a table does not change, and a large one takes a second."""


def recognise(table: SurveyTable, key: LedgerKey, tick: Callable[[], None]) -> Fingerprint:
    """Returns the fingerprint of a table under a ledger's key; cached.

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
    coded = coded_table(table, cells, key, tick)
    nonce = SystemWords().take(NONCE // 8).tobytes()
    sketch = sketch_of(coded, tick).to_bytes(key, nonce)
    comparison = Comparison(coded, key)
    fingerprint = Fingerprint(digest, table.rows, len(table.columns), sketch, comparison)
    _KNOWN[table] = (key, fingerprint)
    return fingerprint
