"""The right side of a model formula: a small closed language, read here and run nowhere else.

    formula = sign product { sign product }           sign is + or -, the first one may be left out
    product = cell { ("*" | "/") cell }
    cell    = power { ":" power }
    power   = addend [ ("**" | "^") whole number ]
    addend  = "0" | "1" | column | "C(" column ")" | "I(" number ")" | function "(" number ")"
            | "poly(" number "," whole number ")" | "(" formula ")"
    number  = arithmetic of + - * / ** and parentheses with columns, decimals and functions

A column is named as it stands in the file, perhaps between backticks. `+` adds terms, `-` takes
them away, `:` is an interaction, `a*b` is `a + b + a:b`, `a/b` is `a + a:b`, `(a + b)^2` has all
interactions of two (Wilkinson & Rogers 1973, Applied Statistics 22, 392-399). 1 is the intercept,
which is there unless 0 is added.

Nothing that somebody types is ever evaluated as a program: what is not in this grammar is refused,
with its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dpdesk.data.formula_terms import (
    FUNCTIONS,
    KNOWN_FUNCTIONS,
    Arithmetic,
    Column,
    Factor,
    Term,
    Transformed,
)
from dpdesk.errors import ParameterError
from dpdesk.numbers import is_number, real_number, whole_number

TERMS_MAX = 200
"""Most terms of a formula: interactions and powers make many of few."""

DEGREE_MAX = 10
"""Largest degree of a polynomial, and largest power of a sum."""

_LONGEST = 10_000
_DEPTH_MAX = 40
_SHOWN = 30

_REMEDY = (
    "Write terms joined by +, such as age + I(age**2) + region, with names exactly as in the "
    "file's first line, between backticks where they hold signs. There are + - : * / ^ and "
    "parentheses, 0 and 1 for the intercept, C(), I(), poly(), "
    f"{', '.join(f'{name}()' for name in FUNCTIONS)}."
)

_Terms = dict[frozenset[Factor], Term]
_T = TypeVar("_T")


def parse_formula(formula: str, names: Sequence[str]) -> tuple[Term, ...]:
    """Reads a formula.

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
        raise ParameterError(
            f"The formula is longer than {_LONGEST:,} characters.", remedy="Leave terms out."
        )
    return tuple(sorted(_Parser(formula, names).formula().values(), key=len))


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
        return tuple(
            dict.fromkeys(name for term in self.terms for factor in term for name in factor.columns)
        )

    @property
    def written(self) -> frozenset[frozenset[Factor]]:
        """The right side as a set of terms, which is the same however it is written."""
        return frozenset(map(frozenset, self.terms))


def parse_model(formula: str, names: Sequence[str]) -> ModelFormula:
    """Reads a formula with an outcome, such as "y ~ a + b".

    Args:
        formula: One column, a tilde, and terms.
        names: The columns of the table.

    Raises:
        ParameterError: As `parse_formula`; or the left side is not one column.
    """
    tildes = [token.at - 1 for token in _tokens(formula, names) if token.says("~")]
    if len(tildes) != 1:
        raise ParameterError(
            "A regression has one outcome, a tilde and terms.", remedy="Write it as y ~ a + b."
        )
    left, right = formula[: tildes[0]], formula[tildes[0] + 1 :]
    sides = [term for term in parse_formula(left, names) if term]
    single = sides[0][0] if len(sides) == 1 and len(sides[0]) == 1 else None
    if not isinstance(single, Column):
        raise ParameterError(
            "The left side of a regression is one column.", remedy="Write it as y ~ a + b."
        )
    # Places in the right side are told as those of the whole formula.
    found = ModelFormula(single, parse_formula(" " * (len(left) + 1) + right, names))
    if single.name in found.names:
        raise ParameterError(
            f"{single.name} is on both sides of the formula.",
            remedy="Take it out of the right side.",
        )
    return found


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of the formula.

    Attributes:
        kind: "column", "word", "number", "sign" or "end".
        text: Its text; of a column, the name without backticks.
        at: Its place, from 1.
    """

    kind: str
    text: str
    at: int

    def says(self, *signs: str) -> bool:
        """Whether it is one of these signs."""
        return self.kind == "sign" and self.text in signs


_PIECES = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.]))"
    r"|(?P<word>[^\W\d]\w*(?:\.\w+)*)"
    r"|(?P<sign>\*\*|[-+*/:^(),~])"
)


_GOES_ON = re.compile(r"[\w.`]|\s*\(")
_LETTER = re.compile(r"[^\W\d]")


class _Parser:
    """Parses a formula once from left to right; None is the number 0 as a term."""

    def __init__(self, formula: str, names: Sequence[str]) -> None:
        # One at a time, so that of two errors the first one is reported.
        self._tokens = _tokens(formula, names)
        self._token = next(self._tokens)
        self._depth = 0

    def formula(self) -> _Terms:
        terms = self._sum(_terms([()]))
        if self._peek().kind != "end":
            raise _refusal(self._peek(), "a sign such as + was expected")
        if not terms:
            raise _refusal(self._peek(), "there is no term, not even the intercept")
        return terms

    def _sum(self, terms: _Terms) -> _Terms:
        while True:
            adds = self._signs()
            token = self._peek()
            part = self._product()
            if part is None:
                part, adds = _terms([()]), not adds
            if adds:
                _add(terms, part)
            else:
                terms = {key: term for key, term in terms.items() if key not in part}
            _require_few(terms, token)
            if not self._peek().says("+", "-"):
                return terms

    def _signs(self) -> bool:
        adds = True
        while self._peek().says("+", "-"):
            adds ^= self._take().text == "-"
        return adds

    def _product(self) -> _Terms | None:
        terms = self._cell()
        while self._peek().says("*", "/"):
            sign = self._take()
            left, right = _some(terms, sign), _some(self._cell(), sign)
            terms, outer = dict(left), left
            if sign.text == "*":
                _add(terms, right)
            else:
                outer = _terms([tuple(factor for term in left.values() for factor in term)])
            _add(terms, _crossed(outer, right, sign))
            _require_few(terms, sign)
        return terms

    def _cell(self) -> _Terms | None:
        terms = self._power()
        while self._peek().says(":"):
            sign = self._take()
            terms = _crossed(_some(terms, sign), _some(self._power(), sign), sign)
        return terms

    def _power(self) -> _Terms | None:
        terms = self._addend()
        if self._peek().says("**", "^"):
            sign = self._take()
            base = terms = _some(terms, sign)
            for _ in range(self._whole() - 1):
                terms = _crossed(terms, base, sign)
        return terms

    def _addend(self) -> _Terms | None:
        token = self._take()
        if token.kind == "column":
            return _terms([(Column(token.text),)])
        if token.kind == "number" and token.text in {"0", "1"}:
            return None if token.text == "0" else _terms([()])
        if token.says("("):
            return self._inside(token, lambda: self._sum({}))
        is_function = token.kind == "word" and token.text in {"C", "I", "poly", *KNOWN_FUNCTIONS}
        if is_function and self._peek().says("("):
            opening = self._take()
            return _terms([(self._inside(opening, lambda: self._factor_of(token)),)])
        raise _refusal(token)

    def _factor_of(self, word: _Token) -> Factor:
        """The factor of a function, from the content of its parentheses."""
        if word.text == "C":
            token = self._take()
            if token.kind != "column":
                raise _refusal(token, "C() holds the name of one column")
            return Column(token.text, as_categories=True)
        expression, degree = self._number(), 0
        text = f"{word.text}({expression.text})"
        if word.text == "poly":
            degree = 1
            if self._peek().says(","):
                self._take()
                degree = self._whole()
                text = f"poly({expression.text}, {degree})"
        elif word.text in KNOWN_FUNCTIONS:
            expression = Arithmetic.call(word.text, expression)
        if not expression.columns:
            raise _refusal(word, f"{word.text}() holds no column")
        return Transformed(text, expression, degree)

    def _number(self) -> Arithmetic:
        return self._from_the_left(self._number_product, "+", "-")

    def _number_product(self) -> Arithmetic:
        return self._from_the_left(self._number_signed, "*", "/")

    def _from_the_left(self, read: Callable[[], Arithmetic], *signs: str) -> Arithmetic:
        """Reads operands with signs between them; the first two are combined first."""
        left = read()
        while self._peek().says(*signs):
            sign = self._take().text
            left = Arithmetic.operation(sign, left, read())
        return left

    def _number_signed(self) -> Arithmetic:
        if self._peek().says("+", "-"):
            sign = self._take()
            return Arithmetic.signed(sign.text, self._deeper(sign, self._number_signed))
        base = self._number_atom()
        if self._peek().says("**", "^"):
            sign = self._take()
            return Arithmetic.operation("**", base, self._deeper(sign, self._number_signed))
        return base

    def _number_atom(self) -> Arithmetic:
        token = self._take()
        if token.kind == "column":
            return Arithmetic.column(token.text)
        if token.kind == "number":
            value, whole = real_number(token.text), whole_number(token.text)
            if value is None:
                raise _refusal(token, "this number is too long")
            return Arithmetic.constant(repr(value) if whole is None else str(whole), value)
        if token.says("("):
            return self._inside(token, self._number)
        if token.kind == "word" and token.text in KNOWN_FUNCTIONS and self._peek().says("("):
            return Arithmetic.call(token.text, self._inside(self._take(), self._number))
        raise _refusal(token)

    def _whole(self) -> int:
        token = self._take()
        number = whole_number(token.text) if token.kind == "number" else None
        if number is None or not 1 <= number <= DEGREE_MAX:
            raise _refusal(token, f"a whole number from 1 to {DEGREE_MAX} was expected")
        return number

    def _inside(self, opening: _Token, read: Callable[[], _T]) -> _T:
        result = self._deeper(opening, read)
        closing = self._take()
        if not closing.says(")"):
            raise _refusal(closing, f"the parenthesis of character {opening.at} is not closed here")
        return result

    def _deeper(self, token: _Token, read: Callable[[], _T]) -> _T:
        self._depth += 1
        if self._depth > _DEPTH_MAX:
            raise _refusal(token, f"it is nested more than {_DEPTH_MAX} deep")
        result = read()
        self._depth -= 1
        return result

    def _peek(self) -> _Token:
        return self._token

    def _take(self) -> _Token:
        taken = self._token
        # The end stays where it is.
        self._token = next(self._tokens, taken)
        return taken


def _tokens(formula: str, names: Sequence[str]) -> Iterator[_Token]:
    begun: dict[str, list[str]] = {}
    for name in sorted(names, key=len, reverse=True):
        begun.setdefault(name[:1], []).append(name)
    place = 0
    while place < len(formula):
        if formula[place].isspace():
            place += 1
            continue
        column = _column_at(formula, place, begun)
        if column is not None:
            name, end = column
            yield _Token("column", name, place + 1)
            place = end
            continue
        piece = _PIECES.match(formula, place)
        if piece is None:
            raise _refusal(_Token("text", formula[place:], place + 1))
        yield _Token(str(piece.lastgroup), piece[0], place + 1)
        place = piece.end()
    yield _Token("end", "", place + 1)


def _column_at(formula: str, place: int, begun: dict[str, list[str]]) -> tuple[str, int] | None:
    """The longest name of a column that begins here, and where it ends."""
    if formula[place] == "`":
        for name in begun.get(formula[place + 1 : place + 2], []):
            if formula.startswith(f"{name}`", place + 1):
                return name, place + len(name) + 2
        raise _refusal(_Token("text", formula[place:], place + 1), "there is no such column")
    for name in begun.get(formula[place], []):
        end = place + len(name)
        # Not within a longer word, and not a function's name, a number or a mere sign.
        if (
            formula.startswith(name, place)
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


def _add(terms: _Terms, more: _Terms) -> None:
    for key, term in more.items():
        terms.setdefault(key, term)


def _crossed(left: _Terms, right: _Terms, sign: _Token) -> _Terms:
    """All products of a term of one and a term of the other; each has at most `TERMS_MAX`."""
    crossed = _terms((*one, *other) for one in left.values() for other in right.values())
    _require_few(crossed, sign)
    return crossed


def _some(terms: _Terms | None, sign: _Token) -> _Terms:
    if terms is None:
        raise _refusal(sign, "0 is not a term that can be multiplied")
    return terms


def _require_few(terms: _Terms, token: _Token) -> None:
    if len(terms) > TERMS_MAX:
        raise _refusal(token, f"there are more than {TERMS_MAX} terms")


def _refusal(token: _Token, reason: str = "") -> ParameterError:
    shown = token.text if len(token.text) <= _SHOWN else f"{token.text[:_SHOWN]}…"
    if not reason:
        reason = {
            "end": "something is missing",
            "word": f"{shown} is neither a column nor one of its functions",
            "number": f"the number {shown} cannot stand here",
            "sign": f"the sign {shown} cannot stand here",
        }.get(token.kind, f"{shown} is not part of its language")
    where = "At its end" if token.kind == "end" else f"At character {token.at}"
    return ParameterError(f"The formula cannot be read. {where}: {reason}.", remedy=_REMEDY)
