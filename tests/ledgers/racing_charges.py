"""Processes that charge one population at the same moment. A program of its own.

They are forks, so that they begin together and not after an import each.
"""

from __future__ import annotations

import os
import sys
from decimal import Decimal

from dpdesk.errors import CapReachedError
from dpdesk.ledgers import Cap, Ledger
from tests.ledgers.charges import charge, local, people


def main(count: int) -> None:
    """Holds the processes at a gate, opens it, and says how each of them ended."""
    table = people()
    gate, opener = os.pipe()
    children = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            os.close(opener)
            os.read(gate, 1)
            try:
                charge(
                    Ledger.open(),
                    local("0.1"),
                    table,
                    population="People",
                    cap=Cap(Decimal(1)),
                )
            except CapReachedError:
                os._exit(7)
            os._exit(0)
        children.append(child)
    os.close(opener)
    for child in children:
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


if __name__ == "__main__":
    main(int(sys.argv[1]))
