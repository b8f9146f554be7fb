"""The program's sentences: entries in tables of texts, put into words in the language in force.

Every room has its table, a class in its `texts.py`, each entry a `Text`. Calling an entry with its
values gives a `Message`: the sentence in words, which still knows its entry and its values.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

ENGLISH, PSEUDO = "en", "qps"
"""English, and the pseudo-locale: every text in brackets and a third longer, to be tested with."""

_spoken = [ENGLISH]
"""The language in force is the last one; one list for all threads."""


def language() -> str:
    """Returns the code of the language in force."""
    return _spoken[-1]


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Puts everything within into the words of a language, in all threads.

    Args:
        code: `ENGLISH` or `PSEUDO`.
    """
    _spoken.append(code)
    try:
        yield
    finally:
        _spoken.pop()


def translated(english: str) -> str:
    """Returns a text without placeholders, or a template, in the language in force."""
    if language() == PSEUDO and english:
        return f"[{english}{'~' * (len(english) // 3)}]"
    return english


class Message(str):
    """A sentence in words.

    Attributes:
        text: The entry of the table of texts.
        values: The values of its placeholders.
    """

    text: Text
    values: Mapping[str, object]

    __slots__ = ("text", "values")

    @property
    def id(self) -> str:
        """Name of the entry, such as "ledgers.no-population"."""
        return self.text.id

    @property
    def remedy(self) -> str:
        """What to do, as a sentence; may be empty."""
        return self.text.fill(self.text.remedy, self.values)

    @property
    def command(self) -> str:
        """How the command line does it, such as "dpdesk ledger"; may be empty."""
        return self.text.command.format_map(_words(self.values))

    def __reduce__(self) -> tuple[Any, ...]:
        return _said, (self.text, dict(self.values))


def _said(text: Text, values: Mapping[str, object]) -> Message:
    return text(**values)


class Text:
    """An entry of a table of texts.

    Args:
        english: The sentence in English. Placeholders stand in braces: {column}.
        plural: The sentence for every {count} but 1, where there is one.
        remedy: What to do, in the imperative.
        command: How the command line does it, such as "--population {name}".
    """

    def __init__(
        self, english: str, plural: str = "", *, remedy: str = "", command: str = ""
    ) -> None:
        self.english, self.plural = english, plural
        self.remedy, self.command = remedy, command
        self.id = ""

    def __set_name__(self, table: type, name: str) -> None:
        room = table.__module__.removeprefix("dpdesk.").rpartition(".")[0]
        self.id = f"{room}.{name.lower().replace('_', '-')}"
        self._entry = (table, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, self._entry

    def __repr__(self) -> str:
        return f"<Text {self.id}>"

    def __call__(self, **values: object) -> Message:
        """Returns the sentence with its values; numbers and lists are written as the language does.

        Args:
            values: By placeholder: text, a whole number, a list of texts. Any other number is put
                into words by whoever knows its digits (`dpdesk.numbers.digits`).
        """
        several = bool(self.plural) and values["count"] != 1
        message = Message(self.fill(self.plural if several else self.english, values))
        message.text, message.values = self, values
        return message

    def fill(self, english: str, values: Mapping[str, object]) -> str:
        """Returns one of the entry's templates in the language in force, with values."""
        # A last sentence may be left out.
        return translated(english).format_map(_words(values)).rstrip() if english else ""

    @property
    def placeholders(self) -> frozenset[str]:
        """Names of the values that it needs."""
        templates = (self.english, self.plural, self.remedy, self.command)
        return frozenset(
            name
            for template in templates
            for _, name, _, _ in string.Formatter().parse(template)
            if name
        )


def _words(values: Mapping[str, object]) -> Mapping[str, str]:
    return {name: _word(value) for name, value in values.items()}


def _word(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Sequence):
        return joined([_word(each) for each in value])
    raise TypeError(f"{type(value).__name__} needs its digits: put it into words first.")


def N_(text: str) -> str:  # noqa: N802 - the gettext convention for "mark, do not translate yet"
    """Returns `text` unchanged; the extractor of translations finds the mark."""
    return text


AND_MORE = N_("{names} and {count} more")
"""The first names of a long list, and the number of the others."""


def joined(names: Sequence[str], most: int | None = None, *, more: str = AND_MORE) -> str:
    """Returns names as a list in a sentence, "a, b and c"; of more than `most` as `first_names`."""
    if most is not None and len(names) > most:
        return first_names(names, most, more=more)
    return _listed(names, "and")


def _listed(names: Sequence[str], last: str) -> str:
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)


def in_a_row(sentences: Iterable[str]) -> str:
    """Returns whole sentences one after the other."""
    return " ".join(sentences)


def any_of(alternatives: Sequence[str]) -> str:
    """Returns alternatives as a list in a sentence, "a, b or c"."""
    return _listed(alternatives, "or")


def quoted(names: Sequence[str], most: int | None = None, *, more: str = AND_MORE) -> str:
    """Returns names of the user as a list in a sentence, as `joined`: “a”, “b, c” and “d”."""
    return joined([f"“{name}”" for name in names], most, more=more)


def first_names(
    names: Sequence[str], most: int, *, more: str = AND_MORE, between: str = ", "
) -> str:
    """Returns names in a list, of many the first ones and the number of the others: "a, b".

    Args:
        names: The names.
        most: How many are named at the most.
        more: The phrase for longer lists, with {names} and {count}, translated where it is shown.
        between: What stands between two names.
    """
    listed = between.join(names[:most])
    rest = len(names) - most
    return more.format(names=listed, count=f"{rest:,}") if rest > 0 else listed
