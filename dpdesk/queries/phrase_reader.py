"""The reader of phrases that all kinds of queries share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from dpdesk.errors import ParameterError
from dpdesk.numbers import exact_number, whole_number
from dpdesk.queries.condition import Condition
from dpdesk.queries.written import is_keyword

_TOKEN = re.compile(r'"((?:[^"]|"")*)"|(>=|<=|=|,)|([^\s",=<>]+)|(\S)')


class PhraseReader:
    """The words of a phrase, read from the left.

    Args:
        text: The phrase.
        examples: Phrases that are named where this one is not understood.

    Raises:
        ParameterError: A sign has no meaning.
    """

    def __init__(self, text: str, examples: Sequence[str]) -> None:
        self._examples = examples
        self._words: list[tuple[str, bool]] = []
        for match in _TOKEN.finditer(text):
            quoted, sign, word, odd = match.groups()
            if odd is not None:
                raise ParameterError(
                    "A quotation mark or sign in this phrase has no meaning.",
                    remedy='Put names with blanks or signs in "quotation marks".',
                )
            if quoted is not None:
                self._words.append((quoted.replace('""', '"'), True))
            else:
                self._words.append((sign or word, False))
        self._at = self._farthest = 0

    def take(self, *words: str) -> bool:
        """Reads these words of the grammar, if they come next."""
        ahead = self._words[self._at : self._at + len(words)]
        if [word.lower() for word, quoted in ahead if not quoted] != list(words):
            return False
        self._at += len(words)
        return True

    def expect(self, *words: str) -> None:
        """Reads these words of the grammar.

        Raises:
            ParameterError: Something else comes next.
        """
        if not self.take(*words):
            raise self.refusal(f'"{" ".join(words)}" was expected')

    def name(self, what: str) -> str:
        """Reads one name, such as that of a column."""
        if self._at < len(self._words):
            word, quoted = self._words[self._at]
            if not quoted and not word.strip("<>=,"):
                raise self.refusal(f'{what} was expected, in "quotation marks" if it has signs')
            if quoted or not is_keyword(word):
                self._at += 1
                return word
        raise self.refusal(f"{what} was expected")

    def names(self, what: str, *between: str) -> tuple[str, ...]:
        """Reads names with one of these words between them."""
        names = [self.name(what)]
        while any(self.take(word) for word in between):
            names.append(self.name(what))
        return tuple(names)

    def number(self) -> Decimal:
        """Reads one number."""
        number = exact_number(self.name("a number"))
        if number is None:
            self._at -= 1
            raise self.refusal("a number was expected")
        return number

    def whole(self) -> int | None:
        """Reads a whole number, if one comes next."""
        number = None
        if self._at < len(self._words):
            number = whole_number(self._words[self._at][0])
            self._at += number is not None
        return number

    def numbers(self) -> list[Decimal]:
        """Reads numbers with commas between them."""
        numbers = [self.number()]
        while self.take(","):
            numbers.append(self.number())
        return numbers

    def column(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Reads a column of numbers with its bounds, groups and conditions."""
        return {"column": self.name("a column"), **self.bounds(), **self.tail(fields)}

    def bounds(self) -> dict[str, Any]:
        """Reads the bounds of a query's own, if they come next."""
        if self.take("at", "least"):
            return {"lower": self.number()}
        if self.take("at", "most"):
            return {"upper": self.number()}
        if not self.take("between"):
            return {}
        lower = self.number()
        self.expect("and")
        return {"lower": lower, "upper": self.number()}

    def tail(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Reads groups and conditions, if they come next.

        Args:
            fields: Fields that are given besides the phrase; they are returned too.
        """
        by = self.names("a column", ",") if self.take("by") else ()
        return {"by": by, **self.where(fields)}

    def where(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Reads conditions on the rows, if they come next; the same as `tail` without groups."""
        return {"where": self.conditions() if self.take("where") else (), **fields}

    def conditions(self) -> tuple[Condition, ...]:
        """Reads conditions with "and" between them."""
        conditions = [self._condition()]
        while self.take("and"):
            conditions.append(self._condition())
        return tuple(conditions)

    def _condition(self) -> Condition:
        column = self.name("a column")
        if self.take(">="):
            return Condition(column=column, lower=self.number())
        if self.take("<="):
            return Condition(column=column, upper=self.number())
        if self.take("="):
            return Condition(column=column, values=self.names("a category", "or"))
        self.take("is")
        if self.take("at", "least"):
            return Condition(column=column, lower=self.number())
        if self.take("at", "most"):
            return Condition(column=column, upper=self.number())
        if self.take("from"):
            lower = self.number()
            self.expect("to")
            return Condition(column=column, lower=lower, upper=self.number())
        return Condition(column=column, values=self.names("a category", "or"))

    def from_start(self) -> None:
        """Goes back to the first word, for another kind of query."""
        self._farthest = max(self._farthest, self._at)
        self._at = 0

    def back_to_farthest(self) -> None:
        """Continues at the farthest word that was understood."""
        self._at = max(self._farthest, self._at)

    def end(self) -> None:
        """Requires that nothing is left."""
        if self._at < len(self._words):
            raise self.refusal("the phrase should end")

    def refusal(self, expected: str) -> ParameterError:
        """Returns the error of a phrase that does not go on as expected."""
        read = " ".join(word for word, _ in self._words[: self._at])
        where = f'after "{read}"' if read else "at the beginning"
        return ParameterError(
            f"The query is not understood: {expected} {where}.",
            remedy=f"Write such as: {'; '.join(self._examples)}.",
        )
