from __future__ import annotations

import threading
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from dpdesk.data import read_delimited
from dpdesk.data.read_file import load
from dpdesk.data.structure import RecordBlock, Structure
from tests.data.hostile_files import PLANTED
from tests.refusals import refused


def test_that_an_error_of_the_parser_travels_on_without_the_record_it_quotes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "t.csv"
    path.write_text(f"a,b\n1,2\n{PLANTED}\n")
    # The structure is checked first; only a mistake of ours could let such a file pass.
    monkeypatch.setattr(Structure, "_ragged", lambda *_: ())
    with refused("data.not-delimited") as caught:
        load(path)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert PLANTED not in "".join(traceback.format_exception(caught.value))


def test_that_the_parser_alone_would_quote_the_record():
    with pytest.raises(pa.ArrowInvalid, match=PLANTED):
        pa.csv.read_csv(pa.BufferReader(f"a,b\n{PLANTED}\n".encode()))


def test_that_fewer_records_than_were_counted_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "t.csv"
    path.write_text(f"a,b\n1,2\n{PLANTED},3\n")
    usual = Structure.blocks

    def miscounted(structure: Structure, pieces: Iterable[bytes]) -> Iterator[RecordBlock]:
        for block in usual(structure, pieces):
            yield replace(block, records=block.records + 1)

    monkeypatch.setattr(Structure, "blocks", miscounted)
    with refused("data.records-lost", records=3, read=2):
        load(path)


def test_that_a_file_beyond_the_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "t.csv"
    path.write_text(f"a,b\n{PLANTED},2\n")

    def exhausted(*_: object, **__: object) -> None:
        raise pa.ArrowMemoryError(PLANTED)

    monkeypatch.setattr(pa.csv, "read_csv", exhausted)
    with refused("data.no-memory") as caught:
        load(path)
    assert PLANTED not in "".join(traceback.format_exception(caught.value))


def test_that_arrow_has_given_the_text_back_before_a_table_is_there() -> None:
    # Its threads need Python to let go of it: a program that ended before would be aborted.
    lent = memoryview(bytearray(b"a,b"))
    held = [pa.py_buffer(lent)]
    letting_go = threading.Timer(0.05, held.clear)
    letting_go.start()
    read_delimited._take_back(lent)
    assert not held
    with pytest.raises(ValueError, match="released"):
        lent.tobytes()
    letting_go.join()


def test_that_text_which_is_never_given_back_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(read_delimited, "_PATIENCE", 3)
    lent = memoryview(b"a,b")
    held = pa.py_buffer(lent)
    read_delimited._take_back(lent)
    assert lent.tobytes() == b"a,b"
    assert held.size == 3


def test_that_a_table_is_read_through_what_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []
    monkeypatch.setattr(read_delimited, "_take_back", lambda lent: taken.append(lent.nbytes))
    (tmp_path / "a.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    load(tmp_path / "a.csv")
    assert taken == [4]
