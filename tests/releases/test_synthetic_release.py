"""What a release of synthetic rows writes, what it charges, and what it never writes."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer, OptionSet, Real
from dpdesk.engine import untracked
from dpdesk.engine.synthesize import synthesize_rows
from dpdesk.errors import CapReachedError, PlanError, ReleaseError
from dpdesk.ledgers import Cap, Ledger
from dpdesk.ledgers.charging import ChargeTo
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, PlanDetails, load_plan
from dpdesk.plan.checks.synthesis import check_synthesis
from dpdesk.plan.statistics import Statistics
from dpdesk.plan.synthesis import Synthesis
from dpdesk.queries import PrivacyUnit
from dpdesk.releases.private_distances import private_distances
from dpdesk.releases.release import Release, release
from dpdesk.releases.synthetic import SYNTHETIC
from dpdesk.releases.verify import verify_release
from dpdesk.reports.synthetic.public import SyntheticReport, synthetic_report_html
from dpdesk.reports.texts import T
from dpdesk.synthesis.states import class_starts
from tests.refusals import refused

CANARY = "Zwergensalm"
ROWS = 3_000
FILES = {name for name, _ in SYNTHETIC.files}


def column(name: str, domain: Any, **fields: Any) -> ColumnPlan:
    kinds = {Categorical: "nominal", Integer: "integer", Real: "real", OptionSet: "several"}
    kind = kinds[type(domain)]
    given = {"name": name, "kind": kind, "domain": domain, "confirmed": True, "role": "protect"}
    return ColumnPlan.model_validate(given | fields)


def a_plan(unit: PrivacyUnit | None = None, **synthesis: Any) -> Plan:
    protect, blank = MissingPolicy(policy="protect"), MissingPolicy(policy="blank")
    return Plan(
        details=PlanDetails(title="Fruit survey", curator="The fruit office"),
        statistics=Statistics(unit=unit or PrivacyUnit()),
        synthesis=Synthesis(**({"epsilon": Decimal(8)} | synthesis)),
        columns=(
            ColumnPlan(name="id", kind="identifier", role="drop"),
            column("colour", Categorical(values=("red", "green", "=blue"))),
            column("fruit", Categorical(values=("apple", "pear")), missing=blank),
            column("age", Integer(lower=18, upper=80, unit="years"), missing=protect),
            column("score", Real(lower="-1", upper="1", resolution="0.25"), role="keep"),
            column("secret", Categorical(values=("none", CANARY)), role="drop"),
        ),
    )


def a_table(rows: int = ROWS) -> SurveyTable:
    colours = ("red", "green", "=blue")
    return table_from_texts(
        {
            "id": [f"{CANARY}-{row}" for row in range(rows)],
            "colour": [colours[row % 3] for row in range(rows)],
            "fruit": [
                "" if row % 10 == 9 else ("apple", "pear")[row % 3 % 2] for row in range(rows)
            ],
            "age": [
                "" if row % 20 == 3 else str(20 + row % 3 * 20 + row % 7) for row in range(rows)
            ],
            "score": [f"{(row % 5 - 2) / 2}" for row in range(rows)],
            "secret": [CANARY] * rows,
        },
        name="trusted.csv",
    )


def released(
    folder: Path, plan: Plan | None = None, table: SurveyTable | None = None, **to: Any
) -> Release[Any, Any]:
    own = plan or a_plan()
    return release(SYNTHETIC, table or a_table(), own, folder, untracked(), ChargeTo(**to))


def lines_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "records.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.printed
def test_that_a_release_is_one_whole_folder_that_can_be_verified(tmp_path: Path) -> None:
    result = released(tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES == set(result.files)
    assert not verify_release(tmp_path / "out").faults
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_that_synthetic_rows_hold_declared_answers_alone_about_as_often_as_the_file(
    tmp_path: Path,
) -> None:
    released(tmp_path / "out")
    lines = lines_of(tmp_path / "out")
    assert abs(len(lines) - ROWS) < 100
    assert list(lines[0]) == ["colour", "fruit", "age", "score"]
    counts = {name: Counter(line[name] for line in lines) for name in lines[0]}
    assert set(counts["colour"]) == {"red", "green", "'=blue"}
    assert set(counts["fruit"]) == {"apple", "pear", ""}
    assert set(counts["age"]) <= {"", *map(str, range(18, 81))}
    assert set(counts["score"]) <= {f"{step / 4:.2f}" for step in range(-4, 5)}
    assert abs(counts["fruit"][""] / len(lines) - 0.1) < 0.03
    assert abs(counts["age"][""] / len(lines) - 0.05) < 0.03
    # Colours go with ages in the file, and so they do here.
    young = [line for line in lines if line["age"] and int(line["age"]) < 30]
    assert sum(line["colour"] == "red" for line in young) > 0.9 * len(young)


def test_that_nothing_of_dropped_columns_and_of_identifiers_is_written(tmp_path: Path) -> None:
    released(tmp_path / "out", a_plan(PrivacyUnit(respondent_column="id")))
    assert len(list((tmp_path / "out").iterdir())) > 3
    for path in (tmp_path / "out").iterdir():
        content = path.read_bytes()
        assert CANARY.encode() not in content, path.name
        assert b"secret" not in content
        assert b"trusted.csv" not in content


def test_that_the_number_of_rows_is_written_only_where_it_is_public(tmp_path: Path) -> None:
    table, whole = a_table(2_417), re.compile(rb"(?<![0-9a-f.])2,?417(?![0-9a-f.])")
    for name, relation in (("hidden", "add_remove"), ("public", "replace")):
        plan = a_plan(PrivacyUnit(relation=relation), rows=50).with_fields(respondents=2_417)
        released(tmp_path / name, plan, table)
    assert whole.search((tmp_path / "public" / "report.json").read_bytes())
    assert load_plan(tmp_path / "hidden" / "plan.json").respondents is None
    assert load_plan(tmp_path / "public" / "plan.json").respondents == 2_417


def test_that_a_respondent_of_several_rows_counts_with_as_many_as_were_declared(
    tmp_path: Path,
) -> None:
    table = table_from_texts(
        {"id": ["one"] * 5_000 + [str(i) for i in range(500)], "colour": ["red"] * 5_500}
    )
    plan = a_plan(PrivacyUnit(respondent_column="id", rows_per_respondent=2))
    plan = plan.with_columns((plan.columns[0], plan.columns[1]))
    result = released(tmp_path / "out", plan, table)
    assert abs(result.report.rows_of_file - 502) < 30


def test_that_it_is_charged_once_with_what_was_asked_for(tmp_path: Path) -> None:
    plan = a_plan(epsilon=Decimal("1.5"), delta=Decimal("0.000001"))
    result = released(tmp_path / "out", plan, population="People", declare=True)
    (cost,) = result.charge.costs
    assert (cost.epsilon, cost.delta, cost.model) == (
        Decimal("1.5"),
        Decimal("0.000001"),
        "central",
    )
    ((entry,),) = [each.releases for each in Ledger.open().book().populations()]
    assert (entry.kind, entry.outcome, entry.costs) == ("synthetic", "written", (cost,))


def test_that_nothing_is_drawn_before_the_charge_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draws(*_: object, **__: object) -> None:
        raise AssertionError("drawn before the charge")

    def refuses(_: int) -> None:
        raise CapReachedError("The cap is reached.")

    monkeypatch.setattr("dpdesk.engine.synthesize.coded_states", draws)
    with pytest.raises(CapReachedError):
        synthesize_rows(a_table(), a_plan(), tmp_path, untracked(), refuses)
    with pytest.raises(AssertionError, match="drawn"):
        synthesize_rows(a_table(), a_plan(), tmp_path, untracked(), lambda _: None)


def test_that_room_is_asked_for_the_rows_that_noise_may_add(tmp_path: Path) -> None:
    asked: list[int] = []

    def room(rows: int | None = None, **unit: int) -> int:
        def refuses(size: int) -> None:
            asked.append(size)
            raise CapReachedError("The cap is reached.")

        plan = a_plan(PrivacyUnit(**unit), rows=rows)
        with pytest.raises(CapReachedError):
            synthesize_rows(a_table(3), plan, tmp_path, untracked(), refuses)
        return asked[-1]

    assert room(rows_per_respondent=1_000_000) == room(10_000_000)
    assert room(3) < room() < room(1_000)
    assert room() < room(rows_per_respondent=1_000)


def test_that_a_failure_while_rows_are_drawn_leaves_the_charge_and_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ReleaseError("The disk is on fire.")

    monkeypatch.setattr("dpdesk.synthesis.synthesis.draw_rows", fails)
    with pytest.raises(ReleaseError, match="on fire"):
        released(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
    ((entry,),) = [each.releases for each in Ledger.open().book().populations()]
    assert entry.costs[0].epsilon == 8
    assert entry.outcome != "written"


def test_that_a_reached_cap_leaves_no_folder_and_no_charge(tmp_path: Path) -> None:
    released(tmp_path / "one", population="People", cap=Cap(Decimal(9)))
    with pytest.raises(CapReachedError):
        released(tmp_path / "two", population="People")
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_that_rows_without_a_folder_are_refused_before_anything_is_charged() -> None:
    with refused("releases.no-folder"):
        release(SYNTHETIC, a_table(), a_plan(), None, untracked())
    assert Ledger.open().book().populations() == ()


def test_that_the_plan_in_the_folder_makes_such_rows_again(tmp_path: Path) -> None:
    released(tmp_path / "one", a_plan(rows=40))
    again = load_plan(tmp_path / "one" / "plan.json")
    assert again.synthesis == a_plan(rows=40).synthesis
    released(tmp_path / "two", again)
    assert len(lines_of(tmp_path / "two")) == 40


def test_that_the_private_panel_expects_what_the_report_expects(tmp_path: Path) -> None:
    """Of tables that were not measured too: both go by the shares of a column alone."""
    result = released(tmp_path / "out", a_plan(epsilon=Decimal("0.05")))
    said = {each.columns: each.distance_if_independent for each in result.report.not_measured}
    said |= {each.columns: each.expected_distance for each in result.report.tables}
    assert result.report.not_measured
    found = private_distances(a_table(), result.released)
    told = {each.columns: each.expected for each in (*found.columns, *found.pairs)}
    assert told == said


def test_that_the_report_says_what_was_measured_and_what_the_rows_are_not(tmp_path: Path) -> None:
    result = released(tmp_path / "out")
    report = SyntheticReport.model_validate_json(
        (tmp_path / "out" / "report.json").read_text(encoding="utf-8")
    )
    assert report == result.report
    assert [table.columns for table in report.tables[:4]] == [
        ("colour",),
        ("fruit",),
        ("age",),
        ("score",),
    ]
    made = result.released
    pairs = [tuple(made.columns[c].name for c in pair) for pair in made.synthesized.pairs]
    assert [table.columns for table in report.tables[4:]] == pairs
    assert [part.times for part in report.parts] == [1, len(pairs), len(pairs)]
    pages = [(tmp_path / "out" / name).read_text("utf-8") for name in ("report.html", "annex.html")]
    text = "".join(pages)
    for sentence in (T.NO_ONES(), T.NOT_A_SAMPLE(), "discrete Laplace noise".title()[:8]):
        assert sentence in text.replace("&#39;", "'")
    assert pages == [synthetic_report_html(report, annex=annex) for annex in (False, True)]


def test_that_the_losses_of_the_parts_add_up_to_no_more_than_the_loss(tmp_path: Path) -> None:
    report = released(tmp_path / "out").report
    total = sum(part.times * Decimal(part.loss.removeprefix("ε = ")) for part in report.parts)
    assert Decimal("7.99") < total <= 8
    by_rho = released(tmp_path / "rho", a_plan(delta=Decimal("0.000001"))).report
    assert all(part.loss.startswith("ρ = ") for part in by_rho.parts)


def test_that_kept_columns_without_a_domain_and_weights_are_left_out_with_a_warning(
    tmp_path: Path,
) -> None:
    plan = a_plan(epsilon=Decimal(2))
    kept = ColumnPlan(name="id", kind="identifier", role="keep", keep_confirmed=True)
    weight = ColumnPlan(name="secret", kind="weight", role="keep", keep_confirmed=True)
    plan = plan.with_columns((kept, *plan.columns[1:-1], weight))
    # So many rows that every table is useful.
    plan = plan.with_fields(respondents=1_000_000)
    assert {p.code for p in check_synthesis(plan)} == {"kept_left_out", "weights_left_out"}
    released(tmp_path / "out", plan)
    assert "id" not in lines_of(tmp_path / "out")[0]
    assert CANARY.encode() not in b"".join(p.read_bytes() for p in (tmp_path / "out").iterdir())


def test_that_answers_outside_their_domain_stop_it_before_anything_is_charged(
    tmp_path: Path,
) -> None:
    plan = a_plan().with_column("colour", domain=Categorical(values=("red", "green")))
    with pytest.raises(PlanError, match="not among its possible answers"):
        released(tmp_path / "out", plan)
    assert Ledger.open().book().populations() == ()


def test_that_a_domain_nobody_confirmed_stops_it(tmp_path: Path) -> None:
    plan = a_plan().with_column("colour", confirmed=False, provenance="suggested")
    with pytest.raises(PlanError, match="are unconfirmed"):
        released(tmp_path / "out", plan)


def test_that_an_epsilon_too_small_for_the_columns_is_refused_with_a_remedy() -> None:
    (problem,) = check_synthesis(a_plan(epsilon=Decimal("0.0009")))
    assert problem.path == "synthesis.epsilon"
    assert "at least" in problem.message


_MANY = OptionSet(values=tuple(f"option {code}" for code in range(30)))
_WIDE = Categorical(values=tuple(f"v{code}" for code in range(10_001)))
_YES_NO = Categorical(values=("yes", "no"))


@pytest.mark.parametrize(
    ("domain", "count", "cells", "missing", "told"),
    [
        (_YES_NO, 101, ["yes"] * 9, {}, "The plan has 101"),
        (_MANY, 4, ["option 1;option 2"] * 9, {}, "The plan has 120"),
        (_WIDE, 1, ["v1"] * 9, {}, "10,001 categories"),
        (_YES_NO, 2, [""] * 9, {"policy": "blank"}, "has no answers"),
        (_YES_NO, 2, [""] * 9, {}, "missing answers"),
        (_YES_NO, 2, [], {}, "no rows"),
        (_MANY, 1, ["option 1;option 99"] * 9, {}, "not among its possible answers"),
    ],
    ids=["101 columns", "120 options", "10,001 categories", "blank", "missing", "header", "option"],
)
def test_that_what_cannot_be_made_is_refused_before_anything_is_charged(
    tmp_path: Path, domain: Any, count: int, cells: list[str], missing: dict[str, str], told: str
) -> None:
    columns = tuple(column(f"c{i}", domain, missing=MissingPolicy(**missing)) for i in range(count))
    table = table_from_texts({one.name: cells for one in columns})
    with pytest.raises(PlanError, match=told):
        released(tmp_path / "out", a_plan().with_columns(columns), table)
    assert Ledger.open().book().populations() == ()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("epsilon", ["0.001", "40"])
def test_that_the_smallest_tables_are_made_and_told_to_be_useless_where_they_are(
    tmp_path: Path, rows: int, count: int, epsilon: str
) -> None:
    category = MissingPolicy(policy="category", value="none")
    columns = tuple(column(f"c{i}", _YES_NO, missing=category) for i in range(count))
    # Nobody answered at all.
    table = table_from_texts({one.name: [""] * rows for one in columns})
    plan = a_plan(epsilon=Decimal(epsilon), rows=5).with_columns(columns)
    result = released(tmp_path / "out", plan, table)
    assert len(lines_of(tmp_path / "out")) == 5
    if epsilon == "0.001":
        assert result.report.usefulness in {"useless", "coarse"}


def test_that_plans_of_other_releases_do_not_carry_the_synthetic_rows() -> None:
    assert "synthesis" not in json.loads(Plan().model_dump_json())
    assert "synthesis" in json.loads(a_plan().model_dump_json())


@pytest.mark.parametrize(
    ("lower", "upper", "step", "most", "first", "count"),
    [
        (17, 90, 1, 20, (0, 3, 8, 13), 16),
        (0, 9, 1, 20, (0, 1, 2, 3), 10),
        (0, 100, 1, 20, (0, 10, 20, 30), 11),
        (-7, 7, 1, 5, (0, 2, 7, 12), 4),
        (0, 1_000_000, 1000, 20, (0, 100, 200, 300), 11),
    ],
)
def test_that_classes_of_numbers_are_round_and_follow_from_the_domain(
    lower: int, upper: int, step: int, most: int, first: tuple[int, ...], count: int
) -> None:
    domain = Integer(lower=lower, upper=upper, step=step)
    starts = class_starts(domain, most)
    assert starts[:4] == first
    assert len(starts) - 1 == count <= most
    assert starts[-1] == domain.size
    assert list(starts) == sorted(set(starts))
