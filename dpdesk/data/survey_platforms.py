"""Headers of the programs that hold surveys on the web, one kind for each.

A program is recognised by the names and lines above the answers: no answer decides it. It tells
which lines are the header, what a question is called, which columns are about the record, and which
are the options of one question.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.header import Merged, declared_names, find_names, unique_names
from dpdesk.data.joined_question import JoinedColumns
from dpdesk.data.texts import T
from dpdesk.domains import OPTIONS_MAX
from dpdesk.errors import ParameterError

HEADER_LINES = 3
"""Most lines above the answers that a program writes."""

Lines = Sequence[tuple[str, ...]]
"""The first lines of a file, as cells."""


_OF_QUALTRICS = (
    "startdate enddate status ipaddress progress duration__in_seconds_ finished recordeddate "
    "responseid recipientlastname recipientfirstname recipientemail externalreference "
    "locationlatitude locationlongitude distributionchannel userlanguage q_terminateflag "
    "q_recaptchascore q_relevantidduplicate q_relevantidduplicatescore q_relevantidfraudscore "
    "q_duplicaterespondent"
)
_OF_LIMESURVEY = (
    "id submitdate lastpage startlanguage seed startdate datestamp ipaddr refurl token "
    "interviewtime"
)
_OF_KOBO = (
    "start end starttime endtime today deviceid subscriberid simserial simid username phonenumber "
    "devicephonenum device_info audit formdef_version __version__ _version_ formversion instanceid "
    "meta/instanceid meta-instanceid meta/instancename meta-instancename meta/rootuuid "
    "meta/deprecatedid meta-audit formhub/uuid submissiondate submitterid submittername "
    "attachmentspresent attachmentsexpected reviewstate _id _uuid _submission_time _notes _status "
    "_validation_status _submitted_by _tags _index _parent_index _parent_table_name _attachments"
)
_ONE_OF_PLACE = re.compile(r"(.+)[-_:. ](latitude|longitude|altitude|precision|accuracy)")
"""A column of where a respondent was, behind the name of the question."""


class Platform(ABC):
    """One program."""

    key: ClassVar[str]
    """Its word in a reading and on the command line."""
    header_rows: ClassVar[int] = 1
    """Lines above the first answer."""
    about_record: ClassVar[frozenset[str]] = frozenset()
    """Names, in small letters, of columns about the record, which are no answers."""

    @classmethod
    @abstractmethod
    def recognises(cls, lines: Lines) -> bool:
        """Whether the first lines of a file are a header of this program."""

    @classmethod
    def names(cls, lines: Lines) -> tuple[str, ...]:
        """Returns a name for each column; equal ones are numbered afterwards."""
        return lines[0]

    @classmethod
    def labels(cls, lines: Lines) -> tuple[str, ...]:
        """Returns the question of each column; empty for none."""
        return ("",) * len(lines[0])

    @classmethod
    def is_about_record(cls, name: str) -> bool:
        """Whether a column is about the record."""
        return name.lower() in cls.about_record

    @classmethod
    def about(cls, names: Sequence[str]) -> frozenset[str]:
        """Returns the columns about the record."""
        return frozenset(filter(cls.is_about_record, names))

    @classmethod
    def groups(cls, names: Sequence[str]) -> Mapping[str, Sequence[tuple[str, str]]]:
        """Returns questions of several columns by name: each column with its option."""
        return {}

    @classmethod
    def forms(cls, names: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Returns the columns of forms that may stay unfilled, by the column of their state."""
        return {}


class Qualtrics(Platform):
    """Three lines: names, questions, and what Qualtrics needs to import them."""

    key = "Qualtrics"
    header_rows = 3
    about_record = frozenset(_OF_QUALTRICS.split()) | {"duration (in seconds)"}

    @classmethod
    def recognises(cls, lines: Lines) -> bool:
        return len(lines) > 2 and all(cell.startswith('{"ImportId":') for cell in lines[2])

    @classmethod
    def labels(cls, lines: Lines) -> tuple[str, ...]:
        return lines[1]


class SurveyMonkey(Platform):
    """Two lines: questions over all their columns, and the option of each column."""

    key = "SurveyMonkey"
    header_rows = 2
    about_record = frozenset(
        {"respondent id", "collector id", "start date", "end date", "date created"}
        | {"date modified", "ip address", "email address", "first name", "last name"}
        | {"custom data 1", "custom 1"}
    )
    """Its columns have blanks or underscores, as the export has it."""
    _ALONE = frozenset({"", "response", "open-ended response"})

    @classmethod
    def recognises(cls, lines: Lines) -> bool:
        if len(lines) < 2 or len(lines[0]) < 2:
            return False
        first = [_title(name) for name in lines[0][:2]]
        return first == ["respondent id", "collector id"] and not any(lines[1][:2])

    @classmethod
    def is_about_record(cls, name: str) -> bool:
        return _title(name) in cls.about_record

    @classmethod
    def names(cls, lines: Lines) -> tuple[str, ...]:
        made: list[str] = []
        question = ""
        for place, (above, below) in enumerate(zip(lines[0], lines[1], strict=True)):
            question = above or question
            is_first = bool(above)
            goes_on = place + 1 < len(lines[0]) and not lines[0][place + 1]
            is_alone = below.lower() in cls._ALONE and is_first and not goes_on
            made.append(question if is_alone or not below else f"{question} - {below}")
        return tuple(made)


class LimeSurvey(Platform):
    """One line: codes, codes and questions with a point between them, or questions alone.

    Without codes the columns about the record have their English names; those of a survey in
    another language are not known.
    """

    key = "LimeSurvey"
    _TITLES = frozenset(
        {"response id", "date submitted", "last page", "start language", "seed", "date started"}
        | {"date last action", "ip address", "referrer url", "access code"}
    )
    about_record = frozenset(_OF_LIMESURVEY.split()) | _TITLES

    @classmethod
    def recognises(cls, lines: Lines) -> bool:
        codes = {name.partition(". ")[0] for name in lines[0][:8]}
        return {"id", "submitdate", "startlanguage"} <= codes or cls._has_titles(lines)

    @classmethod
    def _has_titles(cls, lines: Lines) -> bool:
        """Whether names are questions alone."""
        titles = {_title(name) for name in lines[0][:8]}
        return {"response id", "date submitted", "start language"} <= titles

    @classmethod
    def is_about_record(cls, name: str) -> bool:
        return _title(name) in cls.about_record

    @classmethod
    def names(cls, lines: Lines) -> tuple[str, ...]:
        if cls._has_titles(lines):
            return lines[0]
        return tuple(name.partition(". ")[0] for name in lines[0])

    @classmethod
    def labels(cls, lines: Lines) -> tuple[str, ...]:
        if cls._has_titles(lines):
            return super().labels(lines)
        return tuple(name.partition(". ")[2].strip() for name in lines[0])


def _title(name: str) -> str:
    """A name in small letters; some exports have underscores in the place of blanks."""
    return name.lower().replace("_", " ")


class GoogleForms(Platform):
    """One line: the moment of an answer, and the questions."""

    key = "Google Forms"
    _MOMENT = frozenset(
        {"timestamp", "zeitstempel", "horodateur", "marca temporal", "carimbo de data/hora"}
        | {"informazioni cronologiche", "tijdstempel", "sygnatura czasowa", "tidsstämpel"}
    )
    about_record = _MOMENT | {"email address", "username", "e-mail-adresse", "adresse e-mail"}

    @classmethod
    def recognises(cls, lines: Lines) -> bool:
        first, *others = lines[0]
        return first.lower() in cls._MOMENT and any(" " in name for name in others)


class KoBo(Platform):
    """One line: names with their groups, and columns for the options of a question."""

    key = "KoBo"
    about_record = frozenset(_OF_KOBO.split())
    _EXPORTS: ClassVar[frozenset[str]] = frozenset({"_id", "_uuid", "_submission_time"})

    @classmethod
    def recognises(cls, lines: Lines) -> bool:
        return set(lines[0]) >= cls._EXPORTS

    @classmethod
    def about(cls, names: Sequence[str]) -> frozenset[str]:
        plain = {name: name.lower().replace("_", "-") for name in names}
        parts = {name: _ONE_OF_PLACE.fullmatch(told) for name, told in plain.items()}
        bare = {name: told.replace("-", "") for name, told in plain.items()}
        own = bare | {name: one[1].replace("-", "") for name, one in parts.items() if one}
        places = {own[name] for name, one in parts.items() if one and one[2] == "latitude"}
        return super().about(names) | {name for name in names if own[name] in places}

    @classmethod
    def groups(cls, names: Sequence[str]) -> Mapping[str, Sequence[tuple[str, str]]]:
        made: dict[str, list[tuple[str, str]]] = {}
        known = set(names)
        for name in names:
            question, slash, option = name.rpartition("/")
            if slash and option and question in known:
                made.setdefault(f"{question} (options)", []).append((name, option))
        return made


class Odk(KoBo):
    """The same from ODK Central, ODK Briefcase or SurveyCTO."""

    key = "ODK"
    about_record = KoBo.about_record | {"duration", "caseid"}
    _EXPORTS = frozenset({"SubmissionDate", "KEY"})
    _EXACT = frozenset({"KEY", "Status", "Edits"})

    @classmethod
    def is_about_record(cls, name: str) -> bool:
        return super().is_about_record(name) or name in cls._EXACT


class RedCap(Platform):
    """One line: names; three underscores stand before an option."""

    key = "REDCap"
    _EVENTS = ("redcap_event_name", "redcap_repeat_instrument", "redcap_data_access_group")

    @classmethod
    def recognises(cls, lines: Lines) -> bool:
        names = lines[0]
        is_form = any(name.endswith("_complete") for name in names)
        marked = any("___" in name for name in names) or names[0] == "record_id"
        return any(name in cls._EVENTS for name in names) or (is_form and marked)

    @classmethod
    def is_about_record(cls, name: str) -> bool:
        return (
            name == "record_id"
            or name.startswith("redcap_")
            or name.endswith(("_complete", "_timestamp"))
        )

    @classmethod
    def forms(cls, names: Sequence[str]) -> Mapping[str, Sequence[str]]:
        made: dict[str, list[str]] = {}
        own: list[str] = []
        for name in names:
            if name.endswith("_complete"):
                made[name], own = own, []
            elif not cls.is_about_record(name):
                own.append(name)
        return made

    @classmethod
    def groups(cls, names: Sequence[str]) -> Mapping[str, Sequence[tuple[str, str]]]:
        made: dict[str, list[tuple[str, str]]] = {}
        for name in names:
            question, mark, option = name.partition("___")
            if mark and option and question:
                # REDCap writes the minus of the code -99 as an underscore.
                code = f"-{option[1:]}" if option.startswith("_") else option
                made.setdefault(question, []).append((name, code))
        return made


PLATFORMS: tuple[type[Platform], ...] = (
    Qualtrics,
    SurveyMonkey,
    LimeSurvey,
    KoBo,
    Odk,
    RedCap,
    GoogleForms,
)
"""Every program whose headers are known; the first that recognises a header reads it."""

NO_PLATFORM = "none"
"""The word for a usual header on the command line."""


def platform_named(word: str) -> type[Platform]:
    """Returns the program of a word as a reading or the command line has it, in any case.

    Raises:
        ParameterError: There is no such program.
    """
    wanted = word.casefold().replace("-", " ")
    for kind in PLATFORMS:
        if kind.key.casefold() == wanted:
            return kind
    raise ParameterError(T.UNKNOWN_PLATFORM(known=[*map(word_of, PLATFORMS), NO_PLATFORM]))


def word_of(kind: type[Platform]) -> str:
    """Returns the word of a program on the command line."""
    return kind.key.replace(" ", "-")


@dataclass(frozen=True, slots=True)
class HeaderTold:
    """What the lines above the answers say.

    Attributes:
        names: Names of the columns, all different.
        rows: How many lines these are.
        platform: The program that wrote them; empty for a usual header.
        notices: Notices of names that were changed.
        described: What they say of columns.
        questions: Questions of several columns.
    """

    names: tuple[str, ...]
    rows: int
    platform: str = ""
    notices: tuple[str, ...] = ()
    described: Mapping[str, ColumnDescription] = field(default_factory=dict)
    questions: tuple[JoinedColumns, ...] = ()


def header_told(
    lines: Lines,
    rows: int | None,
    platform: str,
    *,
    detects: bool,
    is_written: bool = False,
    merged: Sequence[Merged] = (),
) -> HeaderTold:
    """Returns what the lines above the answers say.

    Args:
        lines: The first lines of a file, at least one.
        rows: How many of them are the header, by a usual reading; None to find out.
        platform: The program that is declared; empty for none.
        detects: Whether it is looked for where none is declared.
        is_written: Whether dpdesk wrote the lines, whose names stay with their blanks.
        merged: Cells of these lines that are merged.

    Raises:
        ParameterError: The declared program is not known, or its header is longer than the file.
    """
    kind = platform_named(platform) if platform else None
    if kind is None and detects and rows in (None, 1):
        kind = next((one for one in PLATFORMS if one.recognises(lines)), None)
    if kind is not None and len(lines) < kind.header_rows:
        raise ParameterError(T.SHORT_HEADER(platform=kind.key, lines=kind.header_rows))
    if kind is None:
        named, found = find_names(lines, merged)
        if rows is not None:
            named, found = declared_names(lines[:rows], merged), rows
        names, notices = unique_names(named, is_written=is_written)
        told = () if rows is not None or found == 1 else (T.NAMES_BELOW(lines=found),)
        return HeaderTold(names, found, platform, (*told, *notices))
    names, notices = unique_names(kind.names(lines))
    about = kind.about(names)
    described = {
        name: ColumnDescription(label=" ".join(label.split()), is_record=name in about)
        for name, label in zip(names, kind.labels(lines), strict=True)
    }
    questions = tuple(
        made
        for question, columns in kind.groups(names).items()
        if question not in names and (made := _question(question, columns)) is not None
    )
    for question in questions:
        # The column that repeats the options of all others is no question of its own.
        whole = question.name.removesuffix(" (options)")
        if whole in described and whole != question.name:
            described[whole] = ColumnDescription(label=described[whole].label, is_record=True)
            described[question.name] = ColumnDescription(label=described[whole].label)
    notices = (T.HEADER_READ(platform=kind.key), *notices)
    return HeaderTold(names, kind.header_rows, kind.key, notices, described, questions)


_TICKED = ("1", "TRUE", "True", "Checked")
_UNTICKED = ("0", "FALSE", "False", "Unchecked")
NOT_FILLED = ("", "0", "Incomplete")
"""States of a form that may never have been filled."""


def _question(name: str, columns: Sequence[tuple[str, str]]) -> JoinedColumns | None:
    if not 2 <= len(columns) <= OPTIONS_MAX:
        return None
    return JoinedColumns.suggested(
        name=name,
        columns=tuple(column for column, _ in columns),
        options=tuple(option for _, option in columns),
        ticked=_TICKED,
        unticked=_UNTICKED,
    )
