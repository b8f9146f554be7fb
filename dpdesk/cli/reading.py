"""Loading of a survey as the options of a command say."""

from __future__ import annotations

import argparse
import sys

from dpdesk.cli.plain import plain
from dpdesk.data.read_delimited import load
from dpdesk.data.table import SurveyTable
from dpdesk.errors import ParameterError

_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "\\t": "\t"}


def load_survey(options: argparse.Namespace) -> SurveyTable:
    """Reads the survey of a command; what is notable about it goes to stderr.

    Raises:
        InputError: The file cannot be read as it stands.
        ParameterError: An option of reading has no meaning.
    """
    delimiter = _DELIMITERS.get(options.delimiter, options.delimiter)
    try:
        table = load(
            options.data,
            delimiter=delimiter,
            encoding=options.encoding,
            decimal=options.decimal,
            header=not options.no_header,
        )
    except (ValueError, LookupError) as error:
        if isinstance(error, ParameterError):
            raise
        raise ParameterError(
            "The options for reading the survey do not go together.",
            remedy="Give a delimiter of one character, a known encoding, and another decimal mark.",
        ) from None
    for notice in table.notices:
        print(f"note: {plain(notice)}", file=sys.stderr)
    return table
