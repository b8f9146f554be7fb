"""A request: the declared record of what a tool can be asked for.

Every field says its type, default, bounds, name and meaning once. The options of the command line,
the form of the window, the function of Python, the copied command and script, and the table of the
help are renderings of the record. Nothing that takes long is imported here: `--help` reads it.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, get_args, get_origin
from typing import get_type_hints as hints_of

from dpdesk.errors import ParameterError, kind_named
from dpdesk.i18n import any_of
from dpdesk.requests.texts import T
from dpdesk.requests.unused import Unused


@dataclass(frozen=True)
class Declared:
    """What a field of a request declares, beside its name, type and default.

    Attributes:
        title: Its name in the window.
        meaning: What it does, as a short phrase; the help, the form and the documentation show it.
        least, most: Bounds of a number.
        kinds: The registry whose words it takes, for example "dpdesk.disclosure.methods:METHODS":
            kinds with a `word` and a `title`, or titles or kinds by their words.
        words: The words that it takes, where they are no registry.
        option: Its word on the command line, where that does not follow from its name.
        short: A second word of one letter, for example "-o".
        example: What stands for its value in the help, and in a refusal as an example.
        group: Heading of the options that it belongs to.
        unused: The cases in which it has no effect.
        role: What a path is to the tool: a file that is read or written, or a folder that is made.
        repeated: Whether each of several values has an option of its own.
    """

    title: str
    meaning: str
    least: float = -math.inf
    most: float = math.inf
    kinds: str = ""
    words: tuple[str, ...] = ()
    option: str = ""
    short: str = ""
    example: str = ""
    group: str = ""
    unused: tuple[Unused, ...] = ()
    role: str = ""
    repeated: bool = False

    @property
    def registry(self) -> Mapping[str, Any]:
        """The kinds that its words name, by these words; empty where no registry says them."""
        module, _, name = self.kinds.partition(":")
        kinds = getattr(import_module(module), name) if module else ()
        return kinds if isinstance(kinds, Mapping) else {kind.word: kind for kind in kinds}

    @property
    def choices(self) -> Mapping[str, str]:
        """The words that it takes, each with its title; empty where it is no choice."""
        own = {word: word for word in self.words}
        kinds = self.registry.items()
        return own or {word: getattr(kind, "title", str(kind)) for word, kind in kinds}

    def kind_named(self, word: str) -> Any:
        """Returns the kind that a word names.

        Raises:
            ParameterError: There is none.
        """
        return kind_named(self.registry, word, self.title.lower())


_LARGEST_BASE = 100
"""A number that is the logarithm of a smaller whole one is written as that."""


class Field(NamedTuple):
    """A field of a request.

    Attributes:
        name: Its name in Python.
        type: Its type, without None.
        default: Its default.
        declared: What it declares.
    """

    name: str
    type: Any
    default: Any
    declared: Declared

    @property
    def option(self) -> str:
        """Its word on the command line."""
        return self.declared.option or "--" + self.name.replace("_", "-")

    @property
    def is_mapping(self) -> bool:
        """Whether it has a value for each of several names."""
        return get_origin(self.type) is Mapping

    @property
    def is_list(self) -> bool:
        """Whether it has several values."""
        return get_origin(self.type) is tuple

    @property
    def is_repeated(self) -> bool:
        """Whether its option may be given several times."""
        return self.declared.repeated or self.is_mapping

    @property
    def value_type(self) -> Any:
        """The type of one of its values."""
        if self.is_mapping:
            return get_args(self.type)[1]
        return get_args(self.type)[0] if self.is_list else self.type

    def words(self, value: Any) -> tuple[str, ...]:
        """Returns a value as it is typed: one text for each time that the option is given."""
        if value is None or value is False:
            return ()
        if self.is_mapping:
            return tuple(f"{name}={_typed(each)}" for name, each in value.items())
        if self.is_list and self.is_repeated:
            return tuple(map(_typed, value))
        return (_typed(value),) if not self.is_list or value else ()

    def in_form(self, value: Any) -> Any:
        """Returns a value of Python in the form of the record: lists as tuples, one alone in one.

        A text where a list of names is needed is one that is typed, with commas.
        """
        if not self.is_list:
            return value
        if isinstance(value, int | float):
            value = (value,)
        if isinstance(value, str):
            value = read_names(value)
        is_inner = get_origin(self.value_type) is tuple
        if is_inner and value and isinstance(value[0], str):
            value = (value,)
        return tuple(tuple(each) for each in value) if is_inner else tuple(value)

    def read(self, text: str) -> Any:
        """Returns one of its values as typed, numbers also as ln2 or 10%; None for no value."""
        # Here and not above: a help reads no number.
        from dpdesk.numbers import real_number, real_share, whole_number

        if self.value_type is int:
            return whole_number(text)
        if self.value_type is float:
            base = whole_number(text[2:].strip()) if text.startswith("ln") else None
            if base:
                return math.log(base)
            return real_share(text) if text.endswith("%") else real_number(text)
        return Path(text) if self.value_type is Path else text

    def check(self, value: Any) -> None:
        """Refuses a value out of bounds, an unknown word, and an empty list without a use.

        Raises:
            ParameterError: It is.
        """
        declared = self.declared
        if self.is_list and self.default and not value:
            raise ParameterError(T.EMPTY(field=declared.title))
        values = value.values() if self.is_mapping else value if self.is_list else (value,)
        for each in values:
            if isinstance(each, int | float) and not declared.least <= each <= declared.most:
                raise self._bounds()
            if isinstance(each, str) and declared.choices and each not in declared.choices:
                words = any_of(tuple(declared.choices))
                raise ParameterError(T.NO_SUCH_WORD(field=declared.title, words=words))

    def _bounds(self) -> ParameterError:
        least, most = self.declared.least, self.declared.most
        field = self.declared.title
        if math.isinf(most):
            return ParameterError(T.BELOW_LEAST(field=field, least=f"{least:,.10g}"))
        return ParameterError(
            T.OUT_OF_BOUNDS(field=field, least=f"{least:,.10g}", most=f"{most:,.10g}")
        )


@dataclass(frozen=True)
class Request:
    """Base of all requests: frozen data classes whose fields are `Annotated` with `Declared`.

    Raises:
        ParameterError: A value is out of its bounds, or no word of its choice.
    """

    command: ClassVar[str]
    """The words of the command that takes it, for example "survey plan"."""

    def __post_init__(self) -> None:
        for field in self.declared_fields():
            field.check(getattr(self, field.name))

    @classmethod
    @cache
    def declared_fields(cls) -> tuple[Field, ...]:
        """Returns its fields, in the order of their declaration."""
        hints = hints_of(cls, include_extras=True)
        return tuple(
            Field(each.name, _without_none(get_args(hints[each.name])[0]), _default(each), found)
            for each in fields(cls)
            if get_origin(hints[each.name]) is Annotated
            for found in get_args(hints[each.name])[1:]
        )

    @classmethod
    def declared_field(cls, name: str) -> Field:
        """Returns the field of a name.

        Raises:
            KeyError: There is none.
        """
        return {each.name: each for each in cls.declared_fields()}[name]

    def given_values(self) -> Mapping[str, Any]:
        """Returns the values that are not the default and have an effect, by their names."""
        return {
            field.name: getattr(self, field.name)
            for field in self.declared_fields()
            if getattr(self, field.name) != field.default
            and not any(case.when(self) for case in field.declared.unused)
        }

    def typed_options(self) -> tuple[str, ...]:
        """Returns the words of the command line that ask for the same."""
        return tuple(_options(self.declared_fields(), self.given_values()))

    def python_keywords(self) -> tuple[str, ...]:
        """Returns the arguments of Python that ask for the same, each as `name=value`."""
        return tuple(f"{name}={_literal(value)}" for name, value in self.given_values().items())

    @classmethod
    def help_table(cls) -> str:
        """Returns the table of its fields for the documentation, in Markdown."""
        rows = [(T.HEAD_OPTION(), T.HEAD_MEANING(), T.HEAD_DEFAULT()), ("---",) * 3]
        for field in cls.declared_fields():
            usual = ", ".join(field.words(field.default)) if field.default is not True else ""
            rows.append((f"`{field.option}`", field.declared.meaning, usual))
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _options(declared: Sequence[Field], values: Mapping[str, Any]) -> Iterator[str]:
    for field in declared:
        if field.name not in values:
            continue
        for word in field.words(values[field.name]):
            yield field.option if field.type is bool else f"{field.option}={word}"


def _default(field: Any) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return None if field.default is MISSING else field.default


def _without_none(annotation: Any) -> Any:
    parts = [part for part in get_args(annotation) if part is not type(None)]
    is_optional = len(parts) == 1 and len(get_args(annotation)) == 2
    return (
        parts[0] if is_optional and get_origin(annotation) not in (tuple, Mapping) else annotation
    )


def _literal(value: Any) -> str:
    """A value as Python writes it; paths as texts."""
    if isinstance(value, Path):
        return repr(str(value))
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name!r}: {_literal(each)}' for name, each in value.items())}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value)


def _typed(value: Any) -> str:
    """A value as it is typed: of several ones a list with commas."""
    if isinstance(value, tuple):
        return written_names(map(_typed, value))
    if isinstance(value, float):
        bases = (base for base in range(2, _LARGEST_BASE) if value == math.log(base))
        exact = repr(value).removesuffix(".0")
        return next((f"ln{base}" for base in bases), exact)
    return str(value)


def written_names(names: Iterable[str]) -> str:
    """Returns names as one text with commas; a name that holds one stands in quotation marks."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()


def read_names(text: str) -> tuple[str, ...]:
    """Returns the names in a text with commas between them, as `written_names` writes it."""
    rows = list(csv.reader([text], skipinitialspace=True)) if text.strip() else []
    return tuple(name.strip() for row in rows for name in row if name.strip())
