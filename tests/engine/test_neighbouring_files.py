"""Two files that differ in one record move no statistic further than its sensitivity says.

From the bytes of the file to the released number, with the noise held still: what one respondent
writes into a cell, hostile or not, changes the codes of that respondent's record and of no other.
A file may be refused instead, which is told before anything is charged or drawn.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random

import pytest

from dpdesk.data.read_file import load, load_declared
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable
from dpdesk.domains import Categorical, OptionSet, Real
from dpdesk.engine.statistics import coded_rows
from dpdesk.errors import InputError
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, errors_of
from dpdesk.plan.checks.statistics import (
    bind_queries,
    check_statistics,
    check_statistics_table,
)
from dpdesk.plan.statistics import Statistics
from dpdesk.queries import BoundQuery, MeasuredQuery, PrivacyUnit
from dpdesk.queries.phrase import parse_query

QUERIES = (
    "count",
    "count by sex",
    "count where sex is F",
    "sum of score",
    "sum of score by sex",
    "mean of score",
    "share with score at least 2",
    "variance of score",
    "count where score is not answered",
    "share with score is answered by sex",
    "count where media has a",
    "share with media has a or b where media is answered",
    "share with media is not answered by sex",
)

# What a respondent, or whoever typed for them, can put into a cell. Bytes are written as they are.
CELLS: tuple[str | bytes, ...] = (
    *("", " ", " " * 1500, "none", "NA", "-9", "F", "f", "M", "0", "1", "2.5", "2,5", "-1", "36.6"),
    *("1e308", "-inf", "nan", "1_0", "１", "9" * 40, "0x1", "1,000.5", "=1+1", "sep=;", "#", "\\"),
    *('"', 'say "x"', "it's", "a;b", "a,b", "a\tb", "a|b", "a\nb", "a\r\nb", "\r", "\ufeff", "é€"),
    *(b"\xe9", b"\xff\xfe", b"\x81", b"\xc3", b"\xe2\x82", b"F\xe9"),
)
# Whole records that are none, as a damaged or spiteful export writes them.
BROKEN = (b'x;"y', b'"', b"a,b,c,d,e,f", b"", b"   ", b'F,"1"2,x', b"\xff" * 9, b"sep=;")


@dataclass(frozen=True)
class Case:
    """A way to read, and the columns of its files."""

    reading: Reading
    names: tuple[str, ...] = ("sex", "score", "note")


CASES = (
    Case(Reading()),
    Case(Reading(delimiter=";", decimal=",")),
    Case(Reading(delimiter="\t", encoding="cp1252")),
    Case(Reading(delimiter="|", quote="'", header_rows=3)),
    Case(Reading(quote="")),
    Case(Reading(missing=("-9", "none", "NA"))),
    Case(Reading(), ("score",)),
    Case(Reading(delimiter=","), ("media", "sex")),
    Case(Reading(header_rows=0), ("column 1",)),
    Case(Reading(encoding="utf-16-le")),
    Case(Reading(encoding="shift_jis")),
)


def plan_of(case: Case) -> Plan:
    """Everything is asked that the columns allow; any number of answers may be unfit."""
    domains = {
        "sex": ColumnPlan(
            name="sex", kind="binary", domain=Categorical(values=("F", "M")), confirmed=True
        ),
        "score": ColumnPlan(name="score", kind="real", domain=SCORES, confirmed=True),
        "media": ColumnPlan(
            name="media",
            kind="several",
            domain=OptionSet(values=("a", "b", "F")),
            missing=MissingPolicy(policy="category", value="none"),
            confirmed=True,
        ),
        "column 1": ColumnPlan(name="column 1", kind="real", domain=SCORES, confirmed=True),
    }
    known = [domains[name] for name in case.names if name in domains]
    asked = [
        text.replace("score", f'"{case.names[-1]}"') if len(known) == 1 else text
        for text in QUERIES
    ]
    queries = [
        parse_query(text)
        for text in asked
        if all(name not in text for name in domains if name not in case.names)
    ]
    return Plan(
        reading=case.reading,
        reading_confirmed=True,
        allowed_unfit=Decimal(1),
        columns=tuple(known),
        statistics=Statistics().with_queries(queries),
    )


SCORES = Real(lower=Decimal(-1), upper=Decimal(3), resolution=Decimal("0.5"))


def record(case: Case, cells: list[str | bytes]) -> bytes:
    """One record, its cells in quotation marks where there are such marks."""
    written, quoted = [], case.reading.quote
    for cell in cells:
        if isinstance(cell, bytes):
            written.append(cell)
            continue
        if not quoted:
            written.append(cell.encode(case.reading.encoding, "replace"))
            continue
        buffer = io.StringIO()
        writer = csv.writer(
            buffer, quotechar=quoted, quoting=csv.QUOTE_ALL, lineterminator="", strict=True
        )
        writer.writerow([cell])
        written.append(buffer.getvalue().encode(case.reading.encoding, "replace"))
    return case.reading.delimiter.encode(case.reading.encoding).join(written)


def file_of(case: Case, records: list[bytes]) -> bytes:
    """The bytes of a file."""
    encoding = case.reading.encoding
    end = "\n".encode(encoding)
    names = [name.encode(encoding) for name in case.names]
    heads = [case.reading.delimiter.encode(encoding).join(names)] * case.reading.header_rows
    return b"".join(line + end for line in (*heads, *records))


def drawn(case: Case, random: Random) -> bytes:
    """A record of any cells."""
    if random.random() < 0.12:
        return random.choice(BROKEN)
    usual = {"sex": ["F", "M"], "note": ["ok", ""], "media": ["a", "b", "a;F", "", "(none)"]}
    cells: list[str | bytes] = []
    for name in case.names:
        if random.random() < 0.5:
            cells.append(random.choice(usual.get(name, ["0", "1", "2", "3"])))
        else:
            cells.append(random.choice(CELLS))
    return record(case, cells)


def pairs(case: Case, seed: int) -> Iterator[tuple[str, bytes, bytes]]:
    """Neighbouring files: a record added, taken away, or replaced, anywhere."""
    random = Random(seed)
    for _ in range(25):
        records = [drawn(case, random) for _ in range(random.randint(0, 5))]
        place = random.randint(0, len(records))
        more = [*records[:place], drawn(case, random), *records[place:]]
        other = [*records[:place], drawn(case, random), *records[place:]]
        yield "add_remove", file_of(case, records), file_of(case, more)
        yield "replace", file_of(case, more), file_of(case, other)


@cache
def calibrated(plan: Plan) -> tuple[BoundQuery, ...]:
    """The queries of a plan, calibrated once."""
    return bind_queries(plan)


def loaded(path: Path, raw: bytes, plan: Plan) -> SurveyTable | None:
    """The table as a release reads it; None where the run stops before it is charged."""
    path.write_bytes(raw)
    assert plan.reading is not None
    try:
        table = load_declared(path, plan.reading)
    except InputError:
        return None
    stops = errors_of((*check_statistics(plan), *check_statistics_table(plan, table)))
    return None if stops else table


def rows_of(table: SurveyTable, plan: Plan) -> Counter[tuple[int, ...]]:
    """How often each record of codes occurs."""
    rows = coded_rows(table, plan)
    columns = [rows.codes[name][:].tolist() for name in sorted(rows.codes)]
    return Counter(zip(*columns, strict=True)) if columns else Counter({(): rows.rows})


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.reading.words}, {len(c.names)} columns")
def test_that_one_record_changes_its_own_codes_and_no_others(case: Case, tmp_path: Path) -> None:
    plan, compared = plan_of(case), 0
    for _, one, other in pairs(case, seed=1):
        first = loaded(tmp_path / "a.csv", one, plan)
        second = loaded(tmp_path / "b.csv", other, plan)
        if first is None or second is None:
            continue
        before, after = rows_of(first, plan), rows_of(second, plan)
        assert (before - after).total() <= 1
        assert (after - before).total() <= 1
        compared += 1
    assert compared >= 10


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.reading.words}, {len(c.names)} columns")
def test_that_released_numbers_move_by_no_more_than_the_sensitivity(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    still = [3.0, -7.0, 11.0, 2.0]
    monkeypatch.setattr(
        "dpdesk.queries.noise.calibrated.add_noise",
        lambda _kind, _scale, values: [v + still[i % 4] for i, v in enumerate(values)],
    )
    moved = 0.0
    for relation, one, other in pairs(case, seed=2):
        unit = PrivacyUnit(relation=relation)  # type: ignore[arg-type]
        plan = plan_of(case)
        plan = plan.with_fields(statistics=plan.statistics.with_fields(unit=unit))
        tables = [loaded(tmp_path / "t.csv", raw, plan) for raw in (one, other)]
        if None in tables:
            continue
        rows = [coded_rows(table, plan) for table in tables if table is not None]
        for bound in calibrated(plan):
            assert isinstance(bound, MeasuredQuery)
            released = []
            for coded in rows:
                sums = bound.sums(coded)
                released.append(
                    [
                        part.noise.draw(exact.reshape(-1).tolist())
                        for part, exact in zip(bound.parts, sums, strict=True)
                    ]
                )
            for part, x, y in zip(bound.parts, *released, strict=True):
                change = [abs(a - b) for a, b in zip(x, y, strict=True)]
                stated = part.noise.sensitivity
                assert sum(change) <= stated.l1, part.name
                assert sum(c * c for c in change) <= stated.l2_square, part.name
                assert max(change) <= stated.linf, part.name
                moved = max(moved, sum(change) / stated.l1)
    # Some pair reaches the whole sensitivity: the files are not all alike.
    assert moved == 1.0


def test_that_a_reading_found_out_from_the_answers_would_move_everybody(tmp_path: Path) -> None:
    # Why a release must not look: the same two files, read as they seem to be written.
    answers = "".join(f"7;{20 + i % 60},5;36;ok\n" for i in range(1000))
    (tmp_path / "d.csv").write_text("id;income;temp;note\n" + answers)
    (tmp_path / "d1.csv").write_text("id;income;temp;note\n" + answers + "8;50,5;36.6;ok\n")
    assert load(tmp_path / "d.csv").reading.decimal == ","
    assert load(tmp_path / "d1.csv").reading.decimal == "."
