"""The files of SPSS, Stata and SAS: how each is recognised, and what its numbers mean."""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase
from typing import ClassVar

from dpdesk.data.formats.base import FileContent, FileTable
from dpdesk.data.formats.package_dates import sas_text, spss_text, stata_text
from dpdesk.data.formats.package_file import PackageFile
from dpdesk.data.formats.spss_head import SpssHead
from dpdesk.data.formats.spss_writer import CompressedSpssRecords, SpssRecords
from dpdesk.data.formats.stata_writer import StataRecords
from dpdesk.data.formats.texts import T
from dpdesk.errors import InputError
from dpdesk.i18n import N_


class SpssFile(PackageFile):
    """A file that SPSS writes."""

    program = "SPSS"
    text_of = staticmethod(spss_text)


class Spss(SpssFile):
    """System files of SPSS, compressed or not."""

    key = "SPSS"
    title = N_("SPSS")
    endings = (".sav", ".zsav")
    marks = (b"$FL2@(#)", b"$FL3@(#)")
    writers = (SpssRecords, CompressedSpssRecords)
    reader = "read_sav"

    is_locked = staticmethod(SpssHead.is_encrypted)

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        return super().recognises(raw) or cls.is_locked(raw)

    @classmethod
    def mended(cls, raw: bytes, encoding: str) -> bytes:
        return SpssHead.without_sysmis_of_zero(raw)

    @classmethod
    def head(cls, raw: bytes) -> SpssHead:
        return SpssHead.read(raw)


class SpssPortable(SpssFile):
    """Portable files of SPSS."""

    key = "SPSS portable"
    title = N_("SPSS portable")
    endings = (".por",)
    reader = "read_por"
    parts = frozenset()
    unread = (T.CODES_NOT_READ,)

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        head = raw[:520].replace(b"\r", b"").replace(b"\n", b"")
        return b"SPSSPORT" in head[200:480]

    @classmethod
    def is_whole(cls, raw: bytes) -> bool:
        return raw.rstrip(b"\r\n").endswith(b"Z") or not raw.isascii()


class Stata(PackageFile):
    """Data sets of Stata, version 8 and later."""

    key = "Stata"
    title = N_("Stata")
    endings = (".dta",)
    writers = (StataRecords,)
    reader = "read_dta"
    program = "Stata"
    text_of = staticmethod(stata_text)
    tags = ascii_lowercase

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        if raw.startswith(_STATA_MARK):
            return True
        return len(raw) > 4 and 104 <= raw[0] <= 115 and raw[1] in (1, 2) and raw[2:4] == b"\x01\0"

    @classmethod
    def is_whole(cls, raw: bytes) -> bool:
        # Since version 13 the opening mark also closes a file; a line end behind it does not count.
        return raw[-99:].rstrip().endswith(b"</stata_dta>") or not raw.startswith(_STATA_MARK)


class Sas(PackageFile):
    """Data sets of SAS."""

    key = "SAS"
    title = N_("SAS")
    endings = (".sas7bdat",)
    reader = "read_sas7bdat"
    program = "SAS"
    text_of = staticmethod(sas_text)
    marks: ClassVar[tuple[bytes, ...]] = (
        bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011"),
    )
    tags = f"_{ascii_uppercase}"

    @classmethod
    def mended(cls, raw: bytes, encoding: str) -> bytes:
        if encoding == "utf-8" or not raw.startswith(Sas.marks):
            return raw
        return b"".join((raw[:_SAS_ENCODING], _SAS_UTF_8, raw[_SAS_ENCODING + 1 :]))


class SasTransport(Sas):
    """Transport files of SAS."""

    key = "SAS transport"
    title = N_("SAS transport")
    endings = (".xpt",)
    marks = (b"HEADER RECORD*******LIBRARY", b"HEADER RECORD*******LIBV8")
    reader = "read_xport"
    tags = ""

    @classmethod
    def is_whole(cls, raw: bytes) -> bool:
        return len(raw) % 80 == 0

    @classmethod
    def cells(cls, file: FileContent) -> FileTable:
        heads = [one.start() for one in _SAS_MEMBER.finditer(file.raw)]
        sets = sum(place % 80 == 0 for place in heads)
        if sets > 1:
            raise InputError(T.SEVERAL_DATA_SETS(file=file.name, number=sets))
        return super().cells(file)


_SAS_MEMBER = re.compile(rb"HEADER RECORD\*{7}MEMB(?:ER |V8 ) HEADER RECORD!{7}")
"""What a data set within a transport file begins with, in a record of its own."""

_SAS_ENCODING, _SAS_UTF_8 = 70, b"\x14"
"""Where a data set of SAS has the number of its encoding, and one that is known."""

_STATA_MARK = b"<stata_dta>"
