"""`dpdesk survey sheet`, and the memo of `dpdesk survey plan`."""

from __future__ import annotations

import argparse

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.survey.design_choice import any_design_of, nearly_lines
from dpdesk.data.write_file import write_file
from dpdesk.designs import YesNoDesign
from dpdesk.errors import ParameterError
from dpdesk.report.survey import MemoRequest, memo_html, sheet_html


def sheet(options: argparse.Namespace) -> int:
    """Writes the instruction sheet of a design."""
    design = any_design_of(options)
    blanks = design.blanks
    _refuse_surplus("--innocent", options.innocent, len(blanks))
    names = design.names_taken
    _refuse_surplus("--answer", options.answer, names)
    texts = options.answer if names else options.innocent
    page = sheet_html(design, options.question, texts)
    write_file(options.out, page, overwrite=options.overwrite)
    print(f"Wrote {options.out}")
    for line in nearly_lines(design):
        print(f"  {line}")
    for blank in blanks[len(options.innocent) :]:
        shown = f"proposed: {blank.proposal}" if blank.proposal else "left to be filled in"
        print(f"  {blank.meaning}; {shown}")
    return ExitCode.OK


def _refuse_surplus(word: str, texts: list[str], most: int) -> None:
    if len(texts) > most:
        raise ParameterError(
            f"This design takes {most} of {word}; there are {len(texts)}.",
            remedy=f"Leave out some of {word}.",
        )


def write_memo(
    options: argparse.Namespace,
    design: YesNoDesign | None,
    respondents: object,
    second: YesNoDesign | None = None,
) -> None:
    """Writes the memo of what was planned.

    Args:
        options: The words of `dpdesk survey plan`.
        design: The design that was planned with.
        respondents: The number of respondents that was given or found.
        second: The design of a second group, if there is one.

    Raises:
        ParameterError: The plan has no design, no expected share or no number of respondents.
    """
    if design is None or not isinstance(respondents, int) or options.prevalence is None:
        raise ParameterError(
            "A memo needs a design, an expected share and a number of respondents.",
            remedy="Give --design, --prevalence, and --margin or --respondents.",
        )
    request = MemoRequest(
        question=options.wording,
        design=design,
        prevalence=options.prevalence,
        respondents=respondents,
        confidence=options.confidence,
        population=options.population,
        weights_cv=options.weights_cv,
        against=options.against,
        alpha=options.alpha,
        two_sided=options.two_sided,
        second=second,
        denial=options.denial,
    )
    write_file(options.memo, memo_html(request), overwrite=options.overwrite)
