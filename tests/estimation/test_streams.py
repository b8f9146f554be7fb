"""Released records are read in parts: the same estimates whatever the pieces, in little memory."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from dpdesk.data import csv_records, records
from dpdesk.data.csv_records import CsvSource
from dpdesk.data.record_files import RecordWriter
from dpdesk.data.table import table_from_texts
from dpdesk.designs.sample_design import LONELY, Lonely, SampleDesign
from dpdesk.domains import Categorical, Integer
from dpdesk.errors import InputError
from dpdesk.estimation import record_patterns, released_by_group, released_from_file
from dpdesk.estimation.from_records import record_fields
from dpdesk.estimation.independence import independence
from dpdesk.estimation.joint import cross_table, means_by_group, shares_by_group
from dpdesk.estimation.record_patterns import Patterns
from dpdesk.estimation.regression import regression
from dpdesk.estimation.released import bind_attributes
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, Plan, save_plan
from tests.patience import HANG
from tests.refusals import refused

ROWS = 3_000
LETTERS = Categorical(values=("a", "b", "c, or more"))
MANY = Categorical(values=tuple(f"m{i}" for i in range(40)))
QUOTED = ("plain", 'in "marks"', "two\nlines", "=sum", "")


def protected(name: str, kind: str, domain: Categorical | Integer) -> ColumnPlan:
    """A column with a mechanism."""
    return ColumnPlan(
        name=name,
        kind="integer" if isinstance(domain, Integer) else "nominal",
        domain=domain,
        confirmed=True,
        role="protect",
        mechanism=mechanism_named(kind)(epsilon=Decimal(2)),
    )


def kept(name: str, kind: str = "nominal") -> ColumnPlan:
    """A column that is released as it is."""
    return ColumnPlan(name=name, kind=kind, role="keep", keep_confirmed=True)  # type: ignore[arg-type]


PLAN = Plan(
    columns=(
        protected("x", "grr", LETTERS),
        protected("y", "grr", Categorical(values=("no", "yes"))),
        protected("bits", "oue", MANY),
        protected("age", "piecewise", Integer(lower=0, upper=20)),
        kept("note"),
        kept("years", "integer"),
        kept("w", "weight"),
    )
)
UNWEIGHTED = Plan(columns=PLAN.columns[:-1])


def write(folder: Path, plan: Plan = PLAN, rows: int = ROWS, words: tuple[str, ...] = ()) -> Path:
    """Records of random reports, weights with many digits, and texts that CSV has to quote."""
    folder.mkdir()
    draw, bound = np.random.default_rng(3), bind_attributes(plan)
    mechanism_of = {column.name: mechanism for column, mechanism in bound}
    chunks: list[object] = []
    for column in plan.columns:
        if (mechanism := mechanism_of.get(column.name)) is not None:
            size = len(mechanism.outputs)
            if mechanism.form == "bits":
                chunks.append(draw.integers(2, size=(rows, size)).astype(np.uint8))
            else:
                chunks.append(draw.integers(size, size=rows).astype(np.int32))
        elif column.kind == "weight":
            chunks.append([repr(weight) for weight in draw.lognormal(size=rows).tolist()])
        elif column.kind == "integer":
            chunks.append([str(year) for year in draw.integers(5, size=rows).tolist()])
        else:
            chunks.append([QUOTED[i] for i in draw.integers(len(QUOTED), size=rows).tolist()])
    from dpdesk.data.record_files import record_files

    files = record_files(words)
    fields = record_fields(plan, bound)
    with RecordWriter(folder, fields, (), files) as writer:
        writer.append(chunks)  # type: ignore[arg-type]
    save_plan(plan, folder / "plan.json")
    return folder


def numbers(place: Path, plan: Plan = PLAN) -> list[object]:
    """Everything that is counted of a file, to the last digit."""
    released = released_from_file(place, plan)
    found: list[object] = [released.rows, released.kept]
    for attribute in released.attributes:
        tally = attribute.tally
        squares = None if tally.square_counts is None else tally.square_counts.tolist()
        found += [tally.reports, tally.weight, tally.weight_squares, tally.counts.tolist(), squares]
    return found


def answers(place: Path, plan: Plan = PLAN) -> dict[str, np.ndarray]:
    """Joint estimates of each kind."""
    of = ScoredRecords(place, plan)
    cross = cross_table(of, ("x", "y", "note"))
    wide = cross_table(of, ("bits", "x"))
    mean, share = means_by_group(of, "age", ("x",)), shares_by_group(of, "y", ("note",))
    test = independence(of, "x", "y")
    found = {
        "cross": np.stack((cross.value, cross.standard_error)),
        "wide": np.stack((wide.value, wide.standard_error, wide.noise_error)),
        "mean": np.stack((mean.value, mean.standard_error, mean.lower)),
        "share": np.stack((share.value, share.standard_error, share.upper)),
        "test": np.stack((test.observed, test.expected, test.residual)),
    }
    for formula in ("age ~ x + years", "age ~ x*years", "y ~ note"):
        model = regression(of, formula)
        found[formula] = np.vstack((model.coefficients, model.covariance))
    return found


@pytest.fixture
def grid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 256 records, so that a small file has many."""
    monkeypatch.setattr(records, "_ROWS", 256)


@pytest.mark.usefixtures("grid")
@pytest.mark.parametrize("size", [1 << 11, 5_003, 1 << 16])
def test_that_no_digit_depends_on_the_pieces_that_a_file_is_read_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    folder = write(tmp_path / "r", words=("feather",))
    expected, joint = numbers(folder / "records.csv"), answers(folder / "records.csv")
    monkeypatch.setattr(csv_records, "READ_AT_ONCE", size)
    packed = tmp_path / "records.csv.gz"
    packed.write_bytes(gzip.compress((folder / "records.csv").read_bytes()))
    other = tmp_path / "groups.parquet"
    table = pq.read_table(folder / "records.parquet")
    pq.write_table(table, other, row_group_size=size % 997 + 1, store_schema=False)
    own = ("records.csv", "records.parquet", "records.feather")
    for place in (*(folder / name for name in own), packed, other):
        assert numbers(place) == expected, place.name
        for key, found in answers(place).items():
            np.testing.assert_array_equal(found, joint[key], f"{place.name} {key}")


def test_that_counts_without_weights_do_not_depend_on_the_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "r", UNWEIGHTED)
    expected, joint = numbers(folder, UNWEIGHTED), answers(folder, UNWEIGHTED)
    groups = released_by_group(folder, UNWEIGHTED, "note")
    assert sum(group.records for group in groups) == ROWS
    for rows in (1, 7, 1_000):
        monkeypatch.setattr(records, "_ROWS", rows if rows > 1 else 97)
        assert numbers(folder, UNWEIGHTED) == expected
        for key, found in answers(folder, UNWEIGHTED).items():
            np.testing.assert_array_equal(found, joint[key], key)
        for one, other in zip(released_by_group(folder, UNWEIGHTED, "note"), groups, strict=True):
            assert (one.text, one.records) == (other.text, other.records)
            assert one.released is not None
            assert other.released is not None
            for a, b in zip(one.released.attributes, other.released.attributes, strict=True):
                assert a.tally.counts.tolist() == b.tally.counts.tolist()


@pytest.mark.usefixtures("grid")
@pytest.mark.parametrize("plan", [PLAN, UNWEIGHTED])
def test_that_more_patterns_than_a_table_holds_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plan: Plan
) -> None:
    folder = write(tmp_path / "r", plan)
    joint = answers(folder, plan)
    reads: list[int] = []
    usual = CsvSource.parts

    def spy(source: CsvSource, *asked: object) -> object:
        reads.append(1)
        return usual(source, *asked)  # type: ignore[arg-type]

    monkeypatch.setattr(CsvSource, "parts", spy)
    answers(folder, plan)
    once = len(reads)
    monkeypatch.setattr(record_patterns, "MOST_PATTERNS", 4)
    for key, found in answers(folder, plan).items():
        np.testing.assert_allclose(found, joint[key], rtol=1e-9, atol=1e-12, err_msg=key)
    assert len(reads) > 2 * once
    # What several tables hold of the same is one pattern, whatever they held at a time.
    together = ScoredRecords(folder, plan).together(("x", "y", "note"))
    assert together.patterns is None
    assert together.whole.size == len(np.unique(_rows_of(together.whole), axis=0))
    assert together.whole.counts.sum() == ROWS


def _rows_of(whole: Patterns) -> NDArray[np.int64]:
    return np.stack([*whole.reports.values(), *whole.labels.values()], axis=1)


def test_that_equal_records_are_counted_as_one_pattern(tmp_path: Path) -> None:
    folder = write(tmp_path / "r", UNWEIGHTED)
    together = ScoredRecords(folder, UNWEIGHTED).together(("x", "y", "note"))
    assert together.records == ROWS
    assert together.patterns == 3 * 2 * len(QUOTED)


@pytest.mark.parametrize("size", [1 << 10, 1 << 23])
@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda cells: ["planted", *cells[1:]], None),
        (lambda cells: cells[:-1], "line"),
        (lambda cells: [*cells, "planted"], "line"),
    ],
)
def test_that_an_error_far_behind_the_header_names_its_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    size: int,
    change: Callable[[list[str]], list[str]],
    line: str | None,
) -> None:
    plan = Plan(columns=(PLAN.columns[1], PLAN.columns[5]))
    path = write(tmp_path / "r", plan) / "records.csv"
    lines = path.read_text().split("\n")
    lines[2_000] = ",".join(change(lines[2_000].split(",")))
    path.write_text("\n".join(lines))
    monkeypatch.setattr(csv_records, "READ_AT_ONCE", size)
    with pytest.raises(InputError) as caught:
        released_from_file(path, plan)
    assert caught.value.line == 2_001
    assert "planted" not in str(caught.value)
    assert line is not None or caught.value.message.values["record"] == 2_000


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r", "\n\n"])
def test_that_records_are_the_same_whatever_ends_their_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    monkeypatch.setattr(csv_records, "READ_AT_ONCE", 1 << 10)
    plan = Plan(columns=(PLAN.columns[1], PLAN.columns[5]))
    path = write(tmp_path / "r", plan) / "records.csv"
    expected = numbers(path, plan)
    path.write_bytes(path.read_bytes().replace(b"\n", ends.encode()))
    assert numbers(path, plan) == expected


def test_that_blank_lines_of_one_column_are_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_records, "READ_AT_ONCE", 64)
    plan = Plan(columns=(PLAN.columns[1],))
    path = tmp_path / "records.csv"
    path.write_text("y\n" + "yes\nno\n" * 100 + "\n" + "yes\n" * 50)
    with refused("estimation.impossible", record=201, column="y"):
        released_from_file(path, plan)


def test_that_pieces_join_whose_codes_take_fewer_bytes_than_others() -> None:
    texts = [[f"t{n % most}" for n in range(most + 7)] for most in (3, 300, 70_000)]
    pieces = [table_from_texts({"a": some}).column("a") for some in texts]
    assert {piece.codes.dtype.itemsize for piece in pieces} == {1, 2, 4}
    assert records.joined_texts(pieces).texts() == [text for some in texts for text in some]


@pytest.mark.parametrize("text", ['"' + "line\n" * 20 + '"', "x" * 100])
def test_that_a_record_is_as_long_as_one_of_a_table_may_be(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each record breaks within a piece, and the pieces together are far longer than one."""
    raw = f"{text},1\n".encode() * 50
    monkeypatch.setattr(csv_records, "READ_AT_ONCE", 16)
    monkeypatch.setattr(csv_records, "LONGEST_RECORD", 128)
    bodies = list(csv_records._bodies(BytesIO(raw), "records.csv"))
    assert b"".join(bodies) == raw
    assert {body.count(b",1\n") for body in bodies} == {1}
    monkeypatch.setattr(csv_records, "LONGEST_RECORD", 80)
    with refused("data.long-record", file="records.csv"):
        list(csv_records._bodies(BytesIO(raw), "records.csv"))


def test_that_a_damaged_gzip_file_is_refused(tmp_path: Path) -> None:
    packed = tmp_path / "records.csv.gz"
    raw = gzip.compress((write(tmp_path / "r") / "records.csv").read_bytes())
    packed.write_bytes(raw[: len(raw) // 2])
    with refused("data.unreadable", reason="data.damaged"):
        released_from_file(packed, PLAN)


def test_that_who_listens_hears_of_the_end_and_can_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_records, "READ_AT_ONCE", 1 << 12)
    folder = write(tmp_path / "r", words=("feather",))
    for name in ("records.csv", "records.parquet", "records.feather"):
        heard: list[float] = []
        released_from_file(folder / name, PLAN, heard=heard.append)
        assert heard == sorted(heard)
        assert heard[-1] == 1

        def stop(part: float) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            released_from_file(folder / name, PLAN, heard=stop)


@pytest.mark.parametrize("lonely", LONELY[1:])
def test_that_a_row_for_several_respondents_is_as_good_as_a_row_for_each(lonely: Lonely) -> None:
    draw = np.random.default_rng(5)
    strata = np.array([0, 0, 0, 1, 1, 2, 3])
    alike = np.array([3, 1, 4, 1, 2, 1, 7])
    parts = draw.normal(size=(strata.size, 2))
    few = SampleDesign(
        np.ones(strata.size), strata, np.arange(strata.size), lonely=lonely, alike=alike
    )
    each = np.repeat(strata, alike)
    many = SampleDesign(np.ones(each.size), each, np.arange(each.size), lonely=lonely)
    assert few.freedom() == many.freedom()
    assert few.sizes.tolist() == many.sizes.tolist()
    np.testing.assert_allclose(
        few.covariance_of_sum(parts), many.covariance_of_sum(np.repeat(parts, alike, axis=0))
    )


_CHILD = """
import sys
import tracemalloc
from pathlib import Path
import pyarrow as pa
from dpdesk.data import csv_records, records
from dpdesk.estimation import record_patterns, released_from_file
from dpdesk.estimation.joint import cross_table
from dpdesk.estimation.regression import regression
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.plan import load_plan

# A part of what is held otherwise, so that a file of some megabytes is larger than it.
records._ROWS //= 16
csv_records.READ_AT_ONCE //= 64
record_patterns._MOST_BYTES //= 64
# How far two threads are ahead of each other differs from time to time.
csv_records._MOST_THREADS = 1
place = Path(sys.argv[1])
plan = load_plan(place.parent / "plan.json")
tracemalloc.start()
released_from_file(place, plan, with_kept=False)
cross_table(ScoredRecords(place, plan), ("x", "y"))
cross_table(ScoredRecords(place, plan), ("bits", "x"))
regression(ScoredRecords(place, plan), "age ~ x + years")
print(tracemalloc.get_traced_memory()[1], pa.default_memory_pool().max_memory())
"""


def peaks(place: Path, root: Path) -> list[int]:
    """Most bytes that Python and numpy, and that Arrow, hold at a time while a file is read."""
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, place],
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        timeout=HANG,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return list(map(int, done.stdout.split()))


@pytest.mark.parametrize("name", ["records.csv", "records.parquet"])
def test_that_memory_does_not_grow_with_the_records(tmp_path: Path, root: Path, name: str) -> None:
    # More bits than are counted by their combinations, fewer than are cut out of a file.
    bits = protected("bits", "oue", Categorical(values=MANY.values[:24]))
    plan = Plan(columns=(*PLAN.columns[:2], bits, PLAN.columns[3], PLAN.columns[5]))
    small, large = (write(tmp_path / word, plan, 60_000 * n) for word, n in (("n", 1), ("m", 4)))
    for folder in (small, large):
        path = folder / "records.parquet"
        pq.write_table(pq.read_table(path), path, row_group_size=20_000, store_schema=False)
    once, fourfold = peaks(small / name, root), peaks(large / name, root)
    for first, second in zip(once, fourfold, strict=True):
        assert second < 1.05 * first + (1 << 20), (once, fourfold)
