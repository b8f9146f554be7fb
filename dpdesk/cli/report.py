"""`dpdesk report`: the report of a release folder as PDF, and its registry entry."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import (
    add_flag,
    add_output,
    add_paper,
    add_release,
    add_text,
)
from dpdesk.cli.terminal import plain, print_asked, print_json
from dpdesk.cli.texts import T
from dpdesk.errors import InputError
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from pathlib import Path

    from dpdesk.releases.kind import ReleaseKind


DESCRIPTION = (
    "Prints the registry entry of a release, as YAML: who released what, to whom the promise "
    "holds, what it costs and why; with --registry and --pdf writes files instead."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk report`."""
    add_release(parser, "folder", metavar="FOLDER", help="a release folder")
    add_output(parser, "--registry", metavar="FILE.yaml", help="write the registry entry")
    add_text(
        parser,
        "--contact",
        "TEXT",
        "whom to ask, for the registry entry",
        unused=[
            Unused(
                lambda options: options.pdf is not None and options.registry is None,
                "beside --pdf without --registry",
            )
        ],
    )
    add_output(parser, "--pdf", metavar="FILE.pdf", help="write the report as PDF")
    add_paper(parser, Unused(lambda options: options.pdf is None, "without --pdf"))
    add_flag(parser, "--unverified", "read a report that is not the one of the manifest")


def run(options: argparse.Namespace) -> int:
    """Prints the registry entry of a release, or writes it and the report as PDF."""
    from dpdesk.data.write_file import write_file
    from dpdesk.reports.pdf import pdf_of_page
    from dpdesk.reports.registry import entry_yaml

    kind, report = _read(options.folder, is_checked=not options.unverified)
    entry = kind.registry_entry(report, options.contact)
    written = []
    if options.registry is not None:
        write_file(options.registry, entry_yaml(entry), overwrite=options.overwrite)
        written.append(options.registry)
    if options.pdf is not None:
        page = pdf_of_page(kind.html(report), options.paper)
        write_file(options.pdf, page, overwrite=options.overwrite)
        written.append(options.pdf)
    if options.json:
        print_json(entry.model_dump(mode="json"))
    elif written:
        for path in written:
            print(plain(f"Wrote {path}"))
    else:
        print_asked(entry_yaml(entry))
    return ExitCode.OK


def _read(folder: Path, *, is_checked: bool) -> tuple[ReleaseKind[Any, Any], Any]:
    """Returns the kind of the release in a folder and its report."""
    from pydantic import ValidationError

    from dpdesk.data.regular_file import TEXT_MAX, FileRefusedError, read_regular
    from dpdesk.releases.folder import REPORT_NAME
    from dpdesk.releases.kinds import KINDS
    from dpdesk.releases.verify import identity_beside, verify_release

    found = identity_beside(folder)
    tag = None if found is None else found[0]
    kind = next((kind for kind in KINDS if kind.report_format == tag), None)
    if kind is None:
        raise InputError(T.NO_REPORT(folder=folder.name or str(folder), file=REPORT_NAME))
    verified = verify_release(folder)
    if is_checked and REPORT_NAME in verified.faults:
        raise InputError(
            verified.faults[REPORT_NAME],
            remedy="Take the folder as it was released, or add --unverified.",
        )
    if not verified.has_manifest:
        note = "note: There is no manifest, so nobody can tell whether the report was changed."
        print(note, file=sys.stderr)
    try:
        content = read_regular(folder / REPORT_NAME, TEXT_MAX)
        return kind, kind.report_type.model_validate_json(content)
    except (ValidationError, FileRefusedError):
        raise InputError(T.OTHER_REPORT(file=REPORT_NAME)) from None
