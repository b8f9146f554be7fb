from __future__ import annotations

import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from dpdesk.data.read_records import read_records
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer, OptionSet
from dpdesk.engine import sanitize, shuffle, untracked
from dpdesk.engine.attribute_draw import AttributeDraw
from dpdesk.errors import InputError
from dpdesk.estimation import Released, estimate_rows, released_from_records
from dpdesk.mechanisms import MECHANISMS, kind_of
from dpdesk.mechanisms.direct_encoding import Grr
from dpdesk.mechanisms.fake_data import FakeDataOracle
from dpdesk.mechanisms.unary_encoding import Oue
from dpdesk.plan import ColumnPlan, Plan, check, check_table
from dpdesk.plan.checks.strategy import check_group_size
from dpdesk.reports.public import public_report
from tests.engine.survey import column, survey, survey_plan
from tests.randomness.word_sources import CountedWords, ShakeWords
from tests.refusals import refused
from tests.reports.cases import IDENTITY

STRATEGIES = [
    ("smp", "zeros"),
    ("rsfd", "zeros"),
    ("rsfd", "random"),
    ("rsrfd", "zeros"),
]


def plan_of(strategy: str, fakes: str = "zeros") -> Plan:
    """The survey's plan under a strategy; ages, which cannot be faked, are dropped with fakes."""
    plan = survey_plan().with_fields(strategy=strategy, fakes=fakes)
    if strategy == "rsrfd":
        plan = plan.with_column("colour", expected=(Decimal(1), Decimal(2), Decimal(3)))
        plan = plan.with_column("fruit", expected=(Decimal(4), Decimal(1)))
    return plan if strategy == "smp" else plan.with_column("age", role="drop")


def run(plan: Plan, folder: Path, table: SurveyTable | None = None) -> tuple[Released, SurveyTable]:
    folder.mkdir(exist_ok=True)
    table = survey() if table is None else table
    return sanitize(table, plan, folder, untracked()), read_records(folder)


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> CountedWords:
    source = CountedWords(ShakeWords("which attribute"))
    monkeypatch.setattr(sys.modules["dpdesk.engine.sanitize"], "SystemWords", lambda: source)
    return source


@pytest.mark.parametrize(("strategy", "fakes"), STRATEGIES)
def test_that_the_plans_of_these_tests_have_no_errors(strategy: str, fakes: str) -> None:
    # A survey as small is of little use, and of its yes-no question nothing is expected.
    worth = ("useless", "coarse", "no_prevalence")
    assert [p.code for p in check(plan_of(strategy, fakes)) if p.code not in worth] == ["kept"]


@pytest.mark.parametrize(("strategy", "fakes"), STRATEGIES)
def test_that_records_alone_give_the_estimates_of_the_release(
    strategy: str, fakes: str, tmp_path: Path
) -> None:
    released, records = run(plan_of(strategy, fakes), tmp_path)
    again = released_from_records(records, plan_of(strategy, fakes))
    assert records.rows == released.rows == 500
    for first, second in zip(released.attributes, again.attributes, strict=True):
        assert list(estimate_rows(first)) == list(estimate_rows(second))


@pytest.mark.parametrize(("strategy", "fakes"), STRATEGIES)
def test_that_records_of_several_buckets_give_the_estimates_of_the_release(
    strategy: str, fakes: str, words: CountedWords, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run(plan_of(strategy, fakes), tmp_path / "one")
    taken = words.taken
    monkeypatch.setattr(shuffle, "_BUCKET_ROWS", 64)
    # Nor are the attributes of so many respondents stored.
    monkeypatch.setattr(sys.modules["dpdesk.engine.attribute_draw"], "_STORED_ROWS", 100)
    released, records = run(plan_of(strategy, fakes), tmp_path / "several")
    assert words.taken == 2 * taken + 500
    again = released_from_records(records, plan_of(strategy, fakes))
    for first, second in zip(released.attributes, again.attributes, strict=True):
        assert list(estimate_rows(first)) == list(estimate_rows(second))


def test_that_a_sampled_respondent_reports_one_attribute_and_says_which(tmp_path: Path) -> None:
    released, records = run(plan_of("smp"), tmp_path)
    assert records.names == (
        "colour", "fruit=apple", "fruit=pear", "age", "region", "sampled_attribute"
    )  # fmt: skip
    sampled = records.column("sampled_attribute").texts()
    for row, attribute in enumerate(sampled):
        filled = {
            name.partition("=")[0]
            for name in ("colour", "fruit=apple", "fruit=pear", "age")
            if records.column(name).text(row) != ""
        }
        assert filled == {attribute}
    groups = Counter(sampled)
    assert [a.tally.reports for a in released.attributes] == [
        groups[name] for name in ("colour", "fruit", "age")
    ]


def test_that_cells_without_a_report_are_null_in_parquet(tmp_path: Path) -> None:
    released, _ = run(plan_of("smp"), tmp_path)
    table = pq.read_table(tmp_path / "records.parquet")
    for attribute, name in zip(released.attributes, ("colour", "fruit=pear", "age"), strict=True):
        assert table.column(name).null_count == 500 - attribute.tally.reports
    assert table.column("sampled_attribute").null_count == 0
    assert [str(table.schema.field(n).type) for n in ("fruit=pear", "age")] == ["int8", "int64"]


def test_that_the_column_of_drawn_attributes_has_a_name_of_its_own(tmp_path: Path) -> None:
    kept = ColumnPlan(name="sampled_attribute", kind="nominal", role="keep", keep_confirmed=True)
    plan = plan_of("smp")
    plan = plan.with_columns((*plan.columns, kept))
    texts = {name: survey().column(name).texts() for name in survey().names}
    table = table_from_texts(texts | {"sampled_attribute": ["x"] * 500})
    _, records = run(plan, tmp_path, table)
    assert records.names[-2:] == ("sampled_attribute", "sampled_attribute_")
    assert set(records.column("sampled_attribute").distinct) == {"x"}


def test_that_words_are_taken_for_everybody_whatever_is_drawn_and_answered(
    words: CountedWords, tmp_path: Path
) -> None:
    same_answer = table_from_texts(
        {name: [survey().column(name).text(0)] * 500 for name in survey().names}
    )
    # The order, the draw; then colour, fruit and age; fakes take a word more for each category.
    expected = {
        ("smp", "zeros"): 2 + 1 + 2 + 1,
        ("rsfd", "zeros"): 2 + 2 + 2,
        ("rsfd", "random"): 2 + 2 + 3,
        ("rsrfd", "zeros"): 2 + 2 + 3,
    }
    for (strategy, fakes), each in expected.items():
        for number, table in enumerate((survey(), same_answer)):
            before = words.taken
            run(plan_of(strategy, fakes), tmp_path / f"{strategy}{fakes}{number}", table)
            assert words.taken - before == 500 * each, (strategy, fakes)


@pytest.mark.parametrize(("strategy", "fakes"), STRATEGIES[1:])
def test_that_nothing_of_a_release_with_fakes_depends_on_what_was_drawn_but_the_reports(
    strategy: str, fakes: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With reports that are the same whatever is drawn, all files are the same to the byte."""
    real = FakeDataOracle.randomize_drawn

    def undrawn(self, codes, drawn, words):
        return real(self, codes, np.zeros_like(drawn), words)

    monkeypatch.setattr(FakeDataOracle, "randomize_drawn", undrawn)
    module = sys.modules["dpdesk.engine.sanitize"]
    contents, reports = [], []
    for number in range(2):

        class Draws:
            """Everybody's first word says which attribute is drawn."""

            def __init__(self, number: int) -> None:
                self._shake, self._number, self._calls = ShakeWords("same"), number, 0

            def take(self, count: int) -> np.ndarray:
                self._calls += 1
                words = self._shake.take(count)
                if self._calls == 2:
                    return np.full(count, (2**64 - 1) * self._number, dtype=np.uint64)
                return words

        monkeypatch.setattr(module, "SystemWords", lambda number=number: Draws(number))
        folder = tmp_path / str(number)
        released, records = run(plan_of(strategy, fakes), folder)
        contents.append([(folder / f"records.{e}").read_bytes() for e in ("csv", "parquet")])
        reports.append(public_report(released, IDENTITY).model_dump_json())
        assert "sampled_attribute" not in records.names
    assert contents[0] == contents[1]
    assert reports[0] == reports[1]


def test_that_weights_of_a_group_go_into_its_estimate(tmp_path: Path) -> None:
    weight = column("w", kind="weight", role="keep", keep_confirmed=True)
    plan = plan_of("smp")
    plan = plan.with_columns((*plan.columns, weight))
    texts = {name: survey().column(name).texts() for name in survey().names}
    table = table_from_texts(texts | {"w": ["1" if i % 2 else "3" for i in range(500)]})
    released, records = run(plan, tmp_path, table)
    again = released_from_records(records, plan)
    for first, second in zip(released.attributes, again.attributes, strict=True):
        assert first.tally.counts == pytest.approx(second.tally.counts)
        assert first.respondents == pytest.approx(1000**2 / (250 * 1 + 250 * 9))
    assert sum(a.tally.weight for a in released.attributes) == pytest.approx(1000)


def test_that_everybody_is_drawn_anew_where_an_attribute_would_be_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan, table = plan_of("smp"), survey(6)
    # One draw in four leaves an attribute of these three out.
    assert {p.code for p in check_table(plan, table)} == {"few_reports", "respondents_differ"}
    seen = []
    real = AttributeDraw.__init__

    def counted(self: AttributeDraw, *given: Any) -> None:
        real(self, *given)
        seen.append(np.unique(self.released).size)

    monkeypatch.setattr(AttributeDraw, "__init__", counted)
    for number in range(60):
        released, _ = run(plan, tmp_path / str(number), table)
        assert [a.tally.reports > 0 for a in released.attributes] == [True] * 3
    assert seen.count(3) == 60
    # Of 60 releases with chance .26 each, some are drawn anew: none with chance 1e-8.
    assert min(seen) < 3


@pytest.mark.parametrize(("attributes", "rows", "errs"), [(300, 1500, True), (300, 2500, False)])
def test_that_too_few_respondents_for_the_attributes_are_found_by_the_check(
    attributes: int, rows: int, errs: bool
) -> None:
    columns = [ColumnPlan(name=f"q{i}", kind="binary", role="protect") for i in range(attributes)]
    plan = Plan(columns=tuple(columns), strategy="smp")
    found = [p.code for p in check_group_size(plan, rows)]
    assert found == (["too_few_reports"] if errs else ["few_reports"])
    # Beyond that, most draws serve every attribute: (1 - 1/d)^n each, all but independent.
    served = (1 - (1 - 1 / attributes) ** rows) ** attributes
    assert (served > 0.6) is not errs


@pytest.mark.parametrize("stored", [1 << 23, 100])
def test_that_a_release_stops_where_nobody_is_drawn_for_an_attribute(
    stored: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys.modules["dpdesk.engine.attribute_draw"], "_STORED_ROWS", stored)

    class First:
        def take(self, count: int) -> np.ndarray:
            return np.zeros(count, dtype=np.uint64)

    monkeypatch.setattr(sys.modules["dpdesk.engine.sanitize"], "SystemWords", First)
    with refused("engine.randomness-failed"):
        sanitize(survey(), plan_of("smp"), tmp_path, untracked())
    assert list(tmp_path.iterdir()) == []


def test_that_a_report_of_an_attribute_that_was_not_drawn_is_refused(tmp_path: Path) -> None:
    run(plan_of("smp"), tmp_path)
    records = read_records(tmp_path)
    texts = {name: list(records.column(name).texts()) for name in records.names}
    row = texts["sampled_attribute"].index("age")
    texts["colour"][row] = "red"
    with refused("estimation.not-its-report", record=row + 1, column="colour"):
        released_from_records(table_from_texts(texts), plan_of("smp"))
    texts["colour"][row] = ""
    texts["sampled_attribute"][row] = "id"
    with pytest.raises(InputError, match="sampled_attribute"):
        released_from_records(table_from_texts(texts), plan_of("smp"))


def test_that_shares_are_found_under_every_strategy(tmp_path: Path) -> None:
    """Within six standard errors, which chance exceeds once in 500 million shares."""
    rows = 30_000
    table = table_from_texts(
        {
            "a": [("x", "y", "z")[min(i % 10, 2)] for i in range(rows)],
            "b": ["no" if i % 4 else "yes" for i in range(rows)],
        }
    )
    truth = {"x": 0.1, "y": 0.1, "z": 0.8, "yes": 0.25, "no": 0.75}
    for strategy, fakes in STRATEGIES:
        plan = Plan(
            strategy=strategy,
            fakes=fakes,
            columns=tuple(
                column(
                    name,
                    kind="nominal",
                    domain={"type": "categorical", "values": values},
                    role="protect",
                    mechanism=mechanism(epsilon=Decimal(3)),
                    expected=tuple(Decimal(i + 1) for i in range(len(values))),
                )
                for name, values, mechanism in (
                    ("a", ["x", "y", "z"], Oue),
                    ("b", ["yes", "no"], Grr),
                )
            ),
        )
        released, _ = run(plan, tmp_path / f"{strategy}{fakes}", table)
        for attribute in released.attributes:
            for row in estimate_rows(attribute):
                assert abs(row.estimate - truth[row.category]) < 6 * row.noise_standard_error, (
                    strategy,
                    row.category,
                )


def test_that_every_mechanism_can_report_a_sampled_attribute(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In chunks so small that many hold no report of an attribute."""
    columns = []
    for kind in MECHANISMS:
        letters, digits = Categorical(values=("a", "b")), Integer(lower=0, upper=9)
        several = OptionSet(values=("a", "b"))
        domain = next(d for d in (letters, digits, several) if kind.misfit(d) is None)
        answers = {letters: "nominal", digits: "integer", several: "several"}
        columns.append(
            column(
                kind_of(kind),
                kind=answers[domain],
                domain=domain,
                role="protect",
                mechanism=kind.starting(domain, Decimal(2)),
            )
        )
    plan = Plan(strategy="smp", columns=tuple(columns))
    rows = 40 * len(columns)
    texts = {
        c.name: [(str(i % 10) if c.kind == "integer" else "ab"[i % 2]) for i in range(rows)]
        for c in columns
    }
    module = sys.modules["dpdesk.engine.sanitize"]
    monkeypatch.setattr(module, "_rows_per_chunk", lambda _: 37)
    released, records = run(plan, tmp_path, table_from_texts(texts))
    again = released_from_records(records, plan)
    assert sum(a.tally.reports for a in released.attributes) == rows
    for first, second in zip(released.attributes, again.attributes, strict=True):
        assert first.tally.counts == pytest.approx(second.tally.counts)
        assert next(estimate_rows(first)).reports == first.tally.reports
