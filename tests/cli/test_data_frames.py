"""Data frames go in and come out; the functions give what they give for a file."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest.mock import Mock

import pandas as pd
import pyarrow as pa
import pytest

import dpdesk
from dpdesk.data.table import table_from_texts
from dpdesk.resources import resource
from tests.refusals import refused

SAMPLE = resource("samples/affairs/affairs.csv")


@pytest.fixture
def released(tmp_path: Path):
    frame = pd.read_csv(SAMPLE)
    plan = dpdesk.draft(frame, epsilon=20, purpose="tables", confirm_domains=True)
    return dpdesk.release(frame, plan, tmp_path / "release", population="People")


@pytest.fixture(autouse=True)
def _own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPDESK_LEDGER", str(tmp_path / "ledger.sqlite"))


@pytest.mark.parametrize("library", [pd.DataFrame, pa.Table.from_pandas])
def test_that_a_data_frame_is_drafted_as_its_file(library) -> None:
    frame = pd.read_csv(SAMPLE)
    by_frame = dpdesk.draft(library(frame), epsilon=4, purpose="tables")
    by_file = dpdesk.draft(SAMPLE, epsilon=4, purpose="tables")
    assert [(c.name, c.kind, c.mechanism) for c in by_frame.columns] == [
        (c.name, c.kind, c.mechanism) for c in by_file.columns
    ]


def test_that_the_index_of_a_filtered_frame_is_no_question() -> None:
    frame = pd.read_csv(SAMPLE)
    some = dpdesk.read(frame[frame.age > 30])
    assert some.names == tuple(frame.columns)
    assert some.rows == int((frame.age > 30).sum())


def test_that_records_come_back_as_a_data_frame(released) -> None:
    frame = released.to_pandas()
    assert len(frame) == released.to_arrow().num_rows == len(pd.read_csv(SAMPLE))
    # Any library with Arrow streams takes the release itself.
    assert pa.table(released).equals(released.to_arrow())
    # So does dpdesk: a release is a survey that can be described.
    assert dpdesk.read(released).rows == len(frame)


def test_that_statistics_that_were_never_written_come_back() -> None:
    frame = pd.read_csv(SAMPLE)
    asked = {"declare": ["religious=1|2|3|4"], "epsilon": 1, "population": "People"}
    answer = dpdesk.query(frame, "count by religious", **asked)
    table = answer.to_pandas()
    counts = frame["religious"].value_counts()
    assert table["value"].tolist() == [r.value for r in answer.report.queries[0].results]
    assert (table["value"] - counts.sort_index().to_numpy()).abs().max() < 40
    assert "key_2" not in repr(answer)


def test_that_estimates_are_tables(released) -> None:
    found = dpdesk.estimate(released.folder)
    frame = found.to_pandas()
    assert frame["estimate"].tolist() == [row.estimate for row in found.rows]
    table = dpdesk.estimate(released.folder, cross=["religious", "rate_marriage"])
    cells = table.to_pandas()
    numbers = ["estimate", "standard_error", "lower", "upper"]
    assert list(cells) == ["religious", "rate_marriage", *numbers]
    assert cells["estimate"].sum() == pytest.approx(1)
    slopes = dpdesk.estimate(released.folder, formula="rate_marriage ~ religious", model="linear")
    assert slopes.to_pandas()["value"].tolist() == [row.value for row in slopes.rows()]


def test_that_intervals_are_drawn(released) -> None:
    found = dpdesk.estimate(released.folder, cross=["religious", "rate_marriage"])
    axes = Mock()
    assert found.plot(axes) is axes
    (value, _), drawn = axes.errorbar.call_args
    cells = list(found.cells())
    assert value.tolist() == [cell.value for cell in cells]
    assert drawn["xerr"][0].tolist() == [cell.value - cell.lower for cell in cells]
    assert axes.set_yticks.call_args[0][1][0] == "1 1"
    with refused("data.no-plot"):
        released.plot(axes)


def test_that_a_survey_is_shown_without_answers() -> None:
    table = table_from_texts(
        {"<name>": ["secret", "secret", ""], "income": ["1,5", "", "2"]}, decimal=","
    )
    assert table.to_arrow().to_pydict() == {
        "<name>": ["secret", "secret", None],
        "income": [1.5, None, 2.0],
    }
    for shown in (repr(table), table._repr_html_()):
        assert "secret" not in shown
        assert "income" in shown
    assert "<name>" not in table._repr_html_()


def test_that_whole_numbers_stay_whole() -> None:
    table = table_from_texts({"born": ["1980", "", "1991"], "code": ["01", "a", "01"]})
    assert table.to_arrow()["born"].type == pa.int64()
    assert table.to_arrow()["code"].to_pylist() == ["01", "a", "01"]


def test_that_no_file_of_a_data_frame_is_left(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    frame = pd.read_csv(SAMPLE)
    dpdesk.risk(frame, quasi=["age", "religious"])
    with pytest.raises(dpdesk.errors.DpdeskError):
        dpdesk.risk(frame, quasi=["no such column"])
    assert [path for path in tmp_path.rglob("*") if re.search("table", path.name)] == []


def test_that_objects_are_refused_without_their_content() -> None:
    frame = pd.DataFrame({"a": [1, "secret", object()]})
    with refused("data.no-arrow-table") as error:
        dpdesk.read(frame)
    assert "secret" not in str(error.value)


def test_that_simulations_are_tables() -> None:
    frame = pd.read_csv(SAMPLE)
    plan = dpdesk.draft(frame, epsilon=4, strategy="spl", confirm_domains=True)
    asked = {"plan": plan, "epsilons": (1.0,), "repetitions": 2}
    learnt = dpdesk.learn(frame, label="religious", **asked)
    table = learnt.to_pandas()
    lines = [line.measured for point in learnt.points for line in point.lines]
    assert table["accuracy"].tolist() == [line.accuracy.mean for line in lines]
    assert table["f1"].tolist() == [line.f1.mean for line in lines]
    errors = dpdesk.experiment(frame, strategies=("spl",), **asked)
    assert errors.to_pandas()["raw"].tolist() == [point.raw for point in errors.points]


def test_that_a_command_does_not_import_pandas(tmp_path: Path) -> None:
    lines = (
        "import sys; from dpdesk.cli.main import main",
        f"sys.argv[1:] = ['draft', {str(SAMPLE)!r}, '-o', {str(tmp_path / 'plan.json')!r}]",
        "assert main() == 0 and 'pyarrow' in sys.modules and 'pandas' not in sys.modules",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True, capture_output=True)
    assert (tmp_path / "plan.json").exists()


def test_that_a_written_release_is_named_without_reading_its_folder(released) -> None:
    shutil.rmtree(released.folder)
    assert repr(released) == f"Release: {released.folder}"


def test_that_every_epsilon_of_a_curve_is_named() -> None:
    frame = pd.read_csv(SAMPLE)
    plan = dpdesk.draft(frame, epsilon=4, strategy="spl", confirm_domains=True)
    learnt = dpdesk.learn(frame, plan=plan, label="religious", epsilons=(1.0, 2.0), repetitions=2)
    axes = learnt.plot(Mock())
    labels = axes.set_yticks.call_args[0][1]
    assert len(set(labels)) == len(labels)
