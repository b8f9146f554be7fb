"""A table does not depend on the blocks that its file was read in, nor on where its codes are."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import feather

from dpdesk.data import block_columns, read_delimited, spool, structure
from dpdesk.data.block_columns import BlockColumns
from dpdesk.data.encoding import detected_encoding, to_utf8, to_utf8_by_cells
from dpdesk.data.nameless_file import NamelessFile
from dpdesk.data.read_file import load, load_declared
from dpdesk.data.reading import Reading
from dpdesk.data.source import OpenFile
from dpdesk.data.table import SurveyTable
from dpdesk.errors import Cancelled, InputError
from tests.patience import HANG
from tests.refusals import refused


@pytest.fixture
def blocks(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets the bytes that are read, and those that are parsed, together."""

    def cut(size: int) -> None:
        monkeypatch.setattr(read_delimited, "PIECE", size)
        monkeypatch.setattr(read_delimited, "PARSE_BLOCK", size)
        monkeypatch.setattr(read_delimited, "_PARSE_BYTES_PER_COLUMN", 1)

    return cut


def everything(table: SurveyTable) -> object:
    """All that a table says."""
    return (
        table.names,
        [(column.distinct, column.codes.tolist()) for column in table.columns],
        table.rows,
        table.reading,
        table.notices,
        table.is_reading_found,
        table.declared,
    )


def outcome(path: Path, **choices: Any) -> object:
    """The table of a file, or what its refusal says."""
    try:
        return everything(load(path, **choices))
    except InputError as refused:
        return (refused.message, refused.line, refused.remedy)


TEXTS = {
    "quotes over blocks": 'a,b\n"x\ny","say ""no"""\n1,"a,b"\n,""\n',
    "CRLF": "a,b\r\n1,2\r\n\r\n3,4\r\n\r\n",
    "CR": "a,b\r1,2\r\r3,4\r",
    "CRLF in quotes": 'a,b\r\n"1\r\n2\r3",x\r\n',
    "no last line end": "a,b\n1,2\n3,4",
    "blank first": "\n\r\n\na,b\n1,2\n",
    "one column": "a\n\n1\n\n2\n\n\n",
    "one column of texts": "a\nx, y\nx; y\n",
    "umlauts": "größe;straße\n1;ß\n€;𝄞\n",
    "sep line": "sep=;\r\n\r\na;b\r\n1;2\r\n",
    "ragged": "a,b\n1,2\n3\n4,5,6\n",
    "ragged after a stray mark": 'a,b\n1,x"\n3\n',
    "stray before ragged": 'a,b\n1,"x"y\n3\n',
    "never closed": 'a,b\n1,2\n3,"4\n5,6\n',
    "closed too late": 'a,b\n1,"2\n3,"4"\n',
    "NUL": "a,b\n1,2\n\0,3\n4\n",
    "NUL after ragged": "a,b\n1\n\0,3\n",
    "names alone": "a,b\n",
    "empty": "\n\n",
    "many blank lines": "a,b\n1,2\n" + "\n" * 50 + "3,4\n" + "\n" * 9,
}
ENCODED = {name: text.encode() for name, text in TEXTS.items()} | {
    "UTF-16": "größe;b\r\n1;€\r\n".encode("utf-16"),
    "UTF-16 without a mark": "grosse,b\r\n1,2\r\n".encode("utf-16-le"),
    "marks": b"\xef\xbb\xbf" * 3 + "ä,b\n1,2\n".encode(),
    "cp1252": "größe;b\r\n1;€\r\n".encode("cp1252"),
    "cp1252 late": b"a;b\r\n" + b"1;2\r\n" * 20 + b"\x80;2\r\n",
    "damaged UTF-8": "ä,b\n".encode() + "ö,ü\n".encode() * 20 + b"\xff,1\n",
    "cut letter": "ä,b\n1,2\n3,".encode() + b"\xc3",
}


@pytest.mark.parametrize("name", ENCODED)
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_that_a_table_does_not_depend_on_its_blocks(
    name: str, size: int, tmp_path: Path, blocks: Any
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(ENCODED[name])
    ways: list[dict[str, Any]] = [{}, {"header_rows": 0}, {"delimiter": ";"}, {"names_alone": True}]
    whole = [outcome(path, **way) for way in ways]
    blocks(size)
    assert [outcome(path, **way) for way in ways] == whole


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii", "shift_jis", "utf-16"])
@pytest.mark.parametrize("name", ENCODED)
def test_that_a_declared_reading_does_not_depend_on_blocks(
    name: str, encoding: str, tmp_path: Path, blocks: Any
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(ENCODED[name])

    def found() -> object:
        try:
            return everything(load_declared(path, Reading(encoding=encoding, delimiter=";")))
        except InputError as refused:
            return (refused.message, refused.line)

    whole = found()
    for size in (1, 2, 3):
        blocks(size)
        assert found() == whole


@given(
    st.text(alphabet=st.sampled_from('a,;"\n\r€ß'), max_size=30),
    st.integers(1, 9),
    st.sampled_from([0, 1, 2]),
)
@example('"\r', 1, 0)
@example('a\r\r\n"', 1, 1)
def test_that_any_text_is_read_the_same_in_any_blocks(text: str, size: int, header: int) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder, "t.csv")
        path.write_text(text, encoding="utf-8", newline="")
        whole = outcome(path, header_rows=header)
        patch.setattr(read_delimited, "PIECE", size)
        patch.setattr(read_delimited, "PARSE_BLOCK", size)
        assert outcome(path, header_rows=header) == whole


def test_that_a_platform_header_may_be_cut_by_blocks(tmp_path: Path, blocks: Any) -> None:
    path = tmp_path / "t.csv"
    questions = (
        '"Q1","Q2"\n"How, then?","Say ""no"""\n"{""ImportId"":""a""}","{""ImportId"":""b""}"\n'
    )
    path.write_text(questions + "1,2\n3,4\n")
    whole = outcome(path)
    blocks(2)
    assert outcome(path) == whole
    assert load(path).reading.platform == "Qualtrics"


def test_that_the_encoding_is_detected_in_any_pieces() -> None:
    for raw in ENCODED.values():

        def pieces(size: int, raw: bytes = raw) -> Any:
            return lambda: (raw[start : start + size] for start in range(0, len(raw), size))

        def detected(size: int, pieces: Any = pieces) -> object:
            try:
                return detected_encoding(pieces(size), "t")
            except InputError as refused:
                return refused.message

        assert {repr(detected(size)) for size in (1, 2, 3, 1000)} == {repr(detected(1000))}


def test_that_an_invalid_byte_is_on_the_line_where_an_editor_shows_it() -> None:
    with pytest.raises(InputError) as caught:
        to_utf8("a\r\nb\rc\n".encode("utf-16-be") + b"\xd8\x00", "t", "utf-16-be")
    assert caught.value.line == 4
    assert "line 3" in to_utf8_by_cells(b"\xc3\xa4\r\n\n\x81", "t", "utf-8").notices[0]


def test_that_a_record_longer_than_memory_may_hold_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocks: Any
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n" * 70_000 + "x," * 60_000 + "\n")
    blocks(1 << 12)
    monkeypatch.setattr(structure, "LONGEST_RECORD", 1 << 18)
    with pytest.raises(InputError, match="but 60,001"):
        load(path)
    monkeypatch.setattr(structure, "LONGEST_RECORD", 1 << 15)
    with pytest.raises(InputError, match="longer than 0 MB") as caught:
        load(path)
    assert caught.value.line == 70_002


def test_that_a_lost_quotation_mark_does_not_fill_the_memory(tmp_path: Path, blocks: Any) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,2\n3,"4\n' + "5,6\n" * 200_000)
    seen = []

    def spy(source: OpenFile, size: int = 0) -> Iterator[bytes]:
        for piece in usual(source, size):
            seen.append(len(piece))
            yield piece

    usual = OpenFile.pieces
    blocks(1 << 16)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OpenFile, "pieces", spy)
        with pytest.raises(InputError, match=r"on line 3 .* longer than 100,000 characters"):
            load(path, encoding="utf-8", delimiter=",")
    # Eight hundred thousand bytes follow it, and half of them were not read.
    assert sum(seen[1:]) < 600_000


def test_that_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, blocks: Any) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n" * 100)
    blocks(64)

    def change() -> None:
        if path.stat().st_size < 1000:
            with path.open("a") as file:
                file.write("3,4\n" * 200)

    with pytest.raises(InputError, match="changed while it was read"):
        load(path, tick=change)


@pytest.mark.parametrize("ending", ["parquet", "feather", "csv"])
def test_that_a_table_that_is_touched_while_it_is_read_is_refused(
    ending: str, tmp_path: Path
) -> None:
    path = typed(tmp_path / f"t.{ending}")
    load(path)

    def touch(share: float) -> None:
        # Its beginning, by which the format is found, is read before.
        if share > 0.2:
            os.utime(path, ns=(0, 0))

    with pytest.raises(InputError, match="changed while it was read"):
        load(path, progress=touch)


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_that_a_table_that_is_cut_while_it_is_read_is_told_to_have_changed(
    ending: str, tmp_path: Path
) -> None:
    path = typed(tmp_path / f"t.{ending}")

    def cut(share: float) -> None:
        if share > 0.2:
            os.truncate(path, 1000)

    with pytest.raises(InputError, match="changed while it was read"):
        load(path, progress=cut)


@pytest.mark.parametrize("ending", ["parquet", "feather", "csv"])
def test_that_progress_tells_how_much_of_the_file_was_read(ending: str, tmp_path: Path) -> None:
    path, told = typed(tmp_path / f"t.{ending}"), []
    load(path, progress=told.append)
    assert told[0] < 0.1
    assert told[-1] > 0.9
    assert any(0.2 < share < 0.8 for share in told)


def typed(path: Path, rows: int = 600_000) -> Path:
    """A file of some megabytes, in which no part is like another."""
    numbers = np.random.default_rng(1).integers(0, 1 << 16, rows)
    table = pa.table({"a": numbers, "b": np.arange(rows)})
    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=rows // 10)
    elif path.suffix == ".feather":
        feather.write_feather(table, path, chunksize=rows // 10)
    else:
        pa.csv.write_csv(table, path)
    return path


def test_that_a_gzip_file_is_unpacked_in_pieces(tmp_path: Path, blocks: Any) -> None:
    text = b"a,b\n" + b"".join(b"%d,%d\n" % (i, i % 7) for i in range(50_000))
    (tmp_path / "t.csv").write_bytes(text)
    # Two members, as programs write them that append.
    half = len(text) // 2
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text[:half]) + gzip.compress(text[half:]))
    table = load(tmp_path / "t.csv")
    blocks(1 << 14)
    assert everything(load(tmp_path / "t.csv.gz")) == everything(table)
    (tmp_path / "cut.gz").write_bytes(gzip.compress(text)[:-9])
    with pytest.raises(InputError, match="damaged or incomplete"):
        load(tmp_path / "cut.gz")


def some_blocks(sizes: list[int]) -> tuple[list[str], list[pa.DictionaryArray]]:
    """Cells whose distinct texts grow from block to block, and their blocks."""
    generator = np.random.default_rng(3)
    cells = [f"t{n}" for most in sizes for n in generator.integers(0, most, 400)]
    blocks = [
        pa.array(cells[start : start + 400]).dictionary_encode()
        for start in range(0, len(cells), 400)
    ]
    return cells, blocks


@pytest.mark.parametrize("few", [0, 3, 1 << 12])
@pytest.mark.parametrize("memory", [0, 1000, 1 << 30])
def test_that_codes_are_those_of_the_whole_column_wherever_they_wait(
    few: int, memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(block_columns, "_FEW", few)
    monkeypatch.setattr(block_columns, "_WAITING_MOST", 900)
    monkeypatch.setattr(spool, "MEMORY_MOST", memory)
    cells, parts = some_blocks([2, 2, 5, 300, 2, 100_000, 70_000, 90_000, 3])
    columns = BlockColumns(2, "t")
    for part in parts:
        columns.append([part, pa.array(["x"] * 400).dictionary_encode()])
    first, second = columns.finish(["a", "b"])
    assert first.texts() == cells
    assert first.distinct == list(dict.fromkeys(cells))
    assert first.codes.dtype == np.uint16
    assert second.codes.dtype == np.uint8
    assert second.texts() == ["x"] * len(cells)
    assert not first.codes.flags.writeable
    columns.close()


def test_that_texts_beyond_short_offsets_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_columns, "_SHORT_OFFSETS", 100)
    monkeypatch.setattr(block_columns, "_FEW", 0)
    cells, parts = some_blocks([1000, 2000])
    columns = BlockColumns(1, "t")
    for part in parts:
        columns.append([part])
    (column,) = columns.finish(["a"])
    assert column.texts() == cells
    assert pa.types.is_large_string(column.dictionary.type)
    assert column.among(["t1"]).sum() == ("t1" in cells)


@pytest.fixture
def spooled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of codes that do not stay in memory, which are all."""
    folder = tmp_path / "spool"
    folder.mkdir()
    monkeypatch.setenv(spool.VARIABLE, str(folder))
    monkeypatch.setattr(spool, "MEMORY_MOST", 0)
    return folder


def answers(path: Path, rows: int = 1000) -> Path:
    path.write_text("a,b\n" + "".join(f"{i},{i % 3}\n" for i in range(rows)))
    return path


def test_that_codes_on_disk_make_the_same_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spooled: Path
) -> None:
    path = answers(tmp_path / "t.csv")
    on_disk = load(path)
    monkeypatch.setattr(spool, "MEMORY_MOST", 1 << 20)
    in_memory = load(path)
    assert everything(on_disk) == everything(in_memory)
    assert [c.counts.tolist() for c in on_disk.columns] == [
        c.counts.tolist() for c in in_memory.columns
    ]
    flags = np.arange(1000) % 2 == 0
    assert everything(on_disk.of_records(flags)) == everything(in_memory.of_records(flags))


@pytest.mark.skipif(sys.platform == "win32", reason="there it is deleted when it is closed")
def test_that_no_name_of_the_codes_on_disk_is_ever_seen(
    tmp_path: Path, spooled: Path, blocks: Any
) -> None:
    path, seen = answers(tmp_path / "t.csv"), []
    blocks(512)
    table = load(path, tick=lambda: seen.extend(spooled.iterdir()))
    assert not seen
    assert not list(spooled.iterdir())
    assert table.column("b").text(999) == "0"


def test_that_codes_on_disk_are_private(
    tmp_path: Path, spooled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes, usual = [], NamelessFile.append

    def spy(file: NamelessFile, codes: np.ndarray) -> int:
        modes.append(os.fstat(file.fileno()).st_mode & 0o777)
        return usual(file, codes)

    monkeypatch.setattr(NamelessFile, "append", spy)
    load(answers(tmp_path / "t.csv"))
    assert set(modes) == {0o600}


def test_that_a_folder_that_cannot_hold_the_codes_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spooled: Path
) -> None:
    path = answers(tmp_path / "t.csv")
    monkeypatch.setenv(spool.VARIABLE, str(tmp_path / "none"))
    with refused("data.spool-refused") as caught:
        load(path)
    assert spool.VARIABLE in caught.value.remedy


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a disk that is always full")
def test_that_a_full_disk_is_told_without_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spooled: Path
) -> None:
    path = answers(tmp_path / "t.csv")

    def always_full(**_: object) -> object:
        return Path("/dev/full").open("r+b", buffering=0)

    monkeypatch.setattr(tempfile, "TemporaryFile", always_full)
    with refused("data.spool-refused") as caught:
        load(path)
    assert caught.value.__context__ is None


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from dpdesk.data import spool
from dpdesk.data.read_file import load
from dpdesk.errors import Cancelled, InputError

spool.MEMORY_MOST = int(sys.argv[3])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    table = load(Path(sys.argv[1]))
except InputError as refused:
    print(refused.id, refused.__context__)
else:
    print(table.column("a").text(999))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process need POSIX")
@pytest.mark.parametrize("memory", [0, 2999])
@pytest.mark.parametrize("limit", [0, 1, 2999, 3000, 4096, 4097, 5095, 5096])
def test_that_a_disk_that_fills_up_is_told_wherever_it_does(
    limit: int, memory: int, tmp_path: Path, spooled: Path, root: Path
) -> None:
    path = answers(tmp_path / "t.csv")
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path), str(limit), str(memory)],
        capture_output=True,
        text=True,
        cwd=root,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    if limit == 5096:
        # Two columns of 2000 and 1000 bytes, the second at a multiple of 4096.
        assert done.stdout == "999\n"
    else:
        assert done.stdout == "data.spool-refused None\n"
    assert list(spooled.iterdir()) == []


def test_that_a_cancel_is_heard_while_blocks_wait_to_be_appended() -> None:
    waits = threading.Event()

    def cancel() -> None:
        waits.set()
        raise Cancelled

    def encoded(block: str) -> list[pa.DictionaryArray]:
        assert waits.wait(HANG)
        return [pa.array([block]).dictionary_encode()]

    with closing(BlockColumns(1, "t")) as columns, pytest.raises(Cancelled):
        columns.fill(["x", "y", "z"], encoded, cancel)


def test_that_what_appending_raises_is_raised_in_the_end() -> None:
    def encoded(block: str) -> list[pa.DictionaryArray]:
        if block == "z":
            raise InputError("The last block.")
        return [pa.array([block]).dictionary_encode()]

    with closing(BlockColumns(1, "t")) as columns, pytest.raises(InputError, match="The last"):
        columns.fill(["x", "y", "z"], encoded, lambda: None)
