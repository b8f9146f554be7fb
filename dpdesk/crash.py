"""The last resort: what nobody foresaw is noted without any value, and told in a sentence.

The text of a foreign exception can quote a cell of the user's data (those of numpy, pyarrow,
pydantic and `KeyError` do), and so can a line of source with its variables. So only the kinds of
the exceptions are noted, and where they passed: file, line, function.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path, PurePath
from types import TracebackType

from dpdesk.errors import DpdeskError
from dpdesk.version import __version__

LOG_NAME = "errors.log"
_LOG_MAX = 1 << 20
"""Bytes after which the file is begun anew: a window that fails at every repaint fills no disk."""

_CHAIN_MAX = 8


def log_path() -> Path:
    """The file in the user's state folder that errors are noted in, whether or not it exists."""
    # Imported here: only who fails needs it.
    from platformdirs import user_state_path

    return user_state_path("dpdesk", appauthor=False) / LOG_NAME


def places(trace: TracebackType | None) -> Iterator[str]:
    """Where an error passed, from the outside in: "dpdesk/cli/run.py:38 run"."""
    while trace is not None:
        code = trace.tb_frame.f_code
        yield f"{_file_name(code.co_filename)}:{trace.tb_lineno} {code.co_name}"
        trace = trace.tb_next


def note(error: BaseException) -> Path | None:
    """Notes an error.

    Returns:
        The file, which only its owner can read; None if it cannot be written.
    """
    try:
        path = log_path()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        begun_anew = path.exists() and path.stat().st_size > _LOG_MAX
        # A pipe of this name must not keep us waiting: what is no file is not written to.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
        flags |= os.O_TRUNC if begun_anew else 0
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
            if hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), 0o600)
            file.write("\n".join(_lines(error)) + "\n")
    except Exception:  # noqa: BLE001 - whatever is the matter, the user is told of the first error
        return None
    return path


def unexpected(error: BaseException) -> DpdeskError:
    """Notes an error that nobody foresaw, and returns what the user is told of it."""
    log = note(error)
    where = "Where it happened could not be noted"
    if log is not None:
        where = f"Where it happened is noted in {log}, which holds none of your data"
    return DpdeskError(
        f"An unexpected error of kind {kind_of(error)} stopped the work. {where}.",
        remedy="Please report it with the steps that led here.",
    )


def kind_of(error: BaseException) -> str:
    """The kind of an error; of one of the system also what the system says, such as a full disk."""
    name = type(error).__name__
    said = error.strerror if isinstance(error, OSError) and error.errno else None
    return f"{name} ({said})" if said else name


def _lines(error: BaseException) -> Iterator[str]:
    yield (
        f"{time.strftime('%Y-%m-%d %H:%M:%S%z')} dpdesk {__version__}, Python "
        f"{platform.python_version()}, {sys.platform}"
    )
    one: BaseException | None = error
    for _ in range(_CHAIN_MAX):
        if one is None:
            break
        yield f"  {type(one).__module__}.{type(one).__qualname__}"
        yield from (f"    {place}" for place in places(one.__traceback__))
        one = one.__cause__ or one.__context__


def _file_name(name: str) -> str:
    """The path of a module below the folder that packages lie in; of others the last part alone."""
    parts = PurePath(name).parts
    for root in ("site-packages", "dpdesk"):
        if root in parts[:-1]:
            start = len(parts) - 1 - parts[::-1].index(root)
            return "/".join(parts[start + (root == "site-packages") :])
    return parts[-1] if parts else name
