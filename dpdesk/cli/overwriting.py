"""Results do not take the place of what a command reads."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from dpdesk.errors import ParameterError

# Not a plan: that of `choose` and `query` may be replaced by the plan that is made of it.
_READ = ("data", "codebook")
_WRITTEN = ("out", "save_plan", "scores", "memo", "private_diagnostics")


def refuse_to_overwrite(options: argparse.Namespace) -> None:
    """Refuses a result that would replace the survey, by whatever name or link.

    Raises:
        ParameterError: An option names a file to be written that is read as data.
    """
    for written in _paths(options, _WRITTEN):
        for read in _paths(options, _READ):
            if _same(written, read):
                raise ParameterError(
                    f"The result would overwrite {written.name}, which this command reads.",
                    remedy="Name another file for the result.",
                )


def _paths(options: argparse.Namespace, names: tuple[str, ...]) -> list[Path]:
    found = (getattr(options, name, None) for name in names)
    return [path for path in found if isinstance(path, Path)]


def _same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)  # noqa: PTH121 - Path.samefile is the same call
    except (OSError, ValueError):
        return False
