from __future__ import annotations

import json
import os
import stat

import numpy as np
import pytest

from dpdesk.data.read_file import load
from dpdesk.data.table import table_from_texts
from dpdesk.errors import ReleaseError
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import MissingPolicy
from dpdesk.releases.private import digest_of, private_diagnostics, write_private_diagnostics
from tests.refusals import refused
from tests.reports.cases import COLUMNS, HOSTILE, WEIGHT, plan_of, protected, released_of
from tests.reports.test_html import Page

PLAN = plan_of(COLUMNS[0], COLUMNS[1], COLUMNS[4])
# Eight respondents; "x" is outside the scale, 120 and 5 beyond the bounds, "" and "NA" missing.
ANSWERS = {
    "smoker": ["yes", "no", "no", "no", "yes", "no", "no", "no"],
    "faith": ["1", "1", "x", "", "2", "3", "4", ""],
    "age": ["18", "98", "120", "5", "40", "60", "", ""],
}


def diagnostics(answers=ANSWERS, plan=PLAN, **more):
    table = table_from_texts(answers, name="canary_file.csv")
    return private_diagnostics(table, released_of(plan, rows=table.rows, **more))


def test_that_the_truth_is_that_of_the_answers_as_the_mechanism_saw_them() -> None:
    smoker, faith, age = diagnostics().attributes
    assert [c.truth for c in smoker.comparisons] == [0.25, 0.75]
    assert [c.truth for c in faith.comparisons] == [0.25, 0.125, 0.125, 0.125, 0.125, 0.25]
    # Bounds replace 120 and 5, the declared 50 the two missing answers.
    assert age.comparisons[0].truth == pytest.approx((18 + 98 + 98 + 18 + 40 + 60 + 50 + 50) / 8)
    assert age.mean_before_encoding == pytest.approx((18 + 98 + 120 + 5 + 40 + 60) / 6)
    assert smoker.mean_before_encoding is None


def test_that_the_truth_of_intervals_stands_beside_their_estimates(tmp_path) -> None:
    age = PLAN.column("age").model_copy(
        update={"mechanism": mechanism_named("square_wave")(epsilon="4")}
    )
    answers = {"age": ANSWERS["age"]}
    (found,) = diagnostics(answers, plan_of(age)).attributes
    assert len(found.comparisons) == 1
    # 18 to 98 in 20 intervals of four years, the last with both ends.
    assert [c.category for c in found.intervals][:2] == ["18 to 22", "22 to 26"]
    truth = {c.category: c.truth for c in found.intervals if c.truth}
    expected = {"18 to 22": 2, "38 to 42": 1, "50 to 54": 2, "58 to 62": 1, "94 to 98": 2}
    assert truth == {interval: count / 8 for interval, count in expected.items()}
    assert all(a.intervals == () for a in diagnostics().attributes)
    table = table_from_texts(answers, name="canary_file.csv")
    released = released_of(plan_of(age), rows=table.rows)
    write_private_diagnostics(private_diagnostics(table, released), tmp_path / "private.html")
    page = (tmp_path / "private.html").read_text("utf-8")
    assert page.count('<th scope="col">Interval</th>') == 1
    assert page.count("94 to 98") == 1


def test_that_missing_and_outside_answers_are_counted() -> None:
    smoker, faith, age = diagnostics().attributes
    assert (smoker.missing, smoker.outside) == (0, 0)
    assert (faith.missing, faith.outside) == (2, 1)
    assert (age.missing, age.outside) == (2, 2)
    assert faith.outside_became == "the category “(other)”"
    assert age.outside_became == "the nearest bound"


def test_that_there_is_no_true_mean_of_a_column_that_nobody_answered(tmp_path) -> None:
    protecting = MissingPolicy(policy="protect", tokens=("", "NA"))
    age = PLAN.column("age").model_copy(update={"missing": protecting})
    table = table_from_texts({"age": ["", "NA"] * 4}, name="canary_file.csv")
    released = released_of(plan_of(age), rows=table.rows)
    found = private_diagnostics(table, released)
    (column,) = found.attributes
    assert column.comparisons == ()
    assert column.answered is not None
    assert column.answered.truth == 0
    for name in ("private.html", "private.json"):
        write_private_diagnostics(found, tmp_path / name)


def test_that_a_difference_is_standardised_by_the_noise_error() -> None:
    released = released_of(PLAN, rows=8)
    table = table_from_texts(ANSWERS)
    found = private_diagnostics(table, released).attributes[0].comparisons[0]
    estimate = released.attributes[0].estimate
    assert found.estimate == estimate.value[0]
    assert found.difference == pytest.approx(estimate.value[0] - 0.25)
    assert found.standardised == pytest.approx(found.difference / estimate.noise_error[0])


def test_that_the_truth_is_weighted_where_the_release_is() -> None:
    plan = plan_of(COLUMNS[0], WEIGHT)
    weights = np.array([1.0, 1, 1, 1, 5, 1, 1, 1])
    answers = {"smoker": ANSWERS["smoker"], "wt": [f"{w:g}" for w in weights]}
    (smoker,) = diagnostics(answers, plan, weights=weights).attributes
    assert smoker.comparisons[0].truth == pytest.approx(6 / 12)


def test_that_the_digest_depends_on_answers_and_not_on_their_file(tmp_path) -> None:
    comma, tab = tmp_path / "a.csv", tmp_path / "b.tsv"
    comma.write_text('a,b\n1,"é"\n2,é\n1,z\n', encoding="utf-8")
    tab.write_text("a\tb\r\n1\té\r\n2\té\r\n1\tz\r\n", encoding="utf-16")
    first, second = digest_of(load(comma)), digest_of(load(tab))
    assert first == second
    comma.write_text('a,b\n1,"é"\n2,é\n2,z\n', encoding="utf-8")
    assert digest_of(load(comma)) != first


def test_that_a_digest_tells_where_one_answer_ends_and_the_next_begins() -> None:
    tables = (
        {"a": ["bc", "d"]},
        {"a": ["b", "cd"]},
        {"ab": ["c", "d"]},
        {"a": ["d", "bc"]},
    )
    assert len({digest_of(table_from_texts(columns)) for columns in tables}) == 4


@pytest.mark.parametrize("name", ["private.html", "private.json"])
def test_that_the_file_is_for_its_owner_alone_even_where_an_open_one_was(tmp_path, name) -> None:
    path = tmp_path / name
    path.write_text("old")
    path.chmod(0o644)
    write_private_diagnostics(diagnostics(), path)
    assert [p.name for p in tmp_path.iterdir()] == [name]
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_that_both_forms_are_marked_private(tmp_path) -> None:
    found = diagnostics()
    write_private_diagnostics(found, tmp_path / "p.json")
    content = json.loads((tmp_path / "p.json").read_text(encoding="utf-8"))
    assert next(iter(content)) == "marking"
    assert content["marking"].startswith("PRIVATE")
    write_private_diagnostics(found, tmp_path / "p.html")
    text = (tmp_path / "p.html").read_text(encoding="utf-8")
    # The head of the table that holds the page is repeated on every sheet of paper.
    head = text[text.index("<thead>") : text.index("</thead>")]
    assert content["marking"] in head
    assert "default-src 'none'" in text
    page = Page(text)
    assert page.faults == []
    assert "canary_file.csv" in page.text


def test_that_private_diagnostics_never_lie_in_a_release(tmp_path) -> None:
    release = tmp_path / "release"
    (release / "inner").mkdir(parents=True)
    found = diagnostics()
    with refused("releases.into-release"):
        write_private_diagnostics(found, release / "p.html", release)
    with refused("releases.into-release"):
        write_private_diagnostics(found, release / "inner" / ".." / "p.html", release)
    (release / "manifest.json").write_text("{}")
    with refused("releases.into-release"):
        write_private_diagnostics(found, release / "inner" / "p.json")
    (tmp_path / "link").symlink_to(release, target_is_directory=True)
    with refused("releases.into-release"):
        write_private_diagnostics(found, tmp_path / "link" / "p.json")
    assert not list(release.rglob("p.*"))
    write_private_diagnostics(found, tmp_path / "p.html", release)


def test_that_other_endings_and_places_that_cannot_be_written_are_refused(tmp_path) -> None:
    with pytest.raises(ReleaseError, match=r"\.html or \.json"):
        write_private_diagnostics(diagnostics(), tmp_path / "p.txt")
    with pytest.raises(ReleaseError, match="cannot be written"):
        write_private_diagnostics(diagnostics(), tmp_path / "nowhere" / "p.json")


def test_that_hostile_names_are_text_in_the_private_page_too(tmp_path) -> None:
    columns = [protected(name, "binary", COLUMNS[0].domain, "grr", "1") for name in HOSTILE]
    answers = {name: ["yes", "no"] for name in HOSTILE}
    write_private_diagnostics(diagnostics(answers, plan_of(*columns)), tmp_path / "p.html")
    page = Page((tmp_path / "p.html").read_text(encoding="utf-8"))
    assert page.faults == []
    assert not {"img", "script", "a"} & set(page.tags)
    assert all(name in page.text for name in HOSTILE)
