from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from fractions import Fraction
from itertools import permutations, product
from math import factorial
from pathlib import Path

import numpy as np
import pytest

from dpdesk.engine import shuffle
from dpdesk.engine.shuffle import RecordShuffle, bucket_bits, bytes_on_disk
from dpdesk.errors import Cancelled, ReleaseError
from dpdesk.randomness import SystemWords
from tests.randomness.word_sources import CountedWords, PrescribedWords, ShakeWords
from tests.refusals import refused

WIDTH = 8


def records(count: int, first: int = 0) -> np.ndarray:
    """Records that are their numbers."""
    return np.arange(first, first + count, dtype=np.uint64).view(np.uint8).reshape(count, WIDTH)


def numbers(pieces) -> list[int]:
    return np.concatenate([piece.reshape(-1).view(np.uint64) for piece in pieces]).tolist()


def shuffled(count: int, words, folder: Path, *, at_once: int = 1000) -> list[int]:
    mixed = RecordShuffle(count, WIDTH, words, folder)
    for start in range(0, count, at_once):
        mixed.put(records(min(at_once, count - start), start))
    found = numbers(mixed.drain())
    mixed.close()
    return found


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buckets of 64 records, dealt 100 at a time and written 30 at a time."""
    monkeypatch.setattr(shuffle, "_BUCKET_ROWS", 64)
    monkeypatch.setattr(shuffle, "_PIECE_BYTES", 30 * WIDTH)
    monkeypatch.setattr(shuffle, "_DEALT_BYTES", 100 * WIDTH)


@pytest.mark.parametrize(("count", "most", "dealt"), [(4, 4, 4), (4, 2, 4), (4, 2, 1), (3, 1, 2)])
def test_that_every_order_is_equally_likely(
    count: int, most: int, dealt: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """All dealings of all records, and all permutations of all buckets, by enumeration.

    Which bucket a record is dealt to is the first bits of its word, and a bucket's order is that of
    its words. So one word for each label, and all orders of different words, stand for all.
    """
    monkeypatch.setattr(shuffle, "_BUCKET_ROWS", most)
    monkeypatch.setattr(shuffle, "_DEALT_BYTES", dealt * WIDTH)
    bits = bucket_bits(count, WIDTH)
    buckets = 1 << bits
    assert buckets == {4: 1, 2: 2, 1: 4}[most]
    chances: dict[tuple[int, ...], Fraction] = {}
    for dealing in product(range(buckets), repeat=count):
        sizes = [dealing.count(bucket) for bucket in range(buckets)]
        # Any bits behind those of the label.
        labels = [] if buckets == 1 else [(b << (64 - bits)) + 12345 * b for b in dealing]
        for orders in product(*(permutations(range(size)) for size in sizes)):
            words = [*labels, *(word for order in orders for word in order)]
            order = tuple(shuffled(count, PrescribedWords(words), tmp_path, at_once=dealt))
            chance = Fraction(1, buckets**count)
            for size in sizes:
                chance /= factorial(size)
            chances[order] = chances.get(order, Fraction(0)) + chance
    assert set(chances) == set(permutations(range(count)))
    assert set(chances.values()) == {Fraction(1, factorial(count))}


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("count", [1, 63, 64, 65, 1000, 5001])
@pytest.mark.parametrize("at_once", [1, 77, 10_000])
def test_that_every_record_comes_out_once(count: int, at_once: int, tmp_path: Path) -> None:
    found = shuffled(count, SystemWords(), tmp_path, at_once=at_once)
    assert sorted(found) == list(range(count))
    if count > 63:
        assert found != list(range(count))


@pytest.mark.usefixtures("small")
def test_that_what_comes_out_depends_on_the_words_alone(tmp_path: Path) -> None:
    first, second = (shuffled(3000, ShakeWords("the same"), tmp_path) for _ in range(2))
    assert first == second


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("count", "each"), [(64, 1), (65, 2), (3000, 2)])
def test_that_the_number_of_words_depends_on_the_number_of_records_alone(
    count: int, each: int, tmp_path: Path
) -> None:
    words = CountedWords(ShakeWords("counted"))
    shuffled(count, words, tmp_path)
    assert words.taken == each * count


@pytest.mark.usefixtures("small")
def test_that_the_place_of_a_record_tells_nothing_of_its_place_in_the_file(tmp_path: Path) -> None:
    found = np.array(shuffled(20_000, SystemWords(), tmp_path), dtype=float)
    correlation = np.corrcoef(found, np.arange(found.size))[0, 1]
    # Six standard errors: a fair shuffle exceeds them once in 500 million runs.
    assert abs(correlation) < 6 / np.sqrt(found.size)


def test_that_one_bucket_needs_no_disk_and_more_of_them_room_for_all_records() -> None:
    most = shuffle._BUCKET_ROWS
    counts = (0, 1, most, most + 1, 2 * most, 2 * most + 1)
    assert [bucket_bits(count, WIDTH) for count in counts] == [0, 0, 0, 1, 1, 2]
    assert bytes_on_disk(most, WIDTH) == 0
    assert bytes_on_disk(most + 1, WIDTH) == WIDTH * (most + 1)
    # Wide records make smaller buckets.
    assert bucket_bits(most, 1000) == 4
    assert bucket_bits(10**12, 100_000) == 16


@pytest.mark.usefixtures("small")
@pytest.mark.skipif(os.name != "posix", reason="files without a name need POSIX")
def test_that_the_file_of_buckets_is_private_and_has_no_name(tmp_path: Path) -> None:
    mixed = RecordShuffle(1000, WIDTH, SystemWords(), tmp_path)
    mixed.put(records(1000))
    assert list(tmp_path.iterdir()) == []
    found = os.fstat(mixed._file.fileno())
    assert found.st_nlink == 0
    assert found.st_mode & 0o777 == 0o600
    mixed.close()
    mixed.close()
    with pytest.raises(ValueError, match="closed"):
        mixed._file.fileno()


@pytest.mark.usefixtures("small")
def test_that_a_disk_that_refuses_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(ReleaseError, match="could not be shuffled: No space left"):
        RecordShuffle(1000, WIDTH, SystemWords(), tmp_path)


@pytest.mark.usefixtures("small")
def test_that_what_the_disk_lost_stops_the_release(tmp_path: Path) -> None:
    mixed = RecordShuffle(1000, WIDTH, SystemWords(), tmp_path)
    mixed.put(records(1000))
    mixed._side.finish()
    os.ftruncate(mixed._file.fileno(), 4000)
    with refused("engine.records-changed"):
        list(mixed.drain())
    mixed.close()


@pytest.mark.usefixtures("small")
def test_that_a_dead_source_stops_the_shuffle(tmp_path: Path) -> None:
    class Dead:
        def take(self, count: int) -> np.ndarray:
            raise ReleaseError("The system's source of randomness failed.")

    mixed = RecordShuffle(1000, WIDTH, Dead(), tmp_path)
    with pytest.raises(ReleaseError, match="randomness failed"):
        mixed.put(records(1000))
    mixed.close()


@pytest.mark.usefixtures("small")
def test_that_a_cancel_reaches_who_waits_for_the_disk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def cancel() -> None:
        raise Cancelled

    mixed = RecordShuffle(1000, WIDTH, SystemWords(), tmp_path, cancel)
    waiting = threading.Event()
    monkeypatch.setattr(mixed, "_spill", lambda *_: waiting.wait())
    mixed.put(records(100))
    with pytest.raises(Cancelled):
        mixed.put(records(100))
    waiting.set()
    mixed.close()


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from dpdesk.engine import shuffle, untracked
from dpdesk.errors import ReleaseError
from dpdesk.releases.records import RECORDS
from dpdesk.releases.release import release
from tests.engine.survey import survey, survey_plan

def limited(*given):
    # The space that was reserved before the charge is not there after it.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
    return shuffle.RecordShuffle(*given)

# The name in the package is the function.
module = sys.modules["dpdesk.engine.sanitize"]
module.RecordShuffle, module._CHUNK_ROWS = limited, 100
shuffle._BUCKET_ROWS, shuffle._DEALT_BYTES = 64, 1000
try:
    release(RECORDS, survey(5000), survey_plan(), Path(sys.argv[1]) / "fruit", untracked())
except ReleaseError as refused:
    print(refused)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process need POSIX")
@pytest.mark.parametrize("limit", [0, 1, 999, 4096, 8192, 20_000])
def test_that_a_disk_that_fills_up_after_the_charge_is_told_and_leaves_nothing(
    limit: int, tmp_path: Path, root: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path), str(limit)],
        capture_output=True,
        text=True,
        cwd=root,
    )
    assert done.returncode == 0, done.stderr
    assert "The records could not be shuffled: File too large." in done.stdout
    assert list(tmp_path.iterdir()) == []


PEAK = """
import resource, sys
from pathlib import Path
import numpy as np
from dpdesk.engine.shuffle import RecordShuffle
from dpdesk.randomness import SystemWords

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

def shuffle(rows):
    mixed = RecordShuffle(rows, 16, SystemWords(), Path(sys.argv[1]))
    for start in range(0, rows, 50_000):
        mixed.put(np.zeros((50_000, 16), dtype=np.uint8))
    assert sum(len(bucket) for bucket in mixed.drain()) == rows
    mixed.close()

shuffle(2_000_000)
before = peak()
shuffle(8_000_000)
print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is counted in kilobytes on Linux")
def test_that_memory_does_not_grow_with_the_records(tmp_path: Path, root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(tmp_path)], capture_output=True, text=True, cwd=root
    )
    assert done.returncode == 0, done.stderr
    # The records are 96 MB more; buckets differ in size by chance.
    assert int(done.stdout) < 24_000
