"""The reader of phrases that all kinds of queries share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from dpdesk.domains import NO_WORDS, YES_WORDS, ListedDomain
from dpdesk.errors import ParameterError
from dpdesk.i18n import quoted
from dpdesk.numbers import exact_number, whole_number
from dpdesk.queries.condition import ANSWERED, Condition, Domains, condition_on
from dpdesk.queries.texts import T
from dpdesk.queries.written import is_common, is_keyword, read_bound, write_phrase, written

_YES_OR_NO = 2
"""Answers of a question of yes and no."""

_LABEL_WORDS = 12
"""Most words of a label that is understood without quotation marks."""

_SHORT = 3
"""Most letters of a word whose last "s" is no plural."""

_TOKEN = re.compile(r'"((?:[^"]|"")*)"|(>=|<=|!=|=|,)|([^\s",=<>]+)|(\S)')


class PhraseReader:
    """The words of a phrase, read from the left.

    Args:
        text: The phrase.
        examples: Returns phrases that are named where this one is not understood.
        domains: The declared columns. A name that is written with other capitals is taken for the
            one of them that it means, and a label for its category; without any, names are taken
            as they stand.

    Attributes:
        parted: Columns by whose categories the phrase asks for one query each.

    Raises:
        ParameterError: A sign has no meaning.
    """

    def __init__(
        self, text: str, examples: Callable[[], Sequence[str]], domains: Domains | None = None
    ) -> None:
        self.parted: tuple[str, ...] = ()
        self._domains = domains or {}
        self._examples = examples
        self._words: list[tuple[str, bool]] = []
        for match in _TOKEN.finditer(text):
            quoted, sign, word, odd = match.groups()
            if odd is not None:
                raise ParameterError(T.BAD_SIGN())
            if quoted is not None:
                self._words.append((quoted.replace('""', '"'), True))
            else:
                self._words.append((sign or word, False))
        self._at = self._farthest = 0

    def take_any(self, *words: str) -> bool:
        """Reads one of these words of the grammar, if one comes next."""
        return any(self.take(word) for word in words)

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
            raise self.refusal(quoted([" ".join(words)]))

    def name(self, what: str) -> str:
        """Reads one name, such as that of a column."""
        if self._at < len(self._words):
            word, is_quoted = self._words[self._at]
            is_column = word in self._domains and not is_common(word)
            if not is_quoted and not word.strip("<>=!,"):
                raise ParameterError(T.BAD_SIGN())
            if is_quoted or is_column or not is_keyword(word):
                self._at += 1
                return word
        raise self.refusal(what)

    def column_name(self) -> str:
        """Reads the name of a column."""
        typed = self.name(T.A_COLUMN())
        if typed in self._domains:
            return typed
        alike = [name for name in self._domains if name.casefold() == typed.casefold()]
        return alike[0] if len(alike) == 1 else typed

    def column_names(self) -> tuple[str, ...]:
        """Reads names of columns with commas or "and" between them."""
        names = [self.column_name()]
        while self.take_any(",", "and"):
            names.append(self.column_name())
        return tuple(names)

    def has_column(self) -> bool:
        """Whether the name of a declared column comes next."""
        if self._at == len(self._words):
            return False
        word, _ = self._words[self._at]
        return word.casefold() in {name.casefold() for name in self._domains}

    def category(self) -> Condition | None:
        """Reads a category in the place of rows, such as "women", if one comes next.

        Where none is called so, a question of yes and no may be: "smokers" are those who answered
        yes to smoker.

        Raises:
            ParameterError: Several columns have this category.
        """
        if self._at == len(self._words) or self.has_column():
            return None
        word, _ = self._words[self._at]
        found = [
            condition_on(name, domain, (value,))
            for name, domain in self._domains.items()
            if isinstance(domain, ListedDomain)
            for value in _values_meant(word, domain)
        ] or list(_said_yes(word, self._domains))
        if len(found) > 1:
            first = found[0].column
            listed = self._domains[first]
            if all(one.column == first for one in found) and isinstance(listed, ListedDomain):
                raise _several_meant(word, first, listed, _values_meant(word, listed))
            columns = list(dict.fromkeys(one.column for one in found))
            condition = found[0].description
            raise ParameterError(T.SEVERAL_COLUMNS(word=word, columns=columns, condition=condition))
        if not found:
            return None
        self._at += 1
        return found[0]

    def number(self) -> Decimal:
        """Reads one number."""
        number = exact_number(self.name(T.A_NUMBER()))
        if number is None:
            self._at -= 1
            raise self.refusal(T.A_NUMBER())
        return number

    def bound(self) -> Decimal | str:
        """Reads a number, or a date such as 1987-06."""
        word = self.name(T.A_BOUND())
        bound = read_bound(word)
        if bound is None:
            self._at -= 1
            raise self.refusal(T.A_BOUND())
        return bound

    def several_bounds(self) -> list[Decimal | str]:
        """Reads numbers or dates with commas between them."""
        bounds = [self.bound()]
        while self.take(","):
            bounds.append(self.bound())
        return bounds

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
        return {"column": self.column_name(), **self.bounds(), **self.tail(fields)}

    def bounds(self) -> dict[str, Any]:
        """Reads the bounds of a query's own, if they come next."""
        if self.take("at", "least"):
            return {"lower": self.bound()}
        if self.take("at", "most"):
            return {"upper": self.bound()}
        if not self.take("between"):
            return {}
        lower = self.bound()
        self.expect("and")
        return {"lower": lower, "upper": self.bound()}

    def tail(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Reads groups and conditions, if they come next.

        Args:
            fields: Fields that are given besides the phrase; they are returned too.
        """
        by = self.column_names() if self.take("by") else ()
        return {"by": by, **self._where(fields)}

    def where(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Reads conditions on the rows, if they come next; the same as `tail` without groups.

        Groups are read too: the phrase then asks for a query for each of them.
        """
        self.parted = self.column_names() if self.take("by") else ()
        return self._where(fields)

    def _where(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {"where": self.conditions() if self.take("where") else (), **fields}

    def conditions(self) -> tuple[Condition, ...]:
        """Reads conditions with "and" between them."""
        conditions = [self.condition()]
        while self.take("and"):
            conditions.append(self.condition())
        return tuple(conditions)

    def condition(self) -> Condition:
        """Reads one condition."""
        column = self.column_name()
        if self.take_any("has", "includes", "contains"):
            return Condition(column=column, options=self._categories(column))
        if self.take("does", "not", "have"):
            return Condition(column=column, options=self._categories(column), negated=True)
        if self.take("is", "not", ANSWERED) or self.take("not", ANSWERED):
            return self._answered(column, answered=False)
        if self.take("is", ANSWERED) or self.take(ANSWERED):
            return self._answered(column, answered=True)
        if self.take(">="):
            return Condition(column=column, lower=self.bound())
        if self.take("<="):
            return Condition(column=column, upper=self.bound())
        if self.take("="):
            return self._named(column)
        negated = self.take("!=") or self.take("is", "not")
        if not negated:
            self.take("is")
        found = self._bounded(column) or self._named(column)
        if negated and found.answered is not None:
            return Condition(column=column, answered=not found.answered)
        return found.model_copy(update={"negated": True}) if negated else found

    def _bounded(self, column: str) -> Condition | None:
        """Reads bounds, if they come next."""
        if self.take("at", "least"):
            return Condition(column=column, lower=self.bound())
        if self.take("at", "most"):
            return Condition(column=column, upper=self.bound())
        for first, second in (("from", "to"), ("between", "and")):
            if self.take(first):
                lower = self.bound()
                self.expect(second)
                return Condition(column=column, lower=lower, upper=self.bound())
        at, (word, quoted) = self._at, (*self._words[self._at :], ("", True))[0]
        number = None if quoted else read_bound(word)
        if number is not None:
            self._at += 1
            if self.take("or", "more"):
                return Condition(column=column, lower=number)
            if self.take("or", "less"):
                return Condition(column=column, upper=number)
            self._at = at
        return None

    def _answered(self, column: str, *, answered: bool) -> Condition:
        """Returns the condition, unless the words could be a category of the column as well."""
        domain = self._domains.get(column)
        words = ANSWERED if answered else f"not {ANSWERED}"
        for one in () if domain is None else domain.listed:
            if one.strip().casefold() == words:
                condition = Condition(column=column, values=(one,)).description
                named = T.ANSWERED_OR_CATEGORY(column=column, category=one, condition=condition)
                raise ParameterError(named)
        return Condition(column=column, answered=answered)

    def _named(self, column: str) -> Condition:
        """Reads categories, or options where the column is known to have several answers."""
        return condition_on(column, self._domains.get(column), self._categories(column))

    def _categories(self, column: str) -> tuple[str, ...]:
        """Reads categories of a column with "or" between them."""
        domain = self._domains.get(column)
        values: list[str] = []
        while not values or self.take("or"):
            if not isinstance(domain, ListedDomain):
                values.append(self.name(T.A_CATEGORY()))
                continue
            word = self._label(domain) or self.name(T.A_CATEGORY())
            meant = _values_meant(word, domain)
            if len(meant) > 1:
                raise _several_meant(word, column, domain, meant)
            values += meant or [word]
        return tuple(values)

    def _label(self, domain: ListedDomain) -> str | None:
        """Reads a label of several words without quotation marks, if one comes next."""
        for end in range(min(len(self._words), self._at + _LABEL_WORDS), self._at + 1, -1):
            ahead = self._words[self._at : end]
            said = " ".join(word for word, _ in ahead)
            if not any(quoted for _, quoted in ahead) and _values_meant(said, domain):
                self._at = end
                return said
        return None

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
            raise self.refusal()

    def refusal(self, expected: str = "") -> ParameterError:
        """Returns the error of a phrase that does not go on as expected ("": to its end)."""
        read = " ".join(word for word, _ in self._words[: self._at])
        text = (T.CONTINUATION if expected else T.END) if read else T.BEGINNING
        return ParameterError(
            text(expected=expected, read=read, examples="; ".join(self._examples()))
        )


def _values_meant(word: str, domain: ListedDomain) -> list[str]:
    """Returns the categories that a word means: its text, else its label, else as it is said."""
    if word in domain.values:
        return [word]
    labels = {value: domain.labels.get(value, value) for value in domain.values}
    forms = _spoken_forms(word)
    return [value for value, label in labels.items() if label == word] or [
        value
        for value, label in labels.items()
        if forms & (_spoken_forms(value) | _spoken_forms(label))
    ]


def _several_meant(
    word: str, column: str, domain: ListedDomain, meant: Sequence[str]
) -> ParameterError:
    """Returns the error of a word that is the label of several categories."""
    answers = [domain.value_with_label(value) for value in meant]
    condition = write_phrase(written(column), "is", written(meant[0]))
    several = T.SEVERAL_MEANT(word=word, column=column, answers=answers, condition=condition)
    return ParameterError(several)


def _said_yes(word: str, domains: Domains) -> Iterator[Condition]:
    """The conditions that a word means as the name of a question of yes and no."""
    for name, domain in domains.items():
        if (
            not isinstance(domain, ListedDomain)
            or not domain.picks_one
            or domain.size != _YES_OR_NO
        ):
            continue
        labels = [domain.label(code).strip().casefold() for code in range(domain.size)]
        yes = [code for code, label in enumerate(labels) if label in YES_WORDS]
        no = [code for code, label in enumerate(labels) if label in NO_WORDS]
        if len(yes) == len(no) == 1 and _spoken_forms(word) & _spoken_forms(name):
            yield condition_on(name, domain, (domain.values[yes[0]],))


def _spoken_forms(word: str) -> set[str]:
    """The forms in which a name is said: without capitals, and as one or several."""
    return set(_forms(word.casefold()))


def _forms(word: str) -> Iterator[str]:
    yield word
    if word.endswith("men"):
        yield f"{word[:-3]}man"
    if len(word) > _SHORT and word.endswith("s"):
        yield word[:-1]
