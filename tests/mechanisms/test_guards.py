from __future__ import annotations

import ast
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpdesk
from dpdesk.errors import ReleaseError
from dpdesk.randomness import SystemWords, sorting_order
from tests.mechanisms.drawn_checks import CASES
from tests.mechanisms.estimator_checks import bind
from tests.mechanisms.golden_checks import reports_from_fixed_words_never_change

RELEASE_PATH = ("randomness", "channel", "mechanisms", "domains", "cost")


class PredictableWordsError(Exception):
    """A predictable generator was used where a release is drawn."""


@pytest.fixture
def no_predictable_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every function and generator of random and numpy.random raise."""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise PredictableWordsError

    for module in (random, np.random):
        for name in dir(module):
            if not name.startswith("_") and callable(getattr(module, name)):
                monkeypatch.setattr(module, name, refuse)


def test_that_the_guard_against_predictable_words_bites(no_predictable_words: None) -> None:
    for use in (random.random, np.random.default_rng, np.random.normal, random.SystemRandom):
        with pytest.raises(PredictableWordsError):
            use()


def test_that_no_draw_uses_a_predictable_generator(no_predictable_words: None) -> None:
    words = SystemWords()
    for kind, domain in CASES:
        bound = bind(kind, domain, "1")
        order = sorting_order(words.take(100))
        codes = (order % domain.size).astype(np.int32)
        bound.estimate(bound.tally(bound.randomize(codes, words)))


def test_that_no_module_of_the_release_path_imports_a_generator() -> None:
    folder = Path(dpdesk.__file__).parent
    paths = [path for part in RELEASE_PATH for path in sorted((folder / part).rglob("*.py"))]
    assert len(paths) > 25
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(f"{node.module}.{a.name}" for a in node.names)]
            elif isinstance(node, ast.Attribute):
                names = [ast.unparse(node)]
            for name in names:
                assert not name.startswith(("random", "secrets", "numpy.random", "np.random")), path


@pytest.mark.parametrize("kind", [kind for kind, _ in CASES])
def test_that_a_failing_source_stops_the_draw(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import ssl

    def fail(count: int) -> bytes:
        raise ssl.SSLError("no entropy")

    bound = bind(kind, dict(CASES)[kind], "1")
    monkeypatch.setattr(ssl, "RAND_bytes", fail)
    with pytest.raises(ReleaseError):
        bound.randomize(np.zeros(10, dtype=np.int32), SystemWords())


@pytest.mark.parametrize("kind", [kind for kind, _ in CASES])
def test_that_an_answer_outside_the_domain_stops_the_draw(kind: str) -> None:
    domain = dict(CASES)[kind]
    bound = bind(kind, domain, "1")
    for code in (-1, domain.size):
        with pytest.raises(ReleaseError):
            bound.randomize(np.array([0, code, 0], dtype=np.int32), SystemWords())


def test_that_reports_from_fixed_words_never_change() -> None:
    reports_from_fixed_words_never_change()


def test_that_a_law_of_a_million_categories_needs_no_table() -> None:
    from tests.mechanisms.estimator_checks import categories

    bound = bind("grr", categories(1_000_000), "10")
    codes = np.arange(1_000_000, dtype=np.int32)
    reports = bound.randomize(codes, SystemWords())
    # p = 0.0216: outside this range by chance less than once in 10^9.
    assert 0.0207 < (reports == codes).mean() < 0.0225
    assert reports.min() >= 0
    assert reports.max() < 1_000_000
