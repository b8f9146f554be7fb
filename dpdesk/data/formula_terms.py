"""The factors of the terms of a model formula: columns, categories and calculated numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Columns = Callable[[str], Floats]
"""Gives the numbers of a column, shape (n,)."""


def _center(x: Floats, times: Counts) -> Floats:
    return np.asarray(x - (times * x).sum() / times.sum())


def _scale(x: Floats, times: Counts) -> Floats:
    # The standard deviation of a sample, with n - 1.
    centred = _center(x, times)
    return np.asarray(centred / np.sqrt((times * centred**2).sum() / (times.sum() - 1)))


def _of_rows(of: Callable[[Floats, Counts], Floats]) -> Callable[[Floats], Floats]:
    return lambda x: of(x, np.ones(len(x), dtype=np.int64))


_OVER_ALL: dict[str, Callable[[Floats, Counts], Floats]] = {"center": _center, "scale": _scale}

FUNCTIONS: dict[str, Callable[[Floats], Floats]] = {
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "exp": np.exp,
    "sqrt": np.sqrt,
    "abs": np.abs,
    **{name: _of_rows(of) for name, of in _OVER_ALL.items()},
}
"""Functions of numbers; `center` and `scale` are taken over the respondents that are used."""

KNOWN_FUNCTIONS = FUNCTIONS | {
    f"np.{name}": FUNCTIONS[name] for name in ("log", "log2", "log10", "exp", "sqrt", "abs")
}
"""The same functions, also by the names that users of numpy write."""

_OPERATIONS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
}
# How tightly each operation binds, and how tightly its left and right operands must: as in Python.
_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)
_BINDING = {
    "+": (_SUM, _SUM, _PRODUCT),
    "-": (_SUM, _SUM, _PRODUCT),
    "*": (_PRODUCT, _PRODUCT, _SIGN),
    "/": (_PRODUCT, _PRODUCT, _SIGN),
    "**": (_POWER, _ATOM, _POWER),
}


class Numbers(Protocol):
    """Gives numbers calculated from columns."""

    def __call__(self, columns: Columns, times: Counts | None = None, /) -> Floats:
        """Returns a value for every row, or one for all."""


@dataclass(frozen=True)
class Arithmetic:
    """A number calculated from columns.

    Attributes:
        text: The number as it is shown, with the parentheses that it needs.
        columns: The columns that it needs.
        binding: How tightly the outermost operation binds.
        numbers: Gives the value for every respondent, or one value for all, from the columns and
            how many respondents each of their rows stands for; None for one.
    """

    text: str
    columns: tuple[str, ...]
    binding: int = _ATOM
    numbers: Numbers = field(compare=False, default=lambda *_: np.zeros(()))

    def within(self, least: int) -> str:
        """The text as part of an operation whose operands bind at least so tightly."""
        return self.text if self.binding >= least else f"({self.text})"

    @classmethod
    def constant(cls, text: str, value: float) -> Arithmetic:
        """A literal number."""
        return cls(text, (), numbers=lambda *_: np.asarray(value))

    @classmethod
    def column(cls, name: str) -> Arithmetic:
        """The numbers of a column."""
        return cls(name, (name,), numbers=lambda columns, times=None: columns(name))

    @classmethod
    def signed(cls, sign: str, operand: Arithmetic) -> Arithmetic:
        """A number with a sign in front of it."""
        factor = -1.0 if sign == "-" else 1.0
        return cls(
            sign + operand.within(_SIGN),
            operand.columns,
            _SIGN,
            lambda columns, times=None: np.asarray(factor * operand.numbers(columns, times)),
        )

    @classmethod
    def operation(cls, sign: str, left: Arithmetic, right: Arithmetic) -> Arithmetic:
        """Two numbers with a sign between them."""
        binding, of_left, of_right = _BINDING[sign]
        operate = _OPERATIONS[sign]
        return cls(
            f"{left.within(of_left)} {sign} {right.within(of_right)}",
            left.columns + right.columns,
            binding,
            lambda columns, times=None: np.asarray(
                operate(left.numbers(columns, times), right.numbers(columns, times))
            ),
        )

    @classmethod
    def call(cls, function: str, argument: Arithmetic) -> Arithmetic:
        """A function of a number."""
        apply, over_all = KNOWN_FUNCTIONS[function], _OVER_ALL.get(function)

        def numbers(columns: Columns, times: Counts | None = None, /) -> Floats:
            values = np.atleast_1d(argument.numbers(columns, times))
            # A number alone is the same for all.
            if over_all is None or times is None or values.size != times.size:
                return apply(values)
            return over_all(values, times)

        return cls(f"{function}({argument.text})", argument.columns, numbers=numbers)


@dataclass(frozen=True)
class Column:
    """A column as it is: numbers, or categories."""

    name: str
    as_categories: bool = False

    @property
    def text(self) -> str:
        """The factor as it is shown."""
        return f"C({self.name})" if self.as_categories else self.name

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it needs."""
        return (self.name,)


@dataclass(frozen=True)
class Transformed:
    """A number calculated from columns; with a degree of 1 or more, its orthogonal polynomials."""

    text: str
    expression: Arithmetic
    degree: int = 0

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it needs."""
        return self.expression.columns


Factor = Column | Transformed
Term = tuple[Factor, ...]
"""Factors that are multiplied; none of them is the intercept."""
