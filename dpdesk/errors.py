"""The errors that a user can meet.

Each is a full sentence that says what is wrong and where, with a remedy. None of them ever holds
a cell's value of the user's data: a message may end up in a log, on a projector or in a ticket.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from dpdesk.i18n import Message

if TYPE_CHECKING:
    from pydantic import ValidationError


class DpdeskError(Exception):
    """Base of all errors that are shown to the user.

    Args:
        message: What is wrong and where, as a full sentence.
        remedy: What to do about it, as a full sentence; may be empty. An entry of a table of texts
            brings its own.
    """

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy or (message.remedy if isinstance(message, Message) else "")

    @property
    def id(self) -> str:
        """Name of the message in its table of texts; empty where it is in none."""
        return self.message.id if isinstance(self.message, Message) else ""

    def __str__(self) -> str:
        """The message and the remedy, as a window shows them."""
        return f"{self.message} {self.remedy}".strip()

    @property
    def with_command(self) -> str:
        """The same, with the option or the command that carries the remedy out."""
        command = self.message.command if isinstance(self.message, Message) else ""
        return f"{self} ({command})" if command else str(self)


class InputError(DpdeskError):
    """A data file that cannot be read as it stands.

    Args:
        message: What is wrong, as a full sentence.
        line: Line of the file, from 1, where it is known.
        column: Name of the column, where it is known.
        remedy: What to do about it.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: str | None = None,
        remedy: str = "",
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.line = line
        self.column = column


class ParameterError(DpdeskError, ValueError):
    """A parameter outside its bounds; a `ValueError`, so that pydantic reports it with its path."""


def printable(text: str, kept: str = "") -> str:
    """Returns a name with its control characters written as escapes, so that none takes effect.

    Bidirectional controls and other invisible characters are among them: they would turn or hide
    what stands around them.

    Args:
        text: The text.
        kept: Characters that stay all the same, such as a line break where there are lines.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in kept else f"\\x{ord(c):02x}" for c in text)


_CONTROLS = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff\ud800-\udfff]"
)
"""Characters that turn or hide what stands around them; JSON itself escapes those below a blank."""


def escape_controls(text: str) -> str:
    """Returns JSON of the same meaning, in which no character turns or hides what is shown."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def without_unprintable(text: str) -> str:
    """Returns a text with a blank for each unprintable character, line breaks among them."""
    return "".join(c if c.isprintable() else " " for c in text)


Kind = TypeVar("Kind")


def kind_named(kinds: Mapping[str, Kind], word: str, what: str) -> Kind:
    """Returns the kind that a word names.

    Args:
        kinds: All kinds by their words.
        word: The word, as somebody typed it.
        what: What such a kind is called, such as "learner".

    Raises:
        ParameterError: No kind has this word.
    """
    if word in kinds:
        return kinds[word]
    raise ParameterError(f"There is no {what} {word}.", remedy=f"Use one of: {', '.join(kinds)}.")


class MissingPackagesError(ParameterError):
    """Something that was asked for needs packages of an extra, which are not installed.

    A `ParameterError`: here it cannot be had, so it is told where it was asked for.
    """


@contextmanager
def from_extra(extra: str, purpose: str) -> Iterator[None]:
    """Imports what an extra brings; where that is not installed, says how to get it.

    Args:
        extra: Name of the extra in pyproject.toml.
        purpose: What needs it, in the plural, as the beginning of a sentence.

    Raises:
        MissingPackagesError: A package is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        raise MissingPackagesError(
            f"{purpose} need the package {package}, which is not installed.",
            remedy=f"Install it with: pip install 'dpdesk[{extra}]'.",
        ) from None


class PlanError(DpdeskError):
    """A plan that cannot be read or must not be run; `problems` holds every reason found."""

    def __init__(
        self, message: str, *, problems: tuple[object, ...] = (), remedy: str = ""
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.problems = problems


class CertificateError(DpdeskError):
    """An integer law whose exact loss exceeds the nominal epsilon: it must never be run."""


class ReleaseError(DpdeskError):
    """A release, a plan or a page that cannot be written; nothing of it is left behind."""


class LedgerError(ReleaseError):
    """The ledger cannot be read, written or trusted; nothing was drawn."""


class DamagedLedgerError(LedgerError):
    """A ledger of dpdesk that is not what was written, or not all of it; nothing was drawn."""


class OlderCopyError(DamagedLedgerError):
    """A ledger that is whole as far as it goes, but went further once; nothing was drawn."""


class CapReachedError(LedgerError):
    """A release would exceed what is allowed for its population; nothing was drawn."""


class SamePeopleError(LedgerError):
    """A file is nearly one that was released; somebody must say whether of the same people.

    Args:
        message: What resembles what.
        populations: Names of the people that it may be about, the closest ones first.
        remedy: How to answer.
    """

    def __init__(self, message: str, *, populations: tuple[str, ...], remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.populations = populations


class Cancelled(DpdeskError):
    """The user cancelled the work."""

    def __init__(self) -> None:
        super().__init__("The work was cancelled; nothing was written.")


class InvalidField(NamedTuple):
    """A field that pydantic refused.

    Attributes:
        place: Names and positions on the way to it; empty for the whole.
        kind: Pydantic's word for the cause, such as "missing".
        sentence: The cause in words; it never holds what was typed.
        context: What the cause refers to, such as the bound "max_length".
    """

    place: tuple[int | str, ...]
    kind: str
    sentence: str
    context: Mapping[str, object]

    @property
    def cause(self) -> DpdeskError | None:
        """The error that our own check raised; None where pydantic's did."""
        cause = self.context.get("error")
        return cause if isinstance(cause, DpdeskError) else None


_NO_OBJECT = ("model_type", "model_attributes_type", "dataclass_type")
_OBJECT = "Input should be an object with named fields"


def invalid_fields(error: ValidationError) -> tuple[InvalidField, ...]:
    """Returns the fields that pydantic refused, at least one."""
    return tuple(
        InvalidField(
            one["loc"],
            one["type"],
            _OBJECT if one["type"] in _NO_OBJECT else one["msg"].removeprefix("Value error, "),
            one.get("ctx", {}),
        )
        for one in error.errors(include_url=False, include_input=False)
    )
