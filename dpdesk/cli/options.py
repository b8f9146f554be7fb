"""How a command declares an option: its word, sentence, reader, and when it is refused.

An option that would have no effect is refused, since its user would misread the result. An option
that names a file is added by `add_input`, `add_release`, `add_settings` or `add_output`, never as a
text: `file_checks` refuses to write over a file that is read.

Whatever takes long to import is imported where an option is read: a help text needs none of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypedDict, Unpack

from dpdesk.cli.offered_words import formats_read, offer, platforms, written_formats
from dpdesk.cli.paths import (
    InputOption,
    NewFolderOption,
    OutputOption,
    PlaceOption,
    ReleaseOption,
    SettingOption,
    path_or_stream,
    place_of,
    table_of,
)
from dpdesk.cli.texts import T
from dpdesk.cli.values import population_name
from dpdesk.errors import ParameterError
from dpdesk.requests.unused import Unused

QUOTES = {"double": '"', "single": "'", "none": ""}
"""Quotation marks around cells, by their words on the command line."""

DECLARED = "COLUMN=LOWER..UPPER[/STEP][ UNIT] or COLUMN=A|B|C"
"""How `--declare` says what a column can hold."""

WHAT_IS_DECLARED = (
    f"{DECLARED}, or COLUMN=FIRST..LAST by STEP for dates and times of day, such as "
    "born=1930-01..2010-12 by month, both with “ as ” and how the file writes them (DD.MM.YYYY, or "
    "the number 1234.5: 1.234,5 kg), or COLUMN=set(A|B|C)[:SEPARATOR[:NOTHING]] where a cell "
    "may hold several answers (separated by ; if nothing is said; NOTHING is the cell of somebody "
    "who ticked none, (none) or as declared; left empty behind its colon, a blank cell)"
)
"""The same with questions of several answers, for the help of `--declare`."""

TOGETHER = "NAME=COLUMN[=OPTION],...[:TICKED[:UNTICKED[:NONE[:SEPARATOR]]]]"
"""How `--together` makes columns of a file one question, as `JoinedColumns.read` reads it."""

_ALWAYS = frozenset({"help", "json", "quiet"})


class Refusal(TypedDict, total=False):
    """When an option is refused.

    Attributes:
        unused: The cases in which it has no effect.
        alone: The only options that may stand beside it; every other one is refused.
    """

    unused: Sequence[Unused]
    alone: Collection[str]


def _declare(action: argparse.Action, refusal: Refusal) -> None:
    declared: Any = action
    declared.refusal = refusal


def add_value(
    parser: argparse._ActionsContainer,
    word: str,
    metavar: str,
    meaning: str | None = None,
    *,
    read: Callable[[str], Any] = str,
    default: Any = None,
    **refusal: Unpack[Refusal],
) -> argparse.Action:
    """Adds and returns the option of a value.

    Args:
        parser: The parser of a command, or a group of its options.
        word: The option, such as "--epsilon".
        metavar: What stands for the value in the help.
        meaning: The sentence of the help.
        read: Reads the text; raises `argparse.ArgumentTypeError` with the reason to refuse it.
        default: The value where the option is not given.
        **refusal: When the option is refused.
    """
    action = parser.add_argument(word, type=read, default=default, metavar=metavar, help=meaning)
    _declare(action, refusal)
    return action


def add_text(
    parser: argparse._ActionsContainer,
    word: str,
    metavar: str,
    meaning: str | None = None,
    **refusal: Unpack[Refusal],
) -> None:
    """Adds the option of a text; its default is empty."""
    add_value(parser, word, metavar, meaning, default="", **refusal)


def add_choice(
    parser: argparse._ActionsContainer,
    word: str,
    choices: Sequence[str],
    meaning: str,
    *,
    default: str | None = None,
    **refusal: Unpack[Refusal],
) -> None:
    """Adds the option of one of several words."""
    action = parser.add_argument(word, choices=choices, default=default, help=meaning)
    _declare(action, refusal)


def add_flag(
    parser: argparse._ActionsContainer, word: str, meaning: str, **refusal: Unpack[Refusal]
) -> None:
    """Adds an option without a value."""
    _declare(parser.add_argument(word, action="store_true", help=meaning), refusal)


def add_printing(parser: argparse._ActionsContainer) -> None:
    """Adds `--json` and `--quiet`, which every command has."""
    add_flag(parser, "--json", "print JSON and nothing else")
    quiet = (
        "print only documents and files that were asked for; errors, warnings, notes and exit "
        "codes stay"
    )
    add_flag(parser, "--quiet", quiet)


def add_paper(parser: argparse._ActionsContainer, *unused: Unused) -> None:
    """Adds `--paper`, the size of the pages of a PDF, refused where none is written."""
    sizes = "size of the pages of the PDF (a4)"
    add_choice(parser, "--paper", ("a4", "letter"), sizes, default="a4", unused=unused)


def add_files(parser: argparse._ActionsContainer, *unused: Unused) -> None:
    """Adds the options of a folder of records: their formats, and the paper of their report.

    Args:
        parser: The parser of a command.
        *unused: The cases in which no folder is written.
    """
    add_formats(parser, *unused)
    add_paper(parser, *unused)


def add_formats(parser: argparse._ActionsContainer, *unused: Unused) -> None:
    """Adds `--write`, the formats of records besides CSV and Parquet."""
    meaning = (
        "also write the records with labels and codes for another program: sav or zsav (SPSS), "
        "dta (Stata), xlsx (Excel), feather (Arrow); repeatable, and instead of what a plan names. "
        "CSV and Parquet are always written"
    )
    offer(add_repeated(parser, "--write", "FORMAT", meaning, unused=unused), written_formats)


def add_repeated(
    parser: argparse._ActionsContainer,
    word: str,
    metavar: str,
    meaning: str,
    **refusal: Unpack[Refusal],
) -> argparse.Action:
    """Adds and returns the option of a text that may be given several times."""
    action = parser.add_argument(word, action="append", default=[], metavar=metavar, help=meaning)
    _declare(action, refusal)
    return action


def add_input(
    parser: argparse._ActionsContainer,
    *names: str,
    unused: Sequence[Unused] = (),
    table: bool = False,
    **words: Any,
) -> None:
    """Adds the option of a file that is read; `words` as for `add_argument`.

    A table of answers may also lie in a folder of parts, or at an address.
    """
    read = table_of if table else path_or_stream
    action = parser.add_argument(*names, action=InputOption, type=read, **words)
    if unused:
        _declare(action, {"unused": unused})


def add_release(
    parser: argparse._ActionsContainer, *names: str, table: bool = False, **words: Any
) -> None:
    """Adds the option of a release that is read, as a folder or by its records; or of a table."""
    read = table_of if table else place_of
    parser.add_argument(*names, action=ReleaseOption, type=read, **words)


def add_settings(
    parser: argparse._ActionsContainer,
    *names: str,
    files: Callable[[str], Iterable[str]],
    **words: Any,
) -> None:
    """Adds a repeatable option of settings that may name files.

    Args:
        parser: The parser of a command, or a group of its options.
        *names: The option.
        files: Finds the names of the files in a setting.
        **words: As for `add_argument`.
    """
    action: Any = parser.add_argument(*names, action=SettingOption, default=[], **words)
    action.named = files


def add_output(
    parser: argparse._ActionsContainer,
    *names: str,
    unused: Sequence[Unused] = (),
    stream: bool = True,
    **words: Any,
) -> None:
    """Adds the option of a file that is written, and with the first one `--overwrite`.

    Args:
        parser: The parser of a command, or a group of its options.
        *names: The option.
        unused: The cases in which it has no effect.
        stream: Whether it may be `-`: the standard output, where nothing else is printed then.
        **words: As for `add_argument`.
    """
    read = path_or_stream if stream else place_of
    action = parser.add_argument(*names, action=OutputOption, type=read, **words)
    if unused:
        _declare(action, {"unused": unused})
    if "--overwrite" not in parser._option_string_actions:
        meaning = "replace an earlier file of the same name; a file that is read never is"
        add_flag(parser, "--overwrite", meaning)


def add_place(
    parser: argparse._ActionsContainer,
    word: str,
    metavar: str,
    meaning: str,
    *,
    required: bool = False,
    is_made: bool = False,
    **refusal: Unpack[Refusal],
) -> None:
    """Adds the option of a folder, or of a file with checks of its own, such as a ledger.

    Args:
        parser: The parser of a command, or a group of its options.
        word: The option.
        metavar: What stands for its value in the help.
        meaning: What the help says.
        required: Whether it must be given.
        is_made: Whether the command makes this folder.
        **refusal: The cases in which the option has no effect.
    """
    action = parser.add_argument(
        word,
        action=NewFolderOption if is_made else PlaceOption,
        type=place_of,
        required=required,
        metavar=metavar,
        help=meaning,
    )
    _declare(action, refusal)


_UNREAD = Unused(lambda options: options.data is None, "without a survey to read")


def add_reading(parser: argparse.ArgumentParser, *, releases: bool = False) -> None:
    """Adds the options that say how a survey is read.

    Args:
        parser: The parser of a command.
        releases: Whether the command releases something, by a reading that is declared.
    """
    group = parser.add_argument_group(
        "how the survey is read (by the plan; these options change it)"
        if releases
        else "how the survey is read (detected where no option says it)"
    )
    refusal = Refusal(unused=[_UNREAD])
    formats = "format of the file, such as spss, stata or delimited (by its first bytes)"
    offer(add_value(group, "--format", "NAME", formats, **refusal), formats_read)
    add_value(group, "--sheet", "NAME", "the table of a file of several (the first)", **refusal)
    platform = (
        "program whose header the file has: qualtrics, surveymonkey, limesurvey, kobo, redcap, "
        "google-forms or none (by the names of the columns)"
    )
    offer(add_value(group, "--platform", "NAME", platform, **refusal), platforms)
    layout = "where the columns of a file of fixed width stand: a table with name, start and width"
    add_input(group, "--layout", metavar="FILE", help=layout, **refusal)
    add_value(group, "--delimiter", "CHARACTER", "comma, semicolon, tab or bar", **refusal)
    add_value(group, "--encoding", "NAME", "such as utf-8 or cp1252", **refusal)
    add_choice(group, "--decimal", (".", ","), "decimal mark", **refusal)
    add_choice(group, "--quote", tuple(QUOTES), "mark around cells (double)", **refusal)
    header = "records before the first answer; the first of them names the columns (1)"
    add_value(group, "--header-rows", "N", header, **refusal)
    add_flag(group, "--no-header", "the first line is an answer: --header-rows 0", **refusal)
    codes = "what means no answer in every column, such as --missing-code=-9,NA; may be repeated"
    add_repeated(group, "--missing-code", "CODE,CODE,...", codes, **refusal)
    together = (
        "columns that are the options of one question with several answers, and what their cells "
        "hold where an option was ticked and where not (1 and 0), such as "
        "media=media_tv,media_web,media_radio:1:0. NONE is the column that is ticked where no "
        "option applies, or says what a respondent without a tick means: none (no option applies) "
        "or missing (no answer). SEPARATOR stands between options in a released cell (;). What "
        "holds : , = stands in quotation marks; may be repeated"
    )
    add_repeated(group, "--together", TOGETHER, together, **refusal)
    rows = (
        "join the first N rows of each person into one, such as person_id=3:sex,born: these "
        "columns are read once, any other one becomes N, mood_1 to mood_3"
    )
    add_value(group, "--join-rows", "PERSON=N[:COLUMN,...]", rows, **refusal)
    if releases:
        unread = (
            "largest share of a column's answers that may be unreadable or outside its domain "
            "(default: the plan's, or 0.01)"
        )
        add_value(group, "--allow-unread", "SHARE", unread)


def add_charge(parser: argparse.ArgumentParser, *unused: Unused) -> None:
    """Adds the options of everything that is charged: to whom, and how the survey is read.

    Args:
        parser: The parser of a command.
        *unused: The cases in which nothing is charged.
    """
    _add_population(parser, *unused)
    add_reading(parser, releases=True)


def _add_population(parser: argparse.ArgumentParser, *unused: Unused) -> None:
    group = parser.add_argument_group("the ledger, which every release is charged to")
    add_value(
        group,
        "--population",
        "NAME",
        "the people behind the data; releases of the same name add up, and the report lists "
        "them (default: those that the file is known to belong to)",
        read=population_name,
        unused=unused,
    )
    other = (
        "the data are of other people than the known file that they resemble; the ledger keeps "
        "this answer"
    )
    add_flag(group, "--other-people", other, unused=unused)
    cap = "the most that all releases of these people may lose together in this model, from now on"
    add_value(group, "--cap", "EPSILON", cap, unused=unused)
    add_ledger_place(group, *unused)


def add_ledger_place(parser: argparse._ActionsContainer, *unused: Unused) -> None:
    """Adds the option of another ledger than the user's own."""
    other = "another ledger than the one in your data folder (or that of DPDESK_LEDGER)"
    add_place(parser, "--ledger", "FILE", other, unused=unused)


def given_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> dict[str, str]:
    """Returns the names of options that were given other than by default, with their words.

    Args:
        parser: The parser that the options come from.
        options: What it returned.
    """
    return {
        action.dest: max(action.option_strings, key=len, default=str(action.metavar))
        for action in parser._actions
        if action.dest not in _ALWAYS
        and getattr(options, action.dest, action.default) != action.default
    }


def refuse_unused(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Refuses options by what they declare.

    Args:
        parser: The parser that the options come from.
        options: What it returned, with the options that were given in `given`.
    """
    declared = [
        (action.dest, getattr(action, "refusal", Refusal()))
        for action in parser._actions
        if action.dest in options.given
    ]
    for name, refusal in declared:
        if "alone" in refusal:
            refuse_all_but(options, {name, *refusal["alone"]}, T.BESIDE(option=options.given[name]))
    for name, refusal in declared:
        for case in refusal.get("unused", ()):
            if case.when(options):
                refuse_ignored(options, {name}, case.why)


def refuse_ignored(options: argparse.Namespace, names: Collection[str], why: str) -> None:
    """Refuses options of these names.

    Args:
        options: The options, with those that were given in `given`.
        names: Names of options.
        why: Why they have no effect, such as "beside --counts".
    """
    for name, word in options.given.items():
        if name in names:
            raise ParameterError(T.NO_EFFECT(option=word, why=why))


def refuse_all_but(options: argparse.Namespace, names: Collection[str], why: str) -> None:
    """Refuses options of other names than these, as `refuse_ignored` does.

    `--overwrite` is a permission and is never refused.
    """
    refuse_ignored(options, options.given.keys() - set(names) - {"overwrite"}, why)
