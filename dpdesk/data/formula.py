"""A model formula: a small closed language, read here and run nowhere else.

    formula = column "~" terms
    terms   = product { "+" product }
    product = cell { "*" cell }
    cell    = factor { ":" factor }
    factor  = "0" | "1" | column | "C(" column ")"

A column is named as it stands in the file, perhaps between backticks. `+` adds terms, `:` is an
interaction, `a*b` is `a + b + a:b` (Wilkinson & Rogers 1973, Applied Statistics 22, 392-399). 1 is
the intercept, which is there unless 0 is added. `C()` takes numbers as categories.

Nothing that somebody types is ever evaluated as a program: what is not in this grammar is refused,
with its position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dpdesk.data.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import Message
from dpdesk.numbers import is_number

TERMS_MAX = 200
"""Most terms of a formula: interactions make many of few."""

_LONGEST = 10_000
_SHOWN = 30


@dataclass(frozen=True)
class Column:
    """A factor of a term: a column's numbers, or its categories."""

    name: str
    as_categories: bool = False

    @property
    def text(self) -> str:
        """The factor as it is shown."""
        return f"C({self.name})" if self.as_categories else self.name


Term = tuple[Column, ...]
"""Factors that are multiplied; none of them is the intercept."""

_Terms = dict[frozenset[Column], Term]


def parse_formula(formula: str, names: Sequence[str]) -> tuple[Term, ...]:
    """Reads the terms of a formula.

    Args:
        formula: The terms, without a left side.
        names: The columns of the table.

    Returns:
        The terms by their number of factors, each once; the intercept is the empty one.

    Raises:
        ParameterError: The formula is invalid, names a column that does not exist, or has too many
            terms; the message says where.
    """
    if len(formula) > _LONGEST:
        raise ParameterError(T.LONG_FORMULA(most=_LONGEST))
    return tuple(sorted(_Parser(formula, names).terms().values(), key=len))


@dataclass(frozen=True, slots=True)
class ModelFormula:
    """Both sides of a formula.

    Attributes:
        outcome: The left side.
        terms: The right side, as of `parse_formula`.
    """

    outcome: Column
    terms: tuple[Term, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the right side, each once."""
        return tuple(dict.fromkeys(factor.name for term in self.terms for factor in term))

    @property
    def written(self) -> frozenset[frozenset[Column]]:
        """The right side as a set of terms, which is the same however it is written."""
        return frozenset(map(frozenset, self.terms))


def parse_model(formula: str, names: Sequence[str]) -> ModelFormula:
    """Reads a formula with an outcome, such as "y ~ a + b".

    Raises:
        ParameterError: As `parse_formula`; or the left side is not one column.
    """
    tildes = [token.at - 1 for token in _tokens(formula, names) if token.says("~")]
    if len(tildes) != 1:
        raise ParameterError(T.NO_MODEL())
    left, right = formula[: tildes[0]], formula[tildes[0] + 1 :]
    sides = [term for term in parse_formula(left, names) if term]
    if len(sides) != 1 or len(sides[0]) != 1:
        raise ParameterError(T.NO_MODEL())
    # Positions in the right side are those of the whole formula.
    model = ModelFormula(sides[0][0], parse_formula(" " * (len(left) + 1) + right, names))
    if model.outcome.name in model.names:
        raise ParameterError(T.BOTH_SIDES(name=model.outcome.name))
    return model


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of the formula.

    Attributes:
        kind: "column", "word", "number", "sign" or "end".
        text: Its text; of a column, the name without backticks.
        at: Its position, from 1.
    """

    kind: str
    text: str
    at: int

    def says(self, sign: str) -> bool:
        """Whether it is this sign."""
        return self.kind == "sign" and self.text == sign


_PIECES = re.compile(
    r"(?P<number>[0-9]+(?:\.[0-9]*)?(?![\w.]))"
    r"|(?P<word>[^\W\d]\w*(?:\.\w+)*)"
    r"|(?P<sign>[-+*/:^(),~])"
)
_GOES_ON = re.compile(r"[\w.`]|\s*\(")
_LETTER = re.compile(r"[^\W\d]")


class _Parser:
    """Parses a formula once from left to right; None is the number 0 as a term."""

    def __init__(self, formula: str, names: Sequence[str]) -> None:
        # One at a time, so that of two errors the first one is reported.
        self._tokens = _tokens(formula, names)
        self._token = next(self._tokens)

    def terms(self) -> _Terms:
        terms, has_intercept = _terms([()]), True
        while True:
            token = self._token
            part = self._product()
            if part is None:
                has_intercept = False
            else:
                has_intercept |= frozenset() in part
                for key, term in part.items():
                    terms.setdefault(key, term)
            _require_few(terms, token)
            if not self._token.says("+"):
                break
            self._take()
        if self._token.kind != "end":
            raise _refusal(self._token)
        if not has_intercept:
            del terms[frozenset()]
        if not terms:
            raise _refusal(self._token, T.NO_TERM())
        return terms

    def _product(self) -> _Terms | None:
        terms = self._cell()
        while self._token.says("*"):
            sign = self._take()
            left, right = _some(terms, sign), _some(self._cell(), sign)
            terms = dict(left)
            for key, term in (right | _crossed(left, right, sign)).items():
                terms.setdefault(key, term)
            _require_few(terms, sign)
        return terms

    def _cell(self) -> _Terms | None:
        terms = self._factor()
        while self._token.says(":"):
            sign = self._take()
            terms = _crossed(_some(terms, sign), _some(self._factor(), sign), sign)
        return terms

    def _factor(self) -> _Terms | None:
        token = self._take()
        if token.kind == "column":
            return _terms([(Column(token.text),)])
        if token.kind == "number" and token.text in {"0", "1"}:
            return None if token.text == "0" else _terms([()])
        if token.kind == "word" and token.text == "C" and self._token.says("("):
            opening, column, closing = self._take(), self._take(), self._take()
            if column.kind != "column":
                raise _refusal(column, T.NO_COLUMN_IN_C())
            if not closing.says(")"):
                raise _refusal(closing, T.OPEN_PARENTHESIS(position=opening.at))
            return _terms([(Column(column.text, as_categories=True),)])
        raise _refusal(token)

    def _take(self) -> _Token:
        taken = self._token
        # The end stays where it is.
        self._token = next(self._tokens, taken)
        return taken


def _tokens(formula: str, names: Sequence[str]) -> Iterator[_Token]:
    by_start: dict[str, list[str]] = {}
    for name in sorted(names, key=len, reverse=True):
        by_start.setdefault(name[:1], []).append(name)
    position = 0
    while position < len(formula):
        if formula[position].isspace():
            position += 1
            continue
        column = _column_at(formula, position, by_start)
        if column is not None:
            name, end = column
            yield _Token("column", name, position + 1)
            position = end
            continue
        piece = _PIECES.match(formula, position)
        if piece is None:
            raise _refusal(_Token("text", formula[position:], position + 1))
        yield _Token(str(piece.lastgroup), piece[0], position + 1)
        position = piece.end()
    yield _Token("end", "", position + 1)


def _column_at(
    formula: str, position: int, by_start: dict[str, list[str]]
) -> tuple[str, int] | None:
    """The longest name of a column that begins here, and where it ends."""
    if formula[position] == "`":
        for name in by_start.get(formula[position + 1 : position + 2], []):
            if formula.startswith(f"{name}`", position + 1):
                return name, position + len(name) + 2
        raise _refusal(_Token("word", formula[position:], position + 1))
    for name in by_start.get(formula[position], []):
        end = position + len(name)
        # Not within a longer word, and not a function's name, a number or a mere sign.
        if (
            formula.startswith(name, position)
            and not _GOES_ON.match(formula, end)
            and _LETTER.search(name)
            and not is_number(name)
        ):
            return name, end
    return None


def _terms(listed: Iterable[Term]) -> _Terms:
    terms: _Terms = {}
    for term in listed:
        # A factor that is there twice counts once.
        terms.setdefault(frozenset(term), tuple(dict.fromkeys(term)))
    return terms


def _crossed(left: _Terms, right: _Terms, sign: _Token) -> _Terms:
    """All products of a term of one and a term of the other."""
    crossed = _terms((*one, *other) for one in left.values() for other in right.values())
    _require_few(crossed, sign)
    return crossed


def _some(terms: _Terms | None, sign: _Token) -> _Terms:
    if terms is None:
        raise _refusal(sign, T.ZERO_FACTOR())
    return terms


def _require_few(terms: _Terms, token: _Token) -> None:
    if len(terms) > TERMS_MAX:
        raise _refusal(token, T.MANY_TERMS(most=TERMS_MAX))


def _refusal(token: _Token, reason: Message | None = None) -> ParameterError:
    shown = token.text if len(token.text) <= _SHOWN else f"{token.text[:_SHOWN]}…"
    if reason is None and token.kind == "end":
        reason = T.INCOMPLETE()
    elif reason is None:
        reason = (T.UNKNOWN_COLUMN if token.kind == "word" else T.UNEXPECTED)(piece=shown)
    return ParameterError(T.BAD_FORMULA(position=token.at, reason=reason))
