"""Post-randomization (PRAM): any matrix of transition chances between categories."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import lcm, sqrt
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from dpdesk.channel import WORD_TOTAL, DenseLaw, rounded_rows
from dpdesk.cost import EPSILON_MAX, EPSILON_MIN, format_epsilon, log_upper, parse_epsilon
from dpdesk.domains import AnyDomain
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, Message
from dpdesk.mechanisms.among_answered import shares_by_scores
from dpdesk.mechanisms.base import BoundMechanism, Tick
from dpdesk.mechanisms.estimates import Accuracy, Answers, Estimate, linear_share_estimate
from dpdesk.mechanisms.frequency_oracle import CategoricalMechanism
from dpdesk.mechanisms.possible_shares import PossibleEstimates, iterative_bayes, projections_of
from dpdesk.mechanisms.score_rule import Numbers, ScoreRule, numbers_of
from dpdesk.mechanisms.tally import Tally, count_symbols
from dpdesk.mechanisms.texts import T
from dpdesk.numbers.arrays import Codes, Floats
from dpdesk.randomness import WordSource

Matrix = tuple[tuple[str, ...], ...]
"""Rows of chances as texts: row x for the true category x, column y for the reported one."""

MATRIX_MAX = 200
"""Largest number of categories; nobody writes a larger matrix by hand."""

# Above it an inverse in double precision has too few digits for an estimate.
_CONDITION_MAX = 1e9
_EPSILON_DIGITS = 12
_CHANCE = re.compile(r"[0-9]{1,3}(\.[0-9]{1,30})?|[0-9]{1,30}/[0-9]{1,30}")


def matrix_of(rows: object) -> Matrix:
    """Reads a matrix of chances exactly.

    Args:
        rows: A list of rows, each a list of chances: texts such as "0.25" or "1/3", whole numbers
            or decimals, but not floats.

    Raises:
        ParameterError: It is not square, a chance is not of this form, 0 or negative, or a row
            does not sum to 1; the message names row and column by their position.
    """
    listed = _lists(rows)
    size = len(listed)
    if not 2 <= size <= MATRIX_MAX:
        raise ParameterError(T.MATRIX_ROWS(rows=size, most=MATRIX_MAX))
    for x, row in enumerate(listed, 1):
        if len(row) != size:
            raise ParameterError(T.MATRIX_ROW(row=x, columns=len(row), rows=size))
    matrix = tuple(
        tuple(_text_of(chance, x, y) for y, chance in enumerate(row, 1))
        for x, row in enumerate(listed, 1)
    )
    _require_law(matrix)
    return matrix


def _lists(rows: object) -> list[Sequence[object]]:
    if not isinstance(rows, (list, tuple)) or not all(isinstance(r, (list, tuple)) for r in rows):
        raise ParameterError(T.NO_MATRIX())
    return list(rows)


def _text_of(chance: object, x: int, y: int) -> str:
    text = ""
    if isinstance(chance, (str, Decimal)) or (isinstance(chance, int) and chance is not True):
        text = format(chance, "f") if isinstance(chance, Decimal) else str(chance).strip(" ")
    denominator = text.partition("/")[2]
    if not _CHANCE.fullmatch(text) or (denominator and int(denominator) == 0):
        raise ParameterError(T.NO_PROBABILITY(row=x, column=y))
    return text


def _require_law(matrix: Matrix) -> None:
    for x, row in enumerate(chances(matrix), 1):
        for y, chance in enumerate(row, 1):
            if chance == 0:
                # Such a report would prove that the true category is another.
                raise ParameterError(T.ZERO_PROBABILITY(row=x, column=y))
        total = sum(row)
        if total != 1:
            raise ParameterError(T.ROW_SUM(row=x, sum=f"{float(total):.12g}"))


@lru_cache(maxsize=64)
def chances(matrix: Matrix) -> tuple[tuple[Fraction, ...], ...]:
    """Returns the matrix as rationals."""
    return tuple(tuple(map(Fraction, row)) for row in matrix)


def float_matrix(matrix: Matrix) -> NDArray[np.float64]:
    """Returns the matrix in floating point, shape (k, k)."""
    return np.array([[float(chance) for chance in row] for row in chances(matrix)])


def integer_rows(matrix: Matrix) -> list[tuple[list[int], int]]:
    """Returns each row as whole numerators with their sum."""
    rows = []
    for row in chances(matrix):
        common = lcm(*(chance.denominator for chance in row))
        rows.append(([int(chance * common) for chance in row], common))
    return rows


@lru_cache(maxsize=64)
def epsilon_of(matrix: Matrix) -> Decimal:
    """Returns the epsilon of a matrix, rounded up at the 12th digit after the point.

    It is the logarithm of the largest ratio of two chances in one column.

    Raises:
        ParameterError: Nothing could be estimated from the reports, or epsilon is above 40.
    """
    if np.linalg.cond(float_matrix(matrix)) > _CONDITION_MAX:
        raise ParameterError(T.NO_INVERSE())
    columns = zip(*chances(matrix), strict=True)
    epsilon = log_upper(max(max(c) / min(c) for c in columns), _EPSILON_DIGITS)
    if not EPSILON_MIN <= epsilon <= EPSILON_MAX:
        least, most = str(EPSILON_MIN), str(EPSILON_MAX)
        raise ParameterError(T.MATRIX_EPSILON(epsilon=f"{epsilon:f}", least=least, most=most))
    return epsilon


_STARTING_DIGITS = 8


class Pram(CategoricalMechanism):
    """PRAM: a report is drawn from the row of the true category; epsilon follows from the rows."""

    short = "PRAM"
    title = N_("Post-randomization with your own matrix")
    summary = N_("The report is a category, drawn by the true category's row of a given matrix.")
    reference = "Gouweleeuw, Kooiman, Willenborg & de Wolf 1998, J. Official Statistics 14, 463-478"
    most_categories = MATRIX_MAX
    adjustable = False

    kind: Literal["pram"] = "pram"
    matrix: Annotated[
        Matrix,
        Field(
            title="Matrix",
            description="Chances of the reported categories (columns) for each true category "
            "(rows), in the order of the categories; exact decimals or fractions.",
            min_length=2,
            max_length=MATRIX_MAX,
        ),
    ]

    @model_validator(mode="before")
    @classmethod
    def _epsilon_follows(cls, fields: Any) -> Any:
        if isinstance(fields, dict) and "matrix" in fields:
            return _with_its_epsilon(fields)
        return fields

    @classmethod
    def starting(cls, domain: AnyDomain, epsilon: Decimal) -> Pram:
        # At least twice the smallest epsilon, so that rounding never takes it below that.
        size, epsilon = domain.size, max(epsilon, 2 * EPSILON_MIN)
        # Rounding the other categories' chance up keeps the ratio below e^epsilon.
        scale = 10 ** (_STARTING_DIGITS + len(str(size)))
        other = int(scale / (float(epsilon.exp()) + size - 1)) + 1
        truth = scale - (size - 1) * other
        rows = [[f"{truth if y == x else other}/{scale}" for y in range(size)] for x in range(size)]
        return cls.model_validate({"matrix": rows})

    def objection(self, domain: AnyDomain) -> Message | None:
        if self.misfit(domain) is None and domain.size != len(self.matrix):
            return T.MATRIX_SIZE(rows=len(self.matrix), categories=domain.size)
        return self.misfit(domain)

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> BoundPram:
        self.require_fit(domain)
        return BoundPram(self, domain, tick)

    def forecast(self, domain: AnyDomain) -> PramForecast:
        self.require_fit(domain)
        return _forecast(self.matrix)


def _with_its_epsilon(fields: dict[str, Any]) -> dict[str, Any]:
    """Computes epsilon from the matrix, or refuses another one."""
    matrix = matrix_of(fields["matrix"])
    epsilon, given = epsilon_of(matrix), fields.get("epsilon")
    if given is not None and parse_epsilon(given) != epsilon:
        raise ParameterError(T.OTHER_EPSILON(epsilon=format_epsilon(epsilon)))
    return fields | {"matrix": matrix, "epsilon": epsilon}


@lru_cache(maxsize=64)
def _forecast(matrix: Matrix) -> PramForecast:
    return PramForecast(float_matrix(matrix))


class PramForecast:
    """Preview of a transition matrix: a `Forecast` of shares.

    The estimates are r M^-1 for shares r of the reports. Given true category u the contribution
    to category v has mean 1 if u = v, else 0, and second moment `squares`[u, v].
    """

    quantity: Literal["share", "mean"] = "share"
    form: Literal["symbol", "bits", "support"] = "symbol"
    positions: Floats | None = None

    def __init__(self, matrix: Floats) -> None:
        self.matrix = matrix
        self.worth: Floats = np.linalg.inv(matrix).astype(np.float64)
        self.squares = matrix @ self.worth**2
        self.size = self.outputs = len(matrix)

    def probabilities(self, code: int) -> Floats:
        """Returns the row of the true category, shape (k,)."""
        return np.asarray(self.matrix[code])

    def report_law(self) -> tuple[Floats, Floats, float]:
        """Returns what reports add to the category of average error, answers spread evenly."""
        noise = self.squares.mean(axis=0)
        middling = int(np.abs(noise - noise.mean()).argmin())
        return np.asarray(self.worth[:, middling]), self.matrix.mean(axis=0), 1 / self.size

    def accuracy(self, reports: float, share: float | None = None) -> Accuracy:
        """Returns the error to expect of one category, as root mean square over all of them.

        The category has this share (1/k when not given), the others have equal parts of the rest.
        """
        f = 1 / self.size if share is None else share
        own = np.diag(self.squares)
        others = (self.squares.sum(axis=0) - own) / (self.size - 1)
        noise = float(np.mean(f * own + (1 - f) * others) - f) / reports
        sampling = f * (1 - f) / reports
        return Accuracy(sqrt(noise), sqrt(sampling), sqrt(noise + sampling))

    def variances(self, answers: Answers) -> tuple[Floats, Floats]:
        """Returns n times the variances of each share, shape (k,)."""
        shares = np.array(answers.shares)
        noise = np.maximum(shares @ self.squares - shares, 0.0)
        return np.asarray(noise), shares * (1 - shares)

    @property
    def noise_constant(self) -> float:
        """The constant n Var* of the worst category, all respondents being of the worst other."""
        return float(np.max(self.squares - np.diag(np.diag(self.squares))))

    @property
    def truthful(self) -> float:
        """Share of reports that are the true category, for answers spread evenly."""
        return float(np.diag(self.matrix).mean())


class BoundPram(BoundMechanism):
    """A transition matrix on a domain: the integer table that is run, and its inverse."""

    numeric_outputs = False

    def __init__(self, mechanism: Pram, domain: AnyDomain, tick: Tick | None) -> None:
        self.mechanism: Pram = mechanism
        self.domain = domain
        self.outputs = domain.texts
        rows = rounded_rows(iter(integer_rows(mechanism.matrix)), domain.size, mechanism.epsilon)
        self.law = DenseLaw(np.array([*rows], dtype=np.uint64), tick)
        self.certificate = self.law.certificate(mechanism.epsilon)
        self._forecast = PramForecast(self.law.weights / WORD_TOTAL)

    def randomize(self, codes: Codes, words: WordSource) -> Codes:
        return self.law.sample(codes, words.take(codes.size))

    def counts(self, reports: Codes, weights: Floats | None) -> Floats:
        return count_symbols(reports, self.size, weights)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        # Through the inverse. The errors are the exact multinomial ones at the possible
        # distribution nearest to the estimates; the interval is the score interval.
        value = tally.shares @ self._forecast.worth
        squared = tally.square_shares @ self._forecast.worth
        possible = PossibleEstimates(
            **projections_of(value),
            iterative_bayes=lambda: iterative_bayes(tally.counts, self._forecast.matrix),
        )
        own = np.diag(self._forecast.squares)
        return linear_share_estimate(value, squared, self._noise, own, tally, confidence, possible)

    def totals(self, counts: Floats, weight: Floats) -> Floats:
        return np.asarray(counts @ self._forecast.worth)

    def report_scores(self, reports: Codes) -> Floats:
        return np.asarray(self._forecast.worth[reports])

    def score_rule(self) -> ScoreRule:
        numbers = {"matrix": self._forecast.worth, "squares": self._forecast.squares}
        return ScoreRule(
            "matrix", {key: numbers_of(found) for key, found in numbers.items()}, (*self.outputs,)
        )

    def report_chances(self, reports: Codes) -> Floats:
        return np.asarray(self._forecast.matrix.T[reports])

    def among_answered(self, tally: Tally, missing: int) -> Estimate:
        worth, matrix = self._forecast.worth, self._forecast.matrix
        mixed = self._mixed(missing)

        def products(shares: Floats) -> tuple[Floats, Floats]:
            return shares @ matrix @ worth**2, shares @ mixed

        value, squared = tally.shares @ worth, tally.square_shares @ worth
        return shares_by_scores(value, squared, products, tally, missing)

    def answered_rule(self, missing: int) -> Mapping[str, Numbers]:
        return {"mixed": numbers_of(self._mixed(missing))}

    def _mixed(self, missing: int) -> Floats:
        worth = self._forecast.worth
        return np.asarray(self._forecast.matrix @ (worth * worth[:, [missing]]))

    def _noise(self, shares: Floats) -> Floats:
        return np.asarray(np.maximum(shares @ self._forecast.squares - shares, 0.0))

    def parameters(self) -> dict[str, float]:
        return {"n_var_star": self._forecast.noise_constant}

    def estimation_rule(self, weighted: str) -> str:
        return T.MATRIX_RULE(weighted=weighted)
