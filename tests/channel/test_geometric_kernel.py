from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpdesk.channel import GeometricKernel, geometric_weights
from tests.channel.kernel_checks import inverse_undoes_the_channel

CASES = [(2, 1.0), (3, 0.0001), (7, 40.0), (82, 1.0), (200, 0.01), (2_000, 3.0)]


def test_that_the_inverse_undoes_the_channel_on_the_table_that_is_run() -> None:
    inverse_undoes_the_channel()


@pytest.mark.parametrize(("size", "epsilon"), CASES)
def test_that_the_rows_of_the_kernel_are_those_of_its_matrix(size: int, epsilon: float) -> None:
    kernel = GeometricKernel.at(size, epsilon)
    matrix = kernel.matrix()
    assert matrix.sum(axis=1) == pytest.approx(np.ones(size), abs=1e-12)
    for code in (0, size // 2, size - 1):
        assert kernel.row(code) == pytest.approx(matrix[code], abs=1e-14)


@pytest.mark.parametrize(("size", "epsilon"), CASES)
def test_that_expected_values_are_those_of_the_matrix(size: int, epsilon: float) -> None:
    kernel = GeometricKernel.at(size, epsilon)
    values = np.sin(np.arange(size)) + 2.0
    assert kernel.expected(values) == pytest.approx(kernel.matrix() @ values, rel=1e-11)


@pytest.mark.parametrize(("size", "epsilon"), CASES[:4])
def test_that_the_kernel_loses_epsilon_between_its_ends(size: int, epsilon: float) -> None:
    matrix = GeometricKernel.at(size, epsilon).matrix()
    loss = np.log(matrix.max(axis=0) / matrix.min(axis=0)).max()
    assert loss == pytest.approx(epsilon, rel=1e-9)


def test_that_the_integer_table_is_the_kernel_to_rounding() -> None:
    table = geometric_weights(82, Decimal(1))
    exact = [[float(Fraction(w, 2**64)) for w in row] for row in table.tolist()]
    assert GeometricKernel.at(82, 1.0).matrix() == pytest.approx(np.array(exact), rel=1e-12)
