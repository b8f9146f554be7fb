from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from dpdesk.data.codebook import load_codebook
from dpdesk.data.sample import load_sample, sample_codebook, sample_path
from tests.refusals import refused


def test_that_the_sample_holds_each_line_of_its_file():
    table = load_sample()
    with sample_path().open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert table.names == tuple(header)
    assert table.rows == len(rows) == 6366
    for position, column in enumerate(table.columns):
        assert column.texts() == [row[position] for row in rows]
    assert table.notices == ()


def test_that_the_sample_is_the_table_of_statsmodels():
    fair = pytest.importorskip("statsmodels.datasets.fair")
    published = fair.load_pandas().data
    table = load_sample()
    assert list(table.names) == list(published.columns)
    for column in table.columns:
        ours = np.array([float(text) for text in column.texts()])
        np.testing.assert_array_equal(ours, published[column.name].to_numpy())


def test_that_the_codebook_describes_every_column_and_every_answer():
    table, codebook = load_sample(), sample_codebook()
    assert tuple(codebook) == table.names
    for column in table.columns:
        entry = codebook[column.name]
        assert entry.label
        assert entry.source
        assert entry.domain is not None
        assert not entry.domain.outside(column.distinct).any(), column.name
        labels = [entry.domain.label(code) for code in range(entry.domain.size)]
        assert len(set(labels)) == len(labels)


def test_that_every_category_of_the_codebook_occurs_in_the_sample():
    table = load_sample()
    for name, entry in sample_codebook().items():
        if entry.kind != "real":
            assert set(entry.domain.texts) == set(table.column(name).distinct)


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ("", "data.no-entries"),
        ("{", "data.no-entries"),
        ("[1]", "0"),
        ('{"a": 1}', "list"),
        ("[" * 100_000, "data.no-entries"),
        ("[NaN]", "data.no-entries"),
        ('[{"name": "a", "name": "b", "kind": "real"}]', "data.no-entries"),
        ('[{"name": "a", "kind": "real"}, {"name": "a", "kind": "real"}]', "data.described-twice"),
        ('[{"name": "a", "kind": "guess"}]', "0.kind"),
        ('[{"name": "a", "kind": "real", "more": 1}]', "0.more"),
    ],
)
def test_that_a_broken_codebook_is_refused_with_its_cause(tmp_path: Path, content: str, cause: str):
    path = tmp_path / "codebook.json"
    path.write_text(content)
    with refused("data.bad-codebook") as caught:
        load_codebook(path)
    reason = caught.value.message.values["reason"]
    assert cause in (reason.id, reason.values.get("entry"))
