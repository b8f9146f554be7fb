"""Small tables and charges that the tests of the ledger share."""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

from dpdesk.cost import PrivacyCost
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.ledgers import Charge, Ledger
from dpdesk.ledgers.place import files_of
from tests.engine.survey import answer


def people(rows: int = 60, *, first: int = 0, **more: Any) -> SurveyTable:
    """A table of rows that differ; `first` is the number of the first person."""
    numbers = range(first, first + rows)
    columns = {
        "person": [f"p{n * 7919 % 100_003:06d}" for n in numbers],
        "colour": [("red", "green", "blue")[answer(n, 0, 3)] for n in numbers],
        "age": [str(18 + answer(n, 1, 60)) for n in numbers],
    }
    return table_from_texts(columns | more)


def local(epsilon: str) -> PrivacyCost:
    """A loss in the local model."""
    return PrivacyCost(Decimal(epsilon))


def central(epsilon: str, delta: str = "0", relation: str = "add or remove one") -> PrivacyCost:
    """A loss in the central model."""
    return PrivacyCost(Decimal(epsilon), Decimal(delta), "central", relation=relation)


def charge(
    ledger: Ledger, cost: PrivacyCost, table: SurveyTable | None = None, **more: Any
) -> Charge:
    """Charges a release of a table, of sixty people if none is given."""
    data = ledger.fingerprint(people() if table is None else table)
    asked = {"plan": '{"a": "plan"}', "title": "Survey", "kind": "statistics"} | more
    return ledger.charge(data, (cost,), **asked)


def one(path: Path | None = None) -> Any:
    """The only population of a ledger."""
    (population,) = Ledger.open(path).book().populations()
    return population


def one_key(folder: Path, *names: str) -> None:
    """Gives the ledgers of these names in a folder one secret, and each a file of its own."""
    Ledger.open(folder / "first.sqlite")
    for name in names:
        for file in files_of(folder / "first.sqlite"):
            if file.exists():
                shutil.copy(file, file.with_name(file.name.replace("first", name, 1)))
