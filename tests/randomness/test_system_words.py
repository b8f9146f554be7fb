from __future__ import annotations

import inspect
import os
import ssl

import numpy as np
import pytest

from dpdesk.randomness import MeteredWords, SystemWords, TakenWords, sorting_order
from tests.randomness import randomness_checks
from tests.randomness.word_sources import CountedWords, PrescribedWords, ShakeWords
from tests.refusals import refused


def test_that_words_have_64_bits_and_the_count_asked_for() -> None:
    randomness_checks.words_are_whole_and_of_the_right_type()


def test_that_no_word_is_dealt_twice() -> None:
    randomness_checks.two_takes_share_no_word()


def test_that_an_error_of_the_source_aborts() -> None:
    randomness_checks.a_failing_source_aborts()


def test_that_zeros_later_in_a_take_are_words_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssl, "RAND_bytes", lambda count: b"\1" + bytes(count - 1))
    assert SystemWords().take(8).tolist() == [1, 0, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("words", [1, 2**17 - 1, 2**17, 2**17 + 1, 2**18 + 3])
def test_that_the_source_is_asked_for_a_mebibyte_at_most_and_for_nothing_in_vain(
    words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    deal = ssl.RAND_bytes
    monkeypatch.setattr(ssl, "RAND_bytes", lambda count: asked.append(count) or deal(count))
    assert SystemWords().take(words).size == words
    whole, rest = divmod(8 * words, 2**20)
    assert asked == [2**20] * whole + [rest] * (rest > 0)


def test_that_the_system_source_has_no_seed() -> None:
    assert list(inspect.signature(SystemWords).parameters) == []
    assert list(inspect.signature(SystemWords.take).parameters) == ["self", "count"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_that_a_forked_child_does_not_repeat_its_parents_words() -> None:
    source = SystemWords()
    source.take(10)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, source.take(500).tobytes())
        os._exit(0)
    mine = source.take(500)
    os.waitpid(child, 0)
    theirs = np.frombuffer(os.read(reading, 4000), dtype=np.uint64)
    os.close(reading)
    os.close(writing)
    assert theirs.size == 500
    assert np.intersect1d(mine, theirs).size == 0


def test_that_an_order_sorts_one_word_per_row() -> None:
    order = sorting_order(PrescribedWords([30, 2**64 - 1, 0, 2**63]).take(4))
    assert order.tolist() == [2, 0, 3, 1]


def test_that_an_order_takes_one_word_per_row_and_holds_every_row_once() -> None:
    words = CountedWords(ShakeWords("order"))
    order = sorting_order(words.take(1000))
    assert words.taken == 1000
    assert sorted(order.tolist()) == list(range(1000))
    assert order.tolist() != list(range(1000))


def test_that_words_taken_before_are_dealt_in_their_order_and_no_more_of_them() -> None:
    taken = TakenWords(np.arange(5, dtype=np.uint64))
    assert taken.take(2).tolist() == [0, 1]
    with refused("numbers.uneven-words"):
        taken.require_used()
    assert taken.take(3).tolist() == [2, 3, 4]
    taken.require_used()
    with refused("numbers.uneven-words"):
        taken.take(1)


def test_that_metered_words_are_those_of_their_source() -> None:
    metered = MeteredWords(PrescribedWords([3, 1, 2]))
    assert metered.take(1).tolist() + metered.take(2).tolist() == [3, 1, 2]
    assert metered.taken == 3
