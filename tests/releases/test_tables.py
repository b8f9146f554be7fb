from __future__ import annotations

import csv
import re
from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from math import log

import numpy as np
import pytest

from dpdesk.data.codebook import load_codebook
from dpdesk.data.write_csv import restore
from dpdesk.domains import Categorical, Integer, OptionSet, Real
from dpdesk.estimation.released import bind_attributes
from dpdesk.estimation.rows import EstimateRow, estimate_rows
from dpdesk.mechanisms import MECHANISMS, Mechanism, kind_of
from dpdesk.mechanisms.pram import Pram
from dpdesk.numbers.intervals import is_even
from dpdesk.plan import ColumnPlan, MissingPolicy, draft_codebook, released_names
from dpdesk.releases.records import write_codebook, write_estimates
from dpdesk.reports.texts import T
from tests.randomness.word_sources import ShakeWords
from tests.reports.cases import (
    AGES,
    COLUMNS,
    DROPPED,
    KEPT,
    SCALE,
    WEIGHT,
    YES_NO,
    plan_of,
    protected,
    released_of,
)

PLAN = plan_of(*COLUMNS, DROPPED, KEPT, WEIGHT)


def read(path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def codebook(plan, folder) -> list[dict[str, str]]:
    """The rows on released columns; those on answers follow them."""
    write_codebook(released_of(plan), folder)
    rows = read(folder / "codebook.csv")
    released = [row for row in rows if row["column"]]
    assert rows[: len(released)] == released
    assert all(row["column"] == "" for row in rows[len(released) :])
    return released


def test_that_the_estimates_have_one_row_per_share_or_mean(tmp_path) -> None:
    released = released_of(PLAN)
    write_estimates(released, tmp_path)
    rows = read(tmp_path / "estimates.csv")
    expected = [row for a in released.attributes for row in estimate_rows(a)]
    # Of six categories of faith one is no answer: five shares among those who answered.
    assert len(rows) == len(expected) == 2 + 6 + 5 + 4 + 4 + 1 + 1
    assert list(rows[0]) == [field.name for field in fields(EstimateRow)]
    for row, truth in zip(rows, expected, strict=True):
        assert (row["attribute"], row["category"]) == (truth.attribute, truth.category)
        assert float(row["estimate"]) == truth.estimate
        assert float(row["total_standard_error"]) == truth.total_standard_error
        if is_even(truth.estimate, truth.lower, truth.upper):
            farther = max(truth.estimate - truth.lower, truth.upper - truth.estimate)
            assert float(row["error_95"]) == pytest.approx(farther)
        else:
            assert row["error_95"] == ""
        sampling = (
            "" if truth.sampling_standard_error is None else repr(truth.sampling_standard_error)
        )
        assert row["sampling_standard_error"] == sampling


def test_that_the_codebook_names_the_released_columns_in_their_order(tmp_path) -> None:
    rows = codebook(PLAN, tmp_path)
    named = list(dict.fromkeys(row["column"] for row in rows))
    assert named == [name for column in PLAN.columns for name in released_names(column)]


def test_that_the_codebook_lists_every_value_that_a_column_can_hold(tmp_path) -> None:
    rows = codebook(PLAN, tmp_path)
    values: dict[str, list[str]] = {}
    for row in rows:
        values.setdefault(row["column"], []).append(row["value"])
    assert values["smoker"] == ["yes", "no"]
    assert values["faith"] == ["1", "2", "3", "4", "(other)", "(no answer)"]
    assert values["food=3"] == ["1", "0"]
    assert values["age"] == [""]
    assert [float(v) for v in values["income"]] == pytest.approx([-116.39534, 316.39534])
    assert values["region"] == [""]
    meanings = {(row["column"], row["value"]): row["meaning"] for row in rows}
    assert meanings["smoker", "yes"] == "Yes, ever"
    assert meanings["age", ""] == "numbers from 18 to 98 years in steps of 1"
    assert meanings["region", ""] == T.KEPT_VALUES()


def test_that_both_values_of_a_bit_are_told_of_its_own_category(tmp_path) -> None:
    colours = Categorical(values=("r", "g", "b"), labels={"r": "red", "g": "green"})
    rows = codebook(plan_of(protected("x", "nominal", colours, "sue", "1")), tmp_path)
    assert [(row["column"], row["value"], row["meaning"]) for row in rows] == [
        (f"x={value}", bit, f"the bit of this category is {set_or_not}: {label}")
        for value, label in (("r", "red"), ("g", "green"), ("b", "b"))
        for bit, set_or_not in (("1", "set"), ("0", "not set"))
    ]
    # The rule stands in the first row of each column alone.
    assert [bool(row["estimation"]) for row in rows] == [True, False] * 3


def test_that_the_epsilon_asked_for_is_told_beside_the_one_that_is_run(tmp_path) -> None:
    scale = Categorical(values=("1", "2", "3", "4"))
    column = protected("x", "nominal", scale, "grr", "1").changed(
        mechanism=Pram.starting(scale, Decimal("1.25"))
    )
    plan = plan_of(column)
    ((_, bound),) = bind_attributes(plan)
    (row, *_) = codebook(plan, tmp_path)
    # A matrix of short fractions loses a little less than its epsilon, which is a rounded one.
    law = [[Fraction(chance) for chance in line] for line in bound.mechanism.matrix]
    ratio = max(x / y for column in zip(*law, strict=True) for x in column for y in column)
    assert 0 < Decimal(row["epsilon_asked"]) - Decimal(row["epsilon_run"]) < Decimal("1e-11")
    assert float(row["epsilon_asked"]) == float(column.mechanism.epsilon)
    assert float(row["epsilon_run"]) == pytest.approx(log(ratio), rel=1e-12)


NUMBERS = Real(lower=Decimal("-0.5"), upper=Decimal(2), resolution=Decimal("0.25"), unit="km")


@pytest.mark.parametrize(
    "kind", [kind for kind in MECHANISMS if kind.misfit(NUMBERS) is None], ids=kind_of
)
@pytest.mark.parametrize("unit", ["km", ""])
def test_that_the_codebook_tells_the_numbers_that_a_mechanism_can_release(
    kind: type[Mechanism], unit: str, tmp_path
) -> None:
    domain = NUMBERS.model_copy(update={"unit": unit})
    column = protected("x", "real", domain, "laplace", "1")
    plan = plan_of(column.changed(mechanism=kind.starting(domain, Decimal(1))))
    ((_, bound),) = bind_attributes(plan)
    numbers = sorted(map(float, bound.outputs))
    rows = codebook(plan, tmp_path)
    meanings = [row["meaning"] for row in rows]
    ends, of = (numbers[0], numbers[-1]), f" {unit}".rstrip()
    if len(numbers) == 2:
        assert [float(row["value"]) for row in rows] == numbers
        assert meanings == (
            [T.BIT_LOW_IN(unit=unit), T.BIT_HIGH_IN(unit=unit)]
            if unit
            else [T.BIT_LOW(), T.BIT_HIGH()]
        )
        return
    (meaning,) = meanings
    assert rows[0]["value"] == ""
    first, last = (float(found) for found in re.findall(r"from (\S+) to (\S+)", meaning)[0])
    assert (first, last) == ends
    if numbers == [-0.5 + 0.25 * step for step in range(11)]:
        assert meaning == f"numbers from -0.50 to 2.00{of} in steps of 0.25"
    else:
        assert meaning.startswith(f"one of {len(numbers):,} numbers from ")
        assert meaning.endswith(f" to {bound.outputs[-1]}{of}")


def test_that_the_codebook_gives_roles_epsilons_and_law(tmp_path) -> None:
    rows: dict[str, dict[str, str]] = {}
    for row in codebook(PLAN, tmp_path):
        rows.setdefault(row["column"], row)
    assert rows["food=1"]["attribute"] == "food"
    assert rows["food=1"]["epsilon_asked"] == "1.25"
    assert 1.2499 < float(rows["food=1"]["epsilon_run"]) <= 1.25
    assert float(rows["food=1"]["p"]) == 0.5
    assert (rows["age"]["p"], rows["age"]["mechanism"]) == ("", "Bounded Laplace")
    assert float(rows["age"]["scale"]) == pytest.approx(80 / 3)
    assert rows["region"]["role"] == "kept"
    assert rows["wt"]["role"] == "weight"
    assert rows["wt"]["epsilon_asked"] == ""
    assert T.WEIGHTED_BY(name="wt") in rows["smoker"]["estimation"]
    assert T.WEIGHTED_ERROR(name="wt") in rows["smoker"]["estimation"]
    assert T.WEIGHTED_ERROR(name="wt") in rows["food=1"]["estimation"]


def test_that_the_error_by_the_rule_of_the_codebook_is_the_one_released() -> None:
    weights = np.where(np.arange(1000) % 5 == 0, 4.0, 1.0)
    plan = plan_of(COLUMNS[0], WEIGHT)
    bound = released_of(plan, weights=weights).attributes[0].bound
    p, q = bound.parameters()["p"], bound.parameters()["q"]
    said = bound.randomize((np.arange(1000) % 2).astype(np.int32), ShakeWords("codebook"))
    tally = bound.tally(said, weights)
    scores = ((said == 0) - q) / (p - q)
    mean = float(weights @ scores) / weights.sum()
    error = np.sqrt((weights**2 * (scores - mean) ** 2).sum()) / weights.sum()
    estimate = bound.estimate(tally)
    assert 0 < mean < 1
    assert estimate.value[0] == pytest.approx(mean)
    assert estimate.total_error[0] == pytest.approx(error)


def test_that_dropped_columns_are_not_in_the_codebook(tmp_path) -> None:
    write_codebook(released_of(PLAN), tmp_path)
    assert b"canary" not in (tmp_path / "codebook.csv").read_bytes()


def test_that_cells_that_would_be_formulas_are_neutralised_and_the_codebook_says_so(
    tmp_path,
) -> None:
    domain = Categorical(values=("=1+1", "-3", "-3 to 0"))
    plan = plan_of(protected("x", "nominal", domain, "grr", "1"))
    rows = codebook(plan, tmp_path)
    assert [row["value"] for row in rows] == ["'=1+1", "-3", "'-3 to 0"]
    assert [restore(row["value"]) for row in rows] == list(domain.values)
    assert [row["note"] for row in rows] == [T.APOSTROPHE(), "", T.APOSTROPHE()]


def test_that_labels_of_a_kept_column_are_explained(tmp_path) -> None:
    labels = Categorical(values=("1", "2"), labels={"1": "north", "2": "south"})
    kept = KEPT.model_copy(update={"domain": labels})
    rows = [r for r in codebook(plan_of(COLUMNS[0], kept), tmp_path) if r["column"] == "region"]
    assert [(r["value"], r["meaning"]) for r in rows[1:]] == [("1", "north"), ("2", "south")]


_FIELDS = ("name", "label", "kind", "domain", "missing", "other")


def asked(columns) -> list[tuple[object, ...]]:
    return [tuple(getattr(column, name) for name in _FIELDS) for column in columns]


def test_that_a_codebook_that_was_released_describes_the_same_questions_again(tmp_path) -> None:
    odd = Categorical(values=("=1+1", "'=x", "-9", "a,b", " c ", "@"), labels={"-9": "no, never"})
    rules = MissingPolicy(tokens=("", "-1", "x;y"), policy="category", value="(none)")
    plan = plan_of(
        *COLUMNS,
        protected("odd", "nominal", odd, "olh", "1", missing=rules, label="An odd one"),
        protected("-cold", "integer", Integer(lower=-20, upper=30, step=5), "laplace", "1"),
        DROPPED,
        KEPT,
        WEIGHT,
        ColumnPlan(name="kept", kind="ordinal", role="keep", keep_confirmed=True, domain=odd),
    )
    write_codebook(released_of(plan), tmp_path)
    drafted = draft_codebook(load_codebook(tmp_path / "codebook.csv"))
    assert asked(drafted.columns) == asked(c for c in plan.columns if c is not DROPPED)
    assert {column.provenance for column in drafted.columns} == {"codebook"}
    # Who brings a codebook has written its domains down without looking at the answers.
    assert all(column.confirmed for column in drafted.columns if column.domain is not None)


@pytest.mark.parametrize("kind", MECHANISMS, ids=kind_of)
def test_that_the_answers_are_told_whatever_form_the_reports_have(kind, tmp_path) -> None:
    asked_of = {"nominal": SCALE, "binary": YES_NO, "integer": AGES}
    asked_of["several"] = OptionSet(values=("tv", "web"), separator="/", nothing="")
    word, domain = next(one for one in asked_of.items() if kind.misfit(one[1]) is None)
    column = protected("x", word, domain, "warner", "1", label="X").changed(
        mechanism=kind.starting(domain, Decimal(1))
    )
    write_codebook(released_of(plan_of(column)), tmp_path)
    (entry,) = load_codebook(tmp_path / "codebook.csv").values()
    assert (entry.name, entry.kind, entry.domain, entry.label) == ("x", word, domain, "X")
