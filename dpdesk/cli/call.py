"""The options of a command from values of Python, read and checked as words are.

What `dpdesk.interface` calls a command with.
"""

from __future__ import annotations

import argparse
import csv
import inspect
import io
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import (
    AbstractContextManager,
    ExitStack,
    contextmanager,
    nullcontext,
    redirect_stderr,
)
from decimal import Decimal
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from dpdesk.cli.texts import T
from dpdesk.errors import ParameterError

if TYPE_CHECKING:
    from dpdesk.data.tabular import ArrowStream
    from dpdesk.plan import Plan
    from dpdesk.requests.request import Request

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])
PathLike = str | os.PathLike[str]
Survey: TypeAlias = "PathLike | ArrowStream"
"""A survey: its file, or a table of pandas, polars, pyarrow or any library with Arrow streams."""
Option = str | int | float | Decimal | bool | os.PathLike[str] | None
"""The value of an option: a text or number as it is typed; True for a word alone, None to omit."""
Options = Option | Sequence[Option]
_RAISES = "    DpdeskError: The survey cannot be read, or a value is impossible or without effect."
Columns = str | Sequence[str]
"""Names of columns: a list, or a text as it is typed, with commas between them."""


def options_of_values(
    command: str, operands: Iterable[Survey], given: Mapping[str, Options]
) -> argparse.Namespace:
    """Returns the options of a command, read and checked as those of the command line.

    Raises:
        ParameterError: One of them is unknown, impossible or without effect.
    """
    from dpdesk.cli.run import named, options_of

    found = named(command.split())
    assert found is not None  # noqa: S101 - the commands are named here
    words = [word for name, value in given.items() for word in _words(name, value)]
    # Tables of other libraries are files by now (`takes_tables`).
    places = [str(Path(cast(PathLike, place))) for place in operands]
    # Operands behind the options, whose lists would take them, and never taken for one of them.
    said = io.StringIO()
    try:
        with redirect_stderr(said):
            return options_of(found, [*words, "--", *places] if places else words)
    except SystemExit:
        # The parser says what is wrong and ends the program; a function raises.
        sentence = said.getvalue().strip().removeprefix("dpdesk: ")
    raise ParameterError(sentence)


def options_of_request(
    kind: type[Request], operands: Iterable[Survey], given: Mapping[str, Any]
) -> argparse.Namespace:
    """Returns the options of the command of a request, from values of its fields and of reading.

    Raises:
        ParameterError: A value is impossible or without effect, or its name unknown.
    """
    own = {field.name: field for field in kind.declared_fields()}
    words: dict[str, Options] = {}
    for name, value in given.items():
        field = own.get(name)
        if field is None or value is None or isinstance(value, bool):
            words[name if field is None else field.option.removeprefix("--")] = value
            continue
        typed = field.words(field.in_form(value))
        words[field.option.lstrip("-")] = list(typed) if field.is_repeated else "".join(typed)
    return options_of_values(kind.command, operands, words)


def function_of(kind: type[Request], module: str, doc: str) -> Callable[..., Any]:
    """Returns the function of Python that does what the command of a request does.

    Args:
        kind: The request; its fields are the function's keywords.
        module: The module of the command, whose `answered(options)` returns the result.
        doc: What the function does, as a sentence, and what it returns.
    """

    def function(data: Survey, *, plan: Plan | PathLike | None = None, **values: Any) -> Any:
        with file_if_any(plan) as file:
            options = options_of_request(kind, [data], {"plan": file, **values})
            return import_module(module).answered(options)

    function.__name__ = function.__qualname__ = kind.command.replace(" ", "_")
    fields = [field for field in kind.declared_fields() if field.name != "plan"]
    meanings = [f"    {field.name}: {field.declared.meaning}." for field in fields]
    head = [doc, "", "Args:", "    data: The survey.", "    plan: Its plan, or the file of one."]
    function.__doc__ = "\n".join([*head, *meanings, "", "Raises:", _RAISES])
    signature = inspect.signature(function)
    data, plan, reading = signature.parameters.values()
    own = [
        inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=field.type
        )
        for field in fields
    ]
    function.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[data, plan, *own, reading.replace(name="reading")]
    )
    return takes_tables(function)


def takes_tables(function: FunctionT) -> FunctionT:
    """Lets a function take a table of another library wherever it takes the file of a survey."""

    @wraps(function)
    def with_files(*values: Any, **named: Any) -> Any:
        from dpdesk.data.tabular import ArrowStream, file_of_table

        with ExitStack() as files:

            def file(value: Any) -> Any:
                is_table = isinstance(value, ArrowStream)
                return files.enter_context(file_of_table(value)) if is_table else value

            return function(*map(file, values), **{name: file(v) for name, v in named.items()})

    return cast(FunctionT, with_files)


def typed_columns(names: Columns | None) -> str | None:
    """Returns names of columns as they are typed, each that holds a comma in quotation marks.

    Raises:
        ParameterError: A name is not a text.
    """
    if names is None or isinstance(names, str):
        return names
    if not all(isinstance(name, str) for name in names):
        raise ParameterError(T.NAME_NO_TEXT())
    written = io.StringIO()
    csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="").writerow(names)
    return written.getvalue()


def _words(name: str, value: Options) -> Iterator[str]:
    """Yields an option as it is typed."""
    if name == "help":
        raise ParameterError(T.HELP_NO_OPTION())
    word = "--" + name.replace("_", "-")
    if value is None or value is False:
        return
    if value is True:
        yield word
        return
    for one in [value] if isinstance(value, str) or not isinstance(value, Sequence) else value:
        # In one word: a value may begin with a minus sign.
        yield f"{word}={os.fspath(one) if isinstance(one, os.PathLike) else one}"


@contextmanager
def file_of_plan(plan: Plan | PathLike) -> Iterator[Path]:
    """Yields the file of a plan; a plan without a file is written for the time of a call."""
    from dpdesk.plan import Plan, save_plan

    if not isinstance(plan, Plan):
        yield Path(plan)
        return
    with tempfile.TemporaryDirectory(prefix="dpdesk-") as folder:
        file = Path(folder, "plan.json")
        save_plan(plan, file)
        yield file


def file_if_any(plan: Plan | PathLike | None) -> AbstractContextManager[Path | None]:
    """Yields the file of a plan, or None."""
    return nullcontext() if plan is None else file_of_plan(plan)
