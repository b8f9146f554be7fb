"""How long the best levels of Adult take, by every loss and requirement.

python -m tests.benchmarks.coarsening [folder of adult.csv]

Nine quasi-identifiers with the numbers of levels that are usual for them: 12,960 combinations. The
command fails where a search for k and l takes more than 10 s of the processor; distances with a
limit rule out nothing and are printed beside.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from dpdesk.data.read_file import load
from dpdesk.disclosure.coarsening import Lattice, search
from dpdesk.disclosure.columns import chosen_columns, missing_by
from dpdesk.disclosure.hierarchies import Hierarchy, by_widths, in_groups
from dpdesk.disclosure.information_loss import LOSSES
from dpdesk.disclosure.levelled import LevelledColumn, levelled
from dpdesk.disclosure.requirement import Requirement
from dpdesk.domains import Integer

LIMIT = 10.0
GROUPS = {
    "workclass": (3,),
    "education": (3, 6),
    "marital-status": (3,),
    "occupation": (4,),
    "relationship": (),
    "race": (),
    "sex": (),
    "native-country": (9,),
}
"""How many neighbouring categories are one on each level; then all of them are."""
WANTED = {
    "k = 5": Requirement(5),
    "k = 5, 2 % left out": Requirement(5, suppressed_most=904),
    "k = 5, l = 2, 2 % left out": Requirement(5, l_distinct=2, suppressed_most=904),
    "k = 5, t = 0.3": Requirement(5, t=0.3),
    "k = 5, t = 0.3, 2 % left out": Requirement(5, t=0.3, suppressed_most=904),
}


def main(folder: Path) -> None:
    """Prints seconds of the processor and how many nodes were looked at."""
    table = load(folder / "adult.csv")
    missing = missing_by(table.reading)

    def column(name: str) -> LevelledColumn:
        own = table.column(name)
        levels: Hierarchy = by_widths("age", Integer(lower=17, upper=90), (5, 10, 20))
        if name != "age":
            values = sorted(own.distinct)
            # Two categories have no level between themselves and all.
            levels = in_groups(name, values, GROUPS[name] or (len(values),))
        return levelled(levels, own, ".", missing(own))

    columns = tuple(column(name) for name in ("age", *GROUPS))
    salary = chosen_columns(table, ["salary"])
    slowest = 0.0
    for words, wanted in WANTED.items():
        for loss in LOSSES:
            lattice = Lattice(columns, salary if wanted.needs_sensitive else (), table.rows)
            begun = time.process_time()
            found = search(lattice, wanted, loss)
            taken = time.process_time() - begun
            if not (wanted.t is not None and wanted.suppressed_most):
                slowest = max(slowest, taken)
            print(
                f"{words:<30} {loss.word:<14} {taken:6.2f} s  {found.looked_at:>6,} of "
                f"{found.nodes:,} looked at, {found.suppressed:,} left out",
                flush=True,
            )
    if slowest > LIMIT:
        sys.exit(f"{slowest:.1f} s is more than {LIMIT:g} s.")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data"))
