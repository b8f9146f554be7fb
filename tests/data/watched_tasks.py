"""What commands do with a table, in a process whose memory is watched.

    python -m tests.data.watched_tasks TASK SMALL LARGE

The machine is made small, so that a small table is a large one.
"""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import astuple
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

from dpdesk.data import (
    block_columns,
    csv_records,
    read_delimited,
    records,
    spool,
    suggest,
    table,
)
from dpdesk.data.formats import columnar_tables
from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable
from dpdesk.disclosure import (
    Classes,
    RiskQuestion,
    chosen_columns,
    chosen_weights,
    classes,
    columns,
    disclosure_risk,
    diversity,
    special_uniques,
)
from dpdesk.disclosure.changes import changes
from dpdesk.domains import Categorical, Integer
from dpdesk.engine import statistics
from dpdesk.estimation.joint import cross_table
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.ledgers import fingerprint, recognise
from dpdesk.ledgers.chain import LedgerKey
from dpdesk.mechanisms import mechanism_named
from dpdesk.numbers import arrays
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, check_table
from dpdesk.plan.checks.synthesis import check_synthesis_table
from dpdesk.plan.given_answers import given_answers, with_counts_of
from dpdesk.plan.impossible import Impossible
from dpdesk.plan.statistics import Statistics
from dpdesk.plan.synthesis import Synthesis
from dpdesk.queries import Condition, PrivacyUnit
from dpdesk.queries.phrase import parse_query

PERSONS, MOST = 2_000, 400
QUESTIONS = 9


def _anonymous() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(r"RssAnon:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) * 1024


def make_small() -> None:
    """Lets a table be large that is a few megabytes."""
    pa.set_cpu_count(1)
    pa.set_memory_pool(pa.system_memory_pool())
    rows = 1 << 14
    values: dict[Any, dict[str, int]] = {
        spool: {"MEMORY_MOST": 1 << 18, "_ONE_COLUMN": 1 << 14},
        block_columns: {
            "_FEW": 1 << 10,
            "_WAITING_MOST": 1 << 12,
            "_TOGETHER": 1 << 12,
            "MEMORY_MOST": 1 << 16,
            "_SPOOLED": 1 << 16,
        },
        table: {"SAMPLE_ROWS": 1 << 12, "_TEXTS_TOGETHER": 1 << 12},
        fingerprint: {"_PIECE": 1 << 12},
        read_delimited: {"PIECE": 1 << 16, "PARSE_BLOCK": 1 << 18},
        columnar_tables: {"_ROWS": 1 << 13},
        records: {"_ROWS": rows},
        csv_records: {"_PIECE": 1 << 18, "READ_AT_ONCE": 1 << 16},
        arrays: {"ROWS_TOGETHER": rows},
        classes: {"_SORTED_MOST": rows, "_SUMMED_MOST": rows, "_COUNTED_MOST": rows},
    }
    for module, constants in values.items():
        for name, value in constants.items():
            # What is not there any longer would be a test of nothing.
            assert hasattr(module, name), (module.__name__, name)
            setattr(module, name, value)


def answers(place: int) -> Categorical:
    """What a question can be answered with."""
    return Categorical(values=tuple(str(code) for code in range(29 + place)))


def protected(name: str, place: int, **more: object) -> ColumnPlan:
    """A question that is protected."""
    made = mechanism_named("grr")(epsilon=Decimal(1))
    fields = {"kind": "nominal", "domain": answers(place), "mechanism": made, "role": "protect"}
    return ColumnPlan.model_validate({"name": name, "confirmed": True, **fields, **more})


def plan_of_all() -> Plan:
    """Protects most columns, keeps one and the weights, and asks for statistics."""
    asked = MissingPolicy(policy="blank", tokens=("",))
    columns = [protected(f"q{i}", i) for i in range(QUESTIONS - 1)]
    columns.append(protected("routed", 0, missing=asked))
    columns += [ColumnPlan(name=n, kind="identifier", role="drop") for n in ("person", "serial")]
    columns.append(ColumnPlan(name="weight", kind="weight", role="keep", keep_confirmed=True))
    wanted = ("count by q0", "most frequent q1", "count by q2 where q3 is 1")
    queries = tuple(parse_query(one, epsilon=Decimal("0.5")) for one in wanted)
    never = tuple(Condition(column=name, values=("1",)) for name in ("q0", "q1", "q4"))
    return Plan(
        columns=tuple(columns),
        statistics=Statistics(
            queries=queries, unit=PrivacyUnit(respondent_column="person", rows_per_respondent=MOST)
        ),
        synthesis=Synthesis(impossible=(Impossible(all_of=never),)),
    )


def risk(found: SurveyTable) -> object:
    """Few columns, with weights and a sensitive answer."""
    known, sensitive = chosen_columns(found, ("q0", "q1")), chosen_columns(found, ("q2",))
    weights = chosen_weights(found, "weight")
    return astuple(disclosure_risk(RiskQuestion(known, found.rows, sensitive, weights)))


def risk_of_many(found: SurveyTable) -> object:
    """Many classes, of which each is a few records or one."""
    known = chosen_columns(found, ("q0", "q1", "q2", "q3", "q4"))
    alone = special_uniques(known, found.rows, depth=2).riskiest(5)
    return diversity(Classes(known, found.rows), chosen_columns(found, ("q5",))[0]), alone


def risk_of_any(found: SurveyTable) -> object:
    """Missing cells that match any."""
    known = chosen_columns(found, ("q0", "routed"))
    return disclosure_risk(RiskQuestion(known, found.rows, missing="any")).unique_rows


def risk_of_each(found: SurveyTable) -> object:
    """A column in which all answers differ, as numbers and as texts."""
    told: list[object] = []
    for numbers_least in (2, sys.maxsize):
        columns._FEW_NUMBERS = numbers_least
        question = RiskQuestion(chosen_columns(found, ("q0", "serial")), found.rows)
        assert (question.quasi_identifiers[1].numbers is None) == (numbers_least > 2)
        told += [disclosure_risk(question), changes(question)]
    return told


def query(found: SurveyTable) -> object:
    """Statistics of some rows of each person: in a small table of all, in a large one of most."""
    rows = statistics.coded_rows(found, plan_of_all())
    return rows.count(("q0",)).tolist()


def query_of_each(found: SurveyTable) -> object:
    """Statistics of a table in which each row is of another respondent."""
    plan = plan_of_all()
    unit = PrivacyUnit(respondent_column="serial", rows_per_respondent=1)
    changed = plan.with_fields(statistics=plan.statistics.model_copy(update={"unit": unit}))
    rows = statistics.coded_rows(found, changed)
    return rows.count(("q0",)).tolist()


def draft(found: SurveyTable) -> object:
    """What each column seems to be."""
    return [suggest.suggest_column(column).kind for column in found.columns]


def recognised(found: SurveyTable) -> object:
    """A table as a ledger recognises it, compared with itself."""
    key = LedgerKey(bytes(32))
    cells = fingerprint.cell_digests(found, key)
    coded = fingerprint.coded_table(found, cells, key, lambda: None)
    known = recognise.sketch_of(coded, lambda: None)
    common = recognise.compare_rows(coded, known, lambda: None)
    assert common is not None
    return fingerprint.fingerprint_of(cells, key), common


def check(found: SurveyTable) -> object:
    """Weights, who was asked, and what cannot be."""
    plan = with_counts_of(plan_of_all(), found)
    problems = (*check_table(plan, found), *check_synthesis_table(plan, found))
    return [problem.code for problem in problems]


def amounts(found: SurveyTable) -> object:
    """A column of numbers that all differ, protected."""
    domain = Integer(lower=0, upper=2**31 - 2**22, step=2**22)
    column = protected("serial", 0, kind="integer", domain=domain, provenance="declared")
    weights = ColumnPlan(name="weight", kind="weight", role="keep", keep_confirmed=True)
    names = {column.name: column, weights.name: weights}
    columns = (
        names.get(n, ColumnPlan(name=n, kind="identifier", role="drop")) for n in found.names
    )
    plan = with_counts_of(Plan(columns=tuple(columns)), found)
    given = given_answers(column, found.column("serial"), found.reading)
    return [problem.code for problem in check_table(plan, found)], given.answered


def counts(found: SurveyTable) -> object:
    """How often each answer was given, and how recognisable the records are."""
    known = chosen_columns(found, found.names[:3])
    told = [int(column.counts.max()) for column in found.columns]
    return told, disclosure_risk(RiskQuestion(known, found.rows)).unique_rows


TASKS: dict[str, Callable[[SurveyTable], object]] = {
    one.__name__: one
    for one in (
        counts,
        risk,
        risk_of_many,
        risk_of_any,
        risk_of_each,
        query,
        query_of_each,
        check,
        amounts,
        draft,
        recognised,
    )
}
"""By their names; `cross` reads the file as records of a release."""


def worked(task: str, path: Path) -> int:
    """Does a task; returns the number of records."""
    if task == "cross":
        plan = Plan(columns=tuple(protected(f"q{i}", i) for i in range(2)))
        return cross_table(ScoredRecords(path, plan), ("q0", "q1")).records
    found = load(path)
    TASKS[task](found)
    return found.rows


def main() -> None:
    """Prints the number of records, and how many bytes more than before were taken at most."""
    task, small, large = sys.argv[1:]
    make_small()
    worked(task, Path(small))
    peak = idle = _anonymous()

    def watch() -> None:
        nonlocal peak
        while True:
            peak = max(peak, _anonymous())
            time.sleep(0.0005)

    threading.Thread(target=watch, daemon=True).start()
    rows = worked(task, Path(large))
    print(json.dumps({"grown": peak - idle, "rows": rows}))


if __name__ == "__main__":
    main()
