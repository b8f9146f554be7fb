"""A query that no other file names works wherever queries do."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.domains import Integer
from dpdesk.plan import load_plan, plan_schema
from dpdesk.preview.central import (
    QueryRequest,
    central_accuracy,
    central_figures,
    epsilon_for_half_width,
    law_view,
)
from dpdesk.queries import QUERIES, PrivacyUnit
from dpdesk.queries.phrase import parse_query
from dpdesk.queries.phrase_offers import examples
from tests.kinds.registered import registered
from tests.kinds.tail import Tail
from tests.refusals import refused

AGES = Integer(lower=18, upper=99)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with registered(QUERIES, Tail):
        yield


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Nine hundred ages, a third of them above 65."""
    path = tmp_path / "ages.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["age", "sex"], *([20, "f"], [65, "m"], [70, "f"]) * 300])
    return path


def _asked(data: Path, *words: str) -> list[str]:
    declared = ["--declare", "age=18..99", "--declare", "sex=f|m"]
    return ["query", str(data), *declared, "--query", "tail of age above 65", *words]


def _json(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("phrase", ["tail of age above 65", 'tail of "tail" below 20 where a is b'])
def test_that_its_phrase_is_read_and_written_again(phrase: str) -> None:
    query = parse_query(phrase)
    assert isinstance(query, Tail)
    assert query.description == phrase
    assert "tail of age above 65" in examples()


def test_that_a_phrase_that_does_not_go_on_says_where() -> None:
    with refused("queries.continuation", expected="“above”", read="tail of age"):
        parse_query("tail of age over 65")


def test_that_names_that_are_its_words_are_quoted_in_every_phrase() -> None:
    assert parse_query('mean of "tail"').description == 'mean of "tail"'


def test_that_it_is_answered_reported_and_stored(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "release"
    assert main(_asked(data, "--epsilon", "2", "--out", str(out), "--json")) == 0
    capsys.readouterr()
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    (facts,) = report["queries"]
    assert (facts["kind"], facts["unit"], facts["noise"]) == ("tail", "rows", "geometric")
    assert facts["asked"] == "tail of age above 65"
    assert facts["results"][0]["value"] == pytest.approx(300, abs=20)
    assert "tail of age above 65" in (out / "report.html").read_text(encoding="utf-8")
    (query,) = load_plan(out / "plan.json").statistics.queries
    assert query == Tail(column="age", bound=Decimal(65), epsilon=Decimal(2))
    mapping = plan_schema()["$defs"]["Statistics"]["properties"]["queries"]["items"]
    assert "tail" in mapping["discriminator"]["mapping"]


def test_that_its_error_is_told_before(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(_asked(data, "--epsilon", "1", "--before", "--json")) == 0
    assert "tail of age above 65" in capsys.readouterr().out


def test_that_its_error_its_law_and_its_curves_are_pictured() -> None:
    query = Tail(column="age", bound=Decimal(65))
    request = QueryRequest(query, (("age", AGES),), PrivacyUnit(), 900)
    figures = central_figures(request)
    # Two-sided geometric noise at epsilon 1: P(|noise| > 3) = 2 e^-4 / (1 + e^-1) < 5 %.
    assert (figures.error.half_width, figures.shift, figures.every) == (3.0, 1.0, 3.0)
    assert figures.local is not None
    assert law_view(request).shown == "error"
    assert central_accuracy(request).unit == "rows"
    assert epsilon_for_half_width(request, 3.0) <= 1
