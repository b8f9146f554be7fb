"""Missing answers that stay blank: who answered is public, and everything says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

from dpdesk.cli.main import main
from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.estimation.from_records import released_from_file
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import MissingPolicy, Plan, check, check_table, encode_column
from dpdesk.plan.file import load_plan
from dpdesk.preview import request_for
from dpdesk.releases.private import private_diagnostics
from dpdesk.reports.checklist.texts import T as Checks
from dpdesk.reports.texts import T
from tests.randomness.word_sources import ShakeWords
from tests.reports.cases import plan_of, protected

BLANK = MissingPolicy(tokens=("", "-1"), policy="blank")
TOWNS = Categorical(values=("Bergen", "Oslo", "Tromsø"))
GRID = Integer(lower=0, upper=100_000, step=100)


@pytest.mark.parametrize("kind", ["duchi", "piecewise", "laplace", "square_wave"])
def test_that_the_interval_covers_the_mean_of_who_answered(kind: str) -> None:
    """In 300 surveys of 2,000 respondents, of whom a quarter leave a blank."""
    from dpdesk.engine.attribute_draw import AttributeDraw

    generator = np.random.default_rng(7)
    incomes = np.clip(generator.lognormal(10, 0.6, 100_000), 0, 100_000)
    missing = generator.random(incomes.size) < np.where(incomes > 30_000, 0.5, 0.1)
    codes = GRID.nearest(incomes)
    truth = 100 * codes[~missing].mean()
    codes[missing] = -1
    column = protected("income", "integer", GRID, kind, "2", missing=BLANK)
    bound = column.mechanism.bind(GRID)
    words, covered = ShakeWords(kind), 0
    for _ in range(300):
        sample = generator.choice(codes, 2_000).astype(np.int32)
        draw = AttributeDraw(plan_of(column), sample.size, words)
        reports = draw.randomize(0, bound, sample, words)
        tally = reports.tally(bound, None)
        assert tally.reports == np.count_nonzero(sample >= 0)
        estimate = bound.estimate(tally)
        covered += bool(estimate.lower[0] <= truth <= estimate.upper[0])
    # At a coverage of 92 % fewer than 246 of 300 happen less often than once in 10^9 runs.
    assert covered >= 246


def _survey() -> dict[str, list[str]]:
    generator = np.random.default_rng(4)
    towns = generator.choice(["Bergen", "Oslo", "Tromsø", ""], 3_000, p=[0.3, 0.4, 0.1, 0.2])
    incomes = [str(100 * int(i)) for i in generator.integers(0, 1_001, 3_000)]
    # Of their own: blanks that follow another answer do not pass.
    gone = generator.random(3_000) < 0.3
    return {
        "one": towns.tolist(),
        "bits": towns[::-1].tolist(),
        "hash": np.roll(towns, 7).tolist(),
        "income": ["-1" if not given else i for given, i in zip(~gone, incomes, strict=True)],
    }


def _plan(**more: Any) -> Plan:
    return plan_of(
        protected("one", "nominal", TOWNS, "grr", "2", missing=BLANK),
        protected("bits", "nominal", TOWNS, "oue", "2", missing=BLANK),
        protected("hash", "nominal", TOWNS, "olh", "2", missing=BLANK),
        protected("income", "integer", GRID, "duchi", "2", missing=BLANK),
        **more,
    )


def _release(answers: dict[str, list[str]], plan: Plan, folder: Path) -> Path:
    from dpdesk.plan import save_plan

    source, place = folder / "survey.csv", folder / "plan.json"
    lines = zip(*answers.values(), strict=True)
    source.write_text(
        "\n".join([",".join(answers), *(",".join(line) or '""' for line in lines)]) + "\n", "utf-8"
    )
    save_plan(plan.with_fields(reading={}, reading_confirmed=True), place)
    assert not main(["release", str(source), "--plan", str(place), "--out", str(folder / "out")])
    return folder / "out"


def test_that_exactly_the_cells_of_who_did_not_answer_are_empty(tmp_path: Path) -> None:
    answers = _survey()
    folder = _release(answers, _plan(shuffle=False), tmp_path)
    written = parquet.read_table(folder / "records.parquet").to_pydict()
    assert len(written) == 8
    for name, cells in written.items():
        (given,) = (texts for column, texts in answers.items() if name.startswith(column))
        assert [cell is None for cell in cells] == [text in {"", "-1"} for text in given]


def test_that_the_records_give_the_estimates_of_who_answered_again(tmp_path: Path) -> None:
    answers = _survey()
    folder = _release(answers, _plan(), tmp_path)
    plan = load_plan(folder / "plan.json")
    report = json.loads((folder / "report.json").read_text("utf-8"))
    for file in ("records.csv", "records.parquet"):
        again = released_from_file(folder / file, plan)
        for attribute, told in zip(again.attributes, report["results"]["attributes"], strict=True):
            given = answers[attribute.column.name]
            blanks = sum(text in {"", "-1"} for text in given)
            assert (told["reports"], told["blanks"]) == (len(given) - blanks, blanks)
            assert attribute.tally.reports == len(given) - blanks
            estimates = [e["estimate"] for e in told["estimates"]]
            assert attribute.estimate.value.tolist() == pytest.approx(estimates)
        share = again.attributes[0].estimate
        truth = answers["one"].count("Oslo") / (len(answers["one"]) - answers["one"].count(""))
        assert abs(share.value[1] - truth) < 6 * share.noise_error[1]


def test_that_one_column_alone_is_read_again_with_its_blanks(tmp_path: Path) -> None:
    answers = {"one": _survey()["one"]}
    folder = _release(answers, plan_of(_plan().columns[0]), tmp_path)
    lines = (folder / "records.csv").read_text("utf-8").splitlines()[1:]
    assert lines.count('""') == answers["one"].count("")
    assert len(lines) == len(answers["one"])
    again = released_from_file(folder / "records.csv", load_plan(folder / "plan.json"))
    assert again.attributes[0].tally.reports == len(lines) - lines.count('""')


def test_that_everything_says_that_who_answered_is_public(tmp_path: Path) -> None:
    plan = plan_of(_plan().columns[0], protected("two", "nominal", TOWNS, "grr", "1"))
    answers = _survey()
    answers = {"one": answers["one"], "two": ["Oslo"] * len(answers["one"])}
    warned = {p.path for p in check(plan) if p.code == "who_answered_public"}
    assert warned == {"columns.one.missing"}
    folder = _release(answers, plan, tmp_path)
    report = json.loads((folder / "report.json").read_text("utf-8"))
    guarantee = report["guarantee"]
    assert guarantee["who_answered_public"] == ["one"]
    assert T.WHO_ANSWERED_PUBLIC(names="“one”") in guarantee["sentence"]
    page = (folder / "report.html").read_text("utf-8")
    notice = page.index("Who answered is released without protection")
    assert notice < page.index("<h2>Results</h2>")
    assert "among those who answered" in page
    asked = {c["question"]: c["answer"] for g in report["checklist"] for c in g["checks"]}
    assert asked[Checks.ASKS_MISSING()] == "no"
    codebook = (folder / "codebook.csv").read_text("utf-8")
    assert codebook.count(T.EMPTY_CELL()) == 1


@pytest.mark.parametrize("strategy", ["smp", "rsfd", "rsrfd"])
def test_that_strategies_which_cannot_leave_blanks_say_so(strategy: str) -> None:
    plan = plan_of(*_plan().columns[:2], strategy=strategy)
    (problem, _) = (p for p in check(plan) if p.code == "blanks_need_spl")
    assert (problem.severity, problem.path) == ("error", "columns.one.missing")
    assert problem.message.values == {"name": "one"}
    assert not [p for p in check(_plan()) if p.severity == "error"]


def test_that_an_answer_which_cannot_be_read_is_no_blank() -> None:
    """It would tell which answer it was; so it stops the release."""
    column = _plan().column("one")
    table = table_from_texts({"one": ["Oslo", "Rome", "", "Bergen"]})
    assert encode_column(column, table.column("one")).uncoded == 1
    found = [p for p in check_table(plan_of(column), table) if p.severity == "error"]
    assert {p.code for p in found} == {"answers_outside_domain"}
    other = column.changed(other="elsewhere")
    assert not [p for p in check_table(plan_of(other), table) if p.severity == "error"]


def test_that_a_column_without_any_answer_is_not_released() -> None:
    table = table_from_texts({"one": ["", "-1", " "]})
    (found,) = (p for p in check_table(plan_of(_plan().column("one")), table) if p.path)
    assert (found.code, found.severity) == ("nobody_answered", "error")


def test_that_private_diagnostics_compare_with_who_answered(tmp_path: Path) -> None:
    answers = _survey()
    folder = _release(answers, _plan(), tmp_path)
    released = released_from_file(folder, load_plan(folder / "plan.json"))
    income = private_diagnostics(table_from_texts(answers), released).attributes[-1]
    given = [int(text) for text in answers["income"] if text != "-1"]
    assert income.comparisons[0].truth == pytest.approx(sum(given) / len(given))
    assert income.missing == len(answers["income"]) - len(given)


def test_that_planning_supposes_the_reports_of_who_answer() -> None:
    column = _plan().column("income").changed(missing=BLANK.model_copy(update={}))
    asked = request_for(column, 1_000)
    everybody = request_for(column.changed(missing=MissingPolicy()), 900)
    assert asked is not None
    assert everybody is not None
    assert asked.respondents == 900
    assert asked.accuracy == everybody.accuracy
    assert asked.mechanism == mechanism_named("duchi")(epsilon="2")
