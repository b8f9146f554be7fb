"""What becomes of missing answers: each policy, from a file to the estimates of its release."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from dpdesk.cli.main import main
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.domains import Categorical, Integer
from dpdesk.errors import ParameterError
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, declare_missing, draft_table
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.missing import TREATMENTS, AnyDomain

AGES = Integer(lower=18, upper=90)
TOWNS = Categorical(values=("Oslo", "Bergen"))
TEXTS = ["20", "", "-9", "90", "x", "20"]


def _column(policy: str, domain: AnyDomain, value: str = "") -> ColumnPlan:
    missing = MissingPolicy.model_validate({"tokens": ("", "-9"), "policy": policy, "value": value})
    kind = "nominal" if isinstance(domain, Categorical) else "integer"
    return ColumnPlan(name="q", kind=kind, domain=domain, missing=missing)


def _codes(column: ColumnPlan, texts: list[str], *, answers_only: bool = False) -> list[int]:
    cells = TextColumn.from_texts("q", texts)
    encoded = encode_column(column, cells, answers_only=answers_only)
    return [int(code) for code in encoded.code_of[cells.codes]]


@pytest.mark.parametrize(
    ("policy", "value", "codes"),
    [
        ("none", "", [2, -1, -1, 72, -1, 2]),
        ("value", "30", [2, 12, 12, 72, 12, 2]),
        ("protect", "", [2, 73, 73, 72, 73, 2]),
        ("blank", "", [2, -1, -1, 72, -1, 2]),
    ],
)
def test_that_each_policy_codes_missing_numbers(policy: str, value: str, codes: list[int]) -> None:
    assert _codes(_column(policy, AGES, value), TEXTS) == codes


def test_that_statistics_leave_out_what_is_protected_with_the_numbers() -> None:
    assert _codes(_column("protect", AGES), TEXTS, answers_only=True) == [2, -1, -1, 72, -1, 2]
    category = _column("category", TOWNS, "unknown")
    assert _codes(category, ["Oslo", "", "Rome"], answers_only=True) == [0, 2, 2]


def test_that_policies_serve_what_they_can() -> None:
    serves = {policy: (t.serves(AGES), t.serves(TOWNS)) for policy, t in TREATMENTS.items()}
    assert serves == {
        "none": (True, True),
        "category": (False, True),
        "protect": (True, False),
        "value": (True, True),
        "blank": (True, True),
    }
    for policy, treatment in TREATMENTS.items():
        for domain in (AGES, TOWNS):
            missing = _column(policy, domain, "Oslo" if treatment.has_value else "").missing
            assert bool(treatment.objection(domain)) <= (not treatment.serves(domain))
            assert treatment.sentence(missing)
            assert treatment.words.format(value=missing.value)


def test_that_a_stored_plan_keeps_policy_and_supposed_share() -> None:
    column = _column("protect", AGES)
    assert "supposed_share" not in column.missing.model_dump(mode="json")
    changed = MissingPolicy(policy="protect", supposed_share=Decimal("0.25"))
    plan = Plan(columns=(column.changed(missing=changed),))
    again = Plan.model_validate_json(plan.model_dump_json())
    assert again == plan
    domain = again.column("q").effective_domain
    assert isinstance(domain, Integer)
    assert domain.missing_share == 0.25
    for share in ("0", "1", "-0.1"):
        with pytest.raises(ValueError, match="supposed_share"):
            MissingPolicy(policy="protect", supposed_share=Decimal(share))


def _table(**columns: list[str]) -> SurveyTable:
    made = tuple(TextColumn.from_texts(name, texts) for name, texts in columns.items())
    return SurveyTable(made, made[0].rows)


def test_that_a_draft_protects_missing_answers_and_takes_codes_out_of_the_domain() -> None:
    ages = [str(age) for age in range(18, 91)] * 3
    table = _table(age=[*ages, "", "-9", "999"], town=["Oslo", "", "Bergen"] * 74)
    plan = draft_table(table)
    assert plan.column("age").missing.policy == "protect"
    assert plan.column("town").missing.policy == "category"
    assert plan.column("age").domain.lower == -9  # type: ignore[union-attr]
    age = declare_missing(plan, table, "age", ("-9", "999"), "", "").column("age")
    assert age.domain == Integer(lower=18, upper=90)
    assert age.missing == MissingPolicy(tokens=("", "-9", "999"), policy="protect")
    for policy, value in (("category", ""), ("nothing", ""), ("protect", "3")):
        with pytest.raises(ParameterError):
            declare_missing(plan, table, "age", (), policy, value)


INCOMES = 6_000


@pytest.fixture(scope="module")
def incomes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float, float]:
    """A file of incomes, a quarter of them missing, the larger ones more often."""
    generator = np.random.default_rng(11)
    income = np.clip(np.rint(generator.lognormal(10, 0.5, INCOMES) / 100) * 100, 0, 100_000)
    missing = generator.random(INCOMES) < np.where(income > 25_000, 0.45, 0.1)
    path = tmp_path_factory.mktemp("incomes") / "incomes.csv"
    cells = ("-1" if gone else f"{one:.0f}" for one, gone in zip(income, missing, strict=True))
    path.write_text("income\n" + "\n".join(cells) + "\n", encoding="utf-8")
    return path, float(income[~missing].mean()), float((~missing).mean())


@pytest.mark.parametrize("kind", ["duchi", "piecewise", "laplace", "bounded_staircase"])
def test_that_a_release_of_incomes_tells_who_answered_and_their_mean(
    kind: str,
    incomes: tuple[Path, float, float],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By command line, and from the folder alone; at six standard errors a failure is a fault."""
    path, mean, share = incomes
    plan, folder = tmp_path / "plan.json", tmp_path / "release"
    assert not main(["draft", str(path), "-o", str(plan), "--missing", "income=-1"])
    stored = json.loads(plan.read_text(encoding="utf-8"))
    column = stored["columns"][0]
    assert column["missing"]["policy"] == "protect"
    column["domain"] |= {"lower": 0, "upper": 100_000, "step": 100}
    column["mechanism"] = {"kind": kind, "epsilon": "3"}
    stored["budget"] = "3"
    column["confirmed"] = stored["reading_confirmed"] = True
    plan.write_text(json.dumps(stored), encoding="utf-8")
    assert not main(["release", str(path), "--plan", str(plan), "--out", str(folder)])
    capsys.readouterr()
    assert not main(["estimate", str(folder), "--json"])
    rows = {row["quantity"]: row for row in json.loads(capsys.readouterr().out)["estimates"]}
    for quantity, truth in (("mean", mean), ("share answered", share)):
        row = rows[quantity]
        assert abs(row["estimate"] - truth) < 6 * row["total_error"]
        assert row["lower"] < row["estimate"] < row["upper"]
    assert rows["mean"]["total_error"] < 2_000
    assert rows["share answered"]["total_error"] < 0.02
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    attribute = report["results"]["attributes"][0]
    assert attribute["quantity"] == "mean"
    assert len(attribute["estimates"]) == 1
    assert attribute["answered"]["estimate"] == rows["share answered"]["estimate"]
    records = (folder / "records.csv").read_text(encoding="utf-8").splitlines()[1:]
    empty = sum(record in {"", '""'} for record in records)
    assert 0 < empty < INCOMES


def test_that_a_copy_with_another_policy_has_its_domain() -> None:
    column = _column("category", TOWNS, "(none)")
    assert column.effective_domain.size == TOWNS.size + 1
    copied = column.model_copy(update={"missing": MissingPolicy(policy="none")})
    assert copied.effective_domain == copied.changed().effective_domain == TOWNS
    asked = copied.model_copy(update={"expected": (Decimal(1),) * TOWNS.size})
    assert len(asked.expected_shares) == TOWNS.size
