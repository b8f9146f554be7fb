"""Quantiles with an interval for the population, and the points that can be chosen."""

from __future__ import annotations

import csv
import json
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from math import ceil, exp, expm1, log1p, sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest

from dpdesk.cli.main import main
from dpdesk.domains import Categorical, Integer
from dpdesk.plan.usefulness import usefulness_of_query
from dpdesk.queries import CodedRows, PrivacyUnit
from dpdesk.queries.bound import composed
from dpdesk.queries.phrase import parse_query
from dpdesk.queries.quantile import BoundQuantile, Quantile
from dpdesk.queries.texts import T

HEAPS = Integer(lower=0, upper=5000, step=10)


def bound_to(phrase: str, domain: object = HEAPS, relation: str = "add_remove") -> BoundQuantile:
    unit = PrivacyUnit(relation=relation)  # type: ignore[arg-type]
    found = parse_query(phrase).bind({"income": domain}, unit)  # type: ignore[dict-item]
    assert isinstance(found, BoundQuantile)
    return found


def heaped() -> CodedRows:
    codes = np.repeat([100, 200, 300], [100, 480, 420]).astype(np.int32)
    return CodedRows(1000, {"income": codes}, {"income": HEAPS})


@pytest.mark.parametrize("relation", ["add_remove", "replace"])
@pytest.mark.parametrize("shares", ["median", "quantiles 0.9, 0.1, 0.5"])
def test_that_a_quantile_with_its_interval_costs_what_is_asked(shares: str, relation: str) -> None:
    bound = bound_to(f"{shares} of income with interval; epsilon=0.7", relation=relation)
    count = len(bound.choices)
    # The number of answers, and for each quantile itself and two ends.
    assert len(bound.losses) == 1 + 3 * count
    assert bound.losses[0].epsilon == Decimal("0.07")
    assert Decimal("0.6999") < sum(loss.epsilon for loss in bound.losses) <= Decimal("0.7")
    assert composed([bound]).cost.epsilon <= Decimal("0.7")
    assert Decimal("0.6999") < bound.cost.epsilon <= Decimal("0.7")
    ends = {bound.choices[0].at(choice.alpha).choice.epsilon for choice in bound.choices}
    assert ends == {bound.choices[0].choice.epsilon}


def test_that_a_heap_is_released_with_an_interval_that_is_the_heap() -> None:
    bound = bound_to("median of income with interval; epsilon=20")
    rows = heaped()
    for _ in range(5):
        (median,) = bound.release(rows)
        assert (median.value, median.total_lower, median.total_upper) == (2000, 2000, 2000)
    (exact,) = bound.exact(rows)
    assert (exact.value, exact.total_lower) == (2000, None)
    (alone,) = bound_to("median of income; epsilon=20").release(rows)
    assert (alone.value, alone.total_lower) == (2000, None)


def test_that_released_numbers_are_in_the_order_of_their_shares_and_inside_intervals() -> None:
    # So little epsilon that choices are nearly uniform, and often in disorder.
    bound = bound_to("quantiles 0.9, 0.1, 0.5 of income with interval; epsilon=0.01")
    rows, shares = heaped(), [Decimal(key) for (key,) in bound.keys]
    assert shares == [Decimal("0.9"), Decimal("0.1"), Decimal("0.5")]
    for _ in range(20):
        found = bound.release(rows)
        values = [float(found[shares.index(share)].value or 0) for share in sorted(shares)]
        assert values == sorted(values)
        for one in found:
            ends = [float(end or 0) for end in (one.total_lower, one.value, one.total_upper)]
            assert ends == sorted(ends)


def test_that_points_of_a_fine_grid_are_round_numbers_where_answers_heap() -> None:
    fine = bound_to("median of income between 1 and 999999", Integer(lower=1, upper=999_999))
    numbers = {fine._number(place) for place in range(len(fine.points))}
    assert {1, 999_999, 2000, 12_500, 250_000} <= numbers
    assert 10_000 < len(numbers) <= 20_001
    assert T.NEAREST_MULTIPLE(step="100") in fine.assurance(0.95)
    coded = Categorical(values=("1", "5", "900"))
    for bound in (bound_to("median of income", coded), bound_to("median of income")):
        assert "multiple" not in bound.assurance(0.95)


def test_that_a_phrase_of_an_interval_is_what_it_says() -> None:
    query = parse_query("quantile 0.25 of income between 0 and 400 with interval where income >= 9")
    assert isinstance(query, Quantile)
    assert query.interval
    assert parse_query(query.description) == query
    # A plan of before has none.
    assert not Quantile.model_validate({"kind": "quantile", "column": "income"}).interval


def test_that_an_interval_is_stated_before_and_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data.csv"
    data.write_text("income\n" + "2000\n" * 480 + "3000\n" * 420 + "1000\n" * 100, "utf-8")
    asked = ["query", str(data), "--declare", "income=0..5000/10", "--epsilon", "4"]
    asked += ["--query", "median of income with interval"]
    assert main([*asked, "--before", "--json"]) == 0
    (before,) = json.loads(capsys.readouterr().out)["queries"]
    assert "interval" in before["if_answers_are_even"]
    assert len(before["derivations"]) == 2
    kept = ["--ledger", str(tmp_path / "ledger"), "--out", str(tmp_path / "out")]
    assert main([*asked, *kept]) == 0
    shown = capsys.readouterr().out
    assert "2,000   with sampling 2,000 to 2,000" in shown
    assert T.OF_RANDOM_SAMPLE() in shown
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    (result,) = report["queries"][0]["results"]
    assert (result["total_lower"], result["total_upper"]) == (2000, 2000)
    assert T.OF_RANDOM_SAMPLE() in report["queries"][0]["assurance"]
    with (tmp_path / "out" / "statistics.csv").open(encoding="utf-8-sig") as file:
        (line,) = csv.DictReader(file)
    assert (line["total_lower"], line["total_upper"]) == ("2000.0", "2000.0")


def rank_missed(points: int, alpha: Fraction, epsilon: float, confidence: float) -> float:
    """By how many rows a number misses its rank at worst, from the law of permute-and-flip."""
    a, b = alpha.as_integer_ratio()
    scale, behind = 2 * max(a, b - a) / epsilon, 0

    def is_first(lead: int) -> float:
        p = exp(-lead / scale)
        return -expm1(points * log1p(-p)) / (points * p) if p < 1 else 1 / points

    # All other numbers just so far behind.
    while is_first(behind + 1) < confidence:
        behind += 1
    return behind / b


def test_that_the_verdict_on_a_quantile_is_that_of_its_rank() -> None:
    generator, verdicts = Random(58), Counter[str]()
    for _ in range(60):
        percent, points = generator.randrange(5, 100, 5), generator.randint(3, 600)
        rows, epsilon = generator.randint(20, 900), generator.choice(("0.1", "0.3", "1", "3"))
        bound = bound_to(
            f"quantile {percent / 100} of income; epsilon={epsilon}",
            Integer(lower=0, upper=points - 1),
        )
        missed = rank_missed(points, Fraction(percent, 100), float(epsilon), 0.95)
        error, size = 100 * missed / rows, 100 / sqrt(12) / 2
        verdict = "useless" if error > size else "coarse" if error > size / 3 else "useful"
        found = usefulness_of_query(bound, rows)
        assert found.error == pytest.approx(error)
        assert found.verdict == verdict
        stated = T.RANK_SHORTFALL(confidence="95 %", count=ceil(missed))
        assert bound.assurance(0.95).startswith(stated)
        verdicts[verdict] += 1
    assert min(verdicts[each] for each in ("useful", "coarse", "useless")) >= 5
