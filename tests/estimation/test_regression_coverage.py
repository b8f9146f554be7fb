"""Errors of regressions on sanitized records: surveys drawn again and again, and a real one."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.domains import Categorical
from dpdesk.errors import InputError
from dpdesk.estimation.answer_cells import AnswerCells
from dpdesk.estimation.predictors import Predictors
from dpdesk.estimation.regression import Regression, regression, score_regression
from dpdesk.estimation.released import bind_attributes
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.learning.curve import SeededWords
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.missing import MissingPolicy
from tests.estimation.test_joint_coverage import COLUMNS, Surveys, people
from tests.plan.plans import mechanism

Codes = NDArray[np.int32]
SURVEYS = 100


def _plan(*names: str) -> Plan:
    return Plan(columns=tuple(column for column in COLUMNS if column.name in names))


def _require_honest(found: list[Regression], truth: NDArray[np.float64]) -> None:
    """Slopes are centred on the truth, as wide as they say, and intervals hold it."""
    value = np.stack([one.coefficients for one in found])
    error = value.std(axis=0)
    assert (np.abs(np.median(value, axis=0) - truth) < 5 * error / np.sqrt(len(found))).all()
    stated = np.stack([np.sqrt(np.diag(one.covariance)) for one in found])
    assert np.median(stated, axis=0) == pytest.approx(error, rel=0.3)
    held = np.abs(value - truth) <= 1.96 * stated
    assert held.mean() > 0.92
    assert held.mean(axis=0).min() > 0.86


def _repeated(
    surveys: Surveys, formula: str, draw: Callable[[], tuple[Codes, ...]], method: str
) -> list[Regression]:
    found = []
    for _ in range(SURVEYS):
        records = surveys.next(draw())
        if method == "scores":
            cells = AnswerCells.of(Predictors.of(records, formula))
            slopes, covariance = score_regression(cells)
            found.append(
                Regression(
                    model="logistic",
                    method="scores",
                    outcome="",
                    categories=(),
                    names=(),
                    coefficients=slopes,
                    covariance=covariance,
                    records=0,
                    freedom=None,
                    units=(),
                    intercepts=frozenset(),
                )
            )
            continue
        found.append(regression(records, formula))
        assert found[-1].method == method
    return found


def _population(place: Path, formula: str, names: tuple[str, ...]) -> NDArray[np.float64]:
    """The slopes of very many people, whose answers are kept."""
    a, b, hours, region = people(np.random.default_rng(1), 400_000)
    texts = {
        "A": np.array(["a", "b", "c"])[a],
        "B": np.array(["x", "y"])[b],
        "hours": hours.astype(str),
        "region": np.array(["N", "S"])[region],
    }
    path = place / "people.csv"
    rows = zip(*(texts[name] for name in names), strict=True)
    path.write_text("\n".join([",".join(names), *map(",".join, rows)]) + "\n")
    plan = Plan(
        columns=tuple(
            ColumnPlan(
                name=name,
                kind="integer" if name == "hours" else "nominal",
                role="keep",
                keep_confirmed=True,
            )
            for name in names
        )
    )
    return regression(ScoredRecords(path, plan), formula).coefficients


@pytest.mark.parametrize(
    ("formula", "names", "method", "count"),
    [
        ("hours ~ A + region", ("A", "hours", "region"), "moments", 1500),
        ("B ~ A", ("A", "B"), "likelihood", 5000),
        ("B ~ A", ("A", "B"), "scores", 5000),
        ("A ~ region", ("A", "region"), "likelihood", 1500),
    ],
)
def test_that_errors_and_intervals_are_honest(
    tmp_path: Path, formula: str, names: tuple[str, ...], method: str, count: int
) -> None:
    surveys = Surveys(tmp_path, _plan(*names))
    found = _repeated(surveys, formula, lambda: people(surveys.draw, count), method)
    _require_honest(found, _population(tmp_path, formula, names))


def test_that_a_slope_on_a_protected_number_is_not_drawn_towards_0(tmp_path: Path) -> None:
    columns = (
        ColumnPlan(
            name="hours",
            kind="integer",
            domain=next(c.domain for c in COLUMNS if c.name == "hours"),
            confirmed=True,
            role="protect",
            mechanism=mechanism("piecewise", "4"),
        ),
        *(
            ColumnPlan(name=name, kind="integer", role="keep", keep_confirmed=True)
            for name in ("y", "z")
        ),
    )
    plan = Plan(columns=columns)
    ((_, bound),) = bind_attributes(plan)
    draw, words, path = np.random.default_rng(5), SeededWords(5), tmp_path / "records.csv"
    found, naive = [], []
    for _ in range(SURVEYS):
        z = draw.integers(0, 5, 2000)
        hours = np.clip(draw.normal(25 + 3 * z, 10).round(), 0, 60).astype(np.int32)
        y = (10 + 2 * hours - 4 * z + draw.normal(0, 8, hours.size)).round().astype(int)
        texts = [bound.outputs[code] for code in bound.randomize(hours, words).tolist()]
        rows = zip(texts, y.tolist(), z.tolist(), strict=True)
        path.write_text("hours,y,z\n" + "".join(f"{h},{b},{c}\n" for h, b, c in rows))
        found.append(regression(ScoredRecords(path, plan), "y ~ hours + z"))
        said = np.array([float(text) for text in texts])
        naive.append(np.cov(said, y)[0, 1] / said.var())
    assert found[0].names == ("Intercept", "hours", "z")
    _require_honest(found, np.array([10.0, 2.0, -4.0]))
    assert np.mean(naive) < 1.5


def test_that_weights_and_clusters_enter_every_method(tmp_path: Path) -> None:
    plan = _plan("A", "B", "region", "w")
    surveys = Surveys(tmp_path, plan)
    a, b, hours, _ = people(surveys.draw, 3000)
    order = np.argsort(b, kind="stable")
    answers = (a[order], b[order], hours[order], np.zeros(3000, np.int32))
    weights = np.where(a[order] == 2, 3.0, 1.0)
    surveys.next(answers, weights)
    lines = surveys.path.read_text().splitlines()
    # Clusters of twenty people with the same B.
    for row, line in enumerate(lines[1:]):
        first, second, _, weight = line.split(",")
        lines[row + 1] = f"{first},{second},c{row // 20},{weight}"
    surveys.path.write_text("\n".join(lines) + "\n")
    alone = ScoredRecords(surveys.path, plan)
    clustered = ScoredRecords(surveys.path, plan, clusters="region")
    for records in (alone, clustered):
        found = regression(records, "B ~ A")
        cells = AnswerCells.of(Predictors.of(records, "B ~ A"))
        slopes, covariance = score_regression(cells)
        # As many slopes as shares: both solve the same equations.
        assert slopes == pytest.approx(found.coefficients, abs=1e-4)
        errors = np.sqrt(np.diag(covariance))
        assert errors == pytest.approx(np.sqrt(np.diag(found.covariance)), rel=1e-2)
    assert found.freedom == 149
    narrow = np.sqrt(np.diag(regression(alone, "B ~ A").covariance))
    assert (errors > 1.1 * narrow).any()


def test_that_who_did_not_answer_does_not_count(tmp_path: Path) -> None:
    answers = [
        ColumnPlan(
            name="A",
            kind="nominal",
            domain=Categorical(values=("a", "b", "c")),
            confirmed=True,
            role="protect",
            mechanism=mechanism("oue", "3"),
            missing=MissingPolicy(policy="category", value="(none)"),
        ),
        ColumnPlan(
            name="hours",
            kind="integer",
            domain=next(c.domain for c in COLUMNS if c.name == "hours"),
            confirmed=True,
            role="protect",
            mechanism=mechanism("piecewise", "4"),
            missing=MissingPolicy(policy="protect"),
        ),
        ColumnPlan(
            name="B",
            kind="binary",
            domain=Categorical(values=("x", "y")),
            confirmed=True,
            role="protect",
            mechanism=mechanism("grr", "3"),
            missing=MissingPolicy(policy="blank"),
        ),
        ColumnPlan(name="y", kind="real", role="keep", keep_confirmed=True),
    ]
    plan = Plan(columns=tuple(answers))
    bound = {column.name: one for column, one in bind_attributes(plan)}
    draw, words, n = np.random.default_rng(8), SeededWords(8), 200_000
    a, hours, b = draw.integers(3, size=n), draw.integers(0, 61, n), draw.integers(2, size=n)
    y = 5 + 2 * (a == 1) + 4 * (a == 2) + 0.5 * hours + draw.normal(0, 5, n)
    b = np.where(draw.random(n) < 1 / (1 + np.exp(1 - a)), 1, 0)
    # Who does not answer is not like the others.
    gone = [draw.random(n) < 0.1 + 0.1 * (a == 2), draw.random(n) < 0.2, draw.random(n) < 0.3]
    texts = {}
    for name, codes, lost in (("A", a, gone[0]), ("hours", hours, gone[1])):
        one = bound[name]
        missing = one.domain.listed.index("(none)") if name == "A" else one.size - 1
        said = one.randomize(np.where(lost, missing, codes).astype(np.int32), words)
        if one.form == "bits":
            texts |= dict(zip(_released(answers[0]), said.T, strict=True))
        else:
            texts[name] = np.array(list(one.outputs), dtype=object)[said]
    said = bound["B"].randomize(b.astype(np.int32), words)
    texts["B"] = np.where(gone[2], "", np.array(["x", "y"])[said])
    texts["y"] = np.where(draw.random(n) < 0.1, "", y.round(2).astype(str))
    header = [name for one in answers for name in _released(one)]
    rows = zip(*(texts[name] for name in header), strict=True)
    path = tmp_path / "records.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    records = ScoredRecords(path, plan)
    found = regression(records, "y ~ A + hours")
    assert found.names == ("Intercept", "A[T.b]", "A[T.c]", "hours")
    apart = (found.coefficients - [5, 2, 4, 0.5]) / np.sqrt(np.diag(found.covariance))
    assert (np.abs(apart) < 4).all()
    assert np.sqrt(found.covariance[2, 2]) < 0.2
    found = regression(records, "B ~ A")
    assert found.method == "scores"
    apart = (found.coefficients - [-1, 1, 2]) / np.sqrt(np.diag(found.covariance))
    assert (np.abs(apart) < 4).all()
    assert np.sqrt(found.covariance[2, 2]) < 0.1


def _released(column: ColumnPlan) -> tuple[str, ...]:
    if column.mechanism is None or column.effective_domain is None:
        return (column.name,)
    return column.mechanism.released_names(column.name, column.effective_domain)


def test_that_a_linear_regression_takes_clusters_as_samples_do(tmp_path: Path) -> None:
    columns = (
        *(
            ColumnPlan(name=name, kind="real", role="keep", keep_confirmed=True)
            for name in ("x", "y")
        ),
        ColumnPlan(name="c", kind="nominal", role="keep", keep_confirmed=True),
        ColumnPlan(name="w", kind="weight", role="keep", keep_confirmed=True),
    )
    draw, path = np.random.default_rng(9), tmp_path / "records.csv"
    cluster = np.repeat(np.arange(40), 15)
    x = draw.normal(size=600).round(3) + cluster % 5
    y = (1 + 2 * x + np.repeat(draw.normal(0, 2, 40), 15) + draw.normal(size=600)).round(3)
    w = draw.integers(1, 4, 600)
    rows = zip(x.tolist(), y.tolist(), cluster.tolist(), w.tolist(), strict=True)
    path.write_text("x,y,c,w\n" + "".join(f"{p},{q},c{r},{s}\n" for p, q, r, s in rows))
    found = regression(ScoredRecords(path, Plan(columns=columns), clusters="c"), "y ~ x")
    design = np.column_stack((np.ones(600), x))
    back = np.linalg.inv(design.T @ (w[:, None] * design))
    slopes = back @ design.T @ (w * y)
    assert found.coefficients == pytest.approx(slopes, rel=1e-6)
    left = design * (w * (y - design @ slopes))[:, None]
    sums = np.stack([left[cluster == one].sum(axis=0) for one in range(40)])
    # Ultimate clusters, of one stratum: m / (m - 1).
    wanted = back @ (sums.T @ sums) @ back * 40 / 39
    assert found.covariance == pytest.approx(wanted, rel=1e-5)
    assert found.freedom == 39


def _election() -> tuple[Codes, Codes]:
    """Vote (1 for Dole) and party identification, American National Election Study of 1996.

    944 respondents; in the public domain, as shipped with statsmodels.
    """
    rows = list(csv.DictReader((Path(__file__).parent / "anes96.csv").read_text().splitlines()))
    return tuple(np.array([int(row[n]) for row in rows], np.int32) for n in ("vote", "PID"))  # type: ignore[return-value]


def _of_election(role: str, kind: str = "grr", epsilon: str = "2") -> Plan:
    return Plan(
        columns=tuple(
            ColumnPlan(
                name=name,
                kind="ordinal",
                domain=Categorical(values=tuple(values)),
                confirmed=True,
                role=role,
                keep_confirmed=role == "keep",
                mechanism=mechanism(kind, epsilon) if role == "protect" else None,
            )
            for name, values in (("vote", "01"), ("PID", "0123456"))
        )
    )


def test_that_the_slope_of_the_election_study_comes_back(tmp_path: Path) -> None:
    vote, party = _election()
    path = tmp_path / "records.csv"

    def records(plan: Plan, votes: Codes, parties: Codes) -> ScoredRecords:
        rows = zip(votes.tolist(), parties.tolist(), strict=True)
        path.write_text("vote,PID\n" + "".join(f"{v},{p}\n" for v, p in rows))
        return ScoredRecords(path, plan)

    true = regression(records(_of_election("keep"), vote, party), "vote ~ PID")
    assert true.names == ("Intercept", "PID")
    assert true.coefficients[1] == pytest.approx(1.2277, abs=5e-5)
    plan, words = _of_election("protect"), SeededWords(1)
    bound = {column.name: one for column, one in bind_attributes(plan)}
    naive, held, told = [], 0, 0
    for _ in range(40):
        said = (bound["vote"].randomize(vote, words), bound["PID"].randomize(party, words))
        counted = regression(records(_of_election("keep"), *said), "vote ~ PID")
        naive.append(counted.coefficients[1])
        try:
            row = regression(records(plan, *said), "vote ~ PID").rows()[1]
        except InputError:
            # Nearly everybody votes as their party: some reports bound the slope from below alone.
            continue
        told += 1
        held += row.lower <= 1.2277 <= row.upper
    assert np.mean(naive) == pytest.approx(0.31, abs=0.02)
    assert told >= 30
    assert held / told > 0.9


def test_that_likelihood_and_scores_agree_on_very_many_records(tmp_path: Path) -> None:
    plan = Plan(columns=_of_election("protect", epsilon="3").columns)
    bound = {column.name: one for column, one in bind_attributes(plan)}
    _, party = (np.tile(codes, 300) for codes in _election())
    chance = 1 / (1 + np.exp(4.3 - 1.2 * party))
    vote = (np.random.default_rng(4).random(party.size) < chance).astype(np.int32)
    words = SeededWords(2)
    said = bound["vote"].randomize(vote, words), bound["PID"].randomize(party, words)
    rows = zip(*(codes.tolist() for codes in said), strict=True)
    path = tmp_path / "records.csv"
    path.write_text("vote,PID\n" + "".join(f"{v},{p}\n" for v, p in rows))
    records = ScoredRecords(path, plan)
    found = regression(records, "vote ~ PID")
    cells = AnswerCells.of(Predictors.of(records, "vote ~ PID"))
    slopes, covariance = score_regression(cells)
    apart = np.abs(slopes - found.coefficients) / np.sqrt(np.diag(covariance))
    assert (apart < 3).all()
    assert found.coefficients[1] == pytest.approx(1.2, abs=0.05)
    # The likelihood is the more exact of both.
    assert found.covariance[1, 1] < covariance[1, 1]
