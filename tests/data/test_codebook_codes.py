"""Codes of no answer in a codebook that is a table: ranges, labels, and there and back."""

from __future__ import annotations

import csv
import json
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.data.codebook import CodebookEntry, load_codebook
from dpdesk.data.missing_codes import CodeRange
from dpdesk.domains import Categorical, Integer, OptionSet
from dpdesk.plan import ColumnPlan, MissingPolicy, check, draft_codebook
from dpdesk.releases.records import write_codebook
from tests.refusals import refused
from tests.reports.cases import (
    COLUMNS,
    DROPPED,
    KEPT,
    WEIGHT,
    plan_of,
    protected,
    released_of,
)

BOOK = """attribute,kind,role,value,meaning,lower,upper
income,integer,,,,0,100
income,,missing,-9,refused,,
income,,missing,97 to 99,not asked,,
income,,missing,.a to .c,lost,,
income,,missing,"""


def _read(text: str, folder: Path) -> CodebookEntry:
    path = folder / "book.csv"
    path.write_text(text, encoding="utf-8")
    (entry,) = load_codebook(path).values()
    return entry


def test_that_labels_and_ranges_of_codes_are_read(tmp_path: Path) -> None:
    entry = _read(f'{BOOK}"""97..99""",as it stands,,\n', tmp_path)
    assert entry.missing is not None
    policy = MissingPolicy.model_validate(entry.missing)
    assert policy.tokens == ("", "-9", ".a", ".b", ".c", "97..99")
    assert policy.ranges == (CodeRange(lower=Decimal(97), upper=Decimal(99)),)
    assert policy.labels == {
        "-9": "refused",
        "97 to 99": "not asked",
        ".a": "lost",
        ".b": "lost",
        ".c": "lost",
        "97..99": "as it stands",
    }
    # Nothing is said of what becomes of them.
    assert "policy" not in entry.missing


def test_that_a_text_with_signs_of_the_grammar_is_one_code(tmp_path: Path) -> None:
    entry = _read(f'{BOOK}"don\'t know; or = ""x""",,,\n', tmp_path)
    assert entry.missing is not None
    assert entry.missing["tokens"][-1] == 'don\'t know; or = "x"'


def test_that_a_range_that_is_none_is_refused_with_its_question(tmp_path: Path) -> None:
    with refused("data.bad-codebook", reason="data.bad-code"):
        _read(f"{BOOK}9 to 1,,,\n", tmp_path)


AGES = Integer(lower=18, upper=90, unit="years")
PARTIES = Categorical(values=("left", "right"))
POLICIES = (
    MissingPolicy(),
    MissingPolicy(tokens=()),
    MissingPolicy(tokens=("-9",), labels={"-9": "refused"}),
    MissingPolicy(tokens=("", "=1", '"', 'x; "y"', "97 to 99", ".a", ".b", ".c")),
    MissingPolicy(
        tokens=("", "-9"),
        ranges=(CodeRange(lower=Decimal(97), upper=Decimal(99)), CodeRange(upper=Decimal(-10))),
        labels={"": "left blank", "97 to 99": "not asked", "to -10": "lost"},
        policy="blank",
        supposed_share=Decimal("0.2"),
    ),
)


def _columns(missing: MissingPolicy) -> tuple[ColumnPlan, ...]:
    return (
        protected("age", "integer", AGES, "duchi", "2", missing=missing),
        protected("party", "nominal", PARTIES, "grr", "2", missing=missing),
    )


@pytest.mark.parametrize("missing", POLICIES, ids=lambda policy: policy.codes or "none")
def test_that_codes_of_a_release_are_read_back(missing: MissingPolicy, tmp_path: Path) -> None:
    plan = plan_of(*_columns(missing))
    write_codebook(released_of(plan), tmp_path)
    entries = load_codebook(tmp_path / "codebook.csv")
    for column in plan.columns:
        entry = entries[column.name]
        assert (entry.kind, entry.domain) == (column.kind, column.domain)
        assert entry.missing is not None
        assert MissingPolicy.model_validate(entry.missing) == missing
    with (tmp_path / "codebook.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["role"] == "missing"]
    codes = len(missing.tokens) + len(missing.ranges)
    assert len(rows) == 2 * codes
    assert all(row["note"].startswith("No answer.") for row in rows)
    assert {row["meaning"] for row in rows} - {""} == set(missing.labels.values())


@pytest.mark.parametrize("nothing", ["", "(none)"])
@pytest.mark.parametrize("policy", ["none", "blank", "category"])
def test_that_an_empty_cell_of_a_set_has_one_meaning(
    nothing: str, policy: str, tmp_path: Path
) -> None:
    domain = OptionSet(values=("tv", "web", "radio"), nothing=nothing)
    value = "(no answer)" if policy == "category" else ""
    missing = MissingPolicy(policy=policy, value=value)  # type: ignore[arg-type]
    column = protected("media", "several", domain, "set_response", "0.5", missing=missing)
    write_codebook(released_of(plan_of(column)), tmp_path)
    entry = load_codebook(tmp_path / "codebook.csv")["media"]
    assert entry.domain == domain
    assert entry.missing is not None
    assert MissingPolicy.model_validate(entry.missing) == missing
    with (tmp_path / "codebook.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    asked = [row for row in rows if row["role"] in ("nothing", "missing") and row["value"] == ""]
    assert [row["role"] for row in asked] == ["missing" if nothing else "nothing"]
    # What an empty cell of the release says stands in one row of each of its columns.
    released = [row for row in rows if row["column"]]
    assert len(released) == len({row["column"] for row in released}) == 3 + bool(value)
    for row in released:
        assert "; empty if not among the " in row["meaning"]
        assert ("all cells of media empty" in row["meaning"]) == (policy == "blank")


def test_that_the_roles_of_a_release_are_read_back_and_confirmed_anew(tmp_path: Path) -> None:
    released = released_of(plan_of(COLUMNS[0], KEPT, WEIGHT, DROPPED))
    write_codebook(released, tmp_path)
    path = tmp_path / "codebook.csv"
    book = load_codebook(path)
    assert book[KEPT.name].role == book[WEIGHT.name].role == "keep"
    assert DROPPED.name not in path.read_text(encoding="utf-8")
    plan = draft_codebook(book)
    roles = {c.name: (c.role, c.kind, c.keep_confirmed) for c in plan.columns}
    assert roles[KEPT.name] == ("keep", KEPT.kind, False)
    assert roles[WEIGHT.name] == ("keep", "weight", False)
    assert sum(role == "unassigned" for role, _, _ in roles.values()) == 1
    told = [p.command_remedy for p in check(plan) if p.code == "keep_unconfirmed"]
    assert len(told) == 2
    assert any("--weights" in remedy for remedy in told)


@pytest.mark.parametrize("name", ["value", "code", "Codes"])
def test_that_a_column_of_codes_is_read_by_its_other_names(name: str, tmp_path: Path) -> None:
    head = f"variable,question,{name},value label\n"
    entry = _read(f"{head}sex,Your sex,1,male\nsex,,2,female\n", tmp_path)
    assert entry.label == "Your sex"
    assert entry.domain == Categorical(values=("1", "2"), labels={"1": "male", "2": "female"})
    entry = _read("variable,min,max\nage,18,99\n", tmp_path)
    assert entry.domain == Integer(lower=18, upper=99, step=1)


def test_that_rows_whose_answers_no_column_names_are_refused(tmp_path: Path) -> None:
    with refused("data.bad-codebook", reason="data.no-values"):
        _read("attribute,antwort\nsex,1\nsex,2\n", tmp_path)


def test_that_a_codebook_by_hand_can_drop_and_keep(tmp_path: Path) -> None:
    path = tmp_path / "book.csv"
    path.write_text("attribute,role\nname,dropped\nwt,weight\nq,\n", encoding="utf-8")
    book = load_codebook(path)
    roles = {name: entry.role for name, entry in book.items()}
    assert roles == {"name": "drop", "wt": "keep", "q": None}
    assert book["wt"].kind == "weight"
    entry = [{"name": "a", "kind": "identifier", "role": "drop"}]
    path = tmp_path / "book.json"
    path.write_text(json.dumps(entry), encoding="utf-8")
    assert load_codebook(path)["a"].role == "drop"
