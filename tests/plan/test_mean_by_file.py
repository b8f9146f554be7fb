"""What a mean is worth goes by the numbers of the file, which may fill few of their bounds."""

from __future__ import annotations

from decimal import Decimal
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Date, Integer
from dpdesk.mechanisms import Mechanism, mechanism_named
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.checks.usefulness import check_usefulness
from dpdesk.plan.given_answers import with_counts_of
from dpdesk.plan.release_usefulness import usefulness_of_records, usefulness_of_statistic
from dpdesk.plan.remedies import cheapest_remedy, remedies
from dpdesk.plan.statistics import Statistics
from dpdesk.queries.phrase import parse_query

ROWS = 2000


def protected(name: str, kind: str, domain: object, mechanism: str) -> ColumnPlan:
    law = mechanism_named(mechanism)(epsilon=Decimal(1))
    return ColumnPlan(
        name=name, kind=kind, domain=domain, confirmed=True, role="protect", mechanism=law
    )


SEX = protected("sex", "binary", Categorical(values=("f", "m")), "warner")
VISITS = protected("visits", "integer", Integer(lower=0, upper=60), "piecewise").changed(
    mechanism=mechanism_named("piecewise")(epsilon=Decimal(4))
)


def visits(folder: Path, answers: list[int]) -> SurveyTable:
    path = folder / "visits.csv"
    path.write_text("\n".join(["visits", *map(str, answers)]), encoding="utf-8")
    return load(path)


def error_of(mechanism: Mechanism, domain: Integer, answers: list[int]) -> float:
    """The 95 % error of a mean, from the moments of the reports of each answer."""
    bound = mechanism.bind(domain)
    moments = bound.report_moments(np.array(answers) - domain.lower)
    noise = (moments[:, 1] - moments[:, 0] ** 2).mean()
    return 1.959964 * float(np.sqrt((noise + np.var(answers)) / len(answers)))


@pytest.mark.parametrize("mirrored", [False, True])
def test_that_a_mean_below_its_error_is_useful_in_no_file(tmp_path, mirrored: bool) -> None:
    """By its declared bounds it is: of those the error is a small part."""
    answers = [2 if i % 10 == 0 else 0 for i in range(ROWS)]
    table = visits(tmp_path, [60 - a if mirrored else a for a in answers])
    plan = Plan(respondents=ROWS, columns=(VISITS,), reading=table.reading)
    supposed = usefulness_of_records(plan).by_name["visits"]
    assert (supposed.verdict, supposed.near) == ("useful", "")
    found = usefulness_of_records(with_counts_of(plan, table)).by_name["visits"]
    # 0.2 visits each; the error is that of such answers, not of answers spread evenly.
    assert found.error == pytest.approx(error_of(VISITS.mechanism, VISITS.domain, answers))
    assert supposed.error > found.error > 0.2
    assert found.size == pytest.approx(0.2)
    assert (found.verdict, found.near) == ("useless", "60" if mirrored else "0")
    assert found.brief.id == "plan.worth-near"
    assert not found.is_of_few_respondents
    (problem,) = check_usefulness(with_counts_of(plan, table))
    assert problem.code == "useless"
    assert "categories" in problem.remedy
    # Remedies are measured against the same.
    judged = with_counts_of(plan, table)
    offered = list(remedies(judged, judged.column("visits")))
    assert [each.gives.near for each in offered] == [found.near] * len(offered)
    assert cheapest_remedy(plan, "visits") is None, "by its bounds it is useful"


def test_that_a_mean_in_the_middle_of_its_bounds_is_judged_by_them(tmp_path) -> None:
    table = visits(tmp_path, [28 + i % 5 for i in range(ROWS)])
    plan = Plan(respondents=ROWS, columns=(VISITS,))
    judged = with_counts_of(plan, table)
    assert judged.column("visits").judged_numbers == pytest.approx((30, sqrt(2)), abs=0.01)
    found, supposed = (usefulness_of_records(one).by_name["visits"] for one in (judged, plan))
    assert (found.size, found.verdict, found.of_file) == (supposed.size, "useful", False)


def test_that_numbers_that_are_all_alike_are_one_step_from_their_bound(tmp_path) -> None:
    judged = with_counts_of(Plan(respondents=ROWS, columns=(VISITS,)), visits(tmp_path, [0] * ROWS))
    found = usefulness_of_records(judged).by_name["visits"]
    assert (found.size, found.near) == (1.0, "0")


@pytest.mark.parametrize(
    ("answers", "verdict", "said"),
    [
        # Bounds of thousands make the error larger than the mean and the spread.
        ([2, 3, 4], "useless", "plan.worth"),
        # A balance: its mean is near 0, and its spread is what its error is a small part of.
        ([-900, 0, 900], "useful", "plan.worth-difference"),
        ([-30, 0, 30], "useless", "plan.worth-difference"),
        # A large mean is told well enough, however alike the answers are.
        ([699, 700, 701], "useful", "plan.worth-difference"),
    ],
)
def test_that_wide_bounds_make_no_mean_useful(
    tmp_path, answers: list[int], verdict: str, said: str
) -> None:
    table = visits(tmp_path, [answers[i % 3] for i in range(ROWS)])
    wide = VISITS.model_copy(update={"domain": Integer(lower=-1000, upper=1000)})
    plan = Plan(respondents=ROWS, columns=(wide,), reading=table.reading)
    supposed = usefulness_of_records(plan).by_name["visits"]
    assert (supposed.verdict, supposed.of_file) == ("useful", False)
    judged = with_counts_of(plan, table)
    found = usefulness_of_records(judged).by_name["visits"]
    given = [answers[i % 3] for i in range(ROWS)]
    assert found.error == pytest.approx(error_of(wide.mechanism, wide.domain, given))
    assert (found.verdict, found.near) == (verdict, "")
    assert found.brief.id == said
    if verdict == "useless":
        assert found.of_file
        assert not found.is_of_few_respondents
        (problem,) = check_usefulness(judged)
        assert "wider than the answers" in problem.remedy


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        ("mean of visits; epsilon=0.4", "useless"),
        # What the answers of some rows are, or between other bounds, is not counted.
        ("mean of visits where sex = f; epsilon=0.4", "useful"),
        ("mean of visits between -900 and 900; epsilon=0.4", "useful"),
        ("sum of visits; epsilon=0.4", "useful"),
    ],
)
def test_that_wide_bounds_make_no_mean_of_a_trusted_file_useful(asked: str, verdict: str) -> None:
    answers = {"visits": ["2", "3", "4", "3"] * 500, "sex": ["f", "f", "f", "m"] * 500}
    table = table_from_texts(answers)
    wide = VISITS.model_copy(update={"domain": Integer(lower=-1000, upper=1000), "role": "drop"})
    statistics = Statistics(queries=(parse_query(asked),))
    plan = Plan(respondents=ROWS, columns=(wide, SEX), statistics=statistics)
    judged = with_counts_of(plan, table)
    supposed, found = (usefulness_of_statistic(one, 0) for one in (plan, judged))
    assert supposed is not None
    assert found is not None
    assert (supposed.verdict, supposed.of_file) == ("useful", False)
    assert (found.verdict, found.of_file) == (verdict, verdict == "useless")


def test_that_other_numbers_with_the_same_mean_are_judged_by_their_own_spread(tmp_path) -> None:
    wide = VISITS.model_copy(update={"domain": Integer(lower=-1000, upper=1000)})
    plan = Plan(respondents=ROWS, columns=(wide,))
    near = visits(tmp_path, [(-30, 0, 30)[i % 3] for i in range(1998)])
    apart = visits(tmp_path, [(-900, 0, 900)[i % 3] for i in range(1998)])
    both = with_counts_of(with_counts_of(plan, near), apart)
    assert both.column("visits").judged_numbers == pytest.approx((0, 900 * sqrt(2 / 3)))


@pytest.mark.parametrize("first", ["2024-01-01", "1970-01-01"])
def test_that_the_mean_of_dates_has_no_size_of_its_own(tmp_path, first: str) -> None:
    """Where days are counted from is a convention, and says nothing of how far apart they are."""
    (tmp_path / "dates.csv").write_text("\n".join(["day", *[first, first[:-1] + "5"] * 999]))
    table = load(tmp_path / "dates.csv")
    days = protected("day", "date", Date.of("1900-01-01", "2099-12-31"), "duchi")
    judged = with_counts_of(Plan(respondents=1998, columns=(days,)), table)
    found = usefulness_of_records(judged).by_name["day"]
    # The days are 4 apart.
    assert (found.verdict, found.size, found.is_itself) == ("useless", pytest.approx(1), False)


def test_that_days_between_a_mean_and_its_bound_are_days() -> None:
    """A number of days is no date: what it is counted from has no say in it."""
    days = ["2024-12-31", *["2024-01-01"] * 19]
    table = table_from_texts({"met": [days[i % 20] for i in range(ROWS)]})
    met = protected("met", "date", Date.of("2024-01-01", "2044-12-31", "day"), "duchi")
    judged = with_counts_of(Plan(respondents=ROWS, columns=(met,), reading=table.reading), table)
    found = usefulness_of_records(judged).by_name["met"]
    assert (found.near, found.size) == ("2024-01-01", pytest.approx(365 / 20))
    assert found.brief.values["size"] == "18 days"
