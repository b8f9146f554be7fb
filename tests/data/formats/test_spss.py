"""System files of SPSS, as pyreadstat writes them."""

from __future__ import annotations

import datetime
import struct
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from dpdesk.cli.main import main
from dpdesk.data.codebook import load_codebook
from dpdesk.data.formats import package_file
from dpdesk.data.formats.spss_head import SpssHead
from dpdesk.data.formats.texts import T
from dpdesk.data.missing_codes import CodeRange
from dpdesk.data.read_file import load, load_declared
from dpdesk.data.reading import Reading
from dpdesk.errors import Cancelled
from dpdesk.i18n import quoted
from dpdesk.plan import draft_table, load_plan
from dpdesk.plan.column_changes import set_kind
from tests.refusals import refused

ROWS = 240


def survey() -> pd.DataFrame:
    """Answers in which every kind of column occurs."""
    number = range(ROWS)
    return pd.DataFrame(
        {
            "sex": [1.0 + i % 2 for i in number],
            "education": [(1.0, 2.0, 3.0, -9.0, -8.0)[i % 5] for i in number],
            "trust": [float(i % 11) for i in number],
            "income": [None if i % 40 == 0 else 1000.1 + i for i in number],
            "party": [("A", "B", "X")[i % 3] for i in number],
            "wt": [0.5 + i % 7 / 10 for i in number],
            "born": [datetime.date(1950 + i % 50, 1 + i % 12, 28) for i in number],
        }
    )


LABELS = {
    "sex": {1: "male", 2: "female"},
    "education": {1: "none", 2: "primary", 3: "secondary", -9: "refused", -8: "don't know"},
    "trust": {0: "no trust", 10: "complete trust"},
    "party": {"A": "Alpha", "B": "Beta", "X": "no answer"},
}


@pytest.fixture(params=["survey.sav", "survey.zsav"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return written(tmp_path / request.param)


def written(path: Path, table: pd.DataFrame | None = None, **options: Any) -> Path:
    """Writes the survey, compressed where the name says it."""
    told: dict[str, Any] = {
        "column_labels": {"sex": "Sex of respondent", "education": "Highest education"},
        "variable_value_labels": LABELS,
        "missing_ranges": {"education": [{"lo": -9, "hi": -1}], "party": ["X"]},
        "variable_measure": {"sex": "nominal", "education": "ordinal", "trust": "scale"},
        "compress": path.suffix == ".zsav",
    }
    given = told | options if table is None else options
    pyreadstat.write_sav(survey() if table is None else table, path, **given)
    return path


def weighted(path: Path, number: int) -> None:
    """Weights a file by a column, by its number among the records of columns, from 1."""
    raw = bytearray(path.read_bytes())
    raw[76:80] = struct.pack("<i", number)
    path.write_bytes(raw)


def test_that_cells_have_the_digits_of_the_file(path: Path) -> None:
    table = load(path)
    assert (table.rows, table.reading) == (ROWS, Reading(format="SPSS"))
    assert table.names == tuple(survey().columns)
    first = {column.name: column.text(1) for column in table.columns}
    assert first == {
        "sex": "2",
        "education": "2",
        "trust": "1",
        "income": "1001.1",
        "party": "B",
        "wt": "0.6",
        "born": "1951-02-28",
    }
    assert table.column("income").text(0) == ""
    assert table.column("education").text(3) == "-9"


def test_that_nothing_of_how_it_is_read_depends_on_the_answers(path: Path) -> None:
    table = load(path)
    assert not table.is_reading_found
    again = load_declared(path, table.reading)
    assert [c.texts() for c in again.columns] == [c.texts() for c in table.columns]
    assert draft_table(table).reading_confirmed


def test_that_labels_and_codes_of_no_answer_become_the_plan(path: Path) -> None:
    plan = draft_table(load(path))
    education = plan.column("education")
    assert (education.label, education.kind) == ("Highest education", "ordinal")
    assert education.domain is not None
    assert education.domain.listed == ("1", "2", "3")
    assert [education.domain.label(code) for code in range(3)] == ["none", "primary", "secondary"]
    missing = education.missing
    assert missing.tokens == ("", "-9", "-8")
    assert missing.ranges == (CodeRange(lower=Decimal(-9), upper=Decimal(-1)),)
    assert missing.labels == {"-9": "refused", "-8": "don't know"}
    party = plan.column("party")
    assert party.domain is not None
    assert (party.domain.listed, party.missing.tokens) == (("A", "B"), ("", "X"))
    assert plan.column("sex").kind == "binary"
    declared = {c.name for c in plan.columns if c.provenance == "codebook" and c.confirmed}
    assert declared == {"sex", "education", "party"}


def test_that_labels_at_the_ends_of_a_scale_alone_are_not_its_domain(path: Path) -> None:
    trust = draft_table(load(path)).column("trust")
    assert trust.domain is not None
    assert trust.domain.listed == tuple(map(str, range(11)))
    assert [trust.domain.label(code) for code in (0, 5, 10)] == ["no trust", "5", "complete trust"]
    assert (trust.provenance, trust.confirmed) == ("suggested", False)


@pytest.mark.parametrize(("strays", "is_declared"), [(0, True), (1, True), (2, True), (3, False)])
def test_that_no_single_respondent_decides_whether_labels_are_the_domain(
    tmp_path: Path, strays: int, is_declared: bool
) -> None:
    answers = [1.0, 2.0] * (ROWS // 2)
    answers[:strays] = [7.0] * strays
    labels = {"q": {1: "yes", 2: "no"}}
    table = pd.DataFrame({"q": answers})
    plan = draft_table(load(written(tmp_path / "t.sav", table, variable_value_labels=labels)))
    assert plan.column("q").confirmed is is_declared


def test_that_labels_of_single_numbers_go_into_plan_codebook_and_release(tmp_path: Path) -> None:
    number = range(120)
    table = pd.DataFrame(
        {
            "age": [18.0 + i % 82 for i in number],
            "children": [float(i % 20) for i in number],
            "job": [1.0 + i % 40 for i in number],
            "x": [float(i % 2) for i in number],
        }
    )
    jobs = {code: f"job {code}" for code in range(1, 41)}
    written(
        tmp_path / "s.sav",
        table,
        variable_value_labels={
            "age": {97: "97 or more", 98: "don't know", 99: "refused"},
            "children": {15: "15 or more"},
            "job": jobs,
        },
        missing_ranges={"age": [98, 99]},
    )
    drafted, out = tmp_path / "p.json", tmp_path / "out"
    told = ("--set", "x=grr:1", "--set", "children=laplace:3", "--keep", "age", "--keep", "job")
    told += ("--confirm-domains", "--declare", "children=0..19 kg", "--epsilon", "4")
    assert main(["draft", str(tmp_path / "s.sav"), "-o", str(drafted), *told]) == 0
    plan = load_plan(drafted)
    assert plan.column("age").meanings == {"97": "97 or more"}
    assert plan.column("age").missing.labels == {"98": "don't know", "99": "refused"}
    release = ["release", str(tmp_path / "s.sav"), "--plan", str(drafted), "--out", str(out)]
    assert main(release) == 0
    _, meta = pyreadstat.read_sav(out / "records.sav", user_missing=True)
    assert meta.column_names_to_labels["children"] == "children (kg)"
    ages = {97: "97 or more", 98: "don't know", 99: "refused"}
    assert meta.variable_value_labels["age"] == ages
    # A report with noise that is 15 by chance does not mean this.
    assert "children" not in meta.variable_value_labels
    # In the order of the list, and not 1, 10, 11, 2.
    assert list(meta.variable_value_labels["job"]) == list(jobs)
    found = load_codebook(out / "codebook.csv")
    assert found["age"].meanings == {"97": "97 or more"}
    assert found["children"].meanings == {"15": "15 or more"}
    nominal = set_kind(plan, "children", "nominal", load(tmp_path / "s.sav")).column("children")
    assert nominal.domain is not None
    assert (nominal.domain.label(nominal.domain.listed.index("15")), nominal.meanings) == (
        "15 or more",
        {},
    )


def test_that_a_column_of_weights_is_known_by_its_label(tmp_path: Path) -> None:
    table = pd.DataFrame({"q": [1.0, 2.0] * 10, "w": [0.5 + i / 16 for i in range(20)]})
    path = written(tmp_path / "t.sav", table, column_labels={"w": "Post-stratification weight"})
    assert [column.kind for column in draft_table(load(path)).columns][1] == "weight"
    path = written(tmp_path / "u.sav", table, column_labels={"w": "Waiting time"})
    assert [column.kind for column in draft_table(load(path)).columns][1] == "real"


def test_that_the_column_of_weights_is_known_by_the_head(tmp_path: Path) -> None:
    table = pd.DataFrame({"a_name_that_is_long": [1.0, 2.0], "gewicht_der_person": [1.5, 0.5]})
    path = written(tmp_path / "t.sav", table)
    weighted(path, 2)
    assert load(path).described["gewicht_der_person"].is_weight
    assert [column.kind for column in draft_table(load(path)).columns][1] == "weight"


def test_that_a_file_without_records_drafts_a_questionnaire(tmp_path: Path) -> None:
    path = written(tmp_path / "t.sav", survey()[:0], variable_value_labels=LABELS)
    with refused("data.formats.no-answers"):
        load(path)
    plan = draft_table(load(path, names_alone=True))
    sex = plan.column("sex").domain
    assert sex is not None
    assert sex.words == "male, female"


def test_that_a_survey_is_drafted_checked_released_and_estimated_with_its_labels(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, out = tmp_path / "plan.json", tmp_path / "out"
    words = ["draft", str(path), "-o", str(plan), "--epsilon", "12", "--confirm-domains"]
    assert main([*words, "--drop", "born", "--keep", "wt"]) == 0
    reading = load_plan(plan).reading
    assert reading is not None
    assert (reading.format, reading.options) == ("SPSS", "--format SPSS")
    assert main(["check", str(plan), str(path)]) == 0
    assert main(["release", str(path), "--plan", str(plan), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["estimate", str(out)]) == 0
    told = capsys.readouterr().out
    assert "share of female" in told
    assert "share of secondary" in told
    codebook = (out / "codebook.csv").read_text(encoding="utf-8")
    assert "Highest education" in codebook
    assert "don't know" in codebook
    assert "The file was read as declared: SPSS file." in (out / "annex.html").read_text("utf-8")


def test_that_a_plan_for_one_format_reads_no_other(path: Path, tmp_path: Path) -> None:
    text = tmp_path / "survey.csv"
    text.write_text("sex\n1\n2\n", encoding="utf-8")
    with refused("data.other-format", found="delimited", wanted="SPSS"):
        load_declared(text, Reading(format="SPSS"))
    with refused("data.other-format", found="SPSS", wanted="delimited"):
        load_declared(path, Reading())


def test_that_marks_of_a_text_are_refused(path: Path) -> None:
    with refused("data.unused-part", part="delimiter"):
        load(path, delimiter=";")
    with refused("data.unused-part", part="header rows"):
        load(path, header_rows=0)


def test_that_a_truncated_file_is_refused_wherever_it_ends(path: Path) -> None:
    raw = path.read_bytes()
    for end in range(40, len(raw), len(raw) // 23):
        path.write_bytes(raw[:end])
        with refused("data.formats.damaged"):
            load(path)


def test_that_an_encrypted_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.sav"
    path.write_bytes(b"\x1c" + bytes(7) + b"ENCRYPTEDSAV" + bytes(200))
    with refused("data.formats.locked"):
        load(path)


def test_that_pieces_of_a_file_make_the_same_table(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = load(path)
    monkeypatch.setattr(package_file, "_CELLS", 100)
    parts = load(path)
    assert [c.texts() for c in parts.columns] == [c.texts() for c in whole.columns]


def test_that_reading_can_be_cancelled(path: Path) -> None:
    times = iter(range(100))

    def tick() -> None:
        if next(times) == 4:
            raise Cancelled

    with pytest.raises(Cancelled):
        load(path, tick=tick)


def test_that_a_damaged_head_has_no_weight_and_ends() -> None:
    assert SpssHead.read(b"$FL2@(#)" + b"\xff" * 400) == SpssHead()
    assert SpssHead.read(b"$FL2@(#)") == SpssHead()


def test_that_a_set_of_ticks_becomes_one_question_with_its_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ticks = pd.DataFrame(
        {"m_tv": [1.0, 0.0, 1.0] * 20, "m_web": [0.0, 1.0, 1.0] * 20, "q": [1.0, 2.0, 1.0] * 20}
    )
    labels = {"m_tv": "Television", "m_web": "Internet"}
    path = written(tmp_path / "t.sav", ticks, column_labels=labels)
    raw = path.read_bytes()
    end = raw.index(struct.pack("<ii", 999, 0))
    sets = b"$media=D1 1 10 Media used m_tv m_web\n$both=C 4 Both m_tv q\n"
    path.write_bytes(raw[:end] + struct.pack("<iiii", 7, 7, 1, len(sets)) + sets + raw[end:])
    assert T.SETS_NOT_JOINED(questions=quoted(["both"])) in load(path).notices
    plan = tmp_path / "plan.json"
    assert main(["draft", str(path), "-o", str(plan), "--confirm-domains"]) == 0
    media = load_plan(plan).column("media")
    assert (media.label, media.kind) == ("Media used", "several")
    assert media.domain is not None
    assert [media.domain.label(code) for code in range(2)] == ["Television", "Internet"]
    assert main(["check", str(plan), str(path)]) == 0


@pytest.mark.parametrize("form", ["TIME8", "DATE11", "DATETIME20", "F8.2"])
def test_that_an_infinite_number_is_read_in_every_form(form: str, tmp_path: Path) -> None:
    table = pd.DataFrame({"t": [1.0, np.inf, -np.inf]})
    pyreadstat.write_sav(table, tmp_path / "t.sav", variable_format={"t": form})
    assert load(tmp_path / "t.sav").columns[0].texts()[1:] == ["inf", "-inf"]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("compress", [False, True])
def test_that_a_missing_number_of_0_in_the_head_loses_no_zero(
    order: str, compress: bool, tmp_path: Path
) -> None:
    path = written(tmp_path / "t.sav", pd.DataFrame({"q": [0.0, 1.0, 0.0, None, 2.5]}))
    pyreadstat.write_sav(pd.read_spss(path), path, row_compress=compress)
    raw = path.read_bytes()
    place = raw.index(struct.pack("<iiii", 7, 4, 8, 3)) + 16
    path.write_bytes(raw[:place] + bytes(8) + raw[place + 8 :])
    assert load(path).column("q").texts() == ["0", "1", "0", "", "2.5"]
    # The head of the other byte order is looked at alike.
    head = b"$FL2@(#)".ljust(64) + struct.pack(f"{order}i", 2) + bytes(108)
    head += struct.pack(f"{order}iiii", 7, 4, 8, 3) + bytes(24) + struct.pack(f"{order}ii", 999, 0)
    (missing,) = struct.unpack_from(f"{order}d", SpssHead.without_sysmis_of_zero(head), 192)
    assert missing == -sys.float_info.max
