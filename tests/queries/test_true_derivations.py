"""What a query says of its sensitivity and its certainty, against all that a respondent can do."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import ceil, exp
from typing import Any, get_args

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.errors import ParameterError
from dpdesk.queries import QUERIES, BoundQuery, MeasuredQuery, PrivacyUnit
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.noise import NOISE_KINDS
from dpdesk.queries.phrase import parse_query
from dpdesk.queries.texts import T
from dpdesk.queries.unit import Relation

AGE, SEX = Integer(lower=2, upper=6), Categorical(values=("f", "m"))
DOMAINS = {"age": AGE, "sex": SEX}
PHRASES = (
    "count",
    "count where sex is f",
    "count by sex",
    "share with sex is f",
    "share with sex is f by sex",
    "mean of age",
    "mean of age by sex",
    "mean of age between 3 and 6",
    "sum of age",
    "sum of age by sex",
    "variance of age",
    "standard deviation of age by sex",
    "histogram of age at 2, 4, 6",
    "median of age",
    "quantiles 0.1, 0.75 of age",
    "most frequent sex",
    "most frequent sex worth 3, 1",
)
UNITS = [
    PrivacyUnit(relation=relation, respondent_column="id", rows_per_respondent=rows)
    for relation, rows in product(get_args(Relation), (1, 2))
]
CASES = [(phrase, unit) for phrase in PHRASES for unit in UNITS]
every_case = pytest.mark.parametrize(
    ("phrase", "unit"), CASES, ids=[f"{p}, {u.relation}, {u.rows_per_respondent}" for p, u in CASES]
)


def bound_to(phrase: str, unit: PrivacyUnit, epsilon: int = 1, **fields: Any) -> BoundQuery:
    """The query, or a skip where the relation leaves nothing to ask."""
    try:
        return parse_query(phrase, epsilon=Decimal(epsilon), **fields).bind(DOMAINS, unit)
    except ParameterError as error:
        if error.id != T.ROWS_PUBLIC.id:
            raise
        pytest.skip("the number of rows is public")


def table(*rows: tuple[int, int]) -> CodedRows:
    """Rows of an age and a sex; -1 for no answer."""
    ages, sexes = (np.array([row[i] for row in rows], dtype=np.int32) for i in (0, 1))
    return CodedRows(len(rows), {"age": ages, "sex": sexes}, DOMAINS)


def respondents(unit: PrivacyUnit) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every respondent: one row where the number of rows is public, else up to the bound."""
    row = list(product(range(-1, AGE.size), range(-1, SEX.size)))
    fewest = 1 if unit.rows_are_public else 0
    for count in range(fewest, unit.rows_per_respondent + 1):
        yield from combinations_with_replacement(row, count)


def farthest(vectors: np.ndarray, unit: PrivacyUnit) -> int:
    """The farthest that one respondent's change moves a sum of vectors, in L1."""
    distinct = np.unique(vectors, axis=0)
    if unit.relation == "add_remove":
        return int(np.abs(distinct).sum(axis=1).max())
    return int(np.abs(distinct[:, None] - distinct[None]).sum(axis=2).max())


def derivation(first: str, unit: PrivacyUnit, total: int) -> str:
    """What is measured or compared, and how far one respondent moves it."""
    add = unit.relation == "add_remove"
    text = T.SENSITIVITY_OF_PRESENCE if add else T.SENSITIVITY_OF_ANSWERS
    return f"{first} {text(count=unit.rows_per_respondent, total=total)}"


def test_that_every_query_and_every_noise_is_asked() -> None:
    assert {type(parse_query(phrase)) for phrase in PHRASES} == set(QUERIES)


@every_case
def test_that_the_derivation_of_sums_states_how_far_a_respondent_moves_them(
    phrase: str, unit: PrivacyUnit
) -> None:
    bound = bound_to(phrase, unit)
    if not isinstance(bound, MeasuredQuery):
        return
    people = list(respondents(unit))
    moved = [bound.sums(table(*rows)) for rows in people]
    for i, (part, sentence) in enumerate(zip(bound.parts, bound.derivations, strict=True)):
        exact = farthest(np.array([sums[i].reshape(-1) for sums in moved]), unit)
        assert exact == part.noise.sensitivity.l1
        assert part.cells == moved[0][i].size
        what = part.contribution.adds
        one = T.ADDS(what=what)
        adds = one if part.cells == 1 else T.ADDS_TO_ONE_OF(what=what, cells=part.cells)
        assert sentence == derivation(adds, unit, exact)


@every_case
def test_that_the_derivation_of_a_choice_states_how_far_a_respondent_moves_a_score(
    phrase: str, unit: PrivacyUnit
) -> None:
    bound = bound_to(phrase, unit)
    if isinstance(bound, MeasuredQuery):
        return
    people = list(respondents(unit))
    for score, sentence in zip(scores_of(bound), bound.derivations, strict=True):
        vectors = np.unique(np.array([score(rows) for rows in people]), axis=0)
        if unit.relation == "add_remove":
            exact = int(np.abs(vectors).max())
        else:
            exact = int(np.abs(vectors[:, None] - vectors[None]).max())
        if "frequent" in phrase:
            compared = T.SCORE_OF_WORTH() if "worth" in phrase else T.SCORE_OF_COUNT()
        else:
            share = Fraction(bound.query.shares[bound.derivations.index(sentence)])
            compared = T.SCORE_OF_RANK(parts=share.denominator)
        assert sentence == derivation(compared, unit, exact)


def scores_of(bound: Any) -> list[Any]:
    """What each choice compares, from its definition, before the larger distance is taken."""
    if bound.query.kind == "most_common":
        worth = bound.query.worth or (1, 1)
        return [lambda rows: [worth[code] * sum(sex == code for _, sex in rows) for code in (0, 1)]]

    def ranks(share: Fraction) -> Any:
        a, b = share.as_integer_ratio()
        return lambda rows: [
            sum(sign * (b * (age < point + at_it) - a) for age, _ in rows if age >= 0)
            for point in range(AGE.size)
            for at_it, sign in ((0, 1), (1, -1))
        ]

    return [ranks(Fraction(share)) for share in bound.query.shares]


def permute_and_flip(behind: tuple[int, ...], scale: float) -> list[float]:
    """Chance of each option, over all orders: each is taken with chance e^-(behind / scale)."""
    chances = [0.0] * len(behind)
    orders = list(permutations(range(len(behind))))
    for order in orders:
        left = 1.0
        for option in order:
            accept = exp(-behind[option] / scale)
            chances[option] += left * accept / len(orders)
            left *= 1 - accept
    return chances


@every_case
@pytest.mark.parametrize(("epsilon", "confidence"), [(1, 0.8), (1, 0.995), (9, 0.95), (30, 0.95)])
def test_that_a_choice_is_as_certain_as_is_said_and_no_more(
    phrase: str, unit: PrivacyUnit, epsilon: int, confidence: float
) -> None:
    bound = bound_to(phrase, unit, epsilon)
    said = bound.assurance(confidence)
    if isinstance(bound, MeasuredQuery):
        assert said == ""
        return
    certain = f"{100 * confidence:g} %"
    choices = getattr(bound, "choices", None)
    if choices is None:
        text = T.CATEGORY_SHORTFALL_OF_WORTH if "worth" in phrase else T.CATEGORY_SHORTFALL
        assert said.id == text.id
        assert said.values["confidence"] == certain
        check_tight(said.values["count"], 1, 2, bound.choice.scale, confidence)
        return
    each = 1 - (1 - confidence) / len(choices)
    worst = [farthest_rank(choice, each) for choice in choices]
    # Ranks are whole numbers of parts of a row; what is said is the next whole number of rows.
    assert said.startswith(T.RANK_SHORTFALL(confidence=certain, count=ceil(max(worst))))


def farthest_rank(choice: Any, confidence: float) -> Fraction:
    """How far a score can be behind that is chosen more often than the doubt allows, in rows."""
    behind = 0
    options = AGE.size
    while 1 - permute_and_flip((0, *[behind + 1] * (options - 1)), choice.choice.scale)[0] > (
        1 - confidence
    ):
        behind += 1
    return Fraction(behind, choice.alpha.denominator)


def check_tight(short: int, step: int, options: int, scale: float, confidence: float) -> None:
    """Farther behind is rarer than the doubt; as far behind as is said is not."""
    doubt = 1 - confidence
    assert 1 - permute_and_flip((0, *[short + step] * (options - 1)), scale)[0] <= doubt + 1e-12
    if short:
        assert 1 - permute_and_flip((0, *[short] * (options - 1)), scale)[0] > doubt - 1e-12


@pytest.mark.parametrize("noise", NOISE_KINDS)
@pytest.mark.parametrize("unit", UNITS, ids=lambda u: f"{u.relation}, {u.rows_per_respondent}")
def test_that_a_derivation_is_the_same_whatever_the_noise(noise: str, unit: PrivacyUnit) -> None:
    delta = Decimal("1e-6") if "gaussian" in noise else Decimal(0)
    for phrase in ("sum of age", "count where sex is f"):
        drawn = bound_to(phrase, unit, noise=noise, delta=delta)
        assert drawn.derivations == bound_to(phrase, unit).derivations
        assert drawn.cost.delta == delta
        assert drawn.cost.unit == unit.description
        assert drawn.cost.relation == unit.neighbours
