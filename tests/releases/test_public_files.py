"""What the files of a release depend on: the released codes and the plan, nothing else."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from importlib import import_module
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dpdesk.cli.main import main
from dpdesk.cost import PrivacyCost
from dpdesk.data.read_file import load_declared
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable
from dpdesk.engine import untracked
from dpdesk.ledgers import Ledger
from dpdesk.ledgers.charging import ChargeTo
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, load_plan
from dpdesk.plan.column import Counted
from dpdesk.plan.joint_errors import wanted_analyses
from dpdesk.releases import release as release_module
from dpdesk.releases.records import RECORDS
from dpdesk.releases.release import release
from tests.ledgers.charges import one_key
from tests.randomness.word_sources import ShakeWords
from tests.reports.cases import AGES, COLUMNS, DROPPED, IDENTITY, KEPT, SCALE, plan_of, protected

pytestmark = pytest.mark.printed
"""A PDF is public too: here it is the one that a release sets."""

ROWS = 60

MISSING = MissingPolicy(tokens=("", "NA"), policy="category", value="(no answer)")
RELEASED = (
    COLUMNS[0],
    protected("faith", "ordinal", SCALE, "grr", "2", missing=MISSING, other="(other)"),
    protected("food", "nominal", SCALE, "oue", "1"),
    protected("age", "integer", AGES, "bounded_laplace", "3"),
    protected("years", "integer", AGES, "duchi", "1"),
    KEPT,
)


def dropped(name: str, **more) -> ColumnPlan:
    return ColumnPlan(name=name, kind="identifier", role="drop", **more)


def lenient(*columns: ColumnPlan) -> Plan:
    """A plan for files with many ages beyond the bounds."""
    return plan_of(*columns).with_fields(allowed_unfit=Decimal("0.5"))


def first_file(folder: Path) -> Path:
    """Identifiers first, missing answers empty, everything beyond the bounds by little."""
    header = "id,smoker,faith,food,age,years,region,email"
    lines = [
        f"A{i},{'yes' if i % 3 else 'no'},{'' if i % 7 == 0 else i % 4 + 1},{i % 4 + 1},"
        f"{99 if i % 5 == 0 else 20 + i},{17 if i % 6 == 0 else 90},r{i % 2},a{i}@x.org"
        for i in range(ROWS)
    ]
    path = folder / "first.csv"
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return path


def second_file(folder: Path) -> Path:
    """Other identifiers at other places, missing answers NA, values beyond the bounds by much."""
    header = "email\tsmoker\tphone\tfaith\tfood\tage\tyears\tregion\tid"
    lines = [
        f"b{i}@y.org\t{'yes' if i % 3 else 'no'}\t+41{i}\t{'NA' if i % 7 == 0 else i % 4 + 1}\t"
        f"{i % 4 + 1}\t{1200 if i % 5 == 0 else 20 + i}.0\t{-3 if i % 6 == 0 else 90}"
        f"\tr{i % 2}\tB{i}"
        for i in range(ROWS)
    ]
    path = folder / "another name.tsv"
    path.write_text("\r\n".join([header, *lines]) + "\r\n", encoding="utf-16")
    return path


def table_of(path: Path) -> SurveyTable:
    """The file, read as it is declared to be written."""
    tabs = Reading(encoding="utf-16", delimiter="\t")
    return load_declared(path, tabs if path.suffix == ".tsv" else Reading())


@pytest.fixture
def fixed(monkeypatch, tmp_path):
    """Makes the words and the identity of a release repeatable."""
    # The package has a function of the module's name, which hides it from dotted paths.
    sanitize_module = import_module("dpdesk.engine.sanitize")
    monkeypatch.setattr(sanitize_module, "SystemWords", lambda: ShakeWords("release"))
    monkeypatch.setattr(release_module, "new_identity", lambda plan, product: IDENTITY)
    one_key(tmp_path, "one", "two")


def released_files(
    source: Path, plan: Plan, folder: Path, population: str = ""
) -> dict[str, bytes]:
    # Each in a ledger of its own, since both have one identity here; the ledgers have one key.
    place, out = folder.with_suffix(".sqlite"), folder / "out"
    to = ChargeTo(ledger=place, population=population, other_people=True)
    release(RECORDS, table_of(source), plan, out, untracked(), to)
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


@pytest.mark.usefixtures("fixed")
def test_that_every_public_file_is_the_same_whatever_is_not_released(tmp_path) -> None:
    plan = lenient(dropped("id"), dropped("email"), dropped("phone"), *RELEASED)
    first = released_files(first_file(tmp_path), plan, tmp_path / "one")
    second = released_files(second_file(tmp_path), plan, tmp_path / "two")
    assert len(first) == 13
    assert [name for name in first if first[name] != second[name]] == []


@pytest.mark.usefixtures("fixed")
def test_that_no_public_file_tells_what_the_window_counted_in_the_file(tmp_path) -> None:
    """The window releases by a plan that it judges by weights and missing answers of the file."""
    ids = (dropped("id"), dropped("email"), dropped("phone"))
    plan = lenient(*ids, *RELEASED).with_fields(analyses=("smoker x faith",))
    counted = Counted(missing=0.3, worth=0.01)
    columns = tuple(
        column.with_counts(counted) if column.role == "protect" else column
        for column in plan.columns
    )
    judged = plan.with_columns(columns).with_rows(7)
    assert joint_errors_of(judged) > 3 * joint_errors_of(plan)
    first = released_files(first_file(tmp_path), plan, tmp_path / "one")
    second = released_files(first_file(tmp_path), judged, tmp_path / "two")
    assert [name for name in first if first[name] != second[name]] == []


def joint_errors_of(plan: Plan) -> float:
    (wanted,) = wanted_analyses(plan)
    assert wanted.error is not None
    return wanted.error.error_95


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("population", ["", "Household survey 2026"])
def test_that_no_public_file_tells_whether_the_data_were_released_before(
    tmp_path, population: str
) -> None:
    plan = lenient(dropped("id"), dropped("email"), dropped("phone"), *RELEASED)
    known = first_file(tmp_path)
    for name in ("one", "two"):
        ledger = Ledger.open(tmp_path / f"{name}.sqlite")
        data, cost = ledger.fingerprint(table_of(known)), PrivacyCost(Decimal("0.5"))
        ledger.charge(
            data, (cost,), plan="{}", title="Earlier", kind="records", population=population
        )
    first = released_files(known, plan, tmp_path / "one", population)
    second = released_files(second_file(tmp_path), plan, tmp_path / "two", population)
    assert [name for name in first if first[name] != second[name]] == []
    earlier = json.loads(first["report.json"])["budget"]["earlier_releases"]
    assert (earlier is None) == (not population)
    if population:
        assert [release["epsilon"] for release in earlier["releases"]] == ["0.5"]
        assert b"0.5" in first["annex.html"]


@pytest.mark.usefixtures("fixed")
def test_that_reports_and_tables_do_not_depend_on_the_dropped_columns_of_the_plan(tmp_path) -> None:
    one = lenient(dropped("id", label="number"), dropped("email"), *RELEASED)
    two = lenient(*RELEASED, dropped("phone"), dropped("id"), dropped("email"))
    first = released_files(first_file(tmp_path), one, tmp_path / "one")
    second = released_files(second_file(tmp_path), two, tmp_path / "two")
    same = {"codebook.csv", "estimates.csv", "records.csv", "registry-entry.yaml"}
    same |= {"report.html", "report.json", "report.pdf"}
    assert {name for name in first if first[name] == second[name]} >= same


@pytest.mark.usefixtures("fixed")
def test_that_another_true_answer_changes_the_release(tmp_path) -> None:
    # Without this the two tests above would pass on a release that ignores its input.
    plan = lenient(dropped("id"), dropped("email"), dropped("phone"), *RELEASED)
    source = first_file(tmp_path)
    before = released_files(source, plan, tmp_path / "one")
    answers = source.read_text(encoding="utf-8").replace("yes", "maybe").replace("no", "yes")
    source.write_text(answers.replace("maybe", "no"), encoding="utf-8")
    after = released_files(source, plan, tmp_path / "two")
    changed = {"estimates.csv", "records.csv", "report.html", "report.json", "report.pdf"}
    assert {name for name in before if before[name] != after[name]} >= changed


def everything(folder: Path) -> str:
    """All bytes of all files as text, compressed columns and metadata unpacked."""
    texts = []
    for path in folder.iterdir():
        content = path.read_bytes()
        texts += [path.name, content.decode("latin-1")]
        if path.suffix == ".parquet":
            table = pq.read_table(io.BytesIO(content))
            metadata = pq.read_metadata(io.BytesIO(content))
            texts += [str(table.to_pydict()), str(table.schema.metadata), str(metadata.metadata)]
    return "\n".join(texts)


def test_that_tokens_planted_in_what_is_not_released_are_in_no_public_file(tmp_path) -> None:
    source = tmp_path / "canary_folder" / "canary_file.csv"
    source.parent.mkdir()
    lines = [f"canary_cell_{i},{'yes' if i % 2 else 'no'},canary_free_{i}" for i in range(20)]
    source.write_text("\n".join(["id,smoker,words", *lines]) + "\n", encoding="utf-8")
    plan = plan_of(dropped("id"), COLUMNS[0], dropped("words"))
    release(RECORDS, table_of(source), plan, tmp_path / "out", untracked())
    text = everything(tmp_path / "out")
    assert "smoker" in text
    assert "canary" not in text


def test_that_names_and_labels_of_dropped_columns_are_in_no_public_file(
    tmp_path,
) -> None:
    source = tmp_path / "survey.csv"
    source.write_text("canary_name,smoker\n1,yes\n2,no\n", encoding="utf-8")
    note = DROPPED.model_copy(update={"note": "canary_note"})
    release(RECORDS, table_of(source), plan_of(note, COLUMNS[0]), tmp_path / "out", untracked())
    text = everything(tmp_path / "out")
    assert "smoker" in text
    assert "canary" not in text


def test_that_what_was_decided_and_dropped_is_in_no_file(tmp_path: Path) -> None:
    """Neither codes that somebody called answers, nor questions of columns that are dropped."""
    lines = ["income,canary_a,canary_b,kids,wt"]
    lines += [
        f"{'' if i % 4 == 0 else i % 90},{i % 2},{i % 3 // 2},{77 if i == 8 else i % 6},1.5"
        for i in range(400)
    ]
    survey, plan, out = tmp_path / "s.csv", tmp_path / "p.json", tmp_path / "out"
    survey.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ["draft", str(survey), "-o", str(plan), "--together", "CANARYQ=canary_a,canary_b:1:0"]
    words += ["--drop", "CANARYQ", "--declare", "kids=0..6", "--answers", "kids"]
    words += ["--missing", "income=:blank", "--weights", "wt", "--confirm-domains"]
    assert not main(words)
    assert load_plan(plan).column("kids").missing.answers == ("77",)
    words = ["release", str(survey), "--plan", str(plan), "--out", str(out)]
    # The weights of who did not answer are left out of the comparison with the truth.
    assert not main([*words, "--private-diagnostics", str(tmp_path / "private.json")])
    for path in out.iterdir():
        content = path.read_bytes().decode("utf-8", "replace")
        assert "CANARYQ" not in content
        assert "canary_a" not in content
        assert '"77"' not in content.replace('""', '"')
    words = ["query", str(survey), "--declare", "income=0..100", "--query", "mean of income"]
    words += ["--epsilon", "1", "--out", str(tmp_path / "asked"), "--other-people"]
    assert not main([*words, "--together", "CANARYQ=canary_a,canary_b:1:0"])
    for path in (tmp_path / "asked").iterdir():
        assert "CANARYQ" not in path.read_bytes().decode("utf-8", "replace")
