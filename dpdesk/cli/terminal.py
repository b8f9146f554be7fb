"""The terminal: text without control characters, letters it lacks, failed output, questions."""

from __future__ import annotations

import codecs
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from dpdesk.cli.texts import T
from dpdesk.errors import DpdeskError, ReleaseError, escape_controls, printable

if TYPE_CHECKING:
    from dpdesk.facts import Facts

_T = TypeVar("_T")

# Signs of dpdesk that older consoles lack, as they are written by hand.
_PLAIN = {
    "ε": "epsilon",
    "δ": "delta",
    "ρ": "rho",
    "π": "pi",
    "λ": "lambda",
    "σ": "sigma",
    "²": "^2",
    "±": "+-",
    "≤": "<=",
    "≥": ">=",
    "–": "-",
    "—": "-",
    "−": "-",
    "·": "*",
    "×": "x",
    "½": "1/2",
    "⅓": "1/3",
    "¼": "1/4",
    "⅕": "1/5",
    "⅙": "1/6",
    "⅛": "1/8",
    "…": "...",
    "“": '"',
    "”": '"',
    "’": "'",
    "\u00a0": " ",
    "\u202f": " ",
}
_UTF8 = frozenset({"utf-8", "utf-8-sig", "utf-16", "utf-32"})

_LONGEST = 1200
_END = 400


def plain(text: str) -> str:
    """Returns text with its control characters written as escapes, so that none takes effect."""
    return "\n".join(map(printable, text.split("\n")))


def one_line(text: str) -> str:
    """Returns a message as one line; of a long one the beginning and the end.

    A name can contain line breaks and a thousand letters, a word of the command line even more.
    """
    line = plain(" ".join(text.splitlines()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - _END]} … {line[-_END:]}"


def _written_plainly(error: UnicodeError) -> tuple[str, int]:
    """Replaces letters that an encoding lacks, as `codecs.register_error` wants it."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    written = "".join(
        _PLAIN.get(letter) or letter.encode("ascii", "backslashreplace").decode("ascii")
        for letter in lacking
    )
    return written, error.end


class OutputError(ReleaseError):
    """The output could not be written: the disk is full, or the output was closed."""


def _unwritable(error: Exception) -> OutputError:
    reason = getattr(error, "strerror", None) or T.CLOSED()
    return OutputError(T.UNWRITABLE(reason=reason))


class _CheckedOutput:
    """Standard output that says in a sentence why it cannot be written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Writes a text."""
        return self._checked(lambda: self._stream.write(text))

    def flush(self) -> None:
        """Waits until what was printed is written."""
        self._checked(self._stream.flush)

    def _checked(self, work: Callable[[], _T]) -> _T:
        try:
            return work()
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            raise _unwritable(error) from None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def terminal() -> Iterator[None]:
    """Makes every letter writable in the terminal's encoding, and every failed output an error."""
    codecs.register_error("dpdesk", _written_plainly)
    if sys.stderr is None:
        # Closed by the program that started us: messages are dropped, not mixed into the output.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - to the end
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="dpdesk")
    with _output_by(_CheckedOutput):
        yield


@contextmanager
def _output_by(kind: Callable[[TextIO], Any]) -> Iterator[None]:
    """Puts something between what is printed and standard output, if there is any."""
    before = sys.stdout
    if before is not None:
        sys.stdout = kind(before)
    try:
        yield
    finally:
        sys.stdout = before


class _TextLeftOut:
    """Standard output without text: only what was asked for is printed."""

    def __init__(self, asked: Any) -> None:
        self.asked = asked

    def write(self, text: str) -> int:
        """Drops a text."""
        return len(text)

    def flush(self) -> None:
        """Waits until what was asked for is written."""
        self.asked.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.asked, name)


@contextmanager
def text_left_out() -> Iterator[None]:
    """Leaves out what is printed as text; `print_json` and `print_asked` print all the same."""
    with _output_by(_TextLeftOut):
        yield


def print_asked(text: str) -> None:
    """Prints a document that was asked for, as it is: also where text is left out."""
    # Without an output nothing is printed, as by any `print`.
    print(text, end="", file=_asked())


def print_bytes(content: bytes) -> None:
    """Prints a file that was asked for in the place of one with a name.

    Raises:
        OutputError: It cannot be written.
        BrokenPipeError: Its reader ended early.
    """
    asked = _asked()
    try:
        asked.flush()
        asked.buffer.write(content)
        asked.buffer.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError, AttributeError) as error:
        raise _unwritable(error) from None


def _asked() -> Any:
    return getattr(sys.stdout, "asked", sys.stdout)


def try_output(line: str = "") -> None:
    """Prints a line and waits until it is written: a full disk is noticed before a charge.

    Args:
        line: What is printed. If empty, a line break, which JSON allows; a terminal, which is
            never full, does not get it.

    Raises:
        OutputError: Nothing can be written.
    """
    if sys.stdout is None:
        raise OutputError(T.NO_OUTPUT())
    if line:
        print(line)
    elif not sys.stdout.isatty():
        print_asked("\n")
    sys.stdout.flush()


def abandon_output() -> None:
    """Discards output that could not be written; Python would try again when it ends."""
    # A stream without a file, as in tests, has nothing to discard.
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError, AttributeError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def print_json(content: Any) -> None:
    """Prints JSON; letters that the terminal's encoding may lack are escaped."""
    encoding = codecs.lookup(getattr(sys.stdout, "encoding", None) or "ascii").name
    escaped = encoding not in _UTF8
    text = json.dumps(content, indent=2, allow_nan=False, ensure_ascii=escaped)
    print_asked(escape_controls(text) + "\n")


def print_rows(rows: Sequence[tuple[str, ...]]) -> None:
    """Prints rows of texts under a sentence, indented, each column as wide as its widest cell.

    Args:
        rows: The rows, of equally many cells, with their head.
    """
    for cells in _aligned(rows):
        print(f"  {cells}".rstrip())


def print_table(rows: Sequence[tuple[str, ...]], *, texts: int = 1) -> None:
    """Prints a table of numbers, each column as wide as its widest cell.

    Args:
        rows: The rows, of equally many cells, with their head.
        texts: So many first columns hold texts, which stand to the left; the numbers behind them
            stand to the right.
    """
    for cells in _aligned(rows, texts):
        print(cells.rstrip())


def _aligned(rows: Sequence[tuple[str, ...]], texts: int | None = None) -> Iterator[str]:
    """The rows as lines: texts, in the first columns or in all, stand to the left."""
    # A category may hold a line break, which would end the row.
    rows = [tuple(printable(cell) for cell in row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(
            f"{cell:<{width}}" if texts is None or place < texts else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )


def ask(question: str) -> bool:
    """Asks a question with the answers yes and no; returns False where nobody can answer.

    Args:
        question: A full sentence.
    """
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}


def print_facts(facts: Facts) -> None:
    """Prints facts: single ones as lines, several ones under their heading as tables or lines."""
    from dpdesk.facts import Facts, is_several

    lines = list(facts.lines())
    if lines:
        print_rows(spaced(lines))
    for fact in facts:
        if isinstance(fact.value, Facts):
            if fact.label:
                print(f"\n{plain(fact.label)}")
            print_facts(fact.value)
        elif isinstance(fact.value, Mapping) and is_several(fact.value):
            for name, own in fact.value.items():
                print(f"\n{fact.label}: {plain(name)}")
                print_facts(own)
        elif fact.label and isinstance(fact.value, tuple) and (table := _table(fact.value)):
            print(f"\n{plain(fact.label)}")
            print_rows(spaced(table))


def _table(things: Iterable[Facts]) -> list[tuple[str, ...]]:
    """Facts of several things under their labels, without columns that hold nothing."""
    shown = ([(each.label, each.words) for each in own if each.label] for own in things)
    columns = list(zip(*filter(None, shown), strict=True))
    kept = [column for column in columns if any(words for _, words in column)]
    heads = [tuple(column[0][0] for column in kept)] if kept else []
    return [*heads, *zip(*([words for _, words in column] for column in kept), strict=True)]


def spaced(rows: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Texts of a window for a terminal, which has no blanks that hold words together."""
    return [tuple(cell.replace("\u00a0", " ") for cell in row) for row in rows]


def print_note(sentence: str) -> None:
    """Prints a sentence to standard error, an entry of a table of texts with its remedy."""
    print(f"note: {plain(DpdeskError(sentence).with_command)}", file=sys.stderr)
