"""Prints which fault is noticed by which check.

python -m tests.mechanisms.kill_matrix          each fault against its own check
python -m tests.mechanisms.kill_matrix --full   each fault against every check (some minutes)
"""

from __future__ import annotations

import sys
import time

from tests.mechanisms.faults import FAULTS
from tests.mechanisms.mutation import Fault


def main(arguments: list[str]) -> int:
    """Prints the matrix; returns 1 if a fault goes unnoticed by the check that it is given to."""
    full = arguments == ["--full"]
    checks = list(dict.fromkeys(fault.check for fault in FAULTS))
    if full:
        for number, check in enumerate(checks, 1):
            print(f"{number:3}  {check.__module__.rpartition('.')[2]}.{check.__name__}")
        print()
    unnoticed = 0
    for fault in FAULTS:
        start = time.perf_counter()
        noticed = fault.is_noticed()
        unnoticed += not noticed
        seconds = time.perf_counter() - start
        verdict = "noticed" if noticed else "NOT NOTICED"
        if full:
            by = [n for n, check in enumerate(checks, 1) if _notices(fault, check)]
            print(f"{fault.name:52} {verdict:11} by {', '.join(map(str, by))}", flush=True)
        else:
            print(f"{fault.name:52} {verdict:11} {fault.check.__name__} ({seconds:.2f} s)")
    print(f"\n{len(FAULTS) - unnoticed} of {len(FAULTS)} faults noticed by their checks.")
    return int(unnoticed > 0)


def _notices(fault: Fault, check: object) -> bool:
    try:
        return fault.is_noticed(check)  # type: ignore[arg-type]
    except Exception:  # noqa: BLE001 - a check of another part may break on the fault; that counts
        return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
