"""Checks of the source of words, shared by the ordinary tests and the kill matrix."""

from __future__ import annotations

import ssl
from unittest import mock

import numpy as np
import pytest

from dpdesk.errors import ReleaseError
from dpdesk.randomness import SystemWords


def words_are_whole_and_of_the_right_type() -> None:
    """Words have 64 bits, every one of them used, and the count that was asked for."""
    for count in (0, 1, 5, 131_072, 131_073, 300_003):
        words = SystemWords().take(count)
        assert words.dtype == np.uint64
        assert words.shape == (count,)
    words = SystemWords().take(300_000)
    # A bit that is constant over 300,000 words would be so by chance once in 2^299,999.
    assert np.bitwise_or.reduce(words) == np.uint64(2**64 - 1)
    assert np.bitwise_and.reduce(words) == 0
    assert np.unique(words).size > 299_990


def two_takes_share_no_word() -> None:
    """Words are fresh at every call and for every source; chance of failure below 2^-35."""
    source = SystemWords()
    takes = [source.take(5_000), source.take(5_000), SystemWords().take(5_000)]
    assert np.unique(np.concatenate(takes)).size == 15_000


def a_failing_source_aborts() -> None:
    """An error or a dead source ends in `ReleaseError`, never in a fallback."""
    with mock.patch.object(ssl, "RAND_bytes", side_effect=ssl.SSLError("no entropy")):
        _aborts(1)
        _aborts(300_000)
    with mock.patch.object(ssl, "RAND_bytes", side_effect=bytes):
        _aborts(4)
        _aborts(300_000)


def _aborts(count: int) -> None:
    with pytest.raises(ReleaseError) as caught:
        SystemWords().take(count)
    assert caught.value.remedy
