"""A law on dates is that on whole numbers: every mechanism, every answer, every report."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from dpdesk.domains import Date, Integer
from dpdesk.mechanisms import MECHANISMS, Mechanism
from dpdesk.mechanisms.numeric import NumericMechanism

MONTHS = Date.of("2000-01", "2001-12")
NUMBERS = Integer(lower=360, upper=383)
KINDS = [kind for kind in MECHANISMS if issubclass(kind, NumericMechanism)]


def of_kind(kind: type[Mechanism], epsilon: str) -> Mechanism:
    return kind.model_validate({"kind": kind.model_fields["kind"].default, "epsilon": epsilon})


@pytest.mark.parametrize("epsilon", ["0.5", "2"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_that_the_law_on_months_is_that_on_whole_numbers(
    kind: type[Mechanism], missing: float, epsilon: str
) -> None:
    mechanism = of_kind(kind, epsilon)
    dates = mechanism.bind(MONTHS.with_missing(missing) if missing else MONTHS)
    numbers = mechanism.bind(NUMBERS.with_missing(missing) if missing else NUMBERS)
    assert dates.certificate == numbers.certificate
    assert len(dates.outputs) == len(numbers.outputs) == len(set(dates.outputs))
    previews = [
        mechanism.forecast(one.with_missing(missing) if missing else one)
        for one in (MONTHS, NUMBERS)
    ]
    for code in range(MONTHS.size):
        laws = [preview.probabilities(code) for preview in previews]
        assert np.array_equal(*laws)
    words = [np.random.default_rng(7).integers(0, 2**63, 4000, dtype=np.uint64) for _ in "ab"]
    codes = np.arange(4000, dtype=np.int32) % MONTHS.size
    drawn = [
        bound.randomize(codes, _Words(given))
        for bound, given in zip((dates, numbers), words, strict=True)
    ]
    assert np.array_equal(*drawn)
    told = [bound.estimate(bound.tally(drawn[0], None)) for bound in (dates, numbers)]
    for figure in ("value", "noise_error", "total_error", "lower", "upper"):
        assert np.array_equal(*(getattr(one, figure) for one in told), equal_nan=True)


class _Words:
    def __init__(self, words: np.ndarray) -> None:
        self._words, self._at = words, 0

    def take(self, count: int) -> np.ndarray:
        found = np.resize(self._words[self._at :], count)
        self._at = (self._at + count) % (len(self._words) - 1)
        return found


def test_that_reports_on_the_grid_are_dates_and_others_numbers_of_the_unit() -> None:
    named = {kind.__name__: of_kind(kind, "1").bind(MONTHS).outputs for kind in KINDS}
    assert tuple(named["BoundedLaplace"]) == MONTHS.texts
    assert set(MONTHS.texts) < set(named["SquareWave"])
    assert named["SquareWave"][0] < "2000-01"
    assert all("-" not in text.lstrip("-") for text in named["Duchi"])


def test_that_the_mean_of_dates_is_the_date_that_its_number_means() -> None:
    bound = of_kind(next(k for k in KINDS if k.__name__ == "Duchi"), "4").bind(MONTHS)
    low, high = (Decimal(text) for text in bound.outputs)
    assert low < 360 < 383 < high
    assert low + high == 360 + 383
