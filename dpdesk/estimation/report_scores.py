"""What reports tell of true answers: the scores of protected columns and of those that are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn
from dpdesk.domains import NumericDomain
from dpdesk.errors import InputError
from dpdesk.estimation.texts import T
from dpdesk.estimation.variable import Categories, Numbers, Places, Reports, Variable
from dpdesk.i18n import N_
from dpdesk.mechanisms import BoundMechanism
from dpdesk.numbers.arrays import Floats
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import missing_texts
from dpdesk.plan.recognisable import answers_beside

MOST_CATEGORIES = 2_000
"""More different answers than this are a column that tells respondents apart."""
NO_ANSWER = N_("no answer")
_HARDLY_ANY = 1e-9


def protected_variable(
    column: ColumnPlan, bound: BoundMechanism, example: NDArray[Any], *, lacks: bool
) -> Variable:
    """Returns the attribute of a protected column.

    Args:
        column: The column.
        bound: Its mechanism on its domain.
        example: A report, as the mechanism makes it, or none.
        lacks: Whether some record has no report.
    """
    domain, blanks = bound.domain, column.missing.treatment.stays_blank
    of_numbers, floor = bound.number_scores, bound.noise_floor
    if of_numbers is not None and floor is not None:
        has_squares = not bool(np.isnan(of_numbers).any())
        # The first row is that of no report.
        table = np.vstack((np.zeros(3), np.nan_to_num(of_numbers)))
        return Numbers(
            *(column, False, lambda reports: np.asarray(table[reports]), _as_they_are, ()),
            unit=domain.unit,
            origin=domain.origin,
            has_squares=has_squares,
            has_missing=lacks or bool((of_numbers[:, 0] != 1).any()),
            floor=floor,
        )

    def listed(reports: Reports) -> Floats:
        present, given = _given(reports)
        told = np.zeros((len(reports), domain.size + blanks))
        told[present, : domain.size] = bound.report_scores(given)
        if blanks:
            told[~present, -1] = 1.0
        return told

    def likely(reports: Reports) -> Floats:
        present, given = _given(reports)
        told = np.zeros((len(reports), domain.size + blanks))
        chances = bound.report_chances(given)
        if chances is not None:
            told[present, : domain.size] = chances
        told[~present, -1] = 1.0
        return told

    has_chances = bound.report_chances(example) is not None
    texts, labels = domain.texts, tuple(domain.label(i) for i in range(domain.size))
    missing = domain.listed.index(domain.missing_value) if domain.missing_value else None
    if blanks:
        texts, labels, missing = (*texts, ""), (*labels, NO_ANSWER), domain.size
    _require_few(column, len(texts))
    one = domain.picks_one
    chances = likely if has_chances else None
    return Categories(
        *(column, False, listed, _as_they_are, ()),
        texts=texts,
        labels=labels,
        picks_one=one,
        missing=missing,
        chances=chances,
        squares=lambda shares: _mean_squares(bound, shares),
    )


def _mean_squares(bound: BoundMechanism, shares: Floats) -> tuple[Floats, Floats]:
    """Returns `Categories.squares` of reports; a category beyond those of the law is no report."""
    size, law = bound.domain.size, bound.score_rule().numbers
    # Where one category has all, the others are even.
    shares = shares + _HARDLY_ANY
    told = shares[:size]
    if "squares" in law:
        of_each = np.reshape(law["squares"], (size, size))
        true = np.diag(of_each)
        false = told @ of_each - told * true
    else:
        hit, miss = (np.broadcast_to(law[key], (size,)) for key in ("hit", "miss"))
        (factor,) = law.get("factor", (1.0,))
        true, false = factor * (hit + miss - hit * miss), -factor * hit * miss
        if bound.domain.picks_one:
            false = false * (shares.sum() - shares[size:].sum() - told)
    if bound.domain.picks_one:
        false = false / (shares.sum() - told)
    none = np.zeros(shares.size - size)
    return np.append(true, none + 1), np.append(false, none)


def _as_they_are(reports: Reports) -> Places:
    return np.asarray(reports, dtype=np.int64)


def _given(reports: Reports) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Which records have a report, and these, as the mechanism makes them."""
    if reports.ndim == 1:
        present = reports > 0
        return present, (reports[present] - 1).astype(np.int32)
    present = reports[:, 0] > 0
    return present, reports[present, 1:]


def kept_variable(
    column: ColumnPlan, distinct: Sequence[str], is_listed: bool, reading: Reading
) -> Variable:
    """Returns the attribute of a column that was released as it is.

    Args:
        column: The column.
        distinct: Its different texts; the code of each is its place.
        is_listed: Whether numbers are taken as categories.
        reading: How its cells are read.
    """
    texts = TextColumn.from_texts(column.name, distinct)
    missing = missing_texts(column, texts, reading)
    if not column.kept_as_numbers or is_listed:
        return _kept_categories(column, texts, missing)
    domain = column.domain
    if isinstance(domain, NumericDomain):
        number = texts.on_grid(domain, reading.decimal)
    else:
        number = texts.numbers(reading.decimal).values
    told = ~np.isnan(number) & ~missing
    number = np.where(told, number, 0.0)
    table = np.column_stack((told, number, number**2)).astype(np.float64)
    return Numbers(
        *(column, True, lambda reports: np.asarray(table[reports]), _as_they_are, tuple(distinct)),
        unit="" if domain is None else domain.unit,
        origin=0.0,
        has_squares=True,
        has_missing=not bool(told.all()),
        floor=np.zeros((3, 1)),
    )


def _kept_categories(
    column: ColumnPlan, texts: TextColumn, missing: NDArray[np.bool_]
) -> Categories:
    """The categories of a column that was released as it is, in the order of its domain."""
    domain = column.domain
    of_domain = domain.texts if domain is not None and domain.picks_one else ()
    listed = (*of_domain, *answers_beside(column, texts, missing))
    _require_few(column, len(listed))
    code_of = {text: code for code, text in enumerate(listed)}
    labels = tuple(
        domain.label(code) if domain is not None and code < len(of_domain) else text
        for code, text in enumerate(listed)
    )
    has_missing = bool(missing.any())
    last = len(listed)
    codes = np.array(
        [
            last if m else code_of.get(text.strip(), last)
            for text, m in zip(texts.distinct, missing, strict=True)
        ],
        dtype=np.int64,
    )
    if has_missing:
        listed, labels = (*listed, ""), (*labels, NO_ANSWER)
    size = len(listed)

    def indicators(reports: Reports) -> Floats:
        return np.asarray(codes[reports][:, None] == np.arange(size), dtype=np.float64)

    missing_place = last if has_missing else None
    cells = tuple(texts.distinct)
    return Categories(
        *(column, True, indicators, lambda reports: np.asarray(codes[reports]), cells),
        texts=listed,
        labels=labels,
        picks_one=True,
        missing=missing_place,
        chances=indicators,
        squares=lambda shares: (np.ones_like(shares), np.zeros_like(shares)),
    )


def _require_few(column: ColumnPlan, size: int) -> None:
    if size > MOST_CATEGORIES:
        many = T.MANY_ANSWERS(column=column.name, answers=size, most=MOST_CATEGORIES)
        raise InputError(many, column=column.name)
