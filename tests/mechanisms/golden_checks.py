"""Check of the reports drawn from fixed words, shared with the kill matrix."""

from __future__ import annotations

import hashlib

import numpy as np

from dpdesk.domains import Integer, OptionSet
from dpdesk.mechanisms import AnyDomain
from tests.mechanisms.estimator_checks import bind, categories
from tests.randomness.word_sources import ShakeWords


def options(size: int) -> OptionSet:
    """A question with so many options."""
    return OptionSet(values=tuple(map(str, range(1, size + 1))))


GOLDEN: list[tuple[str, AnyDomain, str, str]] = [
    ("warner", categories(2), "0.5", "142cfa6a76aa1f37"),
    ("grr", categories(16), "1", "d31587f9d1aa734d"),
    ("grr", categories(100_000), "7.25", "8469dd5df42b9550"),
    ("sue", categories(5), "2", "a2325e855fc4dd01"),
    ("oue", categories(128), "1", "9c396115b55e6e4a"),
    ("subset_selection", categories(16), "1", "f61d799627733d7e"),
    ("subset_selection", categories(500), "0.7", "5be2db33e4908106"),
    ("olh", categories(1_000), "1", "c628419d5fe2fcfb"),
    ("olh", categories(65_536), "2.5", "f12cece909910153"),
    ("blh", categories(64), "0.5", "be1c468e0e03b1d0"),
    ("hadamard", categories(2), "3", "08faa90adf1f680b"),
    ("hadamard", categories(1_000), "1", "b5d30c945ba3f67c"),
    ("pram", categories(5), "1", "c89cbef138e6e2c1"),
    ("rappor", categories(16), "1", "e00237ec592637e5"),
    ("set_response", options(6), "1", "0826528942fb0697"),
    ("set_response", options(12), "4", "a74fe2fa301dd5fe"),
    ("bounded_laplace", Integer(lower=18, upper=99), "1", "b2b778ab2c38c243"),
    ("bounded_laplace", Integer(lower=0, upper=1_999), "20", "803c191ab691833b"),
    ("bounded_staircase", Integer(lower=18, upper=99), "1", "f48b943100838790"),
    ("bounded_staircase", Integer(lower=0, upper=499), "6.5", "7102471713c3cb66"),
    ("laplace", Integer(lower=18, upper=99), "1", "f8419ccd2810ff69"),
    ("laplace", Integer(lower=1, upper=20_000), "0.3", "cede117519efdc39"),
    ("staircase", Integer(lower=18, upper=99), "3", "feb056055cc52079"),
    ("staircase", Integer(lower=0, upper=1), "0.0001", "54fc30180dc14507"),
    ("duchi", Integer(lower=18, upper=99), "0.1", "5f06e8273ec0e96f"),
    ("piecewise", Integer(lower=18, upper=99), "1", "ac847c6cbba547ea"),
    ("piecewise", Integer(lower=0, upper=9_999), "4", "97a32ab4cb38bbdb"),
    ("hybrid", Integer(lower=18, upper=99), "1", "6947a264c6e9fb9c"),
    ("square_wave", Integer(lower=18, upper=99), "1", "23bd59747c37bee2"),
    ("square_wave", Integer(lower=1, upper=5), "0.1", "0c9b18ce22643c58"),
]


def digest_of(kind: str, domain: AnyDomain, epsilon: str) -> str:
    """SHA-256 of 20,000 reports (2,000 for bits) from SHAKE-128 words, little-endian."""
    rows = 2_000 if kind in ("sue", "oue") else 20_000
    codes = (np.arange(rows, dtype=np.int64) * 7919 % domain.size).astype(np.int32)
    reports = bind(kind, domain, epsilon).randomize(codes, ShakeWords(f"golden {kind}"))
    little = reports.astype(reports.dtype.newbyteorder("<"))
    return hashlib.sha256(little.tobytes()).hexdigest()[:16]


def reports_from_fixed_words_never_change() -> None:
    """The same words give the same reports on every machine and under every numpy."""
    for kind, domain, epsilon, golden in GOLDEN:
        assert digest_of(kind, domain, epsilon) == golden, (kind, domain.size, epsilon)
