"""Private diagnostics beside a release: the place is refused beforehand, the file written after."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from dpdesk.errors import DpdeskError, ReleaseError

if TYPE_CHECKING:
    from dpdesk.reports.section import Section


def require_private_place(options: argparse.Namespace) -> None:
    """Refuses a place for private diagnostics before anything is drawn: no release is taken back.

    Raises:
        ReleaseError: It has another ending than .html or .json, or lies in a release.
        InputError: Its folder does not exist.
    """
    from dpdesk.data.write_file import require_folder
    from dpdesk.releases.private import check_private_path

    if options.private_diagnostics is not None:
        check_private_path(options.private_diagnostics, options.out)
        require_folder(options.private_diagnostics)


def write_diagnostics(
    options: argparse.Namespace,
    make: Callable[[], Section],
    told: str,
    template: str = "private.html.j2",
) -> ReleaseError | None:
    """Writes the private diagnostics, if any; the release is complete whatever happens here.

    Args:
        options: Where they, and the release, are written.
        make: Makes them.
        told: What is said where they cannot be written, with {folder} for that of the release.
        template: The page that shows them.

    Returns:
        Why they could not be written.
    """
    from dpdesk.crash import unexpected
    from dpdesk.releases.private import write_private_diagnostics

    path = options.private_diagnostics
    if path is None:
        return None
    try:
        write_private_diagnostics(
            make(), path, options.out, overwrite=options.overwrite, template=template
        )
    except Exception as error:  # noqa: BLE001 - whatever it is, the release stands
        known = error if isinstance(error, DpdeskError) else unexpected(error)
        said = told.format(folder=options.out.absolute().name)
        return ReleaseError(f"{said} {known.message}", remedy=known.remedy)
    return None
