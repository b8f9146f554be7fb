"""What the files of released statistics depend on, their page, and their schema."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpdesk.cost import PrivacyCost
from dpdesk.data.read_file import load_declared
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.engine import untracked
from dpdesk.engine.statistics import release_statistics
from dpdesk.i18n import Text
from dpdesk.ledgers import Ledger
from dpdesk.ledgers.charging import ChargeTo
from dpdesk.plan import ColumnPlan, Plan, PlanDetails
from dpdesk.plan.statistics import Statistics
from dpdesk.queries import Condition, Count, Histogram, Mean, MostCommon, PrivacyUnit, Share
from dpdesk.queries.noise import CalibratedNoise
from dpdesk.queries.selection.choice import CalibratedChoice
from dpdesk.queries.selection.quantile import CalibratedQuantile
from dpdesk.releases import release as release_module
from dpdesk.releases.release import release
from dpdesk.releases.statistics import STATISTICS, write_statistics
from dpdesk.reports.statistics.facts import StatisticFacts
from dpdesk.reports.statistics.public import (
    StatisticsReport,
    _decimals,
    statistics_report,
    statistics_report_html,
)
from dpdesk.reports.texts import T
from dpdesk.resources import resource
from tests.ledgers.charges import one_key
from tests.reports.asked import FILES, asked_plan, asked_table
from tests.reports.cases import HOSTILE, IDENTITY
from tests.reports.json_schema import faults
from tests.reports.test_html import Page
from tests.texts import only_said, values_in

BIDI = "abc\u202edef"
FORMULAS = ("=1+1", "+1", "-1", "@now")
SCHEMA: dict[str, Any] = json.loads(
    resource("schema/statistics-report.schema.json").read_text(encoding="utf-8")
)


@pytest.fixture
def fixed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Makes the noise, the choices and the identity of a release repeatable."""

    def noisy(self: CalibratedNoise, values: Sequence[int]) -> list[int]:
        return [value + 1 - place % 3 for place, value in enumerate(values)]

    def best(self: CalibratedChoice, scores: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(place) for place in np.argsort(-np.asarray(scores))[: self.k])

    def middle(self: CalibratedQuantile, counts: Sequence[int]) -> int:
        return int(np.searchsorted(np.cumsum(counts), sum(counts) / 2))

    monkeypatch.setattr(CalibratedNoise, "draw", noisy)
    monkeypatch.setattr(CalibratedChoice, "draw", best)
    monkeypatch.setattr(CalibratedQuantile, "draw", middle)
    monkeypatch.setattr(release_module, "new_identity", lambda plan, product: IDENTITY)
    one_key(tmp_path, "one", "two")


def files_of(table: SurveyTable, plan: Plan, folder: Path, name: str = "") -> dict[str, bytes]:
    # Each in a ledger of its own, since both have one identity here; the ledgers have one key.
    place, out = folder.with_suffix(".sqlite"), folder / "out"
    to = ChargeTo(ledger=place, population=name, other_people=True)
    release(STATISTICS, table, plan, out, untracked(), to)
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def disguised(path: Path) -> SurveyTable:
    """The answers of `asked_table` in another order, format and company."""
    table = asked_table()
    columns = {name: table.column(name) for name in ("sex", "region", "age")}
    texts = {name: [c.distinct[code] for code in c.codes] for name, c in columns.items()}
    order = list(range(table.rows))
    random.Random(1).shuffle(order)
    lines = ["\t".join(("phone", *texts, "id"))]
    for row in order:
        cells = [f"+41{row}", *(texts[name][row] for name in texts), f"x{row}"]
        lines.append("\t".join(cells))
    path.write_text("\r\n".join(lines) + "\r\n", encoding="utf-16")
    return load_declared(path, Reading(encoding="utf-16", delimiter="\t"))


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("relation", ["add_remove", "replace"])
def test_that_every_file_is_the_same_whatever_is_not_asked(tmp_path: Path, relation: Any) -> None:
    plan = asked_plan(PrivacyUnit(relation=relation))
    first = files_of(asked_table(), plan, tmp_path / "one")
    second = files_of(disguised(tmp_path / "other.tsv"), plan, tmp_path / "two")
    assert set(first) == FILES
    assert [name for name in first if first[name] != second[name]] == []


@pytest.mark.usefixtures("fixed")
@pytest.mark.printed
def test_that_another_true_answer_changes_the_files(tmp_path: Path) -> None:
    # Without this the test above would pass on a release that ignores its input.
    first = files_of(asked_table(), asked_plan(), tmp_path / "one")
    second = files_of(asked_table(region="islands"), asked_plan(), tmp_path / "two")
    changed = {"report.html", "report.json", "report.pdf", "statistics.csv"}
    assert {name for name in first if first[name] != second[name]} >= changed


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("name", ["", "Regions 2026"])
def test_that_no_file_tells_whether_the_data_were_released_before(
    tmp_path: Path, name: str
) -> None:
    known = asked_table()
    for folder in ("one", "two"):
        ledger = Ledger.open(tmp_path / f"{folder}.sqlite")
        cost = PrivacyCost(Decimal("0.5"), model="central")
        data = ledger.fingerprint(known)
        ledger.charge(data, (cost,), plan="{}", title="Before", kind="statistics", population=name)
    # The second file has one identifier, one sickness and no answer of the first one's queries
    # different, and is not recognised.
    first = files_of(known, asked_plan(), tmp_path / "one", name)
    second = files_of(asked_table(marker="NO"), asked_plan(), tmp_path / "two", name)
    assert [file for file in first if first[file] != second[file]] == []
    assert (json.loads(first["report.json"])["earlier_releases"] is None) == (not name)


def hostile_report() -> StatisticsReport:
    """A report in which every text that a user can give is hostile."""
    texts = iter(f"{text} {i}" for i in range(100) for text in (*HOSTILE, *FORMULAS, BIDI))
    group, number, unit = next(texts), next(texts), next(texts)
    values = tuple(next(texts) for _ in range(len(HOSTILE) + len(FORMULAS) + 1))
    domain = Categorical(values=values, labels={value: next(texts) for value in values})
    columns = (
        ColumnPlan(name=group, label=next(texts), kind="nominal", domain=domain, confirmed=True),
        ColumnPlan(
            name=number,
            label=next(texts),
            kind="integer",
            domain=Integer(lower=0, upper=9, unit=unit),
            confirmed=True,
        ),
    )
    where = (Condition(column=group, values=values[:3]),)
    queries = (
        Count(by=(group,), where=where, name=next(texts)),
        Share(meeting=where),
        Mean(column=number, by=(group,), where=where),
        MostCommon(column=group, k=3, name=next(texts)),
        Histogram(column=number, edges=(0, 3, 9), where=where),
    )
    details = PlanDetails(**{field: next(texts) for field in PlanDetails.model_fields})
    plan = Plan(details=details, columns=columns, statistics=Statistics(queries=queries))
    table = table_from_texts(
        {group: [*values, *values], number: [str(i % 10) for i in range(2 * len(values))]}
    )
    released = release_statistics(table, plan, untracked())
    return statistics_report(released, release_module.new_identity(plan, "Statistics"))


@pytest.fixture(scope="module")
def report() -> StatisticsReport:
    return hostile_report()


@pytest.fixture(scope="module")
def page(report: StatisticsReport) -> Page:
    return Page("".join(statistics_report_html(report, annex=annex) for annex in (False, True)))


def test_that_the_page_matches_its_tags_and_holds_nothing_that_runs_or_loads(page: Page) -> None:
    assert page.faults == []
    active = {"script", "link", "img", "iframe", "object", "embed", "a", "form", "base"}
    assert not active & set(page.tags)
    attributes = [name for _, name, _ in page.attributes]
    assert not [name for name in attributes if name.startswith("on")]
    assert not {"src", "href", "style"} & set(attributes)
    assert ("meta", "http-equiv", "Content-Security-Policy") in page.attributes


@pytest.mark.parametrize("text", [*HOSTILE, *FORMULAS])
def test_that_hostile_names_and_categories_appear_literally(text: str, page: Page) -> None:
    assert len(set(re.findall(re.escape(text) + r" \d+", page.text))) >= 2


def test_that_a_text_that_is_written_backwards_cannot_turn_its_surroundings(
    report: StatisticsReport,
) -> None:
    text = statistics_report_html(report)
    assert "\u202e" in text
    outside = re.sub(r"<bdi>.*?</bdi>", "", text, flags=re.DOTALL)
    assert "\u202e" not in re.sub(r"<title>.*?</title>", "", outside, flags=re.DOTALL)


def test_that_the_page_has_both_themes_and_paper(report: StatisticsReport) -> None:
    text = statistics_report_html(report)
    assert "@media screen and (prefers-color-scheme: dark)" in text
    assert "size: A4" in text
    assert text.count("--accent:") == 2


def test_that_a_spreadsheet_takes_no_text_for_a_formula(
    report: StatisticsReport, tmp_path: Path
) -> None:
    write_statistics(report, tmp_path)
    with (tmp_path / "statistics.csv").open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    texts = ("name", "asked", "key_1", "chosen", "unit")
    cells = [line[column] for line in lines for column in texts]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert any(cell.startswith("'=") for cell in cells)
    # A negative number stays a number.
    numbers = [line["lower"] for line in lines if line["lower"]]
    assert all(float(number) == float(number) for number in numbers)


def gaussian_plan() -> Plan:
    plan = asked_plan()
    queries = [
        query.changed(noise="discrete_gaussian", delta=Decimal("1e-7"))
        if query.kind in {"count", "mean"}
        else query
        for query in plan.statistics.queries
    ]
    return plan.with_fields(statistics=plan.statistics.with_queries(queries))


@pytest.mark.parametrize(
    "plan",
    [
        asked_plan(),
        asked_plan(PrivacyUnit(relation="replace")),
        asked_plan(PrivacyUnit(respondent_column="id", rows_per_respondent=2)),
        gaussian_plan(),
    ],
)
def test_that_a_report_keeps_to_the_published_schema(plan: Plan, tmp_path: Path) -> None:
    content = json.loads(files_of(asked_table(), plan, tmp_path / "out", "Us")["report.json"])
    assert list(faults(content, SCHEMA, SCHEMA)) == []
    content["queries"][0]["results"][0]["value"] = "many"
    assert list(faults(content, SCHEMA, SCHEMA))


def test_that_a_hostile_report_keeps_to_the_schema_and_is_read_back(
    report: StatisticsReport,
) -> None:
    text = report.model_dump_json()
    assert list(faults(json.loads(text), SCHEMA, SCHEMA)) == []
    assert StatisticsReport.model_validate_json(text) == report


def test_that_every_field_of_the_schema_is_described() -> None:
    models = [SCHEMA, *SCHEMA["$defs"].values()]
    bare = [
        f"{model['title']}.{name}"
        for model in models
        for name, field in model.get("properties", {}).items()
        if not field.get("description") and "$ref" not in field
    ]
    assert not bare
    assert all(model.get("description") for model in models)


def test_that_the_delta_of_a_group_is_told_beside_its_epsilon() -> None:
    plan = asked_plan(None, "count by region; noise=gaussian; delta=0.000001")
    released = release_statistics(asked_table(), plan, untracked())
    report = statistics_report(released, IDENTITY)
    # 1e-6 times e^0.5 + 1, and so on: the geometric sum of so many steps.
    steps = [sum(np.exp(0.5 * step) for step in range(group.members)) for group in report.groups]
    assert [float(group.delta) for group in report.groups] == pytest.approx(
        [1e-6 * factor for factor in steps], rel=1e-9
    )
    assert "δ of the group" in statistics_report_html(report, annex=True)
    pure = statistics_report(
        release_statistics(asked_table(), asked_plan(None, "count by region"), untracked()),
        IDENTITY,
    )
    assert {group.delta for group in pure.groups} == {"0"}
    assert "δ of the group" not in statistics_report_html(pure, annex=True)


@pytest.mark.parametrize(
    ("relation", "odds"),
    [("add_remove", T.ODDS_OF_MEMBER), ("replace", T.ODDS_OF_RECORD)],
    ids=lambda each: getattr(each, "id", each),
)
def test_that_the_risk_is_of_the_release_and_tells_what_delta_lets_through(
    relation: Any, odds: Text
) -> None:
    def report(phrase: str) -> StatisticsReport:
        plan = asked_plan(PrivacyUnit(relation=relation), phrase)
        return statistics_report(release_statistics(asked_table(), plan, untracked()), IDENTITY)

    pure = report("count by region")
    assert only_said((T.ODDS_OF_MEMBER, T.ODDS_OF_RECORD), pure.risk.sentence) == [odds]
    (draws,) = values_in(odds, pure.risk.sentence)
    assert draws["often"] == "62"
    assert "δ" not in pure.risk.sentence
    assert "with exceptions that δ bounds" not in statistics_report_html(pure, annex=True)
    bounded = report("count by region; noise=gaussian; delta=0.000001")
    assert T.BEYOND_DELTA(delta="1e-6") in bounded.risk.sentence
    assert "with exceptions that δ bounds" in statistics_report_html(bounded)


@pytest.mark.parametrize(("value", "digits"), [(12.0, 0), (12.5, 1), (0.125, 3), (-3.25, 2)])
def test_that_a_point_of_a_grid_is_printed_with_its_own_decimals(value: float, digits: int) -> None:
    facts = StatisticFacts.model_construct(value=value, lower=None, upper=None)
    assert _decimals(facts) == digits
