"""Shares of several answers, by going through all answers that a few respondents can give."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import product
from math import factorial, isclose, log, prod

import numpy as np
import pytest

from dpdesk.cli.main import main
from dpdesk.designs import Count, design_named, loss_of
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.matrix_categories import CategoryDesign, MatrixCategories, inverse
from dpdesk.errors import InputError
from tests.refusals import refused

SKEWED = (("3/4", "1/8", "1/8"), ("1/10", "4/5", "1/10"), ("0", "1/3", "2/3"))
DESIGNS = [ForcedCategories(orders=("1/12", "1/6", "1/4")), MatrixCategories(rows=SKEWED)]
SHARES = (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))


def outcomes(design: CategoryDesign, size: int) -> list[tuple[tuple[int, ...], float]]:
    said = [sum(t * row[j] for t, row in zip(SHARES, design.law, strict=True)) for j in range(3)]
    found = []
    for counts in product(range(size + 1), repeat=3):
        if sum(counts) == size:
            ways = factorial(size) // prod(map(factorial, counts))
            found.append(
                (counts, float(ways * prod(p**c for p, c in zip(said, counts, strict=True))))
            )
    return found


@pytest.mark.parametrize("size", [2, 5])
@pytest.mark.parametrize("design", DESIGNS, ids=["forced", "matrix"])
def test_that_shares_are_unbiased_with_the_planned_variance(
    design: CategoryDesign, size: int
) -> None:
    truth = np.array(SHARES, dtype=float)
    mean, covariance, estimated = np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3))
    for counts, chance in outcomes(design, size):
        found = design.estimate(counts)
        mean += chance * found.shares
        covariance += chance * np.outer(found.shares - truth, found.shares - truth)
        estimated += chance * found.covariance
    np.testing.assert_allclose(mean, truth, atol=1e-12)
    np.testing.assert_allclose(estimated, covariance, atol=1e-12)
    sampling, privacy = design.planned_variances(truth)
    np.testing.assert_allclose((sampling + privacy) / size, np.diag(covariance), rtol=1e-10)


def test_that_two_answers_are_the_design_of_one_trait() -> None:
    two = MatrixCategories(rows=(("3/4", "1/4"), ("1/4", "3/4"))).estimate((40, 60))
    one = design_named("warner")(p="3/4").estimate([Count(40, 100)])
    assert isclose(two.shares[0], one.estimate)
    assert isclose(two.standard_errors[0], one.standard_error)
    assert isclose(two.privacy_errors[0], one.privacy_error)
    assert isclose(two.sampling_errors[0], one.sampling_error)


@pytest.mark.parametrize("orders", [("1/12", "1/6", "1/4"), ("1/10", "1/10"), ("0.2", "0.1")])
def test_that_the_epsilon_of_forced_answers_is_that_of_the_rarest_order(orders) -> None:
    design = ForcedCategories(orders=orders)
    least, truth = min(design.orders), 1 - sum(design.orders)
    assert isclose(loss_of(design.groups).epsilon, log(1 + truth / least))


def test_that_an_impossible_answer_is_a_proof() -> None:
    loss = loss_of(DESIGNS[1].groups)
    assert loss.ratio is None
    assert [answer.answer for answer in loss.disclosing] == ["answer 1"]
    assert loss.disclosing[0].rules_out == "answer 3"


def test_that_the_inverse_is_exact() -> None:
    law = DESIGNS[1].law
    found = inverse(law)
    assert found is not None
    for i, j in product(range(3), repeat=2):
        assert sum(law[i][k] * found[k][j] for k in range(3)) == int(i == j)
    assert inverse(((Fraction(1, 2), Fraction(1, 2)),) * 2) is None


@pytest.mark.parametrize(
    ("design", "said"),
    [
        (ForcedCategories(orders=("1/2", "1/2")), "always-ordered"),
        (MatrixCategories(rows=(("1/2", "1/2"), ("1/2", "1/2"))), "no-inverse"),
        (MatrixCategories(rows=(("1/2", "1/4"), ("1/2", "1/2"))), "no-row-sum"),
        (MatrixCategories(rows=(("1",), ("1/2", "1/2"))), "no-square"),
    ],
)
def test_that_a_device_that_is_none_is_refused(design: CategoryDesign, said: str) -> None:
    with refused(f"designs.{said}"):
        design.estimate((3, 4))


@pytest.mark.parametrize("answers", [(1, 0, 0), (3, 4), (3, 4, -1), (0, 0, 0), ()])
def test_that_impossible_numbers_of_answers_are_refused(answers: tuple[int, ...]) -> None:
    with pytest.raises(InputError):
        DESIGNS[0].estimate(answers)


def test_that_the_command_line_estimates_shares(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["survey", "estimate", "--design", "matrix", "--set", "rows=4/5,1/5;1/4,3/4"]
    assert main([*words, "--answers", "120,80", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isclose(found["shares"][0]["estimate"], 0.35 / 0.55)
    assert isclose(found["epsilon"], log(0.75 / 0.2))
    assert main([*words, "--answers", "120,80"]) == 0
    assert re.search(r"^  1 +63\.64 %", capsys.readouterr().out, re.MULTILINE)
    for wrong in (["--answers", "120"], ["--answers", "a,b"], []):
        assert main([*words, *wrong]) != 0
        assert capsys.readouterr().err.startswith("dpdesk: ")
