"""The files of SPSS, Stata and SAS: how each is recognised, and what its numbers mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from string import ascii_lowercase, ascii_uppercase

from dpdesk.data.formats.number_cells import (
    NumberText,
    day_text,
    duration_text,
    moment_text,
    number_text,
)
from dpdesk.data.formats.package_file import PackageFile
from dpdesk.data.formats.spss_head import SpssHead
from dpdesk.i18n import N_

_GREGORIAN = datetime(1582, 10, 14)  # noqa: DTZ001 - files hold moments without a zone
_SIXTIES = datetime(1960, 1, 1)  # noqa: DTZ001


class Spss(PackageFile):
    """System files of SPSS, compressed or not."""

    key = "SPSS"
    title = N_("SPSS")
    endings = (".sav", ".zsav")
    reader = "read_sav"
    program = "SPSS"

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        """Looks at the mark of the first record."""
        return raw.startswith((b"$FL2@(#)", b"$FL3@(#)")) or SpssHead.is_encrypted(raw)

    @classmethod
    def head(cls, raw: bytes) -> SpssHead:
        """Returns the weight and the short names of the columns."""
        return SpssHead.read(raw)

    @classmethod
    def text_of(cls, display: str) -> NumberText | None:
        """Moments are seconds since the Gregorian calendar began."""
        return _spss_text(display)


class SpssPortable(PackageFile):
    """Portable files of SPSS."""

    key = "SPSS portable"
    title = N_("SPSS portable")
    endings = (".por",)
    reader = "read_por"
    program = "SPSS"
    parts = frozenset()

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        """Looks for the mark behind five lines of 40 characters of greeting."""
        head = raw[:520].replace(b"\r", b"").replace(b"\n", b"")
        return b"SPSSPORT" in head[200:480]

    @classmethod
    def is_whole(cls, raw: bytes) -> bool:
        """The data end in the letter Z, which fills the last line."""
        return raw.rstrip(b"\r\n").endswith(b"Z") or not raw.isascii()

    @classmethod
    def text_of(cls, display: str) -> NumberText | None:
        """Moments are seconds since the Gregorian calendar began."""
        return _spss_text(display)


class Stata(PackageFile):
    """Data sets of Stata, version 8 and later."""

    key = "Stata"
    title = N_("Stata")
    endings = (".dta",)
    reader = "read_dta"
    program = "Stata"
    tags = ascii_lowercase

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        """Looks at the mark of version 13 and later, or at version, byte order and file type."""
        if raw.startswith(_STATA_MARK):
            return True
        return len(raw) > 4 and 104 <= raw[0] <= 115 and raw[1] in (1, 2) and raw[2:4] == b"\x01\0"

    @classmethod
    def is_whole(cls, raw: bytes) -> bool:
        """Files of version 13 and later are closed by the mark that opens them."""
        return raw.endswith(b"</stata_dta>") or not raw.startswith(_STATA_MARK)

    @classmethod
    def text_of(cls, display: str) -> NumberText | None:
        """Days, or milliseconds, or months and the like since 1960."""
        found = _STATA_TIME.match(display)
        if found is None:
            return None
        if found[1] in ("td", "d"):
            return day_text(_SIXTIES)
        if found[1] == "tc":
            is_time = bool(re.fullmatch(r"HH:MM(:SS)?", found[2]))
            return _stata_time if is_time else moment_text(_SIXTIES, 1000, is_date=False)
        return _STATA_PERIODS.get(found[1])


class Sas(PackageFile):
    """Data sets of SAS."""

    key = "SAS"
    title = N_("SAS")
    endings = (".sas7bdat",)
    reader = "read_sas7bdat"
    program = "SAS"
    tags = f"_{ascii_uppercase}"

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        """Looks at the first bytes of every data set."""
        return raw.startswith(_SAS_MARK)

    @classmethod
    def text_of(cls, display: str) -> NumberText | None:
        """Days or seconds since 1960."""
        return _sas_text(display)


class SasTransport(PackageFile):
    """Transport files of SAS."""

    key = "SAS transport"
    title = N_("SAS transport")
    endings = (".xpt",)
    reader = "read_xport"
    program = "SAS"

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        """Looks at the first record."""
        return raw.startswith((b"HEADER RECORD*******LIBRARY", b"HEADER RECORD*******LIBV8"))

    @classmethod
    def is_whole(cls, raw: bytes) -> bool:
        """Files are records of 80 bytes; one that was cut between two records cannot be told."""
        return len(raw) % 80 == 0

    @classmethod
    def text_of(cls, display: str) -> NumberText | None:
        """Days or seconds since 1960."""
        return _sas_text(display)


_STATA_MARK = b"<stata_dta>"
_SAS_MARK = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")

_SPSS_DATE = re.compile(r"(A|E|J|S)?DATE|QYR|MOYR|WKYR")
_SPSS_MOMENT = re.compile(r"DATETIME|YMDHMS")
_SPSS_TIME = re.compile(r"D?TIME|MTIME")


def _spss_text(display: str) -> NumberText | None:
    word = display.rstrip("0123456789.").upper()
    if _SPSS_DATE.fullmatch(word):
        return moment_text(_GREGORIAN, 1, is_date=True)
    if _SPSS_MOMENT.fullmatch(word):
        return moment_text(_GREGORIAN, 1, is_date=False)
    return duration_text(1) if _SPSS_TIME.fullmatch(word) else None


_SAS_TIME = re.compile(r"TIME|TIMEAMPM|HHMM|TOD|(IS|E|B)8601TM|MMSS|HOUR")
_SAS_MOMENT = re.compile(r"(NL)?DATETIME|DT(DATE|MONYY|YEAR)|DATEAMPM|MDYAMPM|(IS|E|B)8601D[NT]")
_SAS_DATE = re.compile(
    r"(NL)?DATE|WEEKDAT[EX]|WORDDAT[EX]|MONYY|YYMON|JULIAN|(IS|E|B)8601DA|"
    r"(DDMMYY|MMDDYY|YYMMDD|MMYY|YYMM|YYQ)[BCDNPS]?"
)


def _sas_text(display: str) -> NumberText | None:
    word = display.rstrip("0123456789.").upper()
    if _SAS_DATE.fullmatch(word):
        return day_text(_SIXTIES)
    if _SAS_MOMENT.fullmatch(word):
        return moment_text(_SIXTIES, 1, is_date=False)
    return duration_text(1) if _SAS_TIME.fullmatch(word) else None


_STATA_TIME = re.compile(r"%-?\d*(tc|td|tw|tm|tq|th|d)(.*)", re.DOTALL)


def _stata_time(number: float) -> str:
    is_of_one_day = 0 <= number < 86_400_000
    return (duration_text(1000) if is_of_one_day else _stata_moment)(number)


_stata_moment = moment_text(_SIXTIES, 1000, is_date=False)


def _period(parts: int, form: str) -> NumberText:
    """Returns what writes a number of parts of a year since 1960."""

    def text(number: float) -> str:
        if not float(number).is_integer():
            return number_text(number)
        years, part = divmod(int(number), parts)
        return form.format(1960 + years, part + 1)

    return text


_STATA_PERIODS: Mapping[str, NumberText] = {
    "tw": _period(52, "{:04}w{}"),
    "tm": _period(12, "{:04}-{:02}"),
    "tq": _period(4, "{:04}-Q{}"),
    "th": _period(2, "{:04}-H{}"),
}
"""Weeks of Stata are no weeks of the calendar: each year has 52 of them."""
