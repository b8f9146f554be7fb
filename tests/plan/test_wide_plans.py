"""What is done with thousands of columns grows with their number, not with its square."""

from __future__ import annotations

import pickle
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from dpdesk.cli.main import main
from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical, Integer, OptionSet
from dpdesk.gui.plan_problems import PlanProblems
from dpdesk.mechanisms import AnyDomain, choice
from dpdesk.mechanisms.bounded_noise import KernelForecast
from dpdesk.mechanisms.choice import _Case, least_error, ranked
from dpdesk.mechanisms.direct_encoding import Grr
from dpdesk.mechanisms.duchi import DuchiForecast
from dpdesk.mechanisms.hybrid import HybridForecast
from dpdesk.mechanisms.sampling import EVERY_ANSWER
from dpdesk.mechanisms.unbounded_noise import UnboundedForecast
from dpdesk.mechanisms.window_noise import WindowForecast
from dpdesk.plan import (
    ColumnPlan,
    Plan,
    Problem,
    check,
    choose_best,
    confirm_domains,
    draft_table,
    plan_from_json,
    plan_to_json,
    protect,
    protect_unassigned,
    release_usefulness,
    remedies,
    synthesis,
)
from dpdesk.plan import column as column_module
from dpdesk.plan.checks.synthesis import check_synthesis
from dpdesk.plan.checks.table import check_answers
from dpdesk.plan.checks.usefulness import check_usefulness_of_synthesis
from dpdesk.plan.losses import total_epsilon
from dpdesk.plan.release_usefulness import usefulness_of_cell
from dpdesk.plan.synthetic_columns import (
    synthesis_budget,
    synthetic_states,
)
from dpdesk.plan.usefulness import VERDICTS
from dpdesk.plan.verdicts import ShareCounts, verdict_levels, verdict_of
from dpdesk.preview.request import PreviewRequest
from dpdesk.releases.records import RECORDS
from dpdesk.releases.synthetic import SYNTHETIC
from tests.engine.survey import survey, survey_plan
from tests.refusals import refused

COLUMNS = 40


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How often plans and columns are validated while the test runs."""
    found: Counter[str] = Counter()
    for kind in (Plan, ColumnPlan):

        def counted(self, _kind=kind, _usual=kind.__init__, **fields):  # type: ignore[no-untyped-def]
            found[_kind.__name__] += 1
            _usual(self, **fields)

        monkeypatch.setattr(kind, "__init__", counted)
    return found


def wide(columns: int = COLUMNS) -> Plan:
    texts = {
        f"q{i}": [f"c{i}-{r % 4}" if i % 2 else str(r % (20 + i)) for r in range(60)]
        for i in range(columns)
    }
    return draft_table(table_from_texts(texts))


@pytest.mark.parametrize("total", [None, Decimal(20)])
@pytest.mark.parametrize("strategy", ["spl", "smp"])
def test_that_protecting_validates_each_column_a_few_times_and_the_plan_even_less(
    strategy: str, total: Decimal | None, calls: Counter[str]
) -> None:
    plan = wide().with_fields(strategy=strategy)
    calls.clear()
    protected = protect_unassigned(plan, total)
    assert len(protected.protected) == COLUMNS
    assert calls["ColumnPlan"] <= 2 * COLUMNS
    assert calls["Plan"] <= 2


def test_that_a_step_of_a_slider_validates_one_column_and_no_plan(calls: Counter[str]) -> None:
    plan = protect_unassigned(wide())
    calls.clear()
    changed = plan.with_column("q1", mechanism=Grr(epsilon=Decimal("1.5")))
    assert calls == {"ColumnPlan": 1}
    assert changed == plan_from_json(plan_to_json(changed))


def test_that_numbers_with_blanks_are_protected_without_a_row_of_each_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows: Counter[str] = Counter()
    for kind in (KernelForecast, UnboundedForecast, WindowForecast, HybridForecast, DuchiForecast):
        # The usual form holds the chances of every report under every answer.
        monkeypatch.setattr(kind, "probabilities", lambda self, _: rows.update([str(self)]))
    grid = Integer(lower=0, upper=83).with_missing(0.17)
    for epsilon in (Decimal("0.043"), Decimal("1.07"), Decimal("7.1")):
        tried = ranked(grid, epsilon)
        assert len(tried) >= 7
        best = least_error(grid, epsilon, sampling=EVERY_ANSWER, answers_only=False)
        assert best in tried
    assert not rows


def test_that_the_advice_for_most_tries_each_attribute_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    races: Counter[AnyDomain] = Counter()

    def counted(domain: AnyDomain, *words: object, **more: object) -> object:
        races[domain] += 1
        return least_error(domain, *words, **more)  # type: ignore[arg-type]

    plan = protect_unassigned(wide(), Decimal(4)).with_rows(1_000_000)
    monkeypatch.setattr(remedies, "least_error", counted)
    remedies._best.cache_clear()
    names = [column.name for column in plan.protected]
    advice = remedies.one_answer_for_most(plan, names)
    assert "one answer per respondent" in advice
    assert set(races) == {column.judged_domain for column in plan.protected}
    assert set(races.values()) == {1}


def test_that_of_synthetic_rows_only_tables_that_are_named_are_judged_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged: list[tuple[str, ...]] = []

    def counted(columns: tuple[str, ...], *words: object, **more: object) -> object:
        judged.append(tuple(columns))
        return usefulness_of_cell(columns, *words, **more)  # type: ignore[arg-type]

    plan = protect_unassigned(wide()).with_rows(100_000)
    found = release_usefulness.usefulness_of_synthesis(plan)
    assert len(found.by_name) > COLUMNS * (COLUMNS - 1) / 4
    verdicts = [found.by_name[name].verdict for name in found.by_name]
    for verdict in VERDICTS:
        named = found.named(verdict)
        assert len(named) == verdicts.count(verdict)
        ratios = [found.by_name[name].ratio for name in named]
        assert ratios == sorted(ratios, reverse=True)
    monkeypatch.setattr(release_usefulness, "usefulness_of_cell", counted)
    problems = tuple(check_usefulness_of_synthesis(plan))
    told = [problem.remedy for problem in problems]
    assert len(judged) <= 50
    assert len(set(judged)) <= 10
    judged.clear()
    # A page that is painted again searches for nothing.
    assert [problem.remedy for problem in problems] == told
    assert not judged
    name = found.named("useless")[0]
    assert release_usefulness.usefulness_of_table(plan, name) == found.by_name[name]


def test_that_columns_of_one_size_have_keys_of_their_own() -> None:
    # Equal hashes would have thousands of columns compared with each other.
    domains = [Categorical(values=(f"a{i}", f"b{i}", f"c{i}")) for i in range(100)]
    grids = [Integer(lower=i, upper=i + 9) for i in range(100)]
    grr = Grr(epsilon=Decimal(1))
    assert len({hash(_Case(grr, domain)) for domain in (*domains, *grids)}) > 190
    assert len({hash(PreviewRequest(d, grr, 10, 0, 1)) for d in (*domains, *grids)}) > 190


def test_that_all_at_once_is_what_one_after_the_other_gives() -> None:
    for strategy in ("spl", "smp"):
        plan = wide(12).with_fields(strategy=strategy, budget=None)
        one_by_one = plan
        for column in plan.columns:
            one_by_one = protect(one_by_one, column.name)
        assert protect_unassigned(plan) == one_by_one
        assert choose_best(one_by_one) == _each_best(one_by_one)
    categories = wide(12)
    categories = categories.with_columns(
        tuple(c for c in categories.columns if c.kind == "nominal")
    ).with_fields(strategy="rsfd")
    assert {c.role for c in protect_unassigned(categories).columns} == {"protect"}
    assert protect_unassigned(categories) == _each_best(protect_unassigned(categories))


def _each_best(plan: Plan) -> Plan:
    for column in plan.columns:
        plan = choose_best(plan, column.name)
    return plan


def test_that_a_plan_with_other_columns_knows_nothing_of_the_ones_before() -> None:
    plan = protect_unassigned(wide(6).with_fields(strategy="smp"))
    assert (plan.sampling.attributes, len(plan.protected), len(plan.kept)) == (6, 6, 0)
    assert plan.index_of("q5") == 5
    kept = plan.with_column("q1", role="keep", keep_confirmed=True)
    assert (kept.sampling.attributes, len(kept.protected), len(kept.kept)) == (5, 5, 1)
    weights = kept.with_column("q1", kind="weight", domain=None, mechanism=None)
    assert weights.weight_column is not None
    assert kept.weight_column is None
    assert check(kept) != check(plan)
    renamed = plan.with_changed({5: plan.column("q5").changed(name="last")})
    assert renamed.index_of("last") == 5
    with pytest.raises(KeyError):
        renamed.column("q5")
    with pytest.raises(ValidationError, match="same name"):
        plan.with_changed({5: plan.column("q5").changed(name="q1")})
    with pytest.raises(ValidationError):
        plan.with_column("q5", kind="weight")
    assert confirm_domains(plan).column("q0").confirmed


def test_that_a_draft_has_a_budget_of_4_for_the_whole_record_of_however_many_columns(
    tmp_path: Path,
) -> None:
    data, out = tmp_path / "survey.csv", tmp_path / "plan.json"
    names = [f"q{number}" for number in range(300)]
    rows = "".join(",".join(["x" if i % 2 else "y"] * 300) + "\n" for i in range(40))
    data.write_text(",".join(names) + "\n" + rows, encoding="utf-8")
    for strategy in ("spl", "smp"):
        words = ["draft", str(data), "-o", str(out), "--overwrite", "--strategy", strategy]
        assert main(words) == 0
        plan = plan_from_json(out.read_text(encoding="utf-8"))
        assert plan.budget == 4
        assert total_epsilon(plan) == 4
        assert len(plan.protected) == 300
    assert main(["draft", str(data), "-o", str(out), "--overwrite", "--epsilon", "2.5"]) == 0
    assert plan_from_json(out.read_text(encoding="utf-8")).budget == Decimal("2.5")


def test_that_nothing_is_forecast_of_more_columns_than_synthetic_rows_can_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = synthesis.COLUMNS_MAX
    plan = protect_unassigned(wide(2 * most))
    within, beyond = (plan.with_columns(plan.synthetic[:count]) for count in (most, most + 1))
    assert len(release_usefulness.usefulness_of_synthesis(within).by_name) >= most
    codes = {problem.code for problem in check_synthesis(within)}
    assert "too_many_columns" not in codes
    monkeypatch.setattr(release_usefulness, "supposed_errors", None)
    found = release_usefulness.usefulness_of_synthesis(beyond)
    assert found.verdict is None
    assert not found.by_name
    assert release_usefulness.usefulness_of_table(beyond, beyond.columns[0].name) is None
    told = [p for p in check_synthesis(beyond) if p.code == "too_many_columns"]
    assert [(p.path, p.severity) for p in told] == [("columns", "error")]
    assert f"{most + 1}" in told[0].message
    with refused("plan.too-many-synthetic"):
        synthesis_budget(beyond, synthetic_states(beyond))


def test_that_a_column_is_hashed_once_and_anew_in_another_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    column = wide(1).columns[0]
    key = hash(column)
    monkeypatch.setattr(column_module, "_HASHED", ())
    assert hash(column) == key
    # What is read there is hashed by its own fields, whatever the hash was here.
    read = pickle.loads(pickle.dumps(column))  # noqa: S301 - written a moment ago
    assert read == column
    assert hash(read) == hash(())
    for changed in (column.changed(label="x"), column.model_copy(update={"name": "x"})):
        assert hash(changed) == hash(())


def test_that_several_verdicts_are_those_of_each_number() -> None:
    generator = np.random.default_rng(7)
    sizes = generator.choice([0.0, 0.3, 1.0, 2.5], 500)
    errors = sizes * generator.choice([0.1, 1 / 3, 0.34, 0.9, 1.0, 1.1], 500)
    levels = verdict_levels(errors, sizes)
    each = [VERDICTS.index(verdict_of(e, s)) for e, s in zip(errors, sizes, strict=True)]
    assert levels.tolist() == each
    assert ShareCounts.of_levels(levels) == tuple(map(each.count, range(3)))


def test_that_tables_that_are_called_alike_count_once() -> None:
    names = ("a", "b", "c", "a × b")
    columns = [c.changed(name=n) for c, n in zip(wide(4).columns, names, strict=True)]
    plan = protect_unassigned(wide(4).with_columns(tuple(columns)), Decimal(20))
    found = release_usefulness.usefulness_of_synthesis(plan.with_rows(100_000))
    assert len(found.by_name) < 4 + 6
    named = {name for verdict in VERDICTS for name in found.named(verdict)}
    assert named == set(found.by_name)
    each = [found.by_name[name].counts for name in found.by_name]
    assert tuple(found.counts) == tuple(map(sum, zip(*each, strict=True)))
    for verdict in VERDICTS:
        assert all(found.by_name[name].verdict == verdict for name in found.named(verdict))


def test_that_questions_with_as_many_answers_share_one_race(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choice._least_error.cache_clear()
    epsilon, words = Decimal("1.37"), {"sampling": EVERY_ANSWER, "answers_only": False}
    given = (("a", "b", "c"), ("low", "medium", "high"), ("1", "2", "3", "4"))
    domains = [
        *(Categorical(values=values) for values in given),
        *(OptionSet(values=values) for values in given),
        *(Integer(lower=low, upper=high) for low, high in ((0, 9), (0, 9), (0, 10))),
    ]
    found = [least_error(domain, epsilon, **words) for domain in domains]  # type: ignore[arg-type]
    assert choice._least_error.cache_info().misses == 6
    for domain, best in zip(domains, found, strict=True):
        choice._least_error.cache_clear()
        choice._judged.cache_clear()
        assert best == least_error(domain, epsilon, **words)  # type: ignore[arg-type]


def test_that_the_answers_of_a_column_are_checked_once_for_records_and_synthetic_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked: list[str] = []

    def counted(column: ColumnPlan, *words: object) -> Iterator[Problem]:
        checked.append(column.name)
        return check_answers(column, *words)  # type: ignore[arg-type]

    monkeypatch.setattr(sys.modules["dpdesk.plan.checks.table"], "check_answers", counted)
    table, plan = survey(60), survey_plan()
    finder = PlanProblems()
    finder.find(plan, table, RECORDS)
    before = list(checked)
    assert set(before) >= {column.name for column in plan.protected}
    finder.find(plan, table, SYNTHETIC)
    assert not set(checked[len(before) :]) & {column.name for column in plan.protected}
