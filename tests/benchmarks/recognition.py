"""How often a file is recognised that was changed, and how often one of other people is.

python -m tests.benchmarks.recognition [repetitions] [folder of adult.csv]

Every known file is a half of a table, drawn at random, or a smaller sample; the file of other
people is a sample of the other half, of the same size, with all columns or some of them. Printed
are shares of repetitions in which a release would stop and ask.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dpdesk.data.read_file import load
from dpdesk.data.sample import load_sample
from dpdesk.data.table import SurveyTable
from dpdesk.ledgers.chain import LedgerKey
from dpdesk.ledgers.recognise import recognise
from tests.ledgers import changed_files as changed

KEY = LedgerKey(b"k" * 32)
SEED = 20_260_701
SIZES = (0, 3_000, 1_000, 300, 100)
Draw = np.random.Generator
Case = Callable[[SurveyTable, SurveyTable, Draw], SurveyTable]


def is_asked(known: SurveyTable, new: SurveyTable) -> bool:
    """Whether a release of the second file would stop, after one of the first."""
    sketch = recognise(known, KEY, lambda: None).sketch
    comparison = recognise(new, KEY, lambda: None).comparison
    return comparison.likeness(b"known", sketch, lambda: None) is not None


def some_columns(table: SurveyTable, draw: Draw, share: float) -> SurveyTable:
    """A share of the columns, at least one."""
    count = max(round(share * len(table.columns)), 1)
    return changed.columns_of(table, list(draw.permutation(table.names)[:count]))


def of_one_kind(table: SurveyTable, draw: Draw) -> SurveyTable:
    """Only the people who gave the most frequent answer to one question."""
    column = table.columns[draw.integers(len(table.columns))]
    return changed.rows_of(table, np.flatnonzero(column.codes == column.counts.argmax()))


OTHERS: dict[str, Case] = {
    "all columns": lambda _, other, __: other,
    "half of the columns": lambda _, other, draw: some_columns(other, draw, 0.5),
    "one column": lambda _, other, draw: some_columns(other, draw, 0),
    "every row twice": lambda _, other, __: changed.twice(other),
    "of one kind of people": lambda _, other, draw: of_one_kind(other, draw),
}
SAME: dict[str, Case] = {
    "a dummy row": lambda known, _, __: changed.dummy_row(known),
    "every row twice": lambda known, _, __: changed.twice(known),
    "half of the columns, a dummy row, shuffled": lambda known, _, draw: some_columns(
        changed.shuffled(changed.dummy_row(known), draw), draw, 0.5
    ),
    "one column, a dummy row": lambda known, _, draw: some_columns(
        changed.dummy_row(known), draw, 0
    ),
    "one column, a dummy row, shuffled": lambda known, _, draw: some_columns(
        changed.shuffled(changed.dummy_row(known), draw), draw, 0
    ),
    "60 % new rows, shuffled": lambda known, other, draw: changed.shuffled(
        changed.with_others(changed.rows_of(known, range(2 * known.rows // 3)), other, 0.6), draw
    ),
    "60 % new rows, half of the columns": lambda known, other, draw: some_columns(
        changed.with_others(changed.rows_of(known, range(2 * known.rows // 3)), other, 0.6),
        draw,
        0.5,
    ),
    "one row in ten": lambda known, _, draw: changed.tenth(known, draw),
    "twice, half of the columns, a dummy row, shuffled": lambda known, _, draw: some_columns(
        changed.shuffled(changed.dummy_row(changed.twice(known)), draw), draw, 0.5
    ),
}


def tables(folder: Path, draw: Draw) -> dict[str, SurveyTable]:
    """What is cut into halves."""
    return {
        "adult": load(folder / "adult.csv"),
        "sample": load_sample(),
        "1 yes-no": changed.yes_or_no(20_000, 1, draw),
        "3 yes-no": changed.yes_or_no(20_000, 3, draw),
        "9 yes-no": changed.yes_or_no(20_000, 9, draw),
        "20 yes-no": changed.yes_or_no(8_000, 20, draw),
        "4 scales": changed.scales(16_000, 4, draw),
    }


def main(repetitions: int, folder: Path) -> None:
    """Prints both tables, one line for each case."""
    draw = np.random.default_rng(SEED)
    every = tables(folder, draw)
    names = list(every)
    # A false alarm is rare, and takes more repetitions to be seen.
    for title, cases, times in (
        ("OTHER PEOPLE", OTHERS, repetitions),
        ("THE SAME PEOPLE", SAME, max(repetitions // 5, 1)),
    ):
        for large in (True, False):
            size = "half of the table" if large else "3,000 to 100 rows"
            print(f"{title}, {size}, {times} repetitions: {', '.join(names)}")
            for case, make in cases.items():
                shares = []
                for table in every.values():
                    asked = 0
                    for number in range(times):
                        rows = 0 if large else SIZES[1 + number % (len(SIZES) - 1)]
                        known, other = changed.halves(table, draw, rows)
                        asked += is_asked(known, make(known, other, draw))
                    shares.append(asked / times)
                said = "  ".join(f"{100 * share:5.1f}" for share in shares)
                print(f"  {case:<52}{said}", flush=True)


if __name__ == "__main__":
    words = sys.argv[1:]
    main(int(words[0]) if words else 20, Path(words[1] if len(words) > 1 else "../shared/data"))
